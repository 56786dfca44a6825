"""Hands: at rest with dice, beside dice, turning one, laying one aside; and things that are put there."""

from __future__ import annotations

import pytest

from calibration.profile import WHOLE_PICTURE, Profile
from tests.vision.drawn import Film, Thrown, reach
from tests.vision.watched import watched

SPOTS = [(110.0, 80.0), (190.0, 120.0), (250.0, 170.0)]


def throw(values: tuple[int, ...], rest: float = 1.2, end: float = 1e9) -> list[Thrown]:
    return [Thrown(0.5, rest, *SPOTS[i], value, 0.3 + i, end) for i, value in enumerate(values)]


@pytest.mark.parametrize("fps", [15.0, 30.0])
def test_dice_at_a_hand_that_rests_are_told_when_it_lets_them_go(fps: float) -> None:
    """It lies there for three seconds, dice between its fingers in full view of the reader."""
    hand = reach([(1.0, -20, 120), (1.3, 120, 120), (4.3, 120, 120), (4.6, -20, 120)])
    dice = [Thrown(1.0, 1.3, 150.0, 118.0, 6, 0.3), Thrown(1.0, 1.3, 152.0, 145.0, 2, 0.8)]
    seen = watched(Film(7.0, dice, hand=hand), fps)
    assert seen.values == [(6, 2)]
    assert seen.told_at[0] > 4.3 and seen.state_at(4.0) == "hand"


def test_dice_that_a_hand_took_up_again_before_it_let_go_are_no_roll() -> None:
    hand = reach([(1.0, -20, 120), (1.3, 120, 120), (4.3, 120, 120), (4.6, -20, 120)])
    dice = [Thrown(1.0, 1.3, 150.0, 118.0, 6, 0.3, 4.3)]
    assert watched(Film(6.0, dice, hand=hand)).values == []


@pytest.mark.parametrize("known", [True, False])
def test_dice_beside_a_hand_at_rest_are_told_after_a_moment(known: bool) -> None:
    """For sure where it is known that there are no more of them."""
    hand = reach([(0.6, -20, 200), (0.9, 60, 200), (5.0, 60, 200)])
    profile = Profile(dice=3) if known else WHOLE_PICTURE
    seen = watched(Film(4.5, throw((6, 4, 3)), hand=hand), profile=profile)
    assert seen.values == [(6, 4, 3)] and seen.rolls[0].reading.sure == known
    assert seen.rolls[0].reading.reasons == (() if known else ("a hand may hide a die",))
    assert 1.8 <= seen.told_at[0] <= 2.0 and seen.state_at(1.6) == "hand"
    assert seen.state_at(4.4) == ("read" if known else "unsure")


@pytest.mark.parametrize("first", [0, 3])
def test_a_throw_of_which_a_hand_hides_a_part_is_never_sure(first: int) -> None:
    """Whether nothing was told before, or a whole throw."""
    before = [Thrown(0.5, 0.9, *SPOTS[i], 6 - i, 0.3 + i, 2.4) for i in range(first)]
    dice = [
        Thrown(4.0, 4.4, x + 8, y + 6, value, 0.5) for (x, y), value in zip(SPOTS, (5, 2, 1), strict=True)
    ]
    taking = [(2.0, -20, 120), (2.3, 190, 120), (2.7, -20, 120)]
    hiding = [(3.3, -20, 170), (3.6, 250, 170), (7.0, 250, 170), (7.4, -20, 170)]
    seen = watched(Film(8.5, dice + before, hand=reach(taking + hiding)))
    assert seen.values[-1] == (5, 2, 1) and seen.rolls[-1].reading.sure
    hidden = [roll.reading for roll in seen.rolls if 4.4 <= roll.time < 7.0]
    assert hidden and all(reading.reasons == ("a hand may hide a die",) for reading in hidden)


def test_a_hand_at_rest_on_told_dice_is_a_hand() -> None:
    hand = reach([(2.2, -20, 110), (2.5, 215, 120), (4.0, 215, 120), (4.3, -20, 120)])
    seen = watched(Film(6.0, throw((5, 3, 2)), hand=hand))
    assert seen.values == [(5, 3, 2)] and seen.flags == []
    assert seen.state_at(3.5) == "hand" and seen.state_at(5.9) == "read"


def test_a_hand_at_rest_over_the_empty_table_is_a_hand() -> None:
    seen = watched(Film(4.0, hand=reach([(1.0, -20, 120), (1.3, 120, 120), (5.0, 120, 120)])))
    assert seen.values == [] and seen.state_at(0.9) == "empty" and seen.state_at(3.9) == "hand"


def test_what_lies_at_the_dice_for_long_is_no_hand() -> None:
    """A telephone, say; it is not waited for until the evening."""
    thing = reach([(1.0, -20, 120), (1.3, 120, 120), (60.0, 120, 120)])
    dice = [Thrown(1.0, 1.3, 150.0, 118.0, 6, 0.3), Thrown(1.0, 1.3, 152.0, 145.0, 2, 0.8)]
    seen = watched(Film(24.0, dice, hand=thing, noise=1.0), 8.0)
    assert seen.values == [(6, 2)] and 21.0 < seen.told_at[0] < 23.0


def turned(value: int, x: float = 0.0, y: float = 0.0) -> Film:
    """A hand comes to the second die at 2.5 s, which shows `value` when it has gone, so many pixels further on."""
    dice = throw((5, 3, 2))
    x, y = SPOTS[1][0] + x, SPOTS[1][1] + y
    dice[1] = Thrown(0.5, 1.2, *SPOTS[1], 3, 1.3, 2.8)
    hand = reach([(2.2, -20, 150), (2.6, 205, 125), (3.2, 205 + x - SPOTS[1][0], 125), (3.7, -20, 150)])
    return Film(5.5, [*dice, Thrown(2.7, 2.75, x, y, value, 0.9)], hand=hand)


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_a_die_turned_in_its_place_is_flagged_once_and_no_roll(fps: float) -> None:
    seen = watched(turned(6), fps)
    assert seen.values == [(5, 3, 2)] and seen.flags == ["changed"]
    message = next(event.message for event in seen.events if hasattr(event, "message"))
    assert message == "A die shows 6 now, it was read as 3, and nobody has thrown it."


def test_a_die_nudged_so_that_it_falls_over_is_flagged() -> None:
    seen = watched(turned(1, 12, -6))
    assert seen.values == [(5, 3, 2)] and seen.flags == ["changed"]


def test_a_die_turned_back_is_flagged_no_more() -> None:
    film = turned(6)
    film.length = 9.0
    film.dice[-1] = Thrown(2.7, 2.75, *SPOTS[1], 6, 0.9, 6.3)
    film.dice.append(Thrown(6.2, 6.25, *SPOTS[1], 3, 0.3))
    first, second = film.hand, reach([(5.7, -20, 150), (6.1, 205, 125), (6.7, 205, 125), (7.2, -20, 150)])
    film.hand = lambda t: first(t) or second(t)
    seen = watched(film)
    assert seen.values == [(5, 3, 2)] and seen.flags == ["changed"]


@pytest.mark.parametrize("fps", [15.0, 30.0])
def test_a_die_laid_aside_by_hand_is_no_roll(fps: float) -> None:
    """With its value, two dice further on."""
    seen = watched(turned(3, 50, 5), fps)
    assert seen.values == [(5, 3, 2)] and seen.flags == []


def test_a_die_that_is_thrown_again_from_its_place_is_a_roll() -> None:
    """Picked up, and after a while it comes to rest where it was, by chance."""
    dice = throw((5, 3, 2))
    dice[1] = Thrown(0.5, 1.2, *SPOTS[1], 3, 1.3, 2.7)
    hand = reach([(2.2, -20, 150), (2.6, 205, 125), (3.1, -20, 150)])
    again = Thrown(4.2, 4.9, SPOTS[1][0] + 5, SPOTS[1][1], 6, 0.9)
    seen = watched(Film(6.5, [*dice, again], hand=hand))
    assert seen.values == [(5, 3, 2), (6, 5, 2)] and seen.flags == []
    kept = {die.value: kept for die, kept in zip(seen.rolls[1].reading.dice, seen.rolls[1].kept, strict=True)}
    assert kept == {5: True, 2: True, 6: False} and seen.rolls[1].thrown == (6,)


@pytest.mark.parametrize("value", [1, 2, 5])
def test_a_single_die_thrown_again_elsewhere_is_a_roll_whatever_it_shows(value: int) -> None:
    """Also with the value it had, or that of a die that was kept."""
    dice = throw((5, 3, 2))
    dice[2] = Thrown(0.5, 1.2, *SPOTS[2], 2, 2.3, 2.7)
    hand = reach([(2.2, -20, 200), (2.6, 265, 175), (3.1, -20, 200)])
    again = Thrown(3.4, 4.1, 180.0, 190.0, value, 0.9)
    seen = watched(Film(6.0, [*dice, again], hand=hand))
    assert seen.values == [(5, 3, 2), tuple(sorted((5, 3, value), reverse=True))]
    assert seen.rolls[1].thrown == (value,) and seen.flags == []
