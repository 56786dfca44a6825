"""The film that ships with the program: each of its throws gives one roll, at the right time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sample_images
from vision.frames import Image, open_source
from vision.roll import DieReading, Reading, Roll
from vision.watcher import RollSeen, RollWatcher, StateChange

FOLDER = Path(sample_images.__file__).parent
FACTS = json.loads((FOLDER / "table.json").read_text(encoding="utf-8"))


class Knows:
    """A reader that knows what lies on the table in each frame of the film."""

    def __init__(self) -> None:
        self.frames: dict[int, int] = {}
        self.read_at: list[int] = []

    def read(self, image: Image) -> Reading:
        index = self.frames[id(image)]
        self.read_at.append(index)
        dice: list[DieReading] = []
        for throw in FACTS["throws"]:
            if throw["rest_start"] <= index <= throw["rest_end"]:
                dice = [DieReading(each["value"], 0.99, tuple(each["box"])) for each in throw["dice"]]
        return Reading(tuple(dice), True, (), 1.0, image.shape[1], image.shape[0])


@pytest.mark.parametrize("step", [1, 2])
def test_each_throw_of_the_film_gives_one_roll(step: int) -> None:
    """At fifteen frames a second, and when every second one is dropped."""
    reader = Knows()
    watcher = RollWatcher(reader.read)
    rolls: list[Roll] = []
    states: list[str] = []
    kept = []  # the reader knows frames by identity, so that none may be freed
    with open_source(str(FOLDER / FACTS["video"]), realtime=False) as source:
        for frame in source:
            if frame.index % step:
                continue
            kept.append(frame)
            reader.frames[id(frame.image)] = frame.index
            for event in watcher.feed(frame):
                if isinstance(event, RollSeen):
                    rolls.append(event.roll)
                elif isinstance(event, StateChange):
                    states.append(event.state)
    throws = FACTS["throws"]
    assert [list(roll.reading.roll) for roll in rolls] == [throw["values"] for throw in throws]
    for roll, throw in zip(rolls, throws, strict=True):
        assert throw["rest_start"] <= round(roll.time * FACTS["fps"]) < throw["hand_back"]
    assert states.count("empty") >= len(throws) and states.count("read") == len(throws)
    assert len(reader.read_at) <= 8 * len(throws)


def test_the_film_is_as_its_facts_say() -> None:
    with open_source(str(FOLDER / FACTS["video"]), realtime=False) as source:
        frames = list(source)
    assert len(frames) == FACTS["frames"]
    assert frames[0].image.shape == (FACTS["height"], FACTS["width"], 3)
    assert frames[-1].time == pytest.approx((FACTS["frames"] - 1) / FACTS["fps"], abs=0.01)
    last = 0
    for throw in FACTS["throws"]:
        first, end = throw["rest_start"], throw["rest_end"]
        assert last < first < throw["hand_back"] <= end and end - first >= 1.5 * FACTS["fps"]
        assert sorted((die["value"] for die in throw["dice"]), reverse=True) == throw["values"]
        for x0, y0, x1, y1 in (die["box"] for die in throw["dice"]):
            assert 45 <= x1 - x0 <= 90 and 0 < y0 < y1 < FACTS["height"]
        last = end
    assert (FOLDER / FACTS["video"]).stat().st_size < 4_000_000
