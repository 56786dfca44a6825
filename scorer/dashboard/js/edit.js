/**
 * A correction being put together: what happened instead of an event, before it, or that it never happened.
 *
 * An edit is `{kind, number, type, player, dice, chips, reason}`: `kind` is `change`, `insert` or `delete`, `number` the event
 * that it is about, counted from 1; a die is `{value, kept}`. All functions are pure.
 */

const MOST_DICE = 3;
const MOST_KEPT = 2;
const MOST_CHIPS = 99;

/** An edit of event `number` of `events`; what is inserted is of its player, and for a start of its type. */
export function editOf(events, kind, number) {
  const { event } = events[number - 1];
  const edit = { kind, number, type: event.type, player: event.player ?? null, dice: [], chips: event.chips ?? 0, reason: event.reason ?? "touch" };
  if (kind === "insert") return { ...edit, type: event.type === "adjust" ? "adjust" : "throw", player: edit.player ?? lastPlayer(events), chips: 0 };
  return { ...edit, dice: diceOf(event) };
}

/** The dice of a throw, high to low, those kept in front. */
export function diceOf(event) {
  const dice = (values, kept) => [...(values ?? [])].sort((a, b) => b - a).map((value) => ({ value, kept }));
  return [...dice(event.kept, true), ...dice(event.dice, false)];
}

/** The event that the edit says happened, as a record writes it; null where it says that nothing did. */
export function eventOf(edit) {
  const { kind, type, player, reason, chips } = edit;
  if (kind === "delete") return null;
  if (type === "throw") {
    const kept = edit.dice.filter((die) => die.kept).map((die) => die.value);
    const dice = edit.dice.filter((die) => !die.kept).map((die) => die.value);
    return kept.length ? { type, player, dice, kept } : { type, player, dice };
  }
  if (type === "adjust") return { type, player, chips };
  if (type === "penalty") return { type, player, reason };
  return { type, player };
}

/** True where the edit can be asked about: it is whole, and it says something else than what stands. */
export function isReady(events, edit) {
  if (edit.kind === "delete") return true;
  if (edit.type === "throw" && !edit.dice.some((die) => !die.kept)) return false;
  if (edit.type === "adjust" && (!edit.chips || Math.abs(edit.chips) > MOST_CHIPS)) return false;
  return edit.kind === "insert" || isOther(events[edit.number - 1].event, eventOf(edit));
}

/** What else could have happened: types of events that this game has. */
export function typesFor(events, scorePad) {
  if (scorePad) return ["adjust", "leave"];
  const penalties = events.some(({ event }) => event.type === "penalty");
  return ["throw", "stand", ...(penalties ? ["penalty"] : []), "leave"];
}

/** True where a die may have been kept: there was a throw of the same turn before. */
export function mayKeep(events, edit) {
  if (edit.type !== "throw" || edit.dice.length < MOST_DICE) return false;
  if (edit.dice.some((die) => die.kept)) return true;
  const before = events[edit.number - 2];
  return before?.event.type === "throw" && before.event.player === edit.player && !before.explanation;
}

/** Whether one more die can be added. */
export function hasRoom(edit) {
  return edit.dice.length < MOST_DICE;
}

/** Sets the die at `place`, or adds it there. */
export function setDie(edit, place, value) {
  const dice = [...edit.dice];
  dice[place] = { value, kept: dice[place]?.kept ?? false };
  return { ...edit, dice };
}

/** Takes a die out. */
export function removeDie(edit, place) {
  return { ...edit, dice: edit.dice.filter((_, at) => at !== place) };
}

/** Says that a die was kept, or that it was thrown; one at least was thrown. */
export function toggleDie(edit, place) {
  const kept = edit.dice.filter((die) => die.kept).length;
  const { kept: was } = edit.dice[place];
  if (!was && kept >= MOST_KEPT) return edit;
  return { ...edit, dice: edit.dice.map((die, at) => (at === place ? { ...die, kept: !was } : die)) };
}

function lastPlayer(events) {
  return [...events].reverse().find(({ event }) => event.player)?.event.player ?? null;
}

function isOther(before, after) {
  const sorted = (values) => [...(values ?? [])].sort().join();
  if (before.type !== "throw" || after.type !== "throw") return JSON.stringify(plain(before)) !== JSON.stringify(plain(after));
  return before.player !== after.player || sorted(before.dice) !== sorted(after.dice) || sorted(before.kept) !== sorted(after.kept);
}

function plain({ type, player, chips, reason }) {
  return { type, player, chips, reason };
}
