"""Generated clips: their truth is what they show, and the watcher with the real reader tells it.

The whole lot is run by `python -m benchmarks.watching`.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.clips import KINDS, Clip, TrueFlag, TrueRoll, make
from benchmarks.clips.clip import Plan, Shot, frozen, lossy, repeating, stuttering, uneven
from benchmarks.clips.die import LOOKS, Look, upper_value, upright
from benchmarks.clips.script import Script
from benchmarks.clips.stage import shade
from benchmarks.judging import judge
from benchmarks.watching import watch
from calibration.profile import WHOLE_PICTURE
from vision.events import Flagged, RollSeen
from vision.pipeline import DiceReader
from vision.roll import DieReading, Reading, Roll


def small(seed: int, dice: int = 2) -> Script:
    """A small table with large dice: quick to draw."""
    script = Script(np.random.default_rng(seed), size=(400, 300), dice=dice, shape="round", radius=4.2)
    script.wait(0.4)
    return script


def thrown_twice() -> Clip:
    script = small(1)
    script.throw([0, 1], rolls=0.6)
    script.wait(0.8)
    script.take([0])
    script.wait(0.3)
    script.throw([0], rolls=0.6)
    script.wait(0.6)
    return Clip("kept", 1, script)


def nudged() -> Clip:
    script = small(2)
    script.throw([0, 1], rolls=0.6)
    script.wait(0.8)
    script.push(0, np.array([0.3, 0.2]))
    script.wait(0.8)
    return Clip("nudged", 2, script)


def repeated() -> Clip:
    script = small(3)
    script.throw([0, 1], rolls=0.8)
    script.wait(0.9)
    return Clip("repeated", 3, script, line=repeating(0.0, 9.0, 4))


def shaded() -> Clip:
    script = small(4)
    rest = script.throw([0, 1], rolls=0.6).rest
    view = script.view

    def passing(time: float) -> np.ndarray:
        x = (time - rest) / 0.8 * view.width
        corners = [(x - 60, 0), (x + 60, 0), (x + 60, view.height), (x - 60, view.height)]
        return shade(view, np.array(corners), 0.4, 12)

    script.actors.shade = passing
    script.wait(1.2)
    return Clip("shaded", 4, script)


def pulsed() -> Clip:
    script = small(5)
    rest = script.throw([0, 1], rolls=0.6).rest
    script.gain = lambda time: 1.5 if rest + 0.1 <= time < rest + 0.3 else 1.0
    script.wait(0.9)
    return Clip("pulsed", 5, script)


@pytest.mark.parametrize("made", [thrown_twice, nudged, repeated, shaded, pulsed])
def test_the_watcher_tells_every_throw_of_a_clip_once_and_right(made: object) -> None:
    clip = made()  # type: ignore[operator]
    verdict = watch(clip, WHOLE_PICTURE)
    assert verdict.expected == len(clip.script.throws) and verdict.hard == []
    assert verdict.missed == verdict.double == verdict.wrong == verdict.silent == []
    assert len(verdict.delays) == verdict.expected and max(verdict.delays) < 0.5


@pytest.mark.parametrize("seed", [0, 2])  # the shadow of the hand that goes comes off it there
def test_a_die_that_a_hand_lays_aside_is_no_throw(seed: int) -> None:
    verdict = watch(make("laid-aside", seed), WHOLE_PICTURE)
    assert verdict.expected == 2
    assert verdict.missed == verdict.double == verdict.wrong == verdict.silent == []


@pytest.mark.parametrize("look", [look for look in LOOKS if look.name in ("ivory", "green")])
def test_a_clip_shows_what_its_truth_says_and_the_same_each_time(look: Look) -> None:
    script = small(6, dice=3)
    script.look = look
    script.actors.looks = [look] * 3
    script.throw([0, 1, 2], values=[3, 4, 6], rolls=0.5)
    script.wait(0.2)
    clip = Clip("truth", 6, script)
    first, again = list(clip.frames()), list(clip.frames())
    assert all(
        np.array_equal(a.image, b.image) and a.time == b.time for a, b in zip(first, again, strict=True)
    )
    (roll,) = clip.truth.rolls
    shown = next(frame for frame in first if frame.time >= roll.rest)
    reading = DiceReader().read(shown.image)
    assert reading.roll == roll.values
    for die in reading.dice:
        (true,) = (each for each in roll.dice if np.hypot(*np.subtract(each.at, die.center)) < 8)
        assert true.value == die.value
        assert np.abs(np.subtract(true.box, die.box)).max() < 0.4 * clip.truth.die_px


def test_every_kind_makes_clips_with_truth() -> None:
    assert 2 * len(KINDS) >= 40
    for kind in KINDS:
        clip = make(kind, 0)
        assert clip.truth.rolls and clip.shots == make(kind, 0).shots and clip.truth == make(kind, 0).truth
        times = [shot.stamp for shot in clip.shots]
        assert all(a < b for a, b in pairwise(times))
        for roll, after in zip(clip.truth.rolls, [*clip.truth.rolls[1:], None], strict=True):
            assert roll.rest <= roll.until <= roll.end and (after is None or roll.end < after.rest)


def shots(plan: Plan, count: int = 60) -> list[Shot]:
    return plan([Shot(i / 30, i / 30, i) for i in range(count)], np.random.default_rng(0))


def test_what_a_bad_line_does_to_the_frames() -> None:
    lost = shots(lossy(0.3, 3), 600)
    assert 300 < len(lost) < 500 and all(shot.taken == shot.stamp for shot in lost)
    three = shots(repeating(0.5, 1.0, 3))
    assert [shot.again for shot in three[14:22]] == [False, False, True, True, False, True, True, False]
    assert three[17].taken == three[15].taken and three[17].stamp == pytest.approx(17 / 30)
    ice = shots(frozen(0.5, 1.0))
    assert {shot.taken for shot in ice[15:30]} == {ice[14].taken} and not ice[46].again
    halting = shots(stuttering(0.1, 5), 600)
    assert 60 < sum(shot.again for shot in halting) < 400
    early = shots(uneven(0.05))
    steps = np.diff([shot.stamp for shot in early])
    assert steps.min() > 0 and steps.std() > 0.003


def test_a_die_that_is_put_with_a_value_up_shows_it() -> None:
    for look in LOOKS:
        for value in range(1, 7):
            shown, lean = upper_value(look, upright(look, value, 0.7 * value))
            assert shown == value and lean < 1e-6


def told(time: float, values: tuple[int, ...], sure: bool = True) -> tuple[float, RollSeen]:
    dice = tuple(DieReading(value, 0.9, (0.0, 0.0, 10.0, 10.0)) for value in values)
    return time, RollSeen(time, Roll(1, time, Reading(dice, sure, () if sure else ("doubt",), 1.0), 2))


def test_each_fault_of_a_watcher_is_named() -> None:
    clip = make("plain", 0)
    first, second = clip.truth.rolls
    good = [told(each.rest + 0.2, each.values) for each in (first, second)]
    other = tuple(sorted((7 - value for value in first.values), reverse=True))
    assert judge(clip, good).notes == [] and judge(clip, good).failures == []
    assert judge(clip, good).delays == pytest.approx([0.2, 0.2])
    assert len(judge(clip, good[:1]).missed) == 1
    assert len(judge(clip, [good[0], told(first.rest + 0.5, first.values), good[1]]).double) == 1
    assert len(judge(clip, [told(0.1, (3,), False), *good]).double) == 1
    wrong = judge(clip, [told(first.rest, other, False), good[1]])
    assert len(wrong.wrong) == 1 and wrong.silent == [] and len(wrong.failures) == 1
    silent = judge(clip, [told(first.rest, other), good[1]])
    assert len(silent.silent) == 1 and silent.failures
    unsure = judge(clip, [told(first.rest, first.values, False), good[1]])
    assert len(unsure.unsure) == 1 and unsure.failures == []
    hard = judge(clip, [told(first.rest, other, False), good[1]], {first: other})
    assert hard.failures == [] and len(hard.hard) == 1
    assert len(judge(clip, [told(first.rest, other), good[1]], {first: other}).silent) == 1
    assert judge(clip, [*good, (second.rest + 0.4, Flagged(0.0, "changed", "turned"))]).flags


def test_flags_that_are_due_must_come() -> None:
    clip = make("turned-by-hand", 0)
    (flag,) = clip.truth.flags
    assert isinstance(flag, TrueFlag) and flag.kind == "changed"
    (roll,) = clip.truth.rolls
    assert isinstance(roll, TrueRoll)
    good = told(roll.rest + 0.1, roll.values)
    assert len(judge(clip, [good]).flags) == 1
    assert judge(clip, [good, (flag.since + 0.3, Flagged(0.0, "changed", "turned"))]).flags == []
