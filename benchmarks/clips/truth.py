"""What a clip shows, in numbers: the rolls that must be told, and what must be flagged."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Lies = Literal["thrown", "kept", "aside", "beside", "cocked"]
"""How a die came to lie where it does: thrown; left lying from before; laid aside by hand since; thrown beside the
tray; leaning on something, so that no face is the upper one."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die at rest: its `value`, its middle `at` (x, y) in the frame's pixels, its `box` there."""

    value: int
    at: tuple[float, float]
    box: tuple[float, float, float, float]
    lies: Lies = "thrown"


@dataclass(frozen=True, slots=True)
class TrueRoll:
    """A throw: all `dice` that lie there then.

    In seconds of the frames' time: `rest` that of the first frame in which all lie still, `until` that of the last
    one before something is done to them, and `end` that of the last one in which it may be told. `sure` says that it
    may be told as sure, `optional` that it need not be told at all.
    """

    rest: float
    until: float
    end: float
    dice: tuple[TrueDie, ...]
    sure: bool = True
    optional: bool = False

    @property
    def values(self) -> tuple[int, ...]:
        """What is to be read, high to low: dice beside the tray and cocked ones do not count."""
        counted = [die.value for die in self.dice if die.lies not in ("beside", "cocked")]
        return tuple(sorted(counted, reverse=True))


@dataclass(frozen=True, slots=True)
class TrueFlag:
    """Something to be told from `since` to `until` (seconds): a die `changed`, is `missing`, or lies `beside`."""

    kind: Literal["changed", "missing", "beside"]
    since: float
    until: float


@dataclass(frozen=True, slots=True)
class Truth:
    """All of it; `tray` is the outline of the tray with its rim in the frame's pixels (n points), `die_px` the edge of
    a die there, `count` how many dice the set has."""

    rolls: tuple[TrueRoll, ...]
    flags: tuple[TrueFlag, ...]
    tray: tuple[tuple[float, float], ...]
    die_px: float
    count: int

    def as_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return asdict(self)
