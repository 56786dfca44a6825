"""What can happen at a table: a function for each kind of clip, registered here by the modules that have them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.clips.clip import Clip, random_of
from benchmarks.clips.script import Script

Kind = Callable[[np.random.Generator], "Made"]
Made = tuple[Script, dict[str, object]]
"""A script, and what else is said of the clip: `fps`, `clean`, `line`."""

KINDS: dict[str, Kind] = {}
SIZES = ((640, 480), (640, 480), (720, 480), (800, 600))


def kind(function: Kind) -> Kind:
    """Register a kind under its function's name."""
    KINDS[function.__name__.replace("_", "-")] = function
    return function


def make(name: str, seed: int) -> Clip:
    """The clip of a kind and seed. Raises KeyError for an unknown kind."""
    script, more = KINDS[name](random_of(name, seed))
    return Clip(name, seed, script, **more)  # type: ignore[arg-type]


def begun(rng: np.random.Generator, **more: object) -> Script:
    """A table at which nothing has happened yet, for most of a second."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    script = Script(rng, **{"size": size, **more})  # type: ignore[arg-type]
    script.wait(float(rng.uniform(0.6, 1.0)))
    return script


def all_of(script: Script) -> list[int]:
    """The numbers of all dice."""
    return list(range(len(script.actors.dice)))


def clear(script: Script, seconds: float = 0.8) -> None:
    """A hand takes the dice away, and nothing happens for so many seconds."""
    script.take(script.lying)
    script.wait(seconds)
