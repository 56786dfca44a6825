"""Trains the reader on crops.

    python -m models.training.train_reader --data DIR... --valid DIR --out DIR --crops 1500000

Saves `reader.pt` (weights, optimiser, progress) as it goes and resumes from it; `--start FILE` begins from other
weights.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from models.training.nets import Reader
from models.training.shards import crop_batches, shard_numbers, to_tensor

BATCH = 128


@torch.no_grad()
def measure(net: Reader, folder: Path, limit: int = 4) -> dict[str, float]:
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
        told += int(((out.argmax(1) == 6) == ~real).sum())
        total += len(labels)
    net.train()
    return {"value": right / max(dice, 1), "die_or_not": told / max(total, 1)}


def main() -> None:
    """Trains until the asked number of crops has been seen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--crops", type=int, default=1_500_000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bf16", action="store_true", help="half-size floats: faster where the CPU has them")
    parser.add_argument("--name", default="reader")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    args.out.mkdir(parents=True, exist_ok=True)
    saved = args.out / f"{args.name}.pt"
    net = Reader().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998),
                                                  use_buffers=True)  # fmt: skip
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02, foreach=True)
    step = 0
    if saved.exists():
        state = torch.load(saved, weights_only=True)
        net.load_state_dict(state["net"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step = state["step"]
    elif args.start:
        net.load_state_dict(torch.load(args.start, weights_only=True)["weights"])
    steps = args.crops // BATCH
    batches = crop_batches(args.data, BATCH, seed=step)
    began, lost = time.time(), 0.0
    first = step
    while step < steps:
        rate = args.rate * min(1, (step + 1) / 300) * (0.5 + 0.5 * math.cos(math.pi * step / steps)) + 1e-5
        for group in optimiser.param_groups:
            group["lr"] = rate
        images, labels = next(batches)
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            out = net(images)
        loss = F.cross_entropy(out.float(), labels, label_smoothing=0.02)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(net)
        lost += loss.item()
        step += 1
        if step % 500 == 0 or step == steps:
            figures = measure(average.module, args.valid)
            speed = (step - first) * BATCH / (time.time() - began)
            print(f"{step}/{steps} loss {lost / 500:.4f} value {figures['value']:.4f} die or not "
                  f"{figures['die_or_not']:.4f} {speed:.0f} crops/s", flush=True)  # fmt: skip
            lost = 0.0
            torch.save({"net": net.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict(),
                        "step": step}, saved.with_suffix(".tmp"))  # fmt: skip
            saved.with_suffix(".tmp").replace(saved)
            torch.save(
                {"weights": average.module.state_dict(), "step": step}, args.out / f"{args.name}.weights.pt"
            )


if __name__ == "__main__":
    main()
