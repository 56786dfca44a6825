"""Games that the program plays by itself."""

from __future__ import annotations

import json
from itertools import combinations, product
from random import Random

import pytest

from scorer.errors import SetupError
from scorer.events import Stand, Throw
from scorer.game import expected, new_game
from scorer.hands import canonical
from scorer.ruleset import available_rulesets, load_ruleset, with_options
from scorer.simulate import STRATEGIES, random_events, simulate, summary
from scorer.state import Expected
from tests.scorer.table import FEWEST, SETUPS


@pytest.mark.parametrize(("id", "options"), SETUPS)
def test_games_end_and_all_is_counted(id: str, options: dict[str, object]) -> None:
    ruleset = with_options(load_ruleset(id), options)
    for strategy in STRATEGIES:
        report = simulate(ruleset, FEWEST[id], 6, seed=1, strategy=strategy)
        assert (report.games, report.unfinished) == (6, 0)
        assert sum(report.endings.values()) == 6
        assert all(throws <= events for throws, events in zip(report.throws, report.events, strict=True))
        if id != "counter":
            assert sum(report.led.values()) == 6
        if ruleset.pot is not None:
            taken = sum(chips for (giver, _), chips in report.flow.items() if giver == "pot")
            assert taken >= 6 * (ruleset.pot if id != "rulebook" else 11)


@pytest.mark.parametrize("id", available_rulesets())
def test_the_same_seed_plays_the_same_games(id: str) -> None:
    first, second = (simulate(load_ruleset(id), 3, 5, seed=9).to_json() for _ in range(2))
    assert first == second
    assert first != simulate(load_ruleset(id), 3, 5, seed=10).to_json()
    assert json.loads(json.dumps(first)) == first


def test_the_report_names_seats_from_1() -> None:
    report = simulate(load_ruleset("rulebook"), 4, 20, seed=2).to_json()
    assert sum(report["wins_by_seat"]) == 20
    assert set(report["chips_flow"]) == {"pot", "1", "2", "3", "4"}
    assert report["endings"] == {"empty_hand_wins": 20}
    assert report["rounds"]["least"] <= report["rounds"]["middle"] <= report["rounds"]["most"]


def asked(hand: tuple[int, ...], throws_left: int, can_stand: bool = True) -> Expected:
    return Expected("A", 4 - throws_left, 3, throws_left, 3, hand, can_stand, True, None)


@pytest.mark.parametrize("hand", [(6, 4, 2), (4, 2, 2), (6, 1, 1), (6, 6, 5), (2, 2, 1), (5, 4, 3)])
def test_lookahead_keeps_what_promises_most(hand: tuple[int, ...]) -> None:
    """With one throw left: no other choice beats more of the 216 throws, ties counting half."""
    ranks = load_ruleset("livret").ranks
    every = [ranks[canonical(dice)] for dice in product(range(1, 7), repeat=3)]

    def promise(kept: tuple[int, ...]) -> float:
        ends = [ranks[canonical(kept + dice)] for dice in product(range(1, 7), repeat=3 - len(kept))]
        beaten = sum((rank > end) + (rank == end) / 2 for end in ends for rank in every)
        return beaten / len(ends)

    event = STRATEGIES["lookahead"](load_ruleset("livret"))(Random(1), asked(hand, 1, can_stand=False))
    assert isinstance(event, Throw)
    assert len(event.dice) + len(event.kept) == 3
    best = max(promise(kept) for count in (0, 1, 2) for kept in combinations(hand, count))
    assert promise(event.kept) == pytest.approx(best)


def test_lookahead_stands_when_nothing_better_can_be_expected() -> None:
    choose = STRATEGIES["lookahead"](load_ruleset("livret"))
    assert choose(Random(1), asked((4, 2, 1), 2)) == Stand("A")
    assert choose(Random(1), asked((1, 1, 1), 2)) == Stand("A")
    assert isinstance(choose(Random(1), asked((2, 2, 1), 2)), Throw)
    assert isinstance(choose(Random(1), asked((4, 2, 1), 2, can_stand=False)), Throw)


def test_lookahead_does_better_than_chance() -> None:
    """Played seat against seat on the points of ten rounds."""
    ruleset = load_ruleset("points")
    clever, random_choice = STRATEGIES["lookahead"](ruleset), STRATEGIES["random"](ruleset)
    points = [0, 0]
    for seed in range(30):
        start = new_game(ruleset, ["A", "B"], {})

        def choose(random: Random, now: Expected) -> Stand | Throw:
            chosen = (clever if now.player == "A" else random_choice)(random, now)
            assert isinstance(chosen, Stand | Throw)
            return chosen

        *_, (_, last) = random_events(start, Random(seed), choose)
        points = [sum(pair) for pair in zip(points, last.points, strict=True)]
    assert points[0] > 1.5 * points[1]


def test_dice_are_fair() -> None:
    faces = [0] * 7
    start = new_game("points", ["A", "B", "C"], {})
    for seed in range(20):
        for event, state in random_events(start, Random(seed), STRATEGIES["random"](start.ruleset)):
            assert state.over or expected(state) is not None
            if isinstance(event, Throw):
                for die in event.dice:
                    faces[die] += 1
    share = sum(faces) / 6
    assert all(0.85 * share < count < 1.15 * share for count in faces[1:])


def test_faults() -> None:
    with pytest.raises(SetupError, match="no strategy 'bold'; there are lookahead, random"):
        simulate(load_ruleset("points"), 3, 1, seed=1, strategy="bold")
    with pytest.raises(SetupError, match="is played by 3 to 10 players, not by 2"):
        simulate(load_ruleset("rulebook"), 2, 1, seed=1)


def test_summary() -> None:
    assert summary([3, 1, 2, 10]) == {"mean": 4.0, "least": 1, "middle": 3, "most": 10}
    assert summary([]) == {"mean": 0, "least": 0, "middle": 0, "most": 0}
