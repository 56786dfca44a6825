"""The JSON record: what is read, what is refused and where the fault lies, what survives load and save."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.errors import InvalidRecord
from scorer.events import Entry, Leave, Throw
from scorer.game import new_game
from scorer.record import MOST_BYTES, Record, event_from_json, load, state_row, steps
from scorer.ruleset import ruleset_from_data
from scorer.service.cli.main import main
from scorer.shapes import is_time
from scorer.simulate import STRATEGIES, random_events
from tests.scorer.table import SETUPS, some_game
from tests.scorer.test_ruleset import changed

THROW = {"type": "throw", "player": "Ana", "dice": [6, 5, 2]}


def head(**changes: Any) -> dict[str, Any]:
    """A record of rulebook before its first event, with these fields changed; None takes a field out."""
    fields = {
        "format": "421-record",
        "version": 1,
        "ruleset": "rulebook",
        "options": {},
        "players": ["Ana", "Bo", "Cy"],
        "events": [],
    }
    return {key: value for key, value in (fields | changes).items() if value is not None}


def read(record: object) -> Record:
    return load(json.dumps(record).encode())


def fault(source: object) -> InvalidRecord:
    """The first fault of the record, in its header, an event or its result."""
    data = source if isinstance(source, bytes) else json.dumps(source).encode()
    with pytest.raises(InvalidRecord) as error:
        for _ in steps(load(data, partial=True)):
            pass
    return error.value


def test_a_record_may_stop_before_the_first_event() -> None:
    record = read(head())
    assert record.entries == ()
    assert list(steps(record)) == []


def test_options_may_be_left_out() -> None:
    assert read(head(options=None)).options == {}


@pytest.mark.parametrize("field", ["format", "version", "ruleset", "players", "events"])
def test_the_other_fields_of_the_header_may_not(field: str) -> None:
    error = fault(head(**{field: None}))
    assert error.where == ""
    assert f"{field} is missing" in error.reason


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "422-record"),
        ("format", 421),
        ("version", 2),
        ("version", 1.0),
        ("version", True),
        ("version", "1"),
        ("ruleset", "zanzi"),
        ("ruleset", ["rulebook"]),
        ("ruleset", "../rulesets/rulebook"),
        ("ruleset", "Rulebook"),
        ("ruleset", ""),
        ("options", []),
        ("options", {"bon": True}),
        ("players", "Ana"),
        ("players", {"Ana": 1}),
        ("players", ["Ana", "Bo", 3]),
        ("players", ["Ana", "Bo"]),
        ("players", ["Ana", "Bo", "ANA "]),
        ("players", ["Ana", "Bo", "\t"]),
        ("players", ["Ana", "Bo", "POT"]),
        ("events", {}),
        ("events", "none"),
        ("id", 5),
        ("table", ["bar"]),
        ("started_at", "yesterday"),
        ("started_at", 20260301),
        ("rules", {}),
        ("rules", []),
        ("comment", "hello"),
        ("Options", {}),
    ],
)
def test_a_fault_of_the_header(field: str, value: object) -> None:
    assert fault(head(**{field: value})).where == ""


def test_a_fault_of_the_header_comes_before_those_of_events() -> None:
    assert fault(head(version=2, events=[5])).where == ""
    assert fault(head(players=["Ana", "Bo"], events=[5])).where == ""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  \n",
        b"{",
        b"[]",
        b"null",
        b'"421-record"',
        b"\xef\xbb\xbf" + json.dumps(head()).encode(),
        json.dumps(head()).encode("utf-16"),
        json.dumps(head(_x="\xe9"), ensure_ascii=False).encode("latin-1"),
        json.dumps(head(_x=float("nan"))).encode(),
        json.dumps(head(_x=[float("-inf")])).encode(),
        json.dumps(head()).encode() + b"{}",
        json.dumps(head()).replace('"version": 1', '"version": 1, "version": 1').encode(),
        json.dumps(head()).replace('"version": 1', '"version": 1, "_x": [{"a": 1, "\\u0061": 2}]').encode(),
        json.dumps(head()).replace("1,", "01,").encode(),
        json.dumps(head()).replace("}", ",}").encode(),
        json.dumps(head()).replace('"', "'").encode(),
        json.dumps(head(_x="?")).replace("?", "\t").encode(),
        b"[" * 100_000,
        json.dumps(head(_x="?")).replace('"?"', "9" * 5000).encode(),
    ],
    ids=range(20),
)
def test_what_is_not_strict_json_is_no_record(data: bytes) -> None:
    assert fault(data).where == ""


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (5, "an event is an object"),
        (None, "an event is an object"),
        ({}, "type is missing"),
        ({"type": "roll", "player": "Ana"}, "there is no event of type"),
        ({"type": ["throw"]}, "there is no event of type"),
        ({"type": "throw", "player": "Ana"}, "dice is missing"),
        ({"type": "throw", "dice": [1, 2, 3]}, "player is missing"),
        (THROW | {"player": "ana"}, "nobody here is called"),
        (THROW | {"player": 1}, "player must be"),
        (THROW | {"dice": "652"}, "dice must be"),
        (THROW | {"dice": []}, "dice must be"),
        (THROW | {"dice": [6, 5, 0]}, "dice must be"),
        (THROW | {"dice": [6, 5, 7]}, "dice must be"),
        (THROW | {"dice": [6, 5, 2.0]}, "dice must be"),
        (THROW | {"dice": [6, 5, True]}, "dice must be"),
        (THROW | {"dice": [6, 5, "2"]}, "dice must be"),
        (THROW | {"dice": [6, 5]}, "must be 3"),
        (THROW | {"dice": [6, 5, 2, 1]}, "must be 3"),
        (THROW | {"kept": [1]}, "nothing is kept"),
        (THROW | {"kept": None}, "kept must be"),
        (THROW | {"kept": [1.0]}, "kept must be"),
        (THROW | {"note": "hello"}, "has no field"),
        (THROW | {"reason": "touch"}, "has no field"),
        (THROW | {"at": "20:15"}, "at must be"),
        (THROW | {"at": "2026-03-01T20:15:00"}, "at must be"),
        (THROW | {"at": None}, "at must be"),
        (THROW | {"source": "phone"}, "source must be"),
        (THROW | {"source": ["camera"]}, "source must be"),
        (THROW | {"confidence": 1.01}, "confidence must be"),
        (THROW | {"confidence": -0.1}, "confidence must be"),
        (THROW | {"confidence": True}, "confidence must be"),
        (THROW | {"confidence": "1"}, "confidence must be"),
        (THROW | {"image": 7}, "image must be"),
        ({"type": "stand", "player": "Ana"}, "cannot stand"),
        ({"type": "stand", "player": "Ana", "dice": [1]}, "has no field"),
        ({"type": "abandon", "player": "Ana"}, "has no field"),
        ({"type": "leave"}, "player is missing"),
        ({"type": "penalty", "player": "Ana"}, "reason is missing"),
        ({"type": "penalty", "player": "Ana", "reason": "cough"}, "reason must be"),
        ({"type": "penalty", "player": "Ana", "reason": "touch"}, "has no penalty"),
        ({"type": "adjust", "player": "Ana", "chips": 0}, "chips must be"),
        ({"type": "adjust", "player": "Ana", "chips": 100}, "chips must be"),
        ({"type": "adjust", "player": "Ana", "chips": -1.0}, "chips must be"),
        ({"type": "adjust", "player": "Ana", "chips": True}, "chips must be"),
        ({"type": "adjust", "player": "Ana", "chips": -1}, "only on the score pad"),
        (THROW | {"at": [[[]]] * 40}, "at must be"),
    ],
)
def test_a_fault_of_an_event(event: object, words: str) -> None:
    before = [{"type": "throw", "player": player, "dice": [1, 2, 3]} for player in ("Bo", "Cy")]
    error = fault(head(players=["Bo", "Cy", "Ana"], events=[*before, event]))
    assert error.where == "event 3"
    assert words in error.reason


def test_a_fault_of_shape_is_not_seen_before_the_rules_of_earlier_events() -> None:
    assert fault(head(events=[THROW, THROW, 5])).where == "event 2"
    with pytest.raises(InvalidRecord, match="event 3: invalid event: an event is an object"):
        read(head(events=[THROW, THROW, 5]))


@pytest.mark.parametrize(
    "result",
    [
        {"winners": ["Ana"], "losers": []},
        {"winners": [], "losers": ["Bo"]},
        {"winners": []},
        {"winners": [], "losers": [], "_x": 1},
        {"winners": None, "losers": None},
        [],
        None,
        "nobody",
    ],
)
def test_the_result_is_checked(result: object) -> None:
    record = head(events=[THROW])
    record["result"] = result
    error = fault(record)
    assert error.where == "result"
    assert 'the game gives {"winners": [], "losers": []}' in error.reason


def test_a_right_result_is_none() -> None:
    record = read(head(events=[THROW], result={"losers": [], "winners": []}))
    assert len(list(steps(record))) == 1


@pytest.mark.parametrize("place", ["at", "_x"])
def test_deep_nesting_never_crashes(place: str) -> None:
    for depth in range(850, 1010, 3):
        text = json.dumps(head(events=[THROW | {place: "?"}], result={"winners": [], "losers": []}))
        replay(text.replace('"?"', "[" * depth + "]" * depth).encode())
        text = json.dumps(head(result="?"))
        assert replay(text.replace('"?"', "[" * depth + "]" * depth).encode()) in ("header", "result")


def test_a_result_in_another_order_is_a_fault() -> None:
    names = ["Ana", "Bo"]
    events: list[dict[str, Any]] = [
        {"type": "throw", "player": "Ana", "dice": [6, 6, 6]},
        {"type": "throw", "player": "Bo", "dice": [1, 1, 1]},
    ]
    for number in range(10):
        for player, dice in zip(
            names, [[6, 6, 6], [5, 5, 5]] if number % 2 else [[1, 2, 2], [6, 6, 6]], strict=True
        ):
            events += [{"type": "throw", "player": player, "dice": dice}, {"type": "stand", "player": player}]
    record = head(ruleset="points", players=names, events=events, result={"winners": names, "losers": []})
    assert len(list(steps(read(record)))) == 42
    record["result"] = {"winners": names[::-1], "losers": []}
    assert fault(record).where == "result"


def test_what_is_known_of_an_event_survives() -> None:
    event = THROW | {
        "at": "2026-03-01T20:15:00.25+01:00",
        "source": "camera",
        "confidence": 0.5,
        "image": "7.jpg",
    }
    record = read(
        head(events=[event | {"_seen": [1.5, None, {"a": "é"}]}], id="g1", table="bar", _v={"x": []})
    )
    entry = record.entries[0]
    assert entry.event == Throw("Ana", (6, 5, 2))
    assert (entry.at, entry.source, entry.confidence) == ("2026-03-01T20:15:00.25+01:00", "camera", 0.5)
    again = json.loads(record.to_json())
    assert again["events"] == [event | {"_seen": [1.5, None, {"a": "é"}]}]
    assert (again["id"], again["table"], again["_v"]) == ("g1", "bar", {"x": []})
    assert load(record.to_json().encode()) == record


def test_numbers_that_no_float_holds_and_half_surrogates_survive() -> None:
    text = json.dumps(head(_x="?")).replace('"?"', '[1e999, -1e999, {"\\ud83c": "\\udf7a", "Infinity": 1}]')
    record = load(text.encode())
    again = load(record.to_json().encode())
    assert again == record
    assert again.extra["_x"][0] == float("inf")


def test_names_are_matched_exactly_and_kept_as_they_are() -> None:
    record = read(head(players=[" Zoë ", "Bo", "Cy"], events=[THROW | {"player": " Zoë "}]))
    assert record.players[0] == " Zoë "
    assert fault(head(players=[" Zoë ", "Bo", "Cy"], events=[THROW | {"player": "Zoë"}])).where == "event 1"


def test_a_file_is_read_and_one_that_cannot_be_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(read(head(events=[THROW])).to_json(), encoding="utf-8")
    assert load(path) == load(str(path)) == read(head(events=[THROW]))
    for bad in (tmp_path, tmp_path / "none.json", "nul\0"):
        with pytest.raises(InvalidRecord, match="cannot be read"):
            load(bad)


def test_an_event_alone() -> None:
    assert event_from_json({"type": "leave", "player": "Bo"}, ["Bo"]) == Leave("Bo")
    with pytest.raises(InvalidRecord):
        event_from_json({"type": "leave", "player": "Bo"}, ["Cy"])


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2026-03-01T20:15:00Z", True),
        ("2026-03-01t20:15:00.123456789z", True),
        ("2024-02-29T00:00:00-23:59", True),
        ("2000-02-29T00:00:00+00:00", True),
        ("0000-01-01T00:00:00Z", True),
        ("2016-12-31T23:59:60Z", True),
        ("1990-12-31T15:59:60-08:00", True),
        ("2026-03-01T20:15:60Z", False),
        ("2026-02-29T00:00:00Z", False),
        ("1900-02-29T00:00:00Z", False),
        ("2026-04-31T00:00:00Z", False),
        ("2026-00-01T00:00:00Z", False),
        ("2026-13-01T00:00:00Z", False),
        ("2026-03-01T24:00:00Z", False),
        ("2026-03-01T20:60:00Z", False),
        ("2026-03-01T20:15:00", False),
        ("2026-03-01T20:15Z", False),
        ("2026-03-01 20:15:00Z", False),
        ("2026-03-01T20:15:00.Z", False),
        ("2026-03-01T20:15:00+0100", False),
        ("2026-03-01T20:15:00+24:00", False),
        ("2026-03-01T20:15:00Z\n", False),
        ("٢٠٢٦-03-01T20:15:00Z", False),
        ("", False),
    ],
)
def test_times_are_rfc_3339(text: str, good: bool) -> None:
    assert is_time(text) == good


# Whatever is broken, the answer is a fault, never a crash.

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def saved_game(seed: int) -> bytes:
    random = Random(seed)
    ruleset, options = random.choice(SETUPS)
    names, events, _ = some_game(random, ruleset, options, most_events=25)
    return Record(ruleset, tuple(names), tuple(map(Entry, events)), options).to_json().encode()


def replay(data: bytes) -> str:
    """How far the record holds: the place of its first fault, or `holds`."""
    try:
        for _ in steps(load(data, partial=True)):
            pass
    except InvalidRecord as error:
        assert str(error)
        return error.where or "header"
    return "holds"


@given(st.integers(0, 10_000), st.data())
@settings(max_examples=150, deadline=None)
def test_a_truncated_record_is_none(seed: int, data: st.DataObject) -> None:
    saved = saved_game(seed)
    assert replay(saved) == "holds"
    cut = data.draw(st.integers(0, len(saved.rstrip()) - 1))
    assert replay(saved[:cut]) == "header"


@given(st.integers(0, 10_000), st.data())
@settings(max_examples=200, deadline=None)
def test_a_broken_record_never_crashes(seed: int, data: st.DataObject) -> None:
    saved = bytearray(saved_game(seed))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(saved) - 1))
        saved[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    replay(bytes(saved))


@given(st.integers(0, 10_000), st.data(), json_values)
@settings(max_examples=200, deadline=None)
def test_a_field_of_another_value_never_crashes(seed: int, data: st.DataObject, value: object) -> None:
    record = json.loads(saved_game(seed))
    where = data.draw(st.sampled_from([record, *record["events"]]))
    where[data.draw(st.sampled_from([*where, "at", "result", "rules", "kept", "_x"]))] = value
    replay(json.dumps(record).encode())


@given(json_values)
@settings(max_examples=100, deadline=None)
def test_any_json_is_a_fault_or_a_record(value: object) -> None:
    assert replay(json.dumps(value).encode()) == "header"


# The canonical form: what is saved is read and saved again byte for byte.


@given(
    st.integers(0, 10_000),
    st.dictionaries(st.text(max_size=3).map(lambda key: f"_{key}"), json_values, max_size=2),
)
@settings(max_examples=100, deadline=None)
def test_a_canonical_file_is_saved_again_byte_for_byte(seed: int, own: dict[str, Any]) -> None:
    plain = load(saved_game(seed))
    entries = tuple(
        Entry(
            entry.event, at="2026-03-01T20:15:00Z", source="camera", confidence=0.5, image="a.jpg", extra=own
        )
        for entry in plain.entries
    )
    record = Record(
        plain.ruleset,
        plain.players,
        entries,
        plain.options,
        None,
        "g1",
        "bar",
        "2026-03-01T20:15:00Z",
        extra=own,
    )
    text = record.to_json()
    assert load(text.encode()).to_json() == text
    assert load(text.replace("\n  ", "\n\t ").replace('{"type"', '{ "type"').encode()).to_json() == text


def test_the_canonical_form_is_this() -> None:
    record = read(
        head(events=[THROW | {"kept": [], "at": "2026-03-01T20:15:00Z"}], options=None, _v=1, id="g")
    )
    assert record.to_json() == (
        "{\n"
        '  "format": "421-record",\n'
        '  "version": 1,\n'
        '  "id": "g",\n'
        '  "ruleset": "rulebook",\n'
        '  "options": {},\n'
        '  "players": ["Ana", "Bo", "Cy"],\n'
        '  "events": [\n'
        '    {"type": "throw", "player": "Ana", "dice": [6, 5, 2], "at": "2026-03-01T20:15:00Z"}\n'
        "  ],\n"
        '  "_v": 1\n'
        "}\n"
    )


def test_fields_of_ones_own_nested_too_deep_to_be_written_are_a_fault() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(InvalidRecord, match="nested too deep"):
        Record("rulebook", ("Ana", "Bo", "Cy"), extra={"_x": nested}).to_json()


# Long, large and odd files.


def long_game() -> tuple[bytes, int]:
    """A record of more than 5,000 events, by points of 700 rounds."""
    ruleset = ruleset_from_data("long", changed("points", rounds__count=700))
    start = new_game(ruleset, ["Ana", "Bo", "Cy"], {})
    events = [event for event, _ in random_events(start, Random(1), STRATEGIES["random"](ruleset))]
    entries = tuple(Entry(event, at="2026-03-01T20:15:00Z") for event in events)
    return Record("long", start.names, entries, {}, ruleset.data).to_json().encode(), len(events)


def test_a_record_of_5000_events_cut_or_fuzzed_anywhere_is_an_error_or_the_same_game() -> None:
    data, count = long_game()
    assert count >= 5000
    whole = [state_row(seq, state) for seq, state in steps(load(data))]
    assert len(whole) == count
    random = Random(4)
    for _ in range(12):
        assert replay(data[: random.randrange(len(data) - 1)]) == "header"
    for _ in range(12):
        broken = bytearray(data)
        for _ in range(random.randint(1, 3)):
            broken[random.randrange(len(broken))] = random.randrange(256)
        replay(bytes(broken))


def test_a_file_of_100_mb_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)  # sparse: it takes no room
    with pytest.raises(InvalidRecord, match="larger than 64 MiB, which no record of a game is"):
        load(path)
    with path.open("wb") as file:
        file.truncate(MOST_BYTES)
    with pytest.raises(InvalidRecord, match="not JSON"):
        load(path)


@pytest.mark.parametrize("name", ["A\nna", "A\u202ena", "\u200fAna", "A\tna", "A\u0000na"])
def test_odd_names_are_played_with_and_shown_on_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = head(players=[name, "Bo", "Cy"], events=[THROW | {"player": name}, THROW | {"player": name}])
    error = fault(record)
    assert error.where == "event 2"
    assert error.reason.isprintable()
    good = read(head(players=[name, "Bo", "Cy"], events=[THROW | {"player": name}]))
    path = tmp_path / "game.json"
    path.write_text(good.to_json(), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": [f"P{seat}" for seat in range(11)]}, "rulebook is played by 3 to 10 players, not by 11"),
        ({"players": ["Ana", "ANA", "Cy"]}, "two players are called 'ANA'"),
        ({"players": ["Ana", True, "Cy"]}, 'players must be a list of names, not ["Ana", true, "Cy"]'),
        ({"players": ["Ana", "pot\n", "Cy"]}, "nobody can be called 'pot\\n'"),
        ({"version": True}, "version must be 1, not true"),
        ({"ruleset": "comptoir"}, "a house ruleset is carried whole, as the record's rules"),
        ({"ruleset": "a\nb"}, "there is no ruleset 'a\\nb'"),
    ],
)
def test_faults_of_the_header_are_said_clearly(changes: dict[str, Any], words: str) -> None:
    error = fault(head(**changes))
    assert words in error.reason
    assert error.reason.isprintable()


def test_nan_and_keys_given_twice_are_said_clearly() -> None:
    assert fault(json.dumps(head(_x=float("nan"))).encode()).reason == "NaN is not JSON"
    twice = json.dumps(head()).replace('"version": 1', '"version": 1, "version": 1').encode()
    assert fault(twice).reason == 'the key "version" is given twice in one object'
