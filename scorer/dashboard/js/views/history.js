/** The history of a game: every event by round, newest first, the log of what was corrected, and the event on show. */

import { h } from "../dom.js";
import { AT_ONCE, closeHistory, isCorrectable, openEvent, retryHistory, setHistory } from "../history.js";
import { app } from "../store.js";
import { howOf, stories } from "../story.js";
import { pick, t } from "../words.js";
import { eventPanel } from "./event.js";
import { clock, deed, roundWords } from "./eventwords.js";
import { button, icon, nameOf, preferences, saveLinks, undoButtons } from "./parts.js";
import { stepsList } from "./steps.js";

/** The whole screen. */
export function historyView() {
  const { history } = app;
  const { data } = history;
  const told = data ? stories(data.steps, data.events.length) : [];
  return h(
    "main.history",
    { key: "history", class: app.notice ? "with-news" : "" },
    head(history),
    data ? filters(history) : null,
    app.notice ? h("p.hint.history-news", { key: "news", class: app.notice.kind, role: "status" }, app.notice.text) : null,
    h(
      "section.card.events-card",
      { key: "list", "aria-label": t(history.tab === "steps" ? "history.steps" : "history.events") },
      data ? (history.tab === "steps" ? stepsList(data, history.player) : eventsList(history, told)) : null,
      history.failed ? failure() : null,
      data || history.failed ? null : h("p.small", { key: "waiting" }, t("history.waiting")),
    ),
    data ? eventPanel(history, told) : null,
  );
}

function head(history) {
  const { game } = app.view;
  const own = isCorrectable();
  return h(
    "header.history-head",
    { key: "head" },
    button("button.quiet.back", { key: "back", waits: false, "aria-label": t(own ? "setup.back" : "history.back"), onclick: closeHistory }, icon("back"), h("span", null, t(own ? "setup.back" : "history.back"))),
    h("h1", { key: "title" }, t("history")),
    h("span.gap", { key: "gap" }),
    h(
      "div.choices.tabs",
      { key: "what", role: "group", "aria-label": t("history.show") },
      choice("events", history.tab === "events", () => setHistory({ tab: "events" }), t("history.events")),
      choice("steps", history.tab === "steps", () => setHistory({ tab: "steps" }), t("history.steps")),
    ),
    own && (game.can_undo || game.can_redo) ? undoButtons(game) : null,
    saveLinks(history.id, { short: true }),
    h("span.prefs", { key: "prefs" }, preferences()),
  );
}

function filters({ data, player }) {
  const names = [...new Set(data.events.map(({ event }) => event.player).filter(Boolean))];
  return h(
    "div.choices.filters",
    { key: "filters", role: "group", "aria-label": t("history.filter") },
    choice("all", player === null, () => setHistory({ player: null, shown: AT_ONCE }), t("history.all")),
    names.map((name) => choice(`p${name}`, player === name, () => setHistory({ player: name, shown: AT_ONCE }), nameOf(name))),
  );
}

function choice(key, pressed, onclick, words) {
  return button("button.quiet.choice", { key, waits: false, "aria-pressed": pressed ? "true" : "false", onclick }, words);
}

function failure() {
  return h(
    "div.answers",
    { key: "failed", role: "alert" },
    h("p.complaint", { key: "why" }, t("history.failed")),
    button("button.quiet", { key: "again", waits: false, onclick: retryHistory }, t("games.again")),
  );
}

function eventsList(history, told) {
  const { data, player, shown, open } = history;
  const placed = roundsOf(data.events).filter(({ event }) => player === null || event.player === player || event.type === "abandon");
  if (!placed.length) return h("p.small", { key: "none" }, t("history.none"));
  const listed = placed.reverse().slice(0, shown);
  const groups = [];
  for (const item of listed) {
    if (groups.at(-1)?.id !== item.where.id) groups.push({ id: item.where.id, where: item.where, items: [] });
    groups.at(-1).items.push(item);
  }
  return [
    groups.map(({ id, where, items }) =>
      h(
        "section.round-events",
        { key: `r${id}` },
        h("h2", { key: "title" }, roundWords(where)),
        where.explanation ? h("p.settled", { key: "settled" }, pick(where.explanation.text)) : null,
        h("ol", { key: "events" }, items.map((item) => row(item, howOf(item, told[item.number - 1], data.steps), open === item.number))),
      ),
    ),
    placed.length > shown
      ? button("button.quiet", { key: "more", waits: false, onclick: () => setHistory({ shown: shown + AT_ONCE }) }, t("games.more", { count: placed.length - shown }))
      : null,
  ];
}

/**
 * The events, each with the round that it happened in: `where` is `{id, phase, round, explanation}`. The service says what
 * an event led to, and one that settles a round leads to the next one.
 */
export function roundsOf(events) {
  const pad = events[0]?.phase === "count" || events[0]?.event.type === "adjust";
  let where = { id: 0, phase: pad ? "count" : "opening", round: 0, explanation: null };
  return events.map((item) => {
    const here = where;
    if (item.explanation) Object.assign(here, { phase: item.explanation.phase, round: item.explanation.round, explanation: item.explanation });
    const next = { phase: item.phase, round: item.round };
    if (item.explanation || next.phase !== here.phase || next.round !== here.round) where = { id: item.number, ...next, explanation: null };
    return { ...item, where: here };
  });
}

function row(item, how, open) {
  const { number, event, at, roll } = item;
  return h(
    "li.event",
    { key: `e${number}` },
    button(
      "button.event-row",
      { key: "row", waits: false, class: open ? "open" : "", "aria-expanded": open ? "true" : "false", onclick: () => openEvent(number) },
      h("span.time", { key: "time" }, at ? clock(at) : "–"),
      event.player ? nameOf(event.player) : h("span.name", { key: "nobody" }, t("history.table")),
      h("span.what", { key: "what" }, deed(event)),
      h("span.how", { key: "how", class: `how-${how}` }, t(`how.${how}`)),
      roll ? h("img.thumb", { key: "thumb", src: `/api/rolls/${encodeURIComponent(roll)}.jpg`, alt: t("history.picture"), loading: "lazy", draggable: "false" }) : null,
    ),
  );
}
