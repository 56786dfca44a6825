"""The rules common to the rulesets played with dice, one or more tests for each numbered rule."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.errors import EventError, SetupError
from scorer.events import Abandon, Leave, Stand, Throw
from scorer.game import can, expected, new_game
from tests.scorer.table import FEWEST, MOST, NAMES, SETUPS, Table

DICE_RULESETS = [ruleset for ruleset in FEWEST if ruleset != "counter"]


# Rule 1: players


def test_rule_1_seats_go_clockwise_in_the_order_of_entry() -> None:
    table = Table("belgian", "Cy Ana Bo")
    assert [player.name for player in table.state.players] == ["Cy", "Ana", "Bo"]
    table.lead("Ana").turn("Ana", "421")
    assert table.state.to_play == "Bo"
    table.turn("Bo", "611")
    assert table.state.to_play == "Cy"


@pytest.mark.parametrize(
    ("players", "wrong"),
    [
        (["Ana", "ana ", "Cy"], "two players"),
        (["Ana", " ", "Cy"], "empty"),
        (["Ana", "Pot", "Cy"], "can be called"),
        (["Ana", " OUTSIDE", "Cy"], "can be called"),
    ],
)
def test_rule_1_names_are_unique_case_and_outer_blanks_aside(players: list[str], wrong: str) -> None:
    with pytest.raises(SetupError, match=wrong):
        new_game("rulebook", players, {})


@pytest.mark.parametrize("ruleset", FEWEST)
def test_rule_1_too_few_or_too_many_players_are_an_error(ruleset: str) -> None:
    many = [*NAMES, "Kim"]
    for count in (FEWEST[ruleset] - 1, MOST[ruleset] + 1):
        with pytest.raises(SetupError, match="players"):
            new_game(ruleset, many[:count], {})
    for count in (FEWEST[ruleset], MOST[ruleset]):
        assert len(new_game(ruleset, many[:count], {}).players) == count


def test_an_unknown_ruleset_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(SetupError, match="rulebook, belgian, marquoir, livret, points, counter"):
        new_game("zanzi", ["A", "B"], {})


# Rule 2: the opening


@pytest.mark.parametrize("ruleset", DICE_RULESETS)
def test_rule_2_everybody_throws_once_in_seat_order(ruleset: str) -> None:
    table = Table(ruleset)
    dice = {"rulebook": 3, "points": 3}.get(ruleset, 1)
    for player, thrown in (("A", "322"), ("B", "654"), ("C", "332")):
        now = expected(table.state)
        assert now is not None
        assert (now.player, now.dice, now.of, now.throws_left) == (player, dice, 1, 1)
        assert not now.can_stand
        assert not now.may_keep
        table.throw(player, thrown[:dice])
    assert (table.state.leader, table.state.to_play, table.state.round) == ("B", "B", 1)


def test_rule_2_tied_players_throw_again_until_one_remains() -> None:
    table = Table("belgian", "A B C D").throws(A="5", B="6", C="6", D="6")
    rolloff = table.state.rolloff
    assert rolloff is not None
    assert (rolloff.end, rolloff.players) == ("opening", ("B", "C", "D"))
    table.throws(B="2", C="4", D="4")
    rolloff = table.state.rolloff
    assert rolloff is not None
    assert rolloff.players == ("C", "D")
    table.throw("C", "1")
    rolloff = table.state.rolloff
    assert rolloff is not None
    assert (rolloff.players, rolloff.thrown) == (("C", "D"), ((1,),))
    table.throw("D", "3")
    assert table.state.rolloff is None
    assert (table.state.phase, table.state.leader) == ("charge", "D")


def test_rule_2_a_tie_is_read_as_the_opening_is() -> None:
    by_hand = Table("rulebook").throws(A="421", B="421", C="322").throws(A="666", B="211")
    assert by_hand.state.leader == "B"  # 211 ranks above 666
    by_total = Table("points", "A B").throws(A="654", B="663").throws(A="666", B="421")
    assert by_total.state.leader == "A"
    lowest = Table("livret", "A B", opening="lowest").throws(A="2", B="2").throws(A="6", B="3")
    assert lowest.state.leader == "B"


def test_rule_2_the_opening_counts_as_part_of_the_charge() -> None:
    table = Table("rulebook", "A B C D").throw("A", "421").leave("A")
    assert table.moves == [("A", "pot", 3)]
    assert table.state.pot == 14


# Rule 3: playing order


def test_rule_3_where_the_one_who_should_lead_has_left_the_next_clockwise_leads() -> None:
    table = Table("rulebook", "A B C D").lead("B").turns(B="421", C="666", D="665", A="654")
    assert table.state.leader == "A"  # D took, the player after him leads
    table.turns(A="421", B="654", C="322").leave("A")
    table.throw("D", "665")
    assert table.state.leader == "D"  # C took


def test_rule_3_where_the_one_who_should_lead_is_out_the_next_clockwise_leads() -> None:
    table = Table("belgian", "A B C D").lead("A").at("discharge", "B", A=5, C=5, D=5)
    assert table.state.leader == "C"
    assert [table.state.names[seat] for seat in table.state.order] == ["C", "D", "A"]


# Rule 4: a turn


def test_rule_4_a_turn_keeps_none_one_or_two_dice_of_the_whole_hand() -> None:
    table = Table("points", "A B").lead("A").throw("A", "651")
    table.throw("A", "42", kept="1")
    assert table.state.players[0].hand == (4, 2, 1)
    table.throw("A", "66", kept="2")  # the 1 kept before is thrown again
    assert table.state.players[0].hand == (6, 6, 2)
    assert table.state.to_play == "B"
    table.throw("B", "651").throw("B", "444")  # keeping none
    assert table.state.players[1].hand == (4, 4, 4)


@pytest.mark.parametrize(
    ("dice", "kept", "wrong"),
    [
        ("", "651", "throws no dice"),
        ("42", "", "must be 3"),
        ("421", "1", "must be 3"),
        ("42", "3", "not in his hand"),
        ("4", "66", "not in his hand"),
        ("47", "1", "shows 1 to 6"),
    ],
)
def test_rule_4_what_is_kept_and_thrown_must_make_the_hand(dice: str, kept: str, wrong: str) -> None:
    table = Table("points", "A B").lead("A").throw("A", "651")
    with pytest.raises(EventError, match=wrong) as error:
        table.throw("A", dice, kept)
    assert "throw 2 of 3 by A, keeping at most two dice of 651, or stand" in error.value.allowed


def test_rule_4_nothing_is_kept_at_first_in_the_opening_or_in_a_roll_off() -> None:
    table = Table("points", "A B")
    with pytest.raises(EventError, match="nothing is kept in the opening"):
        table.throw("A", "65", kept="1")
    table.lead("A")
    with pytest.raises(EventError, match="nothing is kept at a turn's first throw"):
        table.throw("A", "65", kept="1")
    table.turns(A="421", B="421")
    with pytest.raises(EventError, match="nothing is kept in a roll-off"):
        table.throw("A", "65", kept="1")


def test_rule_4_nobody_stands_before_his_first_throw() -> None:
    table = Table("points", "A B")
    with pytest.raises(EventError, match="cannot stand in the opening"):
        table.do(Stand("A"))
    table.lead("A")
    with pytest.raises(EventError, match="before his first throw"):
        table.do(Stand("A"))
    table.turns(A="421", B="421")
    with pytest.raises(EventError, match="cannot stand in a roll-off"):
        table.do(Stand("A"))


def test_rule_4_a_turn_ends_when_the_player_stands_or_has_no_throw_left() -> None:
    table = Table("points", "A B").lead("A").throw("A", "651").do(Stand("A"))
    assert table.state.to_play == "B"
    for left in (3, 2, 1):
        assert table.state.throws_left == left
        table.throw("B", "652")
    assert table.state.round == 2


def test_only_the_one_to_play_throws_and_stands() -> None:
    table = Table("points", "A B").lead("A").throw("A", "651")
    for event in (Throw("B", (1, 2, 3)), Stand("B")):
        assert not can(table.state, event)
        with pytest.raises(EventError, match="it is A who plays now, not B"):
            table.do(event)
    with pytest.raises(EventError, match="nobody here is called 'Zoe'; the players are A, B"):
        table.do(Stand("Zoe"))


# Rule 5: the throw limit


@pytest.mark.parametrize(
    ("ruleset", "phase"),
    [("rulebook", "discharge"), ("marquoir", "charge"), ("marquoir", "discharge"), ("livret", "charge")],
)
def test_rule_5_the_leader_sets_the_limit(ruleset: str, phase: str) -> None:
    table = Table(ruleset).lead("A").at(phase, "A", pot=9, A=4, B=4, C=4)  # type: ignore[arg-type]
    table.throw("A", "651").throw("A", "51", kept="6").do(Stand("A"))
    assert (table.state.to_play, table.state.throws_left) == ("B", 2)
    table.throw("B", "651")
    assert can(table.state, Stand("B")) == (ruleset != "livret")
    table.throw("B", "651")
    assert (table.state.to_play, table.state.throws_left) == ("C", 2)


def test_rule_5_the_others_may_use_fewer_throws_than_the_leader() -> None:
    table = Table("marquoir").lead("A")
    table.throw("A", "651").throw("A", "651").throw("A", "651")
    table.throw("B", "651").do(Stand("B")).throw("C", "651")
    assert (table.state.to_play, table.state.throws_left) == ("C", 2)


@pytest.mark.parametrize(("ruleset", "phase"), [("rulebook", "charge"), ("belgian", "charge")])
def test_rule_5_one_throw_each_in_the_charge_of_some(ruleset: str, phase: str) -> None:
    table = Table(ruleset).lead("A")
    assert (table.state.phase, table.state.throws_left) == (phase, 1)
    table.throw("A", "651")
    assert table.state.to_play == "B"


# Rule 6: the amount


def test_rule_6_the_amount_is_never_more_than_the_giver_holds() -> None:
    table = Table("belgian").lead("A").at("discharge", "A", A=3, B=9, C=9)
    table.turns(A="421", B="654", C="322")
    assert table.moves == [("A", "C", 3)]
    table = Table("marquoir").lead("A").at("charge", "A", pot=2, A=5, B=4, C=0)
    table.turns(A="111", B="654", C="322")
    assert table.moves == [("pot", "C", 2)]


def test_rule_6_the_value_is_read_before_any_roll_off() -> None:
    table = Table("marquoir").lead("A").turns(A="211", B="211", C="666")
    table.throws(A="421", B="111")
    assert table.moves == [("pot", "B", 1)]


# Rule 7: ties


def test_rule_7_in_the_charge_only_the_worst_matters() -> None:
    for ruleset in ("rulebook", "belgian", "marquoir", "livret"):
        table = Table(ruleset).lead("A").turns(A="421", B="421", C="322")
        assert table.state.rolloff is None, ruleset
        assert table.state.round == 2
        table = Table(ruleset, "A B C D").lead("A").turns(A="421", B="322", C="654", D="322")
        assert table.state.rolloff is not None
        assert (table.state.rolloff.end, table.state.rolloff.players) == ("worst", ("B", "D"))


def test_rule_7_tied_players_throw_in_the_order_in_which_they_played() -> None:
    table = Table("belgian", "A B C D").lead("C").turns(C="421", D="322", A="322", B="322")
    first = table.state.rolloff
    assert first is not None
    assert first.players == ("D", "A", "B")
    table.throws(D="2", A="2", B="6")
    second = table.state.rolloff
    assert second is not None
    assert second.players == ("D", "A")
    table.throws(D="6", A="5")
    assert table.moves == [("pot", "A", 8)]


def test_rule_7_first_the_roll_off_for_best_then_that_for_worst() -> None:
    table = Table("marquoir", "A B C D").lead("A").at("discharge", "A", A=4, B=4, C=2, D=1)
    table.turns(A="611", B="421", C="611", D="421")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("best", ("B", "D"))
    table.throws(B="421", D="421")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("best", ("B", "D"))
    table.throws(B="421", D="111")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("worst", ("A", "C"))
    table.throws(A="654", C="322")
    assert table.moves == [("B", "C", 4)]


def test_rule_7_everyone_tied_and_both_ends_matter_is_one_roll_off() -> None:
    table = Table("belgian", "A B C D").lead("A").at("discharge", "A", A=5, B=5, C=5, D=6)
    table.turns(A="666", B="666", C="666", D="666")
    for _ in range(2):  # repeated while everyone is still tied
        assert table.state.rolloff is not None
        assert (table.state.rolloff.end, table.state.rolloff.players) == ("both", ("A", "B", "C", "D"))
        table.throws(A="5", B="5", C="5", D="5")
    table.throws(A="6", B="2", C="6", D="2")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("best", ("A", "C"))
    table.throws(A="1", C="2")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("worst", ("B", "D"))
    table.throws(B="4", D="2")
    assert table.moves == [("C", "D", 4)]


def test_rule_7_everyone_tied_and_one_end_matters_is_a_roll_off_for_that_end() -> None:
    table = Table("rulebook").lead("A").turns(A="421", B="421", C="421")
    assert table.state.rolloff is not None
    assert (table.state.rolloff.end, table.state.rolloff.players) == ("worst", ("A", "B", "C"))
    table = Table("points", "A B").lead("A").turns(A="666", B="666")
    assert table.state.rolloff is not None
    assert table.state.rolloff.end == "best"


@pytest.mark.parametrize(
    ("ruleset", "dice"), [("rulebook", 1), ("belgian", 1), ("marquoir", 3), ("livret", 3)]
)
def test_rule_7_the_dice_of_a_roll_off(ruleset: str, dice: int) -> None:
    table = Table(ruleset).lead("A").turns(A="421", B="322", C="322")
    now = expected(table.state)
    assert now is not None
    assert (now.dice, now.throws_left, now.rolloff) == (dice, 1, table.state.rolloff)
    with pytest.raises(EventError, match=f"must be {dice}"):
        table.throw("B", "654" if dice == 1 else "6")


def test_rule_7_a_roll_off_of_three_dice_is_read_by_the_rulesets_ranking() -> None:
    table = Table("marquoir").lead("A").turns(A="421", B="322", C="322")
    table.throws(B="666", C="221")  # 221 is a one with a pair: better than 666
    assert table.moves == [("pot", "B", 11)]


# Rule 9: leaving


@pytest.mark.parametrize("ruleset", DICE_RULESETS)
def test_rule_9_nobody_leaves_while_a_tie_is_thrown_for(ruleset: str) -> None:
    dice = "6" if Table(ruleset).state.ruleset.opening.dice == 1 else "666"  # type: ignore[union-attr]
    table = Table(ruleset).throws(A=dice, B=dice, C=dice)
    for player in "ABC":
        assert not can(table.state, Leave(player))
    with pytest.raises(EventError, match="cannot leave while a tie is being thrown for"):
        table.leave("A")
    table = Table(ruleset).lead("A").turns(A="666", B="666", C="666")
    assert table.state.rolloff is not None
    assert not any(can(table.state, Leave(player)) for player in "ABC")


def test_rule_9_a_leavers_hand_is_struck_and_the_others_stand() -> None:
    table = Table("belgian", "A B C D").lead("A").turns(A="421", B="322").leave("B")
    assert table.state.to_play == "C"
    table.turns(C="654", D="655")
    assert table.moves == [("pot", "D", 8)]


def test_rule_9_a_limit_set_by_a_leader_who_had_finished_stands() -> None:
    table = Table("marquoir").lead("A").throw("A", "651").do(Stand("A")).leave("A")
    assert (table.state.to_play, table.state.throws_left) == ("B", 1)
    table.throw("B", "651")
    assert (table.state.to_play, table.state.throws_left) == ("C", 1)


def test_rule_9_if_the_leader_leaves_before_finishing_the_next_player_becomes_leader() -> None:
    table = Table("marquoir").lead("A").throw("A", "651").leave("A")
    assert (table.state.leader, table.state.to_play, table.state.throws_left) == ("B", "B", 3)
    table.throw("B", "651").throw("B", "651").do(Stand("B"))
    assert (table.state.to_play, table.state.throws_left) == ("C", 2)


def test_rule_9_chips_go_to_the_pot_in_the_charge_and_out_of_the_game_in_the_discharge() -> None:
    table = Table("marquoir").lead("A").at("charge", "A", pot=4, A=5, B=2)
    table.leave("A")
    assert (table.moves, table.state.pot, table.chips) == ([("A", "pot", 5)], 9, {"B": 2, "C": 0})
    table = Table("marquoir").lead("A").at("discharge", "A", A=5, B=4, C=2).leave("A")
    assert (table.moves, table.state.pot, table.chips) == ([("A", "outside", 5)], 0, {"B": 4, "C": 2})
    table = Table("marquoir").lead("A").at("discharge", "A", A=0, B=4, C=7).leave("A")
    assert table.moves == []


@pytest.mark.parametrize("ruleset", DICE_RULESETS)
def test_rule_9_1_a_single_player_left_is_over_without_a_result(ruleset: str) -> None:
    table = Table(ruleset).lead("A").turn("A", "421").leave("B")
    settled = table.state.settlement
    table.leave("C")
    assert (table.state.phase, table.state.round) == ("over", 1)
    assert (table.state.winners, table.state.losers) == ((), ())
    assert table.state.settlement == settled is None
    assert table.state.to_play is None


def test_rule_9_1_in_the_opening_too() -> None:
    table = Table("points", "A B").throw("A", "666").leave("B")
    assert (table.state.phase, table.state.round, table.state.scorekeeper) == ("over", 0, None)


def test_rule_9_3_all_who_are_left_have_thrown_so_the_round_is_settled_at_once() -> None:
    table = Table("marquoir", "A B C D").lead("A").at("charge", "A", pot=2, C=1, D=3)
    table.turns(A="661", B="322", C="654").leave("D")
    assert table.moves == [("D", "pot", 3), ("pot", "B", 5)]
    assert table.state.settlement is not None
    assert [move.taker for move in table.state.settlement.moves] == ["B"]
    assert table.state.phase == "discharge"


def test_rule_9_3_a_turn_begun_is_played_to_its_end_first() -> None:
    table = Table("marquoir").lead("A").throw("A", "651").throw("A", "651").do(Stand("A"))
    table.throw("B", "322").leave("C")
    assert (table.state.round, table.state.to_play) == (1, "B")


def test_rule_9_3_the_opening_is_decided_at_once() -> None:
    table = Table("belgian").throws(A="3", B="5").leave("C")
    assert (table.state.phase, table.state.leader) == ("charge", "B")
    table = Table("belgian").throws(A="5", B="5").leave("C")
    assert table.state.rolloff is not None
    assert table.state.rolloff.players == ("A", "B")


def test_rule_9_a_struck_opening_throw_does_not_lead() -> None:
    table = Table("belgian").throws(A="6", B="5").leave("A").throw("C", "2")
    assert table.state.leader == "B"


def test_rule_9_who_has_left_can_do_nothing() -> None:
    table = Table("belgian").leave("A")
    for event in (Leave("A"), Throw("A", (1,)), Stand("A")):
        with pytest.raises(EventError, match="A has left the game"):
            table.do(event)


# Rule 10: abandoning


@pytest.mark.parametrize(("ruleset", "options"), SETUPS)
def test_rule_10_the_table_may_stop_at_any_time(ruleset: str, options: dict[str, Any]) -> None:
    table = Table(ruleset, **options).do(Abandon())
    assert (table.state.phase, table.state.winners, table.state.losers) == ("over", (), ())
    for event in (Abandon(), Leave("A"), Throw("A", (6, 5, 4)), Stand("A")):
        with pytest.raises(EventError, match="the game is over"):
            table.do(event)
    assert expected(table.state) is None


def test_rule_10_in_a_roll_off_too() -> None:
    table = Table("belgian").throws(A="6", B="6", C="6").do(Abandon())
    assert (table.state.phase, table.state.rolloff, table.state.round) == ("over", None, 0)


def test_rule_10_a_winner_already_named_stays_named() -> None:
    table = Table("marquoir").lead("A").at("discharge", "A", A=2, B=4, C=5)
    table.turns(A="331", B="654", C="322").do(Abandon())
    assert (table.state.winners, table.state.losers) == (("A",), ())
