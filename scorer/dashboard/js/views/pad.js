/** The score pad: a row a player, steps up and down, a number pad for more; no dice and no camera. */

import { adjust } from "../actions.js";
import { pileCount, piles } from "../chips.js";
import { h } from "../dom.js";
import { app, change } from "../store.js";
import { pick, t } from "../words.js";
import { heading, question, tools } from "./board.js";
import { button, icon, nameOf, undoButtons } from "./parts.js";

const STEPS = [1, 2, 3];
const MOST = 99;

/** Everything that is seen while the score is kept by hand. */
export function padView(game) {
  return h(
    "main.table.pad",
    { key: "pad" },
    h(
      "section.board.pad-board",
      { key: "board", "aria-label": t("players"), style: { "--rows": Math.max(3, game.players.length) } },
      heading(game),
      rows(game),
      lastChange(game),
      app.notice ? h("p.hint", { key: "hint", class: app.notice.kind, role: "status" }, app.notice.text) : null,
      app.question?.ask === "chips" ? numberPad(game) : app.question ? question(game) : null,
      tools(game, { undoes: false }),
    ),
  );
}

function lastChange(game) {
  return h(
    "div.told",
    { key: "told" },
    h("p.sentence", { key: "sentence", class: game.last ? "" : "quiet-yet" }, game.last ? pick(game.last.text) : t("pad.begin")),
    undoButtons(game),
  );
}

function rows(game) {
  const most = Math.max(1, ...game.players.map((player) => pileCount(player.chips)));
  const size = game.players.length <= 4 ? "few" : game.players.length <= 7 ? "some" : "many";
  return h(
    "ol.pad-rows",
    { key: "rows", class: size, style: { "--stacks": most } },
    game.players.map((player) => row(game, player)),
  );
}

function row(game, player) {
  const { name, chips, left } = player;
  const won = game.winners.includes(name);
  const state = left ? "left" : player.in ? "" : "out";
  return h(
    "li.pad-row",
    { key: name, class: [won ? "won" : "", state].join(" ") },
    h("span.who", { key: "who" }, nameOf(name), state ? h("small", { key: "state" }, t(`player.${state}`)) : null),
    h("span.pile-box", { key: "piles" }, left ? null : piles(chips, name)),
    state ? null : h("div.pad-steps.give", { key: "give" }, steps(player, -1)),
    h("strong.count", { key: "count" }, left ? "–" : chips),
    state ? null : h("div.pad-steps.take", { key: "take" }, steps(player, 1)),
  );
}

function steps({ name, chips }, sign) {
  const open = app.question?.ask === "chips" && app.question.player === name && app.question.sign === sign;
  return [
    ...STEPS.map((number) =>
      button(
        "button.step",
        { key: number, off: sign < 0 && chips < number, "aria-label": stepLabel(sign, { name, count: number }), onclick: () => adjust(name, sign * number) },
        written(sign, number),
      ),
    ),
    button(
      "button.step",
      {
        key: "n", waits: false, "aria-label": t(sign > 0 ? "pad.take_more" : "pad.give_more", { name }), "aria-expanded": open ? "true" : "false",
        onclick: () => change({ question: open ? null : { ask: "chips", player: name, sign, typed: "" } }),
      },
      written(sign, "n"),
    ),
  ];
}

function stepLabel(sign, values) {
  return t(sign > 0 ? "pad.take" : "pad.give", values);
}

function written(sign, number) {
  return `${sign > 0 ? "+" : "−"}${number}`;
}

/** Types a digit into the number pad, or takes the last one away (`null`). */
export function typeDigit(digit) {
  const { question: asked } = app;
  const typed = digit === null ? asked.typed.slice(0, -1) : `${asked.typed}${digit}`.replace(/^0+/, "");
  if (Number(typed) <= MOST) change({ question: { ...asked, typed } });
}

/** Enters the number typed, where it can be. */
export function enterNumber() {
  const { player, sign, typed } = app.question;
  if (typed && obstacle() === null) adjust(player, sign * Number(typed));
}

function obstacle() {
  const { player, sign, typed } = app.question;
  const held = app.view.game.players.find((candidate) => candidate.name === player)?.chips ?? 0;
  return sign < 0 && Number(typed) > held ? t("pad.too_many", { name: player, count: held }) : null;
}

function numberPad(game) {
  const { player, sign, typed } = app.question;
  const words = t(sign > 0 ? "pad.how_many_take" : "pad.how_many_give", { name: player });
  const why = obstacle();
  const key = (digit) => button("button.quiet.digit", { key: `d${digit}`, waits: false, onclick: () => typeDigit(digit) }, digit);
  return h(
    "div.question.number-pad",
    { key: `number-${game.id}`, role: "group", "aria-label": words },
    h("p", { key: "words" }, words),
    h("output.typed", { key: "typed", class: why ? "doubt" : "" }, written(sign, typed || "…")),
    h("p.small.unsure", { key: "why", role: "status" }, why ?? ""),
    h(
      "div.digits",
      { key: "digits" },
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map(key),
      button("button.quiet.digit", { key: "back", waits: false, off: !typed, "aria-label": t("pad.back"), onclick: () => typeDigit(null) }, icon("before")),
      key(0),
      button("button.confirm.digit", { key: "ok", off: !typed || why !== null, onclick: enterNumber }, t("pad.enter")),
    ),
    button("button.quiet", { key: "no", waits: false, onclick: () => change({ question: null }) }, t("pad.cancel")),
  );
}
