"""What the table view says of a round: hands, worth, ends so far, the settlement in words."""

from __future__ import annotations

from scorer.ruleset import load_ruleset
from scorer.sentences import rolloff_result
from scorer.state import End, RollOff

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


# The newest result in words


def told(client: Client) -> tuple[str, str]:
    text = client.game["last"]["text"]
    return text["en"], text["fr"]


def test_who_leads_is_told_until_the_first_settlement(client: Client) -> None:
    client.start()
    client.throw([6, 5, 2])
    client.throw([4, 2, 1])
    assert client.view["game"]["last"] is None
    client.throw([2, 2, 1])
    assert told(client) == ("Bo leads with 421.", "Bo mène avec 421.")
    assert client.game["last"]["moves"] == []
    assert client.game["throws"][0]["player"] == "Cy"
    client.throw([6, 1, 1])
    assert told(client)[0] == "Bo leads with 421."
    client.throw([6, 5, 2])
    client.throw([2, 2, 1])
    assert told(client)[0].startswith("Bo's 611 ")


def test_who_leads_after_a_roll_off(client: Client) -> None:
    client.start()
    client.throw([4, 2, 1])
    client.throw([4, 2, 1])
    client.throw([6, 5, 2])
    dice = client.game["expected"]["dice"]
    for value in (2, 2, 2, 5):
        client.throw([value] * dice)
    own, other = ("5", "2") if dice == 1 else ("555", "222")
    assert told(client) == (
        f"Bo leads with 421 after a roll-off: {own} against {other}.",
        f"Bo mène avec 421 après un rampo : {own} contre {other}.",
    )


def test_an_opening_with_somebody_who_leaves(client: Client) -> None:
    client.start()
    client.throw([4, 2, 1])
    client.throw([6, 5, 2])
    client.post("/api/leave", seq=2, player="Cy")
    assert told(client)[0] == "Ana leads with 421."


def test_a_roll_off_is_told_with_the_settlement(client: Client) -> None:
    open_with(client, "Ana", "Bo", "Cy")
    for dice in ([4, 2, 1], [2, 2, 1], [2, 2, 1], [5]):
        client.throw(dice)
    assert told(client)[0] == "Ana leads with 611."
    client.throw([2])
    english, french = told(client)
    assert english.startswith("Cy loses the roll-off: 2 against 5. Ana's 421 makes Cy ")
    assert french.startswith("Cy perd le rampo : 2 contre 5. Avec le 421 d’Ana, Cy ")


def test_a_roll_off_that_decides_nothing_yet(client: Client) -> None:
    open_with(client, "Ana", "Bo", "Cy")
    for dice in ([4, 2, 1], [2, 2, 1], [2, 2, 1], [3], [3]):
        client.throw(dice)
    assert told(client) == (
        "Bo and Cy are level at 3 in the roll-off.",
        "Bo et Cy sont à égalité au rampo avec 3.",
    )


def test_results_of_roll_offs() -> None:
    ruleset = load_ruleset("rulebook")

    def result(end: End, *thrown: int) -> str:
        players = ("Ana", "Bo", "Cy")[: len(thrown)]
        rolloff = RollOff(end, players, tuple(range(len(thrown))), tuple((die,) for die in thrown))
        return rolloff_result(rolloff, ruleset, "en")

    assert result("best", 5, 2) == "Ana wins the roll-off: 5 against 2."
    assert result("worst", 5, 2, 4) == "Bo loses the roll-off: 2 against 5 and 4."
    assert result("both", 5, 2) == "Ana wins the roll-off: 5 against 2."
    assert result("both", 5, 2, 4) == (
        "Ana wins the roll-off: 5 against 2 and 4. Bo loses the roll-off: 2 against 5 and 4."
    )
    assert result("both", 5, 2, 2) == (
        "Ana wins the roll-off: 5 against 2 and 2. Bo and Cy are level at 2 in the roll-off."
    )
    assert result("both", 4, 4) == "Ana and Bo are level at 4 in the roll-off."
