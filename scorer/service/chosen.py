"""Which sources and profiles a table was set to by screens: a small file in the data folder.

It is a convenience, never a truth: what cannot be read is forgotten, and what cannot be written is said once and
lost at the end. Only its owner may read it, since an address may hold a password.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

log = logging.getLogger("piste")

FILE = "camera.json"
LARGEST = 64 * 1024
LONGEST = 1000
"""Letters of a source."""
MOST_KNOWN = 8


@dataclass(frozen=True, slots=True)
class Chosen:
    """The source in use (None: no camera), and those used before, newest first, each with the name of its profile."""

    source: str | None = None
    known: tuple[tuple[str, str | None], ...] = ()

    def using(self, source: str | None) -> Chosen:
        """With another source, which is then among those known."""
        if source is None:
            return replace(self, source=None)
        others = [each for each in self.known if each[0] != source]
        return Chosen(source, ((source, self.profile_of(source)), *others)[:MOST_KNOWN])

    def with_profile(self, source: str, profile: str | None) -> Chosen:
        """With another profile for a source; one of the command line is known from its first profile on."""
        if profile is not None and all(each != source for each, _ in self.known):
            return replace(self, known=((source, profile), *self.known)[:MOST_KNOWN])
        return replace(
            self, known=tuple((each, profile if each == source else old) for each, old in self.known)
        )

    def without_profile(self, profile: str) -> Chosen:
        """With a profile that is gone forgotten."""
        return replace(self, known=tuple((each, None if old == profile else old) for each, old in self.known))

    def profile_of(self, source: str) -> str | None:
        """The profile last used with a source."""
        return next((profile for each, profile in self.known if each == source), None)


def id_of(source: str) -> str:
    """How screens name a known source: nothing of the address can be told from it."""
    return hashlib.sha256(os.fsencode(source)).hexdigest()[:16]  # a file's name may be no UTF-8


def recall(folder: Path) -> Chosen:
    """What was chosen in this data folder before, or nothing."""
    path = folder / FILE
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise ValueError(path)
        with path.open("rb") as file:
            content = json.loads(file.read(LARGEST))
    except FileNotFoundError:
        return Chosen()
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s cannot be read (%s): choose the camera anew.", folder / FILE, type(error).__name__)
        return Chosen()
    if not isinstance(content, dict):
        return Chosen()
    known = content.get("known")
    pairs = [_pair(each) for each in known] if isinstance(known, list) else []
    listed = {pair[0]: pair for pair in reversed(pairs) if pair is not None}
    source = content.get("source")
    return Chosen(source if _is_source(source) else None, tuple(reversed(listed.values()))[:MOST_KNOWN])


def remember(folder: Path, chosen: Chosen) -> None:
    """Keep it for the next start."""
    file = folder / FILE
    fresh = file.with_suffix(".new")
    known = [{"source": source, "profile": profile} for source, profile in chosen.known]
    content = {"source": chosen.source, "known": known}
    try:
        # The mode is that of a new file only: one left over must not keep its own.
        with suppress(FileNotFoundError):
            fresh.unlink()
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as writing:
            json.dump(content, writing, indent=1)
        fresh.replace(file)
    except (OSError, ValueError) as error:
        log.warning("%s cannot be written (%s): the camera must be chosen anew next time.", file, error)


def _pair(value: Any) -> tuple[str, str | None] | None:
    if not isinstance(value, dict) or not _is_source(value.get("source")):
        return None
    profile = value.get("profile")
    return value["source"], profile if isinstance(profile, str) and profile and _is_text(profile) else None


def _is_source(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST and _is_text(value)


def _is_text(value: str) -> bool:
    """Whether it can be a name: JSON may hold half a letter."""
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        return False
    return True
