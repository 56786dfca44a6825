"""A live source that lasts: opened again when it is lost, told as such when it shows nothing new.

    with SteadySource("camera 0", lambda: open_source("0", wait=False)) as source:
        frame = source.read(1.0)         # None while there is nothing; never raises for what a camera does
        source.state, source.message     # "gone", "camera 0: ...; plug it in."

It has a thread of its own and keeps the newest frame only. Times and indices run on when the source is opened anew.
"""

from __future__ import annotations

import logging
import threading
import time as clock
from collections.abc import Callable, Mapping

import numpy as np

from vision.errors import VisionError
from vision.frames import Frame, FrameSource, Image, SourceState

log = logging.getLogger("piste.vision")

LOOK_S = 0.25
STALE_S = 2.5
"""Seconds without a picture after which a source is stale."""
LOST_S = 10.0
"""Seconds without a picture after which it is opened anew."""
FROZEN_S = 2.5
"""Seconds of the very same picture after which it is frozen: the noise of a sensor is never twice the same."""
FROZEN_CODED_S = 15.0
"""The same for pictures that are coded as differences: at rest they may be the same until the next whole one."""
FROZEN = 3
"""So many pictures must be the same for that, so that a slow source is not taken for a frozen one."""
THAW_S = 10.0
"""A frozen source is opened anew after so long, then after twice as long, and so on up to `LONGEST_THAW_S`."""
LONGEST_THAW_S = 160.0
LATE_S = 2.5
"""Pictures that come so many seconds after their time show what was, not what is."""
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 15.0
CLOSE_S = 3.0


class SteadySource(FrameSource):
    """Wraps what `open_again` opens (it raises SourceError); `first` is that, opened already.

    `first_pause_s` seconds after a loss it is opened again; the pause doubles up to `LONGEST_PAUSE_S`, and is short
    again once a frame has come. `name` is what people call it.
    """

    def __init__(
        self,
        name: str,
        open_again: Callable[[], FrameSource],
        *,
        first: FrameSource | None = None,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        self.name = name if first is None else first.name
        self.hint = "" if first is None else first.hint
        self._open_again = open_again
        self._first_pause_s = first_pause_s
        self._source = first
        self._change = threading.Condition()
        self._closed = threading.Event()
        self._newest: Frame | None = None
        self._state: SourceState = "starting"
        self._message: str | None = None
        self._news = False  # the state has changed since somebody read
        self._notes: tuple[str, ...] = ()
        self._held: Mapping[str, float] = {}
        self._start = self._arrived = clock.monotonic()
        self._index = 0  # of the next frame
        self._dropped = 0
        self._reconnects = 0
        self._still = Stillness()
        self._thread = threading.Thread(target=self._run, name=f"steady {self.name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> SourceState:
        """How the source is; see `vision.frames.SourceState`."""
        return self._state

    @property
    def message(self) -> str | None:
        """What is wrong and what to do; None while it is `live`."""
        return self._message

    @property
    def ended(self) -> bool:
        """Whether it was closed, here or by who sends the frames."""
        return self._state == "ended"

    @property
    def age(self) -> float:
        """Seconds since the newest frame arrived."""
        return clock.monotonic() - self._arrived

    @property
    def dropped(self) -> int:
        """How many frames nobody has seen: replaced by newer ones, here or at the source."""
        return self._dropped

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings of a camera that could not be fixed."""
        return self._notes

    @property
    def held(self) -> Mapping[str, float]:
        """Settings of a camera that are fixed, by name, as a profile may remember them."""
        return self._held

    @property
    def reconnects(self) -> int:
        """How often the source was opened anew."""
        return self._reconnects

    def read(self, timeout: float | None = None) -> Frame | None:
        """Wait for a frame not given yet.

        None when `timeout` seconds have passed, when it has ended, or when its state has changed before a frame came.
        """
        with self._change:
            self._change.wait_for(
                lambda: self._newest is not None or self._news or self._state == "ended", timeout
            )
            frame, self._newest = self._newest, None
            self._news = False
            return frame

    def close(self) -> None:
        """Let go of the source. A driver that hangs is left to its own thread."""
        self._closed.set()
        source = self._source
        if source is not None:
            source.close()
        self._end()
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_S)

    def _run(self) -> None:
        pause = self._first_pause_s
        while not self._closed.is_set():
            before = self._index
            lost: str | None = None
            try:
                if self._source is None:
                    self._source = self._open_again()
                if self._closed.is_set():  # it was closed while it was being opened
                    break
                lost = self._draw(self._source)
            except VisionError as error:
                lost = str(error)
            except Exception as error:  # a source of another kind must not end the thread either
                log.error("%s: %s: %s", self.name, type(error).__name__, error, exc_info=True)
                lost = f"{self.name}: {type(error).__name__}; plug it in anew, or start Piste anew."
            finally:
                if self._source is not None and (lost is not None or self._closed.is_set()):
                    self._source.close()
                    self._source = None
            if lost is None or self._closed.is_set():
                break
            # A frozen camera that is opened anew is not gone: whether it has thawed is to be seen.
            if lost:
                if self._state != "gone":
                    log.warning("lost: %s", lost)
                self._enter("gone", lost)
            if self._index > before:
                pause = self._first_pause_s
            self._closed.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)
            self._reconnects += 1
        self._end()

    def _draw(self, source: FrameSource) -> str | None:
        """Take frames until the source must be opened anew: then why, empty where that was said; None when it ended."""
        heard = clock.monotonic()
        offset: float | None = None
        index = -1
        turns = source.reconnects
        while not self._closed.is_set():
            frame = source.read(LOOK_S)
            now = clock.monotonic()
            self._notes, self._held = source.notes, source.held
            if source.reconnects != turns:  # another phone sends
                turns, offset = source.reconnects, None
                self._reconnects += 1
            if frame is not None:
                offset = now - frame.time if offset is None else min(offset, now - frame.time)
                late = now - frame.time - offset
                missed = frame.index - index - 1 if index >= 0 else 0
                index = frame.index
                heard = now
                self._give(frame, now - self._start - late, missed)
                if self._judge(frame, now, late, source.varies) and source.reopens:
                    return ""
            elif source.ended:
                return None
            elif now - heard > LOST_S and source.reopens:
                return f"{self.name}: no picture for {now - heard:.0f} seconds; {self._advice(source)}"
            elif now - heard > STALE_S and index >= 0:  # before the first it is still being opened
                self._enter("stale", f"{self.name} sends no new picture; {self._advice(source)}")
            elif self._state == "starting" and source.hint:
                self._enter("starting", source.hint[:1].upper() + source.hint[1:])
        return None

    def _judge(self, frame: Frame, now: float, late: float, varies: bool) -> bool:
        """Say how the source is, with a frame just come `late` seconds after its time.

        `varies`: as of `FrameSource`. True if opening it anew may help.
        """
        self._still.look(frame.image, now)
        frozen = self._still.frozen(FROZEN_S if varies else FROZEN_CODED_S)
        if late > LATE_S:
            self._enter(
                "stale",
                f"{self.name} shows what was {late:.0f} seconds ago; start the sender anew, or see to the network.",
            )
        elif frozen:
            self._enter(
                "frozen",
                f"{self.name} sends the same picture again and again; if this lasts, plug it in or start it anew.",
            )
            return self._still.thaw(now)
        else:
            self._enter("live", None)
        return False

    def _give(self, frame: Frame, time: float, missed: int) -> None:
        with self._change:
            self._dropped += missed + (self._newest is not None)
            self._index += missed
            self._newest = Frame(frame.image, time, self._index)
            self._index += 1
            self._arrived = clock.monotonic()
            self._change.notify_all()

    def _advice(self, source: FrameSource) -> str:
        return source.hint or "see that it is switched on and its cable or network is in order."

    def _enter(self, state: SourceState, message: str | None) -> None:
        with self._change:
            if self._state != "ended" and (self._state, self._message) != (state, message):
                self._state, self._message = state, message
                self._news = True
                self._change.notify_all()

    def _end(self) -> None:
        with self._change:
            self._state, self._message = "ended", None
            self._newest = None if self._closed.is_set() else self._newest
            self._change.notify_all()


class Stillness:
    """Whether pictures are the very same, byte by byte, and for how long."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since = 0.0
        self._now = 0.0
        self._alike = 0
        self._thaw_s = THAW_S
        self._thawed = 0.0

    def frozen(self, least_s: float) -> bool:
        """Whether the newest pictures have been the same for `least_s` seconds."""
        return self._alike >= FROZEN and self._now - self._since >= least_s

    def look(self, image: Image, now: float) -> None:
        """Take the next picture, seen at `now` (seconds)."""
        self._now = now
        if self._last is not None and same(self._last, image):
            self._alike += 1
            return
        self._last = image
        self._since = self._thawed = now
        self._alike = 0
        self._thaw_s = THAW_S

    def thaw(self, now: float) -> bool:
        """Whether it is time to open the source anew, since that may help."""
        if now - self._thawed < self._thaw_s:
            return False
        self._thawed = now
        self._thaw_s = min(2 * self._thaw_s, LONGEST_THAW_S)
        return True


def same(one: Image, other: Image) -> bool:
    """Whether two pictures (h, w, 3) uint8 are equal; quick where they are not, as nearly all are."""
    if one.shape != other.shape:
        return False
    middle = one.shape[0] // 2
    return bool(np.array_equal(one[middle], other[middle]) and np.array_equal(one, other))
