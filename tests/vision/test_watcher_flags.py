"""Dice that are missing or lie beside the tray, kept dice, the camera that moves, frames that do not come."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.profile import Profile
from tests.vision.drawn import HEIGHT, WIDTH, Film, Thrown, reach
from tests.vision.watched import watched

SPOTS = [(110.0, 80.0), (190.0, 120.0), (250.0, 170.0)]
TRAY = np.array([(4.0, 3.0), (290.0, 3.0), (290.0, 230.0), (4.0, 230.0)])
AWAY = reach([(2.2, -20, 200), (2.6, 265, 175), (3.1, -20, 200)])


def throw(values: tuple[int, ...], rest: float = 1.2, end: float = 1e9) -> list[Thrown]:
    return [Thrown(0.5, rest, *SPOTS[i], value, 0.3 + i, end) for i, value in enumerate(values)]


def profile(**more: object) -> Profile:
    return Profile((WIDTH, HEIGHT), TRAY, "outline", die_px=22.0, **more)  # type: ignore[arg-type]


def test_a_die_that_goes_without_a_hand_is_missing() -> None:
    dice = throw((5, 3, 2))
    dice[2] = Thrown(0.5, 1.2, *SPOTS[2], 2, 2.3, 2.7)
    seen = watched(Film(5.0, dice))
    assert seen.values == [(5, 3, 2)] and seen.flags == ["missing"]


def test_a_die_that_a_hand_takes_is_not_missing() -> None:
    dice = throw((5, 3, 2))
    dice[2] = Thrown(0.5, 1.2, *SPOTS[2], 2, 2.3, 2.7)
    seen = watched(Film(5.0, dice, hand=AWAY), profile=profile(dice=3))
    assert seen.values == [(5, 3, 2)] and seen.flags == [] and seen.rolls[0].reading.sure


def test_fewer_dice_than_the_set_has_are_an_unsure_roll() -> None:
    seen = watched(Film(3.0, throw((5, 3))), profile=profile(dice=3))
    assert seen.values == [(5, 3)] and seen.flags == ["missing"] and seen.states[-1] == "unsure"
    assert not seen.rolls[0].reading.sure and seen.rolls[0].reading.reasons == ("a die is missing",)


def test_more_dice_than_the_set_has_are_an_unsure_roll() -> None:
    seen = watched(Film(3.0, throw((5, 3, 3))), profile=profile(dice=2))
    assert seen.rolls[0].reading.reasons == ("more dice than this set has",)


def test_a_die_beside_the_tray_is_flagged_and_no_part_of_the_roll() -> None:
    dice = [*throw((5, 3)), Thrown(0.5, 1.3, 306.0, 60.0, 6)]
    seen = watched(Film(3.0, dice), profile=profile(dice=3))
    assert seen.values == [(5, 3)] and seen.flags == ["beside"]
    assert seen.rolls[0].reading.reasons == ("a die lies beside the tray",)


def test_a_die_that_has_always_lain_beside_the_tray_is_told_once_and_no_doubt() -> None:
    spare = Thrown(-2.0, -1.0, 306.0, 60.0, 6)
    seen = watched(Film(3.0, [*throw((5, 3, 1)), spare]), profile=profile(dice=3))
    assert seen.values == [(5, 3, 1)] and seen.flags == ["beside"] and seen.rolls[0].reading.sure


def test_dice_put_into_the_kept_zone_are_no_throw_and_kept_in_the_next() -> None:
    kept = np.array([(60.0, 180.0), (160.0, 180.0), (160.0, 228.0), (60.0, 228.0)])
    dice = throw((5, 3, 2), end=2.7)
    aside = Thrown(2.6, 2.65, 110.0, 205.0, 5, 0.9)
    again = [Thrown(4.0, 4.7, *SPOTS[1], 6, 0.2), Thrown(4.0, 4.7, *SPOTS[2], 4, 0.2)]
    seen = watched(Film(6.5, [*dice, aside, *again]), profile=profile(dice=3, kept=kept))
    assert seen.values == [(5, 3, 2), (6, 5, 4)]
    assert seen.rolls[1].thrown == (6, 4) and seen.rolls[1].reading.sure


@pytest.mark.parametrize("shift", [(4.0, 2.0), (13.0, -6.0), (30.0, 20.0)])
def test_a_camera_that_is_bumped_gives_no_second_roll(shift: tuple[float, float]) -> None:
    """By 1 to 10% of the width, with no profile at all: dice that move with everything are not thrown."""
    film = Film(5.0, throw((5, 3, 2)), mat=True, shift=lambda t: shift if t > 2.5 else (0.0, 0.0))
    seen = watched(film)
    assert seen.values == [(5, 3, 2)] and seen.flags == []


def test_a_throw_after_a_bump_is_told() -> None:
    dice = [*throw((5, 3, 2)), Thrown(3.4, 4.1, 180.0, 190.0, 4, 0.9)]
    film = Film(6.0, dice, mat=True, shift=lambda t: (13.0, -6.0) if t > 2.5 else (0.0, 0.0))
    seen = watched(film)
    assert seen.values == [(5, 3, 2), (5, 4, 3, 2)] and seen.rolls[1].thrown == (4,)


def referenced(film: Film, **more: object) -> Profile:
    """The profile of the film's table, with a reference picture of it empty."""
    empty = Film(0.1, mat=film.mat)
    return profile(reference=empty.draw(0.0), **more)


def test_the_outline_follows_a_bumped_camera_and_that_is_told() -> None:
    """The die that lies just within the tray is beside the old outline, and in the one put right."""
    film = Film(8.0, mat=True, shift=lambda t: (-10.0, 0.0) if t > 1.0 else (0.0, 0.0))
    tray = np.array([(14.0, 3.0), (290.0, 3.0), (290.0, 230.0), (14.0, 230.0)])
    film.dice = [Thrown(4.0, 4.7, 18.0, 120.0, 4), Thrown(4.0, 4.7, *SPOTS[1], 2)]
    with_it = Profile(
        (WIDTH, HEIGHT), tray, "outline", die_px=22.0, reference=Film(0.1, mat=True).draw(0.0), dice=2
    )
    seen = watched(film, profile=with_it)
    assert "moved" in seen.states and seen.values == [(4, 2)] and seen.rolls[0].reading.sure
    reasons = [event.reason for event in seen.events if getattr(event, "reason", "")]
    assert reasons == ["The camera or the tray was bumped; the tray's outline has been put right."]


CAMERA_MOVED = "The camera has moved: put it back as it was, or calibrate the table again."
LOST = "The table is not recognised in the picture any more: look at the camera and the light, or calibrate again."


@pytest.mark.parametrize(("shift", "said"), [((27.0, 6.0), CAMERA_MOVED), ((150.0, 110.0), LOST)])
def test_a_camera_that_has_moved_far_stops_the_reading_until_it_is_back(
    shift: tuple[float, float], said: str
) -> None:
    dice = [Thrown(6.3, 6.9, *SPOTS[0], 5, 0.3, 8.0), Thrown(11.5, 12.2, *SPOTS[1], 4)]
    film = Film(14.0, dice, mat=True, shift=lambda t: shift if 1.0 < t < 8.5 else (0.0, 0.0))
    seen = watched(film, 15.0, profile=referenced(film))
    assert seen.state_at(7.9) == "moved" and seen.values == [(4,)]
    assert {event.reason for event in seen.events if getattr(event, "reason", "")} == {said}


def test_frames_of_another_size_than_the_profile_are_not_read_and_that_is_told() -> None:
    seen = watched(Film(2.0, throw((5, 3), -1.0), size=(640, 480)), profile=profile())
    assert seen.states == ["moved"] and seen.values == []
    assert "made for pictures of 320x240 pixels" in next(event.reason for event in seen.events)


def test_a_source_that_stops_is_stale_and_dice_that_lie_there_after_are_not_told_again() -> None:
    dice = throw((5, 3, 2))
    seen = watched(Film(8.0, dice), gap=(2.5, 6.0))
    assert seen.values == [(5, 3, 2)] and seen.state_at(5.0) == "stale" and seen.states[-1] == "read"


def test_dice_thrown_while_no_frames_came_are_told() -> None:
    dice = throw((5, 3, 2), end=3.0)
    dice.append(Thrown(4.0, 4.5, 60.0, 200.0, 6))
    seen = watched(Film(8.0, dice), gap=(2.5, 6.0))
    assert seen.values == [(5, 3, 2), (6,)]
