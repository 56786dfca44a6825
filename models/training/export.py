"""Writes trained weights as ONNX files and checks that they answer as the networks do.

    python -m models.training.export --detector FILE.weights.pt --reader FILE.weights.pt --out DIR [--judge FILE]

Also writes `checksums.json`. The default output is the folder of the shipped models.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch

from models import CONTRACT, FOLDER
from models.training.nets import Detector, Reader

OPSET = 17
FILES = ("detector.onnx", "reader.onnx", "judge.json")


def export(net: torch.nn.Module, example: torch.Tensor, free: dict[int, str], path: Path) -> float:
    """Writes `net` to `path`; `free` names the axes of the input that may vary. Returns the largest difference between
    both on a random input, relative to the largest output."""
    net.eval()
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "net.onnx"
        torch.onnx.export(net, (example,), str(raw), input_names=["pictures"], output_names=["out"],
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


def write_checksums(folder: Path) -> None:
    """Lists the model files of `folder` with their SHA-256."""
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in FILES
        if (folder / name).exists()
    }
    text = json.dumps({"contract": CONTRACT, "files": files}, indent=2)
    (folder / "checksums.json").write_text(text + "\n", "utf-8")


def main() -> None:
    """Exports what is named and renews the checksums."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--detector", type=Path)
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--judge", type=Path)
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
    if args.judge:
        shutil.copyfile(args.judge, args.out / "judge.json")
    write_checksums(args.out)


if __name__ == "__main__":
    main()
