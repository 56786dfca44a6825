"""`piste watch` as a person runs it: a line an event, films drawn, faults and exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

import sample_images
from calibration.profile import Profile
from calibration.profilefile import write_profile
from scorer.service.cli.main import main
from scorer.service.cli.showing import drawn
from scorer.service.cli.watch import as_line
from tests.vision.drawn import Film, Thrown
from tests.vision.fakecamera import FakeCamera

SAMPLES = Path(sample_images.__file__).parent
PICTURE = SAMPLES / "white-bordeaux.jpg"
TABLE = SAMPLES / "table.mp4"
FACTS = json.loads((SAMPLES / "table.json").read_text(encoding="utf-8"))
VIDEOS = Path(__file__).resolve().parents[3] / "shared" / "videos"


def piste(*args: str | Path) -> subprocess.Popen[str]:
    """The command in a process of its own, so that it can be interrupted."""
    return subprocess.Popen(
        [sys.executable, "-m", "scorer.service.cli.main", "watch", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_film_is_told_line_by_line_and_its_end_is_success() -> None:
    process = piste(TABLE, "--json")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0 and err == ""
    told = rows(out)
    assert {row["type"] for row in told} == {"camera", "state", "roll"}
    assert told[0] == {
        "t": 0.0, "type": "camera", "state": "live", "source": "table.mp4",
        "width": FACTS["width"], "height": FACTS["height"],
    }  # fmt: skip
    assert told[-1]["type"] == "camera" and told[-1]["state"] == "ended"
    rolls = [row for row in told if row["type"] == "roll"]
    assert [row["roll"] for row in rolls] == [throw["values"] for throw in FACTS["throws"]]
    for row, throw in zip(rolls, FACTS["throws"], strict=True):
        assert throw["rest_start"] <= row["t"] * FACTS["fps"] <= throw["rest_end"]
        assert row["sure"] is (not row["reasons"])
        for die in row["dice"]:
            assert set(die) == {"value", "confidence", "box", "kept"} and die["kept"] is False
            assert 0 < die["confidence"] <= 1 and len(die["box"]) == 4
    states = [row["state"] for row in told if row["type"] == "state"]
    assert set(states) <= {"empty", "moving", "hand", "settling", "still", "read", "unsure"}


def test_a_picture_is_told_in_words_and_drawn_into_a_film(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = tmp_path / "seen.mp4"
    assert main(["watch", str(PICTURE), "--show", str(film)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split(None, 1) == ["0.00", "white-bordeaux.jpg: live, 800x600"]
    assert any(line.endswith("roll 1: 4 2 1  (sure)") for line in lines)
    assert lines[-1].endswith("white-bordeaux.jpg: ended, 800x600")
    capture = cv2.VideoCapture(str(film))
    frames = []
    while (got := capture.read())[0]:
        frames.append(got[1])
    assert 40 <= len(frames) <= 48 and frames[0].shape == (600, 800, 3)  # 1.5 s, thirty a second
    plain = cv2.imread(str(PICTURE)).astype(int)
    x0, y0, x1, y1 = (round(edge) for edge in (559.4, 199.8, 608.2, 252.8))
    edge = np.abs(frames[-1].astype(int) - plain)[y0 - 8 : y1 + 8, x0 - 8 : x1 + 8]
    assert edge.max() > 100  # there is a frame round the die


def test_pictures_of_another_size_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, size in enumerate([(64, 48), (64, 48), (80, 60)]):
        assert cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((size[1], size[0], 3), 90, np.uint8))
    assert main(["watch", str(tmp_path), "--json"]) == 0
    told = [row for row in rows(capsys.readouterr().out) if row["type"] == "camera"]
    assert [(row["state"], row["width"]) for row in told] == [("live", 64), ("live", 80), ("ended", 80)]


@pytest.mark.skipif(sys.platform == "win32", reason="uses limits of POSIX")
@pytest.mark.parametrize("kind", ["mp4", "avi"])
def test_a_film_that_has_no_room_is_told(kind: str, tmp_path: Path) -> None:
    """A limit on the size of a file does as a full disk does: nothing more can be written."""
    film = tmp_path / f"seen.{kind}"
    code = (
        "import resource, signal, sys; from scorer.service.cli.main import main;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000));"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "watch", str(PICTURE), "--show", str(film)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"piste watch: --show {film}: could not be written to its end")


def test_an_interrupt_ends_it_cleanly(tmp_path: Path) -> None:
    film = tmp_path / "seen.avi"
    process = piste(TABLE, "--realtime", "--show", film)
    assert process.stdout is not None
    while "settling" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err == ""
    assert cv2.VideoCapture(str(film)).read()[0]  # what was drawn so far can be played


def test_whoever_reads_no_further_ends_it_quietly() -> None:
    process = piste(TABLE, "--json")
    assert process.stdout is not None and process.stderr is not None
    assert json.loads(process.stdout.readline())["state"] == "live"
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=120) == 141 and err == ""
    process.stderr.close()


def test_a_stream_that_stops_is_told_and_watched_on_when_it_is_back() -> None:
    with FakeCamera() as camera:
        process = piste(camera.url, "--json")
        out = process.stdout
        assert out is not None
        late = threading.Timer(150, process.kill)  # then the line below reads nothing, which is no JSON
        late.start()

        def camera_is(*states: str) -> None:
            """Reads on until the camera is in one of these states."""
            row: dict[str, object] = {}
            while row.get("type") != "camera" or row["state"] not in states:
                row = json.loads(out.readline())

        try:
            camera_is("live")
            camera.behave("stall")
            camera_is("stale", "frozen", "gone")
            camera.behave("live")
            camera_is("live")
        finally:
            late.cancel()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130 and err == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["none.mp4"], "none.mp4: there is no such file or folder"),
        ([str(PICTURE), "--show", "seen.png"], "--show seen.png: the name must end in .mp4 or .avi."),
        ([str(PICTURE), "--show", "/nowhere/seen.mp4"], "--show /nowhere/seen.mp4: cannot be written"),
        ([str(PICTURE), "--show", "seen\udcff.mp4"], "the name is not UTF-8, which OpenCV cannot write"),
        ([str(TABLE), "--show", str(TABLE)], "is the film to be watched; name another file."),
        ([str(PICTURE), "--profile", "none.toml"], "none.toml"),
        ([str(PICTURE), "--profile", "bar", "--data", "elsewhere"], "There is no profile bar in elsewhere"),
    ],
)
def test_what_cannot_be_watched_or_drawn_is_said(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = TABLE.stat().st_size
    assert main(["watch", *args]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("piste watch: ") and said in err
    assert TABLE.stat().st_size == before


@pytest.mark.parametrize("args", [["watch", "phone"], ["calibrate", "--source", "phone"]])
def test_what_a_phone_sends_is_looked_at_on_the_dashboard(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(args)
    assert "start piste serve --source phone, and calibrate there" in capsys.readouterr().err


def test_a_window_needs_an_opencv_that_has_one(capsys: pytest.CaptureFixture[str]) -> None:
    if "GUI:                           NONE" not in cv2.getBuildInformation():
        pytest.skip("this OpenCV has windows")
    assert main(["watch", str(PICTURE), "--show"]) == 2
    assert "has no windows. Name a film to draw into" in capsys.readouterr().err


def test_a_profile_for_another_size_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_profile(Profile(size=(640, 480), name="bar"), tmp_path / "bar.toml")
    assert main(["watch", str(PICTURE), "--profile", str(tmp_path / "bar.toml")]) == 2
    assert "made for pictures of 640x480 pixels" in capsys.readouterr().err


def test_a_profile_is_found_by_its_name_in_the_folder_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_profile(Profile(size=(640, 480), name="bar"), tmp_path / "profiles" / "bar.toml")
    assert main(["watch", str(PICTURE), "--profile", "bar", "--data", str(tmp_path)]) == 2
    assert "made for pictures of 640x480 pixels" in capsys.readouterr().err


def test_a_profile_says_what_lies_in_the_tray(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the three dice in the picture one lies beside the outline."""
    tray = np.array([(150.0, 120.0), (540.0, 120.0), (540.0, 500.0), (150.0, 500.0)])
    write_profile(Profile((800, 600), tray, "outline", die_px=46.0, dice=3), tmp_path / "bar.toml")
    assert main(["watch", str(PICTURE), "--json", "--profile", str(tmp_path / "bar.toml")]) == 0
    told = rows(capsys.readouterr().out)
    (roll,) = (row for row in told if row["type"] == "roll")
    assert roll["roll"] == [2, 1] and roll["sure"] is False
    assert "a die lies beside the tray" in roll["reasons"]
    (flag,) = (row for row in told if row["type"] == "flag")
    assert flag["kind"] == "beside" and flag["t"] == roll["t"]


def test_lines_for_people() -> None:
    dice = [{"value": value, "confidence": 0.9, "box": [0, 0, 1, 1], "kept": value == 6} for value in (6, 2)]
    roll = {
        "t": 1.5,
        "type": "roll",
        "number": 2,
        "dice": dice,
        "roll": [6, 2],
        "sure": False,
        "reasons": ["glare"],
    }
    assert as_line(roll) == "    1.50  roll 2: 6 2  (unsure: glare)  as they lie: 6 (kept) 2"
    state = {"t": 2.0, "type": "state", "state": "moved", "reason": "The camera has moved."}
    assert as_line(state) == "    2.00  moved: The camera has moved."
    gone = {
        "t": 3.0,
        "type": "camera",
        "state": "gone",
        "source": "camera 0",
        "message": "Plug it in.",
        "dropped": 4,
    }
    assert as_line(gone) == "    3.00  camera 0: gone. Plug it in. (4 frames dropped)"


def test_what_is_drawn_shows_the_tray_and_the_state() -> None:
    film = Film(1.0, [Thrown(-2, -1, 150, 120, 5)], size=(640, 480))
    image = film.draw(0.0)
    tray = np.array([(100.0, 100.0), (500.0, 100.0), (500.0, 400.0), (100.0, 400.0)])
    shown = drawn(image, "read", None, "A die is missing.", Profile((640, 480), tray, "outline"))
    assert shown.shape == image.shape
    assert np.abs(shown[100, 100:500].astype(int) - image[100, 100:500]).mean() > 40
    assert np.abs(shown[200:300, 300:400].astype(int) - image[200:300, 300:400]).max() == 0


@pytest.mark.skipif(not VIDEOS.is_dir(), reason="no films of real throws here")
@pytest.mark.parametrize(
    ("name", "roll"), [("throw_1.mp4", [4, 3, 2, 1, 1]), ("throw_3.mp4", [4, 2, 2, 2, 2])]
)
def test_a_real_throw_is_told_once(name: str, roll: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(VIDEOS / name), "--json"]) == 0
    rolls = [row for row in rows(capsys.readouterr().out) if row["type"] == "roll"]
    assert [row["roll"] for row in rolls] == [roll] and rolls[0]["sure"] is True
