"""A roll as it was confirmed, corrections and all: what an undo offers again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from scorer.service.watching import Offer
from vision.roll import Box, DieReading, Reading


def as_confirmed(offer: Offer, dice: Sequence[int], kept: Sequence[int]) -> Offer:
    """`offer` with the values that somebody confirmed for it: `dice` thrown, and those `kept` as far as seen.

    A die that was corrected has confidence 1 and no reasons; one that was added lies nowhere: its box is outside
    the picture, without size. What the camera read stays under `as_read`. A corrected roll is not sure.
    """
    reading = offer.roll.reading
    thrown, also = Counter(dice), Counter(kept)
    now: list[DieReading | None] = [None] * len(reading.dice)
    for values in (thrown, also):  # those read as confirmed
        for at, die in enumerate(reading.dice):
            if now[at] is None and values[die.value] > 0:
                values[die.value] -= 1
                now[at] = die
    for values in (thrown, also):  # the others show what is left
        for at, die in enumerate(reading.dice):
            left = list(values.elements())
            if now[at] is None and left:
                values[left[0]] -= 1
                now[at] = replace(die, value=left[0], confidence=1.0, reasons=())
    added = [DieReading(value, 1.0, nowhere(reading)) for value in thrown.elements()]
    shown = (*(die for die in now if die is not None), *added)
    if shown == reading.dice:
        return offer
    corrected = replace(reading, dice=shown, sure=False)
    return replace(offer, roll=replace(offer.roll, reading=corrected), read=offer.as_read)


def nowhere(reading: Reading) -> Box:
    """The box of a die that does not lie in the picture: without size, and outside it."""
    x, y = -float(reading.width), -float(reading.height)
    return x, y, x, y
