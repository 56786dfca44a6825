"""How hands are called at a table, in English and French: `611` is "two aces and a six", "deux as et six"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scorer.hands import Hand

Language = Literal["en", "fr"]

_EN = {1: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_EN_PLURAL = {1: "aces", 2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes"}
_FR = {1: "as", 2: "deux", 3: "trois", 4: "quatre", 5: "cinq", 6: "six"}


def hand_name(
    hand: Hand, language: Language, nicknames: Mapping[Hand, Mapping[str, str]] | None = None
) -> str:
    """Return what the hand of three dice is called; `nicknames` are the ruleset's own names for some hands."""
    own = (nicknames or {}).get(hand)
    if own is not None:
        return own[language]
    return _english(hand) if language == "en" else _french(hand)


def is_straight(hand: Hand) -> bool:
    """Say whether the hand is 654, 543, 432 or 321."""
    return len(hand) == 3 and hand[0] - 1 == hand[1] == hand[2] + 1


def pair_of(hand: Hand) -> tuple[int, int] | None:
    """Return the face of the pair and the odd die of a hand with just one pair, None for any other hand."""
    if len(set(hand)) != 2:
        return None
    return (hand[0], hand[2]) if hand[0] == hand[1] else (hand[2], hand[0])


def _english(hand: Hand) -> str:
    pair = pair_of(hand)
    if hand == (4, 2, 1):
        return "four twenty-one"
    if len(set(hand)) == 1:
        return f"three {_EN_PLURAL[hand[0]]}"
    if pair is not None:
        start = "two aces" if pair[0] == 1 else f"pair of {_EN_PLURAL[pair[0]]}"
        return f"{start} and {'an' if pair[1] == 1 else 'a'} {_EN[pair[1]]}"
    if is_straight(hand):
        return f"{_EN[hand[0]]}-high straight"
    return f"{_EN[hand[0]]}, {_EN[hand[1]]} and {_EN[hand[2]]}"


def _french(hand: Hand) -> str:
    pair = pair_of(hand)
    if hand == (4, 2, 1):
        return "quatre-cent-vingt-et-un"
    if hand == (1, 1, 1):
        return "trois as"
    if len(set(hand)) == 1:
        return f"brelan de {_FR[hand[0]]}"
    if pair is not None:
        start = "deux as" if pair[0] == 1 else f"paire de {_FR[pair[0]]}"
        return f"{start} et {_FR[pair[1]]}"
    if is_straight(hand):
        return f"suite au {_FR[hand[0]]}"
    return f"{_FR[hand[0]]}, {_FR[hand[1]]} et {_FR[hand[2]]}"
