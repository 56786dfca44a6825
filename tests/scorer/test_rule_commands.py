"""`piste rules`, `piste export` and `piste simulate` as they are called."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorer.events import Entry
from scorer.game import new_game
from scorer.record import Record, load
from scorer.rulefile import EXAMPLES
from scorer.ruleset import load_ruleset
from scorer.service.cli.main import main
from scorer.simulate import STRATEGIES, random_events

COMPTOIR = str(EXAMPLES / "comptoir.toml")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    start = new_game("belgian", ["=Ana", "Bo", "Cy"], {})
    choose = STRATEGIES["lookahead"](start.ruleset)
    events = [event for event, _ in random_events(start, Random(3), choose)]
    path = tmp_path / "game.json"
    path.write_text(Record("belgian", start.names, tuple(map(Entry, events))).to_json(), encoding="utf-8")
    return path


Said = Callable[[], tuple[str, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    def read() -> tuple[str, str]:
        captured = capsys.readouterr()
        return captured.out, captured.err

    return read


# rules


@pytest.mark.parametrize("language", ["en", "fr"])
def test_rules_lists_the_six_and_where_the_examples_are(said: Said, language: str) -> None:
    assert main(["rules", "--lang", language]) == 0
    out, errors = said()
    assert errors == ""
    first = [line.split()[0] for line in out.splitlines() if line and line[0].islower()]
    assert first == ["rulebook", "belgian", "marquoir", "livret", "points", "counter"]
    assert COMPTOIR in out


def test_rules_show_prints_56_hands_with_value_and_chance(said: Said) -> None:
    assert main(["rules", "show", "livret", "--lang", "fr"]) == 0
    out, _ = said()
    rows = [line.split() for line in out.splitlines() if "/216" in line]
    assert len(rows) == 56
    assert rows[0] == ["1", "421", "quatre-cent-vingt-et-un", "10", "6/216", "2,78", "%"]
    assert rows[55] == ["56", "221", "nénette", "1", "3/216", "1,39", "%"]
    assert sum(int(row[-3].removesuffix("/216")) for row in rows) == 216
    assert "La décharge\n  Seuls jouent ceux qui ont des jetons.\n" in out
    assert all(len(line) <= 88 for line in out.splitlines())
    assert not any(line.lstrip().startswith((";", ":", "?")) for line in out.splitlines())


def test_rules_show_takes_a_file_and_options(said: Said) -> None:
    assert main(["rules", "show", COMPTOIR]) == 0
    assert "The counter (comptoir), 2 to 8 players" in said()[0]
    assert (
        main(["rules", "show", "--rules", COMPTOIR, "--option", "chips=41", "--option", "charge=three"]) == 0
    )
    out, _ = said()
    assert "41 chips in the pot" in out
    assert main(["rules", "show", "livret", "--option", "bon=true"]) == 0
    assert "nobody may use more throws than the leader did" in " ".join(said()[0].split())


def test_rules_show_points_has_no_chips_and_counter_no_hands(said: Said) -> None:
    assert main(["rules", "show", "points"]) == 0
    out, _ = said()
    assert out.count("/216") == 56
    assert "chips " not in out.splitlines()[3]
    assert main(["rules", "show", "counter"]) == 0
    assert "/216" not in said()[0]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["rules", "show", "zanzi"], "there is no ruleset 'zanzi', and no such file"),
        (["rules", "show"], "say which ruleset to show"),
        (["rules", "show", "livret", "--rules", "points"], "say which ruleset to show"),
        (["rules", "show", "livret", "--option", "bon=1"], "option bon is false or true"),
        (["rules", "show", "livret", "--option", "bon"], "an option is written NAME=VALUE"),
        (["rules", "show", "none.toml"], "none.toml: cannot be read"),
        (["rules", "check", "none.toml"], "none.toml: cannot be read"),
        (["simulate", "--rules", "zanzi"], "there is no ruleset 'zanzi'"),
        (["simulate", "--rules", "marquoir", "--players", "7", "--games", "1"], "2 to 6 players, not by 7"),
        (["export", "none.json", "--to", "csv"], "none.json: cannot be read"),
    ],
)
def test_faults_are_said_with_status_2(said: Said, args: list[str], words: str) -> None:
    assert main(args) == 2
    out, errors = said()
    assert out == ""
    assert words in errors


def test_rules_check_reports_every_fault_with_its_line(tmp_path: Path, said: Said) -> None:
    text = Path(COMPTOIR).read_text(encoding="utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text(text.replace("each = 0", "each = -1").replace("dice = 1", "dice = 4"), encoding="utf-8")
    good = tmp_path / "good.toml"
    good.write_text(text, encoding="utf-8")
    assert main(["rules", "check", str(bad), str(good)]) == 2
    out, errors = said()
    lines = text.splitlines()
    assert (
        errors.splitlines()[:3]
        == [
            f"{bad}: line {lines.index('each = 0') + 1}: chips.each must be a whole number from 0 to 999; it is -1",
            f"{bad}: line {lines.index('dice = 1') + 1}: opening.dice must be 1 or 3; it is 4",
            f"{bad}: line {lines.index('[rolloff]') + 2}: rolloff.dice must be 1 or 3; it is 4",
        ][: len(errors.splitlines())]
    )
    assert len(errors.splitlines()) == 3
    assert out == f"{good}: no fault; The counter, 2 to 8 players\n"


def test_every_fault_of_a_file_has_its_place_written_in_one_way(tmp_path: Path, said: Said) -> None:
    head = b"# mine\n\n"
    broken = {"a.toml": head + b"\xff", "b.toml": head + b"= 1", "c.toml": head + b"a ="}
    for name, content in broken.items():
        file = tmp_path / name
        file.write_bytes(content)
        for command in (["rules", "check"], ["rules", "show"]):
            assert main([*command, str(file)]) == 2
            assert f"{file}: line 3: it is not " in said()[1]
    record = tmp_path / "game.json"
    record.write_bytes(b'{\n\n"format" 5}')
    assert main(["replay", str(record)]) == 2
    assert f"{record}: line 3: it is not JSON: expecting '" in said()[1]


def test_rules_check_of_a_copy_of_a_built_in_says_to_rename_it(tmp_path: Path, said: Said) -> None:
    copy = tmp_path / "livret.toml"
    copy.write_bytes((EXAMPLES.parent / "livret.toml").read_bytes())
    assert main(["rules", "check", str(copy)]) == 0
    assert "rename the file" in said()[0]


# export


def test_export_csv(record: Path, said: Said) -> None:
    assert main(["export", str(record), "--to", "csv"]) == 0
    rows = list(csv.DictReader(StringIO(said()[0], newline="")))
    assert rows[0]["player"] == "'=Ana"
    assert {row["phase"] for row in rows} == {"opening", "charge", "discharge"}


@pytest.mark.parametrize(("language", "title"), [("en", "Score sheet"), ("fr", "Feuille de marque")])
def test_export_html(record: Path, said: Said, language: str, title: str) -> None:
    assert main(["export", str(record), "--to", "html", "--lang", language]) == 0
    out = said()[0]
    assert out.startswith("<!doctype html>")
    assert f'<html lang="{language}">' in out
    assert f"<h1>{title}</h1>" in out


def test_export_json_is_the_canonical_record(record: Path, said: Said) -> None:
    canonical = record.read_text(encoding="utf-8")
    record.write_text(json.dumps(json.loads(canonical), indent=7), encoding="utf-8")
    assert main(["export", str(record), "--to", "json"]) == 0
    assert said()[0] == canonical


def test_export_writes_a_file_whole_or_not_at_all(record: Path, tmp_path: Path, said: Said) -> None:
    out = tmp_path / "game.csv"
    out.write_text("old", encoding="utf-8")
    assert main(["export", str(record), "--to", "csv", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("seq,at,phase")
    assert said() == ("", "")
    bad = json.loads(record.read_text(encoding="utf-8"))
    bad["events"].insert(1, {"type": "stand", "player": "Bo"})
    record.write_text(json.dumps(bad), encoding="utf-8")
    before = out.read_bytes()
    for kind in ("csv", "html", "json"):
        assert main(["export", str(record), "--to", kind, "--out", str(out)]) == 2
        assert f"{record}: event 2: illegal stand of Bo: Bo cannot stand in the opening" in said()[1]
    assert out.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.csv", "game.json"]


def test_export_to_where_nothing_can_be_written(record: Path, tmp_path: Path, said: Said) -> None:
    assert main(["export", str(record), "--to", "csv", "--out", str(tmp_path / "none" / "game.csv")]) == 2
    assert "game.csv cannot be written: " in said()[1]


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in the file system there")
def test_export_into_a_device(record: Path) -> None:
    assert main(["export", str(record), "--to", "csv", "--out", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


def test_a_game_by_house_rules_is_exported(tmp_path: Path, said: Said) -> None:
    from scorer.rulefile import house_ruleset

    ruleset = house_ruleset(COMPTOIR)
    start = new_game(ruleset, ["Ana", "Bo"], {"chips": 7})
    events = [event for event, _ in random_events(start, Random(2), STRATEGIES["random"](ruleset))]
    made = Record("comptoir", start.names, tuple(map(Entry, events)), {"chips": 7}, ruleset.data)
    path = tmp_path / "game.json"
    path.write_text(made.to_json(), encoding="utf-8")
    assert load(path).to_json() == path.read_text(encoding="utf-8")
    assert main(["export", str(path), "--to", "html", "--lang", "fr"]) == 0
    assert "Le comptoir" in said()[0]
    assert main(["replay", str(path)]) == 0


# simulate


def simulated(said: Said, *args: str) -> dict[str, Any]:
    assert main(["simulate", "--json", *args]) == 0
    result: dict[str, Any] = json.loads(said()[0])
    return result


def test_simulate_reports_the_same_for_the_same_seed(said: Said) -> None:
    args = ["--rules", "marquoir", "--option", "chips=7", "--players", "3", "--games", "20", "--seed", "5"]
    first = simulated(said, *args)
    assert first == simulated(said, *args)
    assert (first["ruleset"], first["games"], first["options"]["chips"]) == ("marquoir", 20, 7)


def test_simulate_by_a_file_of_ones_own(said: Said) -> None:
    assert simulated(said, "--rules", COMPTOIR, "--games", "5")["ruleset"] == "comptoir"


@pytest.mark.parametrize("id", ["rulebook", "belgian", "points", "counter"])
def test_simulate_for_people(said: Said, id: str) -> None:
    assert main(["simulate", "--rules", id, "--games", "5", "--seed", "1", "--strategy", "random"]) == 0
    out, errors = said()
    assert out.startswith(id)
    assert "5 games of 4 players, strategy random, seed 1" in out
    assert ("chips a game, from | to" in out) == (not load_ruleset(id).by_points)
    assert "a second" in errors


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["simulate", "--games", "0"], "'0' is not a whole number from 1"),
        (["simulate", "--players", "x"], "'x' is not a whole number"),
        (["simulate", "--seed", "-1"], "argument --seed"),
        (["export", "x.json"], "--to"),
        (["export", "x.json", "--to", "pdf"], "invalid choice: 'pdf'"),
        (["rules", "show", "livret", "--lang", "de"], "invalid choice: 'de'"),
        (["rules", "prove"], "invalid choice: 'prove'"),
        (["rules", "check"], "FILE"),
    ],
)
def test_wrong_usage_is_said(said: Said, args: list[str], words: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(args)
    assert stop.value.code == 2
    assert words in said()[1]
