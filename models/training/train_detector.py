"""Trains the detector on scenes.

    python -m models.training.train_detector --data DIR... --valid DIR --out DIR --scenes 120000

Saves `detector.pt` as it goes and resumes from it; `--start FILE` begins from other weights.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.loop import arguments, train
from models.training.nets import Detector
from models.training.shards import scene_batches, shard_numbers, to_tensor
from vision.detector import LARGEST, REFERENCE, SMALLEST

BATCH = 16


def targets(dice: list[np.ndarray], cells: int, stride: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What the detector should say.

    Returns the score (n, cells, cells), its weight, the regression targets (n, 3, cells, cells) and their weight. The
    score is 1 at a die's middle and falls off as a Gaussian; cells near dice smaller than
    SMALLEST or larger than LARGEST pixels weigh nothing.
    """
    n = len(dice)
    score = np.zeros((n, cells, cells), np.float32)
    weight = np.ones_like(score)
    values = np.zeros((n, 3, cells, cells), np.float32)
    near = np.zeros_like(score)
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32) + 0.5
    for k, table in enumerate(dice):
        for value, dx, dy, size, exact in table:
            cx, cy, s = dx / stride, dy / stride, size / stride
            distance = np.hypot(x - cx, y - cy)
            if value == 0:  # blank, symbol or numeral: for the reader to decide
                weight[k][distance < 0.4 * s] = 0
                continue
            if size < SMALLEST * 0.75 or size > LARGEST * 1.5:
                if size < SMALLEST:
                    weight[k][distance < 0.7 * s + 0.7] = 0
                continue
            if not SMALLEST <= size <= LARGEST:
                weight[k][distance < 0.55 * s] = 0
                continue
            sigma = max(0.13 * s, 0.45)
            bump = np.exp(-(distance**2) / (2 * sigma**2))
            if not exact:
                weight[k][(distance < 0.35 * s) & (bump < 0.6)] = 0
            centre = np.unravel_index(int(distance.argmin()), distance.shape)
            if distance[centre] < 0.9:
                bump[centre] = 1.0
                weight[k][centre] = 1.0
            score[k] = np.maximum(score[k], bump)
            own = (distance < max(0.22 * s, 0.9)) & (bump >= near[k])
            near[k][own] = bump[own]
            values[k, 0][own] = (cx - x)[own]
            values[k, 1][own] = (cy - y)[own]
            values[k, 2][own] = math.log(size / REFERENCE)
            if not exact:
                near[k][own] = 0.0
    return torch.from_numpy(score), torch.from_numpy(weight), torch.from_numpy(values), torch.from_numpy(near)


def loss_of(out: Tensor, dice: list[np.ndarray]) -> Tensor:
    """Focal loss of the score plus smooth L1 of middle and size; out (n, 4, cells, cells)."""
    score, weight, values, near = targets(dice, out.shape[2], Detector.stride)
    logit = out[:, 0]
    probability = torch.sigmoid(logit)
    peak = score >= 1.0
    positive = -F.logsigmoid(logit) * (1 - probability) ** 2 * peak
    negative = -F.logsigmoid(-logit) * probability**2 * (1 - score) ** 4 * (~peak)
    count = peak.sum().clamp(min=1)
    focal = ((positive + negative) * weight).sum() / count
    away = F.smooth_l1_loss(out[:, 1:], values, reduction="none", beta=0.1).sum(1)
    return focal + 0.6 * (away * near).sum() / near.sum().clamp(min=1)


@torch.no_grad()
def measure(net: nn.Module, folder: Path, limit: int = 1, threshold: float = 0.3) -> dict[str, float]:
    """Share of dice found, false alarms per die, and the median size error, on the scenes of `folder`."""
    net.eval()
    found = wanted = false = 0
    errors: list[float] = []
    for name in shard_numbers(folder)[:limit]:
        scenes, table = np.load(folder / f"{name}.scenes.npy"), np.load(folder / f"{name}.dice.npy")
        for i in range(0, len(scenes), 16):
            out = net(to_tensor(scenes[i : i + 16]))
            p = torch.sigmoid(out[:, 0])
            peaks = (p == F.max_pool2d(p[:, None], 3, 1, 1)[:, 0]) & (p > threshold)
            for k in range(len(out)):
                dice = table[table[:, 0] == i + k]
                inside = (dice[:, 2] > 4) & (dice[:, 2] < 316) & (dice[:, 3] > 4) & (dice[:, 3] < 316)
                sized = (dice[:, 4] > 18) & (dice[:, 4] < 76) & (dice[:, 1] > 0)
                matched = np.zeros(len(dice), bool)
                for cy, cx in peaks[k].nonzero().tolist():
                    x, y = (
                        (cx + 0.5 + float(out[k, 1, cy, cx])) * 8,
                        (cy + 0.5 + float(out[k, 2, cy, cx])) * 8,
                    )
                    far = np.hypot(dice[:, 2] - x, dice[:, 3] - y) / np.maximum(dice[:, 4], 1)
                    if len(far) and far.min() < 0.4:
                        matched[far.argmin()] = True
                        errors.append(
                            abs(float(out[k, 3, cy, cx]) - math.log(dice[far.argmin(), 4] / REFERENCE))
                        )
                    else:
                        false += 1
                found += int((matched & inside & sized).sum())
                wanted += int((inside & sized).sum())
    net.train()
    return {
        "found": found / max(wanted, 1),
        "false": false / max(wanted, 1),
        "size": float(np.median(errors or [9])),
    }


def main() -> None:
    """Trains until the asked number of scenes has been seen."""
    args = arguments(__doc__ or "", "detector", "scenes", 120_000, 250).parse_args()
    train(
        Detector(),
        args,
        batch=BATCH,
        batches=scene_batches,
        loss_of=loss_of,
        measure=measure,
        memory=0.997,
    )


if __name__ == "__main__":
    main()
