"""Drift watch: a bumped camera is found, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.drift import Drift, DriftWatch
from calibration.geometry import Matrix, mapped
from calibration.profile import Image
from tests.calibration.tables import HEIGHT, WIDTH, Table, bumped, with_hand, with_person

IN_TIME = 8  # looks: two seconds


def seen(watch: DriftWatch, frames: Iterable[Image]) -> list[Drift]:
    return [watch.look(frame) for frame in frames]


def watching(table: Table) -> DriftWatch:
    return DriftWatch(table.shot(), table.outline)


def off(drift: Drift, move: Matrix, table: Table) -> float:
    """How far the tray's corners as told are from where they are, in widths."""
    return float(np.abs(mapped(table.outline, drift.to_frame) - mapped(table.outline, move)).max() / WIDTH)


BUMPS = {
    "right": bumped((0.0105, 0)),
    "left": bumped((-0.0105, 0)),
    "down": bumped((0, 0.0105)),
    "up and left": bumped((-0.0075, -0.0075)),
    "far": bumped((0.045, -0.02)),
    "turned": bumped(turn=1.05),
    "turned back": bumped(turn=-3.5),
    "nearer": bumped(zoom=1.021),
    "farther": bumped(zoom=0.96),
    "all": bumped((0.02, 0.01), 2.0, 1.03),
    "panned": np.array([(1.02, 0.0, 14.0), (0.008, 1.01, -4.0), (4e-5, 0, 1.0)]),
}


@pytest.mark.parametrize("move", BUMPS.values(), ids=BUMPS.keys())
def test_a_bump_is_found_in_time_and_told_exactly(move: Matrix) -> None:
    table = Table()
    watch = watching(table)
    assert not any(drift.moved for drift in seen(watch, [table.shot() for _ in range(4)]))
    after = seen(watch, [table.shot(move) for _ in range(IN_TIME)])
    assert not after[0].moved, "one look is not enough"
    assert after[-1].moved
    assert after[-1].certain
    assert after[-1].what == "camera"
    assert off(after[-1], move, table) < 0.002


def test_the_parts_of_a_move_are_told() -> None:
    table = Table()
    watch = DriftWatch(table.shot())
    drift = seen(watch, [table.shot(bumped((0.02, -0.01), 2.0, 1.03)) for _ in range(IN_TIME)])[-1]
    assert drift.shift == pytest.approx((0.02 * WIDTH, -0.01 * WIDTH), abs=1)
    assert drift.turn == pytest.approx(2.0, abs=0.15)
    assert drift.scale == pytest.approx(1.03, abs=0.004)


@pytest.mark.parametrize("move", [bumped((0.002, 0.001)), bumped(turn=0.2), bumped(zoom=1.003)])
def test_what_nobody_would_see_is_no_move(move: Matrix) -> None:
    table = Table()
    watch = watching(table)
    assert not any(drift.moved for drift in seen(watch, [table.shot(move) for _ in range(16)]))


def hands(table: Table, move: Matrix | None, count: int) -> Iterable[Image]:
    for k in range(count):
        frame = with_hand(table.shot(move), (320 + 150 * np.sin(0.7 * k), 190 + 90 * np.cos(0.5 * k)))
        yield with_hand(frame, (200 + 90 * np.cos(0.9 * k), 120), 45) if k % 3 else frame


def leaning(table: Table, move: Matrix | None, count: int) -> Iterable[Image]:
    for k in range(count):
        yield with_person(table.shot(move), min(0.48, 0.15 * (k + 1)), 0.3 * k)


def lamps(table: Table, move: Matrix | None, count: int) -> Iterable[Image]:
    for k in range(count):
        yield table.shot(move, level=(1.0, 0.45, 1.5)[k // 6 % 3])


def one_sided(table: Table, move: Matrix | None, count: int) -> Iterable[Image]:
    for k in range(count):
        side, shadow = [((0, 0), (6, 4)), ((0.9, 0.2), (-12, 2)), ((-0.8, 0.7), (14, -10))][k // 8 % 3]
        yield table.shot(move, 0.9, side, shadow)


def flicker(table: Table, move: Matrix | None, count: int) -> Iterable[Image]:
    for k in range(count):
        frame = table.shot(move, level=float(table.random.uniform(0.75, 1.3)))
        rows = 1 + 0.12 * np.sin(np.arange(HEIGHT) / 40 + 1.7 * k)
        yield np.clip(frame * rows[:, None, None], 0, 255).astype(np.uint8)


def noisy(table: Table, move: Matrix | None, count: int) -> Iterable[Image]:
    for k in range(count):
        frame = table.shot(move, level=0.6, noise=8)
        frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), 0.4 + 0.3 * (k % 3)), np.uint8)
        yield np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 40])[1], 1), np.uint8
        )


def things_moved(table: Table, move: Matrix | None, count: int) -> Iterable[Image]:
    random = np.random.default_rng(5)
    for k in range(count):
        frame = table.shot(move)
        if k >= 4:  # chips on the table, dice in the tray, elsewhere each time
            for _ in range(6):
                at = random.uniform((0, 0), (WIDTH, HEIGHT))
                cv2.circle(frame, (int(at[0]), int(at[1])), 14, (30, 40, 200), -1, cv2.LINE_AA)
            for _ in range(5):
                x, y = (random.uniform(-60, 60, 2) + np.array([WIDTH / 2, HEIGHT / 2])).astype(int).tolist()
                cv2.rectangle(frame, (x, y), (x + 22, y + 22), (225, 235, 235), -1)
        yield frame


DOINGS: dict[str, Callable[[Table, Matrix | None, int], Iterable[Image]]] = {
    "hands": hands,
    "somebody leans in": leaning,
    "a lamp is switched": lamps,
    "a lamp to one side": one_sided,
    "flicker": flicker,
    "noise": noisy,
    "things are moved": things_moved,
}


@pytest.mark.parametrize("doing", DOINGS.values(), ids=DOINGS.keys())
def test_what_goes_on_at_a_table_is_no_move(doing: Callable[..., Iterable[Image]]) -> None:
    table = Table(seed=1)
    drifts = seen(watching(table), doing(table, None, 24))
    assert [number for number, drift in enumerate(drifts) if drift.moved] == []


@pytest.mark.parametrize("doing", [hands, leaning, lamps, flicker, noisy, things_moved])
def test_a_bump_is_found_whatever_goes_on(doing: Callable[..., Iterable[Image]]) -> None:
    table = Table(seed=2)
    watch = watching(table)
    seen(watch, doing(table, None, 6))
    move = bumped((0.015, -0.012), 1.0)
    after = seen(watch, doing(table, move, 2 * IN_TIME))
    assert any(drift.moved for drift in after[:IN_TIME])
    assert off(after[-1], move, table) < 0.004


def test_a_tripod_that_sags_is_found_however_slowly() -> None:
    table = Table(seed=3)
    watch = watching(table)
    steps = np.arange(60) * 0.0002  # of the width a look
    drifts = seen(watch, [table.shot(bumped((0, step))) for step in steps])
    first = next(number for number, drift in enumerate(drifts) if drift.moved)
    assert 0.004 < steps[first] < 0.011


def test_felt_without_a_mark_tells_nothing() -> None:
    table = Table(bare=True)
    watch = DriftWatch(table.shot())
    drifts = seen(watch, [table.shot(bumped((0.03, 0)) if k > 4 else None, noise=4) for k in range(16)])
    assert not any(drift.moved or drift.certain for drift in drifts)


def test_a_camera_put_back_is_in_its_place_again() -> None:
    table = Table()
    watch = watching(table)
    assert seen(watch, [table.shot(bumped((0.03, 0))) for _ in range(IN_TIME)])[-1].moved
    back = seen(watch, [table.shot() for _ in range(IN_TIME)])[-1]
    assert not back.moved
    assert back.shift == pytest.approx((0, 0), abs=0.5)


def test_a_camera_knocked_far_round_is_found() -> None:
    table = Table()
    watch = watching(table)
    seen(watch, [table.shot() for _ in range(3)])
    move = bumped((0.14, -0.09), 12)
    drift = seen(watch, [table.shot(move) for _ in range(24)])[-1]
    assert drift.moved
    assert off(drift, move, table) < 0.02


def test_a_tray_that_is_pushed_is_told_apart_from_a_camera() -> None:
    table, after = Table(), Table(tray_at=(16, 9))
    watch = watching(table)
    assert not any(drift.moved for drift in seen(watch, [table.shot() for _ in range(3)]))
    drift = seen(watch, [after.shot() for _ in range(IN_TIME)])[-1]
    assert drift.moved
    assert drift.what == "tray"
    assert drift.shift == pytest.approx((16, 9), abs=1.5)
    assert not seen(watch, [table.shot() for _ in range(IN_TIME)])[-1].moved


def test_light_that_changes_over_an_evening_hides_no_bump() -> None:
    table = Table(seed=4)
    watch = watching(table)
    for k in range(120):
        dusk = k / 120
        frame = table.shot(
            level=1 - 0.6 * dusk, side=(1.2 * dusk, -0.6 * dusk), shadow=(int(6 - 20 * dusk), 4)
        )
        assert not watch.look(frame).moved
    late = [table.shot(bumped((0.015, 0.005)), 0.4, (1.2, -0.6), (-14, 4)) for _ in range(IN_TIME + 2)]
    assert seen(watch, late)[-1].moved


def test_where_something_moves_is_left_out() -> None:
    table = Table()
    watch = watching(table)
    assert watch.look(table.shot()).certain
    assert not watch.look(table.shot(), np.ones((45, 80), bool)).certain
    half = np.zeros((45, 80), bool)
    half[:, 40:] = True
    assert watch.look(table.shot(), half).certain


def test_a_frame_of_another_size_is_refused() -> None:
    table = Table()
    with pytest.raises(ValueError, match=r"320x180.*640x360.*calibrate again"):
        watching(table).look(np.zeros((180, 320, 3), np.uint8))


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_picture_of_nothing_tells_nothing(value: int) -> None:
    nothing = np.full((HEIGHT, WIDTH, 3), value, np.uint8)
    drifts = seen(DriftWatch(nothing), [nothing] * 3)
    table = Table()
    drifts += seen(watching(table), [nothing] * 12)
    assert not any(drift.moved or drift.certain for drift in drifts)


@pytest.mark.parametrize("size", [(640, 480), (1920, 1080), (321, 247), (200, 400), (40, 30)])
def test_any_size_of_picture_will_do(size: tuple[int, int]) -> None:
    frame = np.asarray(cv2.resize(Table().shot(), size, interpolation=cv2.INTER_AREA), np.uint8)
    drift = seen(DriftWatch(frame), [frame] * 3)[-1]
    assert not drift.moved
    assert drift.to_frame == pytest.approx(np.eye(3), abs=0.3)


FILM = Path(__file__).parents[3] / "shared" / "videos" / "throw_1.mp4"


@pytest.mark.skipif(not FILM.is_file(), reason="the film of a real table is not here")
def test_a_bump_is_found_on_a_real_table() -> None:
    video = cv2.VideoCapture(str(FILM))
    looks = []
    for _ in range(6):  # the phone that took it is held by hand, and moves soon
        frame = video.read()[1]
        looks.append(
            np.asarray(cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        )
    height, width = looks[0].shape[:2]
    watch = DriftWatch(looks[0])
    assert not any(drift.moved for drift in seen(watch, looks))
    move = bumped((0.015, 0.01), 0.5, size=(width, height))
    knocked = [np.asarray(cv2.warpPerspective(look, move, (width, height)), np.uint8) for look in looks]
    last = seen(watch, knocked)[-1]
    assert last.moved
    assert last.shift == pytest.approx((0.015 * width, 0.01 * width), abs=1.5)
