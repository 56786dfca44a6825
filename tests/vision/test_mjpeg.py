"""Motion JPEG over HTTP: cut out of the stream whatever form it has, and every fault in words. Real processes."""

from __future__ import annotations

import base64
import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.live
import vision.mjpeg
from tests.vision.fakecamera import FakeCamera, pictures
from vision.errors import SourceError
from vision.frames import open_source
from vision.live import LiveSource
from vision.mjpeg import Parts

ONE, TWO = pictures(count=2)


def part(data: bytes, head: bytes = b"", mark: bytes = b"--frame", line: bytes = b"\r\n") -> bytes:
    return mark + line + b"Content-Type: image/jpeg" + line + head + line + data + line


def with_length(data: bytes) -> bytes:
    return part(data, b"content-LENGTH: " + str(len(data)).encode() + b"\r\n")


@pytest.mark.parametrize(
    ("boundary", "stream"),
    [
        ("frame", with_length(ONE) + with_length(TWO) + b"--frame\r\n"),
        ("--frame", with_length(ONE) + with_length(TWO) + b"--frame\r\n"),
        ('"frame"', with_length(ONE) + with_length(TWO) + b"--frame\r\n"),
        ("frame", part(ONE) + part(TWO) + b"--frame\r\n"),
        ("frame", part(ONE, line=b"\n") + part(TWO, line=b"\n") + b"--frame\n"),
        ("frame", b"rubbish before" + with_length(ONE) + b"\r\n\r\nrubbish between" + with_length(TWO)),
    ],
)
@pytest.mark.parametrize("step", [1, 7, 100, 100_000])
def test_parts_are_cut_out_however_they_arrive(boundary: str, stream: bytes, step: int) -> None:
    parts = Parts(boundary)
    found = [each for at in range(0, len(stream), step) for each in parts.feed(stream[at : at + step])]
    assert [each.rstrip(b"\r\n") for each in found] == [ONE, TWO]


def test_a_thumbnail_inside_a_picture_does_not_end_it() -> None:
    picture = ONE[:20] + b"\xff\xd8\xff\xe0 small \xff\xd9" + ONE[20:]
    assert Parts("frame").feed(with_length(picture) + b"--frame") == [picture]


def test_a_length_that_is_wrong_costs_one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = part(ONE, b"Content-Length: 40\r\n") + with_length(TWO)
    found = Parts("frame").feed(stream)
    assert found == [ONE[:40], TWO]


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        (b"x" * 20_000, "sends no pictures"),
        (b"--frame\r\n" + b"X: y\r\n" * 4000, "sends no pictures"),
        (b"--frame\r\nContent-Length: 9999999999\r\n\r\n", r"announces a picture of 9,999,999,999 bytes"),
        (b"--frame\r\n\r\n" + bytes(200_000), "sends a picture that never ends"),
    ],
)
def test_what_takes_too_much_is_given_up(stream: bytes, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.mjpeg, "MOST_BYTES", 100_000)
    parts = Parts("frame")
    with pytest.raises(ValueError, match=words):
        for at in range(0, len(stream), 1000):
            parts.feed(stream[at : at + 1000])


# Against a sender in a process of its own


@pytest.fixture(scope="module")
def sender() -> Iterator[FakeCamera]:
    with FakeCamera(fps=60) as camera:
        yield camera


@pytest.fixture
def camera(sender: FakeCamera) -> FakeCamera:
    sender.cut()  # a connection to which it said nothing stays open at its end
    sender.show(pictures())
    sender.behave("live", fps=60, delay=0)
    return sender


def test_the_newest_picture_is_given_and_those_dropped_are_counted(camera: FakeCamera) -> None:
    with open_source(camera.url) as source:
        first = source.read(5)
        camera.wait_sent(10)
        second, third = source.read(5), source.read(5)
        assert first is not None and second is not None and third is not None
        assert second.index > first.index + 2
        assert source.dropped >= second.index - first.index - 1
        assert third.time >= second.time > first.time


def test_the_size_may_change_in_mid_stream(camera: FakeCamera) -> None:
    with open_source(camera.url) as source:
        frame = source.read(5)
        assert frame is not None and frame.image.shape == (48, 64, 3)
        camera.show(pictures((96, 80)))
        shapes = {frame.image.shape for _ in range(60) if (frame := source.read(5)) is not None}
        assert (80, 96, 3) in shapes


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("404", r"/video: the sender has nothing at this address \(404\): check what stands after"),
        ("401", r"the sender asks for a user name and a password: write http://NAME:PASSWORD@"),
        ("500", r"the sender answers with an error \(500\)"),
        ("503", r"the sender answers with an error \(503\)"),
        ("html", r"gives a page to look at, not a stream; .*often one that ends in /video"),
        ("still", r"gives one picture, not a stream; look in the camera's manual"),
        ("redirect", r"the sender answers with an error \(302\)"),
        ("garbage", r"does not speak HTTP as a camera does; check the address"),
        ("hangup", r"(does not speak HTTP|the connection has broken off)"),
        ("longhead", r"does not speak HTTP as a camera does"),
        ("huge", r"announces a picture of 1,000,000,000,000 bytes; check the address"),
        ("unbounded", r"sends a picture that never ends; check the address"),
    ],
)
def test_what_is_no_stream_is_refused_with_what_to_do(camera: FakeCamera, how: str, words: str) -> None:
    camera.behave(how)
    with pytest.raises(SourceError, match=words), open_source(camera.url, timeout=5) as source:
        while source.read(5) is not None:
            pass


def test_a_sender_that_says_nothing_is_given_up(camera: FakeCamera) -> None:
    camera.behave("mute")
    with pytest.raises(SourceError, match=r"(no picture within 0\.3 seconds|the sender does not answer)"):
        open_source(camera.url, timeout=0.3)


def test_where_nobody_answers_or_there_is_no_such_host_it_is_said(camera: FakeCamera) -> None:
    with pytest.raises(SourceError, match=r"http://127\.0\.0\.1:9/v: nobody answers at this address"):
        open_source("http://me:secret@127.0.0.1:9/v")
    with pytest.raises(SourceError, match=r"http://no-such-host\.invalid/v: there is no such host"):
        open_source("http://no-such-host.invalid/v")
    for odd in ("http://", "http://[::1/v", "http://a:b:c/v", "http://ho st/v"):
        with pytest.raises(SourceError, match=r": "):
            open_source(odd, timeout=2)


@pytest.mark.parametrize("how", ["stall", "half"])
def test_a_stream_that_falls_silent_ends_by_itself(camera: FakeCamera, how: str) -> None:
    with LiveSource(camera.url, "cam", timeout=0.4) as source:
        assert source.read(5) is not None
        camera.behave(how)
        with pytest.raises(SourceError, match="cam: the sender does not answer; see that it runs"):
            while True:
                source.read(0.2)


@pytest.mark.parametrize("how", ["corrupt", "truncated", "rubbish", "empty"])
def test_damaged_pictures_are_passed_over_and_told_when_there_are_no_others(
    camera: FakeCamera, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A picture damaged in its middle may still decode: then it is shown, and no two of them agree on a throw.
    with open_source(camera.url) as source:
        assert source.read(5) is not None
        camera.behave(how)
        camera.wait_sent(10)
        camera.behave("live")
        camera.wait_sent(3)
        assert source.read(5) is not None
        if how == "corrupt":
            return
        monkeypatch.setattr(vision.live, "DAMAGED_S", 0.3)
        camera.behave(how)
        with pytest.raises(SourceError, match="sends damaged pictures only; start the sender anew"):
            while True:
                source.read(1)


def test_closing_ends_a_reader_that_waits_and_the_connection_at_once(camera: FakeCamera) -> None:
    camera.wait_open(0)
    source = LiveSource(camera.url, "cam")
    camera.behave("stall")
    while source.read(0.2) is not None:
        pass
    begun = time.monotonic()
    source.close()
    assert time.monotonic() - begun < vision.live.CLOSE_S
    assert not source._thread.is_alive()
    camera.behave("live")  # only who sends notices that nobody listens
    camera.wait_open(0)


# Passwords


@contextmanager
def guarded(check: Callable[[str | None], bool], challenge: str) -> Iterator[tuple[str, list[str | None]]]:
    """A sender that gives one picture to whoever says the right `Authorization`; and what was said."""
    said: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said.append(self.headers["Authorization"])
            if not check(said[-1]):
                self.send_response(401)
                self.send_header("WWW-Authenticate", challenge)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            self.wfile.write(with_length(ONE) + b"--frame\r\n")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}/video", said
    finally:
        server.shutdown()
        server.server_close()


def first_of(url: str) -> tuple[int, ...]:
    with open_source(url, timeout=5) as source:
        frame = source.read(5)
        assert frame is not None
        return frame.image.shape


def test_a_user_name_and_a_password_are_sent_when_asked_for() -> None:
    def check(said: str | None) -> bool:
        return said == "Basic " + base64.b64encode(b"me:se@cret").decode()

    with guarded(check, 'Basic realm="cam"') as (address, said):
        assert first_of(f"http://me:se%40cret@{address}") == (48, 64, 3)
        assert said[0] is None
        with pytest.raises(SourceError, match=r"http://127[^ ]*: the sender asks for a user name") as error:
            open_source(f"http://me:wrong@{address}")
        assert "wrong" not in str(error.value)


def test_a_password_can_be_proved_without_being_sent() -> None:
    def md5(*parts: str) -> str:
        return hashlib.md5(":".join(parts).encode()).hexdigest()

    def check(said: str | None) -> bool:
        if said is None or not said.startswith("Digest "):
            return False
        given = dict(re.findall(r'(\w+)="?([^",]*)"?', said[7:]))
        ours = md5("me", "cam", "secret")
        asked = md5("GET", "/video")
        return given["response"] == md5(ours, "abc", given["nc"], given["cnonce"], "auth", asked)

    with guarded(check, 'Digest realm="cam", nonce="abc", qop="auth", algorithm=MD5') as (address, said):
        assert first_of(f"http://me:secret@{address}") == (48, 64, 3)
        assert all(each is None or "secret" not in each for each in said)


# Other streams


def test_a_stream_of_another_kind_is_left_to_the_decoder_that_knows_most(tmp_path: Path) -> None:
    """As with RTSP: whatever comes is played until it breaks off, and that is said with what to do."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (64, 48))
    for level in range(0, 200, 2):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    handler = partial(Quiet, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/film.avi"
        with open_source(url) as source:
            first = source.read(5)
            assert first is not None and first.image.shape == (48, 64, 3) and not source.varies
            with pytest.raises(SourceError, match=f"{url}: gives no more pictures; see that the sender runs"):
                for _ in source:
                    pass
    finally:
        server.shutdown()
        server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves the files of a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        pass


def left(threads: Sequence[threading.Thread]) -> list[str]:
    return [
        each.name for each in threading.enumerate() if each not in threads and each.name.startswith("frames")
    ]


def test_nothing_is_left_of_sources_that_were_closed(camera: FakeCamera) -> None:
    camera.wait_open(0)
    before = threading.enumerate()
    for _ in range(20):
        with open_source(camera.url) as source:
            assert source.read(5) is not None
    assert left(before) == []
    assert camera.wait_open(0).open == 0
