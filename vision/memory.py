"""The dice as last told: which of those seen now lay there, and which have been thrown since?

A throw changes the dice that lie on the table. A hand that passes, a shadow, a lamp, a die picked up or nudged does not
make one. So what counts is not what the reader says twice about the same picture, but whether the picture of a die is
still the one that was told. The rule, for each die seen at rest:

* it looks as it did when it was told: it *lies* there still, whatever the reader says now;
* within its own size of its place, with its value: it was *nudged*; but if it had been gone meanwhile: *thrown*;
* within its own size of its place, with another value: somebody *turned* it; but if it had been gone: *thrown*;
* elsewhere, with the value of a die that has left its place, and put down by a hand: it was *carried* aside, if all
  dice that lie elsewhere were;
* elsewhere: it was *thrown*, and with it those that seem to be nudged far, but by no hand.

Dice thrown make a roll. Where there are some, those turned count as thrown with them, since a die may well come to rest
beside its old place; by themselves they make none, and are flagged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from calibration.geometry import Matrix, mapped
from vision.consensus import SAME_PLACE, distance, size
from vision.gate import Look, MotionGate, Patch
from vision.roll import Box, DieReading, Reading

NUDGE = 1.0  # of a die's size: one that shows the same value no further away has only been pushed
PUSHED = 0.35  # of a die's size: so far a die may be pushed by another one that is thrown

How = Literal["lies", "nudged", "turned", "carried", "thrown"]
"""What has become of a die since the last roll; see the rule above."""


@dataclass(frozen=True, slots=True)
class Lying:
    """One told die, how the picture looked there, the value told, and whether it was missing in a later reading."""

    die: DieReading
    patch: Patch
    told: int
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """The dice of a reading against those remembered: for each how it came there, and which one it was (None: new)."""

    hows: tuple[How, ...]
    partners: tuple[int | None, ...]

    @property
    def thrown(self) -> bool:
        """Whether any die was thrown."""
        return "thrown" in self.hows

    @property
    def turned(self) -> bool:
        """Whether any die was turned in its place."""
        return "turned" in self.hows

    @property
    def at_rest(self) -> int:
        """How many dice nobody has thrown or turned."""
        return sum(how in ("lies", "nudged") for how in self.hows)


class Memory:
    """What was told last, compared with the newest frame the gate has seen."""

    def __init__(self, gate: MotionGate) -> None:
        self._gate = gate
        self._lying: list[Lying] = []

    def __len__(self) -> int:
        """How many dice are remembered as lying there."""
        return sum(not lying.gone for lying in self._lying)

    @property
    def boxes(self) -> list[Box]:
        """Where the remembered dice lie."""
        return [lying.die.box for lying in self._lying if not lying.gone]

    def told(self, place: int) -> int:
        """The value that was told of a remembered die."""
        return self._lying[place].told

    def compare(self, dice: Sequence[DieReading], look: Look | None = None) -> Compared:
        """What has become of each of the `dice`, seen in the frame of `look` or else the newest."""
        partners = self._partners(dice)
        hows: list[How] = []
        for die, place in zip(dice, partners, strict=True):
            if place is None:
                hows.append("thrown")
                continue
            lying = self._lying[place]
            if self._gate.alike(lying.patch, look):
                hows.append("lies")
            elif lying.gone:
                hows.append("thrown")
            else:
                hows.append("nudged" if lying.die.value == die.value else "turned")
        carried = self._carried(dice, partners)
        # Whoever lays a die aside and throws the others lets it be seen between; else it is chance.
        if len(carried) == hows.count("thrown"):
            for number, place in carried.items():
                hows[number], partners[number] = "carried", place
        if "thrown" in hows:
            for number, (die, place) in enumerate(zip(dice, partners, strict=True)):
                if hows[number] == "nudged" and place is not None and self._fell(die, self._lying[place]):
                    hows[number] = "thrown"
        return Compared(tuple(hows), tuple(partners))

    def move(self, matrix: Matrix) -> None:
        """The picture has moved as a whole: by `matrix`, in pixels of the frame, to where it is now."""
        self._lying = [
            replace(
                lying,
                die=replace(lying.die, box=_moved(lying.die.box, matrix)),
                patch=replace(lying.patch, box=_moved(lying.patch.box, matrix)),
            )
            for lying in self._lying
        ]

    def moved(self, matrix: Matrix) -> Memory:
        """What would be remembered had the picture moved by `matrix`."""
        other = Memory(self._gate)
        other._lying = self._lying
        other.move(matrix)
        return other

    def note(self, dice: Sequence[DieReading], compared: Compared) -> None:
        """Take in dice of the newest frame among which none was thrown: nudged, turned, carried aside, or fewer.

        When the table lies bare where all the dice were, nothing is remembered of them: whatever comes then was thrown.
        """
        for die, place, how in zip(dice, compared.partners, compared.hows, strict=True):
            if place is None:
                self._lying.append(Lying(die, self._gate.patch(die.box), die.value))
            elif how != "lies":
                told = self._lying[place].told
                self._lying[place] = Lying(die, self._gate.patch(die.box), told)
        seen = set(compared.partners)
        for place in range(len(self._lying) - compared.partners.count(None)):
            if place not in seen:
                self._lying[place] = replace(self._lying[place], gone=True)
        if not dice and all(self._gate.bare(lying.patch) for lying in self._lying):
            self._lying.clear()

    def vanished(self, compared: Compared) -> int:
        """How many dice lay there that the newest frame, of which `compared` tells, does not show: bare table."""
        return sum(
            place not in compared.partners and not lying.gone and self._gate.bare(lying.patch)
            for place, lying in enumerate(self._lying)
        )

    def glimpse(self, dice: Sequence[DieReading], compared: Compared, look: Look | None) -> None:
        """Dice were seen at rest in the frame of `look`, a hand about: what it laid aside, what it has picked up."""
        for die, place, how in zip(dice, compared.partners, compared.hows, strict=True):
            if how == "carried" and place is not None:
                self._lying[place] = Lying(die, self._gate.patch(die.box, look), self._lying[place].told)
        for place, lying in enumerate(self._lying):
            if place not in compared.partners and self._gate.bare(lying.patch):
                self._lying[place] = replace(lying, gone=True)

    def report(self, reading: Reading, patches: Sequence[Patch] = ()) -> None:
        """Remember the dice of a roll that is being told: as `patches` taken before, or the newest frame, show them.

        Dice hidden just now, but not gone from the table, are kept in mind: uncovering them is no throw.
        """
        partners = self._partners(reading.dice)
        hidden = [
            replace(lying, gone=True)
            for place, lying in enumerate(self._lying)
            if place not in partners and not self._gate.bare(lying.patch)
        ]
        seen = [Lying(die, self._look_of(die, patches), die.value) for die in reading.dice]
        self._lying = seen + hidden

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

    def _fell(self, die: DieReading, lying: Lying) -> bool:
        """Whether a die beside the place of one told may well be another, or that one thrown: no hand has pushed it."""
        return distance(die, lying.die) > PUSHED * size(die) and self._gate.came_alone(die.box)

    def _carried(self, dice: Sequence[DieReading], partners: Sequence[int | None]) -> dict[int, int]:
        """Dice that a hand has put where they lie, each with the remembered one that it was."""
        left = [
            place
            for place, lying in enumerate(self._lying)
            if place not in partners and not self._gate.alike(lying.patch)
        ]
        carried: dict[int, int] = {}
        for number, (die, place) in enumerate(zip(dice, partners, strict=True)):
            if place is not None or self._gate.came_alone(die.box):
                continue
            same = [other for other in left if self._lying[other].die.value == die.value]
            if same:
                carried[number] = min(same, key=lambda other: distance(die, self._lying[other].die))
                left.remove(carried[number])
        return carried


def _moved(box: Box, matrix: Matrix) -> Box:
    """A box moved with its middle; its size stays."""
    x0, y0, x1, y1 = box
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    ((to_x, to_y),) = mapped(np.array([(x, y)]), matrix).tolist()
    return (x0 + to_x - x, y0 + to_y - y, x1 + to_x - x, y1 + to_y - y)
