"""A throw entered by hand while the dice still roll: they are that throw, and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.service.watching import CameraStatus

from .conftest import Client, roll_of
from .test_offers import HERE, NUDGED, THERE, back
from .test_rolls import Eye, offer


def camera(client: Client, *states: str) -> None:
    for state in states:
        client.table.camera_is(CameraStatus(state))


def see(client: Client, *values: int, **more: Any) -> Any:
    """A roll that comes to rest; what is on offer then."""
    camera(client, "settling", "still")
    client.table.roll_seen(roll_of(*values, **more))
    return client.view["roll"]


@pytest.fixture
def rolling(client: Client) -> Client:
    """Ana's 6 5 2 was entered while it rolled."""
    client.start()
    camera(client, "empty", "moving")
    client.throw([6, 5, 2])
    return client


def test_the_roll_that_comes_of_it_is_that_throw(rolling: Client) -> None:
    assert see(rolling, 2, 6, 5, at=HERE) is None
    throw = rolling.game["throws"][0]
    assert (throw["player"], throw["source"]) == ("Ana", "tablet")
    assert rolling.get(f"/api/rolls/{throw['roll']}.jpg").content == roll_of(2, 6, 5).picture
    # Its dice lie as confirmed, and it can be taken back.
    back(rolling)
    assert offer(rolling, 2, 6, 5, at=NUDGED)["reasons"] == ["as confirmed"]
    camera(rolling, "moving")
    assert see(rolling, 4, 2, 1, at=THERE)["fits"]


def test_an_undo_offers_it(rolling: Client) -> None:
    see(rolling, 6, 5, 2, at=HERE)
    roll = rolling.post("/api/undo", seq=1).json()["roll"]
    assert roll["fits"] and sorted(die["value"] for die in roll["dice"]) == [2, 5, 6]


def test_with_other_values_it_is_not_passed_on(rolling: Client) -> None:
    eye = Eye()
    rolling.table.connect(eye, "camera 0")
    camera(rolling, "moving")
    rolling.post("/api/undo", seq=1)
    rolling.throw([6, 5, 2])
    roll = see(rolling, 6, 5, 3)
    assert not roll["fits"] and not roll["sure"]
    assert roll["reasons"] == ["another turn"]
    assert roll["hint"] == (
        "These dice were seen as Ana's throw was entered by hand: if Bo has thrown them, tap Again."
    )
    assert not rolling.table.holds()
    assert rolling.post("/api/dismiss", seq=3, roll=roll["id"]).status_code == 200
    assert see(rolling, 6, 5, 3)["fits"]


def test_taken_back_it_is_that_players_roll(rolling: Client) -> None:
    see(rolling, 6, 5, 3)
    roll = rolling.post("/api/undo", seq=1).json()["roll"]
    assert roll["fits"] and rolling.table.holds()


def test_a_hand_may_hide_a_die_first(rolling: Client) -> None:
    rolling.table.roll_seen(roll_of(6, 5))
    assert rolling.view["roll"]["reasons"] == ["another turn"]
    assert see(rolling, 6, 5, 2) is None
    camera(rolling, "moving")
    assert see(rolling, 4, 2, 1)["fits"]


@pytest.mark.parametrize("states", [("settling", "still", "moving"), ("empty", "moving")])
def test_the_next_motion_is_the_next_throw(rolling: Client, states: tuple[str, ...]) -> None:
    camera(rolling, *states)
    assert see(rolling, 4, 2, 1)["fits"]


def test_so_it_is_when_the_throw_was_entered_at_rest(client: Client) -> None:
    client.start()
    camera(client, "moving", "still")
    client.throw([6, 5, 2])
    camera(client, "moving")
    assert see(client, 4, 2, 1)["fits"]


def test_a_roll_confirmed_as_the_dice_are_picked_up_claims_nothing(client: Client) -> None:
    client.start()
    first = see(client, 6, 5, 2)
    camera(client, "moving")
    client.throw([6, 5, 3], roll=first["id"])
    assert see(client, 4, 2, 1)["fits"]


def test_an_old_roll_that_was_not_the_throw_claims_it_all_the_same(client: Client) -> None:
    client.start()
    see(client, 4, 2, 1)
    camera(client, "moving")
    client.throw([6, 5, 2])
    assert see(client, 6, 5, 2) is None
