"""From a ruleset's data, as a TOML file or a record gives them, to a `Ruleset` ready to play.

All faults are found in one reading. What a file may say is described in `docs/rules.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.errors import Fault, SetupError
from scorer.hands import Hand
from scorer.policies.ends import ENDS, Ends
from scorer.policies.order import FIRST, NEXT, PLAYS
from scorer.policies.settle import SETTLE
from scorer.rules import Nenette, Opening, Option, OptionValue, PhaseRules, Ruleset, written
from scorer.section import Notes, Section, read_hand, read_hands

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


def read_ruleset(
    id: str, data: object, chosen: Mapping[str, OptionValue] | None, built_in: bool = False
) -> Ruleset:
    """Return the ruleset with these options chosen, at their defaults where None. Raises SetupError."""
    notes = Notes()
    ruleset = _read(id, data, chosen, built_in, notes)
    if notes.faults:
        raise SetupError.of_rules(notes.faults)
    return ruleset


def all_faults(data: object) -> tuple[Fault, ...]:
    """Return all faults of the data, also those that only a choice of options would show."""
    notes = Notes()
    ruleset = _read("rules", data, None, False, notes)
    faults = list(notes.faults)
    defaults = {id: option.default for id, option in ruleset.options.items()}
    for id, option in ruleset.options.items():
        for value in option.values or (option.low, option.high):
            more = Notes()
            _read("rules", data, {**defaults, id: value}, False, more)
            known = {(fault.key, fault.text) for fault in faults}
            for fault in more.faults:
                if (fault.key, fault.text) not in known:
                    faults.append(fault._replace(text=f"with option {id} = {written(value)}: {fault.text}"))
    return tuple(faults)


def _read(
    id: str, data: object, chosen: Mapping[str, OptionValue] | None, built_in: bool, notes: Notes
) -> Ruleset:
    plain = Section(data, "", notes)
    options = {name: _read_option(name, section) for name, section in plain.tables("options")}
    if chosen is None:
        chosen = {name: option.default for name, option in options.items()}
    rules = Section(_patched(plain.data, options, chosen, notes), "", notes)
    rules.value("options")
    kind = _read_kind(rules)
    dice = kind != ("count",)
    charge = "charge" in kind
    for key in ("nenette", "double", "penalty") if charge else ():
        rules.value(key)  # may be there
    chips = rules.some_table("chips") if kind == ("rounds",) else rules.table("chips")
    ranks, values = read_hands(rules) if dice else ({}, {})
    least, most = _read_players(rules)
    nenette = _read_nenette(rules.some_table("nenette"), ranks) if rules.has("nenette") and charge else None
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
        nicknames=_read_nicknames(rules) if dice else {},
        chips_each=0 if kind == ("rounds",) else chips.number("each", 0 if dice else 1, _MOST_CHIPS),
        pot=chips.number("pot", 1, _MOST_CHIPS) if charge else None,
        opening=_read_opening(rules.table("opening")) if dice else None,
        phases={name: _read_phase(name, rules.table(name), nenette is not None) for name in kind if dice},
        rolloff_dice=_read_rolloff(rules.table("rolloff")) if dice else 0,
        nenette=nenette,
        double_under=_read_double(rules, nenette) if charge and rules.has("double") else None,
        penalties=_read_penalty(rules.some_table("penalty")) if charge and rules.has("penalty") else (),
        ends=_read_ends(rules, kind[0]),
    )
    if charge and all(value == 0 for value in values.values()):
        notes.add("hands", "at least one hand must be worth a chip, or no game would end")
    if not dice:
        rules.some_table("count").close()
    chips.close()
    rules.close()
    return ruleset


def _read_kind(rules: Section) -> tuple[str, ...]:
    there = tuple(name for kind in _KINDS for name in kind if rules.has(name))
    if there in _KINDS:
        return there
    rules.notes.add("", "a ruleset has either charge and discharge, or rounds, or count")
    for name in there:
        rules.value(name)  # not to be called unknown as well
    return next((kind for kind in _KINDS if set(kind) & set(there)), _KINDS[0])


def _read_players(rules: Section) -> tuple[int, int]:
    players = rules.value("players")
    if (
        not isinstance(players, list)
        or len(players) != 2
        or any(type(number) is not int for number in players)
        or not 2 <= players[0] <= players[1] <= _MOST_PLAYERS
    ):
        rules.fault("players", f"the fewest and the most players, from 2 to {_MOST_PLAYERS}")
        return 2, _MOST_PLAYERS
    return players[0], players[1]


def _read_option(id: str, section: Section) -> Option:
    sound, values, low, high = _read_values(section)
    named = [written(value).strip('"') for value in values]
    texts = [value for value in values if isinstance(value, str)]
    patches: dict[str, Mapping[str, Any]] = {}
    for value, patch in section.tables("patch"):
        patches[value] = patch.data
        if value not in named:
            section.notes.add(patch.path, f"{patch.path}: the option has no value {value}")
    labels: dict[str, Mapping[str, str]] = {}
    for value, label in section.tables("labels"):
        labels[value] = label.words_here()
        if value not in texts:
            section.notes.add(label.path, f"{label.path}: the option has no text {value}")
    option = Option(
        id=id,
        values=values,
        low=low,
        high=high,
        default=section.value("default"),
        name=section.words("name"),
        labels=labels,
        sets=section.text("sets") if isinstance(section.data.get("sets"), str) else None,
        patch=patches,
    )
    if section.has("sets") and option.sets is None:
        section.text("sets")
    if sound and not option.takes(option.default):
        section.fault("default", option.allowed)
    section.close()
    return option


def _read_values(section: Section) -> tuple[bool, tuple[OptionValue, ...], int, int]:
    """Return whether the option's values are sound, the values, and the least and the most."""
    values, limits = section.value("values"), section.value("range")
    if limits is not None and values is None:
        if (
            isinstance(limits, list)
            and len(limits) == 2
            and all(type(limit) is int for limit in limits)
            and limits[0] <= limits[1]
        ):
            return True, (), limits[0], limits[1]
        section.fault("range", "the least and the most, two whole numbers")
        return False, (), 0, 0
    if limits is not None:
        section.fault("values", "left out where there is a range")
    elif not isinstance(values, list) or not values:
        section.fault("values", "a list of values (or range the least and the most)")
    elif any(type(value) not in (bool, int, str) for value in values):
        section.fault("values", "texts, whole numbers or true and false")
    else:
        return True, tuple(values), 0, 0
    return False, (), 0, 0


def _patched(
    data: Mapping[str, Any], options: Mapping[str, Option], chosen: Mapping[str, OptionValue], notes: Notes
) -> Mapping[str, Any]:
    """Return the data with what the chosen options put into them; `notes` remember where that comes from."""
    result: dict[str, Any] = dict(data)
    for id, option in options.items():
        for place, value, origin in _changes(option, chosen.get(id)):
            table, _, key = place.rpartition(".")
            inner = result.get(table, {}) if table else result
            if not isinstance(inner, Mapping) or place.count(".") > 1:
                notes.add(origin, f"{origin}: {place} must be a key, or a key of a table like charge.limit")
                continue
            notes.origins[place] = origin
            if table:
                result[table] = {**inner, key: value}
            else:
                result[key] = value
    return result


def _changes(option: Option, value: OptionValue | None) -> Iterator[tuple[str, Any, str]]:
    """Go through what a chosen value changes: place, new value, and where the file says so."""
    if value is None:
        return
    name = written(value).strip('"')
    here = f"options.{option.id}"
    for place, new in option.patch.get(name, {}).items():
        yield place, new, f"{here}.patch.{name}." + (f'"{place}"' if "." in place else place)
    if option.sets is not None:
        yield option.sets, value, f"{here}.{'values' if option.values else 'range'}"


def _read_nicknames(rules: Section) -> dict[Hand, Mapping[str, str]]:
    nicknames: dict[Hand, Mapping[str, str]] = {}
    for text, section in rules.tables("nicknames"):
        hand = read_hand(text)
        if hand is None:
            rules.notes.add(section.path, f"{section.path}: {text} is no hand like 421, written high to low")
            continue
        nicknames[hand] = section.words_here()
    return nicknames


def _read_opening(section: Section) -> Opening:
    opening = Opening(
        dice=section.one_or_three("dice"),
        by_total=section.one_of("by", {"hand": False, "total": True}),
        lowest_leads=section.one_of("leads", {"highest": False, "lowest": True}),
        scorekeeper=section.flag("scorekeeper"),
    )
    if section.value("dice") == 1 and section.value("by") == "hand":
        section.fault("by", "total where one die is thrown")
    section.close()
    return opening


def _read_phase(name: str, section: Section, nenette: bool) -> PhaseRules:
    settle, leads = section.value("settle"), section.value("next")
    ties = section.some_of("ties", _TIES)
    points = name == "rounds"
    bonus = section.some_table("bonus")
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
    needed = {
        end
        for way in (settle, leads)
        for end in (_NEEDS.get(way, "").split() if isinstance(way, str) else ())
    } | ({"best"} if nenette and name == "discharge" else set())
    if ties and not needed <= set(ties):
        section.fault("ties", "all the ends that settle and next ask for: " + ", ".join(sorted(needed)))
    if points:
        bonus.close()
    elif bonus.data:
        section.fault("bonus", "left out here: bonus points are of rounds")
    section.close()
    return rules


def _read_rolloff(section: Section) -> int:
    dice = section.one_or_three("dice")
    section.close()
    return dice


def _read_nenette(section: Section, ranks: Mapping[Hand, int]) -> Nenette | None:
    hand, chips = section.hand("hand"), section.number("chips", 1, _MOST_CHIPS)
    if hand is None and not section.has("hand"):
        section.fault("hand", "a hand like 221")
    elif hand is not None and ranks[hand] != len(ranks):
        section.fault("hand", "the last of all hands")
    section.close()
    return None if hand is None else Nenette(hand, chips)


def _read_double(rules: Section, nenette: Nenette | None) -> Hand | None:
    section = rules.some_table("double")
    hand = section.hand("worst")
    if hand is None and not section.has("worst"):
        section.fault("worst", "a hand like 221")
    elif hand is not None and nenette is not None and hand == nenette.hand:
        section.fault("worst", "another hand than that of nenette: it cannot double what does not move")
    section.close()
    return hand


def _read_penalty(section: Section) -> tuple[str, ...]:
    reasons = section.some_of("reasons", _REASONS)
    section.close()
    return reasons


def _read_ends(rules: Section, kind: str) -> tuple[Ends, ...]:
    """Read what ends the game, and see that something does."""
    ends = rules.some_of("ends", {name: ENDS[name] for name in _ENDS_IN[kind]})
    names = rules.value("ends") if ends else []
    discharge = rules.data.get("discharge")
    if not names or not isinstance(discharge, Mapping):
        return ends
    if "last_holder" in names and "first_out" in names:
        rules.fault("ends", "either last_holder or first_out")
    if "last_holder" in names and discharge.get("plays") == "all":
        rules.fault(
            "ends", "something else than last_holder where discharge.plays is all: who is out plays no more"
        )
    if discharge.get("settle") == "pay_pot" and not {"empty_hand_wins", "first_out"} & set(names):
        rules.fault(
            "ends", "empty_hand_wins or first_out where the best pays the pot: nobody would ever hold all"
        )
    return ends
