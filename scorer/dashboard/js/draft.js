/**
 * The throw being put together before it is confirmed: from the roll on offer, from taps, or from both.
 *
 * A draft is `{seq, player, roll, edited, said, dice}`: `roll` is the id of the roll that it was made from, or null; `said`
 * are the places of the hand so far that somebody said are kept, whatever a camera sees later. A die of
 * it is `{value, hand, seen, corrected}`: `hand` is the place in the hand so far that it was kept from, or null for a die
 * that was thrown; `seen` is the die as the camera read it, or null; `corrected` says that somebody changed its value.
 * All functions are pure.
 */

const MOST_KEPT = 2;

/** A draft for what is expected now, from the roll on offer where there is one. */
export function newDraft(game, roll, { marks = [] } = {}) {
  const { expected } = game;
  const usable = isUsable(roll);
  const draft = { seq: game.seq, player: expected.player, roll: usable ? roll.id : null, edited: false, said: [], dice: [] };
  const marked = marks.filter((place) => place < expected.hand.length);
  draft.said = marked;
  if (!usable) return { ...draft, dice: marked.map((place) => keptDie(expected.hand, place)) };

  const seen = [...roll.dice].sort((a, b) => a.box[0] + a.box[2] - b.box[0] - b.box[2]);
  const dice = seen.map((die) => ({ value: die.value, hand: null, seen: die, corrected: false }));
  if (!expected.hand.length) return { ...draft, dice };
  if (dice.length < expected.dice && dice.length + marked.length <= expected.dice) {
    // The kept dice were taken off the tray: what was marked comes in front of what was seen.
    return { ...draft, dice: [...marked.map((place) => keptDie(expected.hand, place)), ...dice] };
  }
  return { ...draft, dice: matchKept(expected.hand, dice, marked) };
}

/** True where somebody has put thrown dice together or corrected them. */
export function isHandwork(draft) {
  return draft.edited && draft.dice.some((die) => die.hand === null);
}

/** An edited draft among the rolls that can be confirmed now; one whose roll is not among them stands for itself. */
export function rebase(draft, rolls) {
  return rolls.some((roll) => roll?.id === draft.roll) ? draft : { ...draft, roll: null };
}

/**
 * True where the dice of `roll` may be the throw that is expected, or can be made to be it: a wrong number of them is
 * corrected by hand. Where the service says that it does not fit for another reason, its dice are nobody's throw.
 */
export function isUsable(roll) {
  return Boolean(roll) && (roll.fits || roll.reasons.includes("wrong count"));
}

/** True where `roll` lies there, but the draft is another throw that somebody has put together. */
export function isOvertaken(draft, roll) {
  return isHandwork(draft) && isUsable(roll) && draft.roll !== roll.id;
}

/** What became of a die of `roll` in the draft: the die of the draft, or null where somebody took it out or it is not of it. */
export function fateOf(draft, roll, die) {
  if (!draft || draft.roll !== roll.id) return die;
  const place = draft.dice.find((own) => own.seen && own.seen.box.join() === die.box.join());
  return place ?? null;
}

/** True where somebody changed what the camera read in `roll`: a value, or the number of dice. */
export function isCorrected(draft, roll) {
  if (!draft || draft.roll !== roll.id) return false;
  return draft.dice.some((die) => die.corrected) || draft.dice.filter((die) => die.seen).length < roll.dice.length;
}

/** True while nothing of the next throw is there yet: the hand so far is on show, to mark what is kept. */
export function isChoosing(expected, draft) {
  return expected.hand.length > 0 && draft.dice.every((die) => die.hand !== null);
}

/** How many dice are still missing; negative when there are too many. */
export function missing(expected, draft) {
  return expected.dice - draft.dice.length;
}

/** Places of the hand so far that are kept. */
export function marksOf(draft) {
  return draft.dice.filter((die) => die.hand !== null).map((die) => die.hand);
}

/**
 * The places that somebody said are kept while the dice that lie there say otherwise: none of them shows what was kept, so
 * that the draft has it as thrown. Empty while dice are missing, for one that was kept may lie beside the tray.
 */
export function contradicted(expected, draft) {
  if (missing(expected, draft) > 0 || isChoosing(expected, draft)) return [];
  const marks = marksOf(draft);
  return draft.said.filter((place) => !marks.includes(place));
}

/** The places kept by somebody's word alone: dice show the values, but the camera saw each of those thrown. */
export function keptByWord(draft, roll) {
  if (!roll?.kept_known || draft.roll !== roll.id) return [];
  const moved = draft.dice.filter((die) => die.hand !== null && die.seen && !die.corrected && !die.seen.kept);
  return moved.map((die) => die.hand).filter((place) => draft.said.includes(place));
}

/** The die of the hand at `place` was kept after all: it is one of the throw, and one of those seen is too many. */
export function insist(expected, draft) {
  const lost = contradicted(expected, draft);
  return edit(draft, (dice) => dice.unshift(...lost.map((place) => keptDie(expected.hand, place))));
}

/** Nothing was kept but what lies there as kept. */
export function allThrown(expected, draft) {
  const lost = contradicted(expected, draft);
  return { ...draft, said: draft.said.filter((place) => !lost.includes(place)), edited: true };
}

/** Why the draft cannot be confirmed: `{key, count}` for the words, or null. */
export function problem(expected, draft) {
  const lacking = missing(expected, draft);
  if (lacking < 0) return { key: "throw.too_many", count: -lacking };
  if (draft.dice.every((die) => die.hand !== null)) return { key: "throw.nothing", count: expected.dice };
  if (lacking > 0 && expected.hand.length) return { key: "throw.missing_kept", count: lacking };
  if (lacking > 0) return { key: "throw.missing", count: lacking };
  const lost = contradicted(expected, draft);
  return lost.length ? { key: "throw.kept_or_thrown", count: lost.length } : null;
}

/** The values, high to low, as a hand is written. */
export function handName(values) {
  return [...values].sort((a, b) => b - a).join("");
}

/** The body of the command that confirms `draft`. */
export function throwCommand(draft) {
  return {
    player: draft.player,
    dice: draft.dice.filter((die) => die.hand === null).map((die) => die.value),
    kept: draft.dice.filter((die) => die.hand !== null).map((die) => die.value),
    roll: draft.roll,
  };
}

/**
 * Sets the die at `place` to `value`. A kept die that shows another value was thrown after all; one that is found to show
 * what somebody said is kept, is that one.
 */
export function correct(expected, draft, place, value) {
  const die = draft.dice[place];
  if (die.value === value) return draft;
  const wanted = contradicted(expected, draft).find((at) => expected.hand[at] === value) ?? null;
  const said = draft.said.filter((at) => at !== die.hand);
  return edit({ ...draft, said }, (dice) => {
    dice[place] = { ...die, value, hand: wanted, corrected: die.seen !== null && die.seen.value !== value };
  });
}

/** Adds a thrown die, behind the others. */
export function add(draft, value) {
  return edit(draft, (dice) => dice.push({ value, hand: null, seen: null, corrected: false }));
}

/** Takes a die out. */
export function remove(draft, place) {
  const said = draft.said.filter((at) => at !== draft.dice[place].hand);
  return edit({ ...draft, said }, (dice) => dice.splice(place, 1));
}

/** Keeps the die of the hand at `place`, or lets it go again: somebody's last word about what is kept. */
export function toggleKept(expected, draft, place) {
  const changed = withKept(expected, draft, place);
  return changed === draft ? draft : { ...changed, said: marksOf(changed) };
}

function withKept(expected, draft, place) {
  const at = draft.dice.findIndex((die) => die.hand === place);
  if (at >= 0) {
    return edit(draft, (dice) => {
      if (dice[at].seen) dice[at] = { ...dice[at], hand: null };
      else dice.splice(at, 1);
    });
  }
  if (!canKeep(expected, draft, place)) return draft;
  return edit(draft, (dice) => {
    if (missing(expected, draft) > 0 || isChoosing(expected, draft)) {
      const before = dice.filter((die) => die.hand !== null && die.hand < place).length;
      dice.splice(before, 0, keptDie(expected.hand, place));
    } else {
      const same = dice.findIndex((die) => die.hand === null && die.value === expected.hand[place]);
      dice[same] = { ...dice[same], hand: place };
    }
  });
}

/** True where the die of the hand at `place` could be marked as kept now. */
export function canKeep(expected, draft, place) {
  const marks = marksOf(draft);
  if (!expected.may_keep || marks.includes(place) || marks.length >= MOST_KEPT) return false;
  if (isChoosing(expected, draft)) return true;
  const thrown = draft.dice.filter((die) => die.hand === null);
  if (missing(expected, draft) > 0) return true;
  return thrown.length > 1 && thrown.some((die) => die.value === expected.hand[place]);
}

/** The place in the hand that the thrown die at `place` of the draft could have been kept from, or null. */
export function keepablePlace(expected, draft, place) {
  const die = draft.dice[place];
  if (die.hand !== null) return die.hand;
  if (isChoosing(expected, draft) || missing(expected, draft) > 0) return null;
  const at = expected.hand.findIndex((value, where) => value === die.value && canKeep(expected, draft, where));
  return at >= 0 ? at : null;
}

function keptDie(hand, place) {
  return { value: hand[place], hand: place, seen: null, corrected: false };
}

function edit(draft, work) {
  const dice = [...draft.dice];
  work(dice);
  return { ...draft, dice, edited: true };
}

// Which of the dice on the tray were kept? Those that the player marked, where the service saw them lie still if there
// is a choice; without marks just those that the service saw lie still. At most two: one at least was thrown.
function matchKept(hand, dice, marked) {
  const wanted = marked.length ? marked : hand.map((_, place) => place);
  const free = new Set(wanted);
  const result = [...dice];
  const claim = (allowed) => {
    result.forEach((die, at) => {
      if (die.hand !== null || !allowed(die) || wanted.length - free.size >= MOST_KEPT) return;
      const place = [...free].find((candidate) => hand[candidate] === die.value);
      if (place === undefined) return;
      free.delete(place);
      result[at] = { ...die, hand: place };
    });
  };
  claim((die) => die.seen.kept);
  if (marked.length) claim(() => true);
  return result;
}
