"""What a table's camera is set to: the source it watches, and the profile of the table; changed while the service runs.

One camera at a time. The screens' choices are kept in the data folder, so that the next start finds them; a source
named on the command line goes before them, for that run.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.profile import WHOLE_PICTURE, Profile
from scorer.service import opening
from scorer.service.chosen import id_of, recall, remember
from scorer.service.problems import Refused
from scorer.service.table import Table
from vision.errors import VisionError

if TYPE_CHECKING:
    from scorer.service.camera import Camera
    from vision.frames import Frame, FrameSource, Image
    from vision.roll import Reading

log = logging.getLogger("piste")


class Setting:
    """The camera of `table`, and what it is set to; `folder` is the data folder. Any thread may ask."""

    def __init__(
        self,
        table: Table,
        folder: Path,
        *,
        reader: Callable[[], Callable[[Image], Reading]] = opening.reader,
        phone: Callable[[], FrameSource] | None = None,
    ) -> None:
        self._table = table
        self._folder = folder
        self._reader = reader
        self._phone = phone
        self._read: Callable[[Image], Reading] | None = None
        self._lock = threading.RLock()
        self._chosen = recall(folder)
        self._source: str | None = None
        self._camera: Camera | None = None
        self._profile: Profile = WHOLE_PICTURE

    # What it is set to

    @property
    def source(self) -> str | None:
        """The source that is watched, as it was named; it may hold a password."""
        return self._source

    @property
    def profile(self) -> Profile:
        """The profile in use."""
        return self._profile

    def frame(self) -> Frame | None:
        """The newest frame, None without a camera and before the first."""
        camera = self._camera
        return None if camera is None else camera.frame

    def known(self) -> list[dict[str, Any]]:
        """The sources that were chosen here before, newest first, as screens see them."""
        return [{"id": id_of(each), "name": opening.called(each)} for each in self._chosen.known]

    # Changing it

    def start(self, source: str | None = None, *, demo: bool = False) -> None:
        """Watch `source`, named on the command line, else what was chosen before. Raises VisionError.

        What was chosen before may be missing today: it is looked for until it comes, or something else is chosen.
        """
        with self._lock:
            if source is not None:
                self._watch(source, demo=demo)
            elif self._chosen.source is not None:
                self._watch(self._chosen.source, patient=True)

    def use(self, source: str | None) -> None:
        """Watch another source from now on, or none. Raises Refused."""
        with self._lock:
            if source is not None and not source.strip():
                raise Refused(422, "source", "Say which camera: its number, or an address.")
            source = None if source is None else source.strip()
            if source is None:
                self.stop()
            else:
                try:
                    self._watch(source)
                except VisionError as error:
                    raise Refused(422, "source", str(error)) from error
            self._chosen = self._chosen.using(source)
            remember(self._folder, self._chosen)

    def use_known(self, id: str) -> None:
        """Watch a source that was used before. Raises Refused."""
        with self._lock:
            source = self._chosen.find(id)
            if source is None:
                raise Refused(404, "not_found", "That camera is not known here any more: choose another.")
            self.use(source)

    def stop(self) -> None:
        """Watch nothing."""
        with self._lock:
            camera, self._camera, self._source = self._camera, None, None
            if camera is not None:
                camera.stop()
                self._table.disconnect()

    def _watch(self, source: str, *, demo: bool = False, patient: bool = False) -> None:
        """Put the table under `source`. The camera before is let go of first: it may be the same device."""
        if self._read is None:
            self._read = self._reader()
        before, was = self._source, self._camera
        self.stop()
        try:
            camera = opening.camera_of(
                source, self._read, self._table, demo=demo, patient=patient, phone=self._phone, profile=self._profile
            )
        except VisionError:
            if was is not None and before is not None:
                self._watch(before, patient=True)
            raise
        self._camera, self._source = camera, source
        self._table.connect(camera, camera.name)
        camera.start()
