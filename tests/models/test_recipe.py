"""The recipe runs from a clean folder. Needs the `train` dependency group; skipped without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_training_from_nothing_to_a_reading(tmp_path: Path) -> None:
    """Data, both trainings (new, resumed, from the shipped weights), export, calibration, figures, one reading."""
    pytest.importorskip("torch", reason="needs the train group (uv sync --group train)")
    pytest.importorskip("onnx", reason="needs the train group (uv sync --group train)")
    out = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-m", "models.training.smoke", "--out", str(out)],
        cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "made and run: read" in done.stdout
    for name in ("models/detector.onnx", "models/reader.onnx", "models/judge.json", "report/index.html"):
        assert (out / name).stat().st_size > 0
