"""The JSON record of a game: read with care, written plainly, replayed.

A record is strict JSON (RFC 8259) in UTF-8. Faults of the file and its header are found by `load`; those of
an event (its shape, or the rules) and of the result belong to their place in the replay, see `steps`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scorer.errors import EventError, InvalidRecord, SetupError
from scorer.events import Abandon, Adjust, Entry, Event, Leave, Penalty, Stand, Throw
from scorer.game import apply, new_game
from scorer.rules import Ruleset
from scorer.ruleset import is_built_in, ruleset_from_data
from scorer.shapes import FORMAT, VERSION, check_header, entry_from_json, extra_fields, shortened
from scorer.state import State
from scorer.strictjson import json_text, strict_json

MOST_BYTES = 64 << 20
"""The largest file that is read as a record: some 300,000 events with all their fields."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is kept: who played what by which rules, and everything that happened.

    `rules` are the data of a table's own ruleset, None for a built-in one. `result` is what the record says
    of the end, unchecked. `fault` is the first event of wrong shape, where the record was loaded with
    `partial`; `entries` then end before it.
    """

    ruleset: str
    players: tuple[str, ...]
    entries: tuple[Entry, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] | None = None
    id: str | None = None
    table: str | None = None
    started_at: str | None = None
    has_result: bool = False
    result: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    fault: InvalidRecord | None = field(default=None, compare=False)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(entry.event for entry in self.entries)

    def new_game(self) -> State:
        """Return the state before the first event. Raises SetupError."""
        rules: str | Ruleset = (
            self.ruleset if self.rules is None else ruleset_from_data(self.ruleset, self.rules)
        )
        return new_game(rules, self.players, self.options)

    def to_json(self) -> str:
        """Return the record as a file holds it: the canonical form, one event a line, see `docs/record.md`.

        Raises InvalidRecord where fields of its own are nested too deep to be written.
        """
        try:
            return self._written()
        except RecursionError:
            raise InvalidRecord("its own fields are nested too deep to be written") from None

    def _written(self) -> str:
        head: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        optional = {"id": self.id, "table": self.table, "started_at": self.started_at}
        head |= {key: value for key, value in optional.items() if value is not None}
        head |= {"ruleset": self.ruleset, "options": dict(self.options)}
        if self.rules is not None:
            head["rules"] = self.rules
        head["players"] = list(self.players)
        lines = [f"  {json_text(key)}: {json_text(value)}" for key, value in head.items()]
        events = ",\n".join("    " + json_text(entry_to_json(entry)) for entry in self.entries)
        lines.append(f'  "events": [\n{events}\n  ]' if events else '  "events": []')
        tail = ({"result": self.result} if self.has_result else {}) | dict(self.extra)
        lines += [f"  {json_text(key)}: {json_text(value)}" for key, value in tail.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def load(source: str | Path | bytes, *, partial: bool = False) -> Record:
    """Return the record in a file, or in `bytes`. Raises InvalidRecord.

    With `partial`, an event of wrong shape does not raise: the record ends before it and keeps the `fault`.
    """
    head = strict_json(source if isinstance(source, bytes) else _read(Path(source)))
    check_header(head)
    record = Record(
        ruleset=head["ruleset"],
        players=tuple(head["players"]),
        options=head.get("options", {}),
        rules=head.get("rules"),
        id=head.get("id"),
        table=head.get("table"),
        started_at=head.get("started_at"),
        has_result="result" in head,
        result=head.get("result"),
        extra=extra_fields(head),
    )
    try:
        record.new_game()
    except SetupError as error:
        house = record.rules is None and not is_built_in(record.ruleset)
        hint = "; a house ruleset is carried whole, as the record's rules" if house else ""
        raise InvalidRecord(f"{error}{hint}") from None
    entries: list[Entry] = []
    fault = None
    for seq, row in enumerate(head["events"], 1):
        try:
            entries.append(entry_from_json(row, record.players))
        except EventError as error:
            fault = _at_event(seq, error)
            break
    if fault is not None and not partial:
        raise fault
    return replace(record, entries=tuple(entries), fault=fault)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InvalidRecord(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a name that no file can have
        raise InvalidRecord(f"cannot be read: {error}") from None
    if len(data) > MOST_BYTES:
        raise InvalidRecord(f"it is larger than {MOST_BYTES >> 20} MiB, which no record of a game is")
    return data


def steps(record: Record) -> Iterator[tuple[int, State]]:
    """Go through the states after each event, counted from 1. Raises InvalidRecord at the first fault."""
    state = record.new_game()
    seq = 0
    for seq, entry in enumerate(record.entries, 1):
        try:
            state = apply(state, entry.event)
        except EventError as error:
            raise _at_event(seq, error) from error
        yield seq, state
    if record.fault is not None:
        raise record.fault
    if record.has_result:
        expected = result_row(state)
        if record.result != expected:
            wrong = f"the record says {shortened(record.result)}, but the game gives {json_text(expected)}"
            raise InvalidRecord(wrong, "result")


def _at_event(seq: int, error: EventError) -> InvalidRecord:
    fault = InvalidRecord(error.told, f"event {seq}")
    fault.__cause__ = error
    return fault


def state_row(seq: int, state: State) -> dict[str, Any]:
    """Return the state after event `seq` as one line of a replay."""
    rolloff = state.rolloff
    by_points = state.ruleset.by_points
    return {
        "seq": seq,
        "phase": state.phase,
        "round": state.round,
        "rolloff": None if rolloff is None else {"end": rolloff.end, "players": list(rolloff.players)},
        "to_play": state.to_play,
        "throws_left": state.throws_left,
        "pot": state.pot,
        "chips": {
            name: chips
            for name, chips, left in zip(state.names, state.chips, state.left, strict=True)
            if not (by_points or left)
        },
        "points": dict(zip(state.names, state.points, strict=True)) if by_points else {},
        "moves": [{"from": move.giver, "to": move.taker, "chips": move.chips} for move in state.moves],
        "scores": [{"player": score.player, "points": score.points} for score in state.scores],
        "winners": list(state.winners),
        "losers": list(state.losers),
        "scorekeeper": state.scorekeeper,
    }


def result_row(state: State) -> dict[str, list[str]]:
    """Return who has won and lost, as a record's `result` says it."""
    return {"winners": list(state.winners), "losers": list(state.losers)}


def event_to_json(event: Event) -> dict[str, Any]:
    """Return the event as a record writes it."""
    match event:
        case Throw(player, dice, kept):
            row = {"type": "throw", "player": player, "dice": list(dice)}
            return row | ({"kept": list(kept)} if kept else {})
        case Stand(player):
            return {"type": "stand", "player": player}
        case Penalty(player, reason):
            return {"type": "penalty", "player": player, "reason": reason}
        case Adjust(player, chips):
            return {"type": "adjust", "player": player, "chips": chips}
        case Leave(player):
            return {"type": "leave", "player": player}
        case Abandon():
            return {"type": "abandon"}


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """Return the event with what is known of it, as a record writes it."""
    known = {"at": entry.at, "source": entry.source, "confidence": entry.confidence, "image": entry.image}
    row = event_to_json(entry.event) | {key: value for key, value in known.items() if value is not None}
    return row | dict(entry.extra)


def event_from_json(row: object, players: Sequence[str]) -> Event:
    """Return the event that a record's row writes. Raises InvalidEvent or AmbiguousEvent."""
    return entry_from_json(row, players).event
