"""A roll on offer as the screens see it: whether it fits, which dice were kept, who has read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from scorer.game import expected
from scorer.hands import canonical
from scorer.service.corrected import nowhere
from scorer.service.lying import Lay, alike, kept_dice, lays_of, lies_as, same_values, stayed
from scorer.service.motion import Motion
from scorer.service.play import Play
from scorer.service.watching import Asked, Offer
from scorer.state import Expected, State

WRONG_COUNT = "wrong count"


class Misfit(NamedTuple):
    """Why a roll cannot be the throw that the game asks for: in few words, and as a sentence with advice."""

    reason: str
    hint: str


def asked_of(state: State | None) -> Asked | None:
    """The throw that the game asks for, None when it asks for none."""
    now = None if state is None else expected(state)
    if now is None or state is None:
        return None
    return Asked(now.player, now.throw, state.round, now.rolloff is not None)


def roll_view(
    offer: Offer | None, play: Play | None, motion: Motion, before: Offer | None = None
) -> dict[str, Any] | None:
    """A roll that can be confirmed; `before` is the one that it took the place of.

    Dice that do not lie there any more have no box in the picture. Where no throw is asked for, a roll is only
    what lies there: without its dice it is nothing.
    """
    lies = offer is not None and motion.lies(offer.id)
    asked = None if play is None else expected(play.state)
    if offer is None or (asked is None and not lies):
        return None
    reading = offer.roll.reading
    misfit = misfit_of(offer, play)
    hint = None if misfit is None else misfit.hint
    if misfit is None and before is not None:
        values = " ".join(map(str, before.roll.reading.roll))
        hint = f"The roll before ({values}) was not confirmed: if it was a throw, enter it first."
    kept, known = _kept(offer, play)
    pairs = list(zip(reading.dice, kept, strict=True))
    if not lies:  # from left to right, as their boxes would have them
        pairs.sort(key=lambda pair: pair[0].center[0])
    return {
        "id": offer.id,
        "dice": [
            {
                "value": die.value,
                "confidence": round(die.confidence, 4),
                "box": [round(edge, 1) for edge in (die.box if lies else nowhere(reading))],
                "reasons": list(die.reasons),
                "kept": was_kept,
            }
            for die, was_kept in pairs
        ],
        "sure": reading.sure and misfit is None,
        "reasons": [*reading.reasons, *([] if misfit is None else [misfit.reason])],
        "fits": misfit is None,
        "hint": hint,
        "kept_known": known,
    }


def misfit_of(offer: Offer, play: Play | None) -> Misfit | None:
    """Why the roll on offer cannot be the throw that the game asks for, or None.

    In a turn's later throws the dice kept may lie beside those thrown or have been put aside, so that one,
    two or three dice may be seen.
    """
    now = None if play is None else expected(play.state)
    if play is None or now is None:
        if play is None:
            hint = "No game is running: start one."
        elif play.state.over:
            hint = "The game is over: start another."
        else:
            hint = "The score pad asks for no dice: enter the chips by hand."
        return Misfit("not asked", hint)
    if offer.like is not None:
        if not offer.like or play.throw_of(offer.like):  # it is not, once that throw has been taken back
            hint = "These dice lie as in the throw confirmed last: if they are a new throw, tap Again."
            return Misfit("as confirmed", hint)
    elif offer.asked != asked_of(play.state):
        return Misfit("another turn", _other_turn(offer, now))
    seen = len(offer.roll.reading.dice)
    if seen > now.dice:
        more = _dice(seen - now.dice)
        hint = f"{now.player} throws {_dice(now.dice)}, {seen} are seen: take {more} away."
        return Misfit(WRONG_COUNT, hint)
    if seen < now.dice and not now.may_keep:
        hint = f"{now.player} throws {_dice(now.dice)}, {seen} seen: add what is missing, or throw again."
        return Misfit(WRONG_COUNT, hint)
    return None


def waits(offer: Offer, play: Play | None, lays: Sequence[Lay]) -> bool:
    """Whether `offer` is still to be confirmed when a new roll, lying as `lays`, takes its place.

    One with a wrong number of dice may be put right. Where one of the two lies within the other, it is the same
    throw: a hand hid a die, or somebody took away what was none.
    """
    misfit = misfit_of(offer, play)
    if misfit is None or misfit.reason != WRONG_COUNT:
        return misfit is None
    few, many = sorted((lays, lays_of(offer.as_read)), key=len)
    return len(few) == len(many) or None in stayed(few, many)


def confirmed_as(lays: Sequence[Lay], play: Play | None, left_lying: Sequence[Lay]) -> int | None:
    """The entry of the throw that these dice lie as, 0 for dice from before the game; None if they are new.

    `left_lying`: dice that are nobody's besides. The camera may stand elsewhere than before, or be another one: the
    same values are taken for the same dice, wherever they lie in its picture.
    """
    last = None if play is None else play.last_throw
    place = 0 if last is None else last.seq
    if lies_as(lays, left_lying) or alike(lays, left_lying):
        return place
    throw = None if play is None else play.throw_of(place)
    if play is None or throw is None:
        return None
    lying = play.seen(place).lying or ()
    as_thrown = same_values(lays, throw.dice, throw.kept) or alike(lays, lying)
    return place if as_thrown or lies_as(lays, lying, [*throw.dice, *throw.kept]) else None


def source_of(dice: tuple[int, ...], kept: tuple[int, ...], offer: Offer | None) -> tuple[str, float | None]:
    """Who read a throw that was confirmed from `offer`: `camera` and its confidence, or `tablet`.

    The camera has read it when the throw is just what it saw, with or without the dice kept. Whatever was
    corrected or added comes from the tablet.
    """
    if offer is not None:
        reading = offer.as_read
        if reading.roll in (canonical(dice), canonical(dice + kept)):
            return "camera", round(min((die.confidence for die in reading.dice), default=0.0), 4)
    return "tablet", None


def _kept(offer: Offer, play: Play | None) -> tuple[tuple[bool, ...], bool]:
    """Which dice lie as in the throw before of the same turn, and whether anything is known of that."""
    now = None if play is None else expected(play.state)
    last = None if play is None else play.last_throw
    lying = None if play is None or last is None else play.seen(last.seq).lying
    if now is None or not now.may_keep or lying is None:
        return (False,) * len(offer.roll.reading.dice), False
    return kept_dice(lays_of(offer.roll.reading), lying, now.hand), True


def _other_turn(offer: Offer, now: Expected) -> str:
    asked = offer.asked
    if asked is not None and offer.entered:
        seen = f"as {asked.player}'s throw was entered by hand"
    elif asked is None:
        seen = "before a throw was asked for"
    elif asked.player == now.player:
        seen = f"before {now.player}'s turn went on"
    else:
        seen = f"when {asked.player} was to throw"
    return f"These dice were seen {seen}: if {now.player} has thrown them, tap Again."


def _dice(count: int) -> str:
    return "one die" if count == 1 else f"{count} dice"
