"""Materials of the data factory: one kind of coat for all that is opaque, whose colour is always a picture.

The renderer compiles code for every new combination of kinds of material; with few kinds it seldom has to.
"""

from __future__ import annotations

import colorsys
from dataclasses import replace
from typing import Any

import numpy as np

from models.training.render.mesh import Mesh, rectangle
from models.training.render.parts import Part
from models.training.render.scene import LAMP_UP, Color, Lamp
from models.training.render.textures import Texture


def tint(hue: float, saturation: float, value: float) -> Color:
    """Linear reflectance of a colour given as a screen shows it: hue, saturation and value, 0 to 1."""
    red, green, blue = colorsys.hsv_to_rgb(
        hue % 1.0, min(max(saturation, 0.0), 1.0), min(max(value, 0.0), 1.0)
    )
    return (max(red**2.2, 0.004), max(green**2.2, 0.004), max(blue**2.2, 0.004))


def shown(color: Color) -> np.ndarray:
    """The same colour as a screen shows it, (3,), 0 to 1."""
    return np.asarray(np.array(color) ** (1 / 2.2))


def brightness(color: Color) -> float:
    """How bright a colour looks, 0 to 1."""
    return float(shown(color) @ np.array([0.299, 0.587, 0.114]))


def any_color(random: np.random.Generator, low: float = 0.1, high: float = 1.0) -> Color:
    """A colour of any hue whose value is between `low` and `high`."""
    return tint(random.uniform(), random.beta(1.2, 1.5), random.uniform(low, high))


def even(color: Color) -> Texture:
    """A picture of one colour."""
    return np.full((2, 2, 3), color, np.float32)


def coat(
    picture: Texture,
    size: float = 1.0,
    *,
    rough: float = 0.5,
    shine: float = 0.5,
    metal: float = 0.0,
    lacquer: float = 0.0,
) -> dict[str, Any]:
    """An opaque surface: `picture` repeats after `size` in `uv`; `rough` is 0.03 (wet) to 1 (felt), `shine` the
    strength of its reflection, `metal` 0 to 1, `lacquer` a second, smooth layer over it.
    """
    return {
        "type": "twosided",
        "bsdf": {
            "type": "principled",
            "base_color": {"picture": picture, "size": size},
            "roughness": max(rough, 0.03),
            "specular": max(shine, 0.01),
            # Nought would leave the term out, which is another kind of material to the compiler.
            "metallic": max(metal, 0.001),
            "clearcoat": max(lacquer, 0.001),
            "clearcoat_gloss": 0.9,
        },
    }


def resin(picture: Texture, size: float = 1.0, *, clear: float = 0.9, rough: float = 0.05) -> dict[str, Any]:
    """Translucent resin; `clear` is how much light goes through, 0 to 1."""
    return {
        "type": "principled",
        "base_color": {"picture": picture, "size": size},
        "spec_trans": clear,
        "eta": 1.49,
        "roughness": max(rough, 0.03),
    }


def glass() -> dict[str, Any]:
    """Clear glass."""
    return {"type": "dielectric", "int_ior": 1.5}


def part(mesh: Mesh, material: dict[str, Any]) -> Part:
    """A mesh with its coat; every mesh gets `uv`, so that all are of one kind.

    The picture's size is taken out of the material and into `uv`, since the renderer compiles such numbers in.
    """
    uv = mesh.vertices[:, :2] if mesh.uv is None else mesh.uv
    inner = material.get("bsdf", material)
    picture = inner["base_color"]
    inner = inner | {"base_color": picture | {"size": 1.0}}
    mesh = Mesh(mesh.vertices, mesh.faces, mesh.normals, uv / picture["size"])
    return Part(mesh, material | {"bsdf": inner} if "bsdf" in material else inner)


FILLED: dict[str, tuple[int, ...]] = {
    "twosided": (20, 40, 80),
    "principled": (0, 8, 16),
    "dielectric": (0, 4, 8),
}
"""How many parts of each kind of material a scene may have."""
LAMPS = 3


def filled(parts: dict[str, Part], lamps: tuple[Lamp, ...]) -> tuple[dict[str, Part], tuple[Lamp, ...]]:
    """The parts sorted by kind of material, each kind filled up with hidden ones to a number allowed, and the lamps as
    always equally many.

    The renderer compiles code that depends on how many meshes of which kind there are; with few such numbers the code
    for an earlier scene, kept on disk, will mostly do.
    """
    grey = even((0.5, 0.5, 0.5))
    materials = {"twosided": coat(grey), "principled": resin(grey), "dielectric": glass()}
    kinds: dict[str, dict[str, Part]] = {kind: {} for kind in FILLED}
    for name, each in parts.items():
        kinds[each.material["type"]][name] = each
    made: dict[str, Part] = {}
    for kind, own in kinds.items():
        made |= own
        material = materials[kind]
        missing = min((most for most in FILLED[kind] if most >= len(own)), default=len(own)) - len(own)
        for index in range(missing):
            bit = rectangle(0.001, 0.001, -1.0 - 0.01 * index)
            made[f"hidden_{kind}{index}"] = (
                part(bit, material) if kind != "dielectric" else Part(bit, material)
            )
    if not lamps:
        raise ValueError("A scene needs a lamp besides the light from everywhere.")
    more = LAMPS - len(lamps)
    return made, (*_strips(lamps[0], 1 + more), *lamps[1:]) if more > 0 else lamps


def _strips(lamp: Lamp, count: int) -> tuple[Lamp, ...]:
    """The same lamp as several, side by side."""
    at = np.array(lamp.position)
    ahead = np.array(lamp.target) - at
    aside = np.cross(LAMP_UP, ahead / np.linalg.norm(ahead))
    aside *= lamp.width / np.linalg.norm(aside)
    strips = []
    for index in range(count):
        x, y, z = at + ((index + 0.5) / count - 0.5) * aside
        # Seen from a strip the target lies in the same direction as seen from the middle.
        a, b, c = np.array([x, y, z]) + ahead
        place, target = (float(x), float(y), float(z)), (float(a), float(b), float(c))
        strips.append(replace(lamp, position=place, target=target, width=lamp.width / count))
    return tuple(strips)
