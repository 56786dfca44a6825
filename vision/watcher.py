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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.profile import WHOLE_PICTURE, Profile, TrayView
from vision.consensus import SAME_PLACE, agree, distance, size
from vision.events import Event, Flagged, RollSeen, State, StateChange
from vision.frames import Frame, Image
from vision.gate import Look, Motion, MotionGate, Patch
from vision.memory import Memory
from vision.roll import DieReading, Reading, Roll

__all__ = ["Event", "Flagged", "RollSeen", "RollWatcher", "State", "StateChange"]

REST_S = 0.2
SHORT_REST_S = 0.13
"""A rest cut short counts if the dice lay still for this long: longer than three equal frames last."""
BRIEF_REST_S = 0.06
"""From this on it is worth looking whether a rest that is cut short goes on where the dice lie."""
LEAST_FRAMES = 3
"""So many frames must show the dice as they lie, none of them a mere repetition of another ..."""
FROZEN_S = 0.4
"""... unless the picture stays for so long: a photograph, or a stream that sends the same while nothing moves."""
READS = 3
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 2.0
"""A reader that fails is asked again after a pause; it doubles from the first to the longest, seconds of the frames."""
JPEG_QUALITY = 85


@dataclass(slots=True)
class Ahead:
    """Dice that were read before the picture came to rest as a whole.

    `frame` is the one read, `fresh` the dice in it that were not reported before, `patches` how the dice look
    in it, `frames` further ones of the rest, and `read_at` when it was read. The dice have lain still from
    `began` to `until`, and `alike` frames show them so, repeated ones not counted. Times in seconds.
    """

    frame: Frame
    reading: Reading
    fresh: tuple[DieReading, ...]
    patches: tuple[Patch, ...]
    frames: deque[Frame]
    read_at: float
    began: float
    until: float
    alike: int


def spread(frames: deque[Frame], frame: Frame, gap: float) -> None:
    """Add `frame` to `frames` if it is `gap` seconds younger than the newest there."""
    if not frames or frame.time - frames[-1].time >= gap:
        frames.append(frame)


def enough(pictures: int, rest: float) -> bool:
    """Whether so many pictures alike, over `rest` seconds, are evidence of a rest."""
    return pictures >= LEAST_FRAMES or rest >= FROZEN_S


class RollWatcher:
    """Feed it every frame of a source, in order; it answers with what has happened.

    `read` reads a picture: `(h, w, 3) uint8 BGR -> Reading`; it is given the tray as `profile` shows it, and what it
    finds is told in the frame's pixels. `rest_s` is how long a picture must lie still
    before it is read, in seconds of the frames' own time (and three frames at least), `reads` how many
    frames of a rest are read at most, and `hand_s` how long a hand may stay before the dice beside it are
    reported all the same. No clock but the frames' is used, so the same frames always give the same events.
    """

    def __init__(
        self,
        read: Callable[[Image], Reading],
        *,
        profile: Profile = WHOLE_PICTURE,
        rest_s: float = REST_S,
        reads: int = READS,
        hand_s: float = 0.6,
    ) -> None:
        if rest_s <= 0 or reads < 1 or hand_s <= 0:
            raise ValueError("rest_s, reads and hand_s must be positive.")
        self._read = read
        self._profile = profile
        self._rest_s = rest_s
        self._reads = reads
        self._hand_s = hand_s
        self._gate = MotionGate()
        self._memory = Memory(self._gate)
        self._rested: deque[Frame] = deque(maxlen=reads)
        self._state: State | None = None
        self._decided = False
        self._look_then: Look | None = None  # of the newest frame in _rested
        self._ahead: Ahead | None = None
        self._motion: Motion | None = None
        self._tried = -1e9
        self._fault: Exception | None = None
        self._pause = 0.0
        self._ask_again = -1e9
        self._rolls = 0
        self._shape: tuple[int, ...] | None = None

    @property
    def state(self) -> State | None:
        """The state after the newest frame; None before the first."""
        return self._state

    @property
    def fault(self) -> Exception | None:
        """Why the last reading failed; None once one has succeeded, and before the first."""
        return self._fault

    def feed(self, frame: Frame) -> list[Event]:
        """Take the next frame. At most one roll and a few changes of state come of it, in their order.

        What `read` raises passes through, unless a roll comes of the frame: then only `fault` tells of it. The
        watcher stays usable: what lies there is read once more after a pause.
        """
        events: list[Event] = []
        try:
            self._take(frame, events)
        except Exception as error:
            if error is not self._fault or not any(isinstance(each, RollSeen) for each in events):
                raise
        return events

    def _take(self, frame: Frame, events: list[Event]) -> None:
        if self._shape != frame.image.shape:
            self._restart(frame)
        motion = self._gate.feed(frame)
        before, self._motion = self._motion, motion
        if motion.changed:
            self._decided = False
        if self._decided:
            return
        if self._ahead is not None:
            self._tend(self._ahead, frame, motion, events)
        elif motion.changed and before is not None and before.still_for >= BRIEF_REST_S:
            self._read_ahead(frame, motion, before.still_for, before, before.still_pictures, events)
        if motion.quiet_frames == 0:
            self._rested.clear()
        self._keep(frame, motion)
        rests = motion.still_for >= self._rest_s and motion.still_frames >= LEAST_FRAMES
        if rests and enough(motion.still_pictures + 1, motion.still_for):
            self._decide(frame, events)
        else:
            self._enter("moving" if motion.still_for < self._rest_s / 2 else "settling", frame, events)
            if motion.quiet_for >= self._rest_s and motion.quiet_frames >= LEAST_FRAMES:
                self._read_ahead(frame, motion, motion.quiet_for, motion, motion.quiet_pictures, events)

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
            if self._rested[-1] is frame:
                self._look_then = self._gate.look()

    def _decide(self, frame: Frame, events: list[Event]) -> None:
        """The picture rests: read it, and report what is new."""
        if frame.time < self._ask_again:
            return
        reading = self._look(frame)
        # Only now: a rest whose reading failed is not done with.
        self._decided = True
        self._ahead = None
        fresh = self._memory.fresh(reading)
        if fresh:
            pairs = self._gather(frame, reading, self._rested, frame)
            reading = agree([each for _, each in pairs])
            if self._tell(pairs, reading, fresh, frame, events):
                self._rested.clear()
                return
        self._memory.note(reading)
        self._enter("still" if reading.dice else "empty", frame, events)
        self._rested.clear()

    def _read_ahead(
        self,
        frame: Frame,
        motion: Motion,
        rest: float,
        seen: Motion,
        pictures: int,
        events: list[Event],
    ) -> None:
        """Read the newest frame of a rest that is cut short, or in which a hand moves; not too often.

        `rest` is how long it had lasted when `seen`, seconds, and `pictures` how many looked like the one with
        which it began. Kept only if it shows fresh dice that nothing touches; if what cuts the rest short is a
        hand that is at the dice already, they are reported.
        """
        if self._ahead is not None or not self._rested or frame.time - self._tried < self._hand_s / 4:
            return
        if frame.time < self._ask_again:
            return
        self._tried = frame.time
        taken, look = self._rested[-1], self._look_then
        reading = self._look(taken)
        fresh = self._memory.fresh(reading, look)
        if not fresh:
            return
        patches = tuple(self._gate.patch(die.box, look) for die in reading.dice)
        ahead = Ahead(
            taken,
            reading,
            fresh,
            patches,
            frames=deque(self._rested, self._reads),
            read_at=frame.time,
            began=seen.time - rest,
            until=seen.time,
            alike=pictures + 1,
        )
        # In a rest of the whole picture the dice rested too, and need only look the same still, in whatever
        # shadow. Beside a moving hand nothing may have moved where they lie: they could be in the hand.
        alone = self._untouched(ahead) if seen is not motion else self._rest_of(reading) >= rest
        if alone:
            ahead.until = frame.time
            self._ahead = ahead
        elif motion.quiet_for < rest and motion.reaching:
            self._finish(ahead, frame, events)

    def _tend(self, ahead: Ahead, frame: Frame, motion: Motion, events: list[Event]) -> None:
        """Wait with dice read ahead until something touches them, or a hand has stayed too long."""
        if self._untouched(ahead):
            ahead.until = frame.time
            ahead.alike += not motion.repeated
            # A frame in which something passes near the dice, or its shadow over them, is second choice.
            alone = self._rest_of(ahead.reading) >= frame.time - ahead.began
            if alone or len(ahead.frames) < 2:
                spread(ahead.frames, frame, self._rest_s / (2 * self._reads))
            if frame.time - ahead.read_at >= self._hand_s:
                self._finish(ahead, frame, events)
        elif motion.reaching:
            self._finish(ahead, frame, events)
        else:  # they were not at rest after all
            self._ahead = None

    def _finish(self, ahead: Ahead, frame: Frame, events: list[Event]) -> None:
        """Report dice read ahead if they lay still for long enough, in frames too, or drop them."""
        self._ahead = None
        rest = ahead.until - ahead.began + 1e-6
        if rest >= SHORT_REST_S and enough(ahead.alike, rest):
            pairs = self._gather(ahead.frame, ahead.reading, ahead.frames, frame)
            self._tell(pairs, agree([each for _, each in pairs]), ahead.fresh, frame, events, ahead.patches)

    def _rest_of(self, reading: Reading) -> float:
        """Seconds since anything last changed where the dice lie."""
        return min(self._gate.rest_of(die.box) for die in reading.dice)

    def _untouched(self, ahead: Ahead) -> bool:
        """Whether all dice read ahead look the same in the newest frame; a shadow on them changes nothing."""
        return all(self._gate.alike(patch) for patch in ahead.patches)

    def _look(self, frame: Frame) -> Reading:
        """Read the tray in a frame; the boxes are the frame's. Raises what the reader raises, and notes it."""
        view = self._profile.view(frame)
        try:
            reading = self._read(view.image)
        except Exception as error:
            self._fault = error
            self._pause = min(2 * self._pause, LONGEST_PAUSE_S) if self._pause else FIRST_PAUSE_S
            if self._motion is not None:
                self._ask_again = self._motion.time + self._pause
            raise
        self._fault = None
        self._pause = 0.0
        return in_frame(reading, view, frame.image)

    def _gather(
        self, frame: Frame, reading: Reading, rested: Sequence[Frame], newest: Frame
    ) -> list[tuple[Frame, Reading]]:
        """Read more frames of the same rest beside `frame`, oldest first; `newest` may not be of the rest.

        Where the reader fails now, what it has said so far must do: the roll is told, if not as sure.
        """
        pairs = [(frame, reading)]
        others = [each for each in rested if each.index not in (frame.index, newest.index)]
        for each in reversed(others):
            if len(pairs) == self._reads:
                break
            try:
                pairs.append((each, self._look(each)))
            except Exception as error:
                if error is not self._fault:
                    raise
                break
        return sorted(pairs, key=lambda pair: pair[0].index)

    def _tell(
        self,
        pairs: list[tuple[Frame, Reading]],
        reading: Reading,
        fresh: tuple[DieReading, ...],
        frame: Frame,
        events: list[Event],
        patches: tuple[Patch, ...] = (),
    ) -> bool:
        """Report what the readings agree on, if one of the `fresh` dice is still among it."""
        if not any(distance(die, new) <= SAME_PLACE * size(new) for die in reading.dice for new in fresh):
            return False
        last = pairs[-1][0]
        self._memory.report(reading, patches)
        self._rolls += 1
        roll = Roll(self._rolls, last.time, reading, len(pairs), _jpeg(last.image))
        self._enter("still", frame, events)
        events.append(RollSeen(last.time, roll))
        return True

    def _enter(self, state: State, frame: Frame, events: list[Event]) -> None:
        if state != self._state:
            self._state = state
            events.append(StateChange(frame.time, state))


def in_frame(reading: Reading, view: TrayView, picture: Image) -> Reading:
    """A reading of a view, told in the pixels of the frame whose `picture` (h, w, 3) it was taken from."""
    dice = tuple(replace(die, box=view.box(die.box)) for die in reading.dice)
    return replace(reading, dice=dice, width=picture.shape[1], height=picture.shape[0])


def _jpeg(image: Image) -> bytes:
    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return np.asarray(data).tobytes() if good else b""
