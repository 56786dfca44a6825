"""Everything that is on the table, drawn at any time: the empty table, things, dice, then hands above them.

What lies still is drawn once; what moves within an exposure is drawn several times and averaged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks.clips import hand as hands
from benchmarks.clips import props
from benchmarks.clips.die import Look, Patch, Pose, render, shadow
from benchmarks.clips.ground import Ground, Tray
from benchmarks.clips.motion import Track
from benchmarks.clips.props import Place, Prop
from benchmarks.clips.view import Floats, Light, Points, View

BLUR_STEPS = 4
Grasp = tuple[hands.Hand, Points]
"""A hand and where its tip is, (3,) world."""


@dataclass
class Actors:
    """Who does what when: a track for each die, thing and hand; None is out of sight. `shade` is a shadow that passes:
    factors (h, w, 1) on all light, or None."""

    looks: list[Look] = field(default_factory=list)
    dice: list[Track[Pose | None]] = field(default_factory=list)
    props: list[tuple[Prop, Track[Place | None]]] = field(default_factory=list)
    hands: list[Track[Grasp | None]] = field(default_factory=list)
    shade: Callable[[float], Floats | None] = lambda _: None


class Stage:
    """Draws `actors` in one light. Times are seconds of the clip."""

    def __init__(self, view: View, light: Light, tray: Tray, ground: Ground, actors: Actors) -> None:
        self._view, self._light, self._tray, self._ground, self._actors = view, light, tray, ground, actors
        self._patches: dict[int, tuple[Pose, Patch | None, tuple[int, int, Floats] | None]] = {}
        self._sprites: dict[hands.Hand, hands.Sprite] = {}
        self._still_of: list[object] | None = None

    def picture(self, time: float, shutter: float) -> Floats:
        """The linear light (h, w, 3) that falls into the camera from `time` on for `shutter` seconds."""
        times = [time + shutter * (step + 0.5) / BLUR_STEPS for step in range(BLUR_STEPS)]
        poses = [[track.at(each) for track in self._actors.dice] for each in times]
        moving = {i for i, first in enumerate(poses[0]) if any(row[i] is not first for row in poses[1:])}
        things = [
            (prop, place) for prop, track in self._actors.props if (place := track.at(time)) is not None
        ]
        lying = {i: pose for i, pose in enumerate(poses[0]) if i not in moving and pose is not None}
        key: list[object] = [*(place for _, place in things), *lying.values()]
        before = self._still_of
        if (
            before is None
            or len(key) != len(before)
            or any(a is not b for a, b in zip(key, before, strict=True))
        ):
            bare = self._ground.picture.copy()
            for prop, place in things:
                props.lay(bare, self._view, self._light, prop, place)
            self._bare = bare
            self._still = bare.copy() if lying else bare
            self._dice(self._still, lying, (0, 0))
            self._still_of = key
        out = self._still.copy()
        if moving:
            self._blur(out, lying, [{i: row[i] for i in moving} for row in poses])
        dark = self._actors.shade(time)
        if dark is not None:
            out *= dark
        for track in self._actors.hands:
            grasps = [grasp for each in times if (grasp := track.at(each)) is not None]
            if grasps:
                hand = grasps[0][0]
                ways = [place for other, place in grasps if other == hand]
                if max(float(np.abs(way - ways[0]).max()) for way in ways) * self._view.die_px < 0.5:
                    ways = ways[:1]
                hands.lay(out, self._view, self._light, self._sprite(hand), ways)
        return out

    def _sprite(self, hand: hands.Hand) -> hands.Sprite:
        if hand not in self._sprites:
            self._sprites[hand] = hands.draw(self._view, self._light, hand)
        return self._sprites[hand]

    def _blur(self, out: Floats, lying: dict[int, Pose], steps: list[dict[int, Pose | None]]) -> None:
        """Draw what moves into `out`, in place, as the mean of its steps."""
        drawn = [
            {i: self._drawn(i, pose, 1) for i, pose in step.items() if pose is not None} for step in steps
        ]
        boxes = []
        for step in drawn:
            for _, patch, dark in step.values():
                if patch is not None:
                    boxes.append(patch.box)
                if dark is not None:
                    x, y, factor = dark
                    boxes.append((x, y, x + factor.shape[1], y + factor.shape[0]))
        if not boxes:
            return
        low = np.min([box[:2] for box in boxes], axis=0)
        high = np.max([box[2:] for box in boxes], axis=0)
        cells = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        total = np.zeros_like(out[cells])
        for step in drawn:
            piece = self._bare[cells].copy()
            self._compose(piece, {**{i: self._kept(i, pose) for i, pose in lying.items()}, **step}, low)
            total += piece
        out[cells] = total / len(drawn)

    def _dice(self, picture: Floats, lying: dict[int, Pose], low: tuple[int, int]) -> None:
        self._compose(picture, {i: self._kept(i, pose) for i, pose in lying.items()}, np.array(low))

    def _kept(self, index: int, pose: Pose) -> tuple[Pose, Patch | None, tuple[int, int, Floats] | None]:
        known = self._patches.get(index)
        if known is None or known[0] is not pose:
            known = self._drawn(index, pose, 2)
            self._patches[index] = known
        return known

    def _drawn(
        self, index: int, pose: Pose, factor: int
    ) -> tuple[Pose, Patch | None, tuple[int, int, Floats] | None]:
        look = self._actors.looks[index]
        return (
            pose,
            render(self._view, self._light, look, pose, factor),
            shadow(self._view, self._light, look, pose, 12 if factor > 1 else 4),
        )

    def _compose(
        self,
        picture: Floats,
        dice: dict[int, tuple[Pose, Patch | None, tuple[int, int, Floats] | None]],
        low: Points,
    ) -> None:
        """Shadows, then dice from far to near, the tray's near rim before those that are in front of it."""
        for _, _, dark in dice.values():
            if dark is not None:
                x, y, factor = dark
                _piece(picture, x - low[0], y - low[1], factor[..., None], None)
        order = sorted(
            dice.values(), key=lambda each: -float((each[0].position - self._view.eye) @ self._view.forward)
        )
        behind = [each for each in order if self._inside(each[0])]
        for _, patch, _ in behind:
            if patch is not None:
                _piece(picture, patch.x - low[0], patch.y - low[1], 1 - patch.opacity, patch.colour)
        if behind and self._tray.shape != "none":
            rows, columns = (
                slice(int(start), int(start) + n)
                for start, n in zip(low[::-1], picture.shape[:2], strict=True)
            )
            front = self._ground.front[rows, columns]
            picture += front * (self._ground.picture[rows, columns] - picture)
        for each in order:
            patch = each[1]
            if patch is not None and not self._inside(each[0]):
                _piece(picture, patch.x - low[0], patch.y - low[1], 1 - patch.opacity, patch.colour)

    def _inside(self, pose: Pose) -> bool:
        x, y = (np.float32(each) for each in pose.position[:2])
        return float(self._tray.reach(np.asarray(x), np.asarray(y))) < self._tray.radius + self._tray.wall


def _piece(picture: Floats, x: int, y: int, factor: Floats, add: Floats | None) -> None:
    """Multiply a piece of the picture by `factor` and add to it, in place, where it lies in the picture."""
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + factor.shape[1], picture.shape[1]), min(y + factor.shape[0], picture.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = slice(y0 - y, y1 - y), slice(x0 - x, x1 - x)
    piece = picture[y0:y1, x0:x1]
    piece *= factor[part]
    if add is not None:
        piece += add[part]


def shade(view: View, points: Points, depth: float, blur: float) -> Floats:
    """Factors (h, w, 1) of a soft shadow over the whole table: a polygon (n, 2) in pixels, `depth` 0 to 1."""
    small = 4
    mask = np.zeros((view.height // small, view.width // small), np.uint8)
    cv2.fillPoly(mask, [np.round(points / small * 8).astype(np.int32)], (255,), cv2.LINE_AA, 3)
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), max(0.5, blur / small))
    whole = cv2.resize(np.asarray(soft), (view.width, view.height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(1 - depth * np.asarray(whole), np.float32)[..., None]
