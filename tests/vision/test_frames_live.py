"""Cameras and streams: newest frame wins, and nobody hangs on a dead one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

import vision.capture
import vision.live
import vision.usb
from vision.errors import SourceError
from vision.frames import open_source
from vision.live import LiveSource


class FakeCamera:
    """Stands in for cv2.VideoCapture: gives a frame each time it is `fed`, and can break down or hang."""

    def __init__(self) -> None:
        self.waiting = threading.Semaphore(0)
        self.count = 0
        self.good = True
        self.opens = True
        self.released = threading.Event()

    def __call__(self, *_: object) -> FakeCamera:
        return self

    def feed(self, frames: int = 1) -> None:
        for _ in range(frames):
            self.waiting.release()

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.waiting.acquire()
        if not self.good:
            return False, None
        self.count += 1
        return True, np.full((24, 32, 3), self.count, np.uint8)

    def get(self, _property: int) -> float:
        return -1.0

    def set(self, _property: int, _value: float) -> bool:
        return False

    def getBackendName(self) -> str:
        return "V4L2"

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCamera]:
    fake = FakeCamera()
    monkeypatch.setattr(vision.capture.cv2, "VideoCapture", fake)
    monkeypatch.setattr(vision.usb, "_why_on_linux", lambda _number: None)
    yield fake
    fake.good = False
    fake.feed(1000)
    for thread in vision.live._hung.values():
        thread.join(10)


def until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(2000):
        if condition():
            return
        pause.wait(0.005)
    raise AssertionError("waited in vain")


def test_the_newest_frame_wins(camera: FakeCamera) -> None:
    camera.feed(1)
    source = LiveSource(0, "camera 0")
    first = source.read(5)
    assert first is not None and first.index == 0 and first.image[0, 0, 0] == 1
    camera.feed(5)
    until(lambda: source._count == 6)
    newest = source.read(5)
    assert newest is not None and newest.index == 5 and newest.image[0, 0, 0] == 6
    assert source.dropped == 4
    assert newest.time >= first.time
    source.close()


def test_no_new_frame_within_the_timeout_is_none_and_the_age_is_known(camera: FakeCamera) -> None:
    camera.feed(1)
    source = LiveSource(0, "camera 0")
    assert source.read(5) is not None
    assert source.read(0.02) is None
    assert source.age >= 0.02 and not source.ended
    camera.feed(1)
    assert source.read(5) is not None
    source.close()


def test_iterating_over_a_stale_source_is_an_error_not_a_hang(camera: FakeCamera) -> None:
    camera.feed(1)
    source = LiveSource(0, "camera 0", stale_s=0.05)
    frames = iter(source)
    next(frames)
    with pytest.raises(SourceError, match="camera 0: no new picture for"):
        next(frames)
    source.close()


def test_a_camera_that_never_answers_is_given_up(camera: FakeCamera) -> None:
    with pytest.raises(
        SourceError, match=r"camera 0: no picture within 0\.05 seconds; check that it is plugged in"
    ):
        LiveSource(0, "camera 0", timeout=0.05)


def test_a_camera_that_is_not_there_is_an_error(camera: FakeCamera) -> None:
    camera.opens = False
    with pytest.raises(SourceError, match="camera 0: cannot be opened"):
        LiveSource(0, "camera 0")
    until(camera.released.is_set)


def test_without_waiting_it_is_reading_that_says_what_is_wrong(camera: FakeCamera) -> None:
    camera.opens = False
    source = LiveSource(0, "camera 0", wait=False)
    with pytest.raises(SourceError, match="camera 0: cannot be opened"):
        source.read(5)
    source.close()
    camera.opens = True
    camera.feed(1)
    with open_source("0", wait=False) as other:
        assert other.read(5) is not None
        camera.feed(1)


def test_a_camera_that_gives_nothing_any_more_is_given_up(camera: FakeCamera) -> None:
    camera.feed(1)
    source = LiveSource(0, "camera 0")
    assert source.read(5) is not None
    camera.good = False
    camera.feed(vision.capture.BAD_READS)
    with pytest.raises(SourceError, match="camera 0: gives no more pictures; check that it is plugged in"):
        source.read(10)
    until(camera.released.is_set)
    source.close()


def test_a_camera_is_asked_for_a_size_that_shows_dice_well(
    camera: FakeCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[int, float] = {}
    monkeypatch.setattr(camera, "set", lambda key, value: asked.update({key: value}) or True, raising=False)
    for size, shown in ((None, (1280, 720)), ((1920, 1080), (1920, 1080))):
        camera.feed(2)  # each source takes all that it can get
        with LiveSource(0, "camera 0", size=size, settings=None) as source:
            assert source.read(5) is not None
            camera.feed(1)
        assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == shown
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in asked  # with None the settings are left to the camera


def test_a_driver_that_hangs_is_not_asked_a_second_time(camera: FakeCamera) -> None:
    asked = []
    original = vision.capture.cv2.VideoCapture

    def opened(*device: object) -> object:
        asked.append(device)
        return original(*device)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.capture.cv2, "VideoCapture", opened)
        with pytest.raises(SourceError, match="no picture within"):
            LiveSource(0, "camera 0", timeout=0.05)
        for _ in range(3):
            with pytest.raises(SourceError, match="camera 0: the driver does not answer; plug the camera in"):
                LiveSource(0, "camera 0", timeout=0.05)
        assert len(asked) == 1
        camera.feed(1)  # the driver comes back, and its thread ends
        vision.live._hung[0].join(10)
        camera.feed(1)
        with LiveSource(0, "camera 0") as source:
            assert source.read(5) is not None
            camera.feed(1)


def test_a_fault_of_the_library_while_opening_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for fault, words in ((cv2.error("no backend"), "broke down"), (ValueError("odd"), r"broke down \(odd\)")):

        def broken(*_: object, fault: Exception = fault) -> None:
            raise fault

        monkeypatch.setattr(vision.capture.cv2, "VideoCapture", broken)
        with pytest.raises(SourceError, match=f"camera 0: {words}"):
            LiveSource(0, "camera 0")


@pytest.mark.parametrize(
    ("system", "where"),
    [
        ("darwin", "System Settings > Privacy & Security > Camera"),
        ("win32", "Settings > Privacy & security > Camera"),
    ],
)
def test_where_a_system_keeps_programs_from_cameras_its_setting_is_named(
    camera: FakeCamera, monkeypatch: pytest.MonkeyPatch, system: str, where: str
) -> None:
    monkeypatch.setattr(vision.usb.sys, "platform", system)
    camera.opens = False
    with pytest.raises(SourceError, match="camera 0: cannot be opened") as error:
        LiveSource(0, "camera 0")
    assert where in str(error.value)


def test_a_stream_that_breaks_off_gives_its_last_frame_and_then_the_error(camera: FakeCamera) -> None:
    camera.feed(2)
    source = LiveSource("rtsp://cam/video", "rtsp://cam/video")
    until(lambda: source._count == 2)
    camera.good = False
    camera.feed(1)
    until(lambda: source._fault is not None)
    assert source.read(5) is not None
    for timeout in (5.0, None):
        with pytest.raises(SourceError, match="gives no more pictures; see that the sender runs"):
            source.read(timeout)
    source.close()


def test_a_camera_may_fail_now_and_then(camera: FakeCamera) -> None:
    camera.feed(1)
    source = LiveSource(0, "camera 0")
    assert source.read(5) is not None
    camera.good = False
    camera.feed(3)
    until(lambda: camera.waiting._value == 0)
    camera.good = True
    camera.feed(2)
    assert source.read(5) is not None
    source.close()


def test_closing_wakes_the_reader_and_releases_the_device(camera: FakeCamera) -> None:
    camera.feed(1)
    source = LiveSource(0, "camera 0")
    assert source.read(5) is not None
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.append(source.read(30)))
    reader.start()
    camera.feed(0)
    threading.Thread(target=source.close).start()
    reader.join(10)
    assert got == [None] and source.ended
    camera.feed(1)
    until(camera.released.is_set)
    assert list(source) == []
