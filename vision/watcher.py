"""Roll watcher: from frames to exactly one `Roll` a throw.

The gate says for each frame whether the picture rests; only then is it read, and only two or three frames of a rest
are, because reading costs far more than looking. Those readings are brought to agree, and told if they show a die that
was thrown since the last roll; `vision.memory` has the rule. A rest that a hand cuts short is read ahead, see
`vision.ahead`; a hand that lies still keeps dice that it touches from being told, see `vision.hands`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from calibration.profile import WHOLE_PICTURE, Profile
from vision.ahead import Ahead, Taken
from vision.bumps import Bumps, shift, without
from vision.consensus import agree
from vision.events import Event, Flagged, RollSeen, State, StateChange
from vision.evidence import evidence
from vision.eye import Eye, Seen
from vision.flags import Flags
from vision.frames import Frame, Image
from vision.gate import Look, Map, Mask, Motion, MotionGate, Patch
from vision.hands import Hands
from vision.memory import Compared, Memory
from vision.rests import READS, REST_S, Rest, rests
from vision.roll import DieReading, Reading, Roll, add_reason

__all__ = ["Event", "Flagged", "RollSeen", "RollWatcher", "State", "StateChange"]

HAND_LOOK_S = 0.1
"""Whether a hand lies still is looked at so often while the dice beside it wait to be told."""
ABSORB_S = 20.0
"""What reaches in and has not stirred for so long is no hand, but a thing that was put there."""
HAND_GONE_S = 0.15
"""A hand that has not moved for so long, while something else does, is not what moves."""
GAP_S = 3.0
"""After so long without a frame nothing is known of what happened meanwhile."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What `pictures` of one rest agree on, `last` being the newest of them; dice `beside` the tray, and whether a
    `hand` was in the picture."""

    last: Frame
    reading: Reading
    beside: tuple[DieReading, ...]
    pictures: int
    hand: bool


class RollWatcher:
    """Feed it every frame of a source, in order; it answers with what has happened.

    `read` reads a picture: `(h, w, 3) uint8 BGR -> Reading`; it is given the tray as `profile` shows it, and what it
    finds is told in the frame's pixels. `rest_s` is how long a picture must lie still
    before it is read, in seconds of the frames' own time (and three frames at least), `reads` how many
    frames of a rest are read at most, and `hand_s` how long a hand may stay before the dice beside it are
    told all the same. No clock but the frames' is used, so the same frames always give the same events.
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
        self._rest_s = rest_s
        self._reads = reads
        self._hand_s = hand_s
        self._eye = Eye(read, profile)
        self._bumps = Bumps(profile)
        self._flags = Flags(profile.dice)
        self._gate = MotionGate()
        self._memory = Memory(self._gate)
        self._hands = Hands(self._gate)
        self._rest = Rest(self._gate, rest_s, reads)
        self._ahead = Ahead(self._gate, self._memory, self._hands, self._eye, self._rest, rest_s, hand_s)
        self._state: State | None = None
        self._reason = ""
        self._untold: list[Event] = []
        self._motion: Motion | None = None
        self._shape: tuple[int, ...] | None = None
        self._decided = False
        self._hand: Mask | None = None  # at rest, as of the last look
        self._hand_looked = -1e9
        self._hand_moved = -1e9
        self._reached = False  # since the last decision
        self._last_look: Map | None = None  # of the last decision, without its dice
        self._rolls = 0
        self._most = 0  # dice that a roll has shown
        self._last: Roll | None = None

    @property
    def state(self) -> State | None:
        """The state after the newest frame; None before the first."""
        return self._state

    @property
    def fault(self) -> Exception | None:
        """Why the last reading failed; None once one has succeeded, and before the first."""
        return self._eye.fault

    @property
    def profile(self) -> Profile:
        """The profile as it holds now: its outline may have been put right since."""
        return self._bumps.profile

    def feed(self, frame: Frame) -> list[Event]:
        """Take the next frame. At most one roll and a few changes of state come of it, in their order.

        What `read` raises passes through, unless a roll comes of the frame: then only `fault` tells of it. The
        watcher stays usable: what lies there is read once more after a pause.
        """
        events, self._untold = self._untold, []
        try:
            self._take(frame, events)
        except Exception as error:
            if error is not self._eye.fault or not any(isinstance(each, RollSeen) for each in events):
                self._untold = events  # they are told with the next frame
                raise
        return events

    def stale(self, time: float) -> list[Event]:
        """No frames come any more, as of `time`; the next one ends that. What happens meanwhile is not known."""
        events: list[Event] = []
        self._interrupted()
        self._enter("stale", time, events)
        return events

    def _take(self, frame: Frame, events: list[Event]) -> None:
        if self._shape != frame.image.shape:
            self._restart(frame)
        motion = self._gate.feed(frame)
        before, self._motion = self._motion, motion
        if before is not None and frame.time - before.time > GAP_S:
            self._interrupted()
        if motion.changed:
            self._decided = False
        if motion.reaching:
            self._hand_moved = frame.time
            self._reached = True
        if not self._stands(frame, events):
            return
        if self._decided:
            if self._hand is not None and motion.still_for >= ABSORB_S:
                self._hands.forget()
                self._hand, self._decided = None, False
            return
        taken = self._ahead.follow(frame, motion, before)
        if taken is not None:
            self._tell_ahead(taken, frame, events)
        self._rest.keep(frame, motion)
        if rests(motion, self._rest_s, self._gate.alive):
            self._decide(frame, motion, events)
            return
        self._enter(self._moving_state(frame, motion), frame.time, events)
        taken = self._ahead.beside(frame, motion)
        if taken is not None:
            self._tell_ahead(taken, frame, events)

    def _restart(self, frame: Frame) -> None:
        """Another size of picture: nothing known of the old one holds."""
        self._shape = frame.image.shape
        self._memory.forget()
        self._hands.forget()
        self._flags.forget()
        self._last_look = None
        self._hand = None
        self._interrupted()

    def _interrupted(self) -> None:
        """A rest that nobody saw all of is none."""
        self._rest.clear()
        self._ahead.drop()
        self._motion = None
        self._decided = False

    def _stands(self, frame: Frame, events: list[Event]) -> bool:
        """Whether the table lies in the picture where the profile has it, so that it may be read."""
        stand = self._bumps.look(frame, self._gate)
        if stand == "fine":
            return True
        self._decided = False
        self._enter("moved", frame.time, events, self._bumps.message)
        if stand == "followed":
            self._eye.profile = self._bumps.profile
            self._ahead.drop()
            self._hands.forget()
            return True
        self._interrupted()
        return False

    def _moving_state(self, frame: Frame, motion: Motion) -> State:
        if motion.still_for >= self._rest_s / 2:
            return "settling"
        return "hand" if frame.time - self._hand_moved < HAND_GONE_S else "moving"

    def _decide(self, frame: Frame, motion: Motion, events: list[Event]) -> None:
        """The picture rests: read it, and tell what is new."""
        if self._eye.rests(frame.time):
            return
        look = self._gate.look()
        if motion.still_for < self._hand_s and self._hand_waits(frame, look):
            self._enter("hand", frame.time, events)
            return
        self._enter("still", frame.time, events)
        seen = self._eye.look(frame, frame.time)
        self._decided = True  # only now: a rest whose reading failed is not done with
        self._ahead.drop()
        self._hand = hand = self._hands.reach(look, [die.box for die in seen.all])
        dice = self._clear(seen.reading, hand, look).dice
        compared = self._compare(dice, look)
        if compared.thrown or compared.turned:
            if self._under(seen, hand, look) or self._too_few(dice, hand):
                self._rest.clear()
                self._enter("hand", frame.time, events)
                return
            agreed = self._agree(frame, seen, self._rest.frames, frame, hand, look)
            dice, compared = agreed.reading.dice, self._compare(agreed.reading.dice, look)
            if compared.thrown:
                self._rest.clear()
                self._tell(agreed, compared, frame, events)
                self._settle(frame, hand)
                return
            events += self._flags.of_turned(frame.time, dice, compared, self._memory)
        self._rest.clear()
        self._note(dice, seen, compared, frame, events)

    def _hand_waits(self, frame: Frame, look: Look) -> bool:
        """Whether a hand lies in the picture, at which dice beside it wait a while."""
        if frame.time - self._hand_looked >= HAND_LOOK_S or self._state != "hand":
            self._hand_looked = frame.time
            self._hand = self._hands.reach(look)
            if self._hand is not None and self._bumped(look, ()):
                self._hand = None
        return self._hand is not None

    def _bumped(self, look: Look, dice: Sequence[DieReading]) -> bool:
        """Whether the picture has moved as a whole since the last decision; what is remembered has moved with it.

        `dice` are those that `look` shows, as far as they are known.
        """
        if self._last_look is None or self._shape is None:
            return False
        by = shift(self._last_look, without(look, [die.box for die in dice], self._gate), self._shape)
        if by is None:
            return False
        self._memory.move(by)
        self._hands.forget()
        self._last_look = None
        return True

    def _compare(self, dice: Sequence[DieReading], look: Look | None) -> Compared:
        """What has become of each of the dice; those of a picture that moved as a whole have moved with it."""
        compared = self._memory.compare(dice, look)
        if not (compared.thrown or compared.turned) or look is None:
            return self._laid_aside(dice, compared)
        by = self._bumps.moved_by
        if by is not None:
            other = self._memory.moved(by).compare(dice, look)
            if other.at_rest > compared.at_rest:
                self._memory.move(by)
                return self._laid_aside(dice, other)
        if self._bumped(look, dice):
            compared = self._memory.compare(dice, look)
        return self._laid_aside(dice, compared)

    def _laid_aside(self, dice: Sequence[DieReading], compared: Compared) -> Compared:
        """Nobody throws into the kept zone: dice there were laid there."""
        places = self._eye.places(dice)
        if "kept" not in places:
            return compared
        pairs = zip(compared.hows, places, strict=True)
        return replace(compared, hows=tuple("carried" if place == "kept" else how for how, place in pairs))

    def _clear(self, reading: Reading, hand: Mask | None, look: Look | None) -> Reading:
        """The reading without dice that seem to be turned, but a hand touches them: they are half hidden."""
        touched = [die for die in reading.dice if self._hands.touches(die.box, hand)]
        if not touched:
            return reading
        hows = self._memory.compare(touched, look).hows
        out = {id(die) for die, how in zip(touched, hows, strict=True) if how == "turned"}
        return replace(reading, dice=tuple(die for die in reading.dice if id(die) not in out))

    def _under(self, seen: Seen, hand: Mask | None, look: Look) -> bool:
        """Whether a hand lies on dice that have come there, or touches them: they are thrown when it lets them go."""
        touched = [die for die in seen.reading.dice if self._hands.touches(die.box, hand)]
        return self._memory.compare(touched, look).thrown

    def _too_few(self, dice: Sequence[DieReading], hand: Mask | None) -> bool:
        """Whether a hand lies there, and dice that this set has are not in sight."""
        due = self._bumps.profile.dice
        return hand is not None and due is not None and len(dice) < due

    def _note(
        self, dice: Sequence[DieReading], seen: Seen, compared: Compared, frame: Frame, events: list[Event]
    ) -> None:
        """Nothing was thrown: take in what has become of the dice."""
        hand, before = self._hand, len(self._memory)
        if hand is None:
            events += self._flags.of_beside(frame.time, seen.beside)
            if not self._reached:
                events += self._flags.of_gone(frame.time, self._memory.vanished(compared))
        self._memory.note(dice, compared)
        self._settle(frame, hand)
        hidden = hand is not None and len(dice) < max(before, 1)
        self._enter("hand" if hidden else self._told_state(bool(dice)), frame.time, events)

    def _settle(self, frame: Frame, hand: Mask | None) -> None:
        """The table is known as it looks now."""
        self._bumps.moved_by = None
        if hand is None:
            look = self._gate.look()
            self._last_look = without(look, self._memory.boxes, self._gate)
            self._hands.learn(look, frame.time)
            self._reached = False

    def _told_state(self, dice: bool) -> State:
        if not dice:
            return "empty"
        return "read" if self._last is None or self._last.reading.sure else "unsure"

    def _tell_ahead(self, taken: Taken, frame: Frame, events: list[Event]) -> None:
        """Tell dice that were read ahead, if one of them was thrown."""
        look = taken.look
        hand = None if look is None else self._hands.reach(look, [die.box for die in taken.seen.all])
        agreed = self._agree(taken.frame, taken.seen, taken.frames, frame, hand, look)
        compared = self._compare(agreed.reading.dice, look)
        if compared.thrown:
            self._tell(agreed, compared, frame, events, taken.patches)

    def _agree(
        self,
        frame: Frame,
        seen: Seen,
        rested: Iterable[Frame],
        newest: Frame,
        hand: Mask | None,
        look: Look | None,
    ) -> Agreed:
        """Read more frames of the rest of `frame`; `newest` may not be of it, and is left out."""
        others = [each for each in rested if each.index != newest.index]
        pairs = self._eye.more(frame, seen, others, newest.time, self._reads)
        reading = agree([self._clear(each.reading, hand, look) for _, each in pairs])
        last, then = pairs[-1]
        return Agreed(last, reading, then.beside, len(pairs), hand is not None)

    def _tell(
        self,
        agreed: Agreed,
        compared: Compared,
        frame: Frame,
        events: list[Event],
        patches: tuple[Patch, ...] = (),
    ) -> None:
        """A throw has come to rest."""
        dice, last = agreed.reading.dice, agreed.last
        doubts = self._flags.doubts(dice, agreed.beside, agreed.hand, self._most)
        self._most = max(self._most, len(dice))
        reading = _doubted(agreed.reading, doubts)
        kept = tuple(how not in ("thrown", "turned") for how in compared.hows)
        picture, crop = evidence(last.image, dice, self._bumps.profile)
        self._memory.report(reading, patches)
        self._rolls += 1
        roll = self._last = Roll(self._rolls, last.time, reading, agreed.pictures, picture, kept, crop)
        self._enter(self._told_state(True), frame.time, events)
        events.append(RollSeen(last.time, roll))
        events += self._flags.of_roll(last.time, dice, agreed.beside)

    def _enter(self, state: State, time: float, events: list[Event], reason: str = "") -> None:
        if (state, reason) != (self._state, self._reason):
            self._state, self._reason = state, reason
            events.append(StateChange(time, state, reason))


def _doubted(reading: Reading, doubts: Sequence[str]) -> Reading:
    """The reading with further reasons for doubt."""
    if not doubts:
        return reading
    reasons = list(reading.reasons)
    for doubt in doubts:
        add_reason(reasons, doubt)
    return replace(reading, sure=False, reasons=tuple(reasons))
