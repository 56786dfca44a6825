"""`piste read` as a person runs it: output, drawings, faults and exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from scorer.service.cli.main import main

ROOT = Path(__file__).parents[2]
WHITE = np.full((120, 160, 3), 235, np.uint8)


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    """A picture of nothing."""
    cv2.imwrite(str(tmp_path / "blank.png"), WHITE)
    return tmp_path / "blank.png"


def test_a_picture_without_dice_is_read_as_such_and_asked_about(
    blank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(blank), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["image"] == str(blank)
    assert row["dice"] == []
    assert row["roll"] == []
    assert row["sure"] is False
    assert row["reasons"] == ["no dice seen"]
    assert row["ms"] > 0


def test_one_bad_picture_does_not_stop_the_others(blank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = blank.with_name("bad.jpg")
    bad.write_bytes(b"\xff\xd8\xff\xe0 no picture")
    assert main(["read", str(bad), str(blank), str(blank.with_name("none.png")), "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["image"] for line in out.splitlines()] == [str(blank)]
    assert str(bad) in err
    assert "none.png: there is no such file" in err


def test_a_speck_of_a_picture_is_an_error_not_a_reading(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), WHITE[:1, :1])
    assert main(["read", str(tmp_path / "one.png"), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "one.png: The picture is 1x1 pixels" in err


def test_the_table_for_people_names_roll_and_verdict(blank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(blank)]) == 0
    assert "no dice  (unsure: no dice seen" in capsys.readouterr().out


def test_show_draws_beside_the_picture(blank: Path, tmp_path: Path) -> None:
    assert main(["read", str(blank), "--show", str(tmp_path / "seen.png")]) == 0
    assert cv2.imread(str(tmp_path / "seen.png")) is not None


def test_drawings_of_pictures_of_one_name_do_not_overwrite_each_other(blank: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    other = tmp_path / "b" / "blank.png"
    cv2.imwrite(str(other), WHITE)
    assert main(["read", str(blank), str(other), "--show", str(tmp_path / "seen.png")]) == 0
    assert (tmp_path / "seen-blank.png").exists()
    assert (tmp_path / "seen-blank-2.png").exists()


def test_a_very_thin_picture_is_read_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (3000, 16, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "thin.png"), noise)
    assert main(["read", str(tmp_path / "thin.png"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sure"] is False


def test_show_with_several_pictures_adds_their_names(blank: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.png"
    cv2.imwrite(str(other), WHITE)
    assert main(["read", str(blank), str(other), "--show", str(tmp_path / "seen.png")]) == 0
    assert (tmp_path / "seen-blank.png").exists()
    assert (tmp_path / "seen-other.png").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [("seen.words", "must end in .png or .jpg"), ("no/such/dir/seen.png", "cannot be written")],
)
def test_a_drawing_that_cannot_be_written_is_said(
    blank: Path, tmp_path: Path, name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(blank), "--show", str(tmp_path / name)]) == 2
    assert words in capsys.readouterr().err


def test_a_folder_without_models_is_said(
    blank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(blank), "--models", str(tmp_path)]) == 2
    assert "checksums.json" in capsys.readouterr().err


def test_a_picture_is_never_drawn_over(blank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = blank.read_bytes()
    assert main(["read", str(blank), "--show", str(blank)]) == 2
    assert "is one of the pictures to be read" in capsys.readouterr().err
    assert blank.read_bytes() == before


def test_reading_leaves_no_trace_and_asks_no_network(blank: Path, tmp_path: Path) -> None:
    """ONNX Runtime's telemetry, on by default, keeps files in the home folder and asks for its maker's address."""
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    environment = {
        **os.environ,
        "HOME": str(home),
        "TMPDIR": str(scratch),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    command = [sys.executable, "-m", "scorer.service.cli.main", "read", str(blank)]
    assert subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode == 0
    assert [path for folder in (home, scratch) for path in folder.rglob("*") if path.is_file()] == []
