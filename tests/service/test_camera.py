"""The camera's thread, with fake sources: drawn frames of white squares, in the time that the frames say."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

import vision.steady
from calibration.profile import Profile
from scorer.service.camera import Camera, Recording
from scorer.service.watching import CameraStatus
from vision.errors import SourceError
from vision.events import Event, Flagged, RollSeen, StateChange
from vision.frames import Frame, FrameSource, Image, open_source
from vision.roll import DieReading, Reading, Roll

GROUND = np.random.default_rng(421).integers(60, 90, (240, 320, 3), dtype=np.uint8)
SIDE = 36
THROWS = [
    ((30, 40), (120, 60), (220, 150)),
    ((60, 150), (160, 40), (250, 60)),
    ((40, 30), (140, 150), (230, 30)),
]


def scene(corners: Sequence[tuple[int, int]]) -> Image:
    """Squares on a felt of noise."""
    image = GROUND.copy()
    for x, y in corners:
        image[y : y + SIDE, x : x + SIDE] = 250
        image[y + 13 : y + 23, x + 13 : x + 23] = 10
    return image


def film(throws: int) -> list[Image]:
    """Squares that tumble for a while and then lie still, several times."""
    chance = np.random.default_rng(7)
    images = []
    for number in range(throws):
        for _ in range(8):
            images.append(scene([(int(x), int(y)) for x, y in chance.integers(0, 180, (3, 2))]))
        images += [scene(THROWS[number % len(THROWS)])] * 20
    return images


def read(image: Image) -> Reading:
    """Finds the squares; each is a five."""
    count, _, stats, _ = cv2.connectedComponentsWithStats((image[..., 0] > 200).astype(np.uint8))
    dice = [
        DieReading(5, 0.99, (float(x), float(y), float(x + w), float(y + h)))
        for x, y, w, h, area in stats[1:count]
        if area > 300
    ]
    return Reading(tuple(dice), True, (), 1.0, image.shape[1], image.shape[0])


class Fake(FrameSource):
    """Gives frames at 30 a second of its own clock, as fast as asked for; then ends, breaks down, or hangs."""

    name = "fake"

    def __init__(self, images: Sequence[Image], then: str = "ended", age: float = 0.0) -> None:
        self._frames = iter([Frame(image, place / 30, place) for place, image in enumerate(images)])
        self._then = then
        self._ended = False
        self._age = age
        self.closed = False

    def read(self, timeout: float | None = None) -> Frame | None:
        frame = next(self._frames, None)
        if frame is None:
            if self._then == "broken":
                raise SourceError("fake: the plug was pulled.")
            if self._then == "hangs":
                clock.sleep(0.01)
                return None
            self._ended = True
        return frame

    def close(self) -> None:
        self.closed = True

    @property
    def ended(self) -> bool:
        return self._ended

    @property
    def age(self) -> float:
        return self._age


class Live(Fake):
    """A camera: its frames come thirty a second of everybody's clock, with the noise of a sensor.

    Each waits until the camera's thread has taken the one before, so that a busy machine sees them all; not so where
    nobody has said which `eye` it is for.
    """

    eye: Camera | None = None

    def __init__(self, images: Sequence[Image], then: str = "broken", notes: tuple[str, ...] = ()) -> None:
        super().__init__(images, then)
        self._begun: float | None = None
        self._chance = np.random.default_rng(3)
        self._notes = notes
        self._owed = 0

    @property
    def notes(self) -> tuple[str, ...]:
        return self._notes

    def read(self, timeout: float | None = None) -> Frame | None:
        frame = super().read(timeout)
        if frame is None:
            return None
        if self._begun is None:
            self._begun = clock.monotonic()
        clock.sleep(max(0.0, self._begun + frame.time - clock.monotonic()))
        until = clock.monotonic() + 5
        while self.eye is not None and self.eye.frames < self._owed and clock.monotonic() < until:
            clock.sleep(0.002)
        self._owed = 1 + (0 if self.eye is None else self.eye.frames)
        image = frame.image.copy()
        image[::7, ::5] ^= self._chance.integers(0, 4, image[::7, ::5].shape, dtype=np.uint8)
        return Frame(image, clock.monotonic() - self._begun, frame.index)


class NoPace:
    """Plays a film as fast as it is read."""

    def late(self, _media_time: float) -> bool:
        return False

    def wait(self, _media_time: float) -> None:
        return


class Told:
    """A table that notes what the camera tells it."""

    def __init__(self) -> None:
        self.states: list[CameraStatus] = []
        self.rolls: list[Roll] = []
        self.hold = False
        self.hold_at_rolls = False
        self.held = 0
        self._news = threading.Condition()

    def camera_is(self, status: CameraStatus) -> None:
        with self._news:
            self.states.append(status)
            self._news.notify_all()

    def roll_seen(self, roll: Roll) -> None:
        with self._news:
            self.rolls.append(roll)
            self.hold = self.hold_at_rolls
            self.held = 0
            self._news.notify_all()

    def holds(self) -> bool:
        with self._news:
            self.held += self.hold
            self._news.notify_all()
            return self.hold

    def wait(self, until: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(until, 20), [status.state for status in self.states]

    def last(self) -> str | None:
        return self.states[-1].state if self.states else None


def camera(
    told: Told,
    *sources: FrameSource | str,
    hold: bool = False,
    recording: Recording | None = None,
    pause: float = 0.01,
) -> Camera:
    """A camera that gets these sources one after the other; a text is why one cannot be opened."""
    waiting = list(sources)

    def open_again() -> FrameSource:
        source = waiting.pop(0) if waiting else "fake: nothing is left."
        if isinstance(source, str):
            raise SourceError(source)
        return source

    eye = Camera(
        "fake", open_again, read, told, hold=hold, recording=recording, first_pause_s=pause, pace=NoPace
    )
    for source in sources:
        if isinstance(source, Live):
            source.eye = eye
    return eye


def film_camera(told: Told, source: FrameSource, hold: bool = False) -> Camera:
    return camera(told, source, hold=hold, recording="film")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a live source does in time, ten times as fast."""
    for name in ("STALE_S", "LOST_S", "FROZEN_S", "LOOK_S"):
        monkeypatch.setattr(vision.steady, name, getattr(vision.steady, name) / 10)


def test_a_film_is_watched_to_its_end() -> None:
    told = Told()
    source = Fake(film(3))
    eye = film_camera(told, source)
    eye.start()
    told.wait(lambda: told.last() == "ended")
    assert [roll.reading.roll for roll in told.rolls] == [(5, 5, 5)] * 3
    states = [status.state for status in told.states]
    assert states[0] == "starting"
    assert "moving" in states and {"still", "read"} & set(states)
    assert "by hand" in (told.states[-1].message or "")
    assert (told.states[-1].width, told.states[-1].height, told.states[-1].frames) == (320, 240, 84)
    assert eye.frames == 84
    assert source.closed
    eye.stop()


def test_the_newest_picture_is_a_jpeg() -> None:
    told = Told()
    eye = film_camera(told, Fake(film(1)))
    assert eye.picture() is None
    eye.start()
    told.wait(lambda: told.last() == "ended")
    jpeg = eye.picture()
    assert jpeg is not None
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert np.abs(image.astype(int) - scene(THROWS[0])).mean() < 20
    assert eye.picture() is jpeg  # encoded once
    eye.stop()


def test_a_source_that_breaks_down_is_opened_again() -> None:
    told = Told()
    broken, whole = Live(film(1)), Live(film(1))
    eye = camera(told, broken, "fake: not back yet.", whole, pause=0.3)
    eye.start()
    told.wait(lambda: any("nothing is left" in (status.message or "") for status in told.states))
    gone = [status for status in told.states if status.state == "gone"]
    assert "the plug was pulled" in (gone[0].message or "")
    assert "goes on trying" in (gone[0].message or "")
    assert "not back yet" in (gone[1].message or "")
    assert len(told.rolls) == 2
    assert broken.closed
    eye.stop()


def test_a_source_that_was_never_there_is_waited_for() -> None:
    told = Told()
    eye = camera(told, "fake: no answer.", "fake: no answer.", Live(film(1)), pause=0.3)
    eye.start()
    told.wait(lambda: len(told.rolls) == 1)
    assert [status.state for status in told.states][:2] == ["starting", "gone"]
    eye.stop()


@pytest.mark.usefixtures("quick")
def test_a_camera_that_sends_nothing_new_is_stale_then_gone_and_watched_again_when_it_is_back() -> None:
    told = Told()
    eye = camera(told, Live(film(1), "hangs"), Live(film(2)))
    eye.start()
    told.wait(lambda: told.last() == "stale")
    message = told.states[-1].message or ""
    assert "sends no new picture" in message and message.endswith("by hand until it comes back.")
    told.wait(lambda: told.last() == "gone")
    assert "goes on trying" in (told.states[-1].message or "")
    told.wait(lambda: len(told.rolls) == 3)
    eye.stop()


@pytest.mark.usefixtures("quick")
def test_a_camera_that_sends_the_same_picture_for_ever_is_frozen_until_something_changes() -> None:
    class Frozen(Live):
        """Live for a while, then one picture again and again, then live again."""

        def read(self, timeout: float | None = None) -> Frame | None:
            frame = super().read(timeout)
            if frame is not None and 28 <= frame.index < 70:
                return Frame(scene(THROWS[0]), frame.time, frame.index)
            return frame

    told = Told()
    eye = camera(told, Frozen([*film(1), *[scene(THROWS[0])] * 42, *film(2)]))
    eye.start()
    told.wait(lambda: told.last() == "frozen")
    message = told.states[-1].message or ""
    assert "the same picture again and again" in message and "by hand" in message
    before = len(told.states)
    told.wait(lambda: "moving" in [status.state for status in told.states[before:]])
    eye.stop()


def test_what_could_not_be_fixed_and_what_was_left_out_is_told() -> None:
    told = Told()
    eye = camera(told, Live(film(1), notes=("focus",)))
    assert eye.dropped == 0
    eye.start()
    told.wait(lambda: bool(told.rolls))
    assert told.states[-1].notes == ("focus",)
    eye.stop()

    told = Told()

    def slow(image: Image) -> Reading:
        clock.sleep(0.3)
        return read(image)

    eye = Camera("fake", lambda: Live(film(1)), slow, told)
    eye.start()
    told.wait(lambda: bool(told.rolls))
    assert eye.dropped > 5
    eye.stop()


def test_a_reader_that_fails_is_said_and_watching_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    told = Told()
    failures = 2

    def sometimes(image: Image) -> Reading:
        nonlocal failures
        if failures:
            failures -= 1
            raise RuntimeError("out of memory")
        return read(image)

    eye = Camera("fake", lambda: Fake(film(3)), sometimes, told, recording="film")
    eye.start()
    told.wait(lambda: told.last() == "ended")
    assert any("cannot be read (out of memory)" in (status.message or "") for status in told.states)
    assert told.rolls
    assert "reading failed: RuntimeError: out of memory" in caplog.text
    eye.stop()


def test_a_fault_of_the_reader_is_said_until_a_picture_has_been_read() -> None:
    told = Told()
    at: list[int] = []

    def sometimes(image: Image) -> Reading:
        at.append(eye.frames)
        if len(at) == 1:
            raise RuntimeError("out of memory")
        return read(image)

    images = [*film(1), *[scene(THROWS[0])] * 600, *film(2)]
    eye = Camera("fake", lambda: Fake(images), sometimes, told, recording="film")
    eye.start()
    told.wait(lambda: told.last() == "ended")
    # From the frame that could not be read to the next one that was, every word of the camera says so.
    between = [status for status in told.states if at[0] <= status.frames < at[1]]
    assert between
    assert all("out of memory" in (status.message or "") for status in between)
    assert not any(
        "out of memory" in (status.message or "") for status in told.states if status.frames >= at[1]
    )
    eye.stop()


def test_a_fault_of_the_source_itself_does_not_end_the_thread(caplog: pytest.LogCaptureFixture) -> None:
    class Odd(Fake):
        def read(self, timeout: float | None = None) -> Frame | None:
            raise ZeroDivisionError("a bug in a driver")

    told = Told()
    eye = camera(told, Odd([]), Live(film(1)))
    eye.start()
    told.wait(lambda: len(told.rolls) == 1)
    assert "ZeroDivisionError" in caplog.text
    eye.stop()


def test_reading_again_reports_what_lies_there_once_more() -> None:
    told = Told()
    still = [scene(THROWS[0])] * 2000
    eye = camera(told, Live(film(1) + still))
    eye.start()
    told.wait(lambda: len(told.rolls) == 1)
    eye.read_again()
    told.wait(lambda: len(told.rolls) == 2)
    assert told.rolls[0].reading.roll == told.rolls[1].reading.roll
    eye.stop()


def test_a_held_film_waits_at_rest_until_the_throw_is_confirmed() -> None:
    told = Told()
    told.hold_at_rolls = True
    eye = film_camera(told, Fake(film(2)), hold=True)
    eye.start()
    for rolls in (1, 2):
        told.wait(lambda rolls=rolls: len(told.rolls) == rolls)  # type: ignore[misc]
        frames = eye.frames
        told.wait(lambda: told.held >= 4)  # it has looked four times whether it may go on
        assert eye.frames == frames
        assert len(told.rolls) == rolls
        assert told.last() in ("still", "read")
        told.hold = False
    told.wait(lambda: told.last() == "ended")
    eye.stop()


def test_a_roll_that_is_read_after_the_camera_was_stopped_is_told_to_nobody() -> None:
    told = Told()
    begun = threading.Event()
    asked = 0

    def slow(image: Image) -> Reading:
        nonlocal asked
        asked += 1
        if asked > 1:  # the first one is read ahead
            begun.set()
            while not source.closed:
                clock.sleep(0.001)
        return read(image)

    source = Fake([scene(THROWS[0])] * 60)
    eye = Camera("fake", lambda: source, slow, told, recording="film", pace=NoPace)
    eye.start()
    assert begun.wait(10)
    eye.stop()
    eye._thread.join(10)
    assert not eye._thread.is_alive()
    assert told.rolls == []


def test_stopping_at_any_moment() -> None:
    told = Told()
    source = Live(film(1), "hangs")
    eye = camera(told, source)
    eye.stop()
    eye = camera(told, source)
    eye.start()
    told.wait(lambda: bool(told.rolls))
    eye.stop()
    assert source.closed
    assert not eye._thread.is_alive()


# Recordings


@pytest.mark.parametrize(
    ("recording", "says"),
    [
        ("film", "The film has played to its end."),
        ("folder", "All pictures of the folder have been shown."),
        ("picture", "The picture has been shown."),
    ],
)
def test_a_recording_says_what_has_ended(recording: Recording, says: str) -> None:
    told = Told()
    eye = Camera("fake", lambda: Fake(film(1)), read, told, recording=recording)
    eye.start()
    told.wait(lambda: told.last() == "ended")
    assert (told.states[-1].message or "").startswith(says)
    eye.stop()


def test_a_folder_of_broken_pictures_is_no_camera_that_is_gone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = cv2.imencode(".jpg", scene(THROWS[0]))[1].tobytes()
    for name in ("1.jpg", "2.jpg"):
        (tmp_path / name).write_bytes(data[: len(data) // 2])
    opened = 0

    def open_again() -> FrameSource:
        nonlocal opened
        opened += 1
        return open_source(str(tmp_path), realtime=False)

    told = Told()
    eye = Camera(tmp_path.name, open_again, read, told, recording="folder", first_pause_s=0.0)
    eye.start()
    eye._thread.join(20)
    assert not eye._thread.is_alive()
    assert opened == 1
    assert [status.state for status in told.states] == ["starting", "ended"]
    message = told.states[-1].message or ""
    assert message.startswith(f"The pictures of the folder cannot be shown. {tmp_path / '1.jpg'}: ")
    assert "The other 1 cannot be read either." in message and "by hand" in message
    assert "processed" not in message and "(" not in message.replace(str(tmp_path), "")
    assert len(caplog.records) == 2  # one a file
    eye.stop()


# Profiles, and what is wrong with the dice


def test_pictures_of_another_size_than_the_profile_s_are_not_read_and_that_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    larger = [cv2.resize(image, (640, 480)) for image in film(1)]
    told = Told()
    profile = Profile(size=(320, 240), name="bar")
    source = Live([*film(1), *larger, *film(2)])
    eye = source.eye = Camera("fake", lambda: source, read, told, profile=profile)
    eye.start()
    told.wait(lambda: told.last() == "unfit")
    message = told.states[-1].message or ""
    assert "profile bar was made for pictures of 320x240 pixels, the camera gives 640x480" in message
    assert "calibrate again" in message and "by hand" in message
    rolls = len(told.rolls)
    told.wait(lambda: told.last() != "unfit")
    assert len(told.rolls) == rolls and eye.frame is not None
    assert caplog.text.count("made for pictures of") == 1
    told.wait(lambda: len(told.rolls) > rolls)
    eye.stop()


def test_without_a_profile_the_size_may_change_in_mid_stream() -> None:
    larger = [cv2.resize(image, (640, 480)) for image in film(1)]
    told = Told()
    eye = camera(told, Live([*film(1), *larger]))
    eye.start()
    told.wait(lambda: len(told.rolls) == 2)
    assert [(roll.reading.width, roll.reading.height) for roll in told.rolls] == [(320, 240), (640, 480)]
    assert (told.states[-1].width, told.states[-1].height) == (640, 480)
    eye.stop()


class Script:
    """A watcher that says what the test has written down, one line a frame."""

    lines: ClassVar[list[tuple[str, list[Event]]]] = []

    def __init__(self, *_: object, profile: Profile) -> None:
        self.state: str | None = None
        self.profile = profile
        self.at = 0

    def feed(self, _frame: Frame) -> list[Event]:
        self.state, events = self.lines[min(self.at, len(self.lines) - 1)]
        self.at += 1
        return events

    def stale(self, _time: float) -> list[Event]:
        return []


def test_what_is_wrong_with_the_dice_is_told_until_they_are_thrown_or_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    die = DieReading(5, 0.99, (0.0, 0.0, 9.0, 9.0))
    roll = Roll(1, 0.0, Reading((die,), True, (), 1.0, 320, 240), 1, b"")
    turned, gone = Flagged(0.0, "changed", "A die shows 6 now."), Flagged(0.0, "missing", "One die is gone.")
    monkeypatch.setattr("scorer.service.camera.RollWatcher", Script)
    Script.lines = [
        ("read", [RollSeen(0.0, roll)]),
        ("read", [turned]),
        ("hand", []),
        ("read", [gone]),
        ("read", [replace(turned, message="A die shows 2 now.")]),
        ("unsure", [RollSeen(0.0, roll), Flagged(0.0, "beside", "One die lies beside the tray.")]),
        ("empty", []),
        ("moved", [StateChange(0.0, "moved", "The camera has moved.")]),
        ("still", [StateChange(0.0, "still")]),
    ]
    told = Told()
    eye = film_camera(told, Fake([scene([])] * len(Script.lines)))
    eye.start()
    told.wait(lambda: told.last() == "ended")
    said = [(each.state, each.message, [flag.kind for flag in each.flags]) for each in told.states[1:-1]]
    assert said == [
        ("read", None, []),
        ("read", None, ["changed"]),
        ("hand", None, ["changed"]),
        ("read", None, ["changed", "missing"]),
        ("read", None, ["missing", "changed"]),
        ("unsure", None, ["beside"]),
        ("empty", None, []),
        ("moved", "The camera has moved.", []),
        ("still", None, []),
    ]
    assert told.states[5].flags[1].message == "A die shows 2 now."
    eye.stop()
