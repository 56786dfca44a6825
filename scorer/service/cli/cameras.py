"""`piste cameras`: the cameras of this machine, and what to call them."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.usb import CameraInfo


def run(args: argparse.Namespace) -> int:
    """List the cameras. Returns the exit status: 0, or 1 where there is none."""
    from vision.usb import cameras

    found = cameras()
    if args.json:
        print(json.dumps([each.as_dict() for each in found], ensure_ascii=False, indent=2))
    else:
        for each in found:
            print(_line(each))
    if found:
        return 0
    print(
        "piste cameras: no camera is plugged in. Plug one in, or use a phone: piste serve --source phone",
        file=sys.stderr,
    )
    return 1


def _line(camera: CameraInfo) -> str:
    """One line: number, name, the sizes that count, who uses it, and how to name it."""
    parts = [f"{camera.number}: {camera.name}"]
    usual = camera.usual
    if usual is not None:
        parts.append(_mode(*usual))
        if camera.modes[0] != usual:
            parts.append(f"up to {_mode(*camera.modes[0])}")
    if camera.in_use:
        names = ", ".join(camera.used_by)
        parts.append(f"in use{f' by {names}' if names else ''}")
    if camera.problem is not None:
        parts.append(camera.problem)
    return f"{', '.join(parts)}\n   piste serve --source {shlex.quote(camera.source)}"


def _mode(width: int, height: int, fps: float) -> str:
    return f"{width}x{height}" + (f" at {fps:g} a second" if fps else "")
