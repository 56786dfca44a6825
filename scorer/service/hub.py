"""Wakes the open event streams, from whatever thread something changed in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table view of one version, already written as JSON: made once, sent to everybody."""

    version: int
    text: str


class Hub:
    """Who listens. `notify` and `close` may be called from any thread, `stream` from the event loop's."""

    def __init__(self) -> None:
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._lock = threading.Lock()
        self._closed = False

    def __len__(self) -> int:
        with self._lock:
            return len(self._listeners)

    def notify(self) -> None:
        """Something changed: every stream looks again."""
        with self._lock:
            listeners = list(self._listeners.items())
        for event, loop in listeners:
            # A loop that is closed has no stream left that could miss anything.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(event.set)

    def close(self) -> None:
        """End all streams, and those opened from now on after their first view."""
        self._closed = True
        self.notify()

    async def stream(
        self, latest: Callable[[], Snapshot], quiet_s: float | None = None
    ) -> AsyncIterator[Snapshot | None]:
        """The latest view at once, then again whenever it has changed; None after `quiet_s` without news.

        A listener that is slow gets the newest view, not each in between: a view says everything, and nothing
        queues up for a tablet that has gone to sleep.
        """
        event = asyncio.Event()
        with self._lock:
            self._listeners[event] = asyncio.get_running_loop()
        sent: int | None = None
        try:
            while True:
                event.clear()
                snapshot = latest()
                if snapshot.version != sent:
                    sent = snapshot.version
                    yield snapshot
                if self._closed:
                    return
                try:
                    async with asyncio.timeout(quiet_s):
                        await event.wait()
                except TimeoutError:
                    yield None
        finally:
            with self._lock:
                del self._listeners[event]
