"""The training loop that both networks share: warm-up and cosine, averaged weights, saving as it goes, resuming."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from models.training.shipped import settle, start_from

WARM_UP = 300
"""Steps until the learning rate is full; in a short training a tenth of its steps."""
SETTLING = 6
"""Batches on which the normalisations of weights that others left are fitted."""


def arguments(what: str, name: str, samples: str, amount: int, every: int) -> argparse.ArgumentParser:
    """The options of both trainings; `samples` names the option that says how much to see, `name` the network."""
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of shards")
    parser.add_argument("--valid", type=Path, required=True, help="folder of held-out shards")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--start", type=Path, help="begin from these weights: FILE.weights.pt or a shipped .onnx"
    )
    parser.add_argument(
        f"--{samples}", dest="amount", type=int, default=amount, help="how many to see in all"
    )
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bf16", action="store_true", help="half-size floats: faster where the CPU has them")
    parser.add_argument("--every", type=int, default=every, help="steps after which it measures and saves")
    parser.add_argument("--name", default=name, help="name of the files in --out")
    return parser


def train(
    net: nn.Module,
    args: argparse.Namespace,
    *,
    batch: int,
    batches: Callable[[list[Path], int, int], Iterator[tuple[Tensor, Any]]],
    loss_of: Callable[[Tensor, Any], Tensor],
    measure: Callable[[nn.Module, Path], dict[str, float]],
    memory: float,
) -> None:
    """Trains `net` until `args.amount` samples have been seen, resuming from what lies in `args.out`.

    `args.every` steps it measures and saves; `memory` is how much of the averaged weights stays at each step.
    """
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    args.out.mkdir(parents=True, exist_ok=True)
    saved = args.out / f"{args.name}.pt"
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    state = torch.load(saved, weights_only=True) if saved.exists() else None
    step = state["step"] if state is not None else 0
    source = batches(args.data, batch, step)
    if state is None and args.start:
        start_from(net, args.start)
        settle(net, (next(source)[0] for _ in range(SETTLING)))
    averaging = torch.optim.swa_utils.get_ema_multi_avg_fn(memory)
    average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=averaging, use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02, foreach=True)
    if state is not None:
        net.load_state_dict(state["net"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
    steps = args.amount // batch
    warm_up = min(WARM_UP, steps // 10 + 1)
    began, lost, first = time.time(), 0.0, step
    while step < steps:
        rate = (
            args.rate * min(1, (step + 1) / warm_up) * (0.5 + 0.5 * math.cos(math.pi * step / steps)) + 1e-5
        )
        for group in optimiser.param_groups:
            group["lr"] = rate
        images, truth = next(source)
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            out = net(images)
        loss = loss_of(out.float(), truth)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(net)
        lost += loss.item()
        step += 1
        if step % args.every == 0 or step == steps:
            figures = "  ".join(
                f"{name} {value:.4f}" for name, value in measure(average.module, args.valid).items()
            )
            speed = (step - first) * batch / (time.time() - began)
            print(f"{step}/{steps} loss {lost / args.every:.4f}  {figures}  {speed:.0f} a second", flush=True)
            lost = 0.0
            _save(net, average, optimiser, step, saved)


def _save(
    net: nn.Module,
    average: torch.optim.swa_utils.AveragedModel,
    optimiser: torch.optim.Optimizer,
    step: int,
    path: Path,
) -> None:
    whole = {
        "net": net.state_dict(),
        "average": average.state_dict(),
        "optimiser": optimiser.state_dict(),
        "step": step,
    }
    torch.save(whole, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)
    torch.save({"weights": average.module.state_dict(), "step": step}, path.with_suffix(".weights.pt"))
