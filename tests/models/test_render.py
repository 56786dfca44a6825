"""The data factory's geometry: standard dice, exact truth, and a course of events that adds up."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.render.camera import project, truth_of
from models.training.render.dice import (
    NORMALS,
    DieShape,
    axes_of,
    build,
    cube_rotations,
    face_corners,
    layout,
    upper_face,
)
from models.training.render.film import take
from models.training.render.flight import Flight
from models.training.render.mesh import Capsule, Mesh, joined, skin, turned
from models.training.render.scene import Camera, Die


def volume(mesh: Mesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def edges_are_closed(mesh: Mesh) -> bool:
    """Each edge is used once in each direction, vertices being told apart by where they are."""
    _, same = np.unique(np.round(mesh.vertices, 9), axis=0, return_inverse=True)
    faces = same.ravel()[mesh.faces]
    faces = faces[[len(set(face)) == 3 for face in faces.tolist()]]
    edges = [(int(f[i]), int(f[(i + 1) % 3])) for f in faces for i in range(3)]
    return sorted(edges) == sorted((b, a) for a, b in edges)


def test_opposite_faces_sum_to_seven() -> None:
    for value, normal in NORMALS.items():
        assert np.array_equal(NORMALS[7 - value], -normal)


def test_one_two_three_run_counter_clockwise_round_their_corner() -> None:
    corner = NORMALS[1] + NORMALS[2] + NORMALS[3]
    eye = corner / np.linalg.norm(corner)
    right = np.cross([0.0, 0.0, 1.0], eye)
    up = np.cross(eye, right)
    angles = [np.arctan2(NORMALS[value] @ up, NORMALS[value] @ right) for value in (1, 2, 3)]
    steps = np.diff([*angles, angles[0]]) % (2 * np.pi)
    assert steps == pytest.approx([2 * np.pi / 3] * 3)


@pytest.mark.parametrize("slant", range(8))
@pytest.mark.parametrize("value", range(1, 7))
def test_each_face_has_as_many_pips_as_its_value_laid_out_alike_from_both_ends(
    value: int, slant: int
) -> None:
    pips = layout(value, slant)
    assert len(pips) == len(set(pips)) == value
    assert {(-x, -y) for x, y in pips} == set(pips)


@pytest.mark.parametrize("cells", [16, 40])
def test_body_and_pips_close_to_a_die_a_little_smaller_than_its_cube(cells: int) -> None:
    body, pips = build(DieShape(side=0.02, cells=cells))
    whole = joined([body, pips])
    assert edges_are_closed(whole)
    assert 0.85 * 0.02**3 < volume(whole) < 0.02**3
    assert np.abs(whole.vertices).max() == pytest.approx(0.01)
    assert np.linalg.norm(body.normals, axis=1) == pytest.approx(1.0)


def test_pips_are_drilled_where_the_layout_says() -> None:
    shape = DieShape(side=0.02, cells=64)
    _, pips = build(shape)
    for value in NORMALS:
        normal, u, v = axes_of(value)
        own = pips.vertices[(pips.vertices @ normal) > 0.008]
        depth = 0.01 - own @ normal
        assert depth.max() == pytest.approx(0.035 * 0.02, rel=0.1)
        seen = {
            (round(float(p @ u) / 0.005), round(float(p @ v) / 0.005)) for p in own[depth > 0.5 * depth.max()]
        }
        assert seen == {(round(x), round(y)) for x, y in layout(value, shape.slant)}


def test_there_are_twenty_four_ways_to_lay_a_cube_and_four_show_each_value() -> None:
    ways = cube_rotations()
    assert len({tuple(np.round(way).astype(int).ravel()) for way in ways}) == 24
    assert all(np.linalg.det(way) == pytest.approx(1.0) for way in ways)
    shown = [upper_face(way) for way in ways]
    assert sorted(value for value, _ in shown) == sorted(list(range(1, 7)) * 4)
    assert all(flat == pytest.approx(1.0) for _, flat in shown)


CAMERA = Camera((0.0, -0.4, 0.5), (0.0, 0.0, 0.0), 30.0, 800, 600)


def test_the_point_looked_at_is_in_the_middle_and_further_is_higher() -> None:
    points = project(CAMERA, np.array([[0.0, 0.0, 0.0], [0.0, 0.05, 0.0], [0.05, 0.0, 0.0]]))
    assert points[0] == pytest.approx([400, 300])
    assert points[1][1] < 300 and points[1][0] == pytest.approx(400)
    assert points[2][0] > 400 and points[2][1] == pytest.approx(300)


@pytest.mark.parametrize("value", range(1, 7))
def test_the_truth_of_a_die_is_its_upper_face_and_lies_in_its_box(value: int) -> None:
    turn = next(way for way in cube_rotations() if upper_face(way)[0] == value)
    facts = truth_of(Die((0.01, 0.02, 0.009), turn, side=0.018), CAMERA)
    assert facts["value"] == value
    x0, y0, x1, y1 = facts["box"]
    corners = np.array(facts["upper"])
    assert ((corners >= [x0 - 3, y0 - 3]) & (corners <= [x1 + 3, y1 + 3])).all()
    # Seen from the front the upper face fills the upper part of the box.
    assert corners[:, 1].mean() < (y0 + y1) / 2 and corners[:, 1].max() < y1 - 8
    assert face_corners(value, 0.018) @ turn[2] == pytest.approx([0.009] * 4)


def test_a_leaning_die_has_no_value() -> None:
    c, s = np.cos(0.3), np.sin(0.3)
    lean = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    assert truth_of(Die((0.0, 0.0, 0.01), lean), CAMERA)["value"] is None


def test_a_turned_shape_and_a_skin_face_outwards() -> None:
    cylinder = turned([(0.0, 0.0), (0.1, 0.0), (0.1, 0.2), (0.0, 0.2)], sides=256)
    assert volume(cylinder) == pytest.approx(np.pi * 0.1**2 * 0.2, rel=0.01)
    rod = skin([Capsule((0, 0, 0), (0.05, 0, 0), 0.01, 0.01)], cell=0.001, blend=0.002)
    assert volume(rod) == pytest.approx(np.pi * 0.01**2 * 0.05 + 4 / 3 * np.pi * 0.01**3, rel=0.03)
    assert edges_are_closed(rod)


def test_a_flight_is_settled_when_nothing_stirs_visibly() -> None:
    positions = np.zeros((6, 1, 3))
    positions[:, 0, 0] = [0.1, 0.05, 0.01, 0.0001, 0.0, 0.0]
    still = np.tile(np.eye(3), (6, 1, 1, 1))
    assert Flight(10.0, positions, still, (1,)).settled == pytest.approx(0.3)
    turning = still.copy()
    turning[3, 0] = np.array([[0.9, -0.4, 0.0], [0.4, 0.9, 0.0], [0.0, 0.0, 1.0]])
    assert Flight(10.0, positions, turning, (1,)).settled == pytest.approx(0.4)
    assert Flight(10.0, positions * 0, still, (1,)).settled == 0.0


def test_a_take_goes_from_an_empty_tray_over_rest_to_an_empty_tray() -> None:
    steps = 120
    way = np.linspace(0.1, -0.05, steps)
    positions = np.stack(
        [np.stack([way, np.full(steps, y), np.full(steps, 0.01)], -1) for y in (-0.03, 0.0, 0.04)], 1
    )
    flight = Flight(240.0, positions, np.tile(np.eye(3), (steps, 3, 1, 1)), (3, 3, 3))
    course = take(flight, (0.09, -0.05, 0.06), 2.5, rest_s=1.5, empty_s=0.4)
    assert course.rest - course.release == pytest.approx(flight.length)
    assert course.touch - course.rest == pytest.approx(1.5) and course.end - course.gone == pytest.approx(0.4)
    for time in np.arange(course.gone + 0.01, course.end, 0.05):
        assert course.at(float(time)).bare
    lying = course.at(course.rest + 0.1)
    assert all(np.allclose(pose[1], flight.positions[-1, i]) for i, pose in enumerate(lying.dice))
    assert lying.open_hand[1][2] < -1 and lying.closed_hand[1][2] < -1
    assert all(pose[1][2] < -1 for pose in course.at(course.release / 2).dice)
    assert course.at((course.back + course.touch) / 2).open_hand[1][2] > 0
    for number, (_, when) in enumerate(course.picks, start=1):
        left = [pose for pose in course.at(when + 0.1).dice if pose[1][2] > -1]
        assert len(left) == 3 - number
