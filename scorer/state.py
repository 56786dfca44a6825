"""The state of a game after an event: frozen, and derived from the events alone.

`State` keeps what belongs to players in columns: tuples with one entry a seat, in the order in which the
players were entered. `Draft` is the same, open for the length of one event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scorer.hands import Hand

if TYPE_CHECKING:
    from scorer.ruleset import PhaseRules, Ruleset

PhaseName = Literal["opening", "charge", "discharge", "rounds", "count", "over"]
End = Literal["opening", "best", "worst", "both"]

NOBODY = -1
"""Stands where a seat is asked for and there is none."""

POT = "pot"
OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Player:
    """One player: `chips` and `points` held, `hand` so far in this round (empty before the first throw) of
    `throws`.

    `left`: has left the game. `is_in`: neither left nor out.
    """

    name: str
    chips: int
    points: int
    is_in: bool
    left: bool
    hand: Hand
    throws: int


@dataclass(frozen=True, slots=True)
class RollOff:
    """A tie being thrown for: `players` in throwing order, `thrown` the dice of those who have thrown
    already.

    `seats` are the players' seats. `end` says what is decided: who leads (`opening`), or which end of the
    round.
    """

    end: End
    players: tuple[str, ...]
    seats: tuple[int, ...]
    thrown: tuple[Hand, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Chips that went from `giver` to `taker`: each a player's name, `pot` or `outside`.

    `chips` is at least 1.
    """

    giver: str
    taker: str
    chips: int


@dataclass(frozen=True, slots=True)
class Score:
    """Points that `player` scored at once."""

    player: str
    points: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """Why the chips (or points) of a round went where they went.

    `rule` names the way of settling: `take_from_pot`, `pay_pot`, `give_to_worst`, `nenette`, `score`, or
    `nothing` when nobody had anybody to settle with. `hands` are all hands in playing order. `best` and
    `worst` name those who stand at that end after all roll-offs (several where that tie did not matter).
    `value` is what the best hand is worth (None: all but one chip), `doubled` says that the worst hand
    doubled it, `due` is what each taker should receive (None: all but one chip), `held` what the giver, pot or
    player, had before, `capped` that this was less than due. `bonus_hand` is the hand that `scores` a bonus at
    the first throw. `rolloffs` are the finished ones of the round, in order.
    """

    rule: str
    phase: PhaseName
    round: int
    hands: tuple[tuple[str, Hand], ...]
    best: tuple[str, ...]
    best_hand: Hand
    worst: tuple[str, ...]
    worst_hand: Hand
    value: int | None
    doubled: bool
    due: int | None
    held: int
    capped: bool
    bonus_hand: Hand | None
    rolloffs: tuple[RollOff, ...]
    moves: tuple[Move, ...]
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What the moment asks for: `player` acts, with throw number `throw` of at most `of` in this turn.

    `dice` is how many dice a throw and what is kept make together, `hand` the hand so far, `throws_left`
    counts this throw too. `can_stand` and `may_keep` are false before a turn's first throw, in the opening
    and in a roll-off.
    """

    player: str
    throw: int
    of: int
    throws_left: int
    dice: int
    hand: Hand
    can_stand: bool
    may_keep: bool
    rolloff: RollOff | None


@dataclass(frozen=True, slots=True)
class State:
    """A game as it stands. Compare states with `==`; the same events always give equal states.

    Columns by seat: `names`, `hands`, `throws` (of the running round or opening), `chips`, `points`, `left`,
    `out`. `pot` is None where the ruleset has none. `order` holds the seats of the running round in playing
    order, `at` the place in it of the one to play, `turn` the seat that acts now (in a roll-off too), `lead`
    the seat of the leader, `limit` the throws a finished leader allows the others (0: not set). `firsts` are
    the seats whose first throw of the round was the bonus hand, `tied_best` and `tied_worst` those still in
    question for an end that matters, `rolloffs` the finished ones of this round, `first_lead` who led round
    1. `moves` and `scores` belong to the last event alone; `settlement` explains the last settled round.
    `ending` is what ended the game: one of the ruleset's `ends`, `alone` (a single player left), `abandoned`,
    or `nobody` (nobody was in any more).
    """

    ruleset: Ruleset
    names: tuple[str, ...]
    seats: Mapping[str, int] = field(repr=False, compare=False)
    phase: PhaseName
    round: int
    lead: int
    order: tuple[int, ...]
    at: int
    turn: int
    limit: int
    hands: tuple[Hand, ...]
    throws: tuple[int, ...]
    firsts: tuple[int, ...]
    rolloff: RollOff | None
    tied_best: tuple[int, ...]
    tied_worst: tuple[int, ...]
    rolloffs: tuple[RollOff, ...]
    first_lead: int
    pot: int | None
    chips: tuple[int, ...]
    points: tuple[int, ...]
    left: tuple[bool, ...]
    out: tuple[bool, ...]
    moves: tuple[Move, ...]
    scores: tuple[Score, ...]
    winners: tuple[str, ...]
    losers: tuple[str, ...]
    scorekeeper: str | None
    settlement: Settlement | None
    ending: str | None

    @property
    def players(self) -> tuple[Player, ...]:
        """All players in seat order, those who left too."""
        return tuple(
            Player(name, chips, points, not (left or out), left, hand, throws)
            for name, chips, points, left, out, hand, throws in zip(
                self.names, self.chips, self.points, self.left, self.out, self.hands, self.throws, strict=True
            )
        )

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def to_play(self) -> str | None:
        """Who acts next; None when the game is over, and on the score pad."""
        return None if self.turn == NOBODY else self.names[self.turn]

    @property
    def leader(self) -> str | None:
        """Who leads the round; None in the opening and on the score pad."""
        return None if self.lead == NOBODY else self.names[self.lead]

    @property
    def throw_limit(self) -> int:
        """How many throws the one to play may use in all; 0 when nobody is to play."""
        if self.turn == NOBODY:
            return 0
        if self.rolloff is not None or self.phase == "opening":
            return 1
        rules = self.ruleset.phases[self.phase]
        return rules.throws if rules.limit == "none" or not self.limit else self.limit

    @property
    def throws_left(self) -> int:
        """How many throws the one to play may still use; 0 when nobody is to play."""
        if self.turn == NOBODY:
            return 0
        return 1 if self.rolloff is not None else self.throw_limit - self.throws[self.turn]


class Draft:
    """A `State` under change; `freeze` closes it. Fields are those of `State`, columns are lists."""

    __slots__ = tuple(State.__dataclass_fields__)

    def __init__(self, state: State) -> None:
        self.ruleset = state.ruleset
        self.names = state.names
        self.seats = state.seats
        self.phase = state.phase
        self.round = state.round
        self.lead = state.lead
        self.order = state.order
        self.at = state.at
        self.turn = state.turn
        self.limit = state.limit
        self.hands = list(state.hands)
        self.throws = list(state.throws)
        self.firsts = state.firsts
        self.rolloff = state.rolloff
        self.tied_best = state.tied_best
        self.tied_worst = state.tied_worst
        self.rolloffs = state.rolloffs
        self.first_lead = state.first_lead
        self.pot = state.pot
        self.chips = list(state.chips)
        self.points = list(state.points)
        self.left = list(state.left)
        self.out = list(state.out)
        self.moves: tuple[Move, ...] = ()
        self.scores: tuple[Score, ...] = ()
        self.winners = state.winners
        self.losers = state.losers
        self.scorekeeper = state.scorekeeper
        self.settlement = state.settlement
        self.ending = state.ending

    def freeze(self) -> State:
        """Return the state that the draft has come to."""
        return State(
            self.ruleset,
            self.names,
            self.seats,
            self.phase,
            self.round,
            self.lead,
            self.order,
            self.at,
            self.turn,
            self.limit,
            tuple(self.hands),
            tuple(self.throws),
            self.firsts,
            self.rolloff,
            self.tied_best,
            self.tied_worst,
            self.rolloffs,
            self.first_lead,
            self.pot,
            tuple(self.chips),
            tuple(self.points),
            tuple(self.left),
            tuple(self.out),
            self.moves,
            self.scores,
            self.winners,
            self.losers,
            self.scorekeeper,
            self.settlement,
            self.ending,
        )

    @property
    def rules(self) -> PhaseRules:
        """What the ruleset says of the running phase."""
        return self.ruleset.phases[self.phase]

    def move(self, giver: int | str, taker: int | str, chips: int) -> None:
        """Move chips between seats, `POT` and `OUTSIDE`, and note it. Zero chips leave no trace."""
        if not chips:
            return
        self._hold(giver, -chips)
        self._hold(taker, chips)
        self.moves += (Move(self._called(giver), self._called(taker), chips),)

    def _hold(self, where: int | str, chips: int) -> None:
        if isinstance(where, int):
            self.chips[where] += chips
        elif where == POT:
            self.pot = (self.pot or 0) + chips

    def _called(self, where: int | str) -> str:
        return self.names[where] if isinstance(where, int) else where

    def score(self, seat: int, points: int) -> None:
        """Give points, and note it."""
        self.points[seat] += points
        self.scores += (Score(self.names[seat], points),)

    def present(self) -> list[int]:
        """Return the seats still in the game, out or not, in seat order."""
        return [seat for seat, left in enumerate(self.left) if not left]

    def after(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return (seat + 1) % len(self.names)

    def finish(self, ending: str) -> None:
        """End the game, saying why; whoever has been named winner or loser stays so."""
        self.phase = "over"
        self.ending = ending
        self.turn = NOBODY
        self.rolloff = None
