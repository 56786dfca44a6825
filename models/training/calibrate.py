"""Fits the judgement (`judge.json`): which findings are dice read right, and which pictures need no asking.

    python -m models.training.calibrate --photos DIR --models DIR --out judge.json [--plot FILE.svg]

Only groups of photos held out from training are used, whole and in harder cuts of them, and painted scenes that no
training has seen. Every threshold is chosen on predictions of a fit that knew nothing of that picture's source, since
strangers' pictures are what comes.
"""

from __future__ import annotations

import argparse
import json
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.training.checksums import write_checksums
from models.training.photos import Die, held_out, load_photos
from models.training.reliability import plot
from models.training.render.pictures import developed, dice_of, scenes_in
from models.training.scenes import painted_scene, photo_scene
from vision.detector import quick_scale
from vision.judge import FEATURES, WHOLE, combine, compete, logistic, whole_features
from vision.pipeline import RIVAL, DiceReader, Findings, seen_well

PAINTED_WEIGHT = 0.3
CUTS = 3
"""Harder cuts made of each photo."""


@dataclass
class Sample:
    """One picture's findings beside its truth, once at a glance and once with care."""

    name: str
    source: str
    glance: Findings
    thorough: Findings
    truth: list[Die]
    width: int
    height: int

    @property
    def photo(self) -> bool:
        """Whether it is a photo or a cut of one."""
        return self.source not in ("painted", "rendered")

    @property
    def fair(self) -> bool:
        """Whether the picture may choose a threshold: its truth is known and the edge cuts no die."""
        edge = [min(d.x, d.y, self.width - d.x, self.height - d.y) - d.size / 2 for d in self.truth]
        known = all(1 <= d.value <= 6 for d in self.truth) or not self.photo
        return known and min(edge, default=1.0) >= -0.02 * max(self.width, self.height)


def hit(found: Findings, truth: list[Die]) -> np.ndarray:
    """For each finding: 1 it frames a die and reads it right, 0 it does not, -1 it is left out of the fit.

    Left out are findings that frame a die only roughly, and dice that are not to be read.
    """
    values = combine(found.views)[:, :6].argmax(1) + 1
    out = np.zeros(len(values), int)
    for index, ((x, y), size) in enumerate(
        zip(found.candidates.centers, found.candidates.sizes, strict=True)
    ):
        for die in truth:
            far = np.hypot(die.x - x, die.y - y) / die.size
            ratio = size / die.size
            reach = 0.3 if die.exact else 0.45
            if far < reach and 0.6 < ratio < 1.7:
                out[index] = int(values[index] == die.value)
            elif far < 0.5 and 0.45 < ratio < 2.2 and out[index] == 0:
                out[index] = -1
    return out


def fit(columns: np.ndarray, labels: np.ndarray, weight: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Weights of a logistic model (constant first) by Newton's method, with `ridge` on the standardised weights."""
    centre, spread = columns.mean(0), columns.std(0) + 1e-6
    x = np.concatenate([np.ones((len(columns), 1)), (columns - centre) / spread], 1)
    w = np.zeros(x.shape[1])
    penalty = np.eye(len(w)) * ridge
    penalty[0, 0] = 0
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (weight * (p - labels)) + penalty @ w
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + penalty + 1e-6 * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    slopes = w[1:] / spread
    return np.concatenate([[w[0] - (slopes * centre).sum()], slopes])


def weight_of(sample: Sample) -> float:
    """How much a picture counts in a fit."""
    return 1.0 if sample.photo else PAINTED_WEIGHT


def fit_dice(samples: list[Sample], glance: bool) -> np.ndarray:
    """Weights by which a finding is judged."""
    columns, labels, weight = [], [], []
    for sample in samples:
        found = sample.glance if glance else sample.thorough
        marks = hit(found, sample.truth)
        used = marks >= 0
        columns.append(found.columns[used])
        labels.append(marks[used])
        weight.append(np.full(int(used.sum()), weight_of(sample)))
    if not labels or len(set(np.concatenate(labels).tolist())) < 2:
        raise SystemExit(
            "these networks find no dice, or nothing else, in the photos: there is nothing to fit"
        )
    return fit(np.concatenate(columns), np.concatenate(labels), np.concatenate(weight))


@dataclass
class Outcome:
    """What is read of a picture by certain weights: whether all of it is right, its row of features, and whether it was
    seen well enough to be accepted at all."""

    exact: bool
    row: np.ndarray
    well: bool


def outcome(sample: Sample, weights: np.ndarray, keep: float, glance: bool) -> Outcome:
    """Reads a picture from its findings."""
    found = sample.glance if glance else sample.thorough
    candidates = found.candidates
    p = logistic(found.columns, weights)
    stay = compete(candidates.centers, candidates.sizes, p)
    values = combine(found.views)[:, :6].argmax(1) + 1 if len(p) else np.zeros(0, int)
    kept = [i for i in stay if p[i] >= keep]
    have = sorted(int(values[i]) for i in kept)
    want = sorted(d.value for d in sample.truth if 1 <= d.value <= 6)
    row = whole_features(candidates, p, values, stay, kept, sample.width, sample.height)
    well = all(index < candidates.found for index in kept) and row[WHOLE.index("rival")] <= RIVAL
    if glance:
        scale = quick_scale(sample.width, sample.height)
        well = well and bool(kept) and seen_well(candidates.sizes[kept].tolist(), scale)
    return Outcome(have == want, row, well)


def collect(args: argparse.Namespace) -> list[Sample]:
    """Runs both networks on all calibration pictures."""
    reader = DiceReader(args.models, threads=args.threads)
    samples = []

    def take(name: str, source: str, image: np.ndarray, dice: list[Die]) -> None:
        height, width = image.shape[:2]
        found = reader.find(image, glance=True), reader.find(image)
        samples.append(Sample(name, source, *found, dice, width, height))

    rng = np.random.default_rng([7, 421])
    for photo in load_photos(args.photos, args.boxes):
        if photo.source == "chaseelliottpatterson" or not held_out(photo.group, photo.source):
            continue
        take(photo.name, photo.source, photo.image, photo.dice)
        for index in range(CUTS):
            image, dice = photo_scene(rng, photo, int(rng.choice([480, 640, 800])), (22, 110))
            if dice:
                take(f"{photo.name} cut {index}", photo.source, image, dice)
    for path in scenes_in(args.rendered) if args.rendered else ():
        if held_out(path.stem, "rendered"):
            image, facts = developed(path, np.random.default_rng([7, int(path.stem)]))
            take(f"rendered {path.stem}", "rendered", image, dice_of(facts))
    for index in range(args.painted):
        size = int(rng.choice([480, 640, 800]))
        image, dice = painted_scene(rng, size, (14, size / 7))
        inside = [
            d
            for d in dice
            if 0.3 * d.size < d.x < size - 0.3 * d.size and 0.3 * d.size < d.y < size - 0.3 * d.size
        ]
        if len(inside) == len(dice):
            take(f"painted {index}", "painted", image, dice)
    return samples


def judge(samples: list[Sample], silent: float, glance: bool) -> tuple[dict[str, Any], np.ndarray]:
    """The judgement of one way of looking, and predictions (n, 3) of pictures by fits that did not know their source:
    probability of being right, whether it was, and 1 for a photo, 0 for a painted one."""
    weights = fit_dice(samples, glance)
    grid = np.arange(0.2, 0.75, 0.05)
    keep = float(round(max(grid, key=lambda k: sum(weight_of(s) * outcome(s, weights, k, glance).exact
                                                   for s in samples)), 3))  # fmt: skip
    rows = []
    for source in sorted({s.source for s in samples}):
        others = [s for s in samples if s.source != source]
        blind = fit_dice(others, glance)
        whole = fit_whole(others, blind, keep, glance)
        for sample in samples:
            if sample.source == source and sample.fair:
                seen = outcome(sample, blind, keep, glance)
                if seen.well:
                    p = float(logistic(seen.row[None], whole)[0])
                    rows.append((p, seen.exact, sample.photo))
    if not rows:
        raise SystemExit(
            "no photo was left to choose a threshold on: more photos with all their truth are needed"
        )
    table = np.array(rows, float)
    sure = choose(table, silent)
    whole = fit_whole(samples, weights, keep, glance)
    real = table[table[:, 2] == 1]
    accepted = real[:, 0] >= sure
    name = "glance" if glance else "thorough"
    print(f"{name}: keep {keep:.2f} sure {sure:.4f}; photos exact {real[:, 1].mean():.4f} of {len(real)}, "
          f"{accepted.mean():.3f} accepted, {(1 - real[accepted, 1]).mean():.4f} of them wrong; painted "
          f"{table[table[:, 2] == 0, 1].mean():.4f} exact")  # fmt: skip
    print("  die", dict(zip(("constant", *FEATURES), np.round(weights, 3).tolist(), strict=True)))
    print("  all", dict(zip(("constant", *WHOLE), np.round(whole, 3).tolist(), strict=True)))
    content = {"die": [round(float(v), 5) for v in weights], "keep": keep,
               "all": [round(float(v), 5) for v in whole], "sure": sure}  # fmt: skip
    return content, table


def fit_whole(samples: list[Sample], weights: np.ndarray, keep: float, glance: bool) -> np.ndarray:
    """Weights by which a whole picture is judged."""
    fair = [s for s in samples if s.fair]
    seen = [outcome(s, weights, keep, glance) for s in fair]
    weight = np.array([weight_of(s) for s in fair])
    return fit(np.stack([o.row for o in seen]), np.array([o.exact for o in seen], float), weight)


def choose(table: np.ndarray, silent: float) -> float:
    """The least threshold from which on at most `silent` of the photos accepted are wrong.

    `table` (n, 3): probability, exact, photo. Painted scenes are made to be harder than any table and choose nothing.
    """
    real = table[table[:, 2] == 1]
    for sure in 1 - np.exp(np.linspace(np.log(0.3), np.log(0.0005), 200)):
        accepted = real[:, 0] >= sure
        if (1 - real[accepted, 1]).sum() <= silent * accepted.sum():
            return float(round(sure, 5))
    return 0.9995


def main() -> None:
    """Fits and writes the judgement, and prints what it does on the calibration pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--boxes", type=Path)
    parser.add_argument("--rendered", type=Path, help="folder of rendered scenes")
    parser.add_argument("--models", type=Path, help="folder of the networks (default: the shipped ones)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--painted", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--silent", type=float, default=0.004, help="share of sure pictures that may be wrong"
    )
    parser.add_argument("--plot", type=Path, help="draw the reliability of the probabilities here (SVG)")
    parser.add_argument("--cache", type=Path, help="keep the findings here")
    args = parser.parse_args()
    if args.cache and args.cache.exists():
        samples = pickle.loads(args.cache.read_bytes())
    else:
        samples = collect(args)
        if args.cache:
            args.cache.write_bytes(pickle.dumps(samples))
    glance, _ = judge(samples, args.silent, glance=True)
    thorough, table = judge(samples, args.silent, glance=False)
    content = {"features": list(FEATURES), "whole": list(WHOLE), "glance": glance, "thorough": thorough}
    args.out.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    if (args.out.parent / "checksums.json").exists():
        write_checksums(args.out.parent)
    if args.plot:
        args.plot.write_text(plot(table), "utf-8")


if __name__ == "__main__":
    main()
