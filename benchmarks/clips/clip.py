"""From a script to frames with times: when the camera takes pictures, which of them arrive, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from zlib import crc32

import cv2
import numpy as np

from benchmarks.clips.ground import trace
from benchmarks.clips.script import Script
from benchmarks.clips.sensor import Image, Sensor
from benchmarks.clips.stage import Stage
from benchmarks.clips.truth import TrueFlag, TrueRoll, Truth
from vision.frames import Frame


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame as it arrives: taken at `taken` seconds of the clip, with `stamp` as its time; `again` says that it is
    the one before once more. `index` counts those that were lost, too."""

    taken: float
    stamp: float
    index: int
    again: bool = False


Plan = Callable[[list[Shot], np.random.Generator], list[Shot]]
"""What a bad line makes of the shots of an even clip."""


@dataclass
class Clip:
    """A clip with its truth. `clean`: nothing is wrong with it, every throw must be told once and right. `line` is what
    happens to the frames on their way."""

    kind: str
    seed: int
    script: Script
    fps: float = 30.0
    clean: bool = True
    line: Plan = field(default=lambda shots, _: shots)

    @property
    def name(self) -> str:
        """Kind and seed."""
        return f"{self.kind}-{self.seed}"

    def __post_init__(self) -> None:
        count = int(self.script.now * self.fps)
        even = [Shot(index / self.fps, index / self.fps, index) for index in range(count)]
        self.shots = self.line(even, _random(self.name + " line"))
        self.truth = self._truth()

    def frames(self) -> Iterator[Frame]:
        """Every frame, drawn as it is asked for; the same each time."""
        script = self.script
        stages = []
        for light in script.lights:
            ground = trace(script.view, light, script.tray, script.surface, _random(self.name + " ground"))
            stages.append(Stage(script.view, light, script.tray, ground, script.actors))
        sensor = Sensor(script.camera, script.size, _random(self.name + " sensor"))
        image: Image | None = None
        for shot in self.shots:
            if image is None or not shot.again:
                image = self._picture(shot.taken, stages, sensor)
            yield Frame(image, shot.stamp, shot.index)

    def _picture(self, time: float, stages: list[Stage], sensor: Sensor) -> Image:
        script = self.script
        light = None
        for stage, weight in zip(stages, script.weights(time), strict=True):
            if weight > 0:
                part = stage.picture(time, script.camera.shutter)
                light = part * np.float32(weight) if light is None else light + part * np.float32(weight)
        if light is None:
            raise ValueError(f"{self.name}: no light at all at {time:.2f} s; give some lamp a weight")
        shift = np.array([[1, 0, -script.margin[0]], [0, 1, -script.margin[1]], [0, 0, 1.0]])
        matrix = shift @ script.bump(time)
        if not np.array_equal(matrix, np.eye(3)):
            moved = cv2.warpAffine(light, matrix[:2], script.size, flags=cv2.INTER_LINEAR)
            light = np.asarray(moved, np.float32)
        return sensor.take(light.astype(np.float32, copy=False), time, script.gain(time))

    def _truth(self) -> Truth:
        script = self.script
        length = self.shots[-1].stamp
        rolls = []
        for number, throw in enumerate(script.throws):
            after = script.throws[number + 1].rest if number + 1 < len(script.throws) else 1e9
            seen = [shot for shot in self.shots if not shot.again and throw.rest <= shot.taken < after]
            lies = [shot for shot in seen if shot.taken < throw.touched]
            if not lies:
                raise ValueError(f"{self.name}: no frame shows throw {number} at rest; let it lie for longer")
            # Until the next throw lies still it may still be told, from what was seen before.
            rolls.append(
                TrueRoll(
                    lies[0].stamp,
                    lies[-1].stamp,
                    seen[-1].stamp,
                    script.true_dice(throw, throw.rest),
                    throw.sure,
                    throw.optional,
                )
            )
        flags = [TrueFlag(each.kind, each.since, min(each.until, length)) for each in script.alarms]  # type: ignore[arg-type]
        rim = script.tray.outline()
        flat = script.view.project(rim)[0] - script.margin
        tray = tuple((float(x), float(y)) for x, y in flat) if script.tray.shape != "none" else ()
        return Truth(tuple(rolls), tuple(flags), tray, script.view.die_px, len(script.actors.dice))


def _random(name: str) -> np.random.Generator:
    return np.random.default_rng(crc32(name.encode()))


def random_of(kind: str, seed: int) -> np.random.Generator:
    """What decides a clip: the same for the same kind and seed."""
    return _random(f"{kind} {seed}")


# What a bad line does.


def lossy(share: float, burst: int = 1) -> Plan:
    """Loses about `share` of the frames, up to `burst` in a row."""

    def plan(shots: list[Shot], rng: np.random.Generator) -> list[Shot]:
        out, losing = [], 0
        for shot in shots:
            if losing == 0 and rng.random() < share / ((burst + 1) / 2):
                losing = int(rng.integers(1, burst + 1))
            if losing > 0:
                losing -= 1
            else:
                out.append(shot)
        return out

    return plan


def repeating(begin: float, end: float, times: int) -> Plan:
    """Shows each frame between two times `times` times, in place of those after it."""

    def plan(shots: list[Shot], rng: np.random.Generator) -> list[Shot]:
        out: list[Shot] = []
        for shot in shots:
            again = begin <= shot.stamp < end and shot.index % times != 0 and bool(out)
            out.append(Shot(out[-1].taken if again else shot.taken, shot.stamp, shot.index, again))
        return out

    return plan


def stuttering(share: float, longest: int) -> Plan:
    """Now and then a frame stands for up to `longest` more, at any time."""

    def plan(shots: list[Shot], rng: np.random.Generator) -> list[Shot]:
        out: list[Shot] = []
        standing = 0
        for shot in shots:
            if standing == 0 and rng.random() < share:
                standing = int(rng.integers(1, longest + 1))
            again = standing > 0 and bool(out)
            standing = max(0, standing - 1)
            out.append(Shot(out[-1].taken if again else shot.taken, shot.stamp, shot.index, again))
        return out

    return plan


def frozen(begin: float, seconds: float) -> Plan:
    """The stream shows one picture for so long, then goes on live."""
    return repeating(begin, begin + seconds, 10**9)


def uneven(spread: float) -> Plan:
    """Frames are taken a little early or late, and arrive with delays of up to `spread` seconds more."""

    def plan(shots: list[Shot], rng: np.random.Generator) -> list[Shot]:
        step = shots[1].stamp
        late, out, last = 0.0, [], -1e9
        for shot in shots:
            late = 0.8 * late + 0.2 * float(rng.exponential(spread))
            taken = max(0.0, shot.taken + float(rng.uniform(-0.2, 0.2)) * step)
            last = max(last + 0.001, taken + late)
            out.append(Shot(taken, last, shot.index))
        return out

    return plan
