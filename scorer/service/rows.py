"""What the tables keep, as messages, and how a row becomes one when its content may be damaged.

A database can be whole and yet hold a row that nobody can read: edited by hand, or put together again by a
repair. One such game must not hide the others.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.service.lying import Lay, lays_from_json
from scorer.service.problems import DamagedGame

log = logging.getLogger("piste")

KINDS = ("event", "undo", "redo", "change", "insert", "delete")


@dataclass(frozen=True, slots=True)
class Command:
    """What makes a command safe to repeat: the sender's `key` and a digest of what was asked with it."""

    key: str
    request: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    ended_at: str
    winners: tuple[str, ...]
    losers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it was set up. Times are RFC 3339; `rules` are the data of a ruleset of the table's own."""

    id: str
    ruleset: str
    options: dict[str, Any]
    players: tuple[str, ...]
    started_at: str
    result: Result | None = None
    rules: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class HouseRow:
    """A ruleset that a screen has added: the text of its file, added at `at`."""

    id: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry of a game's log: an `event`, an `undo` or `redo`, or a correction: `change`, `insert`, `delete`.

    `payload` is the event as the record writes it, None for undo and redo; of a correction the `number` of the
    event, whether the game was to be cut off (`truncate`), and the `event` that it puts there, if any.

    `seq` counts the game's entries from 1; `roll` is the id of the roll that the throw was confirmed from.
    `lying` tells how the dice lay then, also where the throw was entered by hand; None where nobody saw them.
    """

    seq: int
    kind: str
    payload: dict[str, Any] | None
    at: str
    roll: str | None = None
    lying: tuple[Lay, ...] | None = None


class Unreadable:
    """Stands for the content of a column of JSON that is none: what is not a list, text or object is refused."""


def read_json(text: Any) -> Any:
    """The value of a column of JSON, `Unreadable` where it is none."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return Unreadable()


def game_of(row: Mapping[Any, Any]) -> GameRow:
    """A row of games. Raises DamagedGame."""
    game = str(row["id"])
    if not isinstance(row["ruleset"], str) or not isinstance(row["started_at"], str):
        raise DamagedGame(game, "its ruleset and its beginning must be texts")
    if not isinstance(row["options"], dict):
        raise DamagedGame(game, "its options are no object")
    if not isinstance(row["rules"], dict | None):
        raise DamagedGame(game, "its rules are no object")
    return GameRow(
        game,
        row["ruleset"],
        row["options"],
        _names(game, "players", row["players"]),
        row["started_at"],
        _result(game, row["ended_at"], row["result"]),
        row["rules"],
    )


def games_of(rows: Iterable[Mapping[Any, Any]]) -> list[GameRow]:
    """The rows of games that can be read; of the others the log tells."""
    games = []
    for row in rows:
        try:
            games.append(game_of(row))
        except DamagedGame as error:
            log.warning("%s", error)
    return games


def entry_of(game: str, place: int, row: Mapping[Any, Any], lying: tuple[Lay, ...] | None) -> LogRow:
    """A row of events, the one at `place` of its game, from 1 on. Raises DamagedGame."""
    if row["seq"] != place:
        raise DamagedGame(game, f"entry {place} of its log is missing")
    if row["kind"] not in KINDS:
        raise DamagedGame(game, f"entry {place} of its log is of no known kind")
    payload, roll = row["payload"], row["roll"]
    if not isinstance(payload, type(None) if row["kind"] in ("undo", "redo") else dict):
        raise DamagedGame(game, f"entry {place} of its log is no event")
    if not isinstance(row["at"], str) or not isinstance(roll, str | None):
        raise DamagedGame(game, f"the time and the roll of entry {place} of its log must be texts")
    return LogRow(place, row["kind"], payload, row["at"], roll, lying)


def lying_of(game: str, rows: Iterable[Any]) -> dict[int, tuple[Lay, ...]]:
    """How dice lay, entry by entry. It is only a hint: what cannot be read is left out."""
    lying = {}
    for row in rows:
        try:
            lying[row.seq] = lays_from_json(row.dice)
        except (ValueError, OverflowError) as error:
            log.warning("How the dice lay in entry %s of game %s cannot be read (%s).", row.seq, game, error)
    return lying


def _result(game: str, ended_at: Any, result: Any) -> Result | None:
    if ended_at is None or result is None:
        return None
    if not isinstance(ended_at, str) or not isinstance(result, dict):
        raise DamagedGame(game, "its result is no object")
    winners = _names(game, "winners", result.get("winners", ()))
    return Result(ended_at, winners, _names(game, "losers", result.get("losers", ())))


def _names(game: str, what: str, names: Any) -> tuple[str, ...]:
    if not isinstance(names, Sequence) or isinstance(names, str | bytes):
        raise DamagedGame(game, f"its {what} are no list")
    for name in names:
        if not isinstance(name, str) or not name.isprintable():
            raise DamagedGame(game, f"its {what} are not all names")
    return tuple(names)
