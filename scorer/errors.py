"""The exceptions of Piste. Every error that a person may have to read is a `PisteError`.

PisteError
├── SetupError          a ruleset, its options or the players do not make a game
├── EventError          an event cannot happen: which, whose, what is wrong, what was allowed
│   ├── InvalidEvent    it cannot be read: a field is missing, of the wrong type or out of range (also an
│   │                   InvalidRecord, since it makes a record unreadable)
│   └── IllegalEvent    the rules forbid it at this moment
│       └── AmbiguousEvent  as it stands it is illegal, but it may have meant what is legal; nobody guesses
├── CorrectionError     a correction of a game cannot be made
└── InvalidRecord       a record cannot be read, or does not hold
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from scorer.names import shown

if TYPE_CHECKING:
    from scorer.events import Event

_FAULTS_TOLD = 3


class PisteError(Exception):
    """Something went wrong that can be said in a sentence: what, where, and what to do."""


class Fault(NamedTuple):
    """One fault of a ruleset's data: the `key` it is at (`charge.throws`, empty for the whole), the `line` of
    the file where known, and in words what is wrong and what would do.
    """

    key: str
    line: int | None
    text: str

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        return place + self.text


class SetupError(PisteError):
    """No such ruleset, an option it does not have, or players it cannot seat.

    `faults` lists all that is wrong with a ruleset's data; the message tells the first few.
    """

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)

    @classmethod
    def of_rules(cls, faults: Sequence[Fault]) -> SetupError:
        """Return the error for the faults of a ruleset's data."""
        told = "; ".join(fault.text for fault in faults[:_FAULTS_TOLD])
        more = len(faults) - _FAULTS_TOLD
        return cls(f"rules: {told}" + (f"; and {more} more" if more > 0 else ""), faults)


class InvalidRecord(PisteError):
    """A fault of a record: `reason` says it in words.

    `where` is empty for the file and its header, otherwise `event N` or `result`.
    """

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.where = where


class EventError(PisteError):
    """An event that cannot happen. `wrong` says why, `allowed` what could stand there or happen instead.

    `event` is the event, None where it could not even be read; `type` and `player` are what is known of it.
    """

    kind: Literal["invalid", "illegal", "ambiguous"]

    def __init__(
        self,
        wrong: str,
        allowed: str,
        *,
        event: Event | None = None,
        type: str | None = None,
        player: str | None = None,
    ) -> None:
        super().__init__(self._said(wrong, allowed))
        self.wrong = wrong
        self.allowed = allowed
        self.event = event
        self.type = type
        self.player = player

    @property
    def told(self) -> str:
        """The error with its kind, the event's type and the player, for where the event is not in sight."""
        by = f" of {shown(self.player)}" if self.player is not None else ""
        return f"{self.kind} {self.type or 'event'}{by}: {self}"

    def _said(self, wrong: str, allowed: str) -> str:
        return f"{wrong} (allowed now: {allowed})"


class InvalidEvent(EventError, InvalidRecord):
    """An event that cannot be read; `wrong` says what `allowed` would have been, too."""

    kind = "invalid"

    def _said(self, wrong: str, allowed: str) -> str:
        return wrong


class IllegalEvent(EventError):
    """An event that the rules do not allow now."""

    kind: Literal["illegal", "ambiguous"] = "illegal"


class AmbiguousEvent(IllegalEvent):
    """An event that is not legal as it stands, though it may have meant something that is.

    `readings` are the legal events that it may have meant: kept dice that were not told, dice told as thrown
    and as kept, a name in another writing. None of them is taken: who sent the event chooses.
    """

    kind = "ambiguous"

    def __init__(
        self,
        wrong: str,
        allowed: str,
        readings: Sequence[Event],
        *,
        event: Event | None = None,
        type: str | None = None,
        player: str | None = None,
    ) -> None:
        super().__init__(wrong, allowed, event=event, type=type, player=player)
        self.readings = tuple(readings)


class CorrectionError(PisteError):
    """A correction that cannot be made: no such event, nothing to take back, or later events would break."""
