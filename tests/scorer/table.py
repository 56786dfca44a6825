"""Help for the tests of the rules: short ways to write a game, and games played at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

from scorer.events import Abandon, Adjust, Event, Leave, Penalty, Stand, Throw
from scorer.game import apply, can, expected, new_game
from scorer.hands import Hand, parse
from scorer.state import Draft, PhaseName, State
from scorer.turns import begin_round

# Every ruleset with every combination of its options (of the score pad's start, some).
SETUPS: list[tuple[str, dict[str, Any]]] = [
    ("rulebook", {}),
    ("belgian", {}),
    *[
        ("marquoir", {"chips": chips, "end": end})
        for chips, end in product((7, 11, 21), ("last_holder", "first_out"))
    ],
    *[
        ("livret", {"opening": opening, "plain_hands": plain, "bon": bon})
        for opening, plain, bon in product(("highest", "lowest"), ("ace_high", "numeric"), (False, True))
    ],
    ("points", {}),
    *[("counter", {"start": start}) for start in (1, 11, 99)],
]
FEWEST = {"rulebook": 3, "marquoir": 2, "belgian": 2, "livret": 2, "points": 2, "counter": 2}
MOST = {"rulebook": 10, "marquoir": 6, "belgian": 10, "livret": 10, "points": 10, "counter": 10}
NAMES = ["Ana", "Bo", "Cy", "Dan", "Eve", "Fay", "Gus", "Hal", "Ina", "Jo"]
SOME_HANDS = ("421", "421", "111", "611", "666", "221", "221", "331", "654", "322")


class Table:
    """A game under way: `throw("Ana", "421")`, `stand("Ana")`, and what the state says of it."""

    def __init__(self, ruleset: str, players: str | Sequence[str] = "A B C", **options: Any) -> None:
        names = players.split() if isinstance(players, str) else list(players)
        self.state = new_game(ruleset, names, options)
        self.events: list[Event] = []

    def do(self, event: Event) -> Table:
        self.state = apply(self.state, event)
        self.events.append(event)
        return self

    def throw(self, player: str, dice: str, kept: str = "") -> Table:
        return self.do(Throw(player, tuple(map(int, dice)), tuple(map(int, kept))))

    def throws(self, **dice: str) -> Table:
        """One throw each, in this order: `throws(A="421", B="665")`."""
        for player, thrown in dice.items():
            self.throw(player, thrown)
        return self

    def turn(self, player: str, hand: str) -> Table:
        """A turn of one throw that ends there, by standing if need be."""
        round_before = self.state.round
        self.throw(player, hand)
        if self.state.to_play == player and self.state.round == round_before and self.state.rolloff is None:
            now = expected(self.state)
            if now is not None and now.can_stand:
                self.do(Stand(player))
        return self

    def turns(self, **hands: str) -> Table:
        for player, hand in hands.items():
            self.turn(player, hand)
        return self

    def leave(self, player: str) -> Table:
        return self.do(Leave(player))

    def lead(self, player: str) -> Table:
        """Throw the opening so that `player` leads round 1."""
        opening = self.state.ruleset.opening
        assert opening is not None
        good, poor = ("421", "322") if opening.dice == 3 and not opening.by_total else ("666", "111")
        if opening.lowest_leads:
            good, poor = poor, good
        for name in self.state.names:
            self.throw(name, (good if name == player else poor)[: opening.dice])
        assert self.state.leader == player
        return self

    def at(self, phase: PhaseName, leader: str, pot: int | None = 0, **chips: int) -> Table:
        """Begin a round at this point of a game: what players hold (nothing where not said), who leads."""
        draft = Draft(self.state)
        draft.phase, draft.pot = phase, pot
        draft.chips[:] = [chips.get(name, 0) for name in draft.names]
        draft.first_lead = draft.seats[leader]
        begin_round(draft, draft.seats[leader])
        self.state = draft.freeze()
        return self

    @property
    def chips(self) -> dict[str, int]:
        return {player.name: player.chips for player in self.state.players if not player.left}

    @property
    def points(self) -> dict[str, int]:
        return {player.name: player.points for player in self.state.players}

    @property
    def moves(self) -> list[tuple[str, str, int]]:
        return [(move.giver, move.taker, move.chips) for move in self.state.moves]

    @property
    def scores(self) -> list[tuple[str, int]]:
        return [(score.player, score.points) for score in self.state.scores]


def some_dice(random: Random, count: int) -> tuple[int, ...]:
    """Dice as they fall, with more ties and more of the special hands than real dice give."""
    if count == 3 and random.random() < 0.5:
        dice = list(parse(random.choice(SOME_HANDS)))
        random.shuffle(dice)
        return tuple(dice)
    faces = (6, 5) if random.random() < 0.3 else (1, 2, 3, 4, 5, 6)
    return tuple(random.choice(faces) for _ in range(count))


def some_event(random: Random, state: State, calm: float = 0.97) -> Event | None:
    """A legal event, None when the game is over. With `calm` = 1 nobody leaves and nothing is abandoned."""
    if state.over:
        return None
    here = [player for player in state.players if not player.left]
    if random.random() > calm:
        event: Event = Leave(random.choice(here).name) if random.random() < 0.85 else Abandon()
        if can(state, event):
            return event
    now = expected(state)
    if now is None:
        holders = [player for player in here if player.chips]
        player = random.choice(holders)
        return Adjust(player.name, random.choice([-min(99, player.chips), -1, -1, random.randint(1, 5)]))
    if state.ruleset.penalties and random.random() < 0.08:
        player = random.choice(here)
        penalty = Penalty(player.name, "off_table" if player.name == now.player else "touch")
        if can(state, penalty):
            return penalty
    if now.can_stand and random.random() < 0.4:
        return Stand(now.player)
    kept: Hand = ()
    if now.may_keep:
        kept = tuple(random.sample(now.hand, random.randint(0, 2)))
    return Throw(now.player, some_dice(random, now.dice - len(kept)), kept)


def some_game(
    random: Random,
    ruleset: str,
    options: dict[str, Any],
    *,
    most_events: int = 400,
    calm: float = 0.97,
    see: Callable[[State], None] = lambda state: None,
) -> tuple[list[str], list[Event], State]:
    """A game played at random: its players, its events, its last state. `see` is shown every state."""
    names = NAMES[: random.randint(FEWEST[ruleset], MOST[ruleset])]
    state = new_game(ruleset, names, options)
    events: list[Event] = []
    see(state)
    while len(events) < most_events:
        event = some_event(random, state, calm)
        if event is None:
            break
        state = apply(state, event)
        events.append(event)
        see(state)
    return names, events, state
