"""What is wrong with the dice on the table besides what they show: told once, and as doubts of a roll.

A die that changes after it was told, one that is missing, one that lies beside the tray.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.consensus import distance, size
from vision.events import Flagged
from vision.memory import Compared, Memory
from vision.roll import DieReading, add_reason

SETTLED = 0.5  # of a die's size: a die beside the tray that lies nearer to its place has not moved


class Flags:
    """Remembers what was flagged. `dice` is how many a set has, None if nobody knows."""

    def __init__(self, dice: int | None) -> None:
        self._dice = dice
        self._beside: tuple[DieReading, ...] = ()

    def forget(self) -> None:
        """Start anew: the picture is another one."""
        self._beside = ()

    def doubts(
        self, dice: Sequence[DieReading], beside: Sequence[DieReading], hand: bool, most: int
    ) -> tuple[str, ...]:
        """What speaks against a roll of these dice, those told before having shown `most` at once, 0 without any.

        `beside`: dice beside the tray; `hand`: something reaches in.
        """
        doubts: list[str] = []
        due = self._dice if self._dice is not None else most
        if hand and (len(dice) < due or not due):  # without any before nobody knows how many there are
            add_reason(doubts, "a hand may hide a die")
        if self._dice is not None:
            if len(dice) > self._dice:
                add_reason(doubts, "more dice than this set has")
            elif len(dice) < self._dice:
                if not beside:
                    add_reason(doubts, "a die is missing")
                else:
                    add_reason(doubts, "a die lies beside the tray")
        if self._new(beside):
            add_reason(doubts, "a die lies beside the tray")
        return tuple(doubts)

    def of_roll(self, time: float, dice: Sequence[DieReading], beside: Sequence[DieReading]) -> list[Flagged]:
        """What there is to flag as a roll is told."""
        flags = self.of_beside(time, beside)
        lack = 0 if self._dice is None else self._dice - len(dice) - len(beside)
        if lack > 0:
            flags.append(
                Flagged(
                    time,
                    "missing",
                    f"{_dice(lack)} of {self._dice} missing: look under the rim and on the floor.",
                )
            )
        return flags

    def of_beside(self, time: float, beside: Sequence[DieReading]) -> list[Flagged]:
        """Dice that have come to lie beside the tray; takes in those that lie there."""
        new = self._new(beside)
        self._beside = tuple(beside)
        if not new:
            return []
        verb = "lies" if len(new) == 1 else "lie"
        return [
            Flagged(time, "beside", f"{_dice(len(new))} {verb} beside the tray and not part of the roll.")
        ]

    def of_turned(
        self, time: float, dice: Sequence[DieReading], compared: Compared, memory: Memory
    ) -> list[Flagged]:
        """Dice that show another value than was told, by a hand and not by a throw; before the memory notes them."""
        flags = []
        for die, how, place in zip(dice, compared.hows, compared.partners, strict=True):
            if how != "turned" or place is None or die.value == memory.told(place):
                continue
            message = (
                f"A die shows {die.value} now, it was read as {memory.told(place)}, and nobody has thrown it."
            )
            flags.append(Flagged(time, "changed", message))
        return flags

    def of_gone(self, time: float, count: int) -> list[Flagged]:
        """So many dice are gone, and no hand has taken them."""
        if not count:
            return []
        them = "it" if count == 1 else "them"
        return [Flagged(time, "missing", f"{_dice(count)} gone, and nobody has taken {them} away.")]

    def _new(self, beside: Sequence[DieReading]) -> list[DieReading]:
        return [
            die
            for die in beside
            if not any(distance(die, other) <= SETTLED * size(die) for other in self._beside)
        ]


def _dice(count: int) -> str:
    return "One die" if count == 1 else f"{count} dice"
