"""Kinds of clips: throws as they should be, fast and slow, with hands about and dice kept."""

from __future__ import annotations

import numpy as np

from benchmarks.clips.die import Pose, upright
from benchmarks.clips.hand import CLOSED, SKINS, SLEEVES, Person
from benchmarks.clips.kinds import Made, all_of, begun, clear, kind


@kind
def plain(rng: np.random.Generator) -> Made:
    """A throw, a rest, the hand takes the dice; once more."""
    script = begun(rng)
    for _ in range(2):
        script.throw(all_of(script), shake=float(rng.choice([0, 0.5])))
        script.wait(float(rng.uniform(1.2, 2.0)))
        clear(script)
    return script, {}


@kind
def fifteen_a_second(rng: np.random.Generator) -> Made:
    """At 15 frames a second."""
    script, _ = plain(rng)
    return script, {"fps": 15.0}


@kind
def sixty_a_second(rng: np.random.Generator) -> Made:
    """At 60 frames a second."""
    script = begun(rng, size=(640, 480))
    script.throw(all_of(script))
    script.wait(1.2)
    clear(script, 0.5)
    return script, {"fps": 60.0}


@kind
def kept(rng: np.random.Generator) -> Made:
    """Three throws of a turn: some dice stay where they are, the hand takes up the rest and throws again."""
    script = begun(rng)
    script.throw(all_of(script))
    script.wait(1.3)
    again = [int(each) for each in rng.permutation(3)]
    script.take(again[:2], leave=bool(rng.random() < 0.5))
    script.throw(again[:2])
    script.wait(1.3)
    script.take(again[:1])
    script.wait(0.6)
    script.throw(again[:1])
    script.wait(1.3)
    clear(script)
    return script, {}


@kind
def laid_aside(rng: np.random.Generator) -> Made:
    """The player lays a die that is kept aside, and throws the others again."""
    script = begun(rng)
    script.throw(all_of(script))
    script.wait(1.3)
    keep, *again = (int(each) for each in rng.permutation(3))
    angle = float(rng.uniform(0, 2 * np.pi))
    script.lay_aside(keep, 0.74 * script.tray.radius * np.array([np.cos(angle), np.sin(angle)]), leave=False)
    script.take(again)
    script.wait(0.8)
    script.throw(again)
    script.wait(1.3)
    clear(script)
    return script, {}


@kind
def in_quick_succession(rng: np.random.Generator) -> Made:
    """Throws as fast as hands allow: half a second of rest each."""
    script = begun(rng)
    for _ in range(3):
        script.throw(all_of(script), rolls=0.7)
        script.wait(0.5)
        script.take(script.lying, leave=False)
    script.throw(all_of(script), rolls=0.8)
    script.wait(1.2)
    clear(script)
    return script, {}


@kind
def hand_comes_back_at_once(rng: np.random.Generator) -> Made:
    """The dice lie for a quarter of a second before the hand is back in the picture."""
    script = begun(rng)
    for _ in range(2):
        script.throw(all_of(script), rolls=0.75, leave_s=0.3)
        script.wait(0.25)
        clear(script)
    return script, {}


@kind
def hand_rests_beside(rng: np.random.Generator) -> Made:
    """The hand that threw stays in the picture, at rest beside the dice."""
    script = begun(rng)
    heading = script.heading()
    back = -np.array([np.cos(heading), np.sin(heading)])
    stay = np.array([*(back * (script.tray.radius + float(rng.uniform(1.8, 3.0)))), 1.0])
    script.throw(all_of(script), heading=heading, stay=stay)
    script.wait(2.5)
    script.leave()
    script.wait(1.2)
    clear(script)
    return script, {}


@kind
def hand_holds_dice(rng: np.random.Generator) -> Made:
    """A fist with the dice in it, one of them to be seen, rests over the tray for two seconds before it throws."""
    script = begun(rng)
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
    script.throw(all_of(script))
    script.wait(1.3)
    clear(script)
    return script, {}


@kind
def second_hand(rng: np.random.Generator) -> Made:
    """Another person's hand waves and points while the dice roll and lie."""
    script = begun(rng)
    heading = script.heading()
    other = Person(SKINS[int(rng.integers(5))], SLEEVES[int(rng.integers(5))], 0.95)
    # The other hand's track runs beside: it points at the dice from beyond the tray.
    away = np.array([-np.cos(heading + 2.2), -np.sin(heading + 2.2)])
    near, far = (np.array([*(away * (script.tray.radius + gap)), 1.5]) for gap in (1.2, 3.0))
    script.reach(
        [(0.5, far), (1.2, near), (1.8, far), (2.4, near), (3.0, far)], heading=heading + 2.2, person=other
    )
    script.throw(all_of(script), heading=heading)
    script.wait(max(1.6, 3.1 - script.now))
    script.leave(other)
    script.wait(1.2)
    clear(script)
    return script, {}


@kind
def long_empty(rng: np.random.Generator) -> Made:
    """Nothing for a long while: noise, flicker, a passing change of light; then a throw."""
    script = begun(rng)
    script.with_camera(flicker=0.02)
    script.gain = lambda t: 1.0 + 0.12 * np.sin(t / 2.1)
    script.wait(15.0)
    script.throw(all_of(script))
    script.wait(1.3)
    clear(script)
    return script, {}


@kind
def five_dice(rng: np.random.Generator) -> Made:
    """Five dice on a bare table, without a tray."""
    script = begun(rng, dice=5, shape="none", size=(800, 600))
    script.throw(all_of(script))
    script.wait(1.5)
    clear(script)
    return script, {}
