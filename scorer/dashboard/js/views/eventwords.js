/** Events of a game in words and drawn dice, for the history and the log. */

import { face } from "../dice.js";
import { h } from "../dom.js";
import { handName } from "../draft.js";
import { diceOf } from "../edit.js";
import { language, t } from "../words.js";

/** An event as one sentence: "Ana 652", "Bo stands". */
export function eventWords(event) {
  const name = event.player;
  switch (event.type) {
    case "throw":
      return t(event.kept?.length ? "event.throw_kept" : "event.throw", { name, dice: valuesOf(event), kept: handName(event.kept ?? []) });
    case "adjust":
      return t(event.chips > 0 ? "event.take" : "event.give", { name, count: Math.abs(event.chips) });
    case "penalty":
      return t(event.reason === "touch" ? "event.touch" : "event.off_table", { name });
    case "stand":
      return t("event.stand", { name });
    case "leave":
      return t("event.leave", { name });
    default:
      return t("event.abandon");
  }
}

/** An event that took the place of another: "Ana 652 → 651". */
export function changeWords(before, after) {
  const same = before.type === "throw" && after.type === "throw" && before.player === after.player && !before.kept?.length && !after.kept?.length;
  return t("step.to", { before: eventWords(before), after: same ? valuesOf(after) : eventWords(after) });
}

/** What happened, without the name: dice where it was a throw, words else. */
export function deed(event) {
  if (event.type === "throw") return eventDice(event);
  const words = { stand: t("deed.stand"), leave: t("deed.leave"), abandon: t("deed.abandon") }[event.type];
  if (words) return h("span.deed", { key: "deed" }, words);
  if (event.type === "penalty") return h("span.deed", { key: "deed" }, t(event.reason === "touch" ? "deed.touch" : "deed.off_table"));
  return h("b.deed.chips", { key: "deed" }, signed(event.chips));
}

/** The dice of a throw, those kept marked. */
export function eventDice(event) {
  const dice = diceOf(event);
  return h(
    "span.event-dice",
    { key: "dice", role: "img", "aria-label": dice.map((die) => die.value).join(" ") },
    dice.map(({ value, kept }, at) => (kept ? h("span.latest-kept", { key: at }, face(value)) : face(value, { key: at }))),
  );
}

/** A number of chips with its sign. */
export function signed(chips) {
  return chips > 0 ? `+${chips}` : `−${-chips}`;
}

/** A moment as hours and minutes. */
export function clock(moment) {
  return new Intl.DateTimeFormat(language() === "en" ? "en-GB" : language(), { hour: "2-digit", minute: "2-digit" }).format(new Date(moment));
}

/** A phase and its round, as a heading. */
export function roundWords({ phase, round }) {
  return round > 0 ? `${t(`phase.${phase}`)} · ${t("round", { count: round })}` : t(`phase.${phase}`);
}

function valuesOf(event) {
  return handName([...(event.dice ?? []), ...(event.kept ?? [])]);
}
