"""What is known of a table: a view of the tray, the way back to the frame, and what cannot be true."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from calibration.profile import WHOLE_PICTURE, Look, Profile, ProfileError, TrayView
from vision.frames import Frame

IMAGE = np.arange(24 * 32 * 3, dtype=np.uint8).reshape(24, 32, 3)
SQUARE = np.array([[200.0, 100], [500, 100], [500, 400], [200, 400]])
BENT = Lens(600, 600, 320, 240, k1=-0.25, k2=0.05, p1=0.001)


def picture(width: int = 640, height: int = 480) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 255, (height, width, 3), dtype=np.uint8)


def test_without_more_knowledge_the_whole_picture_is_the_tray() -> None:
    view = WHOLE_PICTURE.view(Frame(IMAGE, 0.0, 0))
    assert view.image is IMAGE
    assert view.box((3.25, 4.5, 10.0, 11.75)) == (3.25, 4.5, 10.0, 11.75)
    assert WHOLE_PICTURE.where(np.array([[1.0, 1], [9000, 2]])) == ("tray", "tray")
    assert WHOLE_PICTURE.die_size(np.zeros((1, 2))) is None
    assert WHOLE_PICTURE.middle is None
    WHOLE_PICTURE.fits((1, 1))


def test_a_part_of_the_picture_shown_larger_maps_back_by_shift_and_scale() -> None:
    view = TrayView(IMAGE, np.array([[0.5, 0, 100], [0, 0.5, 40], [0, 0, 1]]))
    assert view.points(np.array([[0.0, 0.0], [20.0, 8.0]])).tolist() == [[100.0, 40.0], [110.0, 44.0]]
    assert view.box((0.0, 0.0, 20.0, 8.0)) == (100.0, 40.0, 110.0, 44.0)


def test_a_turned_view_maps_a_box_to_the_upright_box_around_it() -> None:
    quarter = TrayView(IMAGE, np.array([[0.0, -1, 50], [1, 0, 0], [0, 0, 1]]))
    assert quarter.box((10.0, 20.0, 14.0, 21.0)) == (29.0, 10.0, 30.0, 14.0)


def test_perspective_makes_what_is_far_smaller_and_its_factor_does_not_matter() -> None:
    matrix = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0.01, 1]])
    near, far = (TrayView(IMAGE, matrix).box((0.0, y, 10.0, y + 10.0)) for y in (0.0, 90.0))
    assert far[2] - far[0] < near[2] - near[0]
    assert TrayView(IMAGE, 3 * matrix).box((0.0, 90.0, 10.0, 100.0)) == pytest.approx(far)
    assert far == pytest.approx((0.0, 90 / 1.9, 10 / 1.9, 100 / 2.0))


def test_no_points_map_to_none_and_other_shapes_are_refused() -> None:
    view = WHOLE_PICTURE.view(Frame(IMAGE, 0.0, 0))
    assert view.points(np.zeros((0, 2))).shape == (0, 2)
    with pytest.raises(ValueError, match=r"must be \(n, 2\)"):
        view.points(np.zeros(2))


def test_the_view_is_the_tray_and_a_die_and_a_half_around_it_without_a_copy() -> None:
    image = picture()
    view = Profile((640, 480), SQUARE, "square", die_px=40).view(Frame(image, 0.0, 0))
    assert view.image.shape == (460 - 40 + 1, 560 - 140 + 1, 3)
    assert np.shares_memory(view.image, image)
    assert view.points(np.array([[0.0, 0], [60, 60]])).tolist() == [[140, 40], [200, 100]]
    assert np.array_equal(view.image[60, 60], image[100, 200])


def test_the_margin_follows_the_tray_while_nobody_knows_the_dice_and_ends_with_the_picture() -> None:
    assert Profile((640, 480), SQUARE, "square").crop(640, 480) == (170, 70, 531, 431)
    assert Profile((640, 480), SQUARE, "square", die_px=300).crop(640, 480) == (0, 0, 640, 480)


def test_a_profile_for_another_camera_is_refused_with_both_sizes() -> None:
    profile = Profile((1280, 720), name="bar")
    profile.fits((1280, 720))
    with pytest.raises(
        ProfileError, match=r"The profile bar was made for pictures of 1280x720.*gives 640x480.*calib"
    ):
        profile.view(Frame(picture(), 0.0, 0))


def test_where_tells_tray_kept_and_beside_and_the_kept_zone_comes_first() -> None:
    kept = np.array([[200.0, 300], [640, 300], [640, 400], [200, 400]])
    profile = Profile((640, 480), SQUARE, "square", kept=kept)
    places = np.array([[300.0, 200], [300, 350], [600, 350], [600, 200], [199, 101], [201, 101]])
    assert profile.where(places) == ("tray", "kept", "kept", "beside", "beside", "tray")
    assert profile.where(np.zeros((0, 2))) == ()


def test_the_size_of_a_die_follows_the_ground() -> None:
    flat = Profile(ground=np.diag([1 / 40, 1 / 40, 1.0]), die_px=33.0)
    sizes = flat.die_size(SQUARE)
    assert sizes is not None and sizes == pytest.approx([40.0] * 4)
    # Lines seen from a slant: y = 100 is twice as far away as y = 300.
    tilted = Profile(ground=np.array([[1.0, 0, 0], [0, 0, 1], [0, 1 / 100, 0]]))
    far, near = tilted.die_size(np.array([[0.0, 100], [0, 300]]))  # type: ignore[misc]
    assert near / far == pytest.approx(3**1.5)
    assert Profile(die_px=33.0).die_size(SQUARE[:2]).tolist() == [33.0, 33.0]  # type: ignore[union-attr]


def test_a_lens_is_straightened_in_the_view_and_boxes_go_back_to_the_bent_frame() -> None:
    straight = np.full((480, 640, 3), 90, np.uint8)
    spots = np.array([[230.0, 130], [470, 130], [470, 370], [230, 370]])
    at = BENT.bent(spots)
    for x, y in at:
        cv2.circle(straight, (round(x), round(y)), 3, (255, 255, 255), -1)
    profile = Profile((640, 480), SQUARE, "square", die_px=20, lens=BENT)
    view = profile.view(Frame(straight, 0.0, 0))
    bright = cv2.connectedComponentsWithStats((view.image[..., 0] > 180).astype(np.uint8))[3][1:]
    assert len(bright) == 4
    assert np.abs(np.sort(view.points(bright), axis=0) - np.sort(at, axis=0)).max() < 1
    shift = view.to_frame[:2, 2]
    assert np.abs(np.sort(bright + shift, axis=0) - np.sort(spots, axis=0)).max() < 1


def test_profiles_are_equal_by_what_they_hold() -> None:
    one, other = (Profile((640, 480), SQUARE.copy(), "square", camera={"focus": 3.0}) for _ in range(2))
    assert one == other
    assert one != Profile((640, 480), SQUARE + 1, "square", camera={"focus": 3.0})
    assert one != Profile((640, 480), camera={"focus": 3.0})
    assert Profile(reference=picture()) == Profile(reference=picture())
    with pytest.raises(ValueError, match="read-only"):
        one.tray[0, 0] = 7  # type: ignore[index]


WRONG = {
    "size": dict(size=(0, 480)),
    "shape": dict(shape="star"),
    "shape without outline": dict(shape="round"),
    "outline without shape": dict(tray=SQUARE),
    "tray of two points": dict(tray=SQUARE[:2], shape="outline"),
    "tray that crosses itself": dict(tray=SQUARE[[0, 2, 1, 3]], shape="outline"),
    "tray with a point twice": dict(tray=SQUARE[[0, 1, 1, 2, 3]], shape="outline"),
    "tray beyond the picture": dict(size=(490, 480), tray=SQUARE, shape="square"),
    "tray without room": dict(size=(640, 480), tray=SQUARE * 0.01, shape="square"),
    "tray of no numbers": dict(tray=SQUARE * np.nan, shape="square"),
    "tray of words": dict(tray=[["a", "b"]] * 3, shape="square"),
    "kept on a line": dict(kept=np.array([[0.0, 0], [5, 5], [9, 9]])),
    "ground flat": dict(ground=np.ones((3, 3))),
    "ground with the horizon in the tray": dict(
        tray=SQUARE, shape="square", ground=np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, -250]])
    ),
    "die_px": dict(die_px=float("nan")),
    "die_px of nothing": dict(die_px=0.0),
    "dice": dict(dice=0),
    "dice true": dict(dice=True),
    "lens without size": dict(lens=BENT),
    "lens that folds the picture": dict(size=(640, 480), lens=Lens(200, 200, 320, 240, k1=-2.0)),
    "lens of nothing": dict(size=(640, 480), lens=Lens(0, 0, 320, 240)),
    "camera": dict(camera={"focus": float("inf")}),
    "reference of another size": dict(size=(640, 480), reference=IMAGE),
    "reference in grey": dict(reference=IMAGE[..., 0]),
    "name of two lines": dict(name="a\nb"),
    "look": dict(look=Look((0, 0, 300), (0, 0, 0))),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_true_is_refused_and_named(what: str) -> None:
    with pytest.raises(ProfileError) as caught:
        Profile(**WRONG[what])  # type: ignore[arg-type]
    key = next(iter(each for each in what.split() if each in Profile.__dataclass_fields__), "shape")
    assert [fault.key for fault in caught.value.faults] == [key]
    assert key in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ProfileError) as caught:
        Profile(size=(0, 1), dice=99, die_px=-1.0, name="\x00")
    assert [fault.key for fault in caught.value.faults] == ["size", "die_px", "dice", "name"]
    assert "and 1 more" in str(caught.value)
