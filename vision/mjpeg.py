"""Motion JPEG over HTTP, as most network cameras and camera apps send it: an answer that never ends, one JPEG a part.

Pictures are cut out of the stream undecoded, so that those nobody reads cost next to nothing.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from email.message import Message
from types import MappingProxyType
from typing import Any

from vision.errors import SourceError
from vision.jpeg import MOST_BYTES

CHUNK = 256 * 1024
LONGEST_HEAD = 16 * 1024
"""Bytes between two pictures, and before the first one."""
LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
HEAD_ENDS = re.compile(rb"\r?\n\r?\n")
ANSWERS = {
    401: "asks for a user name and a password: write http://NAME:PASSWORD@... as the address",
    403: "does not let us in (403): see on the camera who may watch it",
    404: "has nothing at this address (404): check what stands after the host's name",
}


class OtherKind(Exception):
    """The address answers, but with something else than Motion JPEG: `kind` is its media type."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Parts:
    """Cuts the parts out of a multipart stream. `boundary` as the answer's Content-Type has it."""

    def __init__(self, boundary: str) -> None:
        # Some cameras write the dashes into the name, some do not.
        self._mark = b"--" + boundary.strip().strip('"').removeprefix("--").encode("latin-1", "replace")
        self._held = bytearray()
        self._searched = 0
        self._length: int | None = None
        self._inside = False

    def feed(self, data: bytes) -> list[bytes]:
        """The parts that are whole with this `data`. Raises ValueError, saying why, when this is no such stream."""
        self._held += data
        found: list[bytes] = []
        while True:
            part = self._body() if self._inside else None
            if part is not None:
                found.append(part)
            elif self._inside or not self._head():
                return found

    def _head(self) -> bool:
        """Pass the head of the next part; False while it is not whole."""
        start = self._held.find(self._mark)
        ends = HEAD_ENDS.search(self._held, start) if start >= 0 else None
        if ends is None:
            if len(self._held) > LONGEST_HEAD:
                raise ValueError("sends no pictures, but something else")
            return False
        length = LENGTH.search(self._held[start : ends.start()] + b"\n")
        self._length = int(length[1]) if length else None
        if self._length is not None and self._length > MOST_BYTES:
            raise ValueError(f"announces a picture of {self._length:,} bytes")
        del self._held[: ends.end()]
        self._inside, self._searched = True, 0
        return True

    def _body(self) -> bytes | None:
        """Cut off the body; None while it is not whole."""
        if self._length is not None:
            if len(self._held) < self._length:
                return None
            end = self._length
        else:
            end = self._held.find(self._mark, self._searched)
            if end < 0:
                self._searched = max(0, len(self._held) - len(self._mark))
                if len(self._held) > MOST_BYTES:
                    raise ValueError("sends a picture that never ends")
                return None
        body = bytes(self._held[:end])
        del self._held[:end]
        self._inside = False
        return body


class Mjpeg:
    """One connection to a sender of Motion JPEG. `read` may wait; `interrupt`, from another thread, ends that.

    `name` is the address as it may be shown. `timeout` (seconds) is the longest silence, also while connecting.
    Raises SourceError, with what to do, or OtherKind.
    """

    notes: tuple[str, ...] = ()
    held: Mapping[str, float] = MappingProxyType({})
    varies = True

    def __init__(self, url: str, name: str, timeout: float, closed: threading.Event) -> None:
        self._name = name
        self._closed = closed
        self._socket: socket.socket | None = None
        self._waiting: list[bytes] = []
        self._answer = self._request(url, timeout)
        kind = self._answer.headers.get_content_type()
        if not kind.startswith("multipart/"):
            self._answer.close()
            raise OtherKind(kind)
        self._parts = Parts(str(self._answer.headers.get_param("boundary") or "frame"))

    def read(self) -> bytes:
        """The newest picture, undecoded. Raises SourceError when there are no more."""
        while True:
            try:
                data = self._answer.read1(CHUNK)
                parts = self._parts.feed(data)
            except ValueError as error:
                raise SourceError(f"{self._name}: {error}; check the address.") from None
            except (OSError, http.client.HTTPException) as error:
                raise SourceError(f"{self._name}: {_broken(error)}") from None
            if parts:
                return parts[-1]
            if not data:
                raise SourceError(
                    f"{self._name}: the sender has ended the stream; see that it runs, and that not too many watch it."
                )

    def interrupt(self) -> None:
        """Wake whoever reads; may be called from any thread."""
        held = self._socket
        if held is not None:
            try:
                held.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it has ended already

    def close(self) -> None:
        """Let go of the connection."""
        self._answer.close()
        if self._socket is not None:
            self._socket.close()

    def _request(self, url: str, timeout: float) -> Any:
        try:
            plain, opener = _opener(url, self._connected)
            request = urllib.request.Request(plain, headers={"User-Agent": "piste", "Accept": "*/*"})  # noqa: S310
            return opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            error.close()
            said = ANSWERS.get(
                error.code, f"answers with an error ({error.code}); see whether it works in a browser"
            )
            raise SourceError(f"{self._name}: the sender {said}.") from None
        except urllib.error.URLError as error:
            reason = error.reason if isinstance(error.reason, OSError) else error
            raise SourceError(f"{self._name}: {_broken(reason)}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise SourceError(f"{self._name}: {_broken(error)}") from None
        finally:
            if self._closed.is_set():
                self.interrupt()

    def _connected(self, connection: socket.socket) -> None:
        self._socket = connection
        if self._closed.is_set():
            self.interrupt()


def _opener(
    url: str, connected: Callable[[socket.socket], None]
) -> tuple[str, urllib.request.OpenerDirector]:
    """The address without the password, and what opens it, with that. Raises ValueError for one that makes no sense.

    No proxy is used: cameras stand in the same network. `connected` is told each connection made.
    """
    scheme, _, rest = url.partition("://")
    user, at, _ = rest.split("/", 1)[0].rpartition("@")
    if at:
        rest = rest[len(user) + 1 :]
    plain = f"{scheme}://{rest}"

    class Plain(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            connected(self.sock)

    class Secure(http.client.HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            connected(self.sock)

    class Http(urllib.request.HTTPHandler):
        def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Plain, req)

    class Https(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            # Cameras certify themselves; nobody could tell the right one from another, and nothing secret is sent to it
            # but its own password.
            return self.do_open(Secure, req, context=ssl._create_unverified_context())  # noqa: S323

    class Redirects(urllib.request.HTTPRedirectHandler):
        max_redirections = 5

        def redirect_request(
            self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Message, newurl: str
        ) -> urllib.request.Request | None:
            if urllib.parse.urlsplit(newurl).scheme not in ("http", "https"):
                return None
            return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]

    handlers: list[urllib.request.BaseHandler] = [Http(), Https(), Redirects()]
    if at:
        name, _, password = user.partition(":")
        keys = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        keys.add_password(None, plain, urllib.parse.unquote(name), urllib.parse.unquote(password))
        handlers += [urllib.request.HTTPBasicAuthHandler(keys), urllib.request.HTTPDigestAuthHandler(keys)]
    opener = urllib.request.OpenerDirector()
    for each in (*handlers, urllib.request.HTTPDefaultErrorHandler(), urllib.request.HTTPErrorProcessor()):
        opener.add_handler(each)
    return plain, opener


def _broken(error: BaseException) -> str:
    """What a fault of the connection means, and what to do about it."""
    if isinstance(error, socket.gaierror):
        return "there is no such host in this network; check the address, or write its number (192.168...)."
    if isinstance(error, ConnectionRefusedError):
        return (
            "nobody answers at this address; see that the sender runs, and check the number after the colon."
        )
    if isinstance(error, TimeoutError):
        return "the sender does not answer; see that it runs and is in the same network."
    if isinstance(error, ssl.SSLError):
        return "the secure connection failed; try http:// in place of https://."
    if isinstance(error, http.client.HTTPException | ValueError):
        return "what answers there does not speak HTTP as a camera does; check the address."
    if isinstance(error, ConnectionError):
        return "the connection has broken off; see that the sender runs and is in reach."
    return (
        f"cannot be reached ({getattr(error, 'strerror', None) or error}); check the address and the network."
    )
