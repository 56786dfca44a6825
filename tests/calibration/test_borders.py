"""Calibration stands alone: it knows neither of reading dice nor of games."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import calibration

MODULES = sorted(Path(calibration.__file__).parent.glob("*.py"))
ALLOWED = {"calibration", "cv2", "numpy", *sys.stdlib_module_names}


def imported(source: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_it_imports_nothing_but_numbers_and_pictures(module: Path) -> None:
    assert imported(module.read_text(encoding="utf-8")) <= ALLOWED


def test_another_import_would_be_found() -> None:
    assert imported("def f():\n    from vision.roll import Roll\n") - ALLOWED == {"vision"}
