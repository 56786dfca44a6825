"""`piste read`: reads the dice in picture files."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from scorer.errors import PisteError


class ReadError(PisteError):
    """The pictures cannot be read at all: no usable models, or a drawing that cannot be written."""


def run(args: argparse.Namespace) -> int:
    """Reads each image of `args.images`; returns 0, or 2 when any of them could not be read."""
    from vision.errors import ModelError, PictureError
    from vision.pictures import load_picture
    from vision.pipeline import DiceReader

    try:
        reader = DiceReader(Path(args.models) if args.models else None, threads=args.threads or 0)
    except ModelError as error:
        raise ReadError(str(error)) from None
    status = 0
    for name in args.images:
        try:
            picture = load_picture(Path(name))
            reading = reader.read(picture)
        except PictureError as error:
            message = str(error)
            print(f"piste read: {message if name in message else f'{name}: {message}'}", file=sys.stderr)
            status = 2
            continue
        if args.json:
            print(json.dumps(as_json(name, reading), ensure_ascii=False), flush=True)
        else:
            print(as_table(name, reading), flush=True)
        if args.show:
            _draw(_drawing_path(args.show, name, len(args.images)), picture, reading)
    return status


def as_json(name: str, reading: object) -> dict[str, object]:
    """One picture's reading as `piste read --json` prints it."""
    from vision.roll import Reading

    assert isinstance(reading, Reading)
    return {
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


def as_table(name: str, reading: object) -> str:
    """One picture's reading for people: the roll, then a line for each die."""
    from vision.roll import Reading

    assert isinstance(reading, Reading)
    roll = " ".join(str(v) for v in reading.roll) or "no dice"
    verdict = "sure" if reading.sure else "unsure: " + ", ".join(reading.reasons)
    lines = [f"{name}: {roll}  ({verdict}; {reading.ms:.0f} ms)"]
    for die in reading.dice:
        x, y = die.center
        doubt = f"  {', '.join(die.reasons)}" if die.reasons else ""
        lines.append(f"  {die.value}  {die.confidence * 100:5.1f}%  at {x:.0f}, {y:.0f}{doubt}")
    return "\n".join(lines)


def _drawing_path(wanted: str, image: str, count: int) -> Path:
    """Where the drawing of `image` goes: with several images, each has its name added."""
    path = Path(wanted)
    return path if count == 1 else path.with_name(f"{path.stem}-{Path(image).stem}{path.suffix}")


def _draw(path: Path, picture: object, reading: object) -> None:
    import cv2
    import numpy as np

    from vision.pictures import draw_reading
    from vision.roll import Reading

    assert isinstance(picture, np.ndarray)
    assert isinstance(reading, Reading)
    try:
        done, code = cv2.imencode(path.suffix or ".png", draw_reading(picture, reading))
    except cv2.error:
        done, code = False, np.zeros(0, np.uint8)
    if not done:
        raise ReadError(f"--show {path}: the name must end in .png or .jpg.")
    try:
        path.write_bytes(code.tobytes())
    except OSError as error:
        raise ReadError(f"--show {path}: cannot be written ({error.strerror}).") from None
