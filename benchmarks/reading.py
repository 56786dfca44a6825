"""How long one reading takes, beside the network alone of a common small detector.

    uv run python benchmarks/reading.py [--threads 1 2] [--frames 200] [--peer FILE.onnx]

Reads a 1280x720 picture with three dice from `sample_images/` again and again, decoding excluded. `--peer` names an
ONNX detector with a 640x640 input to be timed in turns with it (its weights do not matter for its speed); figures of
both come from one run, and only their ratio should be compared between machines.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from vision.pipeline import DiceReader

ROOT = Path(__file__).parent.parent


def picture() -> np.ndarray:
    """The first resting frame of the recorded table, brought to 1280x720."""
    video = cv2.VideoCapture(str(ROOT / "sample_images" / "table.mp4"))
    truth = json.loads((ROOT / "sample_images" / "table.json").read_text("utf-8"))
    throw = truth["throws"][0]
    video.set(cv2.CAP_PROP_POS_FRAMES, (throw["rest_start"] + throw["rest_end"]) // 2)
    done, frame = video.read()
    if not done:
        raise SystemExit("sample_images/table.mp4 cannot be read")
    height = round(frame.shape[1] * 720 / 1280)
    top = max(0, (frame.shape[0] - height) // 2)
    return np.asarray(
        cv2.resize(frame[top : top + height], (1280, 720), interpolation=cv2.INTER_AREA), np.uint8
    )


def peer(path: Path, threads: int) -> ort.InferenceSession:
    """A detector to be timed beside ours."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def main() -> None:
    """Times both, in turns."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--peer", type=Path)
    args = parser.parse_args()
    frame = picture()
    for threads in args.threads:
        cv2.setNumThreads(threads)
        reader = DiceReader(threads=threads)
        other = peer(args.peer, threads) if args.peer else None
        sample = np.random.default_rng(0).random((1, 3, 640, 640), np.float32)
        ours, theirs = [], []
        reading = reader.read(frame)
        for _ in range(args.frames):
            start = time.perf_counter()
            reader.read(frame)
            ours.append((time.perf_counter() - start) * 1000)
            if other is not None:
                start = time.perf_counter()
                other.run(None, {other.get_inputs()[0].name: sample})
                theirs.append((time.perf_counter() - start) * 1000)
        line = (
            f"{threads} thread(s): whole reading, median of {args.frames}: {statistics.median(ours):.1f} ms"
        )
        if theirs:
            ratio = statistics.median(theirs) / statistics.median(ours)
            line += f"; {args.peer.name} alone: {statistics.median(theirs):.1f} ms; ratio {ratio:.2f}"
        print(f"{line}  (read {' '.join(map(str, reading.roll))})")


if __name__ == "__main__":
    main()
