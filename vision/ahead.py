"""Dice that are read before the picture has come to rest as a whole.

A hand that comes back at once must not cost the roll. When something cuts a rest short, or while a hand reaching in
from the edge keeps moving, the rest so far is read ahead. That reading is told when something touches the dice, if they
lay still for long enough by themselves, or when the hand stays about; when the hand goes, the picture rests and is read
anew.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from vision.eye import Eye, Seen
from vision.frames import Frame
from vision.gate import Look, Motion, MotionGate, Patch
from vision.hands import Hands
from vision.memory import Memory
from vision.rests import BRIEF_REST_S, CALM_S, HAND_BACK_S, LEAST_FRAMES, SHORT_REST_S, Rest, enough, spread


@dataclass(slots=True)
class Taken:
    """Dice read ahead.

    `frame` is the one read, `look` how the gate saw it, `patches` how the dice look in it, `frames` further ones of the
    rest, and `read_at` when it was read. The dice have lain still from `began` to `until`, and `alike` frames show them
    so, repeated ones not counted. Times in seconds.
    """

    frame: Frame
    seen: Seen
    look: Look | None
    patches: tuple[Patch, ...]
    frames: deque[Frame]
    read_at: float
    began: float
    until: float
    alike: int


class Ahead:
    """Reads ahead where that may be needed; `hand_s` is how long a hand may stay about before the dice are told."""

    def __init__(
        self,
        gate: MotionGate,
        memory: Memory,
        hands: Hands,
        eye: Eye,
        rest: Rest,
        rest_s: float,
        hand_s: float,
    ) -> None:
        self._gate = gate
        self._memory = memory
        self._hands = hands
        self._eye = eye
        self._rest = rest
        self._rest_s = rest_s
        self._hand_s = hand_s
        self._taken: Taken | None = None
        self._tried = -1e9
        self._hand_at = -1e9
        self._calm_at = -1e9
        self._seen_rest = -1e9  # when the rest began in which nothing new was found

    def drop(self) -> None:
        """What was read ahead is of no use any more."""
        self._taken = None

    def follow(self, frame: Frame, motion: Motion, before: Motion | None) -> Taken | None:
        """Take the next frame, `before` being the motion of the one before it; dice that must be told now, or None."""
        if self._taken is not None:
            return self._tend(self._taken, frame, motion)
        came = motion.reaching and frame.time - self._hand_at >= HAND_BACK_S
        if motion.reaching:
            self._hand_at = frame.time
        if before is None or before.still_for >= CALM_S:
            self._calm_at = frame.time
        if not motion.changed or before is None:
            return None
        if before.still_for >= BRIEF_REST_S and before.still_pictures:
            return self._begin(frame, motion, before.still_for, before, before.still_pictures)
        if came and self._rest.before is not None and frame.time - self._calm_at >= HAND_BACK_S:
            # Maybe they came to rest with the very last frame before the hand is back; those to come will tell.
            shown, look = self._rest.before
            self._rest.frames.append(shown)
            self._rest.look = look
            return self._begin(frame, motion, 0.0, before, 0)
        return None

    def beside(self, frame: Frame, motion: Motion) -> Taken | None:
        """The picture does not rest, but nothing else than a hand moves; dice that must be told now, or None."""
        if motion.quiet_for < self._rest_s or motion.quiet_frames < LEAST_FRAMES:
            return None
        return self._begin(frame, motion, motion.quiet_for, motion, motion.quiet_pictures)

    def _begin(self, frame: Frame, motion: Motion, rest: float, seen: Motion, pictures: int) -> Taken | None:
        """Read the newest frame of a rest that is cut short, or in which a hand moves; not too often.

        `rest` is how long it had lasted when `seen`, seconds, and `pictures` how many looked like the one with
        which it began. Kept only if it shows new dice that nothing touches; if what cuts the rest short is a
        hand that is at the dice already, they are told.
        """
        frames = self._rest.frames
        # A rest in which nothing new was found before is looked at again, but seldom.
        pause = self._hand_s if abs(seen.time - rest - self._seen_rest) < 1e-6 else self._hand_s / 6
        if self._taken is not None or not frames or frame.time - self._tried < pause:
            return None
        if self._eye.rests(frame.time):
            return None
        self._tried = frame.time
        shown, look = frames[-1], self._rest.look
        found = self._eye.look(shown, frame.time)
        dice = found.reading.dice
        compared = self._memory.compare(dice, look)
        if not compared.thrown:
            self._seen_rest = seen.time - rest
            if seen is motion or rest >= BRIEF_REST_S:
                self._memory.glimpse(dice, compared, look)
            return None
        hand = self._hands.reach(look, [die.box for die in found.all]) if look is not None else None
        if any(self._hands.touches(die.box, hand) for die in dice):
            return None
        taken = Taken(
            shown,
            found,
            look,
            tuple(self._gate.patch(die.box, look) for die in dice),
            frames=deque(frames, frames.maxlen),
            read_at=frame.time,
            began=seen.time - rest,
            until=seen.time,
            alike=pictures + 1,
        )
        # In a rest of the whole picture the dice rested too, and need only look the same still, in whatever
        # shadow. Beside a moving hand nothing may have moved where they lie: they could be in the hand.
        alone = self._untouched(taken) if seen is not motion else self._rest_of(taken) >= rest
        if alone:
            taken.until = frame.time
            self._taken = taken
            if frame is not shown and not motion.repeated:
                taken.alike += 1
                spread(taken.frames, frame, self._rest.gap)
        elif motion.quiet_for < rest and motion.reaching:
            return self._finished(taken)
        return None

    def _tend(self, taken: Taken, frame: Frame, motion: Motion) -> Taken | None:
        """Wait with dice read ahead until something touches them, or a hand has stayed too long."""
        if self._untouched(taken):
            taken.until = frame.time
            taken.alike += not motion.repeated
            # A frame in which something passes near the dice, or its shadow over them, is second choice.
            alone = self._rest_of(taken) >= frame.time - taken.began
            if alone or len(taken.frames) < 2:
                spread(taken.frames, frame, self._rest.gap)
            return self._finished(taken) if frame.time - taken.read_at >= self._hand_s else None
        self._taken = None  # if nothing reaches in, they were not at rest after all
        return self._finished(taken) if motion.reaching else None

    def _finished(self, taken: Taken) -> Taken | None:
        """The dice read ahead if they lay still for long enough, in frames too."""
        self._taken = None
        rest = taken.until - taken.began + 1e-6
        return taken if rest >= SHORT_REST_S and enough(taken.alike, rest, self._gate.alive) else None

    def _rest_of(self, taken: Taken) -> float:
        """Seconds since anything last changed where the dice lie."""
        return min(self._gate.rest_of(die.box) for die in taken.seen.reading.dice)

    def _untouched(self, taken: Taken) -> bool:
        """Whether all dice read ahead look the same in the newest frame; a shadow on them changes nothing."""
        return all(self._gate.alike(patch) for patch in taken.patches)
