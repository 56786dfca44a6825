"""The painted training data: dice as they are made, in the places that the labels say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.training.looks import View, random_look, random_view
from models.training.paint import PIPS, around, paint_die, project
from models.training.photos import COCKED, held_out
from models.training.scenes import painted_scene


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_has_as_many_pips_as_its_value(value: int) -> None:
    assert len(set(PIPS[value])) == value


@pytest.mark.parametrize("upper", range(1, 7))
@pytest.mark.parametrize("chirality", [1, -1])
def test_opposite_faces_sum_to_seven_and_all_values_are_there(upper: int, chirality: int) -> None:
    for seed in range(12):
        faces = around(upper, rng(seed), chirality)
        assert faces["upper"] == upper
        assert faces["upper"] + faces["lower"] == 7
        assert faces["front"] + faces["back"] == 7
        assert faces["left"] + faces["right"] == 7
        assert sorted(faces.values()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("chirality", [1, -1])
def test_one_set_of_dice_turns_one_way_round(chirality: int) -> None:
    """1, 2 and 3 round their common corner: the sign of the volume they span is the same on every die of a set."""
    normal = {"upper": (0, 0, 1), "lower": (0, 0, -1), "front": (0, -1, 0), "back": (0, 1, 0),
              "right": (1, 0, 0), "left": (-1, 0, 0)}  # fmt: skip
    signs = set()
    for upper in range(1, 7):
        for seed in range(10):
            place = {value: normal[name] for name, value in around(upper, rng(seed), chirality).items()}
            signs.add(round(float(np.linalg.det(np.array([place[1], place[2], place[3]])))))
    assert len(signs) == 1


def test_from_straight_above_the_upper_face_lies_in_the_middle() -> None:
    view = View(0.0, 0.0, 1000.0, (0.0, 0.0, 1.0), 0.5, 0.0, 0.1)
    corners = np.array([(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)], np.float32)
    points, _ = project(corners, view, 0.3)
    assert np.abs(points.mean(0)).max() < 1e-5
    assert np.allclose(np.hypot(points[:, 0], points[:, 1]), np.sqrt(2), atol=0.01)


def test_paint_stays_within_the_box_that_is_reported() -> None:
    for seed in range(20):
        generator = rng(seed)
        look, view = random_look(generator), random_view(generator)
        canvas = np.full((200, 200, 3), 128, np.float32)
        before = canvas.copy()
        painted = paint_die(canvas, (100, 100), 25, 1.0, 5, look, view, generator)
        changed = np.argwhere(np.abs(canvas - before).max(2) > 20)
        x0, y0, x1, y1 = painted.box
        assert changed[:, 1].min() >= x0 - 2
        assert changed[:, 1].max() <= x1 + 2
        assert changed[:, 0].min() >= y0 - 2
        assert changed[:, 0].max() <= y1 + 2
        inside = cv2.pointPolygonTest(
            painted.upper_face, tuple(map(float, painted.upper_face.mean(0))), False
        )
        assert inside > 0


def test_scenes_are_the_same_for_the_same_seed() -> None:
    first, dice = painted_scene(rng(5), 160, (8, 20))
    second, again = painted_scene(rng(5), 160, (8, 20))
    assert (first == second).all()
    assert dice == again


def test_dice_with_symbols_are_labelled_as_not_to_be_read() -> None:
    values = {die.value for seed in range(60) for die in painted_scene(rng(seed), 128, (8, 16))[1]}
    assert values == {0, 1, 2, 3, 4, 5, 6, COCKED}


def test_a_group_is_always_on_the_same_side_of_the_split() -> None:
    sides = [held_out(f"s{i:03d}", "nell") for i in range(500)]
    assert sides == [held_out(f"s{i:03d}", "nell") for i in range(500)]
    assert 0.05 < np.mean(sides) < 0.2
