"""The rulesets on offer at a table.

Those that come with the program, files that this run was started with, and those that screens have added, which
the store keeps. A name is one ruleset's only, capitals or not: screens and people tell them apart by it.
"""

from __future__ import annotations

import logging
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scorer.errors import Fault, SetupError
from scorer.names import shown
from scorer.rulefile import house_ruleset, ruleset_of_text
from scorer.rules import Ruleset
from scorer.ruleset import available_rulesets, is_built_in, load_ruleset
from scorer.service.problems import Refused
from scorer.service.store import HouseRow, Store

log = logging.getLogger("piste")

LONGEST_NAME = 60
MOST_ADDED = 50
ENDING = ".toml"


@dataclass(frozen=True, slots=True)
class Offered:
    """A ruleset on offer; `removable`: a screen has added it."""

    ruleset: Ruleset
    removable: bool = False


class Library:
    """The rulesets on offer: `files` are of this run, the others the `store` keeps. Raises StoreError."""

    def __init__(self, store: Store, files: Sequence[Ruleset] = ()) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._files = {ruleset.id: ruleset for ruleset in files}
        self._added: dict[str, Ruleset] = {}
        # Ids that the store keeps and nobody can play by in this run; they can be removed all the same.
        self._not_offered: set[str] = set()
        for row in store.rulesets():
            file = _taken(row.id, self._files)
            if file is not None:  # it goes before the other, for this run
                self._not_offered.add(row.id)
                log.warning(
                    "The ruleset %s that a screen has added is not on offer in this run, which was started "
                    "with a file %s of that name.",
                    shown(row.id),
                    shown(file + ENDING),
                )
                continue
            try:
                self._added[row.id] = ruleset_of_text(row.id, row.text, row.id + ENDING)
            except SetupError as error:
                self._not_offered.add(row.id)
                log.warning("A ruleset that was added is not on offer any more: %s", error)

    def offered(self) -> list[Offered]:
        """All of them: those of the program, then the table's own, the score pad last."""
        with self._lock:
            program = [Offered(load_ruleset(id)) for id in available_rulesets()]
            own = [
                *(Offered(ruleset) for ruleset in self._files.values()),
                *(Offered(ruleset, removable=True) for ruleset in self._added.values()),
            ]
        dice = [each for each in program if not each.ruleset.score_pad]
        return [*dice, *own, *(each for each in program if each.ruleset.score_pad)]

    def find(self, id: str) -> Ruleset:
        """The ruleset of that id. Raises SetupError."""
        with self._lock:
            own = self._files.get(id) or self._added.get(id)
            if own is not None:
                return own
            if is_built_in(id):
                return load_ruleset(id)
            there = ", ".join(each.ruleset.id for each in self.offered())
        raise SetupError(f"there is no ruleset '{shown(id)}'; there are {there}")

    def add(self, file: str, ruleset: Ruleset, text: str, at: str) -> None:
        """Keep the `ruleset` that `read_house` made of a file. Raises SetupError, StoreError."""
        with self._lock:
            if _taken(ruleset.id, self._files) is not None:
                raise _fault(file, "Piste was started with a file of that name: rename this one")
            other = _taken(ruleset.id, self._added)
            if other is not None and other != ruleset.id:
                raise _fault(
                    file, f"there is {other}{ENDING} already: give it just that name, or another one"
                )
            if other is None and len(self._added) >= MOST_ADDED:
                raise _fault(
                    file, f"{MOST_ADDED} rulesets have been added, and no more can be: remove some first"
                )
            self._store.keep_ruleset(HouseRow(ruleset.id, text, at))
            self._added[ruleset.id] = ruleset
            self._not_offered.discard(ruleset.id)

    def remove(self, id: str) -> None:
        """Forget a ruleset that a screen has added, on offer now or not. Raises Refused, StoreError."""
        with self._lock:
            if id not in self._added and id not in self._not_offered:
                raise self._not_removable(id)
            self._store.forget_ruleset(id)
            self._added.pop(id, None)
            self._not_offered.discard(id)

    def _not_removable(self, id: str) -> Refused:
        if id in self._files:
            why = "it is a file that Piste was started with, so start Piste without that file"
            hidden = _taken(id, sorted(self._not_offered))
            if hidden is not None:
                why += f" (the ruleset {shown(hidden)} behind it was added by a screen and can be removed)"
        elif is_built_in(id):
            why = "it comes with the program"
        else:
            return Refused(404, "not_found", "There is no such ruleset (any more).")
        return Refused(422, "invalid", f"id {shown(id)} is no ruleset that a screen has added: {why}.")


def read_house(file: str, text: str) -> Ruleset:
    """The ruleset of a file called `file`. Raises SetupError, whose `faults` are all that is wrong with it."""
    return ruleset_of_text(ruleset_id(file), text, file)


def house_files(paths: Sequence[str]) -> list[Ruleset]:
    """The rulesets of files that this run is started with. Raises SetupError."""
    found: dict[str, Ruleset] = {}
    for path in paths:
        name = Path(path).name
        id = ruleset_id(name)
        if _taken(id, found) is not None:
            raise SetupError(
                f"two of the rules files are called {shown(name)} (capitals do not count): rename one of them"
            )
        found[id] = house_ruleset(path)
    return list(found.values())


def ruleset_id(file: str) -> str:
    """The id of the ruleset in a file of that name, which is the name without its ending. Raises SetupError."""
    stem, ending = file[: -len(ENDING)], file[-len(ENDING) :]
    if not file.isprintable():
        why = "has signs in it that cannot be shown"
    elif any(sign in file for sign in "/\\:"):
        why = "is to be without folders"
    elif ending.lower() != ENDING:
        why = f"must end in {ENDING}"
    elif not stem or stem != stem.strip() or stem.startswith("."):
        why = f"needs a name before {ENDING}, without a dot or a blank around it"
    elif len(stem) > LONGEST_NAME:
        why = f"is longer than {LONGEST_NAME} signs"
    elif _taken(stem, available_rulesets()) is not None:
        why = f"is that of the ruleset {_plain(stem)}, which comes with the program: rename the file"
    else:
        return stem
    raise _fault(file, f"the file's name {why}")


def _fault(file: str, why: str) -> SetupError:
    called = shown(file[:LONGEST_NAME]) + ("..." if len(file) > LONGEST_NAME else "")
    return SetupError(f"{called}: {why}" if called.strip() else why, (Fault("", None, why),))


def _taken(id: str, ids: Sequence[str] | dict[str, Ruleset]) -> str | None:
    """The one of `ids` that is this one but for capitals and Unicode's several ways to write a letter."""
    return next((other for other in ids if _plain(other) == _plain(id)), None)


def _plain(id: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", id).casefold())
