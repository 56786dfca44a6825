"""The exceptions of Piste. Every error that a person may have to read is a `PisteError`.

PisteError
├── SetupError      a ruleset, its options or the players do not make a game
├── IllegalEvent    the rules forbid the event at this moment
└── InvalidRecord   a record cannot be read, or does not hold
"""

from __future__ import annotations


class PisteError(Exception):
    """Something went wrong that can be said in a sentence: what, where, and what to do."""


class SetupError(PisteError):
    """No such ruleset, an option it does not have, or players it cannot seat."""


class IllegalEvent(PisteError):
    """An event that the rules do not allow now: `wrong` says why, `allowed` what could happen instead."""

    def __init__(self, wrong: str, allowed: str) -> None:
        super().__init__(f"{wrong} (allowed now: {allowed})")
        self.wrong = wrong
        self.allowed = allowed


class InvalidRecord(PisteError):
    """A fault of a record: `reason` says it in words.

    `where` is empty for the file and its header, otherwise `event N` or `result`.
    """

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.where = where
