"""`points` as pinned: the worked cases, the scorekeeper, ten rounds and their winners."""

from __future__ import annotations

from tests.scorer.table import Table


def test_case_421_at_the_first_throw_scores_two_more() -> None:
    table = Table("points", "A B").lead("A").turns(A="421", B="666")
    assert (table.scores, table.points) == ([("A", 2), ("A", 1)], {"A": 3, "B": 0})


def test_case_both_have_421_at_the_first_throw() -> None:
    table = Table("points", "A B").lead("A").turns(A="421", B="421")
    assert table.scores == []  # all is scored when the round is settled
    table.throws(A="666", B="421")
    assert (table.scores, table.points) == ([("A", 2), ("B", 2), ("B", 1)], {"A": 2, "B": 3})


def test_case_421_at_the_second_throw_scores_one() -> None:
    table = Table("points", "A B").lead("A").throw("A", "422").turn("A", "421").turn("B", "666")
    assert table.scores == [("A", 1)]


def test_the_bonus_stays_when_the_player_throws_on() -> None:
    table = Table("points", "A B").lead("A").throw("A", "421").turn("A", "322").turn("B", "666")
    assert table.scores == [("A", 2), ("B", 1)]


def test_a_leavers_bonus_is_struck() -> None:
    table = Table("points").lead("A").turn("A", "421").leave("A").turns(B="421", C="666")
    assert table.scores == [("B", 2), ("B", 1)]
    assert table.points == {"A": 0, "B": 3, "C": 0}


def test_ranks_triples_doubles_by_pair_then_unmatched() -> None:
    ruleset = Table("points").state.ruleset
    ranked = ["421", "666", "111", "665", "661", "551", "644", "221", "622", "611", "211", "654", "321"]
    assert sorted(ranked, key=ruleset.rank) == [
        "421", "666", "111", "665", "661", "551", "644", "622", "221", "611", "211", "654", "321",
    ]  # fmt: skip


def test_there_are_no_chips() -> None:
    table = Table("points")
    assert table.state.pot is None
    assert set(table.chips.values()) == {0}


def test_the_lowest_total_of_the_first_throws_keeps_the_score() -> None:
    table = Table("points", "A B C D").throws(A="666", B="211", C="666")
    assert table.state.scorekeeper is None
    table.throw("D", "112")
    assert table.state.scorekeeper == "D"  # tied with B, the last seated of them
    assert table.state.rolloff is not None
    table.throws(A="111", C="112").leave("D")
    assert table.state.scorekeeper == "D"


def test_the_scorekeeper_is_one_of_those_who_are_left() -> None:
    table = Table("points", "A B C").throws(A="111", B="654").leave("A").throw("C", "665")
    assert table.state.scorekeeper == "B"


def test_a_leave_may_complete_the_first_throws() -> None:
    table = Table("points").throws(A="653", B="654").leave("C")
    assert (table.state.scorekeeper, table.state.phase, table.state.leader) == ("A", "rounds", "B")


def test_the_same_player_leads_all_ten_rounds_and_most_points_win() -> None:
    table = Table("points").lead("B")
    for number in range(1, 11):
        assert (table.state.round, table.state.leader, table.state.phase) == (number, "B", "rounds")
        table.turns(B="322", C="665", A="666" if number > 4 else "321")
    assert (table.state.phase, table.state.round, table.state.winners) == ("over", 10, ("A",))
    assert table.points == {"A": 6, "B": 0, "C": 4}
    assert table.state.losers == ()


def test_equal_totals_share_the_win_in_seat_order() -> None:
    table = Table("points").lead("B")
    for number in range(10):
        table.turns(B="322", C="665", A="666" if number % 2 else "321")
    assert table.state.winners == ("A", "C")


def test_leavers_do_not_win_but_keep_their_points() -> None:
    table = Table("points").lead("B")
    for _ in range(9):
        table.turns(B="421", C="665", A="321")
    table.leave("B").turns(C="665", A="321")
    assert (table.state.winners, table.points) == (("C",), {"A": 0, "B": 27, "C": 1})


def test_where_the_leader_has_left_the_next_clockwise_leads() -> None:
    table = Table("points").lead("B").leave("B").turns(C="665", A="321")
    assert (table.state.round, table.state.leader) == (2, "C")
