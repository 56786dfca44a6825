"""`piste replay` as it is called: what it prints, in what order, with which exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scorer.service.cli.main import main

EVENTS = [
    {"type": "throw", "player": "Ana", "dice": [6, 5, 2]},
    {"type": "throw", "player": "Bo", "dice": [1, 2, 4]},
    {"type": "throw", "player": "Cy", "dice": [2, 2, 1]},
    {"type": "throw", "player": "Bo", "dice": [2, 1, 4]},
]


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(name: str = "game.json", **changes: Any) -> str:
        head: dict[str, Any] = {"format": "421-record", "version": 1, "ruleset": "rulebook"}
        record = head | {"players": ["Ana", "Bo", "Cy"], "events": EVENTS} | changes
        path = tmp_path / name
        path.write_text(json.dumps(record), encoding="utf-8")
        return str(path)

    return write


def lines(capsys: pytest.CaptureFixture[str]) -> tuple[list[dict[str, Any]], str]:
    captured = capsys.readouterr()
    return [json.loads(line) for line in captured.out.splitlines()], captured.err


def test_one_object_a_line_with_the_fields_in_order(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", write()]) == 0
    rows, errors = lines(capsys)
    assert errors == ""
    assert [row["seq"] for row in rows] == [1, 2, 3, 4]
    assert list(rows[3]) == [
        "seq", "phase", "round", "rolloff", "to_play", "throws_left", "pot", "chips", "points", "moves", "scores",
        "winners", "losers", "scorekeeper",
    ]  # fmt: skip
    assert rows[3] == {
        "seq": 4, "phase": "charge", "round": 1, "rolloff": None, "to_play": "Cy", "throws_left": 1, "pot": 11,
        "chips": {"Ana": 3, "Bo": 3, "Cy": 3}, "points": {}, "moves": [], "scores": [], "winners": [], "losers": [],
        "scorekeeper": None,
    }  # fmt: skip


def test_moves_and_roll_offs(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    more = [
        {"type": "throw", "player": "Cy", "dice": [3, 2, 2]},
        {"type": "throw", "player": "Ana", "dice": [3, 2, 2]},
        {"type": "throw", "player": "Cy", "dice": [3]},
        {"type": "throw", "player": "Ana", "dice": [2]},
    ]
    assert main(["replay", "--json", write(events=EVENTS + more)]) == 0
    rows, _ = lines(capsys)
    assert rows[5]["rolloff"] == rows[6]["rolloff"] == {"end": "worst", "players": ["Cy", "Ana"]}
    assert (rows[5]["to_play"], rows[6]["to_play"]) == ("Cy", "Ana")
    assert rows[7]["moves"] == [{"from": "pot", "to": "Ana", "chips": 10}]
    assert (rows[7]["round"], rows[7]["pot"], rows[7]["to_play"]) == (2, 1, "Bo")


def test_points_have_no_chips_and_a_leaver_stays(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    events = [*EVENTS[:3], {"type": "leave", "player": "Ana"}]
    assert main(["replay", "--json", write(ruleset="points", events=events)]) == 0
    rows, _ = lines(capsys)
    assert (rows[3]["pot"], rows[3]["chips"], rows[3]["points"]) == (None, {}, {"Ana": 0, "Bo": 0, "Cy": 0})
    assert (rows[1]["scorekeeper"], rows[3]["scorekeeper"], rows[3]["phase"]) == (None, "Cy", "rounds")


def test_a_leaver_is_no_longer_in_chips(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", write(events=[*EVENTS, {"type": "leave", "player": "Ana"}])]) == 0
    rows, _ = lines(capsys)
    assert (rows[4]["chips"], rows[4]["pot"]) == ({"Bo": 3, "Cy": 3}, 14)


def test_several_files_carry_their_name_and_a_bad_one_does_not_stop_the_others(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    first, bad, last = write("a.json"), write("b.json", version=7), write("c.json")
    assert main(["replay", first, bad, last, "--json"]) == 2
    rows, errors = lines(capsys)
    assert [row["file"] for row in rows] == [first] * 4 + [last] * 4
    assert all(next(iter(row)) == "file" for row in rows)
    assert errors == f"{bad}: version must be 1, not 7\n"


def test_a_fault_of_an_event_comes_after_the_states_before_it(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(events=[*EVENTS, {"type": "throw", "player": "Bo", "dice": [1, 1, 1]}, 5])
    assert main(["replay", file, "--json"]) == 2
    rows, errors = lines(capsys)
    assert len(rows) == 4
    assert errors == (
        f"{file}: event 5: illegal throw of Bo: it is Cy who plays now, not Bo "
        "(allowed now: a throw of three dice by Cy, keeping none, leave, abandon)\n"
    )


def test_a_fault_of_the_result_comes_after_all_states(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(result={"winners": ["Ana"], "losers": []})
    assert main(["replay", file, "--json"]) == 2
    rows, errors = lines(capsys)
    assert len(rows) == 4
    assert errors.startswith(f"{file}: result: the record says ")


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "none.json")
    assert main(["replay", file]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"{file}: cannot be read: ")


def test_without_json_each_state_is_a_line_for_people(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", write()]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 4
    assert "charge 1" in out[3]
    assert "Cy to play, 1 throw left" in out[3]
    assert main(["replay", write(), write("b.json")]) == 0
    assert "b.json:" in capsys.readouterr().out.splitlines()[-1]


def test_as_a_process(write: Any) -> None:
    file = write(players=["Zoë", "Bo", "Cy"], events=[{"type": "throw", "player": "Zoë", "dice": [6, 5, 2]}])
    done = subprocess.run(
        [sys.executable, "-m", "scorer.service.cli.main", "replay", file],
        capture_output=True, check=False, env={"PYTHONIOENCODING": "ascii"}, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Zo\\xeb 3" in done.stdout
