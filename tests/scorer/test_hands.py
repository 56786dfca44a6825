"""Hands, and the rank and value of each in every ruleset: against the pinned list and against the rules in words."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from scorer.hands import ALL_HANDS, CANONICAL, canonical, contains, name, parse
from scorer.ruleset import Ruleset, load_ruleset, with_options
from tests.scorer import oracle

PINNED = Path(__file__).resolve().parents[3] / "shared" / "rules" / "hands.json"
TABLES: list[tuple[str, str, dict[str, Any]]] = [
    ("rulebook", "rulebook", {}),
    ("belgian", "belgian", {}),
    ("marquoir", "marquoir", {}),
    ("livret", "livret", {}),
    ("livret_numeric", "livret", {"plain_hands": "numeric"}),
    ("points", "points", {}),
]


def configured(id: str, options: dict[str, Any]) -> Ruleset:
    return with_options(load_ruleset(id), options)


def test_a_hand_is_written_high_to_low() -> None:
    assert canonical([1, 6, 1]) == (6, 1, 1)
    assert name((1, 6, 1)) == "611"
    assert parse("161") == (6, 1, 1)
    assert name(()) == ""


@pytest.mark.parametrize("text", ["70", "0", "a", "4 2", "²"])
def test_a_die_shows_1_to_6(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)
    with pytest.raises(ValueError):
        canonical([7, 1, 1])


def test_there_are_56_hands_and_every_way_to_lie_is_one() -> None:
    assert len(set(ALL_HANDS)) == 56
    for hand in ALL_HANDS:
        assert {CANONICAL[dice] for dice in permutations(hand)} == {hand}


def test_contains_counts_equal_dice() -> None:
    assert contains((6, 6, 1), (6, 6))
    assert not contains((6, 1, 1), (6, 6))
    assert contains((6, 1, 1), ())


@pytest.mark.parametrize(("key", "id", "options"), TABLES)
def test_ranks_and_values_are_the_pinned_ones(key: str, id: str, options: dict[str, Any]) -> None:
    if not PINNED.is_file():
        pytest.skip("the pinned list of hands (../shared/rules/hands.json) is not here")
    ruleset = configured(id, options)
    rows = json.loads(PINNED.read_text(encoding="utf-8"))[key]
    assert len(rows) == 56
    for row in rows:
        assert (ruleset.rank(row["hand"]), ruleset.value(row["hand"])) == (row["rank"], row["value"]), row


@pytest.mark.parametrize(("key", "id", "options"), TABLES)
def test_ranks_and_values_are_those_of_the_rules_in_words(key: str, id: str, options: dict[str, Any]) -> None:
    ruleset = configured(id, options)
    ranked = sorted(oracle.HANDS, key=lambda hand: oracle.goodness(id, options, hand), reverse=True)
    assert [ruleset.rank(hand) for hand in ranked] == list(range(1, 57))
    for hand in oracle.HANDS:
        wanted = 0 if id == "points" else oracle.value(id, hand)
        assert ruleset.value(hand) == wanted, hand
