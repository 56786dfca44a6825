"""What a ruleset is, once its data have been read: frozen classes, and tables ready for the game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scorer.errors import SetupError
from scorer.hands import Hand, canonical
from scorer.policies.ends import Ends
from scorer.policies.order import Leads, Plays
from scorer.policies.settle import Settle

OptionValue = bool | int | str


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a ruleset leaves to the table: one of `values`, or a whole number from `low` to `high`.

    `name` and the `labels` of text values are in English and French. `sets` is the place in the data that the
    value goes to; `patch` gives, for a value, places and what is put there.
    """

    id: str
    values: tuple[OptionValue, ...]
    low: int
    high: int
    default: OptionValue
    name: Mapping[str, str]
    labels: Mapping[str, Mapping[str, str]]
    sets: str | None
    patch: Mapping[str, Mapping[str, Any]]

    def takes(self, value: object) -> bool:
        """Say whether the value may be chosen; 1 is not true, 11.0 is not 11."""
        if self.values:
            return any(type(value) is type(own) and value == own for own in self.values)
        return type(value) is int and self.low <= value <= self.high

    def take(self, value: object) -> OptionValue:
        """Return the value if it may be chosen. Raises SetupError."""
        if not self.takes(value) or not isinstance(value, bool | int | str):
            raise SetupError(f"option {self.id} is {self.allowed}, not {written(value)}")
        return value

    @property
    def allowed(self) -> str:
        """Return in words what may be chosen."""
        if not self.values:
            return f"a whole number from {self.low} to {self.high}"
        return " or ".join(written(value) for value in self.values)


@dataclass(frozen=True, slots=True)
class Opening:
    """How the first leader is found.

    `dice` thrown by each, read by rank or by total, highest or lowest leads.
    """

    dice: int
    by_total: bool
    lowest_leads: bool
    scorekeeper: bool


@dataclass(frozen=True, slots=True)
class PhaseRules:
    """One phase: the throws of a turn, who plays, which ends of a tie matter, how a round is settled, who
    leads next.

    `limit`: `none`, or the leader sets it and the others may use at most (`leader`) or must use (`exact`) as
    many. Under `to_worst_under` the worst end matters too. `first` names the leader of the phase's first
    round, where it is not the round before that tells. `count`, `point`, `bonus_hand` and `bonus_points` are
    of a game by points.
    """

    throws: int
    limit: str
    plays: Plays
    best_matters: bool
    worst_matters: bool
    settle: Settle
    next: Leads
    first: Leads | None
    to_worst_under: Hand | None
    count: int
    point: int
    bonus_hand: Hand | None
    bonus_points: int


class Nenette(NamedTuple):
    """The hand whose holders each receive `chips`, whatever the best hand is."""

    hand: Hand
    chips: int


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A ruleset with its options chosen. Two are equal when id, data and chosen options are.

    `ranks` gives 1 (best) to 56 (worst), `values` chips, None for a hand worth all chips but one, `nicknames`
    what some hands are called here, in English and French. `pot` is None where there is none. `data` is the
    whole as it was read.
    """

    id: str
    data: Mapping[str, Any] = field(repr=False)
    chosen: Mapping[str, OptionValue]
    built_in: bool = field(compare=False, repr=False)
    position: int = field(compare=False, repr=False)
    name: Mapping[str, str] = field(compare=False, repr=False)
    about: Mapping[str, str] = field(compare=False, repr=False)
    min_players: int = field(compare=False, repr=False)
    max_players: int = field(compare=False, repr=False)
    options: Mapping[str, Option] = field(compare=False, repr=False)
    ranks: Mapping[Hand, int] = field(compare=False, repr=False)
    values: Mapping[Hand, int | None] = field(compare=False, repr=False)
    nicknames: Mapping[Hand, Mapping[str, str]] = field(compare=False, repr=False)
    chips_each: int = field(compare=False, repr=False)
    pot: int | None = field(compare=False, repr=False)
    opening: Opening | None = field(compare=False, repr=False)
    phases: Mapping[str, PhaseRules] = field(compare=False, repr=False)
    rolloff_dice: int = field(compare=False, repr=False)
    nenette: Nenette | None = field(compare=False, repr=False)
    double_under: Hand | None = field(compare=False, repr=False)
    penalties: tuple[str, ...] = field(compare=False, repr=False)
    ends: tuple[Ends, ...] = field(compare=False, repr=False)

    @property
    def by_points(self) -> bool:
        """Whether points are scored instead of chips moved."""
        return "rounds" in self.phases

    @property
    def score_pad(self) -> bool:
        """Whether chips are entered by hand, without dice."""
        return self.opening is None

    def value(self, hand: str | Iterable[int]) -> int | None:
        """Return the chips a hand is worth; None where it is worth all chips but one."""
        return self.values[canonical(map(int, hand))]

    def rank(self, hand: str | Iterable[int]) -> int:
        """Return the rank of a hand, 1 (best) to 56 (worst)."""
        return self.ranks[canonical(map(int, hand))]


def written(value: object) -> str:
    """Return an option's value as a record writes it."""
    try:
        return json.dumps(value, ensure_ascii=False, default=repr)
    except RecursionError:
        return "something nested deep"
