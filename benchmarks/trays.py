"""How well trays are found in pictures of tables: rendered ones with exact truth.

    python -m benchmarks.trays make DIR --count 120       # renders them (needs what makes the training pictures)
    python -m benchmarks.trays measure DIR [--sheet OUT.jpg]

The first is the data factory's scenes, seen from where a camera shows the whole tray; about every fifth has none.
The second prints one row a kind of tray: how many there are, how many were found sure, how many of those are wrong,
how well their outlines cover the tray (area in common over area together, median and worst), and of how many the best
guess, sure or not, is right. Exit status 1 if any was sure and wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.tray import Found, find
from models.training.render.camera import project
from models.training.render.compose import Setting, compose
from models.training.render.develop import exposed, tone
from models.training.render.factory import traced
from models.training.render.pictures import development
from models.training.render.scene import Camera

SIZE = (640, 480)
HELD = 0.94
"""Share of what one sees of the tray's inside that an outline must hold: a die beyond it would be lost."""
BEYOND = 0.10
"""Most that may lie beyond the tray, as a share of it: a die there would count as thrown."""
FIRST = 500_000  # numbers that training does not use


def seen_whole(setting: Setting) -> tuple[Setting, dict[str, Any]]:
    """A scene seen from where the whole tray is in the picture, and where the tray is."""
    random = np.random.default_rng([77, setting.number])
    eye, target = np.array(setting.camera.position), np.array(setting.camera.target)
    way = (eye - target) / np.linalg.norm(eye - target)
    lean = np.arccos(np.clip(way[2], 0, 1))
    if lean > np.radians(50):  # nobody puts the camera so low
        flat = way[:2] / np.linalg.norm(way[:2]) * np.sin(np.radians(50))
        way = np.array([*flat, np.cos(np.radians(50))])
    far = random.uniform(0.45, 1.1)
    tray = setting.words["tray"] != "none"
    ring = (
        setting.parts["rim"].mesh.vertices
        if tray
        else np.array([[0.15 * np.cos(a), 0.15 * np.sin(a), 0] for a in range(7)]) + target
    )
    middle = np.array([*((ring.max(axis=0) + ring.min(axis=0)) / 2)[:2], 0.0])
    camera = Camera(tuple(map(float, middle + far * way)), tuple(map(float, middle)), 40.0, *SIZE)
    fill = random.uniform(0.5, 0.95)
    for _ in range(6):
        seen = project(camera, ring) - np.array(SIZE) / 2
        shown = float((np.abs(seen).max(axis=0) / (np.array(SIZE) / 2)).max())
        angle = 2 * np.degrees(np.arctan(np.tan(np.radians(camera.angle) / 2) * shown / fill))
        camera = replace(camera, angle=float(np.clip(angle, 5, 85)))
    facts: dict[str, Any] = {"number": setting.number, "words": setting.words, "outer": None, "opening": None}
    if tray:
        facts["outer"] = cv2.convexHull(project(camera, ring).astype(np.float32))[:, 0].tolist()
        facts["opening"] = cv2.convexHull(project(camera, _opening(setting)).astype(np.float32))[
            :, 0
        ].tolist()
    return replace(setting, camera=camera), facts


def _opening(setting: Setting) -> np.ndarray:
    """The inner upper edge of the rim, (n, 3) metres: through it one sees into the tray."""
    rim = setting.parts["rim"].mesh.vertices
    floor = setting.parts["floor"].mesh.vertices
    floor = floor[np.abs(floor[:, 2]) < 1e-6]
    top = rim[:, 2].max()
    reach = np.abs(floor[:, :2]).max(axis=0) / np.abs(rim[:, :2]).max(axis=0)
    return rim[rim[:, 2] > top - 1e-6] * (*(reach * 1.02), 1.0)


def make(folder: Path, count: int, first: int) -> None:
    """Render `count` tables, each as NUMBER.jpg and NUMBER.json; those that are there are left."""
    from models.training.render.tracer import one_thread  # noqa: PLC0415  measuring needs no renderer

    one_thread()
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    number = FIRST + first
    done = 0
    while done < count:
        number += 1
        setting = compose(number, SIZE[1])
        bare = setting.words["tray"] == "none"
        if bare and number % 3:  # two of five scenes have no tray: a third of them will do
            continue
        done += 1
        if (folder / f"{number}.json").exists():
            continue
        seen, facts = seen_whole(setting)
        light, truth = traced(seen)
        random = np.random.default_rng([78, number])
        how = development(light, truth["dice"], random)
        image = exposed(tone(light, how), how, random)
        cv2.imwrite(str(folder / f"{number}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        (folder / f"{number}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
        print(f"{done} of {count}", flush=True)


def measure(folder: Path, sheet: Path | None) -> int:
    """Look for the tray in all pictures of a folder; prints the table, and draws what was found."""
    rows: dict[str, list[Look]] = {}
    tiles = []
    for path in sorted(folder.glob("*.json")):
        facts = json.loads(path.read_text(encoding="utf-8"))
        image = cv2.imread(str(path.with_suffix(".jpg")))
        found = find(image)
        look = judged(found, facts)
        rows.setdefault(facts["words"]["tray"], []).append(look)
        if look.wrong:
            print(f"{path.stem}: sure and wrong")
        color = (0, 0, 255) if look.wrong else (0, 220, 0) if found.sure else (0, 160, 255)
        if found.outline is not None:
            cv2.polylines(image, [np.round(found.outline).astype(np.int32)], True, color, 3, cv2.LINE_AA)
        cv2.putText(image, f"{path.stem} {found.shape} {found.code}", (4, 22), 0, 0.8, color, 2, cv2.LINE_AA)
        tiles.append(cv2.resize(image, (320, 240), interpolation=cv2.INTER_AREA))
    if not tiles:
        print(f"{folder} holds no pictures; make some first.")
        return 2
    print(
        f"{'tray':10} {'pictures':>8} {'sure':>5} {'wrong':>6} {'overlap':>8} {'worst':>6} {'guess right':>12}"
    )
    for kind, looks in sorted(rows.items()):
        sure = [each.overlap for each in looks if each.sure]
        shown = (
            f"{np.median(sure):8.3f} {min(sure):6.3f}" if sure and kind != "none" else f"{'-':>8} {'-':>6}"
        )
        wrong, right = (sum(getattr(each, what) for each in looks) for what in ("wrong", "right"))
        print(f"{kind:10} {len(looks):8} {len(sure):5} {wrong:6} {shown} {right:12}")
    if sheet is not None:
        tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 6)
        lines = [np.hstack(tiles[at : at + 6]) for at in range(0, len(tiles), 6)]
        cv2.imwrite(str(sheet), np.vstack(lines))
    return int(any(each.wrong for looks in rows.values() for each in looks))


@dataclass(frozen=True)
class Look:
    """What came of one picture."""

    sure: bool
    right: bool
    overlap: float

    @property
    def wrong(self) -> bool:
        """The one fault that matters."""
        return self.sure and not self.right


def judged(found: Found, facts: dict[str, Any]) -> Look:
    """What was found against what is there."""
    if facts["outer"] is None or found.outline is None:
        return Look(found.sure, facts["outer"] is None and found.outline is None, 0.0)
    outline, outer, opening = (_filled(each) for each in (found.outline, facts["outer"], facts["opening"]))
    held = (outline & opening).sum() / opening.sum()
    beyond = (outline & ~outer).sum() / outer.sum()
    overlap = float((outline & outer).sum() / (outline | outer).sum())
    return Look(found.sure, bool(held >= HELD and beyond <= BEYOND), overlap)


def _filled(outline: Any) -> np.ndarray:
    mask = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(outline)).astype(np.int32)], (1,))
    return mask > 0


def main(arguments: list[str] | None = None) -> int:
    """Make the pictures or measure on them; see the top of this file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trays", description=main.__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    making = actions.add_parser("make", help="render tables")
    measuring = actions.add_parser("measure", help="look for their trays")
    for each in (making, measuring):
        each.add_argument("folder", type=Path)
    making.add_argument("--count", type=int, default=100)
    making.add_argument("--first", type=int, default=0, help="leave out so many numbers")
    measuring.add_argument("--sheet", type=Path, help="draw all that was found into this picture")
    options = parser.parse_args(arguments)
    if options.action == "make":
        make(options.folder, options.count, options.first)
        return 0
    return measure(options.folder, options.sheet)


if __name__ == "__main__":
    sys.exit(main())
