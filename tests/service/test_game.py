"""A whole game over the API; what is taken away replays to what was shown."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from scorer.record import load, state_row, steps
from scorer.service.cli.main import main
from scorer.service.store import Store
from scorer.service.table import Table

from .conftest import Client, roll_of


def play_to_the_end(client: Client, chance: random.Random, most: int = 2000) -> int:
    """Play with chance dice, standing, keeping and taking back by chance too; how many throws stand."""
    throws = 0
    for _ in range(most):
        game = client.game
        if game["over"]:
            return throws
        asked = game["expected"]
        stamp = {"seq": game["seq"], "player": asked["player"]}
        if asked["can_stand"] and chance.random() < 0.4:
            assert client.post("/api/stand", **stamp).status_code == 200
            continue
        kept = chance.sample(asked["hand"], chance.randint(0, 2)) if asked["may_keep"] else []
        dice = [chance.randint(1, 6) for _ in range(asked["dice"] - len(kept))]
        roll = None
        if chance.random() < 0.5:
            client.table.roll_seen(roll_of(*kept, *dice))
            roll = client.view["roll"]["id"]
        answer = client.post("/api/throw", **stamp, dice=dice, kept=kept, roll=roll)
        assert answer.status_code == 200, answer.text
        throws += 1
        if chance.random() < 0.05 and not answer.json()["game"]["over"]:
            assert client.post("/api/undo", seq=answer.json()["game"]["seq"]).status_code == 200
            throws -= 1
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_and_its_record(client: Client, tmp_path: Path, seed: int) -> None:
    client.start(("Ana", "Bö", 'C, "y"'))
    throws = play_to_the_end(client, random.Random(seed))
    game = client.game
    assert len(game["winners"]) == 1
    assert game["expected"] is None
    assert sum(player["chips"] for player in game["players"]) + game["pot"] == 20

    answer = client.get(f"/api/games/{game['id']}/record")
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="421-rulebook-') and disposition.endswith('.json"')
    file = tmp_path / "game.json"
    file.write_bytes(answer.content)
    *_, (seq, state) = steps(load(file))
    row = state_row(seq, state)
    assert row["chips"] == {player["name"]: player["chips"] for player in game["players"]}
    assert row["winners"] == game["winners"] == answer.json()["result"]["winners"]
    assert main(["replay", str(file)]) == 0
    assert {event["source"] for event in answer.json()["events"]} == {"camera", "tablet"}

    answer = client.get(f"/api/games/{game['id']}/csv")
    assert answer.headers["content-disposition"].endswith('.csv"')
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert len(rows) == throws


def test_a_restart_anywhere_changes_nothing(store: Store) -> None:
    chance = random.Random(3)
    client = Client(Table(store))
    client.start()
    for _ in range(40):
        asked = client.game["expected"]
        kept = asked["hand"][:1] if asked["may_keep"] else []
        game = client.throw([chance.randint(1, 6) for _ in range(asked["dice"] - len(kept))], kept)
        if chance.random() < 0.2:
            game = client.post("/api/undo", seq=game["seq"]).json()["game"]
        again = Client(Table(store))
        assert again.game == game
        again.close()
    client.close()


def test_the_newest_game_is_shown_after_a_restart_also_when_it_is_over(store: Store) -> None:
    client = Client(Table(store))
    client.start()
    client.post("/api/abandon", seq=0)
    client.close()
    again = Client(Table(store))
    assert again.game["over"]
    assert again.post("/api/undo", seq=1).json()["game"]["expected"]["player"] == "Ana"
    again.close()


def test_a_log_that_does_not_hold_stops_neither_service_nor_list(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(Table(store))
    game = client.start()
    client.throw([6, 5, 2])
    client.close()
    with store._engine.begin() as db:
        db.exec_driver_sql("""UPDATE events SET payload = '{"type": "stand", "player": "Ana"}'""")
    again = Client(Table(store))
    assert "cannot be gone on with: entry 1" in caplog.text
    assert again.view["game"] is None
    assert [kept["id"] for kept in again.get("/api/games").json()] == [game["id"]]
    answer = again.get(f"/api/games/{game['id']}/record")
    assert (answer.status_code, answer.json()["error"]) == (503, "storage")
    assert again.start()["seq"] == 0
    again.close()
