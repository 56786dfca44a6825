"""Profiles as files: what was written is read back, any text gives a profile or a ProfileError with the line."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calibration.jpeg import size_of
from calibration.lens import Lens
from calibration.profile import Look, Profile, ProfileError
from calibration.profilefile import (
    load,
    parse_profile,
    profile_names,
    profile_path,
    read_profile,
    remove_profile,
    write_profile,
)
from calibration.profiletext import COMMENTS, as_toml

SQUARE = np.array([[20.0, 10], [50, 10.25], [50, 40], [20, 40]])
FULL = Profile(
    size=(64, 48),
    tray=SQUARE,
    shape="square",
    ground=np.array([[0.1, 0.001, 2], [0, 0.11, 3], [0, 1e-5, 1]]),
    die_px=7.25,
    kept=SQUARE[:3],
    dice=3,
    lens=Lens(60, 61, 32, 24, k1=-0.1, p2=1e-4),
    camera={"exposure": -6.0, 'white "balance"': 4600.5},
    name='the bar, "back" room',
    look=Look((200, 210, 220.5), (10, 20, 30)),
)

finite = st.floats(-1e6, 1e6, allow_nan=False)
numbers = st.floats(0.25, 60)


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    corners = np.array(draw(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5)), min_size=4, max_size=4)))
    tray = SQUARE - corners if draw(st.booleans()) else None
    return Profile(
        size=draw(st.sampled_from([None, (64, 48)])),
        tray=tray,
        shape="picture" if tray is None else draw(st.sampled_from(["round", "hexagon", "square", "outline"])),
        ground=np.diag([draw(numbers), draw(numbers), 1.0]) if draw(st.booleans()) else None,
        die_px=draw(st.none() | st.floats(1, 48)),
        kept=draw(st.none() | st.just(SQUARE)),
        dice=draw(st.none() | st.integers(1, 30)),
        camera=draw(
            st.dictionaries(st.sampled_from(["exposure", "focus", 'a"\\b', "é"]), finite, max_size=4)
        ),
        name=draw(st.text(st.characters(codec="utf-8"), max_size=60).filter(str.isprintable)),
    )


@given(profiles())
@settings(deadline=None)
def test_what_was_written_is_read_back(profile: Profile) -> None:
    assert parse_profile(as_toml(profile)) == profile


def test_a_full_profile_and_its_picture_come_back_from_the_folder(tmp_path: Path) -> None:
    smooth = cv2.resize(np.random.default_rng(1).integers(0, 255, (3, 4, 3), dtype=np.uint8), (64, 48))
    profile = Profile(
        **{each: getattr(FULL, each) for each in COMMENTS} | {"reference": np.asarray(smooth, np.uint8)}
    )
    path = profile_path("bar 2", tmp_path)
    write_profile(profile, path)
    assert sorted(each.name for each in path.parent.iterdir()) == ["bar 2.jpg", "bar 2.toml"]
    back = load("bar 2", tmp_path)
    assert back.reference is not None and np.abs(back.reference.astype(int) - smooth).mean() < 4
    assert load(str(path), tmp_path / "elsewhere") == back
    assert Profile(**{each: getattr(back, each) for each in COMMENTS}) == FULL
    for no_name in ("bar .toml", "con.toml", ".toml", "bar.txt"):
        (path.parent / no_name).touch()
    assert profile_names(tmp_path) == ("bar 2",)
    write_profile(FULL, path)  # without a picture the old one must not stay
    assert read_profile(path) == FULL
    remove_profile("bar 2", tmp_path)
    assert profile_names(tmp_path) == ()
    with pytest.raises(ProfileError, match="bar 2"):
        remove_profile("bar 2", tmp_path)


def test_each_key_has_its_sentence_above_it() -> None:
    lines = as_toml(FULL).split("\n")
    for key, comment in COMMENTS.items():
        at = next(i for i, line in enumerate(lines) if line.startswith((f"{key} =", f"[{key}]")))
        assert lines[at - 1] == f"# {comment}"


LIKELY = st.sampled_from(
    ["size", "tray", "kept", "dice", "die_px", "ground", "shape", "name", "[lens]", "[camera]", "[look]", "fx", "k1",
     "body", " = ", "[", "]", ",", "1", "-3.5", "nan", "inf", "1e999", '"round"', '"square"', "true", "\n", "{", "}",
     "[[", "]]", "'", '"', "#", "1979-05-27", "99999999999999999999", "[1, 2]", "[[1,2],[30,2],[30,40]]", "."]
)  # fmt: skip


@given(st.text() | st.lists(LIKELY).map("".join))
@settings(deadline=None, max_examples=300)
@example("a." * 30000 + "=1")
@example("tray=" + "[" * 4000)
@example("tray=" + "[" * 4000 + "]" * 4000)
@example("dice=" + "9" * 5000)
@example("die_px=" + "9" * 4000)
@example("size=[1,1]\ndice=1e400")
@example("a=1979-13-40")
@example("[lens]\nfx=1e308\nfy=1e308\ncx=0\ncy=0\n")
@example("size=[9,9]\n[lens]\nfx=9\nfy=9\ncx=4\ncy=4\nk1=1e300")
def test_any_text_is_a_profile_or_a_profile_error(text: str) -> None:
    try:
        profile = parse_profile(text)
    except ProfileError as error:
        assert str(error).startswith("profile: ") and "piste calibrate" in str(error)
        assert error.faults
    else:
        assert parse_profile(as_toml(profile)) == profile


def test_every_fault_has_its_line() -> None:
    text = "# a comment\nsize = [0, 480]\ntray = [[1, 2], [3, 4]]\nflavour = 3\n\ndie_px = nan\n"
    text += "[lens]\nfx = 1\nfz = 2\n"
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, "bar.toml")
    places = [(fault.line, fault.key) for fault in caught.value.faults]
    assert places[:3] == [(2, "size"), (3, "tray"), (3 + 1, "flavour")]
    assert (6, "die_px") in places and (9, "lens.fz") in places
    assert str(caught.value).startswith("bar.toml: line 2: size must be width and height")


def test_an_outline_that_is_none_is_the_only_fault() -> None:
    with pytest.raises(ProfileError) as error:
        parse_profile('size = [64, 48]\nshape = "outline"\ntray = [[nan, 1], [2, 3], [4, 5]]\n')
    assert [(fault.key, fault.line) for fault in error.value.faults] == [("tray", 3)]


def test_a_fault_of_syntax_has_its_line() -> None:
    with pytest.raises(ProfileError, match=r"bar\.toml: line 2: it is not TOML"):
        parse_profile("dice = 3\ntray = [[1, 2], [3 4]]\n", "bar.toml")


def test_there_is_no_such_profile(tmp_path: Path) -> None:
    write_profile(FULL, profile_path("terrace", tmp_path))
    with pytest.raises(
        ProfileError, match=r"no profile bar in .*\(there: terrace\).*piste calibrate --name 'bar'"
    ):
        load("bar", tmp_path)
    with pytest.raises(ProfileError, match=r"bar\.toml: the profile cannot be read: No such file"):
        load("bar.toml", tmp_path)
    assert profile_names(tmp_path / "nowhere") == ()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../bar", "a/b", "con", "bar ", "a" * 61, "\x00", "_x", "a.b"]
)
def test_a_name_that_could_lead_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be the name"):
        profile_path(name, tmp_path)


def test_files_that_are_no_profiles_are_refused(tmp_path: Path) -> None:
    huge, binary = tmp_path / "huge.toml", tmp_path / "binary.toml"
    huge.write_bytes(b"#" * (1 << 20))
    binary.write_bytes(b"dice = 3\n\xff\xfe")
    for path, words in (
        (huge, "larger than"),
        (binary, "line 2: it is not UTF-8"),
        (tmp_path, "it is no file"),
    ):
        with pytest.raises(ProfileError, match=words):
            read_profile(path)


def test_a_picture_that_is_damaged_or_of_another_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bar.toml"
    write_profile(FULL, path)
    picture = path.with_suffix(".jpg")
    good = cv2.imencode(".jpg", np.zeros((48, 64, 3), np.uint8))[1].tobytes()
    other = cv2.imencode(".jpg", np.zeros((50, 64, 3), np.uint8))[1].tobytes()
    at = good.index(b"\xff\xc0")
    vast = good[: at + 5] + b"\xff\xff\xff\xff" + good[at + 9 :]
    for data, words in (
        (b"", "not a JPEG"), (b"GIF89a", "not a JPEG"), (good[:100], "not a JPEG"), (vast, "not a JPEG"),
        (good[: at + 20], "damaged"), (other, "has 64x50 pixels, but its profile is for 64x48"),
    ):  # fmt: skip
        picture.write_bytes(data)
        with pytest.raises(ProfileError, match=words):
            read_profile(path)
    picture.write_bytes(good)
    assert read_profile(path).reference is not None


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_a_picture_that_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "bar.toml"
    write_profile(FULL, path)
    os.mkfifo(path.with_suffix(".jpg"))
    with pytest.raises(ProfileError, match=r"bar\.jpg: the picture of the table is no file"):
        read_profile(path)


@pytest.mark.parametrize("step", [1, 2])
def test_however_far_it_comes_a_profile_never_stands_beside_the_picture_of_another(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark, bright = (np.full((48, 64, 3), grey, np.uint8) for grey in (40, 200))
    path = tmp_path / "bar.toml"
    write_profile(replace(FULL, dice=2, reference=dark), path)
    steps, true = iter(range(1, 3)), Path.replace

    def interrupted(self: Path, to: Path) -> Path:
        if next(steps) == step:
            raise KeyboardInterrupt
        return true(self, to)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_profile(replace(FULL, dice=3, reference=bright), path)
    monkeypatch.undo()
    left = read_profile(path)
    assert (left.dice, left.reference) == (2 if step == 1 else 3, None)
    write_profile(replace(FULL, dice=3, reference=bright), path)
    back = read_profile(path)
    assert back.dice == 3 and back.reference is not None and back.reference.min() > 190
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bar.jpg", "bar.toml"]


@given(st.binary(max_size=200))
def test_any_bytes_have_a_size_or_none(data: bytes) -> None:
    size_of(data)
    size_of(b"\xff\xd8\xff" + data)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bar.toml"
    write_profile(replace(FULL, reference=np.zeros((48, 64, 3), np.uint8)), path)
    before = [each.read_bytes() for each in (path, path.with_suffix(".jpg"))]

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ProfileError, match=r"cannot be written .*No space left"):
        write_profile(Profile(dice=2), path)
    assert [each.read_bytes() for each in (path, path.with_suffix(".jpg"))] == before
    assert len(list(tmp_path.iterdir())) == 2
    with pytest.raises(ProfileError, match=r"ends in \.toml"):
        write_profile(FULL, tmp_path / "bar.txt")
