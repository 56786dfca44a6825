/** The games kept on this service, newest first, each to be taken away as record or CSV. */

import { read } from "../api.js";
import { h } from "../dom.js";
import { openHistory } from "../history.js";
import { app, change } from "../store.js";
import { language, pick, t } from "../words.js";
import { button, icon, nameOf, saveLinks } from "./parts.js";

const AT_ONCE = 20;

/** Opens the list, asking for it anew, or closes it. */
export async function showGames(open) {
  if (!open) {
    change({ games: null });
    return;
  }
  const games = { list: null, failed: false, shown: AT_ONCE };
  change({ games });
  try {
    games.list = await read("/api/games");
  } catch {
    games.failed = true;
  }
  // Closed meanwhile, it stays closed.
  if (app.games === games) change({});
}

/** The card of the list. */
export function keptGames() {
  const { list, failed, shown } = app.games;
  return h(
    "section.card.games-card",
    { key: "games", "aria-labelledby": "c4" },
    h(
      "h2",
      { key: "title", id: "c4" },
      t("games"),
      button("button.quiet", { key: "close", waits: false, onclick: () => showGames(false) }, t("games.close")),
    ),
    list === null ? waiting(failed) : null,
    list?.length === 0 ? h("p.small", { key: "none" }, t("games.none")) : null,
    list?.length ? h("ol.games", { key: "list" }, list.slice(0, shown).map(row)) : null,
    list && list.length > shown
      ? button(
          "button.quiet",
          { key: "more", waits: false, onclick: () => change({ games: { ...app.games, shown: shown + AT_ONCE } }) },
          t("games.more", { count: list.length - shown }),
        )
      : null,
  );
}

function waiting(failed) {
  if (!failed) return h("p.small", { key: "waiting" }, t("games.waiting"));
  return h(
    "div.answers",
    { key: "failed", role: "alert" },
    h("p.complaint", { key: "why" }, t("games.failed")),
    button("button.quiet", { key: "again", waits: false, onclick: () => showGames(true) }, t("games.again")),
  );
}

function row(game) {
  const when = dateOf(game.started_at);
  const rules = app.rulesets?.find((ruleset) => ruleset.id === game.ruleset);
  return h(
    "li.game",
    { key: game.id },
    h(
      "span.game-words",
      { key: "words" },
      h("strong", { key: "when" }, when),
      h("span.small", { key: "how" }, [rules ? pick(rules.name) : game.ruleset, outcome(game)].join(", ")),
    ),
    h(
      "span.game-players",
      { key: "players" },
      game.players.map((name) => h("span.game-player", { key: name, class: game.winners.includes(name) ? "won" : "" }, nameOf(name))),
    ),
    h(
      "span.game-saves",
      { key: "saves" },
      button(
        "button.quiet",
        { key: "history", waits: false, "aria-label": `${t("games.history")}: ${when}`, onclick: () => openHistory(game.id) },
        icon("list"), t("games.history"),
      ),
      saveLinks(game.id, { of: when, short: true }),
    ),
  );
}

function outcome(game) {
  if (game.ended_at === null) return t("games.running");
  const names = new Intl.ListFormat(language(), { type: "conjunction" }).format(game.winners);
  if (game.winners.length) return t(game.winners.length > 1 ? "end.share" : "end.wins", { names });
  if (game.losers.length) return t("end.loses", { names: game.losers[0] });
  return t("games.stopped");
}

function dateOf(moment) {
  const date = new Date(moment);
  return new Intl.DateTimeFormat(language() === "en" ? "en-GB" : language(), { dateStyle: "medium", timeStyle: "short" }).format(date);
}
