"""How long one reading takes, beside the network alone of a common small detector.

    uv run python benchmarks/reading.py [--threads 1 2] [--frames 200] [--peer FILE.onnx]

Reads a 1280x720 picture with three dice from `sample_images/` again and again, decoding excluded: as on a table that is
not known, and only with the thorough look that a doubt calls for. The peer is YOLO11n with a 640x640 input in ONNX
Runtime, timed in turns with it: `--peer` names such a file; without it one is made with random weights (which do not
matter for its speed) where the package `ultralytics` is installed, and left out where it is not. All figures come from
one run, and only their ratios should be compared between machines.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
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


def yolo(folder: Path) -> Path | None:
    """YOLO11n with random weights as an ONNX file in `folder`; None where `ultralytics` is not installed."""
    try:
        from ultralytics import YOLO  # noqa: PLC0415
    except ImportError:
        return None
    here = Path.cwd()
    os.chdir(folder)  # it writes beside the file of the architecture
    try:
        return folder / str(YOLO("yolo11n.yaml").export(format="onnx", imgsz=640))
    finally:
        os.chdir(here)


def peer(path: Path, threads: int) -> ort.InferenceSession:
    """A detector to be timed beside ours."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    # As ours: threads that go on spinning after their work would slow down whoever is timed next.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
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
    with tempfile.TemporaryDirectory() as folder:
        path = args.peer or yolo(Path(folder))
        for threads in args.threads:
            measure(frame, threads, args.frames, path)
        if path is None:
            print("ultralytics is not installed: no peer to compare with")


def measure(frame: np.ndarray, threads: int, frames: int, path: Path | None) -> None:
    """Times both with so many threads, in turns, and prints medians."""
    cv2.setNumThreads(threads)
    reader = DiceReader(threads=threads)
    other = None if path is None else peer(path, threads)
    sample = np.random.default_rng(0).random((1, 3, 640, 640), np.float32)
    jobs: dict[str, Callable[[], object]] = {
        "whole reading": lambda: reader.read(frame),
        "with the size of a die known": lambda: reader.read(frame, die_size),
        "thorough look": lambda: reader.find(frame),
    }
    if other is not None:
        jobs["YOLO11n alone"] = lambda: other.run(None, {other.get_inputs()[0].name: sample})
    times: dict[str, list[float]] = {name: [] for name in jobs}
    reading = reader.read(frame)
    die_size = statistics.median(die.box[2] - die.box[0] for die in reading.dice)
    for _ in range(frames):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            times[name].append((time.perf_counter() - start) * 1000)
    medians = {name: statistics.median(each) for name, each in times.items()}
    line = f"{threads} thread(s), medians of {frames}: " + ", ".join(
        f"{name} {ms:.1f} ms" for name, ms in medians.items()
    )
    if other is not None:
        ratios = [f"{name} {medians['YOLO11n alone'] / ms:.2f}" for name, ms in medians.items()]
        line += f"; YOLO11n's time over ours: {', '.join(ratios[:-1])}"
    print(f"{line}  (read {' '.join(map(str, reading.roll))}, {'sure' if reading.sure else 'unsure'})")


if __name__ == "__main__":
    main()
