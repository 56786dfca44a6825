"""Real throws on film: five translucent red dice on a green sheet, a hand before and after."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import Image, open_source
from vision.roll import DieReading, Reading, Roll
from vision.watcher import RollSeen, RollWatcher

VIDEOS = Path(__file__).resolve().parents[3] / "shared" / "videos"
RESTS = {"throw_1.mp4": (67, 83, (4, 3, 2, 1, 1)), "throw_3.mp4": (65, 85, (4, 2, 2, 2, 2))}

pytestmark = pytest.mark.skipif(not VIDEOS.is_dir(), reason=f"no films of real throws at {VIDEOS}")


class RedDice:
    """A reader for these films only: finds red blobs, and knows the values while the dice lie."""

    def __init__(self, name: str) -> None:
        self.first, self.last, self.values = RESTS[name]
        self.shown = 0
        self.frames: dict[int, int] = {}
        self.read_at: list[int] = []

    def show(self, image: Image, index: int) -> None:
        self.frames[id(image)] = index

    def read(self, image: Image) -> Reading:
        index = self.frames[id(image)]
        self.read_at.append(index)
        small = cv2.resize(image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        hue, saturation, light = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2HSV))
        red = ((hue < 8) | (hue > 170)) & (saturation > 150) & (light > 60)
        closed = cv2.morphologyEx(red.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        _, _, parts, _ = cv2.connectedComponentsWithStats(closed)
        boxes = [(x, y, x + w, y + h) for x, y, w, h, area in parts[1:].tolist() if 60 < area < 800]
        lies = self.first <= index <= self.last
        values = self.values if lies and len(boxes) == len(self.values) else [1 + index % 6] * len(boxes)
        dice = [
            DieReading(value, 0.9, (4.0 * x0, 4.0 * y0, 4.0 * x1, 4.0 * y1))
            for value, (x0, y0, x1, y1) in zip(values, boxes, strict=True)
        ]
        return Reading(tuple(dice), lies, () if lies else ("moving",), 1.0, image.shape[1], image.shape[0])


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("name", sorted(RESTS))
def test_a_real_throw_gives_exactly_one_roll(name: str, step: int) -> None:
    """At thirty frames a second, and at fifteen."""
    reader = RedDice(name)
    watcher = RollWatcher(reader.read)
    rolls: list[Roll] = []
    kept = []  # the reader knows frames by identity, so that none may be freed
    with open_source(str(VIDEOS / name), realtime=False) as source:
        for frame in source:
            if frame.index % step:
                continue
            kept.append(frame)
            reader.show(frame.image, frame.index)
            rolls += [event.roll for event in watcher.feed(frame) if isinstance(event, RollSeen)]
    first, last, values = RESTS[name]
    assert [roll.reading.roll for roll in rolls] == [values]
    assert rolls[0].reading.sure and rolls[0].frames >= 2
    assert first <= round(rolls[0].time * 30) <= last
    assert len(reader.read_at) <= 25
