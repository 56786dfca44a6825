"""`python -m models.training.render.stills --out DIR`: twelve still pictures of dice, and truth.json.

Each is made from its seed: other dice, other tables, other light than the film. A picture that is there already is
not rendered again, so that a run that was stopped goes on; about four minutes on two cores.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training.render.camera import lines, truth_of
from models.training.render.develop import Development, balanced, despeckled, exposed, metered, tone
from models.training.render.scene import Scene
from models.training.render.scenes import scene
from models.training.render.tracer import Tracer

ROUND = 16
JPEG_QUALITY = 90


@dataclass(frozen=True)
class Still:
    """One picture: its name, the scene it shows, and how it is exposed (`bright`: the level of its brightest parts)."""

    name: str
    scene: Scene
    bright: float = 0.5


def stills() -> list[Still]:
    """The twelve."""
    return [
        Still("white-bordeaux", scene(1, (4, 2, 1), ["white"], "walnut", "bordeaux", tilt=38), bright=0.36),
        Still("red-green", scene(2, (6, 5, 2), ["red"], "oak", "green", tilt=30)),
        Still("black-oak", scene(3, (6, 1, 1), ["black"], "oak", tilt=35)),
        Still("blue-white", scene(4, (5, 4, 3), ["blue"], "white", tilt=15)),
        Still("wood-slate", scene(5, (3, 3, 2), ["wood"], "slate", tilt=40), bright=0.2),
        Still("clear-red", scene(6, (2, 2, 4), ["clear red"], "grey", "green", tilt=10)),
        Still("ivory-hexagon", scene(7, (6, 6, 6), ["ivory"], "walnut", "hexagon", tilt=42)),
        Still("clear-blue", scene(8, (5, 1, 3), ["clear blue"], "white", tilt=28)),
        Still("marble-blue", scene(9, (4, 4, 1), ["marble"], "walnut", "blue", tilt=33), bright=0.38),
        Still(
            "mixed-check",
            scene(10, (1, 2, 3, 4, 5), ["white", "red", "blue", "yellow", "green"], "check", tilt=25),
        ),
        Still("yellow-black", scene(11, (6, 4, 2), ["yellow"], "grey", "black", tilt=45), bright=0.38),
        Still("white-white", scene(12, (5, 5), ["white"], "white", tilt=50), bright=0.6),
    ]


def render(still: Still, samples: int) -> np.ndarray:
    """The picture, (h, w, 3) uint8 BGR."""
    tracer = Tracer(still.scene)
    rounds = max(1, samples // ROUND)
    light = np.asarray(sum(tracer.render(ROUND, seed) for seed in range(rounds)) / rounds, np.float32)
    light = despeckled(light)
    random = np.random.default_rng(still.scene.seed)
    how = Development(
        exposure=metered(light, bright=still.bright * random.uniform(0.85, 1.15), share=0.95),
        balance=balanced(light, random.uniform(0.3, 0.9)),
        contrast=random.uniform(1.0, 1.25),
        softness=random.uniform(0.5, 0.9),
        noise=random.uniform(0.005, 0.014),
    )
    return exposed(tone(light, how), how, random)


def main(arguments: list[str] | None = None) -> int:
    """Render the still pictures; see the top of this file."""
    parser = argparse.ArgumentParser(prog="python -m models.training.render.stills", description=main.__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures and truth.json")
    parser.add_argument("--samples", type=int, default=48, help="paths a pixel")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    facts = []
    for still in stills():
        path = options.out / f"{still.name}.jpg"
        if not path.exists():
            cv2.imwrite(str(path), render(still, options.samples), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            print(path, file=sys.stderr)
        camera = still.scene.camera
        dice = [truth_of(die, camera) for die in still.scene.dice]
        facts.append({"image": path.name, "width": camera.width, "height": camera.height, "dice": dice})
    (options.out / "truth.json").write_text(lines(facts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
