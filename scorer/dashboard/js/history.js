/** The history of a game: what is asked of the service, what is on show, and corrections on their way. */

import { command, tellRefusal } from "./actions.js";
import { ask, read, Refused } from "./api.js";
import { editOf, eventOf, isReady } from "./edit.js";
import { app, change } from "./store.js";
import { language, t } from "./words.js";

/** So many events are listed at once. */
export const AT_ONCE = 80;

/*
 * `app.history` is `{id, data, failed, asked, player, tab, shown, open, edit, preview, own}`: `data` as the service gave it,
 * null until it came; `asked` the `seq` of the game when it was asked for; `player` whose events are listed, null for all;
 * `tab` is `events` or `steps`; `open` the number of the event on show; `edit` the correction being put together (edit.js);
 * `preview` what it would come to: `{waiting}`, `{answer}` or `{fault}`; `own` the event that stays on show when the
 * correction made here has been done.
 */

let reading = 0;
let asking = 0;

/** Shows the history of a game. */
export function openHistory(id = app.view.game.id) {
  const history = {
    id, data: null, failed: false, asked: null, player: null, tab: "events", shown: AT_ONCE, open: null, edit: null, preview: null, own: null,
  };
  change({ route: "history", history, question: null, ring: null, notice: null });
  load();
}

/** Goes back to where the history was opened from. */
export function closeHistory() {
  const own = app.view.game?.id === app.history.id;
  change({ route: own ? "table" : "setup", history: null, ring: null, notice: null });
}

/** True where the game on show is the one on the table, which alone can be corrected. */
export function isCorrectable() {
  return app.view.game?.id === app.history.id;
}

/** Changes fields of what is on show. */
export function setHistory(fields) {
  change({ history: { ...app.history, ...fields } });
}

/** Opens an event, or closes the one that is open. */
export function openEvent(number) {
  change({ ring: null, notice: null });
  setHistory({ open: app.history.open === number ? null : number, edit: null, preview: null });
}

/** Begins a correction of the event that is open. */
export function startEdit(kind) {
  const { data, open } = app.history;
  change({ notice: null, ring: null });
  setEdit(editOf(data.events, kind, open));
}

/** Forgets the correction; nothing has been done. */
export function cancelEdit() {
  asking += 1;
  change({ ring: null, notice: null });
  setHistory({ edit: null, preview: null });
}

/** Puts a changed correction on the screen, and asks what it would come to. */
export function setEdit(edit) {
  setHistory({ edit, preview: null });
  askPreview();
}

/** Asks what the correction would come to; nothing is done by it. */
export async function askPreview() {
  const { data, edit } = app.history;
  const number = (asking += 1);
  if (!isReady(data.events, edit)) return;
  const before = app.view;
  setHistory({ preview: { waiting: true } });
  let preview = null;
  try {
    preview = { answer: await ask("/api/correct/preview", bodyOf(app.history)) };
  } catch (error) {
    if (number !== asking) return;
    if (error instanceof Refused && ["illegal", "invalid"].includes(error.code)) preview = { fault: error.message };
    else {
      preview = { failed: true };
      tellRefusal(error, before);
    }
  }
  if (number === asking && app.history?.edit) setHistory({ preview });
}

/** Does the correction; with `truncate` the game is cut off before the first event that no longer stands. */
export async function correct(truncate) {
  const { edit } = app.history;
  setHistory({ own: edit.kind === "delete" ? null : edit.number });
  const body = { ...bodyOf(app.history), truncate };
  const done = await command("/api/correct", body, {
    onRefused: (error) => {
      if (error.code !== "broken" || !error.preview) return false;
      setHistory({ preview: { answer: error.preview } });
      return true;
    },
  });
  if (!app.history) return;
  if (done) setHistory({ edit: null, preview: null, open: edit.kind === "delete" ? null : edit.number });
  else setHistory({ own: null });
}

function bodyOf({ id, data, edit }) {
  const { kind, number } = edit;
  const event = eventOf(edit);
  return { seq: data.seq, game: id, kind, number, ...(event ? { event } : {}) };
}

/** Asks for the history anew where the game has gone on; called after every change of the page. */
export function keepUp() {
  const { history, view } = app;
  if (app.route !== "history" || !history?.data || view.game?.id !== history.id) return;
  if (view.game.seq !== history.data.seq && view.game.seq !== history.asked) load();
}

/** Asks again for a history that did not come. */
export function retryHistory() {
  if (app.route === "history" && app.history?.failed) load();
}

async function load() {
  const number = (reading += 1);
  const { id } = app.history;
  setHistory({ failed: false, asked: app.view.game?.id === id ? app.view.game.seq : null });
  let data = null;
  try {
    data = await read(`/api/games/${encodeURIComponent(id)}/history`);
  } catch {
    // Said on the screen, with a button to try again.
  }
  if (number !== reading || app.history?.id !== id) return;
  if (data) take(data);
  else setHistory({ failed: true });
}

// What is open stays open while it is still the same event; a correction of one that is not is put away, and said so.
function take(data) {
  const { data: old, open, edit, own } = app.history;
  if (old && old.seq === data.seq) return;
  const fields = { data, own: null };
  if (!old || open === null || own === open || alike(old.events, data.events, open)) {
    setHistory(fields);
    if (old && app.history.edit && own === null) askPreview();
    return;
  }
  asking += 1;
  const say = () => t("history.moved");
  if (edit) change({ ring: null, notice: { kind: "news", text: say(), say } });
  setHistory({ ...fields, open: null, edit: null, preview: null });
}

function alike(old, now, number) {
  const known = (events) => JSON.stringify(events.slice(0, number).map(({ event, at }) => [event, at]));
  return now.length >= number && known(old) === known(now);
}

/** A sentence of the service, which speaks English. */
export function saidByService(text) {
  return language() === "en" ? text : t("service.says", { text });
}
