"""Fits the judgement (`judge.json`): which findings are dice read right, and from which probability on nobody is asked.

    python -m models.training.calibrate --photos DIR --models DIR --out judge.json [--all]

Only groups held out from training are used unless `--all` is given; painted scenes that no training has seen are added.
The thresholds are chosen on these pictures alone.
"""

from __future__ import annotations

import argparse
import json
import pickle
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.training.export import write_checksums
from models.training.photos import Die, held_out, load_photos
from models.training.scenes import painted_scene
from vision.judge import FEATURES, combine, compete, logistic, unexplained
from vision.pipeline import DiceReader, Findings


@dataclass
class Sample:
    """One picture's findings beside its truth."""

    name: str
    source: str
    found: Findings
    truth: list[Die]
    width: int
    height: int

    @property
    def cut(self) -> bool:
        """Whether the picture's edge cuts a die: nobody can ask for it to be read, so it chooses no threshold."""
        edge = [min(d.x, d.y, self.width - d.x, self.height - d.y) - d.size / 2 for d in self.truth]
        return min(edge, default=1.0) < 0.02 * max(self.width, self.height)


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


def outcome(sample: Sample, weights: np.ndarray, keep: float) -> tuple[bool, float, float, float]:
    """Whether all is read right; the least probability of a reported die; the most of an unreported finding;
    the detector's score of what no reported die explains."""
    p = logistic(sample.found.columns, weights)
    stay = compete(sample.found.candidates.centers, sample.found.candidates.sizes, p)
    values = combine(sample.found.views)[:, :6].argmax(1) + 1 if len(p) else np.zeros(0, int)
    kept = [i for i in stay if p[i] >= keep]
    have = sorted(int(values[i]) for i in kept)
    want = sorted(d.value for d in sample.truth if d.value)
    least = min((float(p[i]) for i in kept), default=0.0)
    doubt = max((float(p[i]) for i in stay if p[i] < keep), default=0.0)
    return have == want, least, doubt, unexplained(sample.found.candidates, kept)


def collect(args: argparse.Namespace) -> list[Sample]:
    """Runs detector and reader on all calibration pictures."""
    reader = DiceReader(args.models, threads=args.threads)
    samples = []
    for photo in load_photos(args.photos, args.boxes):
        if photo.source == "chaseelliottpatterson" or not (args.all or held_out(photo.group, photo.source)):
            continue
        height, width = photo.image.shape[:2]
        samples.append(Sample(photo.name, photo.source, reader.find(photo.image), photo.dice, width, height))
    rng = np.random.default_rng([7, 421])
    for index in range(args.painted):
        size = int(rng.choice([480, 640, 800]))
        image, dice = painted_scene(rng, size, (14, size / 7))
        inside = [
            d
            for d in dice
            if 0.3 * d.size < d.x < size - 0.3 * d.size and 0.3 * d.size < d.y < size - 0.3 * d.size
        ]
        if len(inside) == len(dice):
            samples.append(Sample(f"painted {index}", "painted", reader.find(image), dice, size, size))
    return samples


def main() -> None:
    """Fits and writes the judgement, and prints what it does on the calibration pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--boxes", type=Path)
    parser.add_argument("--models", type=Path, help="folder of the networks (default: the shipped ones)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--painted", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--silent", type=float, default=0.004, help="share of sure pictures that may be wrong"
    )
    parser.add_argument("--cache", type=Path, help="keep the findings here")
    args = parser.parse_args()
    if args.cache and args.cache.exists():
        samples = pickle.loads(args.cache.read_bytes())
    else:
        samples = collect(args)
        if args.cache:
            args.cache.write_bytes(pickle.dumps(samples))
    columns, labels, weight = [], [], []
    for sample in samples:
        marks = hit(sample.found, sample.truth)
        used = marks >= 0
        columns.append(sample.found.columns[used])
        labels.append(marks[used])
        weight.append(np.full(int(used.sum()), 0.35 if sample.source == "painted" else 1.0))
    x, y, w = np.concatenate(columns), np.concatenate(labels), np.concatenate(weight)
    weights = fit(x, y, w)
    print(f"{len(samples)} pictures, {len(y)} findings, {int(y.sum())} right")
    print("weights", dict(zip(("constant", *FEATURES), np.round(weights, 3).tolist(), strict=True)))
    best = max(np.arange(0.2, 0.75, 0.05), key=lambda k: sum(outcome(s, weights, k)[0] for s in samples))
    keep = float(round(best, 3))
    whole = [s for s in samples if not s.cut]
    table = np.array([(*outcome(s, weights, keep), s.source == "painted") for s in whole], float)
    for real, name in ((0, "photos"), (1, "painted")):
        part = table[table[:, 4] == real]
        print(f"{name}: exact {part[:, 0].mean():.4f} of {len(part)}")
    table = table[table[:, 4] == 0]  # painted scenes are made to be harder than any table
    sure, doubt = choose(table, args.silent, keep)
    accepted = (table[:, 1] >= sure) & (table[:, 2] < doubt)
    # The lowest score that costs at most one in twenty of the accepted.
    strong = float(round(np.quantile(table[accepted, 3], 0.95), 3)) if accepted.any() else 0.8
    accepted &= table[:, 3] <= strong
    print(f"keep {keep:.2f} sure {sure:.4f} doubt {doubt:.3f} strong {strong:.2f}: {accepted.mean():.3f} accepted, "
          f"{(1 - table[accepted, 0]).mean():.4f} of them wrong")  # fmt: skip
    content = {"features": list(FEATURES), "die": [round(float(v), 5) for v in weights], "keep": keep, "sure": sure,
               "doubt": doubt, "strong": strong}  # fmt: skip
    args.out.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    if (args.out.parent / "checksums.json").exists():
        write_checksums(args.out.parent)


def choose(table: np.ndarray, silent: float, keep: float) -> tuple[float, float]:
    """Thresholds (sure, doubt) that accept most pictures while at most `silent` of the accepted are wrong.

    `table` (n, 3+): exact, least probability of a die, most of an unreported finding.
    """
    best = (0, 0.999, keep / 4)
    for doubt in (keep / 8, keep / 4, keep / 2, keep * 0.7):
        for sure in 1 - np.exp(np.linspace(np.log(0.2), np.log(0.0005), 60)):
            accepted = (table[:, 1] >= sure) & (table[:, 2] < doubt)
            wrong = int((table[accepted, 0] == 0).sum())
            if wrong <= silent * accepted.sum() and accepted.sum() > best[0]:
                best = (int(accepted.sum()), float(round(sure, 5)), float(round(doubt, 4)))
    return best[1], best[2]


if __name__ == "__main__":
    main()
