/** Puts the page together and keeps it drawn. */

import { takeView } from "./actions.js";
import { patch } from "./dom.js";
import { keepUp, retryHistory } from "./history.js";
import { startKeys } from "./keys.js";
import { calibrateView } from "./later.js";
import { follow } from "./live.js";
import { followRulesets, loadRulesets } from "./rulesets.js";
import { keepSetting, startHeartbeat } from "./setting.js";
import { app, change, onChange } from "./store.js";
import { startTheme } from "./theme.js";
import { bands } from "./views/bands.js";
import { historyView } from "./views/history.js";
import { setupView } from "./views/setup.js";
import { tableView } from "./views/table.js";
import { preferredLanguage, t, useLanguage } from "./words.js";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;
const VIEWS = { table: tableView, setup: setupView, history: historyView, calibrate: calibrateView };

function draw() {
  const root = document.getElementById("app");
  document.title = title();
  patch(root, app.view ? [bands(), VIEWS[app.route]()] : [bands()]);
}

function title() {
  const expected = app.view?.game?.expected;
  return expected && app.route === "table" ? t("page.turn", { name: expected.player }) : t("page.title");
}

// Without words there is nothing to show, so they are asked for until they come.
async function firstWords() {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    try {
      return await useLanguage(preferredLanguage());
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function start() {
  startTheme();
  await firstWords();
  onChange(draw);
  onChange(keepUp);
  onChange(keepSetting);
  startKeys();
  followRulesets();
  startHeartbeat();
  follow(takeView, (connection) => {
    if (connection === app.connection) return;
    change({ connection });
    if (connection !== "live") return;
    loadRulesets();
    retryHistory();
  });
}

start();
