"""`piste read`: reads the dice in picture files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.errors import PisteError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.roll import Reading

DRAWINGS = (".png", ".jpg", ".jpeg")


class ReadError(PisteError):
    """The pictures cannot be read at all: no usable models, or a drawing that cannot be written."""


def run(args: argparse.Namespace) -> int:
    """Reads each image of `args.images`; returns 0, or 2 when any of them could not be read or drawn."""
    from vision.errors import ModelError, PictureError
    from vision.pictures import load_picture
    from vision.pipeline import DiceReader

    if args.show and Path(args.show).suffix.lower() not in DRAWINGS:
        raise ReadError(f"--show {args.show}: the name must end in .png or .jpg.")
    drawings = list(_drawing_paths(args.show, args.images)) if args.show else [None] * len(args.images)
    for drawing in drawings:
        if drawing and any(_same(drawing, Path(name)) for name in args.images):
            raise ReadError(f"--show {drawing}: is one of the pictures to be read; name another file.")
    try:
        reader = DiceReader(Path(args.models) if args.models else None, threads=args.threads or 0)
    except ModelError as error:
        raise ReadError(str(error)) from None
    status = 0
    for name, drawing in zip(args.images, drawings, strict=True):
        try:
            picture = load_picture(Path(name))
            reading = reader.read(picture)
        except PictureError as error:
            message = str(error)
            _complain(message if name in message else f"{name}: {message}")
            status = 2
            continue
        except Exception as error:  # a fault inside a library must not cost the other pictures
            _complain(f"{name}: could not be read ({type(error).__name__}: {error})")
            status = 2
            continue
        print(as_json(name, reading) if args.json else as_table(name, reading), flush=True)
        try:
            if drawing:
                _draw(drawing, picture, reading)
        except ReadError as error:
            _complain(str(error))
            status = 2
    return status


def as_json(name: str, reading: Reading) -> str:
    """One picture's reading as a line of JSON."""
    row = {
        "image": name,
        "dice": [
            {
                "value": die.value,
                "confidence": round(die.confidence, 4),
                "box": [round(v, 1) for v in die.box],
                "center": [round(v, 1) for v in die.center],
            }
            for die in reading.dice
        ],
        "roll": list(reading.roll),
        "sure": reading.sure,
        "reasons": list(reading.reasons),
        "ms": round(reading.ms, 1),
    }
    return json.dumps(row)


def as_table(name: str, reading: Reading) -> str:
    """One picture's reading for people: the roll, then a line for each die."""
    roll = " ".join(str(v) for v in reading.roll) or "no dice"
    verdict = "sure" if reading.sure else "unsure: " + ", ".join(reading.reasons)
    lines = [f"{name}: {roll}  ({verdict}; {reading.ms:.0f} ms)"]
    for die in reading.dice:
        x, y = die.center
        doubt = f"  {', '.join(die.reasons)}" if die.reasons else ""
        lines.append(f"  {die.value}  {die.confidence * 100:5.1f}%  at {x:.0f}, {y:.0f}{doubt}")
    return "\n".join(lines)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return False


def _complain(message: str) -> None:
    print(f"piste read: {message}", file=sys.stderr, flush=True)


def _drawing_paths(wanted: str, images: list[str]) -> Iterator[Path]:
    """Where the drawing of each image goes: with several, each has its name added, and a number where names repeat."""
    path = Path(wanted)
    taken: set[str] = set()
    for image in images:
        stem = path.stem if len(images) == 1 else f"{path.stem}-{Path(image).stem}"
        number = 2
        while stem in taken:
            stem = f"{path.stem}-{Path(image).stem}-{number}"
            number += 1
        taken.add(stem)
        yield path.with_name(stem + path.suffix)


def _draw(path: Path, picture: NDArray[np.uint8], reading: Reading) -> None:
    import cv2

    from vision.pictures import draw_reading

    code = cv2.imencode(path.suffix.lower(), draw_reading(picture, reading))[1]
    try:
        path.write_bytes(code.tobytes())
    except OSError as error:
        raise ReadError(f"--show {path}: cannot be written ({error.strerror}).") from None
