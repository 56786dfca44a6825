"""Choosing the camera while the service runs: switched at once, remembered, from the network only what is safe."""

from __future__ import annotations

import json
import os
import socket
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from calibration.profilefile import read_profile, write_profile
from scorer.service.app import create_app
from scorer.service.chosen import FILE, Chosen, recall, remember
from scorer.service.problems import Refused
from scorer.service.setting import Setting
from scorer.service.store import Store
from scorer.service.table import Table
from tests.service.conftest import Client
from vision.errors import SourceError
from vision.frames import Image
from vision.roll import Reading


def nothing(image: Image) -> Reading:
    return Reading((), True, (), 1.0, image.shape[1], image.shape[0])


def picture(path: Path, size: tuple[int, int] = (320, 240)) -> Path:
    image = np.random.default_rng(421).integers(60, 90, (size[1], size[0], 3), dtype=np.uint8)
    assert cv2.imwrite(str(path), image)
    return path


def until(true: Callable[[], Any], seconds: float = 10.0) -> None:
    end = clock.monotonic() + seconds
    while not true():
        assert clock.monotonic() < end, "it did not come to that"
        clock.sleep(0.01)


@pytest.fixture
def setting(table: Table, tmp_path: Path) -> Iterator[Setting]:
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    yield setting
    setting.stop()


@pytest.fixture
def here(table: Table, setting: Setting) -> Iterator[Client]:
    """A screen on the machine of the service."""
    client = Client(table, app=create_app(table, setting=setting))
    yield client
    client.close()


@pytest.fixture
def elsewhere(table: Table, setting: Setting) -> Iterator[Client]:
    """A tablet on the table."""
    app = create_app(table, "0.0.0.0", setting=setting)
    client = Client(table, app=app, address="192.168.1.20")
    yield client
    client.close()


def chosen(client: Client) -> Any:
    return client.get("/api/camera").json()


def test_without_a_camera_nothing_is_set(here: Client) -> None:
    view = chosen(here)
    assert (view["source"], view["known"], view["size"], view["profile"]) == (None, [], None, None)
    assert view["here"] is True


def test_a_source_is_watched_at_once_and_another_takes_its_place(here: Client, tmp_path: Path) -> None:
    one, two = picture(tmp_path / "one.png"), picture(tmp_path / "two.png", (400, 300))
    answer = here.post("/api/camera/source", source=str(one))
    assert answer.status_code == 200, answer.text
    until(lambda: chosen(here)["size"] == [320, 240])
    assert here.view["camera"]["source"] == "one.png"
    view = here.post("/api/camera/source", source=str(two)).json()
    assert (view["source"]["name"], view["source"]["kind"]) == ("two.png", "picture")
    until(lambda: chosen(here)["size"] == [400, 300])
    assert [each["name"] for each in chosen(here)["known"]] == ["two.png", "one.png"]
    assert here.get("/api/picture.jpg").status_code == 200


def test_no_camera_can_be_chosen_too(here: Client, tmp_path: Path) -> None:
    here.post("/api/camera/source", source=str(picture(tmp_path / "one.png")))
    view = here.post("/api/camera/source").json()
    assert view["source"] is None
    assert here.view["camera"]["state"] == "none"
    assert [each["name"] for each in view["known"]] == ["one.png"]


def test_a_source_that_is_not_there_is_refused_and_the_one_before_goes_on(
    here: Client, tmp_path: Path
) -> None:
    here.post("/api/camera/source", source=str(picture(tmp_path / "one.png")))
    answer = here.post("/api/camera/source", source=str(tmp_path / "none.mp4"))
    assert (answer.status_code, answer.json()["error"]) == (422, "source")
    assert "no such file" in answer.json()["message"]
    assert chosen(here)["source"]["name"] == "one.png"
    assert here.view["camera"]["source"] == "one.png"


def test_the_choice_is_found_again_by_the_next_start(
    here: Client, setting: Setting, table: Table, tmp_path: Path
) -> None:
    here.post("/api/camera/source", source=str(picture(tmp_path / "one.png")))
    setting.stop()
    again = Setting(table, tmp_path, reader=lambda: nothing)
    again.start()
    try:
        assert again.view(here=True)["source"]["name"] == "one.png"
    finally:
        again.stop()


def test_a_source_of_the_command_line_goes_before_what_was_chosen_and_is_not_remembered(
    table: Table, tmp_path: Path
) -> None:
    remember(tmp_path, Chosen().using(str(picture(tmp_path / "one.png"))))
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.start(str(picture(tmp_path / "two.png")))
    assert setting.view(here=True)["source"]["name"] == "two.png"
    setting.stop()
    assert recall(tmp_path).source == str(tmp_path / "one.png")


def test_what_was_chosen_and_is_missing_today_is_no_reason_not_to_start(table: Table, tmp_path: Path) -> None:
    remember(tmp_path, Chosen().using(str(tmp_path / "gone.png")))
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.start()
    until(lambda: table.view()["camera"]["state"] == "ended")
    assert "no such file" in table.view()["camera"]["message"]
    setting.stop()


def test_a_source_named_on_the_command_line_that_is_missing_is_said_at_once(
    table: Table, tmp_path: Path
) -> None:
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    with pytest.raises(SourceError, match="no such file"):
        setting.start(str(tmp_path / "gone.png"))


def test_from_the_network_no_path_and_no_address_is_taken(elsewhere: Client, tmp_path: Path) -> None:
    one = str(picture(tmp_path / "one.png"))
    for source in (
        one,
        "rtsp://10.0.0.9/stream",
        "http://10.0.0.9/",
        "usb:/dev/video0",
        "file:///etc/passwd",
    ):
        answer = elsewhere.post("/api/camera/source", source=source)
        assert (answer.status_code, answer.json()["error"]) == (403, "not_here"), source
    assert chosen(elsewhere)["here"] is False
    assert elsewhere.view["camera"]["state"] == "none"


@pytest.mark.parametrize(
    "header", ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "Via", "X-Real-IP", "Host"]
)
def test_what_another_server_hands_on_is_not_from_here(
    table: Table, setting: Setting, tmp_path: Path, header: str
) -> None:
    here = Client(table, app=create_app(table, "0.0.0.0", setting=setting))
    assert here.get("/api/camera").json()["here"] is True
    one = str(picture(tmp_path / "one.png"))
    headers = {header: "192.168.1.20"}
    answer = here.ask("POST", "/api/camera/source", json={"source": one}, headers=headers)
    assert answer.json()["error"] == "not_here"
    assert here.get("/api/camera", headers=headers).json()["here"] is False
    here.close()


@pytest.mark.parametrize("host", ["localhost:4210", "[::1]:4210", "127.0.0.1:4210", socket.gethostname()])
def test_by_its_own_names_it_is_asked_from_here(table: Table, setting: Setting, host: str) -> None:
    here = Client(table, app=create_app(table, "0.0.0.0", setting=setting))
    assert here.get("/api/camera", headers={"Host": host}).json()["here"] is True
    here.close()


def test_from_the_network_what_was_chosen_before_can_be_chosen_again_without_seeing_its_password(
    elsewhere: Client, setting: Setting, tmp_path: Path
) -> None:
    one = picture(tmp_path / "one.png")
    setting.use("rtsp://me:secret@127.0.0.1:9/cam?token=hidden")
    setting.use(str(one))
    text = elsewhere.get("/api/camera").text
    assert "secret" not in text
    assert "hidden" not in text
    assert str(tmp_path) not in text
    known = {each["name"]: each["id"] for each in chosen(elsewhere)["known"]}
    setting.use(None)
    answer = elsewhere.post("/api/camera/source", known=known["one.png"])
    assert answer.json()["source"]["name"] == "one.png"
    assert elsewhere.post("/api/camera/source", known="0" * 16).status_code == 404


def test_a_repeated_command_is_done_once(here: Client, tmp_path: Path) -> None:
    one, two = str(picture(tmp_path / "one.png")), str(picture(tmp_path / "two.png"))
    here.post("/api/camera/source", source=one, key="k1")
    here.post("/api/camera/source", source=two, key="k2")
    assert here.post("/api/camera/source", source=one, key="k1").json()["source"]["name"] == "two.png"
    assert here.post("/api/camera/source", source=two, key="k1").json()["error"] == "key_reused"


def test_rolls_of_the_camera_before_are_gone_with_it(here: Client, table: Table, tmp_path: Path) -> None:
    from tests.service.conftest import roll_of

    here.post("/api/camera/source", source=str(picture(tmp_path / "one.png")))
    until(lambda: here.view["camera"]["state"] in ("empty", "ended"))
    table.roll_seen(roll_of(4, 2, 1))
    assert here.view["roll"] is not None
    here.post("/api/camera/source")
    assert here.view["roll"] is None


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights elsewhere")
def test_nobody_else_may_read_what_may_hold_a_password(tmp_path: Path) -> None:
    (tmp_path / "camera.new").write_text("left over")
    remember(tmp_path, Chosen().using("rtsp://me:secret@camera/"))
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert recall(tmp_path).source == "rtsp://me:secret@camera/"


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"source": 3}', '{"source": "", "known": 5}', '{"known": [{"source": []}, 7]}', "\x00"],
)
def test_a_choice_that_cannot_be_read_is_forgotten(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    assert recall(tmp_path) == Chosen()


def test_a_choice_that_cannot_be_written_does_no_harm(
    here: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).mkdir()
    answer = here.post("/api/camera/source", source=str(picture(tmp_path / "one.png")))
    assert answer.json()["source"]["name"] == "one.png"
    assert "cannot be written" in caplog.text


def test_only_so_many_are_known(tmp_path: Path) -> None:
    chosen = Chosen()
    for number in range(20):
        chosen = chosen.using(str(number)).with_profile(str(number), f"p{number}")
    assert len(chosen.known) == 8
    assert chosen.profile_of("19") == "p19"
    remember(tmp_path, chosen)
    assert recall(tmp_path) == chosen
    assert chosen.using("15").known[0] == ("15", "p15")


def test_a_service_without_a_setting_has_no_such_addresses(store: Store, client: Client) -> None:
    assert client.get("/api/camera").status_code == 404
    assert client.post("/api/camera/source").status_code == 404


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    remember(tmp_path, Chosen().using("0").with_profile("0", "bar"))
    assert json.loads((tmp_path / FILE).read_text()) == {
        "source": "0",
        "known": [{"source": "0", "profile": "bar"}],
    }


def test_a_profile_of_the_command_line_is_used_for_this_run(table: Table, tmp_path: Path) -> None:
    outline = np.array([(10.0, 10.0), (300, 10), (300, 230), (10, 230)])
    profile = Profile(size=(320, 240), tray=outline, shape="square", name="bar")
    write_profile(profile, tmp_path / "profiles" / "bar.toml")
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.start(str(picture(tmp_path / "one.png")), profile="bar")
    assert setting.view(here=True)["profile"]["name"] == "bar"
    setting.stop()
    assert recall(tmp_path) == Chosen()


def test_a_profile_chosen_for_the_source_of_the_command_line_is_in_use_when_that_is_named_again(
    table: Table, tmp_path: Path
) -> None:
    write_profile(Profile(size=(320, 240), name="bar"), tmp_path / "profiles" / "bar.toml")
    one = str(picture(tmp_path / "one.png"))
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.start(one)
    setting.use_profile("bar")
    setting.stop()
    again = Setting(table, tmp_path, reader=lambda: nothing)
    again.start(one)
    assert again.view(here=True)["profile"]["name"] == "bar"
    again.stop()
    assert recall(tmp_path).source is None  # only the command line names it


def test_a_profile_of_the_command_line_that_is_not_there_is_said(table: Table, tmp_path: Path) -> None:
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    with pytest.raises(Refused, match="There is no profile bar"):
        setting.start(str(picture(tmp_path / "one.png")), profile="bar")
    assert setting.view(here=True)["source"] is None


def test_the_source_of_the_command_line_can_be_chosen_again(
    here: Client, setting: Setting, tmp_path: Path
) -> None:
    setting.start(str(picture(tmp_path / "one.png")))
    here.post("/api/camera/source", source=str(picture(tmp_path / "two.png")))
    known = {each["name"]: each["id"] for each in chosen(here)["known"]}
    assert list(known) == ["one.png", "two.png"]
    assert here.post("/api/camera/source", known=known["one.png"]).json()["source"]["name"] == "one.png"


def test_an_outline_that_was_put_right_after_a_bump_is_the_one_that_screens_see(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outline = np.array([(10.0, 10.0), (300, 10), (300, 230), (10, 230)])
    profile = Profile(size=(320, 240), tray=outline, shape="square", name="bar")
    write_profile(profile, tmp_path / "profiles" / "bar.toml")
    bumped = Profile(size=(320, 240), tray=outline + 5, shape="square", name="bar")
    monkeypatch.setattr("vision.watcher.RollWatcher.profile", property(lambda _: bumped))
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.start(str(picture(tmp_path / "one.png")), profile="bar")
    until(lambda: setting.view(here=True)["profile"]["outline"] == (outline + 5).tolist())
    # Somebody looks, and says that it is right: it is kept so.
    setting.look_again()
    kept = read_profile(tmp_path / "profiles" / "bar.toml")
    assert kept.tray is not None and kept.tray.tolist() == (outline + 5).tolist()
    setting.stop()
