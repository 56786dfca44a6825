"""What a table's camera is set to: the source it watches, and the profile of the table; changed while the service runs.

One camera at a time. The screens' choices are kept in the data folder, so that the next start finds them; a source
named on the command line goes before them, for that run.
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable, Mapping
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.checks import ProfileError
from calibration.profile import WHOLE_PICTURE, Profile
from scorer.service import opening
from scorer.service.calibrating import Calibrating
from scorer.service.calibrationview import profile_view
from scorer.service.chosen import Chosen, id_of, recall, remember
from scorer.service.problems import Refused
from scorer.service.profiles import Profiles
from scorer.service.table import Table
from vision.errors import VisionError

if TYPE_CHECKING:
    from scorer.service.camera import Camera
    from vision.frames import Frame, FrameSource, Image
    from vision.roll import Reading

LOOK_S = 0.03
"""How often the newest frame is looked at while several are gathered."""


class Setting:
    """The camera of `table`, and what it is set to; `folder` is the data folder. Any thread may ask."""

    def __init__(
        self,
        table: Table,
        folder: Path,
        *,
        reader: Callable[[], Callable[[Image], Reading]] = opening.reader,
        phone: Callable[[], FrameSource] | None = None,
        fix: bool = True,
    ) -> None:
        self._table = table
        self._folder = folder
        self._reader = reader
        self._phone = phone
        self._fix = fix
        self._read: Callable[[Image], Reading] | None = None
        self._lock = threading.RLock()
        self._chosen = recall(folder)
        self._source: str | None = None
        self._given: str | None = None
        self._given_profile: Profile | None = None
        self._demo = False
        self._camera: Camera | None = None
        self._profile: Profile = WHOLE_PICTURE
        self._fault: str | None = None
        self.profiles = Profiles(folder)
        self.calibrating = Calibrating(self, table)

    # What it is set to

    def view(self, *, here: bool, heard: str | None = None) -> dict[str, Any]:
        """What screens see of it; `here`: the one that asks is on this machine; `heard`: the calibration it is at."""
        source = self._source
        frame = self.frame()
        return {
            "source": None if source is None else _source_view(source),
            "known": [_source_view(each) for each in self._known()],
            "here": here,
            "size": None if frame is None else [frame.image.shape[1], frame.image.shape[0]],
            "profile": profile_view(self._profile_now()) if self._profile.name else None,
            "profile_fault": self._fault,
            "profiles": self.profiles.listed(),
            "calibration": self.calibrating.view(heard),
        }

    def _profile_now(self) -> Profile:
        """The profile in use; where the camera was bumped and that was put right, as it holds now."""
        camera = self._camera
        return self._profile if camera is None else camera.as_it_holds(self._profile)

    def frame(self) -> Frame | None:
        """The newest frame, None without a camera and before the first."""
        camera = self._camera
        return None if camera is None else camera.frame

    @property
    def held(self) -> Mapping[str, float]:
        """Settings of the camera that are fixed, by name, as a profile may remember them."""
        camera = self._camera
        return {} if camera is None else camera.held

    def frames(self, most: int, within_s: float) -> list[Frame]:
        """Different frames of the next moments, the newest last; fewer where no more come in that time."""
        frames: list[Frame] = []
        end = clock.monotonic() + within_s
        while len(frames) < most:
            frame = self.frame()
            if frame is not None and (not frames or frame is not frames[-1]):
                frames.append(frame)
            if clock.monotonic() >= end:
                break
            clock.sleep(LOOK_S)
        return frames

    def read(self, frame: Frame) -> Reading | None:
        """The dice in a frame, None where nothing reads here. Raises VisionError."""
        return None if self._read is None else self._read(frame.image)

    def cameras(self) -> list[dict[str, Any]]:
        """The cameras of this machine."""
        return opening.cameras(self._source)

    # Changing it

    def changed(self) -> None:
        """Something of it has changed: screens look again."""
        self._table.touch()

    def start(self, source: str | None = None, *, profile: str | None = None, demo: bool = False) -> None:
        """Watch `source`, named on the command line, else what was chosen before. Raises VisionError, Refused.

        `profile`, a name or a file, goes before the one that the source was used with last, for this run.
        What was chosen before may be missing today: it is looked for until it comes, or something else is chosen.
        """
        with self._lock:
            given = None if profile is None else self._named(profile)
            if source is not None:
                self._given, self._demo, self._given_profile = source, demo, given
                self._watch(source, given=given)
            elif self._chosen.source is not None:
                self._watch(self._chosen.source, patient=True, given=given)

    def use(self, source: str | None) -> None:
        """Watch another source from now on, or none, with the profile that it had before. Raises Refused."""
        with self._lock:
            source = None if source is None else source.strip()
            if source is None:
                self.stop()
            elif not source:
                raise Refused(422, "source", "Say which camera: its number, or an address.")
            else:
                try:
                    self._watch(source)
                except VisionError as error:
                    raise Refused(422, "source", str(error)) from error
            self._keep_choice(self._chosen.using(source))

    def use_known(self, id: str) -> None:
        """Watch a source that was used before. Raises Refused."""
        with self._lock:
            source = next((each for each in self._known() if id_of(each) == id), None)
            if source is None:
                raise Refused(404, "not_found", "That camera is not known here any more: choose another.")
            self.use(source)

    def use_profile(self, name: str | None) -> None:
        """Watch with another profile, or with none: the whole picture is the tray. Raises Refused."""
        with self._lock:
            try:
                profile = WHOLE_PICTURE if name is None else self.profiles.load(name)
                frame = self.frame()
                if frame is not None:
                    profile.fits((frame.image.shape[1], frame.image.shape[0]))
            except ProfileError as error:
                raise Refused(422, "profile", self.profiles.words(error)) from error
            self._take(profile)

    def keep(self, profile: Profile, *, replace: bool) -> None:
        """Keep a profile under its name, and use it. Raises Refused."""
        with self._lock:
            self.profiles.save(profile, replace=replace)
            self._take(profile)

    def look_again(self) -> None:
        """Somebody has looked: the table is where the profile says. The picture of now is what it is held against."""
        with self._lock:
            frame = self.frame()
            if not self._profile.name or frame is None:
                raise Refused(
                    409, "no_picture", "There is no profile in use, or no picture to hold it against."
                )
            try:
                profile = replace_fields(self._profile_now(), reference=frame.image.copy())
            except ProfileError as error:
                raise Refused(422, "profile", str(error)) from error
            self.keep(profile, replace=True)

    def remove_profile(self, name: str) -> None:
        """Forget a profile; where it is in use, the whole picture is the tray from now on. Raises Refused."""
        with self._lock:
            self.profiles.remove(name)
            self._keep_choice(self._chosen.without_profile(name))
            if self._profile.name == name:
                self._take(WHOLE_PICTURE)

    def try_out(self, profile: Profile | None) -> None:
        """Watch with a profile that is not kept yet; None: with the one in use again. Takes no lock."""
        camera = self._camera
        if camera is not None:
            camera.use(self._profile if profile is None else profile)

    def stop(self) -> None:
        """Watch nothing."""
        with self._lock:
            camera, self._camera, self._source = self._camera, None, None
            self._profile, self._fault = WHOLE_PICTURE, None
            if camera is not None:
                self.calibrating.drop()
                camera.stop()
                self._table.disconnect()

    def _known(self) -> list[str]:
        """The sources that were chosen here before, and that of the command line."""
        known = [each for each, _ in self._chosen.known]
        return known if self._given is None or self._given in known else [self._given, *known]

    # Inside; all of it under the lock

    def _take(self, profile: Profile) -> None:
        self._profile, self._fault = profile, None
        self.calibrating.watched_with_another()
        self.try_out(None)
        if self._source == self._given:
            self._given_profile = None
        if self._source is not None:
            self._keep_choice(self._chosen.with_profile(self._source, profile.name or None))
        self._table.touch()

    def _keep_choice(self, chosen: Chosen) -> None:
        if chosen != self._chosen:
            self._chosen = chosen
            remember(self._folder, chosen)
        self._table.touch()

    def _watch(self, source: str, *, patient: bool = False, given: Profile | None = None) -> None:
        """Put the table under `source`, with the profile `given`, else the one it had last.

        The camera before is let go of first: it may be the same device.
        """
        if self._read is None:
            self._read = self._reader()
        before, watched_with = self._source, (self._profile, self._fault)
        self.stop()
        profile, fault = self._profile_of(source) if given is None else (given, None)
        demo = self._demo and source == self._given
        try:
            camera = opening.camera_of(
                source,
                self._read,
                self._table,
                demo=demo,
                patient=patient,
                phone=self._phone,
                profile=profile,
                fix=self._fix,
            )
        except VisionError:
            if before is not None:
                self._watch(before, patient=True, given=watched_with[0])
                self._fault = watched_with[1]
            raise
        self._camera, self._source, self._profile, self._fault = camera, source, profile, fault
        self._table.connect(camera, camera.name)
        camera.start()

    def _named(self, profile: str) -> Profile:
        """The profile of that name, or in that file. Raises Refused."""
        from calibration.profilefile import load  # noqa: PLC0415 - loads the picture library

        try:
            return load(profile, self._folder)
        except ProfileError as error:
            raise Refused(422, "profile", str(error)) from error

    def _profile_of(self, source: str) -> tuple[Profile, str | None]:
        """The profile that a source was used with last, and why it cannot be used now."""
        if source == self._given and self._given_profile is not None:
            return self._given_profile, None
        name = self._chosen.profile_of(source)
        if name is None:
            return WHOLE_PICTURE, None
        try:
            return self.profiles.load(name), None
        except ProfileError as error:
            return WHOLE_PICTURE, self.profiles.words(error)


def _source_view(source: str) -> dict[str, Any]:
    return {"id": id_of(source), "name": opening.called(source), "kind": opening.kind(source)}
