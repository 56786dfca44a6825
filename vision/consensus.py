"""Several readings of one rest made into one: no single frame decides.

Dice are matched between pictures by where they lie. Each die's value is the one with the largest sum of
log-probabilities. The pictures of one rest share their faults (glare, a hidden pip), so the sum only
chooses; it is not taken as evidence that multiplies: the confidence stays the mean of what the pictures
said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.roll import CLASSES, DieReading, Reading, add_reason

LEAST_PROBABILITY = 1e-6
SAME_PLACE = 0.5  # of a die's size


def agree(readings: Sequence[Reading]) -> Reading:
    """Combine the readings of one rest, oldest first; boxes are those of the newest.

    A die that only half of the pictures or fewer show is left out. The result is sure only if there are two
    readings at least, every one of them is sure, and all agree on the dice and their values: one doubt is a
    doubt. Raises ValueError if there are no readings.
    """
    if not readings:
        raise ValueError("There must be at least one reading to agree on.")
    groups = match(readings)
    reasons: list[str] = []
    dice: list[DieReading] = []
    if len(readings) == 1:
        reasons.append("seen in one picture only")
    for group in groups:
        if len(group) < len(readings):
            add_reason(reasons, "a die was not seen in every picture")
        if 2 * len(group) > len(readings):
            die = combine(group)
            dice.append(die)
            if any(each.value != die.value for each in group):
                add_reason(reasons, f"the pictures do not agree on a die (taken as {die.value})")
    if not dice:
        add_reason(reasons, "no dice seen")
    sure = not reasons and all(reading.sure for reading in readings)
    if not sure:
        for reading in readings:
            for reason in reading.reasons:
                add_reason(reasons, reason)
    newest = readings[-1]
    return Reading(
        dice=tuple(dice),
        sure=sure,
        reasons=() if sure else tuple(reasons),
        ms=sum(reading.ms for reading in readings),
        width=newest.width,
        height=newest.height,
        confidence=min(reading.confidence for reading in readings),
    )


def match(readings: Sequence[Reading]) -> list[list[DieReading]]:
    """Group the dice of several readings by place: oldest first, at most one die of each reading."""
    groups: list[list[DieReading]] = []
    for reading in reversed(readings):
        free = list(range(len(groups)))
        pairs = sorted(
            (distance(die, groups[place][0]), number, place)
            for number, die in enumerate(reading.dice)
            for place in free
        )
        taken: set[int] = set()
        for apart, number, place in pairs:
            die = reading.dice[number]
            if number not in taken and place in free and apart <= SAME_PLACE * size(die):
                groups[place].insert(0, die)
                taken.add(number)
                free.remove(place)
        groups.extend([die] for number, die in enumerate(reading.dice) if number not in taken)
    return groups


def combine(group: Sequence[DieReading]) -> DieReading:
    """One die seen in several pictures, oldest first."""
    sums = [0.0] * CLASSES
    for die in group:
        for index, probability in enumerate(probabilities(die)):
            sums[index] += math.log(max(probability, LEAST_PROBABILITY))
    top = max(sums)
    weights = [math.exp((each - top) / len(group)) for each in sums]
    value = max(range(6), key=lambda index: sums[index]) + 1
    confidence = sum(
        die.confidence if die.value == value else probabilities(die)[value - 1] for die in group
    ) / len(group)
    reasons: list[str] = []
    for die in group:
        for reason in die.reasons:
            add_reason(reasons, reason)
    total = sum(weights)
    return DieReading(
        value, confidence, group[-1].box, tuple(each / total for each in weights), tuple(reasons)
    )


def probabilities(die: DieReading) -> tuple[float, ...]:
    """The seven probabilities of a die; where there is only a confidence, the rest is shared evenly."""
    if len(die.probabilities) == CLASSES:
        return die.probabilities
    rest = (1.0 - die.confidence) / (CLASSES - 1)
    return tuple(die.confidence if index == die.value - 1 else rest for index in range(CLASSES))


def size(die: DieReading) -> float:
    """Mean side of the die's box, pixels."""
    x0, y0, x1, y1 = die.box
    return (x1 - x0 + y1 - y0) / 2


def distance(one: DieReading, other: DieReading) -> float:
    """Between the middles of two dice, pixels."""
    return math.dist(one.center, other.center)
