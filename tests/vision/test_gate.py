"""The motion gate tells movement from light, noise and repeated frames."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn import Film, Thrown, reach
from vision.frames import Frame
from vision.gate import Motion, MotionGate


def run(film: Film, fps: float = 30.0) -> list[Motion]:
    gate = MotionGate()
    return [gate.feed(frame) for frame in film.frames(fps)]


@pytest.mark.parametrize("noise", [0.0, 2.0, 5.0, 9.0])
def test_noise_alone_is_rest(noise: float) -> None:
    motions = run(Film(3.0, [Thrown(-2, -1, 150, 120, 5)], noise=noise))
    assert not any(each.changed for each in motions[1:])
    assert motions[-1].still_for == pytest.approx(89 / 30)
    assert motions[-1].still_frames == motions[-1].quiet_frames == 89
    if noise:  # the film has forty patterns of noise, so one may follow itself now and then
        assert 80 <= motions[-1].still_pictures == motions[-1].quiet_pictures <= 89


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_a_rolling_die_moves_and_a_resting_one_does_not(fps: float) -> None:
    motions = run(Film(3.0, [Thrown(0.5, 1.5, 200, 120, 5)], noise=3.0), fps)
    moving = [each for each in motions if 0.55 < each.time < 1.4]
    assert sum(each.still_for > 0.1 for each in moving) == 0
    assert motions[-1].still_for == pytest.approx(1.5, abs=0.2)
    assert any(each.changed for each in moving) and not any(each.reaching for each in moving[-3:])


def test_a_die_that_creeps_is_no_rest() -> None:
    """By a third of a pixel a frame: no two frames differ much, but the die ends a width further on."""
    film = Film(2.0, noise=2.0)
    gate = MotionGate()
    longest = 0.0
    for index in range(120):
        film.dice = [Thrown(-2, -1, 100 + index / 3, 120, 5)]
        motion = gate.feed(Frame(film.draw(index / 60), index / 60, index))
        longest = max(longest, motion.still_for)
    assert longest < 0.2


def test_one_repeated_frame_does_not_end_the_movement() -> None:
    film = Film(2.0, [Thrown(0.2, 1.8, 250, 120, 5)])
    gate = MotionGate()
    times = [step // 3 * 3 / 30 for step in range(54)]
    motions = [gate.feed(frame) for frame in film.frames(30, times)]
    assert max(each.still_for for each in motions if each.time > 0.3) < 0.15
    assert any(each.still_for > 0.05 for each in motions if each.time > 0.3)
    rolling = [each for each in motions if 0.3 < each.time < 1.7]
    assert {each.still_pictures for each in rolling} == {0}
    assert [each.repeated for each in rolling] == [each.still_frames > 0 for each in rolling]


@pytest.mark.parametrize("factor", [0.55, 0.8, 1.25, 1.6])
def test_a_lamp_is_no_movement(factor: float) -> None:
    film = Film(3.0, [Thrown(-2, -1, 150, 120, 6)], lamp=lambda t: factor if t > 1 else 1.0)
    assert not any(each.changed for each in run(film)[1:])


def test_a_slow_dusk_is_no_movement() -> None:
    film = Film(8.0, [Thrown(-2, -1, 150, 120, 6)], lamp=lambda t: 1.3 - 0.1 * t)
    assert not any(each.changed for each in run(film, 15.0)[1:])


def test_a_hand_from_the_edge_moves_but_leaves_the_rest_quiet() -> None:
    hand = reach([(1.0, -20, 180), (1.2, 100, 180), (1.4, 60, 200), (1.6, 120, 200)])
    motions = run(Film(1.6, [Thrown(-2, -1, 250, 60, 6)], hand=hand))
    assert motions[-1].still_for < 0.1
    assert motions[-1].quiet_for > 1.5
    assert all(each.quiet_for >= each.still_for for each in motions)


def test_a_die_in_the_middle_is_not_taken_for_a_hand() -> None:
    motions = run(Film(2.0, [Thrown(0.2, 1.9, 280, 120, 6)]))
    late = [each for each in motions if 0.6 < each.time < 1.7]
    assert max(each.quiet_for for each in late) < 0.15


def test_what_a_box_looks_like_is_known_again() -> None:
    film = Film(3.0, [Thrown(-2, -1, 150, 120, 6, 0.3, 1.0), Thrown(2.0, 2.1, 150, 120, 6, 0.3)])
    box = (135.0, 105.0, 165.0, 135.0)
    gate = MotionGate()
    gate.feed(Frame(film.draw(0.0), 0.0, 0))
    patch = gate.patch(box)
    assert gate.alike(patch) and not gate.bare(patch)
    gate.feed(Frame(film.draw(1.5), 1.5, 1))
    assert not gate.alike(patch) and gate.bare(patch) and gate.rest_of(box) == 0.0
    film.lamp = lambda t: 0.7
    gate.feed(Frame(film.draw(2.5), 2.5, 2))
    assert gate.alike(patch) and not gate.bare(patch)
    film.dice = [Thrown(-2, -1, 150, 120, 3, 0.9)]
    gate.feed(Frame(film.draw(2.6), 2.6, 3))
    assert not gate.alike(patch)


def test_a_hand_on_a_box_is_not_the_bare_table() -> None:
    film = Film(3.0, [Thrown(-2, -1, 90, 120, 6)], hand=reach([(1.0, 110, 120), (2.0, 110, 120)]))
    gate = MotionGate()
    gate.feed(Frame(film.draw(0.0), 0.0, 0))
    patch = gate.patch((75.0, 105.0, 105.0, 135.0))
    gate.feed(Frame(film.draw(1.5), 1.5, 1))
    assert not gate.bare(patch) and not gate.alike(patch)


def test_boxes_at_and_beyond_the_edge_are_taken_as_far_as_they_go() -> None:
    film = Film(1.0)
    gate = MotionGate()
    gate.feed(Frame(film.draw(0.0), 0.0, 0))
    for box in ((-20.0, -20.0, 5.0, 5.0), (310.0, 230.0, 360.0, 300.0), (400.0, 400.0, 420.0, 420.0)):
        assert gate.alike(gate.patch(box)) and gate.rest_of(box) > 0


@pytest.mark.parametrize("size", [(64, 48), (1920, 1080), (480, 1000)])
def test_any_picture_size_will_do(size: tuple[int, int]) -> None:
    film = Film(2.0, [Thrown(0.5, 1.0, 200, 120, 5)])
    gate = MotionGate()
    motions = [
        gate.feed(Frame(np.asarray(cv2.resize(f.image, size, interpolation=cv2.INTER_AREA)), f.time, f.index))
        for f in film.frames(15)
    ]
    assert any(each.changed for each in motions if 0.5 < each.time < 1.0)
    assert motions[-1].still_for == pytest.approx(1.0, abs=0.2)


def test_another_size_starts_anew() -> None:
    gate = MotionGate()
    gate.feed(Frame(np.full((48, 64, 3), 90, np.uint8), 0.0, 0))
    gate.feed(Frame(np.full((48, 64, 3), 90, np.uint8), 1.0, 1))
    motion = gate.feed(Frame(np.full((96, 64, 3), 90, np.uint8), 2.0, 2))
    assert motion.changed and motion.still_for == 0 and motion.still_frames == 0
