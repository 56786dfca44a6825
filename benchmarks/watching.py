"""How the roll watcher does on clips with truth, with the real reader.

    uv run python -m benchmarks.watching [--only KIND ...] [--count N] [--first SEED] [--profile needed|always|never]
                                         [--processes N] [--save DIR] [--films DIR]

Prints a row a kind: clips, rolls expected, missed, told twice, wrong, silent (wrong, or doubtful, and told as sure),
unsure (right, but asked about), dice wrongly called kept or thrown, flags expected and faults with them, and the delay
from the first still frame to the roll, median and worst. Then every fault with its time. Ends with 1 if anything was
silent, or a clean clip had a roll missed, double or wrong.

`--profile needed` tells the watcher where the tray is, how many dice there are and how it all looked only in kinds in
which something lies beside the tray, a die is missing, or a calibrated camera is bumped.
`--save DIR` writes a strip of frames for every fault. `--films DIR` plays the films that `python -m benchmarks.clips
--out DIR` has written in place of drawing them anew.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from benchmarks.clips import KINDS, Clip, TrueRoll, make
from benchmarks.judging import Verdict, judge
from calibration.profile import WHOLE_PICTURE, Profile
from vision.events import Event
from vision.eye import Eye
from vision.frames import Frame, Image
from vision.pipeline import DiceReader
from vision.roll import Reading
from vision.watcher import RollWatcher

NEED_PROFILE = ("die-leaves", "die-lands-beside", "chips-moved", "phone-laid-down", "glass-put-down",
                "calibrated-camera-bumped")  # fmt: skip
STRIP, STRIP_WIDTH = 8, 320
PNG_DIGITS = 2


class Counted:
    """A reader that counts how often it is asked."""

    def __init__(self, reader: DiceReader) -> None:
        self.reader, self.count = reader, 0

    def __call__(self, image: Image, die_size: float | None = None) -> Reading:
        self.count += 1
        return self.reader.read(image, die_size)


class Strips:
    """Small copies of all frames, to be shown around a fault."""

    def __init__(self) -> None:
        self._frames: list[tuple[float, str, bytes]] = []

    def add(self, frame: Frame, state: str | None) -> None:
        """Keep a small copy of a frame, and the watcher's state after it."""
        height = round(STRIP_WIDTH * frame.image.shape[0] / frame.image.shape[1])
        small = cv2.resize(frame.image, (STRIP_WIDTH, height), interpolation=cv2.INTER_AREA)
        self._frames.append((frame.time, state or "", cv2.imencode(".jpg", small)[1].tobytes()))

    def around(self, time: float, before: float = 1.6, after: float = 0.8) -> Image:
        """Some frames about `time`, side by side, with their times and states."""
        near = [each for each in self._frames if time - before <= each[0] <= time + after] or self._frames[
            -1:
        ]
        chosen = [near[round(i)] for i in np.linspace(0, len(near) - 1, min(STRIP, len(near)))]
        shown = []
        for when, state, data in chosen:
            image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
            for colour, thick in (((0, 0, 0), 3), ((90, 255, 255), 1)):
                cv2.putText(
                    image, f"{when:.2f} {state}", (5, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, thick
                )
            shown.append(image)
        shown += [np.zeros_like(shown[0])] * (-len(shown) % 4)
        return np.vstack([np.hstack(shown[i : i + 4]) for i in range(0, len(shown), 4)])


def profile_of(clip: Clip, first: Frame) -> Profile:
    """What calibration would know of the clip's table, and its `first` frame as the picture of reference."""
    truth = clip.truth
    width, height = clip.script.size
    tray = np.clip(np.array(truth.tray), 0, (width - 1, height - 1)) if truth.tray else None
    shape = "outline" if truth.tray else "picture"
    return Profile(clip.script.size, tray, shape, die_px=truth.die_px, dice=truth.count,
                   reference=first.image)  # fmt: skip


def unreadable(
    profile: Profile, frames: dict[TrueRoll, Frame], reader: DiceReader
) -> dict[TrueRoll, tuple[int, ...]]:
    """The rolls that the reader gets wrong in a still picture of the rest, and what it reads."""
    out = {}
    for true, frame in frames.items():
        if any(die.lies in ("beside", "cocked") for die in true.dice):
            continue
        seen = Eye(reader.read, profile).look(frame, 0.0)
        if seen.reading.roll != true.values:
            out[true] = seen.reading.roll
    return out


def played(clip: Clip, folder: Path) -> Iterator[Frame]:
    """The frames of a clip from its film in a folder. Raises SystemExit where that shows another clip."""
    path = folder / f"{clip.name}.avi"
    facts = path.with_suffix(".json")
    if not facts.is_file():
        raise SystemExit(
            f"{facts}: there is no such file; write the clips: python -m benchmarks.clips --out DIR"
        )
    told = json.loads(facts.read_text(encoding="utf-8"))
    if told["times"] != [round(shot.stamp, 4) for shot in clip.shots] or told["truth"] != json.loads(
        json.dumps(clip.truth.as_data())
    ):
        raise SystemExit(
            f"{path}: is of an earlier version; write it again: python -m benchmarks.clips --out DIR"
        )
    film = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    image: Image | None = None
    for shot in clip.shots:
        done, shown = film.read()
        if not done:
            raise SystemExit(f"{path}: breaks off; write it again: python -m benchmarks.clips --out DIR")
        image = image if shot.again and image is not None else np.asarray(shown, np.uint8)
        yield Frame(image, shot.stamp, shot.index)


def watch(clip: Clip, profile: Profile, save: Path | None = None, films: Path | None = None) -> Verdict:
    """Run the watcher over a clip, drawn now or played from a folder of films, and judge it."""
    reader = DiceReader(threads=1)
    counted = Counted(reader)
    watcher = RollWatcher(counted, profile=profile)
    told: list[tuple[float, Event]] = []
    middles: dict[TrueRoll, Frame] = {}
    strips = Strips()
    count = 0
    for frame in clip.frames() if films is None else played(clip, films):
        told += [(frame.time, event) for event in watcher.feed(frame)]
        count += 1
        for true in clip.truth.rolls:
            if true not in middles and true.rest + 0.4 * (true.until - true.rest) <= frame.time:
                middles[true] = frame
        if save is not None:
            strips.add(frame, watcher.state)
    verdict = judge(clip, told, unreadable(watcher.profile, middles, reader))
    verdict.reads, verdict.frames = counted.count, count
    if save is not None:
        for number, note in enumerate(verdict.notes):
            time = float(note.split(": ")[1].split(" ")[0])
            strip = strips.around(time)
            cv2.putText(
                strip, note[:130], (5, strip.shape[0] - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (90, 255, 90), 1
            )
            cv2.imwrite(str(save / f"{clip.name}-{number:0{PNG_DIGITS}}.jpg"), strip)
    return verdict


def run(profiles: str, save: Path | None, films: Path | None, which: tuple[str, int]) -> Verdict:
    """One clip, made and judged; a fault of making or watching it is the clip's."""
    cv2.setNumThreads(1)
    kind, seed = which
    clip = make(kind, seed)
    profile = WHOLE_PICTURE
    if profiles == "always" or (profiles == "needed" and kind in NEED_PROFILE):
        profile = profile_of(clip, next(iter(clip.frames())))
    return watch(clip, profile, save, films)


def row(name: str, verdicts: list[Verdict]) -> str:
    """A row of the table."""
    delays = sorted(delay for each in verdicts for delay in each.delays)
    middle, worst = (f"{statistics.median(delays):.2f}", f"{delays[-1]:.2f}") if delays else ("", "")
    numbers = [
        len(verdicts),
        sum(each.expected for each in verdicts),
        *(
            sum(len(getattr(each, what)) for each in verdicts)
            for what in ("missed", "double", "wrong", "silent")
        ),
        *(sum(len(getattr(each, what)) for each in verdicts) for what in ("unsure", "kept")),
        sum(each.flags_expected for each in verdicts),
        sum(len(each.flags) for each in verdicts),
        sum(len(each.hard) for each in verdicts),
        round(statistics.mean(each.reads for each in verdicts)),
    ]
    mark = " " if all(each.clean for each in verdicts) else "*"
    return f"{name:<25}{mark}" + "".join(f"{number:>7}" for number in numbers) + f"{middle:>8}{worst:>7}"


HEAD = (
    "clips",
    "rolls",
    "missed",
    "double",
    "wrong",
    "silent",
    "unsure",
    "kept",
    "flags",
    "faults",
    "hard",
    "reads",
)


def report(verdicts: list[Verdict]) -> int:
    """Print the table and the faults; how many failures there were."""
    by_kind: dict[str, list[Verdict]] = {}
    for each in verdicts:
        by_kind.setdefault(each.kind, []).append(each)
    print(f"{'kind':<26}" + "".join(f"{name:>7}" for name in HEAD) + f"{'delay':>8}{'worst':>7}")
    for kind, own in by_kind.items():
        print(row(kind, own))
    print(row("all", verdicts))
    clean = [each for each in verdicts if each.clean]
    if clean:
        print(row("clean (without *)", clean))
    for each in verdicts:
        for note in each.notes:
            print(f"  {each.clip}: {note}")
    failures = sum(len(each.failures) for each in verdicts)
    frames = sum(each.frames for each in verdicts)
    print(f"{len(verdicts)} clips, {frames} frames: {failures or 'no'} failure{'s' if failures != 1 else ''}")
    return failures


def results(args: argparse.Namespace, wanted: list[tuple[str, int]]) -> Iterable[Verdict]:
    """Verdicts in the order wished for, as they come."""
    job = partial(run, args.profile, args.save, args.films)
    if args.processes == 1:
        yield from map(job, wanted)
        return
    with multiprocessing.get_context("spawn").Pool(args.processes) as pool:
        yield from pool.imap(job, wanted)


def main() -> int:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=sorted(KINDS), metavar="KIND")
    parser.add_argument("--count", type=int, default=2, help="clips of each kind (default 2)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--profile", choices=("needed", "always", "never"), default="needed")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--films", type=Path)
    args = parser.parse_args()
    if args.save is not None:
        args.save.mkdir(parents=True, exist_ok=True)
    seeds = range(args.first, args.first + args.count)
    wanted = [(kind, seed) for kind in args.only or KINDS for seed in seeds]
    verdicts = []
    for verdict in results(args, wanted):
        verdicts.append(verdict)
        if sys.stderr.isatty():
            print(
                f"\r{len(verdicts)} of {len(wanted)}: {verdict.clip:<40}", end="", file=sys.stderr, flush=True
            )
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return 1 if report(verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
