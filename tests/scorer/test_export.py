"""The record as a spreadsheet: one row a throw."""

from __future__ import annotations

import csv
from io import StringIO
from random import Random

import pytest

from scorer.errors import InvalidRecord
from scorer.events import Abandon, Entry, Leave, Stand, Throw
from scorer.export import COLUMNS, harmless, to_csv
from scorer.record import Record
from tests.scorer.table import SETUPS, some_game


def rows(record: Record) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(to_csv(record), newline="")))


def test_one_row_a_throw_with_what_is_known_of_it() -> None:
    entries = (
        Entry(
            Throw('An, "a"', (4,)),
            at="2026-03-01T20:15:00Z",
            source="camera",
            confidence=0.98,
            image="r1.jpg",
        ),
        Entry(Throw("Bo", (4,))),
        Entry(Throw('An, "a"', (3,))),
        Entry(Throw("Bo", (6,))),
        Entry(Throw("Bo", (1, 4, 5))),
        Entry(Throw("Bo", (2,), kept=(1, 4)), source="tablet"),
        Entry(Stand("Bo")),
        Entry(Abandon()),
    )
    table = rows(Record("marquoir", ('An, "a"', "Bo"), entries))
    assert len(table) == 6
    assert table[0] == {
        "seq": "1", "at": "2026-03-01T20:15:00Z", "phase": "opening", "round": "0", "rolloff": "",
        "player": "An, \"a\"", "throw": "1", "kept": "", "dice": "4", "hand": "4", "source": "camera",
        "confidence": "0.98", "image": "r1.jpg",
    }  # fmt: skip
    assert [row["rolloff"] for row in table] == ["", "", "opening", "opening", "", ""]
    last = table[-1]
    assert (last["phase"], last["round"], last["throw"]) == ("charge", "1", "2")
    assert (last["kept"], last["dice"], last["hand"], last["source"]) == ("41", "2", "421", "tablet")


@pytest.mark.parametrize(("ruleset", "options"), SETUPS)
def test_every_throw_of_a_game_is_there(ruleset: str, options: dict[str, object]) -> None:
    names, events, _ = some_game(Random(7), ruleset, options)
    table = rows(Record(ruleset, tuple(names), tuple(map(Entry, events)), options))
    throws = [(str(seq), event.player) for seq, event in enumerate(events, 1) if isinstance(event, Throw)]
    assert [(row["seq"], row["player"]) for row in table] == throws


def test_a_record_that_does_not_hold_is_not_exported() -> None:
    with pytest.raises(InvalidRecord, match="event 1"):
        to_csv(Record("marquoir", ("A", "B"), (Entry(Stand("A")), Entry(Leave("B")))))


def test_the_columns_are_these_and_stay_these() -> None:
    assert COLUMNS == (
        "seq", "at", "phase", "round", "rolloff", "player", "throw", "kept", "dice", "hand", "source", "confidence",
        "image",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["=1+1", "+41", "-2", "@sum", "\tx", "\rx", "\nx"])
def test_no_text_becomes_a_formula(name: str) -> None:
    players = (name, "Bo")
    entries = (Entry(Throw(name, (4,)), image="=cmd|' /C calc'!A0"), Entry(Throw("Bo", (2,))))
    table = rows(Record("marquoir", players, entries))
    assert (table[0]["player"], table[1]["player"]) == (f"'{name}", "Bo")
    assert table[0]["image"] == "'=cmd|' /C calc'!A0"


@pytest.mark.parametrize("name", ["Ana", "a=b", "4 2 1", "Zoë", "'quoted'", ""])
def test_other_texts_stay_as_they_are(name: str) -> None:
    assert harmless(name) == name
