"""Clips of a table with their truth, made from a seed: what the roll watcher is measured with.

`make(kind, seed)` gives a `Clip`; its `frames()` are drawn as they are asked for, its `truth` says what must be told.
`python -m benchmarks.clips --out DIR` writes them as films with JSON beside them. Everything is made by this program:
dice ray-marched, table and tray traced, the hand drawn from the mesh of `models.training.render.hand`.
"""

from __future__ import annotations

# They register their kinds, in this order.
# isort: off
from benchmarks.clips import throws, doings, conditions, mishaps  # noqa: F401
# isort: on

from benchmarks.clips.clip import Clip
from benchmarks.clips.kinds import KINDS, make
from benchmarks.clips.truth import TrueDie, TrueFlag, TrueRoll, Truth

__all__ = ["KINDS", "Clip", "TrueDie", "TrueFlag", "TrueRoll", "Truth", "make"]
