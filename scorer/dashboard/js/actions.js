/** What people do and what comes of it: commands go out, views come in, the draft follows. */

import { Refused, send } from "./api.js";
import { BLIND } from "./camerastates.js";
import { fly } from "./chips.js";
import { isHandwork, isUsable, newDraft, problem, rebase, throwCommand } from "./draft.js";
import { app, change } from "./store.js";
import { has, language, pick, t } from "./words.js";

/** How long taps do nothing after what they are meant for has changed, in milliseconds. */
const REST = 400;
let restOver = null;

/** Takes a view of the service: everything on the page follows from it. `first`: it is right whatever its number. */
export function takeView(view, { first = false } = {}) {
  const before = app.view;
  // Answers and events overtake each other: an older view is old news. Only what a newly opened stream begins with
  // is right whatever its number: the service may have been started over.
  if (!first && before && view.version < before.version) return;
  const game = view.game;
  const other = game?.id !== before?.game?.id;
  const moved = other || game?.seq !== before?.game?.seq;
  const fields = { view, draft: draftFor(view, other) };
  if (moved) Object.assign(fields, { ring: null, question: other ? null : stillAsked(game) });
  if (other && game) fields.notice = null;
  if (before && (moved || view.roll?.id !== before.roll?.id)) rest();
  // Whoever calibrates goes on with it, whatever the table does.
  if (app.route !== "calibrate") {
    if (!game && !looksBack(before)) fields.route = "setup";
    else if (game && other) fields.route = "table";
  }
  if (fields.draft?.roll !== app.draft?.roll) fields.ring = null;
  change(fields);
  if (before && moved) announce(before.game, game);
  if (before?.game && !other && moved && cameAbout(before.game, game)) queueMicrotask(() => fly(game.last.moves));
}

// A number being typed for somebody who is still in holds whatever another tablet enters meanwhile.
function stillAsked(game) {
  const { question } = app;
  return question?.ask === "chips" && game.players.some((player) => player.name === question.player && player.in) ? question : null;
}

// True while somebody reads the history of a game that is not the one on the table.
function looksBack(before) {
  return app.route === "history" && app.history.id !== before?.game?.id;
}

// Buttons stay where they are while the throw above them changes: the second tap of a double one would hit the next.
function rest() {
  clearTimeout(restOver);
  restOver = setTimeout(() => change({ resting: false }), REST);
  change({ resting: true });
}

// True where the moves of the last settlement are just what changed: after an undo they are old news.
function cameAbout(before, now) {
  if (!now.last?.moves.length) return false;
  const change = new Map();
  const count = (place, chips) => change.set(place, (change.get(place) ?? 0) + chips);
  for (const move of now.last.moves) {
    count(move.from, -move.chips);
    count(move.to, move.chips);
  }
  const chipsOf = (game) => new Map([["pot", game.pot], ...game.players.map((player) => [player.name, player.chips])]);
  const old = chipsOf(before);
  return [...chipsOf(now)].every(([place, chips]) => chips - old.get(place) === (change.get(place) ?? 0));
}

/** True where dice have to be entered by hand: no picture comes, or somebody prefers it. */
export function entersByHand() {
  return app.byHand || BLIND.has(app.view.camera.state);
}

/** The roll on offer, unless somebody enters by hand although there is a camera. */
export function rollOnOffer(view = app.view) {
  return app.byHand ? null : view.roll;
}

/** The roll that the one on offer took the place of, where it may still be confirmed; null else. */
export function rollBefore() {
  const { before } = app.view;
  return !app.byHand && isUsable(before) ? before : null;
}

/** Enters dice by hand, or reads them with the camera again. */
export function setByHand(byHand) {
  change({ byHand, ring: null });
  change({ draft: draftFor(app.view, true) });
}

/** Puts a changed draft on the table. */
export function setDraft(draft) {
  change({ draft, notice: null });
}

/** Forgets what was entered by hand. */
export function clearDraft() {
  change({ draft: newDraft(app.view.game, rollOnOffer()), ring: null, notice: null });
}

/** Takes the roll that lies there instead of the throw being put together; what is said to be kept stays said. */
export function takeNewer() {
  const marks = app.draft.said;
  change({ draft: newDraft(app.view.game, rollOnOffer(), { marks }), ring: null, notice: null });
}

/** Goes back to the roll that a newer one took the place of; the newer one can be taken afterwards. */
export function takeBefore() {
  const { game, before } = app.view;
  change({ draft: { ...newDraft(game, before, { marks: app.draft.said }), edited: true }, ring: null, notice: null });
}

/** Confirms the draft, if it is a throw. */
export async function confirmThrow() {
  const { game } = app.view;
  const { draft } = app;
  if (!draft || !game?.expected || problem(game.expected, draft)) return false;
  return command("/api/throw", throwCommand(draft));
}

/** Confirms the draft and ends the turn on it, where the rules let the player stand. */
export async function confirmAndStand() {
  const { player } = app.draft;
  if (!(await confirmThrow())) return;
  const { expected } = app.view.game;
  if (expected?.player === player && expected.can_stand) await stand();
}

/** Ends the turn of the player to throw. */
export function stand() {
  return command("/api/stand", { player: app.view.game.expected.player });
}

/** The roll on offer is not a throw: it is forgotten and the camera reads again. */
export function again() {
  return command("/api/dismiss", { roll: app.view.roll.id });
}

/** Takes the last step back. */
export function undo() {
  return command("/api/undo", {});
}

/** Does the step again that was taken back last. */
export function redo() {
  return command("/api/redo", {});
}

/** On the score pad: a player picks chips up, or gets rid of them where `chips` is negative. */
export function adjust(player, chips) {
  return command("/api/adjust", { player, chips });
}

/** A player leaves the game. */
export function leave(player) {
  return command("/api/leave", { player });
}

/** The table stops the game. */
export function abandon() {
  return command("/api/abandon", {});
}

/** Starts a game; true when it has begun. */
export function startGame(players, ruleset, options) {
  const running = app.view?.game && !app.view.game.over;
  const body = { players, ruleset, options };
  return command("/api/games", running ? { ...body, replace: true, game: app.view.game.id } : body, { bare: true });
}

/**
 * Sends a command for the game as it is on show, and says what comes of it; true when it was done. `bare`: it names no
 * game. `onRefused(error)` may deal with a refusal by itself and says so by true.
 */
export async function command(path, body, { bare = false, onRefused = () => false } = {}) {
  if (app.pending) return false;
  const before = app.view;
  const { game } = before;
  change({ pending: { path, retrying: false }, ring: null, notice: null });
  let done = false;
  try {
    const stamp = bare ? {} : { seq: game.seq, game: game.id };
    const view = await send(path, { ...stamp, ...body }, () => change({ pending: { path, retrying: true } }));
    takeAnswer(view, before);
    change({ question: null });
    done = true;
  } catch (error) {
    if (!(error instanceof Refused && onRefused(error))) tellRefusal(error, before);
  }
  change({ pending: null });
  return done;
}

/** Says why a request failed that was made when `before` was on show, and takes the view that came with the answer. */
export function tellRefusal(error, before) {
  if (error instanceof Refused && error.table) takeAnswer(error.table, before);
  const now = app.view.game;
  const say = () => sentenceOf(error, before.game, now);
  change({ notice: { kind: error instanceof Refused && error.code === "stale" ? "news" : "fault", text: say(), say } });
}

// An answer to what was asked when `before` was on show is newer than that one, whatever their numbers: they begin anew
// where the service was started over with another folder. Only what came in between can be newer still.
function takeAnswer(view, before) {
  takeView(view, { first: app.view === before });
}

function sentenceOf(error, before, now) {
  if (!(error instanceof Refused)) return t("fault.unreachable");
  if (error.code === "stale") return whatHappened(before, now);
  const key = `refused.${error.code}`;
  return language() === "en" || !has(key) ? error.message : t(key);
}

/** One short sentence: what another tablet did between `before` and `now`. */
export function whatHappened(before, now) {
  // The service was started over with another folder: nobody has started anything.
  if (!now) return t("stale.no_game");
  if (now.id !== before?.id) return t("stale.other_game");
  if (now.over) return t("stale.over");
  if (isCorrectedSince(before, now)) return t("stale.corrected");
  const known = new Set(before.throws.map((item) => item.seq));
  const newest = now.throws[0];
  if (newest && newest.seq > before.seq && !known.has(newest.seq)) return t("stale.throw", { name: newest.player });
  const gone = now.players.find((player) => player.left && !before.players.find((old) => old.name === player.name)?.left);
  if (gone) return t("stale.left", { name: gone.name });
  if (now.throws.length < before.throws.length || (newest?.seq ?? 0) < (before.throws[0]?.seq ?? 0)) return t("stale.undo");
  if (before.expected && now.expected?.player !== before.expected.player) {
    return t("stale.stood", { name: before.expected.player });
  }
  if (now.score_pad && now.last && !same(now.last, before.last)) return t("stale.adjusted", { text: pick(now.last.text) });
  return t("stale.other");
}

// True where a throw that both know by its number is another one now.
function isCorrectedSince(before, now) {
  const old = new Map(before.throws.map((item) => [item.number, item]));
  const essence = ({ player, dice, kept }) => [player, dice, kept];
  return now.throws.some((item) => old.has(item.number) && !same(essence(item), essence(old.get(item.number))));
}

function draftFor(view, fresh) {
  const { game } = view;
  if (!game?.expected) return null;
  const old = app.draft;
  const roll = rollOnOffer(view);
  const ours = !fresh && old && old.seq === game.seq && old.player === game.expected.player;
  if (!ours) return newDraft(game, roll);
  // Work done by hand is never thrown away for a roll that comes meanwhile: it can be taken by a tap.
  if (isHandwork(old)) return rebase(old, [roll, view.before]);
  // Nor is a word about what is kept: where the dice say otherwise, the table is asked.
  const marks = old.said;
  return same(roll, rollOnOffer(app.view)) ? old : newDraft(game, roll, { marks });
}

let sayAgain = () => "";

function announce(before, game) {
  if (!game) return;
  const settled = game.last && !same(game.last, before?.last);
  sayAgain = () => wordsAloud(game, settled);
  document.getElementById("said").textContent = sayAgain();
}

/** Says in the language of the page what was said in another, aloud and in the line below the buttons. */
export function translate() {
  document.getElementById("said").textContent = sayAgain();
  const { notice } = app;
  change(notice?.say ? { notice: { ...notice, text: notice.say() } } : {});
}

function wordsAloud(game, settled) {
  const parts = [];
  if (settled) parts.push(pick(game.last.text));
  if (game.expected) {
    const { player, throw: number, of } = game.expected;
    parts.push(t("said.turn", { name: player, number, of }));
  }
  if (game.over) parts.push(winnersSentence(game));
  return parts.join(" ");
}

/** Who has won, as a sentence. */
export function winnersSentence(game) {
  const names = new Intl.ListFormat(language(), { type: "conjunction" }).format(game.winners);
  if (game.winners.length) return t(game.winners.length > 1 ? "end.share" : "end.wins", { names });
  if (game.losers.length) return t("end.loses", { names: game.losers[0] });
  return t("end.nobody");
}

function same(one, other) {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
