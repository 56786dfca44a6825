"""Any commands in any order: what stands is what the log says, whenever the store is opened again."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.events import Event, Leave, Penalty
from scorer.game import apply, can, expected
from scorer.record import event_to_json, load, steps
from scorer.rulefile import EXAMPLES
from scorer.service.export import record_download
from scorer.service.play import Play
from scorer.service.problems import Refused
from scorer.service.revise import Wanted
from scorer.service.store import sqlite_store
from scorer.service.table import Table
from scorer.simulate import STRATEGIES, random_events
from scorer.state import State

from .conftest import roll_of

COMPTOIR = (EXAMPLES / "comptoir.toml").read_text(encoding="utf-8")
RULESETS = ["rulebook", "belgian", "marquoir", "livret", "points", "counter", "comptoir"]
OFTEN = ["event"] * 8 + ["undo"] * 2 + ["undo undo redo"] * 3
COMMANDS = [*OFTEN, "redo", "change", "change", "insert", "delete", "roll", "reopen"]


def some_event(state: State, chance: Random) -> Event | None:
    """An event that is legal now, None where the game is over."""
    if state.over:
        return None
    name = chance.choice(state.names)
    rare: list[Event] = [Leave(name), Penalty(name, "touch"), Penalty(name, "off_table")]
    odd = [event for event in rare if can(state, event)]
    if odd and chance.random() < 0.1:
        return chance.choice(odd)
    return next(iter(random_events(state, chance, STRATEGIES["random"](state.ruleset))))[0]


def enter(table: Table, event: Event, stamp: dict[str, Any]) -> None:
    row = event_to_json(event)
    match row.pop("type"):
        case "throw":
            roll = table.view()["roll"]
            table.throw(row["player"], row["dice"], row.get("kept", []), roll and roll["id"], **stamp)
        case kind:
            getattr(table, kind)(*row.values(), **stamp)


def correct(table: Table, play: Play, kind: Any, chance: Random, stamp: dict[str, Any]) -> None:
    """A correction of any event, which may break later ones: then it is looked at, and made or left."""
    count = len(play.entries)
    number = chance.randint(1, max(count, 1))
    event = some_event(play.history.states[min(number - 1, count)], chance)
    wanted = Wanted(kind, number, None if kind == "delete" or event is None else event_to_json(event))
    before = table.view()
    try:
        told = table.preview(wanted, **stamp)
    except Refused as refused:  # there is no such event, or it cannot stand there
        assert refused.error in ("invalid", "illegal")
        with pytest.raises(Refused):
            table.correct(wanted, truncate=True, **stamp)
        assert table.view() == before
        return
    assert table.view() == before
    if told["broken"] is not None:
        with pytest.raises(Refused) as asked:
            table.correct(wanted, **stamp)
        assert (asked.value.error, asked.value.more["preview"]) == ("broken", told)
        assert table.view() == before
        if chance.random() < 0.5:
            return
    game = table.correct(wanted, truncate=told["broken"] is not None, **stamp)["game"]
    assert game["over"] == told["over"]
    lost = 0 if told["broken"] is None else told["broken"]["lost"]
    more = {"change": 0, "insert": 1, "delete": -1}[kind]
    assert len(table.history(game["id"])["events"]) == count + more - lost


@contextmanager
def another(folder: Path) -> Iterator[Table]:
    """A table over the files as they are now, of which a copy is made."""
    with tempfile.TemporaryDirectory(prefix="piste-test-") as copy:
        store = sqlite_store(Path(shutil.copytree(folder, copy, dirs_exist_ok=True)))
        try:
            yield Table(store)
        finally:
            store.close()


def as_it_was(view: dict[str, Any]) -> Any:
    """What of a view outlives a restart: all of the game but for pictures."""
    game = view["game"]
    return {**game, "throws": [{**each, "roll": None} for each in game["throws"]]}


@settings(max_examples=20, deadline=None)
@given(
    ruleset=st.sampled_from(RULESETS),
    commands=st.lists(st.sampled_from(COMMANDS), min_size=30, max_size=45),
    chance=st.randoms(use_true_random=False),
)
def test_a_store_opened_again_shows_the_same(ruleset: str, commands: list[str], chance: Random) -> None:
    folder = Path(tempfile.mkdtemp(prefix="piste-test-"))
    store = sqlite_store(folder)
    try:
        table = Table(store)
        table.add_ruleset("comptoir.toml", COMPTOIR)
        table.start(["Ana", "Bo", "Cy"], ruleset, {})
        for command in commands:
            game = table.view()["game"]
            stamp = {"seq": game["seq"], "game": game["id"]}
            play = Play.replay(store.games()[0], store.log(game["id"]))
            if command == "roll":
                asked = expected(play.state)
                table.roll_seen(roll_of(*(chance.randint(1, 6) for _ in range(asked.dice if asked else 3))))
            elif "do" in command:
                for step in command.split():
                    now = table.view()["game"]
                    if now[f"can_{step}"]:
                        getattr(table, step)(**stamp | {"seq": now["seq"]})
            elif command == "event":
                event = some_event(play.state, chance)
                if event is not None:
                    enter(table, event, stamp)
            elif command != "reopen":
                correct(table, play, command, chance, stamp)

            # What stands, replayed, is what is shown; and all of it comes out of the store again.
            view, id = table.view(), game["id"]
            log = store.log(id)
            assert [row.seq for row in log] == list(range(1, view["game"]["seq"] + 1))
            play = Play.replay(store.games()[0], log)
            state = play.history.states[0]
            for entry in play.entries:
                state = apply(state, entry.event)
            assert state == play.state
            past = table.history(id)
            assert len(past["events"]) == len(play.entries)
            if command == "reopen":
                store.close()
                store = sqlite_store(folder)
                table = Table(store)
                assert as_it_was(table.view()) == as_it_was(view)
            elif command != "roll":
                with another(folder) as again:
                    assert as_it_was(again.view()) == as_it_was(view)
                    unseen = [{**event, "roll": None} for event in past["events"]]
                    assert again.history(id) == {**past, "events": unseen}
        record = load(record_download(store, id)[1].encode())
        assert [state for _, state in steps(record)] == list(play.history.states[1:])
    finally:
        store.close()
        shutil.rmtree(folder)
