"""Rulesets of the table's own: files of this run, files that screens add, games that keep their rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.errors import SetupError
from scorer.record import load, steps
from scorer.rulefile import EXAMPLES, house_ruleset
from scorer.service.cli.main import main
from scorer.service.library import MOST_ADDED, house_files, ruleset_id
from scorer.service.store import Store, sqlite_store
from scorer.service.table import Table

from .conftest import Client

COMPTOIR = (EXAMPLES / "comptoir.toml").read_text(encoding="utf-8")
COURT = (EXAMPLES / "court.toml").read_text(encoding="utf-8")


def own(client: Client) -> list[tuple[str, bool]]:
    """The table's own rulesets on offer, and which can be removed."""
    rulesets = client.get("/api/rulesets").json()
    return [(each["id"], each["removable"]) for each in rulesets if each["house"]]


def add(client: Client, file: str = "comptoir.toml", text: str = COMPTOIR, **more: Any) -> list[str]:
    answer = client.post("/api/rulesets", file=file, text=text, **more)
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()]


def refused(client: Client, file: str, text: str = COMPTOIR) -> Any:
    before = client.get("/api/rulesets").json()
    answer = client.post("/api/rulesets", file=file, text=text)
    assert (answer.status_code, answer.json()["error"]) == (422, "rules"), answer.text
    assert answer.json()["message"][-1] in ".!?"
    assert all(fault.keys() == {"key", "line", "text"} for fault in answer.json()["faults"])
    assert client.get("/api/rulesets").json() == before
    return answer.json()


@pytest.fixture
def again(store: Store, tmp_path: Path) -> Iterator[Client]:
    """The table after a restart: nothing of the first one is in memory."""
    other = sqlite_store(tmp_path)
    client = Client(Table(other))
    yield client
    client.close()
    other.close()


def test_what_is_on_offer_and_in_which_order(client: Client) -> None:
    add(client)
    rulesets = client.get("/api/rulesets").json()
    ids = [each["id"] for each in rulesets]
    assert ids == ["rulebook", "belgian", "marquoir", "livret", "points", "comptoir", "counter"]
    assert [each["house"] for each in rulesets] == [False] * 5 + [True, False]
    assert [each["score_pad"] for each in rulesets] == [False] * 6 + [True]
    comptoir = rulesets[5]
    assert comptoir["name"] == {"en": "The counter", "fr": "Le comptoir"}
    assert (comptoir["min_players"], comptoir["max_players"], comptoir["removable"]) == (2, 8, True)
    assert [option["id"] for option in comptoir["options"]] == ["chips", "charge"]


def test_a_file_that_was_added_is_kept_over_a_restart(client: Client, store: Store) -> None:
    add(client)
    add(client, "court.toml", COURT)
    restarted = Client(Table(store))
    assert own(restarted) == [("comptoir", True), ("court", True)]
    restarted.close()


def test_a_game_by_house_rules(client: Client, store: Store, tmp_path: Path) -> None:
    add(client)
    game = client.start(("Ana", "Bo"), ruleset="comptoir", options={"chips": 7})
    assert (game["ruleset"], game["ruleset_name"]["fr"], game["pot"]) == ("comptoir", "Le comptoir", 7)
    client.throw([2])
    client.throw([5])
    # It goes on by its own rules, whatever becomes of the file.
    add(client, text=COMPTOIR.replace('leads = "lowest"', 'leads = "highest"'))
    assert client.post("/api/rulesets/remove", id="comptoir").status_code == 200
    restarted = Client(Table(store))
    assert restarted.game == client.game
    assert restarted.game["leader"] == "Ana"
    restarted.throw([4, 2, 1])
    restarted.close()
    content = client.get(f"/api/games/{game['id']}/record").content
    record = load(content)
    assert (record.ruleset, record.rules, record.options) == (
        "comptoir",
        house_ruleset(EXAMPLES / "comptoir.toml").data,
        {"chips": 7},
    )
    assert len(list(steps(record))) == 3
    file = tmp_path / "game.json"
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == record.to_json()


def test_options_of_a_house_file_are_checked(client: Client) -> None:
    add(client)
    answer = client.post("/api/games", players=["Ana", "Bo"], ruleset="comptoir", options={"chips": 8})
    assert (answer.status_code, answer.json()["error"]) == (422, "setup")
    assert answer.json()["message"] == "Option chips is 21 or 7 or 11 or 15 or 41, not 8."


def test_the_newest_file_of_a_name_counts(client: Client) -> None:
    add(client)
    ids = add(client, text=COMPTOIR.replace("players = [2, 8]", "players = [2, 4]"))
    assert ids.count("comptoir") == 1
    (ruleset,) = (each for each in client.get("/api/rulesets").json() if each["id"] == "comptoir")
    assert ruleset["max_players"] == 4


def test_removing(client: Client, again: Client) -> None:
    add(client)
    answer = client.post("/api/rulesets/remove", id="comptoir")
    assert answer.status_code == 200
    assert "comptoir" not in [each["id"] for each in answer.json()]
    answer = client.post("/api/games", players=["Ana", "Bo"], ruleset="comptoir")
    assert (answer.status_code, answer.json()["error"]) == (422, "setup")
    answer = client.post("/api/rulesets/remove", id="comptoir")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
    assert own(again) == []


def test_what_comes_with_the_program_or_this_run_is_not_removed(store: Store) -> None:
    client = Client(Table(store, rulesets=house_files([str(EXAMPLES / "court.toml")])))
    for id in ("livret", "counter", "court"):
        answer = client.post("/api/rulesets/remove", id=id)
        assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
        assert answer.json()["message"].startswith(f"id {id} is no ruleset that a screen has added")
    client.close()


# Keys


def test_adding_and_removing_is_done_once(client: Client) -> None:
    body = {"file": "comptoir.toml", "text": COMPTOIR, "key": "k1"}
    for _ in range(2):
        assert client.post("/api/rulesets", **body).status_code == 200
    for _ in range(2):
        assert client.post("/api/rulesets/remove", id="comptoir", key="k2").status_code == 200
    assert client.post("/api/rulesets", **body).status_code == 200
    assert own(client) == []  # a repeat that comes late adds nothing
    answer = client.post("/api/rulesets", **(body | {"key": "k2"}))
    assert (answer.status_code, answer.json()["error"]) == (422, "key_reused")


# Faults


def test_all_faults_are_told_with_their_lines(client: Client) -> None:
    text = COMPTOIR.replace("players = [2, 8]", "players = [1, 8]").replace("throws = 3 ", "throws = 30")
    text = text.replace("dice = 1                        # a tie", "dice = 2 # a tie")
    lines = text.split("\n")
    answer = refused(client, "comptoir.toml", text)
    told = {fault["key"]: fault["line"] for fault in answer["faults"]}
    assert told["players"] == lines.index("players = [1, 8]") + 1
    assert told["rolloff.dice"] == next(n for n, line in enumerate(lines, 1) if line.startswith("dice = 2"))
    assert answer["message"].startswith("This ruleset is not added: comptoir.toml: line 4: players must be ")


def test_broken_toml_hides_no_other_fault(client: Client) -> None:
    text = COMPTOIR.replace("players = [2, 8]", "players = [1, 8]").replace("pot = 21", "pot = ")
    texts = [fault["text"] for fault in refused(client, "comptoir.toml", text)["faults"]]
    assert any(told.startswith("it is not TOML") for told in texts)
    assert any(told.startswith("players must be") for told in texts)


@pytest.mark.parametrize(
    "text", ["", "\0", "\ufeff", "x = 1979-05-27", "position = inf", "é" * 10, "[[[[", "a\r\nb"]
)
def test_what_is_no_ruleset_at_all(client: Client, text: str) -> None:
    assert refused(client, "x.toml", text)["faults"]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("", "must end in .toml"),
        (".toml", "needs a name before .toml"),
        (" .toml", "needs a name before .toml"),
        ("..toml", "needs a name before .toml"),
        (" x.toml", "needs a name before .toml"),
        ("x .toml", "needs a name before .toml"),
        ("x.toml.exe", "must end in .toml"),
        ("x.toml ", "must end in .toml"),
        ("toml", "must end in .toml"),
        ("../x.toml", "without folders"),
        ("/etc/x.toml", "without folders"),
        ("..\\x.toml", "without folders"),
        ("C:x.toml", "without folders"),
        ("x\0.toml", "cannot be shown"),
        ("x\n.toml", "cannot be shown"),
        ("\u202etoml.toml", "cannot be shown"),
        ("x" * 61 + ".toml", "longer than 60 signs"),
        ("x" * 40_000 + ".toml", "longer than 60 signs"),
        ("livret.toml", "ruleset livret, which comes with the program"),
        ("Livret.TOML", "ruleset livret, which comes with the program"),
        ("counter.toml", "ruleset counter, which comes with the program"),
    ],
)
def test_names_that_do_not_do(client: Client, file: str, reason: str) -> None:
    answer = refused(client, file)
    (fault,) = answer["faults"]
    assert (fault["key"], fault["line"]) == ("", None)
    assert reason in fault["text"] and reason in answer["message"]
    assert len(answer["message"]) < 300


@pytest.mark.parametrize(
    "file", ["Chez Bo.toml", "x" * 60 + ".toml", "été-2.toml", "COMPTOIR.TOML", "a.b.toml"]
)
def test_names_that_do(client: Client, file: str) -> None:
    id = file[:-5]
    assert id in add(client, file)
    assert client.start(("Ana", "Bo"), ruleset=id)["ruleset"] == id
    assert client.post("/api/rulesets/remove", id=id).status_code == 200


@pytest.mark.parametrize(("first", "second"), [("chez bo", "Chez Bo"), ("\u00e9t\u00e9", "E\u0301te\u0301")])
def test_names_that_differ_in_capitals_only(client: Client, first: str, second: str) -> None:
    add(client, f"{first}.toml")
    answer = refused(client, f"{second}.toml")
    assert (
        answer["faults"][0]["text"]
        == f"there is {first}.toml already: give it just that name, or another one"
    )


def test_a_file_of_nearly_64_kb_is_read(client: Client) -> None:
    text = COMPTOIR + "\n" + ("# " + "x" * 70 + "\n") * 830
    assert len(text) > 60_000
    assert "comptoir" in add(client, text=text)
    answer = client.post("/api/rulesets", file="x.toml", text="#" * 70_000)
    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")


NASTY = {
    "many values": COMPTOIR.replace("values = [21, 7,", "values = [" + "21, " * 400 + "7,"),
    "many choices": COMPTOIR.replace(
        "values = [21, 7,", f"values = [{', '.join(map(str, range(1, 99)))}, 7,"
    ),
    "many keys": COMPTOIR + "\n".join(f"z{n} = 1" for n in range(3000)),
    "deep keys": "a." * 30_000 + "a = 1",
    "long line": "a" * 60_000,
    "brackets": "[" * 60_000,
    "open string": 'a = "' + '\\"' * 10_000,
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_a_file_that_would_take_minutes_to_read_is_not_read(client: Client, text: str) -> None:
    (fault,) = refused(client, "x.toml", text)["faults"]
    assert "at most" in fault["text"] or "more than" in fault["text"] or "longer than" in fault["text"]


def test_only_so_many_can_be_added(client: Client) -> None:
    ids = [f"house{n}" for n in range(MOST_ADDED)]
    for id in ids:
        client.table.add_ruleset(f"{id}.toml", COURT)
    assert "no more can be: remove some first" in refused(client, "one-more.toml", COURT)["message"]
    add(client, f"{ids[0]}.toml", COMPTOIR)  # in place of another it can
    assert client.post("/api/rulesets/remove", id=ids[0]).status_code == 200
    add(client, "one-more.toml", COURT)


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("rulesets", {"file": "x.toml"}, "text is missing."),
        ("rulesets", {"file": 1, "text": ""}, "file must be a text."),
        ("rulesets", {"file": "x.toml", "text": "", "seq": 1}, "seq is not a field of this command."),
        ("rulesets/remove", {}, "id is missing."),
    ],
)
def test_wrong_fields_are_named(client: Client, path: str, body: dict[str, Any], message: str) -> None:
    answer = client.post(f"/api/{path}", **body)
    assert (answer.status_code, answer.json()["error"], answer.json()["message"]) == (422, "invalid", message)


# Files of this run


def written(path: Path, text: str = COMPTOIR) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_files_of_this_run_come_first_and_are_not_kept(store: Store, tmp_path: Path) -> None:
    files = [written(tmp_path / "b.toml"), written(tmp_path / "a.toml", COURT)]
    client = Client(Table(store, rulesets=house_files(files)))
    add(client, "z.toml")
    assert own(client) == [("b", False), ("a", False), ("z", True)]
    assert "Piste was started with a file of that name" in refused(client, "B.toml")["message"]
    client.close()
    later = Client(Table(store))
    assert own(later) == [("z", True)]
    later.close()


def test_a_file_of_this_run_goes_before_one_that_was_added(
    client: Client, store: Store, tmp_path: Path
) -> None:
    add(client, "Chez Bo.toml")
    file = written(tmp_path / "chez bo.toml", COURT)
    later = Client(Table(store, rulesets=house_files([file])))
    assert own(later) == [("chez bo", False)]
    later.close()
    last = Client(Table(store))
    assert own(last) == [("Chez Bo", True)]
    last.close()


@pytest.mark.parametrize("file", ["Zinc", "zinc"])
def test_one_behind_a_file_of_this_run_can_be_removed(
    client: Client, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture, file: str
) -> None:
    add(client, "zinc.toml")
    later = Client(Table(store, rulesets=house_files([written(tmp_path / f"{file}.toml", COURT)])))
    assert "The ruleset zinc that a screen has added is not on offer in this run" in caplog.text
    if file == "Zinc":
        told = later.post("/api/rulesets/remove", id=file).json()["message"]
        assert told == (
            "id Zinc is no ruleset that a screen has added: it is a file that Piste was started with, so start "
            "Piste without that file (the ruleset zinc behind it was added by a screen and can be removed)."
        )
    answer = later.post("/api/rulesets/remove", id="zinc")
    assert answer.status_code == 200, answer.text
    assert own(later) == [(file, False)]  # the file stays on offer
    answer = later.post("/api/rulesets/remove", id=file)
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
    assert answer.json()["message"].endswith("so start Piste without that file.")
    later.close()
    last = Client(Table(store))
    assert own(last) == []
    last.close()


def test_files_that_a_run_cannot_be_started_with(tmp_path: Path) -> None:
    same = [written(tmp_path / "x.toml"), written(tmp_path / "y" / "X.toml")]
    with pytest.raises(SetupError, match=r"two of the rules files are called X\.toml"):
        house_files(same)
    with pytest.raises(SetupError, match=r"comes with the program: rename the file"):
        house_files([written(tmp_path / "Livret.toml")])
    with pytest.raises(SetupError, match=r"must end in \.toml"):
        house_files(["livret"])
    with pytest.raises(SetupError, match="cannot be read"):
        house_files([str(tmp_path / "none.toml")])
    with pytest.raises(SetupError, match=r"line 4: players must be .*piste rules check z\.toml"):
        house_files([written(tmp_path / "z.toml", COMPTOIR.replace("[2, 8]", "[1, 8]"))])


@pytest.mark.parametrize("command", [["serve"], ["demo", "--no-browser"]])
def test_the_command_line_says_what_is_wrong_with_a_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: list[str]
) -> None:
    data = ["--data", str(tmp_path / "data")] if command == ["serve"] else []
    file = written(tmp_path / "z.toml", COMPTOIR.replace("[2, 8]", "[1, 8]"))
    assert main([*command, *data, "--port", "0", "--rules", file]) == 2
    said = capfd.readouterr().err
    assert said.startswith(f"piste {command[0]}: {file}: line 4: players must be")
    assert said.count("\n") == 1
    assert not (tmp_path / "data").exists()


# What the store holds


def test_an_added_file_that_does_not_do_any_more_is_left_out(
    client: Client, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    add(client)
    add(client, "court.toml", COURT)
    with store._engine.begin() as db:
        db.exec_driver_sql("UPDATE rulesets SET text = 'players = 1' WHERE id = 'comptoir'")
    later = Client(Table(store))
    assert own(later) == [("court", True)]
    assert "A ruleset that was added is not on offer any more: comptoir.toml: " in caplog.text
    add(later)  # it can be added again
    assert own(later) == [("court", True), ("comptoir", True)]
    later.close()


def test_an_added_file_that_does_not_do_any_more_can_be_removed(client: Client, store: Store) -> None:
    add(client)
    with store._engine.begin() as db:
        db.exec_driver_sql("UPDATE rulesets SET text = 'players = 1' WHERE id = 'comptoir'")
    later = Client(Table(store))
    assert later.post("/api/rulesets/remove", id="comptoir").status_code == 200
    assert store.rulesets() == []
    assert later.post("/api/rulesets/remove", id="comptoir").status_code == 404
    later.close()


def test_ids_are_names_without_their_ending() -> None:
    assert ruleset_id("comptoir.toml") == "comptoir"
    assert ruleset_id("a.b.TOML") == "a.b"
