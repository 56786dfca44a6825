"""Everything that can happen in a game. The list of these is the game; the rest is derived from it.

Players are named exactly as they were when the game was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, slots=True)
class Throw:
    """`player` threw `dice` (values in any order), having kept the values `kept` of the hand so far."""

    type: ClassVar[str] = "throw"
    player: str
    dice: tuple[int, ...]
    kept: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """`player` ends the turn while throws are left."""

    type: ClassVar[str] = "stand"
    player: str


@dataclass(frozen=True, slots=True)
class Penalty:
    """`player` takes a penalty chip: touched the dice out of turn, or threw one off the table."""

    type: ClassVar[str] = "penalty"
    player: str
    reason: Literal["touch", "off_table"]


@dataclass(frozen=True, slots=True)
class Adjust:
    """On the score pad, `player` picked up `chips` or, negative, got rid of them: -99 to 99, not 0."""

    type: ClassVar[str] = "adjust"
    player: str
    chips: int


@dataclass(frozen=True, slots=True)
class Leave:
    """`player` leaves the game for good."""

    type: ClassVar[str] = "leave"
    player: str


@dataclass(frozen=True, slots=True)
class Abandon:
    """The table stops: the game is over as it stands."""

    type: ClassVar[str] = "abandon"


Event = Throw | Stand | Penalty | Adjust | Leave | Abandon


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as a record keeps it, with what is known of it.

    `at` is an RFC 3339 time, `source` is `camera` or `tablet`, `confidence` a probability, `image` the name
    of the picture that shows it. `extra` holds the fields whose names begin with `_`, as they were.
    """

    event: Event
    at: str | None = None
    source: str | None = None
    confidence: float | None = None
    image: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
