"""Rulesets: the six that come with the program, and those of a table's own.

The data of a built-in ruleset are `rulesets/ID.toml`; a table's own has data of the same shape, from a file
(`scorer.rulefile`) or from a record.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from scorer.errors import SetupError
from scorer.names import shown
from scorer.rulereader import read_ruleset
from scorer.rules import Option, OptionValue, PhaseRules, Ruleset

__all__ = [
    "Option",
    "PhaseRules",
    "Ruleset",
    "available_rulesets",
    "is_built_in",
    "load_ruleset",
    "ruleset_from_data",
    "with_options",
]

_HOME = Path(__file__).parent / "rulesets"


def available_rulesets() -> tuple[str, ...]:
    """Return the ids of the built-in rulesets, in the order in which they are offered."""
    return tuple(sorted(_ids(), key=lambda id: load_ruleset(id).position))


def load_ruleset(id: str) -> Ruleset:
    """Return a built-in ruleset with its options at their defaults. Raises SetupError for an unknown one."""
    if not is_built_in(id):
        raise SetupError(f"there is no ruleset '{shown(id)}'; there are {', '.join(available_rulesets())}")
    return _built_in(id, None)


def with_options(ruleset: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """Return the ruleset with these options chosen, the others at their default. Raises SetupError."""
    chosen: dict[str, OptionValue] = {id: option.default for id, option in ruleset.options.items()}
    for id, value in options.items():
        option = ruleset.options.get(id)
        if option is None:
            has = "its options are " + ", ".join(ruleset.options) if ruleset.options else "it has no options"
            raise SetupError(f"{shown(ruleset.id)} has no option '{shown(id)}'; {has}")
        chosen[id] = option.take(value)
    if chosen == ruleset.chosen:
        return ruleset
    if ruleset.built_in:
        return _built_in(ruleset.id, tuple(chosen.items()))
    return read_ruleset(ruleset.id, ruleset.data, chosen)


def ruleset_from_data(id: str, rules: object) -> Ruleset:
    """Return the table's own ruleset from its data, shaped as a built-in file is. Raises SetupError."""
    if not id.strip() or is_built_in(id.strip()):
        raise SetupError(f"a table's own ruleset needs a name of its own, not '{shown(id)}'")
    return read_ruleset(id, rules, None)


def is_built_in(id: str) -> bool:
    """Say whether a ruleset of this id comes with the program."""
    return id in _ids()


@cache
def _ids() -> frozenset[str]:
    return frozenset(path.stem for path in _HOME.glob("*.toml"))


@cache
def _data(id: str) -> dict[str, Any]:
    return tomllib.loads((_HOME / f"{id}.toml").read_text(encoding="utf-8"))


@cache
def _built_in(id: str, chosen: tuple[tuple[str, OptionValue], ...] | None) -> Ruleset:
    return read_ruleset(id, _data(id), None if chosen is None else dict(chosen), built_in=True)
