"""From a scene to meshes with materials: everything that the renderer is given, but for light and camera.

Materials are Mitsuba's descriptions as plain data, with pictures as arrays: {"picture": (h, w, 3), "size":
metres}.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from models.training.render import textures
from models.training.render.dice import DieShape, build
from models.training.render.mesh import Mesh, disk, joined, rectangle, turned
from models.training.render.scene import Color, Die, DieLook, Scene, Surface, Thing, Tray

TABLE_DROP = 0.012  # the table lies this much lower than the felt of a tray
CHIP_RADIUS, CHIP_HEIGHT = 0.0195, 0.0033


@dataclass(frozen=True)
class Part:
    """One mesh of one material."""

    mesh: Mesh
    material: dict[str, Any]


def parts_of(scene: Scene) -> dict[str, Part]:
    """All meshes of a scene by name; the dice are `die0_body`, `die0_pips` and so on, in place."""
    random = np.random.default_rng(scene.seed)
    floor = 0.0 if scene.tray is None else -TABLE_DROP
    parts = {"table": _table(scene.surface, floor, random)}
    if scene.tray is not None:
        parts.update(_tray(scene.tray, floor, random))
    for index, thing in enumerate(scene.things):
        parts.update(_thing(f"thing{index}", thing, floor, random))
    for index, die in enumerate(scene.dice):
        for name, part in die_parts(die, random).items():
            mesh = part.mesh.moved(die.rotation, np.array(die.position))
            parts[f"die{index}_{name}"] = replace(part, mesh=mesh)
    return parts


def die_parts(die: Die, random: np.random.Generator) -> dict[str, Part]:
    """`body` and `pips` of a die in its own coordinates."""
    look = die.look
    body, pips = build(DieShape(side=die.side, round=die.round, pip=die.pip, slant=die.slant))
    if look.kind in ("marble", "wood"):
        paint = textures.marble if look.kind == "marble" else textures.grain
        body = replace(body, colors=paint(body.vertices / die.side, look.color, look.second, random))
    ink = {"type": "twosided", "bsdf": plastic(_color(look.pips), 0.25)}
    return {"body": Part(body, _die_material(look)), "pips": Part(pips, ink)}


def _die_material(look: DieLook) -> dict[str, Any]:
    if look.kind == "clear":
        return {
            "type": "principled",
            "base_color": _color(look.color),
            "spec_trans": 0.92,
            "eta": 1.5,
            "roughness": max(look.gloss, 0.05),
        }
    if look.kind in ("marble", "wood"):
        return painted(look.gloss)
    return plastic(_color(look.color), look.gloss)


def plastic(color: dict[str, Any], gloss: float) -> dict[str, Any]:
    """A coloured body under a clear, more or less polished skin."""
    return {"type": "roughplastic", "diffuse_reflectance": color, "alpha": max(0.02, gloss), "int_ior": 1.49}


def painted(gloss: float) -> dict[str, Any]:
    """Like `plastic`, coloured by the mesh's own colours."""
    color = {"type": "mesh_attribute", "name": "vertex_color"}
    return {"type": "principled", "base_color": color, "roughness": max(0.02, gloss) ** 0.5, "specular": 0.5}


def matt(color: dict[str, Any]) -> dict[str, Any]:
    """A surface without any shine."""
    return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": color}}


def picture(texture: textures.Texture, size: float) -> dict[str, Any]:
    """A texture that repeats after `size` metres."""
    return {"picture": texture, "size": size}


def _color(color: Color) -> dict[str, Any]:
    return {"type": "rgb", "value": list(color)}


def _table(surface: Surface, floor: float, random: np.random.Generator) -> Part:
    mesh = rectangle(3.0, 3.0, floor)
    turn = random.uniform(-0.3, 0.3)
    c, s = np.cos(turn), np.sin(turn)
    mesh = replace(mesh, uv=mesh.vertices[:, :2] @ np.array([[c, -s], [s, c]]))
    if surface.kind == "wood":
        return Part(mesh, plastic(picture(textures.wood(surface.colors, random), 0.42), surface.gloss))
    if surface.kind == "cloth":
        return Part(mesh, matt(picture(textures.checked(*surface.colors[:2], random), 0.16)))
    return Part(mesh, plastic(picture(textures.mottled(surface.colors[0], random), 0.4), surface.gloss))


def _tray(tray: Tray, floor: float, random: np.random.Generator) -> dict[str, Part]:
    felt = picture(textures.felt(tray.felt, random), 0.11)
    inner, outer, top, bevel = tray.radius, tray.radius + tray.wall, tray.rim, 0.003
    wall = turned(
        [
            (outer, floor),
            (outer, top - bevel),
            (outer - bevel, top),
            (inner + bevel, top),
            (inner, top - bevel),
            (inner, -0.001),
        ],
        sides=tray.sides,
    )
    grainy = picture(textures.wood(tray.wood, random, planks=1), 0.25)
    lining = turned([(inner - 0.0007, 0.8 * top), (inner - 0.0007, 0.0)], sides=tray.sides)
    bottom = disk(tray.radius, 0.0, sides=tray.sides)
    return {
        "rim": Part(wall, {"type": "twosided", "bsdf": plastic(grainy, 0.12)}),
        "felt": Part(joined([bottom, lining]), matt(felt)),
    }


def _thing(name: str, thing: Thing, floor: float, random: np.random.Generator) -> dict[str, Part]:
    at = np.array([thing.x, thing.y, floor])
    c, s = np.cos(thing.turn), np.sin(thing.turn)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def put(mesh: Mesh) -> Mesh:
        return mesh.moved(turn, at)

    if thing.kind == "chips":
        return _chips(name, thing, at, random)
    if thing.kind == "glass":
        tumbler = turned(
            [(0.0, 0.0), (0.030, 0.0), (0.036, 0.095), (0.0345, 0.0955), (0.0285, 0.012), (0.0, 0.012)],
            sides=96,
        )
        drink = turned([(0.0, 0.0125), (0.0282, 0.0125), (0.0318, 0.050), (0.0, 0.050)], sides=96)
        amber = {
            "type": "principled",
            "base_color": _color(thing.color),
            "spec_trans": 0.9,
            "eta": 1.33,
            "roughness": 0.05,
        }
        return {
            f"{name}_glass": Part(put(tumbler), {"type": "dielectric", "int_ior": 1.5}),
            f"{name}_drink": Part(put(drink), amber),
        }
    if thing.kind == "coaster":
        mat = turned([(0.047, 0.0), (0.047, 0.0012), (0.0, 0.0012)], sides=96)
        return {name: Part(put(mat), matt(picture(textures.mottled(thing.color, random, 0.1), 0.1)))}
    if thing.kind == "cup":
        hide = picture(textures.leather(thing.color, random), 0.05)
        return {name: Part(put(cup_mesh()), {"type": "twosided", "bsdf": plastic(hide, 0.3)})}
    sheet = rectangle(0.105, 0.148, 0.0006)
    return {name: Part(put(sheet), matt(picture(textures.mottled(thing.color, random, 0.02), 0.2)))}


def cup_mesh() -> Mesh:
    """A dice cup standing on its base."""
    return turned(
        [
            (0.0, 0.0),
            (0.036, 0.0),
            (0.041, 0.088),
            (0.043, 0.092),
            (0.040, 0.093),
            (0.034, 0.006),
            (0.0, 0.006),
        ],
        sides=96,
    )


def _chips(name: str, thing: Thing, at: np.ndarray, random: np.random.Generator) -> dict[str, Part]:
    bodies, edges = [], []
    r, h, b = CHIP_RADIUS, CHIP_HEIGHT, 0.0006
    whole = turned([(r - b, 0.0), (r, b), (r, h - b), (r - b, h), (0.0, h)], sides=64)
    inlay = turned([(0.6 * r, h + 0.00008), (0.52 * r, h + 0.00008)], sides=64)
    for level in range(thing.count):
        shift = at + np.array([*random.normal(0, 0.0008, 2), level * (h + 0.0001)])
        bodies.append(whole.moved(np.eye(3), shift))
        edges.append(inlay.moved(np.eye(3), shift))
    return {
        f"{name}_body": Part(joined(bodies), plastic(_color(thing.color), 0.15)),
        f"{name}_inlay": Part(joined(edges), matt(_color((0.7, 0.66, 0.55)))),
    }
