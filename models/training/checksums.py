"""Writes the list of checksums by which the program knows the model files that belong together."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from models import CONTRACT

FILES = ("detector.onnx", "reader.onnx", "judge.json")


def write_checksums(folder: Path) -> None:
    """Lists the model files of `folder` with their SHA-256."""
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in FILES
        if (folder / name).exists()
    }
    text = json.dumps({"contract": CONTRACT, "files": files}, indent=2)
    (folder / "checksums.json").write_text(text + "\n", "utf-8")
