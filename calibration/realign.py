"""A profile for where the camera looks now, after it has moved: made only where that is safe."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Matrix, Points, mapped
from calibration.profile import Image, Profile, ProfileError

if TYPE_CHECKING:
    from calibration.drift import Drift

SAFE_SHIFT = 0.08  # widths of the picture
SAFE_TURN = 6.0  # degrees
SAFE_SCALE = 0.08
SAFE_SUPPORT = 0.35  # share of the marks that tell it
RIM = 0.02  # widths: the outline's neighbourhood that goes with the tray


def realigned(profile: Profile, drift: Drift, frame: Image | None = None) -> Profile | None:
    """The profile for where the camera looks now, or None when a person must look first.

    None where nothing has moved or is certain, where the move is large or told by few marks, or where a part of the
    tray is no longer in the picture. `frame`: the picture now; it fills what the old reference does not show.
    """
    if not (drift.moved and drift.certain) or drift.support < SAFE_SUPPORT:
        return None
    size = profile.size if profile.size is not None else _size_of(profile)
    if size is None:
        return None
    width, height = size
    far = math.hypot(*drift.shift) > SAFE_SHIFT * width or abs(drift.turn) > SAFE_TURN
    if far or abs(drift.scale - 1) > SAFE_SCALE:
        return None
    corners = np.array([width - 1.0, height - 1.0])
    zones: dict[str, Points | None] = {}
    for name, outline in (("tray", profile.tray), ("kept", profile.kept)):
        zones[name] = None if outline is None else mapped(outline, drift.to_frame)
    tray = zones["tray"]
    if drift.what == "tray":
        zones["kept"] = profile.kept  # it lies on the table, which has not moved
    if tray is not None and bool(((tray < 0) | (tray > corners)).any()):
        return None
    if zones["kept"] is not None:
        zones["kept"] = np.clip(zones["kept"], 0, corners)
    try:
        return replace(
            profile,
            tray=tray,
            kept=zones["kept"],
            ground=_ground(profile, drift, width, height),
            die_px=None if profile.die_px is None else profile.die_px * drift.scale,
            reference=_reference(profile, drift, frame),
        )
    except ProfileError:
        return None


def _size_of(profile: Profile) -> tuple[int, int] | None:
    if profile.reference is None:
        return None
    return (profile.reference.shape[1], profile.reference.shape[0])


def _ground(profile: Profile, drift: Drift, width: int, height: int) -> Matrix | None:
    """The map of the moved picture to the table's plane; with a lens, of its straight pixels."""
    if profile.ground is None or drift.what == "tray":
        return profile.ground
    back = np.asarray(np.linalg.inv(drift.to_frame), dtype=np.float64)
    if profile.lens is None:
        return np.asarray(profile.ground @ back, dtype=np.float64)
    x, y = np.meshgrid(np.linspace(0, width, 9), np.linspace(0, height, 7))
    now = np.column_stack([x.ravel(), y.ravel()])
    table = mapped(profile.lens.straight(mapped(now, back)), profile.ground)
    matrix, _ = cv2.findHomography(profile.lens.straight(now), table)
    return np.asarray(matrix, dtype=np.float64)


def _reference(profile: Profile, drift: Drift, frame: Image | None) -> Image | None:
    """The old reference as the camera would show it now: no hand is in it, which a frame of now may have."""
    old = profile.reference
    if old is None:
        return None
    height, width = old.shape[:2]
    if frame is None or frame.shape != old.shape:
        frame = old
    known = cv2.warpPerspective(np.full((height, width), 255, np.uint8), drift.to_frame, (width, height))
    shown = np.asarray(cv2.warpPerspective(old, drift.to_frame, (width, height)), dtype=np.uint8)
    if drift.what == "camera":
        return np.where(np.asarray(known)[..., None] == 255, shown, frame)
    # The tray where it is now, the table as it was, and what the tray has laid bare as it is.
    assert profile.tray is not None  # or nobody could tell it from the rest
    margin = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(RIM * width) + 1,) * 2)
    left, now = (
        np.asarray(cv2.dilate(cv2.fillPoly(np.zeros((height, width), np.uint8), [each], (1,)), margin))[
            ..., None
        ]
        for each in (_whole(profile.tray), _whole(mapped(profile.tray, drift.to_frame)))
    )
    return np.where(now > 0, shown, np.where(left > 0, frame, old))


def _whole(points: Points) -> NDArray[np.int32]:
    return np.round(points).astype(np.int32)
