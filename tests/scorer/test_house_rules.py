"""What tables play otherwise can be said in a file, without code: one test for each such rule."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from scorer.errors import SetupError
from scorer.events import Stand
from scorer.game import new_game
from scorer.hands import canonical
from scorer.rulefile import EXAMPLES, house_ruleset
from scorer.ruleset import ruleset_from_data
from scorer.simulate import simulate
from scorer.state import PhaseName
from tests.scorer.table import Table

HANDS = [
    {"value": 10, "hands": "421"},
    {"value": 7, "hands": "111"},
    {"value": 6, "hands": "611"},
    {"value": 5, "hands": "511"},
    {"value": 4, "hands": "411"},
    {"value": 3, "hands": "311"},
    {"value": 2, "hands": "211"},
    {"value": 3, "hands": "666 555 444 333 222"},
    {"value": 2, "hands": "654 543 432 321"},
    {
        "value": 1,
        "hands": "665 664 663 662 661 655 653 652 651 644 643 642 641 633 632 631 622 621 554 553 552 551 544 542 "
        "541 533 532 531 522 521 443 442 441 433 431 422 332 331 322 221",
    },
]
RULES: dict[str, Any] = {
    "players": [2, 10],
    "ends": ["last_holder"],
    "name": {"en": "House", "fr": "Maison"},
    "about": {"en": "Ours.", "fr": "La nôtre."},
    "chips": {"each": 0, "pot": 11},
    "opening": {"dice": 1, "by": "total", "leads": "highest"},
    "charge": {
        "throws": 3, "limit": "leader", "plays": "all", "ties": ["worst"], "settle": "take_from_pot",
        "next": "worst",
    },
    "discharge": {
        "throws": 3, "limit": "leader", "plays": "not_out", "first": "last_taker", "ties": ["best", "worst"],
        "settle": "give_to_worst", "next": "worst",
    },
    "rolloff": {"dice": 3},
    "hands": HANDS,
}  # fmt: skip


def table(players: str = "A B C", **places: Any) -> Table:
    """A game by the rules above, with other values at `table__key`."""
    data = copy.deepcopy(RULES)
    for place, value in places.items():
        target, *rest = place.split("__")
        if rest:
            data.setdefault(target, {})[rest[0]] = value
        else:
            data[target] = value
    made = Table("marquoir", players)
    made.state = new_game(ruleset_from_data("house", data), players.split(), {})
    return made


def hands(**values: int) -> list[dict[str, Any]]:
    """The hands above with other values for those that begin a block."""
    return [
        block | {"value": values.get(f"h{block['hands'].split()[0]}", block["value"])}  # type: ignore[attr-defined]
        for block in HANDS
    ]


@pytest.mark.parametrize("worth", [8, 10, 11])
def test_421_is_worth_8_10_or_11(worth: int) -> None:
    game = table(hands=hands(h421=worth), chips__pot=21).lead("A").turns(A="421", B="322", C="654")
    assert game.moves == [("pot", "B", worth)]


def test_the_charge_is_sec() -> None:
    game = table(charge__throws=1, charge__limit="none").lead("A").throws(A="421", B="322", C="654")
    assert game.state.round == 2


def test_the_charge_has_up_to_three_throws() -> None:
    game = table().lead("A").throw("A", "421").do(Stand("A"))
    assert (game.state.to_play, game.state.throws_left) == ("B", 1)
    game = table().lead("A").throw("A", "421").throw("A", "66", kept="1").throw("A", "66", kept="1")
    assert (game.state.to_play, game.state.throws_left) == ("B", 3)


def test_the_lowest_die_starts() -> None:
    assert table(opening__leads="lowest").throws(A="3", B="1", C="6").state.leader == "B"


def test_221_doubles() -> None:
    game = table(double={"worst": "221"}).lead("A").turns(A="611", B="221", C="654")
    assert game.moves == [("pot", "B", 11)]  # twelve are due
    assert game.state.settlement is not None
    assert (game.state.settlement.doubled, game.state.settlement.due, game.state.settlement.held) == (
        True,
        12,
        11,
    )


def test_221_takes_2() -> None:
    game = table(nenette={"hand": "221", "chips": 2}).lead("A").turns(A="611", B="221", C="654")
    assert (game.moves, game.state.leader) == ([("pot", "B", 2)], "B")


def test_221_is_only_worst() -> None:
    assert table().lead("A").turns(A="611", B="221", C="654").moves == [("pot", "B", 6)]


def test_triples_are_flat() -> None:
    for hand in ("666", "222"):
        assert table().lead("A").turns(A=hand, B="322", C="654").moves == [("pot", "B", 3)]


def test_triples_are_worth_their_face() -> None:
    by_face = [block for block in HANDS if "666" not in str(block["hands"])]
    faces: list[dict[str, Any]] = [{"value": face, "hands": f"{face}" * 3} for face in (6, 5, 4, 3, 2)]
    for face in (6, 2):
        game = table(hands=by_face[:7] + faces + by_face[7:]).lead("A")
        assert game.turns(A=str(face) * 3, B="322", C="654").moves == [("pot", "B", face)]


@pytest.mark.parametrize("chips", [7, 11, 15, 21, 41])
def test_so_many_chips(chips: int) -> None:
    game = table(chips__pot=chips)
    assert game.state.pot == chips
    report = simulate(game.state.ruleset, 3, 10, seed=chips)
    assert report.unfinished == 0


def test_the_last_holder_loses() -> None:
    game = table().lead("A").at("discharge", "A", A=3, B=4, C=4).turns(A="611", B="322", C="654")
    assert (game.state.winners, game.state.over) == (("A",), False)
    game.turns(B="322", C="421")
    assert (game.state.losers, game.state.ending) == (("B",), "last_holder")


def test_the_first_out_ends_the_game() -> None:
    game = table(ends=["first_out"]).lead("A").at("discharge", "A", A=3, B=4, C=4)
    game.turns(A="611", B="322", C="654")
    assert (game.state.winners, game.state.losers, game.state.ending) == (("A",), (), "first_out")


@pytest.mark.parametrize(("leads", "leader"), [("worst", "B"), ("best", "A"), ("after_worst", "C")])
def test_the_next_leader(leads: str, leader: str) -> None:
    ties = ["best", "worst"]
    phases: tuple[PhaseName, ...] = ("charge", "discharge")
    for phase in phases:
        places: dict[str, Any] = {f"{phase}__next": leads, f"{phase}__ties": ties}
        game = table(**places).lead("A").at(phase, "A", pot=11 if phase == "charge" else 0, A=9, B=9, C=9)
        assert game.turns(A="611", B="322", C="654").state.leader == leader


@pytest.mark.parametrize(("leads", "leader"), [("worst", "C"), ("best", "A"), ("after_worst", "A")])
def test_the_next_leader_after_a_nenette(leads: str, leader: str) -> None:
    """The last to receive a chip stands for the worst."""
    game = table(charge__next=leads, charge__ties=["best", "worst"], nenette={"hand": "221", "chips": 2})
    game.lead("A").turns(A="611", B="221", C="221")
    assert (game.moves, game.state.leader) == ([("pot", "B", 2), ("pot", "C", 2)], leader)


@pytest.mark.parametrize("dice", [1, 3])
def test_a_tie_is_broken_by_one_die_or_three(dice: int) -> None:
    game = table(rolloff__dice=dice).lead("A").turns(A="611", B="322", C="322")
    game.throws(B="111"[:dice], C="666"[:dice])
    loser = "B" if dice == 1 else "C"  # three dice are read as a hand: 111 is a good one
    assert game.moves == [("pot", loser, 6)]


def test_the_counter_of_the_examples() -> None:
    ruleset = house_ruleset(EXAMPLES / "comptoir.toml")
    game = Table("marquoir", "A B C")
    game.state = new_game(ruleset, ["A", "B", "C"], {"chips": 41})
    game.throws(A="3", B="1", C="6")
    assert (game.state.leader, game.state.pot) == ("B", 41)
    game.throws(B="555", C="221", A="654")
    assert game.moves == [("pot", "C", 10)]  # a triple by its face, doubled by 221
    game.throws(C="654", A="322", B="322").throws(A="6", B="5")
    assert (game.moves, game.state.leader) == ([("pot", "B", 2)], "B")
    slow = new_game(ruleset, ["A", "B", "C"], {"charge": "three"})
    assert slow.ruleset.phases["charge"].throws == 3


def test_the_short_one_of_the_examples() -> None:
    game = Table("marquoir", "A B C")
    game.state = new_game(house_ruleset(EXAMPLES / "court.toml"), ["A", "B", "C"], {})
    game.lead("A").turns(A="555", B="322", C="654")
    assert (game.moves, game.state.leader) == ([("pot", "B", 3)], "C")
    game.turns(C="421", A="221", B="654")
    assert (game.moves, game.state.pot) == ([("pot", "A", 2)], 10)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ({"ends": ["last_holder", "first_out"]}, "either last_holder or first_out"),
        ({"discharge__plays": "all"}, "who is out plays no more"),
        ({"discharge__settle": "pay_pot"}, "empty_hand_wins or first_out"),
        ({"nenette": {"hand": "322", "chips": 2}}, "nenette.hand must be the last of all hands"),
        (
            {"nenette": {"hand": "221", "chips": 2}, "double": {"worst": "221"}},
            "another hand than that of nenette",
        ),
        ({"double": {}}, "double.worst must be a hand"),
        ({"charge__bonus": {"hand": "421"}}, "bonus points are of rounds"),
        ({"hands": [block | {"value": 0} for block in HANDS]}, "at least one hand must be worth a chip"),
        ({"nicknames": {"122": {"en": "x", "fr": "x"}}}, "122 is no hand like 421"),
        ({"nicknames": {"221": {"en": "x"}}}, "nicknames.221.fr must be a text"),
    ],
)
def test_rules_that_do_not_go_together_are_refused(places: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError) as error:
        table(**places)
    assert words in str(error.value)


def test_the_best_who_has_nothing_to_give_does_not_win() -> None:
    game = table(ends=["empty_hand_wins"]).lead("A").at("discharge", "A", B=4, C=7)
    game.turns(A="611", B="322", C="654")
    assert (game.moves, game.state.over) == ([], False)


def test_hands_of_the_helper_are_all_56() -> None:
    assert len({canonical(map(int, hand)) for block in HANDS for hand in str(block["hands"]).split()}) == 56
