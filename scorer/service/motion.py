"""What moves on the table and what lies there, and whose the motion is.

A throw entered by hand while the dice still roll is the throw that rolls. Without this, dice that come to rest
after their throw was entered would be read as the next player's.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from scorer.service.watching import Asked

UNDER_WAY = frozenset({"moving", "hand", "settling"})
REST = frozenset({"still", "read", "unsure"})
EMPTY = "empty"
OVER = frozenset({"empty", "starting", "gone", "ended", "none"})


@dataclass(frozen=True, slots=True)
class Entered:
    """A throw entered by hand as entry `seq` of the log, when the game asked for `asked`."""

    seq: int
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    asked: Asked | None


class Motion:
    """The motion under way, and the throw by hand that it belongs to. Not locked: the table is."""

    def __init__(self) -> None:
        self.under_way = False
        self._entered: Entered | None = None
        self._rested = False
        self._lying: str | None = None

    def camera_is(self, state: str) -> None:
        """The state of the camera has changed; a motion ends as the next one begins, or with nothing there."""
        self.under_way = state in UNDER_WAY
        if state in OVER or (self.under_way and self._rested):
            self._entered = None
        self._rested = state in REST
        if state == EMPTY:
            self._lying = None

    def seen(self, roll: str) -> None:
        """The dice of that roll have come to rest, and so those of any other are gone."""
        self._lying = roll

    def lies(self, roll: str) -> bool:
        """Whether the dice of that roll lie there now, as far as anybody can tell."""
        return roll == self._lying and not self.under_way

    def belongs(self, entered: Entered) -> None:
        """The motion under way, if any, is the throw just entered."""
        self._entered = entered if self.under_way else None

    def taken_back(self, seq: int) -> None:
        """Entry `seq` of the log is taken back."""
        if self._entered is not None and self._entered.seq == seq:
            self._entered = None

    def stands(self, seqs: Container[int]) -> None:
        """The events that stand are those that these entries of the log brought."""
        if self._entered is not None and self._entered.seq not in seqs:
            self._entered = None

    def rolled(self, dice: int) -> Entered | None:
        """The throw that a roll of so many dice belongs to, None if it is a new one.

        A roll with fewer dice than were thrown is a look past a hand: the rest of them are still to come.
        """
        entered = self._entered
        if entered is not None and dice >= len(entered.dice):
            self._entered = None
        return entered
