"""The judgement of findings and of whole pictures, and the words for what is doubtful."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detector import Candidates
from vision.judge import WHOLE, compete, strongest_rival, unexplained, whole_features
from vision.pipeline import _between, _reasons
from vision.roll import CLASSES, COCKED, NOTHING, DieReading


def candidates(*places: tuple[float, float, float, float]) -> Candidates:
    """Findings as (x, y, size, score)."""
    table = np.array(places, np.float32).reshape(-1, 4)
    return Candidates(table[:, :2], table[:, 2], table[:, 3], table[:, 3])


def die(
    value: int = 4, box: tuple[float, float, float, float] = (40, 40, 90, 90), **shares: float
) -> DieReading:
    """A die with a certain distribution; what is left of it goes to `value`."""
    p = np.zeros(CLASSES)
    for name, share in shares.items():
        p[{"nothing": NOTHING, "cocked": COCKED}.get(name, 0 if name == "one" else -1)] = share
    p[value - 1] = 1 - p.sum()
    return DieReading(value, 0.5, box, tuple(p))


GREY = np.full((200, 200, 3), 128, np.uint8)


@pytest.mark.parametrize(
    ("seen", "image", "reason"),
    [
        (die(cocked=0.5), GREY, "cocked die"),
        (die(nothing=0.5), GREY, "may not be a die with pips up"),
        (die(one=0.3), GREY, "two readings close"),
        (die(), np.zeros_like(GREY), "too dark"),
        (die(), np.full_like(GREY, 255), "glare"),
        (die(box=(40, 40, 54, 54)), GREY, "too small"),
        (die(), GREY, "not clear enough to be sure"),
    ],
)
def test_what_is_doubtful_about_a_die_is_said_in_words(
    seen: DieReading, image: np.ndarray, reason: str
) -> None:
    assert reason in _reasons(seen, image, 0.9)


def test_nothing_is_said_of_a_die_that_is_clear() -> None:
    assert _reasons(die(), GREY, 0.4) == []


def test_a_die_beyond_the_edge_has_words_too() -> None:
    outside = die(box=(-60.0, -60.0, -10.0, -10.0))
    assert _reasons(outside, GREY, 0.9) == ["not clear enough to be sure"]
    assert _between([outside], 200, 200) == ["die cut by the picture's edge"]


def test_dice_in_one_another_are_said_to_overlap() -> None:
    assert _between([die(), die(box=(60, 40, 110, 90))], 200, 200) == ["dice overlap"]
    assert _between([die(), die(box=(100, 40, 150, 90))], 200, 200) == []


def test_the_better_framed_finding_stays() -> None:
    found = candidates((50, 50, 40, 0.9), (56, 50, 42, 0.9), (150, 50, 40, 0.9))
    assert compete(found.centers, found.sizes, np.float32([0.7, 0.9, 0.5])) == [1, 2]


def test_a_large_thing_round_two_dice_is_unexplained() -> None:
    found = candidates((50, 50, 40, 0.9), (70, 50, 80, 0.6))
    assert unexplained(found, [0]) == pytest.approx(0.6)
    assert unexplained(found, [0, 1]) == 0


def test_what_gave_way_but_shows_another_value_is_a_rival() -> None:
    """Two dice of which one hides a part of the other, or two readings of one die."""
    found = candidates((50, 50, 60, 0.9), (50, 70, 50, 0.5), (54, 52, 40, 0.5), (150, 50, 60, 0.9))
    p = np.float32([0.9, 0.6, 0.7, 0.95])
    stay = compete(found.centers, found.sizes, p)
    assert stay == [3, 0]
    assert strongest_rival(found, p, np.array([1, 4, 1, 4]), stay, stay) == pytest.approx(0.6)
    assert strongest_rival(found, p, np.array([1, 1, 1, 4]), stay, stay) == 0
    assert strongest_rival(found, p, np.array([1, 4, 5, 4]), stay, stay) == pytest.approx(0.7)
    row = whole_features(found, p, np.array([1, 4, 1, 4]), stay, stay, 200, 200)
    assert row[WHOLE.index("rival")] == pytest.approx(np.log(0.6 / 0.4), abs=1e-3)


def test_features_of_a_whole_picture() -> None:
    found = candidates((50, 50, 40, 0.9), (80, 50, 40, 0.9), (5, 150, 40, 0.8), (150, 150, 40, 0.7))
    p = np.float32([0.9, 0.8, 0.95, 0.2])
    row = dict(
        zip(
            WHOLE,
            whole_features(found, p, np.array([1, 2, 3, 4]), [2, 0, 1, 3], [2, 0, 1], 200, 200).tolist(),
            strict=True,
        )
    )
    assert row["least"] == pytest.approx(np.log(0.8 / 0.2), abs=1e-3)
    product = 0.9 * 0.8 * 0.95
    assert row["product"] == pytest.approx(np.log(product / (1 - product)), abs=1e-3)
    assert row["doubt"] == pytest.approx(np.log(0.2 / 0.8), abs=1e-3)
    assert row["unexplained"] == pytest.approx(0.7)
    assert row["near"] == pytest.approx(0.25)
    assert row["cut"] == pytest.approx(0.375)
    assert row["count"] == pytest.approx(np.log(4))


def test_features_of_a_picture_without_dice() -> None:
    row = whole_features(candidates(), np.zeros(0, np.float32), np.zeros(0, int), [], [], 200, 200)
    assert row[WHOLE.index("count")] == 0
    assert np.isfinite(row).all()
