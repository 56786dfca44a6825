"""`marquoir` as pinned: the worked cases, its options, winner and loser, leaving in the discharge."""

from __future__ import annotations

import pytest

from scorer.errors import SetupError
from scorer.game import new_game
from tests.scorer.table import Table


@pytest.mark.parametrize("chips", [11, 7, 21])
def test_option_chips(chips: int) -> None:
    assert Table("marquoir", chips=chips).state.pot == chips


@pytest.mark.parametrize(
    "options", [{"chips": 9}, {"chips": 11.0}, {"chips": True}, {"chips": "11"}, {"end": "soon"}]
)
def test_an_option_takes_only_its_values(options: dict[str, object]) -> None:
    with pytest.raises(SetupError, match="option"):
        new_game("marquoir", ["A", "B"], options)


def test_an_option_that_it_does_not_have() -> None:
    with pytest.raises(SetupError, match="no option 'bon'; its options are chips, end"):
        new_game("marquoir", ["A", "B"], {"bon": True})
    with pytest.raises(SetupError, match="it has no options"):
        new_game("rulebook", ["A", "B", "C"], {"bon": True})


def test_case_a_triple_moves_one_chip() -> None:
    table = Table("marquoir").lead("A").turns(A="666", B="221", C="611")
    assert table.moves == [("pot", "C", 2)]


def test_case_421_is_worth_eleven() -> None:
    table = Table("marquoir", chips=21).lead("A").turns(A="421", B="654", C="322")
    assert (table.moves, table.state.pot) == ([("pot", "C", 11)], 10)


def test_421_empties_the_pot_of_eleven_and_ends_the_charge_not_the_game() -> None:
    table = Table("marquoir").lead("A").turns(A="421", B="654", C="322")
    assert (table.state.phase, table.state.leader, table.state.losers) == ("discharge", "C", ())


def test_case_last_holder_the_first_out_wins_and_play_goes_on() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=4, C=5)
    table.turns(A="331", B="654", C="322")
    assert (table.moves, table.state.winners) == ([("A", "C", 2)], ("A",))
    assert (table.state.phase, table.state.leader) == ("discharge", "C")
    assert [table.state.names[seat] for seat in table.state.order] == ["C", "B"]
    table.turns(C="421", B="322")  # C gives 7 and is out; B holds all
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("B",))


def test_case_first_out_ends_the_game() -> None:
    table = Table("marquoir", end="first_out").lead("A").at("discharge", "A", A=2, B=4, C=5)
    table.turns(A="331", B="654", C="322")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ())


def test_first_out_who_then_holds_all_has_lost() -> None:
    table = Table("marquoir", end="first_out").lead("A").at("discharge", "A", A=2, B=0, C=9)
    table.turns(A="331", B="654", C="322")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("C",))


def test_last_holder_who_then_holds_all_has_lost_though_others_are_in() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=0, C=9)
    table.turns(A="331", B="654", C="322")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("C",))


def test_all_chips_on_one_player_goes_on_when_the_best_gave_none() -> None:
    table = Table("marquoir").lead("A").at("discharge", "C", C=11)
    table.turns(C="322", A="421", B="654")
    assert (table.moves, table.state.phase, table.state.winners) == ([], "discharge", ())
    assert table.state.leader == "C"


def test_a_best_without_chips_gives_nothing_and_is_never_the_winner() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=0, B=4, C=7)
    table.turns(A="421", B="654", C="322")
    assert (table.moves, table.state.winners, table.state.leader) == ([], (), "C")
    assert table.state.players[0].is_in


def test_everyone_plays_the_discharge_with_chips_or_without() -> None:
    table = Table("marquoir", "A B C D").lead("A").turns(A="421", B="654", C="322", D="655")
    assert table.state.phase == "discharge"
    assert len(table.state.order) == 4


def test_a_worst_without_chips_comes_into_some() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=5, B=6, C=0)
    table.turns(A="111", B="654", C="322")
    assert table.chips == {"A": 0, "B": 6, "C": 5}
    assert (table.state.winners, table.state.phase) == (("A",), "discharge")


def test_only_the_first_out_is_the_winner() -> None:
    table = Table("marquoir", "A B C D").lead("A").at("discharge", "A", A=2, B=3, C=5, D=1)
    table.turns(A="331", B="654", C="665", D="322")
    table.turns(D="665", B="331", C="322")
    assert (table.state.winners, table.state.phase) == (("A",), "discharge")
    assert [player.is_in for player in table.state.players] == [False, False, True, True]


def test_leaving_when_one_player_is_still_in_he_is_the_loser() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=4, C=5)
    table.turns(A="331", B="654", C="322").leave("C")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("B",))


def test_leaving_when_no_chips_are_left_in_the_game_nobody_loses() -> None:
    table = Table("marquoir").lead("A").at("discharge", "C", C=11).leave("C")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ())


def test_leaving_when_two_are_still_in_the_game_goes_on_though_one_holds_all() -> None:
    table = Table("marquoir").lead("A").at("discharge", "C", B=2, C=9).leave("B")
    assert (table.state.phase, table.chips) == ("discharge", {"A": 0, "C": 9})


def test_a_winner_who_leaves_stays_named() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=4, C=5)
    table.turns(A="331", B="654", C="322").leave("A")
    assert (table.state.winners, table.state.phase) == (("A",), "discharge")
    assert table.chips == {"B": 4, "C": 7}


def test_leaving_down_to_a_single_player_comes_first() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=4, C=5)
    table.turns(A="331", B="654", C="322").leave("A").leave("C")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ())
