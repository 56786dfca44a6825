"""Kinds of clips: what goes wrong at a table: dice that leave it, lean or land beside it, a camera that is bumped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.clips.acts import Alarm
from benchmarks.clips.die import Pose, lowest, turned, upright
from benchmarks.clips.kinds import Made, all_of, begun, clear, kind
from benchmarks.clips.script import Script
from benchmarks.clips.view import Points


@kind
def die_leaves(rng: np.random.Generator) -> Made:
    """One of the three dice rolls over the rim and out of the picture."""
    script = begun(rng)
    throw = script.throw(all_of(script), rests={int(rng.integers(3)): None})
    throw.sure = False
    script.alarms.append(Alarm("missing", throw.rest))
    script.wait(2.0)
    clear(script)
    script.alarms[0].until = script.now
    return script, {"clean": False}


@kind
def die_lands_beside(rng: np.random.Generator) -> Made:
    """One of the dice comes to lie on the table beside the tray."""
    script = begun(rng, size=(800, 500))
    spot = script.beside()
    which = int(rng.integers(3))
    rotation = upright(script.look, int(rng.integers(1, 7)), float(rng.uniform(0, 6)))
    pose = Pose(rotation, np.array([*spot, lowest(rotation, script.look)]))
    throw = script.throw(all_of(script), rests={which: pose}, lies={which: "beside"})
    throw.sure = False
    script.alarms.append(Alarm("beside", throw.rest))
    script.wait(2.0)
    clear(script)
    script.alarms[0].until = script.now
    return script, {"clean": False}


def _leaning(script: Script, angle: float, lean: float) -> Pose:
    """A die that leans on the rim in the direction `angle`, turned out of the flat by `lean`."""
    rng = script.rng
    out = np.array([np.cos(angle), np.sin(angle)])
    rotation = turned((-out[1], out[0], 0.0), lean) @ upright(script.look, int(rng.integers(1, 7)), angle)
    reach = script.tray.radius / float(script.tray.reach(*(np.asarray(np.float32(each)) for each in out)))
    corners = (0.5 - script.look.round) * np.array(
        [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    )
    far = float((corners @ rotation.T)[:, :2].dot(out).max()) + script.look.round
    return Pose(rotation, np.array([*(out * (reach - far)), lowest(rotation, script.look)]))


@kind
def cocked(rng: np.random.Generator) -> Made:
    """One die leans on the rim: nobody can say what it shows."""
    script = begun(rng)
    which = int(rng.integers(3))
    pose = _leaning(script, float(rng.uniform(0.1, np.pi - 0.1)), float(rng.uniform(0.5, 0.72)))
    throw = script.throw(all_of(script), rests={which: pose}, lies={which: "cocked"})
    throw.sure = False
    script.wait(1.8)
    clear(script)
    return script, {"clean": False}


def _bumped(script: Script, when: float, share: float) -> Callable[[float], Points]:
    """The camera is knocked at `when`: the picture shifts by `share` of its width and turns a little, shaking."""
    rng = script.rng
    angle, turn = float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.5)) * share
    shift = share * script.size[0] * np.array([np.cos(angle), np.sin(angle)])
    middle = np.array([script.view.width / 2, script.view.height / 2])

    def matrix(time: float) -> Points:
        if time < when:
            return np.eye(3)
        after = time - when
        part = 1 - np.exp(-after / 0.05) * np.cos(after * 45) if after < 0.6 else 1.0
        c, s = np.cos(turn * part), np.sin(turn * part)
        rotation = np.array([[c, -s], [s, c]])
        out = np.eye(3)
        out[:2, :2] = rotation
        out[:2, 2] = middle - rotation @ middle + shift * part
        return out

    return matrix


@kind
def camera_bumped(rng: np.random.Generator) -> Made:
    """Somebody knocks against the camera while the dice lie; later there is another throw."""
    script = begun(rng, margin=0.08)
    script.throw(all_of(script))
    script.wait(1.2)
    script.bump = _bumped(script, script.now, float(rng.uniform(0.01, 0.05)))
    script.wait(1.6)
    clear(script)
    script.throw(all_of(script)).optional = True
    script.wait(1.3)
    clear(script)
    return script, {"clean": False}


@kind
def calibrated_camera_bumped(rng: np.random.Generator) -> Made:
    """The same over an empty table, twice, for a watcher that knows how the table looked."""
    script = begun(rng, margin=0.12)
    script.throw(all_of(script))
    script.wait(1.2)
    clear(script, 1.0)
    first = _bumped(script, script.now, float(rng.uniform(0.01, 0.05)))
    script.wait(1.6)
    script.throw(all_of(script)).optional = True
    script.wait(1.3)
    second = _bumped(script, script.now, float(rng.uniform(0.01, 0.05)))
    script.bump = lambda time: np.asarray(second(time) @ first(time))
    script.wait(1.6)
    clear(script)
    script.throw(all_of(script)).optional = True
    script.wait(1.3)
    clear(script)
    return script, {"clean": False}
