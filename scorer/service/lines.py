"""Connections: how many may be open at once, and what the log says of those that are too many.

A table has a few screens; what opens hundreds of connections is a fault or no friend. Without a limit the
process would run out of file handles, and then neither a screen nor the database gets one.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorer.strictjson import json_text

if sys.platform != "win32":
    import resource

log = logging.getLogger("piste")

MOST = 256
"""Connections at once, where the system gives that many file handles."""

KEPT_FREE = 96
"""File handles that are for everything else: database, camera, modules, and connections about to be refused."""

BACKLOG = 16
"""Connections taken up in one go, before any of them can be refused."""

FIRST_S = 15.0
"""Seconds in which the first request must have come on a connection."""

REFUSED_S = 1.0
"""Seconds that a connection too many is given to ask, so that it can be told why it is closed."""

_CROWDED = json_text(
    {
        "error": "busy",
        "message": "Too many screens are connected to Piste: close some of them, then try again.",
    }
).encode()

_ANSWER = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncache-control: no-store\r\n"
    b"connection: close\r\nretry-after: 5\r\ncontent-length: %d\r\n\r\n%b" % (len(_CROWDED), _CROWDED)
)


def room() -> int:
    """How many connections may be open at once; asks the system for more file handles if it gives few."""
    files = _file_handles(MOST + KEPT_FREE)
    return MOST if files is None else max(8, min(MOST, files - KEPT_FREE))


def _file_handles(wanted: int) -> int | None:
    """How many file handles the process may have, None without a limit; `wanted` of them if that can be had."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY:
            return None
        if soft < wanted:
            more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            # Where the system will not, it stays with what there is.
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
                soft = more
        return soft
    return None


def limited_to(most: int) -> type[H11Protocol]:
    """uvicorn's HTTP for at most `most` connections: one more is answered 503 `busy` and closed."""

    class Line(H11Protocol):
        told = False  # of the class, since the log says it once for all

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            open_now = len(self.connections)
            if open_now <= most // 2:
                Line.told = False
            self._too_many = open_now > most
            if self._too_many and not Line.told:
                Line.told = True
                log.warning("More than %d connections are open: no more are let in until some close.", most)
            if open_now > most + BACKLOG:
                transport.abort()
                return
            self._first = self.loop.call_later(REFUSED_S if self._too_many else FIRST_S, self._give_up)

        def data_received(self, data: bytes) -> None:
            if not self._too_many:
                super().data_received(data)
            elif not self.transport.is_closing():
                self.transport.write(_ANSWER)
                self.transport.close()

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            # From here on another protocol has the connection, and watches over it itself.
            self._first.cancel()
            super().handle_websocket_upgrade(event)

        def _give_up(self) -> None:
            if self.cycle is None and not self.transport.is_closing():
                self.transport.close()

    return Line


class Once(logging.Filter):
    """Lets each message through once a minute: what the event loop says when it has no file handle left."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write the record."""
        text: Any = record.getMessage()
        first = text.partition("\n")[0]
        if record.created - self._said.get(first, float("-inf")) < 60:
            return False
        if len(self._said) >= 100:
            self._said.clear()
        self._said[first] = record.created
        return True
