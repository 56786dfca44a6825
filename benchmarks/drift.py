"""How surely the drift watch finds a bumped camera, and that nothing else makes it believe in one.

    uv run python -m benchmarks.drift [--count 25] [--only KIND ...] [--rendered FOLDER] [--size 640x360] [--save DIR]

Draws tables at random (cloth, wood, print, felt; trays; things around), looks at each through a camera four times a
second while hands, dice, chips, people, lamps and the camera's own electronics do what they do, and bumps the camera
in half of the films: a shift of 1 to 5% of the width, with or without a turn, or a turn of 1 to 4 degrees, or a zoom
of 2 to 5%. `--rendered` takes tables from a folder of the factory's scenes as well.

One row for each kind; `certain` is the share of looks in which the watch could tell, `unsaid` the number of bumps that
it found late or never without having said that it cannot tell. Exits with 1 when there was a false alarm, or when
fewer than 99% of the bumps were found within two seconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.driftfilms import BUMP, LOOKS, Film, Picture
from calibration.drift import Drift, DriftWatch

LOOKS_A_SECOND = 4
IN_TIME = 8  # looks from the bump to the alarm
KINDS = (
    "quiet",
    "hands",
    "dice and chips",
    "leaning in",
    "lamp",
    "lamp to one side",
    "flicker",
    "poor camera",
    "all at once",
)


@dataclass
class Result:
    """What the watch made of one film."""

    film: Film
    marks: int
    before: bool  # an alarm without a bump
    delay: int | None  # looks from the bump to the alarm, None: never
    error: float  # of the tray's outline as told at the end, in widths of the picture
    certain: float  # share of the looks
    unsaid: bool  # a bump not found in time, though the watch claimed to see well
    times: list[float]


def play(film: Film, save: Path | None = None) -> Result:
    """Shows a film to the watch."""
    watch = DriftWatch(film.reference(), film.outline)
    before, delay, certain, times = False, None, 0, []
    blind: list[bool] = []  # after a bump, until it is found
    drift: Drift | None = None
    for number, frame in enumerate(film.frames()):
        start = time.perf_counter()
        drift = watch.look(frame)
        times.append(1000 * (time.perf_counter() - start))
        certain += drift.certain
        if drift.moved and not (film.bumped and number >= BUMP) and not before:
            before = True
            print(f"  false alarm: {film.kind} {film.seed} at look {number}: {drift}", file=sys.stderr)
            if save is not None:
                cv2.imwrite(str(save / f"{film.kind}-{film.seed}-{number}.jpg"), frame)
        if drift.moved and film.bumped and number >= BUMP and delay is None:
            delay = number - BUMP
        if film.bumped and number >= BUMP and delay is None:
            blind.append(not drift.certain)
    assert drift is not None
    error = 0.0
    if film.bumped:
        true, told = (cv2.perspectiveTransform(film.outline[None], m)[0] for m in (film.move, drift.to_frame))
        true = true.astype(np.float32)
        away = [abs(cv2.pointPolygonTest(true, (float(x), float(y)), True)) for x, y in told]
        error = max(away) / film.size[0]
        if delay is None or delay > IN_TIME:
            print(f"  late or missed: {film.kind} {film.seed}: {delay}, {watch.marks} marks", file=sys.stderr)
            if save is not None:
                cv2.imwrite(str(save / f"missed-{film.kind}-{film.seed}.jpg"),
                            np.vstack([film.reference(), frame]))  # fmt: skip
    unsaid = film.bumped and (delay is None or delay > IN_TIME) and sum(blind) < IN_TIME / 2
    return Result(film, watch.marks, before, delay, error, certain / LOOKS, unsaid, times)


def row(name: str, results: list[Result]) -> str:
    """One line of the table."""
    bumped = [r for r in results if r.film.bumped]
    found = [r.delay for r in bumped if r.delay is not None]
    in_time = sum(delay <= IN_TIME for delay in found)
    alarms = sum(r.before for r in results)
    errors = sorted(r.error for r in bumped if r.delay is not None) or [float("nan")]
    delay = statistics.median(found) / LOOKS_A_SECOND if found else float("nan")
    return (
        f"{name:18} {len(results):6} {alarms:12} {len(bumped):6} {len(found):6} {in_time:12} {delay:11.2f} s "
        f"{100 * statistics.median(errors):8.2f}% {100 * errors[int(0.95 * (len(errors) - 1))]:8.2f}% "
        f"{100 * statistics.mean(r.certain for r in results):8.0f}% {sum(r.unsaid for r in results):8}"
    )


def scenes(folder: Path) -> list[Picture]:
    """Pictures of the factory's scenes."""
    from models.training.render.pictures import samples  # noqa: PLC0415

    return [np.asarray(picture) for picture, _ in samples(folder)]


def main() -> None:
    """Plays all films and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--count", type=int, default=25, help="films of each kind with a bump, and as many without"
    )
    parser.add_argument("--only", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rendered", type=Path)
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--save", type=Path, help="where pictures of what failed go")
    args = parser.parse_args()
    width, height = (int(v) for v in args.size.split("x"))
    cv2.setNumThreads(1)
    if args.save:
        args.save.mkdir(parents=True, exist_ok=True)
    rendered = scenes(args.rendered) if args.rendered else []
    print(f"{'':18} {'films':>6} {'false alarms':>12} {'bumps':>6} {'found':>6} {'within 2 s':>12} "
          f"{'median delay':>13} {'error':>9} {'95%':>9} {'certain':>9} {'unsaid':>8}")  # fmt: skip
    results: list[Result] = []
    for kind in args.only:
        some = []
        for number in range(args.first, args.first + args.count):
            for bumped in (False, True):
                seed = 1000 * number + 10 * KINDS.index(kind) + bumped
                some.append(play(Film(seed, kind, bumped, (width, height), rendered), args.save))
        print(row(kind, some), flush=True)
        results += some
    print(row("all", results))
    times = [each for result in results for each in result.times]
    print(
        f"one look: median {statistics.median(times):.2f} ms, 95% {sorted(times)[int(0.95 * len(times))]:.2f} ms"
    )
    bumps = [r for r in results if r.film.bumped]
    late = sum(r.delay is None or r.delay > IN_TIME for r in bumps)
    raise SystemExit(1 if any(r.before for r in results) or late > 0.01 * len(bumps) else 0)


if __name__ == "__main__":
    main()
