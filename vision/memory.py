"""The dice as last reported: which of those seen now have been thrown since?

A throw changes the dice that lie on the table. A hand that passes, a shadow, a lamp, a die picked up or
nudged does not make one. So what counts is not what the reader says twice about the same picture, but
whether the picture of a die is still the one that was reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.consensus import SAME_PLACE, distance, size
from vision.gate import Look, MotionGate, Patch
from vision.roll import DieReading, Reading

NUDGE = 1.0  # of a die's size: one that shows the same value no further away has only been pushed


@dataclass(frozen=True, slots=True)
class Lying:
    """One reported die, how the picture looked there, and whether it was missing in a later reading."""

    die: DieReading
    patch: Patch
    gone: bool = False


class Memory:
    """What was reported last, compared with the newest frame the gate has seen."""

    def __init__(self, gate: MotionGate) -> None:
        self._gate = gate
        self._lying: list[Lying] = []

    def fresh(self, reading: Reading, look: Look | None = None) -> tuple[DieReading, ...]:
        """The dice of `reading`, of the frame of `look` or else the newest, that came there after the last report."""
        partners = self._partners(reading.dice)
        fresh: list[DieReading] = []
        for die, place in zip(reading.dice, partners, strict=True):
            if place is None:
                fresh.append(die)
                continue
            lying = self._lying[place]
            untouched = self._gate.alike(lying.patch, look)
            nudged = not lying.gone and lying.die.value == die.value
            if not untouched and not nudged:
                fresh.append(die)
        return tuple(fresh)

    def note(self, reading: Reading) -> None:
        """Take in a reading, of the newest frame, that shows no fresh die: dice nudged a little, or fewer dice.

        When the table lies bare where all the dice were, nothing is remembered of them: whatever comes then
        was thrown.
        """
        partners = self._partners(reading.dice)
        for die, place in zip(reading.dice, partners, strict=True):
            if place is not None and not self._gate.alike(self._lying[place].patch):
                self._lying[place] = Lying(die, self._gate.patch(die.box))
        for place, lying in enumerate(self._lying):
            if place not in partners:
                self._lying[place] = replace(lying, gone=True)
        if not reading.dice and all(self._gate.bare(lying.patch) for lying in self._lying):
            self._lying.clear()

    def report(self, reading: Reading, patches: Sequence[Patch] = ()) -> None:
        """Remember the dice of a roll that is being reported: as `patches` taken before, or the newest
        frame, show them.

        Dice hidden just now, but not gone from the table, are kept in mind: uncovering them is no throw.
        """
        partners = self._partners(reading.dice)
        hidden = [
            replace(lying, gone=True)
            for place, lying in enumerate(self._lying)
            if place not in partners and not self._gate.bare(lying.patch)
        ]
        self._lying = [Lying(die, self._look_of(die, patches)) for die in reading.dice] + hidden

    def forget(self) -> None:
        """Start anew: the picture is another one."""
        self._lying.clear()

    def _look_of(self, die: DieReading, patches: Sequence[Patch]) -> Patch:
        for patch in patches:
            x0, y0, x1, y1 = patch.box
            if math.dist(((x0 + x1) / 2, (y0 + y1) / 2), die.center) < SAME_PLACE * size(die):
                return patch
        return self._gate.patch(die.box)

    def _partners(self, dice: Sequence[DieReading]) -> list[int | None]:
        """For each die the remembered one nearest to it, within a die's size, each used once."""
        pairs = sorted(
            (distance(die, lying.die), number, place)
            for number, die in enumerate(dice)
            for place, lying in enumerate(self._lying)
        )
        partners: list[int | None] = [None] * len(dice)
        used: set[int] = set()
        for apart, number, place in pairs:
            if apart <= NUDGE * size(dice[number]) and partners[number] is None and place not in used:
                partners[number] = place
                used.add(place)
        return partners
