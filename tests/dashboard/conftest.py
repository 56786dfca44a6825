"""A real browser, and tables for it to look at: `piste serve`, or a table in this process whose camera is ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from scorer.service.app import create_app
from scorer.service.server import listen
from scorer.service.store import sqlite_store
from scorer.service.table import Table
from scorer.service.watching import CameraStatus
from vision.roll import DieReading, Reading, Roll

DASHBOARD = Path(__file__).resolve().parents[2] / "scorer" / "dashboard"
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PISTE = [sys.executable, "-c", "from scorer.service.cli.main import main; raise SystemExit(main())"]
WIDTH, HEIGHT, DIE = 960, 720, 90

expect.set_options(timeout=20_000)


def find_chromium() -> str | None:
    """Where a Chromium is on this machine, or None."""
    system = Path("/usr/bin/chromium")
    if system.is_file():
        return str(system)
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((found for name in names if (found := shutil.which(name))), None)


@pytest.fixture(scope="package")  # not longer: its event loop would stand in the way of other tests
def browser() -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no chromium at /usr/bin/chromium or on PATH: the dashboard cannot be driven")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGS)
        yield running
        running.close()


@dataclass
class Watch:
    """What pages asked for and complained about."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def on(self, page: Page) -> None:
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("console", self._console)

    def _console(self, message: Any) -> None:
        # The browser itself reports answers like 409 and a broken line as errors; the page says those to people.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens a page of a table in a browser profile of its own; afterwards nothing may have left the machine."""
    watch = Watch()
    contexts: list[BrowserContext] = []

    def open_one(
        url: str, *, size: tuple[int, int] = (1280, 800), ready: str = "main", **settings: Any
    ) -> Page:
        wishes = {"locale": "en-GB", "color_scheme": "light", "reduced_motion": "reduce", **settings}
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, accept_downloads=True, **wishes
        )
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        watch.on(page)
        page.goto(url)
        page.wait_for_selector(ready)
        return page

    yield open_one
    for context in contexts:
        context.close()
    strangers = [url for url in watch.requests if not re.match(r"http://127\.0\.0\.1:\d+/", url)]
    assert not strangers, "the page asked somebody else"
    assert not watch.complaints


class Service:
    """`piste serve` as people run it, on a free port."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = 0
        self.url = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        # Without a buffer, or the line that says the port would wait for more.
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            [*PISTE, "serve", "--port", str(self.port), "--data", str(self.data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        said: list[str] = []
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                self.url, self.port = found.group(0), int(found.group(1))
                return
        raise AssertionError("piste serve did not start:\n" + "".join(said))

    def kill(self) -> None:
        """As a power cut would."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._reap()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
        self._reap()

    def _reap(self) -> None:
        if self._process is not None:
            self._process.wait(timeout=20)
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """A command of another program; the table view after it."""
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return dict(json.load(answer))

    def table(self) -> dict[str, Any]:
        with urllib.request.urlopen(self.url + "api/table", timeout=20) as answer:
            return dict(json.load(answer))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path / "games")
    running.start()
    yield running
    running.stop()


class Camera:
    """A camera whose rolls are said by the test; they take the way that those of a real one take."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._picture: bytes | None = None
        self._lock = threading.Lock()
        self.pictures_asked = 0
        self.asked_again = 0
        self.rolls = 0
        self.frames = 0
        self.dropped = 0

    def picture(self) -> bytes | None:
        with self._lock:
            self.pictures_asked += 1
        return self._picture

    def read_again(self) -> None:
        self.asked_again += 1

    def state(self, state: str, message: str | None = None, size: tuple[int, int] = (WIDTH, HEIGHT)) -> None:
        self._table.camera_is(CameraStatus(state, message, "test", *size, self.frames))

    def empty(self) -> None:
        self._picture = self._draw([])
        self.state("empty")

    def roll(
        self, *values: int, doubt: dict[int, str] | None = None, at: list[tuple[int, int]] | None = None
    ) -> None:
        """Dice come to rest, from left to right; `doubt` gives the reason why a die, by its place, is unsure."""
        doubt = doubt or {}
        places = at or [(200 + 190 * place, 300 + 60 * (place % 2)) for place in range(len(values))]
        dice = tuple(
            DieReading(
                value,
                0.6 if place in doubt else 0.998,
                (x - DIE / 2, y - DIE / 2, x + DIE / 2, y + DIE / 2),
                (),
                (doubt[place],) if place in doubt else (),
            )
            for place, (value, (x, y)) in enumerate(zip(values, places, strict=True))
        )
        self._picture = self._draw(list(zip(values, places, strict=True)))
        self.rolls += 1
        self.frames += 20
        reading = Reading(dice, not doubt, tuple(doubt.values()), 30.0, WIDTH, HEIGHT)
        self.state("moving")
        self.state("still")
        self._table.roll_seen(Roll(self.rolls, float(self.frames), reading, 4, self._picture))

    def _draw(self, dice: list[tuple[int, tuple[int, int]]]) -> bytes:
        image = np.full((HEIGHT, WIDTH, 3), (52, 84, 28), np.uint8)
        for value, (x, y) in dice:
            half = DIE // 2
            cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (205, 230, 240), -1)
            cv2.putText(image, str(value), (x - 20, y + 22), cv2.FONT_HERSHEY_SIMPLEX, 2, (20, 20, 25), 5)
        good, data = cv2.imencode(".jpg", image)
        assert good
        return bytes(data)


@dataclass
class WatchedTable:
    """A table under a camera, served in this process."""

    url: str
    table: Table
    camera: Camera

    def view(self) -> dict[str, Any]:
        return self.table.view()

    def start(self, *players: str) -> None:
        self.table.start(players or ("Ana", "Bo", "Cy"), "rulebook", {})

    def throw(self, *dice: int, kept: tuple[int, ...] = ()) -> None:
        """A throw of whoever is to throw, confirmed elsewhere."""
        game = self.view()["game"]
        self.table.throw(game["expected"]["player"], dice, kept, None, seq=game["seq"])

    def stand(self) -> None:
        game = self.view()["game"]
        self.table.stand(game["expected"]["player"], seq=game["seq"])


@contextmanager
def serving(folder: Path) -> Iterator[WatchedTable]:
    store = sqlite_store(folder)
    table = Table(store)
    sock = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(table), log_config=None, lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield WatchedTable(f"http://127.0.0.1:{sock.getsockname()[1]}/", table, Camera(table))
    finally:
        server.should_exit = True
        table.hub.close()
        thread.join(timeout=20)
        sock.close()
        store.close()


@pytest.fixture
def by_hand(tmp_path: Path) -> Iterator[WatchedTable]:
    """A table without a camera."""
    with serving(tmp_path) as table:
        yield table


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[WatchedTable]:
    """A table under a camera that sees an empty tray."""
    with serving(tmp_path) as table:
        table.table.connect(table.camera, "test")
        table.camera.empty()
        yield table


def enter(page: Page, *values: int) -> None:
    """Taps faces in the row of six."""
    for value in values:
        page.get_by_role("button", name=f"Enter a {value}", exact=True).click()


def confirm(page: Page) -> None:
    page.get_by_role("button", name="Confirm", exact=True).click()


def whose_turn(page: Page, name: str) -> None:
    """Waits until it is the turn of `name`."""
    expect(page.locator(".turn-name .name")).to_have_text(name)
