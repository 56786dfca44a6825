"""`belgian` as pinned: the worked cases, doubling, penalties, players who come back in, all chips on one."""

from __future__ import annotations

import pytest

from scorer.errors import IllegalEvent
from scorer.events import Penalty
from scorer.game import can
from tests.scorer.table import Table


def touch(player: str) -> Penalty:
    return Penalty(player, "touch")


def off_table(player: str) -> Penalty:
    return Penalty(player, "off_table")


def test_starts_with_all_chips_in_the_pot() -> None:
    table = Table("belgian")
    assert (table.chips, table.state.pot) == ({"A": 0, "B": 0, "C": 0}, 21)


def test_case_a_penalty_that_empties_the_pot_voids_the_round() -> None:
    table = Table("belgian").lead("A").at("charge", "A", pot=1, A=10, B=5, C=5)
    table.turn("A", "421").do(touch("C"))
    assert table.moves == [("pot", "C", 1)]
    assert (table.state.phase, table.state.leader, table.state.round) == ("discharge", "C", 3)
    assert all(not player.hand for player in table.state.players)


def test_case_a_penalty_that_empties_the_pot_drops_a_roll_off() -> None:
    table = Table("belgian").lead("A").at("charge", "A", pot=1, A=10, B=5, C=5)
    table.turns(A="421", B="322", C="322").throw("B", "3").do(off_table("C"))
    assert (table.state.phase, table.state.leader, table.state.rolloff) == ("discharge", "C", None)


def test_a_penalty_that_empties_the_pot_may_leave_all_chips_on_one() -> None:
    table = Table("belgian").lead("A").at("charge", "A", pot=1, C=20).do(touch("C"))
    assert (table.state.phase, table.state.losers, table.state.round) == ("over", ("C",), 2)


def test_case_a_leaver_in_the_discharge_takes_his_chips_out() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=5, B=7, C=9).leave("C")
    assert (table.moves, table.chips) == ([("C", "outside", 9)], {"A": 5, "B": 7})
    table.turns(A="654", B="322")
    assert (table.moves, table.state.round) == ([("A", "B", 2)], 3)


def test_case_221_doubles() -> None:
    table = Table("belgian").lead("A").at("charge", "A", pot=12, A=3, B=3, C=3)
    table.turns(A="211", B="654", C="221")
    assert (table.moves, table.state.pot, table.state.leader) == ([("pot", "C", 10)], 2, "C")


def test_case_221_doubles_no_more_than_the_pot_has() -> None:
    table = Table("belgian").lead("A").at("charge", "A", pot=7, A=3, B=3, C=8)
    table.turns(A="211", B="654", C="221")
    assert (table.moves, table.state.phase, table.state.leader) == ([("pot", "C", 7)], "discharge", "C")


def test_221_doubles_when_everyone_has_it() -> None:
    table = Table("belgian", "A B").lead("A").turns(A="221", B="221").throws(A="2", B="6")
    assert table.moves == [("pot", "A", 2)]


def test_221_doubles_in_the_discharge() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=10, B=6, C=5)
    table.turns(A="654", B="221", C="665")
    assert (table.moves, table.state.leader) == ([("A", "B", 4)], "B")


@pytest.mark.parametrize(
    ("best", "chips"), [("421", 8), ("111", 6), ("211", 5), ("611", 5), ("222", 4), ("543", 2), ("665", 1)]
)
def test_charge_the_worst_takes_the_bests_value_and_leads(best: str, chips: int) -> None:
    table = Table("belgian").lead("A").turns(A=best, B="331", C="322")
    assert (table.moves, table.state.leader) == ([("pot", "C", chips)], "C")


def test_discharge_only_holders_play_and_who_took_the_last_chips_leads() -> None:
    table = Table("belgian", "A B C D").lead("A").at("charge", "A", pot=1, A=10, C=10)
    table.turns(A="421", B="654", C="322", D="655")
    assert (table.state.phase, table.state.leader) == ("discharge", "C")
    assert [table.state.names[seat] for seat in table.state.order] == ["C", "A"]
    assert [player.is_in for player in table.state.players] == [True, False, True, False]


def test_discharge_a_player_without_chips_is_out() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=2, B=9, C=10)
    table.turns(A="421", B="654", C="322")
    assert table.chips == {"A": 0, "B": 9, "C": 12}
    assert [table.state.names[seat] for seat in table.state.order] == ["C", "B"]
    assert table.state.winners == ()


def test_discharge_the_leader_sets_no_limit() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=2, B=9, C=10).turn("A", "421")
    assert (table.state.to_play, table.state.throws_left) == ("B", 3)


def test_rule_8_who_holds_all_chips_at_the_end_of_the_charge_has_lost() -> None:
    table = Table("belgian").lead("A").at("charge", "A", pot=1, C=20)
    table.turns(A="421", B="654", C="322")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ("C",))


def test_rule_8_who_holds_all_chips_in_the_discharge_has_lost() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=2, B=19)
    table.turns(A="421", B="322")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ("B",))


def test_rule_8_comes_before_a_settlement_when_somebody_leaves() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=2, B=19).turn("A", "421").leave("B")
    assert (table.state.phase, table.state.losers) == ("over", ("A",))


def test_penalty_takes_a_chip_from_the_pot_in_the_charge_and_uses_up_no_throw() -> None:
    table = Table("belgian").lead("A").do(off_table("A"))
    assert (table.moves, table.state.pot, table.state.throws_left) == ([("pot", "A", 1)], 20, 1)
    table.throw("A", "421").do(touch("C")).do(touch("C"))
    assert (table.chips["C"], table.state.to_play) == (2, "B")


def test_penalty_takes_a_chip_from_outside_in_the_discharge() -> None:
    table = (
        Table("belgian").lead("A").at("discharge", "A", A=2, B=9, C=10).throw("A", "421").do(off_table("A"))
    )
    assert (table.moves, table.chips["A"]) == ([("outside", "A", 1)], 3)
    assert (table.state.to_play, table.state.throws_left) == ("A", 2)


def test_penalty_in_a_roll_off() -> None:
    table = Table("belgian").lead("A").turns(A="421", B="322", C="322").do(touch("C")).do(off_table("B"))
    assert (table.state.pot, table.state.rolloff is not None) == (19, True)
    table.throw("B", "6")
    assert can(table.state, off_table("C"))
    assert not can(table.state, off_table("B"))


def test_penalty_reasons_fit_who_is_to_play() -> None:
    table = Table("belgian").lead("A")
    with pytest.raises(IllegalEvent, match="may touch the dice"):
        table.do(touch("A"))
    with pytest.raises(IllegalEvent, match="not to play"):
        table.do(off_table("B"))


def test_penalty_not_in_the_opening() -> None:
    table = Table("belgian")
    with pytest.raises(IllegalEvent, match="no penalties in the opening"):
        table.do(touch("B"))
    table.throws(A="6", B="6", C="6")
    assert not can(table.state, touch("B"))


def test_a_penalised_player_comes_back_in_from_the_next_round() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=8, B=13).do(touch("C"))
    assert table.chips["C"] == 1
    table.turns(A="654", B="322")
    assert [table.state.names[seat] for seat in table.state.order] == ["B", "C", "A"]


def test_a_player_alone_in_the_round_plays_his_turn_and_nothing_moves() -> None:
    table = Table("belgian", "A B C").lead("A").at("discharge", "A", A=8, B=13).do(touch("C")).leave("A")
    assert (table.state.phase, table.state.leader, table.state.to_play) == ("discharge", "B", "B")
    table.throw("B", "665").throw("B", "66", kept="6").throw("B", "654")
    assert (table.moves, table.state.round, table.state.leader) == ([], 3, "B")
    assert [table.state.names[seat] for seat in table.state.order] == ["B", "C"]


def test_a_player_alone_who_has_finished_leads_the_next_round_at_once() -> None:
    table = Table("belgian", "A B C").lead("A").at("discharge", "A", A=8, B=13).do(touch("C"))
    table.turn("A", "421").leave("B")
    assert (table.moves, table.state.round, table.state.leader) == ([("B", "outside", 13)], 3, "A")


def test_a_round_left_with_nobody_is_followed_at_once() -> None:
    table = (
        Table("belgian", "A C B D").lead("A").at("discharge", "A", A=8, B=13).do(touch("C")).do(touch("D"))
    )
    table.turn("A", "421").leave("A").leave("B")
    assert (table.state.round, table.state.leader) == (3, "C")  # the next after A, who led
    table = (
        Table("belgian", "A C B D").lead("A").at("discharge", "A", A=8, B=13).do(touch("C")).do(touch("D"))
    )
    table.leave("A").leave("B")
    assert (table.state.round, table.state.leader) == (3, "D")  # the next after B, who had become leader
