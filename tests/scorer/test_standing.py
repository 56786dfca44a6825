"""What hands are worth and who holds which end, before the round is over: as the settlement then has it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorer.events import Stand, Throw
from scorer.game import apply, expected, new_game
from scorer.hands import ALL_HANDS, parse
from scorer.standing import Standing, standing, worth, worths
from scorer.state import State

from .table import NAMES, SETUPS, SOME_HANDS, Table

CHIPS = [(ruleset, options) for ruleset, options in SETUPS if ruleset not in ("points", "counter")]


@pytest.mark.parametrize(("ruleset", "options"), CHIPS)
def test_the_settlement_moves_what_the_best_hand_was_worth(ruleset: str, options: dict[str, Any]) -> None:
    """In random games, whenever the last to throw has the best hand by himself."""
    chance = Random(421)
    compared = 0
    for _ in range(50):
        state = new_game(ruleset, NAMES[:3], options)
        for _ in range(400):
            now = expected(state)
            if now is None:
                break
            if now.can_stand and chance.random() < 0.7:
                state = apply(state, Stand(now.player))
                continue
            text = chance.choice(SOME_HANDS) if now.dice == 3 else str(chance.randint(1, 6))
            before, state = state, apply(state, Throw(now.player, tuple(map(int, text)), ()))
            compared += _compare(before, state)
    assert compared >= 20


def _compare(before: State, state: State) -> bool:
    settlement, seat = state.settlement, before.turn
    if settlement is before.settlement or settlement is None or before.rolloff is not None:
        return False
    hand = dict(settlement.hands)[before.names[seat]]
    if settlement.best_hand != hand or [each for _, each in settlement.hands].count(hand) > 1:
        return False
    if settlement.rule == "nenette" and settlement.phase == "charge":
        return False  # the pot pays for the nénette, not for the best hand
    moved = sum(move.chips for move in settlement.moves)
    assert worth(before, seat, hand) == worths(before, seat)[hand] == moved, settlement
    return True


def test_the_lowest_rank_leads_an_opening_of_three_dice() -> None:
    """Who would lead is asked of the rules, whatever they go by."""
    table = Table("rulebook", "A B C").throws(A="652", B="421")
    assert standing(table.state) == Standing((1,), ())
    table = Table("livret", "A B C", opening="lowest").throws(A="2", B="5")
    assert standing(table.state) == Standing((0,), ())


def test_equal_leaders_share_the_place_and_a_roll_off_narrows_it() -> None:
    table = Table("belgian", "A B C").throws(A="5", B="5")
    assert standing(table.state).best == (0, 1)
    table.throw("C", "5").throw("A", "3").throw("B", "6").throw("C", "6")
    assert table.state.rolloff is not None
    assert standing(table.state).best == (1, 2)


def test_best_and_worst_of_a_round() -> None:
    table = Table("rulebook", "A B C").lead("A")
    table.throw("A", "211")
    assert standing(table.state) == Standing()
    table.throw("B", "666")
    assert standing(table.state) == Standing((0,), (1,))


def test_nothing_is_worth_chips_before_they_move_or_where_none_do() -> None:
    for ruleset in ("rulebook", "points"):
        state = new_game(ruleset, ["A", "B", "C"], {})
        assert worths(state, 0) == {}
        assert worth(state, 0, parse("421")) is None
    table = Table("rulebook", "A B C").lead("A")
    assert set(worths(table.state, 0)) == set(ALL_HANDS)


def test_221_doubles_for_the_others() -> None:
    table = Table("belgian", "A B C").lead("A")
    assert worth(table.state, 0, parse("421")) == 8
    table.throw("A", "221")
    assert worth(table.state, 1, parse("421")) == 16
    assert worth(table.state, 1, parse("652")) == 2


def test_a_nenette_is_worth_two_and_the_others_nothing_in_the_charge() -> None:
    table = Table("livret", "A B C").lead("A")
    assert worth(table.state, 0, parse("221")) == 2
    table.throw("A", "221")
    pot = table.state.pot
    assert pot is not None and pot > 4
    assert worth(table.state, 1, parse("421")) == 0
    assert worth(table.state, 1, parse("221")) == 2
