"""Writes trained weights as ONNX files and checks that they answer as the networks do.

    python -m models.training.export --detector FILE.weights.pt --reader FILE.weights.pt --data DIR --out DIR

With `--data`, a folder of shards, the networks are written with 8-bit weights and activations, whose ranges are
measured on samples of it: half the time or less on a CPU, see the model card for what it costs. Also writes
`checksums.json`. The default output is the folder of the shipped models.
"""

from __future__ import annotations

import argparse
import copy
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import nn

from models import FOLDER
from models.training.checksums import write_checksums
from models.training.nets import Detector, Reader
from models.training.shards import shard_numbers, to_tensor

OPSET = 17


def export(net: Detector | Reader, example: torch.Tensor, free: dict[int, str], path: Path) -> float:
    """Writes `net` to `path`; `free` names the axes of the input that may vary. Returns the largest difference between
    both on a random input, relative to the largest output."""
    net.eval()
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "net.onnx"
        torch.onnx.export(_Scaled(net), (example,), str(raw), input_names=["pictures"], output_names=["out"],
                          dynamic_axes={"pictures": free}, opset_version=OPSET, dynamo=False)  # fmt: skip
        model = onnx.load(str(raw))
        onnx.checker.check_model(model)
        path.write_bytes(model.SerializeToString())
    session = ort.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    sample = torch.rand(3, *example.shape[1:]) * 255
    with torch.no_grad():
        want = net(sample).numpy()
    have = session.run(None, {"pictures": sample.numpy()})[0]
    return float(np.abs(want - have).max() / max(1.0, float(np.abs(want).max())))


class _Scaled(nn.Module):
    """A network whose first steps, rearranging blocks of pixels and a 3x3 convolution, are one strided convolution."""

    def __init__(self, net: Detector | Reader) -> None:
        super().__init__()
        self.net = copy.deepcopy(net).eval()
        steps = self.net.stem if isinstance(self.net, Detector) else self.net.body
        shuffle, block = steps[0], steps[1]
        assert isinstance(shuffle, nn.PixelUnshuffle) and isinstance(block, nn.Sequential)
        first = block[0]
        assert isinstance(first, nn.Conv2d)
        k = shuffle.downscale_factor
        outputs = first.out_channels
        strided = nn.Conv2d(3, outputs, 3 * k, k, padding=k, bias=False)
        # (outputs, 3 * k * k, 3, 3) -> (outputs, 3, 3 * k, 3 * k): channel c * k * k + dy * k + dx is pixel (dy, dx).
        weight = first.weight.detach().reshape(outputs, 3, k, k, 3, 3)
        strided.weight.data = weight.permute(0, 1, 4, 2, 5, 3).reshape(outputs, 3, 3 * k, 3 * k).contiguous()
        steps[0], block[0] = nn.Identity(), strided

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x)  # type: ignore[no-any-return]


class _Samples(CalibrationDataReader):
    """Pictures on which the ranges of activations are measured."""

    def __init__(self, batches: list[np.ndarray]) -> None:
        self._rest = iter(batches)

    def get_next(self) -> dict[str, np.ndarray] | None:  # type: ignore[override]
        batch = next(self._rest, None)
        return None if batch is None else {"pictures": batch}


def quantise(path: Path, batches: list[np.ndarray]) -> None:
    """Turns the network in `path` into one of 8 bits, in place."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(str(path), str(plain), skip_symbolic_shape=True)
        quantize_static(
            str(plain), str(path), _Samples(batches), quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip


def samples_of(folder: Path, kind: str, count: int) -> list[np.ndarray]:
    """Batches of scenes or crops from the first shards of `folder`, as the networks take them."""
    out: list[np.ndarray] = []
    for name in shard_numbers(folder)[:4]:
        pictures = np.load(folder / f"{name}.{kind}.npy", mmap_mode="r")
        step = max(1, len(pictures) * 4 // count)
        out += [to_tensor(pictures[i : i + 1]).contiguous().numpy() for i in range(0, len(pictures), step)]
    return out


def main() -> None:
    """Exports what is named and renews the checksums."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--detector", type=Path)
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--data", type=Path, help="folder of shards: write 8-bit networks, ranges from these")
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--out", type=Path, default=FOLDER)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    jobs = (
        (
            args.detector,
            Detector(),
            torch.rand(1, 3, 320, 320) * 255,
            {0: "n", 2: "height", 3: "width"},
            "detector.onnx",
        ),
        (args.reader, Reader(), torch.rand(2, 3, 64, 64) * 255, {0: "n"}, "reader.onnx"),
    )
    for weights, net, example, free, name in jobs:
        if weights is None:
            continue
        net.load_state_dict(torch.load(weights, weights_only=True)["weights"])
        away = export(net, example, free, args.out / name)
        print(f"{name}: {(args.out / name).stat().st_size / 1e6:.2f} MB, differs from torch by {away:.1e}")
        if away > 1e-3:
            raise SystemExit(f"{name} does not answer as the network does; it must not be shipped")
        if args.data:
            batches = samples_of(args.data, "scenes" if name == "detector.onnx" else "crops", args.samples)
            quantise(args.out / name, batches)
            print(f"{name}: {(args.out / name).stat().st_size / 1e6:.2f} MB in 8 bits")
    if args.judge:
        shutil.copyfile(args.judge, args.out / "judge.json")
    write_checksums(args.out)


if __name__ == "__main__":
    main()
