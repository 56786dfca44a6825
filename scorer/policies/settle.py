"""How a round is settled, when every tie that matters has been broken.

Each function moves the chips (or scores the points) of the round and says who should lead the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.hands import Hand
from scorer.state import POT, Draft, Settlement


class Outcome(NamedTuple):
    """How a round was settled: by which `rule`, and the seat that should lead the next round.

    `due`: the chips that each taker should receive, None for all but one. `held`: what the giver had before.
    `doubled`: the worst hand doubled the value. `capped`: the giver had less than due.
    """

    rule: str
    lead: int
    due: int | None = 0
    held: int = 0
    doubled: bool = False
    capped: bool = False


Settle = Callable[[Draft], Outcome]


def take_from_pot(draft: Draft) -> Outcome:
    """Let the worst take the best hand's value from the pot.

    `all_but_one` leaves one chip, or takes the last.
    """
    worth, doubled = _worth(draft)
    pot = draft.pot or 0
    chips = max(1, pot - 1) if worth is None else min(worth, pot)
    draft.move(POT, draft.tied_worst[0], chips)
    capped = worth is not None and worth > pot
    return Outcome("take_from_pot", draft.rules.next(draft), worth, held=pot, doubled=doubled, capped=capped)


def pay_pot(draft: Draft) -> Outcome:
    """Let the best put the hand's value back into the pot.

    Under the ruleset's special hand, give to the worst.
    """
    if best_hand(draft) == draft.rules.to_worst_under:
        return give_to_worst(draft)
    return _give(draft, POT, "pay_pot")


def give_to_worst(draft: Draft) -> Outcome:
    """Let the best give the hand's value to the worst. `all_but_one` keeps one chip."""
    return _give(draft, draft.tied_worst[0], "give_to_worst")


def _give(draft: Draft, taker: int | str, rule: str) -> Outcome:
    worth, doubled = _worth(draft)
    best = draft.tied_best[0]
    held = draft.chips[best]
    draft.move(best, taker, max(0, held - 1) if worth is None else min(worth, held))
    capped = worth is not None and worth > held
    return Outcome(rule, draft.rules.next(draft), worth, held=held, doubled=doubled, capped=capped)


def score(draft: Draft) -> Outcome:
    """Score the bonuses of the round in playing order, then the best's point."""
    rules = draft.rules
    for seat in draft.order:
        if seat in draft.firsts:
            draft.score(seat, rules.bonus_points)
    draft.score(draft.tied_best[0], rules.point)
    return Outcome("score", rules.next(draft))


def nenette(draft: Draft) -> Outcome:
    """Let each player with the nénette receive its chips in playing order, from the pot or the round's best.

    The last to receive a chip stands for the worst when it comes to who leads. In the discharge nothing moves
    when all have it, and the same leader leads.
    """
    special = draft.ruleset.nenette
    assert special is not None
    takers = [seat for seat in draft.order if draft.hands[seat] == special.hand]
    charge = draft.phase == "charge"
    if not charge and len(takers) == len(draft.order):
        return Outcome("nenette", draft.lead)
    capped = False
    had = (draft.pot or 0) if charge else draft.chips[draft.tied_best[0]]
    for seat in takers:
        held = (draft.pot or 0) if charge else draft.chips[draft.tied_best[0]]
        chips = min(special.chips, held)
        draft.move(POT if charge else draft.tied_best[0], seat, chips)
        capped = capped or chips < special.chips
        if chips or not draft.tied_worst:
            draft.tied_worst = (seat,)
    return Outcome("nenette", draft.rules.next(draft), special.chips, held=had, capped=capped)


def alone(draft: Draft) -> Outcome:
    """Settle a round that has a single player, or nobody, left in it: nothing moves."""
    return Outcome("nothing", draft.order[0] if draft.order else draft.after(draft.lead))


def best_hand(draft: Draft) -> Hand:
    """Return the best hand of the round."""
    return min((draft.hands[seat] for seat in draft.order), key=draft.ruleset.ranks.__getitem__)


def worst_hand(draft: Draft) -> Hand:
    """Return the worst hand of the round."""
    return max((draft.hands[seat] for seat in draft.order), key=draft.ruleset.ranks.__getitem__)


def _worth(draft: Draft) -> tuple[int | None, bool]:
    """Return the chips that the round's best hand is worth and whether the worst doubled it.

    None stands for all but one.
    """
    worth = draft.ruleset.values[best_hand(draft)]
    doubled = worth is not None and worst_hand(draft) == draft.ruleset.double_under
    return (2 * worth if worth is not None and doubled else worth), doubled


def explain(draft: Draft, outcome: Outcome, earlier_moves: int) -> Settlement:
    """Return why the round just settled went as it did; the event had made `earlier_moves` before."""
    best, worst = best_hand(draft), worst_hand(draft)
    lowest = () if outcome.rule == "nenette" else draft.tied_worst
    named = tuple((draft.names[seat], draft.hands[seat]) for seat in draft.order)
    return Settlement(
        rule=outcome.rule,
        phase=draft.phase,
        round=draft.round,
        hands=named,
        best=tuple(draft.names[s] for s in draft.tied_best) or tuple(n for n, hand in named if hand == best),
        best_hand=best,
        worst=tuple(draft.names[s] for s in lowest) or tuple(n for n, hand in named if hand == worst),
        worst_hand=worst,
        value=draft.ruleset.values[best],
        doubled=outcome.doubled,
        due=outcome.due,
        held=outcome.held,
        capped=outcome.capped,
        bonus_hand=draft.rules.bonus_hand,
        rolloffs=draft.rolloffs,
        moves=draft.moves[earlier_moves:],
        scores=draft.scores,
    )


SETTLE: dict[str, Settle] = {
    "take_from_pot": take_from_pot,
    "pay_pot": pay_pot,
    "give_to_worst": give_to_worst,
    "score": score,
}
