"""Video files that are not as they should be: cut off, empty, turned, of uneven rate."""

from __future__ import annotations

import itertools
import logging
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import SourceError
from vision.frames import open_source

CONTAINERS = (b"moov", b"trak", b"mdia", b"minf", b"stbl")


def film(path: Path, frames: int = 40, fps: float = 10.0, size: tuple[int, int] = (64, 48)) -> Path:
    """Noise that no codec makes small, each frame brighter than the one before; a dark corner at the upper left."""
    codec = "MJPG" if path.suffix == ".avi" else "mp4v"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), fps, size)
    random = np.random.default_rng(1)
    for index in range(frames):
        image = random.integers(0, 40, (size[1], size[0], 3), dtype=np.uint8) + np.uint8(20 + 4 * index)
        image[: size[1] // 4, : size[0] // 4] = 0
        writer.write(image)
    writer.release()
    return path


def boxes(data: bytes, start: int, end: int) -> list[tuple[bytes, int, int]]:
    """Name, start and length of all boxes of an MP4, those inside others too."""
    found = []
    while start + 8 <= end:
        length = int.from_bytes(data[start : start + 4], "big")
        name = data[start + 4 : start + 8]
        found.append((name, start, length))
        if name in (*CONTAINERS, b"edts"):
            found += boxes(data, start + 8, start + length)
        start += length
    return found


def place_of(data: bytes, name: bytes) -> int:
    return next(start for each, start, _ in boxes(data, 0, len(data)) if each == name)


def moved_to_the_front(data: bytes) -> bytes:
    """As an MP4 for the web: what it holds is said first, so that it can be played while it is still being copied."""
    start, length = next((s, n) for name, s, n in boxes(data, 0, len(data)) if name == b"moov")
    moov = bytearray(data[start : start + length])
    table = moov.index(b"stco") + 4
    count = int.from_bytes(moov[table + 4 : table + 8], "big")
    for entry in range(count):
        at = table + 8 + 4 * entry
        moov[at : at + 4] = (int.from_bytes(moov[at : at + 4], "big") + length).to_bytes(4, "big")
    first = place_of(data, b"free")
    return data[:first] + bytes(moov) + data[first:start] + data[start + length :]


def turned(data: bytes, matrix: tuple[int, int, int, int]) -> bytes:
    """The MP4 with another matrix in its head, as phones note how they were held."""
    made = bytearray(data)
    at = place_of(data, b"tkhd") + 8 + 40  # version 0: the matrix begins 40 bytes into the box
    a, b, c, d = (value << 16 for value in matrix)
    for place, value in zip((0, 1, 3, 4), (a, b, c, d), strict=True):
        made[at + 4 * place : at + 4 * place + 4] = value.to_bytes(4, "big", signed=True)
    return bytes(made)


def uneven(data: bytes, lengths: list[tuple[int, int]]) -> bytes:
    """The MP4 with another table of times: (frames, how many times the usual length each), for all its frames."""
    made = bytearray(data)
    start = place_of(data, b"stts")
    old = int.from_bytes(data[start : start + 4], "big")
    each = int.from_bytes(data[start + 20 : start + 24], "big")
    body = b"\0\0\0\0" + len(lengths).to_bytes(4, "big")
    for count, times in lengths:
        body += count.to_bytes(4, "big") + (each * times).to_bytes(4, "big")
    made[start : start + old] = (8 + len(body)).to_bytes(4, "big") + b"stts" + body
    more = 8 + len(body) - old
    for name in CONTAINERS:
        at = place_of(data, name)
        length = int.from_bytes(data[at : at + 4], "big") + more
        made[at : at + 4] = length.to_bytes(4, "big")
    at = place_of(data, b"elst")  # without it the whole film is shown
    made[at + 4 : at + 8] = b"free"
    return bytes(made)


@pytest.mark.parametrize("name", ["film.avi", "film.mp4"])
def test_a_film_that_was_cut_off_says_so_when_it_breaks_off(tmp_path: Path, name: str) -> None:
    path = film(tmp_path / name)
    data = path.read_bytes()
    if name.endswith(".mp4"):
        data = moved_to_the_front(data)
        path.write_bytes(data)
        with open_source(str(path), realtime=False) as source:
            assert len(list(source)) == 40  # moving has not harmed it
    path.write_bytes(data[: len(data) * 3 // 5])
    frames = []
    source = open_source(str(path), realtime=False)
    with pytest.raises(
        SourceError, match=rf"{name}: breaks off after \d\.\d of 4\.0 seconds; .*copy it again"
    ):
        for frame in source:
            frames.append(frame)
    assert 5 <= len(frames) <= 32
    assert source.ended and source.read() is None  # it is said once


def test_a_whole_film_and_one_that_lacks_next_to_nothing_just_end(tmp_path: Path) -> None:
    path = film(tmp_path / "film.avi")
    assert len(list(open_source(str(path), realtime=False))) == 40
    data = path.read_bytes()
    last = data.rindex(b"00dc", 0, data.rindex(b"idx1"))
    path.write_bytes(data[: last - 8])
    assert 36 <= len(list(open_source(str(path), realtime=False))) <= 39


def test_a_looping_film_that_was_cut_off_starts_again_and_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = film(tmp_path / "film.avi")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    caplog.set_level(logging.WARNING, "piste.vision")
    with open_source(str(path), realtime=False, loop=True) as source:
        frames = list(itertools.islice(source, 100))
    assert len(frames) == 100
    assert all(0 < later.time - sooner.time < 0.3 for sooner, later in itertools.pairwise(frames))
    assert [record.message.split(";")[0][:25] for record in caplog.records] == [
        "film.avi: breaks off after"[:25]
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", r"film\.mp4: the file is empty; copy it again"),
        (b"not a film at all" * 100, r"film\.mp4: is not a video that can be played; use MP4"),
    ],
)
def test_a_file_that_is_no_film_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "film.mp4").write_bytes(content)
    with pytest.raises(SourceError, match=words):
        open_source(str(tmp_path / "film.mp4"))


def test_a_text_is_no_film(tmp_path: Path) -> None:
    """FFmpeg would play it, letter by letter, as a terminal shows it."""
    (tmp_path / "notes.txt").write_text("four to two to one\n" * 100)
    with pytest.raises(SourceError, match=r"notes\.txt: is a text, no video; use MP4"):
        open_source(str(tmp_path / "notes.txt"))


@pytest.mark.parametrize("name", ["film.avi", "film.mp4"])
def test_a_film_without_a_single_frame_is_refused(tmp_path: Path, name: str) -> None:
    path = film(tmp_path / name, frames=0)
    if path.stat().st_size == 0:
        pytest.skip("the writer leaves nothing behind")
    with pytest.raises(
        SourceError, match=rf"{name}: (has no pictures in it|is not a video that can be played)"
    ):
        open_source(str(path))


def test_a_film_that_nobody_may_read_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = film(tmp_path / "film.avi", frames=2)

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(SourceError, match=r"film\.avi: cannot be opened \(Permission denied\)"):
        open_source(str(path))


@pytest.mark.parametrize(
    ("matrix", "shape", "dark"),
    [
        ((1, 0, 0, 1), (48, 64), (0, 0)),
        ((0, 1, -1, 0), (64, 48), (0, -1)),  # a quarter to the right
        ((-1, 0, 0, -1), (48, 64), (-1, -1)),
        ((0, -1, 1, 0), (64, 48), (-1, 0)),  # a quarter to the left
    ],
)
def test_a_film_is_shown_upright(
    tmp_path: Path, matrix: tuple[int, int, int, int], shape: tuple[int, int], dark: tuple[int, int]
) -> None:
    path = film(tmp_path / "film.mp4", frames=6)
    path.write_bytes(turned(path.read_bytes(), matrix))
    frame = next(iter(open_source(str(path), realtime=False)))
    assert frame.image.shape[:2] == shape
    rows = slice(0, 6) if dark[0] == 0 else slice(-6, None)
    columns = slice(0, 6) if dark[1] == 0 else slice(-6, None)
    assert float(frame.image[rows, columns].mean()) < float(frame.image.mean()) / 2


def test_a_film_of_uneven_rate_has_the_times_that_it_says(tmp_path: Path) -> None:
    path = film(tmp_path / "film.mp4", frames=12)
    path.write_bytes(uneven(path.read_bytes(), [(4, 1), (4, 3), (4, 1)]))
    times = [frame.time for frame in open_source(str(path), realtime=False)]
    gaps = [later - sooner for sooner, later in itertools.pairwise(times)]
    assert gaps == pytest.approx([0.1] * 4 + [0.3] * 4 + [0.1] * 3, abs=0.02)
