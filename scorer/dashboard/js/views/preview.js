/** What a correction would come to: chips of every later round before and after, what would no longer stand, the choice. */

import { h } from "../dom.js";
import { isReady } from "../edit.js";
import { askPreview, cancelEdit, correct, saidByService } from "../history.js";
import { app } from "../store.js";
import { t } from "../words.js";
import { eventWords } from "./eventwords.js";
import { button, icon, nameOf } from "./parts.js";

/** Below the correction being put together. */
export function previewPanel({ data, edit, preview }) {
  const answer = preview?.answer ?? null;
  return h(
    "div.preview",
    { key: "preview", "aria-live": "polite" },
    answer ? [outcome(answer), answer.broken ? broken(answer.broken) : null] : h("p.small", { key: "none", class: preview?.fault ? "complaint" : "" }, waitingWords(data, edit, preview)),
    h("div.preview-actions", { key: "actions" }, answer ? accept(answer) : null, preview?.failed ? again() : null, cancel()),
  );
}

function waitingWords(data, edit, preview) {
  if (preview?.fault) return saidByService(preview.fault);
  if (preview?.failed) return "";
  if (preview?.waiting) return t("preview.waiting");
  if (isReady(data.events, edit)) return "";
  if (edit.type === "throw") return t(edit.dice.length ? "preview.dice_first" : "preview.add");
  return t(edit.type === "adjust" ? "preview.chips_first" : "preview.first");
}

function accept({ broken: lost }) {
  if (!lost) return button("button.confirm", { key: "correct", rests: true, onclick: () => correct(false) }, t("preview.correct"));
  return button("button.danger", { key: "cut", rests: true, onclick: () => correct(true) }, t("preview.cut", { count: lost.lost }));
}

function again() {
  return button("button.quiet", { key: "again", onclick: askPreview }, t("games.again"));
}

function cancel() {
  return button("button.quiet", { key: "cancel", onclick: cancelEdit }, t("preview.cancel"));
}

function broken({ was, event, message }) {
  return h(
    "div.broken",
    { key: "broken" },
    h("p", { key: "what" }, h("strong", null, t("preview.broken", { number: was, event: eventWords(event) }))),
    h("p", { key: "why" }, saidByService(message)),
  );
}

// Only what a round's end was before and would be now; rounds that stay as they were are told in one line.
function outcome({ rounds, over }) {
  const { game } = app.view;
  const pad = game.score_pad;
  const changed = rounds.filter(({ before, after }) => JSON.stringify(sorted(before)) !== JSON.stringify(sorted(after)));
  return h(
    "div.outcome",
    { key: "outcome" },
    pad ? null : h("h3", { key: "title" }, t(game.pot === null ? "preview.points" : "preview.title")),
    changed.length ? h("div.rounds", { key: "rounds" }, changed.map((round) => roundRow(round))) : h("p", { key: "same" }, t("preview.same")),
    changed.length && changed.length < rounds.length ? h("p.small", { key: "others" }, t("preview.others", { count: rounds.length - changed.length })) : null,
    over !== game.over ? h("p.over", { key: "over" }, t(over ? "preview.over" : "preview.goes_on")) : null,
  );
}

function sorted(held) {
  return held === null ? null : Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1));
}

function roundRow({ round, before, after }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return h(
    "div.round-row",
    { key: round },
    // The score pad knows no rounds: what they hold in the end is told as round 0.
    h("b.round-name", { key: "round" }, round === 0 ? t("preview.now") : t("preview.round", { number: round })),
    after === null || before === null ? h("small.played", { key: "played" }, t(after === null ? "preview.open" : "preview.new")) : null,
    h(
      "ul",
      { key: "cells" },
      names.map((name) => {
        const old = before?.[name] ?? null;
        const now = after?.[name] ?? null;
        const same = old === now;
        return h(
          "li.cell",
          { key: name, class: same ? "same" : "changed" },
          nameOf(name),
          h("span.from-to", { key: "numbers" }, same ? old : [old ?? "–", icon("arrow"), h("b", { key: "now" }, now ?? "–")]),
        );
      }),
    ),
  );
}
