"""The body of a command: read whole, in time, and as strictly as a record is read from a file; or a picture."""

from __future__ import annotations

import asyncio
import math
from typing import Any

from starlette.types import Message, Receive, Scope

from scorer.errors import InvalidRecord
from scorer.strictjson import strict_json

MAX_BODY = 64 * 1024
"""Bytes of a command's body. The largest honest one, ten long names, is under 2 KB."""

PICTURE_PATH = "/api/phone/frame"
"""Where bodies are pictures."""

MAX_PICTURE = 4 * 1024 * 1024
"""Bytes of a picture. One of 1920x1080 pixels has about 0.5 MB."""

MAX_DEPTH = 16
"""Lists and objects inside each other. No command has more than three."""

BODY_S = 10.0
"""Seconds in which a body must have come."""

Refusal = tuple[int, str, str]
"""Status, word, sentence."""


async def read_body(scope: Scope, receive: Receive, within_s: float = BODY_S) -> Refusal | bytes:
    """The body of a request, or why it is refused."""
    picture = scope["path"] == PICTURE_PATH
    most = MAX_PICTURE if picture else MAX_BODY
    what = "A picture" if picture else "The body of a command"
    too_large = (413, "too_large", f"{what} is {most // 1024} KB at most.")
    length = header(scope, b"content-length")
    if length is not None and length.isdigit() and int(length) > most:
        return too_large
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(within_s):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return 400, "bad_request", "The body was cut off on its way: send the command again."
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > most:
                    return too_large
    except TimeoutError:
        return 408, "slow", "The body of the command did not come in time: send it again."
    kind = (header(scope, b"content-type") or "").partition(";")[0].strip().lower()
    if picture:
        wrong = (400, "bad_request", "A picture is sent as image/jpeg.")
        return wrong if kind != "image/jpeg" or not body else bytes(body)
    return (fault_of(bytes(body)) if kind == "application/json" else None) or bytes(body)


def fault_of(body: bytes) -> Refusal | None:
    """What is wrong with a body as JSON, whatever command it is meant for."""
    try:
        content = strict_json(body)
    except InvalidRecord as error:
        return 400, "bad_request", f"The body cannot be read: {error}."
    wrong = _wrong(content, 0)
    return None if wrong is None else (422, "invalid", f"The body {wrong}.")


def _wrong(value: Any, depth: int) -> str | None:
    """What a value has in it that can be read but neither shown nor kept."""
    if isinstance(value, str):
        return None if value.isascii() or _is_text(value) else "has half of a sign in it, such as \\ud800"
    if isinstance(value, float):
        return None if math.isfinite(value) else "has a number in it that is too large"
    if not isinstance(value, dict | list):
        return None
    if depth >= MAX_DEPTH:
        return "is nested too deep"
    items = value if isinstance(value, list) else [*value, *value.values()]
    return next((wrong for item in items if (wrong := _wrong(item, depth + 1)) is not None), None)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def handed_on(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives `body` as one message, then what comes."""
    handed = False

    async def again() -> Message:
        nonlocal handed
        if not handed:
            handed = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again


def header(scope: Scope, name: bytes) -> str | None:
    """The only value of a header; None without one, empty when it is given more than once."""
    values = [value for key, value in scope["headers"] if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else (None if not values else "")
