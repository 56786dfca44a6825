"""Throwing a set of dice: what is counted, what goes wrong, what the profile learns."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.profile import Look, Profile
from calibration.verify import MESSAGES, Trial, look_of
from vision.roll import DieReading, Reading


def reading(values: tuple[int, ...], size: float = 40.0, reasons: tuple[str, ...] = ()) -> Reading:
    dice = tuple(
        DieReading(value, 0.99, (60.0 * at, 10.0, 60.0 * at + size, 10 + size))
        for at, value in enumerate(values)
    )
    return Reading(dice, not reasons, reasons, 1.0)


def trial(*readings: Reading, dice: int = 3) -> Trial:
    made = Trial(dice=dice)
    for each in readings:
        made = made.and_then(each)
    return made


def test_five_sure_throws_pass_and_are_counted() -> None:
    seen = trial(*[reading(values) for values in ((4, 2, 1), (6, 6, 5), (3, 3, 3), (1, 2, 4), (5, 5, 1))])
    report = seen.report()
    assert seen.done and report.passed and report.problems == ()
    assert (report.throws, report.sure, report.complete) == (5, 5, 5)
    assert report.counts == (3, 2, 3, 2, 3, 2)
    assert report.die_px == 40.0
    assert seen.and_then(reading((6, 6, 6))) is seen


@pytest.mark.parametrize(
    ("readings", "codes"),
    [
        ([], ["none"]),
        ([reading((4, 2, 1))], ["fewer"]),
        ([reading((4, 2, 1))] * 4 + [reading((4, 2))], ["count"]),
        ([reading((4, 2, 1))] * 3 + [reading((4, 2, 1), reasons=("glare",))] * 2, ["unsure"]),
        ([reading((4, 2, 1), size=18)] * 5, ["small"]),
        ([reading((4, 4, 4))] * 5, ["same"]),
        ([reading((4, 2, 1))] * 4 + [reading((4, 2, 1), size=90)], ["sizes"]),
    ],
)
def test_what_goes_wrong_is_said(readings: list[Reading], codes: list[str]) -> None:
    report = trial(*readings).report()
    assert [each.code for each in report.problems] == codes
    assert all(each.message and "{" not in each.message for each in report.problems)
    assert set(codes) <= set(MESSAGES)
    if codes[0] in ("none", "fewer", "count", "unsure", "small"):
        assert not report.passed


def test_the_reasons_of_doubt_are_told() -> None:
    report = trial(*[reading((4, 2, 1), reasons=("glare", "too small"))] * 5).report()
    assert "5 throws were not sure: glare, too small." in report.problems[0].message


def test_the_profile_learns_size_number_and_look_of_the_dice() -> None:
    picture = np.full((120, 240, 3), (40, 90, 40), np.uint8)
    seen = Trial(dice=3)
    for values in ((4, 2, 1), (6, 5, 5)):
        throw = reading(values)
        for die in throw.dice:
            x0, y0, x1, y1 = (int(edge) for edge in die.box)
            picture[y0:y1, x0:x1] = (225, 235, 240)
            picture[y0 + 17 : y0 + 24, x0 + 17 : x0 + 24] = (20, 25, 30)
        seen = seen.and_then(throw, picture)
    learnt = seen.learned(Profile(size=(240, 120), name="bar"))
    assert (learnt.die_px, learnt.dice, learnt.name) == (40.0, 3, "bar")
    assert learnt.look is not None
    assert np.abs(np.array(learnt.look.body) - (225, 235, 240)).max() < 3
    assert np.abs(np.array(learnt.look.pips) - (20, 25, 30)).max() < 12


def test_a_map_to_the_table_is_brought_to_the_size_of_these_dice() -> None:
    profile = Profile(size=(400, 300), ground=np.diag([1 / 30, 1 / 30, 1.0]))
    learnt = trial(*[reading((4, 2, 1))] * 5).learned(profile)
    sizes = learnt.die_size(np.array([[200.0, 150]]))
    assert sizes is not None and sizes[0] == pytest.approx(40.0)


def test_without_dice_the_profile_stays() -> None:
    profile = Profile(die_px=33.0, look=Look((1, 2, 3), (4, 5, 6)))
    assert trial(reading(())).learned(profile) is profile
    assert look_of(np.zeros((50, 50, 3), np.uint8), (10, 10, 12, 12)) is None
    kept = trial(reading((3,))).learned(profile)
    assert kept.look == profile.look
