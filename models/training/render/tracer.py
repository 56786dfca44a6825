"""Renders a scene with Mitsuba 3: linear light as float32, from data to picture and nothing kept in between.

The same seed gives the same noise. `Tracer` keeps a loaded scene, in which dice and other moving meshes can
be set to new places without loading it again.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from typing import Any

import drjit  # type: ignore[import-not-found, unused-ignore]
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from models.training.render.mesh import Mesh
from models.training.render.parts import Part, parts_of
from models.training.render.scene import LAMP_UP, Camera, Color, Lamp, Scene

VARIANTS = ("llvm_ad_rgb", "scalar_rgb")
DEPTH = 6
GLASS = ("_glass", "_drink")
"""How the names of parts end that one looks through."""

Light = NDArray[np.float32]
"""(h, w, 3) linear radiance, red green blue."""


def choose_variant() -> str:
    """Set Mitsuba's fastest variant that works here and give its name."""
    for name in VARIANTS:
        if name not in mi.variants():
            continue
        try:
            mi.set_variant(name)
            mi.ScalarTransform4f()
            float(np.asarray(mi.Float(1.0) + 1.0).ravel()[0])  # fails here if LLVM's library is not found
        except (ImportError, RuntimeError):
            continue
        return name
    raise RuntimeError(
        "No variant of Mitsuba works here: install LLVM's library and set DRJIT_LIBLLVM_PATH to it."
    )


def one_thread() -> None:
    """Trace with this thread alone: other processes have the other cores."""
    drjit.set_thread_count(1)


class Tracer:
    """A scene loaded for rendering. `moving` are meshes beyond the scene's own, by name."""

    def __init__(self, scene: Scene, moving: Mapping[str, Part] | None = None) -> None:
        parts = parts_of(scene)
        parts.update(moving or {})
        self._load(parts, scene.camera, scene.lamps, scene.sky)

    @classmethod
    def of(
        cls,
        parts: Mapping[str, Part],
        camera: Camera,
        lamps: Sequence[Lamp],
        sky: Color,
        *,
        sampler: str = "independent",
    ) -> Tracer:
        """A scene given as meshes with materials."""
        made = cls.__new__(cls)
        gc.collect()  # the numbers by which an earlier scene's meshes were known are compiled in, and free again now
        made._load(parts, camera, lamps, sky, sampler)
        return made

    def _load(
        self,
        parts: Mapping[str, Part],
        camera: Camera,
        lamps: Sequence[Lamp],
        sky: Color,
        sampler: str = "independent",
    ) -> None:
        if mi.variant() is None:
            choose_variant()
        self._rest: dict[str, Mesh] = {}
        tree: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": DEPTH, "rr_depth": 5},
            "sensor": _sensor(camera, sampler),
            "sky": {"type": "constant", "radiance": _rgb(sky)},
        }
        for index, lamp in enumerate(lamps):
            tree[f"lamp{index}"] = _lamp(f"lamp{index}", lamp)
        for name, part in parts.items():
            tree[name] = _shape(name, part)
            self._rest[name] = part.mesh
        self._scene = mi.load_dict(tree)
        glass = {name for name in parts if name.endswith(GLASS)}
        self._solid = self._scene
        if glass:
            self._solid = mi.load_dict(
                {"type": "scene"} | {name: tree[name] for name in parts if name not in glass}
            )
        self._parameters = mi.traverse(self._scene)

    def place(self, name: str, rotation: NDArray[np.float64], position: NDArray[np.float64]) -> None:
        """Put a mesh, given in its own coordinates, somewhere; takes effect with `render`."""
        mesh = self._rest[name].moved(rotation, position)
        self._parameters[f"{name}.vertex_positions"] = mesh.vertices.astype(np.float32).ravel()
        if mesh.normals is not None:
            self._parameters[f"{name}.vertex_normals"] = mesh.normals.astype(np.float32).ravel()

    def render(self, samples: int, seed: int = 0) -> Light:
        """Trace `samples` paths a pixel."""
        self._parameters.update()
        return np.array(mi.render(self._scene, spp=samples, seed=seed), dtype=np.float32)[..., :3]

    def blocked(
        self, eye: NDArray[np.float64], points: NDArray[np.float64], *, through_glass: bool = False
    ) -> NDArray[np.bool_]:
        """Whether something stands between an eye (3,) and each of (n, 3) points; `through_glass`: glass does not."""
        way = np.asarray(eye - points, np.float32).T
        away = np.linalg.norm(way, axis=0)
        start, direction = mi.Point3f(np.asarray(points, np.float32).T), mi.Vector3f(way / away)
        ray = mi.Ray3f(start, direction, mi.Float(away * 0.999), 0.0, [])
        return np.array((self._solid if through_glass else self._scene).ray_test(ray), dtype=bool)


def _rgb(color: tuple[float, float, float]) -> dict[str, Any]:
    return {"type": "rgb", "value": list(color)}


def _sensor(camera: Camera, sampler: str) -> dict[str, Any]:
    return {
        "type": "perspective",
        "fov": camera.angle,
        "fov_axis": "x",
        "near_clip": 0.01,
        "to_world": mi.ScalarTransform4f().look_at(
            origin=list(camera.position), target=list(camera.target), up=[0, 0, 1]
        ),
        "film": {
            "type": "hdrfilm",
            "width": camera.width,
            "height": camera.height,
            "pixel_format": "rgb",
            "component_format": "float32",
            "rfilter": {"type": "gaussian", "stddev": 0.5},
        },
        "sampler": {"type": sampler},
    }


def _lamp(name: str, lamp: Lamp) -> Any:
    """A glowing mesh of two triangles; a rectangle's place would be compiled into the renderer's code."""
    at, ahead = np.array(lamp.position), np.array(lamp.target) - lamp.position
    ahead /= np.linalg.norm(ahead)
    right = np.cross(LAMP_UP, ahead)
    right /= np.linalg.norm(right)
    up = np.cross(ahead, right)
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    corners = at + signs[:, :1] * lamp.width * right + signs[:, 1:] * lamp.depth * up
    properties = mi.Properties()
    properties["emitter"] = mi.load_dict({"type": "area", "radiance": _rgb(lamp.power)})
    made = mi.Mesh(name, vertex_count=4, face_count=2, props=properties)
    parameters = mi.traverse(made)
    parameters["vertex_positions"] = corners.astype(np.float32).ravel()
    parameters["faces"] = np.array([[0, 1, 2], [0, 2, 3]], np.uint32).ravel()
    parameters.update()
    return made


def _shape(name: str, part: Part) -> Any:
    properties = mi.Properties()
    properties["mesh_bsdf"] = mi.load_dict(_with_textures(part.material))
    mesh = part.mesh
    made = mi.Mesh(
        name,
        vertex_count=len(mesh.vertices),
        face_count=len(mesh.faces),
        has_vertex_normals=mesh.normals is not None,
        has_vertex_texcoords=mesh.uv is not None,
        props=properties,
    )
    if mesh.colors is not None:
        made.add_attribute("vertex_color", 3, mesh.colors.astype(np.float32).ravel())
    parameters = mi.traverse(made)
    parameters["vertex_positions"] = mesh.vertices.astype(np.float32).ravel()
    parameters["faces"] = mesh.faces.astype(np.uint32).ravel()
    if mesh.normals is not None:
        parameters["vertex_normals"] = mesh.normals.astype(np.float32).ravel()
    if mesh.uv is not None:
        parameters["vertex_texcoords"] = mesh.uv.astype(np.float32).ravel()
    parameters.update()
    return made


def _with_textures(material: Any) -> Any:
    """Turn every {"picture": array, "size": metres} in a material into a texture that repeats after `size` metres."""
    if not isinstance(material, dict):
        return material
    if "picture" in material:
        texture = {
            "type": "bitmap",
            "bitmap": mi.Bitmap(np.ascontiguousarray(material["picture"], dtype=np.float32)),
            "raw": True,
            "wrap_mode": "repeat",
        }
        if material["size"] != 1:
            texture["to_uv"] = mi.ScalarTransform3f().scale([1 / material["size"]] * 2)
        return texture
    return {key: _with_textures(value) for key, value in material.items()}
