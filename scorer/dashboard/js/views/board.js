/** The left half: phase, leader, pot, every player's chips, the last settlement, and what the table can do. */

import { abandon, leave } from "../actions.js";
import { pileCount, piles } from "../chips.js";
import { smallHand } from "../dice.js";
import { h } from "../dom.js";
import { openHistory } from "../history.js";
import { app, change } from "../store.js";
import { pick, t } from "../words.js";
import { button, icon, nameOf, preferences, undoButtons } from "./parts.js";
import { settlementCard } from "./why.js";

const MOST_SHOWN = 10;

/** The left half of the table view. */
export function board() {
  const { game } = app.view;
  return h(
    "section.board",
    { key: "board", class: game.pot === null ? "no-pot" : "", "aria-label": t("board.label") },
    heading(game),
    game.pot === null ? null : pot(game),
    players(game),
    told(game),
    app.question ? question(game) : null,
    tools(game),
  );
}

/** Phase, round, and who leads. */
export function heading(game) {
  const phase = h("strong.phase", { key: "phase" }, t(`phase.${game.phase}`));
  const round = game.round > 0 ? h("span.round", { key: "round" }, t("round", { count: game.round })) : null;
  return h("header.heading", { key: "heading" }, h("h1", null, phase, round), h("p.lead", null, lead(game)));
}

function lead(game) {
  if (game.over || game.score_pad) return pick(game.ruleset_name);
  if (!game.leader) return t("lead.opening");
  const limit = game.expected ? t("lead.limit", { count: game.rolloff ? 1 : game.expected.of }) : "";
  return [t("lead.leads", { name: game.leader }), game.rolloff ? "" : limit].filter(Boolean).join(", ");
}

function pot(game) {
  return h(
    "div.pot",
    { key: "pot", style: { "--stacks": Math.max(1, pileCount(game.pot)) } },
    h("span.pot-name", null, t("pot")),
    h("span.pile-box", null, piles(game.pot, "pot")),
    h("span.count", { "aria-hidden": true }, game.pot),
  );
}

function players(game) {
  const shown = game.players;
  const most = Math.max(1, ...shown.map((player) => pileCount(player.chips ?? 0)));
  const size = shown.length <= 4 ? "few" : shown.length <= 7 ? "some" : "many";
  return h(
    "ol.players",
    {
      key: "players", class: size, "aria-label": t("players"),
      style: { "--rows": Math.min(MOST_SHOWN, Math.max(3, shown.length)), "--stacks": most },
    },
    shown.map((player) => row(game, player)),
  );
}

function row(game, player) {
  const turn = game.expected?.player === player.name;
  const won = game.winners.includes(player.name);
  const state = player.left ? "left" : !player.in ? "out" : "";
  const classes = [turn ? "turn" : "", won ? "won" : "", state].join(" ");
  const points = Object.hasOwn(game.points, player.name) ? game.points[player.name] : null;
  const chips = player.chips ?? 0;
  return h(
    "li.player",
    { key: player.name, class: classes, "aria-current": turn ? "true" : null },
    h("span.mark", { key: "mark" }, turn ? icon("turn") : null),
    h("span.who", { key: "who" }, nameOf(player.name)),
    h("span.pile-box", { key: "piles" }, (game.pot === null && !game.score_pad) || player.left ? null : piles(chips, player.name)),
    h("span.count", { key: "count" }, state ? h("small", null, t(`player.${state}`)) : points ?? chips),
    h("span.result", { key: "result" }, hand(game, player)),
  );
}

function hand(game, player) {
  if (!player.hand?.length || player.left) return null;
  const worth = player.value === null ? "" : t("chips.short", { count: player.value });
  // Whose hand is the best or the worst is what those in a roll-off are about to settle.
  const tied = game.rolloff?.players.includes(player.name);
  const badge = tied ? "tied" : player.best ? "best" : player.worst ? "worst" : null;
  return [
    smallHand(player.hand),
    h(
      "span.hand-words",
      { key: "words", class: badge ?? "" },
      h("b", null, player.hand_name),
      h("small", null, badge ? t(`player.${badge}`) : worth),
    ),
  ];
}

/** The newest result as a sentence; why it came to that is a tap away. */
export function told(game) {
  const text = game.last ? pick(game.last.text) : "";
  const known = Boolean(game.last?.explanation);
  const open = app.question?.ask === "why";
  return h(
    "div.told",
    { key: "told", class: [text ? "" : "none", known ? "known" : ""].join(" ") },
    h("p.sentence", { key: "sentence", class: text ? "" : "none", onclick: known ? () => ask("why") : null }, text),
    known
      ? button("button.quiet.why", { key: "why", waits: false, "aria-expanded": open ? "true" : "false", onclick: () => ask("why") }, t("why"))
      : null,
  );
}

/** What the table can do; each has its place for as long as the game goes on. `undoes`: undo and redo are among it. */
export function tools(game, { undoes = true } = {}) {
  const running = !game.over;
  return h(
    "nav.tools",
    { key: "tools", "aria-label": t("tools") },
    undoes && (game.can_undo || game.can_redo) ? undoButtons(game) : null,
    running
      ? button(
          "button.quiet",
          { key: "leave", off: Boolean(game.rolloff), title: game.rolloff ? t("leave.rolloff") : null, onclick: () => ask("leave") },
          icon("leave"), t("leave"),
        )
      : null,
    running ? button("button.quiet", { key: "end", onclick: () => ask("abandon") }, icon("end"), t("abandon")) : null,
    h("span.gap", { key: "gap" }),
    button(
      "button.quiet.to-history",
      { key: "history", waits: false, "aria-label": t("history"), title: t("history"), onclick: () => openHistory() },
      icon("list"), h("span", null, t("history")),
    ),
    preferences(),
  );
}

function ask(what) {
  change({ question: app.question?.ask === what ? null : { ask: what } });
}

/** The question on the table, or the answer to one. */
export function question(game) {
  const { ask: what, player } = app.question;
  const close = button("button.quiet", { key: "no", waits: false, onclick: () => change({ question: null }) }, t("ask.no"));
  if (what === "why") {
    if (!game.last?.explanation) return null;
    const done = button("button.quiet.square", { key: "no", waits: false, "aria-label": t("why.close"), title: t("why.close"), onclick: () => ask("why") }, icon("cross"));
    return h("div.question.why-question", { key: "question" }, settlementCard(game.last.explanation, done));
  }
  if (what === "abandon") {
    return panel(t("ask.abandon"), [
      button("button.danger", { key: "yes", onclick: abandon }, t("ask.abandon_yes")),
      close,
    ]);
  }
  if (player) {
    const key = game.phase === "discharge" ? "ask.leave_out" : "ask.leave_pot";
    const chips = game.players.find((candidate) => candidate.name === player)?.chips ?? 0;
    return panel(game.pot === null ? t("ask.leave_one", { name: player }) : t(key, { name: player, count: chips }), [
      button("button.danger", { key: "yes", onclick: () => leave(player) }, t("ask.leave_yes")),
      close,
    ]);
  }
  const there = game.players.filter((candidate) => !candidate.left);
  return panel(t("ask.leave"), [
    there.map((candidate) =>
      button(
        "button.quiet",
        { key: `p${candidate.name}`, onclick: () => change({ question: { ask: "leave", player: candidate.name } }) },
        nameOf(candidate.name),
      ),
    ),
    close,
  ]);
}

function panel(text, buttons) {
  return h(
    "div.question",
    { key: "question", role: "group", "aria-label": text },
    h("p", null, text),
    h("div.answers", null, buttons),
  );
}
