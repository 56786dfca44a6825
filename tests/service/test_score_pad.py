"""The score pad: chips entered by hand, without dice, and with a camera that nobody asks."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.record import load, steps
from scorer.service.store import Store
from scorer.service.table import Table

from .conftest import Client
from .test_rolls import Eye, offer


@pytest.fixture
def pad(client: Client) -> Client:
    client.start(("Ana", "Bo", "Cy"), ruleset="counter", options={"start": 7})
    return client


def adjust(client: Client, player: str, chips: int, **more: Any) -> Any:
    answer = client.post(
        "/api/adjust", **({"seq": client.game["seq"], "player": player, "chips": chips} | more)
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["game"]


def test_the_view_of_a_score_pad(pad: Client) -> None:
    game = pad.game
    assert game["score_pad"]
    assert (game["phase"], game["round"], game["pot"], game["expected"]) == ("count", 0, None, None)
    assert (game["leader"], game["last"], game["throws"], game["points"]) == (None, None, [], {})
    for player in game["players"]:
        assert (player["chips"], player["hand"], player["value"], player["in"]) == (7, [], None, True)
        assert not player["best"] and not player["worst"]
    assert pad.view["setup"] == {
        "players": ["Ana", "Bo", "Cy"],
        "ruleset": "counter",
        "options": {"start": 7},
    }


def test_a_game_with_dice_is_none(client: Client) -> None:
    assert client.start()["score_pad"] is False


def test_chips_are_picked_up_and_got_rid_of(pad: Client) -> None:
    game = adjust(pad, "Ana", 3)
    assert [player["chips"] for player in game["players"]] == [10, 7, 7]
    assert game["last"]["text"]["en"].startswith("Ana ")
    assert game["last"]["moves"] == [{"from": "outside", "to": "Ana", "chips": 3}]
    game = adjust(pad, "Bo", -2)
    assert [player["chips"] for player in game["players"]] == [10, 5, 7]
    assert game["last"]["moves"] == [{"from": "Bo", "to": "outside", "chips": 2}]
    game = pad.post("/api/undo", seq=2).json()["game"]
    assert [player["chips"] for player in game["players"]] == [10, 7, 7]
    assert game["last"]["moves"] == [{"from": "outside", "to": "Ana", "chips": 3}]
    assert pad.post("/api/undo", seq=3).json()["game"]["last"] is None


def test_to_the_end_and_over_a_restart(pad: Client, store: Store) -> None:
    adjust(pad, "Ana", -7)
    assert not pad.game["players"][0]["in"]
    pad.post("/api/leave", seq=1, player="Bo")
    game = pad.game
    assert (game["over"], game["winners"], game["losers"]) == (True, ["Ana"], ["Cy"])
    assert game["last"]["text"]["fr"].startswith("Bo quitte la partie")
    again = Client(Table(store))
    assert again.game == game
    again.close()


def test_its_record(pad: Client) -> None:
    adjust(pad, "Ana", 3)
    adjust(pad, "Bo", -2)
    id = pad.game["id"]
    record = load(pad.get(f"/api/games/{id}/record").content)
    assert (record.ruleset, record.options, record.rules) == ("counter", {"start": 7}, None)
    *_, (seq, state) = steps(record)
    assert (seq, state.chips) == (2, (10, 5, 7))
    assert {entry.source for entry in record.entries} == {"tablet"}
    assert len(pad.get(f"/api/games/{id}/csv").text.splitlines()) == 1


@pytest.mark.parametrize(
    ("more", "error", "reason"),
    [
        ({"player": "Ana", "chips": -8}, "illegal", "Ana holds 7 and cannot get rid of 8"),
        ({"player": "Dan", "chips": 1}, "illegal", "nobody here is called 'Dan'"),
        ({"player": "Ana", "chips": 0}, "invalid", "chips should not be 0."),
        ({"player": "Ana", "chips": 100}, "invalid", "chips should be less than or equal to 99."),
        ({"player": "Ana", "chips": -100}, "invalid", "chips should be greater than or equal to -99."),
        ({"player": "Ana", "chips": 1.0}, "invalid", "chips must be a whole number."),
        ({"player": "Ana", "chips": True}, "invalid", "chips must be a whole number."),
        ({"player": "Ana"}, "invalid", "chips is missing."),
    ],
)
def test_what_cannot_be_entered(pad: Client, more: dict[str, Any], error: str, reason: str) -> None:
    answer = pad.post("/api/adjust", seq=0, **more)
    assert (answer.status_code, answer.json()["error"]) == (422, error)
    assert reason.lower() in answer.json()["message"].lower()
    assert pad.game["seq"] == 0


def test_chips_are_not_entered_where_dice_are_thrown(client: Client) -> None:
    client.start()
    answer = client.post("/api/adjust", seq=0, player="Ana", chips=1)
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal")
    assert "only on the score pad" in answer.json()["message"]


def test_and_nothing_is_thrown_here(pad: Client) -> None:
    answer = pad.post("/api/throw", seq=0, player="Ana", dice=[6, 5, 2])
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal")
    assert "played without dice" in answer.json()["message"]


def test_an_entry_is_made_once(pad: Client) -> None:
    adjust(pad, "Ana", 3, key="tap")
    assert adjust(pad, "Ana", 3, key="tap", seq=0)["seq"] == 1
    answer = pad.post("/api/adjust", seq=0, player="Bo", chips=1)
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")


def test_what_the_camera_sees_is_never_asked_for(pad: Client) -> None:
    pad.table.connect(Eye(), "table.mp4")
    roll = offer(pad, 6, 5, 2)
    assert not roll["fits"] and not roll["sure"]
    assert roll["reasons"] == ["not asked"]
    assert roll["hint"] == "The score pad asks for no dice: enter the chips by hand."
    assert not pad.table.holds()
    adjust(pad, "Ana", 1)
    assert pad.view["roll"]["reasons"] == ["not asked"]
    pad.post("/api/undo", seq=1)
    assert pad.view["roll"]["reasons"] == ["not asked"]
