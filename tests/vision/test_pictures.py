"""Picture files: what is read, what is refused, and how the refusal is said."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.errors import PictureError
from vision.pictures import MOST_PIXELS, draw_reading, load_picture
from vision.roll import DieReading, Reading


def picture(width: int = 40, height: int = 30) -> Image.Image:
    """Red on the left half, blue on the right."""
    array = np.zeros((height, width, 3), np.uint8)
    array[:, : width // 2, 0] = 200
    array[:, width // 2 :, 2] = 200
    return Image.fromarray(array)


def test_a_picture_comes_as_bgr(tmp_path: Path) -> None:
    picture().save(tmp_path / "a.png")
    image = load_picture(tmp_path / "a.png")
    assert image.shape == (30, 40, 3)
    assert image.dtype == np.uint8
    assert image[5, 5].tolist() == [0, 0, 200]
    assert image[5, 35].tolist() == [200, 0, 0]


def test_the_camera_s_orientation_is_followed(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned a quarter clockwise
    picture().save(tmp_path / "turned.jpg", exif=exif, quality=95)
    image = load_picture(tmp_path / "turned.jpg")
    assert image.shape == (40, 30, 3)
    assert image[5, 15, 2] > 150  # what was left is now above


@pytest.mark.parametrize("mode", ["L", "1", "P", "RGBA", "LA", "CMYK", "I;16", "F", "YCbCr"])
def test_every_kind_of_pixel_becomes_colour(tmp_path: Path, mode: str) -> None:
    if mode == "I;16":
        Image.fromarray(np.full((20, 20), 40000, np.uint16)).save(tmp_path / "x.png")
        path = tmp_path / "x.png"
    else:
        path = tmp_path / ("x.tiff" if mode in ("CMYK", "F", "YCbCr", "LA") else "x.png")
        picture().convert("L" if mode == "F" else mode).convert(mode).save(path)
    image = load_picture(path)
    assert image.ndim == 3
    assert image.shape[2] == 3
    assert image.dtype == np.uint8
    if mode == "I;16":
        assert abs(int(image[3, 3, 0]) - 156) <= 1


def test_transparent_parts_are_white(tmp_path: Path) -> None:
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    assert load_picture(tmp_path / "clear.png").min() == 255


def refused(path: Path) -> str:
    with pytest.raises(PictureError) as caught:
        load_picture(path)
    message = str(caught.value)
    assert str(path) in message
    return message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "none.jpg")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in refused(tmp_path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    assert "empty" in refused(tmp_path / "empty.jpg")


def test_what_is_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.jpg").write_text("four twenty-one")
    assert "not a picture" in refused(tmp_path / "words.jpg")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_cut_short_is_refused_not_half_read(tmp_path: Path, kind: str) -> None:
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (200, 200, 3), dtype=np.uint8))
    buffer = io.BytesIO()
    noise.save(buffer, kind)
    data = buffer.getvalue()
    path = tmp_path / "cut"
    path.write_bytes(data[: len(data) * 6 // 10])
    assert "damaged or cut short" in refused(path)


def test_an_animation_is_refused(tmp_path: Path) -> None:
    first, second = picture(), picture().rotate(90)
    first.save(tmp_path / "moving.gif", save_all=True, append_images=[second])
    assert "animation" in refused(tmp_path / "moving.gif")


@pytest.mark.parametrize("side", [int(MOST_PIXELS**0.5) + 100, 20_000])
def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(tmp_path: Path, side: int) -> None:
    Image.new("1", (side, side)).save(tmp_path / "huge.png")
    message = refused(tmp_path / "huge.png")
    assert "more pixels than can be read" in message
    assert "damaged" not in message


def test_a_drawing_frames_the_dice_and_leaves_the_picture_alone() -> None:
    image = np.full((480, 640, 3), 90, np.uint8)
    sure = DieReading(4, 0.999, (100, 100, 160, 160))
    doubtful = DieReading(2, 0.6, (300, 200, 360, 260), reasons=("two readings close",))
    drawn = draw_reading(image, Reading((sure, doubtful), False, ("two readings close",), 1.0, 640, 480))
    assert (image == 90).all()
    assert drawn.shape == image.shape
    assert (drawn[160, 110:150] != 90).any()
    whole = (drawn[160, 100:160] != 90).any(1).mean()
    broken = (drawn[260, 300:360] != 90).any(1).mean()
    assert whole > 0.9
    assert 0.3 < broken < whole - 0.05
