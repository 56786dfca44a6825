"""HTTPS beside HTTP: a second socket, the same application, the certificate of `certificate.py`.

It is opened when somebody needs it: a browser gives its camera to pages that came over HTTPS only. Until then it
costs nothing. Connections are taken up here one by one and not by the event loop's own server: so those whose
handshake hangs can be counted, and the address that somebody came by is in the certificate before he is shown it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time as clock
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scorer.service.problems import StoreError
from scorer.service.server import listen

if TYPE_CHECKING:
    import ssl

    from scorer.service.certificate import Address, Certificate

log = logging.getLogger("piste")

HANDSHAKES = 16
"""Handshakes at once; who comes after them waits with the system."""

HANDSHAKE_S = 5.0
BREATH_S = 0.5
"""Pause when no connection can be taken up, such as without a file handle."""

LOOK_S = 3600.0
"""How often a running service looks whether its certificate comes to its end."""


class Secure:
    """The HTTPS side of one service.

    `host` is the address that is listened on, `port` the one to use, or with `next_free` the first one to try;
    `folder` keeps the certificate.
    """

    def __init__(self, host: str, port: int, folder: Path, *, next_free: bool = True) -> None:
        self.host = host
        self._wanted = port
        self._next_free = next_free
        self._folder = folder
        self._opening = threading.Lock()
        self._sock: socket.socket | None = None
        self._certificate: Certificate | None = None
        self._context: ssl.SSLContext | None = None
        self._looked = 0.0
        self._unwritten: set[Address] = set()
        self._renewing = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opened = asyncio.Event()

    def open(self) -> None:
        """Listen, from whatever thread; a second call does nothing.

        Raises ListenError when the port cannot be had, StoreError when there can be no certificate.
        """
        with self._opening:
            if self._sock is not None:
                return
            # It takes a library that nobody else needs.
            from scorer.service.certificate import certificate, own_names  # noqa: PLC0415

            made = certificate(self._folder, *own_names())
            self._use(made)
            self._sock = listen(self.host, self._wanted, next_free=self._next_free)
            loop = self._loop
        if loop is not None:
            log.info("HTTPS is on at port %d; its certificate's SHA-256: %s", self.port, made.fingerprint)
            # A loop that is closed has nobody left who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._opened.set)

    @property
    def port(self) -> int | None:
        """The port that it listens on, None while it is not open."""
        return None if self._sock is None else int(self._sock.getsockname()[1])

    @property
    def certificate(self) -> Certificate | None:
        """The certificate in use, None while it is not open."""
        return self._certificate

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_about: object) -> None:
        self.close()

    def close(self) -> None:
        """Take up no more connections."""
        with self._opening:
            if self._sock is not None:
                self._sock.close()

    async def serve(self, protocol: Callable[[], asyncio.Protocol]) -> None:
        """Once it is open, take up connections, each with a `protocol` of its own, until cancelled."""
        loop = asyncio.get_running_loop()
        with self._opening:
            self._loop = loop
            sock = self._sock
        if sock is None:
            await self._opened.wait()
            sock = self._sock
        assert sock is not None
        sock.setblocking(False)
        free = asyncio.Semaphore(HANDSHAKES)
        greeting: set[asyncio.Task[None]] = set()

        def greeted(task: asyncio.Task[None]) -> None:
            greeting.discard(task)
            free.release()

        try:
            while True:
                await free.acquire()
                try:
                    line, _ = await loop.sock_accept(sock)
                except OSError:
                    free.release()
                    await asyncio.sleep(BREATH_S)
                    continue
                task = loop.create_task(self._greet(line, protocol))
                greeting.add(task)
                task.add_done_callback(greeted)
        finally:
            for task in greeting:
                task.cancel()

    async def _greet(self, line: socket.socket, protocol: Callable[[], asyncio.Protocol]) -> None:
        line.setblocking(False)
        try:
            await self._renew(str(line.getsockname()[0]))
            await asyncio.get_running_loop().connect_accepted_socket(
                protocol, line, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_S
            )
        except OSError:
            # Whoever is on the other side does not want this certificate, or speaks something else.
            line.close()
        except BaseException:
            line.close()
            raise

    async def _renew(self, reached: str) -> None:
        """See that the certificate is for the address by which somebody came, and is not about to end."""
        from scorer.service.certificate import address_of, certificate  # noqa: PLC0415 - as in `open`

        address = address_of(reached)
        wanted = set() if address is None else {address}
        async with self._renewing:
            old = self._certificate
            assert old is not None
            if clock.monotonic() - self._looked < LOOK_S and wanted <= old.addresses | self._unwritten:
                return
            self._looked = clock.monotonic()
            try:
                new = await asyncio.to_thread(certificate, self._folder, old.names, {*old.addresses, *wanted})
                if new.fingerprint != old.fingerprint:
                    self._use(new)
            except StoreError as error:
                # The old one does for whoever accepts it.
                self._unwritten |= wanted
                log.warning("%s", error)

    def _use(self, new: Certificate) -> None:
        self._context = new.context()
        self._certificate = new
        self._looked = clock.monotonic()
        self._unwritten = set()
