"""Several readings of one rest become one."""

from __future__ import annotations

import math

import pytest

from vision.consensus import agree, match
from vision.roll import CLASSES, DieReading, Reading

BOXES = [(10.0, 10.0, 50.0, 50.0), (100.0, 10.0, 140.0, 50.0), (54.0, 14.0, 94.0, 54.0)]


def die(
    value: int, confidence: float = 0.9, place: int = 0, shift: float = 0.0, **more: tuple[str, ...]
) -> DieReading:
    rest = (1 - confidence) / 6
    x0, y0, x1, y1 = BOXES[place]
    return DieReading(
        value,
        confidence,
        (x0 + shift, y0, x1 + shift, y1),
        tuple(confidence if i == value - 1 else rest for i in range(7)),
        **more,
    )


def reading(*dice: DieReading, sure: bool = True, reasons: tuple[str, ...] = ()) -> Reading:
    return Reading(dice, sure, reasons, 40.0, 200, 100)


def test_equal_readings_agree_and_stay_sure() -> None:
    result = agree([reading(die(4), die(2, 0.8, 1), die(1, 0.7, 2))] * 3)
    assert result.roll == (4, 2, 1) and result.sure and result.reasons == ()
    assert [each.confidence for each in result.dice] == pytest.approx([0.9, 0.8, 0.7])
    assert result.ms == 120.0 and (result.width, result.height) == (200, 100)
    for each in result.dice:
        assert math.isclose(sum(each.probabilities), 1.0) and len(each.probabilities) == CLASSES


def test_the_sum_of_log_probabilities_decides_not_the_count_of_votes() -> None:
    result = agree([reading(die(5, 0.45)), reading(die(5, 0.45)), reading(die(3, 0.9999))])
    assert result.roll == (3,)
    assert not result.sure and result.reasons == ("the pictures do not agree on a die (taken as 3)",)
    assert result.dice[0].confidence < 0.5


def test_one_strongly_wrong_picture_of_three_is_outvoted() -> None:
    assert agree([reading(die(5, 0.98)), reading(die(6, 0.98)), reading(die(5, 0.98))]).roll == (5,)


def test_dice_are_matched_by_place_in_whatever_order_they_come() -> None:
    groups = match(
        [
            reading(die(4, shift=1), die(2, place=1)),
            reading(die(2, place=1, shift=2), die(4)),
        ]
    )
    assert sorted([each.value for each in group] for group in groups) == [[2, 2], [4, 4]]


def test_touching_dice_are_not_taken_for_one() -> None:
    result = agree([reading(die(4), die(6, place=2)), reading(die(6, place=2), die(4))])
    assert result.roll == (6, 4) and result.sure


def test_a_die_that_one_picture_misses_makes_it_unsure() -> None:
    result = agree([reading(die(4), die(2, place=1)), reading(die(4)), reading(die(4), die(2, place=1))])
    assert result.roll == (4, 2) and not result.sure
    assert result.reasons == ("a die was not seen in every picture",)


def test_a_die_that_one_picture_invents_is_left_out() -> None:
    result = agree([reading(die(4)), reading(die(4), die(2, place=1)), reading(die(4))])
    assert result.roll == (4,) and not result.sure


def test_one_doubt_is_a_doubt_and_the_reasons_are_kept() -> None:
    doubtful = reading(die(4, reasons=("glare",)), sure=False, reasons=("glare",))
    good = reading(die(4))
    assert agree([good, good, good]).sure
    for place in range(3):
        three = [good, good, good]
        three[place] = doubtful
        one = agree(three)
        assert one.roll == (4,) and not one.sure and one.reasons == ("glare",)
        assert one.dice[0].reasons == ("glare",)
    unsure = agree([doubtful, doubtful, good])
    assert not unsure.sure and unsure.reasons == ("glare",) and unsure.dice[0].reasons == ("glare",)
    assert not agree([doubtful, good]).sure


def test_a_die_without_probabilities_counts_by_its_confidence() -> None:
    plain = DieReading(6, 0.9, BOXES[0])
    result = agree([reading(plain), reading(die(6, 0.8))])
    assert result.roll == (6,) and result.dice[0].confidence == pytest.approx(0.85)
    assert result.dice[0].probabilities[5] > 0.8


def test_a_probability_of_zero_is_survived() -> None:
    certain = DieReading(2, 1.0, BOXES[0], (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert agree([reading(certain), reading(die(5, 0.6)), reading(certain)]).roll == (2,)


def test_the_box_is_the_newest() -> None:
    assert agree([reading(die(4)), reading(die(4, shift=3))]).dice[0].box[0] == 13.0


def test_nothing_to_agree_on_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        agree([])


def test_empty_readings_agree_that_no_dice_are_seen() -> None:
    result = agree([reading(), reading()])
    assert result.dice == () and not result.sure and result.reasons == ("no dice seen",)
    said = agree([reading(sure=False, reasons=("no dice seen", "dark"))] * 2)
    assert said.reasons == ("no dice seen", "dark")


def test_one_picture_alone_is_never_sure() -> None:
    result = agree([reading(die(4, 0.999), die(2, 0.999, 1))])
    assert result.roll == (4, 2) and not result.sure and result.reasons == ("seen in one picture only",)
