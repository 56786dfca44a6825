"""`counter`, the score pad, as pinned."""

from __future__ import annotations

import pytest

from scorer.errors import EventError, SetupError
from scorer.events import Adjust, Penalty, Stand, Throw
from scorer.game import expected, new_game
from scorer.record import state_row
from tests.scorer.table import Table


def test_nobody_is_to_play_and_there_is_no_pot() -> None:
    table = Table("counter", "A B")
    assert expected(table.state) is None
    table.do(Adjust("A", -3))
    assert state_row(1, table.state) == {
        "seq": 1, "phase": "count", "round": 0, "rolloff": None, "to_play": None, "throws_left": 0, "pot": None,
        "chips": {"A": 8, "B": 11}, "points": {}, "moves": [{"from": "A", "to": "outside", "chips": 3}],
        "scores": [], "winners": [], "losers": [], "scorekeeper": None,
    }  # fmt: skip
    assert table.do(Adjust("B", 4)).moves == [("outside", "B", 4)]


@pytest.mark.parametrize("start", [1, 11, 99])
def test_option_start(start: int) -> None:
    assert Table("counter", "A B", start=start).chips == {"A": start, "B": start}


@pytest.mark.parametrize("start", [0, 100, -1, 11.0, True, "11", None])
def test_option_start_out_of_range(start: object) -> None:
    with pytest.raises(SetupError, match="whole number from 1 to 99"):
        new_game("counter", ["A", "B"], {"start": start})


def test_nobody_goes_below_zero() -> None:
    with pytest.raises(EventError, match="A holds 11 and cannot get rid of 12"):
        Table("counter").do(Adjust("A", -12))


@pytest.mark.parametrize("chips", [0, 100, -100])
def test_an_adjust_is_at_most_99_and_not_0(chips: int) -> None:
    with pytest.raises(EventError) as error:
        Table("counter", start=99).do(Adjust("A", chips))
    limits = "a whole number from -99 to 99, not 0"
    assert error.value.wrong == f"what is entered for A must be {limits}; it is {chips}"
    assert "adjust" not in str(error.value)


def test_at_zero_a_player_is_out_for_good_and_the_first_wins() -> None:
    table = Table("counter").do(Adjust("A", -11))
    assert (table.state.winners, table.state.phase) == (("A",), "count")
    with pytest.raises(EventError, match="A is out for good"):
        table.do(Adjust("A", 1))
    table.do(Adjust("B", -11))
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("C",))


def test_a_leavers_chips_go_out_of_the_game() -> None:
    table = Table("counter").do(Adjust("A", -11)).leave("B")
    assert table.moves == [("B", "outside", 11)]
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", ("A",), ("C",))


def test_a_single_player_left_has_no_result() -> None:
    table = Table("counter", "A B").leave("A")
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ())


def test_no_dice() -> None:
    table = Table("counter")
    for event in (Throw("A", (6, 5, 4)), Stand("A"), Penalty("A", "touch")):
        with pytest.raises(EventError, match="counter") as error:
            table.do(event)
        assert "chips entered for a player who still holds some" in error.value.allowed
