"""The whole recipe at a tiny budget, from nothing: does making the networks again work here?

    python -m models.training.smoke --out DIR

Takes a minute or two. The photos are the project's own sample pictures; scenes are rendered where the renderer is
installed. Both networks are begun from nothing, which only must run without a fault, and then go on from the shipped
weights for a few steps, are exported, calibrated, evaluated, and at last read a picture: the commands are those of the
model card.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import sample_images
from vision.pictures import load_picture
from vision.pipeline import DiceReader

SAMPLES = Path(sample_images.__file__).parent
MODELS = Path(__file__).parents[1]
SOURCES = ("bar", "home", "club")
"""The sample pictures are dealt out to so many made-up sources, so that one can be left out."""


def photos(folder: Path) -> Path:
    """A folder of photos as `models.training.photos` describes it, of the sample pictures."""
    rows = []
    for number, facts in enumerate(json.loads((SAMPLES / "truth.json").read_text("utf-8"))):
        source = SOURCES[number % len(SOURCES)]
        # The number of a group decides whether it is held out from training; some must be.
        for copy in range(3):
            name = f"{source}_pictures/{copy}-{facts['image']}"
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(SAMPLES / facts["image"], folder / name)
            dice = [{"value": die["value"], "box": die["box"]} for die in facts["dice"]]
            rows.append({"image": name, "group": f"{copy}-{number}", "dice": dice})
    (folder / "truth.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


def steps(out: Path, pictures: Path) -> Iterator[list[str]]:
    """The commands of the recipe, in order, each as the module and its arguments."""
    data, valid, models = str(out / "data"), str(out / "valid"), str(out / "models")
    rendered: list[str] = []
    if importlib.util.find_spec("mitsuba"):
        yield [
            "render.factory",
            "--out",
            str(out / "rendered"),
            "--count",
            "2",
            "--size",
            "96",
            "--samples",
            "1",
        ]
        rendered = ["--rendered", str(out / "rendered")]
    shard = ["--photos", str(pictures), "--shards", "1", "--processes", "1"]
    yield ["dataset", *shard, *rendered, "--out", data, "--scenes", "40"]
    yield ["dataset", *shard, "--out", valid, "--scenes", "10", "--validation", "--first", "100000"]
    run = ["--data", data, "--valid", valid, "--out", str(out / "run"), "--threads", "1"]
    for name, amount, few, more in (("detector", "--scenes", 16, 32), ("reader", "--crops", 128, 256)):
        yield [f"train_{name}", *run, amount, str(few), "--name", f"new-{name}"]
        start = ["--start", str(MODELS / f"{name}.onnx"), "--rate", "1e-5"]
        yield [f"train_{name}", *run, *start, amount, str(few)]
        yield [f"train_{name}", *run, *start, amount, str(more)]  # goes on from where it was
    weights = [f"--{name}={out / 'run' / name}.weights.pt" for name in ("detector", "reader")]
    shipped = str(MODELS / "judge.json")  # until there is an own one
    yield ["export", *weights, "--data", data, "--samples", "8", "--judge", shipped, "--out", models]
    yield ["calibrate", "--photos", str(pictures), "--models", models, "--painted", "8", "--out",
           str(out / "models" / "judge.json"), "--plot", str(out / "reliability.svg"), "--threads", "1"]  # fmt: skip
    yield [
        "evaluate",
        "--photos",
        str(pictures),
        "--models",
        models,
        "--out",
        str(out / "report"),
        "--threads",
        "1",
    ]


def main() -> int:
    """Runs every step, and reads a picture with what was made."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="a folder that is empty or not there")
    args = parser.parse_args()
    if args.out.exists() and any(args.out.iterdir()):
        parser.error(f"{args.out} is not empty; the recipe is tried from a clean folder")
    pictures = photos(args.out / "photos")
    for module, *rest in steps(args.out, pictures):
        start = time.monotonic()
        done = subprocess.run([sys.executable, "-m", f"models.training.{module}", *rest], check=False)
        if done.returncode:
            print(f"{module} failed with status {done.returncode}", file=sys.stderr)
            return 1
        print(f"--- {module}: {time.monotonic() - start:.0f} s", flush=True)
    reading = DiceReader(args.out / "models", threads=1).read(load_picture(SAMPLES / "black-oak.jpg"))
    print(f"made and run: read {len(reading.dice)} dice, {'sure' if reading.sure else 'unsure'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
