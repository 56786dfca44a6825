"""Thrown dice: rigid rounded cubes that tumble, bounce off felt and rim, and come to rest (MuJoCo)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from models.training.render.dice import DieShape, build, cube_rotations, upper_face
from models.training.render.flight import Flight
from models.training.render.scene import Tray

STEP_S = 0.0005
LONGEST_S = 3.0
CALM = 0.002  # metres or radians a second, below which a die counts as lying
DENSITY = 1200.0


@dataclass(frozen=True)
class Launch:
    """How dice leave the hand: middle of the bunch, its velocity (metres a second), spin (radians a second)."""

    position: tuple[float, float, float] = (0.07, -0.05, 0.06)
    velocity: tuple[float, float, float] = (-1.0, 0.6, -0.2)
    spin: float = 35.0
    bunch: float = 0.014


def throw(
    seed: int,
    values: Sequence[int],
    tray: Tray,
    side: float,
    launch: Launch,
    *,
    rate: float = 240.0,
    tries: int = 200,
) -> Flight:
    """Throw dice so that they come to rest flat in the tray, apart from its wall, showing `values`.

    Dice are alike on all sides for the physics; so each is turned, before the throw, such that the wanted
    value comes up. Tries further seeds until all lie flat. Raises RuntimeError when none of `tries` does.
    """
    model = mujoco.MjModel.from_xml_string(_world(tray, side, len(values)))
    for attempt in range(tries):
        random = np.random.default_rng([seed, attempt])
        flight = _simulate(model, len(values), side, launch, random, rate)
        if flight is None or not _lies_well(flight, tray, side):
            continue
        turned = flight.rotations.copy()
        for index, wanted in enumerate(values):
            fits = [r for r in cube_rotations() if upper_face(flight.rotations[-1, index] @ r)[0] == wanted]
            turned[:, index] = flight.rotations[:, index] @ fits[int(random.integers(len(fits)))]
        return Flight(rate, flight.positions, turned, tuple(values))
    raise RuntimeError(f"In {tries} tries from seed {seed} the dice never all lay flat in the tray.")


def _simulate(
    model: mujoco.MjModel, count: int, side: float, launch: Launch, random: np.random.Generator, rate: float
) -> Flight | None:
    data = mujoco.MjData(model)
    mujoco.mj_resetData(model, data)
    bunch = max(launch.bunch, 0.25 * side * count)
    for index in range(count):
        turn = random.normal(size=4)
        angle = 2 * np.pi * index / max(count, 1) + random.uniform(0, 1)
        away = bunch * np.array([np.cos(angle), np.sin(angle), 0.4 * (-1) ** index])
        data.qpos[7 * index : 7 * index + 3] = np.array(launch.position) + away
        data.qpos[7 * index + 3 : 7 * index + 7] = turn / np.linalg.norm(turn)
        data.qvel[6 * index : 6 * index + 3] = np.array(launch.velocity) * random.uniform(0.8, 1.2) + away * 8
        data.qvel[6 * index + 3 : 6 * index + 6] = random.normal(size=3) * launch.spin / 3**0.5
    every = round(1 / rate / STEP_S)
    positions, rotations = [], []
    for step in range(int(LONGEST_S / STEP_S)):
        if step % every == 0:
            mujoco.mj_forward(model, data)
            positions.append(data.xpos[1:].copy())
            rotations.append(data.xmat[1:].reshape(-1, 3, 3).copy())
            if step > 0.3 / STEP_S and float(np.abs(data.qvel[: 6 * count]).max()) < CALM * 20:
                speed = np.abs(data.qvel[: 6 * count].reshape(count, 6))
                if float(speed[:, :3].max()) < CALM and float(speed[:, 3:].max()) < CALM * 20:
                    return Flight(rate, np.array(positions), np.array(rotations), ())
        mujoco.mj_step(model, data)
    return None


def _lies_well(flight: Flight, tray: Tray, side: float) -> bool:
    """Flat on the felt, none on another, none against the wall."""
    for position, rotation in zip(flight.positions[-1], flight.rotations[-1], strict=True):
        inside = tray.radius * np.cos(np.pi / tray.sides) - 0.75 * side
        if (
            upper_face(rotation)[1] < 0.999
            or abs(position[2] - side / 2) > 0.001
            or np.hypot(*position[:2]) > inside
        ):
            return False
    return True


def _world(tray: Tray, side: float, count: int) -> str:
    body, _ = build(DieShape(side=side, round=0.12, cells=6, depth=1e-6, pip=1e-6, big_one=1e-6))
    points = " ".join(f"{x:.6f}" for x in body.vertices.ravel())
    sectors = min(tray.sides, 32)
    apothem = tray.radius * np.cos(np.pi / sectors)
    half = tray.radius * np.tan(np.pi / sectors) + 0.002
    walls = []
    for index in range(sectors):
        angle = 2 * np.pi * (index + 0.5) / sectors
        x, y = (apothem + tray.wall / 2) * np.cos(angle), (apothem + tray.wall / 2) * np.sin(angle)
        walls.append(
            f'<geom type="box" size="{tray.wall / 2} {half} {tray.rim / 2}" pos="{x} {y} {tray.rim / 2}" '
            f'euler="0 0 {np.degrees(angle)}" friction="0.25 0.002 0.0002"/>'
        )
    dice = [
        f'<body name="die{index}"><freejoint/><geom type="mesh" mesh="die" density="{DENSITY}"/></body>'
        for index in range(count)
    ]
    return f"""
<mujoco>
  <compiler angle="degree"/>
  <option timestep="{STEP_S}" integrator="implicitfast" cone="elliptic"/>
  <default><geom condim="6" friction="0.45 0.004 0.0008" solref="0.0035 0.2" solimp="0.9 0.98 0.0005"/></default>
  <asset><mesh name="die" vertex="{points}"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    {"".join(walls)}
    {"".join(dice)}
  </worldbody>
</mujoco>"""
