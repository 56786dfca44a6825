"""The shape of a record: which fields its header and its events have, and of what type they are.

What the rules say of an event is not asked here. Every error names the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NamedTuple

from scorer.errors import InvalidEvent, InvalidRecord
from scorer.events import Abandon, Adjust, Entry, Event, Leave, Penalty, Stand, Throw
from scorer.names import shown
from scorer.objections import MOST_ADJUSTED, nobody
from scorer.ruleset import is_built_in
from scorer.strictjson import json_text

FORMAT = "421-record"
VERSION = 1

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)


class Kind(NamedTuple):
    """A type of field: whether a value is of it, and how it is called."""

    fits: Callable[[Any], bool]
    called: str


def is_whole(value: object, low: int, high: int) -> bool:
    """Say whether the value is a whole number from `low` to `high`; 1.0 and true are none."""
    return type(value) is int and low <= value <= high


def is_time(value: object) -> bool:
    """Say whether the value is a time as RFC 3339 writes it, like 2026-03-01T20:15:00Z."""
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return False
    year, month, day, hour, minute, second = map(int, match.group(1, 2, 3, 4, 5, 6))
    east, west = (int(part or 0) for part in match.group(8, 9))
    if not (1 <= month <= 12 and hour <= 23 and minute <= 59 and east <= 23 and west <= 59):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= (29 if leap and month == 2 else _DAYS[month - 1]):
        return False
    if second == 60:  # a leap second is the last of a day in UTC
        offset = (60 * east + west) * (-1 if match.group(7) == "-" else 1)
        return (60 * hour + minute - offset) % 1440 == 1439
    return second <= 59


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_probability(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1  # type: ignore[operator]


def _dice_up_to(least: int) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list) and len(value) >= least and all(is_whole(die, 1, 6) for die in value)
    )


TEXT = Kind(_is_text, "a text")
OBJECT = Kind(_is_object, "an object")
LIST = Kind(lambda value: isinstance(value, list), "a list")
TIME = Kind(is_time, "an RFC 3339 time like 2026-03-01T20:15:00Z")
SOURCE = Kind(lambda value: value in ("camera", "tablet") if _is_text(value) else False, "camera or tablet")
PROBABILITY = Kind(_is_probability, "a number from 0 to 1")
DICE = Kind(_dice_up_to(1), "a list of at least one whole number from 1 to 6")
KEPT = Kind(_dice_up_to(0), "a list of whole numbers from 1 to 6")
REASON = Kind(
    lambda value: value in ("touch", "off_table") if _is_text(value) else False, "touch or off_table"
)
CHIPS = Kind(
    lambda value: is_whole(value, -MOST_ADJUSTED, MOST_ADJUSTED) and value != 0,
    f"a whole number from -{MOST_ADJUSTED} to {MOST_ADJUSTED}, not 0",
)
NAMES = Kind(lambda value: isinstance(value, list) and all(map(_is_text, value)), "a list of names")
THE_FORMAT = Kind(lambda value: _is_text(value) and value == FORMAT, json_text(FORMAT))
THE_VERSION = Kind(lambda value: is_whole(value, VERSION, VERSION), str(VERSION))

HEADER = {
    "format": THE_FORMAT,
    "version": THE_VERSION,
    "ruleset": TEXT,
    "players": NAMES,
    "events": LIST,
}
HEADER_MAY = {"options": OBJECT, "rules": OBJECT, "id": TEXT, "table": TEXT, "started_at": TIME}
EVENT_MAY = {"at": TIME, "source": SOURCE, "confidence": PROBABILITY, "image": TEXT}
EVENTS: dict[str, dict[str, Kind]] = {
    "throw": {"player": TEXT, "dice": DICE},
    "stand": {"player": TEXT},
    "penalty": {"player": TEXT, "reason": REASON},
    "adjust": {"player": TEXT, "chips": CHIPS},
    "leave": {"player": TEXT},
    "abandon": {},
}
THROW_MAY = {"kept": KEPT} | EVENT_MAY


def check_header(head: object) -> None:
    """Raise InvalidRecord for the first fault of the header. `result` is not looked at."""
    if not isinstance(head, dict):
        raise InvalidRecord("it is not a record, which is a JSON object")
    wrong = _wrong_field(head, HEADER, HEADER_MAY, also=("result",), whose="a record")
    if wrong is not None:
        raise InvalidRecord(wrong[0])
    if "rules" in head and is_built_in(head["ruleset"]):
        raise InvalidRecord(f"rules are given beside the built-in ruleset {head['ruleset']}; leave them out")


def entry_from_json(row: object, players: Sequence[str]) -> Entry:
    """Return the event that a record's row writes, with what is known of it.

    Raises InvalidEvent, and AmbiguousEvent for a player's name in another writing.
    """
    types = ", ".join(EVENTS)
    if not isinstance(row, dict):
        raise InvalidEvent(f"an event is an object, not {shortened(row)}", "an object")
    kind = row.get("type")
    if "type" not in row:
        raise InvalidEvent(f"type is missing; it is one of {types}", types, player=_player_in(row))
    if not isinstance(kind, str) or kind not in EVENTS:
        raise InvalidEvent(
            f"there is no event of type {shortened(kind)}; there are {types}", types, player=_player_in(row)
        )
    may = THROW_MAY if kind == "throw" else EVENT_MAY
    wrong = _wrong_field(row, EVENTS[kind], may, also=("type",), whose=f"an event of type {kind}")
    if wrong is not None:
        raise InvalidEvent(*wrong, type=kind, player=_player_in(row))
    event = _event(kind, row)
    if not isinstance(event, Abandon) and event.player not in players:
        raise nobody(event.player, players, "one of " + ", ".join(map(shown, players)), event)
    return Entry(
        event,
        row.get("at"),
        row.get("source"),
        row.get("confidence"),
        row.get("image"),
        extra_fields(row),
    )


def _player_in(row: Mapping[str, Any]) -> str | None:
    player = row.get("player")
    return shown(player) if isinstance(player, str) else None


def extra_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that are kept unchecked: those whose names begin with `_`."""
    return {key: value for key, value in fields.items() if key.startswith("_")}


def _event(kind: str, row: Mapping[str, Any]) -> Event:
    match kind:
        case "throw":
            return Throw(row["player"], tuple(row["dice"]), tuple(row.get("kept", ())))
        case "stand":
            return Stand(row["player"])
        case "penalty":
            return Penalty(row["player"], row["reason"])
        case "adjust":
            return Adjust(row["player"], row["chips"])
        case "leave":
            return Leave(row["player"])
    return Abandon()


def _wrong_field(
    fields: Mapping[str, Any],
    must: Mapping[str, Kind],
    may: Mapping[str, Kind],
    also: Container[str],
    whose: str,
) -> tuple[str, str] | None:
    """Return what is wrong with the first field that does not do, and what would; None if all do."""
    for key, kind in must.items():
        if key not in fields:
            return f"{key} is missing; it is {kind.called}", f"{key}: {kind.called}"
    for key, value in fields.items():
        known = must.get(key) or may.get(key)
        if known is None:
            if key not in also and not key.startswith("_"):
                names = ", ".join([*must, *may])
                return f"{whose} has no field {shortened(key)}; it has {names}", names
        elif not known.fits(value):
            return f"{key} must be {known.called}, not {shortened(value)}", f"{key}: {known.called}"
    return None


def shortened(value: object) -> str:
    """Return the value as JSON, cut where it is too long for a message."""
    try:
        text = shown(json_text(value))
    except RecursionError:
        return "something nested deep"
    return text if len(text) <= 60 else text[:57] + "..."
