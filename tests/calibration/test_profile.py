"""A view of the tray, and the way back to the frame."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.profile import WHOLE_PICTURE, TrayView
from vision.frames import Frame

IMAGE = np.arange(24 * 32 * 3, dtype=np.uint8).reshape(24, 32, 3)


def test_without_more_knowledge_the_whole_picture_is_the_tray() -> None:
    view = WHOLE_PICTURE.view(Frame(IMAGE, 0.0, 0))
    assert np.array_equal(view.image, IMAGE)
    assert view.box((3.25, 4.5, 10.0, 11.75)) == (3.25, 4.5, 10.0, 11.75)


def test_a_part_of_the_picture_shown_larger_maps_back_by_shift_and_scale() -> None:
    view = TrayView(IMAGE, np.array([[0.5, 0, 100], [0, 0.5, 40], [0, 0, 1]]))
    assert view.points(np.array([[0.0, 0.0], [20.0, 8.0]])).tolist() == [[100.0, 40.0], [110.0, 44.0]]
    assert view.box((0.0, 0.0, 20.0, 8.0)) == (100.0, 40.0, 110.0, 44.0)


def test_a_turned_view_maps_a_box_to_the_upright_box_around_it() -> None:
    quarter = TrayView(IMAGE, np.array([[0.0, -1, 50], [1, 0, 0], [0, 0, 1]]))
    assert quarter.box((10.0, 20.0, 14.0, 21.0)) == (29.0, 10.0, 30.0, 14.0)


def test_perspective_makes_what_is_far_smaller_and_its_factor_does_not_matter() -> None:
    matrix = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0.01, 1]])
    near, far = (TrayView(IMAGE, matrix).box((0.0, y, 10.0, y + 10.0)) for y in (0.0, 90.0))
    assert far[2] - far[0] < near[2] - near[0]
    assert TrayView(IMAGE, 3 * matrix).box((0.0, 90.0, 10.0, 100.0)) == pytest.approx(far)
    assert far == pytest.approx((0.0, 90 / 1.9, 10 / 1.9, 100 / 2.0))


def test_no_points_map_to_none_and_other_shapes_are_refused() -> None:
    view = WHOLE_PICTURE.view(Frame(IMAGE, 0.0, 0))
    assert view.points(np.zeros((0, 2))).shape == (0, 2)
    with pytest.raises(ValueError, match=r"must be \(n, 2\)"):
        view.points(np.zeros(2))
