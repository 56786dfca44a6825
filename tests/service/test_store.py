"""The store: what is written is there, what is refused is not, and every refusal says what to do."""

from __future__ import annotations

import errno
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from scorer.service.folder import FolderLock, default_folder
from scorer.service.lying import Lay
from scorer.service.problems import StoreError
from scorer.service.store import Command, GameRow, LogRow, Result, Store, sqlite_store

AT = "2026-03-01T20:15:00.000Z"
GAME = GameRow("g1", "rulebook", {}, ("Ana", "Bo", "Cy"), AT)


def entry(seq: int, **more: object) -> LogRow:
    payload = {"type": "throw", "player": "Ana", "dice": [6, 5, 2]}
    return LogRow(seq, "event", payload, AT, **more)  # type: ignore[arg-type]


def test_a_game_and_its_log_come_back_as_they_were_written(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path)
    store.add_game(GAME)
    lying = (Lay(6, 0.1, 0.2, 0.15, 0.25), Lay(5, 0.3, 0.2, 0.35, 0.25))
    rows = [entry(1, roll="r1-1", lying=lying), LogRow(2, "undo", None, AT), entry(3)]
    for row in rows:
        store.append("g1", row)
    store.close()

    again = sqlite_store(tmp_path)
    assert again.newest_game() == GAME
    assert again.log("g1") == rows
    again.close()


def test_sqlite_writes_ahead_and_waits_for_the_disk(store: Store) -> None:
    with store._engine.connect() as db:
        assert db.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"
        assert db.execute(sa.text("PRAGMA synchronous")).scalar() == 2
        assert db.execute(sa.text("PRAGMA foreign_keys")).scalar() == 1


def test_a_start_cut_off_while_it_makes_the_tables_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables are made in the transaction that fills them."""

    class Killed(BaseException):
        pass

    def killed(_db: sa.Connection) -> None:
        raise Killed

    sa.event.listen(sa.engine.Engine, "before_cursor_execute", watch := _at_insert(killed))
    try:
        with pytest.raises(Killed):
            sqlite_store(tmp_path)
    finally:
        sa.event.remove(sa.engine.Engine, "before_cursor_execute", watch)
    with sqlite3.connect(tmp_path / "piste.db") as db:
        assert db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    db.close()
    store = sqlite_store(tmp_path)
    assert store.count_start() == 1
    store.close()


def _at_insert(then: Callable[[sa.Connection], None]) -> Callable[..., None]:
    def watch(db: sa.Connection, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.startswith("INSERT"):
            then(db)

    return watch


def test_tables_without_content_are_a_new_store(tmp_path: Path) -> None:
    sqlite_store(tmp_path).close()
    with sqlite3.connect(tmp_path / "piste.db") as db:  # as an earlier start that was cut off may leave it
        db.execute("DELETE FROM meta")
        db.execute("DROP TABLE lying")
    db.close()
    store = sqlite_store(tmp_path)
    assert store.count_start() == 1
    store.add_game(GAME)
    store.close()


def test_a_store_from_before_dice_were_kept_where_they_lay(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path)
    store.add_game(GAME)
    store.append("g1", entry(1))
    store.close()
    with sqlite3.connect(tmp_path / "piste.db") as db:
        db.execute("DROP TABLE lying")
    db.close()
    store = sqlite_store(tmp_path)
    assert store.log("g1") == [entry(1)]
    store.append("g1", entry(2, lying=(Lay(6, 0.1, 0.2, 0.15, 0.25),)))
    assert [row.lying is None for row in store.log("g1")] == [True, False]
    store.close()


def test_the_log_takes_each_place_once(store: Store) -> None:
    store.add_game(GAME)
    store.append("g1", entry(1))
    with pytest.raises(StoreError):
        store.append("g1", entry(1))
    assert len(store.log("g1")) == 1


def test_an_entry_needs_its_game(store: Store) -> None:
    with pytest.raises(StoreError):
        store.append("g9", entry(1))


def test_newest_first_and_results(store: Store) -> None:
    store.add_game(GAME)
    store.append("g1", entry(1), Result(AT, ("Ana",), ()))
    store.add_game(GameRow("g2", "belgian", {}, ("Ana", "Bo"), AT))
    games = store.games()
    assert [game.id for game in games] == ["g2", "g1"]
    assert games[1].result == Result(AT, ("Ana",), ())
    assert store.game("g1") == games[1]
    assert store.game("nope") is None


def test_an_undo_after_the_end_takes_the_result_back(store: Store) -> None:
    store.add_game(GAME)
    store.append("g1", entry(1), Result(AT, ("Ana",), ()))
    store.append("g1", LogRow(2, "undo", None, AT))
    game = store.game("g1")
    assert game is not None
    assert game.result is None


def test_replacing_a_game_ends_the_old_one_in_the_same_breath(store: Store) -> None:
    store.add_game(GAME)
    end = ("g1", LogRow(1, "event", {"type": "abandon"}, AT), Result(AT, (), ()))
    with pytest.raises(StoreError):
        store.add_game(GAME, instead_of=end)  # the id is taken: neither happens
    assert store.log("g1") == []
    store.add_game(GameRow("g2", "rulebook", {}, ("A", "B", "C"), AT), instead_of=end)
    assert [row.payload for row in store.log("g1")] == [{"type": "abandon"}]


def test_keys_are_found_again_wherever_they_were_used(store: Store) -> None:
    store.add_game(GAME, Command("k0", "start"))
    store.append("g1", entry(1), command=Command("k1", "throw"))
    assert store.request_of("k0") == "start"
    assert store.request_of("k1") == "throw"
    assert store.request_of("k2") is None


def test_starts_are_counted(tmp_path: Path) -> None:
    counts = []
    for _ in range(3):
        store = sqlite_store(tmp_path)
        counts.append(store.count_start())
        store.close()
    assert counts == [1, 2, 3]


def test_a_full_disk_says_so_and_nothing_is_written(store: Store) -> None:
    store.add_game(GAME)
    with store._engine.connect() as db:
        pages = db.execute(sa.text("PRAGMA page_count")).scalar()
        # The pool hands the same connection out again.
        db.execute(sa.text(f"PRAGMA max_page_count = {pages}"))
    written = 0
    with pytest.raises(StoreError, match=r"is full, nothing was recorded: free some space"):
        for seq in range(1, 2000):
            store.append("g1", entry(seq))
            written = seq
    assert [row.seq for row in store.log("g1")] == list(range(1, written + 1))


def test_a_read_only_database_says_so(store: Store) -> None:
    with store._engine.connect() as db:
        db.execute(sa.text("PRAGMA query_only = ON"))
    with pytest.raises(StoreError, match="cannot be written"):
        store.add_game(GAME)
    assert store.games() == []


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "piste.db"
    file.write_bytes(b"these are my notes, not a database\n" * 300)
    with pytest.raises(StoreError, match=r"damaged .*put back a copy"):
        sqlite_store(tmp_path)
    assert file.read_bytes().startswith(b"these are my notes")


def test_a_damaged_database_is_noticed_at_the_start(tmp_path: Path) -> None:
    store = sqlite_store(tmp_path)
    store.add_game(GAME)
    for seq in range(1, 200):
        store.append("g1", entry(seq))
    store.close()
    file = tmp_path / "piste.db"
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    content = bytearray(file.read_bytes())
    for page in range(4096, len(content) - 4096, 4096):
        content[page : page + 100] = b"\xff" * 100
    file.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        sqlite_store(tmp_path)


def test_a_newer_form_is_refused(tmp_path: Path) -> None:
    sqlite_store(tmp_path).close()
    with sqlite3.connect(tmp_path / "piste.db") as db:
        db.execute("UPDATE meta SET value = 99 WHERE name = 'schema'")
    db.close()
    with pytest.raises(StoreError, match="form 99, this Piste knows form 1 to 2"):
        sqlite_store(tmp_path)


def test_one_service_a_folder(tmp_path: Path) -> None:
    first = FolderLock(tmp_path)
    with pytest.raises(StoreError, match="Another Piste already uses"):
        FolderLock(tmp_path)
    first.close()
    FolderLock(tmp_path).close()


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX systems")
def test_a_disk_without_locks_is_no_other_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_file: object, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(StoreError, match=r"cannot be locked \(No locks available\): .*--data"):
        FolderLock(tmp_path)


def test_a_killed_service_leaves_no_lock(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from scorer.service.folder import FolderLock;"
        "lock = FolderLock(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=60)
    FolderLock(tmp_path).close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot be used .*--data"):
        FolderLock(tmp_path / "file" / "data")


def test_where_games_are_kept(tmp_path: Path) -> None:
    home = tmp_path
    assert default_folder({}, "linux", home) == home / ".local/share/piste"
    assert default_folder({"XDG_DATA_HOME": "/data"}, "linux", home) == Path("/data/piste")
    assert default_folder({"XDG_DATA_HOME": "relative"}, "linux", home) == home / ".local/share/piste"
    assert default_folder({}, "darwin", home) == home / "Library/Application Support/Piste"
    assert default_folder({"LOCALAPPDATA": "/c/local"}, "win32", home) == Path("/c/local/Piste")
    assert default_folder({"PISTE_DATA": "/else", "XDG_DATA_HOME": "/data"}, "linux", home) == Path("/else")
