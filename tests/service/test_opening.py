"""From the name of a source to the camera that watches it: what it is, and what it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import vision.frames
import vision.usb
from calibration.profile import WHOLE_PICTURE, Profile
from scorer.service.opening import called, camera_of, cameras, is_of_this_machine, kind, recording
from vision.errors import SourceError
from vision.push import PushSource
from vision.roll import Reading
from vision.usb import CameraInfo


def read(_image: Any, _die: float | None = None) -> Reading:
    raise AssertionError("nothing is watched here")


class Deaf:
    """A table that nothing is told."""

    def camera_is(self, _status: object) -> None:
        pass

    def roll_seen(self, _roll: object) -> None:
        pass

    def holds(self) -> bool:
        return False


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What sources were opened, and how; each is one that gives nothing."""
    made: list[tuple[str, dict[str, Any]]] = []

    def open_source(spec: str, **how: Any) -> PushSource:
        made.append((spec, how))
        return PushSource(spec)

    monkeypatch.setattr(vision.frames, "open_source", open_source)
    return made


@pytest.mark.parametrize(
    ("spec", "named", "name", "own"),
    [
        ("0", "camera", "camera 0", True),
        ("usb:C920", "camera", "camera C920", True),
        ("usb:../C920", "camera", "camera ../C920", False),
        ("/dev/video0", "camera", "/dev/video0", False),
        ("phone", "phone", "phone", True),
        ("http://me:secret@cam/v", "address", "http://cam/v", False),
        ("film.mp4", "film", "film.mp4", False),
        ("a/one.png", "picture", "one.png", False),
        (".", "folder", ".", False),
    ],
)
def test_a_source_is_known_by_its_name(spec: str, named: str, name: str, own: bool) -> None:
    assert (kind(spec), called(spec), is_of_this_machine(spec)) == (named, name, own)
    assert recording(spec) == (named if named in ("film", "picture", "folder") else None)


def test_a_camera_is_asked_for_what_the_profile_says(asked: list[tuple[str, dict[str, Any]]]) -> None:
    profile = Profile(size=(1920, 1080), camera={"exposure": 80.0})
    camera_of(" 0 ", read, Deaf(), profile=profile).stop()
    camera_of("0", read, Deaf(), profile=profile, fix=False).stop()
    camera_of("0", read, Deaf(), profile=WHOLE_PICTURE).stop()
    assert [spec for spec, _ in asked] == ["0", "0", "0"]
    assert [(how["size"], how["settings"], how["wait"]) for _, how in asked] == [
        ((1920, 1080), {"exposure": 80.0}, True),
        ((1920, 1080), None, True),
        (None, {}, True),
    ]


def test_what_may_come_later_is_not_waited_for(asked: list[tuple[str, dict[str, Any]]]) -> None:
    for spec, patient in (("http://cam/v", False), ("0", True)):
        camera = camera_of(spec, read, Deaf(), patient=patient)
        assert asked == []
        camera.start()
        while not asked:
            pass
        camera.stop()
        assert asked.pop()[1]["wait"] is False


@pytest.mark.parametrize(
    ("used", "own"),
    [
        ("2", [2]),
        ("usb:Logi_C920", [2]),
        ("usb:c920", [2]),
        ("usb:Logi", []),  # several are called so
        ("/dev/video4", []),  # there is none
        ("phone", []),
        (None, []),
    ],
)
def test_the_camera_in_use_by_piste_itself_is_known_however_it_is_called(
    used: str | None, own: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = [
        CameraInfo(0, "Logi C270", "Logi_C270", in_use=True),
        CameraInfo(2, "Logi C920", "Logi_C920", in_use=True),
    ]
    monkeypatch.setattr(vision.usb, "cameras", lambda: there)
    rows = cameras(used)
    assert [row["number"] for row in rows if row["own"]] == own
    assert [row["number"] for row in rows if row["in_use"]] == [each for each in (0, 2) if each not in own]


def test_a_phone_is_a_source_where_one_is_taken(tmp_path: Path) -> None:
    push = PushSource("phone", hint="Open the page.")
    camera = camera_of("phone", read, Deaf(), phone=lambda: push)
    camera.stop()
    assert push.ended
    with pytest.raises(SourceError, match="takes no pictures from a phone"):
        camera_of("phone", read, Deaf())
    with pytest.raises(SourceError, match="there is no such file"):
        camera_of(str(tmp_path / "missing.mp4"), read, Deaf())
