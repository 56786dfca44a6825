"""Who listens, and that nobody who has gone is remembered."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import uvicorn

from scorer.service.app import PING_S, create_app
from scorer.service.hub import Hub, Snapshot
from scorer.service.server import listen
from scorer.service.table import Table


def test_slow_listeners_get_the_newest_only() -> None:
    async def listening() -> list[int]:
        hub = Hub()
        versions = [0]
        seen = []
        async for snapshot in hub.stream(lambda: Snapshot(versions[-1], "")):
            assert snapshot is not None
            seen.append(snapshot.version)
            for _ in range(3):  # three changes while this one was being sent
                versions.append(versions[-1] + 1)
                hub.notify()
            if len(seen) == 3:
                hub.close()
        return seen

    assert asyncio.run(listening()) == [0, 3, 6]


def test_a_notice_without_news_sends_nothing() -> None:
    async def listening() -> list[int]:
        hub = Hub()
        seen = []
        async for snapshot in hub.stream(lambda: Snapshot(7, "")):
            assert snapshot is not None
            seen.append(snapshot.version)
            hub.notify()
            asyncio.get_running_loop().call_later(0.05, hub.close)
        return seen

    assert asyncio.run(listening()) == [7]


def test_silence_is_told_and_news_are_not_lost() -> None:
    async def listening() -> list[int | None]:
        hub = Hub()
        versions = [1]
        seen: list[int | None] = []
        async for snapshot in hub.stream(lambda: Snapshot(versions[-1], ""), quiet_s=0.02):
            seen.append(None if snapshot is None else snapshot.version)
            if len(seen) == 3:  # after two silences
                versions.append(2)
                hub.notify()
            if seen[-1] == 2:
                hub.close()
        return seen

    assert asyncio.run(listening()) == [1, None, None, 2]


def test_streams_are_woken_from_other_threads_and_forgotten_when_they_end() -> None:
    async def listening() -> None:
        hub = Hub()
        version = 1
        stream = hub.stream(lambda: Snapshot(version, ""))
        assert await anext(stream) == Snapshot(1, "")
        assert len(hub) == 1
        version = 2
        threading.Thread(target=hub.notify).start()
        assert await asyncio.wait_for(anext(stream), 20) == Snapshot(2, "")
        await stream.aclose()  # type: ignore[attr-defined]
        assert len(hub) == 0

    asyncio.run(listening())


@asynccontextmanager
async def serving(table: Table, ping_s: float = PING_S) -> AsyncIterator[str]:
    """The application in a uvicorn of this process, so that its insides can be looked at."""
    with listen("127.0.0.1", 0) as sock:
        config = uvicorn.Config(
            create_app(table, ping_s=ping_s), log_config=None, lifespan="off", timeout_graceful_shutdown=3
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server._serve([sock]))
        address = f"http://127.0.0.1:{sock.getsockname()[1]}"
        try:
            yield address
        finally:
            table.hub.close()
            server.should_exit = True
            await running


def test_screens_that_go_away_are_forgotten(table: Table) -> None:
    async def screens() -> None:
        async with serving(table) as address, httpx.AsyncClient(timeout=20) as client:
            for _ in range(3):
                async with (
                    client.stream("GET", f"{address}/api/events") as one,
                    client.stream("GET", f"{address}/api/events") as other,
                ):
                    for answer in (one, other):
                        await anext(answer.aiter_bytes())
                    assert len(table.hub) == 2
                async with asyncio.timeout(20):
                    while len(table.hub):
                        await asyncio.sleep(0.01)

    asyncio.run(screens())


def test_a_quiet_line_says_that_it_is_alive(table: Table) -> None:
    async def quiet() -> list[str]:
        events: list[str] = []
        async with (
            serving(table, ping_s=0.02) as address,
            httpx.AsyncClient(timeout=20) as client,
            client.stream("GET", f"{address}/api/events") as answer,
        ):
            async for line in answer.aiter_lines():
                if line.startswith(("event:", "data:")):
                    events.append(line)
                if len(events) == 6:
                    break
        return events

    events = asyncio.run(quiet())
    assert [events[0], events[2], events[4]] == ["event: table", "event: ping", "event: ping"]
    version = json.loads(events[1].removeprefix("data: "))["version"]
    assert [json.loads(event.removeprefix("data: ")) for event in events[3::2]] == [{"version": version}] * 2
