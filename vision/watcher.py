"""Roll watcher: from frames to exactly one `Roll` a throw.

The gate says for each frame whether the picture rests; only then is it read, and only two or three frames
of a rest are, because reading costs far more than looking. Those readings are brought to agree, and
reported if they show a die that was not lying there at the last report.

A hand that comes back at once must not cost the roll. When something cuts a rest short, or while a hand
reaching in from the edge keeps moving, the rest so far is read ahead. That reading is used when something
touches the dice, provided they lay still for long enough by themselves, or when the hand stays; when the
hand goes, the picture rests and is read anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.consensus import agree
from vision.frames import Frame, Image
from vision.gate import Motion, MotionGate, Patch
from vision.memory import Memory
from vision.roll import Reading, Roll

State = Literal["empty", "moving", "settling", "still"]
"""Nothing lies on the table; something moves; it has stopped just now; dice lie still and were read."""

REST_S = 0.2
SHORT_REST_S = 0.13
"""A rest cut short counts if the dice lay still for this long: longer than three equal frames last."""
BRIEF_REST_S = 0.06
"""From this on it is worth looking whether a rest that is cut short goes on where the dice lie."""
LEAST_FRAMES = 3
READS = 3
JPEG_QUALITY = 85


@dataclass(frozen=True, slots=True)
class StateChange:
    """The table's state has changed with the frame taken at `time` (seconds of the source)."""

    time: float
    state: State


@dataclass(frozen=True, slots=True)
class RollSeen:
    """A throw has come to rest."""

    time: float
    roll: Roll


Event = StateChange | RollSeen


@dataclass(slots=True)
class Ahead:
    """Dice that were read before the picture came to rest as a whole.

    `frame` is the one read, `frames` further ones in which the dice lay still, `since` the time it was
    read, and `rest` the seconds for which the dice had lain still when last looked at.
    """

    frame: Frame
    reading: Reading
    patches: tuple[Patch, ...]
    frames: deque[Frame]
    since: float
    rest: float


def spread(frames: deque[Frame], frame: Frame, gap: float) -> None:
    """Add `frame` to `frames` if it is `gap` seconds younger than the newest there."""
    if not frames or frame.time - frames[-1].time >= gap:
        frames.append(frame)


class RollWatcher:
    """Feed it every frame of a source, in order; it answers with what has happened.

    `read` reads a picture: `(h, w, 3) uint8 BGR -> Reading`. `rest_s` is how long a picture must lie still
    before it is read, in seconds of the frames' own time (and three frames at least), `reads` how many
    frames of a rest are read at most, and `hand_s` how long a hand may stay before the dice beside it are
    reported all the same. No clock but the frames' is used, so the same frames always give the same events.
    """

    def __init__(
        self,
        read: Callable[[Image], Reading],
        *,
        rest_s: float = REST_S,
        reads: int = READS,
        hand_s: float = 0.6,
    ) -> None:
        if rest_s <= 0 or reads < 1 or hand_s <= 0:
            raise ValueError("rest_s, reads and hand_s must be positive.")
        self._read = read
        self._rest_s = rest_s
        self._reads = reads
        self._hand_s = hand_s
        self._gate = MotionGate()
        self._memory = Memory(self._gate)
        self._rested: deque[Frame] = deque(maxlen=reads)
        self._state: State | None = None
        self._decided = False
        self._ahead: Ahead | None = None
        self._motion: Motion | None = None
        self._tried = -1e9
        self._rolls = 0
        self._shape: tuple[int, ...] | None = None

    @property
    def state(self) -> State | None:
        """The state after the newest frame; None before the first."""
        return self._state

    @property
    def rolls(self) -> int:
        """How many rolls were reported."""
        return self._rolls

    def feed(self, frame: Frame) -> list[Event]:
        """Take the next frame. At most one roll and a few changes of state come of it, in their order.

        Whatever `read` raises passes through; the watcher stays usable.
        """
        events: list[Event] = []
        if self._shape != frame.image.shape:
            self._restart(frame)
        motion = self._gate.feed(frame)
        before, self._motion = self._motion, motion
        if motion.changed:
            self._decided = False
        if self._decided:
            return events
        if self._ahead is not None:
            self._tend(self._ahead, frame, motion, events)
        elif motion.changed and before is not None and before.still_for >= BRIEF_REST_S:
            self._read_ahead(frame, motion, before.still_for, events)
        if motion.quiet_frames == 0:
            self._rested.clear()
        self._keep(frame, motion)
        if motion.still_for >= self._rest_s and motion.still_frames >= LEAST_FRAMES:
            self._decide(frame, events)
        else:
            self._enter("moving" if motion.still_for < self._rest_s / 2 else "settling", frame, events)
            if motion.quiet_for >= self._rest_s and motion.quiet_frames >= LEAST_FRAMES:
                self._read_ahead(frame, motion, motion.quiet_for, events)
        return events

    def _restart(self, frame: Frame) -> None:
        """Another size of picture: nothing known of the old one holds."""
        self._shape = frame.image.shape
        self._memory.forget()
        self._rested.clear()
        self._ahead = None
        self._motion = None
        self._decided = False

    def _keep(self, frame: Frame, motion: Motion) -> None:
        """Keep a few frames of the rest, spread over it, for reading."""
        if motion.quiet_frames >= 1:
            spread(self._rested, frame, self._rest_s / (2 * self._reads))

    def _decide(self, frame: Frame, events: list[Event]) -> None:
        """The picture rests: read it, and report what is new."""
        self._ahead = None
        self._decided = True
        reading = self._read(frame.image)
        if self._memory.is_new(reading):
            self._report([(frame, reading)], self._rested, frame, events)
        else:
            self._memory.note(reading)
            self._enter("still" if reading.dice else "empty", frame, events)
        self._rested.clear()

    def _read_ahead(self, frame: Frame, motion: Motion, rest: float, events: list[Event]) -> None:
        """Read the newest frame of a rest that is cut short, or in which a hand moves; not too often.

        `rest` is how long it has lasted, seconds. Kept only if it shows new dice that nothing touches; if
        what cuts the rest short is a hand that is at the dice already, they are reported.
        """
        if self._ahead is not None or not self._rested or frame.time - self._tried < self._hand_s / 4:
            return
        self._tried = frame.time
        taken = self._rested[-1]
        reading = self._read(taken.image)
        if not self._memory.is_new(reading):
            return
        patches = tuple(self._gate.patch(die.box) for die in reading.dice)
        ahead = Ahead(taken, reading, patches, deque(self._rested, self._reads), frame.time, rest)
        if self._rest_of(reading) >= rest:
            self._ahead = ahead
        elif motion.quiet_for < rest and motion.reaching:
            self._finish(ahead, frame, events)

    def _tend(self, ahead: Ahead, frame: Frame, motion: Motion, events: list[Event]) -> None:
        """Wait with dice read ahead until something touches them, or a hand has stayed too long."""
        rest = self._rest_of(ahead.reading)
        if rest > ahead.rest:
            ahead.rest = rest
            spread(ahead.frames, frame, self._rest_s / (2 * self._reads))
            if frame.time - ahead.since >= self._hand_s:
                self._finish(ahead, frame, events)
        elif motion.reaching:
            self._finish(ahead, frame, events)
        else:  # they were not at rest after all
            self._ahead = None

    def _finish(self, ahead: Ahead, frame: Frame, events: list[Event]) -> None:
        """Report dice read ahead if they lay still for long enough, or drop them."""
        self._ahead = None
        if ahead.rest >= SHORT_REST_S:
            self._report([(ahead.frame, ahead.reading)], ahead.frames, frame, events, ahead.patches)

    def _rest_of(self, reading: Reading) -> float:
        """Seconds for which none of the dice has been touched."""
        return min(self._gate.rest_of(die.box) for die in reading.dice)

    def _report(
        self,
        known: list[tuple[Frame, Reading]],
        rested: deque[Frame],
        frame: Frame,
        events: list[Event],
        patches: tuple[Patch, ...] = (),
    ) -> None:
        """Read more frames of the same rest beside the `known` ones; report their agreement."""
        seen = {each.index for each, _ in known} | {frame.index}
        others = [each for each in rested if each.index not in seen]
        more = max(0, self._reads - len(known))
        pairs = known + [(each, self._read(each.image)) for each in others[len(others) - more :]]
        pairs.sort(key=lambda pair: pair[0].index)
        reading = agree([each for _, each in pairs])
        last = pairs[-1][0]
        if not reading.dice:
            return
        self._memory.report(reading, patches)
        self._rolls += 1
        roll = Roll(self._rolls, last.time, reading, len(pairs), _jpeg(last.image))
        self._enter("still", frame, events)
        events.append(RollSeen(last.time, roll))

    def _enter(self, state: State, frame: Frame, events: list[Event]) -> None:
        if state != self._state:
            self._state = state
            events.append(StateChange(frame.time, state))


def _jpeg(image: Image) -> bytes:
    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return np.asarray(data).tobytes() if good else b""
