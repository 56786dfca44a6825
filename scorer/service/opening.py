"""From what people call a source to the camera that watches it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from calibration.profile import WHOLE_PICTURE, Profile
from scorer.service.chosen import id_of
from scorer.service.phone import SPEC as PHONE
from vision.errors import SourceError

if TYPE_CHECKING:
    from scorer.service.camera import Camera, Recording, Watching
    from vision.frames import FrameSource, Image
    from vision.roll import Reading
    from vision.usb import CameraInfo

USB_PREFIX = "usb:"


def reader() -> Callable[[Image], Reading]:
    """What reads pictures; loads and verifies the networks. Raises VisionError."""
    from vision.pipeline import DiceReader  # noqa: PLC0415 - manual entry does without the networks

    return DiceReader().read


def recording(spec: str) -> Recording | None:
    """What the source is, if it is no camera."""
    from vision.frames import kind_of  # noqa: PLC0415 - loads the picture library

    named = "camera" if spec == PHONE else kind_of(spec)
    return None if named == "camera" or named == "stream" else named  # noqa: PLR1714 - what mypy understands


def kind(spec: str) -> str:
    """What sort of source it is: `phone`, `camera`, `address`, `film`, `folder` or `picture`."""
    if spec == PHONE:
        return PHONE
    from vision.frames import kind_of  # noqa: PLC0415 - loads the picture library

    named = kind_of(spec)
    return "address" if named == "stream" else named


def is_of_this_machine(spec: str) -> bool:
    """Whether a source is a camera of this machine or a phone, which no path and no address can be taken for."""
    spec = spec.strip()
    return spec == PHONE or spec.isdecimal() or (spec.startswith(USB_PREFIX) and "/" not in spec)


def cameras(used: str | None) -> list[dict[str, Any]]:
    """The cameras of this machine as screens see them; that of the source `used` is in use by Piste itself."""
    from vision.usb import cameras as listed  # noqa: PLC0415 - only a list needs it

    rows = []
    there = listed()
    used_number = None if used is None else _number_of(used, there)
    for each in there:
        own = each.number == used_number
        row = {
            "id": id_of(each.source),
            "source": each.source,
            "number": each.number,
            "name": each.name or f"camera {each.number}",
            "size": list(each.modes[0][:2]) if each.modes else None,
            "in_use": bool(each.in_use) and not own,
            "own": own,
            "problem": each.problem,
        }
        rows.append(row)
    return rows


def _number_of(spec: str, there: Sequence[CameraInfo]) -> int | None:
    """The number of the camera, of those `there`, that a source is; None where it is none of them."""
    from vision.usb import CameraName, number_of  # noqa: PLC0415 - only a list needs it

    if kind(spec) != "camera":
        return None
    if spec.isdecimal():
        return int(spec)
    try:
        return number_of(CameraName(spec.removeprefix(USB_PREFIX)), there)
    except SourceError:
        return None


def _phone(opened: Callable[[], FrameSource] | None) -> FrameSource:
    if opened is None:
        raise SourceError("This Piste takes no pictures from a phone: choose another camera.")
    return opened()


def called(spec: str) -> str:
    """What people call the source, before it has been opened; never with a password."""
    from vision import frames  # noqa: PLC0415 - loads the picture library

    return spec if spec == PHONE else frames.called(spec)


def camera_of(
    spec: str,
    read: Callable[[Image], Reading],
    table: Watching,
    *,
    demo: bool = False,
    patient: bool = False,
    profile: Profile = WHOLE_PICTURE,
    fix: bool = True,
    phone: Callable[[], FrameSource] | None = None,
) -> Camera:
    """The camera that watches `spec` for `table`, not started yet. Raises SourceError.

    A wrong number or path is better said now than tried for ever; a network camera may well come later, and with
    `patient` any source may. `demo` plays a film over and over that waits for confirmations. A camera is asked for
    the size and the settings of its `profile`, and, to `fix` them, held to those that it finds. `phone` opens what a
    phone sends.
    """
    from scorer.service.camera import Camera  # noqa: PLC0415 - loads the picture library
    from vision.frames import URL_PATTERN, open_source  # noqa: PLC0415

    spec = spec.strip()

    def open_again(wait: bool = False) -> FrameSource:
        if spec == PHONE:
            return _phone(phone)
        settings = profile.camera if fix else None
        return open_source(
            spec, realtime=not demo, loop=demo, wait=wait, size=profile.size, settings=settings
        )

    first = None if patient or URL_PATTERN.match(spec) else open_again(wait=True)
    return Camera(
        called(spec) if first is None else first.name,
        open_again,
        read,
        table,
        first=first,
        hold=demo,
        recording=recording(spec),
        profile=profile,
    )
