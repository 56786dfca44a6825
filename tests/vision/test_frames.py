"""Files, folders and the words with which a source is refused."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.frames
from vision.errors import PictureError, SourceError, VisionError
from vision.folder import FolderSource
from vision.frames import Pacer, called, kind_of, open_source, without_password


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Twenty frames at 10 a second, each ten levels brighter than the one before."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for index in range(20):
        writer.write(grey(10 * index))
    writer.release()
    return path


class FakeClock:
    """A clock that moves only when somebody sleeps or works."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(vision.frames, "clock", self)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_video_gives_its_frames_in_order_with_their_times(video: Path) -> None:
    with open_source(str(video), realtime=False) as source:
        frames = list(source)
        assert source.name == "film.avi" and source.ended and source.age == 0
    assert [frame.index for frame in frames] == list(range(20))
    assert [frame.time for frame in frames] == pytest.approx([0.1 * i for i in range(20)])
    assert [float(frame.image.mean()) for frame in frames] == pytest.approx(
        [10 * i for i in range(20)], abs=3
    )
    assert frames[0].image.shape == (48, 64, 3) and frames[0].image.dtype == np.uint8


def test_a_looping_video_goes_on_with_time_running(video: Path) -> None:
    frames = []
    with open_source(str(video), realtime=False, loop=True) as source:
        for frame in source:
            frames.append(frame)
            if len(frames) == 45:
                break
    assert [frame.index for frame in frames] == list(range(45))
    assert [frame.time for frame in frames] == pytest.approx([0.1 * i for i in range(45)])
    assert frames[41].image.mean() == pytest.approx(10, abs=3)


def test_in_real_time_frames_come_when_they_are_due(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeClock(monkeypatch)
    with open_source(str(video)) as source:
        for count, frame in enumerate(source):
            assert fake.now == pytest.approx(100 + frame.time) and frame.index == count


def test_in_real_time_a_slow_reader_gets_the_newest_frame_and_misses_those_between(
    video: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeClock(monkeypatch)
    seen = []
    with open_source(str(video)) as source:
        for frame in source:
            seen.append(frame.index)
            assert fake.now - 100 - frame.time < 0.11
            fake.now += 0.35
        assert source.dropped == 20 - len(seen)
    assert seen[0] == 0 and len(seen) < 8
    assert all(3 <= later - sooner <= 4 for sooner, later in itertools.pairwise(seen))


def test_after_a_long_pause_the_film_goes_on_from_where_it_stood(
    video: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeClock(monkeypatch)
    with open_source(str(video)) as source:
        frames = iter(source)
        next(frames)
        fake.now += 60
        assert next(frames).index == 1


def test_the_pacer_lets_nothing_pass_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeClock(monkeypatch)
    pacer = Pacer()
    assert not pacer.late(5.0)
    pacer.wait(5.0)
    assert fake.now == 100.0
    pacer.wait(6.0)
    assert fake.now == 101.0
    fake.now = 101.5
    assert pacer.late(6.4) and not pacer.late(6.6)


def test_a_folder_shows_its_pictures_in_natural_order_each_for_a_while(tmp_path: Path) -> None:
    for name, level in (("throw10.png", 200), ("throw2.png", 100), ("throw1.JPG", 50)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "sub.png").mkdir()
    with open_source(str(tmp_path), realtime=False) as source:
        frames = list(source)
    assert [round(float(frame.image.mean())) for frame in frames] == [50] * 15 + [100] * 15 + [200] * 15
    assert [frame.time for frame in frames] == pytest.approx([0.1 * i for i in range(45)])
    assert source.ended


def test_a_single_picture_is_a_source_too(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), grey(70))
    frames = list(open_source(str(tmp_path / "one.png"), realtime=False))
    assert len(frames) == 15 and frames[-1].time == pytest.approx(1.4)


def test_a_looping_folder_starts_again(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), grey(70))
    source = open_source(str(tmp_path), realtime=False, loop=True)
    frames = [source.read() for _ in range(40)]
    assert [frame.index for frame in frames if frame] == list(range(40))
    source.close()
    assert source.read() is None and source.ended


def test_a_slow_reader_of_a_folder_gets_the_picture_that_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, level in (("a.png", 50), ("b.png", 100)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    fake = FakeClock(monkeypatch)
    seen = []
    source = open_source(str(tmp_path))
    for frame in source:
        seen.append((frame.index, round(float(frame.image.mean()))))
        fake.now += 1.0
    assert source.dropped == 26
    assert seen == [(0, 50), (9, 50), (19, 100), (29, 100)]


def test_closing_ends_the_source_and_may_be_done_twice(video: Path) -> None:
    source = open_source(str(video), realtime=False)
    assert source.read() is not None
    source.close()
    source.close()
    assert source.read() is None and source.ended and list(source) == []


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "No source was named"),
        ("   ", "No source was named"),
        ("missing.mp4", "missing.mp4: there is no such file or folder"),
        ("m" * 300, ": cannot be opened (File name too long); check the path"),
        ("ftp://me:secret@host/film", "ftp://host/film: ftp:// is not supported"),
        ("97", "camera 97: cannot be opened; "),
        ("12345", "12345…: no camera has such a number"),
        ("usb:", "usb:: no name follows; `piste cameras` lists"),
        ("usb:No Such Thing", "No Such Thing: not plugged in"),
        ("/dev/v4l/by-id/none", "/dev/v4l/by-id/none: no such camera is plugged in"),
    ],
)
def test_what_cannot_be_a_source_is_refused_with_what_to_do(spec: str, words: str) -> None:
    with pytest.raises(SourceError, match=r".") as error:
        open_source(spec)
    assert words in str(error.value)


NO_UTF8 = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="every name is Unicode there")


@NO_UTF8
def test_a_film_whose_name_is_not_utf8_is_refused_and_a_picture_is_shown(video: Path, tmp_path: Path) -> None:
    """OpenCV ends the whole process at such a name."""
    film = video.rename(tmp_path / "bar\udcff.avi")
    for spec in (str(film), "rtsp://127.0.0.1:1/\udcff"):
        with pytest.raises(SourceError, match="its name is not UTF-8"):
            open_source(spec)
    picture = tmp_path / "bar\udcff"
    picture.mkdir()
    cv2.imwrite(str(tmp_path / "bar.png"), np.zeros((20, 30, 3), np.uint8))
    (tmp_path / "bar.png").rename(picture / "\udcfe.png")
    with open_source(str(picture), realtime=False) as source:
        frame = source.read()
    assert frame is not None and frame.image.shape == (20, 30, 3)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no pictures in it"):
        open_source(str(tmp_path))


def test_a_picture_that_cannot_be_read_is_noted_and_the_next_one_takes_its_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name, level in (("1.png", 50), ("4.png", 100)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "2.jpg").write_bytes(b"no picture")
    (tmp_path / "3.png").write_bytes((tmp_path / "1.png").read_bytes()[:40])
    with open_source(str(tmp_path), realtime=False) as source:
        frames = list(source)
        assert isinstance(source, FolderSource)
        assert [path.name for path in source.unreadable] == ["2.jpg", "3.png"]
    assert [round(float(frame.image.mean())) for frame in frames] == [50] * 15 + [100] * 15
    assert [frame.index for frame in frames] == list(range(30))
    assert "2.jpg: is not a picture that can be read" in caplog.text


def test_a_looping_folder_shows_its_other_pictures_again_and_says_once_what_it_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name, level in (("b.png", 50), ("c.png", 100)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    with open_source(str(tmp_path), realtime=False, loop=True) as source:
        frames = [source.read() for _ in range(75)]
    shown = [round(float(frame.image.mean())) for frame in frames if frame is not None]
    assert shown == ([50] * 15 + [100] * 15) * 2 + [50] * 15
    assert len(caplog.records) == 1


def test_a_folder_none_of_whose_pictures_can_be_read_is_an_error(tmp_path: Path) -> None:
    for name in ("bad.jpg", "worse.png"):
        (tmp_path / name).write_bytes(b"no picture")
    for _ in range(2):
        source = open_source(str(tmp_path), realtime=False)
        with pytest.raises(
            SourceError, match=r"bad\.jpg: is not a picture that can be read.*other 1 cannot be read"
        ):
            source.read()
    (tmp_path / "worse.png").unlink()
    with pytest.raises(SourceError, match=r"bad\.jpg: is not a picture that can be read"):
        open_source(str(tmp_path / "bad.jpg")).read()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://me:secret@cam.local:554/live", "rtsp://cam.local:554/live"),
        ("rtsp://me:sec@ret@cam.local/live", "rtsp://cam.local/live"),
        ("rtsp://me:sec/ret@cam.local/live", "rtsp://cam.local/live"),
        ("rtsp://me:sec?r#et@cam.local/live", "rtsp://cam.local/live"),
        ("rtsp://me:secret@[fe80::1]:554/live", "rtsp://[fe80::1]:554/live"),
        ("http://cam.local/a@b", "http://cam.local/a@b"),
        ("http://cam.local:80/a@b", "http://cam.local:80/a@b"),
        ("http://cam.local/v?user=me&pwd=secret", "http://cam.local/v?user=***&pwd=***"),
        ("http://cam.local/v?pwd=sec&ret", "http://cam.local/v?pwd=***&***"),
        ("rtsp://cam.local/user=me_password=secret_channel=1.sdp", "rtsp://cam.local/user=***"),
        ("http://cam.local", "http://cam.local"),
    ],
)
def test_passwords_are_not_shown(address: str, shown: str) -> None:
    assert without_password(address) == shown


@pytest.mark.parametrize(
    ("spec", "kind", "name"),
    [
        (" 0 ", "camera", "camera 0"),
        ("usb:HD_Pro_Webcam", "camera", "camera HD_Pro_Webcam"),
        ("/dev/video2", "camera", "/dev/video2"),
        ("rtsp://me:secret@cam/live", "stream", "rtsp://cam/live"),
        ("film.mp4", "film", "film.mp4"),
        ("some/picture.JPG", "picture", "picture.JPG"),
        (".", "folder", "."),
    ],
)
def test_what_a_source_is_and_is_called_is_known_before_it_is_opened(spec: str, kind: str, name: str) -> None:
    assert (kind_of(spec), called(spec)) == (kind, name)


def test_the_settings_of_opencv_are_made_before_it_is_loaded() -> None:
    code = (
        "import os, sys\n"
        "names = ('OPENCV_AVFOUNDATION_SKIP_AUTH', 'OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS')\n"
        "def look(event, args):\n"
        "    if event == 'import' and args[0] == 'cv2':\n"
        "        print([os.environ.get(name) for name in names])\n"
        "sys.addaudithook(look)\n"
        "import vision.pictures\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[0] == "['1', '0']"


def test_all_faults_of_the_camera_side_have_one_base() -> None:
    assert issubclass(SourceError, VisionError) and issubclass(PictureError, VisionError)


def test_a_missing_camera_leaves_no_chatter_on_standard_error() -> None:
    code = (
        "import cv2\nfrom vision.frames import open_source\nfrom vision.errors import SourceError\n"
        "for spec in ('97', 'http://127.0.0.1:9/x'):\n"
        "    try:\n        open_source(spec)\n    except SourceError as error:\n        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == "" and len(done.stdout.splitlines()) == 2
