"""One game in memory: its log, and the states that its events lead to.

The log only grows. An undo is an entry of its own; the events that stand are those not taken back, and the
states are always what replaying them gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.errors import InvalidRecord, PisteError
from scorer.events import Event
from scorer.game import apply, new_game
from scorer.record import event_from_json
from scorer.service.store import GameRow, LogRow, Result
from scorer.state import State


class Play:
    """A game as set up in `row`, before its first event. Raises SetupError."""

    def __init__(self, row: GameRow) -> None:
        self.row = row
        self.seq = 0
        self.entries: list[LogRow] = []
        self._states: list[State] = [new_game(row.ruleset, row.players, row.options)]

    @classmethod
    def replay(cls, row: GameRow, log: Sequence[LogRow]) -> Play:
        """The game after all of its log. Raises PisteError, naming the entry that does not hold."""
        play = cls(row)
        for entry in log:
            try:
                play.append(entry, play.after(entry))
            except PisteError as error:
                raise InvalidRecord(f"entry {entry.seq}: {error}") from error
        return play

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._states[-1]

    @property
    def can_undo(self) -> bool:
        """Whether there is an event to take back."""
        return bool(self.entries)

    def after(self, entry: LogRow) -> State:
        """The state that `entry` would lead to. Raises IllegalEvent, InvalidRecord."""
        if entry.kind == "undo":
            if not self.entries:
                raise InvalidRecord("there is nothing to take back")
            return self._states[-2]
        return apply(self.state, self.event(entry))

    def event(self, entry: LogRow) -> Event:
        """The event of a log entry."""
        return event_from_json(entry.payload, self.row.players)

    def append(self, entry: LogRow, state: State) -> None:
        """Take in `entry`, which leads to `state`; it is in the store already."""
        self.seq = entry.seq
        if entry.kind == "undo":
            self.entries.pop()
            self._states.pop()
        else:
            self.entries.append(entry)
            self._states.append(state)
        self.row = replace(self.row, result=result_of(state, entry.at))


def result_of(state: State, at: str) -> Result | None:
    """How a game that is over has ended; None while it goes on."""
    return Result(at, state.winners, state.losers) if state.over else None
