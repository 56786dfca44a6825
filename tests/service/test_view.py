"""What the table view says of a round: hands, worth, ends so far, the settlement in words."""

from __future__ import annotations

from .conftest import Client


def open_with(client: Client, *players: str) -> None:
    """Start a game whose first player leads round 1."""
    client.start(players)
    for place in range(len(players)):
        client.throw([6, 1, 1] if place == 0 else [6, 5, 2])


def test_the_opening_marks_who_would_lead(client: Client) -> None:
    client.start()
    client.throw([6, 5, 2])
    assert not any(player["best"] for player in client.game["players"])
    client.throw([4, 2, 1])
    players = client.game["players"]
    assert [player["best"] for player in players] == [False, True, False]
    assert not any(player["worst"] for player in players)
    assert [player["value"] for player in players] == [None, None, None]


def test_a_one_die_opening_goes_by_the_number(client: Client) -> None:
    client.start(("Ana", "Bo", "Cy"), ruleset="belgian")
    client.throw([2])
    client.throw([5])
    assert [player["best"] for player in client.game["players"]] == [False, True, False]
    client.start(("Ana", "Bo", "Cy"), ruleset="livret", options={"opening": "lowest"}, replace=True)
    client.throw([2])
    client.throw([5])
    assert [player["best"] for player in client.game["players"]] == [True, False, False]


def test_best_and_worst_so_far(client: Client) -> None:
    open_with(client, "Ana", "Bo", "Cy", "Dan")
    client.throw([2, 1, 1])
    client.throw([6, 6, 6])
    client.throw([2, 2, 1])
    ana, bo, cy, dan = client.game["players"]
    # 211 beats 666 although it is worth less.
    assert (ana["best"], ana["worst"], ana["value"]) == (True, False, 2)
    assert (bo["best"], bo["worst"], bo["value"]) == (False, False, 3)
    assert (cy["best"], cy["worst"], cy["value"]) == (False, True, 1)
    assert (dan["hand"], dan["best"], dan["worst"], dan["value"]) == ([], False, False, None)


def test_the_opening_that_the_lowest_leads(client: Client) -> None:
    client.start(("Ana", "Bo", "Cy"), ruleset="livret", options={"opening": "lowest"})
    client.throw([2])
    client.throw([2])
    assert [player["best"] for player in client.game["players"]] == [True, True, False]
    client.throw([1])  # Cy leads
    assert client.game["leader"] == "Cy"


def test_what_a_hand_is_worth_when_221_lies_there_already(client: Client) -> None:
    client.start(("Ana", "Bo"), ruleset="belgian")
    client.throw([5])
    client.throw([2])
    client.throw([2, 2, 1])
    worth = client.game["expected"]["worth"]
    assert len(worth) == 56
    assert (worth["421"], worth["611"], worth["652"]) == (16, 10, 2)
    game = client.throw([6, 1, 1])
    assert [move["chips"] for move in game["last"]["moves"]] == [10]


def test_a_421_is_worth_what_the_pot_can_give(client: Client) -> None:
    open_with(client, "Ana", "Bo", "Cy")
    client.throw([4, 2, 1])
    assert client.game["players"][0]["value"] == 10
    client.throw([6, 5, 2])
    game = client.throw([2, 2, 1])
    assert game["pot"] == 1
    assert game["last"]["moves"] == [{"from": "pot", "to": "Cy", "chips": 10}]
    assert "421" in game["last"]["text"]["en"] and "Cy" in game["last"]["text"]["en"]
    assert game["last"]["text"]["fr"] != game["last"]["text"]["en"]
    client.throw([6, 1, 1])
    assert client.game["players"][0]["value"] == 1  # 6, but one is all there is


def test_a_roll_off(client: Client) -> None:
    open_with(client, "Ana", "Bo", "Cy")
    client.throw([4, 2, 1])
    client.throw([2, 2, 1])
    game = client.throw([2, 2, 1])
    assert game["rolloff"] == {"end": "worst", "players": ["Bo", "Cy"], "thrown": []}
    assert (game["expected"]["player"], game["expected"]["dice"]) == ("Bo", 1)
    game = client.throw([5])
    assert game["rolloff"]["thrown"] == [[5]]
    game = client.throw([3])
    assert game["rolloff"] is None
    assert game["last"]["moves"] == [{"from": "pot", "to": "Cy", "chips": 10}]


def test_points_have_no_pot(client: Client) -> None:
    game = client.start(("Ana", "Bo"), ruleset="points")
    assert game["pot"] is None
    assert game["points"] == {"Ana": 0, "Bo": 0}


def test_the_newest_twenty_throws(client: Client) -> None:
    client.start(("Ana", "Bo", "Cy"))
    for _ in range(9):
        for dice in ([6, 5, 2], [6, 5, 2], [6, 5, 2]):
            client.throw(dice)
    throws = client.game["throws"]
    assert [throw["seq"] for throw in throws] == list(range(27, 7, -1))
