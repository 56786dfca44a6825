"""`piste demo` as a newcomer gets it: the recorded table, read by the real reader, played by confirming."""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .test_processes import Process, Stream

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="uses POSIX signals")


def next_view(stream: Stream, wanted: str) -> dict[str, Any]:
    """The next table view with a roll that fits (`roll`), or with none of them on offer (`none`)."""
    import json

    while True:
        event = stream.event()
        assert event is not None
        view: dict[str, Any] = json.loads(event["data"])
        if (view["roll"] is not None and view["roll"]["fits"]) == (wanted == "roll"):
            return view


def test_the_demo_from_start_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with ExitStack() as held:
        demo = Process("--no-browser", command="demo")
        held.callback(demo.close)
        stream = Stream(held, demo.address)
        view = next_view(stream, "none")
        assert view["game"] is None
        assert view["setup"] == {"players": ["Ana", "Bo", "Cy"], "ruleset": "rulebook", "options": {}}
        assert demo.post("/api/games", **view["setup"]).status_code == 200
        for throw in range(3):
            view = next_view(stream, "roll")
            roll = view["roll"]
            assert len(roll["dice"]) == 3
            assert view["camera"]["state"] in ("still", "read", "unsure")
            frames = demo.get("/api/table").json()["camera"]["frames"]
            assert demo.get(f"/api/rolls/{roll['id']}.jpg").content[:2] == b"\xff\xd8"
            assert demo.get("/api/picture.jpg").content[:2] == b"\xff\xd8"
            # The film waits for us.
            assert demo.get("/api/table").json()["camera"]["frames"] == frames
            answer = demo.post(
                "/api/throw",
                seq=view["game"]["seq"],
                player=view["game"]["expected"]["player"],
                dice=[die["value"] for die in roll["dice"]],
                roll=roll["id"],
            )
            assert answer.status_code == 200, answer.text
            assert answer.json()["game"]["throws"][0]["source"] == "camera"
            assert answer.json()["game"]["seq"] == throw + 1
        assert list(tmp_path.glob("piste-demo-*"))
        code, errors = demo.end(signal.SIGTERM)
        assert (code, errors) == (0, "")
    assert not list(tmp_path.glob("piste-demo-*"))
