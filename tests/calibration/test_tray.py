"""Finding the tray: all kinds in perspective, and never surely where there is none or it cannot be seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.geometry import mapped
from calibration.profile import ProfileError
from calibration.taps import from_taps
from calibration.tray import REASONS, find, still_picture
from tests.calibration.drawn import HEIGHT, WIDTH, overlap, ring, table, view, wood


@pytest.mark.parametrize("kind", ["round", "hexagon", "square"])
@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (38, 20)])
def test_a_tray_is_found_whatever_its_kind(kind: str, tilt: float, turn: float) -> None:
    matrix = view(tilt, turn)
    found = find(table(kind, matrix, seed=round(tilt)))
    assert (found.shape, found.sure, found.code, found.reason) == (kind, True, "", "")
    assert found.outline is not None
    assert overlap(found.outline, mapped(ring(kind, 1.1), matrix)) > 0.93
    assert found.certainty > 0.8


def test_black_on_black_is_found_by_its_rim() -> None:
    matrix = view(25)
    dark = (table("square", matrix, felt=(30, 30, 30)) * 0.35).astype(np.uint8)
    found = find(dark)
    assert found.outline is not None and overlap(found.outline, mapped(ring("square", 1.1), matrix)) > 0.9


@pytest.mark.parametrize("seed", range(2))
def test_a_table_without_a_tray_has_none(seed: int) -> None:
    assert not find(table(None, view(20), seed)).sure
    assert find(np.full((HEIGHT, WIDTH, 3), 90, np.uint8)).code == "none"


def test_a_checked_cloth_is_no_tray() -> None:
    cloth = np.where(
        (np.add.outer(np.arange(HEIGHT) // 120, np.arange(WIDTH) // 120) % 2)[..., None], 190, 60
    )
    noise = np.random.default_rng(1).normal(0, 3, (HEIGHT, WIDTH, 3))
    assert not find(np.clip(cloth + noise, 0, 255).astype(np.uint8)).sure


def test_a_tray_that_is_cut_by_the_picture_is_not_sure() -> None:
    matrix = view(0, at=(500, 240), scale=1.2)
    assert not find(table("round", matrix)).sure


def test_a_rim_that_is_hidden_in_part_is_not_sure_but_guessed() -> None:
    matrix = view(20)
    image = table("round", matrix)
    cv2.ellipse(image, (320, 60), (110, 90), 0, 0, 360, (120, 150, 200), -1, cv2.LINE_AA)
    found = find(image)
    assert not found.sure and found.reason == REASONS[found.code]
    assert found.outline is not None and overlap(found.outline, mapped(ring("round", 1.1), matrix)) > 0.8


def test_what_moves_is_passed_over_when_there_are_several_pictures() -> None:
    matrix = view(20)
    clear = table("round", matrix)
    hand = clear.copy()
    cv2.ellipse(hand, (320, 60), (110, 90), 0, 0, 360, (120, 150, 200), -1, cv2.LINE_AA)
    found = find([clear, hand, clear, hand, clear])
    assert found.sure
    assert still_picture([clear, hand, clear]).tolist() == clear.tolist()
    with pytest.raises(ValueError, match="at least one"):
        find([])


def test_two_trays_are_not_sure() -> None:
    left, right = view(0, at=(170, 240), scale=0.85), view(0, at=(470, 240), scale=0.85)
    image = table("square", left, dice=0)
    outer, inner = (np.round(16 * mapped(ring("square", r), right)).astype(np.int32) for r in (1.1, 1.0))
    cv2.fillPoly(image, [outer], (40, 60, 92), cv2.LINE_AA, 4)
    cv2.fillPoly(image, [inner], (60, 105, 40), cv2.LINE_AA, 4)
    found = find(image)
    assert not found.sure and found.code in ("several", "aside")


def test_dice_that_lie_elsewhere_make_it_doubtful() -> None:
    image = table("round", view(0))
    assert find(image, np.array([[320.0, 240]])).sure
    found = find(image, np.array([[320.0, 240], [20.0, 20]]))
    assert (found.sure, found.code) == (False, "dice")


def test_a_tiny_picture_has_no_tray() -> None:
    assert find(wood(1, (40, 60))).code == "none"


# Taps

CORNERS = mapped(ring("square", 1.1), view(30))


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 3, 1], [1, 0, 3, 2]])
def test_four_taps_in_any_order_are_the_corners(order: list[int]) -> None:
    outline, shape = from_taps(CORNERS[order].tolist(), (WIDTH, HEIGHT))
    assert shape == "square"
    assert overlap(outline, CORNERS) > 0.999


@pytest.mark.parametrize("kind", ["round", "hexagon", "square"])
def test_taps_a_little_beside_are_drawn_to_the_rim(kind: str) -> None:
    matrix = view(30)
    count = 6 if kind == "hexagon" else 4
    whole = mapped(ring(kind, 1.1), matrix)
    taps = whole[:: len(whole) // count][:count] + np.random.default_rng(3).uniform(-3, 3, (count, 2))
    outline, shape = from_taps(taps.tolist(), (WIDTH, HEIGHT), table(kind, matrix))
    assert shape == kind
    assert overlap(outline, whole) > 0.97
    assert overlap(outline, whole) >= overlap(from_taps(taps.tolist(), (WIDTH, HEIGHT))[0], whole)


def test_taps_on_nothing_stay_where_they_are() -> None:
    outline, shape = from_taps(CORNERS.tolist(), (WIDTH, HEIGHT), wood(4))
    assert shape == "square" and overlap(outline, CORNERS) > 0.999
    corners = [[100, 100], [300, 80], [500, 200], [450, 400], [200, 420]]
    assert from_taps(corners, (WIDTH, HEIGHT))[1] == "outline"


@pytest.mark.parametrize(
    ("taps", "words"),
    [
        ([[1, 1], [9, 1], [9, 9]], "at least 4"),
        ([[1, 1], [9, 1], [9, 9], [700, 9]], "lie in the picture"),
        ([[100, 100], [100, 100], [300, 300], [100, 300]], "cross or touch"),
        ([[100, 100], [500, 100], [500, 400], [480, 110]], "inside of the others"),
        ([[100, 100], [500, 100], [500, 400], [float("nan"), 1]], "points are numbers"),
        ([[100, 100], [500, 100], [500, 400], [1]], "two numbers"),
    ],
)
def test_taps_that_go_round_nothing_are_refused(taps: list[list[float]], words: str) -> None:
    with pytest.raises(ProfileError, match=f"Where the tray is cannot be told.*{words}"):
        from_taps(taps, (WIDTH, HEIGHT))
