"""How dice moved from the hand until they lay: what the physics gives and the film shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Flight:
    """Poses of n dice at `rate` a second: `positions` (t, n, 3) metres, `rotations` (t, n, 3, 3) body to
    world.

    The last pose is that of rest; `values` are the upper faces then.
    """

    rate: float
    positions: NDArray[np.float64]
    rotations: NDArray[np.float64]
    values: tuple[int, ...]

    @property
    def length(self) -> float:
        """Seconds until all lie still."""
        return (len(self.positions) - 1) / self.rate

    def at(self, time: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(n, 3) positions and (n, 3, 3) rotations `time` seconds after the start."""
        index = int(np.clip(round(time * self.rate), 0, len(self.positions) - 1))
        return self.positions[index], self.rotations[index]

    @property
    def settled(self) -> float:
        """Seconds until no die stirs any more visibly: by a quarter of a millimetre, or half a degree."""
        shifted = np.linalg.norm(self.positions - self.positions[-1], axis=-1).max(axis=-1) > 0.00025
        turned = np.abs(self.rotations - self.rotations[-1]).max(axis=(-3, -2, -1)) > 0.009
        stirring = np.flatnonzero(shifted | turned)
        return float((stirring[-1] + 1) / self.rate) if len(stirring) else 0.0
