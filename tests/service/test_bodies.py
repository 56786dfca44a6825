"""Bodies: read strictly and in time, and every answer can be written."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message

from scorer.service.app import create_app
from scorer.service.bodies import MAX_DEPTH, read_body
from scorer.service.problems import StoreError
from scorer.service.store import Store
from scorer.service.table import Table

from .conftest import Client

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("content", "status", "reason"),
    [
        (b'{"seq": 0, "seq": 1}', 400, 'the key "seq" is given twice'),
        (b'\xef\xbb\xbf{"seq": 0}', 400, "byte order mark"),
        (b'{"seq": NaN}', 400, "NaN is not JSON"),
        (b'{"seq": -Infinity}', 400, "-Infinity is not JSON"),
        ('{"seq": 0}'.encode("utf-16"), 400, "not UTF-8"),
        (b'{"seq": ' + b"9" * 5000 + b"}", 400, "too many digits"),
        (b'{"seq": 1e999}', 422, "number in it that is too large"),
        (b'{"seq": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", 422, "nested too deep"),
        (b'{"seq": 0, "game": "\\ud800"}', 422, "half of a sign"),
        (b'{"seq": 0, "\\udfff": 1}', 422, "half of a sign"),
    ],
)
def test_what_a_body_may_not_have(client: Client, content: bytes, status: int, reason: str) -> None:
    client.start()
    for kind in ("application/json", "Application/JSON; charset=utf-8"):
        answer = client.ask("POST", "/api/abandon", content=content, headers={"content-type": kind})
        assert answer.status_code == status, answer.text
        assert answer.json()["error"] == {400: "bad_request", 422: "invalid"}[status]
        assert reason in answer.json()["message"]
    assert client.game["seq"] == 0
    assert not client.game["over"]


@pytest.mark.parametrize("options", ['{"opening": "\\ud800"}', '{"\\ud800": 1}', '{"x": [{"y": "\\udc00"}]}'])
def test_half_a_sign_in_an_option(client: Client, options: str) -> None:
    body = '{"players": ["Ana", "Bo", "Cy"], "options": ' + options + "}"
    answer = client.ask("POST", "/api/games", content=body, headers=JSON)
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
    assert client.game is None


def test_whole_signs_are_taken_however_they_are_written(client: Client) -> None:
    body = b'{"players": ["\\ud83c\\udfb2", "\xc3\x89va", "Cy"]}'
    answer = client.ask("POST", "/api/games", content=body, headers=JSON)
    assert answer.status_code == 200
    assert [player["name"] for player in client.game["players"]] == ["\U0001f3b2", "\u00c9va", "Cy"]


def test_an_answer_can_be_written_whatever_the_folder_is_called(
    client: Client, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Any:
        raise StoreError(f"{Path(chr(0xDCFF))} cannot be read.")

    monkeypatch.setattr(store, "games", refuse)
    answer = client.get("/api/games")
    assert (answer.status_code, answer.json()["error"]) == (503, "storage")
    assert answer.json()["message"] == "\udcff cannot be read."


def _request(length: int) -> dict[str, Any]:
    return {
        "type": "http",
        "method": "POST",
        "path": "/api/abandon",
        "raw_path": b"/api/abandon",
        "query_string": b"",
        "headers": [
            (b"host", b"127.0.0.1"),
            (b"content-type", b"application/json"),
            (b"content-length", str(length).encode()),
        ],
    }


def test_a_body_that_does_not_come_is_not_waited_for(table: Table) -> None:
    table.start(["Ana", "Bo", "Cy"], "rulebook", {})
    pieces: list[Message] = [{"type": "http.request", "body": b'{"seq": 0}', "more_body": True}]
    sent: list[Message] = []

    async def receive() -> Message:
        if pieces:
            return pieces.pop()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    guard = create_app(table, body_s=0.05)
    asyncio.run(guard(_request(50), receive, send))
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
    assert b"did not come in time" in sent[1]["body"]
    assert not table.view()["game"]["over"]


def test_a_body_that_is_cut_off_is_no_command() -> None:
    pieces: list[Message] = [
        {"type": "http.disconnect"},
        {"type": "http.request", "body": b'{"seq": 0}', "more_body": True},
    ]

    async def receive() -> Message:
        return pieces.pop()

    refusal = asyncio.run(read_body(_request(50), receive))
    assert isinstance(refusal, tuple)
    assert refusal[:2] == (400, "bad_request")
