"""Writes clips as films, with their truth beside them.

    uv run python -m benchmarks.clips --out DIR [--only KIND ...] [--count N] [--list]

Each clip is KIND-SEED.avi (Motion JPEG, so that every frame stands by itself) and KIND-SEED.json: the truth, and the
time of each frame, since films have no uneven ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2

from benchmarks.clips import KINDS, Clip, make


def write(clip: Clip, folder: Path) -> int:
    """Write a clip into a folder; the number of frames."""
    width, height = clip.script.size
    path = folder / f"{clip.name}.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), clip.fps, (width, height))
    if not film.isOpened():
        raise SystemExit(f"{path}: cannot be written; is there room, and may you write there?")
    times = []
    for frame in clip.frames():
        film.write(frame.image)
        times.append(round(frame.time, 4))
    film.release()
    facts = {
        "kind": clip.kind,
        "seed": clip.seed,
        "clean": clip.clean,
        "fps": clip.fps,
        "size": clip.script.size,
        "times": times,
        "truth": clip.truth.as_data(),
    }
    (folder / f"{clip.name}.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
    return len(times)


def main() -> int:
    """Write what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="folder to write to")
    parser.add_argument("--only", nargs="+", choices=sorted(KINDS), metavar="KIND", help="only these kinds")
    parser.add_argument("--count", type=int, default=2, help="clips of each kind (default 2)")
    parser.add_argument("--list", action="store_true", help="list the kinds, and end")
    args = parser.parse_args()
    if args.list:
        for name, function in KINDS.items():
            print(f"{name:<26}{(function.__doc__ or '').strip().splitlines()[0]}")
        return 0
    if args.out is None:
        parser.error("--out DIR is needed")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.only or KINDS:
        for seed in range(args.count):
            clip = make(name, seed)
            print(f"{clip.name}: {write(clip, args.out)} frames, {len(clip.truth.rolls)} rolls", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
