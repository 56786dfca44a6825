"""One game in memory: its log, and the states that its events lead to.

The log only grows. An undo is an entry of its own; the events that stand are those not taken back, and the
states are always what replaying them gives.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.errors import InvalidRecord, PisteError, SetupError
from scorer.events import Abandon, Event, Throw
from scorer.game import apply, new_game
from scorer.record import event_from_json, event_to_json
from scorer.ruleset import ruleset_from_data
from scorer.service.lying import Lay
from scorer.service.problems import StoreError
from scorer.service.store import GameRow, LogRow, Result, Store
from scorer.state import State

log = logging.getLogger("piste")


class Play:
    """A game as set up in `row`, before its first event. Raises SetupError."""

    def __init__(self, row: GameRow) -> None:
        self.row = row
        self.seq = 0
        self.entries: list[LogRow] = []
        rules = row.ruleset if row.rules is None else ruleset_from_data(row.ruleset, row.rules)
        self._states: list[State] = [new_game(rules, row.players, row.options)]

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

    @property
    def last_throw(self) -> LogRow | None:
        """The entry of the last throw that stands."""
        throws = (entry for entry in reversed(self.entries) if (entry.payload or {}).get("type") == "throw")
        return next(throws, None)

    @property
    def last_throw_seq(self) -> int:
        """The place of that entry in the log, 0 before the first throw."""
        return 0 if self.last_throw is None else self.last_throw.seq

    def saw(self, seq: int, roll: str, lying: tuple[Lay, ...]) -> None:
        """The throw of entry `seq`, entered by hand, has come to rest: `roll` shows it, its dice lie so.

        Only noted here: nothing of the game hangs on it, and the log is not written twice.
        """
        self.entries = [
            replace(entry, roll=roll, lying=lying) if entry.seq == seq else entry for entry in self.entries
        ]

    def steps(self) -> Iterator[tuple[State, Event]]:
        """The events that stand, each with the state before it."""
        return (
            (before, self.event(entry)) for before, entry in zip(self._states, self.entries, strict=False)
        )

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

    def thrown(self, entry: LogRow) -> Throw | None:
        """The throw of an entry, where it is one."""
        event = self.event(entry)
        return event if isinstance(event, Throw) else None

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


def newest(store: Store) -> tuple[Play | None, str | None]:
    """The newest game of the store, to go on with; where that cannot be, why. Raises StoreError."""
    row = store.newest_game()
    if row is None:
        return None, None
    try:
        return Play.replay(row, store.log(row.id)), None
    except StoreError:
        raise
    except PisteError as error:
        why = f"The last game ({row.id}) cannot be gone on with: {error}. It is kept; start another."
        log.error("%s", why)
        return None, why


def abandoned(play: Play, at: str) -> tuple[str, LogRow, Result]:
    """The last entry of a game that makes room for another."""
    entry = LogRow(play.seq + 1, "event", {**event_to_json(Abandon()), "at": at, "source": "tablet"}, at)
    state = play.after(entry)
    return play.row.id, entry, Result(at, state.winners, state.losers)


def result_of(state: State, at: str) -> Result | None:
    """How a game that is over has ended; None while it goes on."""
    return Result(at, state.winners, state.losers) if state.over else None


def check_names(players: Sequence[str]) -> None:
    """Raise SetupError for a name with line breaks or invisible signs: it is shown on every screen and in files."""
    for player in players:
        if not player.isprintable():
            raise SetupError(f"the name {player!r} has signs in it that cannot be shown")
