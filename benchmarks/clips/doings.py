"""Kinds of clips: what people do to dice that is no throw, and things that they move or put down."""

from __future__ import annotations

import numpy as np

from benchmarks.clips import props
from benchmarks.clips.acts import Alarm
from benchmarks.clips.kinds import SIZES, Made, all_of, begun, clear, kind
from benchmarks.clips.props import Place
from benchmarks.clips.script import Script

# What is no throw.


@kind
def nudged(rng: np.random.Generator) -> Made:
    """A finger pushes a die a little; its value stays."""
    script = begun(rng)
    script.throw(all_of(script))
    script.wait(1.3)
    which = int(rng.integers(3))
    angle = float(rng.uniform(0, 2 * np.pi))
    script.push(which, float(rng.uniform(0.25, 0.6)) * np.array([np.cos(angle), np.sin(angle)]))
    script.wait(1.2)
    clear(script)
    return script, {}


@kind
def picked_up(rng: np.random.Generator) -> Made:
    """The dice are taken up one at a time, with pauses."""
    script = begun(rng)
    script.throw(all_of(script))
    script.wait(1.3)
    for index in script.lying:
        script.take([index])
        script.wait(0.7)
    return script, {}


@kind
def turned_by_hand(rng: np.random.Generator) -> Made:
    """Someone turns a die after it was told."""
    script = begun(rng)
    throw = script.throw(all_of(script))
    script.wait(1.3)
    which = int(rng.integers(3))
    old = throw.dice[which][1]
    script.turn(which, int(rng.choice([value for value in range(1, 7) if value != old])))
    alarm = Alarm("changed", script.now)
    script.alarms.append(alarm)
    script.wait(1.5)
    clear(script)
    alarm.until = script.now
    return script, {}


@kind
def lies_from_the_beginning(rng: np.random.Generator) -> Made:
    """Three dice lie there when the camera starts: they may be told, once; then they are thrown."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    script = Script(rng, size=size)
    for index in all_of(script):
        script.put(index)
    first = script._rolled(0.0, all_of(script), {})
    first.optional = True
    script.wait(1.5)
    clear(script, 0.6)
    script.throw(all_of(script))
    script.wait(1.2)
    clear(script)
    return script, {}


# Things.


@kind
def chips_moved(rng: np.random.Generator) -> Made:
    """A hand pushes chips about beside the tray while the dice lie."""
    script = begun(rng)
    heap = [script.beside(1.5) for _ in range(2)]
    tracks = [
        script.add(
            props.chip(rng, int(rng.integers(1, 4))), Place(np.array([*spot, 0.0]), float(rng.uniform(0, 6)))
        )
        for spot in heap
    ]
    script.throw(all_of(script))
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
    clear(script)
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
    script = begun(rng, size=(800, 500))
    _put_down(script, props.phone(rng), 0.8)
    script.wait(0.8)
    script.throw(all_of(script))
    script.wait(1.2)
    _put_down(script, props.phone(rng), 0.8)
    script.wait(1.2)
    clear(script)
    return script, {}


@kind
def glass_put_down(rng: np.random.Generator) -> Made:
    """A glass is put down while the dice lie."""
    script = begun(rng, size=(800, 500))
    script.throw(all_of(script))
    script.wait(1.2)
    _put_down(script, props.glass(rng), 2.5)
    script.wait(1.4)
    clear(script)
    return script, {}
