/** The end of a game: who has won, the record to take home, and the next game. */

import { startGame, winnersSentence } from "../actions.js";
import { face } from "../dice.js";
import { h } from "../dom.js";
import { app, change } from "../store.js";
import { pick, t } from "../words.js";
import { button, saveLinks } from "./parts.js";

/** The right half when the game is over. */
export function ending(game) {
  const won = game.winners.length > 0;
  const left = game.players.filter((player) => player.left).map((player) => player.name);
  const players = game.players.map((player) => player.name);
  return h(
    "div.ending",
    { key: "ending", class: won ? "won" : "" },
    h(
      "div.laurel",
      { key: "laurel", "aria-hidden": true },
      [4, 2, 1].map((value, at) => face(value, { key: at })),
    ),
    h("h2", { key: "title" }, winnersSentence(game)),
    h("p", { key: "how" }, game.score_pad ? pick(game.ruleset_name) : t("end.how", { rules: pick(game.ruleset_name), count: game.round })),
    won && game.losers.length ? h("p", { key: "loser" }, t("end.loses", { names: game.losers[0] })) : null,
    h(
      "div.answers",
      { key: "next" },
      button(
        "button.confirm",
        { key: "rematch", onclick: () => startGame(players, game.ruleset, game.options) },
        t("end.rematch"),
      ),
      button("button.stand", { key: "new", onclick: () => change({ route: "setup", setup: null }) }, t("end.new")),
    ),
    left.length ? h("p.small", { key: "left" }, t("end.rematch_all")) : null,
    h(
      "div.answers",
      { key: "save" },
      saveLinks(game.id),
    ),
    app.notice ? h("p.hint", { key: "hint", class: app.notice.kind, role: "status" }, app.notice.text) : null,
  );
}
