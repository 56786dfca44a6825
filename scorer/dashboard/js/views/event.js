/** The event that is open: its picture, what it led to, how it came to be, and its correction. */

import { h } from "../dom.js";
import { isCorrectable, openEvent, startEdit } from "../history.js";
import { howOf } from "../story.js";
import { t } from "../words.js";
import { editor } from "./editor.js";
import { clock, deed, eventWords } from "./eventwords.js";
import { button, icon, nameOf } from "./parts.js";
import { previewPanel } from "./preview.js";
import { stepWords } from "./steps.js";
import { settlementCard } from "./why.js";

/** The right half: the event that is open, or what can be done here. */
export function eventPanel(history, told) {
  const { data, open, edit } = history;
  const item = open === null ? null : data.events[open - 1];
  if (!item) return h("section.card.event-card.none", { key: "event-none" }, h("p.small", null, t(isCorrectable() ? "history.choose" : "history.look")));
  const story = told[open - 1];
  return h(
    "section.card.event-card",
    { key: `event-${open}`, "aria-label": eventWords(item.event) },
    h(
      "header.event-head",
      { key: "head" },
      h("h2", { key: "title" }, item.event.player ? nameOf(item.event.player) : t("history.table"), deed(item.event)),
      button("button.quiet.square", { key: "close", waits: false, "aria-label": t("history.close"), title: t("history.close"), onclick: () => openEvent(open) }, icon("cross")),
    ),
    edit
      ? [editor(data.events, edit), previewPanel(history)]
      : [
          facts(item, story, data.steps),
          isCorrectable() ? actions(item.event) : null,
          item.explanation ? settlementCard(item.explanation) : null,
          picture(item.roll),
          held(item.held),
        ],
  );
}

function facts(item, story, steps) {
  const how = howOf(item, story, steps);
  const later = story.slice(1);
  return h(
    "div.facts",
    { key: "facts" },
    h("p", { key: "how" }, [item.at ? clock(item.at) : null, t(`how.${how}`), t("history.number", { number: item.number })].filter(Boolean).join(" · ")),
    later.map((step) => h("p.corrected", { key: step.seq }, stepWords(step, steps))),
  );
}

function actions(event) {
  const act = (kind, drawing, words) => button("button.quiet", { key: kind, onclick: () => startEdit(kind) }, icon(drawing), words);
  return h(
    "div.event-actions",
    { key: "actions" },
    event.type === "abandon" || event.type === "stand" ? null : act("change", "pen", t("edit.change")),
    act("insert", "insert", t("edit.insert")),
    act("delete", "bin", t("edit.delete")),
  );
}

function picture(roll) {
  if (!roll) return null;
  return h("img.evidence", { key: `i${roll}`, src: `/api/rolls/${encodeURIComponent(roll)}.jpg`, alt: t("history.picture") });
}

function held(chips) {
  return h(
    "div.held",
    { key: "held" },
    h("h3", { key: "title" }, t("history.held")),
    h("ul", { key: "list" }, Object.entries(chips).map(([name, count]) => h("li", { key: name }, nameOf(name), h("b", { key: "count" }, count)))),
  );
}
