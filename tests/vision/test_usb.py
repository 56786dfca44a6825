"""Cameras of this machine: a made-up /dev and a driver that answers as Video4Linux does."""

from __future__ import annotations

import errno
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import ClassVar

import cv2
import numpy as np
import pytest

import vision.usb
from vision import v4l
from vision.errors import SourceError
from vision.frames import open_source
from vision.steady import SteadySource
from vision.usb import CameraInfo, CameraName, cameras, number_of, why_not

MJPG, YUYV = 0x47504A4D, 0x56595559
SIZES = {MJPG: [(1920, 1080), (1280, 720), (640, 480)], YUYV: [(640, 480)]}

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Video4Linux is of Linux")


class Machine:
    """Device files under `dev`, names under `sys`, and what each answers."""

    def __init__(self, tmp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.dev, self.sys = tmp / "dev", tmp / "sys"
        self.dev.mkdir()
        self.sys.mkdir()
        self.answers: dict[str, Callable[[int, bytearray], None]] = {}
        monkeypatch.setattr(vision.usb, "DEV", self.dev)
        monkeypatch.setattr(vision.usb, "SYS", self.sys)
        monkeypatch.setattr(v4l, "_ask", self.ask)

    def ask(self, handle: int, request: int, question: bytearray) -> bytearray:
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))  # noqa: PTH115 - of a handle
        assert len(question) == request >> 16 & 0x3FFF  # the size that the request's number says
        self.answers[path.name](request, question)
        return question

    def plug_in(
        self, number: int, name: str, link: str = "", *, caps: int = v4l.CAPTURE, busy: bool = False
    ) -> Path:
        path = self.dev / f"video{number}"
        path.touch()
        (self.sys / path.name).mkdir()
        (self.sys / path.name / "name").write_text(f"{name}\n")
        if link:
            folder = self.dev / "v4l" / ("by-path" if link.startswith("pci") else "by-id")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / link).symlink_to(Path("../..") / path.name)

        def answer(request: int, data: bytearray) -> None:
            index, kind = struct.unpack_from("=II", data)
            if request == v4l.QUERYCAP:
                data[16 : 16 + len(name)] = name.encode()
                struct.pack_into("=II", data, 84, caps | v4l.HAS_DEVICE_CAPS | v4l.CAPTURE, caps)
            elif request == v4l.ENUM_FMT and index < 2:
                struct.pack_into("=I", data, 44, (MJPG, YUYV)[index])
            elif request == v4l.ENUM_FRAMESIZES and index < len(SIZES[kind]):
                struct.pack_into("=III", data, 8, v4l.DISCRETE, *SIZES[kind][index])
            elif request == v4l.ENUM_FRAMEINTERVALS and index < 2:
                struct.pack_into("=III", data, 16, v4l.DISCRETE, 1, (15, 30)[index])
            elif request == v4l.S_FMT and busy:
                raise OSError(errno.EBUSY, "Device or resource busy")
            elif request not in (v4l.G_FMT, v4l.S_FMT):
                raise OSError(errno.EINVAL, "Invalid argument")

        self.answers[path.name] = answer
        return path

    def refuse(self, number: int, code: int) -> None:
        def answer(_request: int, _data: bytearray) -> None:
            raise OSError(code, os.strerror(code))

        self.answers[f"video{number}"] = answer


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_cameras_are_listed_with_names_that_stay(machine: Machine) -> None:
    machine.plug_in(0, "HD Pro Webcam C920", "usb-046d_HD_Pro_Webcam_C920_9A1B-video-index0")
    machine.plug_in(1, "HD Pro Webcam C920", caps=v4l.METADATA)
    machine.plug_in(12, "Integrated Camera: Integrated C")
    machine.plug_in(2, "Cheap Cam", "pci-0000:00:14.0-usb-0:2:1.0-video-index0", busy=True)
    (machine.dev / "video-odd").touch()
    found = cameras()
    assert [(each.number, each.source, each.in_use) for each in found] == [
        (0, "usb:046d_HD_Pro_Webcam_C920_9A1B", False),
        (2, "usb:pci-0000:00:14.0-usb-0:2:1.0", True),
        (12, "usb:Integrated_Camera_Integrated_C", False),
    ]
    assert found[0].name == "HD Pro Webcam C920"
    assert found[0].modes == ((1920, 1080, 30.0), (1280, 720, 30.0), (640, 480, 30.0))
    assert found[0].as_dict()["source"] == found[0].source


def test_two_cameras_of_one_name_are_known_by_where_they_are_plugged_in_or_by_number(
    machine: Machine,
) -> None:
    machine.plug_in(0, "Twin", "pci-1-video-index0")
    machine.plug_in(2, "Twin", "pci-2-video-index0")
    machine.plug_in(4, "Other twin")
    machine.plug_in(6, "Other twin")
    assert [each.source for each in cameras()] == ["usb:pci-1", "usb:pci-2", "4", "6"]


def test_a_camera_is_found_by_its_name_or_a_part_of_it_wherever_it_is_now(machine: Machine) -> None:
    machine.plug_in(3, "HD Pro Webcam C920", "usb-046d_HD_Pro_Webcam_C920_9A1B-video-index0")
    machine.plug_in(5, "Brio 100", "usb-046d_Brio_100-video-index0")
    for name in ("046d_HD_Pro_Webcam_C920_9A1B", "HD Pro Webcam C920", "hd-pro webcam", "C920"):
        assert number_of(CameraName(name)) == 3
    assert number_of(CameraName(str(machine.dev / "v4l/by-id/usb-046d_Brio_100-video-index0"))) == 5
    with pytest.raises(
        SourceError, match=r"046d: several cameras are called so: usb:046d_HD_Pro.*usb:046d_Brio"
    ):
        number_of(CameraName("046d"))
    with pytest.raises(
        SourceError, match=r"C270: not plugged in\. There are: usb:046d_HD_Pro_.*\(Brio 100\)\."
    ):
        number_of(CameraName("C270"))
    with pytest.raises(SourceError, match=r"several cameras are called so|not plugged in"):
        number_of(CameraName("--"))


def test_where_there_is_no_camera_that_is_said(machine: Machine) -> None:
    assert cameras() == []
    with pytest.raises(SourceError, match="C920: not plugged in; no camera is"):
        number_of(CameraName("C920"))
    with pytest.raises(SourceError, match="by-id/x: no such camera is plugged in; `piste cameras` lists"):
        number_of(CameraName(str(machine.dev / "v4l/by-id/x")))
    assert why_not(0) == "no camera is plugged in; plug one in, or see whether its cable is loose."


def test_why_a_camera_does_not_open_is_said_with_what_to_do(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.plug_in(0, "One", busy=True)
    monkeypatch.setattr(v4l, "users", lambda _path: ("firefox", "obs"))
    assert why_not(0) == "another program uses it (firefox, obs); close that one."
    machine.plug_in(1, "Two")
    assert "check that it is plugged in" in why_not(1)
    assert why_not(7).startswith("there is no camera of this number. There are: usb:One (One), usb:Two (Two)")
    machine.plug_in(2, "Three", caps=v4l.METADATA)
    assert "video2 gives no pictures" in why_not(2)
    machine.refuse(1, errno.EIO)
    assert why_not(1) == "it does not answer (Input/output error); plug it in anew."
    machine.refuse(1, errno.EBUSY)
    assert why_not(1) == "another program uses it (firefox, obs); close that one."
    machine.refuse(1, errno.EACCES)
    assert "you may not use" in why_not(1) and "usermod -aG video" in why_not(1)
    assert "check that it is plugged in" in why_not(None)


def test_a_camera_that_may_not_be_looked_at_is_listed_all_the_same(machine: Machine) -> None:
    machine.plug_in(0, "One")
    machine.refuse(0, errno.EACCES)
    machine.plug_in(1, "Two")
    machine.refuse(1, errno.EBUSY)
    machine.plug_in(2, "Gone")
    machine.refuse(2, errno.ENODEV)
    first, second = cameras()
    assert (first.name, first.problem, first.in_use) == ("One", "you may not use it", None)
    assert (second.name, second.in_use) == ("Two", True)


def test_a_driver_that_knows_no_steps_says_its_largest_size(machine: Machine) -> None:
    path = machine.plug_in(0, "Stepwise")
    usual = machine.answers[path.name]

    def answer(request: int, data: bytearray) -> None:
        if request == v4l.ENUM_FRAMESIZES:
            struct.pack_into("=7I", data, 8, 3, 32, 2592, 2, 32, 1944, 2)
        elif request == v4l.ENUM_FRAMEINTERVALS:
            struct.pack_into("=III", data, 16, 2, 1, 24)
        else:
            usual(request, data)

    machine.answers[path.name] = answer
    assert cameras()[0].modes == ((2592, 1944, 24.0), (1280, 720, 24.0))


def test_the_programs_that_hold_a_file_are_known(tmp_path: Path) -> None:
    for number, name, target in ((4242, "firefox", "/dev/video0"), (4243, "vi", "/etc/hosts")):
        process = tmp_path / str(number)
        (process / "fd").mkdir(parents=True)
        (process / "comm").write_text(f"{name}\n")
        (process / "fd" / "3").symlink_to(target)
        (process / "fd" / "4").write_text("no link")
    (tmp_path / "self").mkdir()
    (tmp_path / "4244").mkdir()
    assert v4l.users(Path("/dev/video0"), tmp_path) == ("firefox",)


def test_a_source_is_opened_by_name_and_found_again_where_it_is_plugged_in_next(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    class Refused:
        def __init__(self, number: int, *_: object) -> None:
            asked.append(number)

        def isOpened(self) -> bool:
            return False

        def release(self) -> None:
            pass

    monkeypatch.setattr("vision.capture.cv2.VideoCapture", Refused)
    for number in (0, 4):
        path = machine.plug_in(number, "C920")
        with pytest.raises(SourceError, match="camera C920: cannot be opened; check that it is plugged in"):
            open_source("usb:C920")
        path.unlink()
    assert asked == [0, 4]


class Plugged:
    """Stands in for `cv2.VideoCapture`: cameras that give noise while their device file is there."""

    dev: ClassVar[Path]
    open: ClassVar[set[Plugged]] = set()

    def __init__(self, number: int, *_: object) -> None:
        self.path = self.dev / f"video{number}"
        self.random = np.random.default_rng(number)
        self.values = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 200.0}
        if self.path.exists():
            self.open.add(self)

    def isOpened(self) -> bool:
        return self in self.open

    def read(self) -> tuple[bool, np.ndarray | None]:
        time.sleep(0.002)
        if not self.path.exists():
            return False, None
        return True, self.random.integers(0, 255, (48, 64, 3), dtype=np.uint8)

    def get(self, key: int) -> float:
        return self.values.get(key, -1.0)

    def set(self, key: int, value: float) -> bool:
        if key not in self.values:
            return False
        self.values[key] = value
        return True

    def getBackendName(self) -> str:
        return "V4L2"

    def release(self) -> None:
        self.open.discard(self)


def until(condition: Callable[[], object], what: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, what()
        time.sleep(0.005)


def test_a_camera_that_is_unplugged_is_watched_on_wherever_it_comes_back(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.capture.cv2.VideoCapture", Plugged)
    monkeypatch.setattr(Plugged, "dev", machine.dev, raising=False)
    monkeypatch.setattr("vision.capture.BAD_PAUSE_S", 0.001)
    threads = threading.active_count()
    path = machine.plug_in(0, "C920", "usb-C920-video-index0")
    opened = partial(open_source, "usb:C920", wait=False)
    with SteadySource("camera C920", opened, first_pause_s=0.01) as source:
        for turn in range(50):
            until(lambda: source.state == "live", lambda: (source.state, source.message))
            path.unlink()
            for link in (machine.dev / "v4l" / "by-id").iterdir():
                link.unlink()
            until(lambda: source.state == "gone", lambda: source.state)
            if turn == 0:
                until(lambda: "no camera is. Plug it in" in (source.message or ""), lambda: source.message)
            path = machine.plug_in(2 * turn + 2, "C920", "usb-C920-video-index0")
        until(lambda: source.state == "live", lambda: (source.state, source.message))
        assert len(Plugged.open) == 1 and threading.active_count() <= threads + 2
    until(lambda: not Plugged.open and threading.active_count() == threads, threading.enumerate)


def test_what_a_driver_does_not_let_be_fixed_is_told_by_the_source(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.capture.cv2.VideoCapture", Plugged)
    monkeypatch.setattr(Plugged, "dev", machine.dev, raising=False)
    monkeypatch.setattr("vision.settings.SETTLE_S", 0.05)
    machine.plug_in(0, "C920")
    with open_source("0") as source:
        until(lambda: source.read(1) and source.notes == ("white_balance",), lambda: source.notes)
    with open_source("0", settings=None) as source:
        for _ in range(60):
            assert source.read(5) is not None
        assert source.notes == ()


def test_elsewhere_names_are_those_of_the_system_or_else_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.usb.sys, "platform", "win32")
    there = ModuleType("cv2_enumerate_cameras")
    there.enumerate_cameras = lambda _backend: [  # type: ignore[attr-defined]
        SimpleNamespace(index=0, name="HD Pro Webcam C920"),
        SimpleNamespace(index=1, name="Twin"),
        SimpleNamespace(index=2, name="Twin"),
    ]
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", there)
    assert [(each.name, each.source) for each in cameras()] == [
        ("HD Pro Webcam C920", "usb:HD_Pro_Webcam_C920"),
        ("Twin", "1"),
        ("Twin", "2"),
    ]
    assert number_of(CameraName("HD_Pro_Webcam_C920")) == 0

    class Capture:
        def __init__(self, number: int) -> None:
            self.number = number

        def isOpened(self) -> bool:
            return self.number == 1

        def get(self, _key: int) -> float:
            return 30.0

        def release(self) -> None:
            pass

    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", None)
    monkeypatch.setattr("cv2.VideoCapture", Capture)
    assert cameras() == [CameraInfo(1, "camera 1", "", ((30, 30, 30.0),))]
    assert cameras()[0].source == "1"
