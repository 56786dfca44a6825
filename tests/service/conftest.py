"""A table with a store in a temporary folder, and a client that asks it over HTTP without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from scorer.service.app import create_app
from scorer.service.store import Store, sqlite_store
from scorer.service.table import Table
from vision.roll import DieReading, Reading, Roll

ADDRESS = "http://127.0.0.1:4210"


class Client:
    """Asks the application; `table` is what it answers from."""

    def __init__(
        self, table: Table, host: str = "127.0.0.1", *, app: Any = None, address: str = "127.0.0.1"
    ) -> None:
        """`app` is another application over the table; `address` where the client asks from."""
        self.table = table
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(app or create_app(table, host), client=(address, 50000))
        self._http = httpx.AsyncClient(transport=transport, base_url=ADDRESS)

    def close(self) -> None:
        self._runner.run(self._http.aclose())
        self._runner.close()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._runner.run(self._http.request(method, path, **more))

    def together(self, *requests: tuple[str, dict[str, Any]]) -> list[httpx.Response]:
        """Post all at the same instant."""

        async def post() -> list[httpx.Response]:
            return await asyncio.gather(*(self._http.post(path, json=body) for path, body in requests))

        return self._runner.run(post())

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("GET", path, **more)

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.ask("POST", path, json=body)

    @property
    def view(self) -> Any:
        return self.get("/api/table").json()

    @property
    def game(self) -> Any:
        return self.view["game"]

    def start(self, players: tuple[str, ...] = ("Ana", "Bo", "Cy"), **more: Any) -> Any:
        answer = self.post(
            "/api/games", players=list(players), ruleset=more.pop("ruleset", "rulebook"), **more
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["game"]

    def throw(self, dice: list[int], kept: list[int] | None = None, **more: Any) -> Any:
        """A throw of whoever is to throw, which must be taken."""
        game = self.game
        body = {"seq": game["seq"], "player": game["expected"]["player"], "dice": dice, "kept": kept or []}
        answer = self.post("/api/throw", **(body | more))
        assert answer.status_code == 200, answer.text
        return answer.json()["game"]


def roll_of(
    *values: int, sure: bool = True, confidence: float = 0.99, at: Sequence[tuple[float, float]] = ()
) -> Roll:
    """A roll as the camera would hand it over; `at` are the upper left corners of its dice, 60 wide."""
    corners = at or [(10.0 + 80 * place, 20.0) for place in range(len(values))]
    dice = tuple(
        DieReading(value, confidence - 0.01 * place, (x, y, x + 60, y + 60))
        for place, (value, (x, y)) in enumerate(zip(values, corners, strict=True))
    )
    reasons = () if sure else ("two dice touch",)
    return Roll(
        1, 1.0, Reading(dice, sure, reasons, 5.0, 640, 480), 3, b"\xff\xd8 a picture of " + bytes(values)
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = sqlite_store(tmp_path)
    yield store
    store.close()


@pytest.fixture
def table(store: Store) -> Table:
    return Table(store)


@pytest.fixture
def client(table: Table) -> Iterator[Client]:
    client = Client(table)
    yield client
    client.close()
