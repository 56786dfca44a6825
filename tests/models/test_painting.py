"""The painted training data: dice as they are made, in the places that the labels say."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training import photos, scenes, surroundings
from models.training.looks import View, random_look, random_view
from models.training.paint import PIPS, around, paint_die, project
from models.training.photos import COCKED, held_out, load_photos
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


def test_a_die_lies_within_its_ring_and_none_on_the_rim(monkeypatch: pytest.MonkeyPatch) -> None:
    rings: list[tuple[float, float, float]] = []
    ring = surroundings.ring

    def noted(
        canvas: np.ndarray, generator: np.random.Generator, centre: tuple[float, float], half: float
    ) -> float:
        rings.append((*centre, reach := ring(canvas, generator, centre, half)))
        return reach

    monkeypatch.setattr(scenes, "RINGED", 1.0)
    monkeypatch.setattr(surroundings, "ring", noted)
    within = 0
    for seed in range(30):
        _, dice = painted_scene(rng(seed), 320, (15, 40))
        x, y, reach = rings[-1]
        far = [np.hypot(die.x - x, die.y - y) for die in dice]
        within += sum(each < reach for each in far)
        assert all(each < reach or each > reach + 0.4 * die.size for each, die in zip(far, dice, strict=True))
    assert within >= 20


def test_labels_are_corrected_by_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value is set right, a die that is none goes, one that was left out comes in."""
    (tmp_path / "someone_photos").mkdir()
    name = "someone_photos/a.png"
    cv2.imwrite(str(tmp_path / name), np.zeros((90, 90, 3), np.uint8))
    dice = [{"value": v, "box": [10 * v, 10, 10 * v + 20, 30]} for v in (1, 2, 3)]
    (tmp_path / "truth.jsonl").write_text(json.dumps({"image": name, "group": "g", "dice": dice}) + "\n")
    right = {name: {"0": 6, "1": None, "more": [[50, 60, 20, 4]]}}
    (tmp_path / "labels.json").write_text(json.dumps(right))
    monkeypatch.setattr(photos, "CORRECTIONS", tmp_path / "labels.json")
    (photo,) = load_photos(tmp_path)
    assert [(die.value, die.x, die.y, die.size) for die in photo.dice] == [
        (6, 20, 20, 20),
        (3, 40, 20, 20),
        (4, 50, 60, 20),
    ]


def test_the_corrections_are_well_formed() -> None:
    for name, each in json.loads(photos.CORRECTIONS.read_text("utf-8")).items():
        assert "/" in name
        for key, value in each.items():
            if key == "more":
                assert all(len(row) == 4 and row[2] > 0 and 0 <= row[3] <= 6 for row in value)
            else:
                assert int(key) >= 0 and value in (None, 0, 1, 2, 3, 4, 5, 6)
