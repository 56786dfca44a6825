"""Weights back into the networks, from what training saved or from the ONNX files that are shipped.

The export folds each batch normalisation into the convolution before it, makes one strided convolution of the first
steps, and may round to 8 bits. What comes back is each convolution with a normalisation that adds its bias and changes
nothing else, so that the network answers as the file does (to within its rounding). While it learns, however, each
normalisation brings what it is given to mean 0 and spread 1: `settle` gives it the factors that undo this, so that
learning goes on from what the file can do, not from a network whose layers no longer fit each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import NodeProto, numpy_helper
from torch import Tensor, nn


def start_from(net: nn.Module, path: Path) -> None:
    """Loads `FILE.weights.pt` or an exported `.onnx` file into `net`. Raises SystemExit for another network's file."""
    if path.suffix != ".onnx":
        net.load_state_dict(torch.load(path, weights_only=True)["weights"])
        return
    layers = _layers(path)
    modules = [m for m in net.modules() if isinstance(m, (nn.Conv2d, nn.BatchNorm2d, nn.Linear))]
    if len(layers) != sum(not isinstance(m, nn.BatchNorm2d) for m in modules):
        raise SystemExit(f"{path} is not an export of this network: it has {len(layers)} layers")
    taken = iter(layers)
    with torch.no_grad():
        for index, module in enumerate(modules):
            if isinstance(module, nn.BatchNorm2d):
                continue
            weight, bias = next(taken)
            if index == 0:
                weight = _unstrided(weight, module.weight.shape[1])
            if module is modules[-1] and weight.shape[1:] == module.weight.shape[1:]:
                # Classes that were added since begin with nothing learned, and improbable.
                known = min(len(weight), len(module.weight))
                module.weight[:known].copy_(weight[:known])
                module.bias[:known].copy_(bias[:known])
                module.weight[known:].zero_()
                module.bias[known:].fill_(-4)
                continue
            if weight.shape != module.weight.shape:
                raise SystemExit(
                    f"{path} is not an export of this network: {tuple(weight.shape)} for {tuple(module.weight.shape)}"
                )
            module.weight.copy_(weight)
            if module.bias is not None:
                module.bias.copy_(bias)
                continue
            norm = modules[index + 1]
            assert isinstance(norm, nn.BatchNorm2d)
            norm.weight.fill_(1)
            norm.bias.copy_(bias)
            norm.running_mean.zero_()  # type: ignore[union-attr, operator]
            norm.running_var.fill_(1 - norm.eps)  # type: ignore[union-attr, operator]


@torch.no_grad()
def settle(net: nn.Module, batches: Iterable[Tensor]) -> None:
    """Fits each normalisation to what it is given on `batches` of pictures (n, 3, h, w); answers stay the same."""
    sums: dict[nn.BatchNorm2d, tuple[Tensor, Tensor, int]] = {}

    def seen(norm: nn.Module, given: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        values = given[0].float()
        one, two = values.sum((0, 2, 3)), (values**2).sum((0, 2, 3))
        before = sums.get(norm, (torch.zeros_like(one), torch.zeros_like(two), 0))
        sums[norm] = (before[0] + one, before[1] + two, before[2] + values.numel() // len(one))

    hooks = [m.register_forward_pre_hook(seen) for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    learning = net.training
    net.eval()
    for batch in batches:
        net(batch)
    net.train(learning)
    for hook in hooks:
        hook.remove()
    for norm, (one, two, count) in sums.items():
        mean = one / count
        spread = (two / count - mean**2).clamp(min=0)
        # What it did: (x - running_mean) * slope + bias; it does the same from other running values.
        slope = norm.weight / torch.sqrt(norm.running_var + norm.eps)  # type: ignore[operator]
        norm.bias.add_((mean - norm.running_mean) * slope)  # type: ignore[operator]
        norm.weight.copy_(slope * torch.sqrt(spread + norm.eps))
        norm.running_mean.copy_(mean)  # type: ignore[union-attr, operator]
        norm.running_var.copy_(spread)  # type: ignore[union-attr, operator]


def _layers(path: Path) -> list[tuple[Tensor, Tensor]]:
    """Weight and bias of each convolution and linear layer, in order."""
    graph = onnx.load(str(path)).graph
    stored = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    made = {node.output[0]: node for node in graph.node}
    out = []
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            weight, bias = (_value(name, stored, made) for name in node.input[1:3])
            out.append((torch.from_numpy(weight), torch.from_numpy(bias)))
    return out


def _value(name: str, stored: dict[str, np.ndarray], made: dict[str, NodeProto]) -> np.ndarray:
    """A constant of the graph, (outputs, ...) float32; one of 8 bits is multiplied by its steps again."""
    if name in stored:
        return np.array(stored[name], np.float32)
    node = made[name]
    if node.op_type == "Identity":  # equal constants are kept once
        return _value(node.input[0], stored, made)
    assert node.op_type == "DequantizeLinear"
    levels, step, zero = (stored[each].astype(np.float32) for each in node.input)
    shape = (-1, *[1] * (levels.ndim - 1)) if step.ndim else ()
    return np.asarray((levels - zero.reshape(shape)) * step.reshape(shape), np.float32)


def _unstrided(weight: Tensor, channels: int) -> Tensor:
    """The first convolution as it is trained, on `channels` of rearranged pixels; see `export`."""
    block = round((channels / 3) ** 0.5)
    if weight.shape[1:] != (3, 3 * block, 3 * block):
        return weight
    return weight.reshape(-1, 3, 3, block, 3, block).permute(0, 1, 3, 5, 2, 4).reshape(-1, channels, 3, 3)
