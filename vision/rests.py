"""When a picture has rested for long enough, and the frames of a rest that are worth reading."""

from __future__ import annotations

from collections import deque

from vision.frames import Frame
from vision.gate import Look, Motion, MotionGate

REST_S = 0.2
SHORT_REST_S = 0.13
"""A rest cut short counts if the dice lay still for this long: longer than three equal frames last."""
BRIEF_REST_S = 0.03
"""From this on it is worth looking whether a rest that is cut short goes on where the dice lie."""
HAND_BACK_S = 0.3
"""A hand that has not been seen for so long, while dice rolled, has come back."""
CALM_S = 0.1
"""After so much rest what moves has begun to."""
LEAST_FRAMES = 3
"""So many frames must show the dice as they lie, none of them a mere repetition of another ..."""
FROZEN_S = 0.4
"""... unless the picture stays for so long: a photograph, or a stream that sends the same while nothing moves. One that
is alive, and stops in the middle of a motion, has only got stuck."""
STUCK_S = 1.0
"""A stream that hitches goes on after so long; one that sends the same for longer shows a table at rest."""
READS = 3


def enough(pictures: int, rest: float, alive: bool) -> bool:
    """Whether so many pictures alike, over `rest` seconds, are evidence of a rest; `alive`: two are seldom the same."""
    return pictures >= LEAST_FRAMES or (rest >= FROZEN_S and (pictures > 1 or not alive))


def rests(motion: Motion, rest_s: float, alive: bool) -> bool:
    """Whether the whole picture has come to rest."""
    long = motion.still_for >= rest_s and motion.still_frames >= LEAST_FRAMES
    if alive and motion.still_seen < rest_s / 2 and motion.still_for < STUCK_S:
        return False  # it may be the stream that rests
    return long and enough(motion.still_pictures + 1, motion.still_for, alive)


def spread(frames: deque[Frame], frame: Frame, gap: float) -> None:
    """Add `frame` to `frames` if it is `gap` seconds younger than the newest there."""
    if not frames or frame.time - frames[-1].time >= gap:
        frames.append(frame)


class Rest:
    """A few frames of the rest under way, spread over it; `look` is how the gate saw the newest of them, `before` the
    frame before the one being looked at, rest or not, with its look."""

    def __init__(self, gate: MotionGate, rest_s: float, reads: int) -> None:
        self._gate = gate
        self.gap = rest_s / (2 * reads)
        self.frames: deque[Frame] = deque(maxlen=reads)
        self.look: Look | None = None
        self.before: tuple[Frame, Look] | None = None

    def keep(self, frame: Frame, motion: Motion) -> None:
        """Take the next frame."""
        self.before = (frame, self._gate.look())
        if motion.quiet_frames == 0:
            self.frames.clear()
        else:
            spread(self.frames, frame, self.gap)
            if self.frames[-1] is frame:
                self.look = self._gate.look()

    def clear(self) -> None:
        """Begin anew."""
        self.frames.clear()
        self.look = self.before = None
