"""`piste calibrate`: finds the tray, checks the light, tries the dice, and keeps it as a profile."""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.errors import PisteError

if TYPE_CHECKING:
    from calibration.markers import SheetSeen
    from calibration.profile import Image, Lens, Points, Profile
    from vision.frames import Frame
    from vision.pipeline import DiceReader
    from vision.roll import Reading

LOOK_S = 1.5
"""Seconds of pictures that are looked at."""
FRAMES = 24
CERTAIN = 0.9
WHOLE = "whole"


class CalibrateError(PisteError):
    """No profile can be made: the message says why, and what to do."""


def run(args: argparse.Namespace) -> int:
    """Calibrate, or write the sheet to print. Returns 0 when a profile was written."""
    from calibration.checks import ProfileError
    from vision.errors import VisionError

    try:
        if args.sheet is not None:
            return _write_sheet(Path(args.sheet), args.paper, args.lang)
        return _calibrate(args)
    except (VisionError, ProfileError) as error:
        raise CalibrateError(str(error)) from None


def _write_sheet(path: Path, paper: str, language: str) -> int:
    from calibration.sheet import sheet_pdf, sheet_svg

    makers: dict[str, Any] = {
        ".svg": lambda: sheet_svg(paper, language).encode("utf-8"),  # type: ignore[arg-type]
        ".pdf": lambda: sheet_pdf(paper, language),  # type: ignore[arg-type]
    }
    if path.suffix.lower() not in makers:
        raise CalibrateError(f"--sheet {path}: the name must end in .svg or .pdf.")
    try:
        path.write_bytes(makers[path.suffix.lower()]())
    except OSError as error:
        raise CalibrateError(f"--sheet {path}: cannot be written ({error.strerror}).") from None
    print(f"{path}: print it on {paper} in its true size, then lay it into the tray and run piste calibrate.")
    return 0


def _calibrate(args: argparse.Namespace) -> int:
    from calibration.profile import Profile
    from calibration.profilefile import profile_path, write_profile
    from scorer.service.folder import default_folder
    from vision.frames import kind_of
    from vision.pipeline import DiceReader

    folder = default_folder() if args.data is None else Path(args.data)
    path = profile_path(args.name, folder)
    before = _before(path)
    live = kind_of(args.source) in ("camera", "stream")
    frames = _frames(args.source)
    image = frames[-1].image
    size = (image.shape[1], image.shape[0])
    print(f"{args.source}: {len(frames)} pictures of {size[0]}x{size[1]} pixels")
    reader = DiceReader()
    reading = reader.read(image)
    drawing = path.with_suffix(".seen.png") if args.picture is None else Path(args.picture)

    sheet = _sheet(image, args.lens is not None or (before is not None and before.lens is not None))
    outline, shape = _tray(args.tray, frames, reading, sheet, drawing)
    profile = Profile(size=size, tray=outline, shape=shape, name=args.name, reference=image.copy())
    if before is not None and before.size == size:
        profile = replace(profile, kept=before.kept, lens=before.lens, camera=before.camera)
        print(f"The profile {args.name} is made anew; its kept zone, lens and camera settings stay.")
    if args.lens is not None:
        profile = replace(profile, lens=_lens(Path(args.lens), size))
    profile = _with_scale(profile, sheet, args.die_mm)
    profile = _with_dice(profile, reading, args.dice)
    boxes = [die.box for die in reading.dice if die.confidence >= CERTAIN]
    _light([frame.image for frame in frames], profile, boxes)
    throws = (5 if live else 0) if args.throws is None else args.throws
    if throws:
        profile = _throws(args.source, profile, reader, args.dice, throws)
    write_profile(profile, path)
    _draw(drawing, image, profile.tray, profile.shape, reading)
    print(f"Written: {path}")
    print(f"Look at {drawing}: the outline must lie on the rim of the tray.")
    data = "" if args.data is None else f" --data {shlex.quote(args.data)}"
    print(f"Use it with: piste serve --source {shlex.quote(args.source)} --profile {args.name!r}{data}")
    return 0


def _before(path: Path) -> Profile | None:
    """The profile of this name as it was, None when there is none that can be read."""
    from calibration.checks import ProfileError
    from calibration.profilefile import read_profile

    try:
        return read_profile(path) if path.exists() else None
    except ProfileError as error:
        print(f"The old profile is not used: {error}", file=sys.stderr)
        return None


def _frames(spec: str) -> list[Frame]:
    """The pictures of the first moment of a source: of a camera after it has settled, of a film from its beginning."""
    from vision.errors import SourceError
    from vision.frames import kind_of, open_source

    live = kind_of(spec) in ("camera", "stream")
    frames: list[Frame] = []
    with open_source(spec, realtime=live) as source:
        for frame in source:
            frames.append(frame)
            if frame.time - frames[0].time > LOOK_S or len(frames) >= 4 * FRAMES:
                break
    if not frames:
        raise SourceError(f"{spec}: it gave no picture.")
    same = [frame for frame in frames if frame.image.shape == frames[-1].image.shape]
    return same[-FRAMES:]


def _lens(folder: Path, size: tuple[int, int]) -> Lens:
    """The lens from a folder of pictures of the sheet. Raises CalibrateError when they do not tell it."""
    from calibration.markers import VIEWS, MarkersError, find_sheet, measured_lens
    from vision.frames import open_source

    views = []
    with open_source(str(folder), realtime=False) as source:
        last = None
        for frame in source:
            if last is not None and frame.image is last:  # a folder shows each picture for a while
                continue
            last = frame.image
            try:
                views.append(find_sheet(frame.image))
            except MarkersError as error:
                print(f"Lens: picture {frame.index + 1}: {error}", file=sys.stderr)
    other = [view for view in views if view.size != size]
    if other:
        raise CalibrateError(
            f"--lens {folder}: a picture of {other[0].size[0]}x{other[0].size[1]} pixels, but the camera gives "
            f"{size[0]}x{size[1]}: take them with this camera, in the same size."
        )
    lens = measured_lens(views)
    if lens is None:
        raise CalibrateError(
            f"--lens {folder}: the lens cannot be told from {len(views)} pictures of the sheet. Take {VIEWS} or more "
            "that show all of it, from five sides, and together fill most of the picture."
        )
    print(f"Lens: measured from {len(views)} pictures.")
    return lens


def _sheet(image: Image, bent: bool) -> SheetSeen | None:
    from calibration.markers import MarkersError, find_sheet, flat

    try:
        seen = find_sheet(image)
    except MarkersError as error:
        if "Only part" in str(error):
            print(f"Sheet: {error}")
        return None
    if not bent:  # what the lens bends would be taken for a sheet that is bent
        flat(seen)
    print(f"Sheet: found, a pixel shows {seen.mm_per_px:.2f} mm of the table.")
    return seen


def _tray(
    taps: list[str] | None, frames: list[Frame], reading: Reading, sheet: SheetSeen | None, drawing: Path
) -> tuple[Points | None, str]:
    """Where the tray is: as told, or found. Raises CalibrateError when that is not sure, and draws the best guess."""
    import numpy as np

    from calibration.taps import from_taps
    from calibration.tray import find

    image = frames[-1].image
    if taps == [WHOLE]:
        print("Tray: the whole picture.")
        return None, "picture"
    if taps is not None:
        outline, shape = from_taps([_tap(each) for each in taps], (image.shape[1], image.shape[0]), image)
        print(f"Tray: {shape}, as told.")
        return outline, shape
    if sheet is not None:
        raise CalibrateError(
            "The printed sheet hides the tray: say where its corners are with --tray x,y x,y x,y x,y."
        )
    dice = [die.center for die in reading.dice if die.confidence >= CERTAIN]
    found = find([frame.image for frame in frames], np.array(dice) if dice else None)
    if found.outline is not None and found.sure:
        print(f"Tray: found, {found.shape}; edges bear out {100 * found.certainty:.0f}% of its outline.")
        return found.outline, found.shape
    hint = "give them with --tray x,y x,y x,y x,y, or take the whole picture with --tray whole"
    if found.outline is None:
        raise CalibrateError(f"{found.reason} Here: {hint}.")
    _draw(drawing, image, found.outline, found.shape, reading)
    corners = found.outline if len(found.outline) <= 6 else found.outline[:: len(found.outline) // 8]
    told = " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
    raise CalibrateError(
        f"{found.reason} The best guess is drawn in {drawing}: if it is right, add --tray {told}; else {hint}."
    )


def _tap(text: str) -> tuple[float, float]:
    x, comma, y = text.partition(",")
    try:
        if comma:
            return (float(x), float(y))
    except ValueError:
        pass
    raise CalibrateError(f"--tray {text}: a corner is written x,y in pixels, as in 120,80.")


def _with_scale(profile: Profile, sheet: SheetSeen | None, die_mm: float) -> Profile:
    """With the map to the table that the sheet gives, and with it the size of dice in the middle of the tray."""
    import numpy as np

    from calibration.markers import flat, straightened

    if sheet is None:
        return profile
    seen = sheet
    if profile.lens is not None:
        seen = straightened(sheet, profile.lens)
        flat(seen)
    profile = replace(profile, ground=seen.ground(die_mm))
    middle = profile.middle
    sizes = None if middle is None else profile.die_size(np.array([middle]))
    return profile if sizes is None else replace(profile, die_px=round(float(sizes[0]), 1))


def _with_dice(profile: Profile, reading: Reading, dice: int) -> Profile:
    import numpy as np

    sizes = [
        min(die.box[2] - die.box[0], die.box[3] - die.box[1])
        for die in reading.dice
        if die.confidence >= CERTAIN
    ]
    if sizes:
        print(f"Dice: {len(sizes)} lie there, {np.median(sizes):.0f} pixels wide.")
        if profile.die_px is None:
            profile = replace(profile, die_px=round(float(np.median(sizes)), 1))
    return replace(profile, dice=dice)


def _light(images: list[Image], profile: Profile, dice: list[Any]) -> None:
    from calibration.light import check

    findings = check(images, profile.tray, dice)
    for finding in findings:
        at = ""
        if finding.where is not None:
            x0, y0, x1, y1 = finding.where
            at = f" (at {(x0 + x1) / 2:.0f},{(y0 + y1) / 2:.0f})"
        print(f"{'Light' if finding.grave else 'Note'}: {finding.message}{at}")
    if not findings:
        print("Light: good.")


def _throws(spec: str, profile: Profile, reader: DiceReader, dice: int, wanted: int) -> Profile:
    """Asks for throws, tells how each was read, and what was learnt of the dice."""
    from calibration.verify import Trial
    from vision.events import RollSeen
    from vision.frames import kind_of, open_source
    from vision.watcher import RollWatcher

    trial = Trial(dice=dice, wanted=wanted)
    watcher = RollWatcher(lambda image: reader.read(image, profile.die_px), profile=profile)
    print(f"Throw your {dice} dice {wanted} times, and let them lie still each time. Ctrl+C stops.")
    live = kind_of(spec) in ("camera", "stream")
    try:
        with open_source(spec, realtime=live) as source:
            for frame in source:
                for event in watcher.feed(frame):
                    if isinstance(event, RollSeen):
                        trial = trial.and_then(event.roll.reading, frame.image)
                        verdict = "sure" if event.roll.reading.sure else ", ".join(event.roll.reading.reasons)
                        values = " ".join(map(str, event.roll.reading.roll)) or "no dice"
                        print(f"  {len(trial.readings)}: {values} ({verdict})", flush=True)
                if trial.done:
                    profile = replace(profile, camera={**profile.camera, **source.held})
                    break
    except KeyboardInterrupt:
        print()
    report = trial.report()
    print(f"Dice: {report.sure} of {report.throws} throws were sure.")
    for problem in report.problems:
        print(f"Dice: {problem.message}")
    return trial.learned(profile)


def _draw(path: Path, image: Image, outline: Points | None, shape: str, reading: Reading) -> None:
    """The picture with the outline and the dice drawn in. Raises CalibrateError when it cannot be written."""
    import cv2
    import numpy as np

    drawn = image.copy()
    thick = max(2, round(max(image.shape[:2]) / 400))
    if outline is not None:
        cv2.polylines(drawn, [np.round(outline).astype(np.int32)], True, (0, 200, 255), thick, cv2.LINE_AA)
        x, y = (int(each) for each in outline.min(axis=0))
        at = (max(4, x), max(20, y - 8))
        cv2.putText(drawn, shape, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 200, 255), 2, cv2.LINE_AA)
    for die in reading.dice:
        x0, y0, x1, y1 = (round(edge) for edge in die.box)
        cv2.rectangle(drawn, (x0, y0), (x1, y1), (80, 220, 80), max(1, thick // 2), cv2.LINE_AA)
    if path.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise CalibrateError(f"--picture {path}: the name must end in .png or .jpg.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(path.suffix.lower(), drawn)[1].tobytes())
    except OSError as error:
        raise CalibrateError(f"The picture {path} cannot be written ({error.strerror}).") from None
