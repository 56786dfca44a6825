"""What the table knows of the camera, and what it is told to begin with: small messages, free of any picture
library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vision.roll import Reading, Roll


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that is not as it should be with the dice: `kind` as `docs/api.md` lists them, `message` in words."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """How the camera is: `state` as `docs/api.md` lists them, `message` what happens and what to do.

    `width` and `height` are those of the newest picture in pixels, 0 before the first; `frames` counts those
    watched, `dropped` those that came too fast for that. `flags` are what is wrong with the dice, `notes` the settings
    of the camera that could not be fixed.
    """

    state: str = "none"
    message: str | None = None
    source: str | None = None
    width: int = 0
    height: int = 0
    frames: int = 0
    dropped: int = 0
    flags: tuple[Flag, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What throw the game asked for: `throw` counts those of the player's turn."""

    player: str
    throw: int
    round: int
    rolloff: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """A roll on offer, under the id that the screens know it by.

    `asked` is the throw that it is for, None when none was asked for as it was seen. `like` is the entry of
    the log whose throw lay just so when it was confirmed (0: dice from before the game); None for a new roll.
    `entered` says that it came to rest from the motion in which the throw asked for was entered by hand.
    `read` is what the camera read where `roll` has been corrected since.
    """

    id: str
    roll: Roll
    asked: Asked | None = None
    like: int | None = None
    entered: bool = False
    read: Reading | None = None

    @property
    def as_read(self) -> Reading:
        """What the camera read, without any correction."""
        return self.read or self.roll.reading


@dataclass(frozen=True, slots=True)
class Setup:
    """What the set-up screen may be filled with."""

    players: tuple[str, ...]
    ruleset: str = "rulebook"
    options: Mapping[str, Any] | None = None


class Eye(Protocol):
    """The camera, as far as the table needs it."""

    @property
    def frames(self) -> int:
        """How many frames were watched."""

    @property
    def dropped(self) -> int:
        """How many frames came too fast to be watched, and were left out."""

    def picture(self) -> bytes | None:
        """The newest frame as JPEG."""

    def read_again(self) -> None:
        """Report what lies there once more."""
