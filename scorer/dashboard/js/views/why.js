/** Why a round was settled as it was: all hands, what the best was worth, roll-offs, and where the chips went. */

import { smallHand } from "../dice.js";
import { h } from "../dom.js";
import { t } from "../words.js";
import { roundWords } from "./eventwords.js";
import { icon, nameOf } from "./parts.js";

/** The card; `actions` are buttons beside its title. */
export function settlementCard(why, actions = null) {
  return h(
    "div.why-card",
    { key: "why", role: "group", "aria-label": t("why.title") },
    h("header.why-head", { key: "head" }, h("h3", null, roundWords(why)), actions),
    h("ol.why-hands", { key: "hands" }, why.hands.map((item) => handRow(item, why))),
    why.rolloffs.length ? h("ul.why-rolloffs", { key: "rolloffs" }, why.rolloffs.map(rolloffRow)) : null,
    h("ul.why-reasons", { key: "reasons" }, reasonsOf(why).map((text, at) => h("li", { key: at }, text))),
    results(why),
  );
}

function handRow({ player, hand }, why) {
  const ends = [];
  if (why.best.players.includes(player)) ends.push("best");
  if (why.worst.players.includes(player) && why.hands.length > 1) ends.push("worst");
  return h(
    "li",
    { key: player },
    nameOf(player),
    smallHand([...hand].map(Number)),
    h("b", { key: "hand" }, hand),
    h("span.ends", { key: "ends" }, ends.map((end) => h("small", { key: end, class: end }, t(`why.${end}`)))),
  );
}

function rolloffRow({ end, thrown }, at) {
  const dice = thrown.map((item) => t("event.throw", { name: item.player, dice: item.dice }));
  return h("li", { key: at }, t(`why.rolloff_${end}`, { thrown: dice.join(", ") }));
}

// The rule, then the sum: what the best hand is worth, what doubles it, how much there was.
function reasonsOf(why) {
  const { rule, value, due, held, best, worst } = why;
  const lines = [t(`rule.${rule}`)];
  if (rule === "nenette") {
    if (due) lines.push(t("why.nenette", { hand: worst.hand, count: due }));
  } else if (rule !== "nothing" && rule !== "score") {
    lines.push(value === null ? t("why.worth_all", { hand: best.hand }) : t("why.worth", { hand: best.hand, count: value }));
    if (why.doubled) lines.push(t("why.doubled", { hand: worst.hand, count: due }));
  }
  const giver = rule === "take_from_pot" || why.moves[0]?.from === "pot" ? null : (best.players[0] ?? null);
  if (why.capped || (value === null && why.moves.length && rule !== "nenette")) {
    lines.push(giver === null ? t("why.held_pot", { count: held }) : t("why.held", { name: giver, count: held }));
  }
  return lines;
}

function results({ moves, scores }) {
  if (!moves.length && !scores.length) return h("p.why-none", { key: "none" }, t("why.nothing_moves"));
  return h(
    "ul.why-moves",
    { key: "moves" },
    moves.map((move, at) =>
      h("li", { key: `m${at}` }, place(move.from), icon("arrow"), place(move.to), h("b", { key: "chips" }, t("chips.count", { count: move.chips }))),
    ),
    scores.map((score, at) => h("li", { key: `s${at}` }, nameOf(score.player), h("b", { key: "points" }, t("why.points", { count: score.points })))),
  );
}

function place(name) {
  if (name === "pot") return h("span.place", null, t("pot"));
  if (name === "outside") return h("span.place", null, t("why.outside"));
  return nameOf(name);
}
