"""What a table's camera is set to holds on whatever goes wrong: a choice that fails, a switch there and back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calibration.profile import Profile
from calibration.profilefile import write_profile
from scorer.service import certificate as certificates
from scorer.service.app import create_app
from scorer.service.certificate import certificate
from scorer.service.chosen import FILE, Chosen, recall
from scorer.service.setting import Setting
from scorer.service.table import Table

from .conftest import Client
from .test_setting import nothing, picture


@pytest.fixture
def bar(tmp_path: Path) -> Path:
    path = tmp_path / "profiles" / "bar.toml"
    write_profile(Profile(size=(320, 240), name="bar"), path)
    return path


@pytest.fixture
def setting(table: Table, tmp_path: Path, bar: Path) -> Iterator[Setting]:
    """A service that was started with a source and a profile on its command line."""
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.start(str(picture(tmp_path / "one.png")), profile=str(bar))
    yield setting
    setting.stop()


@pytest.fixture
def client(table: Table, setting: Setting) -> Iterator[Client]:
    client = Client(table, app=create_app(table, setting=setting))
    yield client
    client.close()


def profile_in_use(client: Client) -> Any:
    profile = client.get("/api/camera").json()["profile"]
    return profile and profile["name"]


def test_a_choice_that_fails_costs_no_profile(client: Client, tmp_path: Path) -> None:
    assert client.post("/api/camera/source", source=str(tmp_path / "none.mp4")).status_code == 422
    assert profile_in_use(client) == "bar"


def test_the_profile_of_the_command_line_is_that_of_its_source_for_all_of_this_run(client: Client) -> None:
    (known,) = client.get("/api/camera").json()["known"]
    assert client.post("/api/camera/source").json()["profile"] is None
    assert client.post("/api/camera/source", known=known["id"]).json()["profile"]["name"] == "bar"
    client.post("/api/camera/profile", profile=None)
    client.post("/api/camera/source")
    assert client.post("/api/camera/source", known=known["id"]).json()["profile"] is None


@pytest.mark.parametrize(
    "content",
    [
        '{"source": "\\ud800.mp4", "known": []}',
        '{"source": null, "known": [{"source": "\\udfff", "profile": null}]}',
    ],
)
def test_half_a_letter_is_no_choice(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    assert recall(tmp_path) == Chosen()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_pipes_in_the_data_folder_are_not_waited_for(tmp_path: Path) -> None:
    for name in (FILE, certificates.FILE):
        os.mkfifo(tmp_path / name)
    assert recall(tmp_path) == Chosen()
    assert certificate(tmp_path, {"localhost"}, set()).fresh


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="every name is Unicode there")
def test_a_name_that_is_not_utf8_is_known_like_any_other(table: Table, tmp_path: Path) -> None:
    odd = picture(tmp_path / "two.png").rename(tmp_path / "two\udcff.png")
    setting = Setting(table, tmp_path, reader=lambda: nothing)
    setting.use(str(odd))
    assert recall(tmp_path).source == str(odd)
    (known,) = setting.view(here=True)["known"]
    setting.use(None)
    setting.use_known(known["id"])
    assert table.camera.source == "two\udcff.png"
    setting.stop()
