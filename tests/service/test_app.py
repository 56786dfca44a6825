"""Commands, and every way in which one is refused: the reason is said and nothing has happened."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy as sa

from scorer.service.problems import StoreError
from scorer.service.store import LogRow, Store
from scorer.service.table import Table
from scorer.service.watching import Setup

from .conftest import Client, roll_of


def refused(client: Client, status: int, error: str, path: str, **body: Any) -> Any:
    """The command is refused so, with a sentence, and the game is where it was."""
    before = client.view["game"]
    answer = client.post(path, **body)
    assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
    assert answer.json()["message"][-1] in ".!?"
    assert client.view["game"] == before
    return answer.json()


# Starting


def test_a_game_starts_with_the_opening(client: Client) -> None:
    game = client.start()
    assert game["phase"] == "opening"
    assert game["seq"] == 0
    assert game["pot"] == 11
    assert [player["chips"] for player in game["players"]] == [3, 3, 3]
    assert game["expected"]["player"] == "Ana"
    assert game["expected"]["dice"] == 3
    assert game["ruleset_name"]["en"] == "Rulebook"
    assert not game["can_undo"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"players": ["Ana", "Bo", "Cy"], "ruleset": "poker"}, "there is no ruleset 'poker'"),
        ({"players": ["Ana", "Bo"], "ruleset": "rulebook"}, "3 to 10 players"),
        ({"players": [f"P{n}" for n in range(11)], "ruleset": "rulebook"}, "3 to 10 players"),
        ({"players": ["Ana", "Bo", " ana "], "ruleset": "rulebook"}, "two players are called"),
        ({"players": ["Ana", "Bo", "  "], "ruleset": "rulebook"}, "name is empty"),
        ({"players": ["Ana", "Bo", "Pot"], "ruleset": "rulebook"}, "nobody can be called"),
        ({"players": ["Ana", "Bo", "C\ny"], "ruleset": "rulebook"}, "cannot be shown"),
        ({"players": ["Ana", "Bo", "Cy"], "options": {"chips": 3}}, "no option"),
        ({"players": ["Ana", "Bo"], "ruleset": "marquoir", "options": {"chips": 8}}, "option chips"),
        ({"players": ["Ana"], "ruleset": "counter"}, "2 to 10 players"),
    ],
)
def test_what_makes_no_game(client: Client, body: dict[str, Any], reason: str) -> None:
    answer = refused(client, 422, "setup", "/api/games", **body)
    assert reason in answer["message"].lower() or reason in answer["message"]
    assert client.get("/api/games").json() == []


def test_blanks_around_names_go(client: Client) -> None:
    game = client.start((" Ana", "Bo ", "Cy"))
    assert [player["name"] for player in game["players"]] == ["Ana", "Bo", "Cy"]


def test_a_running_game_is_replaced_only_when_asked(client: Client) -> None:
    first = client.start()
    client.throw([6, 5, 2])
    answer = refused(client, 409, "running", "/api/games", players=["X", "Y", "Z"])
    assert answer["table"]["game"]["id"] == first["id"]
    second = client.start(("X", "Y", "Z"), replace=True)
    assert second["id"] != first["id"]
    games = client.get("/api/games").json()
    assert [game["id"] for game in games] == [second["id"], first["id"]]
    assert games[0]["ended_at"] is None
    assert games[1]["ended_at"] is not None
    # The old one's record ends with the table having stopped.
    record = client.get(f"/api/games/{first['id']}/record").json()
    assert record["events"][-1]["type"] == "abandon"


def test_only_the_game_that_was_seen_is_replaced(client: Client) -> None:
    first = client.start()
    body = {"players": ["X", "Y", "Z"], "replace": True, "game": first["id"], "key": "k1"}
    second = client.post("/api/games", **body).json()["game"]
    again = refused(client, 409, "stale", "/api/games", **(body | {"key": "k2"}))
    assert again["table"]["game"]["id"] == second["id"]
    # A repeat is answered as the first time, and makes no third game.
    answer = client.post("/api/games", **body)
    assert (answer.status_code, answer.json()["game"]["id"]) == (200, second["id"])
    assert len(client.get("/api/games").json()) == 2
    # A game that is over is in nobody's way, whichever was seen.
    client.post("/api/abandon", seq=0)
    assert client.post("/api/games", **(body | {"key": "k3"})).status_code == 200


@pytest.mark.parametrize("count", [2, 8])
def test_tablets_replacing_a_game_at_once_make_one(client: Client, count: int) -> None:
    running = client.start()["id"]
    body = {"players": ["X", "Y", "Z"], "replace": True, "game": running}
    answers = client.together(*[("/api/games", body | {"key": f"k{n}"}) for n in range(count)])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (count - 1)
    (made,) = (answer.json()["game"]["id"] for answer in answers if answer.status_code == 200)
    assert [game["id"] for game in client.get("/api/games").json()] == [made, running]


def test_a_game_that_is_over_makes_room_by_itself(client: Client) -> None:
    client.start()
    client.post("/api/abandon", seq=0)
    assert client.game["over"]
    assert client.start(("X", "Y", "Z"))["players"][0]["name"] == "X"


# Playing


def test_a_throw_by_hand(client: Client) -> None:
    client.start()
    game = client.throw([2, 6, 5])
    assert game["seq"] == 1
    assert game["expected"]["player"] == "Bo"
    assert game["players"][0]["hand"] == [6, 5, 2]
    assert game["players"][0]["hand_name"] == "652"
    (throw,) = game["throws"]
    assert (throw["seq"], throw["player"], throw["dice"], throw["kept"]) == (1, "Ana", [2, 6, 5], [])
    assert (throw["source"], throw["roll"]) == ("tablet", None)


@pytest.mark.parametrize(
    ("command", "more", "reason"),
    [
        ("throw", {"player": "Bo", "dice": [6, 5, 2]}, "it is Ana who plays now"),
        ("throw", {"player": "Ana", "dice": [6, 5]}, "must be 3"),
        ("throw", {"player": "Ana", "dice": [6, 5], "kept": [1]}, "nothing is kept"),
        ("throw", {"player": "Dan", "dice": [6, 5, 2]}, "Dan"),
        ("stand", {"player": "Ana"}, "cannot stand"),
        ("penalty", {"player": "Ana", "reason": "touch"}, "no penalty"),
    ],
)
def test_what_the_rules_forbid(client: Client, command: str, more: dict[str, Any], reason: str) -> None:
    client.start()
    answer = refused(client, 422, "illegal", f"/api/{command}", seq=0, **more)
    assert reason.lower() in answer["message"].lower()
    assert answer["table"]["game"]["seq"] == 0


def test_commands_need_a_game(client: Client) -> None:
    for path, more in (
        ("throw", {"player": "Ana", "dice": [6, 5, 2]}),
        ("stand", {"player": "Ana"}),
        ("undo", {}),
        ("abandon", {}),
    ):
        refused(client, 409, "no_game", f"/api/{path}", seq=0, **more)


def test_a_slower_tablet_is_told_and_shown(client: Client) -> None:
    client.start()
    client.throw([6, 5, 2])
    answer = refused(client, 409, "stale", "/api/throw", seq=0, player="Ana", dice=[6, 5, 2])
    assert answer["table"]["game"]["seq"] == 1
    refused(client, 409, "stale", "/api/undo", seq=7)


def test_a_command_for_a_game_that_was_replaced_is_stale(client: Client) -> None:
    old = client.start()
    client.start(replace=True)
    refused(client, 409, "stale", "/api/throw", seq=0, game=old["id"], player="Ana", dice=[6, 5, 2])
    refused(client, 409, "stale", "/api/abandon", seq=0, game=old["id"])


def test_an_undo_does_not_make_an_old_view_fresh_again(client: Client) -> None:
    client.start()
    client.throw([6, 5, 2])
    client.post("/api/undo", seq=1)
    client.throw([1, 1, 1])
    # A tablet that went to sleep after the first throw has seen one event, and one event stands now.
    refused(client, 409, "stale", "/api/undo", seq=1)


@pytest.mark.parametrize("count", [2, 6])
def test_tablets_confirming_at_once_make_one_throw(client: Client, count: int) -> None:
    client.start()
    client.table.roll_seen(roll_of(6, 5, 2))
    roll = client.view["roll"]["id"]
    body = {"seq": 0, "player": "Ana", "dice": [6, 5, 2], "roll": roll}
    answers = client.together(*[("/api/throw", body | {"key": f"tablet-{n}"}) for n in range(count)])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (count - 1)
    assert client.game["seq"] == 1
    assert len(client.game["throws"]) == 1


# Keys


def test_a_repeated_command_is_applied_once(client: Client) -> None:
    body = {"players": ["Ana", "Bo", "Cy"], "key": "start-1"}
    first, again = client.post("/api/games", **body), client.post("/api/games", **body)
    assert first.json()["game"] == again.json()["game"]
    throw = {"seq": 0, "player": "Ana", "dice": [6, 5, 2], "key": "tap-1"}
    first, again = client.post("/api/throw", **throw), client.post("/api/throw", **throw)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["game"] == again.json()["game"]
    undo = {"seq": 1, "key": "tap-2"}
    client.post("/api/undo", **undo)
    assert client.post("/api/undo", **undo).status_code == 200
    assert client.game["seq"] == 2


def test_the_same_key_at_once_is_applied_once(client: Client) -> None:
    client.start()
    body = {"seq": 0, "player": "Ana", "dice": [6, 5, 2], "key": "tap"}
    answers = client.together(*[("/api/throw", body)] * 4)
    assert [answer.status_code for answer in answers] == [200] * 4
    assert client.game["seq"] == 1


def test_keys_are_remembered_over_a_restart(store: Store) -> None:
    client = Client(Table(store))
    client.start()
    body = {"seq": 0, "player": "Ana", "dice": [6, 5, 2], "key": "tap"}
    client.post("/api/throw", **body)
    client.close()
    again = Client(Table(store))
    assert again.post("/api/throw", **body).status_code == 200
    assert again.game["seq"] == 1
    again.close()


def test_a_key_is_for_one_command(client: Client) -> None:
    client.start()
    client.throw([6, 5, 2], key="tap")
    refused(client, 422, "key_reused", "/api/throw", seq=1, player="Bo", dice=[6, 5, 2], key="tap")
    refused(client, 422, "key_reused", "/api/undo", seq=1, key="tap")


def test_a_refused_command_does_not_use_up_its_key(client: Client) -> None:
    client.start()
    refused(client, 422, "illegal", "/api/stand", seq=0, player="Ana", key="tap")
    client.throw([6, 5, 2], key="tap")


# Undo


def test_undo_takes_back_one_at_a_time_and_the_log_keeps_all(client: Client, store: Store) -> None:
    client.start()
    fresh = client.game
    for dice in ([6, 5, 2], [6, 5, 1], [4, 2, 1]):
        client.throw(dice)
    for seq in (3, 4, 5):
        assert client.post("/api/undo", seq=seq).status_code == 200
    game = client.game
    assert game["seq"] == 6
    assert {**game, "seq": 0, "can_redo": False} == fresh
    assert [row.kind for row in store.log(game["id"])] == ["event"] * 3 + ["undo"] * 3
    refused(client, 422, "illegal", "/api/undo", seq=6)
    client.throw([1, 1, 1])
    assert len(client.get(f"/api/games/{game['id']}/record").json()["events"]) == 1


def test_a_game_that_is_over_can_be_taken_up_again(client: Client) -> None:
    client.start()
    client.post("/api/abandon", seq=0)
    game = client.post("/api/undo", seq=1).json()["game"]
    assert not game["over"]
    assert client.get("/api/games").json()[0]["ended_at"] is None


def test_leaving(client: Client) -> None:
    client.start(("Ana", "Bo", "Cy", "Dan"))
    client.throw([6, 5, 2])
    game = client.post("/api/leave", seq=1, player="Bo").json()["game"]
    assert game["players"][1]["left"]
    assert game["expected"]["player"] == "Cy"


# The shape of a request


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("throw", {"player": "Ana", "dice": [6, 5, 2]}, "seq is missing."),
        ("throw", {"seq": -1, "player": "Ana", "dice": [6, 5, 2]}, "seq should be greater"),
        ("throw", {"seq": True, "player": "Ana", "dice": [6, 5, 2]}, "seq must be a whole number"),
        ("throw", {"seq": 0, "player": "Ana", "dice": [7]}, "dice.0 should be less than"),
        ("throw", {"seq": 0, "player": "Ana", "dice": [1.0]}, "dice.0 must be a whole number"),
        ("throw", {"seq": 0, "player": "Ana", "dice": []}, "dice "),
        ("throw", {"seq": 0, "player": "Ana", "dice": [1, 2, 3, 4]}, "dice "),
        ("throw", {"seq": 0, "player": "Ana", "dice": "652"}, "dice must be a list"),
        ("throw", {"seq": 0, "player": 7, "dice": [1]}, "player must be a text"),
        ("stand", {"seq": 0, "player": "A" * 61}, "player "),
        ("stand", {"seq": 0, "player": "Ana", "why": "tired"}, "why is not a field of this command."),
        ("penalty", {"seq": 0, "player": "Ana", "reason": "ugly"}, "reason should be 'touch' or 'off_table'"),
        ("undo", {"seq": 0, "key": ""}, "key "),
        ("undo", {"seq": 0, "key": "k" * 65}, "key "),
        ("games", {"players": "Ana"}, "players must be a list"),
        ("games", {"players": ["Ana", 2, "Cy"]}, "players.1 must be a text"),
    ],
)
def test_wrong_fields_are_named(client: Client, path: str, body: dict[str, Any], message: str) -> None:
    client.start()
    answer = refused(client, 422, "invalid", f"/api/{path}", **body)
    assert answer["message"].startswith(message)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b"\xff\xfe", "application/json"),
        (b"[1, 2]", "application/json"),
        (b"null", "application/json"),
        (b'{"seq": 0}', "text/plain"),
        (b"seq=0", "application/x-www-form-urlencoded"),
        (b"[" * 20000, "application/json"),
    ],
)
def test_a_body_that_is_no_command(client: Client, content: bytes, kind: str) -> None:
    answer = client.ask("POST", "/api/undo", content=content, headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]) == (400, "bad_request"), answer.text
    assert answer.json()["message"].endswith(".")


def test_half_a_sign_in_a_name_is_refused(client: Client) -> None:
    content = b'{"players": ["Ana", "Bo", "\\ud800"], "ruleset": "rulebook"}'
    answer = client.ask("POST", "/api/games", content=content, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
    content = b'{"players": ["Ana", "Bo", "Cy"], "options": {"\\ud800": "\\udfff"}}'
    answer = client.ask("POST", "/api/games", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 422


def test_a_body_that_is_too_large(client: Client) -> None:
    answer = client.post("/api/games", players=["A" * 70_000])
    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")

    async def pieces() -> Any:
        for _ in range(20):
            yield b" " * 4096

    headers = {"content-type": "application/json"}
    answer = client.ask("POST", "/api/games", content=pieces(), headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")


def test_what_is_not_there(client: Client) -> None:
    for path in (
        "/api/nothing",
        "/nothing",
        "/api/games/g1/record",
        "/api/games/g1/csv",
        "/api/rolls/r1.jpg",
    ):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
    answer = client.get("/api/picture.jpg")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
    assert "no camera" in answer.json()["message"]


def test_methods_that_are_not_taken(client: Client) -> None:
    for method, path, allowed in (
        ("DELETE", "/api/table", "GET, HEAD"),
        ("POST", "/api/table", "GET, HEAD"),
        ("PUT", "/api/throw", "POST"),
        ("GET", "/api/throw", "POST"),
        ("HEAD", "/api/events", "GET"),
        ("DELETE", "/api/games", "GET, HEAD, POST"),
        ("POST", "/api/games/g1/record", "GET, HEAD"),
    ):
        answer = client.ask(method, path)
        assert answer.status_code == 405, (method, path)
        assert answer.headers["allow"] == allowed
        assert method == "HEAD" or answer.json()["error"] == "method"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"])
def test_an_address_that_is_not_there_takes_no_method(client: Client, method: str) -> None:
    answer = client.ask(method, "/api/nothing")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_what_is_read_may_be_asked_for_with_head(client: Client) -> None:
    client.start()
    game = client.game["id"]
    for path in ("/api/table", "/api/games", "/api/rulesets", f"/api/games/{game}/record"):
        assert client.ask("HEAD", path).headers["content-type"] == client.get(path).headers["content-type"]
        assert client.ask("HEAD", path).status_code == 200
    assert client.ask("HEAD", "/api/picture.jpg").status_code == 404


# What was kept cannot be gone on with


def test_a_last_game_that_cannot_be_read_is_said(store: Store, table: Table) -> None:
    client = Client(table)
    game = client.start()["id"]
    client.close()
    store.append(game, LogRow(1, "event", {"type": "throw", "player": "Zoe", "dice": [6, 5, 2]}, "2026"))
    client = Client(Table(store))
    assert client.view["game"] is None
    notice = client.view["notice"]
    assert notice.startswith(f"The last game ({game}) cannot be gone on with: entry 1: ")
    assert notice.endswith("It is kept; start another.")
    client.start()
    assert client.view["notice"] is None
    client.close()


def test_a_store_that_refuses_at_the_start_is_not_taken_for_no_game(
    store: Store, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.start()

    def locked(_game: str) -> list[LogRow]:
        raise StoreError("Another program holds it.")

    monkeypatch.setattr(store, "log", locked)
    with pytest.raises(StoreError, match="Another program"):
        Table(store)


# The store refuses


def test_nothing_happens_when_the_disk_refuses(client: Client, store: Store) -> None:
    client.start()
    client.throw([6, 5, 2])
    with store._engine.connect() as db:
        db.execute(sa.text("PRAGMA query_only = ON"))
    version = client.view["version"]
    answer = refused(client, 503, "storage", "/api/throw", seq=1, player="Bo", dice=[6, 5, 1])
    assert "cannot be written" in answer["message"]
    refused(client, 503, "storage", "/api/undo", seq=1)
    refused(client, 503, "storage", "/api/games", players=["X", "Y", "Z"], replace=True)
    assert client.view["version"] == version
    with store._engine.connect() as db:
        db.execute(sa.text("PRAGMA query_only = OFF"))
    client.throw([6, 5, 1])
    assert client.game["seq"] == 2


def test_a_fault_of_the_program_is_one_sentence(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(client.table, "stand", broken)
    client.start()
    answer = client.post("/api/stand", seq=0, player="Ana")
    assert (answer.status_code, answer.json()["error"]) == (500, "fault")
    assert "secret" not in answer.text
    assert "POST /api/stand: RuntimeError: a secret of the inside" in caplog.text
    assert "Traceback" not in caplog.text


# Reading


def test_the_table_before_any_game(client: Client) -> None:
    view = client.view
    assert view["game"] is None
    assert view["roll"] is None
    assert view["setup"] is None
    assert view["camera"]["state"] == "none"


def test_set_up_is_offered(store: Store) -> None:
    table = Table(store, setup=Setup(("Ana", "Bo", "Cy")))
    client = Client(table)
    offered = {"players": ["Ana", "Bo", "Cy"], "ruleset": "rulebook", "options": {}}
    assert client.view["setup"] == offered
    client.start(("X", "Y"), ruleset="marquoir", options={"chips": 7})
    assert client.view["setup"] == {"players": ["X", "Y"], "ruleset": "marquoir", "options": {"chips": 7}}
    client.close()


def test_rulesets(client: Client) -> None:
    rulesets = client.get("/api/rulesets").json()
    assert rulesets[0]["id"] == "rulebook"
    for ruleset in rulesets:
        assert set(ruleset["name"]) == set(ruleset["about"]) == {"en", "fr"}
        assert 2 <= ruleset["min_players"] <= ruleset["max_players"] <= 10
    marquoir = next(ruleset for ruleset in rulesets if ruleset["id"] == "marquoir")
    assert marquoir["options"][0]["values"] == [11, 7, 21]


def test_versions_grow_also_over_a_restart(store: Store) -> None:
    client = Client(Table(store))
    first = client.view["version"]
    client.start()
    second = client.view["version"]
    client.close()
    again = Client(Table(store))
    assert first < second < again.view["version"]
    again.close()


def test_the_view_is_plain_json(client: Client) -> None:
    names = ["Añá", "Bø", "Ç 🎲"]
    client.start(tuple(names))
    answer = client.get("/api/table")
    assert [player["name"] for player in json.loads(answer.content)["game"]["players"]] == names
    assert "Ç 🎲" in client.table.latest().text
    assert json.loads(client.table.latest().text) == client.view
