"""The data factory without its renderer: chances, how dice lie, the same scene from the same number, exact truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.training.render import faces, factory, litter
from models.training.render.camera import project
from models.training.render.chances import CHANCES, pick
from models.training.render.coats import FILLED, LAMPS, filled
from models.training.render.compose import Posed, Setting, compose, truth
from models.training.render.dice import DieShape, build, cube_rotations, upper_face
from models.training.render.dress import contrast, die_parts, moved, random_dress, unreadable
from models.training.render.grounds import ground
from models.training.render.lie import LEAN, Lying, Room, apart, arrange, circle, tilt_of, touching
from models.training.render.scene import Camera

SEEDS = range(40)


def nothing_between(eye: np.ndarray, points: np.ndarray, *, through_glass: bool = False) -> np.ndarray:
    return np.zeros(len(points), bool)


def all_hidden(eye: np.ndarray, points: np.ndarray, *, through_glass: bool = False) -> np.ndarray:
    return np.ones(len(points), bool)


@pytest.mark.parametrize("row", CHANCES)
def test_chances_sum_to_one_and_only_what_they_name_is_drawn(row: str) -> None:
    assert sum(CHANCES[row].values()) == pytest.approx(1.0)
    random = np.random.default_rng(1)
    assert {pick(random, row) for _ in range(500)} <= set(CHANCES[row])


def test_every_thing_named_can_be_made_and_stands_on_the_ground() -> None:
    for kind in CHANCES["thing"]:
        made = litter.thing(kind, 0.018, np.random.default_rng(3))
        lowest = min(float(each.mesh.vertices[:, 2].min()) for each in made.parts.values())
        assert lowest == pytest.approx(0.0, abs=0.0015), kind
        for each in made.parts.values():
            reach = np.abs(each.mesh.vertices[:, :2]).max()
            assert reach <= np.abs(made.outline).max() + 0.004, kind


def arranged(seed: int, how: str, count: int = 4) -> tuple[list[Lying], list[Any], str, Room]:
    random = np.random.default_rng(seed)
    shape = DieShape(side=random.uniform(0.012, 0.02), round=random.uniform(0.03, 0.2))
    room = Room(circle(0, 0, 0.12, (4, 6, 48)[seed % 3]), walled=True)
    return (*arrange(random, [shape] * count, room, 0.05, how), room)


@pytest.mark.parametrize("how", CHANCES["lie"])
def test_dice_lie_in_the_room_on_the_ground_and_never_in_each_other(how: str) -> None:
    for seed in SEEDS:
        dice, discs, got, room = arranged(seed, how)
        assert got == how and dice
        for index, die in enumerate(dice):
            assert room.holds(die.footprint()[:, :2], margin=-0.003)
            low = float(die.position[2]) - die.reach(np.array([0.0, 0.0, -1.0]))
            assert low == pytest.approx(0.0, abs=1e-6) or die.state == "stacked"
            assert not any(touching(die, other, -0.0002) for other in dice[:index])
            if die.state == "flat":
                assert all(apart(die.footprint(), disc.footprint()) for disc in discs)


@pytest.mark.parametrize("how", CHANCES["lie"])
def test_every_die_has_a_shape_of_its_own_in_the_order_given(how: str) -> None:
    for seed in range(150):
        random = np.random.default_rng(seed)
        shapes = [DieShape(side=random.uniform(0.014, 0.018), slant=index % 8) for index in range(6)]
        dice, *_ = arrange(random, shapes, Room(circle(0, 0, 0.15), walled=True), 0.05, how)
        order = [next(i for i, shape in enumerate(shapes) if shape is die.shape) for die in dice]
        assert order == sorted(set(order))


def test_without_dice_there_is_nothing_to_lean() -> None:
    for how in CHANCES["lie"]:
        room = Room(circle(0, 0, 0.15), walled=True)
        assert arrange(np.random.default_rng(1), [], room, 0.05, how) == ([], [], "apart")


def test_cocked_dice_lean_as_far_as_named_and_touch_what_they_lean_on() -> None:
    on: Counter[str] = Counter()
    for seed in SEEDS:
        dice, discs, _, room = arranged(seed, "cocked")
        cocked = [die for die in dice if die.state == "cocked"]
        assert cocked
        for die in cocked:
            assert LEAN[0] <= tilt_of(die) <= LEAN[1]
            normals, away = room.edges()
            gaps = [
                float(far - n @ die.position[:2] - die.reach(np.array([*n, 0.0])))
                for n, far in zip(normals, away, strict=True)
            ]
            if min(gaps) < 0.0005:
                on["wall"] += 1
            elif any(touching(die, other, 0.0005) for other in dice if other is not die):
                on["die"] += 1
            else:
                # The rim of a coin touches the bottom: the nearest place of its top is right at the body's surface.
                tops = np.concatenate(
                    [
                        np.pad(circle(d.x, d.y, d.radius, 720), ((0, 0), (0, 1)), constant_values=d.height)
                        for d in discs
                    ]
                )
                inside = np.abs((tops - die.position) @ die.rotation).max(axis=1) - die.shape.side / 2
                assert float(inside.min()) == pytest.approx(0.0, abs=0.0004)
                on["coin"] += 1
    assert set(on) == {"wall", "die", "coin"}


def test_the_stacked_die_lies_flat_on_one_below_it() -> None:
    for seed in SEEDS:
        dice, *_ = arranged(seed, "stacked")
        (upper,) = [die for die in dice if die.state == "stacked"]
        assert tilt_of(upper) == pytest.approx(0.0, abs=1e-4)
        low = upper.position[2] - upper.shape.side / 2
        below = [die for die in dice if die is not upper and not apart(die.footprint(), upper.footprint())]
        assert below and low == pytest.approx(below[0].shape.side, abs=0.0003)


def test_all_24_ways_to_lie_come_up_equally() -> None:
    ways = [tuple(np.round(way).astype(int).ravel()) for way in cube_rotations()]
    found: Counter[int] = Counter()
    for seed in range(600):
        dice, *_ = arranged(seed, "apart", 2)
        for die in dice:
            yaw = np.arctan2(*(die.rotation[1::-1, np.argmax(np.abs(die.rotation[2]) < 0.5)]))
            c, s = np.cos(-yaw), np.sin(-yaw)
            turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ die.rotation
            found[ways.index(tuple(np.round(turned).astype(int).ravel())) % 24] += 1
    values: Counter[int] = Counter()
    for index, count in found.items():
        values[upper_face(np.array(ways[index]).reshape(3, 3))[0]] += count
    assert set(values) == set(range(1, 7))
    assert all(0.8 < each * 6 / sum(values.values()) < 1.2 for each in values.values())


def test_pips_can_be_told_from_the_body_whatever_the_set() -> None:
    for seed in range(300):
        dress = random_dress(np.random.default_rng(seed))
        assert contrast(dress.body, dress.pips) > 0.05
        shape = dress.shape
        assert (
            0.01 <= shape.side <= 0.025 and shape.pip < shape.spread / 2 and shape.spread + shape.pip <= 0.5
        )


def test_what_is_not_to_be_read_has_no_pips() -> None:
    dress = random_dress(np.random.default_rng(4))
    for kind in ("numerals", "blank", "symbols"):
        odd = unreadable(dress, kind, np.random.default_rng(1))
        assert set(die_parts(odd, 60, np.random.default_rng(1))) == {"body"}
    assert faces.printed(3, 64, replace(dress, kind="blank", prints=0.0), np.random.default_rng(1)).max() == 0
    assert faces.printed(3, 64, replace(dress, kind="numerals"), np.random.default_rng(1)).max() > 0.5


def test_a_ball_has_no_corners_and_narrow_rows_stand_closer() -> None:
    body, _ = build(DieShape(side=0.02, round=0.05, ball=0.7, cells=24))
    assert np.linalg.norm(body.vertices, axis=1).max() == pytest.approx(0.014, abs=1e-6)
    _, wide = build(DieShape(cells=24, slant=0))
    _, narrow = build(DieShape(cells=24, slant=0, narrow=0.7))
    own = [np.ptp(each.vertices[each.vertices[:, 0] < -0.0085], axis=0) for each in (wide, narrow)]
    assert min(own[0][1:] - own[1][1:]) == pytest.approx(0.0, abs=1e-4)
    assert max(own[0][1:] - own[1][1:]) > 0.002


def test_the_same_number_gives_the_same_scene_and_others_differ() -> None:
    one, same, other = compose(7, 320), compose(7, 320), compose(8, 320)
    assert one.camera == same.camera and one.lamps == same.lamps and one.words == same.words
    assert one.parts.keys() == same.parts.keys()
    for name, part in one.parts.items():
        assert np.array_equal(part.mesh.vertices, same.parts[name].mesh.vertices)
    assert one.camera != other.camera


def test_scenes_are_filled_up_to_few_numbers_of_meshes_and_lamps() -> None:
    for number in range(6):
        setting = compose(number, 200)
        parts, lamps = filled(setting.parts, setting.lamps)
        assert set(setting.parts) <= set(parts) and len(lamps) == LAMPS
        counts = Counter(part.material["type"] for part in parts.values())
        assert all(counts[kind] in FILLED[kind] for kind in FILLED)
        power = sum(lamp.width * lamp.depth * lamp.power[0] for lamp in lamps)
        assert power == pytest.approx(sum(lamp.width * lamp.depth * lamp.power[0] for lamp in setting.lamps))


def one_die(state: str = "flat", kind: str = "pips") -> Setting:
    random = np.random.default_rng(5)
    dress = replace(random_dress(random, 0.02), kind=kind)
    turn = next(way for way in cube_rotations() if upper_face(way)[0] == 5)
    lying = Lying(dress.shape, np.array([0.0, 0.0, 0.01]), turn, state)
    parts = moved(die_parts(dress, 100, random), turn, lying.position)
    camera = Camera((0.02, -0.15, 0.3), (0.0, 0.0, 0.0), 20.0, 300, 300)
    return Setting(1, camera, (), (1.0, 1.0, 1.0), parts, (Posed(dress, lying, parts),), {})


def drawn(setting: Setting, dark: float) -> np.ndarray:
    """Light of 0.5 with the pips of the upper face, as the truth has them, at `dark`."""
    light = np.full((300, 300, 3), 0.5, np.float32)
    (die,) = truth(setting, nothing_between, light)["dice"]
    for x, y in die["pips"]:
        light[round(y) - 4 : round(y) + 4, round(x) - 4 : round(x) + 4] = dark
    return light


def test_truth_gives_the_upper_face_and_where_it_is() -> None:
    setting = one_die()
    facts = truth(setting, nothing_between, drawn(setting, 0.1))
    (die,) = facts["dice"]
    assert (die["value"], die["state"], die["occluded"], die["covered"]) == (5, "flat", 0.0, 0.0)
    assert len(die["pips"]) == 5 and die["tilt"] == 0.0
    assert facts["tilt"] == pytest.approx(np.degrees(np.arctan2(np.hypot(0.02, 0.15), 0.3)), abs=0.1)
    corners = np.array(die["upper"])
    expected = project(setting.camera, np.array([[x, y, 0.02] for x in (-0.01, 0.01) for y in (-0.01, 0.01)]))
    assert sorted(map(tuple, corners.round(1))) == sorted(map(tuple, expected.round(1)))
    x0, y0, x1, y1 = die["box"]
    assert die["size"] == pytest.approx(np.sqrt((x1 - x0) * (y1 - y0)), abs=0.1)
    assert y1 > corners[:, 1].max() + 5 and x0 < corners[:, 0].min() + 3


def test_a_die_that_is_hidden_beyond_the_edge_or_too_faint_is_not_to_be_read() -> None:
    setting = one_die()
    light = drawn(setting, 0.1)
    (hidden,) = truth(setting, all_hidden, light)["dice"]
    assert (hidden["value"], hidden["occluded"], hidden["covered"], hidden["pips"]) == (0, 1.0, 1.0, [])
    aside = replace(setting, camera=replace(setting.camera, target=(0.08, 0.0, 0.0)))
    (beyond,) = truth(aside, nothing_between, light)["dice"]
    assert beyond["value"] == 0 and beyond["covered"] > 0.9
    (faint,) = truth(setting, nothing_between, drawn(setting, 0.47))["dice"]
    assert faint["value"] == 0 and faint["contrast"] < 0.05
    (numeral,) = truth(one_die(kind="numerals"), nothing_between, light)["dice"]
    assert numeral["value"] == 0


def test_a_finished_scene_is_not_made_again_and_a_half_written_one_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def traced(setting: Setting, samples: int) -> tuple[np.ndarray, dict[str, object]]:
        made.append(setting.number)
        return np.full((64, 64, 3), 0.5, np.float32), {"number": setting.number, "dice": []}

    monkeypatch.setattr(factory, "traced", traced)
    factory.make(3, tmp_path, 64)
    factory.make(3, tmp_path, 64)
    assert made == [3] and factory.finished(tmp_path, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000003.json", "000003.npz"]
    assert (tmp_path / "000003.json").read_text().count("\n") == 1
    (tmp_path / "000004.npz").write_bytes(b"half")
    assert not factory.finished(tmp_path, 4)
    factory.make(4, tmp_path, 64)
    assert made == [3, 4] and factory.finished(tmp_path, 4)


def test_a_scene_is_traced_and_its_dice_are_where_the_truth_says() -> None:
    pytest.importorskip("mitsuba", reason="the renderer is not installed (dependency group train)")
    setting = one_die()
    random = np.random.default_rng(2)
    table, _, _ = ground("felt", "none", random)
    lamp = compose(1, 300).lamps[0]
    whole = replace(setting, parts={**table, **setting.parts}, lamps=(lamp,))
    light, facts = factory.traced(whole, 4)
    empty, _ = factory.traced(replace(whole, parts=table, dice=()), 4)
    (die,) = facts["dice"]
    assert die["covered"] == 0.0 and die["occluded"] == 0.0
    x0, y0, x1, y1 = (round(each) for each in die["box"])
    changed = np.abs(light - empty).max(axis=-1) > 0.02 * np.median(empty)
    assert changed[y0 + 4 : y1 - 4, x0 + 4 : x1 - 4].mean() > 0.6
