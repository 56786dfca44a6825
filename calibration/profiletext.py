"""What stands in a profile's file: its keys, a sentence on each, and the way from their values to a profile."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from calibration.checks import Fault
from calibration.geometry import Points
from calibration.lens import Lens
from calibration.profile import Look, Profile

COMMENTS = {
    "name": "What this table is called.",
    "size": "Width and height of the camera's pictures that this was made for, pixels.",
    "shape": "What the tray is: picture (all of it is the tray), round, hexagon, square or outline.",
    "tray": "Outline of the tray with its rim: points x, y in pixels, x to the right and y down, in order around it.",
    "kept": "Outline of the zone where kept dice are laid, in the same way.",
    "dice": "How many dice this set has.",
    "die_px": "How long the edge of a die is in the picture near the middle of the tray, pixels.",
    "ground": "From the picture to the table: a projective map of (x, y, 1) in pixels to edges of a die.",
    "lens": "How the lens bends straight lines: focal lengths and middle in pixels, and its coefficients.",
    "camera": "Settings of the camera, as far as it can be set.",
    "look": "Colours of the dice, blue, green and red from 0 to 255: of the upper faces, and of their pips.",
}
"""The keys of a profile's file in their order, and what the file says of each."""

_BEGIN = """\
# The profile of a table for Piste, made by: piste calibrate
# The picture of the table beside it, with the same name and .jpg, tells whether the camera has been moved.
"""
_LENS = tuple(each.name for each in fields(Lens))
_LENS_MUST = ("fx", "fy", "cx", "cy")


def as_toml(profile: Profile) -> str:
    """The text of a profile's file."""
    plain: dict[str, str] = {}
    tables: dict[str, list[str]] = {}
    if profile.name:
        plain["name"] = _quoted(profile.name)
    if profile.size is not None:
        plain["size"] = f"[{profile.size[0]}, {profile.size[1]}]"
    plain["shape"] = _quoted(profile.shape)
    for key, outline in (("tray", profile.tray), ("kept", profile.kept)):
        if outline is not None:
            plain[key] = _rows(outline)
    if profile.dice is not None:
        plain["dice"] = str(profile.dice)
    if profile.die_px is not None:
        plain["die_px"] = _number(profile.die_px)
    if profile.ground is not None:
        plain["ground"] = _rows(profile.ground)
    if profile.lens is not None:
        tables["lens"] = [f"{key} = {_number(getattr(profile.lens, key))}" for key in _LENS]
    if profile.camera:
        tables["camera"] = [f"{_quoted(key)} = {_number(value)}" for key, value in profile.camera.items()]
    if profile.look is not None:
        tables["look"] = [
            f"{key} = [{', '.join(map(_number, getattr(profile.look, key)))}]" for key in ("body", "pips")
        ]
    parts = [_BEGIN]
    parts += [f"# {COMMENTS[key]}\n{key} = {value}\n" for key, value in plain.items()]
    for key, lines in tables.items():
        body = "\n".join(lines)
        parts.append(f"# {COMMENTS[key]}\n[{key}]\n{body}\n")
    return "\n".join(parts)


def from_data(data: Mapping[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """The fields of a profile from what stands in its file; notes what cannot be taken for a value at all.

    Whether the values can be true is for `Profile` to say.
    """
    fields_found: dict[str, Any] = {}

    def wrong(key: str, wanted: str, value: object) -> None:
        faults.append(Fault(key, None, f"{key} must be {wanted}; it is {_told(value)}"))

    for key, value in data.items():
        if key not in COMMENTS:
            known = ", ".join(COMMENTS)
            faults.append(Fault(key[:60], None, f"no profile has {_told(key)}; it has {known}"))
        elif key in ("name", "shape"):
            if isinstance(value, str):
                fields_found[key] = value
            else:
                wrong(key, "a text", value)
        elif key == "size":
            if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
                fields_found[key] = (value[0], value[1])
            else:
                wrong(key, "width and height, two whole numbers", value)
        elif key in ("tray", "kept", "ground"):
            wide = 3 if key == "ground" else 2
            if isinstance(value, list) and all(is_row(row, wide) for row in value):
                fields_found[key] = np.array(value, dtype=np.float64).reshape(-1, wide)
            else:
                wrong(key, "three rows of three numbers" if wide == 3 else "points, each [x, y]", value)
        elif key == "dice":
            if type(value) is int:
                fields_found[key] = value
            else:
                wrong(key, "a whole number", value)
        elif key == "die_px":
            if is_number(value):
                fields_found[key] = float(value)
            else:
                wrong(key, "a number of pixels", value)
        elif not isinstance(value, dict):
            wrong(key, f"a table, [{key}]", value)
        elif key == "lens":
            _take_lens(value, fields_found, faults)
        elif key == "look":
            _take_look(value, fields_found, faults)
        else:
            bad = [name for name, each in value.items() if not is_number(each)]
            for name in bad:
                wrong(f"{key}.{name[:60]}", "a number", value[name])
            if not bad:
                fields_found[key] = {name: float(each) for name, each in value.items()}
    return fields_found


def _take_lens(table: Mapping[str, Any], found: dict[str, Any], faults: list[Fault]) -> None:
    before = len(faults)
    for name, value in table.items():
        if name not in _LENS:
            faults.append(
                Fault(f"lens.{name[:60]}", None, f"no lens has {_told(name)}; it has {', '.join(_LENS)}")
            )
        elif not is_number(value):
            faults.append(Fault(f"lens.{name}", None, f"lens.{name} must be a number; it is {_told(value)}"))
    faults += [
        Fault("lens", None, f"lens.{name} must be a number; it is missing")
        for name in _LENS_MUST
        if name not in table
    ]
    if len(faults) == before:
        found["lens"] = Lens(**{name: float(value) for name, value in table.items()})


def _take_look(table: Mapping[str, Any], found: dict[str, Any], faults: list[Fault]) -> None:
    before = len(faults)
    for name in table:
        if name not in ("body", "pips"):
            faults.append(Fault(f"look.{name[:60]}", None, f"no look has {_told(name)}; it has body, pips"))
    for name in ("body", "pips"):
        if not is_row(table.get(name), 3):
            told = _told(table[name]) if name in table else "missing"
            faults.append(Fault(f"look.{name}", None, f"look.{name} must be three numbers; it is {told}"))
    if len(faults) == before:
        body, pips = (tuple(map(float, table[name])) for name in ("body", "pips"))
        found["look"] = Look(body, pips)  # type: ignore[arg-type]


def is_number(value: object) -> bool:
    """Whether a value of TOML is a number that can be reckoned with."""
    try:
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


def is_row(value: object, wide: int) -> bool:
    """Whether a value of TOML is a list of so many numbers."""
    return isinstance(value, list) and len(value) == wide and all(map(is_number, value))


def _number(value: float) -> str:
    """A number that reads back as the same one."""
    value = float(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _rows(rows: Points) -> str:
    return "[\n" + "".join(f"    [{', '.join(map(_number, row.tolist()))}],\n" for row in rows) + "]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _told(value: object) -> str:
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # a number of more digits than Python writes
        return "beyond what can be shown"
    text = text.encode("ascii", "backslashreplace").decode() if not text.isprintable() else text
    return text if len(text) <= 60 else text[:57] + "..."
