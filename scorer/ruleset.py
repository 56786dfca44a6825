"""Rulesets: read from `rulesets/ID.toml`, or from a table's own data of the same shape, and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from scorer.errors import SetupError
from scorer.policies.ends import ENDS
from scorer.policies.order import FIRST, NEXT, PLAYS
from scorer.policies.settle import SETTLE
from scorer.rulefile import Section, read_hands
from scorer.rules import Nenette, Opening, Option, OptionValue, PhaseRules, Ruleset, written

__all__ = [
    "Option",
    "PhaseRules",
    "Ruleset",
    "available_rulesets",
    "house_ruleset",
    "is_built_in",
    "load_ruleset",
    "with_options",
]

_HOME = Path(__file__).parent / "rulesets"
_MOST_PLAYERS = 10
_MOST_CHIPS = 999
_MOST_THROWS = 9
_KINDS = (("charge", "discharge"), ("rounds",), ("count",))
_LIMITS = {name: name for name in ("none", "leader", "exact")}
_TIES = {name: name for name in ("best", "worst")}
_REASONS = {name: name for name in ("touch", "off_table")}
_SETTLE_IN = {"charge": ("take_from_pot",), "discharge": ("pay_pot", "give_to_worst"), "rounds": ("score",)}
_ENDS_IN = {
    "charge": ("empty_hand_wins", "all_chips_lose", "last_holder", "first_out"),
    "rounds": ("most_points",),
    "count": ("counted_out",),
}
# The ends of a round that a way of settling, or of leading the next round, asks for by name.
_NEEDS = {
    "take_from_pot": "worst",
    "pay_pot": "best",
    "give_to_worst": "best worst",
    "score": "best",
    "best": "best",
    "worst": "worst",
    "after_worst": "worst",
    "first_leader": "",
}


def available_rulesets() -> tuple[str, ...]:
    """Return the ids of the built-in rulesets, in the order in which they are offered."""
    return tuple(sorted(_ids(), key=lambda id: load_ruleset(id).position))


def load_ruleset(id: str) -> Ruleset:
    """Return a built-in ruleset with its options at their defaults. Raises SetupError for an unknown one."""
    if not is_built_in(id):
        raise SetupError(f"there is no ruleset {id!r}; there are {', '.join(available_rulesets())}")
    return _built_in(id, None)


def with_options(ruleset: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """Return the ruleset with these options chosen, the others at their default. Raises SetupError."""
    chosen: dict[str, OptionValue] = {id: option.default for id, option in ruleset.options.items()}
    for id, value in options.items():
        option = ruleset.options.get(id)
        if option is None:
            has = "its options are " + ", ".join(ruleset.options) if ruleset.options else "it has no options"
            raise SetupError(f"{ruleset.id} has no option {id!r}; {has}")
        chosen[id] = option.take(value)
    if chosen == ruleset.chosen:
        return ruleset
    if ruleset.built_in:
        return _built_in(ruleset.id, tuple(chosen.items()))
    return _read(ruleset.id, ruleset.data, chosen, built_in=False)


def house_ruleset(id: str, rules: object) -> Ruleset:
    """Return the table's own ruleset from its data, shaped as a built-in file is. Raises SetupError."""
    if not id.strip() or is_built_in(id):
        raise SetupError(f"a table's own ruleset needs a name of its own, not {id!r}")
    return _read(id, rules, None, built_in=False)


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
    return _read(id, _data(id), None if chosen is None else dict(chosen), built_in=True)


def _read(id: str, data: object, chosen: Mapping[str, OptionValue] | None, built_in: bool) -> Ruleset:
    """Check the data and compile them, with the options' defaults where `chosen` is None."""
    plain = Section(data, "")
    options = {name: _read_option(name, section) for name, section in plain.tables("options")}
    if chosen is None:
        chosen = {name: option.default for name, option in options.items()}
    rules = Section(_patched(plain.data, options, chosen), "")
    rules.value("options")
    kind = _read_kind(rules)
    dice = kind != ("count",)
    chips = rules.table("chips")
    ranks, values = read_hands(rules) if dice else ({}, {})
    least, most = _read_players(rules)
    ruleset = Ruleset(
        id=id,
        data=plain.data,
        chosen=dict(chosen),
        built_in=built_in,
        position=rules.number("position", 0, 999, 0),
        name=rules.words("name"),
        about=rules.words("about"),
        min_players=least,
        max_players=most,
        options=options,
        ranks=ranks,
        values=values,
        chips_each=0 if kind == ("rounds",) else chips.number("each", 0 if dice else 1, _MOST_CHIPS),
        pot=chips.number("pot", 1, _MOST_CHIPS) if "charge" in kind else None,
        opening=_read_opening(rules.table("opening")) if dice else None,
        phases={name: _read_phase(name, rules.table(name), rules.has("nenette")) for name in kind if dice},
        rolloff_dice=_read_rolloff(rules.table("rolloff")) if dice else 0,
        nenette=_read_nenette(rules.table("nenette")) if rules.has("nenette") and "charge" in kind else None,
        double_under=rules.table("double").only_hand("worst") if "charge" in kind else None,
        penalties=_read_penalty(rules.table("penalty")) if rules.has("penalty") and "charge" in kind else (),
        ends=rules.some_of("ends", {name: ENDS[name] for name in _ENDS_IN[kind[0]]}),
    )
    if not dice:
        rules.table("count").close()
    chips.close()
    rules.close()
    return ruleset


def _read_kind(rules: Section) -> tuple[str, ...]:
    there = tuple(name for kind in _KINDS for name in kind if rules.has(name))
    if there not in _KINDS:
        raise SetupError("rules: a ruleset has either charge and discharge, or rounds, or count")
    return there


def _read_players(rules: Section) -> tuple[int, int]:
    players = rules.value("players")
    if (
        not isinstance(players, list)
        or len(players) != 2
        or any(type(number) is not int for number in players)
        or not 2 <= players[0] <= players[1] <= _MOST_PLAYERS
    ):
        raise rules.fault("players", f"the fewest and the most players, from 2 to {_MOST_PLAYERS}")
    return players[0], players[1]


def _read_option(id: str, section: Section) -> Option:
    values, limits = section.value("values"), section.value("range")
    if values is None:
        if (
            not isinstance(limits, list)
            or len(limits) != 2
            or any(type(limit) is not int for limit in limits)
        ):
            raise section.fault("values", "a list of values (or range the least and the most)")
    elif limits is not None or not isinstance(values, list) or not values:
        raise section.fault("values", "a list of values, without range")
    elif any(type(value) not in (bool, int, str) for value in values):
        raise section.fault("values", "texts, whole numbers or true and false")
    low, high = limits or (0, 0)
    patches = {key: patch.data for key, patch in section.tables("patch")}
    option = Option(
        id=id,
        values=tuple(values or ()),
        low=low,
        high=high,
        default=section.value("default"),
        name=section.words("name"),
        labels={key: section.table("labels").words(key) for key, _ in section.tables("labels")},
        sets=section.text("sets") if section.has("sets") else None,
        patch=patches,
    )
    if not option.takes(option.default):
        raise section.fault("default", option.allowed)
    section.close()
    return option


def _patched(
    data: Mapping[str, Any], options: Mapping[str, Option], chosen: Mapping[str, OptionValue]
) -> Mapping[str, Any]:
    """Return the data with what the chosen options put into them."""
    result: dict[str, Any] = dict(data)
    for id, option in options.items():
        changes = dict(option.patch.get(written(chosen[id]).strip('"'), {}))
        if option.sets is not None:
            changes[option.sets] = chosen[id]
        for place, value in changes.items():
            table, _, key = place.rpartition(".")
            if not table:
                result[key] = value
                continue
            inner = result.get(table, {})
            if not isinstance(inner, Mapping):
                raise SetupError(f"rules: {table} must be a table of keys and values")
            result[table] = {**inner, key: value}
    return result


def _read_opening(section: Section) -> Opening:
    opening = Opening(
        dice=section.one_or_three("dice"),
        by_total=section.one_of("by", {"hand": False, "total": True}),
        lowest_leads=section.one_of("leads", {"highest": False, "lowest": True}),
        scorekeeper=section.flag("scorekeeper"),
    )
    if opening.dice == 1 and not opening.by_total:
        raise section.fault("by", "total where one die is thrown")
    section.close()
    return opening


def _read_phase(name: str, section: Section, nenette: bool) -> PhaseRules:
    settle, leads = section.value("settle"), section.value("next")
    ties = section.some_of("ties", _TIES)
    bonus = section.table("bonus")
    points = name == "rounds"
    rules = PhaseRules(
        throws=section.number("throws", 1, _MOST_THROWS),
        limit=section.one_of("limit", _LIMITS),
        plays=section.one_of("plays", PLAYS),
        best_matters="best" in ties,
        worst_matters="worst" in ties,
        settle=section.one_of("settle", {key: SETTLE[key] for key in _SETTLE_IN[name]}),
        next=section.one_of("next", NEXT),
        first=section.one_of("first", FIRST) if name == "discharge" else None,
        to_worst_under=section.hand("to_worst_under") if settle == "pay_pot" else None,
        count=section.number("count", 1, 999) if points else 0,
        point=section.number("point", 1, 999) if points else 0,
        bonus_hand=bonus.hand("hand") if points else None,
        bonus_points=bonus.number("points", 1, 999, 1) if points else 0,
    )
    needed = f"{_NEEDS[settle]} {_NEEDS[leads]}".split() + (
        ["best"] if nenette and name == "discharge" else []
    )
    if not set(needed) <= set(ties):
        raise section.fault(
            "ties", "all the ends that settle and next ask for: " + ", ".join(sorted(set(needed)))
        )
    if points:
        bonus.close()
    section.close()
    return rules


def _read_rolloff(section: Section) -> int:
    dice = section.one_or_three("dice")
    section.close()
    return dice


def _read_nenette(section: Section) -> Nenette:
    hand, chips = section.hand("hand"), section.number("chips", 1, _MOST_CHIPS)
    section.close()
    if hand is None:
        raise section.fault("hand", "a hand like 221")
    return Nenette(hand, chips)


def _read_penalty(section: Section) -> tuple[str, ...]:
    reasons = section.some_of("reasons", _REASONS)
    section.close()
    return reasons
