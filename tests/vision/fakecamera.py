"""A network camera that misbehaves when told: Motion JPEG over HTTP, in a process of its own.

    with FakeCamera() as camera:                # 64x48, 30 frames a second, live at once
        source = open_source(camera.url)
        camera.behave("stall")                  # from now on; see BEHAVIOURS
        camera.behave("live", fps=5)
        camera.cut()                            # ends the connections there are; new ones are answered as before
        camera.show(pictures((320, 240)))       # other JPEGs, so also another size in mid-stream
        camera.kill(); camera.start()           # the plug: gone without a word, later back at the same address
        assert camera.status().open == 0        # connections now; `accepted` and `sent` count since the start

A behaviour that concerns how a request is answered (`404`, `html` …) also cuts the streams that run, as a camera does
that starts anew. The process uses the standard library alone, and ends when this one does.
"""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import socketserver
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

STREAM = {
    "live": "pictures, one after the other, round and round",
    "frozen": "the same picture again and again, at the usual pace",
    "stall": "nothing more, the connection stays open",
    "half": "half a picture, then nothing more",
    "corrupt": "pictures with damaged bytes",
    "truncated": "pictures that end in the middle, with a Content-Length that says so",
    "rubbish": "parts that hold no picture at all",
    "empty": "parts of length 0",
    "huge": "parts whose Content-Length says a terabyte, followed by one picture and nothing more",
    "unbounded": "a part that never ends: random bytes as fast as they are taken",
}
ANSWERS = {
    "404": "404 Not Found",
    "401": "401 Unauthorized",
    "500": "500 Internal Server Error",
    "503": "503 Service Unavailable",
    "html": "200, and a page in place of a stream",
    "redirect": "302 to the same address",
    "garbage": "random bytes in place of an HTTP head",
    "longhead": "a head of one line that never ends",
    "mute": "takes the connection and says nothing",
    "hangup": "takes the connection and ends it",
    "still": "200, and one JPEG in place of a stream",
}
BEHAVIOURS = STREAM | ANSWERS
"""What a running stream may do, and how a request may be answered."""

PATH = "/video"
BOUNDARY = b"frame"
START_S = 20.0


@dataclass(frozen=True, slots=True)
class Status:
    """Connections accepted since the start, those open now, and pictures (or parts) sent."""

    accepted: int
    open: int
    sent: int


def pictures(size: tuple[int, int] = (64, 48), count: int = 24, seed: int = 0) -> list[bytes]:
    """JPEGs of (width, height): a grey ramp with the noise of a sensor, no two alike; number k shows a brighter
    column that moves on with k."""
    import cv2
    import numpy as np

    random = np.random.default_rng(seed)
    width, height = size
    made = []
    for index in range(count):
        ramp = np.linspace(40, 180, width)[None, :, None] + random.normal(0, 4, (height, width, 3))
        ramp[:, index * width // count : (index + 1) * width // count] += 50
        good, data = cv2.imencode(".jpg", np.clip(ramp, 0, 255).astype(np.uint8))
        assert good
        made.append(data.tobytes())
    return made


class FakeCamera:
    """The camera's process, from this side. `shown` are JPEGs; `fps` pictures a second."""

    def __init__(self, shown: Sequence[bytes] | None = None, fps: float = 30.0) -> None:
        self._shown = list(shown) if shown is not None else pictures()
        self._fps = fps
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def url(self) -> str:
        """The stream's address."""
        return f"http://127.0.0.1:{self._port}{PATH}"

    def start(self) -> None:
        """Start the process, `live`; after `kill` at the same address."""
        assert self._process is None, "it runs"
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), str(self._port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            self._port = self._ask({"pictures": [base64.b64encode(each).decode() for each in self._shown]})[
                "port"
            ]
            self.behave("live", fps=self._fps)
        except BaseException:
            self.kill()
            raise

    def behave(self, how: str, *, fps: float | None = None, delay: float | None = None) -> Status:
        """Do one of `BEHAVIOURS` from now on. `delay`: seconds before each answer to a request (kept until changed)."""
        assert how in BEHAVIOURS, f"{how}: one of {', '.join(BEHAVIOURS)}"
        if fps is not None:
            self._fps = fps
        return self._status({"how": how, "fps": self._fps, "delay": delay})

    def show(self, shown: Sequence[bytes]) -> Status:
        """Show other JPEGs from now on."""
        self._shown = list(shown)
        return self._status({"pictures": [base64.b64encode(each).decode() for each in shown]})

    def cut(self) -> Status:
        """End the connections there are, each with a reset as when a cable is pulled."""
        return self._status({"cut": True})

    def status(self) -> Status:
        """What it has done so far."""
        return self._status({})

    def wait_sent(self, more: int = 1, timeout: float = 10.0) -> Status:
        """Wait until it has sent so many more pictures."""
        goal = self.status().sent + more
        return self._wait(lambda status: status.sent >= goal, f"{more} more pictures", timeout)

    def wait_open(self, count: int = 1, timeout: float = 10.0) -> Status:
        """Wait until so many connections are open: exactly 0, or at least `count`."""
        return self._wait(
            lambda status: status.open == 0 if count == 0 else status.open >= count,
            f"{count} open connections",
            timeout,
        )

    def kill(self) -> None:
        """End the process at once; its address refuses connections until `start`."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def __enter__(self) -> FakeCamera:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def _wait(self, met: Any, what: str, timeout: float) -> Status:
        end = time.monotonic() + timeout
        while not met(status := self.status()):
            assert time.monotonic() < end, f"no {what} within {timeout:g} s: {status}"
            time.sleep(0.02)
        return status

    def _status(self, order: dict[str, Any]) -> Status:
        answer = self._ask(order)
        return Status(answer["accepted"], answer["open"], answer["sent"])

    def _ask(self, order: dict[str, Any]) -> dict[str, Any]:
        assert (
            self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        )
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the fake camera has ended with {self._process.poll()}"
        answer: dict[str, Any] = json.loads(line)
        return answer


# What follows runs in the camera's own process.


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.change = threading.Condition()
        self.how, self.fps, self.delay = "live", 30.0, 0.0
        self.pictures: list[bytes] = []
        self.age = 0  # counts what cuts connections
        self.accepted = self.sent = 0
        self.connections: set[socket.socket] = set()

    def order(self, order: dict[str, Any]) -> dict[str, Any]:
        """Do what this line of the parent's says."""
        with self.change:
            if "pictures" in order:
                self.pictures = [base64.b64decode(each) for each in order["pictures"]]
            if "how" in order:
                self.how, self.fps = order["how"], order["fps"]
                if order["delay"] is not None:
                    self.delay = order["delay"]
            if order.get("cut") or order.get("how") in ANSWERS:
                self.age += 1
                for each in self.connections:  # wakes whoever waits in a send, too
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    with contextlib.suppress(OSError):
                        each.shutdown(socket.SHUT_RDWR)
            self.change.notify_all()
            return {
                "port": self.server_address[1],
                "accepted": self.accepted,
                "open": len(self.connections),
                "sent": self.sent,
            }

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who goes away in the middle is no fault of ours."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        with self.server.change:
            self.server.accepted += 1
            self.server.connections.add(self.request)
            self._age = self.server.age
            how, delay = self.server.how, self.server.delay
        try:
            while self.rfile.readline(65536).strip():
                pass
            if self._pause(delay):
                self._answer(how)
        finally:
            with self.server.change:
                self.server.connections.discard(self.request)

    def _pause(self, seconds: float | None) -> bool:
        """Wait (None: until a change); False once this connection is to end."""
        with self.server.change:
            self.server.change.wait_for(lambda: self._age != self.server.age, seconds)
            return self._age == self.server.age

    def _answer(self, how: str) -> None:
        plain = {"404": "Not Found", "401": "Unauthorized", "500": "Internal Server Error",
                 "503": "Service Unavailable"}  # fmt: skip
        if how in plain:
            self._whole(f"{how} {plain[how]}", "text/plain", plain[how].encode())
        elif how == "html":
            self._whole("200 OK", "text/html", b"<!doctype html><title>Camera</title><p>Log in</p>")
        elif how == "still":
            self._whole("200 OK", "image/jpeg", self.server.pictures[0])
        elif how == "redirect":
            self.wfile.write(f"HTTP/1.1 302 Found\r\nLocation: {PATH}\r\nContent-Length: 0\r\n\r\n".encode())
        elif how == "garbage":
            self.wfile.write(bytes((index * 37 + 11) % 256 for index in range(4096)))
        elif how == "longhead":
            while self._pause(0.01):
                self.wfile.write(b"x" * 4096)
        elif how == "mute":
            self._pause(None)
        elif how != "hangup":
            self.wfile.write(
                b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary="
                + BOUNDARY
                + b"\r\n\r\n"
            )
            self._stream()

    def _whole(self, status: str, kind: str, body: bytes) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self.wfile.write(head.encode() + body)

    def _stream(self) -> None:
        index, shown = 0, b""
        while True:
            with self.server.change:
                how, fps, all_shown = self.server.how, self.server.fps, self.server.pictures
            if how != "frozen" or not shown:
                shown = all_shown[index % len(all_shown)]
            index += 1
            if how == "unbounded":
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n")
                while self._pause(0.001):
                    self.wfile.write(shown[:2] + b"\x5a" * 60_000)
                return
            ends = self._part(how, shown)
            with self.server.change:
                self.server.sent += how not in ("stall", "half", "huge")
                if ends:  # nothing more until it is told otherwise
                    self.server.change.wait_for(
                        lambda how=how: self._age != self.server.age or self.server.how != how
                    )
            if not self._pause(0.0 if ends else 1 / fps):
                return

    def _part(self, how: str, shown: bytes) -> bool:
        """Send one part; whether it is the last one while it behaves like this."""
        said = len(shown)
        if how == "stall":
            return True
        if how == "half":
            shown = shown[: len(shown) // 2]
        elif how == "corrupt":  # the head stays whole, so that it looks like a picture
            middle = bytearray(shown)
            for place in range(len(shown) // 3, len(shown) - 2, 5):
                middle[place] ^= 0xA5
            shown = bytes(middle)
        elif how == "truncated":
            shown = shown[: len(shown) // 2]
            said = len(shown)
        elif how == "rubbish":
            shown = b"this is no picture " * 20
            said = len(shown)
        elif how == "empty":
            shown, said = b"", 0
        elif how == "huge":
            said = 10**12
        head = b"--" + BOUNDARY + b"\r\nContent-Type: image/jpeg\r\nContent-Length: " + str(said).encode()
        ends = how in ("half", "huge")
        self.wfile.write(head + b"\r\n\r\n" + shown + (b"" if ends else b"\r\n"))
        return ends


def main() -> None:
    """Listen, and take orders from standard input until it ends."""
    with _Server(int(sys.argv[1])) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        for line in sys.stdin:
            sys.stdout.write(json.dumps(server.order(json.loads(line))) + "\n")
            sys.stdout.flush()
        server.shutdown()


if __name__ == "__main__":
    main()
