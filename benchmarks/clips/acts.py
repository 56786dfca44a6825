"""What is noted of a clip while it is written: the throws that were played, and what should be flagged."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.clips.die import Pose
from benchmarks.clips.truth import Lies


@dataclass
class Throw:
    """One throw as it was played: true times of rest, of the first touch after it, and of the next throw's start."""

    rest: float
    dice: tuple[tuple[int, int, Lies], ...]  # index, value, how it lies
    poses: tuple[Pose, ...]
    touched: float = 1e9
    sure: bool = True
    optional: bool = False


@dataclass
class Alarm:
    """Something to be flagged."""

    kind: str
    since: float
    until: float = 1e9
