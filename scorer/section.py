"""Reading the data of a ruleset with care.

Every getter checks type and range. A fault is noted with its place and a harmless value returned, so that one
reading finds all the faults there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from scorer.errors import Fault
from scorer.hands import ALL_HANDS, Hand, canonical
from scorer.names import shown

T = TypeVar("T")

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class Notes:
    """The faults found so far.

    `origins` says of a place where its data really come from, where an option has put them there.
    """

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.origins: dict[str, str] = {}

    def add(self, key: str, text: str) -> None:
        """Note a fault at `key`."""
        fault = Fault(self._origin(key), None, text)
        if fault not in self.faults:
            self.faults.append(fault)

    def _origin(self, key: str) -> str:
        for place, origin in self.origins.items():
            if key == place or key.startswith((f"{place}.", f"{place}[")):
                return origin + key[len(place) :]
        return key


class Section:
    """One table of a ruleset's data; `path` says where it stands.

    `close` finds the keys that nobody asked for.
    """

    def __init__(self, data: object, path: str, notes: Notes, missing: bool = False) -> None:
        self.broken = missing or not isinstance(data, Mapping)
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        self.path = path
        self.notes = notes
        self._asked: set[str] = set()
        if not isinstance(data, Mapping):
            notes.add(path, f"{path or 'the whole'} must be a table of keys and values; it is {told(data)}")

    def place(self, key: str) -> str:
        """Return where the key stands, from the top."""
        key = key if _BARE.fullmatch(key) else f'"{key}"'
        return f"{self.path}.{key}" if self.path else key

    def fault(self, key: str, wanted: str) -> None:
        """Note that the value of the key is wrong, or missing."""
        if self.broken:
            return  # the whole table is wrong, which has been said
        found = f"it is {told(self.data[key])}" if key in self.data else "it is missing"
        self.notes.add(self.place(key), f"{self.place(key)} must be {wanted}; {found}")

    def has(self, key: str) -> bool:
        """Say whether the key is there."""
        return key in self.data

    def value(self, key: str) -> Any:
        """Return what stands under the key, None where it is missing."""
        self._asked.add(key)
        return self.data.get(key)

    def table(self, key: str) -> Section:
        """Return the table under the key; where it must be and is missing, that is noted."""
        if key not in self.data:
            self.fault(key, "a table of keys and values")
        return self.some_table(key)

    def some_table(self, key: str) -> Section:
        """Return the table under the key, empty where it is missing."""
        self._asked.add(key)
        return Section(self.data.get(key, {}), self.place(key), self.notes, key not in self.data)

    def tables(self, key: str) -> Iterator[tuple[str, Section]]:
        """Go through the tables in the table under the key, by name."""
        outer = self.some_table(key)
        for name in outer.data:
            yield name, outer.some_table(name)

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`."""
        value = self.value(key)
        if key not in self.data and default is not None:
            return default
        if type(value) is not int or not low <= value <= high:
            self.fault(key, f"a whole number from {low} to {high}")
            return low
        return value

    def text(self, key: str) -> str:
        """Return a text that is not empty."""
        value = self.value(key)
        if not isinstance(value, str) or not value.strip():
            self.fault(key, "a text")
            return "?"
        return value

    def flag(self, key: str) -> bool:
        """Return true or false, false where it is missing."""
        value = self.value(key)
        if value is not None and type(value) is not bool:
            self.fault(key, "true or false")
        return value is True

    def one_of(self, key: str, choices: Mapping[str, T]) -> T:
        """Return what the name under the key stands for."""
        value = self.value(key)
        if not isinstance(value, str) or value not in choices:
            self.fault(key, "one of " + ", ".join(choices))
            return next(iter(choices.values()))
        return choices[value]

    def some_of(self, key: str, choices: Mapping[str, T]) -> tuple[T, ...]:
        """Return what each name in the list under the key stands for, each once."""
        value = self.value(key)
        good = (
            isinstance(value, list)
            and value
            and all(isinstance(item, str) and item in choices for item in value)
            and len(set(value)) == len(value)
        )
        if not good:
            self.fault(key, f"a list of {', '.join(choices)}, each at most once")
            return ()
        return tuple(choices[item] for item in value)

    def one_or_three(self, key: str) -> int:
        """Return a number of dice: 1 or 3."""
        dice = self.value(key)
        if type(dice) is not int or dice not in (1, 3):
            self.fault(key, "1 or 3")
            return 3
        return dice

    def hand(self, key: str) -> Hand | None:
        """Return the hand written under the key, None where it is missing."""
        value = self.value(key)
        if key not in self.data:
            return None
        hand = read_hand(value) if isinstance(value, str) else None
        if hand is None:
            self.fault(key, "a hand like 421, written high to low")
        return hand

    def words(self, key: str) -> dict[str, str]:
        """Return a text in English and in French: `{"en": ..., "fr": ...}`."""
        return self.table(key).words_here()

    def words_here(self) -> dict[str, str]:
        """Return this table as a text in English and in French."""
        words = {language: self.text(language) for language in ("en", "fr")}
        for language, text in words.items():
            if shown(text) != text:
                self.fault(language, "a text on one line, without invisible signs")
        self.close()
        return words

    def close(self) -> None:
        """Note every key that no ruleset has."""
        for key in self.data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                here = f"; {self.path or 'a ruleset'} has {known}" if known else ""
                self.notes.add(self.place(key), f"no ruleset has {self.place(key)}{here}")


def told(value: object) -> str:
    """Return a value of the data as a message shows it."""
    try:
        text = shown(repr(value))
    except RecursionError:
        return "nested too deep"
    return text if len(text) <= 60 else text[:57] + "..."


def read_hand(text: str) -> Hand | None:
    """Return the hand that `text` writes high to low, None where it writes none."""
    if len(text) != 3 or not all("1" <= die <= "6" for die in text):
        return None
    hand = canonical(map(int, text))
    return hand if hand == tuple(map(int, text)) else None


def read_hands(rules: Section) -> tuple[dict[Hand, int], dict[Hand, int | None]]:
    """Return the rank (1 is best) and the value of each hand, from the blocks of `hands`.

    None as value stands for all chips but one.
    """
    blocks = rules.value("hands")
    if not isinstance(blocks, list) or not blocks:
        rules.fault("hands", "blocks of equal value, best first")
        return {hand: rank for rank, hand in enumerate(ALL_HANDS, 1)}, dict.fromkeys(ALL_HANDS, 1)
    ranks: dict[Hand, int] = {}
    values: dict[Hand, int | None] = {}
    for number, block in enumerate(blocks, 1):
        section = Section(block, f"hands[{number}]", rules.notes)
        worth = None if section.value("value") == "all_but_one" else section.number("value", 0, 999)
        for text in section.text("hands").split() if not section.broken else ():
            hand = read_hand(text)
            if hand is not None and hand not in ranks:
                ranks[hand] = len(ranks) + 1
                values[hand] = worth
                continue
            wrong = "is there twice" if hand is not None else f"is no hand{_turned(text)}"
            rules.notes.add(
                section.place("hands"),
                f"{section.place('hands')} must be hands like 421, written high to low, each of the 56 once; "
                f"{told(text)} {wrong}",
            )
        section.close()
    missing = [hand for hand in ALL_HANDS if hand not in ranks]
    if missing:
        names = " ".join("".join(map(str, hand)) for hand in missing[:8])
        more = (
            f" and {len(missing) - 8} more are"
            if len(missing) > 8
            else " is"
            if len(missing) == 1
            else " are"
        )
        rules.notes.add("hands", f"hands must hold all 56 hands; {names}{more} missing")
    for hand in missing:
        ranks[hand] = len(ranks) + 1
        values[hand] = 1
    return ranks, values


def _turned(text: str) -> str:
    hand = "".join(sorted(text, reverse=True))
    return f" (it is written {hand})" if hand != text and read_hand(hand) else ""
