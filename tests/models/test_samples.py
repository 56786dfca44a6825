"""The pictures that ship with the program agree with their truth, by a count of pips that knows no network."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import sample_images

FOLDER = Path(sample_images.__file__).parent
STILLS = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))
FILM = json.loads((FOLDER / "table.json").read_text(encoding="utf-8"))
BUSY = ("clear-", "marble-", "wood-")
"""Dice whose grain or depth shows more than pips: too hard for so simple a count."""


def count_pips(image: np.ndarray, upper: list[list[float]]) -> int:
    """Lay the upper face flat and count the spots that stand out from it."""
    side = 96
    flat = np.array([[0, side], [side, side], [side, 0], [0, 0]], np.float32)
    turn = cv2.getPerspectiveTransform(np.array(upper, np.float32), flat)
    face = cv2.warpPerspective(image, turn, (side, side), flags=cv2.INTER_CUBIC)
    inner = cv2.GaussianBlur(face, (0, 0), 1.5)[12:-12, 12:-12].astype(np.float32)
    apart = np.abs(inner - np.median(inner.reshape(-1, 3), axis=0)).sum(axis=2)
    peak = float(np.quantile(apart, 0.985))
    spots = (apart > 0.5 * peak).astype(np.uint8)
    _, _, parts, _ = cv2.connectedComponentsWithStats(spots)
    return sum(
        40 <= area <= 500 and 0.45 < wide / high < 2.2 and area > 0.5 * wide * high
        for _, _, wide, high, area in parts[1:].tolist()
    )


@pytest.mark.parametrize("facts", STILLS, ids=lambda facts: facts["image"])
def test_a_still_is_as_its_truth_says(facts: dict) -> None:
    image = cv2.imread(str(FOLDER / facts["image"]))
    assert image.shape == (facts["height"], facts["width"], 3)
    assert 2 <= len(facts["dice"]) <= 5
    for die in facts["dice"]:
        x0, y0, x1, y1 = die["box"]
        assert 0 < x0 < x1 < facts["width"] and 0 < y0 < y1 < facts["height"]
        assert 40 <= x1 - x0 <= 130 and 0.7 < (y1 - y0) / (x1 - x0) < 1.4
        corners = np.array(die["upper"])
        margin = 0.15 * (x1 - x0)  # its edges are drawn sharp, the dice are round
        assert ((corners > [x0 - margin, y0 - margin]) & (corners < [x1 + margin, y1 + margin])).all()
        if not facts["image"].startswith(BUSY):
            assert count_pips(image, die["upper"]) == die["value"]


def test_the_stills_show_every_value_and_many_kinds_of_dice() -> None:
    assert {die["value"] for facts in STILLS for die in facts["dice"]} == set(range(1, 7))
    assert len(STILLS) == 12 == len(list(FOLDER.glob("*.jpg")))


@pytest.mark.parametrize("number", range(len(FILM["throws"])))
def test_the_film_shows_the_values_it_is_said_to_show(number: int) -> None:
    throw = FILM["throws"][number]
    film = cv2.VideoCapture(str(FOLDER / FILM["video"]))
    wanted = (throw["rest_start"], throw["hand_back"] - 1)
    for index in range(wanted[1] + 1):
        assert film.grab()
        if index in wanted:
            image = film.retrieve()[1]
            assert [count_pips(image, die["upper"]) for die in throw["dice"]] == [
                die["value"] for die in throw["dice"]
            ]
