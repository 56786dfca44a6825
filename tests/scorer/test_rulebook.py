"""`rulebook` as pinned: the worked cases, and what its own rules add to the common ones."""

from __future__ import annotations

import pytest

from scorer.events import Adjust, Penalty
from scorer.game import can
from tests.scorer.table import Table


def test_starts_with_three_chips_each_and_eleven_in_the_pot() -> None:
    table = Table("rulebook", "A B C D")
    assert (table.chips, table.state.pot) == ({"A": 3, "B": 3, "C": 3, "D": 3}, 11)


def test_case_421_takes_all_but_one_from_a_full_pot() -> None:
    table = Table("rulebook").lead("A").turns(A="421", B="665", C="221")
    assert (table.chips["C"], table.state.pot, table.state.leader) == (13, 1, "A")
    assert table.moves == [("pot", "C", 10)]


def test_case_421_takes_the_last_chip_and_the_leader_of_round_1_leads_the_discharge() -> None:
    table = Table("rulebook").lead("B").turns(B="421", C="633", A="322")
    assert (table.chips["A"], table.state.pot, table.state.leader) == (13, 1, "B")
    table.turns(B="421", C="322", A="633")
    assert (table.chips["C"], table.state.pot) == (4, 0)
    assert (table.state.phase, table.state.leader, table.state.round) == ("discharge", "B", 3)


def test_case_best_611_takes_what_the_pot_still_has() -> None:
    table = Table("rulebook").lead("A").at("charge", "A", pot=2, A=5, B=5, C=8)
    table.turns(A="611", B="633", C="322")
    assert (table.moves, table.state.phase) == ([("pot", "C", 2)], "discharge")


def test_case_best_pays_the_pot_and_wins_without_chips() -> None:
    table = Table("rulebook").lead("A").at("discharge", "A", A=4, B=7, C=9)
    table.turns(A="611", B="633", C="322")
    assert (table.moves, table.state.pot) == ([("A", "pot", 4)], 4)
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ())


def test_case_421_gives_all_but_one_to_the_worst() -> None:
    table = Table("rulebook").lead("A").at("discharge", "A", A=5, B=7, C=8)
    table.turns(A="421", B="633", C="322")
    assert (table.moves, table.chips) == ([("A", "C", 4)], {"A": 1, "B": 7, "C": 12})
    assert (table.state.leader, table.state.phase) == ("A", "discharge")


def test_case_everyone_has_421() -> None:
    table = Table("rulebook").lead("A").at("discharge", "A", A=5, B=7, C=8)
    table.turns(A="421", B="421", C="421")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("both", ("A", "B", "C"))
    table.throws(A="5", B="5", C="6")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("worst", ("A", "B"))
    table.throws(A="2", B="4")
    assert table.moves == [("C", "A", 7)]
    assert table.state.leader == "C"


@pytest.mark.parametrize(
    ("best", "chips"),
    [
        ("611", 6),
        ("311", 3),
        ("211", 2),
        ("666", 3),
        ("111", 3),
        ("654", 2),
        ("321", 2),
        ("665", 1),
        ("331", 1),
    ],
)
def test_charge_the_worst_takes_the_bests_value(best: str, chips: int) -> None:
    table = Table("rulebook").lead("A").turns(A=best, B="322", C="221")
    assert table.moves == [("pot", "C", chips)]


def test_rank_is_not_value() -> None:
    table = Table("rulebook").lead("A").turns(A="666", B="211", C="322")
    assert table.moves == [("pot", "C", 2)]


def test_charge_the_taker_plays_last_in_the_next_round() -> None:
    table = Table("rulebook", "A B C D").lead("A").turns(A="421", B="221", C="654", D="655")
    assert [table.state.names[seat] for seat in table.state.order] == ["C", "D", "A", "B"]


def test_charge_ends_only_when_the_pot_is_empty() -> None:
    table = Table("rulebook", "A B C D").lead("A").turns(A="421", B="221", C="654", D="655")
    assert (table.state.phase, table.state.pot) == ("charge", 1)
    table.leave("B").turns(C="654", D="655").turn("A", "421")
    assert (table.state.phase, table.state.pot) == ("charge", 1)  # the leaver's 13 had gone back


def test_discharge_the_best_leads_the_next_round() -> None:
    table = Table("rulebook").lead("A").at("discharge", "A", A=5, B=7, C=8)
    table.turns(A="322", B="611", C="665")
    assert (table.moves, table.state.leader) == ([("B", "pot", 6)], "B")


def test_discharge_a_pot_filled_again_does_not_bring_the_charge_back() -> None:
    table = Table("rulebook").lead("A").at("discharge", "A", A=5, B=7, C=8)
    table.turns(A="322", B="611", C="665")
    assert (table.state.phase, table.state.pot) == ("discharge", 6)


def test_discharge_421_with_a_single_chip_gives_none() -> None:
    table = Table("rulebook").lead("A").at("discharge", "A", A=1, B=7, C=8)
    table.turns(A="421", B="633", C="322")
    assert (table.moves, table.state.leader, table.state.winners) == ([], "A", ())


def test_discharge_only_the_best_matters() -> None:
    table = Table("rulebook", "A B C D").lead("A").at("discharge", "A", A=5, B=7, C=8, D=9)
    table.turns(A="611", B="611", C="322", D="322")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("best", ("A", "B"))
    table.throws(A="1", B="6")
    assert table.moves == [("B", "pot", 6)]


def test_discharge_under_a_421_the_worst_matters_too_even_with_nothing_to_give() -> None:
    table = Table("rulebook", "A B C D").lead("A").at("discharge", "A", A=1, B=7, C=8, D=9)
    table.turns(A="421", B="611", C="322", D="322")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("worst", ("C", "D"))
    table.throws(C="1", D="6")
    assert (table.moves, table.state.leader) == ([], "A")


def test_a_leaver_never_wins() -> None:
    table = Table("rulebook").lead("A").at("discharge", "A", A=5, B=7, C=8).leave("A")
    assert (table.state.winners, table.state.phase, table.state.leader) == ((), "discharge", "B")


def test_there_are_no_penalties_and_no_adjusts() -> None:
    table = Table("rulebook").lead("A")
    assert not can(table.state, Penalty("B", "touch"))
    assert not can(table.state, Adjust("B", -1))


def test_a_hand_worth_all_but_one_chip_has_no_value_of_its_own() -> None:
    ruleset = Table("rulebook").state.ruleset
    assert (ruleset.value("421"), ruleset.value("116"), ruleset.rank("412")) == (None, 6, 1)
