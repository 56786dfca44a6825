"""`python -m models.training.render.table --out DIR`: the film of a table, table.mp4, and its truth,
table.json.

Six throws of three ivory dice into a felt tray; a hand throws them and takes them away. Finished frames
are kept in the work folder (`--work`, by default out/render), so that a run that was stopped goes on; about
twenty minutes on two cores.

Frames are rendered as the empty table, once and clean, plus the difference that dice and hand make, rendered with few
samples and the same random numbers with and without them: what does not change is then free of noise (with the dice
at rest in place of the empty table while only a hand moves). Frames in which something moves are the mean of several
moments of the open shutter.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.training.render.camera import lines, truth_of
from models.training.render.develop import (
    Development,
    Light,
    balanced,
    combined,
    despeckled,
    exposed,
    metered,
    tone,
)
from models.training.render.film import AWAY, Moment, Take, moves, take
from models.training.render.hand import hand_parts
from models.training.render.physics import Launch, throw
from models.training.render.scene import Camera, Die, DieLook, Lamp, Scene, Thing, Tray
from models.training.render.tracer import Tracer

FPS = 15
SHUTTER_S = 1 / 50
SIDE = 0.020
IVORY = DieLook("solid", (0.56, 0.47, 0.31), (0.010, 0.009, 0.009), gloss=0.10)
THROWS: tuple[tuple[tuple[int, int, int], int, float], ...] = (
    ((5, 3, 2), 11, 1.7),
    ((6, 1, 1), 12, 1.9),
    ((6, 4, 3), 13, 1.6),
    ((4, 2, 1), 14, 2.0),
    ((3, 3, 3), 15, 1.7),
    ((2, 2, 1), 16, 1.6),
)
"""Values, seed, and how long they lie until the hand touches the first, seconds."""
EMPTY_S = 0.5
STEP = 0.004  # metres that something may move between two moments of the open shutter
MOMENTS = (1, 2, 3, 6)  # into how many the shutter's time may be divided; each divides Quality.moving


@dataclass(frozen=True)
class Quality:
    """Paths a pixel: for the empty table and for dice at rest (both in rounds of `round`), and for movement."""

    table: int = 128
    rest: int = 32
    round: int = 16
    moving: int = 6


def bar_scene() -> Scene:
    """A round tray with green felt on a wooden table, under a warm lamp; chips and a glass stand by."""
    return Scene(
        seed=421,
        camera=Camera((0.0, -0.385, 0.51), (0.004, -0.008, 0.0), 29.6, 800, 600),
        dice=tuple(Die((0.0, 0.0, -9.0), np.eye(3), IVORY, SIDE, pip=0.10, slant=5) for _ in range(3)),
        tray=Tray(),
        things=(
            Thing("chips", 0.178, 0.085, count=6, color=(0.42, 0.03, 0.03)),
            Thing("chips", 0.172, 0.135, count=3, color=(0.45, 0.30, 0.08)),
            Thing("cup", -0.200, 0.120, turn=0.6, color=(0.16, 0.06, 0.025)),
        ),
        lamps=(
            Lamp((-0.32, 0.42, 1.0), (0.0, 0.0, 0.0), 0.35, 0.25, (9.0, 6.9, 4.6)),
            Lamp((1.2, -0.6, 1.3), (0.0, 0.0, 0.0), 0.8, 0.8, (0.9, 1.05, 1.3)),
        ),
        sky=(0.22, 0.20, 0.17),
    )


def takes(tray: Tray) -> list[Take]:
    """The throws of the film, arranged in time."""
    made = []
    for values, seed, rest_s in THROWS:
        random = np.random.default_rng(seed)
        x, y = 0.075 + random.uniform(-0.01, 0.01), -0.055 + random.uniform(-0.015, 0.015)
        way = np.radians(146 + random.uniform(-16, 16))
        speed = random.uniform(0.45, 0.95)
        launch = Launch((x - 0.015, y + 0.01, 0.062), (speed * np.cos(way), speed * np.sin(way), -0.2), 35.0)
        flight = throw(seed, values, tray, SIDE, launch)
        made.append(take(flight, (x, y, 0.06), float(way), rest_s=rest_s, empty_s=EMPTY_S))
    return made


@dataclass(frozen=True)
class Reference:
    """A clean picture of a moment, to compare grainy ones with."""

    name: str
    moment: Moment
    light: Light


class Studio:
    """Renders the moments of a film, each only once: finished ones are kept in `folder`."""

    def __init__(self, scene: Scene, folder: Path, quality: Quality) -> None:
        self._folder = folder
        self._quality = quality
        folder.mkdir(parents=True, exist_ok=True)
        hands = {
            f"{name}_{part}": each
            for name, curl in (("open", 0.15), ("closed", 1.0))
            for part, each in hand_parts(curl).items()
        }
        self._tracer = Tracer(
            replace(scene, dice=tuple(replace(d, position=(0.0, 0.0, 0.0)) for d in scene.dice)), hands
        )
        self._count = len(scene.dice)
        self._grainy: dict[tuple[str, int, int], Light] = {}
        nobody = Moment((AWAY,) * self._count)
        self._table = self._kept("table", lambda: despeckled(self._rounds(nobody, quality.table)))
        self._nobody = nobody

    @property
    def table(self) -> Light:
        """The empty table."""
        return self._table

    def at_rest(self, name: str, moment: Moment) -> Light:
        """A moment in which nothing moves, clean."""
        if moment.bare:
            return self._table
        nobody = Reference("table", self._nobody, self._table)
        return self._kept(
            name, lambda: self._against(nobody, [moment], self._quality.round, self._quality.rest)
        )

    def moving(self, name: str, moments: list[Moment], lying: tuple[str, Moment] | None = None) -> Light:
        """The mean of some moments. `lying` names the dice at rest, where nothing but a hand moves beside them."""
        if all(each.bare for each in moments):
            return self._table
        like = Reference("table", self._nobody, self._table)
        if lying is not None:
            like = Reference(lying[0], lying[1], self.at_rest(*lying))
        total = self._quality.moving
        return self._kept(name, lambda: self._against(like, moments, total // len(moments), total))

    def _against(self, like: Reference, moments: list[Moment], samples: int, total: int) -> Light:
        """The mean of some moments, made clean by comparison with a picture that is clean."""
        rounds = total // samples
        new, old = np.zeros_like(self._table), np.zeros_like(self._table)
        for seed in range(rounds):
            key = (like.name, samples, seed)
            if key not in self._grainy:
                self._set(like.moment)
                self._grainy[key] = self._tracer.render(samples, 100 + seed)
            self._set(moments[seed % len(moments)])
            new += self._tracer.render(samples, 100 + seed) / rounds
            old += self._grainy[key] / rounds
        return combined(new, old, like.light, total)

    def _rounds(self, moment: Moment, total: int) -> Light:
        self._set(moment)
        count = max(1, total // self._quality.round)
        return np.asarray(
            sum(self._tracer.render(self._quality.round, seed) for seed in range(count)) / count, np.float32
        )

    def _set(self, moment: Moment) -> None:
        for index, (rotation, position) in enumerate(moment.dice):
            for part in ("body", "pips"):
                self._tracer.place(f"die{index}_{part}", rotation, position)
        for name, (rotation, position) in (("open", moment.open_hand), ("closed", moment.closed_hand)):
            for part in ("skin", "sleeve"):
                self._tracer.place(f"{name}_{part}", rotation, position)

    def _kept(self, name: str, make: object) -> Light:
        path = self._folder / f"{name}.npy"
        if path.exists():
            return np.load(path).astype(np.float32)
        light = make()  # type: ignore[operator]
        partial = path.with_suffix(".part.npy")
        np.save(partial, light.astype(np.float16))
        partial.rename(path)
        print(f"\r{name}   ", end="", file=sys.stderr, flush=True)
        return light


def frames_of(take_: Take, studio: Studio, number: int) -> list[Light]:
    """All frames of a take, in order; frames at rest are one and the same array."""
    lights: list[Light] = []
    rest = (f"take{number}_rest", take_.at(take_.rest))
    for index in range(round(take_.end * FPS)):
        time = index / FPS
        moment = take_.at(time)
        way = moves(take_, time, SHUTTER_S)
        if way < 1e-6:
            lies = take_.rest <= time < take_.back
            lights.append(studio.at_rest(rest[0] if lies else f"take{number}_{index:03d}", moment))
            continue
        count = next((each for each in MOMENTS if each * STEP >= way), MOMENTS[-1])
        moments = [take_.at(time + SHUTTER_S * (k + 0.5) / count) for k in range(count)]
        beside = take_.rest <= time and time + SHUTTER_S < take_.touch
        lights.append(studio.moving(f"take{number}_{index:03d}", moments, rest if beside else None))
    return lights


def main(arguments: list[str] | None = None) -> int:
    """Render the film; see the top of this file."""
    parser = argparse.ArgumentParser(prog="python -m models.training.render.table", description=main.__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for table.mp4 and table.json")
    parser.add_argument("--work", type=Path, default=Path("out/render"), help="folder for finished frames")
    parser.add_argument("--quick", action="store_true", help="few samples, only to see that all is well")
    options = parser.parse_args(arguments)
    if shutil.which("ffmpeg") is None:
        print("ffmpeg is needed to write the film; install it.", file=sys.stderr)
        return 1
    scene = bar_scene()
    assert scene.tray is not None
    film = takes(scene.tray)
    quality = Quality(16, 8, 8, 6) if options.quick else Quality()
    ends = [each.flight.positions[-1].round(6).tolist() for each in film]
    plan = hashlib.sha256(repr((scene, THROWS, ends, quality, FPS, SHUTTER_S)).encode()).hexdigest()[:12]
    studio = Studio(scene, options.work / plan, quality)
    how = Development(
        exposure=metered(studio.table, bright=0.42, share=0.97),
        balance=balanced(studio.table, 0.35),
        noise=0.011,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    write(film, studio, scene, how, options.out)
    return 0


def write(film: list[Take], studio: Studio, scene: Scene, how: Development, out: Path) -> None:
    """Render, develop and encode the takes one after the other, and write down what is true of them."""
    size = f"{scene.camera.width}x{scene.camera.height}"
    command = [
        "ffmpeg",
        "-y",
        "-loglevel",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "bgr24",
        "-s",
        size,
        "-r",
        str(FPS),
    ]
    command += ["-i", "-", "-c:v", "libx264", "-crf", "26", "-preset", "slow", "-pix_fmt", "yuv420p"]
    encoder = subprocess.Popen(
        [*command, "-movflags", "+faststart", str(out / "table.mp4")], stdin=subprocess.PIPE
    )
    assert encoder.stdin is not None
    random = np.random.default_rng(scene.seed)
    first, throws, shown = 0, [], (None, None)
    for number, each in enumerate(film):
        lights = frames_of(each, studio, number)
        for light in lights:
            if light is not shown[0]:
                shown = (light, tone(light, how))
            flicker = 0.004 * np.sin(first * 1.9) + 0.002 * random.normal()
            encoder.stdin.write(exposed(shown[1], how, random, flicker).tobytes())
            first += 1
        throws.append(truth(each, scene, first - len(lights)))
    encoder.stdin.close()
    if encoder.wait() != 0:
        raise RuntimeError("ffmpeg could not write the film.")
    facts = {"video": "table.mp4", "fps": FPS, "width": scene.camera.width, "height": scene.camera.height}
    facts |= {"frames": first, "throws": throws}
    (out / "table.json").write_text(lines(facts), encoding="utf-8")


def truth(take_: Take, scene: Scene, first: int) -> dict[str, object]:
    """What is true of a take that begins with frame `first`: when the dice lie untouched, and what they show."""
    positions, rotations = take_.flight.positions[-1], take_.flight.rotations[-1]
    dice = [
        truth_of(replace(die, position=tuple(positions[i]), rotation=rotations[i]), scene.camera)
        for i, die in enumerate(scene.dice)
    ]
    return {
        "values": sorted(take_.flight.values, reverse=True),
        "rest_start": first + int(np.ceil((take_.release + take_.flight.settled) * FPS)),
        "rest_end": first + int(np.ceil(take_.touch * FPS)) - 1,
        "hand_back": first + int(np.ceil(take_.back * FPS)),
        "dice": dice,
    }


if __name__ == "__main__":
    cv2.setNumThreads(1)
    sys.exit(main())
