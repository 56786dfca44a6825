"""One roll a throw, whatever passes over the table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.profile import Pictured, Profile, TrayView
from tests.vision.drawn import Film, Thrown, reach
from vision.frames import Frame
from vision.roll import DieReading, Reading, Roll
from vision.watcher import RollSeen, RollWatcher, StateChange

SPOTS = [(110.0, 80.0), (190.0, 120.0), (250.0, 170.0)]


def throw(values: tuple[int, ...], start: float = 0.5, rest: float = 1.2, **more: float) -> list[Thrown]:
    """Dice that come to rest one after the other, the last at `rest`."""
    return [
        Thrown(start, rest - 0.06 * (len(values) - 1 - i), *SPOTS[i], value, 0.3 + i, **more)
        for i, value in enumerate(values)
    ]


def watch(film: Film, fps: float = 30.0, **more: float) -> tuple[list[Roll], list[str]]:
    """The rolls and the states that a film gives."""
    watcher = RollWatcher(film.read, **more)
    rolls, states = [], []
    for frame in film.frames(fps):
        for event in watcher.feed(frame):
            if isinstance(event, RollSeen):
                rolls.append(event.roll)
            elif isinstance(event, StateChange):
                states.append(event.state)
    return rolls, states


def values(rolls: list[Roll]) -> list[tuple[int, ...]]:
    return [roll.reading.roll for roll in rolls]


def test_a_throw_gives_one_roll_with_its_evidence() -> None:
    film = Film(3.0, throw((4, 2, 1)))
    rolls, states = watch(film)
    assert values(rolls) == [(4, 2, 1)]
    roll = rolls[0]
    assert roll.number == 1 and roll.frames >= 2 and roll.reading.sure
    assert 1.2 + 0.2 <= roll.time <= 1.2 + 0.5
    picture = cv2.imdecode(np.frombuffer(roll.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    x0, y0, x1, y1 = roll.crop
    assert picture.shape == (y1 - y0, x1 - x0, 3) and 0 <= x0 < x1 <= 320 and 0 <= y0 < y1 <= 240
    for die in roll.reading.dice:
        left, top, right, bottom = roll.in_picture(die.box, picture.shape[1], picture.shape[0])
        assert left == pytest.approx(die.box[0] - x0) and bottom == pytest.approx(die.box[3] - y0)
        assert 0 <= left < right <= picture.shape[1] and 0 <= top < bottom <= picture.shape[0]
    assert roll.kept == (False, False, False) and roll.thrown == (4, 2, 1)
    # The dice fly in from the edge, so for a moment they may be taken for a hand.
    seen = [state for state in states if state not in ("moving", "hand")]
    assert seen == ["settling", "still", "empty", "settling", "still", "read"]
    for die, (x, y) in zip(sorted(roll.reading.dice, key=lambda each: each.box), SPOTS, strict=True):
        assert die.center == pytest.approx((x, y), abs=1)


def test_only_frames_at_rest_are_read_and_few_of_them() -> None:
    film = Film(6.0, throw((4, 2, 1)))
    watch(film)
    assert not [t for t in film.reads if 0.5 <= t < 1.2]
    assert len(film.reads) <= 4


def test_an_empty_table_gives_no_roll_and_is_read_once() -> None:
    film = Film(10.0, noise=4.0)
    rolls, states = watch(film)
    assert rolls == [] and states == ["moving", "settling", "still", "empty"]
    assert len(film.reads) == 1


def test_dice_that_lie_there_from_the_start_are_a_roll() -> None:
    assert values(watch(Film(1.0, throw((6, 1, 1), -2.0, -1.0)))[0]) == [(6, 1, 1)]


def test_a_hand_that_passes_over_resting_dice_gives_no_second_roll() -> None:
    film = Film(
        5.0, throw((5, 3, 2)), hand=reach([(2.2, -20, 110), (2.6, 240, 140), (3.0, 240, 90), (3.4, -20, 90)])
    )
    rolls, states = watch(film)
    assert values(rolls) == [(5, 3, 2)]
    assert states[-4:] == ["hand", "settling", "still", "read"]


def test_a_hand_that_rests_on_the_dice_and_goes_gives_no_second_roll() -> None:
    film = Film(
        6.0,
        throw((5, 3, 2)),
        hand=reach([(2.2, -20, 110), (2.5, 215, 120), (4.0, 215, 120), (4.3, -20, 120)]),
    )
    rolls, _ = watch(film)
    assert values(rolls) == [(5, 3, 2)]


def test_a_hand_that_covers_all_dice_is_no_empty_table() -> None:
    dice = [Thrown(0.5, 1.2, 90.0, 110.0, 4), Thrown(0.5, 1.1, 120.0, 130.0, 1)]
    film = Film(6.0, dice, hand=reach([(2.2, -20, 120), (2.5, 140, 120), (4.0, 140, 120), (4.3, -20, 120)]))
    rolls, _ = watch(film)
    assert values(rolls) == [(4, 1)]


def test_a_hand_at_rest_beside_the_dice_does_not_prevent_reading() -> None:
    film = Film(4.0, throw((6, 4, 3)), hand=reach([(0.1, -20, 200), (0.5, 60, 200), (4.1, 60, 200)]))
    rolls, states = watch(film)
    assert values(rolls) == [(6, 4, 3)] and states[-1] == "read"


def test_a_hand_that_keeps_moving_beside_the_dice_does_not_prevent_reading() -> None:
    wave = [(0.1 + 0.2 * i, 10.0 + 25 * (i % 2), 205.0 + 12 * (i % 3)) for i in range(25)]
    film = Film(4.5, throw((6, 4, 3)), hand=reach(wave))
    rolls, _ = watch(film)
    assert values(rolls) == [(6, 4, 3)]
    assert rolls[0].time < 3.0


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
@pytest.mark.parametrize("frames", [8, 9, 12])
def test_a_rest_of_eight_frames_before_the_hand_comes_back_is_enough(frames: int, fps: float) -> None:
    """Eight of thirty a second."""
    end = 1.2 + frames / 30
    hand = reach([(end - 0.12, -19, 90), (end, 95, 90), (end + 0.3, 230, 130), (end + 0.8, -20, 110)])
    dice = [Thrown(0.5, 1.2, x, y, v, 0.4, end + 0.3) for (x, y), v in zip(SPOTS, (4, 2, 1), strict=True)]
    rolls, _ = watch(Film(4.0, dice, hand=hand), fps)
    assert values(rolls) == [(4, 2, 1)]


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_a_hands_shadow_over_resting_dice_gives_nothing(fps: float) -> None:
    film = Film(5.0, throw((6, 6, 1)), shadow=lambda t: -60 + 300 * (t - 1.9) if 3.4 > t > 1.9 else None)
    rolls, _ = watch(film, fps)
    assert values(rolls) == [(6, 6, 1)]


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_a_shadow_that_passes_during_the_rest_does_not_prevent_reading(fps: float) -> None:
    dice = [Thrown(0.5, 1.2, x, y, v, 0.4, 1.65) for (x, y), v in zip(SPOTS, (6, 6, 1), strict=True)]
    rolls, _ = watch(Film(3.0, dice, shadow=lambda t: 60 + 200 * (t - 1.2) if 1.0 < t < 2.2 else None), fps)
    assert values(rolls) == [(6, 6, 1)]


@pytest.mark.parametrize("strength", [0.6, 0.8, 1.25, 1.5])
@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_an_exposure_pulse_gives_nothing(strength: float, fps: float) -> None:
    film = Film(5.0, throw((3, 3, 2)), lamp=lambda t: strength if 2.0 < t < 2.1 or t > 3.0 else 1.0)
    rolls, _ = watch(film, fps)
    assert values(rolls) == [(3, 3, 2)]


@pytest.mark.parametrize("strength", [0.75, 1.3])
@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_an_exposure_pulse_during_a_short_rest_does_not_prevent_reading(strength: float, fps: float) -> None:
    dice = [Thrown(0.5, 1.2, x, y, v, 0.4, 1.53) for (x, y), v in zip(SPOTS, (5, 4, 1), strict=True)]
    rolls, _ = watch(Film(3.0, dice, lamp=lambda t: strength if 1.3 < t < 1.37 else 1.0), fps)
    assert values(rolls) == [(5, 4, 1)]


def test_dice_picked_up_one_by_one_give_no_roll() -> None:
    dice = throw((5, 2, 1))
    taken = [Thrown(d.start, d.rest, d.x, d.y, d.value, d.angle, 2.5 + 0.8 * i) for i, d in enumerate(dice)]
    rolls, states = watch(Film(6.0, taken))
    assert values(rolls) == [(5, 2, 1)] and states[-1] == "empty"


def test_a_second_throw_of_one_die_gives_all_three() -> None:
    dice = throw((4, 2, 5))
    again = Thrown(3.5, 4.1, 150.0, 200.0, 1, 0.9)
    dice[2] = Thrown(0.5, 1.2, *SPOTS[2], 5, 0.3, 2.5)
    rolls, _ = watch(Film(6.0, [*dice, again]))
    assert values(rolls) == [(5, 4, 2), (4, 2, 1)]
    assert [roll.number for roll in rolls] == [1, 2]


def test_the_same_values_in_other_places_are_a_second_throw() -> None:
    first = throw((6, 1, 1), end=2.2)
    second = [Thrown(2.9, 3.5, d.x - 40, d.y + 30, d.value, d.angle) for d in first]
    assert values(watch(Film(5.0, first + second))[0]) == [(6, 1, 1), (6, 1, 1)]


def test_the_same_values_in_the_same_places_are_a_second_throw_once_the_table_was_bare() -> None:
    first = throw((6, 1, 1), end=2.2)
    second = [Thrown(3.0, 3.6, d.x, d.y, d.value, d.angle) for d in first]
    assert values(watch(Film(5.0, first + second))[0]) == [(6, 1, 1), (6, 1, 1)]


def test_a_die_that_is_nudged_gives_no_roll() -> None:
    before = throw((4, 2, 1))
    before[1] = Thrown(0.5, 1.2, *SPOTS[1], 2, 0.3, 2.5)
    after = Thrown(2.4, 2.5, SPOTS[1][0] + 9, SPOTS[1][1] - 4, 2, 0.7)
    rolls, _ = watch(Film(4.5, [*before, after]))
    assert values(rolls) == [(4, 2, 1)]


def test_a_reader_that_changes_its_mind_about_an_untouched_die_gives_no_roll() -> None:
    film = Film(
        5.0,
        throw((5, 3, 2)),
        hand=reach([(2.2, -20, 200), (2.5, 60, 200), (2.9, -20, 200)]),
        wrong=lambda t, value: 6 if t > 2 and value == 5 else None,
    )
    assert values(watch(film)[0]) == [(5, 3, 2)]


def test_one_wrong_reading_is_outvoted_and_makes_the_roll_unsure() -> None:
    film = Film(3.0, throw((5, 3, 2)))
    film.wrong = lambda t, value: 6 if len(film.reads) == 2 and value == 5 else None
    rolls, _ = watch(film)
    assert values(rolls) == [(5, 3, 2)]
    assert len(film.reads) == 4 and rolls[0].frames == 3
    assert not rolls[0].reading.sure
    assert "the pictures do not agree on a die (taken as 5)" in rolls[0].reading.reasons


def test_an_unsure_reading_stays_unsure_with_its_reasons() -> None:
    film = Film(3.0, throw((5, 3, 2)), sure=False)
    rolls, _ = watch(film)
    assert not rolls[0].reading.sure and rolls[0].reading.reasons == ("a die rolls",)


def test_repeated_frames_while_dice_roll_are_no_rest() -> None:
    film = Film(3.0, throw((4, 2, 1), 0.5, 1.3))
    times = []
    for step in range(90):
        t = step / 30
        rolling = 0.5 <= t < 1.3
        times.append(t if not rolling or step % 3 == 0 else times[-1])
    watcher = RollWatcher(film.read)
    rolls = [
        event.roll
        for frame in film.frames(30, times)
        for event in watcher.feed(frame)
        if isinstance(event, RollSeen)
    ]
    assert values(rolls) == [(4, 2, 1)]
    assert len(film.reads) <= 9


def test_a_die_that_rolls_on_slowly_is_waited_for() -> None:
    dice = throw((4, 2, 1), 0.5, 1.0)
    dice[2] = Thrown(0.5, 2.4, *SPOTS[2], 6, 0.3)
    film = Film(4.0, dice)
    rolls, _ = watch(film)
    assert values(rolls) == [(6, 4, 2)] and rolls[0].time >= 2.4


def test_another_picture_size_in_mid_stream_starts_anew() -> None:
    small, large = Film(1.0, throw((4, 2, 1), -2, -1)), Film(1.0, throw((4, 2, 1), -2, -1), size=(640, 480))
    now = large

    def read(image: np.ndarray) -> Reading:
        return now.read(image)

    watcher = RollWatcher(read)
    count = 0
    for part, now in enumerate((small, large)):
        for frame in now.frames():
            events = watcher.feed(Frame(frame.image, frame.time + part, frame.index))
            rolls = [event.roll for event in events if isinstance(event, RollSeen)]
            assert all(roll.reading.width == now.size[0] for roll in rolls)
            count += len(rolls)
    assert count == 2


def test_a_reader_that_fails_is_heard_and_the_next_throw_still_seen() -> None:
    film = Film(6.0, [*throw((4, 2, 1), end=2.5), *throw((6, 5, 4), 3.5, 4.2)])
    broken = True

    def read(image: np.ndarray) -> Reading:
        if broken:
            raise RuntimeError("the network is gone")
        return film.read(image)

    watcher = RollWatcher(read)
    heard = 0
    rolls = []
    for frame in film.frames():
        broken = frame.time < 3.0
        try:
            rolls += [e.roll.reading.roll for e in watcher.feed(frame) if isinstance(e, RollSeen)]
        except RuntimeError:
            heard += 1
    assert 1 <= heard <= 6 and rolls == [(6, 5, 4)]


def fails(film: Film, broken: Callable[[int], bool]) -> tuple[list[Roll], list[float], list[str | None]]:
    """The rolls of a film whose reader fails at those calls (from 0); when it failed, and the fault after each
    frame."""
    calls = -1

    def read(image: np.ndarray) -> Reading:
        nonlocal calls
        calls += 1
        if broken(calls):
            raise RuntimeError(f"call {calls}")
        return film.read(image)

    watcher = RollWatcher(read)
    rolls, failed, faults = [], [], []
    for frame in film.frames():
        try:
            rolls += [event.roll for event in watcher.feed(frame) if isinstance(event, RollSeen)]
        except RuntimeError:
            failed.append(frame.time)
        faults.append(None if watcher.fault is None else str(watcher.fault))
    return rolls, failed, faults


def test_a_reading_that_failed_is_tried_again_in_the_same_rest() -> None:
    rolls, failed, faults = fails(Film(4.0, throw((4, 2, 1))), lambda call: call in (1, 2))
    assert values(rolls) == [(4, 2, 1)] and rolls[0].reading.sure
    assert len(failed) == 2 and failed[1] - failed[0] == pytest.approx(0.25, abs=0.04)
    # The fault is known until a reading succeeds, not for one frame.
    wrong = [index / 30 for index, fault in enumerate(faults) if fault is not None]
    assert wrong[0] == failed[0] and wrong[-1] == pytest.approx(failed[1] + 0.5, abs=0.04)
    assert len(wrong) == round((wrong[-1] - wrong[0]) * 30) + 1 and faults[-1] is None


def test_a_reader_that_fails_for_long_is_asked_less_and_less_often() -> None:
    rolls, failed, faults = fails(Film(12.0, throw((4, 2, 1), -2, -1)), lambda call: True)
    pauses = [later - sooner for sooner, later in pairwise(failed)]
    assert rolls == [] and pauses == pytest.approx([0.25, 0.5, 1.0] + [2.0] * (len(pauses) - 3), abs=0.04)
    assert 6 <= len(failed) <= 9 and faults[-1] is not None


@pytest.mark.parametrize("call", [2, 3])
def test_a_roll_is_not_lost_when_one_of_its_further_readings_fails(call: int) -> None:
    rolls, failed, faults = fails(Film(3.0, throw((4, 2, 1))), lambda each: each == call)
    assert values(rolls) == [(4, 2, 1)] and failed == []
    assert rolls[0].frames == call - 1 and f"call {call}" in faults
    assert rolls[0].reading.sure == (call == 3)
    assert ("seen in one picture only" in rolls[0].reading.reasons) == (call == 2)


@pytest.mark.parametrize("fps", [5.0, 7.0])
@pytest.mark.parametrize("phase", [0.0, 0.3, 0.6, 0.9])
def test_one_frame_of_rest_makes_no_sure_roll(fps: float, phase: float) -> None:
    """So few frames a second that the hand is back at the dice after one of them."""
    rest, end = 1.2, 1.2 + 1.6 / fps
    hand = reach([(end - 0.15, -19, 90), (end, 120, 90), (end + 0.3, 230, 130), (end + 0.8, -20, 110)])
    dice = [Thrown(0.3, rest, x, y, v, 0.4, end + 0.1) for (x, y), v in zip(SPOTS, (4, 2, 1), strict=True)]
    film = Film(4.0, dice, hand=hand)
    watcher = RollWatcher(film.read)
    times = [(i + phase) / fps for i in range(int(3.8 * fps))]
    rolls = [e.roll for f in film.frames(fps, times) for e in watcher.feed(f) if isinstance(e, RollSeen)]
    assert all(roll.frames >= 2 for roll in rolls if roll.reading.sure)
    assert all(roll.reading.roll == (4, 2, 1) for roll in rolls)


@pytest.mark.parametrize("fps", [5.0, 7.0])
def test_few_frames_a_second_are_enough_for_dice_that_are_left_alone(fps: float) -> None:
    rolls, _ = watch(Film(5.0, throw((4, 2, 1))), fps)
    assert values(rolls) == [(4, 2, 1)] and rolls[0].reading.sure and rolls[0].frames >= 2


def test_a_die_seen_in_one_picture_only_does_not_make_the_old_dice_a_new_roll() -> None:
    film = Film(5.0, throw((5, 3, 2)), hand=reach([(2.2, -20, 200), (2.5, 60, 200), (2.9, -20, 200)]))
    ghosts = 0

    def read(image: np.ndarray) -> Reading:
        nonlocal ghosts
        seen = film.read(image)
        if film.reads[-1] > 3.0 and not ghosts:
            ghosts += 1
            ghost = DieReading(6, 0.9, (20.0, 180.0, 50.0, 210.0))
            return Reading((*seen.dice, ghost), True, (), 1.0, seen.width, seen.height)
        return seen

    watcher = RollWatcher(read)
    rolls = [e.roll for frame in film.frames() for e in watcher.feed(frame) if isinstance(e, RollSeen)]
    assert values(rolls) == [(5, 3, 2)] and ghosts == 1 and watcher.state == "read"


def test_the_reader_sees_the_tray_and_the_roll_is_told_in_pixels_of_the_frame() -> None:
    class Corner(Profile):
        """The tray is the lower right part of the picture, read at twice its size."""

        def view(self, frame: Pictured) -> TrayView:
            large = cv2.resize(frame.image[20:, 40:], None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
            shapes.append(large.shape)
            back = np.array([[0.5, 0, 40], [0, 0.5, 20], [0, 0, 1]])
            return TrayView(np.asarray(large, np.uint8), back)

    film = Film(4.0, throw((4, 2, 1)), hand=reach([(2.2, -20, 110), (2.6, 240, 140), (3.4, -20, 90)]))
    shapes: list[tuple[int, ...]] = []
    newest = 0.0

    def read(image: np.ndarray) -> Reading:
        assert image.shape == (440, 560, 3)
        dice = tuple(
            DieReading(
                die.value,
                0.98,
                (2 * (die.x - 55), 2 * (die.y - 35), 2 * (die.x - 25), 2 * (die.y - 5)),
            )
            for die in film.lying(newest)
        )
        return Reading(dice, True, (), 1.0, 560, 440)

    watcher = RollWatcher(read, profile=Corner())
    rolls = []
    for frame in film.frames():
        newest = frame.time
        rolls += [event.roll for event in watcher.feed(frame) if isinstance(event, RollSeen)]
    assert values(rolls) == [(4, 2, 1)] and shapes
    reading = rolls[0].reading
    assert (reading.width, reading.height) == (320, 240)
    for die, (x, y) in zip(sorted(reading.dice, key=lambda each: each.box), SPOTS, strict=True):
        assert die.center == pytest.approx((x, y)) and die.box[2] - die.box[0] == pytest.approx(30)
    picture = cv2.imdecode(np.frombuffer(rolls[0].picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None and rolls[0].crop[2] <= 320


def test_settings_out_of_range_are_refused() -> None:
    for wrong in ({"rest_s": 0.0}, {"reads": 0}, {"hand_s": -1.0}):
        with pytest.raises(ValueError, match="positive"):
            RollWatcher(Film(1.0).read, **wrong)


@settings(max_examples=25, deadline=None)
@given(
    fps=st.sampled_from([15.0, 24.0, 30.0, 60.0]),
    dice=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    seed=st.integers(0, 1000),
    rolling=st.floats(0.4, 1.0),
    hitches=st.lists(st.sampled_from([-2, -1, 1, 2]), max_size=8),  # frames dropped (-) or repeated (+)
)
def test_every_timing_gives_exactly_the_throws(
    fps: float, dice: list[int], seed: int, rolling: float, hitches: list[int]
) -> None:
    start = 0.5 + seed / 5000
    end = start + rolling + 1.2
    first = throw(tuple(dice), start, start + rolling, end=end)
    second = [Thrown(end + 0.5, end + 1.1, d.x - 30, d.y + 35, 7 - d.value, d.angle) for d in first]
    film = Film(end + 2.5, first + second, seed=seed)
    steps = list(range(int(film.length * fps)))
    random = np.random.default_rng(seed)
    times: list[tuple[float, float]] = [(i / fps, i / fps) for i in steps]
    for hitch in hitches:
        at = int(random.integers(1, len(times) - 4))
        if hitch < 0:
            del times[at : at - hitch]
        else:
            for k in range(at, at + hitch):
                times[k] = (times[k][0], times[at - 1][1])
    watcher = RollWatcher(film.read)
    rolls: list[Roll] = []
    states: list[str] = []
    shown: tuple[float, np.ndarray] | None = None
    for index, (now, content) in enumerate(times):
        image = shown[1] if shown is not None and shown[0] == content else film.draw(content)
        shown = (content, image)
        for event in watcher.feed(Frame(image, now, index)):
            if isinstance(event, RollSeen):
                rolls.append(event.roll)
            elif isinstance(event, StateChange):
                states.append(event.state)
    expected = [tuple(sorted(dice, reverse=True)), tuple(sorted((7 - v for v in dice), reverse=True))]
    assert values(rolls) == expected
    assert all(one != other for one, other in pairwise(states))


@pytest.mark.parametrize("rest", [7, 8, 10])
@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_rest_cut_short_by_the_hand_that_takes_the_dice_counts(rest: int, fps: float) -> None:
    """The hand is in the picture while the dice come to rest, and takes them before the whole picture is still."""
    end = 1.2 + rest / 30
    hand = reach([(end - 0.1, -19, 90), (end + 0.02, 100, 90), (end + 0.3, 230, 130), (end + 0.8, -20, 110)])
    dice = [Thrown(0.5, 1.2, x, y, v, 0.4, end + 0.25) for (x, y), v in zip(SPOTS, (4, 2, 1), strict=True)]
    rolls, _ = watch(Film(4.0, dice, hand=hand), fps)
    assert values(rolls) == [(4, 2, 1)]
    assert all(die.value in (4, 2, 1) for die in rolls[0].reading.dice)


def test_a_die_that_stops_for_a_moment_and_rolls_on_is_waited_for() -> None:
    """Balanced on an edge, or a film that repeats a frame for long: no hand is there, so nothing is reported."""
    film = Film(4.0, [Thrown(0.5, 1.6, *SPOTS[2], 6, 0.3)])
    times = [t if not 0.9 < (t := step / 30) < 1.07 else 0.9 for step in range(120)]
    watcher = RollWatcher(film.read)
    rolls = [
        event.roll
        for frame in film.frames(30, times)
        for event in watcher.feed(frame)
        if isinstance(event, RollSeen)
    ]
    assert values(rolls) == [(6,)]


def test_dice_in_a_moving_hand_are_not_a_roll() -> None:
    """A hand holds dice over the table for a second, shaking them, before it throws."""
    shake = [(0.2 + 0.1 * i, 110.0 + 8 * (i % 2), 120.0 + 6 * (i % 3)) for i in range(12)]
    hand = reach([(0.1, -20, 120), *shake, (1.6, -20, 120)])
    film = Film(4.0, throw((4, 2, 1), 1.3, 2.0), hand=hand)
    in_hand = Film(4.0, [Thrown(0.2, 0.25, 112, 122, 6, 0.3, 1.3)])

    def read(image: np.ndarray) -> Reading:
        seen = film.read(image)
        t = film.reads[-1]
        return in_hand_reading(in_hand, t) if 0.3 < t < 1.3 else seen

    def in_hand_reading(source: Film, t: float) -> Reading:
        source.reads.clear()
        return source.read(source.draw(t))

    watcher = RollWatcher(read)
    rolls = [e.roll for frame in film.frames() for e in watcher.feed(frame) if isinstance(e, RollSeen)]
    assert values(rolls) == [(4, 2, 1)]


@pytest.mark.parametrize("fps", [15.0, 30.0])
def test_a_stream_that_hangs_for_a_moment_while_dice_roll_makes_no_roll(fps: float) -> None:
    """The same picture for a third of a second, dice in flight from the edge; then they roll on."""
    film = Film(4.0, throw((4, 2, 1), 0.5, 1.6))
    for stop in (0.7, 0.9, 1.1, 1.3):
        film.reads.clear()
        times = [stop if stop < (t := i / fps) < stop + 0.33 else t for i in range(int(4 * fps))]
        watcher = RollWatcher(film.read)
        rolls = [e.roll for f in film.frames(fps, times) for e in watcher.feed(f) if isinstance(e, RollSeen)]
        assert values(rolls) == [(4, 2, 1)] and rolls[0].reading.sure


@pytest.mark.parametrize("fps", [10.0, 30.0])
def test_a_photograph_is_read_though_all_its_frames_are_the_same(fps: float) -> None:
    film = Film(2.0, throw((4, 2, 1), -2.0, -1.0))
    watcher = RollWatcher(film.read)
    frames = film.frames(fps, [0.0] * int(1.5 * fps))
    rolls = [e.roll for frame in frames for e in watcher.feed(frame) if isinstance(e, RollSeen)]
    assert values(rolls) == [(4, 2, 1)] and rolls[0].reading.sure and rolls[0].time <= 0.5
