"""A recorded table under the service: the film waits for each confirmation, and no throw of it is missed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scorer.service.camera import Camera
from scorer.service.store import Store
from scorer.service.table import Table
from vision.frames import Frame, FrameSource, Image, open_source
from vision.roll import DieReading, Reading, Roll

from .conftest import Client
from .test_camera import THROWS, Fake, Live, NoPace, film, read, scene


def read_by_place(image: Image) -> Reading:
    """Squares as dice whose value is told by where they lie."""
    found = read(image)
    dice = tuple(DieReading(1 + int(die.center[0] // 54), 0.99, die.box) for die in found.dice)
    return Reading(dice, True, (), 1.0, image.shape[1], image.shape[0])


ROLLS = [tuple(sorted((1 + int((x + 18) // 54) for x, _ in corners), reverse=True)) for corners in THROWS]


class Watched(Table):
    """A table that can be waited for."""

    def __init__(self, store: Store) -> None:
        self.news = threading.Condition()
        self.seen: list[tuple[int, ...]] = []
        self.reasons: list[list[str]] = []
        super().__init__(store)

    def roll_seen(self, roll: Roll) -> None:
        super().roll_seen(roll)
        view = self.view()["roll"]
        with self.news:
            self.reasons.append([] if view is None else view["reasons"])
            self.seen.append(roll.reading.roll)
            self.news.notify_all()

    def wait(self, until: Callable[[], Any]) -> None:
        with self.news:
            assert self.news.wait_for(until, 30), self.seen


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    file = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (320, 240))
    for image in film(len(THROWS)):
        writer.write(image)
    writer.release()
    return file


def test_a_camera_that_comes_back_offers_no_throw_twice(store: Store) -> None:
    """Over the true camera thread, which watches with a new watcher after each break."""
    table = Watched(store)
    client = Client(table)
    client.start()
    go_on = threading.Event()
    sources = [Live(film(1)), Live([*[scene(THROWS[0])] * 20, *film(2)[28:]], "hangs")]

    def open_again() -> FrameSource:
        if len(sources) == 1:
            assert go_on.wait(30)
        return sources.pop(0)

    camera = Camera("fake", open_again, read_by_place, table, first_pause_s=0.01)
    for source in sources:
        source.eye = camera
    table.connect(camera, "fake")
    camera.start()
    try:
        table.wait(lambda: table.seen == ROLLS[:1])
        roll = client.view["roll"]
        client.throw(list(ROLLS[0]), roll=roll["id"])
        go_on.set()
        table.wait(lambda: len(table.seen) == 3)
        assert table.seen == [ROLLS[0], ROLLS[0], ROLLS[1]]
        assert table.reasons == [[], ["as confirmed"], []]
    finally:
        go_on.set()
        camera.stop()
        client.close()


def test_a_recorded_table_is_played_throw_by_throw(store: Store, recorded: Path) -> None:
    table = Watched(store)
    client = Client(table)

    def open_again() -> Any:
        return open_source(str(recorded), realtime=False, loop=True)

    camera = Camera(
        "table.avi",
        open_again,
        read_by_place,
        table,
        hold=True,
        recording="film",
        first=open_again(),
        pace=NoPace,
    )
    table.connect(camera, "table.avi")
    camera.start()
    try:
        # Nobody plays yet: the film runs on.
        table.wait(lambda: len(table.seen) >= 2)
        client.start()
        confirmed = []
        for throw in range(1, 7):
            with table.news:
                assert table.news.wait_for(table.holds, 30)
            roll = client.view["roll"]
            values = [die["value"] for die in roll["dice"]]
            confirmed.append(tuple(sorted(values, reverse=True)))
            answer = client.post(
                "/api/throw",
                seq=throw - 1,
                player=client.game["expected"]["player"],
                dice=values,
                roll=roll["id"],
            )
            assert answer.status_code == 200, answer.text
            assert answer.json()["game"]["throws"][0]["source"] == "camera"
        first = ROLLS.index(confirmed[0])
        assert confirmed == [ROLLS[(first + number) % len(ROLLS)] for number in range(6)]
        assert client.get("/api/picture.jpg").headers["content-type"] == "image/jpeg"
        assert client.view["camera"]["width"] == 320
    finally:
        camera.stop()
        client.close()


def test_a_throw_entered_by_hand_while_the_dice_roll_is_the_one_that_is_read(store: Store) -> None:
    """Over the true camera thread: the states that it tells come in the order that the table counts on."""
    table = Watched(store)
    client = Client(table)
    client.start()
    rolling, go_on = threading.Event(), threading.Event()

    class Stopped(Fake):
        def read(self, timeout: float | None = None) -> Any:
            frame = super().read(timeout)
            if frame is not None and frame.index == 6:
                rolling.set()
                assert go_on.wait(30)
            return frame

    camera = Camera("fake", lambda: Stopped(film(2)), read_by_place, table, recording="film")
    table.connect(camera, "fake")
    camera.start()
    try:
        assert rolling.wait(30)
        assert client.view["camera"]["state"] in ("moving", "hand")
        client.throw(list(ROLLS[0]))
        go_on.set()
        table.wait(lambda: len(table.seen) == 2)
        assert table.seen == ROLLS[:2]
        assert client.game["throws"][0]["roll"] is not None
        roll = client.view["roll"]
        assert sorted((die["value"] for die in roll["dice"]), reverse=True) == list(ROLLS[1])
        assert roll["fits"]
    finally:
        go_on.set()
        camera.stop()
        client.close()


def test_pictures_of_another_size_offer_no_throw_twice(store: Store) -> None:
    """A phone is turned, say: the watcher begins anew with what lies there."""
    table = Watched(store)
    client = Client(table)
    client.start()
    go_on = threading.Event()
    larger = np.asarray(cv2.copyMakeBorder(scene(THROWS[0]), 0, 40, 30, 0, cv2.BORDER_REFLECT), np.uint8)

    class Turned(Live):
        def read(self, timeout: float | None = None) -> Frame | None:
            frame = super().read(timeout)
            if frame is not None and frame.image.shape == larger.shape:
                assert go_on.wait(30)
            return frame

    source = Turned([*film(1), *[larger] * 20], "hangs")
    camera = Camera("fake", lambda: source, values_421, table)
    table.connect(camera, "fake")
    camera.start()
    try:
        table.wait(lambda: len(table.seen) == 1)
        client.throw([4, 2, 1], roll=client.view["roll"]["id"])
        go_on.set()
        table.wait(lambda: len(table.seen) == 2)
        assert table.reasons == [[], ["as confirmed"]]
    finally:
        go_on.set()
        camera.stop()
        client.close()


def values_421(image: Image) -> Reading:
    """Squares as a 4, a 2 and a 1 from left to right."""
    found = sorted(read(image).dice, key=lambda die: die.box)
    dice = tuple(DieReading(value, 0.99, die.box) for value, die in zip((4, 2, 1), found, strict=False))
    return Reading(dice, True, (), 1.0, image.shape[1], image.shape[0])
