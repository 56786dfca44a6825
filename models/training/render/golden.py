"""Pictures by which the reader is tested: `python -m models.training.render.golden --out DIR`, with truth.json.

Each colour family is shown from three angles, six dice of one set with the values 1 to 6, so that every value is there
in every family from every angle; and, in `DIR/nothing`, what gives no die: blank cubes, numeral dice, coins, hands.
Everything follows from names and numbers. A picture that is there already is not rendered again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.render import litter
from models.training.render.camera import lines, project
from models.training.render.coats import tint
from models.training.render.compose import Posed, Setting
from models.training.render.develop import Development, balanced, exposed, metered, tone
from models.training.render.dice import cube_rotations, upper_face
from models.training.render.dress import Dress, die_parts, moved, random_dress, unreadable
from models.training.render.factory import traced
from models.training.render.grounds import ground
from models.training.render.lie import Lying, Room, apart, arrange
from models.training.render.lights import box_size, camera, light
from models.training.render.mesh import Points
from models.training.render.parts import Part
from models.training.render.scene import Color

SEED = 4210
SIZE = 400
DIE = 58.0
"""About so many pixels a die appears large."""
ANGLES = (5, 30, 52)
"""Degrees off straight above."""
LOW = 45
SAMPLES = 16
QUALITY = 78

_DARK, _LIGHT, _GOLD = tint(0.0, 0.0, 0.05), tint(0.12, 0.05, 0.95), tint(0.12, 0.65, 0.9)
FAMILIES: dict[str, tuple[str, Color, Color]] = {
    "white": ("opaque", tint(0.1, 0.02, 0.93), _DARK),
    "ivory": ("opaque", tint(0.12, 0.25, 0.88), _DARK),
    "black": ("opaque", tint(0.6, 0.1, 0.1), _LIGHT),
    "black-gold": ("opaque", tint(0.6, 0.1, 0.1), _GOLD),
    "red": ("opaque", tint(0.0, 0.9, 0.75), _LIGHT),
    "blue": ("pearl", tint(0.61, 0.85, 0.6), _LIGHT),
    "green": ("opaque", tint(0.38, 0.8, 0.5), _LIGHT),
    "yellow": ("opaque", tint(0.14, 0.85, 0.95), _DARK),
    "wood": ("wood", tint(0.09, 0.45, 0.75), _DARK),
    "marbled": ("marbled", tint(0.66, 0.6, 0.45), _LIGHT),
    "clear-red": ("translucent", tint(0.99, 0.9, 0.85), _LIGHT),
    "asian": ("asian", tint(0.12, 0.04, 0.93), _DARK),
}
"""Material, body and pips of each colour family."""

NOTHING = ("blank", "numerals", "symbols", "coin", "hand")
EACH = 3
"""Pictures of each kind of `NOTHING`."""


def dressed(family: str, random: np.random.Generator) -> Dress:
    """A set of dice of a colour family; edges, size of pips and wear are drawn."""
    material, body, pips = FAMILIES[family]
    while True:
        drawn = random_dress(random, 0.016)
        if drawn.material == material:
            break
    if material == "marbled":
        drawn = replace(drawn, second=tint(0.55, 0.3, 0.55), strength=0.7)
    return replace(drawn, body=body, pips=pips, gilt=0.6 if family == "black-gold" else 0.0, worn=0.0)


def showing(value: int, die: Lying) -> Lying:
    """The same die in its place, turned so that `value` is on top."""
    heading = die.rotation[:, np.argmax(np.abs(die.rotation[2]) < 0.5)]  # of one of its level axes
    c, s = heading[:2] / np.hypot(*heading[:2])
    way = next(each for each in cube_rotations() if upper_face(each)[0] == value)
    return replace(die, rotation=np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ way)


def setting(number: int, looks: list[Dress], values: list[int], lean: float, things: tuple[str, ...] = (),
            hand: str = "none") -> Setting:  # fmt: skip
    """A scene of dice that lie apart, showing `values`, seen from `lean` degrees off straight above."""
    random = np.random.default_rng([SEED, number])
    grounds = ("felt", "wood", "leather", "paper", "cloth", "plain")
    # From the side a wall may hide dice, or be near in their place.
    tray = str(random.choice(["none", "round", "hexagon", "square"])) if lean < LOW else "none"
    parts, room, _ = ground(str(random.choice(grounds)), tray, random)
    side = 0.016
    dice, _, _ = arrange(random, [each.shape for each in looks], room, 3.2 * side, "apart")
    if len(dice) < len(looks):
        raise ValueError(f"scene {number}: no room for {len(looks)} dice")
    dice = [showing(value, die) for value, die in zip(values, dice, strict=True)]
    targets = [die.corners() for die in dice] or [
        np.array([[x, y, 0.0] for x in (-3 * side, 3 * side) for y in (-3 * side, 3 * side)])
    ]
    eye = camera(random, targets, lean, DIE if dice else 5 * DIE, SIZE, all_in=True)
    posed = []
    for index, (dress, die) in enumerate(zip(looks, dice, strict=True)):
        seen = box_size(project(eye, die.corners()))
        made = moved(die_parts(dress, seen, random), die.rotation, die.position)
        posed.append(Posed(dress, die, made))
        parts.update(litter.prefixed(made, f"die{index}"))
    _lay(random, things, parts, [die.footprint() for die in dice], room, side)
    if hand != "none":
        middle = np.concatenate(targets).mean(axis=0)
        tip = (float(middle[0]), float(middle[1]), 0.03)
        parts.update(litter.prefixed(litter.hand(hand, tip, random.uniform(0, 6.28), random), "hand"))
    lamps, sky, names = light(random, eye)
    return Setting(number, eye, lamps, sky, parts, tuple(posed), names)


def _lay(
    random: np.random.Generator,
    things: tuple[str, ...],
    parts: dict[str, Part],
    taken: list[Points],
    room: Room,
    side: float,
) -> None:
    """Lays things into the room, apart from what is `taken`."""
    middle = np.mean(np.concatenate(taken), axis=0) if taken else np.zeros(2)
    for index, kind in enumerate(things):
        made = litter.thing(kind, side, random)
        for _ in range(60):
            x, y = middle + random.uniform(-3.2, 3.2, 2) * side
            put = litter.placed(made, float(x), float(y), 0.0, random.uniform(0, 6.28))
            if room.holds(put.outline) and all(apart(put.outline, each, 0.001) for each in taken):
                parts.update(litter.prefixed(put.parts, f"thing{index}"))
                taken.append(put.outline)
                break


def pictures() -> list[tuple[str, Callable[..., Setting]]]:
    """All of them: name below the folder, and the scene for each try (for when a die hides another)."""
    out: list[tuple[str, Callable[..., Setting]]] = []
    for row, family in enumerate(FAMILIES):
        for column, lean in enumerate(ANGLES):
            number = 100 * row + column
            looks = [dressed(family, np.random.default_rng([SEED, 1, number]))] * 6
            values = [int(v) for v in np.random.default_rng([SEED, 2, number]).permutation(6) + 1]
            # One for each turn of the loop, not the last for all.
            out.append((f"{family}-{lean:02d}", partial(_again, number, looks, values, lean)))
    for row, kind in enumerate(NOTHING):
        for column in range(EACH):
            number = 10000 + 100 * row + column
            random = np.random.default_rng([SEED, 3, number])
            lean = ANGLES[column % len(ANGLES)]
            odd: list[Dress] = []
            things: tuple[str, ...] = ()
            if kind == "coin":
                things = ("coin",) * 5
            elif kind != "hand":
                look = dressed(list(FAMILIES)[int(random.integers(len(FAMILIES)))], random)
                odd = [unreadable(look, kind, random)] * 3
            hand = str(random.choice(["open", "closed"])) if kind == "hand" else "none"
            values = [int(v) for v in random.integers(1, 7, len(odd))]
            out.append((f"nothing/{kind}-{column}", partial(_again, number, odd, values, lean, things, hand)))
    return out


def _again(number: int, looks: list[Dress], values: list[int], lean: float, things: tuple[str, ...] = (),
           hand: str = "none", attempt: int = 0) -> Setting:  # fmt: skip
    return setting(number + 100_000 * attempt, looks, values, lean, things, hand)


def developed(light: np.ndarray, number: int) -> np.ndarray:
    """The picture of a scene's light, (h, w, 3) uint8 BGR, as a webcam in a lit room shows it."""
    random = np.random.default_rng([SEED, 4, number])
    how = Development(
        exposure=metered(light, bright=random.uniform(0.55, 0.75), share=0.97),
        balance=balanced(light, random.uniform(0.4, 0.9)),
        contrast=random.uniform(1.0, 1.2),
        softness=random.uniform(0.4, 0.7),
        noise=random.uniform(0.004, 0.01),
    )
    return exposed(tone(light, how), how, random)


def _traced(
    make: Callable[..., Setting], *, hidden: bool, samples: int
) -> tuple[Setting, np.ndarray, dict[str, Any]]:
    """A scene, its light and its truth; unless dice may be `hidden`, the first try that shows all of them."""
    for attempt in range(20):
        try:
            scene = make(attempt=attempt)
        except ValueError:  # no room
            continue
        if not hidden and not _all_seen(traced(scene, 1)[1]):
            continue
        shown, facts = traced(scene, samples)
        if hidden or _all_seen(facts):
            return scene, shown, facts
    raise SystemExit("20 tries showed no scene with all dice in sight")


def _all_seen(facts: dict[str, Any]) -> bool:
    """Whether every die of a scene can be read."""
    return all(die["value"] for die in facts["dice"])


def main(arguments: list[str] | None = None) -> int:
    """Render the pictures; see the top of this file."""
    parser = argparse.ArgumentParser(prog="python -m models.training.render.golden", description=main.__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures and truth.json")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="paths a pixel, a square number")
    options = parser.parse_args(arguments)
    (options.out / "nothing").mkdir(parents=True, exist_ok=True)
    kept = options.out / "truth.json"
    known = {each["image"]: each for each in json.loads(kept.read_text("utf-8"))} if kept.exists() else {}
    facts: list[dict[str, Any]] = []
    for name, make in pictures():
        path = options.out / f"{name}.jpg"
        row = known.get(f"{name}.jpg")
        if row is None or not path.exists():
            scene, shown, seen = _traced(make, hidden="nothing" in name, samples=options.samples)
            cv2.imwrite(str(path), developed(shown, scene.number), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            print(path, file=sys.stderr)
            dice = [{"value": die["value"], "box": die["box"], "upper": die["upper"]} for die in seen["dice"]]
            row = {"image": f"{name}.jpg", "width": SIZE, "height": SIZE, "dice": dice}
        facts.append(row)
        kept.write_text(lines(facts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
