"""Frames that are pushed: the newest wins, nothing is queued, and what is no picture is refused."""

from __future__ import annotations

import io
import threading

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

import vision.jpeg
from vision.errors import PictureError, SourceError
from vision.jpeg import decode, look_at
from vision.push import PushSource


def picture(level: int, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    return np.full((size[1], size[0], 3), level, np.uint8)


def jpeg(level: int, size: tuple[int, int] = (64, 48)) -> bytes:
    return cv2.imencode(".jpg", picture(level, size))[1].tobytes()


def noise(size: tuple[int, int] = (320, 240)) -> bytes:
    image = np.random.default_rng(3).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def test_what_is_pushed_can_be_read_once() -> None:
    source = PushSource("phone")
    assert source.push(jpeg(100)) == (64, 48)
    frame = source.read(5)
    assert frame is not None and frame.index == 0 and frame.image.shape == (48, 64, 3)
    assert abs(float(frame.image.mean()) - 100) < 2
    assert source.read(0.01) is None and not source.ended
    image = picture(7)
    assert source.push(image) == (64, 48)
    later = source.read(5)
    assert later is not None and later.image is image and later.index == 1 and later.time >= frame.time


def test_the_newest_wins_and_those_dropped_are_counted_and_not_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = PushSource("phone")
    decoded = []
    monkeypatch.setattr("vision.push.decode", lambda data, name: decoded.append(data) or decode(data, name))
    for level in range(0, 200, 20):
        source.push(jpeg(level))
    frame = source.read(5)
    assert frame is not None and frame.index == 9
    assert abs(float(frame.image.mean()) - 180) < 2
    assert (source.dropped, source.count, len(decoded)) == (9, 10, 1)


def test_the_age_is_that_of_the_newest_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [50.0]
    monkeypatch.setattr("vision.push.clock.monotonic", lambda: now[0])
    source = PushSource("phone", hint="Open the page.")
    now[0] = 53.0
    assert source.age == 3.0 and source.hint == "Open the page."
    source.push(jpeg(1))
    now[0] = 54.5
    assert source.age == 1.5
    frame = source.read(5)
    assert frame is not None and frame.time == 3.0


def test_closing_wakes_the_reader_and_refuses_what_comes_later() -> None:
    source = PushSource("phone")
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.append(source.read()))
    reader.start()
    source.close()
    source.close()
    reader.join(10)
    assert got == [None] and source.ended
    with pytest.raises(SourceError, match="phone: takes no more pictures; connect to it anew"):
        source.push(jpeg(1))
    assert source.read(1) is None


def test_a_picture_damaged_inside_is_skipped_and_counted() -> None:
    source = PushSource("phone")
    whole = noise()
    source.push(whole[: len(whole) // 2])
    assert source.read(0.05) is None and source.damaged == 1
    source.push(whole)
    assert source.read(5) is not None


@pytest.mark.parametrize("data", [b"", b"\xff", b"\xff\xd8\xff", b"not a picture", bytes(1000)])
def test_what_is_no_jpeg_is_refused(data: bytes) -> None:
    source = PushSource("phone")
    with pytest.raises(PictureError, match="phone: this is no JPEG"):
        source.push(data)
    assert source.count == 0 and source.read(0.01) is None


def test_other_kinds_of_pictures_are_refused() -> None:
    held = io.BytesIO()
    Pillow.new("RGB", (64, 48)).save(held, "PNG")
    with pytest.raises(PictureError, match="no JPEG"):
        PushSource("phone").push(held.getvalue())
    with pytest.raises(PictureError, match=r"must be \(height, width, 3\) uint8, this is \(4, 4\) float64"):
        PushSource("phone").push(np.zeros((4, 4)))  # type: ignore[arg-type]


def test_limits_hold_before_anything_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PictureError, match=r"8x8 pixels are too few"):
        PushSource("phone").push(jpeg(1, (8, 8)))
    monkeypatch.setattr(vision.jpeg, "MOST_PIXELS", 1000)
    with pytest.raises(PictureError, match=r"phone: 64x48 has more pixels than are read"):
        PushSource("phone").push(jpeg(1))
    monkeypatch.setattr(vision.jpeg, "MOST_BYTES", 100)
    with pytest.raises(PictureError, match="send smaller ones"):
        PushSource("phone").push(jpeg(1))


def test_a_head_that_promises_a_giant_is_refused() -> None:
    data = bytearray(jpeg(1))
    place = data.index(b"\xff\xc0")
    data[place + 5 : place + 9] = b"\xff\xff\xff\xff"  # 65535 by 65535
    with pytest.raises(PictureError, match="more pixels than are read"):
        PushSource("phone").push(bytes(data))


@pytest.mark.parametrize(("turn", "corner"), [(1, (0, 0)), (3, (47, 63)), (6, (0, 47)), (8, (63, 0))])
def test_a_turned_picture_is_set_upright(turn: int, corner: tuple[int, int]) -> None:
    image = np.zeros((48, 64, 3), np.uint8)
    image[:12, :12] = 255
    exif = Pillow.Exif()
    exif[vision.jpeg.TURNED] = turn
    held = io.BytesIO()
    Pillow.fromarray(image).save(held, "JPEG", exif=exif, quality=95)
    upright = decode(held.getvalue(), "phone")
    assert upright[corner].min() > 200
    assert look_at(held.getvalue(), "phone") == (64, 48)


def test_grey_pictures_come_in_colour() -> None:
    data = cv2.imencode(".jpg", np.full((48, 64), 90, np.uint8))[1].tobytes()
    assert decode(data, "phone").shape == (48, 64, 3)
