"""How a round stands before it is over: who holds the best and the worst hand, and what hands are worth.

Nothing here knows a rule. The round is settled for a try, by the functions that settle it in earnest, and what
comes of it is told.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.hands import ALL_HANDS, Hand
from scorer.policies.settle import nenette
from scorer.state import NOBODY, Draft, State
from scorer.turns import go_on


class Standing(NamedTuple):
    """Who holds the best and who the worst hand so far: seats, several where hands are equal.

    In the opening the best are those who would lead, and nobody is worst. Both are empty until two players
    have thrown, and when the game is over.
    """

    best: tuple[int, ...] = ()
    worst: tuple[int, ...] = ()


def standing(state: State) -> Standing:
    """Return who holds the best and the worst hand of the running round."""
    held = tuple(seat for seat, hand in enumerate(state.hands) if hand and not state.left[seat])
    if len(held) < 2 or state.over:
        return Standing()
    if state.phase == "opening":
        return Standing(_leading(state, held))
    placed = [state.ruleset.ranks[state.hands[seat]] for seat in held]
    first, last = min(placed), max(placed)
    return Standing(
        tuple(seat for seat, rank in zip(held, placed, strict=True) if rank == first),
        tuple(seat for seat, rank in zip(held, placed, strict=True) if rank == last),
    )


def worths(state: State, seat: int) -> dict[Hand, int]:
    """Return the chips that each hand would be worth to the player at `seat` now, see `worth`; empty where no
    chips move.
    """
    if state.phase not in ("charge", "discharge"):
        return {}
    return {hand: worth(state, seat, hand) or 0 for hand in ALL_HANDS}


def worth(state: State, seat: int, hand: Hand) -> int | None:
    """Return the chips that would move if the player at `seat` had this hand and it were the best of the round.

    As far as their giver has them, and over the hands that others hold so far: one of those may double it. A
    hand by itself is the worst of the round too. A nénette is worth what its holder would receive, and beside
    somebody else's nénette another hand is worth what its holder would pay for that. None where no chips
    move, in the opening and by points.
    """
    if state.phase not in ("charge", "discharge"):
        return None
    draft = Draft(state)
    draft.hands[seat] = hand
    ranks = state.ruleset.ranks
    others = [other for other in state.order if other != seat and draft.hands[other]]
    special = state.ruleset.nenette
    if special is not None and (hand == special.hand or special.hand in (draft.hands[o] for o in others)):
        return _nenette(draft, seat, others)
    worst = max(others, key=lambda other: ranks[draft.hands[other]], default=seat)
    alone = ranks[draft.hands[worst]] <= ranks[hand]
    draft.order = (seat,) if alone else (seat, worst)
    draft.tied_best = (seat,)
    draft.tied_worst = (_another(state, seat) if alone else worst,)
    draft.rules.settle(draft)
    return sum(move.chips for move in draft.moves)


def _nenette(draft: Draft, seat: int, others: list[int]) -> int:
    special = draft.ruleset.nenette
    assert special is not None
    name, charge = draft.names[seat], draft.phase == "charge"
    if draft.hands[seat] != special.hand:
        if charge:  # the pot pays for the nénette, and for nothing else
            return 0
        best = seat
    else:
        ranks = draft.ruleset.ranks
        best = min(others, key=lambda other: ranks[draft.hands[other]], default=NOBODY)
        if not charge and (best == NOBODY or draft.hands[best] == special.hand):
            return special.chips  # from whoever will have the best hand
    draft.order = tuple(each for each in draft.order if each == seat or each in others)
    draft.tied_best = (best,)
    draft.tied_worst = ()
    nenette(draft)
    return sum(move.chips for move in draft.moves if name in (move.giver, move.taker))


def _leading(state: State, held: tuple[int, ...]) -> tuple[int, ...]:
    """Who would lead if nobody else threw in the opening."""
    if state.rolloff is not None:
        return state.rolloff.seats
    draft = Draft(state)
    draft.order = held
    draft.at = len(held)
    go_on(draft)
    return draft.rolloff.seats if draft.rolloff is not None else (draft.first_lead,)


def _another(state: State, seat: int) -> int:
    return next((other for other in state.order if other != seat), seat)
