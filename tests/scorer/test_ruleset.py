"""Rulesets as data: what the files offer, and that a table's own data are checked before they are played."""

from __future__ import annotations

import copy
import json
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer.ruleset
from scorer.errors import InvalidRecord, SetupError
from scorer.events import Entry
from scorer.game import apply, expected, new_game
from scorer.record import Record, load, steps
from scorer.ruleset import available_rulesets, load_ruleset, ruleset_from_data, with_options
from tests.scorer.table import some_event

FILES = sorted((Path(scorer.ruleset.__file__).parent / "rulesets").glob("*.toml"))
DATA = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in FILES}


def changed(id: str, **places: Any) -> dict[str, Any]:
    """The data of a built-in ruleset with other values at `table__key`."""
    data = copy.deepcopy(DATA[id])
    for place, value in places.items():
        *tables, key = place.split("__")
        target = data
        for table in tables:
            target = target.setdefault(table, {})
        if value is None:
            del target[key]
        else:
            target[key] = value
    return data


def test_the_rulesets_in_the_order_in_which_they_are_offered() -> None:
    assert available_rulesets() == ("rulebook", "belgian", "marquoir", "livret", "points", "counter")


@pytest.mark.parametrize("id", sorted(DATA))
def test_names_and_texts_are_in_both_languages_and_the_text_is_one_sentence(id: str) -> None:
    ruleset = load_ruleset(id)
    for words in (ruleset.name, ruleset.about, *(option.name for option in ruleset.options.values())):
        assert set(words) == {"en", "fr"}
        assert all(words.values())
    for text in ruleset.about.values():
        assert text.endswith(".")
        assert text.count(".") == 1
    for option in ruleset.options.values():
        assert set(option.labels) == {value for value in option.values if isinstance(value, str)}


def test_options_are_chosen_or_at_their_default() -> None:
    ruleset = with_options(load_ruleset("livret"), {"bon": True})
    assert ruleset.chosen == {"opening": "highest", "plain_hands": "ace_high", "bon": True}
    assert with_options(ruleset, {}).chosen["bon"] is False
    assert with_options(ruleset, {"bon": True}) == ruleset != load_ruleset("livret")


def test_a_ruleset_from_data_plays_and_replays_from_its_record_anywhere() -> None:
    rules = changed("marquoir", chips__pot=5, discharge__limit="none", players=[2, 4])
    random = Random(5)
    state = new_game(ruleset_from_data("chez Bo", rules), ["A", "B"], {"end": "first_out", "chips": 7})
    assert state.pot == 7
    entries = []
    while (event := some_event(random, state, calm=1)) is not None:
        state = apply(state, event)
        entries.append(Entry(event))
    record = Record("chez Bo", ("A", "B"), tuple(entries), {"end": "first_out", "chips": 7}, rules)
    loaded = load(record.to_json().encode())
    assert loaded == record
    assert list(steps(loaded))[-1][1] == state


def test_a_built_in_ruleset_carries_no_rules() -> None:
    record = Record("marquoir", ("A", "B"), rules=DATA["marquoir"])
    with pytest.raises(InvalidRecord, match="beside the built-in ruleset"):
        load(record.to_json().encode())


@pytest.mark.parametrize("id", ["", "  ", "rulebook"])
def test_a_ruleset_from_data_needs_a_name_of_its_own(id: str) -> None:
    with pytest.raises(SetupError, match="name of its own"):
        ruleset_from_data(id, DATA["rulebook"])


@pytest.mark.parametrize(
    ("id", "places", "words"),
    [
        ("rulebook", {"colour": "green"}, "no ruleset has colour"),
        ("rulebook", {"charge__colour": "green"}, "no ruleset has charge.colour"),
        ("rulebook", {"name__en": None}, "name.en must be a text; it is missing"),
        (
            "rulebook",
            {"name__en": "Two\nlines"},
            "name.en must be a text on one line, without invisible signs",
        ),
        (
            "rulebook",
            {"about__fr": "\u202eexe.toml"},
            "about.fr must be a text on one line, without invisible",
        ),
        ("rulebook", {"players": [0, 3]}, "players must be"),
        ("rulebook", {"players": [2, 11]}, "players must be"),
        ("rulebook", {"players": [2.0, 3]}, "players must be"),
        ("rulebook", {"chips__pot": 0}, "chips.pot must be a whole number from 1"),
        ("rulebook", {"chips__each": True}, "chips.each must be"),
        ("rulebook", {"charge": None}, "either charge and discharge, or rounds, or count"),
        ("rulebook", {"rounds": {}}, "either charge and discharge, or rounds, or count"),
        ("rulebook", {"charge__throws": 0}, "charge.throws must be"),
        ("rulebook", {"charge__limit": "some"}, "charge.limit must be one of none, leader, exact"),
        ("rulebook", {"charge__settle": "pay_pot"}, "charge.settle must be one of take_from_pot"),
        (
            "rulebook",
            {"charge__ties": ["best"]},
            "charge.ties must be all the ends that settle and next ask for: worst",
        ),
        ("rulebook", {"charge__ties": []}, "charge.ties must be a list"),
        ("rulebook", {"discharge__next": "worst"}, "discharge.ties must be all the ends"),
        ("rulebook", {"discharge__to_worst_under": "412"}, "must be a hand like 421"),
        ("rulebook", {"opening__dice": 2}, "opening.dice must be 1 or 3"),
        ("rulebook", {"opening__dice": 1}, "opening.by must be total where one die is thrown"),
        ("rulebook", {"rolloff__dice": "3"}, "rolloff.dice must be"),
        ("rulebook", {"ends": ["most_points"]}, "ends must be a list of empty_hand_wins"),
        ("rulebook", {"hands": []}, "hands must be blocks of equal value"),
        (
            "rulebook",
            {"hands": [{"value": 1, "hands": "421 421"}]},
            "each of the 56 once; '421' is there twice",
        ),
        ("rulebook", {"hands": [{"value": 1, "hands": "421"}]}, "all 56 hands; 666 665 664"),
        ("rulebook", {"hands": [{"value": 1, "hands": "124"}]}, "'124' is no hand (it is written 421)"),
        ("rulebook", {"hands": [{"value": -1, "hands": "421"}]}, "value must be a whole number"),
        ("rulebook", {"hands": "421"}, "blocks of equal value"),
        ("belgian", {"penalty__reasons": ["cough"]}, "penalty.reasons must be a list of touch, off_table"),
        ("belgian", {"double__worst": "122"}, "double.worst must be a hand"),
        ("livret", {"nenette__hand": None}, "nenette.hand must be a hand"),
        ("livret", {"options__bon__default": 1}, "options.bon.default must be false or true"),
        ("livret", {"options__bon__values": [1.5]}, "options.bon.values must be"),
        ("marquoir", {"options__chips__sets": "hands"}, "hands must be blocks"),
        ("marquoir", {"options__chips__sets": "players.x"}, "players.x must be a key, or a key of a table"),
        ("counter", {"options__start__range": [1]}, "options.start.range must be the least and the most"),
        ("points", {"rounds__count": 0}, "rounds.count must be"),
    ],
)
def test_house_rules_are_checked(id: str, places: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError) as error:
        ruleset_from_data("house", changed(id, **places))
    assert words in str(error.value)


paths = {
    id: [(key,) for key in data]
    + [(key, inner) for key, value in data.items() if isinstance(value, dict) for inner in value]
    for id, data in DATA.items()
}
words = ["", "421", "221", "worst", "best", "first_leader", "holders", "all", "exact"]
ties = [["best"], ["worst"], ["best", "worst"]]
ends = [["all_chips_lose"], ["last_holder"], ["empty_hand_wins"]]
values: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, 1, 2, 3, 7, -1, 1.5, {}, [], *words, *ties, *ends]
)


@given(st.sampled_from(sorted(DATA)), st.integers(0, 2**32), st.data())
@settings(max_examples=300, deadline=None)
def test_house_rules_are_refused_or_can_be_played(id: str, seed: int, data: st.DataObject) -> None:
    rules = copy.deepcopy(DATA[id])
    for _ in range(data.draw(st.integers(1, 3))):
        *tables, key = data.draw(st.sampled_from(paths[id]))
        target = rules
        for table in tables:
            target = target[table]
        if not isinstance(target, dict):
            continue
        value = data.draw(values)
        if value is None:
            target.pop(key, None)
        else:
            target[key] = value
        if not all(
            isinstance(rules.get(table), dict) for table in DATA[id] if isinstance(DATA[id][table], dict)
        ):
            break
    try:
        ruleset = ruleset_from_data("house", rules)
    except SetupError as error:
        assert str(error)
        return
    random = Random(seed)
    state = new_game(ruleset, [f"P{seat}" for seat in range(ruleset.max_players)], {})
    for _ in range(120):
        event = some_event(random, state, calm=0.95)
        if event is None:
            break
        before, state = state, apply(state, event)
        assert min(state.chips) >= 0
        assert (state.pot or 0) >= 0
        outside = sum(
            move.chips * ((move.giver == "outside") - (move.taker == "outside")) for move in state.moves
        )
        assert sum(state.chips) + (state.pot or 0) == sum(before.chips) + (before.pot or 0) + outside
        assert (expected(state) is None) == (state.over or ruleset.score_pad)
        assert state.over == (state.ending is not None)


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), st.lists, max_leaves=4))
@settings(max_examples=50, deadline=None)
def test_rules_that_are_none_are_refused(value: object) -> None:
    record = {"format": "421-record", "version": 1, "ruleset": "mine", "players": ["A", "B"], "events": []}
    for rules in (value, {"players": value}, {"options": value}, {"options": {"a": value}}):
        with pytest.raises(InvalidRecord):
            load(json.dumps(record | {"rules": rules}).encode())
