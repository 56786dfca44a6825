"""Feeds the shards of `dataset` to training: shuffled batches, read as memory maps, cheap variations on top."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

SIDES = (240, 272, 320, 320, 320, 368, 416)
"""Scenes are shown at these sizes, pixels; multiples of 16."""


def shard_numbers(folder: Path) -> list[str]:
    """Finished shards of `folder`, sorted."""
    return sorted(p.name.split(".")[0] for p in folder.glob("*.labels.npy") if ".tmp." not in p.name)


def to_tensor(images: np.ndarray) -> Tensor:
    """(n, h, w, 3) uint8 BGR to (n, 3, h, w) float32 RGB, channels last in memory."""
    return torch.from_numpy(np.ascontiguousarray(images[..., ::-1])).permute(0, 3, 1, 2).float()


def vary(batch: Tensor, generator: torch.Generator) -> Tensor:
    """Changes exposure, white balance and contrast of each picture of a batch."""
    n = batch.shape[0]

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    gain = torch.exp(0.15 * normal(n, 1, 1, 1) + 0.05 * normal(n, 3, 1, 1))
    batch = batch * gain + 8 * normal(n, 1, 1, 1)
    negative = torch.rand(n, 1, 1, 1, generator=generator) < 0.03
    batch = torch.where(negative, 255 - batch, batch)
    swap = torch.rand(n, 1, 1, 1, generator=generator) < 0.15
    batch = torch.where(swap, batch[:, torch.randperm(3, generator=generator)], batch)
    return batch.clamp(0, 255)


def crop_batches(folders: list[Path], size: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless batches of crops (size, 3, 64, 64) and labels (size,), mirrored or not."""
    rng = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    while True:
        names = [(folder, name) for folder in folders for name in shard_numbers(folder)]
        rng.shuffle(names)
        for start in range(0, len(names), 8):  # eight shards are mixed at a time
            group = names[start : start + 8]
            crops = [np.load(folder / f"{name}.crops.npy", mmap_mode="r") for folder, name in group]
            labels = [np.load(folder / f"{name}.labels.npy") for folder, name in group]
            index = np.concatenate(
                [np.stack([np.full(len(l), i), np.arange(len(l))], 1) for i, l in enumerate(labels)]
            )
            rng.shuffle(index)
            for at in range(0, len(index) - size + 1, size):
                chosen = index[at : at + size]
                images = np.stack([crops[i][j] for i, j in chosen])
                batch = to_tensor(images)
                if rng.random() < 0.5:
                    batch = batch.flip(3)
                yield (
                    vary(batch, generator),
                    torch.from_numpy(np.array([labels[i][j] for i, j in chosen], np.int64)),
                )


def scene_batches(folders: list[Path], size: int, seed: int) -> Iterator[tuple[Tensor, list[np.ndarray]]]:
    """Endless batches of scenes (size, 3, side, side) and, for each, its dice (k, 5): value, x, y, size, exact.

    `side` differs from batch to batch, so that dice of all sizes are seen.
    """
    rng = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    while True:
        names = [(folder, name) for folder in folders for name in shard_numbers(folder)]
        rng.shuffle(names)
        for start in range(0, len(names), 6):
            group = names[start : start + 6]
            scenes = [np.load(folder / f"{name}.scenes.npy", mmap_mode="r") for folder, name in group]
            tables = [np.load(folder / f"{name}.dice.npy") for folder, name in group]
            split = [
                [t[t[:, 0] == k, 1:] for k in range(len(s))] for s, t in zip(scenes, tables, strict=True)
            ]
            index = np.concatenate(
                [np.stack([np.full(len(s), i), np.arange(len(s))], 1) for i, s in enumerate(scenes)]
            )
            rng.shuffle(index)
            for at in range(0, len(index) - size + 1, size):
                images, dice = [], []
                for i, j in index[at : at + size]:
                    image, table = scenes[i][j], split[i][j].copy()
                    side = image.shape[0]
                    for _ in range(int(rng.integers(4))):
                        image = np.rot90(image)
                        table[:, 1:3] = np.stack([table[:, 2], side - table[:, 1]], 1)
                    if rng.random() < 0.5:
                        image = image[:, ::-1]
                        table[:, 1] = side - table[:, 1]
                    images.append(image)
                    dice.append(table)
                batch = vary(to_tensor(np.stack(images)), generator)
                zoomed = int(rng.choice(SIDES))
                if zoomed != batch.shape[2]:
                    for table in dice:
                        table[:, 1:4] *= zoomed / batch.shape[2]
                    batch = F.interpolate(batch, (zoomed, zoomed), mode="bilinear", antialias=True)
                yield batch, dice
