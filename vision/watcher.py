"""Roll watcher: from frames to exactly one `Roll` a throw.

The gate says for each frame whether the picture rests; only then is it read, and only two or three frames
of a rest are, because reading costs far more than looking. Those readings are brought to agree, and
reported if they show a die that was not lying there at the last report.

A hand that comes back before the picture came to rest must not cost the roll. While nothing but something
reaching in from the edge moves, one reading is made ahead; it is used if the hand touches the dice, or if
it stays, and dropped if it goes.
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
from vision.gate import Motion, MotionGate
from vision.memory import Memory
from vision.roll import Reading, Roll

State = Literal["empty", "moving", "settling", "still"]
"""Nothing lies on the table; something moves; it has stopped just now; dice lie still and were read."""

REST_S = 0.2
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
        self._ahead: list[tuple[Frame, Reading]] = []
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
        """Take the next frame. At most one roll and two changes of state come of it, in their order.

        Whatever `read` raises passes through; the watcher stays usable.
        """
        events: list[Event] = []
        if self._shape != frame.image.shape:
            self._restart(frame)
        motion = self._gate.feed(frame)
        if motion.changed:
            self._decided = False
        if not self._decided:
            if self._ahead and self._out_of_patience(frame):
                self._finish_ahead(frame, events)
            if motion.quiet_frames == 0:
                self._rested.clear()
                self._ahead.clear()
            self._keep(frame, motion)
            if motion.still_for >= self._rest_s and motion.still_frames >= LEAST_FRAMES:
                self._decide(frame, events)
            else:
                self._enter("moving" if motion.still_for < self._rest_s / 2 else "settling", frame, events)
                self._look_ahead(frame, motion)
        return events

    def _restart(self, frame: Frame) -> None:
        """Another size of picture: nothing known of the old one holds."""
        self._shape = frame.image.shape
        self._memory.forget()
        self._rested.clear()
        self._ahead.clear()
        self._decided = False

    def _keep(self, frame: Frame, motion: Motion) -> None:
        """Keep a few frames of the rest, spread over it, for reading.

        The first frames after the last movement are left out: a die may still rock by less than the gate
        sees.
        """
        gap = self._rest_s / (2 * self._reads)
        late_enough = motion.quiet_for >= self._rest_s / 4 and motion.quiet_frames >= 1
        if late_enough and (not self._rested or frame.time - self._rested[-1].time >= gap):
            self._rested.append(frame)

    def _decide(self, frame: Frame, events: list[Event]) -> None:
        """The picture rests: read it, and report what is new."""
        self._ahead.clear()
        self._decided = True
        reading = self._read(frame.image)
        if not self._memory.is_new(reading):
            self._memory.note(reading)
            self._enter("still" if reading.dice else "empty", frame, events)
        else:
            self._report([(frame, reading)], frame, events)
        self._rested.clear()

    def _look_ahead(self, frame: Frame, motion: Motion) -> None:
        """Read once while only a hand moves, not more often than `hand_s`; keep it if the dice are new."""
        waited = frame.time - self._tried >= self._hand_s
        if self._ahead or not waited or motion.quiet_for < self._rest_s or motion.quiet_frames < LEAST_FRAMES:
            return
        self._tried = frame.time
        reading = self._read(frame.image)
        free = [die for die in reading.dice if not self._gate.touched(die.box)]
        if len(free) == len(reading.dice) and self._memory.is_new(reading):
            self._ahead.append((frame, reading))

    def _out_of_patience(self, frame: Frame) -> bool:
        """Whether the dice read ahead are being touched, or the hand beside them has stayed too long."""
        taken, reading = self._ahead[0]
        return frame.time - taken.time >= self._hand_s or any(
            self._gate.touched(die.box) for die in reading.dice
        )

    def _finish_ahead(self, frame: Frame, events: list[Event]) -> None:
        """Report what was read ahead, from the frames before this one."""
        ahead, self._ahead = self._ahead, []
        self._report(ahead, frame, events)
        self._rested.clear()

    def _report(self, known: list[tuple[Frame, Reading]], frame: Frame, events: list[Event]) -> None:
        """Read more frames of the same rest beside the `known` ones; report their agreement."""
        seen = {each.index for each, _ in known}
        others = [each for each in self._rested if each.index not in seen and each is not frame]
        pairs = known + [(each, self._read(each.image)) for each in others[-(self._reads - len(known)) :]]
        pairs.sort(key=lambda pair: pair[0].index)
        reading = agree([each for _, each in pairs])
        last = pairs[-1][0]
        if not reading.dice:
            return
        self._memory.report(reading)
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
