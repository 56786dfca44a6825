"""Outlines, projective maps and lenses: known values, and ways there and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.geometry import area_of, bounds, crosses_itself, inside, mapped, middle_of, stretch
from calibration.lens import Lens

HOUSE = np.array([[0.0, 0], [4, 0], [4, 2], [2, 4], [0, 2]])


def test_area_middle_and_bounds_of_known_outlines() -> None:
    assert area_of(HOUSE) == area_of(HOUSE[::-1]) == 12
    assert middle_of(np.array([[0.0, 0], [6, 0], [0, 3]])) == pytest.approx((2, 1))
    assert middle_of(HOUSE[::-1]) == pytest.approx((2, (8 * 1 + 4 * (2 + 2 / 3)) / 12))
    assert bounds(HOUSE) == (0, 0, 4, 4)


def test_inside_is_told_for_many_points_at_once_also_in_hollows() -> None:
    arrow = np.array([[0.0, 0], [4, 0], [4, 4], [2, 1], [0, 4]])
    points = np.array([[1.0, 0.5], [2, 2], [3.5, 2], [0.5, 2], [5, 1], [-1, 1], [2, 0.9]])
    assert inside(arrow, points).tolist() == [True, False, True, True, False, False, True]
    assert inside(arrow[::-1], points).tolist() == inside(arrow, points).tolist()


def test_outlines_that_cross_or_touch_themselves_are_found() -> None:
    assert not crosses_itself(HOUSE)
    assert not crosses_itself(HOUSE[:3])
    assert crosses_itself(HOUSE[[0, 2, 1, 3, 4]])
    assert crosses_itself(np.array([[0.0, 0], [4, 0], [4, 4], [2, 0], [0, 4]]))  # a corner on another edge
    assert crosses_itself(HOUSE[[0, 1, 2, 3, 4, 1]])


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=8))
def test_a_map_and_its_inverse_undo_each_other_and_stretch_is_their_scale(
    places: list[tuple[float, float]],
) -> None:
    points = np.array(places)
    matrix = np.array([[2.0, 0.3, 10], [-0.1, 1.5, 4], [0.001, 0.002, 1]])
    there = mapped(points, matrix)
    assert np.abs(mapped(there, np.linalg.inv(matrix)) - points).max() < 1e-6
    step = 1e-4
    square = points[:1] + step * np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    assert stretch(points[:1], matrix)[0] == pytest.approx(
        np.sqrt(area_of(mapped(square, matrix))) / step, rel=1e-2
    )


@given(st.floats(-0.16, 0.2), st.floats(-0.05, 0.05), st.floats(-0.003, 0.003))
def test_what_a_lens_bends_it_makes_straight_again(k1: float, k2: float, p1: float) -> None:
    lens = Lens(900, 910, 630, 350, k1, k2, p1, -p1 / 2, 0.01)
    grid = np.stack(np.meshgrid(np.linspace(0, 1280, 9), np.linspace(0, 720, 7)), -1).reshape(-1, 2)
    assert np.abs(lens.bent(lens.straight(grid)) - grid).max() < 1e-3
    assert lens.straight(np.zeros((0, 2))).shape == (0, 2)


def test_barrel_distortion_draws_the_corner_inwards_by_the_known_amount() -> None:
    lens = Lens(100, 100, 0, 0, k1=-0.1)
    bent = lens.bent(np.array([[100.0, 0], [0, 50]]))
    assert bent.ravel().tolist() == pytest.approx([90, 0, 0, 50 * (1 - 0.025)])
