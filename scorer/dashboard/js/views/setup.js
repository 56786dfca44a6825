/** Set-up: camera, players, rules, in the order of the work; start says why while it cannot. */

import { startGame } from "../actions.js";
import { h } from "../dom.js";
import { recall, remember } from "../memory.js";
import { hasPicture } from "../picture.js";
import { app, change } from "../store.js";
import { pick, t } from "../words.js";
import { camera } from "./camera.js";
import { dragHandle } from "./drag.js";
import { keptGames, showGames } from "./games.js";
import { button, icon, nameOf, preferences } from "./parts.js";

const LONGEST_NAME = 30;
const MOST_REMEMBERED = 24;
const NO_NAMES = new Set(["pot", "outside"]);

/** The whole screen. */
export function setupView() {
  const form = formNow();
  const game = app.view.game;
  const running = game && !game.over;
  const why = obstacle(form);
  return h(
    "main.setup",
    { key: "setup", class: hasPicture(app.view.camera) ? "" : "no-camera" },
    h(
      "header.setup-head",
      { key: "head" },
      h("h1", null, t("page.title")),
      h("p.lead", null, t("setup.welcome")),
      h("span.gap"),
      game ? button("button.quiet", { key: "back", onclick: () => change({ route: "table", games: null }) }, t("setup.back")) : null,
      button(
        "button.quiet",
        { key: "games", waits: false, "aria-expanded": app.games ? "true" : "false", onclick: () => showGames(!app.games) },
        icon("list"),
        t("games"),
      ),
      preferences(),
    ),
    app.games
      ? keptGames()
      : [
          h("section.card.camera-card", { key: "camera", "aria-labelledby": "c1" }, h("h2", { id: "c1" }, t("setup.camera")), camera(), tips()),
          playersCard(form),
          rulesCard(form),
        ],
    h(
      "footer.start",
      { key: "start" },
      h("p.why", { key: "why", role: "status", class: app.notice?.kind ?? "" }, app.notice?.text ?? why ?? ready(form, running)),
      button("button.confirm", { key: "go", off: why !== null, onclick: () => begin(form) }, t("setup.start")),
    ),
  );
}

function tips() {
  if (app.view.camera.state === "none") return h("p.small", { key: "none" }, t("setup.no_camera"));
  if (!hasPicture(app.view.camera)) return null;
  return h(
    "ol.tips",
    { key: "tips" },
    ["setup.tip_whole", "setup.tip_above", "setup.tip_light"].map((key, at) =>
      h("li", { key }, h("b", { "aria-hidden": true }, at + 1), t(key)),
    ),
  );
}

function ready(form, running) {
  return running ? t("setup.replaces") : t("setup.ready", { count: form.names.length, name: form.names[0] });
}

// The form: filled in by what the service suggests, else by what was played here last.
function formNow() {
  if (app.setup) return app.setup;
  const wished = app.view.setup ?? {};
  app.setup = {
    names: wished.players ?? recall("seats", []),
    typed: "",
    ruleset: wished.ruleset ?? recall("ruleset", "rulebook"),
    options: { ...recall("options", {}), ...(wished.ruleset ? { [wished.ruleset]: wished.options ?? {} } : {}) },
  };
  return app.setup;
}

function set(fields) {
  change({ setup: { ...formNow(), ...fields }, notice: null });
}

function rulesetOf(form) {
  return app.rulesets?.find((ruleset) => ruleset.id === form.ruleset) ?? app.rulesets?.[0] ?? null;
}

/** Why the game cannot start, as a sentence, or null. */
function obstacle(form) {
  const ruleset = rulesetOf(form);
  if (!ruleset) return t("setup.no_rulesets");
  const count = form.names.length;
  if (count < ruleset.min_players) {
    return t("setup.too_few", { rules: pick(ruleset.name), least: ruleset.min_players, count: ruleset.min_players - count });
  }
  if (count > ruleset.max_players) {
    return t("setup.too_many", { rules: pick(ruleset.name), most: ruleset.max_players, count: count - ruleset.max_players });
  }
  return null;
}

async function begin(form) {
  const ruleset = rulesetOf(form);
  const known = new Set((ruleset.options ?? []).map((option) => option.id));
  const options = Object.fromEntries(Object.entries(form.options[ruleset.id] ?? {}).filter(([name]) => known.has(name)));
  remember("seats", form.names);
  remember("ruleset", ruleset.id);
  remember("options", form.options);
  remember("names", [...new Set([...form.names, ...recall("names", [])])].slice(0, MOST_REMEMBERED));
  if (await startGame(form.names, ruleset.id, options)) change({ route: "table", setup: null, games: null });
}

function playersCard(form) {
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
        "aria-label": t("setup.name"), dir: "auto", oninput: (event) => set({ typed: event.target.value }),
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
        onclick: () => set({ names: form.names.filter((_, place) => place !== at), complaint: null }),
      },
      icon("cross"),
    ),
  );
}

function moveTo(from, to) {
  const names = [...formNow().names];
  if (to < 0 || to >= names.length) return;
  names.splice(to, 0, ...names.splice(from, 1));
  set({ names });
}

function sit(form, typed) {
  const name = typed.replace(/\s+/g, " ").trim();
  if (!name) return;
  if (NO_NAMES.has(name.toLowerCase())) set({ complaint: () => t("setup.reserved", { name }) });
  else if (form.names.some((seated) => alike(seated, name))) set({ complaint: () => t("setup.twice", { name }) });
  else set({ names: [...form.names, name], typed: "", complaint: null });
}

function alike(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}

function rulesCard(form) {
  const chosen = rulesetOf(form);
  return h(
    "section.card.rules-card",
    { key: "rules", "aria-labelledby": "c3" },
    h("h2", { key: "title", id: "c3" }, t("setup.rules")),
    h(
      "div.rulesets",
      { key: "list", role: "radiogroup", "aria-labelledby": "c3" },
      (app.rulesets ?? []).map((ruleset) => rulesetCard(ruleset, chosen?.id === ruleset.id)),
    ),
    chosen?.options?.length
      ? h("div.options", { key: `o-${chosen.id}` }, chosen.options.map((option) => optionField(form, chosen, option)))
      : null,
  );
}

function rulesetCard(ruleset, chosen) {
  return h(
    "label.ruleset",
    { key: ruleset.id, class: chosen ? "chosen" : "" },
    h("input", { type: "radio", name: "ruleset", value: ruleset.id, checked: chosen, onchange: () => set({ ruleset: ruleset.id }) }),
    h(
      "span.ruleset-words",
      null,
      h("strong", null, pick(ruleset.name), h("small", null, t("setup.seats", { least: ruleset.min_players, most: ruleset.max_players }))),
      h("span", null, pick(ruleset.about)),
    ),
  );
}

// An option of the service: `{"id", "name", "values", "low", "high", "default", "labels"}`. Yes and no make a switch,
// named values a list, bounds alone a number.
function optionField(form, ruleset, option) {
  const mine = form.options[ruleset.id] ?? {};
  const value = option.id in mine ? mine[option.id] : option.default;
  const choose = (wish) => set({ options: { ...form.options, [ruleset.id]: { ...mine, [option.id]: wish } } });
  return h("label.option", { key: option.id }, h("span.option-words", { key: "words" }, pick(option.name)), field(option, value, choose));
}

function field(option, value, choose) {
  if (typeof option.default === "boolean") {
    const onchange = (event) => choose(event.target.checked);
    return h("input.switch", { key: "field", type: "checkbox", role: "switch", checked: value, onchange });
  }
  if (!option.values.length) {
    const onchange = (event) => {
      const wish = Math.round(Number(event.target.value));
      choose(Math.min(option.high, Math.max(option.low, wish || option.default)));
    };
    return h("input", { key: "field", type: "number", min: option.low, max: option.high, value: String(value), onchange });
  }
  const onchange = (event) => choose(option.values[event.target.selectedIndex]);
  return h(
    "select",
    { key: "field", onchange },
    option.values.map((item) =>
      h("option", { key: String(item), selected: item === value }, pick(option.labels[item] ?? String(item))),
    ),
  );
}
