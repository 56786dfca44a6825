"""A calibration under way: a screen says where the tray lies, has the light checked and the dice read, and keeps it.

One at a time. Each step names the calibration that it belongs to: whoever begins one ends that of another screen,
which is told so at its next step.
"""

from __future__ import annotations

import secrets
import threading
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from calibration.checks import ProfileError
from calibration.profile import Profile
from scorer.service.calibrationview import calibration_view
from scorer.service.problems import Refused
from scorer.service.sheets import Sheets
from vision.errors import VisionError
from vision.roll import DieReading, Roll

if TYPE_CHECKING:
    from calibration.light import Finding
    from calibration.tray import Found
    from calibration.verify import Trial
    from scorer.service.setting import Setting
    from scorer.service.table import Table
    from vision.frames import Frame, Image

DICE = 3
LIGHT_FRAMES = 12
LIGHT_S = 1.0
FIND_FRAMES = 9
FIND_S = 1.0
"""So many pictures, in so many seconds at most, in which the tray is looked for: what moves is passed over."""
CERTAIN = 0.9
"""A die that speaks for where the tray is must be as sure as that."""
LEASE_S = 60.0
"""A screen that has not been heard of for so long is gone: rolls are throws of the game again."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is known so far; `image` is the picture in which the tray was looked for.

    `profile` is what would be kept now. `told` says that somebody has said where the tray is.
    """

    id: str
    image: Image
    profile: Profile
    found: Found | None = None
    told: bool = False
    sheets: Sheets | None = None
    light: tuple[Finding, ...] | None = None
    trial: Trial | None = None


class Calibrating:
    """The calibration of the camera that `setting` has chosen for `table`. Any thread may ask.

    The lock is only for what is known; nothing slow is done under it, and no other lock is taken.
    """

    def __init__(
        self, setting: Setting, table: Table, *, monotonic: Callable[[], float] = clock.monotonic
    ) -> None:
        self._setting = setting
        self._table = table
        self._lock = threading.Lock()
        self._now: Calibration | None = None
        self._monotonic = monotonic
        self._heard = monotonic()
        self._trying = False  # whether the camera watches with a profile that is not kept yet

    def view(self, heard: str | None = None) -> dict[str, Any] | None:
        """What screens see; `heard` is the calibration that the screen which asks is at."""
        with self._lock:
            now = self._now
            if now is not None and heard == now.id:
                self._heard = self._monotonic()
            ago = self._monotonic() - self._heard
        running = self._table.diverts(self._take)
        if self._trying and not running:  # a game has been started
            self._end_throws()
        return None if now is None else calibration_view(now, running, ago)

    def find(self, id: str | None) -> None:
        """Look for the tray in the newest picture; without `id` a new calibration begins with that. Raises Refused."""
        from calibration.tray import find  # noqa: PLC0415 - nobody needs it else

        if id is not None:
            self._current(id)
        frames = self._setting.frames(FIND_FRAMES, FIND_S)
        if not frames:
            raise no_picture()
        image = frames[-1].image
        middles = [die.center for die in self._sure_dice(frames[-1])]
        found = find(
            [frame.image for frame in frames if frame.image.shape == image.shape],
            np.array(middles, dtype=np.float64).reshape(-1, 2),
        )
        begun = Calibration(
            id or f"c{secrets.token_hex(6)}", image, Profile(size=(image.shape[1], image.shape[0])), found
        )
        with self._lock:
            now = None if id is None else self._same(id)
            if now is not None and now.profile.size == begun.profile.size:
                # What the sheet has told, and where kept dice are laid, holds on.
                profile = replace(now.profile, tray=None, shape="picture")
                begun = replace(begun, profile=profile, sheets=now.sheets)
            self._now = begun
            self._heard = self._monotonic()
        self._end_throws()

    def tray(
        self,
        id: str,
        outline: Sequence[Sequence[float]] | None,
        shape: str,
        kept: Sequence[Sequence[float]] | None,
    ) -> None:
        """Somebody says where the tray is, None for the whole picture, and where kept dice are laid. Raises Refused."""
        now = self._current(id)
        try:
            profile = replace(
                now.profile,
                tray=_points(outline),
                shape="picture" if outline is None else shape,
                kept=_points(kept),
            )
        except ProfileError as error:
            raise Refused(422, "profile", str(error)) from error
        self._end_throws()
        if now.told and profile == now.profile:
            return
        # What was seen through another outline says nothing of this one.
        self._put(id, profile=profile, told=True, light=None, trial=None)

    def sheet(self, id: str) -> None:
        """Read the printed sheet in the newest picture. Raises Refused."""
        now = self._current(id)
        frame = self._setting.frame()
        if frame is None:
            raise no_picture()
        try:
            sheets, profile = (now.sheets or Sheets()).look(frame.image, now.profile)
        except ProfileError as error:
            raise Refused(422, "profile", str(error)) from error
        self._put(id, sheets=sheets, profile=profile)

    def light(self, id: str) -> None:
        """Check light and sharpness in the pictures of the next second. Raises Refused."""
        from calibration.light import check  # noqa: PLC0415 - nobody needs it else

        now = self._told(id)
        frames = self._setting.frames(LIGHT_FRAMES, LIGHT_S)
        if not frames:
            raise no_picture()
        boxes = [die.box for die in self._sure_dice(frames[-1])]
        findings = check([frame.image for frame in frames], now.profile.tray, boxes)
        self._put(id, light=findings)

    def throws(self, id: str, run: bool) -> None:
        """Begin to try the dice, anew, or stop. Meanwhile rolls are no throws of the game. Raises Refused."""
        from calibration.verify import Trial  # noqa: PLC0415 - nobody needs it else

        now = self._told(id)
        if not run:
            self._end_throws()
            return
        if self._setting.frame() is None:
            raise no_picture()
        self._put(id, trial=Trial(dice=now.profile.dice or DICE))
        self._table.divert(self._take)
        self._trying = True
        self._setting.try_out(now.profile)

    def save(self, id: str, name: str, *, replace_it: bool) -> None:
        """Keep the profile under a name, and use it. Raises Refused."""
        now = self._told(id)
        frame = self._setting.frame()
        image = now.image if frame is None else frame.image
        try:
            profile = replace(
                now.profile, name=name.strip(), reference=image.copy(), camera=dict(self._setting.held)
            )
            if now.trial is not None:
                profile = now.trial.learned(profile)
        except ProfileError as error:
            raise Refused(422, "profile", str(error)) from error
        self._setting.keep(profile, replace=replace_it)
        with self._lock:
            if self._now is not None and self._now.id == id:
                self._now = None
        self._trying = False  # the one that is kept is watched with already
        self._end_throws()

    def cancel(self, id: str) -> None:
        """Nobody calibrates any more. Raises Refused."""
        with self._lock:
            self._same(id)
            self._now = None
        self._end_throws()

    def drop(self) -> None:
        """Another camera is watched: what was said of the one before holds no more."""
        with self._lock:
            self._now = None
        self._trying = False
        self._end_throws()

    # The trial

    def watched_with_another(self) -> None:
        """The camera is to watch with another profile than the one that dice are tried with: they are tried no more."""
        self._trying = False
        self._end_throws()

    def _take(self, roll: Roll) -> bool:
        """A roll is seen while dice are tried; comes from the camera's thread. Whether it is one of the trial."""
        with self._lock:
            now = self._now
            gone = self._monotonic() - self._heard > LEASE_S or now is None or now.trial is None
            if now is not None and now.trial is not None and not gone:
                frame = self._setting.frame()
                trial = now.trial.and_then(roll.reading, None if frame is None else frame.image)
                self._now = replace(now, trial=trial)
                if not trial.done:
                    return True
        self._end_throws()
        return not gone

    def _end_throws(self) -> None:
        if self._table.diverts(self._take):
            self._table.divert(None)
        if self._trying:
            self._trying = False
            self._setting.try_out(None)

    # What is known

    def _current(self, id: str) -> Calibration:
        with self._lock:
            return self._same(id)

    def _same(self, id: str) -> Calibration:
        now = self._now
        if now is None:
            message = "This calibration is over, or Piste was started again: begin once more."
            raise Refused(409, "stale", message)
        if now.id != id:
            message = (
                "Another screen has begun to calibrate since. Begin again here only if nobody does it there."
            )
            raise Refused(409, "stale", message)
        return now

    def _told(self, id: str) -> Calibration:
        now = self._current(id)
        if not now.told:
            raise Refused(422, "invalid", "Say first where the tray is.")
        return now

    def _put(self, id: str, **fields: Any) -> None:
        with self._lock:
            self._now = replace(self._same(id), **fields)

    def _sure_dice(self, frame: Frame) -> list[DieReading]:
        """The dice that surely lie in a frame; none where they cannot be read."""
        try:
            reading = self._setting.read(frame)
        except VisionError:
            return []
        return [] if reading is None else [die for die in reading.dice if die.confidence >= CERTAIN]


def no_picture() -> Refused:
    """Why nothing can be done."""
    return Refused(
        409, "no_picture", "There is no picture: choose a camera first, or wait until it has sent one."
    )


def _points(outline: Sequence[Sequence[float]] | None) -> Any:
    return None if outline is None else np.array(outline, dtype=np.float64)
