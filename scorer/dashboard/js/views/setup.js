/** Set-up: camera, players, rules, in the order of the work; start says why while it cannot. */

import { startGame } from "../actions.js";
import { h } from "../dom.js";
import { formNow, rulesetOf } from "../form.js";
import { recall, remember } from "../memory.js";
import { hasPicture } from "../picture.js";
import { addRulesFiles } from "../rulesets.js";
import { app, change } from "../store.js";
import { pick, t } from "../words.js";
import { cameraCard } from "./cameracard.js";
import { keptGames, showGames } from "./games.js";
import { button, icon, preferences } from "./parts.js";
import { rulesCard } from "./rules.js";
import { playersCard } from "./seats.js";

const MOST_REMEMBERED = 24;

/** The whole screen. */
export function setupView() {
  const form = formNow();
  const game = app.view.game;
  const running = game && !game.over;
  const why = obstacle(form);
  return h(
    "main.setup",
    { key: "setup", class: [hasPicture(app.view.camera) ? "" : "no-camera", app.dropping ? "dropping" : ""].join(" "), ...dropping() },
    h(
      "header.setup-head",
      { key: "head" },
      h("h1", null, t("page.title")),
      h("p.lead", null, t("setup.welcome")),
      h("span.gap"),
      game ? button("button.quiet", { key: "back", onclick: () => change({ route: "table", games: null }) }, t("setup.back")) : null,
      button(
        "button.quiet",
        { key: "games", waits: false, "aria-expanded": app.games ? "true" : "false", onclick: () => showGames(!app.games) },
        icon("list"),
        t("games"),
      ),
      preferences(),
    ),
    app.games
      ? keptGames()
      : [
          cameraCard(),
          playersCard(form),
          rulesCard(form),
        ],
    h(
      "footer.start",
      { key: "start" },
      h("p.why", { key: "why", role: "status", class: app.notice?.kind ?? "" }, app.notice?.text ?? why ?? ready(form, running)),
      button("button.confirm", { key: "go", off: why !== null, onclick: () => begin(form) }, t("setup.start")),
    ),
  );
}

// A house file may be dropped anywhere on the screen.
function dropping() {
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
  return {
    ondragover: (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (!app.dropping) change({ dropping: true });
    },
    ondragleave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget)) change({ dropping: false });
    },
    ondrop: (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      change({ dropping: false, games: null });
      addRulesFiles([...event.dataTransfer.files]);
    },
  };
}

function ready(form, running) {
  if (running) return t("setup.replaces");
  if (rulesetOf(form).score_pad) return t("setup.ready_pad", { count: form.names.length });
  return t("setup.ready", { count: form.names.length, name: form.names[0] });
}

/** Why the game cannot start, as a sentence, or null. */
function obstacle(form) {
  const ruleset = rulesetOf(form);
  if (!ruleset) return t("setup.no_rulesets");
  const count = form.names.length;
  if (count < ruleset.min_players) {
    return t("setup.too_few", { rules: pick(ruleset.name), least: ruleset.min_players, count: ruleset.min_players - count });
  }
  if (count > ruleset.max_players) {
    return t("setup.too_many", { rules: pick(ruleset.name), most: ruleset.max_players, count: count - ruleset.max_players });
  }
  return null;
}

async function begin(form) {
  const ruleset = rulesetOf(form);
  const known = new Set((ruleset.options ?? []).map((option) => option.id));
  const options = Object.fromEntries(Object.entries(form.options[ruleset.id] ?? {}).filter(([name]) => known.has(name)));
  remember("seats", form.names);
  remember("ruleset", ruleset.id);
  remember("options", form.options);
  remember("names", [...new Set([...form.names, ...recall("names", [])])].slice(0, MOST_REMEMBERED));
  if (await startGame(form.names, ruleset.id, options)) change({ route: "table", setup: null, games: null });
}
