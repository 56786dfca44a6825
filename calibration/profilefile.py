"""A profile as a file: TOML that a person can read and change, and the picture of the table beside it.

write_profile(profile, path)          # path ends in .toml; the picture becomes the same with .jpg
profile = read_profile(path)
profile = load("bar", data_folder)    # data_folder/profiles/bar.toml, or a path to any file
"""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.checks import LARGEST_SIDE, LONGEST_NAME, Fault, ProfileError
from calibration.jpeg import size_of
from calibration.profile import Image, Profile
from calibration.profiletext import as_toml, from_data

FOLDER = "profiles"
"""Of the data folder: where profiles live."""
JPEG_QUALITY = 92

_MOST_BYTES = 64 << 10
_MOST_PICTURE_BYTES = 32 << 20
_MOST_DOTS = 400  # in a line: keys of many parts take long to read
_NAME = re.compile(rf"[^\W_][\w -]{{0,{LONGEST_NAME - 1}}}")
_LINE = re.compile(r"\(at line ([0-9]+), column [0-9]+\)")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_HEADER = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+)\s*\]")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_PICTURE_ADVICE = "Remove it, or make the profile again with: piste calibrate"
_ADVICE = "Put it right in the file, or make the profile again with: piste calibrate"


def profile_path(name: str, folder: Path) -> Path:
    """Where the profile of this name is in a data folder. Raises ProfileError for what is no name."""
    if not _is_name(name):
        raise ProfileError(
            f"{name[:LONGEST_NAME]!r} cannot be the name of a profile: use letters, digits, spaces, - and _, "
            f"beginning with a letter or digit, at most {LONGEST_NAME}."
        )
    return folder / FOLDER / f"{name}.toml"


def profile_names(folder: Path) -> tuple[str, ...]:
    """The names of the profiles in a data folder, sorted; none when there is no such folder."""
    try:
        found = [path.stem for path in (folder / FOLDER).iterdir() if path.suffix == ".toml"]
    except OSError:
        return ()
    return tuple(sorted(filter(_is_name, found)))


def _is_name(name: str) -> bool:
    """Whether a profile can be called so: its file can have the name on any system, and leads nowhere else."""
    return bool(_NAME.fullmatch(name)) and not _RESERVED.fullmatch(name) and name == name.strip()


def load(name_or_path: str, folder: Path) -> Profile:
    """The profile of this name in a data folder, or that of a file, if it ends in .toml or names a folder.

    Raises ProfileError when there is none, or when it is damaged.
    """
    if name_or_path.endswith(".toml") or "/" in name_or_path or os.sep in name_or_path:
        return read_profile(Path(name_or_path))
    path = profile_path(name_or_path, folder)
    if not path.exists():
        names = ", ".join(profile_names(folder)) or "none yet"
        raise ProfileError(
            f"There is no profile {name_or_path} in {folder / FOLDER} (there: {names}). "
            f"Make it with: piste calibrate --name {name_or_path!r}"
        )
    return read_profile(path)


def remove_profile(name: str, folder: Path) -> None:
    """Remove a profile and its picture. Raises ProfileError when there is none of this name, or it cannot be."""
    path = profile_path(name, folder)
    try:
        path.unlink()
        path.with_suffix(".jpg").unlink(missing_ok=True)
    except OSError as error:
        raise ProfileError(f"The profile {name} cannot be removed: {_reason(error)}.") from error


def read_profile(path: Path) -> Profile:
    """The profile in a file. Raises ProfileError, with all faults and their lines."""
    text = _text(path)
    profile = parse_profile(text, str(path))
    picture = path.with_suffix(".jpg")
    try:
        there = picture.exists()
    except OSError:
        there = False
    if not there:
        return profile
    reference = _picture(picture)
    height, width = reference.shape[:2]
    if profile.size not in (None, (width, height)):
        raise ProfileError(
            f"{picture}: the picture of the table has {width}x{height} pixels, but its profile is for "
            f"{profile.size[0]}x{profile.size[1]}. {_PICTURE_ADVICE}."
        )
    return replace(profile, reference=reference)


def parse_profile(text: str, called: str = "profile", reference: Image | None = None) -> Profile:
    """The profile that a file of this content has; messages call it `called`. Raises ProfileError."""
    data = _data(text, called)
    faults: list[Fault] = []
    given = from_data(data, faults)
    if not faults:
        try:
            return Profile(**given, reference=reference)
        except ProfileError as error:
            faults += error.faults
    else:  # what could be read may be wrong as well
        known = {fault.key for fault in faults}
        if "tray" in known:
            known.add("shape")  # whether it goes with the outline is not to be said
        faults += [each for each in _also_wrong(given) if each.key not in known]
    lines = _lines(text)
    located = [fault._replace(line=_line_of(fault.key, lines)) for fault in faults]
    located.sort(key=lambda fault: (fault.line is None, fault.line or 0))
    raise ProfileError.of(called, located, _ADVICE)


def write_profile(profile: Profile, path: Path) -> None:
    """Write a profile, and its picture beside it. Raises ProfileError.

    Each file is whole or as it was, and whatever ends the program half way, a profile never stands beside the picture
    of another: at worst it has none.
    """
    if path.suffix != ".toml":
        raise ProfileError(f"{path}: the name of a profile's file ends in .toml.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture = path.with_suffix(".jpg")
        with ExitStack() as written:
            # What has no room on the disk is found out before anything old goes.
            reference = (
                None if profile.reference is None else _beside(picture, _jpeg(profile.reference), written)
            )
            text = _beside(path, as_toml(profile).encode("utf-8"), written)
            picture.unlink(missing_ok=True)
            text.replace(path)
            if reference is not None:
                reference.replace(picture)
    except OSError as error:
        raise ProfileError(
            f"The profile cannot be written to {path}: {_reason(error)}. Name another folder with --data."
        ) from error


def _also_wrong(given: dict[str, Any]) -> tuple[Fault, ...]:
    try:
        Profile(**given)
    except ProfileError as error:
        return error.faults
    return ()


def _jpeg(image: Image) -> bytes:
    good, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not good:
        raise ProfileError("The picture of the table cannot be made a JPEG.")
    return code.tobytes()


def _beside(path: Path, data: bytes, until: ExitStack) -> Path:
    """A file beside this one that is to take its place; unless it has by the end of `until`, it goes again."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".piste-", suffix=path.suffix)
    beside = Path(name)
    until.callback(_forget, beside)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.chmod(0o644)
    return beside


def _forget(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise ProfileError(f"{path}: it is no file. Name a profile's .toml file.")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ProfileError(f"{path}: the profile cannot be read: {_reason(error)}.") from None
    if len(data) > _MOST_BYTES:
        raise ProfileError(
            f"{path}: it is larger than {_MOST_BYTES >> 10} KiB, which no profile is. {_ADVICE}."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fault = Fault("", data[: error.start].count(b"\n") + 1, "it is not UTF-8")
        raise ProfileError.of(str(path), [fault], _ADVICE) from None


def _data(text: str, called: str) -> dict[str, Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            fault = Fault("", number, f"the line has more than {_MOST_DOTS} dots, which none needs")
            raise ProfileError.of(called, [fault], _ADVICE)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ProfileError.of(called, [Fault("", None, "it is nested too deep")], _ADVICE) from None
    except ValueError as error:  # tomllib's own, and what it lets pass: a date that is none
        place = _LINE.search(str(error))
        reason = _LINE.sub("", str(error)).strip() or "it cannot be read"
        fault = Fault("", int(place[1]) if place else None, f"it is not TOML: {reason[:200]}")
        raise ProfileError.of(called, [fault], _ADVICE) from None


def _lines(text: str) -> dict[str, int]:
    """The line on which each key begins: `tray`, `lens`, `lens.k1`."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header is not None:
            table = header[1]
            lines.setdefault(table, number)
        elif key is not None:
            lines.setdefault(f"{table}.{key[1]}" if table else key[1], number)
    return lines


def _line_of(key: str, lines: dict[str, int]) -> int | None:
    return lines.get(key, lines.get(key.partition(".")[0]))


def _picture(path: Path) -> Image:
    try:
        if not path.is_file():  # one that never ends, or gives nothing for ever, is not even opened
            raise ProfileError(f"{path}: the picture of the table is no file. {_PICTURE_ADVICE}.")
        with path.open("rb") as file:
            data = file.read(_MOST_PICTURE_BYTES + 1)
    except OSError as error:
        raise ProfileError(f"{path}: the picture of the table cannot be read: {_reason(error)}.") from None
    size = size_of(data) if len(data) <= _MOST_PICTURE_BYTES else None
    if size is None or not 0 < size[0] * size[1] <= LARGEST_SIDE * LARGEST_SIDE // 4:
        raise ProfileError(f"{path}: the picture of the table is not a JPEG of a camera. {_PICTURE_ADVICE}.")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        image = None
    if image is None:
        raise ProfileError(f"{path}: the picture of the table is damaged. {_PICTURE_ADVICE}.")
    return np.asarray(image, np.uint8)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
