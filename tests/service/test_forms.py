"""A database of an older form: brought up whole or not at all, with a copy of it beside it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from scorer.service.forms import keep_copy
from scorer.service.problems import StoreError
from scorer.service.store import GameRow, LogRow, sqlite_store
from scorer.service.table import Table

from .conftest import Client

AT = "2026-03-01T20:15:00.000Z"

FORM_1 = """
CREATE TABLE meta (
    name VARCHAR(40) NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE games (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(40) NOT NULL,
    ruleset VARCHAR(100) NOT NULL,
    options JSON NOT NULL,
    players JSON NOT NULL,
    started_at VARCHAR(40) NOT NULL,
    ended_at VARCHAR(40),
    result JSON,
    "key" VARCHAR(64),
    request VARCHAR(64),
    UNIQUE (id),
    UNIQUE ("key")
);
CREATE TABLE events (
    id INTEGER NOT NULL,
    game VARCHAR(40) NOT NULL,
    seq INTEGER NOT NULL,
    kind VARCHAR(10) NOT NULL,
    payload JSON,
    at VARCHAR(40) NOT NULL,
    roll VARCHAR(40),
    "key" VARCHAR(64),
    request VARCHAR(64),
    PRIMARY KEY (id),
    UNIQUE (game, seq),
    CHECK (kind IN ('event', 'undo')),
    FOREIGN KEY(game) REFERENCES games (id),
    UNIQUE ("key")
);
"""
LYING = """
CREATE TABLE lying (
    game VARCHAR(40) NOT NULL,
    seq INTEGER NOT NULL,
    dice JSON NOT NULL,
    PRIMARY KEY (game, seq),
    FOREIGN KEY(game) REFERENCES games (id)
);
"""
THROWS = [("Ana", [6, 5, 2]), ("Bo", [6, 5, 1]), ("Bo", [4, 2, 1]), ("Cy", [2, 2, 1])]


def make_form_1(folder: Path, *, lying: bool = True, content: bool = True) -> Path:
    """Two games as a Piste of form 1 left them: one abandoned; one of three throws, Bo's first taken back."""
    file = folder / "piste.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(FORM_1 + (LYING if lying else ""))
        if content:
            _fill(db, lying)
        db.commit()
    return file


def _fill(db: sqlite3.Connection, lying: bool) -> None:
    db.executemany("INSERT INTO meta VALUES (?, ?)", [("schema", 1), ("starts", 7)])
    game = "INSERT INTO games (id, ruleset, options, players, started_at, ended_at, result, key, request)"
    names = json.dumps(["Ana", "Bo", "Cy"])
    result = json.dumps({"winners": [], "losers": []})
    db.execute(f"{game} VALUES ('g0', 'rulebook', '{{}}', ?, ?, ?, ?, NULL, NULL)", (names, AT, AT, result))
    db.execute(f"{game} VALUES ('g1', 'rulebook', '{{}}', ?, ?, NULL, NULL, 'start', 'digest')", (names, AT))
    rows: list[tuple[Any, ...]] = [
        ("g0", 1, "event", json.dumps({"type": "abandon", "at": AT}), AT, None, None)
    ]
    seq = 0
    for player, dice in THROWS:
        seq += 1
        throw = {"type": "throw", "player": player, "dice": dice, "at": AT, "source": "tablet"}
        rows.append(("g1", seq, "event", json.dumps(throw), AT, f"r1-{seq}", f"k{seq}"))
        if dice == [6, 5, 1]:
            seq += 1
            rows.append(("g1", seq, "undo", None, AT, None, None))
    db.executemany(
        "INSERT INTO events (game, seq, kind, payload, at, roll, key, request)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'digest')",
        rows,
    )
    if lying:
        db.execute("INSERT INTO lying VALUES ('g1', 5, '[[2, 0.1, 0.1, 0.2, 0.2]]')")


def content_of(file: Path) -> dict[str, list[Any]]:
    """All that a database holds, and how its tables are made."""
    with closing(sqlite3.connect(file)) as db:
        tables = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        return {name: [sql, *db.execute(f"SELECT * FROM {name} ORDER BY 1, 2")] for name, sql in tables}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return make_form_1(tmp_path)


@pytest.fixture
def opened(old: Path) -> Iterator[Client]:
    store = sqlite_store(old.parent)
    client = Client(Table(store))
    yield client
    client.close()
    store.close()


def test_games_of_form_1_go_on(opened: Client) -> None:
    game = opened.game
    assert (game["id"], game["seq"], game["phase"], game["leader"]) == ("g1", 5, "charge", "Bo")
    assert [throw["dice"] for throw in game["throws"]] == [[2, 2, 1], [4, 2, 1], [6, 5, 2]]
    assert [kept["id"] for kept in opened.get("/api/games").json()] == ["g1", "g0"]
    for kept in ("g0", "g1"):
        assert opened.get(f"/api/games/{kept}/record").status_code == 200
    assert opened.table.store.log("g1")[4].lying is not None
    # Keys that were used before are known still, and an undo is what it was.
    assert opened.table.store.request_of("k1") == opened.table.store.request_of("start") == "digest"
    game = opened.post("/api/undo", seq=5).json()["game"]
    assert [throw["dice"] for throw in game["throws"]] == [[4, 2, 1], [6, 5, 2]]


def test_the_copy_is_what_was_there(old: Path) -> None:
    before = content_of(old)
    sqlite_store(old.parent).close()
    assert content_of(old.with_name("piste.db.form1")) == before
    assert content_of(old)["meta"][1:] == [("schema", 2), ("starts", 7)]
    # Once it is of form 2, nothing is copied any more.
    old.with_name("piste.db.form1").unlink()
    sqlite_store(old.parent).close()
    assert not old.with_name("piste.db.form1").exists()


def test_the_tables_are_those_of_a_new_store(old: Path, tmp_path: Path) -> None:
    sqlite_store(old.parent).close()
    (tmp_path / "new").mkdir()
    sqlite_store(tmp_path / "new").close()
    now, new = content_of(old), content_of(tmp_path / "new" / "piste.db")
    assert now.keys() == new.keys()
    for name in ("events", "rulesets", "lying"):
        plain = [" ".join(str(tables[name][0]).replace('"', "").split()) for tables in (now, new)]
        assert plain[0].replace("( ", "(").replace(" )", ")") == plain[1].replace("( ", "(").replace(
            " )", ")"
        )
    with closing(sqlite3.connect(old)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_new_kinds_of_entries_and_rules_can_be_written(old: Path) -> None:
    store = sqlite_store(old.parent)
    store.append("g1", LogRow(6, "undo", None, AT))
    store.append("g1", LogRow(7, "redo", None, AT))
    store.add_game(GameRow("g2", "comptoir", {}, ("Ana", "Bo"), AT, rules={"players": [2, 8]}))
    store.close()
    store = sqlite_store(old.parent)
    assert [row.kind for row in store.log("g1")][-2:] == ["undo", "redo"]
    assert store.newest_game() == GameRow("g2", "comptoir", {}, ("Ana", "Bo"), AT, rules={"players": [2, 8]})
    store.close()


@pytest.mark.parametrize("lying", [True, False])
def test_without_the_newest_table_of_form_1_too(tmp_path: Path, lying: bool) -> None:
    make_form_1(tmp_path, lying=lying)
    store = sqlite_store(tmp_path)
    assert [row.lying is not None for row in store.log("g1")] == [False] * 4 + [lying]
    store.close()


def test_empty_tables_of_form_1_are_a_new_store(tmp_path: Path) -> None:
    make_form_1(tmp_path, content=False)
    store = sqlite_store(tmp_path)
    assert store.count_start() == 1
    store.add_game(GameRow("g1", "rulebook", {}, ("Ana", "Bo", "Cy"), AT))
    store.append("g1", LogRow(1, "redo", None, AT))
    store.close()
    assert not (tmp_path / "piste.db.form1").exists()


STEPS = [
    "ALTER TABLE events",
    "CREATE TABLE events",
    "INSERT INTO events",
    "DROP TABLE",
    "ALTER TABLE games",
    "UPDATE meta",
]


@pytest.mark.parametrize("step", STEPS)
def test_cut_off_anywhere_it_stays_of_form_1(old: Path, step: str) -> None:
    class Killed(BaseException):
        pass

    def watch(_db: object, _cursor: object, statement: str, *_rest: object) -> None:
        if step in " ".join(statement.split()):
            raise Killed

    before = content_of(old)
    sa.event.listen(sa.engine.Engine, "before_cursor_execute", watch)
    try:
        with pytest.raises(Killed):
            sqlite_store(old.parent)
    finally:
        sa.event.remove(sa.engine.Engine, "before_cursor_execute", watch)
    assert content_of(old) == before
    assert content_of(old.with_name("piste.db.form1")) == before
    store = sqlite_store(old.parent)
    assert len(store.log("g1")) == 5
    store.close()


def test_without_a_copy_nothing_is_changed(old: Path) -> None:
    before = content_of(old)
    old.with_name("piste.db.form1").mkdir()  # nothing can be put in its place
    with pytest.raises(
        StoreError, match=r"no copy of them can be made .*nothing was changed: free some space"
    ):
        sqlite_store(old.parent)
    assert content_of(old) == before
    assert not old.with_name("piste.db.form1.part").exists()


def test_a_copy_from_an_earlier_try_is_replaced(old: Path) -> None:
    old.with_name("piste.db.form1").write_bytes(b"half of a copy")
    old.with_name("piste.db.form1.part").write_bytes(b"half of another")
    assert keep_copy(old, 1) == old.with_name("piste.db.form1")
    assert content_of(old.with_name("piste.db.form1")) == content_of(old)
    assert not old.with_name("piste.db.form1.part").exists()


def test_what_has_been_written_ahead_only_is_in_the_copy_too(old: Path) -> None:
    db = sqlite3.connect(old)
    db.execute("UPDATE meta SET value = 8 WHERE name = 'starts'")
    db.commit()
    assert old.with_name("piste.db-wal").stat().st_size > 0
    sqlite_store(old.parent).close()
    db.close()
    assert ("starts", 8) in content_of(old.with_name("piste.db.form1"))["meta"]


def test_entries_of_no_game_are_left_behind(old: Path) -> None:
    with closing(sqlite3.connect(old)) as db:
        db.execute("INSERT INTO events (game, seq, kind, at) VALUES ('gone', 1, 'undo', 'x')")
        db.commit()
    store = sqlite_store(old.parent)
    assert [game.id for game in store.games()] == ["g1", "g0"]
    store.close()


def test_an_unknown_form_is_not_touched(old: Path) -> None:
    with closing(sqlite3.connect(old)) as db:
        db.execute("UPDATE meta SET value = 'two' WHERE name = 'schema'")
        db.commit()
    before = content_of(old)
    with pytest.raises(StoreError, match="kept in form two, this Piste knows form 1 to 2"):
        sqlite_store(old.parent)
    assert content_of(old) == before
