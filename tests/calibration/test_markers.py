"""The printed sheet: what is on it, and what views of it tell of scale, perspective and lens."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from calibration.geometry import mapped
from calibration.lens import Lens
from calibration.markers import CORNERS, MarkersError, find_sheet, flat, measured_lens, straightened
from calibration.profile import Profile
from calibration.sheet import COLUMNS, PAPERS, ROWS, SIZES_MM, SQUARE_MM, TEXTS, layout, sheet_pdf, sheet_svg

SIZE = (1280, 720)
DOTS = 4  # pixels a millimetre of the printed page
TRUE = Lens(1000, 1000, 650, 350, k1=-0.18, k2=0.04)
CORNER = ((SIZES_MM["A4"][0] - COLUMNS * SQUARE_MM) / 2, 27.0)  # of the board on the page


@cache
def printed() -> np.ndarray:
    """The page as it comes from the printer, (h, w) uint8."""
    inks, _ = layout("A4")
    width, height = SIZES_MM["A4"]
    page = np.full((round(height * DOTS), round(width * DOTS)), 255, np.uint8)
    for ink in inks:
        x0, y0 = round(ink.x * DOTS), round(ink.y * DOTS)
        page[
            y0 : max(y0 + 1, round((ink.y + ink.height) * DOTS)),
            x0 : max(x0 + 1, round((ink.x + ink.width) * DOTS)),
        ] = 0
    return page


def seen(
    tilt: float, turn: float, away: float, shift: tuple[float, float] = (0, 0), lens: Lens | None = None
) -> tuple:
    """A picture of the page `away` mm off, leaning `tilt` degrees to the side `turn`, and the map from mm to pixels."""
    camera = lens or Lens(1000, 1000, 640, 360)
    lean, side = np.radians(tilt), np.radians(turn)
    axis = np.array([np.cos(side), np.sin(side), 0.0])
    rotation = cv2.Rodrigues(lean * axis)[0]
    middle = np.array([COLUMNS * SQUARE_MM / 2, ROWS * SQUARE_MM / 2, 0.0])
    place = np.array([shift[0], shift[1], away]) - rotation @ middle
    matrix = np.array([[camera.fx, 0, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1.0]])
    to_px = matrix @ np.column_stack([rotation[:, :2], place])
    from_page = to_px @ np.array([[1 / DOTS, 0, -CORNER[0]], [0, 1 / DOTS, -CORNER[1]], [0, 0, 1.0]])
    straight = cv2.warpPerspective(printed(), from_page, SIZE, flags=cv2.INTER_AREA, borderValue=(110,))
    if lens is not None:
        grid = (
            np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), -1)
            .reshape(-1, 2)
            .astype(np.float64)
        )
        at = lens.straight(grid).reshape(SIZE[1], SIZE[0], 2).astype(np.float32)
        straight = cv2.remap(
            straight, at[..., 0].copy(), at[..., 1].copy(), cv2.INTER_LINEAR, borderValue=(110,)
        )
    noisy = cv2.GaussianBlur(straight, (0, 0), 0.8) * 0.8 + np.random.default_rng(1).normal(
        10, 3, straight.shape
    )
    return cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), to_px


def test_the_board_on_the_sheet_is_found_exactly_in_the_print() -> None:
    found = find_sheet(cv2.cvtColor(printed(), cv2.COLOR_GRAY2BGR))
    assert found.whole and len(found.numbers) == CORNERS == 35
    assert found.mm_per_px == pytest.approx(1 / DOTS, rel=1e-3)


@pytest.mark.parametrize(("tilt", "turn", "away"), [(0, 0, 400), (35, 0, 500), (40, 70, 520)])
def test_scale_and_perspective_are_told_within_a_hundredth(tilt: float, turn: float, away: float) -> None:
    image, to_px = seen(tilt, turn, away)
    found = find_sheet(image)
    assert found.size == SIZE and found.whole
    flat(found)
    places = np.array([[10.0, 10], [150, 20], [150, 200], [20, 210]])
    assert np.abs(mapped(mapped(places, to_px), found.to_mm) - places).max() < 0.5
    middle = mapped(np.array([[84.0, 112]]), to_px)
    profile = Profile(size=SIZE, ground=found.ground(16))
    right = mapped(np.array([[76.0, 112], [92, 112], [84, 104], [84, 120]]), to_px)
    edge = np.sqrt(np.linalg.norm(right[1] - right[0]) * np.linalg.norm(right[3] - right[2]))
    sizes = profile.die_size(middle)
    assert sizes is not None and sizes[0] == pytest.approx(edge, rel=0.03)
    assert found.mm_per_px == pytest.approx(16 / sizes[0], rel=0.01)


def test_a_picture_without_or_with_part_of_the_sheet_says_what_to_do() -> None:
    image, _ = seen(10, 0, 450)
    with pytest.raises(MarkersError, match=r"not found\. Lay it flat"):
        find_sheet(np.full_like(image, 120))
    half = image.copy()
    half[:, 560:] = 90
    with pytest.raises(MarkersError, match=r"Only part .*: \d+ of 35 corners. Show all of it"):
        find_sheet(half)


def test_a_sheet_that_is_bent_is_refused() -> None:
    image, _ = seen(0, 0, 400)
    rows = np.arange(SIZE[1], dtype=np.float32)
    bend = np.repeat((rows + 14 * np.sin(rows / 110))[:, None], SIZE[0], axis=1)
    across = np.repeat(np.arange(SIZE[0], dtype=np.float32)[None], SIZE[1], axis=0)
    with pytest.raises(MarkersError, match=r"not flat: corners are \d"):
        flat(find_sheet(np.asarray(cv2.remap(image, across, bend, cv2.INTER_LINEAR))))


VIEWS = [
    (8, 0, 400, (-130, 20)), (30, 0, 430, (120, -10)), (30, 90, 430, (0, 20)), (32, 180, 440, (-110, 0)),
    (30, 270, 440, (110, 0)), (25, 45, 420, (0, 0)),
]  # fmt: skip


def test_six_views_tell_what_the_lens_bends() -> None:
    views = [find_sheet(seen(*view, lens=TRUE)[0]) for view in VIEWS]
    lens = measured_lens(views)
    assert lens is not None
    line = np.linspace(0.05, 0.95, 10)
    grid = np.stack(np.meshgrid(SIZE[0] * line, SIZE[1] * line), -1).reshape(-1, 2)
    # Both straighten the picture to the same one, but for its scale and place.
    one, other = lens.straight(grid), TRUE.straight(grid)
    matrix = np.asarray(cv2.findHomography(one, other)[0], np.float64)
    assert np.abs(mapped(one, matrix) - other).max() < 2.0
    assert np.abs(mapped(grid, np.asarray(cv2.findHomography(grid, other)[0], np.float64)) - other).max() > 6
    assert lens.fx == pytest.approx(TRUE.fx, rel=0.05)
    assert straightened(views[1], lens).off_mm < views[1].off_mm


def test_few_views_or_views_that_are_alike_tell_nothing_of_the_lens() -> None:
    views = [find_sheet(seen(*view, lens=TRUE)[0]) for view in VIEWS[:2]]
    assert measured_lens(views) is None
    assert measured_lens([views[0]] * 8) is None


@pytest.mark.parametrize("paper", PAPERS)
def test_the_svg_is_well_formed_in_true_size_and_says_what_to_do(paper: str) -> None:
    root = ElementTree.fromstring(sheet_svg(paper, "fr"))  # type: ignore[arg-type]
    width, height = SIZES_MM[paper]  # type: ignore[index]
    assert (root.get("width"), root.get("height")) == (f"{width}mm", f"{height}mm")
    boxes = [
        [float(each.get(key, "0")) for key in ("x", "y", "width", "height")]
        for each in root[1:]
        if "rect" in each.tag
    ]
    assert all(x >= 5 and y >= 5 and x + w <= width - 5 and y + h <= height - 5 for x, y, w, h in boxes)
    assert max(boxes, key=lambda box: box[2])[2] == 150  # the ruler
    assert [each.text for each in root if "text" in each.tag][:3] == list(TEXTS["fr"])


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pdf_has_the_same_rectangles_and_a_table_of_its_parts_that_holds(paper: str) -> None:
    data = sheet_pdf(paper)  # type: ignore[arg-type]
    assert data.startswith(b"%PDF-1.4") and data.endswith(b"%%EOF\n")
    start = int(re.findall(rb"startxref\n(\d+)", data)[0])
    assert data[start : start + 4] == b"xref"
    places = [int(each) for each in re.findall(rb"(\d{10}) 00000 n", data)]
    assert [data[at : at + 7] for at in places] == [b"%d 0 obj" % number for number in range(1, 6)]
    length = int(re.findall(rb"/Length (\d+)", data)[0])
    content = data.split(b"stream\n", 1)[1][:length]
    assert data.split(b"stream\n", 1)[1][length:].startswith(b"\nendstream")
    inks, _ = layout(paper)  # type: ignore[arg-type]
    drawn = [
        [float(part) for part in line.split()[:4]]
        for line in content.decode("cp1252").splitlines()
        if line.endswith(" re")
    ]
    height = SIZES_MM[paper][1]  # type: ignore[index]
    back = [
        (x * 25.4 / 72, height - (y + h) * 25.4 / 72, w * 25.4 / 72, h * 25.4 / 72) for x, y, w, h in drawn
    ]
    assert np.abs(np.array(back) - [(each.x, each.y, each.width, each.height) for each in inks]).max() < 0.01


def test_another_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="A4, Letter"):
        sheet_svg("A3")  # type: ignore[arg-type]
