"""One game in memory: its log, and what it leads to.

The log only grows. What stands after each of its entries, and how undos, redos and corrections work together, is
what `scorer.corrections` makes of them, here and when the log is read again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.corrections import (
    Change,
    Correction,
    Delete,
    History,
    Insert,
    Plan,
    accept,
    append,
    begin,
    propose,
    redo,
    undo,
)
from scorer.errors import InvalidRecord, PisteError, SetupError
from scorer.events import Abandon, Entry, Event, Throw
from scorer.game import new_game
from scorer.record import event_to_json
from scorer.ruleset import ruleset_from_data
from scorer.service.lying import Lay
from scorer.service.problems import StoreError
from scorer.service.store import GameRow, LogRow, Result, Store
from scorer.shapes import entry_from_json
from scorer.state import State

log = logging.getLogger("piste")

CORRECTIONS = ("change", "insert", "delete")


@dataclass(frozen=True, slots=True)
class Kept(Entry):
    """An event of a game; `seq` is the entry of its log that brought it. What was corrected keeps the original's."""

    seq: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera saw of an event: the `roll` that shows it, and how its dice lay; None where it did not."""

    roll: str | None
    lying: tuple[Lay, ...] | None


class Play:
    """A game as set up in `row`, before its first event. Raises SetupError."""

    def __init__(self, row: GameRow) -> None:
        self.row = row
        self.seq = 0
        rules = row.ruleset if row.rules is None else ruleset_from_data(row.ruleset, row.rules)
        self.history: History = begin(new_game(rules, row.players, row.options))
        self._seen: dict[int, Seen] = {}

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
        return self.history.state

    @property
    def entries(self) -> tuple[Kept, ...]:
        """The events that stand."""
        return tuple(map(_kept, self.history.entries))

    def steps(self) -> Iterator[tuple[State, Event]]:
        """The events that stand, each with the state before it."""
        events = (entry.event for entry in self.history.entries)
        return zip(self.history.states, events, strict=False)

    @property
    def last_throw(self) -> Kept | None:
        """The last throw that stands."""
        return next((entry for entry in reversed(self.entries) if isinstance(entry.event, Throw)), None)

    def throw_of(self, seq: int) -> Throw | None:
        """The throw that entry `seq` of the log brought, as it stands, corrected or not; None if there is none."""
        events = (entry.event for entry in self.entries if entry.seq == seq)
        return next((event for event in events if isinstance(event, Throw)), None)

    def seen(self, seq: int) -> Seen:
        """What the camera saw of the event that entry `seq` of the log brought."""
        return self._seen.get(seq, Seen(None, None))

    def saw(self, seq: int, roll: str, lying: tuple[Lay, ...]) -> None:
        """The throw of entry `seq`, entered by hand, has come to rest: `roll` shows it, its dice lie so.

        Only noted here: nothing of the game hangs on it, and the log is not written twice.
        """
        self._seen[seq] = Seen(roll, lying)

    def after(self, row: LogRow) -> History:
        """What `row` would lead to as the next entry of the log. Raises EventError, CorrectionError, InvalidRecord."""
        if row.kind == "undo":
            return undo(self.history, row.at)
        if row.kind == "redo":
            return redo(self.history, row.at)
        if row.kind in CORRECTIONS:
            return accept(self.plan(row), row.at, truncate=(row.payload or {}).get("truncate") is True)
        return append(self.history, self._entry(row.payload, row.seq), row.at)

    def plan(self, row: LogRow) -> Plan:
        """What the correction of `row` would do. Raises EventError, CorrectionError, InvalidRecord."""
        payload = row.payload or {}
        number = payload.get("number")
        if type(number) is not int:
            raise InvalidRecord("a correction names an event by its number")
        if row.kind == "delete":
            return propose(self.history, Delete(number))
        there = self.entries[number - 1 : number] if row.kind == "change" and number > 0 else ()
        entry = self._entry(payload.get("event"), there[0].seq if there else row.seq)
        correction: Correction = Change(number, entry) if row.kind == "change" else Insert(number, entry)
        return propose(self.history, correction)

    def append(self, row: LogRow, history: History) -> None:
        """Take in `row`, which leads to `history`; it is in the store already."""
        self.seq = row.seq
        self.history = history
        if row.roll is not None or row.lying is not None:
            self._seen[row.seq] = Seen(row.roll, row.lying)
        self.row = replace(self.row, result=result_of(history, row.at))

    def _entry(self, payload: Any, seq: int) -> Kept:
        entry = entry_from_json(payload, self.row.players)
        return Kept(
            entry.event, entry.at, entry.source, entry.confidence, entry.image, extra=entry.extra, seq=seq
        )


def _kept(entry: Entry) -> Kept:
    assert isinstance(entry, Kept)  # none other is ever entered here
    return entry


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
    row = LogRow(play.seq + 1, "event", {**event_to_json(Abandon()), "at": at, "source": "tablet"}, at)
    state = play.after(row).state
    return play.row.id, row, Result(at, state.winners, state.losers)


def result_of(history: History, at: str) -> Result | None:
    """How a game that is over has ended, with its last event; None while it goes on. `at` is the time now."""
    state = history.state
    if not state.over:
        return None
    return Result(history.entries[-1].at or at, state.winners, state.losers)


def check_names(players: Sequence[str]) -> None:
    """Raise SetupError for a name with line breaks or invisible signs: it is shown on every screen and in files."""
    for player in players:
        if not player.isprintable():
            raise SetupError(f"the name {player!r} has signs in it that cannot be shown")
