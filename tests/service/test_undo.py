"""Throws taken back after the next one was read: everybody's roll comes back to him, one after the other."""

from __future__ import annotations

import pytest

from scorer.service.corrected import as_confirmed
from scorer.service.watching import CameraStatus, Offer

from .conftest import Client, roll_of
from .test_offers import HERE, THERE, back, confirm, playing, values
from .test_rolls import Eye, offer, to_discharge

__all__ = ["playing"]


def undo(client: Client) -> dict[str, object]:
    answer = client.post("/api/undo", seq=client.game["seq"])
    assert answer.status_code == 200, answer.text
    view = answer.json()
    assert isinstance(view, dict)
    return view


@pytest.fixture
def two(playing: Client) -> Client:
    """Ana's 6 5 3, read as 6 5 2, is confirmed, and Bo's 4 2 1 is on offer."""
    confirm(playing, offer(playing, 6, 5, 2, at=HERE), 6, 5, 3)
    for state in ("moving", "settling", "still"):
        playing.table.camera_is(CameraStatus(state))
    offer(playing, 4, 2, 1, at=THERE)
    return playing


def test_the_undone_throw_is_offered_as_confirmed_and_the_next_waits(two: Client) -> None:
    bos = two.view["roll"]
    undo(two)
    view = two.view
    assert (values(view["roll"]), view["roll"]["fits"], view["roll"]["hint"]) == ([6, 5, 3], True, None)
    assert view["before"] is None
    assert two.table.holds()
    game = confirm(two, view["roll"], 6, 5, 3)
    assert (game["throws"][0]["player"], game["throws"][0]["source"]) == ("Ana", "tablet")
    assert two.view["roll"] == bos
    assert two.table.holds()
    assert confirm(two, bos, 4, 2, 1)["throws"][0]["player"] == "Bo"


def test_entered_by_hand_instead_the_next_comes_back_too(two: Client) -> None:
    bos = two.view["roll"]
    undo(two)
    two.throw([5, 5, 5])
    assert two.view["roll"] == bos


def test_confirmed_as_it_was_read_it_is_the_cameras(two: Client) -> None:
    undo(two)
    assert confirm(two, two.view["roll"], 6, 5, 2)["throws"][0]["source"] == "camera"


def test_one_undo_after_the_other_and_all_of_it_again(two: Client) -> None:
    confirm(two, two.view["roll"], 4, 2, 1)
    cys = offer(two, 3, 3, 1, at=HERE)
    for _ in range(2):
        assert sorted(values(undo(two)["roll"])) == [1, 2, 4]  # type: ignore[arg-type]
        assert values(undo(two)["roll"]) == [6, 5, 3]  # type: ignore[arg-type]
        confirm(two, two.view["roll"], 6, 5, 3)
        assert sorted(values(two.view["roll"])) == [1, 2, 4]
        undo(two)
        confirm(two, two.view["roll"], 6, 5, 3)
        confirm(two, two.view["roll"], 4, 2, 1)
        assert two.view["roll"] == cys


def test_two_that_waited_wait_again(two: Client) -> None:
    newer = offer(two, 3, 3, 1, at=HERE)
    bos = two.view["before"]
    undo(two)
    assert two.view["before"] is None
    confirm(two, two.view["roll"], 6, 5, 3)
    assert (two.view["before"], two.view["roll"]) == (bos, newer)


def test_a_throw_that_nobody_saw_is_entered_again(playing: Client) -> None:
    playing.throw([6, 5, 2])
    playing.table.camera_is(CameraStatus("moving"))
    bos = offer(playing, 4, 2, 1)
    assert undo(playing)["roll"] is None
    assert playing.table.holds()
    playing.throw([6, 5, 3])
    assert playing.view["roll"] == bos


def test_a_new_roll_ends_the_waiting(two: Client) -> None:
    undo(two)
    newer = offer(two, 3, 3, 1, at=HERE)
    assert values(two.view["before"]) == [6, 5, 3]
    assert "(6 5 3) was not confirmed" in newer["hint"]
    confirm(two, two.view["before"], 6, 5, 3)
    assert (two.view["roll"]["id"], two.view["roll"]["fits"]) == (newer["id"], True)
    confirm(two, newer, 3, 3, 1)
    assert two.view["roll"] is None


def test_again_reads_what_lies_there_for_the_undone_player(two: Client) -> None:
    eye = Eye()
    two.table.connect(eye, "camera 0")
    undo(two)
    two.post("/api/dismiss", seq=2, roll=two.view["roll"]["id"])
    assert (two.view["roll"], eye.again, two.table.holds()) == (None, 1, False)
    assert offer(two, 4, 2, 1, at=THERE)["fits"]


def test_a_camera_that_comes_back_sees_nothing_new_in_the_roll_that_waits(two: Client) -> None:
    undo(two)
    back(two)
    two.table.roll_seen(roll_of(4, 2, 1, at=[(x + 3, y) for x, y in THERE]))
    assert values(two.view["roll"]) == [6, 5, 3]
    confirm(two, two.view["roll"], 6, 5, 3)
    assert values(two.view["roll"]) == [4, 2, 1]


def test_after_a_correction_the_dice_are_known_as_they_were_read(two: Client) -> None:
    undo(two)
    confirm(two, two.view["roll"], 6, 5, 3)
    confirm(two, two.view["roll"], 4, 2, 2)
    undo(two)
    confirm(two, two.view["roll"], 4, 2, 2)
    back(two)
    assert offer(two, 4, 2, 1, at=THERE)["reasons"] == ["as confirmed"]


def test_what_is_asked_for_by_a_leave_comes_back(two: Client) -> None:
    bos = two.view["roll"]
    undo(two)
    two.post("/api/leave", seq=2, player="Ana")
    assert two.view["roll"] == bos


def test_through_a_stand(client: Client) -> None:
    to_discharge(client)
    confirm(client, offer(client, 6, 5, 4, at=HERE), 6, 5, 4)
    client.post("/api/stand", seq=client.game["seq"], player="Ana")
    bos = offer(client, 4, 2, 1, at=THERE)
    assert "another turn" in undo(client)["roll"]["reasons"]  # type: ignore[index]
    assert values(undo(client)["roll"]) == [6, 5, 4]  # type: ignore[arg-type]
    confirm(client, client.view["roll"], 6, 5, 4)
    assert not client.view["roll"]["fits"]
    client.post("/api/stand", seq=client.game["seq"], player="Ana")
    assert client.view["roll"] == bos


@pytest.mark.parametrize(
    ("read", "dice", "kept", "shown"),
    [
        ((6, 5, 2), (6, 5, 2), (), (6, 5, 2)),
        ((6, 5, 2), (6, 3, 5), (), (6, 5, 3)),
        ((6, 5), (6, 5, 3), (), (6, 5, 3)),
        ((6, 5, 2, 1), (6, 5, 1), (), (6, 5, 1)),
        ((1, 6, 2), (2,), (6, 1), (1, 6, 2)),
        ((1, 6, 2), (3,), (6, 1), (1, 6, 3)),
        ((4,), (2,), (6, 1), (2,)),
        ((4, 6), (2,), (6, 1), (2, 6)),
    ],
)
def test_values_as_confirmed(
    read: tuple[int, ...], dice: tuple[int, ...], kept: tuple[int, ...], shown: tuple[int, ...]
) -> None:
    offer = Offer("r", roll_of(*read))
    again = as_confirmed(offer, dice, kept)
    assert tuple(die.value for die in again.roll.reading.dice) == shown
    assert again.as_read == offer.roll.reading
    assert again.roll.reading.sure == (shown == read)
    boxes = {die.box for die in offer.roll.reading.dice} | {(-640.0, -480.0, -640.0, -480.0)}
    assert {die.box for die in again.roll.reading.dice} <= boxes
