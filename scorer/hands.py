"""A hand: the dice as they lie, written high to low. `(6, 1, 1)` is the hand, `611` its name."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement, product

Hand = tuple[int, ...]
"""Values of the dice, 1 to 6, high to low: three in a turn, one or three in opening and roll-off."""

FACES = (1, 2, 3, 4, 5, 6)

ALL_HANDS: tuple[Hand, ...] = tuple(combinations_with_replacement(reversed(FACES), 3))
"""The 56 hands of three dice, by their writing, 666 first."""

CANONICAL: dict[tuple[int, ...], Hand] = {
    dice: tuple(sorted(dice, reverse=True)) for count in (1, 3) for dice in product(FACES, repeat=count)
}
"""Every way that one die or three dice can lie, and the hand it is."""


def canonical(dice: Iterable[int]) -> Hand:
    """Return the dice, any number of them, high to low. Raises ValueError for a value that is not 1 to 6."""
    hand = tuple(sorted(dice, reverse=True))
    if any(die not in FACES for die in hand):
        raise ValueError(f"a die shows 1 to 6, not {hand}")
    return hand


def name(hand: Iterable[int]) -> str:
    """Return how the hand is written: `611`."""
    return "".join(map(str, sorted(hand, reverse=True)))


def parse(text: str) -> Hand:
    """Return the hand written as `text` in any order. Raises ValueError."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"a hand is written with the digits 1 to 6, not {text!r}")
    return canonical(map(int, text))


def contains(hand: Hand, dice: Iterable[int]) -> bool:
    """Say whether all `dice` can be taken from `hand` at once."""
    rest = list(hand)
    for die in dice:
        if die not in rest:
            return False
        rest.remove(die)
    return True
