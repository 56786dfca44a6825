"""The data factory: rendered scenes with exact truth, as many as one wants, for training.

    python -m models.training.render.factory --out DIR --first 0 --count 4000 --processes 2

Scene NUMBER follows from its number (and the picture's size) alone and becomes two files: NUMBER.npz, the linear light
of the picture (see `pictures.load`), and NUMBER.json, one line of truth (see `compose.truth`). A scene is finished when
its JSON file is there, which is written last; finished ones are not made again, so that a stopped run goes on when
the same command is given again. `chances` holds how often what is drawn, `pictures` makes pictures for training of it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.render.coats import filled
from models.training.render.compose import Setting, compose, truth
from models.training.render.develop import despeckled, smoothed
from models.training.render.pictures import save

SAMPLES = 9
"""Paths a pixel; a square number, as the sampler likes it."""
SIZE = 480


def finished(out: Path, number: int) -> bool:
    """Whether a scene is there with its truth."""
    return (out / f"{number:06d}.json").exists()


def make(number: int, out: Path, size: int = SIZE, samples: int = SAMPLES) -> None:
    """Make one scene unless it is there."""
    if finished(out, number):
        return
    light, facts = traced(compose(number, size), samples)
    own = f".{os.getpid()}.tmp"
    picture, note = out / f"{number:06d}.npz", out / f"{number:06d}.json"
    with Path(f"{picture}{own}").open("wb") as file:
        save(file, light)
    Path(f"{picture}{own}").replace(picture)
    Path(f"{note}{own}").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    Path(f"{note}{own}").replace(note)


def traced(setting: Setting, samples: int = SAMPLES) -> tuple[np.ndarray, dict[str, Any]]:
    """The light of a scene, (h, w, 3) float32 linear, and its truth."""
    from models.training.render.tracer import Tracer  # noqa: PLC0415  composing needs no renderer, this does

    parts, lamps = filled(setting.parts, setting.lamps)
    tracer = Tracer.of(parts, setting.camera, lamps, setting.sky, sampler="multijitter")
    light = smoothed(despeckled(tracer.render(samples, setting.number)))
    return light, truth(setting, tracer.blocked, light)


def _worker(numbers: Sequence[int], out: Path, size: int, samples: int) -> None:
    from models.training.render.tracer import one_thread  # noqa: PLC0415  as above

    cv2.setNumThreads(1)
    one_thread()
    failed = 0
    for number in numbers:
        try:
            make(number, out, size, samples)
        except Exception:  # one scene that cannot be made must not keep the others from being made
            failed += 1
            print(f"Scene {number} could not be made:\n{traceback.format_exc()}", file=sys.stderr, flush=True)
    if failed:
        sys.exit(1)


def _progress(out: Path, wanted: list[int], there: int, start: float) -> str:
    done = sum(finished(out, number) for number in wanted)
    hours = max(time.monotonic() - start, 1e-9) / 3600
    return f"{done} of {len(wanted)} scenes, {(done - there) / hours:.0f} an hour"


def main(arguments: list[str] | None = None) -> int:
    """Make the scenes asked for; see the top of this file."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.render.factory", description=main.__doc__
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the scenes")
    parser.add_argument("--first", type=int, default=0, help="number of the first scene")
    parser.add_argument("--count", type=int, default=4000, help="how many scenes")
    parser.add_argument("--processes", type=int, default=1, help="how many at a time, one thread each")
    parser.add_argument("--size", type=int, default=SIZE, help="pixels a side")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="paths a pixel, a square number")
    options = parser.parse_args(arguments)
    if options.count < 1 or options.processes < 1 or options.size < 64 or options.first < 0:
        parser.error("--count and --processes start at 1, --size at 64, --first at 0")
    options.out.mkdir(parents=True, exist_ok=True)
    wanted = list(range(options.first, options.first + options.count))
    left = [number for number in wanted if not finished(options.out, number)]
    there, start = len(wanted) - len(left), time.monotonic()
    context = multiprocessing.get_context("spawn")  # the renderer's threads do not survive a fork
    shares = [left[i :: options.processes] for i in range(options.processes)]
    workers = [
        context.Process(target=_worker, args=(share, options.out, options.size, options.samples), daemon=True)
        for share in shares
    ]
    for worker in workers:
        worker.start()
    said = start
    while any(worker.is_alive() for worker in workers):
        for worker in workers:
            worker.join(1.0)
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(_progress(options.out, wanted, there, start), flush=True)
    print(_progress(options.out, wanted, there, start), flush=True)
    if any(worker.exitcode for worker in workers):
        print("Some scenes are missing; the same command makes only those.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
