"""`piste calibrate`: from a picture or film to a profile in the data folder, or to a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.geometry import mapped
from calibration.profilefile import load
from scorer.service.cli.main import main
from tests.calibration.drawn import overlap, ring, table, view, wood
from tests.calibration.test_markers import TRUE, VIEWS, seen

ROOT = Path(__file__).resolve().parents[2]
MATRIX = view(25)
OUTLINE = mapped(ring("hexagon", 1.1), MATRIX)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), table("hexagon", MATRIX))
    return path


def calibrate(tmp_path: Path, source: Path, *more: str) -> int:
    return main(
        ["calibrate", "--source", str(source), "--name", "bar", "--data", str(tmp_path / "data"), *more]
    )


def test_a_picture_becomes_a_profile_with_an_outline_to_look_at(
    tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(tmp_path, picture, "--dice", "5") == 0
    out = capsys.readouterr().out
    assert "Tray: found, hexagon" in out and "Written: " in out
    data = tmp_path / "data"
    assert f"Use it with: piste serve --source {picture} --profile 'bar' --data {data}\n" in out
    profile = load("bar", tmp_path / "data")
    assert (profile.shape, profile.dice, profile.size, profile.name) == ("hexagon", 5, (640, 480), "bar")
    assert profile.tray is not None and overlap(profile.tray, OUTLINE) > 0.93
    assert profile.reference is not None
    drawn = cv2.imread(str(tmp_path / "data" / "profiles" / "bar.seen.png"))
    x, y = OUTLINE[0]
    near = drawn[round(y) - 12 : round(y) + 13, round(x) - 12 : round(x) + 13].reshape(-1, 3)
    assert (np.abs(near.astype(int) - (0, 200, 255)).max(axis=1) < 40).any()


def test_without_a_sure_tray_nothing_is_written_and_the_message_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), wood(1))
    assert calibrate(tmp_path, bare) == 2
    error = capsys.readouterr().err
    assert error.startswith("piste calibrate: No tray was found.") and "--tray x,y" in error
    assert not (tmp_path / "data" / "profiles" / "bar.toml").exists()


def test_the_tray_can_be_told_and_a_profile_made_anew_keeps_its_kept_zone(
    tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taps = [f"{x:.0f},{y:.0f}" for x, y in OUTLINE]
    assert calibrate(tmp_path, picture, "--tray", *taps) == 0
    profile = load("bar", tmp_path / "data")
    assert profile.tray is not None and overlap(profile.tray, OUTLINE) > 0.97
    path = tmp_path / "data" / "profiles" / "bar.toml"
    zone = "kept = [[10, 400], [600, 400], [600, 470], [10, 470]]\n"
    path.write_text(path.read_text("utf-8").replace("shape =", zone + "shape ="), "utf-8")
    assert calibrate(tmp_path, picture, "--tray", "whole") == 0
    anew = load("bar", tmp_path / "data")
    assert (anew.tray, anew.shape) == (None, "picture")
    assert anew.kept is not None and anew.kept.tolist() == [[10, 400], [600, 400], [600, 470], [10, 470]]
    assert "its kept zone, lens and camera settings stay" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--tray", "1,2", "3,4", "5,6"], "at least 4"),
        (["--tray", "1,2", "3,4", "5,6", "x"], "--tray x: a corner is written x,y"),
        (["--tray", "1,2", "9000,4", "5,600", "3,3"], "lie in the picture"),
        (["--name", "../bar"], "cannot be the name"),
        (["--picture", "seen.gif", "--tray", "whole"], "must end in .png or .jpg"),
    ],
)
def test_wrong_words_are_answered_in_a_sentence(
    tmp_path: Path, picture: Path, capsys: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    assert calibrate(tmp_path, picture, *more) == 2
    assert words in capsys.readouterr().err


def test_a_source_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(tmp_path, tmp_path / "gone.mp4") == 2
    assert "gone.mp4" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "begin"), [("sheet.svg", b"<svg"), ("sheet.PDF", b"%PDF")])
def test_the_sheet_is_written(tmp_path: Path, name: str, begin: bytes) -> None:
    assert main(["calibrate", "--sheet", str(tmp_path / name), "--paper", "Letter", "--lang", "fr"]) == 0
    assert (tmp_path / name).read_bytes().startswith(begin)
    assert main(["calibrate", "--sheet", str(tmp_path / "sheet.doc")]) == 2
    assert main(["calibrate", "--sheet", str(tmp_path / "none" / "sheet.svg")]) == 2


def test_the_sheet_in_the_picture_gives_the_size_of_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image, to_px = seen(20, 0, 450)
    path = tmp_path / "sheet.png"
    cv2.imwrite(str(path), image)
    assert calibrate(tmp_path, path) == 2
    assert "sheet hides the tray" in capsys.readouterr().err
    assert (
        calibrate(tmp_path, path, "--tray", "300,100", "1000,100", "1000,650", "300,650", "--die-mm", "20")
        == 0
    )
    profile = load("bar", tmp_path / "data")
    edge = np.linalg.norm(np.diff(mapped(np.array([[74.0, 112], [94, 112]]), to_px), axis=0))
    assert profile.ground is not None and profile.die_px == pytest.approx(float(edge), rel=0.06)
    assert "a pixel shows 0.4" in capsys.readouterr().out


def test_pictures_of_the_sheet_from_five_sides_give_the_lens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    views = tmp_path / "views"
    views.mkdir()
    for number, each in enumerate(VIEWS):
        cv2.imwrite(str(views / f"{number}.png"), seen(*each, lens=TRUE)[0])
    source = views / "5.png"
    assert (
        calibrate(
            tmp_path, source, "--tray", "400,150", "900,150", "900,600", "400,600", "--lens", str(views)
        )
        == 0
    )
    assert "Lens: measured from 6 pictures." in capsys.readouterr().out
    profile = load("bar", tmp_path / "data")
    assert profile.lens is not None and profile.lens.fx == pytest.approx(TRUE.fx, rel=0.05)
    (views / "3.png").unlink()
    (views / "4.png").unlink()
    assert calibrate(tmp_path, source, "--tray", "whole", "--lens", str(views)) == 2
    assert "cannot be told from 4 pictures" in capsys.readouterr().err


def test_the_demo_s_film_is_calibrated_with_a_throw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(tmp_path, ROOT / "sample_images" / "table.mp4", "--throws", "1") == 0
    out = capsys.readouterr().out
    assert "Tray: found, round" in out and "  1: 5 3 2 (sure)" in out and "1 of 1 throws were sure" in out
    profile = load("bar", tmp_path / "data")
    assert profile.die_px == pytest.approx(70, abs=6) and profile.look is not None
    assert min(profile.look.body) > 150 and max(profile.look.pips) < 120
    assert profile.where(np.array([[400.0, 300], [20, 20]])) == ("tray", "beside")
