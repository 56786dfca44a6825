"""The two ways in which a phone's pictures come: over a websocket, or each as a request of its own.

The second one is for browsers that trust Piste's certificate for pages but not for websockets, as those of iPhones
do. Either way the sender waits for an answer before it sends the next picture, so that nothing queues up, and the
answer is held back where pictures come too fast. `docs/api.md` is the contract.
"""

from __future__ import annotations

import asyncio
import time as clock
from contextlib import suppress
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import Response
from starlette.websockets import WebSocketDisconnect, WebSocketState

from scorer.errors import InvalidRecord
from scorer.service.answers import json_answer
from scorer.service.bodies import PICTURE_PATH
from scorer.service.guard import SOCKET_PATH
from scorer.service.phone import Phone
from scorer.service.problems import Refused
from scorer.service.table import Table
from scorer.strictjson import json_text, strict_json
from vision.errors import PictureError

EACH_S = 0.05
"""Least time between two pictures that are taken, in seconds."""

HELLO_S = 10.0
SILENT_S = 10.0
"""A websocket that brings nothing for so long is closed."""

MOST_SOCKETS = 4
"""Websockets at once. One sends, another may be about to take over."""

MOST_BAD = 20
"""Pictures in a row that cannot be read, before the line is closed."""

LONGEST_ID = 64

Sender = Annotated[str, Query(min_length=1, max_length=LONGEST_ID)]


class Pace:
    """Holds a sender to a picture every `EACH_S` seconds."""

    def __init__(self) -> None:
        self._due = 0.0

    async def wait(self) -> None:
        """Come back when the next picture may be answered."""
        now = clock.monotonic()
        due, self._due = self._due, max(now, self._due) + EACH_S
        if due > now:
            await asyncio.sleep(due - now)


def add_uplink(app: FastAPI, phone: Phone, table: Table) -> None:
    """Both ways, and what a page wants to know before it chooses one."""
    pace = Pace()
    sockets: set[WebSocket] = set()

    def got(size: tuple[int, int]) -> dict[str, Any]:
        width, height = size
        return {"type": "got", "width": width, "height": height, "camera": table.camera.state}

    @app.api_route(SOCKET_PATH, methods=["GET", "HEAD"])
    def status() -> Response:
        return json_answer(phone.view())

    @app.post(PICTURE_PATH)
    async def picture(request: Request, sender: Sender, take_over: bool = False) -> Response:
        jpeg = await request.body()
        phone.begin(sender, take_over=take_over)
        try:
            answer = got(await asyncio.to_thread(phone.push, sender, jpeg))
        except PictureError as error:
            raise Refused(422, "picture", str(error)) from None
        await pace.wait()
        return json_answer(answer)

    @app.websocket(SOCKET_PATH)
    async def socket(line: WebSocket) -> None:
        if len(sockets) >= MOST_SOCKETS:
            await line.close(1013)
            return
        sockets.add(line)
        try:
            await line.accept()
            await _converse(line)
        except Refused as refused:
            await _refuse(line, refused)
        except TimeoutError:
            await _refuse(line, Refused(408, "slow", "Nothing came for too long: connect anew."))
        except WebSocketDisconnect:
            pass
        finally:
            sockets.discard(line)

    async def _converse(line: WebSocket) -> None:
        sender, take_over = _hello(await _next(line, HELLO_S))
        turn = phone.begin(sender, take_over=take_over)
        bad = 0
        try:
            await _say(line, {"type": "ready"})
            while True:
                message = await _next(line, SILENT_S)
                if not isinstance(message, bytes):
                    raise Refused(400, "bad_request", "After the greeting only pictures are taken.")
                try:
                    answer = got(await asyncio.to_thread(phone.push, sender, message))
                    bad = 0
                except PictureError as error:
                    bad += 1
                    answer = {"type": "bad", "message": str(error)}
                    if bad >= MOST_BAD:
                        raise Refused(422, "picture", str(error)) from None
                await pace.wait()
                await _say(line, answer)
        finally:
            phone.end(turn)


async def _next(line: WebSocket, within_s: float) -> str | bytes:
    """The next message. Raises TimeoutError, WebSocketDisconnect."""
    async with asyncio.timeout(within_s):
        message = await line.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    data: bytes | None = message.get("bytes")
    return str(message.get("text") or "") if data is None else data


def _hello(message: str | bytes) -> tuple[str, bool]:
    """Who greets, and whether another one is to make room. Raises Refused."""
    try:
        content = strict_json(message.encode() if isinstance(message, str) else b"")
    except InvalidRecord as error:
        raise Refused(400, "bad_request", f"The greeting cannot be read: {error}.") from None
    sender = content.get("sender") if isinstance(content, dict) else None
    take_over = content.get("take_over", False) if isinstance(content, dict) else False
    if not isinstance(sender, str) or not 0 < len(sender) <= LONGEST_ID or not isinstance(take_over, bool):
        raise Refused(
            400, "bad_request", 'The greeting must be {"sender": TEXT, "take_over": true or false}.'
        )
    return sender, take_over


async def _say(line: WebSocket, content: dict[str, Any]) -> None:
    try:
        await line.send_text(json_text(content))
    except RuntimeError:
        # It has been closed meanwhile.
        raise WebSocketDisconnect(1006) from None


async def _refuse(line: WebSocket, refused: Refused) -> None:
    """Say why, and close."""
    if line.application_state is not WebSocketState.CONNECTED:
        return
    with suppress(WebSocketDisconnect, RuntimeError):
        await _say(line, {"type": "refused", "error": refused.error, "message": refused.message})
        await line.close(1008)
