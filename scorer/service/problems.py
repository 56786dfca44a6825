"""What a command can be refused for.

Refused             the command was not applied: HTTP status, a word for programs, a sentence for people
DamagedGame         one game cannot be read, the others can
StoreError          the games cannot be read or written: disk full, read-only, damaged, in use
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.errors import PisteError


class Refused(PisteError):
    """A command that is not applied. `table`: the answer shows the table as it is now; `more` goes with it."""

    def __init__(
        self,
        status: int,
        error: str,
        message: str,
        *,
        table: bool = False,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.error = error
        self.message = message
        self.table = table
        self.more = dict(more or {})


class StoreError(PisteError):
    """The store refuses; the sentence says what is wrong and what to do. Nothing has been written."""


class DamagedGame(PisteError):
    """The store is whole, but what it holds of this game makes no sense."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(f"game {game} is damaged in the store: {why}")


def sentence(error: Exception) -> str:
    """The engine's words as a sentence."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
