"""The whole way with real processes: a network camera that fails in every way, and what the table is told of it."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.fakecamera import FakeCamera, pictures

from .test_processes import Process, serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="uses POSIX signals")

PATIENCE_S = 30.0
LIVE = {"starting", "empty", "moving", "hand", "settling", "still", "read", "unsure"}


def table_pictures(size: tuple[int, int] = (320, 240), count: int = 30) -> list[bytes]:
    """An empty table as a sensor sees it."""
    random = np.random.default_rng(2)
    felt = cv2.GaussianBlur(random.integers(40, 120, (size[1], size[0], 3)).astype(np.float32), (0, 0), 2)
    frames = (np.clip(felt + random.normal(0, 2, felt.shape), 0, 255).astype(np.uint8) for _ in range(count))
    return [cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes() for frame in frames]


@pytest.fixture(scope="module")
def sender() -> Iterator[FakeCamera]:
    with FakeCamera(table_pictures(), fps=25) as camera:
        yield camera


@pytest.fixture(scope="module")
def service(sender: FakeCamera, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("data")
    with serving("--data", str(folder), "--source", sender.url) as process:
        yield process


def camera_of(service: Process) -> dict[str, Any]:
    camera = service.get("/api/table").json()["camera"]
    assert isinstance(camera, dict)
    return camera


def wait_for(service: Process, *states: str, words: str = "") -> dict[str, Any]:
    end = time.monotonic() + PATIENCE_S
    while True:
        camera = camera_of(service)
        if camera["state"] in states and words in (camera["message"] or ""):
            return camera
        assert time.monotonic() < end, f"{states} {words!r} did not come: {camera}"
        time.sleep(0.05)


def test_an_empty_table_is_seen_so(service: Process) -> None:
    camera = wait_for(service, "empty")
    assert (camera["width"], camera["height"]) == (320, 240)
    assert camera["flags"] == [] and camera["notes"] == [] and camera["dropped"] >= 0


@pytest.mark.parametrize(
    ("how", "state", "words"),
    [
        ("frozen", "frozen", "sends the same picture again and again"),
        ("stall", "stale", "sends no new picture; see that it is switched on"),
        ("404", "gone", "nothing at this address (404): check what stands after the host's name"),
        ("html", "gone", "gives a page to look at, not a stream"),
        ("hangup", "gone", "goes on trying"),
        ("truncated", "gone", "sends damaged pictures only"),
        ("huge", "gone", "announces a picture of"),
    ],
)
def test_what_goes_wrong_is_told_and_mends_itself(
    service: Process, sender: FakeCamera, how: str, state: str, words: str
) -> None:
    wait_for(service, "empty")
    sender.behave(how)
    begun = time.monotonic()
    camera = wait_for(service, state, words=words)
    if how in ("frozen", "stall"):
        assert (
            time.monotonic() - begun < 3.0 + 2.0
        )  # within three seconds, where the machine is not busy besides
    assert "by hand" in camera["message"]
    sender.behave("live")
    wait_for(service, "empty")


def test_a_camera_that_is_switched_off_and_on_is_found_again(service: Process, sender: FakeCamera) -> None:
    wait_for(service, "empty")
    sender.kill()
    wait_for(service, "gone", words="nobody answers at this address")
    assert service.get("/api/picture.jpg").status_code == 200  # the last one
    sender.start()
    wait_for(service, "empty")


def test_pictures_of_another_size_in_mid_stream_are_watched_on(service: Process, sender: FakeCamera) -> None:
    wait_for(service, "empty")
    sender.show(table_pictures((480, 360)))
    end = time.monotonic() + PATIENCE_S
    while camera_of(service)["width"] != 480:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert wait_for(service, "empty")["height"] == 360
    sender.show(table_pictures())


def test_pictures_that_come_faster_than_they_can_be_looked_at_are_left_out_and_counted(
    service: Process, sender: FakeCamera
) -> None:
    wait_for(service, "empty")
    before = camera_of(service)
    sender.show(pictures((1280, 720), count=3))
    sender.behave("live", fps=300)
    end = time.monotonic() + PATIENCE_S
    while camera_of(service)["dropped"] < before["dropped"] + 50:
        assert time.monotonic() < end
        time.sleep(0.1)
    sender.show(table_pictures())
    sender.behave("live", fps=25)
    wait_for(service, *LIVE)


def test_a_service_whose_camera_hangs_ends_at_once_when_told(tmp_path: Path, sender: FakeCamera) -> None:
    sender.behave("live")
    process = Process("--data", str(tmp_path / "data"), "--source", sender.url)
    try:
        wait_for(process, *LIVE - {"starting"})
        sender.behave("stall")
        wait_for(process, "stale")
        begun = time.monotonic()
        status, errors = process.end(signal.SIGTERM)
        assert status == 0, errors
        assert time.monotonic() - begun < 15
        assert "Traceback" not in errors
    finally:
        process.close()
        sender.behave("live")
