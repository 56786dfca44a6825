"""The fake camera does what it is told: what other tests lean on."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request

import pytest

from tests.vision.fakecamera import PATH, FakeCamera, pictures
from vision.errors import SourceError
from vision.frames import open_source


def raw(camera: FakeCamera, wanted: int, timeout: float = 5.0) -> bytes:
    """What comes within the first `wanted` bytes, or before the connection ends or falls silent."""
    port = int(camera.url.split(":")[2].split("/")[0])
    got = b""
    with socket.create_connection(("127.0.0.1", port), timeout) as link:
        link.sendall(f"GET {PATH} HTTP/1.0\r\n\r\n".encode())
        link.settimeout(timeout)
        try:
            while len(got) < wanted and (more := link.recv(65536)):
                got += more
        except (TimeoutError, ConnectionResetError):
            pass
    return got


def test_it_is_a_camera_that_stalls_and_comes_back() -> None:
    with FakeCamera(fps=60) as camera, open_source(camera.url) as source:
        frame = source.read(10)
        assert frame is not None and frame.image.shape == (48, 64, 3)
        camera.behave("stall")
        while source.read(0.4) is not None:
            pass
        before = camera.status()
        assert before.open == 1 and source.read(0.4) is None and camera.status() == before
        camera.behave("live")
        assert source.read(10) is not None
        camera.show(pictures((96, 80)))
        camera.wait_sent(3)
        assert source.read(10) is not None


def test_the_size_of_the_pictures_changes_in_mid_stream() -> None:
    small, large = pictures((64, 48), count=1), pictures((96, 80), count=1)
    with FakeCamera(small, fps=100) as camera:
        camera.wait_open(0)
        port = int(camera.url.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), 5) as link:
            link.sendall(f"GET {PATH} HTTP/1.0\r\n\r\n".encode())
            got = b""
            for shown in (small, large):
                camera.show(shown)
                while shown[0] not in got:
                    more = link.recv(65536)
                    assert more, "the stream has ended"
                    got += more


def test_a_cut_ends_connections_and_a_kill_the_address() -> None:
    with FakeCamera(fps=60) as camera:
        with open_source(camera.url) as source:
            assert source.read(10) is not None
            camera.cut()
            with pytest.raises(
                SourceError, match=r"(the sender has ended the stream|the connection has broken off)"
            ):
                for _ in source:
                    pass
        camera.wait_open(0)
        url = camera.url
        with open_source(url) as source:
            assert source.read(10) is not None
        assert camera.status().accepted >= 2
        camera.kill()
        with pytest.raises(urllib.error.URLError):
            urllib.request.urlopen(url, timeout=2)
        camera.start()
        assert camera.url == url
        with open_source(url) as source:
            assert source.read(10) is not None


def test_frozen_is_one_picture_and_live_is_many() -> None:
    shown = pictures(count=3)
    with FakeCamera(shown, fps=200) as camera:
        live = raw(camera, 12 * len(shown[0]))
        assert all(each in live for each in shown)
        camera.behave("frozen")
        frozen = raw(camera, 12 * len(shown[0]))
        assert frozen.count(shown[0]) >= 5 and shown[1] not in frozen


@pytest.mark.parametrize(
    ("how", "begins"),
    [
        ("404", b"HTTP/1.1 404"),
        ("401", b"HTTP/1.1 401"),
        ("500", b"HTTP/1.1 500"),
        ("503", b"HTTP/1.1 503"),
        ("html", b"HTTP/1.1 200 OK\r\nContent-Type: text/html"),
        ("still", b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg"),
        ("redirect", b"HTTP/1.1 302"),
        ("garbage", bytes([11, 48, 85])),
        ("longhead", b"xxxx"),
        ("hangup", b""),
        ("mute", b""),
    ],
)
def test_each_answer_is_as_said(how: str, begins: bytes) -> None:
    with FakeCamera() as camera:
        camera.behave(how)
        answer = raw(camera, 4096, timeout=0.3 if how == "mute" else 5)
        assert answer[: len(begins)] == begins
        assert (len(answer) == 0) == (begins == b"")


@pytest.mark.parametrize(
    ("how", "holds"),
    [
        ("huge", b"Content-Length: 1000000000000"),
        ("empty", b"Content-Length: 0"),
        ("rubbish", b"this is no picture"),
        ("half", b"\xff\xd8"),
        ("truncated", b"\xff\xd8"),
        ("corrupt", b"\xff\xd8"),
        ("unbounded", b"Z" * 5000),
    ],
)
def test_each_fault_of_a_stream_is_as_said(how: str, holds: bytes) -> None:
    shown = pictures(count=1)
    with FakeCamera(shown, fps=100) as camera:
        camera.behave(how)
        answer = raw(camera, 100_000 if how == "unbounded" else 2500, timeout=1)
        assert answer.startswith(b"HTTP/1.0 200") and holds in answer
        assert (shown[0] in answer) == (how == "huge")


def test_an_answer_may_come_late() -> None:
    with FakeCamera() as camera:
        camera.behave("live", delay=0.5)
        assert raw(camera, 10, timeout=0.2) == b""
        camera.behave("live", delay=0)
        assert raw(camera, 10, timeout=5).startswith(b"HTTP/1.0 200")
