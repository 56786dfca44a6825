"""What a roll watcher tells, in the order in which it happened.

A table is in one `State` at a time. A throw that has come to rest is a `RollSeen`; what is wrong with the dice on the
table besides is `Flagged`. Times are seconds of the source's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from vision.roll import Roll

State = Literal["empty", "moving", "hand", "settling", "still", "read", "unsure", "stale", "moved"]
"""How the table is.

`empty`: nothing lies there. `moving`: something moves, dice as it seems. `hand`: something reaches in from the
picture's edge, moving or at rest. `settling`: what moved has stopped just now. `still`: it rests, and is not read yet.
`read`, `unsure`: dice lie there whose roll has been told, sure or not. `stale`: no frames come. `moved`: the camera or
the tray stands elsewhere, and nothing is read until that is put right.
"""
STATES: tuple[State, ...] = get_args(State)

Kind = Literal["changed", "missing", "beside"]
"""What is flagged. `changed`: a die shows another value than was told, and nobody has thrown it. `missing`: fewer dice
lie there than this set has, or than lay there. `beside`: a die lies beside the tray."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """The table's state has changed with the frame taken at `time`; `reason` says why where that is not plain."""

    time: float
    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RollSeen:
    """A throw has come to rest."""

    time: float
    roll: Roll


@dataclass(frozen=True, slots=True)
class Flagged:
    """Something is not as it was told, or not as it should be; `message` says in words what, and what to do."""

    time: float
    kind: Kind
    message: str


Event = StateChange | RollSeen | Flagged
