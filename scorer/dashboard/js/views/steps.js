/** The log of a game: every step with its time, what was corrected beside what it was. */

import { h } from "../dom.js";
import { deedOf } from "../story.js";
import { t } from "../words.js";
import { changeWords, clock, eventWords } from "./eventwords.js";

/** All steps, newest first; of one player where `player` is given. */
export function stepsList({ steps }, player) {
  const shown = steps.filter((step) => player === null || concerns(step, player)).reverse();
  if (!shown.length) return h("p.small", { key: "none" }, t("history.none"));
  return h(
    "ol.steps",
    { key: "steps" },
    shown.map((step) => h("li", { key: step.seq, class: step.kind === "append" ? "" : "correction" }, stepWords(step, steps))),
  );
}

/** A step as one line: "20:16 corrected: Ana 652 → 651". */
export function stepWords(step, steps) {
  const [words] = [...step.added, ...step.removed].map(eventWords);
  const event = step.added.length && step.removed.length ? changeWords(step.removed[0], step.added[0]) : words;
  const line = step.kind === "append" ? event : t(`step.${step.kind}`, { event });
  const cut = step.cut.length ? ` ${t("step.cut", { count: step.cut.length })}` : "";
  const back = step.kind === "undo" && deedOf(step, steps) !== "append" ? ` ${t("step.of_correction")}` : "";
  return `${clock(step.at)} ${line}${cut}${back}`;
}

function concerns(step, player) {
  return [...step.added, ...step.removed].some((event) => event.player === player);
}
