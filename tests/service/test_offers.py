"""Whose throw a roll is: dice that lie there still, rolls that displace one another, turns that end meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from scorer.service.lying import Lay, kept_dice, lies_as, stayed
from scorer.service.store import Store
from scorer.service.table import Table
from scorer.service.watching import CameraStatus

from .conftest import Client, roll_of
from .test_rolls import Eye, offer, to_discharge

HERE = ((100.0, 100.0), (200.0, 110.0), (300.0, 90.0))
NUDGED = ((108.0, 95.0), (195.0, 116.0), (302.0, 92.0))
"""The same places as another reading tells them: a few pixels off, dice are 60 wide."""
THERE = ((400.0, 300.0), (120.0, 320.0), (260.0, 300.0))


def back(client: Client) -> None:
    """The camera was away and looks again."""
    for state, message in (
        ("gone", "the plug was pulled"),
        ("starting", None),
        ("moving", None),
        ("still", None),
    ):
        client.table.camera_is(CameraStatus(state, message))


def other_camera(client: Client) -> None:
    """Another camera is chosen, which sees the same table from elsewhere."""
    client.table.connect(Eye(), "another one")
    for state in ("starting", "moving", "still"):
        client.table.camera_is(CameraStatus(state))


def values(roll: dict[str, Any]) -> list[int]:
    return [die["value"] for die in roll["dice"]]


def confirm(client: Client, roll: dict[str, Any], *dice: int, kept: Sequence[int] = ()) -> Any:
    return client.throw(list(dice), list(kept), roll=roll["id"])


@pytest.fixture
def playing(client: Client) -> Client:
    client.start()
    return client


@pytest.fixture
def restarted(playing: Client, store: Store) -> Iterator[Client]:
    """The table of another start, after Ana's 6 5 2 was confirmed from `HERE` and read as 6 5 3."""
    confirm(playing, offer(playing, 6, 5, 3, at=HERE), 6, 5, 2)
    client = Client(Table(store))
    yield client
    client.close()


# Dice that lie there still


def test_after_the_camera_was_away_a_confirmed_throw_is_nobodys(playing: Client) -> None:
    confirm(playing, offer(playing, 6, 5, 2, at=HERE), 6, 5, 2)
    back(playing)
    roll = offer(playing, 5, 2, 6, at=(NUDGED[1], NUDGED[2], NUDGED[0]))
    assert not roll["fits"] and not roll["sure"]
    assert roll["reasons"] == ["as confirmed"]
    assert (
        roll["hint"] == "These dice lie as in the throw confirmed last: if they are a new throw, tap Again."
    )


@pytest.mark.parametrize("values", [(6, 5, 3), (6, 5, 2)], ids=["as read then", "as corrected then"])
def test_after_a_restart_too(restarted: Client, values: tuple[int, ...]) -> None:
    assert offer(restarted, *values, at=NUDGED)["reasons"] == ["as confirmed"]


def test_also_when_some_of_the_dice_were_picked_up(restarted: Client) -> None:
    assert offer(restarted, 5, at=NUDGED[1:2])["reasons"] == ["as confirmed"]


@pytest.mark.parametrize("values", [(6, 5, 3), (6, 5, 2)], ids=["as read then", "as corrected then"])
def test_and_by_a_camera_that_stands_elsewhere(restarted: Client, values: tuple[int, ...]) -> None:
    assert offer(restarted, *values, at=THERE)["reasons"] == ["as confirmed"]


@pytest.mark.parametrize(("values", "at"), [((6, 4, 3), HERE), ((6, 4, 3), THERE), ((6, 5), THERE[:2])])
def test_other_values_are_a_new_throw(
    restarted: Client, values: tuple[int, ...], at: tuple[tuple[float, float], ...]
) -> None:
    roll = offer(restarted, *values, at=at)
    assert "as confirmed" not in roll["reasons"] and roll["fits"] == (len(values) == 3)


def test_another_camera_offers_no_throw_twice(playing: Client) -> None:
    confirm(playing, offer(playing, 6, 5, 2, at=HERE), 6, 5, 2)
    other_camera(playing)
    assert offer(playing, 2, 6, 5, at=THERE)["reasons"] == ["as confirmed"]
    assert offer(playing, 2, 6, 5, at=HERE)["fits"]  # it has been thrown before the eyes of this one


def test_another_camera_shows_the_roll_on_offer_where_it_sees_it(playing: Client) -> None:
    first = offer(playing, 6, 5, 2, at=HERE)
    other_camera(playing)
    roll = offer(playing, 6, 5, 2, at=THERE)
    assert roll["fits"] and roll["hint"] is None
    assert [die["box"][:2] for die in roll["dice"]] == [list(corner) for corner in THERE]
    assert playing.view["before"] is None
    # Who confirms the one that he saw is told.
    answer = playing.post("/api/throw", seq=0, player="Ana", dice=[6, 5, 2], kept=[], roll=first["id"])
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")


@pytest.mark.parametrize("at", [NUDGED, THERE], ids=["as it stood", "elsewhere"])
def test_a_die_that_was_hidden_when_the_camera_came_back_makes_no_throw(
    restarted: Client, at: tuple[tuple[float, float], ...]
) -> None:
    """A hand or a glass: what it hid comes to light."""
    assert not offer(restarted, 6, 5, at=at[:2])["fits"]
    restarted.table.camera_is(CameraStatus("hand"))
    assert offer(restarted, 6, 5, 3, at=at)["reasons"] == ["as confirmed"]
    assert restarted.view["before"] is None
    restarted.table.camera_is(CameraStatus("moving"))
    assert offer(restarted, 6, 5, 3, at=HERE[::-1])["fits"]


@pytest.mark.parametrize("at", [NUDGED, THERE], ids=["as it stood", "elsewhere"])
def test_nor_does_one_of_the_roll_on_offer(playing: Client, at: tuple[tuple[float, float], ...]) -> None:
    offer(playing, 6, 5, 2, at=HERE)
    back(playing)
    offer(playing, 6, 5, at=at[:2])
    roll = offer(playing, 6, 5, 2, at=at)
    assert roll["fits"] and roll["hint"] is None
    assert playing.view["before"] is None
    assert confirm(playing, roll, 6, 5, 2)["expected"]["player"] == "Bo"
    assert playing.view["roll"] is None


def uncovered(client: Client, *values: int, kept: tuple[bool, ...]) -> Any:
    """A roll that lies nearly as `HERE`, of which the camera has seen that some dice were not thrown."""
    client.table.roll_seen(replace(roll_of(*values, at=NUDGED), kept=kept))
    return client.view["roll"]


def test_a_die_that_comes_to_light_after_its_throw_was_confirmed_makes_no_throw(playing: Client) -> None:
    confirm(playing, offer(playing, 6, 5, at=HERE[:2]), 6, 5, 2)
    roll = uncovered(playing, 6, 5, 2, kept=(True, True, False))
    assert roll["reasons"] == ["as confirmed"] and not roll["fits"]
    assert uncovered(playing, 6, 5, 2, kept=(False, False, False))["fits"]


def test_one_that_comes_to_light_after_its_throw_was_entered_by_hand_makes_none_either(
    playing: Client,
) -> None:
    offer(playing, 6, 5, at=HERE[:2])
    playing.throw([6, 5, 2])
    assert uncovered(playing, 6, 5, 2, kept=(True, True, False))["reasons"] == ["as confirmed"]


def test_dice_from_before_the_game_are_no_part_of_a_throw(client: Client) -> None:
    offer(client, 6, 5, at=HERE[:2])
    client.start()
    assert uncovered(client, 6, 5, 2, kept=(True, True, False))["reasons"] == ["as confirmed"]


def test_a_cocked_die_may_be_thrown_again_before_the_throw_is_confirmed(playing: Client) -> None:
    offer(playing, 6, 5, 2, at=HERE)
    assert uncovered(playing, 6, 5, 3, kept=(True, True, False))["fits"]


def test_dice_kept_in_a_turn_are_part_of_its_next_throw(client: Client) -> None:
    to_discharge(client)
    confirm(client, offer(client, 4, 2, 2, at=HERE), 4, 2, 2)
    roll = uncovered(client, 4, 2, 1, kept=(True, True, False))
    assert roll["fits"] and [die["kept"] for die in roll["dice"]] == [True, True, False]


def test_a_roll_of_another_turn_stays_so_under_another_camera(playing: Client) -> None:
    offer(playing, 6, 5, 2, at=HERE)
    playing.post("/api/leave", seq=0, player="Ana")
    other_camera(playing)
    assert offer(playing, 6, 5, 2, at=THERE)["reasons"] == ["another turn"]


def test_dice_from_before_the_game_stay_nobodys_under_another_camera(client: Client) -> None:
    offer(client, 6, 5, 2, at=HERE)
    client.start()
    other_camera(client)
    assert offer(client, 6, 5, 2, at=THERE)["reasons"] == ["as confirmed"]


def test_only_the_first_look_after_a_return_is_in_doubt(playing: Client) -> None:
    confirm(playing, offer(playing, 6, 5, 2, at=HERE), 6, 5, 2)
    playing.table.camera_is(CameraStatus("moving"))
    assert offer(playing, 6, 5, 2, at=HERE)["fits"]


def test_again_takes_what_lies_there_for_a_throw(restarted: Client) -> None:
    eye = Eye()
    restarted.table.connect(eye, "camera 0")
    roll = offer(restarted, 6, 5, 3, at=HERE)
    assert restarted.post("/api/dismiss", seq=1, roll=roll["id"]).status_code == 200
    assert eye.again == 1
    assert offer(restarted, 6, 5, 3, at=HERE)["fits"]


def test_once_that_throw_is_taken_back_its_dice_may_be_confirmed_anew(restarted: Client) -> None:
    offer(restarted, 6, 5, 3, at=HERE)
    roll = restarted.post("/api/undo", seq=1).json()["roll"]
    assert roll["fits"] and roll["hint"] is None


def test_what_was_entered_unseen_and_is_seen_later_is_nobodys(playing: Client) -> None:
    playing.throw([6, 5, 2])
    message = "The picture cannot be read. Enter the dice by hand."
    playing.table.camera_is(CameraStatus("moving", message))
    assert offer(playing, 2, 5, 6)["reasons"] == ["as confirmed"]
    playing.table.camera_is(CameraStatus("moving", message))
    assert offer(playing, 2, 4, 6)["fits"]


def test_dice_from_before_the_game_stay_nobodys(client: Client) -> None:
    offer(client, 6, 5, 2, at=HERE)
    client.start()
    back(client)
    assert offer(client, 6, 5, 2, at=NUDGED)["reasons"] == ["as confirmed"]


def test_a_roll_on_offer_stays_the_same_when_the_camera_comes_back(playing: Client) -> None:
    first = offer(playing, 6, 5, 2, at=HERE)
    back(playing)
    assert offer(playing, 6, 5, 2, at=NUDGED) == first
    back(playing)
    other = offer(playing, 6, 5, 3, at=NUDGED)  # the same dice, read differently
    assert other["id"] != first["id"]
    assert other["fits"] and other["hint"] is None
    assert playing.view["before"] is None


# A roll over an unconfirmed one


def test_the_roll_before_can_be_confirmed_and_the_new_one_stays(playing: Client) -> None:
    first = offer(playing, 6, 5, 2, at=HERE)
    second = offer(playing, 4, 2, 1, at=THERE)
    assert "(6 5 2) was not confirmed" in second["hint"]
    before = playing.view["before"]
    assert (before["id"], before["fits"], before["hint"]) == (first["id"], True, None)
    game = confirm(playing, first, 6, 5, 2)
    assert (game["throws"][0]["player"], game["throws"][0]["source"]) == ("Ana", "camera")
    view = playing.view
    assert view["before"] is None
    assert (view["roll"]["id"], view["roll"]["fits"], view["roll"]["hint"]) == (second["id"], True, None)
    assert confirm(playing, second, 4, 2, 1)["throws"][0]["player"] == "Bo"


@pytest.mark.parametrize("dice", [[6, 5, 2], [6, 5, 3]], ids=["as read", "corrected"])
def test_entering_it_by_hand_does_not_lose_the_new_one(playing: Client, dice: list[int]) -> None:
    offer(playing, 6, 5, 2, at=HERE)
    second = offer(playing, 4, 2, 1, at=THERE)
    playing.throw(dice)
    roll = playing.view["roll"]
    assert (roll["id"], roll["fits"], roll["hint"]) == (second["id"], True, None)


def test_a_throw_by_hand_that_is_the_new_one_uses_up_that(playing: Client) -> None:
    offer(playing, 6, 5, 2, at=HERE)
    offer(playing, 4, 2, 1, at=THERE)
    playing.throw([1, 2, 4])
    assert (playing.view["roll"], playing.view["before"]) == (None, None)


def test_confirming_the_new_one_forgets_the_one_before(playing: Client) -> None:
    first = offer(playing, 6, 5, 2, at=HERE)
    confirm(playing, offer(playing, 4, 2, 1, at=THERE), 4, 2, 1)
    assert playing.view["before"] is None
    body = {"seq": 1, "player": "Bo", "dice": [6, 5, 2], "roll": first["id"]}
    assert playing.post("/api/throw", **body).json()["error"] == "stale"


def test_the_one_before_can_be_dismissed_without_reading_again(playing: Client) -> None:
    eye = Eye()
    playing.table.connect(eye, "camera 0")
    first = offer(playing, 6, 5, 2, at=HERE)
    offer(playing, 4, 2, 1, at=THERE)
    view = playing.post("/api/dismiss", seq=0, roll=first["id"]).json()
    assert (view["before"], view["roll"]["hint"], eye.again) == (None, None, 0)


def test_an_undo_brings_back_what_a_throw_by_hand_used_up(playing: Client) -> None:
    first = offer(playing, 6, 5, 2, at=HERE)
    playing.throw([6, 5, 3])
    roll = playing.post("/api/undo", seq=1).json()["roll"]
    assert (roll["id"], values(roll), roll["fits"]) == (first["id"], [6, 5, 3], True)
    second = offer(playing, 4, 2, 1, at=THERE)
    playing.throw([6, 5, 2])
    view = playing.post("/api/undo", seq=3).json()
    assert (view["before"], view["roll"]["id"], values(view["roll"])) == (None, first["id"], [6, 5, 2])
    playing.throw([6, 5, 2])
    assert (playing.view["roll"]["id"], playing.view["roll"]["fits"]) == (second["id"], True)


def test_an_undo_of_something_else_in_between_does_not_lose_it(client: Client) -> None:
    to_discharge(client)
    roll = offer(client, 6, 5, 4, at=HERE)
    confirm(client, roll, 6, 5, 4)
    seq = client.game["seq"]
    assert client.post("/api/stand", seq=seq, player="Ana").status_code == 200
    assert client.post("/api/undo", seq=seq + 1).json()["roll"] is None
    assert client.post("/api/undo", seq=seq + 2).json()["roll"] == roll


# A turn that ends meanwhile


def test_a_roll_is_not_passed_on_when_its_player_stands(client: Client) -> None:
    to_discharge(client)
    client.throw([6, 5, 4])
    roll = offer(client, 1, 1, at=THERE[:2])
    assert roll["fits"]
    seq = client.game["seq"]
    roll = client.post("/api/stand", seq=seq, player="Ana").json()["roll"]
    assert not roll["fits"] and not roll["sure"]
    assert "another turn" in roll["reasons"]
    assert roll["hint"].startswith("These dice were seen when Ana was to throw: if ")
    # Taken back, it is Ana's again.
    assert client.post("/api/undo", seq=seq + 1).json()["roll"]["fits"]


def test_nor_when_its_player_leaves(playing: Client) -> None:
    offer(playing, 6, 5, 2)
    roll = playing.post("/api/leave", seq=0, player="Ana").json()["roll"]
    assert roll["hint"] == "These dice were seen when Ana was to throw: if Bo has thrown them, tap Again."
    assert roll["reasons"] == ["another turn"]


def test_it_stays_when_somebody_else_leaves(playing: Client) -> None:
    offer(playing, 6, 5, 2)
    assert playing.post("/api/leave", seq=0, player="Cy").json()["roll"]["fits"]


# Kept or thrown


def test_dice_that_lie_where_they_lay_were_kept(client: Client) -> None:
    to_discharge(client)
    confirm(client, offer(client, 4, 2, 2, at=HERE), 4, 2, 2)
    roll = offer(client, 1, 2, 4, at=(THERE[0], NUDGED[1], NUDGED[0]))
    assert roll["kept_known"]
    assert [die["kept"] for die in roll["dice"]] == [False, True, True]
    game = confirm(client, roll, 1, kept=[4, 2])
    assert game["players"][0]["hand_name"] == "421"


def test_equal_values_elsewhere_were_thrown(client: Client) -> None:
    to_discharge(client)
    confirm(client, offer(client, 4, 2, 2, at=HERE), 4, 2, 2)
    roll = offer(client, 4, 2, 2, at=THERE)
    assert roll["kept_known"]
    assert not any(die["kept"] for die in roll["dice"])


def test_under_another_camera_too(client: Client) -> None:
    to_discharge(client)
    confirm(client, offer(client, 4, 2, 2, at=HERE), 4, 2, 2)
    other_camera(client)
    assert offer(client, 4, 2, 2, at=THERE)["reasons"] == ["as confirmed"]
    roll = offer(client, 4, 2, 1, at=(*THERE[:2], HERE[2]))
    assert [die["kept"] for die in roll["dice"]] == [True, True, False]
    assert roll["fits"] and roll["kept_known"]


def test_without_a_reading_before_nothing_is_known(client: Client) -> None:
    to_discharge(client)
    client.throw([4, 2, 2])
    roll = offer(client, 4, 2, 1, at=HERE)
    assert not roll["kept_known"]
    assert not any(die["kept"] for die in roll["dice"])


def test_nothing_is_kept_from_another_players_throw(playing: Client) -> None:
    confirm(playing, offer(playing, 6, 5, 2, at=HERE), 6, 5, 2)
    roll = offer(playing, 6, 5, 1, at=(*HERE[:2], THERE[0]))
    assert not roll["kept_known"]
    assert not any(die["kept"] for die in roll["dice"])


# How dice are found where they lay


def lay(value: int, x: float, y: float, side: float = 0.1) -> Lay:
    return Lay(value, x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def test_a_die_belongs_to_the_nearest_place_within_a_third_of_its_size() -> None:
    then = [lay(1, 0.2, 0.2), lay(2, 0.31, 0.2)]
    assert stayed([lay(6, 0.234, 0.2)], then) == [then[0]]
    assert stayed([lay(6, 0.236, 0.2)], then) == [None]
    # Each place is taken once, by the nearest.
    assert stayed([lay(6, 0.22, 0.2), lay(5, 0.2, 0.2)], then) == [None, then[0]]


def test_no_dice_lie_as_nothing() -> None:
    assert not lies_as([], [])
    assert not lies_as([], [lay(1, 0.2, 0.2)])
    assert not lies_as([lay(1, 0.2, 0.2)], [])


def test_a_corrected_die_is_kept_when_it_is_read_as_corrected() -> None:
    then = [lay(2, 0.2, 0.2), lay(5, 0.4, 0.2), lay(6, 0.6, 0.2)]
    now = [lay(3, 0.2, 0.2), lay(5, 0.4, 0.2), lay(1, 0.8, 0.8)]
    assert kept_dice(now, then, (6, 5, 3)) == (True, True, False)
    assert kept_dice(now, then, (6, 5, 2)) == (False, True, False)
    assert kept_dice(then, then, (6, 5, 2)) == (False, False, False)
