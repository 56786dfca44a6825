"""The light check: each fault is seen where it is, and a good table has none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.geometry import mapped
from calibration.light import MESSAGES, Finding, check, edge_width
from tests.calibration.drawn import HEIGHT, WIDTH, ring, table, view

MATRIX = view(25)
TRAY = mapped(ring("round", 1.1), MATRIX)
GOOD = table("round", MATRIX, dice=0)
DIE = (300.0, 220.0, 345.0, 265.0)


def with_die(
    image: np.ndarray, box: tuple[float, ...] = DIE, body: tuple[int, int, int] = (225, 235, 240)
) -> np.ndarray:
    x0, y0, x1, y1 = (int(edge) for edge in box)
    out = image.copy()
    cv2.rectangle(out, (x0 + 2, y0 + 2), (x1 - 2, y1 - 2), body, -1, cv2.LINE_AA)
    cv2.circle(out, ((x0 + x1) // 2, (y0 + y1) // 2), max(2, (x1 - x0) // 8), (25, 25, 25), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 0.6)


def lit(image: np.ndarray, light: np.ndarray | float) -> np.ndarray:
    light = np.asarray(light, np.float64)
    return np.clip(image * (light[..., None] if light.ndim else light), 0, 255).astype(np.uint8)


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [each.code for each in findings]


def test_a_good_table_has_nothing_to_change() -> None:
    assert check([with_die(GOOD)], TRAY, [DIE]) == ()
    assert check([GOOD]) == ()
    with pytest.raises(ValueError, match="none was given"):
        check([])


def test_too_dark() -> None:
    (finding,) = check([lit(GOOD, 0.3)], TRAY)
    assert finding.code == "dark" and finding.grave and finding.value < 80
    assert finding.message.startswith("It is too dark: the brightest places reach")


def test_burnt_out() -> None:
    assert "bright" in codes(check([lit(GOOD, 6.0)], TRAY))


def test_a_mirrored_lamp_is_found_where_it_is_and_a_white_die_is_none() -> None:
    image = GOOD.astype(np.float64)
    cv2.circle(image, (250, 300), 16, (260, 260, 260), -1, cv2.LINE_AA)
    image = np.clip(image, 0, 255).astype(np.uint8)
    (finding,) = check([image], TRAY)
    assert finding.code == "glare" and finding.where == pytest.approx((234, 284, 267, 317), abs=3)
    white = with_die(GOOD, body=(255, 255, 255))
    assert "glare" not in codes(check([white], TRAY, [DIE]))


def test_a_hard_shadow_edge_is_found_and_a_soft_one_and_a_board_are_not() -> None:
    x = np.arange(WIDTH)[None] + 0.3 * np.arange(HEIGHT)[:, None] - 72
    hard = 0.75 - 0.35 / (1 + np.exp(-(x - 310) / 2))
    (finding,) = check([lit(GOOD, 1.3 * hard)], TRAY)
    assert finding.code == "shadow" and finding.value > 1.7 and finding.where is not None
    soft = 0.75 - 0.35 / (1 + np.exp(-(x - 310) / 80))
    assert codes(check([lit(GOOD, 1.3 * soft)], TRAY)) == []
    squares = (np.add.outer(np.arange(HEIGHT) // 40, np.arange(WIDTH) // 40) % 2) * 0.5 + 0.5
    assert "shadow" not in codes(check([lit(GOOD, squares)], TRAY))
    two_cloths = GOOD.copy()
    two_cloths[:, 310:] = (two_cloths[:, 310:] * (0.2, 0.4, 1.6)).astype(np.uint8)
    assert "shadow" not in codes(check([two_cloths], TRAY))


def test_flicker_is_found_as_bands_and_as_a_whole_but_not_where_a_hand_moves() -> None:
    rows = np.arange(HEIGHT)[:, None] * np.ones((1, WIDTH))
    bands = [lit(GOOD, 1 + 0.09 * np.sin(rows / 60 + phase)) for phase in range(6)]
    assert codes(check(bands, TRAY)) == ["flicker"]
    whole = [lit(GOOD, 1 + 0.1 * (-1) ** turn) for turn in range(6)]
    (finding,) = check(whole, TRAY)
    assert finding.code == "flicker" and finding.value == pytest.approx(20, abs=4)
    still = [table("round", MATRIX, seed=0, dice=0) for _ in range(6)]
    assert check(still, TRAY) == ()
    hand = []
    for step in range(6):
        image = GOOD.copy()
        cv2.circle(image, (200 + 30 * step, 200), 60, (120, 150, 200), -1)
        hand.append(image)
    assert "flicker" not in codes(check(hand, TRAY))


@pytest.mark.parametrize("sigma", [1.5, 4.0, 6.0])
def test_the_width_of_edges_is_measured_and_a_blurred_picture_told(sigma: float) -> None:
    sharp = np.full((200, 300, 3), 60, np.uint8)
    cv2.rectangle(sharp, (80, 50), (220, 150), (200, 200, 200), -1)
    width = edge_width(np.asarray(cv2.GaussianBlur(sharp, (0, 0), sigma), np.uint8))
    assert width == pytest.approx(sigma, rel=0.25)
    findings = check([np.asarray(cv2.GaussianBlur(with_die(GOOD), (0, 0), sigma), np.uint8)], TRAY, [DIE])
    assert ("blurred" in codes(findings)) == (sigma > 3)


def test_nothing_to_see_is_not_called_blurred() -> None:
    assert edge_width(np.full((100, 100, 3), 90, np.uint8)) is None


@pytest.mark.parametrize(
    ("wide", "code", "grave"), [(20, "small", True), (33, "smallish", False), (45, None, None)]
)
def test_small_dice_are_told_with_their_size(wide: int, code: str | None, grave: bool | None) -> None:
    box = (300.0, 220.0, 300.0 + wide, 220.0 + wide)
    found = [each for each in check([with_die(GOOD, box)], TRAY, [box]) if each.code.startswith("small")]
    assert [(each.code, each.grave, each.value) for each in found] == ([(code, grave, wide)] if code else [])


def test_dice_of_the_tray_s_colour_are_told() -> None:
    felt = tuple(int(each) for each in np.median(GOOD[220:260, 300:340].reshape(-1, 3), axis=0))
    hidden = with_die(GOOD, body=(felt[0] + 3, felt[1] + 4, felt[2] + 3))
    (finding,) = [each for each in check([hidden], TRAY, [DIE]) if each.code == "contrast"]
    assert finding.where == DIE


def test_each_message_can_be_said() -> None:
    for code in MESSAGES:
        assert "{" not in Finding(code, 12.0).message
