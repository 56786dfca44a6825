"""Measures the shipped reader on photos with truth, and shows every failure.

    python -m models.training.evaluate --photos DIR --out DIR [--max-dice N]

Prints one line a source and writes `index.html` with every picture that was read wrong: what was seen beside the truth.
"""

from __future__ import annotations

import argparse
import html
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2

from vision.pictures import draw_reading, load_picture
from vision.pipeline import DiceReader
from vision.roll import Reading


@dataclass
class Row:
    """One picture: its name, the true values, and what was read."""

    name: str
    truth: list[int]
    reading: Reading

    @property
    def exact(self) -> bool:
        """Whether every die was read right, and nothing else was read."""
        return sorted(self.truth) == sorted(self.reading.roll)


def table(rows: list[Row]) -> list[tuple[str, ...]]:
    """Figures by source, the last line for all: images, exact, die, extra, sure, silent."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.name.split("/")[0], []).append(row)
    groups = {**dict(sorted(groups.items())), "ALL": rows}
    lines = [("source", "images", "exact", "dice", "die", "extra", "sure", "silent")]
    for name, group in groups.items():
        dice = sum(len(r.truth) for r in group)
        hit = sum((Counter(r.truth) & Counter(r.reading.roll)).total() for r in group)
        extra = sum(len(r.reading.roll) for r in group) - hit
        sure = [r for r in group if r.reading.sure]
        silent = sum(not r.exact for r in sure)
        share = _share
        exact = sum(r.exact for r in group)
        lines.append((name, str(len(group)), share(exact, len(group)), str(dice), share(hit, dice), share(extra, dice),
                      share(len(sure), len(group)), share(silent, len(sure))))  # fmt: skip
    return lines


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def page(rows: list[Row], folder: Path, photos: Path) -> int:
    """Writes `index.html` and the pictures of the failures into `folder`; returns how many there are."""
    wrong = [row for row in rows if not row.exact]
    wrong.sort(key=lambda row: (not row.reading.sure, row.name))
    parts = []
    for number, row in enumerate(wrong):
        drawn = draw_reading(load_picture(photos / row.name), row.reading)
        scale = min(1.0, 900 / max(drawn.shape[:2]))
        drawn = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{number:04d}.jpg"), drawn, [cv2.IMWRITE_JPEG_QUALITY, 85])
        truth = " ".join(map(str, sorted(row.truth, reverse=True))) or "no dice"
        read = " ".join(map(str, row.reading.roll)) or "no dice"
        kind = "SILENT" if row.reading.sure else "asked: " + ", ".join(row.reading.reasons)
        words = f"<b>{html.escape(row.name)}</b><br>is {truth}<br>read {read}<br>{html.escape(kind)}"
        parts.append(f"<figure><img src='{number:04d}.jpg' alt=''><figcaption>{words}</figcaption></figure>")
    cells = "".join(
        "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in line) + "</tr>" for line in table(rows)
    )
    style = "body{font:15px sans-serif;margin:2em}"
    style += "figure{display:inline-block;vertical-align:top;width:440px;margin:8px}"
    style += "img{width:100%}td{padding:2px 10px;text-align:right}td:first-child{text-align:left}"
    text = f"<!doctype html><meta charset=utf-8><title>Failures</title><style>{style}</style><h1>{len(wrong)} of "
    text += f"{len(rows)} pictures read wrong</h1><table>{cells}</table>{''.join(parts)}"
    (folder / "index.html").write_text(text, "utf-8")
    return len(wrong)


def main() -> None:
    """Reads all pictures of a folder and reports."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True, help="folder with truth.jsonl")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--models", type=Path, help="folder of the networks (default: the shipped ones)")
    parser.add_argument("--max-dice", type=int, default=99)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    reader = DiceReader(args.models, threads=args.threads)
    rows = []
    for line in (args.photos / "truth.jsonl").read_text("utf-8").splitlines():
        truth = json.loads(line)
        if len(truth["dice"]) <= args.max_dice:
            reading = reader.read(load_picture(args.photos / truth["image"]))
            rows.append(Row(truth["image"], [d["value"] for d in truth["dice"]], reading))
    for line in table(rows):
        print(f"{line[0]:50}" + "".join(f"{cell:>9}" for cell in line[1:]))
    print(f"{page(rows, args.out, args.photos)} failures in {args.out / 'index.html'}")


if __name__ == "__main__":
    main()
