"""Kinds of clips: what light does, and what a bad line does to the frames."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.clips.clip import Plan, frozen, lossy, repeating, stuttering, uneven
from benchmarks.clips.kinds import Made, all_of, begun, clear, kind
from benchmarks.clips.script import Script
from benchmarks.clips.stage import shade
from benchmarks.clips.view import Floats, Light

# Light.


@kind
def shadow_passes(rng: np.random.Generator) -> Made:
    """Somebody's shadow passes over the dice at rest, as soon as they lie."""
    script = begun(rng)
    script.throw(all_of(script))
    width, height = script.view.width, script.view.height
    begin, seconds = script.now + float(rng.uniform(-0.2, 0.3)), float(rng.uniform(0.8, 2.0))
    depth, wide = float(rng.uniform(0.3, 0.6)), float(rng.uniform(0.25, 0.5)) * width
    slope, blur = float(rng.uniform(-0.4, 0.4)), float(rng.uniform(4, 30))

    def passing(time: float) -> Floats | None:
        part = (time - begin) / seconds
        if not 0 < part < 1:
            return None
        x = -wide - 0.4 * width + part * (width * 1.8 + 2 * wide)
        lean = slope * height
        return shade(
            script.view,
            np.array(
                [
                    (x - wide / 2 - lean, 0),
                    (x + wide / 2 - lean, 0),
                    (x + wide / 2 + lean, height),
                    (x - wide / 2 + lean, height),
                ]
            ),
            depth,
            blur,
        )

    script.actors.shade = passing
    script.wait(2.4)
    clear(script)
    return script, {}


@kind
def exposure_pulse(rng: np.random.Generator) -> Made:
    """The camera's exposure jumps and comes back while the dice lie."""
    script = begun(rng)
    script.throw(all_of(script))
    begin, seconds = script.now + float(rng.uniform(0.05, 0.25)), float(rng.uniform(0.1, 0.5))
    factor = float(rng.choice([0.55, 0.7, 1.35, 1.7]))
    script.gain = lambda t: factor if begin <= t < begin + seconds else 1.0
    script.wait(1.8)
    clear(script)
    return script, {}


@kind
def flickering_lamp(rng: np.random.Generator) -> Made:
    """Lamps that flicker with the mains, seen as bands that wander."""
    script = begun(rng)
    script.with_camera(flicker=float(rng.uniform(0.05, 0.12)))
    for _ in range(2):
        script.throw(all_of(script))
        script.wait(1.4)
        clear(script)
    return script, {}


@kind
def dim(rng: np.random.Generator) -> Made:
    """Little light: noise, a slow shutter."""
    script = begun(rng)
    script.with_camera(noise=0.035, shutter=0.03, target=0.3, quality=70, sharpness=-0.5)
    for _ in range(2):
        script.throw(all_of(script))
        script.wait(1.5)
        clear(script)
    return script, {}


@kind
def lamp_switched(rng: np.random.Generator) -> Made:
    """A lamp from one side is switched on or off while the dice lie, and again while they do not."""
    script = begun(rng)
    side = float(rng.uniform(0, 2 * np.pi))
    at = np.array([40 * np.cos(side), 40 * np.sin(side), 22.0])
    script.lights.append(Light(at, 3.0, np.array([0.55, 0.75, 0.95]), np.array([0.05, 0.06, 0.08])))
    script.throw(all_of(script))
    script.wait(1.2)
    first = script.now
    script.wait(1.6)
    clear(script, 0.8)
    second = script.now
    script.wait(1.2)
    begins_on = bool(rng.random() < 0.5)

    def weights(time: float) -> list[float]:
        glow = min(1.0, max(0.0, (time - first) / 0.06)) - min(1.0, max(0.0, (time - second) / 0.06))
        return [1.0, 1.0 - glow if begins_on else glow]

    script.weights = weights
    script.throw(all_of(script))
    script.wait(1.3)
    clear(script)
    return script, {}


# Lines.


def _with_line(rng: np.random.Generator, line: Callable[[Script], Plan], **more: object) -> Made:
    script = begun(rng)
    for _ in range(2):
        script.throw(all_of(script))
        script.wait(1.5)
        clear(script)
    return script, {"line": line(script), **more}


@kind
def frames_dropped(rng: np.random.Generator) -> Made:
    """Frames are lost, one or several in a row."""
    share, burst = float(rng.uniform(0.1, 0.35)), int(rng.choice([1, 3, 6]))
    return _with_line(rng, lambda _: lossy(share, burst))


@kind
def frames_repeated(rng: np.random.Generator) -> Made:
    """Each frame stands for three or four, also while dice roll: the difference is 0 most of the time."""
    times = int(rng.choice([2, 3, 4]))
    return _with_line(rng, lambda _: repeating(0.0, 1e9, times))


@kind
def stutter(rng: np.random.Generator) -> Made:
    """Now and then a frame stands for up to a quarter of a second, then the picture jumps on."""
    return _with_line(rng, lambda _: stuttering(0.06, 8))


@kind
def uneven_times(rng: np.random.Generator) -> Made:
    """Frames come early and late."""
    return _with_line(rng, lambda _: uneven(0.05))


@kind
def frozen_at_rest(rng: np.random.Generator) -> Made:
    """The stream freezes for five seconds while the dice lie, and goes on with other dice there."""
    script = begun(rng)
    script.throw(all_of(script))
    script.wait(1.0)
    begin = script.now
    script.wait(0.5)
    clear(script, 0.5)
    script.throw(all_of(script))
    script.wait(max(0.3, begin + 5.0 - script.now))
    script.wait(1.5)
    clear(script)
    return script, {"line": frozen(begin, 5.0)}


@kind
def frozen_while_rolling(rng: np.random.Generator) -> Made:
    """The stream freezes for five seconds while the dice still roll; when it goes on they lie."""
    script = begun(rng)
    throw = script.throw(all_of(script))
    begin = throw.rest - float(rng.uniform(0.15, 0.45))
    script.wait(6.5)
    clear(script)
    return script, {"line": frozen(begin, 5.0), "clean": False}
