"""Pictures for training from the factory's scenes: kept light, exposures, and which dice they show."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.training.render.pictures import (
    COCKED,
    dice_of,
    load,
    main,
    picture,
    pip_contrast,
    samples,
    save,
    scenes_in,
)


def a_die(**other: Any) -> dict[str, Any]:
    """The truth of a die with one dark pip, 40 pixels large, in the middle of a picture of 96."""
    square = [[30.0, 30.0], [66.0, 30.0], [66.0, 66.0], [30.0, 66.0]]
    facts: dict[str, Any] = {"value": 1, "state": "flat", "kind": "pips", "upper": square, "size": 40.0}
    facts |= {"box": [28.0, 28.0, 68.0, 68.0], "tilt": 0.0, "occluded": 0.0, "covered": 0.0, "contrast": 0.5}
    facts |= {"pips": [[48.0, 48.0]], "bare": [[36.0, 36.0], [60.0, 36.0], [36.0, 60.0], [60.0, 60.0]]}
    return facts | other


def put(folder: Path, number: int, dice: list[dict[str, Any]], pip: float = 0.02, tilt: float = 10.0) -> Path:
    light = np.full((96, 96, 3), (0.1, 0.2, 0.1), np.float32)
    light[28:68, 28:68] = 0.6
    light[42:54, 42:54] = pip
    path = folder / f"{number:06d}.npz"
    with path.open("wb") as file:
        save(file, light)
    facts = {"number": number, "width": 96, "height": 96, "tilt": tilt, "words": {}, "dice": dice}
    path.with_suffix(".json").write_text(json.dumps(facts) + "\n")
    return path


def test_light_is_kept_from_deep_shade_to_the_lamp_itself(tmp_path: Path) -> None:
    light = np.exp(np.random.default_rng(1).uniform(np.log(1e-3), np.log(3e4), (40, 50, 3))).astype(
        np.float32
    )
    light[0, 0] = (0.0, 1e6, 1.0)
    file = io.BytesIO()
    save(file, light)
    path = tmp_path / "000001.npz"
    path.write_bytes(file.getvalue())
    back = load(path)
    assert back.shape == (40, 50, 3) and back.dtype == np.float32
    assert np.isfinite(back).all() and back[0, 0, 1] >= 59000
    assert back[1:] == pytest.approx(light[1:], rel=0.005, abs=1e-6)


def test_the_same_random_numbers_give_the_same_picture_and_others_another_exposure(tmp_path: Path) -> None:
    path = put(tmp_path, 1, [a_die()])
    one, same = (picture(path, np.random.default_rng(3)) for _ in range(2))
    assert one.shape == (96, 96, 3) and one.dtype == np.uint8 and np.array_equal(one, same)
    levels = [float(picture(path, np.random.default_rng(seed)).mean()) for seed in range(60)]
    assert min(levels) < 50 and max(levels) > 140
    # Blue, green, red: the table is green.
    assert (
        np.mean([picture(path, np.random.default_rng(s))[80:, 80:, 1].mean() > 40 for s in range(20)]) > 0.5
    )


def test_samples_give_each_finished_scene_once_and_no_half_written_one(tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, number, [a_die()] * number)
    (tmp_path / "000009.npz").write_bytes(b"half")
    (tmp_path / "000010.json.77.tmp").write_text("{")
    assert [path.stem for path in scenes_in(tmp_path)] == [f"{n:06d}" for n in range(5)]
    found = list(samples(tmp_path, seed=2))
    assert sorted(len(dice) for _, dice in found) == [0, 1, 2, 3, 4]
    again = list(samples(tmp_path, seed=2))
    assert all(np.array_equal(a, b) and c == d for (a, c), (b, d) in zip(found, again, strict=True))
    other = list(samples(tmp_path, seed=3))
    assert any(not np.array_equal(a, b) for (a, _), (b, _) in zip(found, other, strict=True))


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ({}, 1),
        ({"state": "cocked"}, COCKED),
        ({"state": "stacked"}, COCKED),
        ({"value": 0, "state": "cocked"}, 0),
        ({"value": 0, "kind": "numerals"}, 0),
        ({"covered": 0.6}, 1),
        ({"covered": 0.9}, None),
    ],
)
def test_what_a_die_counts_as(change: dict[str, Any], value: int | None) -> None:
    dice = dice_of({"tilt": 10.0, "dice": [a_die(**change)]})
    assert [die.value for die in dice] == ([] if value is None else [value])
    for die in dice:
        assert (die.x, die.y, die.size, die.turnable) == (48.0, 48.0, 40.0, True)
        assert die.exact == (change.get("covered", 0) < 0.45)
    assert not any(die.turnable for die in dice_of({"tilt": 50.0, "dice": [a_die(**change)]}))


def test_dice_that_the_exposure_made_unreadable_have_no_value(tmp_path: Path) -> None:
    put(tmp_path, 1, [a_die()], pip=0.57)
    seen = [dice[0].value for seed in range(30) for _, dice in samples(tmp_path, seed)]
    assert set(seen) == {0}
    put(tmp_path, 1, [a_die()], pip=0.02)
    seen = [dice[0].value for seed in range(30) for _, dice in samples(tmp_path, seed)]
    assert seen.count(1) >= 25


def test_contrast_is_that_of_the_faintest_pip() -> None:
    values = np.full((20, 20, 3), 0.8, np.float32)
    values[5, 5], values[15, 15] = 0.2, (0.8, 0.8, 0.7)
    bare = np.array([[5.0, 15.0], [15.0, 5.0], [10.0, 10.0]])
    assert pip_contrast(values, np.array([[5.5, 5.5]]), bare) == pytest.approx(0.6)
    assert pip_contrast(values, np.array([[5.5, 5.5], [15.5, 15.5]]), bare) == pytest.approx(0.1)
    assert pip_contrast(values, np.array([[5.5, 5.5]]), bare, relative=True) == pytest.approx(0.6)
    assert pip_contrast(values, np.empty((0, 2)), bare) == 0.0


def test_the_contact_sheet_shows_as_many_scenes_as_asked_for(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for number in range(7):
        put(data, number, [a_die()])
    out = tmp_path / "sheet.jpg"
    asked = ["--data", str(data), "--out", str(out), "--count", "6", "--columns", "3", "--tile", "48"]
    assert main([*asked, "--truth"]) == 0
    sheet = cv2.imread(str(out))
    assert sheet is not None and sheet.shape == (96, 144, 3)
    with pytest.raises(SystemExit):
        main(["--data", str(data), "--out", str(out), "--first", "70"])
