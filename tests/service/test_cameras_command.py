"""`piste cameras`: what is listed, and what it is called."""

from __future__ import annotations

import json

import pytest

import vision.usb
from scorer.service.cli.main import main
from vision.usb import CameraInfo

FOUND = [
    CameraInfo(
        0, "HD Pro Webcam C920", "046d_HD_Pro_9A1B", ((1920, 1080, 30.0), (1280, 720, 60.0), (640, 480, 30.0)), False
    ),
    CameraInfo(2, "Twin", "", ((640, 480, 0.0),), True, ("firefox",)),
    CameraInfo(4, "Odd one", "a cam", problem="you may not use it"),
]  # fmt: skip


def test_cameras_are_listed_for_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(vision.usb, "cameras", lambda: FOUND)
    assert main(["cameras"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "0: HD Pro Webcam C920, 1280x720 at 60 a second, up to 1920x1080 at 30 a second",
        "   piste serve --source usb:046d_HD_Pro_9A1B",
        "2: Twin, 640x480, in use by firefox",
        "   piste serve --source 2",
        "4: Odd one, you may not use it",
        "   piste serve --source 'usb:a cam'",
    ]


def test_cameras_are_listed_for_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(vision.usb, "cameras", lambda: FOUND)
    assert main(["cameras", "--json"]) == 0
    first, second, _ = json.loads(capsys.readouterr().out)
    assert first["source"] == "usb:046d_HD_Pro_9A1B" and first["in_use"] is False
    assert first["modes"][1] == {"width": 1280, "height": 720, "fps": 60.0}
    assert second == {
        "source": "2", "number": 2, "name": "Twin", "stable": "", "in_use": True, "used_by": ["firefox"],
        "modes": [{"width": 640, "height": 480, "fps": 0.0}], "problem": None,
    }  # fmt: skip


def test_where_there_is_none_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(vision.usb, "cameras", lambda: [])
    assert main(["cameras"]) == 1
    told = capsys.readouterr()
    assert told.out == "" and "no camera is plugged in. Plug one in, or use a phone" in told.err
    assert main(["cameras", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == []
