"""Makes the training samples: scenes for the detector and crops for the reader, in numbered shards.

    python -m models.training.dataset --photos DIR --rendered DIR --out DIR --shards 40 --processes 2

A shard is made from its number alone, so a stopped run goes on where it was and any shard can be made again. They lie
outside the project. Layout of one shard, all `.npy`: `scenes` (n, 320, 320, 3) uint8, `dice` (m, 6) float32, columns
scene, value, x, y, size, exact; `crops` (k, 64, 64, 3) uint8, `labels` (k,) uint8: 0 to 5 for the values 1 to 6, 6 for
what is no readable die or no die in the middle of the crop, 7 for a cocked die.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from pathlib import Path

import cv2
import numpy as np

from models.training import photos as of
from models.training.degrade import degrade
from models.training.paint import Image
from models.training.photos import Die, Photo, held_out, levels_of, load_photos
from models.training.render.pictures import developed, dice_of, scenes_in
from models.training.scenes import bare_ground, painted_scene, pasted_scene, photo_scene
from vision.detector import Detector
from vision.halves import Halves
from vision.reader import MARGIN
from vision.roll import COCKED, NOTHING

SCENE = 320
SCENES_A_SHARD = 500
WEIGHTS = {
    "nell": 1.0,
    "matteop65": 0.45,
    "pxl": 1.5,
    "round": 0.8,
    "epanemu": 1.0,
    "chaseelliottpatterson": 0.9,
}
RENDERED_A_SHARD = 120
"""Rendered scenes from which a shard draws; each shard develops its own anew."""


def label_of(die: Die) -> int:
    """What the reader should say of a die: index into its classes."""
    if die.value == of.COCKED:
        return COCKED
    return die.value - 1 if die.value else NOTHING


def _fitting(rng: np.random.Generator, die: Die) -> tuple[float, float, float]:
    """Middle and side of a crop that a good detection could ask for."""
    size = die.size * float(np.exp(rng.normal(0, 0.12)))
    spread = 0.07 if die.exact else 0.1
    shift = np.clip(rng.normal(0, spread, 2), -0.2, 0.2) * die.size
    return die.x + float(shift[0]), die.y + float(shift[1]), size * MARGIN


def _misfitting(
    rng: np.random.Generator, dice: list[Die], width: int, height: int
) -> tuple[float, float, float] | None:
    """Middle and side of a crop that shows no die as it should: beside one, between two, a part, far too large."""
    kind = rng.random()
    if not dice or kind < 0.2:
        x, y = float(rng.uniform(0, width)), float(rng.uniform(0, height))
        size = dice[0].size if dice else min(width, height) * 0.2
        size *= float(np.exp(rng.normal(0, 0.5)))
    else:
        die = dice[int(rng.integers(len(dice)))]
        if kind < 0.5:  # beside the middle
            angle, reach = rng.uniform(0, 6.283), rng.uniform(0.5, 1.1) * die.size
            x, y = die.x + float(np.cos(angle) * reach), die.y + float(np.sin(angle) * reach)
            size = die.size * float(np.exp(rng.normal(0, 0.25)))
        elif kind < 0.72:  # a part, such as one pip
            x, y = (
                die.x + float(rng.normal(0, 0.25)) * die.size,
                die.y + float(rng.normal(0, 0.25)) * die.size,
            )
            size = die.size * float(rng.uniform(0.14, 0.42))
        elif kind < 0.84:  # far too large
            x, y = die.x + float(rng.normal(0, 0.5)) * die.size, die.y + float(rng.normal(0, 0.5)) * die.size
            size = die.size * float(rng.uniform(2.3, 5))
        else:  # between two
            other = min(
                (d for d in dice if d is not die),
                key=lambda d: (d.x - die.x) ** 2 + (d.y - die.y) ** 2,
                default=None,
            )
            if other is None or np.hypot(other.x - die.x, other.y - die.y) > 2.2 * die.size:
                return None
            x, y, size = (die.x + other.x) / 2, (die.y + other.y) / 2, die.size * float(rng.uniform(1.0, 2.0))
    for die in dice:
        near = np.hypot(die.x - x, die.y - y) < 0.42 * die.size
        alike = 0.55 < size / die.size < 2.1
        if (near and alike) or (not die.exact and np.hypot(die.x - x, die.y - y) < 0.6 * die.size):
            return None
    return x, y, size * MARGIN


def _crops_of(
    rng: np.random.Generator, image: Image, dice: list[Die], good: int, bad: int, spoil: float
) -> list[tuple[Image, int]]:
    """Crops of one picture with their labels."""
    fill = tuple(float(v) for v in rng.uniform(0, 255, 3))
    halves = Halves(image)
    out: list[tuple[Image, int]] = []
    inside = [d for d in dice if 0 < d.x < image.shape[1] and 0 < d.y < image.shape[0]]
    rng.shuffle(inside)  # type: ignore[arg-type]
    for die in inside[:good]:
        x, y, side = _fitting(rng, die)
        angle = rng.uniform(0, 6.283) if die.turnable else rng.normal(0, 0.15)
        crop = halves.crop(x, y, side, math.degrees(angle), fill)
        out.append((crop, label_of(die)))
    for _ in range(bad):
        place = _misfitting(rng, dice, image.shape[1], image.shape[0])
        if place:
            out.append((halves.crop(*place, math.degrees(rng.uniform(0, 6.283)), fill), NOTHING))
    return [(degrade(crop, rng, spoil) if spoil else crop, label) for crop, label in out]


def _mistaken(
    rng: np.random.Generator, detector: Detector, image: Image, dice: list[Die], most: int
) -> list[tuple[Image, int]]:
    """Crops of what the detector takes for dice in a scene and is none."""
    halves = Halves(image)
    rows = detector.level(halves, 1.0)
    rng.shuffle(rows)
    out = []
    for x, y, size, _ in rows:
        far = [float(np.hypot(d.x - x, d.y - y)) / d.size for d in dice]
        ratio = [float(size) / d.size for d in dice]
        if all(f > 0.45 or not 0.5 < r < 2.1 for f, r in zip(far, ratio, strict=True)) and len(out) < most:
            place = (float(x), float(y), float(size) * MARGIN * float(rng.uniform(0.85, 1.15)))
            fill = tuple(float(v) for v in image.mean((0, 1)))
            out.append((halves.crop(*place, math.degrees(rng.normal(0, 0.3)), fill), NOTHING))
    return out


def _developed(rng: np.random.Generator, rendered: list[Path]) -> list[Photo]:
    """A handful of the rendered scenes, each with an exposure of its own."""
    if not rendered:
        return []
    chosen = rng.choice(len(rendered), min(RENDERED_A_SHARD, len(rendered)), replace=False)
    prints = []
    for index in chosen:
        image, facts = developed(rendered[int(index)], rng)
        name = rendered[int(index)].stem
        prints.append(Photo(name, "rendered", name, dice_of(facts), levels_of(image)))
    return prints


def _pick(rng: np.random.Generator, photos: list[Photo], crops: bool) -> Photo:
    by = [p for p in photos if crops or p.source != "chaseelliottpatterson"]
    if not hasattr(_pick, "cache"):
        _pick.cache = {}  # type: ignore[attr-defined]
    cache = _pick.cache  # type: ignore[attr-defined]
    key = (id(photos), crops)
    if key not in cache:
        weight = np.array([WEIGHTS.get(p.source, 1.0) * (len(p.dice) ** 0.5 if crops else 1) for p in by])
        cache[key] = weight / weight.sum()
    return by[int(rng.choice(len(by), p=cache[key]))]


def make_shard(
    number: int,
    photos: list[Photo],
    rendered: list[Path],
    out: Path,
    scenes: int,
    detector: Detector | None,
) -> None:
    """Makes shard `number` unless it is there."""
    done = out / f"{number:05d}.labels.npy"
    if done.exists():
        return
    rng = np.random.default_rng([421, number])
    small = [p for p in photos if p.source == "chaseelliottpatterson"]
    prints = _developed(rng, rendered)
    pictures, table, crops = [], [], []
    for index in range(scenes):
        u = rng.random()
        if u < 0.5:
            real = not prints or rng.random() < 0.6
            photo = _pick(rng, photos, crops=False) if real else prints[int(rng.integers(len(prints)))]
            image, dice = photo_scene(rng, photo, SCENE, (15, 105))
            if not real:
                crops += _crops_of(rng, photo.image, photo.dice, 4, 2, 0.5)
                leaning = [die for die in photo.dice if die.value == of.COCKED]
                crops += _crops_of(rng, photo.image, leaning, 2, 0, 0.5)  # they are few
        elif u < 0.54 and small:
            image, dice = pasted_scene(rng, small, SCENE)
        else:
            ground = bare_ground(rng, _pick(rng, photos, crops=False), SCENE) if rng.random() < 0.35 else None
            image, dice = painted_scene(rng, SCENE, (7.5, 62), ground)
            crops += _crops_of(rng, image, [d for d in dice if d.size > 15], 6, 4, 0)
        if detector is not None and (u >= 0.54 or rng.random() < 0.5):
            crops += _mistaken(rng, detector, image, dice, 3)
        pictures.append(image)
        table += [(index, d.value, d.x, d.y, d.size, d.exact) for d in dice]
        for _ in range(2):
            photo = _pick(rng, photos, crops=True)
            crops += _crops_of(rng, photo.image, photo.dice, 3, 1, 0.8)
    np.save(out / f"{number:05d}.scenes.npy", np.stack(pictures))
    np.save(out / f"{number:05d}.dice.npy", np.array(table, np.float32).reshape(-1, 6))
    np.save(out / f"{number:05d}.crops.npy", np.stack([crop for crop, _ in crops]))
    np.save(done.with_suffix(".tmp.npy"), np.array([l for _, l in crops], np.uint8))
    done.with_suffix(".tmp.npy").replace(done)


def _worker(numbers: list[int], args: argparse.Namespace) -> None:
    cv2.setNumThreads(1)
    photos = [
        p for p in load_photos(args.photos, args.boxes) if held_out(p.group, p.source) == args.validation
    ]
    detector = Detector(args.models, threads=1) if args.models else None
    rendered = [
        path
        for path in (scenes_in(args.rendered) if args.rendered else [])
        if held_out(path.stem, "rendered") == args.validation
    ]
    for number in numbers:
        start = time.time()
        make_shard(number, photos, rendered, args.out, args.scenes, detector)
        print(f"shard {number}: {time.time() - start:.0f} s", flush=True)


def main() -> None:
    """Makes the shards asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True, help="folder with truth.jsonl")
    parser.add_argument(
        "--rendered", type=Path, help="folder of scenes made by models.training.render.factory"
    )
    parser.add_argument("--boxes", type=Path, help="JSON file of better boxes, made by `relabel`")
    parser.add_argument(
        "--models", type=Path, help="networks whose mistakes become examples of what is no die"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--scenes", type=int, default=SCENES_A_SHARD, help="scenes in a shard")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--validation", action="store_true", help="use the held-out groups")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    numbers = list(range(args.first, args.first + args.shards))
    parts = [numbers[i :: args.processes] for i in range(args.processes)]
    processes = [multiprocessing.Process(target=_worker, args=(part, args)) for part in parts]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise SystemExit("a worker stopped early; run the same command again to go on")


if __name__ == "__main__":
    main()
