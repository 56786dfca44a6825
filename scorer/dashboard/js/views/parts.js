/** Small things that several views use. */

import { redo, translate, undo } from "../actions.js";
import { h } from "../dom.js";
import { app, change } from "../store.js";
import { switchTheme, theme } from "../theme.js";
import { LANGUAGES, language, t, useLanguage } from "../words.js";

/**
 * A button. It stays focusable while it cannot be pressed (`off`), and says so to everybody; while a command is on
 * its way no button does anything, and one that `rests` does nothing for a moment after the table has moved on.
 */
export function button(tag, { off = false, onclick, waits = true, rests = false, ...props }, ...children) {
  const resting = !off && rests && app.resting;
  const dead = off || resting || (waits && app.pending !== null);
  return h(
    `${tag.startsWith("button") ? tag : `button.${tag}`}${resting ? ".resting" : ""}`,
    { type: "button", "aria-disabled": dead ? "true" : null, onclick: dead ? ignore : onclick, ...props },
    ...children,
  );
}

/** A name, kept to itself whatever its script; long ones are set smaller. */
export function nameOf(name) {
  const size = name.length > 22 ? "long longest" : name.length > 14 ? "long" : "";
  return h("bdi.name", { class: size, title: name.length > 14 ? name : null }, name);
}

/** Language and theme. */
export function preferences() {
  const other = LANGUAGES.find((lang) => lang !== language());
  return [
    button(
      "button.quiet.square",
      {
        key: "lang", waits: false, lang: other, "aria-label": t("language.other"), title: t("language.other"),
        onclick: async () => {
          try {
            await useLanguage(other, { chosen: true });
          } catch {
            // The words did not come: the page stays in its language, and the button is there for another try.
          }
          translate();
        },
      },
      t("language.short"),
    ),
    button(
      "button.quiet.square",
      {
        key: "theme", waits: false, "aria-label": t("theme.switch"), title: t("theme.switch"),
        "aria-pressed": theme() === "dark",
        onclick: () => {
          switchTheme();
          change({});
        },
      },
      icon("theme"),
    ),
  ];
}

/** Where the record of a game and its table of throws are taken away, with words for whoever cannot see which game. */
export function saveLinks(game, { of = null, short = false } = {}) {
  const base = `/api/games/${encodeURIComponent(game)}`;
  return [
    ["record", short ? t("games.record") : t("end.record")],
    ["csv", short ? t("games.csv") : t("end.csv")],
  ].map(([kind, words]) =>
    h(
      "a.button.quiet",
      { key: kind, href: `${base}/${kind}`, download: true, "aria-label": of === null ? null : `${words}: ${of}` },
      icon("save"),
      words,
    ),
  );
}

/** Undo and redo, side by side: what cannot be done now keeps its place. */
export function undoButtons(game) {
  return [
    button("button.quiet.undo", { key: "undo", rests: true, off: !game.can_undo, "aria-label": t("undo"), onclick: undo }, icon("undo"), h("span", null, t("undo"))),
    button("button.quiet.square", { key: "redo", rests: true, off: !game.can_redo, "aria-label": t("redo"), title: t("redo"), onclick: redo }, icon("redo")),
  ];
}

/** Calls `act` at every tap outside `within`, for as long as `element` is on the page. */
export function awayFrom(element, act, within = element) {
  const tapped = (event) => {
    if (!element.isConnected) document.removeEventListener("pointerdown", tapped, true);
    else if (!within.contains(event.target)) act();
  };
  document.addEventListener("pointerdown", tapped, true);
}

const ICONS = {
  theme: ["M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z"],
  undo: ["M9 7 4 12l5 5", "M4.5 12H15a5 5 0 0 1 0 10h-2"],
  redo: ["m15 7 5 5-5 5", "M19.5 12H9a5 5 0 0 0 0 10h2"],
  leave: ["M14 4H6v16h8", "M10 12h11", "m17 8 4 4-4 4"],
  end: ["M6 3v18", "M6 4h12l-3 4 3 4H6"],
  add: ["M12 5v14", "M5 12h14"],
  back: ["m14 6-6 6 6 6"],
  pen: ["M4 20l1.2-5L16 4.2l3.8 3.8L9 18.8z"],
  insert: ["M4 6h10M4 18h10", "M20 12H9", "m12 9-3 3 3 3"],
  bin: ["M5 7h14", "M9 7V4h6v3", "m7 7 1 13h8l1-13"],
  up: ["m6 14 6-6 6 6"],
  down: ["m6 10 6 6 6-6"],
  cross: ["m6 6 12 12", "M18 6 6 18"],
  turn: ["M8 5v14l11-7z"],
  grip: ["M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01"],
  save: ["M12 4v11", "m7 11 5 5 5-5", "M5 20h14"],
  hand: ["M5 5h6v6H5z", "M13 13h6v6h-6z", "M16 4v6M13 7h6"],
  camera: ["M4 8h4l2-3h4l2 3h4v11H4z", "M12 10.5a3 3 0 1 0 .01 0z"],
  before: ["M9 7 4 12l5 5", "M4.5 12H20"],
  arrow: ["M4 12h15", "m13 6 6 6-6 6"],
  newer: ["m15 7 5 5-5 5", "M19.5 12H4"],
  list: ["M5 6h14M5 12h14M5 18h14"],
  again: ["M20 12a8 8 0 1 1-2.5-5.8", "M20 3v5h-5"],
};

/** A line drawing beside words; never alone without a label. */
export function icon(name) {
  return h(
    `svg.icon.icon-${name}`,
    { viewBox: "0 0 24 24", "aria-hidden": true, focusable: "false" },
    ICONS[name].map((path, at) => h("path", { key: at, d: path })),
  );
}

function ignore() {}
