"""Is it a die, and is the picture read beyond doubt? A small logistic model decides, fitted on readings with truth.

Findings that overlap compete: the one that is most probably a well-framed die stays, the others go with it. No rule
about sizes or containment decides; the reader's word on each framing does.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models import ModelFileError, load_file
from vision.detector import Candidates
from vision.errors import ModelError
from vision.roll import NOTHING
from vision.session import Floats

FEATURES = ("best", "mean", "none", "none_worst", "top", "second", "spread", "likeness")
"""What the judgement of one finding is based on; see `features`."""
WHOLE = ("least", "product", "doubt", "rival", "unexplained", "near", "cut", "count")
"""What the judgement of a whole picture is based on; see `whole_features`."""
OVERLAP = 0.5
"""Two findings compete when their middles are nearer than this share of the larger one's size."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Weights of the judgement of one way of looking at a picture.

    `die` gives the probability that a finding is a die read right from its features (`die[0]` is the constant); from
    `keep` on a finding is reported. `all` gives the probability that the whole picture is read right from its
    features; from `sure` on nobody needs to be asked.
    """

    die: tuple[float, ...]
    keep: float
    all: tuple[float, ...]
    sure: float

    def probability(self, columns: Floats) -> Floats:
        """Probability for each row of `columns` (n, features)."""
        return logistic(columns, np.array(self.die, np.float32))

    def confidence(self, row: Floats) -> float:
        """Probability that a picture is read right; `row` (whole features,)."""
        return float(logistic(row[None], np.array(self.all, np.float32))[0])


@dataclass(frozen=True, slots=True)
class Judges:
    """The judgement of a glance and that of a thorough look."""

    glance: Judge
    thorough: Judge


def logistic(columns: Floats, weights: Floats) -> Floats:
    """Probability for each row of `columns` (n, features) by `weights` (features + 1,), the constant first."""
    z = np.clip(columns @ weights[1:] + weights[0], -30, 30)
    return np.asarray(1 / (1 + np.exp(-z)), np.float32)


def load_judge(folder: Path | None = None) -> Judges:
    """Loads `judge.json`. Raises ModelError when it is missing, damaged, or for other features."""
    try:
        content = json.loads(load_file("judge.json", folder))
        if tuple(content["features"]) != FEATURES or tuple(content["whole"]) != WHOLE:
            raise ModelError("judge.json was fitted for other features than this program computes.")
        return Judges(_judge(content["glance"]), _judge(content["thorough"]))
    except ModelFileError as error:
        raise ModelError(str(error)) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"judge.json cannot be read as weights ({error}).") from None


def _judge(content: dict[str, Any]) -> Judge:
    die, whole = (tuple(float(w) for w in content[name]) for name in ("die", "all"))
    if len(die) != len(FEATURES) + 1 or len(whole) != len(WHOLE) + 1:
        raise ModelError(f"judge.json has {len(die)} and {len(whole)} weights where {len(FEATURES) + 1} and "
                         f"{len(WHOLE) + 1} are due.")  # fmt: skip
    judge = Judge(die, float(content["keep"]), whole, float(content["sure"]))
    if not (0 < judge.keep < 1 and 0 < judge.sure < 1 and all(map(math.isfinite, die + whole))):
        raise ModelError("judge.json is not sound: its thresholds must lie between 0 and 1.")
    return judge


def combine(views: Floats) -> Floats:
    """Probabilities (n, 8) of the mean log-probability over the views (n, views, 8)."""
    mean = views.mean(1)
    mean = np.exp(mean - mean.max(1, keepdims=True))
    return np.asarray(mean / mean.sum(1, keepdims=True), np.float32)


def features(candidates: Candidates, views: Floats) -> Floats:
    """Features (n, 8) of findings.

    Logits of: the detector's best and mean score; "a die" by the reader over all views, and in the worst view; the
    likeliest value against all else, and how far the second value lies behind; the share of views that disagree; and
    how alike this finding's size is to the other likely dice of the picture.
    """
    count = len(candidates)
    if count == 0:
        return np.zeros((0, len(FEATURES)), np.float32)
    together = combine(views)
    single = np.exp(views)
    values = together[:, :6]
    ordered = np.sort(values, axis=1)
    disagree = (single[:, :, :6].argmax(2) != values.argmax(1)[:, None]).mean(1)
    die = 1 - together[:, NOTHING]
    weight = die * candidates.best
    sizes = np.log(np.maximum(candidates.sizes, 1))
    apart = np.abs(sizes[:, None] - sizes[None])
    others = weight[None] * (1 - np.eye(count, dtype=np.float32))
    likeness = (others * apart).sum(1) / np.maximum(others.sum(1), 1e-3)
    return np.stack(
        [
            logit(candidates.best),
            logit(candidates.mean),
            logit(die),
            logit(1 - single[:, :, NOTHING].max(1)),
            logit(ordered[:, 5]),
            np.log(np.maximum(ordered[:, 5], 1e-5)) - np.log(np.maximum(ordered[:, 4], 1e-5)),
            disagree,
            np.minimum(likeness, 1.5),
        ],
        1,
    ).astype(np.float32)


def logit(p: Floats) -> Floats:
    """Log-odds, within plus or minus 9.2."""
    q = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(q / (1 - q)), np.float32)


def compete(centers: Floats, sizes: Floats, probability: Floats) -> list[int]:
    """Indices of the findings that stay, most probable first."""
    stay: list[int] = []
    for index in np.argsort(-probability, kind="stable").tolist():
        x, y = centers[index]
        size = sizes[index]
        if all(
            np.hypot(centers[other, 0] - x, centers[other, 1] - y) >= OVERLAP * max(size, sizes[other])
            for other in stay
        ):
            stay.append(index)
    return stay


def unexplained(candidates: Candidates, kept: list[int]) -> float:
    """The detector's best score for a finding that none of the `kept` ones explains, 0 to 1.

    A kept finding explains those of its place, and those of nearly its place and size. Two dice that touch are often
    also found as one large thing: where only one of them was kept, that large thing stays unexplained.
    """
    most = 0.0
    own = set(kept)
    for index in range(candidates.found):
        if index in own or candidates.best[index] <= most:
            continue
        x, y = candidates.centers[index]
        size = candidates.sizes[index]
        if not any(_explains(candidates, k, float(x), float(y), float(size)) for k in kept):
            most = float(candidates.best[index])
    return most


def _explains(candidates: Candidates, kept: int, x: float, y: float, size: float) -> bool:
    own = float(candidates.sizes[kept])
    far = float(np.hypot(candidates.centers[kept, 0] - x, candidates.centers[kept, 1] - y)) / own
    return far < 0.12 or (far < 0.35 and abs(math.log(size / own)) < 0.3)


def most_left_out(probability: Floats, stay: list[int], kept: list[int]) -> float:
    """The probability of the most probable finding among those that `stay` that was not kept; 0 where there is none."""
    own = set(kept)
    return max((float(probability[index]) for index in stay if index not in own), default=0.0)


def strongest_rival(
    candidates: Candidates, probability: Floats, values: NDArray[np.int64], stay: list[int], kept: list[int]
) -> float:
    """The probability of the most probable finding that gave way to a kept die and shows another value than that does;
    0 where there is none.

    It may be another reading of the same die, or one of two dice of which one hides a part of the other.
    """
    remaining, most = set(stay), 0.0
    for index in np.argsort(-probability, kind="stable").tolist():
        p = float(probability[index])
        if p <= most:
            break
        if index in remaining:
            continue
        x, y = candidates.centers[index]
        for other in kept:
            reach = OVERLAP * max(float(candidates.sizes[index]), float(candidates.sizes[other]))
            far = float(np.hypot(candidates.centers[other, 0] - x, candidates.centers[other, 1] - y))
            if far < reach and values[other] != values[index]:
                most = p
                break
    return most


def whole_features(
    candidates: Candidates,
    probability: Floats,
    values: NDArray[np.int64],
    stay: list[int],
    kept: list[int],
    width: int,
    height: int,
) -> Floats:
    """Features (8,) of a picture read as the dice `kept` among those that `stay`; `values` (n,) of all findings.

    Log-odds of the least probable die, and of all of them being right; log-odds of the most probable finding that was
    not kept, and of the strongest rival; the detector's best score for what no kept die explains; by how much the
    nearest two dice are less than a size apart, and how much of a die the picture's edge cuts off, both in sizes; and
    the logarithm of one more than the number of dice.
    """
    p = probability[kept]
    least = float(p.min()) if kept else 0.5
    rest = most_left_out(probability, stay, kept)
    rival = strongest_rival(candidates, probability, values, stay, kept)
    near = cut = 0.0
    for place, index in enumerate(kept):
        x, y = candidates.centers[index]
        size = candidates.sizes[index]
        edge = min(x, y, width - x, height - y)
        cut = max(cut, float(0.5 - edge / size))
        for other in kept[place + 1 :]:
            far = np.hypot(candidates.centers[other, 0] - x, candidates.centers[other, 1] - y)
            near = max(near, float(1 - far / max(size, candidates.sizes[other])))
    row = [
        _log_odds(least),
        _log_odds(float(np.prod(p))) if kept else 0.0,
        _log_odds(rest),
        _log_odds(rival),
        unexplained(candidates, kept),
        max(near, 0.0),
        min(max(cut, 0.0), 0.5),
        math.log(1 + len(kept)),
    ]
    return np.array(row, np.float32)


def _log_odds(p: float) -> float:
    return float(logit(np.array([p], np.float32))[0])
