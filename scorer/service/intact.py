"""Whether the files that a service writes are still those in the folder.

A program that holds a file open can go on writing it after it has been removed, moved or replaced: everything
seems well, and after the next start it is gone. So each write asks first.
"""

from __future__ import annotations

import os
from pathlib import Path

from scorer.service.problems import StoreError

HEADER_BYTES = 100
"""SQLite's header, with its counter of changes. In the mode of a write-ahead log it changes only when the log
is copied into the database, at the end of a write of ours."""

_AGAIN = "stop Piste, put the right files back if these are not, and start it again"


class Intact:
    """Watches over an open SQLite database, from when it is made on. Raises StoreError without the file.

    `written` is to be called after each write, `check` before one. The database is kept open here until
    `close`, which must come after that of all connections: on Unix, to close a file gives up all locks that
    the process has on it, those of SQLite too.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._beside = [database.with_name(database.name + end) for end in ("-wal", "-shm")]
        try:
            self._file = database.open("rb", buffering=0)
        except OSError as error:
            raise StoreError(f"{database} cannot be read ({error.strerror or error}).") from error
        try:
            self.written()
        except BaseException:
            self._file.close()
            raise

    def written(self) -> None:
        """The files are as they should be now."""
        self._header, self._size = self._read()
        self._seen = {path: _stat(path) for path in self._beside}

    def check(self) -> None:
        """Raise StoreError unless the files are those that are written, and as they were left."""
        there = _stat(self._database)
        if there is None or not os.path.samestat(there, os.fstat(self._file.fileno())) or there.st_nlink < 1:
            raise StoreError(
                f"{self._database} has been moved, removed or replaced while Piste was using it, nothing was "
                f"recorded: put it back where it was, or {_AGAIN}."
            )
        header, size = self._read()
        if header != self._header or size < self._size:
            raise _changed(self._database)
        for path, before in self._seen.items():
            if before is None:
                continue
            now = _stat(path)
            if now is None or not os.path.samestat(now, before) or now.st_size < before.st_size:
                raise _changed(path)

    def close(self) -> None:
        """Let go of the database."""
        self._file.close()

    def _read(self) -> tuple[bytes, int]:
        try:
            self._file.seek(0)
            return self._file.read(HEADER_BYTES), os.fstat(self._file.fileno()).st_size
        except OSError as error:
            raise StoreError(
                f"{self._database} cannot be read any more ({error.strerror or error}), nothing was recorded: "
                "see to the disk, then try again."
            ) from error


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _changed(path: Path) -> StoreError:
    return StoreError(
        f"{path} has been changed or removed by another program while Piste was using it, nothing was recorded: "
        f"{_AGAIN}."
    )
