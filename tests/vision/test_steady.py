"""A live source that lasts: lost, stale and frozen are told and mended, and nothing is left behind."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import vision.steady
from tests.vision.fakecamera import FakeCamera, pictures
from vision.errors import SourceError
from vision.frames import Frame, FrameSource, Image, open_source
from vision.push import PushSource
from vision.steady import SteadySource, Stillness, same

LIVE = list(np.random.default_rng(5).integers(0, 255, (64, 24, 32, 3), dtype=np.uint8))
"""Pictures of a sensor: no two alike."""


class Fake(FrameSource):
    """Gives what it is fed, with the time and index that it is told; then waits, or breaks down."""

    def __init__(self, fault: str | None = None, reopens: bool = True, coded: bool = False) -> None:
        self.name = "fake"
        self.reopens = reopens
        self.coded = coded
        self.fault = fault
        self.closed = 0
        self.given = 0
        self._frames: list[Frame] = []
        self._change = threading.Condition()
        self._begun = time.monotonic()

    def feed(self, image: Image, skip: int = 0, late: float = 0.0) -> None:
        with self._change:
            self.given += 1 + skip
            self._frames.append(Frame(image, time.monotonic() - self._begun - late, self.given - 1))
            self._change.notify_all()

    def break_down(self, why: str) -> None:
        with self._change:
            self.fault = why
            self._change.notify_all()

    def read(self, timeout: float | None = None) -> Frame | None:
        with self._change:
            self._change.wait_for(
                lambda: bool(self._frames) or self.fault is not None or self.closed > 0, timeout
            )
            if self._frames:
                return self._frames.pop(0)
            if self.fault is not None:
                raise SourceError(self.fault)
            return None

    def close(self) -> None:
        with self._change:
            self.closed += 1
            self._change.notify_all()

    @property
    def ended(self) -> bool:
        return self.closed > 0

    @property
    def notes(self) -> tuple[str, ...]:
        return ("focus",)

    @property
    def varies(self) -> bool:
        return not self.coded


def until(condition: Callable[[], object], timeout: float = 10.0) -> None:
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def taken(source: SteadySource) -> Frame:
    """The next frame; what is told of the state in between is passed over."""
    end = time.monotonic() + 10
    while (frame := source.read(1)) is None:
        assert time.monotonic() < end and not source.ended, f"no frame: {source.message}"
    return frame


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same course of things, ten times as fast."""
    for name in ("STALE_S", "LOST_S", "FROZEN_S", "THAW_S", "LATE_S", "LOOK_S"):
        monkeypatch.setattr(vision.steady, name, getattr(vision.steady, name) / 10)


def steady(*sources: Fake | str) -> tuple[SteadySource, list[Fake | str]]:
    waiting = list(sources)

    def open_again() -> FrameSource:
        source = waiting.pop(0) if waiting else "fake: nothing is left."
        if isinstance(source, str):
            raise SourceError(source)
        return source

    return SteadySource("fake", open_again, first_pause_s=0.02), waiting


def feeding(source: Fake, same_again: bool = False, pause: float = 0.01) -> Callable[[], None]:
    """Feed a source in a thread of its own; calling what is returned ends that."""
    stop = threading.Event()

    def run() -> None:
        count = 0
        while not stop.wait(pause):
            source.feed(LIVE[0] if same_again else LIVE[count % len(LIVE)])
            count += 1

    thread = threading.Thread(target=run)
    thread.start()

    def end() -> None:
        stop.set()
        thread.join()

    return end


def test_frames_pass_through_the_newest_wins_and_those_missed_are_counted() -> None:
    fake = Fake()
    source, _ = steady(fake)
    assert source.state == "starting" and source.read(0.01) is None
    fake.feed(LIVE[0])
    first = taken(source)
    assert first.image is LIVE[0] and first.index == 0
    assert source.state == "live" and source.message is None and source.notes == ("focus",)
    fake.feed(LIVE[1])
    fake.feed(LIVE[2], skip=3)
    fake.feed(LIVE[3])
    until(lambda: source.dropped == 5)  # two that nobody read, three that the source itself had dropped
    newest = taken(source)
    assert newest.image is LIVE[3] and newest.index == 6 and newest.time > first.time
    source.close()
    assert fake.closed and source.ended and source.read(5) is None


def test_what_breaks_down_is_opened_again_and_time_runs_on() -> None:
    broken, whole = Fake(), Fake()
    source, _ = steady(broken, "fake: not back yet.", whole)
    broken.feed(LIVE[0])
    before = taken(source)
    broken.break_down("fake: the plug was pulled.")
    until(lambda: source.state == "gone")
    whole.feed(LIVE[1])
    after = taken(source)
    assert after.index == before.index + 1 and after.time > before.time
    until(lambda: source.state == "live")
    assert broken.closed == 1 and source.reconnects == 2
    source.close()


def test_what_is_wrong_is_said_in_the_words_of_the_source() -> None:
    source, waiting = steady("fake: no answer; plug it in.")
    until(lambda: source.state == "gone" and not waiting)
    until(lambda: source.message == "fake: nothing is left.")
    source.close()
    assert source.state == "ended"


def test_pauses_grow_and_are_short_again_after_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    fake = Fake()
    done = threading.Event()

    class Clocked(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            if timeout is None:  # a thread that starts
                return super().wait()
            waits.append(timeout)
            if len(waits) == 12:
                fake.feed(LIVE[0])
                fake.break_down("gone again")
            if len(waits) > 13:
                done.set()
                return super().wait(10)
            return super().wait(0)

    def open_again() -> FrameSource:
        if len(waits) == 12:
            return fake
        raise SourceError("fake: not there.")

    monkeypatch.setattr(vision.steady.threading, "Event", Clocked)
    source = SteadySource("fake", open_again)
    assert done.wait(10)
    source.close()
    assert waits[:12] == [1.0, 2.0, 4.0, 8.0] + [15.0] * 8
    assert waits[12:14] == [1.0, 2.0]


@pytest.mark.usefixtures("quick")
def test_a_source_that_falls_silent_is_stale_and_then_opened_anew() -> None:
    silent, again = Fake(), Fake()
    source, _ = steady(silent, again)
    silent.feed(LIVE[0])
    assert taken(source)
    begun = time.monotonic()
    until(lambda: source.state == "stale")
    assert time.monotonic() - begun < 0.3 + 0.5  # a tenth of three seconds, and what a busy machine takes
    assert "fake sends no new picture; see that it is switched on" in (source.message or "")
    until(lambda: source.state == "gone")
    assert "no picture for 1 seconds" in (source.message or "")
    again.feed(LIVE[1])
    until(lambda: source.state == "live")
    assert silent.closed == 1
    source.close()


@pytest.mark.usefixtures("quick")
def test_the_same_picture_again_and_again_is_frozen_until_another_comes() -> None:
    fake, other = Fake(), Fake()
    source, waiting = steady(fake, other)
    stop = feeding(fake, same_again=True)
    until(lambda: source.state == "frozen")
    assert "sends the same picture again and again" in (source.message or "")
    assert taken(source)  # a picture all the same: what lies there may be read
    stop()
    fake.feed(LIVE[3])
    until(lambda: source.state == "live")
    assert fake.closed == 0 and len(waiting) == 1
    source.close()


@pytest.mark.usefixtures("quick")
def test_a_source_that_stays_frozen_is_opened_anew_and_frozen_until_it_shows_something_else() -> None:
    first, second = Fake(), Fake()
    source, _ = steady(first, second)
    stop = feeding(first, same_again=True)
    until(lambda: first.closed == 1)
    stop()
    assert source.state == "frozen"
    stop = feeding(second, same_again=True)
    until(lambda: second.given >= 5 and source.dropped >= 5)
    assert source.state == "frozen"
    stop()
    second.feed(LIVE[9])
    until(lambda: source.state == "live")
    source.close()


@pytest.mark.usefixtures("quick")
def test_a_table_at_rest_that_is_coded_as_nothing_new_is_not_taken_for_frozen_so_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision.steady, "FROZEN_CODED_S", 1.2)
    fake = Fake(coded=True)
    source, _ = steady(fake)
    begun = time.monotonic()
    stop = feeding(fake, same_again=True)
    until(lambda: source.state == "live")
    until(lambda: source.state != "live")
    assert source.state == "frozen" and time.monotonic() - begun >= 1.2
    stop()
    source.close()


@pytest.mark.usefixtures("quick")
def test_pictures_that_come_long_after_their_time_are_no_live_ones() -> None:
    fake = Fake()
    source, _ = steady(fake)
    fake.feed(LIVE[0])
    until(lambda: source.state == "live")
    for index in range(1, 5):
        fake.feed(LIVE[index], late=0.4)
    until(lambda: source.state == "stale")
    assert "shows what was" in (source.message or "")
    fake.feed(LIVE[7])
    until(lambda: source.state == "live")
    source.close()


@pytest.mark.usefixtures("quick")
def test_what_somebody_sends_is_waited_for_and_not_opened_anew() -> None:
    push = PushSource("phone", hint="Open the page on the phone.")
    opened = []
    source = SteadySource("phone", lambda: opened.append(1) or push)  # type: ignore[func-returns-value]
    until(lambda: source.message == "Open the page on the phone.")
    assert source.state == "starting"
    push.push(LIVE[0])
    assert taken(source) and source.state == "live"
    until(lambda: source.state == "stale")
    assert source.message == "phone sends no new picture; Open the page on the phone."
    time.sleep(vision.steady.LOST_S * 1.5)
    assert source.state == "stale" and len(opened) == 1 and not push.ended
    push.push(LIVE[1])
    until(lambda: source.state == "live")
    source.close()
    assert push.ended and source.ended


def test_a_fault_of_the_program_in_a_source_is_survived(caplog: pytest.LogCaptureFixture) -> None:
    class Odd(Fake):
        def read(self, timeout: float | None = None) -> Frame | None:
            raise ZeroDivisionError("a bug in a driver")

    odd, whole = Odd(), Fake()
    source, _ = steady(odd, whole)
    whole.feed(LIVE[0])
    assert taken(source)
    assert "ZeroDivisionError" in caplog.text and odd.closed == 1
    source.close()


def test_whoever_waits_for_a_frame_hears_at_once_that_the_source_is_lost() -> None:
    fake = Fake()
    source, _ = steady(fake)
    fake.feed(LIVE[0])
    taken(source)
    until(lambda: source.state == "live")
    source.read(0)
    threading.Timer(0.05, fake.break_down, ("fake: gone.",)).start()
    begun = time.monotonic()
    assert source.read(9) is None and source.state == "gone"
    assert time.monotonic() - begun < 5
    source.close()


def test_closing_wakes_whoever_reads_also_while_the_source_is_being_opened() -> None:
    release = threading.Event()
    opened = Fake()

    def slow() -> FrameSource:
        release.wait(10)
        return opened

    source = SteadySource("slow", slow)
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.append(source.read()))
    reader.start()
    closer = threading.Thread(target=source.close)
    closer.start()
    reader.join(5)
    assert got == [None]
    release.set()
    closer.join(5)
    until(lambda: opened.closed == 1)  # what came after all is let go of


def test_pictures_are_the_same_only_if_they_are_so_byte_by_byte() -> None:
    one = LIVE[0]
    other = one.copy()
    assert same(one, other)
    other[0, 0, 0] ^= 1
    assert not same(one, other) and not same(one, one[:10])


def test_a_slow_source_is_not_taken_for_a_frozen_one() -> None:
    look = Stillness()
    for now in (0.0, 2.0, 4.0):
        look.look(LIVE[0], now)
        assert not look.frozen(2.5)  # too few pictures to tell
    look.look(LIVE[0], 6.0)
    assert look.frozen(2.5) and not look.frozen(6.5)
    look.look(LIVE[1], 6.1)
    assert not look.frozen(0.0)


def test_a_frozen_source_is_opened_anew_less_and_less_often() -> None:
    look = Stillness()
    thawed = []
    for tenth in range(4000):
        look.look(LIVE[0], tenth / 10)
        if look.frozen(2.5) and look.thaw(tenth / 10):
            thawed.append(round(tenth / 10))
    assert thawed == [10, 30, 70, 150, 310]
    look.look(LIVE[1], 400.0)
    assert not look.thaw(409.0) and look.thaw(411.0)


# With a sender in a process of its own


@pytest.fixture
def camera() -> Iterator[FakeCamera]:
    with FakeCamera(fps=60) as camera:
        yield camera


def watched(url: str) -> SteadySource:
    return SteadySource("cam", lambda: open_source(url, wait=False), first_pause_s=0.02)


def test_a_frozen_stream_and_a_silent_one_are_noticed_within_three_seconds(camera: FakeCamera) -> None:
    with watched(camera.url) as source:
        until(lambda: source.state == "live")
        for how, state in (("frozen", "frozen"), ("stall", "stale")):
            camera.behave(how)
            begun = time.monotonic()
            until(lambda state=state: source.state == state)  # type: ignore[misc]
            assert time.monotonic() - begun < 3.0 + 1.0  # of a second the machine may be busy
            camera.behave("live")
            until(lambda: source.state == "live")


@pytest.mark.parametrize(
    ("how", "state", "words"),
    [
        ("404", "gone", "nothing at this address (404)"),
        ("html", "gone", "gives a page to look at"),
        ("hangup", "gone", "cam"),
        ("huge", "gone", "announces a picture of"),
    ],
)
def test_whatever_the_sender_does_it_is_said_and_mended(
    camera: FakeCamera, how: str, state: str, words: str
) -> None:
    with watched(camera.url) as source:
        until(lambda: source.state == "live")
        camera.behave(how)
        until(lambda: source.state == state and words in (source.message or ""))
        camera.behave("live")
        until(lambda: source.state == "live")
        assert taken(source)


def test_a_sender_that_was_switched_off_is_found_again(camera: FakeCamera) -> None:
    with watched(camera.url) as source:
        until(lambda: source.state == "live")
        camera.kill()
        until(lambda: source.state == "gone" and "nobody answers" in (source.message or ""))
        camera.start()
        until(lambda: source.state == "live")


def test_the_size_may_change_from_one_connection_to_the_next(camera: FakeCamera) -> None:
    with watched(camera.url) as source:
        assert taken(source)
        camera.show(pictures((96, 80)))
        camera.cut()
        until(lambda: taken(source).image.shape == (80, 96, 3))


def test_fifty_reconnects_leave_no_thread_and_no_open_file_behind(camera: FakeCamera) -> None:
    folder = Path("/proc/self/fd") if Path("/proc/self/fd").is_dir() else Path("/dev/fd")
    before = threading.active_count(), len(os.listdir(folder))  # noqa: PTH208 - the listing itself is not to be kept
    with watched(camera.url) as source:
        for count in range(50):
            until(lambda: taken(source) and source.state == "live")
            camera.cut()
            until(lambda count=count: source.reconnects > count)  # type: ignore[misc]
            assert threading.active_count() <= before[0] + 2
    assert source.reconnects >= 50
    until(lambda: threading.active_count() == before[0])
    assert len(os.listdir(folder)) <= before[1]  # noqa: PTH208
