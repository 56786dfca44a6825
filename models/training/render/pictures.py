"""Pictures for training from the factory's scenes, each time with another exposure; and the contact sheet of them.

    python -m models.training.render.pictures --data DIR --out sheet.jpg [--count 24] [--first 0] [--truth]

Needs no renderer. `samples` gives all scenes of a folder with their dice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.looks import TURNABLE
from models.training.photos import COCKED, Die
from models.training.render.develop import Development, Image, Light, balanced, exposed, metered, tone
from models.training.render.mesh import Points

SEEN, CLEAR = 0.80, 0.45
"""Of which share hidden a die is no longer told of, and of which it is only roughly known where it ends."""
LEGIBLE = 0.06
"""Least difference of the faintest pip from its surroundings in a finished picture without noise, 1 being white."""
LOWEST_BITS = 3  # of the ten bits of a half float's fraction, below the grain of the picture


def save(file: BinaryIO, light: Light) -> None:
    """Write light, (h, w, 3) linear, as half floats of seven bits' precision, the upper bytes apart from the lower."""
    half = np.clip(light, 0, 60000).astype(np.float16).view(np.uint16).astype(np.uint32)
    step = 1 << LOWEST_BITS
    half = (half + step // 2) // step * step
    planes = half.astype(np.uint16).transpose(2, 0, 1)
    np.savez_compressed(file, high=(planes >> 8).astype(np.uint8), low=(planes & 255).astype(np.uint8))


def load(path: Path) -> Light:
    """The light of a scene, (h, w, 3) float32 linear."""
    with np.load(path) as stored:
        planes = stored["high"].astype(np.uint16) << 8 | stored["low"]
    return np.ascontiguousarray(planes.view(np.float16).transpose(1, 2, 0).astype(np.float32))


def development(light: Light, dice: list[dict[str, Any]], random: np.random.Generator) -> Development:
    """A camera at random: metered on the whole picture or on the dice, mostly well, at times far too dark or bright."""
    bright = float(np.exp(random.normal(np.log(0.65), 0.3)))
    exposure = metered(light, bright=bright, share=random.uniform(0.85, 0.98))
    spots = [_upper_light(light, die) for die in dice]
    levels = [each for each in spots if each is not None]
    if levels and random.random() < 0.75:
        # Upper faces of light dice come out as such, dark ones stay dark.
        top = max(float(np.max(levels)), float(np.quantile(light.max(axis=-1), 0.6)))
        exposure = float(np.exp(random.normal(np.log(0.8), 0.35))) / max(top, 1e-6)
    chance = random.random()
    if chance < 0.08:
        exposure *= random.uniform(0.12, 0.4)
    elif chance < 0.16:
        exposure *= random.uniform(1.6, 3.5)
    balance = np.array(balanced(light, random.uniform(0, 1))) * np.exp(random.normal(0, 0.05, 3))
    return Development(
        exposure=exposure,
        balance=(float(balance[0]), float(balance[1]), float(balance[2])),
        contrast=random.uniform(0.9, 1.35),
        softness=random.uniform(0.35, 0.9),
        sharpen=random.uniform(0, 0.6),
        noise=float(np.exp(random.uniform(np.log(0.002), np.log(0.025)))),
        vignette=random.uniform(0, 0.35),
    )


def _upper_light(light: Light, die: dict[str, Any]) -> float | None:
    """The light of a die's upper face, nearly its brightest, or None when none of it is in the picture."""
    mask = np.zeros(light.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.array(die["upper"]).round().astype(np.int32), (1,))
    inside = light[mask > 0].max(axis=-1) if mask.any() else np.empty(0)
    return float(np.quantile(inside, 0.8)) if inside.size else None


def picture(path: Path, random: np.random.Generator) -> Image:
    """A scene as a camera might show it, (h, w, 3) uint8 BGR; `path` is its .npz file, the truth lies beside it."""
    return developed(path, random)[0]


def developed(path: Path, random: np.random.Generator) -> tuple[Image, dict[str, Any]]:
    """The picture of a scene, and its truth with value 0 for dice that this exposure made unreadable."""
    light = load(path)
    facts: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
    how = development(light, facts["dice"], random)
    shown = tone(light, how)
    for die in facts["dice"]:
        if die["value"]:
            pips, bare = np.array(die["pips"]), np.array(die["bare"])
            small = float(np.clip((40 - die["size"]) / 20, 0, 1))  # of which less is seen
            if pip_contrast(shown, pips, bare) < LEGIBLE + how.noise + 0.04 * small:
                die["value"] = 0
    return exposed(shown, how, random), facts


def pip_contrast(values: NDArray[np.float32], pips: Points, bare: Points, *, relative: bool = False) -> float:
    """How far the faintest of the pips, (n, 2) pixels, stands out from the bare places (m, 2) next to it.

    In units of the picture's values, (h, w, 3), or, when `relative`, as a share of the sum of both.
    """

    def at(points: Points) -> NDArray[np.float32]:
        column, row = (np.clip(points[:, i].astype(int), 0, values.shape[1 - i] - 1) for i in (0, 1))
        return np.asarray(values[row, column])

    if not len(pips) or not len(bare):
        return 0.0
    inked, plain = at(pips), at(bare)
    near = np.linalg.norm(pips[:, None] - bare, axis=-1).argsort(axis=1)[:, :6]
    around = np.median(plain[near], axis=1)
    differ = np.abs(inked - around)
    if relative:
        differ = differ / np.maximum(inked + around, 1e-4)
    return float(differ.max(axis=1).min())


def dice_of(facts: dict[str, Any]) -> list[Die]:
    """The dice to be found in a scene's picture; `value` 1 to 6, 7 when cocked or stacked, 0 when not to be read."""
    dice = []
    for die in facts["dice"]:
        if die["covered"] > SEEN:
            continue
        x0, y0, x1, y1 = die["box"]
        value = COCKED if die["value"] and die["state"] != "flat" else die["value"]
        exact = die["covered"] < CLEAR
        turnable = facts["tilt"] < np.degrees(TURNABLE)
        dice.append(Die(value, (x0 + x1) / 2, (y0 + y1) / 2, die["size"], exact, turnable))
    return dice


def scenes_in(folder: Path) -> list[Path]:
    """The .npz files of all finished scenes, by number."""
    return [path.with_suffix(".npz") for path in sorted(folder.glob("[0-9]*.json"))]


def samples(folder: Path, seed: int = 0) -> Iterator[tuple[Image, list[Die]]]:
    """All finished scenes of a folder once, shuffled: picture (h, w, 3) uint8 BGR, and its dice.

    Another `seed` gives another order and other exposures of the same scenes.
    """
    paths = scenes_in(folder)
    for index in np.random.default_rng(seed).permutation(len(paths)):
        path = paths[int(index)]
        image, facts = developed(path, np.random.default_rng([seed, int(path.stem)]))
        yield image, dice_of(facts)


def annotated(image: Image, facts: dict[str, Any]) -> Image:
    """A picture with its truth drawn in: green readable, red cocked or stacked, violet not to be read."""
    drawn = image.copy()
    for die in facts["dice"]:
        color = (0, 220, 0) if die["value"] else (230, 0, 230)
        color = color if die["state"] == "flat" else (0, 0, 255)
        corners = np.array(die["upper"]).round().astype(np.int32)
        cv2.polylines(drawn, [corners], True, color, 1, cv2.LINE_AA)
        x0, y0, x1, y1 = (round(each) for each in die["box"])
        cv2.rectangle(drawn, (x0, y0), (x1, y1), (255, 160, 0), 1)
        cv2.putText(drawn, str(die["value"]), (x1 + 1, y0 + 9), 0, 0.45, color, 1, cv2.LINE_AA)
    cv2.putText(drawn, str(facts["number"]), (3, 13), 0, 0.42, (0, 255, 255), 1, cv2.LINE_AA)
    return drawn


def sheet(paths: list[Path], *, columns: int, tile: int, truth: bool, seed: int = 0) -> NDArray[np.uint8]:
    """Scenes side by side, each `tile` pixels wide."""
    tiles = []
    for path in paths:
        image, facts = developed(path, np.random.default_rng([seed, int(path.stem)]))
        image = annotated(image, facts) if truth else image
        if image.shape[1] != tile:
            image = np.asarray(cv2.resize(image, (tile, tile), interpolation=cv2.INTER_AREA), np.uint8)
        tiles.append(image)
    while len(tiles) % columns:
        tiles.append(np.zeros_like(tiles[0]))
    rows = [np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)]
    return np.vstack(rows)


def main(arguments: list[str] | None = None) -> int:
    """Lay scenes side by side; see the top of this file."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.render.pictures", description=main.__doc__
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with the factory's scenes")
    parser.add_argument("--out", type=Path, required=True, help="the picture to write")
    parser.add_argument("--first", type=int, default=0, help="how many scenes to leave out")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--tile", type=int, default=208, help="pixels a side of each")
    parser.add_argument("--quality", type=int, default=82, help="of the JPEG file")
    parser.add_argument("--seed", type=int, default=0, help="of the exposures")
    parser.add_argument("--truth", action="store_true", help="draw what is true of each")
    options = parser.parse_args(arguments)
    paths = scenes_in(options.data)[options.first : options.first + options.count]
    if not paths:
        parser.error(f"{options.data} holds no finished scene from number {options.first} on")
    whole = sheet(paths, columns=options.columns, tile=options.tile, truth=options.truth, seed=options.seed)
    cv2.imwrite(str(options.out), whole, [cv2.IMWRITE_JPEG_QUALITY, options.quality])
    return 0


if __name__ == "__main__":
    sys.exit(main())
