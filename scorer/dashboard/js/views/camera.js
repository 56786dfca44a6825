/** The live picture and, in words, what the camera is doing and what it doubts. */

import { FINE, TROUBLE, phoneAddress, stateWords } from "../camerastates.js";
import { h } from "../dom.js";
import { isCorrected } from "../draft.js";
import { hasPicture, livePicture } from "../picture.js";
import { app } from "../store.js";
import { has, language, t } from "../words.js";
import { latestThrows } from "./latest.js";

const OF_THE_TABLE = new Set(["not asked", "another turn", "as confirmed"]);

/** The upper part of the right half. */
export function camera(game = null) {
  const { view } = app;
  // Where a phone is waited for, the set-up screen needs the room for the way to its page.
  const shown = hasPicture(view.camera) && !(app.route === "setup" && phoneAddress(view.camera));
  return h(
    "div.camera",
    { key: "camera", class: shown ? "" : "without" },
    shown ? h("div.picture-room", { key: "room" }, livePicture()) : null,
    h("div.camera-words", { key: "words" }, words(view)),
    game && !shown ? latestThrows(game) : null,
  );
}

/** What the camera does and what it doubts, as lights and words; while the line is down nothing is known. */
export function words({ camera: source, roll }) {
  if (app.connection !== "live") return [h("p.light.unknown", { key: "state" }, h("i.dot"), t("camera.unknown"))];
  const fine = FINE.has(source.state);
  const colour = fine ? source.state : source.state === "none" ? "unknown" : "trouble";
  const lines = [
    h("p.light", { key: "state", class: colour }, h("i.dot"), stateWords(source)),
  ];
  if (source.state === "none" && app.route === "table") lines.push(h("p.small", { key: "none" }, t("camera.none_help")));
  const address = phoneAddress(source);
  if (address) {
    // The set-up screen says that with a code to scan.
    if (app.route !== "setup") lines.push(h("p.small", { key: "message" }, t("phone.open_on", { address })));
  } else if (source.message && source.state !== "none" && !TROUBLE.has(source.state)) {
    lines.push(h("p.small.reason", { key: "message" }, language() === "en" ? source.message : t("camera.message", { text: source.message })));
  } else if (fine) lines.push(h("p.light.fine", { key: "fine" }, h("i.dot"), t("camera.fine")));
  if (app.route === "setup") lines.push(...smallPrint(source));
  for (const flag of source.flags ?? []) lines.push(h("p.small.reason.flag", { key: `f-${flag.kind}` }, t(`flag.${flag.kind}`)));
  if (roll) lines.push(h("p.small.count-seen", { key: "seen" }, t("camera.seen", { count: roll.dice.length })));
  // Once somebody has corrected the reading, what the camera thinks of it is told no more.
  if (roll && isCorrected(app.draft, roll)) lines.push(h("p.small.corrected", { key: "corrected" }, t("camera.corrected")));
  else if (roll) {
    const reasons = new Set(roll.reasons);
    // What the table asks for says nothing about the faces.
    const faces = [...reasons].every((reason) => OF_THE_TABLE.has(reason)) && (roll.sure || reasons.size > 0);
    if (!faces) lines.push(h("p.small.unsure", { key: "unsure" }, t("camera.unsure")));
    else if (reasons.size === 0 || reasons.has("not asked")) lines.push(h("p.small.sure", { key: "sure" }, t("camera.sure")));
    reasons.delete("not asked");
    for (const reason of reasons) {
      lines.push(h("p.small.reason", { key: `r-${reason}` }, reasonWords(reason)));
    }
  }
  return lines;
}

// What only whoever sets the table up wants to know.
function smallPrint({ notes, dropped }) {
  const lines = (notes ?? []).map((note) => h("p.small", { key: `n-${note}` }, t(`note.${note}`)));
  if (dropped) lines.push(h("p.small", { key: "dropped" }, t("camera.dropped", { count: dropped })));
  return lines;
}

/** A reason of the reader in the language of the page; one that the words do not know is shown as it came. */
export function reasonWords(reason) {
  const key = `reason.${reason.replace(/\(.*?\)/g, "").toLowerCase().match(/[a-z]+/g)?.join("_")}`;
  return has(key) ? t(key) : reason;
}
