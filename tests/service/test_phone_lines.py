"""A phone's pictures over a real network: websockets plain and encrypted, and those that misbehave."""

from __future__ import annotations

import json
import re
import signal
import socket
import ssl
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from scorer.service import lines
from scorer.service.app import create_app
from scorer.service.bodies import MAX_PICTURE
from scorer.service.certificate import FILE
from scorer.service.lines import limited_to
from scorer.service.phone import Phone
from scorer.service.server import listen
from scorer.service.store import Store
from scorer.service.table import Table

from .test_phone import PICTURE
from .test_processes import LIMIT_S, Process
from .test_processes import serving as process_with

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="uses POSIX signals")


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    data = tmp_path_factory.mktemp("data")
    with process_with("--source", "phone", "--https", "--host", "127.0.0.1", "--data", str(data)) as running:
        running.data = data  # type: ignore[attr-defined]
        yield running


def websocket(process: Process, **more: Any) -> ClientConnection:
    address = process.address.replace("http:", "ws:")
    return connect(f"{address}/api/phone", open_timeout=LIMIT_S, max_size=None, **more)


def hear(line: ClientConnection) -> Any:
    return json.loads(line.recv(LIMIT_S))


def greet(line: ClientConnection, sender: str = "a", **more: Any) -> Any:
    line.send(json.dumps({"sender": sender, **more}))
    return hear(line)


def send(line: ClientConnection, picture: bytes = PICTURE) -> Any:
    line.send(picture)
    return hear(line)


def until(true: Any) -> None:
    end = time.monotonic() + LIMIT_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_a_phone_sends_is_the_tables_picture(process: Process) -> None:
    before = process.get("/api/table").json()["camera"]["frames"]
    with websocket(process) as line:
        assert greet(line) == {"type": "ready"}

        def watched() -> bool:
            assert send(line)["type"] == "got"
            return bool(process.get("/api/table").json()["camera"]["frames"] > before + 2)

        until(watched)
        camera = process.get("/api/table").json()["camera"]
        assert (camera["source"], camera["width"], camera["height"]) == ("phone", 320, 240)
        assert process.get("/api/picture.jpg").content.startswith(b"\xff\xd8")


def test_encrypted_it_is_the_same(process: Process) -> None:
    trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    text = (process.data / FILE).read_text()  # type: ignore[attr-defined]
    trusted.load_verify_locations(cadata=text[text.index("-----BEGIN CERTIFICATE-----") :])
    port = process.get("/api/phone").json()["https_port"]
    origin = f"https://127.0.0.1:{port}"
    with connect(
        f"wss://127.0.0.1:{port}/api/phone", ssl=trusted, origin=origin, open_timeout=LIMIT_S
    ) as line:
        assert greet(line)["type"] == "ready"
        assert send(line)["type"] == "got"


def test_how_to_go_on_is_said_where_it_starts(process: Process) -> None:
    said = "\n".join(process.said)
    port = process.get("/api/phone").json()["https_port"]
    assert f"On the phone that is to be the camera: https://127.0.0.1:{port}/camera" in said
    assert process.get("/api/phone").json()["fingerprint"] in said
    assert "choose to go on" in said


def test_pages_of_others_get_no_line(process: Process) -> None:
    with pytest.raises(InvalidStatus) as refused:
        websocket(process, origin="http://evil.example")
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body or b"")["error"] == "origin"


def test_a_message_too_large_ends_that_line_only(process: Process) -> None:
    with websocket(process) as line:
        greet(line)
        with pytest.raises(ConnectionClosed) as closed:
            send(line, b"\xff" * (MAX_PICTURE + 1))
        # What was still on its way when the service closed may reset the line before the reason is read.
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    with websocket(process) as line:
        assert greet(line) == {"type": "ready"}


def test_lines_that_break_in_the_midst_of_a_picture_make_room(process: Process) -> None:
    for number in range(8):  # more than may be open at once
        with websocket(process) as line:
            assert greet(line, str(number), take_over=True) == {"type": "ready"}
            # The head of a message of a million bytes, a few of them, and then the cable.
            head = b"\x82\xff" + struct.pack(">Q", 1_000_000) + b"\x00\x00\x00\x00"
            line.socket.sendall(head + b"\xff\xd8" * 20)
            line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.socket.close()
    with websocket(process) as line:
        assert greet(line, "next", take_over=True) == {"type": "ready"}
        assert send(line)["type"] == "got"


def test_what_is_no_websocket_protocol_ends_that_line_only(process: Process) -> None:
    host, port = process.address.removeprefix("http://").split(":")
    handshake = (
        f"GET /api/phone HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()
    for garbage in (b"\xff" * 1000, b"\x81\x05hello", b"GET / HTTP/1.1\r\n\r\n", b"\x82\xff" + b"\xff" * 12):
        with socket.create_connection((host, int(port)), LIMIT_S) as line:
            line.settimeout(LIMIT_S)
            line.sendall(handshake)
            heard = b""
            while b"\r\n\r\n" not in heard:
                heard += line.recv(1000)
            assert heard.startswith(b"HTTP/1.1 101")
            line.sendall(garbage)
            while line.recv(1000):
                pass
    for broken in (b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="):
        with socket.create_connection((host, int(port)), LIMIT_S) as line:
            line.settimeout(LIMIT_S)
            line.sendall(handshake.replace(broken, b"X: y"))
            assert re.match(rb"HTTP/1.1 4\d\d ", line.recv(1000))
    assert process.get("/api/table").status_code == 200


def test_refusing_a_line_and_stopping_while_a_phone_sends_say_nothing(tmp_path: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        with process_with("--source", "phone", "--host", "127.0.0.1", "--data", str(tmp_path)) as process:
            with pytest.raises(InvalidStatus):
                websocket(process, origin="http://evil.example")
            with websocket(process) as line:
                greet(line)
                send(line)
                code, errors = process.end(number)
                with pytest.raises(ConnectionClosed):
                    for _ in range(100):
                        send(line)
            assert (code, errors) == (0, "")


def test_a_port_for_https_that_is_taken(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from scorer.service.cli.main import main

    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        arguments = [
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--https-port",
            port,
            "--data",
            str(tmp_path),
        ]
        assert main(arguments) == 2
        assert f"Port {port} is in use" in capfd.readouterr().err


def test_a_folder_that_cannot_keep_the_key(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from scorer.service.cli.main import main

    (tmp_path / FILE).mkdir()
    (tmp_path / FILE / "x").write_text("")
    assert main(["serve", "--host", "127.0.0.1", "--port", "0", "--https", "--data", str(tmp_path)]) == 2
    said = capfd.readouterr().err
    assert "the certificate for HTTPS cannot be written" in said
    assert said.count("\n") == 1


def test_a_line_stays_open_longer_than_a_connection_may_wait_for_its_first_request(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "FIRST_S", 0.2)
    table, phone = Table(store), Phone()
    phone.open()
    config = uvicorn.Config(
        create_app(table, phone=phone),
        http=limited_to(8),
        log_config=None,
        lifespan="off",
        ws="websockets-sansio",
    )
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as sock:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        with connect(f"ws://127.0.0.1:{sock.getsockname()[1]}/api/phone", open_timeout=LIMIT_S) as line:
            greet(line)
            end = time.monotonic() + 0.6
            while time.monotonic() < end:
                assert send(line)["type"] == "got"
        server.should_exit = True
        table.hub.close()
        thread.join(LIMIT_S)


def test_handles_are_given_back(process: Process) -> None:
    """Fifty phones that come and go leave no thread and no handle behind."""
    folder = Path(f"/proc/{process._run.pid}")
    if not folder.is_dir():
        pytest.skip("no /proc on this system")

    def held() -> tuple[int, int]:
        return len(list((folder / "fd").iterdir())), len(list((folder / "task").iterdir()))

    def visit(number: int) -> None:
        with websocket(process) as line:
            assert greet(line, str(number), take_over=True) == {"type": "ready"}
            send(line)

    for number in range(5):
        visit(number)
    handles, threads = held()
    for number in range(50):
        visit(number)
    until(lambda: held()[0] <= handles + 1)
    assert held()[1] <= threads + 4  # the pool in which pictures are looked at may grow to its size
