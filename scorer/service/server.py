"""Listening: the socket, the addresses that people are told, and a server that stops when it is asked to."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, cast

import uvicorn
from starlette.types import ASGIApp

from scorer.errors import PisteError
from scorer.service.bodies import MAX_PICTURE
from scorer.service.guard import is_loopback
from scorer.service.hub import Hub
from scorer.service.lines import BACKLOG, MOST, Once, limited_to

if TYPE_CHECKING:
    from scorer.service.secure import Secure

DEFAULT_PORT = 4210
GRACE_S = 3
"""Seconds that answers under way get when the service stops."""


class ListenError(PisteError):
    """The address or port cannot be listened on."""


def listen(host: str, port: int, *, next_free: bool = False) -> socket.socket:
    """A socket that listens on `host` and `port`. Raises `ListenError`.

    With `next_free` a port that is taken is no error: one of the next nine, or any, is used instead.
    """
    ports = [port, *(p for p in range(port + 1, port + 10) if p < 65536), 0] if next_free else [port]
    for each in ports:
        try:
            return _listen(host, each)
        except OSError as error:
            # Windows says "access denied" of a port that another program has for itself.
            if error.errno in (errno.EADDRINUSE, errno.EACCES) and each != ports[-1]:
                continue
            raise ListenError(_explain(host, each, error)) from error
        except UnicodeError as error:
            # No name can look like that, so that nobody is even asked for it.
            raise ListenError(_no_address(host, "it is not a name")) from error
    raise AssertionError("the last port is either listened on or refused")


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    sock = socket.socket(family, kind, protocol)
    try:
        if sys.platform == "win32":
            # There, unlike elsewhere, SO_REUSEADDR would let two services share one port.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(128)
    except BaseException:
        sock.close()
        raise
    return sock


def _explain(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE or (error.errno == errno.EACCES and port >= 1024):
        return (
            f"Port {port} is in use, perhaps by another Piste: stop that program, or choose another port, "
            f"for example --port {port + 1 if port < 65535 else port - 1}."
        )
    if error.errno == errno.EACCES:
        return (
            f"Port {port} may not be used on this machine: choose one from 1024 on, "
            f"for example --port {DEFAULT_PORT}."
        )
    return _no_address(host, str(error.strerror or error))


def _no_address(host: str, why: str) -> str:
    return (
        f"{host} is not an address of this machine that can be listened on ({why}): "
        "leave --host out for this machine alone, or use 0.0.0.0 for tablets on the same network."
    )


def addresses(sock: socket.socket, host: str) -> list[str]:
    """The addresses to open in a browser: here first, then from other machines where they are let in."""
    port = sock.getsockname()[1]
    if is_loopback(host):
        return [_address(host, port)]
    everywhere = host in ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
    if not everywhere:
        return [_address(host, port)]
    own = own_address()
    return [_address("127.0.0.1", port), *([_address(own, port)] if own else [])]


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address() -> str | None:
    """This machine's address on its network, or None. A datagram socket that is connected sends nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(address) else address


class _Server(uvicorn.Server):
    """Ends the event streams first, which would otherwise keep it from stopping."""

    def __init__(
        self, config: uvicorn.Config, hub: Hub, on_started: Callable[[], None], secure: Secure | None
    ) -> None:
        super().__init__(config)
        self._hub = hub
        self._on_started = on_started
        self._secure = secure
        self._door: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._secure is not None:
            self._door = asyncio.create_task(self._secure.serve(self._protocol))
        self._on_started()

    def _protocol(self) -> asyncio.Protocol:
        """What speaks with one connection, as uvicorn makes it for those of its own sockets."""
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.close()
        if self._door is not None:
            self._door.cancel()
        # A request that was never finished is cut off now, which is nobody's fault and needs no traceback.
        _quiet(logging.CRITICAL + 1)
        await super().shutdown(sockets)


def run(
    app: ASGIApp,
    sock: socket.socket,
    hub: Hub,
    on_started: Callable[[], None] = lambda: None,
    *,
    most: int = MOST,
    secure: Secure | None = None,
) -> None:
    """Serve, at most `most` connections at once, until interrupted or told to end.

    With `secure` the application is served over HTTPS too, from when that is opened. Run it inside `ending_tidily`.
    """
    config = uvicorn.Config(
        app,
        http=limited_to(most),
        log_config=None,
        access_log=False,
        lifespan="off",
        ws=cast("type[asyncio.Protocol]", _websocket),
        ws_max_size=MAX_PICTURE,
        ws_per_message_deflate=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE_S,
    )
    once = Once()
    loop_log = logging.getLogger("asyncio")
    loop_log.addFilter(once)
    own_log = logging.getLogger("uvicorn.error")
    own_log.addFilter(_is_news)
    # Below that uvicorn tells of every request that it cannot read, as often as a stranger likes to send one.
    _quiet(logging.ERROR)
    try:
        _Server(config, hub, on_started, secure).run(sockets=[sock])
    finally:
        loop_log.removeFilter(once)
        own_log.removeFilter(_is_news)
        _quiet(logging.NOTSET)


def _websocket(*arguments: Any, **named: Any) -> asyncio.Protocol:
    """What speaks a websocket; its library is loaded with the first one."""
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol  # noqa: PLC0415

    return WebSocketsSansIOProtocol(*arguments, **named)


def _is_news(record: logging.LogRecord) -> bool:
    """Not that a websocket was refused with a reason, which uvicorn takes for a fault."""
    return "without completing handshake" not in record.getMessage()


def _quiet(level: int) -> None:
    logging.getLogger("uvicorn.error").setLevel(level)


class _Ended(BaseException):
    """The system asked the process to end."""


@contextmanager
def ending_tidily() -> Iterator[None]:
    """Turns the signals that end a process into a quiet way out of the block, letting go of what it holds.

    uvicorn stops at such a signal and then raises it once more; by default the process would die there.
    """
    names = ("SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [number for name in names if (number := getattr(signal, name, None)) is not None]
    # What is ignored stays ignored: that is how `nohup` keeps a service alive.
    numbers = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, _end) for number in numbers}
    try:
        yield
    except (KeyboardInterrupt, _Ended):
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Ended


def say(line: str) -> None:
    """Tell the person who started the service; at once, also where the output goes into a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def log_plainly() -> None:
    """One plain line a message on standard error; with `PISTE_DEBUG` set also where faults come from."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING, force=True)
    logging.getLogger("piste").setLevel(logging.DEBUG if os.environ.get("PISTE_DEBUG") else logging.INFO)
