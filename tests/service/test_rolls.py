"""A roll on offer: whether it fits, what becomes of it, and who is said to have read the throw."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.service.sight import PICTURES_KEPT
from scorer.service.store import Store
from scorer.service.table import Table
from scorer.service.watching import CameraStatus

from .conftest import Client, roll_of


def offer(client: Client, *values: int, **more: Any) -> dict[str, Any]:
    client.table.roll_seen(roll_of(*values, **more))
    roll = client.view["roll"]
    assert isinstance(roll, dict)
    return roll


class Eye:
    """A camera that only counts what it is asked for."""

    dropped = 0
    frames = 17

    def __init__(self) -> None:
        self.again = 0

    def picture(self) -> bytes | None:
        return b"\xff\xd8 newest"

    def read_again(self) -> None:
        self.again += 1


def to_discharge(client: Client) -> None:
    """Ana leads the discharge of a game of three; a 421 and a 611 empty the pot."""
    client.start()
    for dice in ([4, 2, 1], [6, 5, 2], [6, 5, 1]):
        client.throw(dice)
    for dice in ([4, 2, 1], [6, 5, 2], [2, 2, 1]):  # Cy takes all but one
        client.throw(dice)
    for dice in ([4, 2, 1], [6, 5, 2], [2, 2, 1]):  # Cy takes the last one
        client.throw(dice)
    assert client.game["phase"] == "discharge"
    assert client.game["expected"]["player"] == "Ana"


def test_without_a_game_a_roll_is_shown_and_does_not_fit(client: Client) -> None:
    roll = offer(client, 6, 5, 2)
    assert not roll["fits"]
    assert roll["hint"] == "No game is running: start one."
    assert [die["value"] for die in roll["dice"]] == [6, 5, 2]
    assert roll["dice"][0]["box"] == [10.0, 20.0, 70.0, 80.0]
    assert not client.table.holds()


def test_what_lay_there_before_the_game_is_nobodys_throw(client: Client) -> None:
    offer(client, 6, 5, 2)
    client.start()
    assert client.view["roll"] is None


def test_a_throw_as_read_is_the_cameras(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2)
    assert roll["fits"] and roll["sure"] and roll["hint"] is None
    assert client.table.holds()
    game = client.throw([2, 5, 6], roll=roll["id"])
    assert client.view["roll"] is None
    assert not client.table.holds()
    assert (game["throws"][0]["source"], game["throws"][0]["roll"]) == ("camera", roll["id"])
    (event,) = client.get(f"/api/games/{game['id']}/record").json()["events"]
    assert (event["source"], event["confidence"]) == ("camera", 0.97)
    assert event["at"].endswith("Z")


def test_a_corrected_throw_is_the_tablets(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2, sure=False)
    assert roll["reasons"] == ["two dice touch"]
    game = client.throw([6, 5, 3], roll=roll["id"])
    assert (game["throws"][0]["source"], game["throws"][0]["roll"]) == ("tablet", roll["id"])
    (event,) = client.get(f"/api/games/{game['id']}/record").json()["events"]
    assert event["source"] == "tablet"
    assert "confidence" not in event


def test_a_roll_is_used_once(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2)
    client.throw([6, 5, 2], roll=roll["id"])
    body = {"seq": 1, "player": "Bo", "dice": [6, 5, 2], "roll": roll["id"]}
    answer = client.post("/api/throw", **body)
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")
    assert answer.json()["table"]["game"]["seq"] == 1


def test_a_throw_by_hand_uses_up_the_roll_that_lies_there(client: Client) -> None:
    client.start()
    offer(client, 6, 5, 2)
    client.throw([6, 5, 3])
    assert client.view["roll"] is None


def test_a_refused_throw_leaves_the_roll_on_offer(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2)
    answer = client.post("/api/throw", seq=0, player="Bo", dice=[6, 5, 2], roll=roll["id"])
    assert answer.status_code == 422
    assert client.view["roll"] == roll


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        ((6, 5), "Ana throws 3 dice, 2 seen: add what is missing, or throw again."),
        ((6, 5, 2, 1), "Ana throws 3 dice, 4 are seen: take one die away."),
    ],
)
def test_a_wrong_number_of_dice_does_not_fit(client: Client, values: tuple[int, ...], hint: str) -> None:
    client.start()
    roll = offer(client, *values)
    assert not roll["fits"]
    assert roll["hint"] == hint
    # Not to be accepted without asking, however sure the reader is of what it saw.
    assert not roll["sure"]
    assert roll["reasons"] == ["wrong count"]
    # A film waits here too: it would run away while the newcomer corrects.
    assert client.table.holds()


def test_one_die_fits_where_one_is_thrown(client: Client) -> None:
    client.start(("Ana", "Bo"), ruleset="belgian")
    assert offer(client, 5)["fits"]
    roll = offer(client, 5, 3, 2)
    assert not roll["fits"]
    assert roll["hint"] == "Ana throws one die, 3 are seen: take 2 dice away."


@pytest.mark.parametrize("values", [(6, 1, 4), (1, 4), (4,)])
def test_in_later_throws_the_kept_dice_may_be_seen_or_not(client: Client, values: tuple[int, ...]) -> None:
    to_discharge(client)
    client.throw([6, 5, 4])
    assert client.game["expected"]["may_keep"]
    assert offer(client, *values)["fits"]


def test_a_later_throw_read_with_its_kept_dice(client: Client) -> None:
    to_discharge(client)
    client.throw([6, 5, 1])
    game = client.throw([1], kept=[6, 1], roll=offer(client, 1, 6, 1)["id"])
    assert game["throws"][0]["source"] == "camera"
    assert game["players"][0]["hand"] == [6, 1, 1]
    game = client.throw([4, 2], kept=[1], roll=offer(client, 4, 2)["id"])
    assert game["throws"][0]["source"] == "camera"
    assert game["players"][0]["hand_name"] == "421"


def test_when_the_game_is_over_nothing_fits(client: Client) -> None:
    client.start()
    client.post("/api/abandon", seq=0)
    assert offer(client, 6, 5, 2)["hint"] == "The game is over: start another."


def test_a_new_roll_takes_the_place_of_one_that_nobody_confirmed(client: Client) -> None:
    client.start()
    first = offer(client, 6, 5, 2)
    second = offer(client, 4, 2, 1)
    assert second["id"] != first["id"]
    assert second["fits"]
    assert second["hint"] == "The roll before (6 5 2) was not confirmed: if it was a throw, enter it first."


def test_a_roll_that_did_not_fit_needs_no_confirmation(client: Client) -> None:
    client.start()
    offer(client, 6, 5)  # a hand hid the third
    assert offer(client, 6, 5, 2)["hint"] is None


def test_a_roll_with_a_wrong_count_waits_for_its_correction(client: Client) -> None:
    client.start()
    first = offer(client, 6, 5, at=((10, 20), (90, 20)))
    second = offer(client, 4, 2, 1, at=((300, 220), (400, 300), (500, 240)))
    assert second["fits"] and "(6 5) was not confirmed" in second["hint"]
    before = client.view["before"]
    assert (before["id"], before["reasons"]) == (first["id"], ["wrong count"])
    game = client.throw([6, 5, 2], roll=first["id"])
    assert (game["throws"][0]["player"], game["throws"][0]["roll"]) == ("Ana", first["id"])
    assert (client.view["roll"]["id"], client.view["roll"]["fits"]) == (second["id"], True)


def test_what_was_none_may_be_taken_away(client: Client) -> None:
    client.start()
    offer(client, 6, 5, 2, 1)
    assert offer(client, 6, 5, 2)["hint"] is None


# Dice that are gone


@pytest.mark.parametrize("state", ["empty", "moving", "settling"])
def test_without_a_game_only_what_lies_there_is_a_roll(client: Client, state: str) -> None:
    roll = offer(client, 6, 5, 2)
    client.table.camera_is(CameraStatus(state))
    assert client.view["roll"] is None
    client.table.camera_is(CameraStatus("still"))
    assert client.view["roll"] == (None if state == "empty" else roll)


@pytest.mark.parametrize("state", ["empty", "moving", "settling"])
def test_in_a_game_it_stays_on_offer_but_has_no_boxes(client: Client, state: str) -> None:
    client.start()
    roll = offer(client, 6, 5, 2, at=((90, 20), (10, 20), (200, 20)))
    client.table.camera_is(CameraStatus(state))
    gone = client.view["roll"]
    assert [die["value"] for die in gone["dice"]] == [5, 6, 2]  # as they lay, from the left
    assert {tuple(die["box"]) for die in gone["dice"]} == {(-640.0, -480.0, -640.0, -480.0)}
    assert gone["fits"] and gone["sure"] and gone["id"] == roll["id"]
    client.table.camera_is(CameraStatus("still"))
    assert (client.view["roll"] == roll) == (state != "empty")


def test_only_the_newest_roll_lies_there(client: Client) -> None:
    client.start()
    offer(client, 6, 5, 2)
    roll = offer(client, 4, 2, 1)
    assert roll["dice"][0]["box"][0] == 10
    assert client.view["before"]["dice"][0]["box"][0] < 0


# Dismissing, and taking back


def test_a_dismissed_roll_is_gone_and_the_camera_reads_again(client: Client) -> None:
    eye = Eye()
    client.table.connect(eye, "camera 0")
    client.start()
    roll = offer(client, 6, 5, 2)
    answer = client.post("/api/dismiss", seq=0, roll=roll["id"], key="tap")
    assert answer.status_code == 200
    assert answer.json()["roll"] is None
    assert eye.again == 1
    assert client.post("/api/dismiss", seq=0, roll=roll["id"], key="tap").status_code == 200
    assert client.post("/api/dismiss", seq=0, roll=roll["id"]).status_code == 409
    assert eye.again == 1


def test_a_roll_may_be_dismissed_without_a_game(client: Client) -> None:
    roll = offer(client, 6, 5, 2)
    assert client.post("/api/dismiss", seq=0, roll=roll["id"]).json()["roll"] is None
    assert client.post("/api/dismiss", seq=3, roll=roll["id"]).status_code == 409


def test_an_undone_throw_is_on_offer_again_as_confirmed(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2)
    client.throw([6, 5, 2], roll=roll["id"])
    view = client.post("/api/undo", seq=1).json()
    assert view["roll"] == roll
    client.throw([6, 5, 3], roll=roll["id"])
    client.table.camera_is(CameraStatus("moving"))
    roll = client.post("/api/undo", seq=3).json()["roll"]
    assert [die["value"] for die in roll["dice"]] == [6, 5, 3]
    assert roll["fits"] and not roll["sure"]


# Pictures


def test_evidence_is_kept_for_the_newest_rolls(client: Client) -> None:
    client.start()
    roll = offer(client, 6, 5, 2)
    answer = client.get(f"/api/rolls/{roll['id']}.jpg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    assert answer.content == roll_of(6, 5, 2).picture
    game = client.throw([6, 5, 2], roll=roll["id"])
    for _ in range(PICTURES_KEPT):
        offer(client, 1, 1, 1)
    assert client.get(f"/api/rolls/{roll['id']}.jpg").status_code == 404
    assert game["throws"][0]["roll"] == roll["id"]
    assert client.game["throws"][0]["roll"] is None


def test_ids_of_rolls_are_not_given_twice(store: Store) -> None:
    ids = set()
    for _ in range(2):
        client = Client(Table(store))
        ids |= {offer(client, 6, 5, 2)["id"], offer(client, 6, 5, 2)["id"]}
        client.close()
    assert len(ids) == 4


def test_the_newest_picture(client: Client) -> None:
    client.table.connect(Eye(), "table.mp4")
    answer = client.get("/api/picture.jpg")
    assert (answer.content, answer.headers["cache-control"]) == (b"\xff\xd8 newest", "no-store")
    camera = client.view["camera"]
    assert (camera["state"], camera["source"], camera["frames"]) == ("starting", "table.mp4", 17)
