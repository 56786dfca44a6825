"""What can happen at a table: a function for each kind of clip."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.clips import props
from benchmarks.clips.clip import Clip, Plan, frozen, lossy, random_of, repeating, stuttering, uneven
from benchmarks.clips.die import Pose, lowest, turned, upright
from benchmarks.clips.hand import CLOSED, SKINS, SLEEVES, Person
from benchmarks.clips.props import Place
from benchmarks.clips.script import Alarm, Script
from benchmarks.clips.stage import shade
from benchmarks.clips.view import Floats, Light, Points

Kind = Callable[[np.random.Generator], "Made"]
Made = tuple[Script, dict[str, object]]
"""A script, and what else is said of the clip: `fps`, `clean`, `line`."""

KINDS: dict[str, Kind] = {}
SIZES = ((640, 480), (640, 480), (720, 480), (800, 600))


def kind(function: Kind) -> Kind:
    """Register a kind under its function's name."""
    KINDS[function.__name__.replace("_", "-")] = function
    return function


def make(name: str, seed: int) -> Clip:
    """The clip of a kind and seed. Raises KeyError for an unknown kind."""
    script, more = KINDS[name](random_of(name, seed))
    return Clip(name, seed, script, **more)  # type: ignore[arg-type]


def _script(rng: np.random.Generator, **more: object) -> Script:
    size = SIZES[int(rng.integers(len(SIZES)))]
    script = Script(rng, **{"size": size, **more})  # type: ignore[arg-type]
    script.wait(float(rng.uniform(0.6, 1.0)))
    return script


def _all(script: Script) -> list[int]:
    return list(range(len(script.actors.dice)))


def _clear(script: Script, seconds: float = 0.8) -> None:
    script.take(script.lying)
    script.wait(seconds)


# Throws as they should be.


@kind
def plain(rng: np.random.Generator) -> Made:
    """A throw, a rest, the hand takes the dice; once more."""
    script = _script(rng)
    for _ in range(2):
        script.throw(_all(script), shake=float(rng.choice([0, 0.5])))
        script.wait(float(rng.uniform(1.2, 2.0)))
        _clear(script)
    return script, {}


@kind
def fifteen_a_second(rng: np.random.Generator) -> Made:
    """At 15 frames a second."""
    script, _ = plain(rng)
    return script, {"fps": 15.0}


@kind
def sixty_a_second(rng: np.random.Generator) -> Made:
    """At 60 frames a second."""
    script = _script(rng, size=(640, 480))
    script.throw(_all(script))
    script.wait(1.2)
    _clear(script, 0.5)
    return script, {"fps": 60.0}


@kind
def kept(rng: np.random.Generator) -> Made:
    """Three throws of a turn: some dice stay where they are, the hand takes up the rest and throws again."""
    script = _script(rng)
    script.throw(_all(script))
    script.wait(1.3)
    again = [int(each) for each in rng.permutation(3)]
    script.take(again[:2], leave=bool(rng.random() < 0.5))
    script.throw(again[:2])
    script.wait(1.3)
    script.take(again[:1])
    script.wait(0.6)
    script.throw(again[:1])
    script.wait(1.3)
    _clear(script)
    return script, {}


@kind
def laid_aside(rng: np.random.Generator) -> Made:
    """The player lays a die that is kept aside, and throws the others again."""
    script = _script(rng)
    script.throw(_all(script))
    script.wait(1.3)
    keep, *again = (int(each) for each in rng.permutation(3))
    angle = float(rng.uniform(0, 2 * np.pi))
    script.lay_aside(keep, 0.74 * script.tray.radius * np.array([np.cos(angle), np.sin(angle)]), leave=False)
    script.take(again)
    script.wait(0.8)
    script.throw(again)
    script.wait(1.3)
    _clear(script)
    return script, {}


@kind
def in_quick_succession(rng: np.random.Generator) -> Made:
    """Throws as fast as hands allow: half a second of rest each."""
    script = _script(rng)
    for _ in range(3):
        script.throw(_all(script), rolls=0.7)
        script.wait(0.5)
        script.take(script.lying, leave=False)
    script.throw(_all(script), rolls=0.8)
    script.wait(1.2)
    _clear(script)
    return script, {}


@kind
def hand_comes_back_at_once(rng: np.random.Generator) -> Made:
    """The dice lie for a quarter of a second before the hand is back in the picture."""
    script = _script(rng)
    for _ in range(2):
        script.throw(_all(script), rolls=0.75, leave_s=0.3)
        script.wait(0.25)
        _clear(script)
    return script, {}


@kind
def hand_rests_beside(rng: np.random.Generator) -> Made:
    """The hand that threw stays in the picture, at rest beside the dice."""
    script = _script(rng)
    heading = script.heading()
    back = -np.array([np.cos(heading), np.sin(heading)])
    stay = np.array([*(back * (script.tray.radius + float(rng.uniform(1.8, 3.0)))), 1.0])
    script.throw(_all(script), heading=heading, stay=stay)
    script.wait(2.5)
    script.leave()
    script.wait(1.2)
    _clear(script)
    return script, {}


@kind
def hand_holds_dice(rng: np.random.Generator) -> Made:
    """A fist with the dice in it, one of them to be seen, rests over the tray for two seconds before it throws."""
    script = _script(rng)
    heading = script.heading()
    back = -np.array([np.cos(heading), np.sin(heading)])
    spot = np.array([*(back * script.tray.radius * 0.5), 1.8])
    script.reach([(0.45, spot)], heading=heading, curl=CLOSED)
    held = upright(script.look, int(rng.integers(1, 7)), float(rng.uniform(0, 6)))
    between = spot + np.array([*(-back * 0.9), 0.3])  # in front of the fingers
    start = script.now
    away = script._outside(heading) - spot

    def with_it(time: float) -> Pose:
        part = min(1.0, (time - start) / 0.45)
        return Pose(held, between + (1 - part * part * (3 - 2 * part)) * away)

    script.actors.dice[0].then(start, with_it)
    script.now += 0.45
    script.actors.dice[0].stay(script.now, Pose(held, between))
    script.reach([(0.01, spot)], curl=CLOSED, tremor=0.012)
    script.wait(2.0)
    script.throw(_all(script))
    script.wait(1.3)
    _clear(script)
    return script, {}


@kind
def second_hand(rng: np.random.Generator) -> Made:
    """Another person's hand waves and points while the dice roll and lie."""
    script = _script(rng)
    heading = script.heading()
    other = Person(SKINS[int(rng.integers(5))], SLEEVES[int(rng.integers(5))], 0.95)
    # The other hand's track runs beside: it points at the dice from beyond the tray.
    away = np.array([-np.cos(heading + 2.2), -np.sin(heading + 2.2)])
    near, far = (np.array([*(away * (script.tray.radius + gap)), 1.5]) for gap in (1.2, 3.0))
    script.reach(
        [(0.5, far), (1.2, near), (1.8, far), (2.4, near), (3.0, far)], heading=heading + 2.2, person=other
    )
    script.throw(_all(script), heading=heading)
    script.wait(max(1.6, 3.1 - script.now))
    script.leave(other)
    script.wait(1.2)
    _clear(script)
    return script, {}


@kind
def long_empty(rng: np.random.Generator) -> Made:
    """Nothing for a long while: noise, flicker, a passing change of light; then a throw."""
    script = _script(rng)
    script.with_camera(flicker=0.02)
    script.gain = lambda t: 1.0 + 0.12 * np.sin(t / 2.1)
    script.wait(15.0)
    script.throw(_all(script))
    script.wait(1.3)
    _clear(script)
    return script, {}


@kind
def five_dice(rng: np.random.Generator) -> Made:
    """Five dice on a bare table, without a tray."""
    script = _script(rng, dice=5, shape="none", size=(800, 600))
    script.throw(_all(script))
    script.wait(1.5)
    _clear(script)
    return script, {}


# What is no throw.


@kind
def nudged(rng: np.random.Generator) -> Made:
    """A finger pushes a die a little; its value stays."""
    script = _script(rng)
    script.throw(_all(script))
    script.wait(1.3)
    which = int(rng.integers(3))
    angle = float(rng.uniform(0, 2 * np.pi))
    script.push(which, float(rng.uniform(0.25, 0.6)) * np.array([np.cos(angle), np.sin(angle)]))
    script.wait(1.2)
    _clear(script)
    return script, {}


@kind
def picked_up(rng: np.random.Generator) -> Made:
    """The dice are taken up one at a time, with pauses."""
    script = _script(rng)
    script.throw(_all(script))
    script.wait(1.3)
    for index in script.lying:
        script.take([index])
        script.wait(0.7)
    return script, {}


@kind
def turned_by_hand(rng: np.random.Generator) -> Made:
    """Someone turns a die after it was told."""
    script = _script(rng)
    throw = script.throw(_all(script))
    script.wait(1.3)
    which = int(rng.integers(3))
    old = throw.dice[which][1]
    script.turn(which, int(rng.choice([value for value in range(1, 7) if value != old])))
    alarm = Alarm("changed", script.now)
    script.alarms.append(alarm)
    script.wait(1.5)
    _clear(script)
    alarm.until = script.now
    return script, {}


@kind
def lies_from_the_beginning(rng: np.random.Generator) -> Made:
    """Three dice lie there when the camera starts: they may be told, once; then they are thrown."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    script = Script(rng, size=size)
    for index in _all(script):
        script.put(index)
    first = script._rolled(0.0, _all(script), {})
    first.optional = True
    script.wait(1.5)
    _clear(script, 0.6)
    script.throw(_all(script))
    script.wait(1.2)
    _clear(script)
    return script, {}


# Things.


@kind
def chips_moved(rng: np.random.Generator) -> Made:
    """A hand pushes chips about beside the tray while the dice lie."""
    script = _script(rng)
    heap = [script.beside(1.5) for _ in range(2)]
    tracks = [
        script.add(
            props.chip(rng, int(rng.integers(1, 4))), Place(np.array([*spot, 0.0]), float(rng.uniform(0, 6)))
        )
        for spot in heap
    ]
    script.throw(_all(script))
    script.wait(1.0)
    goal = script.beside(1.5)
    heading = float(np.arctan2(heap[0][1], heap[0][0])) + np.pi
    script.reach([(0.4, np.array([*heap[0], 0.9])), (0.9, np.array([*goal, 0.9]))], heading=heading)
    start, first = script.now + 0.4, np.array([*heap[0], 0.0])

    def slide(time: float) -> Place:
        part = min(1.0, (time - start) / 0.5)
        part = part * part * (3 - 2 * part)
        return Place(first + part * (np.array([*goal, 0.0]) - first))

    tracks[0].then(start, slide)
    tracks[0].stay(start + 0.5, Place(np.array([*goal, 0.0])))
    script.wait(0.9)
    script.leave()
    script.wait(1.3)
    _clear(script)
    return script, {}


def _put_down(script: Script, prop: props.Prop, grip: float) -> None:
    """A hand puts a thing on the table beside the tray, its shorter side towards it."""
    spot = script.beside(prop.size[0] / 2 + 0.2)
    outwards = float(np.arctan2(spot[1], spot[0]))
    heading = outwards + np.pi
    goal = np.array([*spot, 0.0])
    tip = goal + np.array([0, 0, grip])
    track = script.add(prop, None)
    start, turn = script.now, outwards + float(script.rng.normal(0, 0.1))
    away = script._outside(heading) - tip
    script.reach([(0.6, tip)], heading=heading)

    def carried(time: float) -> Place:
        part = min(1.0, (time - start) / 0.6)
        return Place(goal + (1 - part * part * (3 - 2 * part)) * away, turn)

    track.then(start, carried)
    track.stay(start + 0.6, Place(goal, turn))
    script.wait(0.7)
    script.leave()
    script.wait(0.4)


@kind
def phone_laid_down(rng: np.random.Generator) -> Made:
    """A telephone is laid beside the tray before a throw, and another while dice lie."""
    script = _script(rng, size=(800, 500))
    _put_down(script, props.phone(rng), 0.8)
    script.wait(0.8)
    script.throw(_all(script))
    script.wait(1.2)
    _put_down(script, props.phone(rng), 0.8)
    script.wait(1.2)
    _clear(script)
    return script, {}


@kind
def glass_put_down(rng: np.random.Generator) -> Made:
    """A glass is put down while the dice lie."""
    script = _script(rng, size=(800, 500))
    script.throw(_all(script))
    script.wait(1.2)
    _put_down(script, props.glass(rng), 2.5)
    script.wait(1.4)
    _clear(script)
    return script, {}


# Light.


@kind
def shadow_passes(rng: np.random.Generator) -> Made:
    """Somebody's shadow passes over the dice at rest, as soon as they lie."""
    script = _script(rng)
    script.throw(_all(script))
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
    _clear(script)
    return script, {}


@kind
def exposure_pulse(rng: np.random.Generator) -> Made:
    """The camera's exposure jumps and comes back while the dice lie."""
    script = _script(rng)
    script.throw(_all(script))
    begin, seconds = script.now + float(rng.uniform(0.05, 0.25)), float(rng.uniform(0.1, 0.5))
    factor = float(rng.choice([0.55, 0.7, 1.35, 1.7]))
    script.gain = lambda t: factor if begin <= t < begin + seconds else 1.0
    script.wait(1.8)
    _clear(script)
    return script, {}


@kind
def flickering_lamp(rng: np.random.Generator) -> Made:
    """Lamps that flicker with the mains, seen as bands that wander."""
    script = _script(rng)
    script.with_camera(flicker=float(rng.uniform(0.05, 0.12)))
    for _ in range(2):
        script.throw(_all(script))
        script.wait(1.4)
        _clear(script)
    return script, {}


@kind
def dim(rng: np.random.Generator) -> Made:
    """Little light: noise, a slow shutter."""
    script = _script(rng)
    script.with_camera(noise=0.035, shutter=0.03, target=0.3, quality=70, sharpness=-0.5)
    for _ in range(2):
        script.throw(_all(script))
        script.wait(1.5)
        _clear(script)
    return script, {}


@kind
def lamp_switched(rng: np.random.Generator) -> Made:
    """A lamp from one side is switched on or off while the dice lie, and again while they do not."""
    script = _script(rng)
    side = float(rng.uniform(0, 2 * np.pi))
    at = np.array([40 * np.cos(side), 40 * np.sin(side), 22.0])
    script.lights.append(Light(at, 3.0, np.array([0.55, 0.75, 0.95]), np.array([0.05, 0.06, 0.08])))
    script.throw(_all(script))
    script.wait(1.2)
    first = script.now
    script.wait(1.6)
    _clear(script, 0.8)
    second = script.now
    script.wait(1.2)
    begins_on = bool(rng.random() < 0.5)

    def weights(time: float) -> list[float]:
        glow = min(1.0, max(0.0, (time - first) / 0.06)) - min(1.0, max(0.0, (time - second) / 0.06))
        return [1.0, 1.0 - glow if begins_on else glow]

    script.weights = weights
    script.throw(_all(script))
    script.wait(1.3)
    _clear(script)
    return script, {}


# Lines.


def _with_line(rng: np.random.Generator, line: Callable[[Script], Plan], **more: object) -> Made:
    script = _script(rng)
    for _ in range(2):
        script.throw(_all(script))
        script.wait(1.5)
        _clear(script)
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
    script = _script(rng)
    script.throw(_all(script))
    script.wait(1.0)
    begin = script.now
    script.wait(0.5)
    _clear(script, 0.5)
    script.throw(_all(script))
    script.wait(max(0.3, begin + 5.0 - script.now))
    script.wait(1.5)
    _clear(script)
    return script, {"line": frozen(begin, 5.0)}


@kind
def frozen_while_rolling(rng: np.random.Generator) -> Made:
    """The stream freezes for five seconds while the dice still roll; when it goes on they lie."""
    script = _script(rng)
    throw = script.throw(_all(script))
    begin = throw.rest - float(rng.uniform(0.15, 0.45))
    script.wait(6.5)
    _clear(script)
    return script, {"line": frozen(begin, 5.0), "clean": False}


# What goes wrong at a table.


@kind
def die_leaves(rng: np.random.Generator) -> Made:
    """One of the three dice rolls over the rim and out of the picture."""
    script = _script(rng)
    throw = script.throw(_all(script), rests={int(rng.integers(3)): None})
    throw.sure = False
    script.alarms.append(Alarm("missing", throw.rest))
    script.wait(2.0)
    _clear(script)
    script.alarms[0].until = script.now
    return script, {"clean": False}


@kind
def die_lands_beside(rng: np.random.Generator) -> Made:
    """One of the dice comes to lie on the table beside the tray."""
    script = _script(rng, size=(800, 500))
    spot = script.beside()
    which = int(rng.integers(3))
    rotation = upright(script.look, int(rng.integers(1, 7)), float(rng.uniform(0, 6)))
    pose = Pose(rotation, np.array([*spot, lowest(rotation, script.look)]))
    throw = script.throw(_all(script), rests={which: pose}, lies={which: "beside"})
    throw.sure = False
    script.alarms.append(Alarm("beside", throw.rest))
    script.wait(2.0)
    _clear(script)
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
    script = _script(rng)
    which = int(rng.integers(3))
    pose = _leaning(script, float(rng.uniform(0.1, np.pi - 0.1)), float(rng.uniform(0.5, 0.72)))
    throw = script.throw(_all(script), rests={which: pose}, lies={which: "cocked"})
    throw.sure = False
    script.wait(1.8)
    _clear(script)
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
    script = _script(rng, margin=0.08)
    script.throw(_all(script))
    script.wait(1.2)
    script.bump = _bumped(script, script.now, float(rng.uniform(0.01, 0.05)))
    script.wait(1.6)
    _clear(script)
    script.throw(_all(script)).optional = True
    script.wait(1.3)
    _clear(script)
    return script, {"clean": False}


@kind
def calibrated_camera_bumped(rng: np.random.Generator) -> Made:
    """The same over an empty table, twice, for a watcher that knows how the table looked."""
    script = _script(rng, margin=0.12)
    script.throw(_all(script))
    script.wait(1.2)
    _clear(script, 1.0)
    first = _bumped(script, script.now, float(rng.uniform(0.01, 0.05)))
    script.wait(1.6)
    script.throw(_all(script)).optional = True
    script.wait(1.3)
    second = _bumped(script, script.now, float(rng.uniform(0.01, 0.05)))
    script.bump = lambda time: np.asarray(second(time) @ first(time))
    script.wait(1.6)
    _clear(script)
    script.throw(_all(script)).optional = True
    script.wait(1.3)
    _clear(script)
    return script, {"clean": False}
