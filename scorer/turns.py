"""How a game moves on by itself: from throw to turn, from turn to round, through ties to the settlement.

Works on a `Draft`; what may happen at all has been asked before (`scorer.game.verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorer.hands import CANONICAL, Hand
from scorer.policies.ends import Moment
from scorer.policies.order import lead_best
from scorer.policies.settle import Outcome, alone, explain, nenette
from scorer.state import OUTSIDE, POT, Draft, End, RollOff

Goodness = Callable[[Hand], int]
"""How good dice are: the higher the better."""


def throw(draft: Draft, dice: tuple[int, ...], kept: tuple[int, ...]) -> None:
    """Take the throw of the one to play, and go on as far as the rules go by themselves."""
    hand = CANONICAL[kept + dice]
    seat = draft.turn
    if draft.rolloff is not None:
        _throw_rolloff(draft, draft.rolloff, hand)
        return
    draft.hands[seat] = hand
    draft.throws[seat] += 1
    if draft.phase == "opening":
        draft.at += 1
        go_on(draft)
        return
    rules = draft.rules
    if draft.throws[seat] == 1 and hand == rules.bonus_hand:
        draft.firsts += (seat,)
    limit = rules.throws if rules.limit == "none" or not draft.limit else draft.limit
    if draft.throws[seat] >= limit:
        end_turn(draft)


def end_turn(draft: Draft) -> None:
    """End the turn of the one to play; a leader's throws become the limit of the round."""
    if draft.turn == draft.lead:
        draft.limit = draft.throws[draft.turn]
    draft.at += 1
    go_on(draft)


def go_on(draft: Draft) -> None:
    """Let the next in the order play, or decide the opening or settle the round when all have thrown."""
    if draft.at < len(draft.order):
        draft.turn = draft.order[draft.at]
    elif draft.phase == "opening":
        _decide_opening(draft)
    else:
        _reckon(draft)


def ask_ends(draft: Draft, moment: Moment) -> None:
    """Ask the ruleset's ends in turn whether the game is over."""
    for end in draft.ruleset.ends:
        if draft.phase == "over":
            return
        end(draft, moment)


def begin_round(draft: Draft, leader: int) -> None:
    """Begin the next round; where `leader` has left or is out, the next player clockwise who is in leads."""
    playing = draft.rules.plays(draft)
    if not playing:  # only with a table's own rules: nobody is in
        draft.finish("nobody")
        return
    count = len(draft.names)
    draft.order = tuple(sorted(playing, key=lambda seat: (seat - leader) % count))
    draft.round += 1
    draft.lead = draft.turn = draft.order[0]
    draft.at = draft.limit = 0
    draft.hands[:] = [()] * count
    draft.throws[:] = [0] * count
    draft.firsts = draft.tied_best = draft.tied_worst = ()
    draft.rolloff = None
    draft.rolloffs = ()


def begin_discharge(draft: Draft) -> None:
    """End the charge: the game may be over, otherwise the discharge begins."""
    first = draft.ruleset.phases["discharge"].first
    assert first is not None
    leader = first(draft)
    ask_ends(draft, "charge_over")
    if draft.phase != "over":
        draft.phase = "discharge"
        begin_round(draft, leader)


def _decide_opening(draft: Draft) -> None:
    opening = draft.ruleset.opening
    assert opening is not None
    goodness = _opening_goodness(draft)
    if opening.scorekeeper:
        lowest = min(sum(draft.hands[seat]) for seat in draft.order)
        draft.scorekeeper = draft.names[
            [seat for seat in draft.order if sum(draft.hands[seat]) == lowest][-1]
        ]
    _lead_or_tie(draft, _at_end(draft.order, [draft.hands[seat] for seat in draft.order], goodness, max))


def _lead_or_tie(draft: Draft, leaders: tuple[int, ...]) -> None:
    if len(leaders) > 1:
        _begin_rolloff(draft, "opening", leaders)
        return
    draft.first_lead = leaders[0]
    draft.phase = "rounds" if draft.ruleset.by_points else "charge"
    begin_round(draft, leaders[0])


def _opening_goodness(draft: Draft) -> Goodness:
    opening = draft.ruleset.opening
    assert opening is not None
    sign = -1 if opening.lowest_leads else 1
    if opening.by_total:
        return lambda hand: sign * sum(hand)
    ranks = draft.ruleset.ranks
    return lambda hand: -sign * ranks[hand]


def _at_end(
    seats: Sequence[int], dice: Sequence[Hand], goodness: Goodness, end: Callable[[list[int]], int]
) -> tuple[int, ...]:
    """Return the seats whose dice are best (`end` is max) or worst (min), in the order given."""
    good = [goodness(hand) for hand in dice]
    wanted = end(good)
    return tuple(seat for seat, value in zip(seats, good, strict=True) if value == wanted)


def _reckon(draft: Draft) -> None:
    """Find the best and the worst of the round, as far as they matter, and break their ties."""
    order = draft.order
    if len(order) < 2:
        _settle(draft, alone)
        return
    ranks = draft.ruleset.ranks
    placed = [ranks[draft.hands[seat]] for seat in order]
    first, last = min(placed), max(placed)
    best_matters, worst_matters = _ends_that_matter(draft)
    if best_matters and worst_matters and first == last:
        _begin_rolloff(draft, "both", order)
        return
    if best_matters:
        draft.tied_best = tuple(seat for seat, rank in zip(order, placed, strict=True) if rank == first)
    if worst_matters:
        draft.tied_worst = tuple(seat for seat, rank in zip(order, placed, strict=True) if rank == last)
    _break_ties(draft)


def _ends_that_matter(draft: Draft) -> tuple[bool, bool]:
    rules, hands = draft.rules, [draft.hands[seat] for seat in draft.order]
    special = draft.ruleset.nenette
    if special is not None and special.hand in hands:
        if draft.phase == "discharge":
            return any(hand != special.hand for hand in hands), False
        return rules.next is lead_best, False
    return rules.best_matters, rules.worst_matters or (
        rules.to_worst_under is not None
        and min(hands, key=draft.ruleset.ranks.__getitem__) == rules.to_worst_under
    )


def _break_ties(draft: Draft) -> None:
    if len(draft.tied_best) > 1:
        _begin_rolloff(draft, "best", draft.tied_best)
    elif len(draft.tied_worst) > 1:
        _begin_rolloff(draft, "worst", draft.tied_worst)
    else:
        special = draft.ruleset.nenette
        has_it = special is not None and any(draft.hands[seat] == special.hand for seat in draft.order)
        _settle(draft, nenette if has_it else draft.rules.settle)


def _begin_rolloff(draft: Draft, end: End, seats: tuple[int, ...]) -> None:
    draft.rolloff = RollOff(end, tuple(draft.names[seat] for seat in seats), seats)
    draft.turn = seats[0]


def _throw_rolloff(draft: Draft, rolloff: RollOff, hand: Hand) -> None:
    rolloff = RollOff(rolloff.end, rolloff.players, rolloff.seats, (*rolloff.thrown, hand))
    draft.rolloff = rolloff
    seats, thrown = rolloff.seats, rolloff.thrown
    if len(thrown) < len(seats):
        draft.turn = seats[len(thrown)]
        return
    draft.rolloff = None
    if rolloff.end == "opening":
        _lead_or_tie(draft, _at_end(seats, thrown, _opening_goodness(draft), max))
        return
    draft.rolloffs += (rolloff,)
    ranks = draft.ruleset.ranks
    goodness: Goodness = sum if draft.ruleset.rolloff_dice == 1 else lambda dice: -ranks[dice]
    high = _at_end(seats, thrown, goodness, max)
    low = _at_end(seats, thrown, goodness, min)
    if rolloff.end == "both" and high == low:
        _begin_rolloff(draft, "both", seats)
        return
    if rolloff.end != "worst":
        draft.tied_best = high
    if rolloff.end != "best":
        draft.tied_worst = low
    _break_ties(draft)


def _settle(draft: Draft, settle: Callable[[Draft], Outcome]) -> None:
    """Settle the round, and go on to the next one, to the discharge or to the end of the game."""
    earlier = len(draft.moves)
    outcome = settle(draft)
    if draft.order:
        draft.settlement = explain(draft, outcome, earlier)
    if draft.phase == "charge":
        if not draft.pot:
            begin_discharge(draft)
        else:
            begin_round(draft, outcome.lead)
        return
    ask_ends(draft, "settled")
    if draft.phase != "over":
        begin_round(draft, outcome.lead)


def leave(draft: Draft, seat: int) -> None:
    """Let the player leave: his chips go, his hand is struck, and what he held up goes on."""
    draft.left[seat] = True
    draft.hands[seat] = ()
    draft.throws[seat] = 0
    draft.move(seat, POT if draft.phase in ("opening", "charge") else OUTSIDE, draft.chips[seat])
    if seat in draft.order:
        _strike(draft, seat)
    if len(draft.present()) == 1:
        draft.finish("alone")
        return
    ask_ends(draft, "left")
    if draft.phase not in ("over", "count"):
        go_on(draft)


def _strike(draft: Draft, seat: int) -> None:
    """Take the player out of the running round.

    A leader who had not finished his turn is followed by the next.
    """
    place = draft.order.index(seat)
    draft.order = draft.order[:place] + draft.order[place + 1 :]
    draft.firsts = tuple(other for other in draft.firsts if other != seat)
    if place < draft.at:
        draft.at -= 1
    elif seat == draft.lead and draft.order:
        draft.lead = draft.order[0]


def adjust(draft: Draft, seat: int, chips: int) -> None:
    """Enter on the score pad what the player picked up or got rid of."""
    if chips > 0:
        draft.move(OUTSIDE, seat, chips)
    else:
        draft.move(seat, OUTSIDE, -chips)
    ask_ends(draft, "adjusted")


def penalise(draft: Draft, seat: int) -> None:
    """Give the player a penalty chip; if it empties the pot, the round is void and he leads the discharge."""
    charge = draft.phase == "charge"
    draft.move(POT if charge else OUTSIDE, seat, 1)
    if charge and not draft.pot:
        begin_discharge(draft)
