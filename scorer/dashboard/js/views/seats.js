/** The card of the players: seats in playing order, a field for names, those who have played here before. */

import { h } from "../dom.js";
import { formNow, rulesetOf, setForm } from "../form.js";
import { recall } from "../memory.js";
import { t } from "../words.js";
import { dragHandle } from "./drag.js";
import { button, icon, nameOf } from "./parts.js";

const LONGEST_NAME = 30;
const NO_NAMES = new Set(["pot", "outside"]);

/** The whole card. */
export function playersCard(form) {
  const free = recall("names", []).filter((name) => !form.names.some((seated) => alike(seated, name)));
  return h(
    "section.card.players-card",
    { key: "players", "aria-labelledby": "c2" },
    h("h2", { key: "title", id: "c2" }, t("setup.players"), h("small", null, t("setup.order"))),
    h(
      "ol.seats",
      { key: "seats" },
      form.names.map((name, at) => seat(form, name, at)),
      freeSeats(form),
    ),
    h(
      "form.adder",
      {
        key: "adder",
        onsubmit: (event) => {
          event.preventDefault();
          sit(form, form.typed);
        },
      },
      h("input", {
        key: "name", type: "text", value: form.typed, maxlength: LONGEST_NAME, autocomplete: "off",
        autocapitalize: "words", spellcheck: "false", enterkeyhint: "done", placeholder: t("setup.name"),
        "aria-label": t("setup.name"), dir: "auto", oninput: (event) => setForm({ typed: event.target.value }),
      }),
      h("button.stand", { key: "add", type: "submit" }, t("setup.add")),
    ),
    form.complaint ? h("p.complaint", { key: "complaint", role: "status" }, form.complaint()) : null,
    free.length
      ? h(
          "div.remembered",
          { key: "remembered", role: "group", "aria-label": t("setup.remembered") },
          free.map((name) =>
            button(
              "button.quiet.token",
              { key: `n${name}`, "aria-label": t("setup.seat", { name }), onclick: () => sit(formNow(), name) },
              h("span.plus", { "aria-hidden": true }, "+"),
              nameOf(name),
            ),
          ),
        )
      : null,
  );
}

// The seats that the ruleset still wants filled.
function freeSeats(form) {
  const wanted = Math.max(0, (rulesetOf(form)?.min_players ?? 0) - form.names.length);
  return Array.from({ length: wanted }, (_, at) =>
    h("li.seat.free", { key: `free${at}` }, h("b", null, form.names.length + at + 1), h("span", null, t("setup.free"))),
  );
}

function seat(form, name, at) {
  const last = form.names.length - 1;
  return h(
    "li.seat",
    { key: name, "data-seat": at },
    h("span.grip", { key: "grip", title: t("setup.drag"), mounted: (grip) => dragHandle(grip, moveTo) }, h("b", null, at + 1), icon("grip")),
    nameOf(name),
    button(
      "button.quiet.square",
      { key: "up", off: at === 0, "aria-label": t("setup.up", { name }), onclick: () => moveTo(at, at - 1) },
      icon("up"),
    ),
    button(
      "button.quiet.square",
      { key: "down", off: at === last, "aria-label": t("setup.down", { name }), onclick: () => moveTo(at, at + 1) },
      icon("down"),
    ),
    button(
      "button.quiet.square",
      {
        key: "out", "aria-label": t("setup.remove", { name }),
        onclick: () => setForm({ names: form.names.filter((_, place) => place !== at), complaint: null }),
      },
      icon("cross"),
    ),
  );
}

function moveTo(from, to) {
  const names = [...formNow().names];
  if (to < 0 || to >= names.length) return;
  names.splice(to, 0, ...names.splice(from, 1));
  setForm({ names });
}

function sit(form, typed) {
  const name = typed.replace(/\s+/g, " ").trim();
  if (!name) return;
  if (NO_NAMES.has(name.toLowerCase())) setForm({ complaint: () => t("setup.reserved", { name }) });
  else if (form.names.some((seated) => alike(seated, name))) setForm({ complaint: () => t("setup.twice", { name }) });
  else setForm({ names: [...form.names, name], typed: "", complaint: null });
}

function alike(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}
