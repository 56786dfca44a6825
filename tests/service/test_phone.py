"""A phone as the camera: who may send, what is taken, and both ways in which pictures come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import cv2
import numpy as np
import pytest

from scorer.service import phone as phones
from scorer.service import uplink
from scorer.service.app import create_app
from scorer.service.bodies import MAX_PICTURE
from scorer.service.guard import MOST_PICTURES
from scorer.service.phone import Phone
from scorer.service.problems import Refused
from scorer.service.table import Table
from vision.errors import PictureError, SourceError
from vision.push import PushSource
from vision.steady import SteadySource

from .conftest import ADDRESS, Client

T = TypeVar("T")


def jpeg(width: int = 320, height: int = 240) -> bytes:
    good, data = cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))
    assert good
    return bytes(data)


def bomb() -> bytes:
    """A small file that says it has 400 million pixels."""
    data = bytearray(jpeg(32, 32))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = (20_000).to_bytes(2) * 2
    return bytes(data)


PICTURE = jpeg()


@pytest.fixture
def phone() -> Phone:
    return Phone("127.0.0.1", 4210)


@pytest.fixture
def source(phone: Phone) -> PushSource:
    return phone.open()


class Web(Client):
    """Requests and websockets of one application."""

    def __init__(self, table: Table, phone: Phone | None) -> None:
        self.app = create_app(table, phone=phone)
        super().__init__(table, app=self.app)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


@pytest.fixture
def web(table: Table, phone: Phone, source: PushSource) -> Iterator[Web]:
    client = Web(table, phone)
    yield client
    client.close()


class Line:
    """The other side of a websocket; what it says and hears takes the way of the ASGI messages."""

    def __init__(self, web: Web, path: str = "/api/phone", **headers: str) -> None:
        self._web = web
        self._to: asyncio.Queue[Any] = asyncio.Queue()
        self._from: asyncio.Queue[Any] = asyncio.Queue()
        given = {"host": ADDRESS.removeprefix("http://"), **headers}
        scope = {
            "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "path": path,
            "raw_path": path.encode(), "root_path": "", "query_string": b"", "subprotocols": [],
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 50000), "server": ("127.0.0.1", 4210),
            "extensions": {"websocket.http.response": {}},
        }  # fmt: skip

        async def begin() -> asyncio.Task[None]:
            self._to.put_nowait({"type": "websocket.connect"})
            return asyncio.create_task(web.app(scope, self._to.get, self._hear))

        self._task = web.run(begin())
        self.opened = self._next()

    async def _hear(self, message: Any) -> None:
        self._from.put_nowait(message)

    def _next(self) -> Any:
        return self._web.run(asyncio.wait_for(self._from.get(), 20))

    def greet(self, sender: str, **more: Any) -> dict[str, Any]:
        return self.text(json.dumps({"sender": sender, **more}))

    def picture(self, data: bytes = PICTURE) -> dict[str, Any]:
        self._to.put_nowait({"type": "websocket.receive", "bytes": data})
        return self.answer()

    def text(self, text: str) -> dict[str, Any]:
        self._to.put_nowait({"type": "websocket.receive", "text": text})
        return self.answer()

    def answer(self) -> dict[str, Any]:
        message = self._next()
        assert message["type"] == "websocket.send", message
        return dict(json.loads(message["text"]))

    def is_closed(self) -> bool:
        """Whether the service has closed it, and is done with it."""
        closed = self._next()["type"] == "websocket.close"
        self._web.run(asyncio.wait_for(self._task, 20))
        return closed

    def break_off(self) -> None:
        self._to.put_nowait({"type": "websocket.disconnect", "code": 1006})
        self._web.run(asyncio.wait_for(self._task, 20))

    def refusal(self) -> tuple[int, str]:
        """Status and word with which the service did not let it in."""
        assert self.opened["type"] == "websocket.http.response.start"
        return self.opened["status"], json.loads(self._next()["body"])["error"]


@contextmanager
def line(web: Web, **headers: str) -> Iterator[Line]:
    opened = Line(web, **headers)
    assert opened.opened["type"] == "websocket.accept"
    yield opened
    opened.break_off()


# Who sends


def test_one_at_a_time_unless_it_takes_over(phone: Phone, source: PushSource) -> None:
    phone.begin("a")
    with pytest.raises(Refused) as refused:
        phone.begin("b")
    assert refused.value.error == "taken"
    assert phone.push("a", PICTURE) == (320, 240)
    phone.begin("b", take_over=True)
    with pytest.raises(Refused):
        phone.push("a", PICTURE)
    phone.push("b", PICTURE)
    assert source.count == 2


def test_who_has_gone_or_fallen_silent_makes_room(
    phone: Phone, source: PushSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.end(phone.begin("a"))
    phone.begin("b")
    monkeypatch.setattr(phones, "SILENT_S", 0.0)
    phone.begin("c")


def test_a_line_that_breaks_late_does_not_end_the_one_that_came_after_it(
    phone: Phone, source: PushSource
) -> None:
    broken = phone.begin("a")
    phone.begin("a")  # the same phone, on a new connection
    phone.end(broken)
    with pytest.raises(Refused):
        phone.begin("b")
    phone.push("a", PICTURE)


def test_without_a_camera_that_waits_for_it_no_picture_is_wanted(phone: Phone) -> None:
    with pytest.raises(Refused) as refused:
        phone.begin("a")
    assert refused.value.error == "unwanted"
    source = phone.open()
    phone.begin("a")
    source.close()
    with pytest.raises(Refused) as refused:
        phone.push("a", PICTURE)
    assert refused.value.error == "unwanted"
    assert not phone.view()["wanted"]
    phone.open()
    assert phone.push("a", PICTURE) == (320, 240)


def test_a_source_opened_anew_ends_the_one_before(phone: Phone, source: PushSource) -> None:
    phone.begin("a")
    newer = phone.open()
    phone.push("a", PICTURE)
    assert source.ended
    frame = newer.read(1.0)
    assert frame is not None and frame.image.shape == (240, 320, 3)


def test_another_phone_counts_as_another_camera(phone: Phone, source: PushSource) -> None:
    """It stands elsewhere: what lies before it is not what lay before the other one."""
    for _ in range(2):
        phone.begin("one")
        phone.push("one", PICTURE)
    assert source.reconnects == 0
    phone.begin("two", take_over=True)
    assert source.reconnects == 1 and source.read(0) is None
    phone.end(phone.begin("two"))
    phone.begin("two")
    assert source.reconnects == 1
    with SteadySource("phone", lambda: source, first=source) as steady:
        phone.push("two", PICTURE)
        assert steady.read(20) is not None and steady.reconnects == 0
        phone.begin("one", take_over=True)
        phone.push("one", PICTURE)
        assert steady.read(20) is not None and steady.reconnects == 1


def test_the_hint_says_what_to_open(source: PushSource) -> None:
    here = "open http://127.0.0.1:4210/camera on this machine; for a phone, start Piste anew with --source phone."
    assert source.hint == here
    assert Phone("0.0.0.0", 4210).open().hint.endswith("/camera on the phone that is to be the camera.")


def test_what_is_no_picture_is_refused(phone: Phone, source: PushSource) -> None:
    phone.begin("a")
    for data in (b"", b"GIF89a", PICTURE[:100], bomb(), jpeg(8, 8)):
        with pytest.raises(PictureError):
            phone.push("a", data)
    assert source.count == 0


# Over a websocket


def test_greeting_then_pictures_each_answered(web: Web, source: PushSource) -> None:
    assert web.get("/api/phone").json()["taken"] is False
    with line(web) as sender:
        assert sender.greet("a") == {"type": "ready"}
        assert web.get("/api/phone").json()["taken"] is True
        for _ in range(3):
            assert sender.picture() == {"type": "got", "width": 320, "height": 240, "camera": "none"}
    assert source.count == 3
    # Nobody has read any: the newest won.
    assert source.dropped == 2


def test_pictures_that_come_too_fast_are_held_back(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uplink, "EACH_S", 0.08)
    with line(web) as sender:
        sender.greet("a")
        took = []
        for _ in range(4):
            before = uplink.clock.monotonic()
            sender.picture()
            took.append(uplink.clock.monotonic() - before)
    assert sum(took) >= 3 * 0.08


def test_the_second_phone_is_told_and_may_take_over(web: Web) -> None:
    with line(web) as first, line(web) as second, line(web) as third:
        first.greet("a")
        refused = second.greet("b")
        assert (refused["type"], refused["error"]) == ("refused", "taken")
        assert refused["message"] == "Another phone is the camera of this table now."
        assert second.is_closed()
        assert first.picture()["type"] == "got"
        assert third.greet("b", take_over=True) == {"type": "ready"}
        assert first.picture()["error"] == "taken"
        assert first.is_closed()
        assert third.picture()["type"] == "got"


def test_a_table_with_another_camera_says_so(table: Table) -> None:
    web = Web(table, None)
    with line(web) as sender:
        refused = sender.greet("a")
        assert refused["error"] == "unwanted"
        assert "--source phone" in refused["message"]
        assert sender.is_closed()
    web.close()


@pytest.mark.parametrize(
    "greeting",
    ["", "hello", "[]", "{}", '{"sender": 7}', '{"sender": ""}', '{"sender": "a", "take_over": 1}',
     '{"sender": "a", "sender": "b"}', json.dumps({"sender": "a" * 65}), '{"sender": "a"'],
)  # fmt: skip
def test_a_greeting_that_makes_no_sense(web: Web, phone: Phone, greeting: str) -> None:
    with line(web) as sender:
        assert sender.text(greeting)["error"] == "bad_request"
        assert sender.is_closed()
    assert not phone.view()["taken"]


def test_a_picture_in_place_of_the_greeting_and_a_text_in_place_of_a_picture(web: Web, phone: Phone) -> None:
    with line(web) as sender:
        assert sender.picture()["error"] == "bad_request"
        assert sender.is_closed()
    with line(web) as sender:
        sender.greet("a")
        assert sender.text("x" * 1000)["error"] == "bad_request"
        assert sender.is_closed()
    assert not phone.view()["taken"]


def test_bad_pictures_are_answered_and_forgiven_but_not_for_ever(
    web: Web, source: PushSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uplink, "EACH_S", 0.0)
    with line(web) as sender:
        sender.greet("a")
        for data in (b"\x00" * 5000, bomb(), b""):
            answer = sender.picture(data)
            assert answer["type"] == "bad"
            assert answer["message"].endswith(".")
        assert sender.picture()["type"] == "got"
        for _ in range(uplink.MOST_BAD - 1):
            assert sender.picture(b"garbage")["type"] == "bad"
        assert sender.picture(b"garbage")["error"] == "picture"
        assert sender.is_closed()
    assert source.count == 1


def test_silence_closes_the_line(web: Web, phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uplink, "HELLO_S", 0.05)
    with line(web) as sender:
        assert sender.answer()["error"] == "slow"
        assert sender.is_closed()
    monkeypatch.setattr(uplink, "SILENT_S", 0.05)
    with line(web) as sender:
        sender.greet("a")
        assert sender.answer()["error"] == "slow"
        assert sender.is_closed()
    assert not phone.view()["taken"]


def test_no_more_lines_than_there_is_use_for(web: Web) -> None:
    lines = [Line(web) for _ in range(uplink.MOST_SOCKETS)]
    assert Line(web).opened["type"] == "websocket.close"
    for each in lines:
        each.break_off()
    with line(web) as sender:
        assert sender.greet("a") == {"type": "ready"}


@pytest.mark.parametrize(
    ("path", "headers", "status", "error"),
    [
        ("/api/phone", {"origin": "http://evil.example"}, 403, "origin"),
        ("/api/phone", {"origin": "null"}, 403, "origin"),
        ("/api/phone", {"origin": "http://127.0.0.1:9999"}, 403, "origin"),
        ("/api/phone", {"sec_fetch_site": "cross-site"}, 403, "origin"),
        ("/api/phone", {"host": "evil.example"}, 421, "host"),
        ("/api/events", {}, 404, "not_found"),
        ("/", {}, 404, "not_found"),
    ],
)
def test_websockets_that_are_not_let_in(
    web: Web, path: str, headers: dict[str, str], status: int, error: str
) -> None:
    assert Line(web, path, **headers).refusal() == (status, error)


def test_the_page_itself_is_let_in_also_over_https(web: Web) -> None:
    for origin in (ADDRESS, ADDRESS.replace("http:", "https:")):
        with line(web, origin=origin) as sender:
            assert sender.greet("a") == {"type": "ready"}


# Each picture as a request


def post(
    web: Web,
    sender: str = "a",
    data: bytes = PICTURE,
    *,
    kind: str = "image/jpeg",
    origin: str = ADDRESS,
    **query: Any,
) -> Any:
    headers = {"content-type": kind, "origin": origin}
    query = {"sender": sender, **query}
    return web.ask("POST", "/api/phone/frame", params=query, content=data, headers=headers)


def test_pictures_by_request(web: Web, source: PushSource) -> None:
    for _ in range(2):
        answer = post(web)
        assert (answer.status_code, answer.json()["type"]) == (200, "got")
    assert source.count == 2
    assert (post(web, "b").status_code, post(web, "b").json()["error"]) == (409, "taken")
    assert post(web, "b", take_over=True).status_code == 200
    assert post(web, "a").json()["error"] == "taken"


def test_requests_that_are_no_pictures(web: Web, source: PushSource) -> None:
    answer = post(web, data=b"garbage")
    assert (answer.status_code, answer.json()["error"]) == (422, "picture")
    answer = post(web, data=b"\xff" * (MAX_PICTURE + 1))
    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")
    assert "4096 KB" in answer.json()["message"]
    for kind in ("application/json", "text/plain", "multipart/form-data"):
        answer = post(web, kind=kind)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_request")
    assert post(web, sender="").status_code == 422
    assert post(web, sender="a" * 65).status_code == 422
    answer = post(web, origin="http://evil.example")
    assert (answer.status_code, answer.json()["error"]) == (403, "origin")
    assert source.count == 0


def test_commands_stay_as_small_as_they_were(web: Web) -> None:
    headers = {"content-type": "application/json"}
    answer = web.ask("POST", "/api/undo", content=b" " * 100_000, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")


def test_only_a_few_pictures_may_be_on_their_way_at_once(web: Web) -> None:
    """Those that come slowly, as `MOST_PICTURES` here, keep others out; once they are through all is as before."""

    async def send() -> list[int]:
        let_go = asyncio.Event()
        under_way = asyncio.Semaphore(0)

        async def slowly() -> AsyncIterator[bytes]:
            yield PICTURE[:100]
            under_way.release()
            await let_go.wait()
            yield PICTURE[100:]

        async def ask(content: Any) -> int:
            headers = {"content-type": "image/jpeg"}
            answer = await web._http.post("/api/phone/frame?sender=a", content=content, headers=headers)
            return answer.status_code

        slow = [asyncio.create_task(ask(slowly())) for _ in range(MOST_PICTURES)]
        for _ in slow:
            await asyncio.wait_for(under_way.acquire(), 20)
        refused = await ask(PICTURE)
        let_go.set()
        return [refused, *await asyncio.gather(*slow), await ask(PICTURE)]

    assert web.run(send()) == [503, *[200] * MOST_PICTURES, 200]


def test_a_source_that_cannot_be_opened_says_why(table: Table) -> None:
    class Shut:
        host, port, certificate = "0.0.0.0", None, None

        def open(self) -> None:
            raise Refused(500, "x", "Port 4211 is in use.")

    phone = Phone("0.0.0.0", 4210, Shut())  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="A phone cannot be the camera: Port 4211 is in use"):
        phone.open()
