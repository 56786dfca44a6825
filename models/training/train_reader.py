"""Trains the reader on crops.

    python -m models.training.train_reader --data DIR... --valid DIR --out DIR --crops 1500000

Saves `reader.pt` (weights, optimiser, progress) as it goes and resumes from it; `--start FILE` begins from other
weights.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from models.training.loop import arguments, train
from models.training.nets import Reader
from models.training.shards import crop_batches, shard_numbers, to_tensor

BATCH = 128


@torch.no_grad()
def measure(net: nn.Module, folder: Path, limit: int = 4) -> dict[str, float]:
    """Accuracy on true dice, and of telling dice from what is none, on the crops of `folder`."""
    net.eval()
    right = dice = told = total = 0
    for name in shard_numbers(folder)[:limit]:
        crops, labels = (
            np.load(folder / f"{name}.crops.npy"),
            np.load(folder / f"{name}.labels.npy").astype(int),
        )
        out = torch.cat([net(to_tensor(crops[i : i + 256])) for i in range(0, len(crops), 256)]).numpy()
        real = labels < 6
        right += int((out[real, :6].argmax(1) == labels[real]).sum())
        dice += int(real.sum())
        told += int(((out.argmax(1) < 6) == real).sum())
        total += len(labels)
    net.train()
    return {"value": right / max(dice, 1), "die_or_not": told / max(total, 1)}


def main() -> None:
    """Trains until the asked number of crops has been seen."""
    args = arguments(__doc__ or "", "reader", "crops", 1_500_000, 500).parse_args()
    train(
        Reader(),
        args,
        batch=BATCH,
        batches=crop_batches,
        loss_of=F.cross_entropy,
        measure=measure,
        memory=0.998,
    )


if __name__ == "__main__":
    main()
