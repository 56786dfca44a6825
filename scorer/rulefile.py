"""Reading the data of a ruleset with care.

Every getter checks type and range, and names the place of a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from scorer.errors import SetupError
from scorer.hands import ALL_HANDS, Hand, canonical

T = TypeVar("T")


class Section:
    """One table of a ruleset's data; `path` says where it stands.

    `close` finds the keys that nobody asked for.
    """

    def __init__(self, data: object, path: str) -> None:
        if not isinstance(data, Mapping):
            raise SetupError(f"rules: {path or 'the whole'} must be a table of keys and values")
        self.data: Mapping[str, Any] = data
        self._path = path
        self._asked: set[str] = set()

    def fault(self, key: str, wanted: str) -> SetupError:
        """Return the error to raise for a wrong value."""
        place = f"{self._path}.{key}" if self._path else key
        found = f"it is {self.data[key]!r}" if key in self.data else "it is missing"
        return SetupError(f"rules: {place} must be {wanted}; {found}")

    def has(self, key: str) -> bool:
        """Say whether the key is there."""
        return key in self.data

    def value(self, key: str) -> Any:
        """Return what stands under the key, None where it is missing."""
        self._asked.add(key)
        return self.data.get(key)

    def table(self, key: str) -> Section:
        """Return the table under the key, empty where it is missing."""
        self._asked.add(key)
        return Section(self.data.get(key, {}), f"{self._path}.{key}" if self._path else key)

    def tables(self, key: str) -> Iterator[tuple[str, Section]]:
        """Go through the tables in the table under the key, by name."""
        outer = self.table(key)
        for name in outer.data:
            yield name, outer.table(name)

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`."""
        value = self.value(key)
        if value is None and default is not None:
            return default
        if type(value) is not int or not low <= value <= high:
            raise self.fault(key, f"a whole number from {low} to {high}")
        return value

    def text(self, key: str) -> str:
        """Return a text that is not empty."""
        value = self.value(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(key, "a text")
        return value

    def flag(self, key: str) -> bool:
        """Return true or false, false where it is missing."""
        value = self.value(key)
        if value is not None and type(value) is not bool:
            raise self.fault(key, "true or false")
        return bool(value)

    def one_of(self, key: str, choices: Mapping[str, T]) -> T:
        """Return what the name under the key stands for."""
        value = self.value(key)
        if not isinstance(value, str) or value not in choices:
            raise self.fault(key, "one of " + ", ".join(choices))
        return choices[value]

    def some_of(self, key: str, choices: Mapping[str, T]) -> tuple[T, ...]:
        """Return what each name in the list under the key stands for."""
        value = self.value(key)
        wanted = "a list of " + ", ".join(choices)
        if not isinstance(value, list) or not value:
            raise self.fault(key, wanted)
        if not all(isinstance(item, str) and item in choices for item in value):
            raise self.fault(key, wanted)
        return tuple(choices[item] for item in value)

    def one_or_three(self, key: str) -> int:
        """Return a number of dice: 1 or 3."""
        dice = self.number(key, 1, 3)
        if dice == 2:
            raise self.fault(key, "1 or 3")
        return dice

    def hand(self, key: str) -> Hand | None:
        """Return the hand written under the key, None where it is missing."""
        value = self.value(key)
        if value is None:
            return None
        hand = read_hand(value) if isinstance(value, str) else None
        if hand is None:
            raise self.fault(key, "a hand like 421")
        return hand

    def only_hand(self, key: str) -> Hand | None:
        """Return the hand under the key, the only one that this table may have."""
        hand = self.hand(key)
        self.close()
        return hand

    def words(self, key: str) -> dict[str, str]:
        """Return a text in English and in French: `{"en": ..., "fr": ...}`."""
        table = self.table(key)
        words = {language: table.text(language) for language in ("en", "fr")}
        table.close()
        return words

    def close(self) -> None:
        """Raise for a key that no ruleset has."""
        for key in self.data:
            if key not in self._asked:
                raise SetupError(f"rules: no ruleset has {self._path + '.' if self._path else ''}{key}")


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
    if not isinstance(blocks, list):
        raise rules.fault("hands", "blocks of equal value, best first")
    ranks: dict[Hand, int] = {}
    values: dict[Hand, int | None] = {}
    for number, block in enumerate(blocks, 1):
        section = Section(block, f"hands[{number}]")
        worth = None if section.value("value") == "all_but_one" else section.number("value", 0, 999)
        for text in section.text("hands").split():
            hand = read_hand(text)
            if hand is None or hand in ranks:
                raise section.fault("hands", "hands written high to low, each of the 56 once")
            ranks[hand] = len(ranks) + 1
            values[hand] = worth
        section.close()
    if len(ranks) != len(ALL_HANDS):
        missing = next(hand for hand in ALL_HANDS if hand not in ranks)
        raise SetupError(f"rules: hands must hold all 56 hands; {''.join(map(str, missing))} is missing")
    return ranks, values
