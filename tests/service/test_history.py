"""A game's past: every event with what it led to, every step of its log, and why rounds were settled so."""

from __future__ import annotations

from typing import Any

from scorer.rulefile import EXAMPLES
from scorer.service.sight import PICTURES_KEPT
from scorer.service.store import Store
from scorer.service.table import Table

from .conftest import Client
from .test_corrections import correct, played, step, throw
from .test_rolls import offer

__all__ = ["played"]


def past(client: Client, game: str | None = None) -> Any:
    answer = client.get(f"/api/games/{game or client.game['id']}/history")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_event_with_what_it_led_to(played: Client) -> None:
    history = past(played)
    assert (history["id"], history["seq"]) == (played.game["id"], 7)
    events = history["events"]
    assert [event["number"] for event in events] == [1, 2, 3, 4, 5, 6, 7]
    first, last = events[0], events[-1]
    assert first == {
        "number": 1,
        "event": throw("Ana", 4, 2, 1),
        "at": first["at"],
        "source": "tablet",
        "confidence": None,
        "roll": None,
        "phase": "opening",
        "round": 0,
        "held": {"Ana": 3, "Bo": 3, "Cy": 3},
        "pot": 11,
        "explanation": None,
    }
    assert first["at"].endswith("Z")
    assert (last["phase"], last["round"], last["pot"]) == ("charge", 2, played.game["pot"])
    assert last["held"] == {player["name"]: player["chips"] for player in played.game["players"]}
    # Only the event that settled a round says why.
    assert [event["number"] for event in events if event["explanation"]] == [6]
    why = events[5]["explanation"]
    assert (why["rule"], why["round"], why["best"], why["worst"]) == (
        "take_from_pot",
        1,
        {"players": ["Ana"], "hand": "611"},
        {"players": ["Cy"], "hand": "221"},
    )
    assert why == played.game["last"]["explanation"]


def test_every_step_of_the_log(played: Client) -> None:
    steps = past(played)["steps"]
    assert steps[3] == {
        "seq": 4,
        "kind": "append",
        "at": steps[3]["at"],
        "number": 4,
        "removed": [],
        "added": [throw("Ana", 6, 1, 1)],
        "cut": [],
        "of": None,
    }
    correct(played, "change", 6, throw("Cy", 4, 2, 1), truncate=True)
    step(played, "undo")
    step(played, "redo")
    change, undo, redo = past(played)["steps"][7:]
    assert (change["kind"], change["seq"], change["number"], change["of"]) == ("change", 8, 6, None)
    assert (change["removed"], change["added"]) == ([throw("Cy", 2, 2, 1)], [throw("Cy", 4, 2, 1)])
    assert change["cut"] == redo["cut"] == [throw("Ana", 6, 5, 4)]
    assert (undo["kind"], undo["of"], undo["removed"]) == ("undo", 8, [throw("Cy", 4, 2, 1)])
    assert undo["added"] == [throw("Cy", 2, 2, 1)]
    assert (redo["kind"], redo["of"]) == ("redo", 8)


def test_what_the_camera_read_and_its_picture_as_long_as_it_is_kept(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2)
    client.throw([6, 5, 2], roll=roll["id"])
    (event,) = past(client)["events"]
    assert (event["source"], event["confidence"], event["roll"]) == ("camera", 0.97, roll["id"])
    correct(client, "change", 1, throw("Ana", 6, 5, 1))
    (event,) = past(client)["events"]
    assert (event["source"], event["confidence"], event["roll"]) == ("tablet", None, roll["id"])
    for _ in range(PICTURES_KEPT):
        offer(client, 1, 1, 1)
    assert past(client)["events"][0]["roll"] is None


def test_games_of_before_have_theirs_too(played: Client, store: Store) -> None:
    old = played.game["id"]
    correct(played, "delete", 7)
    before = past(played)
    played.start(("X", "Y", "Z"), replace=True)
    after = past(played, old)
    assert after["seq"] == before["seq"] + 1
    assert after["steps"][:-1] == before["steps"]
    assert after["events"][:-1] == before["events"]
    assert after["events"][-1]["event"] == {"type": "abandon"}
    assert after["events"][-1]["phase"] == "over"
    again = Client(Table(store))
    assert past(again, old) == after
    again.close()


def test_a_game_without_events(client: Client) -> None:
    client.start()
    history = past(client)
    assert (history["seq"], history["events"], history["steps"]) == (0, [], [])


def test_by_points_the_points_are_told_and_leavers_are_not(client: Client) -> None:
    client.start(("Ana", "Bo", "Cy", "Dan"), ruleset="points")
    step(client, "leave", player="Cy")
    (event,) = past(client)["events"]
    assert event["held"] == {"Ana": 0, "Bo": 0, "Dan": 0}
    assert event["pot"] is None


def test_on_the_score_pad(client: Client) -> None:
    client.start(("Ana", "Bo"), ruleset="counter")
    step(client, "adjust", player="Ana", chips=3)
    (event,) = past(client)["events"]
    assert event["event"] == {"type": "adjust", "player": "Ana", "chips": 3}
    assert (event["phase"], event["round"], event["held"], event["pot"]) == (
        "count",
        0,
        {"Ana": 14, "Bo": 11},
        None,
    )


def test_by_house_rules(client: Client) -> None:
    client.table.add_ruleset("court.toml", (EXAMPLES / "court.toml").read_text(encoding="utf-8"))
    client.start(ruleset="court")
    client.throw([6] * client.game["expected"]["dice"])
    assert len(past(client)["events"]) == 1


def test_there_must_be_such_a_game(client: Client) -> None:
    answer = client.get("/api/games/g404/history")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
    assert client.ask("POST", "/api/games/g404/history").status_code == 405


# Why


def test_only_a_settlement_is_explained(client: Client) -> None:
    client.start()
    for dice in ([4, 2, 1], [6, 5, 2], [6, 5, 1]):
        client.throw(dice)
    assert client.game["last"]["explanation"] is None  # who leads
    for dice in ([6, 1, 1], [2, 2, 1], [2, 2, 1]):
        client.throw(dice)
    client.throw([3])
    client.throw([3])
    assert client.game["last"]["explanation"] is None  # a roll-off goes on
    client.throw([5])
    client.throw([2])
    why = client.game["last"]["explanation"]
    assert why["hands"] == [
        {"player": "Ana", "hand": "611"},
        {"player": "Bo", "hand": "221"},
        {"player": "Cy", "hand": "221"},
    ]
    assert [[each["dice"] for each in rolled["thrown"]] for rolled in why["rolloffs"]] == [
        ["3", "3"],
        ["5", "2"],
    ]
    assert why["moves"] == client.game["last"]["moves"]
    assert (why["value"], why["doubled"], why["capped"], why["held"]) == (6, False, False, 11)
    assert why["text"].keys() == {"en", "fr"}
