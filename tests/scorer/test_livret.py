"""`livret` as pinned: the worked cases, the nénette, its options."""

from __future__ import annotations

import pytest

from scorer.errors import IllegalEvent, SetupError
from scorer.events import Stand
from scorer.game import can, new_game
from tests.scorer.table import Table


def test_case_nenette_in_the_charge_takes_two_each_from_the_pot_in_playing_order() -> None:
    table = Table("livret").lead("A").at("charge", "A", pot=3, A=9, B=9)
    table.turns(A="421", B="221", C="221")
    assert table.moves == [("pot", "B", 2), ("pot", "C", 1)]
    assert (table.state.phase, table.state.leader) == ("discharge", "C")


def test_nenette_the_last_to_receive_a_chip_leads() -> None:
    table = Table("livret").lead("A").at("charge", "A", pot=2, A=9, B=9)
    table.turns(A="421", B="221", C="221")
    assert table.moves == [("pot", "B", 2)]
    assert (table.state.phase, table.state.leader) == ("discharge", "B")


def test_case_nenette_receives_two_whatever_the_best_is() -> None:
    table = Table("livret", "A B").lead("A").turns(A="421", B="221")
    assert (table.moves, table.state.leader) == ([("pot", "B", 2)], "B")


def test_nenette_of_all_in_the_charge_each_takes_two() -> None:
    table = Table("livret").lead("B").turns(B="221", C="221", A="221")
    assert table.moves == [("pot", "B", 2), ("pot", "C", 2), ("pot", "A", 2)]
    assert (table.state.rolloff, table.state.leader) == (None, "A")


def test_nenette_of_all_in_the_discharge_moves_nothing() -> None:
    table = Table("livret").lead("A").at("discharge", "B", A=7, B=7, C=7)
    table.turns(B="221", C="221", A="221")
    assert (table.moves, table.state.rolloff, table.state.leader, table.state.round) == ([], None, "B", 3)


def test_nenette_in_the_discharge_receives_from_the_best() -> None:
    table = Table("livret", "A B C D").lead("A").at("discharge", "A", A=7, B=7, C=7, D=7)
    table.turns(A="421", B="221", C="322", D="221")
    assert (table.moves, table.state.leader) == ([("A", "B", 2), ("A", "D", 2)], "D")


def test_nenette_the_best_gives_what_he_has_and_wins() -> None:
    table = Table("livret", "A B C D").lead("A").at("discharge", "A", A=3, B=7, C=7, D=7)
    table.turns(A="421", B="221", C="322", D="221")
    assert table.moves == [("A", "B", 2), ("A", "D", 1)]
    assert (table.state.phase, table.state.winners) == ("over", ("A",))


def test_nenette_a_tie_for_best_is_rolled_off_and_none_for_worst() -> None:
    table = Table("livret", "A B C D").lead("A").at("discharge", "A", A=7, B=7, C=7, D=7)
    table.turns(A="421", B="221", C="421", D="221")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("best", ("A", "C"))
    table.throws(A="221", C="322")
    assert table.moves == [("C", "B", 2), ("C", "D", 2)]


def test_nenette_in_a_roll_off_is_only_the_lowest_hand() -> None:
    table = Table("livret").lead("A").turns(A="421", B="332", C="332")
    table.throws(B="221", C="332")
    assert (table.moves, table.state.leader) == ([("pot", "B", 10)], "B")


@pytest.mark.parametrize(
    ("better", "worse"), [("611", "666"), ("222", "654"), ("331", "665"), ("322", "221")]
)
def test_case_ranks(better: str, worse: str) -> None:
    ruleset = Table("livret").state.ruleset
    assert ruleset.rank(better) < ruleset.rank(worse)


def test_case_ranks_numeric() -> None:
    ruleset = Table("livret", plain_hands="numeric").state.ruleset
    assert ruleset.rank("665") < ruleset.rank("331")
    assert ruleset.rank("221") == 56
    table = Table("livret", plain_hands="numeric").lead("A").turns(A="331", B="665", C="654")
    assert table.moves == [("pot", "A", 2)]


def test_case_empties_his_hand_and_wins() -> None:
    table = Table("livret").lead("A").at("discharge", "A", A=3, B=9, C=9)
    table.turns(A="111", B="322", C="654")
    assert (table.moves, table.state.phase) == ([("A", "B", 3)], "over")
    assert (table.state.winners, table.state.losers) == (("A",), ())


def test_rule_8_is_not_looked_at_when_somebody_has_just_won() -> None:
    table = Table("livret", "A B").lead("A").at("discharge", "A", A=3, B=18).turns(A="111", B="322")
    assert (table.state.winners, table.state.losers) == (("A",), ())


def test_rule_8_at_the_end_of_the_charge() -> None:
    table = Table("livret").lead("A").at("charge", "A", pot=2, B=19).turns(A="111", B="322", C="654")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ("B",))


def test_rule_8_when_somebody_leaves_in_the_discharge() -> None:
    table = Table("livret").lead("A").at("discharge", "A", A=3, B=18).leave("A")
    assert (table.state.phase, table.state.losers) == ("over", ("B",))


def test_discharge_those_play_who_hold_chips_and_the_last_taker_leads() -> None:
    table = Table("livret").lead("A").at("charge", "A", pot=1, A=9, B=11).turns(A="111", B="322", C="654")
    assert [table.state.names[seat] for seat in table.state.order] == ["B", "A"]


def test_the_others_use_exactly_as_many_throws_as_the_leader() -> None:
    table = Table("livret").lead("A").throw("A", "654").throw("A", "654").do(Stand("A")).throw("B", "654")
    with pytest.raises(IllegalEvent, match="must use exactly 2 throws, as the leader did"):
        table.do(Stand("B"))


def test_option_bon_lets_the_others_stop_earlier() -> None:
    table = Table("livret", bon=True).lead("A").throw("A", "654").throw("A", "654").do(Stand("A"))
    table.throw("B", "654")
    assert can(table.state, Stand("B"))
    assert table.state.throws_left == 1


def test_a_leader_who_follows_a_leaver_sets_his_own_limit() -> None:
    table = Table("livret").lead("A").throw("A", "654").leave("A").throw("B", "654").do(Stand("B"))
    assert (table.state.to_play, table.state.throws_left) == ("C", 1)


def test_option_opening() -> None:
    assert Table("livret").throws(A="3", B="1", C="6").state.leader == "C"
    assert Table("livret", opening="lowest").throws(A="3", B="1", C="6").state.leader == "B"


@pytest.mark.parametrize("options", [{"bon": 1}, {"bon": "true"}, {"opening": "high"}, {"plain_hands": None}])
def test_an_option_takes_only_its_values(options: dict[str, object]) -> None:
    with pytest.raises(SetupError, match="option"):
        new_game("livret", ["A", "B"], options)
