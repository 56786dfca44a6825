"""A profile is put right after a bump where that is safe, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.drift import Drift, DriftWatch, realigned
from calibration.geometry import mapped
from calibration.profile import Lens, Profile
from tests.calibration.tables import HEIGHT, WIDTH, Table, bumped

MOVE = bumped((0.03, -0.02), 2.0, 1.02)
GROUND = np.array([(0.05, 0.001, -10), (0.002, 0.06, -8), (0.0, 1e-5, 1.0)])


def profile_of(table: Table) -> Profile:
    kept = np.array([(20.0, 200.0), (120, 200), (120, 300), (20, 300)])
    return Profile(
        size=(WIDTH, HEIGHT), tray=table.outline, shape="hexagon", kept=kept, ground=GROUND, die_px=30.0,
        camera={"focus": 30}, dice=3, reference=table.shot(), name="bar",
    )  # fmt: skip


def told(**changes: object) -> Drift:
    drift = Drift((0.03 * WIDTH, -0.02 * WIDTH), 2.0, 1.02, True, True, MOVE, 0.9)
    return replace(drift, **changes)  # type: ignore[arg-type]


def test_everything_goes_where_the_camera_sees_it_now() -> None:
    profile = profile_of(Table())
    better = realigned(profile, told())
    assert better is not None
    assert profile.tray is not None and profile.kept is not None
    assert better.tray == pytest.approx(mapped(profile.tray, MOVE))
    assert better.kept == pytest.approx(mapped(profile.kept, MOVE))
    assert better.die_px == pytest.approx(30 * 1.02)
    assert (better.size, better.shape, better.dice, better.name) == (profile.size, "hexagon", 3, "bar")
    assert better.camera == profile.camera
    # The same spot of the table has the same place on it.
    spot = np.array([(300.0, 150.0), (410, 220)])
    assert better.ground is not None
    assert mapped(mapped(spot, MOVE), better.ground) == pytest.approx(mapped(spot, GROUND))


def test_a_watch_of_the_new_profile_finds_all_in_its_place() -> None:
    table = Table()
    profile = profile_of(table)
    assert profile.reference is not None
    watch = DriftWatch(profile.reference, profile.tray)
    for _ in range(8):
        frame = table.shot(MOVE)
        drift = watch.look(frame)
    better = realigned(profile, drift, frame)
    assert better is not None and better.reference is not None and better.tray is not None
    assert np.abs(better.tray - mapped(table.outline, MOVE)).max() < 0.002 * WIDTH
    again = DriftWatch(better.reference, better.tray)
    drifts = [again.look(table.shot(MOVE)) for _ in range(8)]
    assert all(drift.certain and not drift.moved for drift in drifts)
    assert np.abs(drifts[-1].shift).max() < 0.002 * WIDTH
    assert [again.look(table.shot(MOVE @ bumped((0.012, 0)))).moved for _ in range(8)][-1]


def test_a_pushed_tray_takes_its_outline_along_and_leaves_the_table() -> None:
    table, after = Table(), Table(tray_at=(16, 9))
    profile = profile_of(table)
    assert profile.reference is not None
    watch = DriftWatch(profile.reference, profile.tray)
    for _ in range(8):
        frame = after.shot()
        drift = watch.look(frame)
    assert drift.what == "tray"
    better = realigned(profile, drift, frame)
    assert better is not None and better.reference is not None and better.tray is not None
    assert np.abs(better.tray - after.outline).max() < 0.004 * WIDTH
    assert better.kept == pytest.approx(profile.kept)
    assert better.ground == pytest.approx(profile.ground)
    again = DriftWatch(better.reference, better.tray)
    assert not any(again.look(after.shot()).moved for _ in range(8))


def test_with_a_lens_the_ground_is_that_of_straight_pixels() -> None:
    lens = Lens(600.0, 600.0, WIDTH / 2, HEIGHT / 2, k1=-0.12, k2=0.02)
    profile = replace(profile_of(Table()), lens=lens)
    better = realigned(profile, told())
    assert better is not None and better.ground is not None
    spot = np.array([(300.0, 150.0), (410, 220)])
    was = mapped(lens.straight(spot), GROUND)
    assert mapped(lens.straight(mapped(spot, MOVE)), better.ground) == pytest.approx(was, abs=0.03)


@pytest.mark.parametrize(
    "drift",
    [
        told(moved=False),
        told(certain=False),
        told(support=0.25),
        told(shift=(0.09 * WIDTH, 0.0)),
        told(turn=-7.0),
        told(scale=1.1),
        told(to_frame=bumped((0.32, 0))),
    ],
    ids=["not moved", "not certain", "few marks", "far", "turned", "zoomed", "out of the picture"],
)
def test_what_is_not_safe_is_left_to_a_person(drift: Drift) -> None:
    assert realigned(profile_of(Table()), drift) is None


def test_a_profile_without_an_outline_stays_the_whole_picture() -> None:
    better = realigned(Profile(size=(WIDTH, HEIGHT), reference=Table().shot()), told())
    assert better is not None
    assert better.tray is None
    assert better.reference is not None and better.reference.shape == (HEIGHT, WIDTH, 3)


def test_without_size_and_reference_nothing_can_be_done() -> None:
    assert realigned(Profile(), told()) is None
