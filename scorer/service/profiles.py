"""The profiles in the data folder, as screens choose among them; the list reads again only files that have changed."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.checks import ProfileError
from scorer.service.problems import Refused

if TYPE_CHECKING:
    from calibration.profile import Profile

FOLDER = "profiles"
Stamp = tuple[int, int, int, int]


class Profiles:
    """Those of one data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._rows: dict[str, tuple[Stamp, dict[str, Any]]] = {}

    def names(self) -> tuple[str, ...]:
        """All of them, sorted."""
        from calibration.profilefile import profile_names  # noqa: PLC0415 - loads the picture library

        return profile_names(self._folder)

    def load(self, name: str) -> Profile:
        """The profile of that name. Raises ProfileError."""
        from calibration.profilefile import profile_path, read_profile  # noqa: PLC0415

        path = profile_path(name, self._folder)
        if not path.is_file():
            raise ProfileError(f"There is no profile {name} any more: choose another, or calibrate.")
        return read_profile(path)

    def save(self, profile: Profile, *, replace: bool) -> None:
        """Keep a profile under its name. Raises Refused, also where there is one of that name and not `replace`."""
        from calibration.profilefile import profile_path, write_profile  # noqa: PLC0415

        try:
            path = profile_path(profile.name, self._folder)
        except ProfileError as error:
            raise Refused(422, "profile_name", str(error)) from error
        try:
            if not replace and path.exists():
                message = f"There is a profile {profile.name} already: take another name, or replace it."
                raise Refused(409, "exists", message)
            write_profile(profile, path)
        except ProfileError as error:
            raise Refused(422, "profile", self.words(error)) from error

    def remove(self, name: str) -> None:
        """Forget a profile. Raises Refused."""
        from calibration.profilefile import remove_profile  # noqa: PLC0415

        if name not in self.names():
            raise Refused(404, "not_found", f"There is no profile {name} (any more).")
        try:
            remove_profile(name, self._folder)
        except ProfileError as error:
            raise Refused(422, "profile", self.words(error)) from error

    def words(self, error: ProfileError) -> str:
        """What is wrong with a profile, for screens: they know its name, and need not know where it lies."""
        return str(error).replace(f"{self._folder / FOLDER}{os.sep}", "")

    def listed(self) -> list[dict[str, Any]]:
        """All of them, as screens see them."""
        with self._lock:
            self._rows = {name: self._row(name) for name in self.names()}
            return [row for _, row in self._rows.values()]

    def _row(self, name: str) -> tuple[Stamp, dict[str, Any]]:
        """What the list says of a profile, and of which state of its files; their pictures are not kept in mind."""
        from calibration.profilefile import profile_path  # noqa: PLC0415

        stamp = _stamp(profile_path(name, self._folder))
        known = self._rows.get(name)
        if known is not None and known[0] == stamp:
            return known
        try:
            profile = self.load(name)
        except ProfileError as error:
            return stamp, {"name": name, "shape": None, "size": None, "fault": self.words(error)}
        size = None if profile.size is None else list(profile.size)
        return stamp, {"name": name, "shape": profile.shape, "size": size, "fault": None}


def _stamp(path: Path) -> Stamp:
    """What changes with the two files of a profile. A file that goes just now counts as changed."""
    stamps = []
    for file in (path, path.with_suffix(".jpg")):
        try:
            status = file.stat()
            stamps += [status.st_mtime_ns, status.st_size]
        except OSError:
            stamps += [0, 0]
    return (stamps[0], stamps[1], stamps[2], stamps[3])
