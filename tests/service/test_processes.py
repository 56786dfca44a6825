"""Real processes: live updates, a killed service that goes on where it was, stopping, and what refuses to start."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from scorer.record import load, steps
from scorer.service.cli.main import main
from scorer.service.server import listen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="uses POSIX signals")

LIMIT_S = 60


class Process:
    """`piste serve` (or another subcommand) on a free port."""

    def __init__(self, *arguments: str, command: str = "serve", most_files: int | None = None) -> None:
        limit = [] if most_files is None else ["sh", "-c", f'ulimit -n {most_files}; exec "$@"', "sh"]
        self._run = subprocess.Popen(
            [*limit, sys.executable, "-m", "scorer.service.cli.main", command, "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        self.address = ""
        assert self._run.stdout is not None
        for line in self._run.stdout:
            self.said.append(line.rstrip())
            if line.startswith("Stop it with"):
                break
            found = re.match(r"Piste is ready: (http://\S+)/", line)
            self.address = found[1] if found else self.address
        assert self.address, self._run.communicate(timeout=LIMIT_S)

    def post(self, path: str, **body: Any) -> httpx.Response:
        return httpx.post(f"{self.address}{path}", json=body, timeout=LIMIT_S)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self.address}{path}", timeout=LIMIT_S)

    @property
    def game(self) -> Any:
        return self.get("/api/table").json()["game"]

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; exit status and what was said on standard error."""
        self._run.send_signal(number)
        _, errors = self._run.communicate(timeout=LIMIT_S)
        return self._run.returncode, errors

    def close(self) -> None:
        if self._run.poll() is None:
            self._run.kill()
        self._run.communicate(timeout=LIMIT_S)


@contextmanager
def serving(*arguments: str, most_files: int | None = None) -> Iterator[Process]:
    with ExitStack() as held:
        process = Process(*arguments, most_files=most_files)
        held.callback(process.close)
        yield process


class Stream:
    """The table's events as a browser gets them."""

    def __init__(self, held: ExitStack, address: str) -> None:
        client = held.enter_context(httpx.Client(timeout=LIMIT_S))
        self.answer = held.enter_context(client.stream("GET", f"{address}/api/events"))
        self._lines = self.answer.iter_lines()

    def event(self) -> dict[str, str] | None:
        """The next event's fields; None when the stream has ended."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line and "data" in fields:
                return fields
            name, colon, value = line.partition(": ")
            if colon and name:
                fields[name] = value
        return None


def play(process: Process, *throws: list[int]) -> None:
    for dice in throws:
        game = process.game
        answer = process.post("/api/throw", seq=game["seq"], player=game["expected"]["player"], dice=dice)
        assert answer.status_code == 200, answer.text


def test_killed_between_two_throws_the_game_goes_on_where_it_was(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with serving("--data", data) as first:
        first.post("/api/games", players=["Ana", "Bo", "Cy"], ruleset="rulebook")
        play(first, [6, 5, 2], [6, 1, 1], [6, 5, 1], [4, 2, 1])
        before = first.game
        code, errors = first.end(signal.SIGKILL)
        assert (code, errors) == (-signal.SIGKILL, "")
    with serving("--data", data) as second:
        assert second.game == before
        play(second, [2, 2, 1], [6, 6, 5])
        assert second.game["last"]["moves"] == [{"from": "pot", "to": "Cy", "chips": 10}]
        record = tmp_path / "game.json"
        record.write_bytes(second.get(f"/api/games/{before['id']}/record").content)
        *_, (seq, _) = steps(load(record))
        assert seq == 6
        assert main(["replay", str(record)]) == 0


def test_killed_in_the_midst_of_corrections_none_is_half_there(tmp_path: Path) -> None:
    """Whatever was answered is there after the kill, and at most the one under way besides, whole or not at all."""
    data = str(tmp_path / "data")
    with serving("--data", data) as first:
        first.post("/api/games", players=["Ana", "Bo", "Cy"], ruleset="rulebook")
        play(first, [6, 5, 2], [6, 1, 1], [6, 5, 1], [4, 2, 1], [2, 2, 1], [6, 6, 5], [5, 5, 1])
        id = first.game["id"]
        answered: list[Any] = []
        enough = threading.Event()

        def correct_on() -> None:
            for number in range(10_000):
                seq = 7 + number
                event = {"type": "throw", "player": "Ana", "dice": [1 + number % 6, 1, 1]}
                path, more = [
                    ("correct", {"kind": "change", "number": 1, "event": event, "truncate": True}),
                    ("undo", {}),
                    ("redo", {}),
                    ("undo", {}),
                ][number % 4]
                try:
                    answer = first.post(f"/api/{path}", seq=seq, **more)
                except httpx.TransportError:
                    return
                assert answer.status_code == 200, answer.text
                answered.append(answer.json()["game"])
                if len(answered) == 10:
                    enough.set()

        correcting = threading.Thread(target=correct_on)
        correcting.start()
        assert enough.wait(LIMIT_S)
        first.end(signal.SIGKILL)
        correcting.join(LIMIT_S)
    with serving("--data", data) as second:
        game = second.game
        assert game["seq"] - answered[-1]["seq"] in (0, 1)
        if game["seq"] == answered[-1]["seq"]:
            assert game == answered[-1]
        past = second.get(f"/api/games/{id}/history").json()
        assert [step["seq"] for step in past["steps"]] == list(range(1, game["seq"] + 1))
        record = load(second.get(f"/api/games/{id}/record").content)
        assert len(list(steps(record))) == len(past["events"])
        assert second.post("/api/undo", seq=game["seq"]).status_code == 200


def test_everybody_is_told_at_once_and_then_of_every_change(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as process, ExitStack() as held:
        streams = [Stream(held, process.address) for _ in range(3)]
        for stream in streams:
            assert stream.answer.headers["content-type"].startswith("text/event-stream")
            first = stream.event()
            assert first is not None and first["event"] == "table"
            view = json.loads(first["data"])
            assert view["game"] is None
            assert first["id"] == str(view["version"])
        process.post("/api/games", players=["Ana", "Bo", "Cy"], ruleset="rulebook")
        play(process, [6, 5, 2])
        for stream in streams:
            seq = -1
            version = 0
            while seq < 1:
                event = stream.event()
                assert event is not None
                view = json.loads(event["data"])
                assert view["version"] > version
                seq, version = view["game"]["seq"], view["version"]
            assert view["game"]["throws"][0]["dice"] == [6, 5, 2]


def test_stopping_ends_open_streams_and_says_nothing_more(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with serving("--data", str(tmp_path)) as process, ExitStack() as held:
            stream = Stream(held, process.address)
            assert stream.event() is not None
            ended = threading.Thread(target=lambda stream=stream: stream.event())
            ended.start()
            assert process.end(number) == (0, "")
            ended.join(LIMIT_S)
            assert not ended.is_alive()


def _sent(process: Process, content: bytes) -> socket.socket:
    host, port = process.address.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)), LIMIT_S)
    line.settimeout(LIMIT_S)
    line.sendall(content)
    return line


def test_stopping_with_unfinished_requests_says_nothing(tmp_path: Path) -> None:
    """Bodies that never come, and a stream whose screen has gone to sleep."""
    post = (
        b"POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b'Content-Length: 50\r\n\r\n{"se'
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        with serving("--data", str(tmp_path)) as process, ExitStack() as held:
            for content in [post] * 20 + [b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET /"]:
                held.callback(_sent(process, content).close)
            assert process.get("/api/table").status_code == 200
            assert process.end(number) == (0, "")


def test_too_many_connections_are_told_once(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), most_files=128) as process, ExitStack() as held:
        events = b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        streams = [held.enter_context(_sent(process, events)) for _ in range(24)]
        for stream in streams:
            assert stream.recv(12) == b"HTTP/1.1 200"
        # Streams leave lines free for commands, until those too are taken.
        assert process.get("/api/events").status_code == 503
        assert process.post("/api/games", players=["Ana", "Bo", "Cy"]).status_code == 200
        idle = [held.enter_context(_sent(process, b"GET /")) for _ in range(8)]
        answer = process.get("/api/table")
        assert (answer.status_code, answer.json()["error"]) == (503, "busy")
        crowd = [held.enter_context(_sent(process, events)) for _ in range(150)]
        for line in [*crowd, *idle, *streams]:
            line.close()
        while process.get("/api/table").status_code != 200:
            pass
        play(process, [6, 5, 2])
        code, errors = process.end(signal.SIGINT)
        assert code == 0
        assert errors == "More than 32 connections are open: no more are let in until some close.\n"


def refusal(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that cannot begin: one line, status 2."""
    assert main(list(arguments)) == 2
    output = capfd.readouterr()
    assert output.err.count("\n") == 1
    assert "Traceback" not in output.err
    return output.err


def test_one_service_a_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with serving("--data", str(tmp_path)) as process:
        said = refusal(capfd, "serve", "--port", "0", "--data", str(tmp_path))
        assert said.startswith("piste serve: Another Piste already uses the data folder")
        assert process.get("/api/table").status_code == 200


def test_a_port_in_use(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        for command in (["serve", "--data", str(tmp_path)], ["demo", "--no-browser"]):
            said = refusal(capfd, *command, "--port", str(port))
            assert f"Port {port} is in use" in said
            assert "--port" in said


@pytest.mark.parametrize("host", ["192.0.2.7", "..", "a" * 70])
def test_an_address_that_is_not_ours(tmp_path: Path, capfd: pytest.CaptureFixture[str], host: str) -> None:
    said = refusal(capfd, "serve", "--data", str(tmp_path), "--port", "0", "--host", host)
    assert f"{host} is not an address of this machine" in said


@pytest.mark.parametrize("source", ["no-such-film.mp4", "no/such/folder", "ftp://camera", "87"])
def test_a_source_that_is_not_there(tmp_path: Path, capfd: pytest.CaptureFixture[str], source: str) -> None:
    said = refusal(capfd, "serve", "--data", str(tmp_path), "--port", "0", "--source", source)
    assert source in said


def test_a_damaged_database(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "piste.db").write_bytes(b"no database at all\n" * 500)
    said = refusal(capfd, "serve", "--data", str(tmp_path), "--port", "0")
    assert "damaged" in said
    # Nothing is left behind that would keep the next one from starting.
    (tmp_path / "piste.db").unlink()
    with serving("--data", str(tmp_path)):
        pass


def test_the_next_free_port(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with listen("127.0.0.1", port, next_free=True) as other:
            assert other.getsockname()[1] != port


def test_the_port_answers_before_the_address_is_said(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as process:
        host, port = process.address.removeprefix("http://").split(":")
        assert host == "127.0.0.1"
        socket.create_connection((host, int(port)), LIMIT_S).close()
        assert process.said[0] == f"Games are kept in {tmp_path}."
        assert os.path.exists(tmp_path / "piste.db")  # noqa: PTH110
