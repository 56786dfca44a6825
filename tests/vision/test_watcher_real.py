"""Real throws on film: five translucent red dice on a green sheet, a hand before and after.

Most tests here are of the watcher alone: their reader finds the dice in the picture, but is told the values by the
number of the frame. Only the last test reads them, with the trained networks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import Frame, Image, open_source
from vision.pipeline import DiceReader
from vision.roll import DieReading, Reading, Roll
from vision.watcher import RollSeen, RollWatcher

VIDEOS = Path(__file__).resolve().parents[3] / "shared" / "videos"
RESTS = {"throw_1.mp4": (67, 83, (4, 3, 2, 1, 1)), "throw_3.mp4": (65, 85, (4, 2, 2, 2, 2))}

pytestmark = pytest.mark.skipif(not VIDEOS.is_dir(), reason=f"no films of real throws at {VIDEOS}")


class RedDice:
    """Reads no pips: finds red blobs, and gives the true values while the number of the frame says that the dice lie,
    wrong ones else. Good for showing which frames the watcher has read, not that they can be read."""

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


Change = Callable[[Image, int], Image]


def played(name: str, order: Callable[[int], int | None] = lambda index: index) -> Iterator[Frame]:
    """The film with another order of its frames: `order` says which one stands at each place, None for none."""
    with open_source(str(VIDEOS / name), realtime=False) as source:
        frames = list(source)
    places = [place for index in range(len(frames)) if (place := order(index)) is not None]
    for index, place in enumerate(places):
        yield Frame(frames[place].image, index / 30, place)


def watch(name: str, frames: Iterator[Frame], change: Change | None = None, step: int = 1) -> list[Roll]:
    """The rolls of some frames, read by RedDice."""
    reader = RedDice(name)
    watcher = RollWatcher(reader.read)
    rolls: list[Roll] = []
    kept = []  # the reader knows frames by identity, so that none may be freed
    for number, frame in enumerate(frames):
        if number % step:
            continue
        image = frame.image if change is None else change(frame.image, frame.index)
        kept.append((frame, image))
        reader.show(image, frame.index)
        rolls += [
            event.roll
            for event in watcher.feed(Frame(image, frame.time, number))
            if isinstance(event, RollSeen)
        ]
    assert len(reader.read_at) <= 25
    return rolls


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("name", sorted(RESTS))
def test_a_real_throw_gives_exactly_one_roll(name: str, step: int) -> None:
    """At thirty frames a second, and at fifteen."""
    rolls = watch(name, played(name), step=step)
    first, last, values = RESTS[name]
    assert [roll.reading.roll for roll in rolls] == [values]
    assert rolls[0].reading.sure and rolls[0].frames >= 2
    assert first <= round(rolls[0].time * 30) <= last


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("name", sorted(RESTS))
def test_frames_repeated_while_real_dice_roll_are_no_rest(name: str, step: int) -> None:
    rolls = watch(name, played(name, lambda i: i // 4 * 4 if 12 < i < RESTS[name][0] else i), step=step)
    assert [roll.reading.roll for roll in rolls] == [RESTS[name][2]] and rolls[0].reading.sure


@pytest.mark.parametrize(("before", "step"), [(3, 1), (5, 1), (5, 2)])
@pytest.mark.parametrize("name", sorted(RESTS))
def test_eight_frames_of_real_rest_are_enough(name: str, before: int, step: int) -> None:
    """The middle of the rest is cut out: the hand is back, its shadow on the dice, before the picture rests."""
    first, last, values = RESTS[name]
    cut = range(first + before, last - 7 + before)
    rolls = watch(name, played(name, lambda i: i if i not in cut else None), step=step)
    assert [roll.reading.roll for roll in rolls] == [values]


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("name", sorted(RESTS))
@pytest.mark.parametrize("factor", [0.75, 1.3])
def test_a_pulse_of_exposure_in_a_real_rest_changes_nothing(name: str, factor: float, step: int) -> None:
    start = RESTS[name][0] + 4

    def pulse(image: Image, index: int) -> Image:
        lit = start <= index < start + 3
        return np.clip(image * factor, 0, 255).astype(np.uint8) if lit else image

    rolls = watch(name, played(name), pulse, step)
    assert [roll.reading.roll for roll in rolls] == [RESTS[name][2]]


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("name", sorted(RESTS))
def test_a_shadow_that_moves_over_real_dice_at_rest_changes_nothing(name: str, step: int) -> None:
    first, last, values = RESTS[name]

    def shade(image: Image, index: int) -> Image:
        if not first - 10 < index < last + 10:
            return image
        middle = image.shape[1] * (index - first + 10) / (last - first + 20)
        across = np.abs(np.arange(image.shape[1]) - middle) / image.shape[1]
        dark = 1 - 0.35 * np.clip(1.5 - across / 0.12, 0, 1)
        return np.asarray(image * dark[None, :, None], dtype=np.uint8)

    rolls = watch(name, played(name), shade, step)
    assert [roll.reading.roll for roll in rolls] == [values]


@pytest.mark.parametrize("name", sorted(RESTS))
def test_the_trained_networks_read_a_real_throw_right_and_once(name: str) -> None:
    watcher = RollWatcher(DiceReader().read)
    rolls: list[Roll] = []
    with open_source(str(VIDEOS / name), realtime=False) as source:
        for frame in source:
            rolls += [event.roll for event in watcher.feed(frame) if isinstance(event, RollSeen)]
    first, last, values = RESTS[name]
    assert [roll.reading.roll for roll in rolls] == [values]
    assert rolls[0].frames >= 2 and first <= round(rolls[0].time * 30) <= last
