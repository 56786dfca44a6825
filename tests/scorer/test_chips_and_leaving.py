"""The numbered rules on chips, and on what leaving comes to: what `test_common_rules` does not say of them."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.events import Adjust
from tests.scorer.table import Table

# Rule 6: the amount


def test_rule_6_chips_are_never_created_lost_or_negative() -> None:
    table = Table("marquoir").lead("A").at("charge", "A", pot=2, A=9)
    table.turns(A="421", B="654", C="322")
    assert (table.moves, table.chips, table.state.pot) == ([("pot", "C", 2)], {"A": 9, "B": 0, "C": 2}, 0)
    table.turns(C="421", A="654", B="322")
    assert (table.moves, table.chips) == ([("C", "B", 2)], {"A": 9, "B": 2, "C": 0})


def test_rule_6_but_for_a_penalty_from_outside_and_a_leaver() -> None:
    table = Table("belgian", "A B C D").lead("A").at("discharge", "A", A=7, B=7, C=4, D=3).leave("D")
    assert (table.moves, sum(table.chips.values())) == ([("D", "outside", 3)], 18)


# Rule 7: who plays the discharge, and so may tie in it


@pytest.mark.parametrize(
    ("ruleset", "plays"), [("rulebook", "ABC"), ("belgian", "AC"), ("marquoir", "ABC"), ("livret", "AC")]
)
def test_rule_7_who_plays_the_discharge(ruleset: str, plays: str) -> None:
    state = Table(ruleset).lead("A").at("discharge", "A", A=6, C=9).state
    assert "".join(state.names[seat] for seat in state.order) == plays


def test_rule_7_out_is_out_of_the_discharge() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=4, C=5).turns(A="331", B="654", C="322")
    assert [table.state.names[seat] for seat in table.state.order] == ["C", "B"]


# Rule 8: all chips on one player


@pytest.mark.parametrize(
    ("ruleset", "phase", "losers"),
    [("belgian", "over", ("C",)), ("livret", "over", ("C",)), ("marquoir", "discharge", ())],
)
def test_rule_8_holds_for_two_of_the_rulesets(ruleset: str, phase: str, losers: tuple[str, ...]) -> None:
    table = Table(ruleset).lead("A").at("charge", "A", pot=1, C=10).turns(A="421", B="654", C="322")
    assert (table.state.phase, table.state.winners, table.state.losers) == (phase, (), losers)


# Rule 9: what is looked at when somebody has left, and in which order


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [("belgian", {}), ("livret", {}), ("marquoir", {}), ("marquoir", {"end": "first_out"})],
)
def test_rule_9_1_comes_before_9_2(ruleset: str, options: dict[str, Any]) -> None:
    table = Table(ruleset, "A B", **options).lead("A").at("discharge", "A", A=6, B=5).leave("B")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ())


@pytest.mark.parametrize("ruleset", ["belgian", "livret"])
def test_rule_9_2_rule_8_comes_before_the_settlement(ruleset: str) -> None:
    table = Table(ruleset).lead("A").at("discharge", "A", A=2, B=9)  # C has none, and does not play
    table.turn("A", "421").leave("B")
    assert table.moves == [("B", "outside", 9)]
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ("A",))


def test_rule_9_2_the_rulesets_own_end_comes_before_the_settlement() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=4, C=5).turns(A="331", B="654", C="322")
    table.turn("C", "421").leave("B")
    assert (table.moves, table.state.settlement is not None) == ([("B", "outside", 4)], True)
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("C",))


def test_rule_9_2_the_end_of_the_score_pad() -> None:
    table = Table("counter").do(Adjust("A", -11)).leave("B")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("C",))


@pytest.mark.parametrize("ruleset", ["rulebook", "belgian", "marquoir", "livret"])
def test_rule_9_a_leaver_never_wins_or_loses(ruleset: str) -> None:
    table = Table(ruleset, "A B C D").lead("A").at("discharge", "A", A=2, B=3, C=4, D=5).leave("A")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("discharge", (), ())
    table = Table(ruleset, "A B C D").lead("A").at("discharge", "D", A=2, B=3, C=4, D=9).leave("D")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("discharge", (), ())


def test_rule_9_a_leaver_does_not_share_a_win_by_points() -> None:
    table = Table("points", "A B C").lead("A")
    for _ in range(9):
        table.turns(A="666", B="665", C="654")
    table.leave("A").turns(B="665", C="654")
    assert (table.state.winners, table.points) == (("B",), {"A": 9, "B": 1, "C": 0})
