"""Writes the course of a clip: hands come, throw, take, push; dice roll and lie; and keeps the truth about it.

A `Script` has a clock, `now`; each act begins there, moves it on, and notes what is to be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.clips.acts import Alarm, Throw
from benchmarks.clips.die import LOOKS, Look, Pose, lowest, outline, turned, upper_value, upright
from benchmarks.clips.ground import FELTS, WOODS, Shape, Tray
from benchmarks.clips.hand import CLOSED, OPEN, SKINS, SLEEVES, Hand, Person
from benchmarks.clips.motion import UNSEEN_S, Track, along, flight, smooth
from benchmarks.clips.props import Place, Prop
from benchmarks.clips.sensor import Camera
from benchmarks.clips.stage import Actors, Grasp
from benchmarks.clips.truth import Lies, TrueDie
from benchmarks.clips.view import Light, Points, View

ENTER_S, LEAVE_S, GRIP_S = 0.40, 0.38, 0.09
HOLD_Z = 1.3
"""How high above the table a hand is that is about to let go, edges."""


class Script:
    """One clip in the making. `rng` decides everything that is not said."""

    def __init__(
        self,
        rng: np.random.Generator,
        *,
        size: tuple[int, int] = (640, 480),
        dice: int = 3,
        shape: Shape | None = None,
        radius: float | None = None,
        margin: float = 0.0,
    ) -> None:
        self.rng = rng
        self.size = size
        self.margin = (round(size[0] * margin), round(size[1] * margin))
        radius = radius or float(rng.uniform(5.6, 6.6)) + 0.2 * max(0, dice - 3)
        die_px = size[1] * 0.94 / (2 * radius + 1)
        self.tray = self._tray(shape, radius)
        self.view = View(
            size[0] + 2 * self.margin[0],
            size[1] + 2 * self.margin[1],
            die_px=die_px,
            tilt=float(rng.uniform(0.12, 0.55)),
            roll=float(rng.normal(0, 0.03)),
            distance=float(rng.uniform(28, 55)),
        )
        self.lights = [self._light()]
        self.weights: Callable[[float], list[float]] = lambda _: [1.0]
        self.surface = str(rng.choice(["wood", "wood", "cloth"]))
        apart = [look for look in LOOKS if _apart(look.body, self.tray.felt) > 0.28]
        self.look: Look = apart[int(rng.integers(len(apart)))]
        self.person = Person(
            SKINS[int(rng.integers(len(SKINS)))],
            SLEEVES[int(rng.integers(len(SLEEVES)))] if rng.random() < 0.7 else None,
            float(rng.uniform(0.88, 1.05)),
        )
        self.camera = Camera(
            shutter=float(rng.uniform(0.008, 0.018)),
            target=float(rng.uniform(0.36, 0.46)),
            noise=float(rng.uniform(0.006, 0.016)),
            sharpness=float(rng.uniform(-0.3, 0.7)),
            quality=int(rng.integers(78, 95)),
            warmth=float(rng.normal(0, 0.05)),
        )
        self.actors = Actors([self.look] * dice, [Track[Pose | None](None) for _ in range(dice)])
        self.now = 0.0
        self.throws: list[Throw] = []
        self.alarms: list[Alarm] = []
        self.gain: Callable[[float], float] = lambda _: 1.0
        self.bump: Callable[[float], Points] = lambda _: np.eye(3)
        self._values = [0] * dice
        self._aside: set[int] = set()
        self._beside: set[int] = set()
        self._lying: dict[int, Pose] = {}
        self._hands: dict[Person, tuple[Track[Grasp | None], Points | None, float]] = {}
        self._seats: dict[Person, float] = {}

    # What is there.

    def _tray(self, shape: Shape | None, radius: float) -> Tray:
        rng = self.rng
        shapes: tuple[Shape, ...] = ("round", "hexagon", "square")
        chosen = shape or shapes[int(rng.integers(3))]
        return Tray(
            chosen,
            radius if chosen != "square" else radius * 0.9,
            wall=float(rng.uniform(0.4, 0.7)),
            height=float(rng.uniform(0.8, 1.4)),
            turn=0.0 if chosen == "square" else float(rng.uniform(0, np.pi)),
            felt=FELTS[int(rng.integers(len(FELTS)))],
            wood=WOODS[int(rng.integers(len(WOODS)))],
        )

    def _light(self) -> Light:
        rng = self.rng
        around = float(rng.uniform(0, 2 * np.pi))
        high = float(rng.uniform(0.85, 1.35))
        at = 55 * np.array([np.cos(around) * np.cos(high), np.sin(around) * np.cos(high), np.sin(high)])
        lamp, warm = float(rng.uniform(0.5, 0.8)), float(rng.normal(0, 0.06))
        colour = np.array([1 - warm, 1.0, 1 + warm])
        return Light(at, float(rng.uniform(1.5, 7)), lamp * colour, (1 - lamp) * np.ones(3))

    @property
    def lying(self) -> list[int]:
        """The dice that lie on the table."""
        return sorted(self._lying)

    def pose(self, index: int) -> Pose:
        """Where a die lies."""
        return self._lying[index]

    def wait(self, seconds: float) -> None:
        """Nothing happens."""
        self.now += seconds

    def put(self, index: int, value: int | None = None) -> None:
        """A die lies there from the beginning."""
        assert self.now == 0, "only at the beginning"
        pose = self._rests(self._spots(1)[0], value or int(self.rng.integers(1, 7)), index)
        self.actors.dice[index].stay(0.0, pose)
        self._lying[index] = pose

    def _rests(self, spot: Points, value: int, index: int) -> Pose:
        self._values[index] = value
        rotation = upright(self.look, value, float(self.rng.uniform(0, 2 * np.pi)))
        return Pose(rotation, np.array([*spot, lowest(rotation, self.look)]))

    def _spots(self, count: int, least: float = 1.7) -> list[Points]:
        """Places in the tray apart from each other and from the dice that lie there."""
        taken = [pose.position[:2] for pose in self._lying.values()]
        spots: list[Points] = []
        for tries in range(4000):
            spot = self.rng.uniform(-1, 1, 2) * self.tray.radius * 0.72
            reach = float(self.tray.reach(*(np.asarray(np.float32(each)) for each in spot)))
            gap = least if tries < 2000 else 1.45
            if reach < self.tray.radius * 0.72 and all(
                np.hypot(*(spot - other)) > gap for other in taken + spots
            ):
                spots.append(spot)
                if len(spots) == count:
                    return spots
        raise RuntimeError("the tray is too small for so many dice")

    # Hands.

    def heading(self, person: Person | None = None) -> float:
        """Where a person sits, chosen once: the direction of the fingers, radians from world x."""
        person = person or self.person
        if person not in self._seats:
            sides = [0.0, np.pi / 2, np.pi, np.pi / 2, 0.6, 2.5, -np.pi / 2]
            self._seats[person] = float(self.rng.choice(sides) + self.rng.normal(0, 0.25))
        return self._seats[person]

    def _outside(self, heading: float) -> Points:
        away = 1.25 * max(self.view.width, self.view.height) / 2 / self.view.die_px + 7
        return np.array([-np.cos(heading) * away, -np.sin(heading) * away, 3.5])

    def _hand(self, person: Person) -> tuple[Track[Grasp | None], Points | None, float]:
        if person not in self._hands:
            track = Track[Grasp | None](None)
            self.actors.hands.append(track)
            self._hands[person] = (track, None, 0.0)
        return self._hands[person]

    def reach(
        self,
        stops: Sequence[tuple[float, Points]],
        *,
        heading: float | None = None,
        curl: float = OPEN,
        person: Person | None = None,
        tremor: float = 0.0,
    ) -> float:
        """Bring a hand along (seconds from now, tip) stops: from outside if it is not there. It stays at the last one.
        Returns the heading."""
        person = person or self.person
        track, at, old = self._hand(person)
        direction = old if at is not None else (self.heading(person) if heading is None else heading)
        first = at if at is not None else self._outside(direction)
        way = along([(self.now, first), *((self.now + after, tip) for after, tip in stops)], 0.4)
        hand, begin = Hand(person, direction, curl), self.now
        phase = self.rng.uniform(0, 6, 3)

        def grasp(time: float) -> Grasp:
            shake = tremor * np.sin(phase + np.array([31.0, 27.0, 22.0]) * (time - begin))
            return hand, way(time) + shake

        track.then(begin, grasp)
        self._hands[person] = (track, np.asarray(stops[-1][1], np.float64), direction)
        return direction

    def leave(self, person: Person | None = None, curl: float = OPEN, seconds: float = LEAVE_S) -> None:
        """The hand goes; the clock does not move."""
        person = person or self.person
        track, at, heading = self._hand(person)
        assert at is not None, "it is not there"
        way = along([(self.now, at), (self.now + seconds, self._outside(heading))])
        hand = Hand(person, heading, curl)
        track.then(self.now, lambda time: (hand, way(time)))
        track.stay(self.now + seconds, None)
        self._hands[person] = (track, None, heading)

    # Acts.

    def throw(
        self,
        which: Sequence[int],
        *,
        values: Sequence[int] | None = None,
        heading: float | None = None,
        person: Person | None = None,
        stay: Points | None = None,
        shake: float = 0.0,
        spots: Sequence[Points] | None = None,
        rolls: float | None = None,
        leave_s: float = LEAVE_S,
        lies: dict[int, Lies] | None = None,
        rests: dict[int, Pose | None] | None = None,
    ) -> Throw:
        """A closed hand comes, shakes for `shake` seconds, lets the dice go and leaves, or goes to `stay` and stays.

        The clock goes to the moment in which all lie still, a little after they are seen to. `rests` gives poses of
        some dice; None: it leaves the picture.
        """
        person = person or self.person
        _, there, old = self._hand(person)
        direction = old if there is not None else (self.heading(person) if heading is None else heading)
        back = -np.array([np.cos(direction), np.sin(direction)])
        spot = np.array([*(back * self.tray.radius * self.rng.uniform(0.7, 0.85)), HOLD_Z + self.tray.height])
        self._touch(self.now)
        enter = ENTER_S * float(self.rng.uniform(0.8, 1.2))
        self.reach([(enter, spot)], heading=direction, curl=CLOSED, person=person)
        self.now += enter
        if shake > 0:
            self.reach([(0.01, spot)], curl=CLOSED, person=person, tremor=0.35)
            self.now += shake
        release = self.now
        places = list(spots) if spots is not None else self._spots(len(which))
        slowest = release
        for number, index in enumerate(which):
            value = values[number] if values is not None else int(self.rng.integers(1, 7))
            length = rolls if rolls is not None else float(self.rng.uniform(0.65, 1.25))
            end = release + length * float(self.rng.uniform(0.85, 1.0))
            given = rests.get(index) if rests is not None else None
            gone = rests is not None and index in rests and given is None
            if gone:
                far = back * -self.tray.radius * 3.4 + np.array([back[1], -back[0]]) * self.rng.normal(0, 1)
                pose = self._rests(far, value, index)
            else:
                pose = given or self._rests(places[number], value, index)
                self._values[index] = upper_value(self.look, pose.rotation)[0]
            start = np.array([*(spot[:2] + self.rng.normal(0, 0.35, 2) - back * 0.5), spot[2] - 0.3])
            self.actors.dice[index].then(release, flight(self.look, pose, start, release, end, self.rng))
            if gone:
                self.actors.dice[index].stay(end, None)
            else:
                self._lying[index] = pose
                slowest = max(slowest, end)
            self._aside.discard(index)
        if stay is None:
            self.leave(person, OPEN, leave_s)
        else:
            self.reach([(0.5, stay)], curl=OPEN, person=person, tremor=0.012)
        self.now = slowest
        return self._rolled(slowest - UNSEEN_S, which, lies or {})

    def _rolled(self, rest: float, which: Sequence[int], lies: dict[int, Lies]) -> Throw:
        dice: list[tuple[int, int, Lies]] = []
        for index in self.lying:
            how: Lies = "thrown" if index in which else "aside" if index in self._aside else "kept"
            dice.append((index, self._values[index], lies.get(index, how)))
        throw = Throw(rest, tuple(dice), tuple(self._lying[index] for index in self.lying))
        self.throws.append(throw)
        return throw

    def _touch(self, time: float) -> None:
        """Something is done to what lies there."""
        if self.throws:
            self.throws[-1].touched = min(self.throws[-1].touched, time)

    def _above(self, index: int, lift: float = 0.0) -> Points:
        return np.asarray(self._lying[index].position + np.array([0, 0, 0.75 + lift]))

    def take(
        self, which: Sequence[int], *, heading: float | None = None, leave: bool = True, pause: float = 0.0
    ) -> None:
        """A hand takes dice one after the other and goes, unless it is to throw at once."""
        arrive = ENTER_S if self._hand(self.person)[1] is None else 0.2
        for index in which:
            self.reach([(arrive, self._above(index))], heading=heading)
            self._touch(self.now + arrive * 0.55)
            self.now += arrive
            self._carry(index, self.now, [(GRIP_S, self._above(index, 0.8))])
            self.actors.dice[index].stay(self.now + GRIP_S, None)
            self.now += GRIP_S
            del self._lying[index]
            self._aside.discard(index)
            arrive = 0.22 + pause
        if leave:
            self.leave(curl=CLOSED)
            self.now += LEAVE_S

    def _carry(self, index: int, start: float, stops: Sequence[tuple[float, Points]]) -> None:
        """The hand moves on from where it is, and the die with it."""
        pose = self._lying[index]
        person = self.person
        first = self._hand(person)[1]
        assert first is not None
        way = along([(start, first), *((start + after, tip) for after, tip in stops)], 0.3)
        held = pose.position - first
        self.actors.dice[index].then(start, lambda time: Pose(pose.rotation, way(time) + held))
        self.reach(stops)

    def lay_aside(self, index: int, spot: Points, *, leave: bool = True) -> None:
        """A hand moves a die elsewhere without turning it."""
        arrive = ENTER_S if self._hand(self.person)[1] is None else 0.25
        self.reach([(arrive, self._above(index))])
        self._touch(self.now + arrive * 0.55)
        self.now += arrive
        rotation = self._lying[index].rotation
        goal = Pose(rotation, np.array([*spot, self._lying[index].position[2]]))
        self._carry(index, self.now, [(0.45, goal.position + np.array([0, 0, 0.75]))])
        self.now += 0.45
        self.actors.dice[index].stay(self.now, goal)
        self._lying[index] = goal
        self._aside.add(index)
        if leave:
            self.leave()
            self.now += LEAVE_S

    def push(self, index: int, shift: Points, twist: float = 0.1) -> None:
        """A finger pushes a die a little along the table; the upper face stays."""
        pose = self._lying[index]
        ahead = shift / max(float(np.hypot(*shift)), 1e-6)
        near = pose.position + np.array([*(-ahead * 1.3), 0.5])
        heading = float(np.arctan2(ahead[1], ahead[0]))
        self.reach([(ENTER_S, near)], heading=heading)
        self._touch(self.now + ENTER_S * 0.5)
        self.now += ENTER_S
        length = 0.18
        goal = Pose(turned((0, 0, 1), twist) @ pose.rotation, pose.position + np.array([*shift, 0.0]))
        start = self.now

        def slide(time: float) -> Pose:
            part = smooth((time - start) / length)
            return Pose(
                turned((0, 0, 1), twist * part) @ pose.rotation,
                pose.position + part * np.array([*shift, 0.0]),
            )

        self.actors.dice[index].then(start, slide)
        self.actors.dice[index].stay(start + length, goal)
        self._lying[index] = goal
        self.reach([(length, near + np.array([*shift, 0.0]))])
        self.now += length
        self.leave()
        self.now += LEAVE_S

    def turn(self, index: int, value: int) -> None:
        """A hand comes and turns a die to another face where it lies."""
        pose = self._lying[index]
        self.reach([(ENTER_S, self._above(index))])
        self._touch(self.now + ENTER_S * 0.5)
        self.now += ENTER_S
        start, length = self.now, 0.35
        goal = self._rests(pose.position[:2] + self.rng.normal(0, 0.08, 2), value, index)
        axis = np.array([np.cos(0.4), np.sin(0.4), 0.0])
        quarter = turned(axis, np.pi / 2) @ pose.rotation

        def tip(time: float) -> Pose:
            part = smooth((time - start) / length)
            rotation = turned(axis, part * np.pi / 2) @ pose.rotation
            return Pose(rotation, np.array([*pose.position[:2], lowest(rotation, self.look)]))

        assert quarter.shape == (3, 3)
        self.actors.dice[index].then(start, tip)
        self.actors.dice[index].stay(start + length, goal)
        self._lying[index] = goal
        self.reach([(length, self._above(index, 0.3))], tremor=0.05)
        self.now += length
        self.leave()
        self.now += LEAVE_S

    def add(self, prop: Prop, place: Place | None) -> Track[Place | None]:
        """A thing on the table, there from the beginning if it has a place."""
        track = Track[Place | None](place)
        self.actors.props.append((prop, track))
        return track

    def beside(self, room: float = 1.1) -> Points:
        """A place on the table `room` edges outside the tray, in the picture, to the left, right or front."""
        reach = self.tray.radius + self.tray.wall
        for _ in range(2000):
            spot = self.rng.uniform(-1, 1, 2) * (reach * 2.2, reach * 1.3)
            out = float(self.tray.reach(*(np.asarray(np.float32(each)) for each in spot)))
            flat = self.view.project(np.array([[*spot, 0.5]]))[0][0] - self.margin
            inside = np.all(flat > self.view.die_px * 1.2) and np.all(
                flat < np.array(self.size) - self.view.die_px * 1.2
            )
            if out > reach + room and inside and spot[1] < reach * 0.5:
                return np.asarray(spot)
        raise RuntimeError("the picture shows no table beside the tray")

    def true_dice(self, throw: Throw, time: float) -> tuple[TrueDie, ...]:
        """The dice of a throw in the frame's pixels, as the camera stands at `time`."""
        matrix = self.bump(time)
        out = []
        for (_, value, lies), pose in zip(throw.dice, throw.poses, strict=True):
            x0, y0, x1, y1 = outline(self.view, pose, self.look)
            corners = np.array([(x0, y0, 1), (x1, y0, 1), (x1, y1, 1), (x0, y1, 1)]) @ matrix.T
            corners = corners[:, :2] - self.margin
            low, high = corners.min(0), corners.max(0)
            middle = (low + high) / 2
            box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
            out.append(TrueDie(value, (float(middle[0]), float(middle[1])), box, lies))
        return tuple(out)

    def with_camera(self, **changes: float) -> None:
        """Change the camera's habits."""
        self.camera = replace(self.camera, **changes)  # type: ignore[arg-type]


def _apart(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    """How far two linear colours are apart as they are shown."""
    return float(np.linalg.norm(np.sqrt(a) - np.sqrt(b)))
