"""Rows that cannot be read in a database that is whole: one game's damage is said, and hides nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.service.lying import Lay
from scorer.service.store import LogRow, Store, sqlite_store
from scorer.service.table import Table

from .conftest import Client, roll_of

GAME = [
    "players = '5'",
    "players = '[1, 2, 3]'",
    "players = '[\"Ana'",
    "players = '\"Ana\"'",
    'players = \'["Ana", "Bo", "\\ud800"]\'',
    "players = x'ff00'",
    "options = '[]'",
    "options = '\"x\"'",
    "ruleset = x'00'",
    "rules = '[]'",
    "rules = '{'",
    "started_at = x'00'",
    "ended_at = 'x', result = '[1]'",
    "ended_at = 'x', result = '{\"winners\": 1}'",
    "ended_at = 'x', result = '{\"losers\": [{}]}'",
]
EVENTS = [
    "UPDATE events SET payload = '[]' WHERE seq = 2",
    "UPDATE events SET payload = '{' WHERE seq = 2",
    "UPDATE events SET payload = NULL WHERE seq = 2",
    "UPDATE events SET payload = x'ff00' WHERE seq = 2",
    'UPDATE events SET payload = \'{"type": [], "player": {}}\' WHERE seq = 2',
    "UPDATE events SET kind = 'undo', payload = NULL WHERE seq = 1",
    "UPDATE events SET at = x'00' WHERE seq = 2",
    "UPDATE events SET roll = x'00' WHERE seq = 2",
    "DELETE FROM events WHERE seq = 2",
    "UPDATE events SET seq = 'two' WHERE seq = 2",
]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Store, str, str]]:
    """A store with two games of three throws each, the last of them still on."""
    store = sqlite_store(tmp_path)
    table = Table(store)
    client = Client(table)
    games = []
    for _ in range(2):
        games.append(client.start(replace=True)["id"])
        table.roll_seen(roll_of(6, 5, 2))
        client.throw([6, 5, 2], roll=client.view["roll"]["id"])
        client.throw([4, 2, 1])
        client.throw([4, 4, 1])
    client.close()
    yield store, games[0], games[1]
    store.close()


def _edit(store: Store, statement: str) -> None:
    with sqlite3.connect(store.place) as db:
        db.execute(statement)
    db.close()


@pytest.mark.parametrize("values", GAME)
def test_a_damaged_game_does_not_hide_the_others(kept: tuple[Store, str, str], values: str) -> None:
    store, first, second = kept
    table = Table(store)
    _edit(store, f"UPDATE games SET {values} WHERE id = '{first}'")
    client = Client(table)
    assert [game["id"] for game in client.get("/api/games").json()] == [second]
    for kind in ("record", "csv"):
        answer = client.get(f"/api/games/{first}/{kind}")
        assert (answer.status_code, answer.json()["error"]) == (503, "storage")
        assert f"Game {first} is damaged in the store: its " in answer.json()["message"]
        assert client.get(f"/api/games/{second}/{kind}").status_code == 200
    client.close()


@pytest.mark.parametrize("statement", EVENTS)
def test_a_damaged_log_concerns_its_game_only(kept: tuple[Store, str, str], statement: str) -> None:
    store, first, second = kept
    table = Table(store)
    _edit(store, f"{statement} AND game = '{first}'")
    client = Client(table)
    assert [game["id"] for game in client.get("/api/games").json()] == [second, first]
    for kind in ("record", "csv"):
        answer = client.get(f"/api/games/{first}/{kind}")
        assert (answer.status_code, answer.json()["error"]) == (503, "storage"), answer.text
        assert first in answer.json()["message"]
        assert client.get(f"/api/games/{second}/{kind}").status_code == 200
    client.close()


@pytest.mark.parametrize(
    "damage",
    [f"UPDATE games SET {values} WHERE id = 'GAME'" for values in GAME]
    + [f"{statement} AND game = 'GAME'" for statement in EVENTS],
)
def test_a_service_starts_with_a_notice(kept: tuple[Store, str, str], tmp_path: Path, damage: str) -> None:
    store, first, second = kept
    store.close()
    _edit(store, damage.replace("GAME", second))
    again = sqlite_store(tmp_path)
    client = Client(Table(again))
    assert client.view["game"] is None
    assert client.view["notice"].startswith(f"The last game ({second}) cannot be gone on with: ")
    assert client.get(f"/api/games/{first}/record").status_code == 200
    assert client.start()["seq"] == 0
    assert client.throw([6, 5, 2])["seq"] == 1
    assert client.view["notice"] is None
    client.close()
    again.close()


@pytest.mark.parametrize(
    "dice", ["{", "5", "[[1]]", '[["a", 1, 2, 3, 4]]', "[[Infinity, 1, 2, 3, 4]]", "[null]"]
)
def test_how_dice_lay_is_only_a_hint(
    kept: tuple[Store, str, str], dice: str, caplog: pytest.LogCaptureFixture
) -> None:
    store, _, second = kept
    assert store.log(second)[0].lying is not None
    store.append(second, LogRow(4, "undo", None, "2026", lying=(Lay(6, 0.1, 0.2, 0.15, 0.25),)))
    _edit(store, f"UPDATE lying SET dice = '{dice}' WHERE seq = 1")
    rows = store.log(second)
    assert [row.lying is None for row in rows] == [True, True, True, False]
    assert f"How the dice lay in entry 1 of game {second} cannot be read" in caplog.text
    client = Client(Table(store))
    assert client.game["seq"] == 4
    client.close()


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM meta WHERE name = 'starts'",
        "UPDATE meta SET value = 'many' WHERE name = 'starts'",
        "UPDATE meta SET value = -7 WHERE name = 'starts'",
        "UPDATE meta SET value = 9e999 WHERE name = 'starts'",
        "UPDATE meta SET value = 9223372036854775807 WHERE name = 'starts'",
    ],
)
def test_a_count_of_starts_that_cannot_be_read_begins_anew(tmp_path: Path, damage: str) -> None:
    store = sqlite_store(tmp_path)
    assert [store.count_start(), store.count_start()] == [1, 2]
    _edit(store, damage)
    assert [store.count_start(), store.count_start()] == [1, 2]
    store.close()
