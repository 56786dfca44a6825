"""Corrections at a table: what they change, what they cost, what the log keeps, and what becomes of the rolls."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from scorer.record import load, steps
from scorer.service.store import Store
from scorer.service.table import Table
from scorer.service.watching import CameraStatus

from .conftest import Client, roll_of
from .test_offers import HERE, NUDGED, THERE, back, confirm, values
from .test_rolls import offer, to_discharge


def correct(client: Client, kind: str, number: int, event: Any = None, **more: Any) -> Any:
    """The correction, which must be made; the game after it."""
    body = {"seq": client.game["seq"], "kind": kind, "number": number} | ({"event": event} if event else {})
    answer = client.post("/api/correct", **(body | more))
    assert answer.status_code == 200, answer.text
    return answer.json()["game"]


def preview(client: Client, kind: str, number: int, event: Any = None) -> Any:
    """What it would do; nothing is done."""
    before = client.view
    body = {"seq": client.game["seq"], "kind": kind, "number": number} | ({"event": event} if event else {})
    answer = client.post("/api/correct/preview", **body)
    assert answer.status_code == 200, answer.text
    assert client.view == before
    return answer.json()


def step(client: Client, path: str, **more: Any) -> Any:
    answer = client.post(f"/api/{path}", **({"seq": client.game["seq"]} | more))
    assert answer.status_code == 200, answer.text
    return answer.json()


def throw(player: str, *dice: int, **more: Any) -> dict[str, Any]:
    return {"type": "throw", "player": player, "dice": list(dice), **more}


def chips(game: Any) -> dict[str, int]:
    return {player["name"]: player["chips"] for player in game["players"]}


def same(game: Any, other: Any) -> bool:
    """Whether two views show the same, but for how far the log is."""
    apart = ("seq", "can_undo", "can_redo")
    return bool({**game, **dict.fromkeys(apart)} == {**other, **dict.fromkeys(apart)})


@pytest.fixture
def played(client: Client) -> Client:
    """Ana opens best; in round 1 her 611 costs Cy (221) seven chips; in round 2 Ana has thrown."""
    client.start()
    for dice in ([4, 2, 1], [6, 5, 2], [6, 5, 1], [6, 1, 1], [6, 5, 2], [2, 2, 1]):
        client.throw(dice)
    assert client.game["round"] == 2
    client.throw([6, 5, 4])
    return client


@pytest.fixture
def again(store: Store, played: Client) -> Iterator[Client]:
    """The table after a restart."""
    client = Client(Table(store))
    yield client
    client.close()


# What a correction does


def test_a_changed_throw_changes_what_came_of_it(played: Client) -> None:
    game = played.game
    first = game["throws"][-4]
    assert (first["number"], first["player"], first["dice"]) == (4, "Ana", [6, 1, 1])
    before = chips(game)
    game = correct(played, "change", 4, throw("Ana", 4, 2, 1))
    assert chips(game) != before
    changed = game["throws"][-4]
    assert changed == {**first, "dice": [4, 2, 1]}
    assert game["seq"] == 8
    assert len(game["throws"]) == 7
    assert game["can_undo"] and not game["can_redo"]


def test_a_throw_that_was_missed_is_inserted(client: Client) -> None:
    to_discharge(client)
    client.throw([6, 5, 4])
    step(client, "stand", player="Ana")
    number = len(client.get(f"/api/games/{client.game['id']}/history").json()["events"])
    game = correct(client, "insert", number, throw("Ana", 1, kept=[6, 4]))
    assert game["players"][0]["hand"] == [6, 4, 1]
    assert [(t["number"], t["dice"]) for t in game["throws"][:2]] == [(number, [1]), (number - 1, [6, 5, 4])]
    assert game["throws"][0]["seq"] == game["seq"]


def test_one_more_at_the_end_is_an_insertion_too(played: Client) -> None:
    player = played.game["expected"]["player"]
    game = correct(played, "insert", 8, throw(player, 1, 1, 1))
    assert (game["throws"][0]["number"], game["throws"][0]["dice"]) == (8, [1, 1, 1])


def test_an_event_that_never_was_is_deleted(played: Client) -> None:
    before = played.game
    player = before["expected"]["player"]
    step(played, "leave", player=player)
    assert same(correct(played, "delete", 8), before)


def test_the_source_of_a_changed_throw_is_the_tablet_and_all_else_stays(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2)
    client.throw([6, 5, 2], roll=roll["id"])
    (event,) = client.get(f"/api/games/{client.game['id']}/record").json()["events"]
    assert event["source"] == "camera"
    game = correct(client, "change", 1, throw("Ana", 6, 5, 1))
    (shown,) = game["throws"]
    assert (shown["seq"], shown["source"], shown["roll"], shown["at"]) == (
        1,
        "tablet",
        roll["id"],
        event["at"],
    )
    (changed,) = client.get(f"/api/games/{game['id']}/record").json()["events"]
    assert changed == {
        "type": "throw",
        "player": "Ana",
        "dice": [6, 5, 1],
        "at": event["at"],
        "source": "tablet",
    }


def test_a_game_that_is_over_can_be_corrected_and_goes_on(played: Client) -> None:
    before = played.game
    step(played, "abandon")
    ended = played.get("/api/games").json()[0]["ended_at"]
    assert ended is not None
    correct(played, "change", 4, throw("Ana", 4, 2, 1))
    assert played.game["over"]
    assert played.get("/api/games").json()[0]["ended_at"] == ended  # it ended then, not now
    step(played, "undo")
    assert same(correct(played, "delete", 8), before)
    assert played.get("/api/games").json()[0]["ended_at"] is None


def test_on_the_score_pad(client: Client) -> None:
    client.start(("Ana", "Bo"), ruleset="counter")
    for player, count in (("Ana", 3), ("Bo", -4), ("Ana", -2)):
        step(client, "adjust", player=player, chips=count)
    event = {"type": "adjust", "player": "Bo", "chips": -5}
    assert preview(client, "change", 2, event) == {
        "rounds": [{"round": 0, "before": {"Ana": 12, "Bo": 7}, "after": {"Ana": 12, "Bo": 6}}],
        "broken": None,
        "over": False,
    }
    assert chips(correct(client, "change", 2, event)) == {"Ana": 12, "Bo": 6}
    cut = preview(client, "insert", 1, {"type": "adjust", "player": "Ana", "chips": -11})
    assert (cut["broken"]["was"], cut["broken"]["lost"]) == (1, 3)


def test_the_record_is_of_what_stands(played: Client) -> None:
    correct(played, "change", 4, throw("Ana", 4, 2, 1))
    content = played.get(f"/api/games/{played.game['id']}/record").content
    record = load(content)
    *_, (seq, state) = steps(record)
    assert (seq, dict(zip(state.names, state.chips, strict=True))) == (7, chips(played.game))
    assert len(played.get(f"/api/games/{played.game['id']}/csv").text.splitlines()) == 8


# What it would cost


def test_a_preview_tells_the_rounds_that_change(played: Client) -> None:
    assert preview(played, "change", 4, throw("Ana", 4, 2, 1)) == {
        "rounds": [
            {"round": 1, "before": {"Ana": 3, "Bo": 3, "Cy": 9}, "after": {"Ana": 3, "Bo": 3, "Cy": 13}}
        ],
        "broken": None,
        "over": False,
    }


def test_a_later_event_that_breaks_is_told_and_nothing_is_done(played: Client) -> None:
    told = preview(played, "change", 6, throw("Cy", 4, 2, 1))
    # Cy has the best hand now, and leads round 2.
    assert told["broken"]["was"] == told["broken"]["number"] == 7
    assert told["broken"]["event"] == throw("Ana", 6, 5, 4)
    assert told["broken"]["lost"] == 1
    before = played.view
    body = {"seq": 7, "kind": "change", "number": 6, "event": throw("Cy", 4, 2, 1)}
    answer = played.post("/api/correct", **body)
    assert (answer.status_code, answer.json()["error"]) == (409, "broken")
    assert answer.json()["preview"] == told
    assert answer.json()["table"] == before == played.view
    assert answer.json()["message"].startswith("Event 7 would no longer stand: illegal throw of Ana: ")
    assert "(1 event lost), or leave it as it is." in answer.json()["message"]


def test_the_game_is_cut_off_when_the_table_says_so(played: Client, again: Client) -> None:
    before = played.game
    game = correct(played, "change", 6, throw("Cy", 4, 2, 1), truncate=True)
    assert [t["number"] for t in game["throws"]] == [6, 5, 4, 3, 2, 1]
    assert game["expected"]["player"] == "Cy"
    history = played.get(f"/api/games/{game['id']}/history").json()
    assert history["steps"][-1]["cut"] == [throw("Ana", 6, 5, 4)]
    # One undo brings all of it back, and one redo takes it away again.
    assert same(step(played, "undo")["game"], before)
    assert same(step(played, "redo")["game"], game)
    assert again.game["seq"] == 7  # it was opened before all that


def test_truncate_cuts_nothing_where_nothing_breaks(played: Client) -> None:
    game = correct(played, "change", 4, throw("Ana", 4, 2, 1), truncate=True)
    assert len(game["throws"]) == 7


# Undo and redo


def test_steps_are_taken_back_and_done_again_in_order(played: Client) -> None:
    views = [played.game]
    correct(played, "change", 4, throw("Ana", 4, 2, 1))
    views.append(played.game)
    views.append(played.throw([1, 1, 1]))
    views.append(correct(played, "delete", 8))
    for view in reversed(views[:-1]):
        assert same(step(played, "undo")["game"], view)
    for view in views[1:]:
        assert same(step(played, "redo")["game"], view)
    assert not played.game["can_redo"]


def test_something_new_ends_what_could_be_done_again(played: Client) -> None:
    step(played, "undo")
    assert played.game["can_redo"]
    played.throw([1, 1, 1])
    assert not played.game["can_redo"]
    answer = played.post("/api/redo", seq=played.game["seq"])
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal")
    assert answer.json()["message"] == "There is nothing to do again."


# Refusals


@pytest.mark.parametrize(
    ("body", "status", "error", "message"),
    [
        ({"kind": "change", "number": 4}, 422, "invalid", "event is missing."),
        ({"kind": "insert", "number": 4, "event": None}, 422, "invalid", "event is missing."),
        (
            {"kind": "delete", "number": 4, "event": throw("Ana", 1)},
            422,
            "invalid",
            "event is left out where",
        ),
        ({"kind": "swap", "number": 4}, 422, "invalid", "kind should be 'change', 'insert' or 'delete'"),
        ({"kind": "delete"}, 422, "invalid", "number is missing."),
        ({"kind": "delete", "number": 0}, 422, "invalid", "number should be greater"),
        ({"kind": "delete", "number": True}, 422, "invalid", "number must be a whole number"),
        ({"kind": "delete", "number": 8}, 422, "invalid", "number: there is no event 8"),
        ({"kind": "delete", "number": 10**30}, 422, "invalid", "number: there is no event 1000"),
        (
            {"kind": "change", "number": 8, "event": throw("Ana", 1)},
            422,
            "invalid",
            "number: there is no event 8",
        ),
        (
            {"kind": "insert", "number": 9, "event": throw("Ana", 1)},
            422,
            "invalid",
            "number: there is no event 9",
        ),
        ({"kind": "change", "number": 4, "event": []}, 422, "invalid", "event must be an object"),
        ({"kind": "change", "number": 4, "event": {}}, 422, "invalid", "event: type is missing"),
        (
            {"kind": "change", "number": 4, "event": {"type": "cheat"}},
            422,
            "invalid",
            "event: there is no event",
        ),
        ({"kind": "change", "number": 4, "event": throw("Ana", 7)}, 422, "invalid", "event: dice must be"),
        (
            {"kind": "change", "number": 4, "event": throw("Dan", 6, 5, 2)},
            422,
            "invalid",
            "event: nobody here is",
        ),
        (
            {"kind": "change", "number": 4, "event": throw("ana", 6, 5, 2)},
            422,
            "illegal",
            "Nobody here is called",
        ),
        (
            {"kind": "change", "number": 4, "event": throw("Ana", 6, 5, 2, source="camera")},
            422,
            "invalid",
            'event: "source" is no field of a correction',
        ),
        (
            {"kind": "change", "number": 4, "event": throw("Ana", 6, 5, 2, _note="x")},
            422,
            "invalid",
            'event: "_note" is no field of a correction',
        ),
        (
            {"kind": "change", "number": 4, "event": {"type": "stand", "player": "Ana", "kept": []}},
            422,
            "invalid",
            "event: an event of type stand has no field",
        ),
        (
            {"kind": "change", "number": 4, "event": throw("Bo", 6, 5, 2)},
            422,
            "illegal",
            "It is Ana who plays",
        ),
        ({"kind": "change", "number": 4, "event": throw("Ana", 6, 5)}, 422, "illegal", "Ana's dice are 2"),
    ],
)
def test_what_is_no_correction(played: Client, body: Any, status: int, error: str, message: str) -> None:
    before = played.view
    for path in ("correct", "correct/preview"):
        answer = played.post(f"/api/{path}", seq=7, **body)
        assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
        assert answer.json()["message"].startswith(message)
        assert answer.json()["message"][-1] in ".!?"
    assert played.view == before


def test_corrections_need_a_game_and_its_newest_view(client: Client) -> None:
    body = {"kind": "delete", "number": 1}
    for path in ("correct", "correct/preview"):
        answer = client.post(f"/api/{path}", seq=0, **body)
        assert (answer.status_code, answer.json()["error"]) == (409, "no_game")
    client.start()
    client.throw([6, 5, 2])
    for path in ("correct", "correct/preview", "redo"):
        answer = client.post(f"/api/{path}", seq=0, **(body if path != "redo" else {}))
        assert (answer.status_code, answer.json()["error"]) == (409, "stale")
        assert answer.json()["table"]["game"]["seq"] == 1
    answer = client.post("/api/correct/preview", seq=1, truncate=True, **body)
    assert answer.json()["message"] == "truncate is not a field of this command."


def test_two_tablets_correcting_at_once_make_one_correction(played: Client) -> None:
    bodies = [
        {"seq": 7, "kind": "change", "number": 4, "event": throw("Ana", 4, 2, 1), "key": "one"},
        {"seq": 7, "kind": "delete", "number": 7, "key": "two"},
        {"seq": 7, "kind": "change", "number": 7, "event": throw("Ana", 1, 1, 1), "key": "three"},
    ]
    answers = played.together(*[("/api/correct", body) for body in bodies])
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    assert played.game["seq"] == 8


@pytest.mark.parametrize("truncate", [False, True])
def test_a_correction_is_made_once(played: Client, store: Store, truncate: bool) -> None:
    body = {"seq": 7, "kind": "change", "number": 6, "key": "tap", "truncate": truncate}
    body |= {"event": throw("Cy", 4, 2, 1) if truncate else throw("Cy", 6, 3, 1)}
    first = played.post("/api/correct", **body)
    assert first.status_code == 200
    assert played.post("/api/correct", **body).json()["game"] == first.json()["game"]
    client = Client(Table(store))
    assert client.post("/api/correct", **body).status_code == 200
    assert client.game["seq"] == 8
    answer = client.post("/api/correct", **(body | {"number": 5}))
    assert (answer.status_code, answer.json()["error"]) == (422, "key_reused")
    undo = {"seq": 8, "key": "back"}
    redo = {"seq": 9, "key": "again"}
    for path, again in (("undo", undo), ("undo", undo), ("redo", redo), ("redo", redo)):
        assert client.post(f"/api/{path}", **again).status_code == 200
    assert client.game["seq"] == 10
    client.close()


# The log


def test_the_log_keeps_the_original_and_what_corrected_it(played: Client, store: Store) -> None:
    id = played.game["id"]
    correct(played, "change", 4, throw("Ana", 4, 2, 1))
    correct(played, "insert", 8, throw(played.game["expected"]["player"], 1, 1, 1))
    correct(played, "delete", 8)
    step(played, "undo")
    step(played, "redo")
    kinds = ["event"] * 7 + ["change", "insert", "delete", "undo", "redo"]
    assert [row.kind for row in store.log(id)] == kinds
    original = store.log(id)[3].payload
    assert original is not None and original["dice"] == [6, 1, 1]
    assert store.log(id)[7].payload == {
        "number": 4,
        "event": {**throw("Ana", 4, 2, 1), "at": original["at"], "source": "tablet"},
    }
    assert store.log(id)[9].payload == {"number": 8}
    again = Client(Table(store))
    assert again.game == played.game
    path = f"/api/games/{id}/history"
    assert again.get(path).json() == played.get(path).json()
    again.close()


@pytest.mark.parametrize(
    "payload",
    [
        None,
        {},
        {"number": "4"},
        {"number": 4.0},
        {"number": -1},
        {"number": 99},
        {"number": 4, "event": 5},
        {"number": 4, "event": {"type": "throw"}},
        {"number": 6, "event": throw("Cy", 4, 2, 1)},
        {"number": 6, "event": throw("Cy", 4, 2, 1), "truncate": 1},
    ],
)
def test_a_correction_that_is_damaged_in_the_store(played: Client, store: Store, payload: Any) -> None:
    id = played.game["id"]
    correct(played, "change", 4, throw("Ana", 4, 2, 1))
    with sqlite3.connect(store.place) as db:
        text = None if payload is None else json.dumps(payload)
        db.execute("UPDATE events SET payload = ? WHERE kind = 'change'", (text,))
    db.close()
    client = Client(Table(store))
    assert client.view["game"] is None
    assert f"The last game ({id}) cannot be gone on with: " in client.view["notice"]
    for what in ("history", "record", "csv"):
        answer = client.get(f"/api/games/{id}/{what}")
        assert (answer.status_code, answer.json()["error"]) == (503, "storage")
    client.close()


# What becomes of the rolls


def test_redo_uses_the_roll_up_again(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2, at=HERE)
    confirm(client, roll, 6, 5, 2)
    bos = offer(client, 4, 2, 1, at=THERE)
    assert step(client, "undo")["roll"]["id"] == roll["id"]
    view = step(client, "redo")
    assert view["roll"] == bos
    assert view["game"]["throws"][0]["roll"] == roll["id"]
    assert step(client, "undo")["roll"]["id"] == roll["id"]  # and back once more
    step(client, "redo")
    confirm(client, bos, 4, 2, 1)
    assert client.view["roll"] is None


def test_two_undone_and_done_again(client: Client) -> None:
    client.start()
    confirm(client, offer(client, 6, 5, 2, at=HERE), 6, 5, 3)
    bos = offer(client, 4, 2, 1, at=THERE)
    confirm(client, bos, 4, 2, 1)
    cys = offer(client, 3, 3, 1, at=HERE)
    step(client, "undo")
    assert values(step(client, "undo")["roll"]) == [6, 5, 3]
    assert sorted(values(step(client, "redo")["roll"])) == [1, 2, 4]
    assert client.view["roll"]["fits"]
    assert step(client, "redo")["roll"] == cys
    assert client.view["roll"]["fits"]


def test_a_new_roll_waits_when_the_one_before_is_confirmed_by_redo(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2, at=HERE)
    confirm(client, roll, 6, 5, 2)
    step(client, "undo")
    bos = offer(client, 4, 2, 1, at=THERE)
    assert client.view["before"]["id"] == roll["id"]
    view = step(client, "redo")
    assert (view["before"], view["roll"]["id"], view["roll"]["fits"]) == (None, bos["id"], True)


def test_redo_of_a_throw_whose_roll_was_dismissed_takes_the_dice_that_lie_there(client: Client) -> None:
    client.start()
    confirm(client, offer(client, 6, 5, 2, at=HERE), 6, 5, 2)
    roll = step(client, "undo")["roll"]
    client.post("/api/dismiss", seq=2, roll=roll["id"])
    offer(client, 6, 5, 2, at=NUDGED)
    assert step(client, "redo")["roll"] is None
    back(client)
    assert offer(client, 6, 5, 2, at=NUDGED)["reasons"] == ["as confirmed"]


def test_redo_of_a_throw_that_nobody_saw(client: Client) -> None:
    client.start()
    client.throw([6, 5, 2])
    client.table.camera_is(CameraStatus("moving"))
    bos = offer(client, 4, 2, 1)
    step(client, "undo")
    assert client.view["roll"] is None
    assert step(client, "redo")["roll"] == bos


def test_a_correction_that_changes_who_is_asked_makes_a_roll_another_turns(played: Client) -> None:
    roll = offer(played, 4, 2, 1)
    assert roll["fits"]
    correct(played, "change", 6, throw("Cy", 4, 2, 1), truncate=True)
    assert played.game["expected"]["player"] == "Cy"
    roll = played.view["roll"]
    assert roll["reasons"] == ["another turn"]
    step(played, "undo")
    assert played.view["roll"]["fits"]


def test_a_correction_that_leaves_the_turn_alone_leaves_the_roll_on_offer(played: Client) -> None:
    roll = offer(played, 4, 2, 1)
    correct(played, "change", 1, throw("Ana", 4, 2, 1))
    assert played.view["roll"] == roll
    step(played, "undo")
    assert played.view["roll"] == roll


def test_what_was_put_off_comes_back_when_the_missed_throw_is_inserted(client: Client) -> None:
    client.start()
    client.throw([6, 5, 2])
    client.table.camera_is(CameraStatus("moving"))
    bos = offer(client, 4, 2, 1)
    step(client, "undo")
    correct(client, "insert", 1, throw("Ana", 6, 5, 3))
    assert client.view["roll"] == bos


def test_the_dice_of_a_changed_throw_are_known_when_the_camera_comes_back(client: Client) -> None:
    client.start()
    confirm(client, offer(client, 6, 5, 2, at=HERE), 6, 5, 2)
    correct(client, "change", 1, throw("Ana", 6, 5, 3))
    for dice in ((6, 5, 2), (6, 5, 3)):  # as read then, as corrected since
        back(client)
        assert offer(client, *dice, at=NUDGED)["reasons"] == ["as confirmed"]


def test_kept_dice_are_seen_beside_a_changed_throw(client: Client) -> None:
    to_discharge(client)
    confirm(client, offer(client, 4, 2, 2, at=HERE), 4, 2, 2)
    number = client.game["throws"][0]["number"]
    correct(client, "change", number, throw("Ana", 4, 2, 3))
    roll = offer(client, 4, 2, 1, at=(*NUDGED[:2], THERE[0]))
    assert roll["kept_known"]
    assert [die["kept"] for die in roll["dice"]] == [True, True, False]


def test_dice_still_rolling_belong_to_the_throw_as_it_was_changed(client: Client) -> None:
    client.start()
    client.table.camera_is(CameraStatus("moving"))
    client.throw([6, 5, 2])
    correct(client, "change", 1, throw("Ana", 6, 5, 3))
    client.table.roll_seen(roll_of(6, 5, 3))
    assert client.view["roll"] is None
    assert client.game["throws"][0]["roll"] is not None


def test_dice_still_rolling_are_new_once_their_throw_is_deleted(client: Client) -> None:
    client.start()
    client.table.camera_is(CameraStatus("moving"))
    client.throw([6, 5, 2])
    correct(client, "delete", 1)
    assert offer(client, 6, 5, 2)["fits"]
