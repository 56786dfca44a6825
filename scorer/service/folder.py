"""The data folder: where it is on each system, and the lock that lets one service at a time use it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from scorer.service.problems import StoreError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What the systems say when somebody else holds a lock; anything else is a fault of the disk, such as a network
drive that has no locks."""


def default_folder(
    environ: Mapping[str, str] | None = None, platform: str = sys.platform, home: Path | None = None
) -> Path:
    """The folder for games when none is named: `$PISTE_DATA`, else where the system keeps such things."""
    env = os.environ if environ is None else environ
    if env.get("PISTE_DATA"):
        return Path(env["PISTE_DATA"])
    home = home or Path.home()
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Piste"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Piste"
    base = Path(env.get("XDG_DATA_HOME") or "")
    # The XDG specification says that a relative path there is to be ignored.
    return (base if base.is_absolute() else home / ".local" / "share") / "piste"


class FolderLock:
    """Holds `FOLDER/piste.lock` for as long as this object is open.

    The system lets go of it when the process ends, however it ends: no stale lock is ever left behind. Raises
    `StoreError` when the folder cannot be made or written, or when another service holds it.

    The folder itself is held too where the system can do that: its lock file may be removed by somebody who
    takes it for a leftover, and the next service would lock a new one.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "piste.lock"
        self._file: IO[str] | None = None
        self._folder: int | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = self._path.open("a+", encoding="ascii")
        except OSError as error:
            raise StoreError(
                f"The data folder {folder} cannot be used ({error.strerror or error}): "
                "name one that can be written with --data."
            ) from error
        try:
            if sys.platform == "win32":
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._folder = _hold(folder)
        except OSError as error:
            file.close()
            if error.errno not in _HELD:
                raise StoreError(
                    f"The data folder {folder} cannot be locked ({error.strerror or error}): "
                    "name one on a disk of this machine with --data."
                ) from error
            raise StoreError(
                f"Another Piste already uses the data folder {folder}: "
                "stop that one first, or name another folder with --data."
            ) from error
        self._file = file

    def check(self) -> None:
        """Raise StoreError when the lock file is gone, so that another service may have taken the folder."""
        try:
            held = self._file is not None and os.path.samestat(
                self._path.stat(), os.fstat(self._file.fileno())
            )
        except OSError:
            held = False
        if not held:
            raise StoreError(
                f"{self._path} has been moved, removed or replaced while Piste was using it, so that another "
                "Piste could write the same games; nothing was recorded: stop Piste and start it again."
            )

    def close(self) -> None:
        """Let go of the folder; a second call does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None


def _hold(folder: Path) -> int | None:
    """Lock the folder itself; None where that cannot be done. Raises OSError when another service holds it."""
    if sys.platform != "win32":  # there nobody can remove an open file
        try:
            held = os.open(folder, os.O_RDONLY)
        except OSError:
            return None
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(held)
            if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN):
                raise
            return None  # a network drive: there the lock file must do
        return held
    return None
