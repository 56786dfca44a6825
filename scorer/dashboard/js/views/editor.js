/** What happened instead: dice by their six faces, kept or thrown, who it was, or a number of chips. */

import { face, hole } from "../dice.js";
import { h } from "../dom.js";
import { hasRoom, mayKeep, removeDie, setDie, toggleDie, typesFor } from "../edit.js";
import { setEdit } from "../history.js";
import { app, change } from "../store.js";
import { t } from "../words.js";
import { signed } from "./eventwords.js";
import { button, nameOf } from "./parts.js";
import { ringOfFaces } from "./ring.js";

const STEPS = [1, 2, 3, 5, 10];

/** The correction being put together; a deletion has nothing to be said. */
export function editor(events, edit) {
  const title = { change: t("edit.change"), insert: t("edit.insert"), delete: t("edit.delete") }[edit.kind];
  return h(
    "div.editor",
    { key: "editor" },
    h("h3", { key: "title" }, title),
    edit.kind === "delete" ? h("p", { key: "never" }, t("edit.never")) : null,
    edit.kind === "insert" ? types(events, edit) : null,
    edit.kind === "insert" || edit.type !== "throw" ? players(edit) : null,
    edit.kind === "delete" ? null : fields(events, edit),
  );
}

function types(events, edit) {
  const words = { throw: t("edit.throw"), stand: t("edit.stand"), leave: t("edit.leave"), penalty: t("edit.penalty"), adjust: t("edit.chips") };
  return choices(
    "types",
    t("edit.what"),
    typesFor(events, app.view.game.score_pad).map((type) => ({
      key: type, words: words[type], pressed: edit.type === type, choose: () => setEdit({ ...edit, type, dice: [] }),
    })),
  );
}

function players(edit) {
  if (edit.kind === "delete") return null;
  return choices(
    "players",
    t("edit.who"),
    app.view.game.players.map(({ name }) => ({
      key: name, words: nameOf(name), pressed: edit.player === name, choose: () => setEdit({ ...edit, player: name }),
    })),
  );
}

function choices(key, label, list) {
  return h(
    "div.choices",
    { key, role: "group", "aria-label": label },
    list.map((item) =>
      button("button.quiet.choice", { key: item.key, "aria-pressed": item.pressed ? "true" : "false", onclick: item.choose }, item.words),
    ),
  );
}

function fields(events, edit) {
  if (edit.type === "throw") return dice(events, edit);
  if (edit.type === "adjust") return chips(edit);
  if (edit.type !== "penalty") return null;
  return choices("reasons", t("edit.reason"), [
    { key: "touch", words: t("deed.touch"), pressed: edit.reason === "touch", choose: () => setEdit({ ...edit, reason: "touch" }) },
    { key: "off_table", words: t("deed.off_table"), pressed: edit.reason === "off_table", choose: () => setEdit({ ...edit, reason: "off_table" }) },
  ]);
}

function dice(events, edit) {
  const keeps = mayKeep(events, edit);
  const slots = edit.dice.map((die, place) => slot(edit, die, place, keeps));
  if (hasRoom(edit)) slots.push(adder(edit, edit.dice.length));
  return [h("div.tray.edit-tray", { key: "dice" }, h("div.slots", { key: "slots" }, slots)), hasRoom(edit) ? keypad(edit) : null];
}

function keypad(edit) {
  return h(
    "div.faces",
    { key: "faces", role: "group", "aria-label": t("edit.faces") },
    [1, 2, 3, 4, 5, 6].map((value) =>
      button("button.face-button", { key: value, "aria-label": t("die.enter", { value }), onclick: () => setEdit(setDie(edit, edit.dice.length, value)) }, face(value)),
    ),
  );
}

function slot(edit, { value, kept }, place, keeps) {
  const open = app.ring === place;
  return h(
    "div.slot",
    { key: `d${place}`, class: [kept ? "kept" : "thrown", open ? "open" : ""].join(" "), "data-die": place },
    dieButton(place, open, `${t("die.value", { value })}, ${t("die.correct")}`, face(value)),
    keeps
      ? button(
          "button.tag-button",
          {
            key: "tag", "aria-pressed": kept ? "true" : "false", "aria-label": t(kept ? "die.kept_value" : "die.keep_value", { value }),
            onclick: () => setEdit(toggleDie(edit, place)),
          },
          t(kept ? "die.kept" : "die.thrown"),
        )
      : null,
    open ? ringOfFaces(value, (number) => setEdit(setDie(edit, place, number)), () => setEdit(removeDie(edit, place))) : null,
  );
}

function adder(edit, place) {
  const open = app.ring === place;
  return h(
    "div.slot",
    { key: `d${place}`, class: open ? "empty open" : "empty", "data-die": place },
    dieButton(place, open, t("die.add"), hole("+")),
    open ? ringOfFaces(null, (number) => setEdit(setDie(edit, place, number)), null) : null,
  );
}

function dieButton(place, open, label, drawn) {
  return button(
    "button.die-button",
    { key: "die", waits: false, "aria-label": label, "aria-expanded": open ? "true" : "false", onclick: () => change({ ring: open ? null : place }) },
    drawn,
  );
}

function chips(edit) {
  const step = (by) =>
    button("button.quiet", { key: by, "aria-label": t("edit.step", { number: signed(by) }), onclick: () => setEdit({ ...edit, chips: edit.chips + by }) }, signed(by));
  return h(
    "div.edit-chips",
    { key: "chips" },
    h("output", { key: "number" }, edit.chips ? signed(edit.chips) : "0"),
    h("div.steps-row", { key: "take" }, STEPS.map(step)),
    h("div.steps-row", { key: "give" }, STEPS.map((by) => step(-by))),
  );
}
