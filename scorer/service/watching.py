"""What the table knows of the camera: small messages, free of any picture library."""

from __future__ import annotations

from dataclasses import dataclass

from vision.roll import Roll


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """How the camera is: `state` as `docs/api.md` lists them, `message` what happens and what to do.

    `width` and `height` are those of the newest picture in pixels, 0 before the first; `frames` counts those
    watched.
    """

    state: str = "none"
    message: str | None = None
    source: str | None = None
    width: int = 0
    height: int = 0
    frames: int = 0


@dataclass(frozen=True, slots=True)
class Offer:
    """A roll on offer, under the id that the screens know it by."""

    id: str
    roll: Roll
    note: str | None = None
