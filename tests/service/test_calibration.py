"""Calibrating over the API: step by step, one screen at a time, and throws that count for nobody meanwhile."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import light, markers
from calibration.lens import Lens
from calibration.profile import Profile
from calibration.profilefile import read_profile
from calibration.sheet import layout
from calibration.tray import Found
from calibration.tray import find as real_find
from calibration.verify import THROWS
from scorer.service.app import create_app
from scorer.service.calibrating import LEASE_S, Calibrating
from scorer.service.setting import Setting
from scorer.service.sheets import CODES, Sheets
from scorer.service.table import Table
from tests.service.conftest import Client, roll_of
from tests.service.test_setting import nothing, picture, until

SQUARE = [[60, 40], [260, 40], [260, 200], [60, 200]]
BAND = [[270, 40], [310, 40], [310, 200], [270, 200]]


class Clock:
    """Time that the test lets pass."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is lost with looking for the tray where that is not what a test is about."""
    found = Found(np.array(SQUARE, np.float64), "square", True, 0.95)
    monkeypatch.setattr("calibration.tray.find", lambda *_: found)


@pytest.fixture
def setting(table: Table, tmp_path: Path, passing: Clock, quick: None) -> Iterator[Setting]:
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.calibrating = Calibrating(setting, table, monotonic=passing)
    setting.use(str(tray_picture(tmp_path / "table.png")))
    until(lambda: setting.frame() is not None)
    yield setting
    setting.stop()


@pytest.fixture
def client(table: Table, setting: Setting) -> Iterator[Client]:
    client = Client(table, app=create_app(table, setting=setting))
    yield client
    client.close()


def tray_picture(path: Path) -> Path:
    """A square tray of dark felt on a light table."""
    image = np.random.default_rng(421).integers(150, 180, (240, 320, 3), dtype=np.uint8)
    cv2.fillPoly(image, [np.array(SQUARE)], (60, 90, 40))
    assert cv2.imwrite(str(path), image)
    return path


def camera(client: Client) -> Any:
    return client.get("/api/camera").json()


def begun(client: Client) -> str:
    answer = client.post("/api/calibration/find")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["calibration"]["id"])


def told(client: Client, **more: Any) -> str:
    """A calibration whose tray has been said."""
    id = begun(client)
    body = {"calibration": id, "outline": SQUARE, "shape": "square"} | more
    answer = client.post("/api/calibration/tray", **body)
    assert answer.status_code == 200, answer.text
    return id


def test_a_profile_is_made_saved_and_in_use(client: Client, tmp_path: Path) -> None:
    id = told(client, kept=BAND)
    now = camera(client)["calibration"]
    assert (now["tray"]["outline"], now["tray"]["shape"], now["tray"]["kept"]) == (SQUARE, "square", BAND)
    view = client.post("/api/calibration/save", calibration=id, name="Bar").json()
    assert view["calibration"] is None
    assert view["profile"]["name"] == "Bar"
    profile = read_profile(tmp_path / "profiles" / "Bar.toml")
    assert profile.tray is not None and profile.tray.tolist() == SQUARE
    assert profile.kept is not None and profile.kept.tolist() == BAND
    assert profile.size == (320, 240)
    assert profile.reference is not None and profile.reference.shape == (240, 320, 3)
    assert profile.where(np.array([(100.0, 100), (290, 100), (20, 20)])) == ("tray", "kept", "beside")


def test_the_tray_is_found_in_the_newest_pictures(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.tray.find", real_find)
    begun(client)
    found = camera(client)["calibration"]["found"]
    assert found["shape"] == "square"
    corners = sorted(tuple(round(each, -1) for each in point) for point in found["outline"])
    assert corners == sorted(tuple(point) for point in SQUARE)


def test_the_light_is_checked_where_the_tray_is(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    def check(images: Any, tray: Any, dice: Any) -> Any:
        seen.update(images=images, tray=tray.tolist(), dice=dice)
        return (light.Finding("glare", 2.34567, (100.0, 60.0, 130.0, 90.0)), light.Finding("smallish", 33.0))

    monkeypatch.setattr("calibration.light.check", check)
    id = told(client)
    view = client.post("/api/calibration/light", calibration=id).json()
    assert view["calibration"]["light"] == [
        {
            "code": "glare",
            "message": light.MESSAGES["glare"],
            "value": 2.3,
            "grave": True,
            "box": [100.0, 60.0, 130.0, 90.0],
        },
        {
            "code": "smallish",
            "message": light.Finding("smallish", 33.0).message,
            "value": 33.0,
            "grave": False,
            "box": None,
        },
    ]
    assert (seen["tray"], seen["dice"]) == (SQUARE, [])
    # Another outline, another light.
    view = client.post("/api/calibration/tray", calibration=id, outline=None).json()
    assert view["calibration"]["light"] is None


def test_what_went_wrong_with_the_throws_is_told_when_they_are_over(client: Client, table: Table) -> None:
    id = told(client)
    client.post("/api/calibration/throws", calibration=id, run=True)
    table.roll_seen(roll_of(4, 2))
    assert camera(client)["calibration"]["throws"]["advice"] == []
    view = client.post("/api/calibration/throws", calibration=id, run=False).json()
    assert [each["code"] for each in view["calibration"]["throws"]["advice"]] == ["fewer", "count"]
    assert not view["calibration"]["throws"]["passed"]


def test_what_is_said_once_more_keeps_what_was_seen(client: Client, table: Table) -> None:
    id = told(client)
    client.post("/api/calibration/light", calibration=id)
    client.post("/api/calibration/throws", calibration=id, run=True)
    table.roll_seen(roll_of(4, 2, 1))
    same = client.post("/api/calibration/tray", calibration=id, outline=SQUARE, shape="square").json()
    assert same["calibration"]["light"] is not None
    assert len(same["calibration"]["throws"]["rolls"]) == 1
    other = client.post("/api/calibration/tray", calibration=id, outline=SQUARE, shape="outline").json()
    assert (other["calibration"]["light"], other["calibration"]["throws"]) == (None, None)


def test_focus_and_white_balance_of_the_camera_are_kept_with_it(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Setting, "held", property(lambda _self: {"focus": 40.0, "white_balance": 4600.0}))
    client.post("/api/calibration/save", calibration=told(client), name="Bar")
    profile = read_profile(tmp_path / "profiles" / "Bar.toml")
    assert dict(profile.camera) == {"focus": 40.0, "white_balance": 4600.0}


def test_it_is_in_use_again_after_the_next_start(client: Client, setting: Setting, tmp_path: Path) -> None:
    client.post("/api/calibration/save", calibration=told(client), name="Bar")
    setting.use(str(picture(tmp_path / "other.png")))
    assert camera(client)["profile"] is None
    setting.use(str(tmp_path / "table.png"))
    assert camera(client)["profile"]["name"] == "Bar"


def test_the_whole_picture_can_be_the_tray(client: Client) -> None:
    id = told(client, outline=None)
    view = client.post("/api/calibration/save", calibration=id, name="Bar").json()
    assert (view["profile"]["shape"], view["profile"]["outline"]) == ("picture", None)


@pytest.mark.parametrize(
    ("outline", "words"),
    [
        ([[60, 40], [260, 200], [260, 40], [60, 200]], "cross"),
        ([[60, 40], [900, 40], [260, 200]], "must lie in the picture"),
        ([[60, 40], [61, 40], [60, 41]], "too small"),
    ],
)
def test_an_outline_that_does_not_do_is_refused_in_words(
    client: Client, outline: list[list[int]], words: str
) -> None:
    answer = client.post("/api/calibration/tray", calibration=begun(client), outline=outline, shape="outline")
    assert (answer.status_code, answer.json()["error"]) == (422, "profile")
    assert words in answer.json()["message"]


@pytest.mark.parametrize(
    "outline",
    [
        [],
        [[1, 2]],
        [[1, 2, 3]] * 3,
        [["a", "b"]] * 3,
        [[1e9, 1], [2, 2], [3, 1]],
        7,
        [[True, 1], [2, 2], [3, 1]],
    ],
)
def test_what_is_no_outline_is_refused(client: Client, outline: Any) -> None:
    answer = client.post("/api/calibration/tray", calibration=begun(client), outline=outline, shape="outline")
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")


def test_the_tray_is_said_before_anything_else(client: Client) -> None:
    id = begun(client)
    for path, more in (("throws", {"run": True}), ("save", {"name": "Bar"})):
        answer = client.post(f"/api/calibration/{path}", calibration=id, **more)
        assert (answer.status_code, answer.json()["message"]) == (422, "Say first where the tray is.")


def test_without_a_camera_there_is_nothing_to_calibrate(client: Client, setting: Setting) -> None:
    setting.use(None)
    answer = client.post("/api/calibration/find")
    assert (answer.status_code, answer.json()["error"]) == (409, "no_picture")


def test_the_screen_whose_calibration_another_one_ended_is_told(client: Client) -> None:
    one = told(client)
    two = begun(client)
    assert one != two
    answer = client.post("/api/calibration/save", calibration=one, name="Bar")
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")
    assert "Another screen" in answer.json()["message"]
    client.post("/api/calibration/cancel", calibration=two)
    answer = client.post("/api/calibration/tray", calibration=two, outline=None)
    assert "is over" in answer.json()["message"]


def test_a_name_is_given_twice_only_on_purpose(client: Client) -> None:
    client.post("/api/calibration/save", calibration=told(client), name="Bar")
    id = told(client, outline=None)
    answer = client.post("/api/calibration/save", calibration=id, name="Bar")
    assert (answer.status_code, answer.json()["error"]) == (409, "exists")
    view = client.post("/api/calibration/save", calibration=id, name="Bar", replace=True).json()
    assert view["profile"]["shape"] == "picture"


@pytest.mark.parametrize("name", ["../x", "con", "a/b", " ", ".hidden"])
def test_a_name_that_no_file_can_have_is_refused(client: Client, name: str) -> None:
    answer = client.post("/api/calibration/save", calibration=told(client), name=name)
    assert (answer.status_code, answer.json()["error"]) == (422, "profile_name")


def test_throws_of_the_trial_are_read_and_count_for_nobody(client: Client, table: Table) -> None:
    client.start()
    id = told(client)
    view = client.post("/api/calibration/throws", calibration=id, run=True).json()
    assert view["calibration"]["throws"]["running"]
    table.roll_seen(roll_of(4, 2, 1))
    table.roll_seen(roll_of(6, 5, 2, sure=False))
    rolls = camera(client)["calibration"]["throws"]["rolls"]
    assert [[die["value"] for die in roll["dice"]] for roll in rolls] == [[4, 2, 1], [6, 5, 2]]
    assert [roll["sure"] for roll in rolls] == [True, False]
    assert client.view["roll"] is None
    client.post("/api/calibration/throws", calibration=id, run=False)
    table.roll_seen(roll_of(3, 3, 1, at=[(10, 200), (90, 200), (170, 200)]))
    assert [die["value"] for die in client.view["roll"]["dice"]] == [3, 3, 1]
    assert len(camera(client)["calibration"]["throws"]["rolls"]) == 2


def test_after_the_last_throw_of_the_trial_its_dice_lying_there_are_nobodys(
    client: Client, table: Table
) -> None:
    client.start()
    id = told(client)
    client.post("/api/calibration/throws", calibration=id, run=True)
    for _ in range(THROWS):
        table.roll_seen(roll_of(4, 2, 1))
    throws = camera(client)["calibration"]["throws"]
    assert (len(throws["rolls"]), throws["running"]) == (THROWS, False)
    # The watcher begins anew with the profile that it had before, and reports what lies there.
    from scorer.service.watching import CameraStatus

    table.camera_is(CameraStatus("starting"))
    table.roll_seen(roll_of(4, 2, 1))
    assert "as confirmed" in client.view["roll"]["reasons"]


def test_the_dice_are_learnt_from_the_trial(client: Client, table: Table, tmp_path: Path) -> None:
    id = told(client)
    client.post("/api/calibration/throws", calibration=id, run=True)
    for _ in range(THROWS):
        table.roll_seen(roll_of(4, 2, 1))
    assert camera(client)["calibration"]["die_px"] == 60
    client.post("/api/calibration/save", calibration=id, name="Bar")
    profile = read_profile(tmp_path / "profiles" / "Bar.toml")
    assert (profile.die_px, profile.dice) == (60, 3)


def test_a_game_that_is_started_meanwhile_has_its_rolls(
    client: Client, table: Table, setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Profile] = []
    monkeypatch.setattr("scorer.service.camera.Camera.use", lambda _, profile: tried.append(profile))
    id = told(client)
    assert tried == []
    client.post("/api/calibration/throws", calibration=id, run=True)
    client.start()
    table.roll_seen(roll_of(4, 2, 1))
    assert client.view["roll"]["fits"]
    assert not camera(client)["calibration"]["throws"]["running"]
    # A screen has looked: the camera watches with the profile in use again, which is none.
    assert [profile.tray is None for profile in tried] == [False, True]


def test_a_profile_that_is_chosen_meanwhile_ends_the_trial(client: Client, table: Table) -> None:
    """What would be read with another profile says nothing of the one to be kept."""
    client.start()
    id = told(client)
    client.post("/api/calibration/throws", calibration=id, run=True)
    table.roll_seen(roll_of(4, 2, 1))
    assert client.post("/api/camera/profile", profile=None).status_code == 200
    throws = camera(client)["calibration"]["throws"]
    assert (len(throws["rolls"]), throws["running"]) == (1, False)
    table.roll_seen(roll_of(6, 5, 2))
    assert client.view["roll"]["fits"]


def test_a_screen_that_is_gone_takes_no_rolls_from_the_game(
    client: Client, table: Table, passing: Clock
) -> None:
    client.start()
    id = told(client)
    client.post("/api/calibration/throws", calibration=id, run=True)
    passing.now += LEASE_S - 1
    # Whoever asks names the calibration, and is there.
    client.get(f"/api/camera?calibration={id}")
    passing.now += LEASE_S - 1
    table.roll_seen(roll_of(4, 2, 1))
    assert client.view["roll"] is None
    passing.now += LEASE_S
    table.roll_seen(roll_of(6, 5, 2, at=[(10, 200), (90, 200), (170, 200)]))
    assert [die["value"] for die in client.view["roll"]["dice"]] == [6, 5, 2]


def test_another_camera_ends_the_calibration(
    client: Client, setting: Setting, table: Table, tmp_path: Path
) -> None:
    client.start()
    id = told(client)
    client.post("/api/calibration/throws", calibration=id, run=True)
    client.post("/api/camera/source", source=str(picture(tmp_path / "other.png")))
    assert camera(client)["calibration"] is None
    assert client.post("/api/calibration/save", calibration=id, name="Bar").json()["error"] == "stale"
    table.roll_seen(roll_of(4, 2, 1))
    assert client.view["roll"] is not None


def test_screens_hear_of_each_throw_of_the_trial(client: Client, table: Table) -> None:
    id = told(client)
    client.post("/api/calibration/throws", calibration=id, run=True)
    before = client.view["version"]
    table.roll_seen(roll_of(4, 2, 1))
    assert client.view["version"] > before


def test_profiles_are_listed_chosen_and_removed(client: Client, tmp_path: Path) -> None:
    client.post("/api/calibration/save", calibration=told(client), name="Bar")
    client.post("/api/calibration/save", calibration=told(client, outline=None), name="Cafe")
    assert [(each["name"], each["shape"]) for each in camera(client)["profiles"]] == [
        ("Bar", "square"),
        ("Cafe", "picture"),
    ]
    assert client.post("/api/camera/profile", profile="Bar").json()["profile"]["name"] == "Bar"
    assert client.post("/api/camera/profile", profile=None).json()["profile"] is None
    assert client.post("/api/camera/profile", profile="None such").status_code == 422
    client.post("/api/camera/profile", profile="Cafe")
    view = client.post("/api/camera/profile/remove", profile="Cafe").json()
    assert (view["profile"], [each["name"] for each in view["profiles"]]) == (None, ["Bar"])
    assert not (tmp_path / "profiles" / "Cafe.toml").exists()
    assert client.post("/api/camera/profile/remove", profile="Cafe").status_code == 404


def test_a_damaged_profile_is_listed_with_its_fault_and_cannot_be_chosen(
    client: Client, tmp_path: Path
) -> None:
    client.post("/api/calibration/save", calibration=told(client), name="Bar")
    (tmp_path / "profiles" / "Old.toml").write_text("size = 3\n")
    (row,) = [each for each in camera(client)["profiles"] if each["name"] == "Old"]
    assert "Old.toml" in row["fault"]
    assert str(tmp_path) not in row["fault"]
    assert client.post("/api/camera/profile", profile="Old").json()["error"] == "profile"
    assert camera(client)["profile"]["name"] == "Bar"


def test_a_profile_made_for_another_size_cannot_be_chosen(
    client: Client, setting: Setting, tmp_path: Path
) -> None:
    client.post("/api/calibration/save", calibration=told(client), name="Bar")
    setting.use(str(picture(tmp_path / "large.png", (640, 480))))
    until(lambda: camera(client)["size"] == [640, 480])
    answer = client.post("/api/camera/profile", profile="Bar")
    assert (answer.status_code, answer.json()["error"]) == (422, "profile")
    assert "320x240" in answer.json()["message"]


def test_somebody_has_looked_and_the_table_is_where_it_was(client: Client, tmp_path: Path) -> None:
    assert client.post("/api/camera/in_place").status_code == 409
    client.post("/api/calibration/save", calibration=told(client), name="Bar")
    reference = tmp_path / "profiles" / "Bar.jpg"
    reference.unlink()
    assert client.post("/api/camera/in_place").status_code == 200
    assert reference.is_file()
    assert camera(client)["profile"]["name"] == "Bar"


def test_a_step_that_is_sent_again_is_done_once(client: Client) -> None:
    first = client.post("/api/calibration/find", key="k1").json()["calibration"]["id"]
    again = client.post("/api/calibration/find", key="k1").json()["calibration"]["id"]
    assert first == again


def drawn_sheet() -> Any:
    """The printed sheet as a camera above it sees it, flat on a table."""
    inks, _ = layout("A4")
    scale = 3.0
    page = np.full((round(297 * scale), round(210 * scale), 3), 245, np.uint8)
    for ink in inks:
        x0, y0, x1, y1 = (
            round(scale * each) for each in (ink.x, ink.y, ink.x + ink.width, ink.y + ink.height)
        )
        page[y0:y1, x0:x1] = 20
    return cv2.copyMakeBorder(page, 60, 60, 80, 80, cv2.BORDER_CONSTANT, value=(90, 120, 150))


def test_the_printed_sheet_gives_the_scale(client: Client, setting: Setting, tmp_path: Path) -> None:
    id = begun(client)
    view = client.post("/api/calibration/sheet", calibration=id).json()["calibration"]["sheet"]
    assert (view["found"], view["code"], view["views"]) == (False, "none", 0)
    assert cv2.imwrite(str(tmp_path / "sheet.png"), drawn_sheet())
    setting.use(str(tmp_path / "sheet.png"))
    until(lambda: setting.frame() is not None)
    id = begun(client)
    view = client.post("/api/calibration/sheet", calibration=id).json()["calibration"]["sheet"]
    assert (view["found"], view["views"], view["lens"]) == (True, 1, False)
    client.post("/api/calibration/tray", calibration=id, outline=None)
    client.post("/api/calibration/save", calibration=id, name="Bar")
    profile = read_profile(tmp_path / "profiles" / "Bar.toml")
    # Three pixels a millimetre, a die of 16 mm.
    sizes = profile.die_size(np.array([(400.0, 500.0)]))
    assert sizes is not None
    assert sizes.tolist() == pytest.approx([48.0], rel=0.02)


@pytest.mark.parametrize("lens", [None, Lens(900.0, 900.0, 395.0, 505.0)])
def test_a_sheet_that_is_bent_tells_no_scale_whether_the_lens_is_known_or_not(lens: Lens | None) -> None:
    image = drawn_sheet()
    rows, columns = (np.arange(side, dtype=np.float32) for side in image.shape[:2])
    bend = np.repeat((rows + 14 * np.sin(rows / 110))[:, None], len(columns), axis=1)
    bent = cv2.remap(image, np.repeat(columns[None], len(rows), axis=0), bend, cv2.INTER_LINEAR)
    before = Profile(size=(image.shape[1], image.shape[0]), lens=lens)
    sheets, profile = Sheets().look(np.asarray(bent, np.uint8), before)
    assert sheets.view()["code"] == "bent" and profile == before
    sheets, profile = sheets.look(image, before)
    assert sheets.view() | {"message": None} == {
        "found": True, "views": 2, "lens": lens is not None, "code": None, "message": None,
    }  # fmt: skip
    assert profile.ground is not None


def test_every_reason_against_a_sheet_has_a_word() -> None:
    tree = ast.parse(Path(str(markers.__file__)).read_text())
    begins = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "MarkersError":
            text = node.args[0]
            part = text.values[0] if isinstance(text, ast.JoinedStr) else text
            assert isinstance(part, ast.Constant)
            begins.append(str(part.value))
    assert len(begins) >= 4
    for begin in begins:
        assert any(begin.startswith(known) for known, _ in CODES), begin


@pytest.mark.parametrize(("kind", "begin"), [("svg", b"<svg"), ("pdf", b"%PDF")])
@pytest.mark.parametrize("paper", ["a4", "Letter"])
def test_the_sheet_can_be_taken_away_to_print(client: Client, kind: str, begin: bytes, paper: str) -> None:
    answer = client.get(f"/api/calibration/sheet.{kind}?paper={paper}&lang=fr")
    assert answer.status_code == 200
    assert answer.content.startswith(begin)
    assert "attachment" in answer.headers["content-disposition"]


@pytest.mark.parametrize("query", ["sheet.svg?paper=a3", "sheet.svg?lang=de", "sheet.png"])
def test_another_sheet_than_there_is_is_refused(client: Client, query: str) -> None:
    assert client.get(f"/api/calibration/{query}").json()["error"] == "invalid"
