"""What stands before the application: who may ask, how much, and what every answer carries.

The service listens on the machine itself or on the table's own network, without passwords. What it must fear
is a web page of somebody else, open in a browser on the same network, that sends commands (hence the check of
`Origin`) or that gets a name of its own to point here and reads the answers (hence the check of `Host`).
"""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Iterable
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scorer.service.bodies import BODY_S, PICTURE_PATH, Refusal, handed_on, header, read_body
from scorer.strictjson import json_text

log = logging.getLogger("piste")

FAULT = "A fault of Piste itself. Its own output says more; try again, or enter it differently."

SOCKET_PATH = "/api/phone"
"""The one websocket that there is."""

MOST_PICTURES = 2
"""Pictures that may be on their way here at once, outside websockets: they are large, and one phone sends."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
        b"form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def is_loopback(host: str) -> bool:
    """Whether an address to listen on can be reached from this machine only."""
    if host in _LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI wrapper around the application.

    `host` is the address listened on. On a loopback address only loopback names are answered; otherwise also
    addresses written in numbers, this machine's own name, and `host` itself: none of them is a name that a
    stranger can make point here.
    """

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1", *, body_s: float = BODY_S) -> None:
        self._app = app
        self._body_s = body_s
        self._pictures = 0
        self._names = set(_LOOPBACK)
        self._numbers = not is_loopback(host)
        if self._numbers:
            own = socket.gethostname().lower()
            self._names |= {host.lower(), own, own.partition(".")[0], own.partition(".")[0] + ".local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": _with_headers(message["headers"], scope["path"])}
            await send(message)

        try:
            refusal = self._refusal(scope)
            if refusal is None and scope["method"] not in ("GET", "HEAD"):
                body = await self._body(scope, receive)
                if isinstance(body, bytes):
                    receive = handed_on(body, receive)
                else:
                    refusal = body
            if refusal is not None:
                await _send_error(answer, *refusal)
                return
            await self._app(scope, receive, answer)
        except Exception as error:
            _note(scope["method"], scope["path"], error)
            if not started:
                await _send_error(answer, 500, "fault", FAULT)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | Refusal:
        """The body of a request, or why it is refused."""
        if scope["path"] != PICTURE_PATH:
            return await read_body(scope, receive, self._body_s)
        if self._pictures >= MOST_PICTURES:
            return 503, "busy", "Too many pictures are on their way at once: try again."
        self._pictures += 1
        try:
            return await read_body(scope, receive, self._body_s)
        finally:
            self._pictures -= 1

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one websocket. A page of another site could open it too, so its origin counts as that of a command."""
        refusal = self._refusal(scope)
        if refusal is None and scope["path"] != SOCKET_PATH:
            refusal = 404, "not_found", f"There is no websocket at {scope['path']}."
        try:
            if refusal is None:
                await self._app(scope, receive, send)
            elif "websocket.http.response" in scope.get("extensions", {}):
                await _send_error(send, *refusal, kind="websocket.http.response")
            else:
                await send({"type": "websocket.close", "code": 1008})
        except Exception as error:
            _note("WEBSOCKET", scope["path"], error)
            with suppress(Exception):
                await send({"type": "websocket.close", "code": 1011})

    def _refusal(self, scope: Scope) -> Refusal | None:
        host = header(scope, b"host") or ""
        if not self._is_own(host):
            return (
                421,
                "host",
                f"Piste is not called {host!r}: open it under the address that it printed when it started.",
            )
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            return None
        origin = header(scope, b"origin")
        if origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            return 403, "origin", f"Commands are taken from Piste's own page only, not from {origin}."
        site = header(scope, b"sec-fetch-site")
        if site is not None and site not in ("same-origin", "none"):
            return 403, "origin", "Commands are taken from Piste's own page only, not from another site's."
        return None

    def _is_own(self, host: str) -> bool:
        name, port = _split(host.lower())
        if port and not port.isdigit():
            return False
        if name in self._names:
            return True
        if not self._numbers:
            return is_loopback(name)
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _split(host: str) -> tuple[str, str]:
    """`name:port`, `[v6]:port` or without a port -> name, port."""
    if host.startswith("["):
        name, closed, rest = host[1:].partition("]")
        return name if closed else "", rest.removeprefix(":")
    name, _, port = host.partition(":")
    return name, port


def _with_headers(headers: Iterable[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
    if not path.startswith("/api/"):
        return [*headers, *_HEADERS]
    kept = [(key, value) for key, value in headers if key.lower() != b"cache-control"]
    return [*kept, (b"cache-control", b"no-store"), *_HEADERS]


def _note(method: str, path: str, error: Exception) -> None:
    """Write a fault of the program into the log.

    The people at the table can do nothing with a traceback; with PISTE_DEBUG set it is shown.
    """
    log.error(
        "%s %s: %s: %s", method, path, type(error).__name__, error, exc_info=log.isEnabledFor(logging.DEBUG)
    )


async def _send_error(
    send: Send, status: int, error: str, message: str, *, kind: str = "http.response"
) -> None:
    body = json_text({"error": error, "message": message}).encode()
    # The rest of a body that was not waited for would be taken for the next request.
    closing = [(b"connection", b"close")] if status == 408 else []
    await send(
        {
            "type": f"{kind}.start",
            "status": status,
            "headers": [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                *closing,
            ],
        }
    )
    await send({"type": f"{kind}.body", "body": body})
