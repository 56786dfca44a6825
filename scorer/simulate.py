"""Games played by the program itself, with fair dice, through the engine: how long, who wins, where chips go.

Two strategies say when a player stands and what he keeps:

`lookahead`  A hand is as good as the share of single throws of three dice that it beats, ties counting half.
             The player keeps whatever makes the hand that he will end on best on average, over all throws that he
             has left, and stands as soon as no throw can be expected to better it.
`random`     Where he may, the player stands every second time; otherwise each die is kept or thrown as a coin
             falls, but at least one is thrown.

Nobody leaves, no penalty is given, no game is abandoned. On the score pad, where nothing is thrown, a player who
holds chips hands one to three of them to another who is in, both picked at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

from scorer.errors import SetupError
from scorer.events import Adjust, Event, Stand, Throw
from scorer.game import apply, expected, new_game
from scorer.hands import FACES, Hand, canonical
from scorer.rules import Ruleset
from scorer.state import Expected, State

MOST_EVENTS = 20_000
"""A game of more events than this is given up: house rules may make games that hardly end."""

Choice = Callable[[Random, Expected], Event]
"""What the player who is asked does; `Expected.throw` is greater than 1."""


@dataclass(slots=True)
class Report:
    """What M games came to. Seats count from 1.

    `events`, `throws` and `rounds` have one number a game. `won`, `lost` and `led` count games by seat (a win
    that several share counts for each). `flow` counts chips by giver and taker: seats, `pot`, `outside`.
    `points` are the points scored by seat. `unfinished` games were given up after `MOST_EVENTS`.
    """

    ruleset: str
    options: dict[str, Any]
    players: int
    strategy: str
    seed: int
    games: int = 0
    unfinished: int = 0
    events: list[int] = field(default_factory=list)
    throws: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    rolloffs: int = 0
    won: Counter[int] = field(default_factory=Counter)
    lost: Counter[int] = field(default_factory=Counter)
    led: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    flow: Counter[tuple[str, str]] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON; the same seed gives the same."""
        seats = range(1, self.players + 1)
        flow: dict[str, dict[str, int]] = {}
        for (giver, taker), chips in sorted(self.flow.items()):
            flow.setdefault(giver, {})[taker] = chips
        return {
            "ruleset": self.ruleset,
            "options": self.options,
            "players": self.players,
            "games": self.games,
            "strategy": self.strategy,
            "seed": self.seed,
            "unfinished": self.unfinished,
            "events": summary(self.events),
            "throws": summary(self.throws),
            "rounds": summary(self.rounds),
            "rolloffs": self.rolloffs,
            "wins_by_seat": [self.won[seat] for seat in seats],
            "losses_by_seat": [self.lost[seat] for seat in seats],
            "first_leads_by_seat": [self.led[seat] for seat in seats],
            "points_by_seat": [self.points[seat] for seat in seats],
            "chips_flow": flow,
            "endings": dict(sorted(self.endings.items())),
        }


def summary(numbers: list[int]) -> dict[str, float]:
    """Return the mean (two decimals), the least, the middle and the most of some numbers."""
    ordered = sorted(numbers)
    if not ordered:
        return {"mean": 0, "least": 0, "middle": 0, "most": 0}
    return {
        "mean": round(sum(ordered) / len(ordered), 2),
        "least": ordered[0],
        "middle": ordered[len(ordered) // 2],
        "most": ordered[-1],
    }


def simulate(ruleset: Ruleset, players: int, games: int, seed: int, strategy: str = "lookahead") -> Report:
    """Play the games and return what they came to. Raises SetupError."""
    if strategy not in STRATEGIES:
        raise SetupError(f"there is no strategy {strategy!r}; there are {', '.join(STRATEGIES)}")
    choose = STRATEGIES[strategy](ruleset)
    random = Random(seed)  # noqa: S311  (dice of a simulation)
    report = Report(ruleset.id, dict(ruleset.chosen), players, strategy, seed)
    start = new_game(ruleset, [str(seat) for seat in range(1, players + 1)], ruleset.chosen)
    for _ in range(games):
        _play(start, random, choose, report)
    return report


def random_events(start: State, random: Random, choose: Choice) -> Iterator[tuple[Event, State]]:
    """Play a game to its end (or `MOST_EVENTS`): each event, and the state after it."""
    state = start
    for _ in range(MOST_EVENTS):
        now = expected(state)
        if now is not None:
            dice = tuple(random.choices(FACES, k=now.dice)) if not now.may_keep else ()
            event: Event = Throw(now.player, dice) if dice else choose(random, now)
            state = apply(state, event)
            yield event, state
            continue
        for event in _handed_over(state, random):
            state = apply(state, event)
            yield event, state
        if state.over:
            return


def _play(start: State, random: Random, choose: Choice, report: Report) -> None:
    state, settled, events, throws, rolloffs = start, start.settlement, 0, 0, 0
    for event, state in random_events(start, random, choose):
        events += 1
        throws += isinstance(event, Throw)
        for move in state.moves:
            report.flow[move.giver, move.taker] += move.chips
        if state.settlement is not settled and state.settlement is not None:
            settled = state.settlement
            rolloffs += len(settled.rolloffs)
    report.games += 1
    report.unfinished += not state.over
    report.events.append(events)
    report.throws.append(throws)
    report.rounds.append(state.round)
    report.rolloffs += rolloffs
    report.won.update(int(name) for name in state.winners)
    report.lost.update(int(name) for name in state.losers)
    if state.first_lead >= 0:
        report.led[state.first_lead + 1] += 1
    for seat, points in enumerate(state.points, 1):
        report.points[seat] += points
    if state.ending is not None:
        report.endings[state.ending] += 1


def _handed_over(state: State, random: Random) -> list[Event]:
    """Return the two entries that a hand-over makes on the score pad, none when the game is over."""
    if state.over:
        return []
    inside = [player for player in state.players if player.is_in]
    giver = random.choice([player for player in inside if player.chips])
    taker = random.choice([player for player in inside if player.name != giver.name])
    chips = min(giver.chips, random.randint(1, 3))
    return [Adjust(taker.name, chips), Adjust(giver.name, -chips)]


def _lookahead(ruleset: Ruleset) -> Choice:
    ranks = ruleset.ranks
    ways = Counter(canonical(dice) for dice in product(FACES, repeat=3))

    @cache
    def goodness(hand: Hand) -> float:
        better = sum(count for other, count in ways.items() if ranks[other] > ranks[hand])
        return (better + ways[hand] / 2) / 216

    @cache
    def worth(hand: Hand, throws: int) -> float:
        """How good the hand will be in the end, on average, with so many throws left."""
        return max(goodness(hand), best_keep(hand, throws)[0]) if throws else goodness(hand)

    @cache
    def best_keep(hand: Hand, throws: int) -> tuple[float, Hand]:
        keeps = sorted({canonical(kept) for count in (0, 1, 2) for kept in combinations(hand, count)})
        return max((_mean(kept, lambda end: worth(end, throws - 1)), kept) for kept in keeps)

    def choose(random: Random, now: Expected) -> Event:
        hoped, kept = best_keep(now.hand, now.throws_left)
        if now.can_stand and hoped <= goodness(now.hand):
            return Stand(now.player)
        return Throw(now.player, tuple(random.choices(FACES, k=now.dice - len(kept))), kept)

    return choose


def _mean(kept: Hand, worth: Callable[[Hand], float]) -> float:
    """Return the mean worth over all ways that the dice not kept can fall."""
    thrown = _falls(3 - len(kept))
    total = sum(count * worth(canonical(kept + dice)) for dice, count in thrown.items())
    return total / thrown.total()


@cache
def _falls(count: int) -> Counter[Hand]:
    return Counter(canonical(dice) for dice in product(FACES, repeat=count))


def _at_random(_ruleset: Ruleset) -> Choice:
    def choose(random: Random, now: Expected) -> Event:
        if now.can_stand and random.random() < 0.5:
            return Stand(now.player)
        kept = tuple(die for die in now.hand if random.random() < 0.5)[:2]
        return Throw(now.player, tuple(random.choices(FACES, k=now.dice - len(kept))), kept)

    return choose


STRATEGIES: dict[str, Callable[[Ruleset], Choice]] = {"lookahead": _lookahead, "random": _at_random}
