"""Files that are taken away, replaced or changed under a running service: nothing is confirmed that is not kept."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scorer.service.folder import FolderLock
from scorer.service.problems import StoreError
from scorer.service.store import GameRow, LogRow, Store, sqlite_store
from scorer.service.table import Table

from .conftest import Client

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows lets nobody remove or move a file that is open"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def lock(folder: Path) -> Iterator[FolderLock]:
    lock = FolderLock(folder)
    yield lock
    lock.close()


@pytest.fixture
def store(folder: Path, lock: FolderLock) -> Iterator[Store]:
    store = sqlite_store(folder, lock)
    yield store
    store.close()


def _replace(folder: Path) -> None:
    shutil.copy(folder / "piste.db", folder / "copy")
    (folder / "copy").replace(folder / "piste.db")


def _cut(name: str, size: int) -> Callable[[Path], None]:
    def cut(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            file.truncate(size)

    return cut


def _overwrite(folder: Path) -> None:
    with (folder / "piste.db").open("r+b") as file:
        file.write(b"garbage" * 500)


HARM: dict[str, Callable[[Path], object]] = {
    "database removed": lambda folder: (folder / "piste.db").unlink(),
    "database moved": lambda folder: (folder / "piste.db").rename(folder / "old.db"),
    "database replaced": _replace,
    "database cut": _cut("piste.db", 0),
    "database overwritten": _overwrite,
    "folder removed": shutil.rmtree,
    "folder moved": lambda folder: folder.rename(folder.with_name("elsewhere")),
    "log removed": lambda folder: (folder / "piste.db-wal").unlink(),
    "log cut": _cut("piste.db-wal", 0),
    "index removed": lambda folder: (folder / "piste.db-shm").unlink(),
    "lock removed": lambda folder: (folder / "piste.lock").unlink(),
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM.keys())
def test_nothing_is_confirmed_into_files_that_are_not_there(
    client: Client, folder: Path, harm: Callable[[Path], object]
) -> None:
    client.start()
    client.throw([6, 5, 2])
    before = client.view
    harm(folder)
    for path, body in (
        ("throw", {"seq": 1, "player": "Bo", "dice": [4, 2, 1]}),
        ("undo", {"seq": 1}),
        ("abandon", {"seq": 1}),
        ("games", {"players": ["X", "Y", "Z"], "replace": True}),
    ):
        answer = client.post(f"/api/{path}", **body)
        assert (answer.status_code, answer.json()["error"]) == (503, "storage"), answer.text
        assert "nothing was recorded" in answer.json()["message"]
        assert "start it again" in answer.json()["message"]
    assert client.view == before


def test_a_database_put_back_is_written_again(client: Client, folder: Path, store: Store) -> None:
    game = client.start()
    client.throw([6, 5, 2])
    (folder / "piste.db").rename(folder / "aside")
    assert client.post("/api/undo", seq=1).status_code == 503
    (folder / "aside").rename(folder / "piste.db")
    assert client.throw([4, 2, 1])["seq"] == 2
    assert [row.seq for row in store.log(game["id"])] == [1, 2]


def test_a_file_that_goes_during_the_write_undoes_the_write(store: Store, folder: Path) -> None:
    store.add_game(GameRow("g1", "rulebook", {}, ("Ana", "Bo", "Cy"), "2026-03-01T20:15:00.000Z"))
    with pytest.raises(StoreError, match="moved, removed or replaced"), store._writing() as db:
        store._append(db, "g1", LogRow(1, "undo", None, "2026-03-01T20:16:00.000Z"), None, None)
        (folder / "piste.db").rename(folder / "aside")
    (folder / "aside").rename(folder / "piste.db")
    assert store.log("g1") == []


def test_long_games_copied_from_the_log_into_the_database_are_no_harm(store: Store, folder: Path) -> None:
    store.add_game(GameRow("g1", "rulebook", {}, ("Ana", "Bo", "Cy"), "2026-03-01T20:15:00.000Z"))
    size = (folder / "piste.db").stat().st_size
    payload = {"type": "throw", "note": "x" * 60_000}
    for seq in range(1, 200):
        store.append("g1", LogRow(seq, "event", payload, "2026-03-01T20:15:00.000Z"))
    assert (folder / "piste.db").stat().st_size > size  # SQLite has copied at least once
    assert len(store.log("g1")) == 199


def test_a_folder_that_is_gone_is_to_be_put_back(store: Store, folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(StoreError, match=r"piste\.db has been moved.*put it back where it was"):
        store.count_start()


def test_a_folder_stays_taken_without_its_lock_file(lock: FolderLock, folder: Path) -> None:
    (folder / "piste.lock").unlink()
    with pytest.raises(StoreError, match="Another Piste already uses"):
        FolderLock(folder)
    lock.close()
    FolderLock(folder).close()


def test_a_table_is_not_opened_on_files_that_are_gone(store: Store, folder: Path) -> None:
    (folder / "piste.lock").unlink()
    with pytest.raises(StoreError, match="another Piste could write"):
        Table(store)
