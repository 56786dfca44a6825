"""Cameras and streams: newest frame wins, and nobody hangs on a dead one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

import vision.live
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

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCamera]:
    fake = FakeCamera()
    monkeypatch.setattr(vision.live.cv2, "VideoCapture", fake)
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


def test_a_driver_that_hangs_is_not_asked_a_second_time(camera: FakeCamera) -> None:
    asked = []
    original = vision.live.cv2.VideoCapture

    def opened(*device: object) -> object:
        asked.append(device)
        return original(*device)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.live.cv2, "VideoCapture", opened)
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

        monkeypatch.setattr(vision.live.cv2, "VideoCapture", broken)
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
    monkeypatch.setattr(vision.live.sys, "platform", system)
    camera.opens = False
    with pytest.raises(SourceError, match="camera 0: cannot be opened") as error:
        LiveSource(0, "camera 0")
    assert where in str(error.value)


def test_a_stream_that_breaks_off_gives_its_last_frame_and_then_the_error(camera: FakeCamera) -> None:
    camera.feed(2)
    source = LiveSource("http://cam/video", "http://cam/video")
    until(lambda: source._count == 2)
    camera.good = False
    camera.feed(1)
    until(lambda: source._fault is not None)
    assert source.read(5) is not None
    for timeout in (5.0, None):
        with pytest.raises(SourceError, match="gives no more pictures; check the address"):
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


@contextmanager
def mjpeg(frames: int, hang: threading.Event | None = None) -> Iterator[str]:
    """A small sender of Motion JPEG on this machine; after `frames` pictures it hangs or breaks off."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                for index in range(frames):
                    _, data = cv2.imencode(".jpg", np.full((48, 64, 3), 10 * (index % 20), np.uint8))
                    self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                    self.wfile.write(
                        f"Content-Length: {len(data)}\r\n\r\n".encode() + data.tobytes() + b"\r\n"
                    )
                if hang is not None:
                    self.wfile.flush()
                    hang.wait(30)
            except OSError:
                pass

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/video"
    finally:
        if hang is not None:
            hang.set()
        server.shutdown()
        server.server_close()


def test_a_network_stream_is_read_until_it_breaks_off() -> None:
    with mjpeg(300) as url, open_source(url) as source:
        with pytest.raises(SourceError, match=f"{url}: gives no more pictures"):
            for frame in source:
                assert frame.image.shape == (48, 64, 3)
        assert source._count >= 100


def test_a_network_stream_that_stalls_is_noticed() -> None:
    hang = threading.Event()
    with mjpeg(300, hang) as url, open_source(url) as source:
        while source.read(0.5) is not None:
            pass
        assert source.age > 0.4 and not source.ended


def test_an_address_without_a_stream_is_an_error() -> None:
    with pytest.raises(SourceError, match=r"http://127\.0\.0\.1:9/v: cannot be opened; check the address"):
        open_source("http://me:secret@127.0.0.1:9/v")
