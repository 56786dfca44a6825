"""The three kinds of error that an event can have, and what each of them says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer.errors import AmbiguousEvent, EventError, IllegalEvent, InvalidEvent, InvalidRecord
from scorer.events import Abandon, Adjust, Event, Leave, Penalty, Stand, Throw
from scorer.game import apply, can, verify
from scorer.names import meant, shown
from scorer.record import event_from_json, load, steps
from scorer.state import State
from tests.scorer.table import Table


def error(state: State, event: Event) -> EventError:
    assert not can(state, event)
    with pytest.raises(EventError) as raised:
        verify(state, event)
    return raised.value


def second_throw() -> State:
    """A has 421 and may throw again."""
    return Table("marquoir", "Ana Bo").lead("Ana").throw("Ana", "421").state


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Throw("Ana", (7, 1, 1)), "invalid"),
        (Throw("Ana", (True, 1, 1)), "invalid"),
        (Throw("Ana", (1.0, 1, 1)), "invalid"),  # type: ignore[arg-type]
        (Throw("Ana", ()), "invalid"),
        (Throw("Zoe", (1, 1, 1)), "invalid"),
        (Adjust("Ana", 1), "illegal"),
        (Penalty("Ana", "touch"), "illegal"),
        (Penalty("Ana", "cough"), "invalid"),  # type: ignore[arg-type]
        (Throw("Bo", (1, 1, 1)), "illegal"),
        (Throw("Ana", (1, 1), (6,)), "illegal"),
        (Throw("Ana", (1, 1, 1, 1)), "illegal"),
        (Throw("Ana", (6,)), "ambiguous"),
        (Throw("Ana", (4, 2, 6), (4, 2)), "ambiguous"),
        (Stand("ana"), "ambiguous"),
        (Leave(" Bo "), "ambiguous"),
    ],
)
def test_every_error_names_event_player_what_is_wrong_and_what_is_allowed(event: Event, kind: str) -> None:
    assert not isinstance(event, Abandon)
    raised = error(second_throw(), event)
    assert raised.kind == kind
    assert raised.event == event
    assert raised.type == event.type
    assert raised.player == event.player
    assert event.player.strip() in raised.wrong
    assert raised.allowed == "throw 2 of 3 by Ana, keeping at most two dice of 421, or stand, leave, abandon"
    assert raised.told == f"{kind} {event.type} of {event.player}: {raised}"


def test_invalid_and_ambiguous_are_caught_as_what_they_are() -> None:
    assert isinstance(error(second_throw(), Stand("Zoe")), InvalidRecord)
    assert isinstance(error(second_throw(), Stand("ana")), IllegalEvent)
    assert not isinstance(error(second_throw(), Stand("Zoe")), IllegalEvent)


def readings(event: Event, state: State | None = None) -> tuple[Event, ...]:
    state = state or second_throw()
    raised = error(state, event)
    assert isinstance(raised, AmbiguousEvent)
    for reading in raised.readings:
        verify(state, reading)
    return raised.readings


def test_kept_dice_that_were_not_told_may_be_any_of_the_hand() -> None:
    assert readings(Throw("Ana", (6,))) == (
        Throw("Ana", (6,), (4, 2)),
        Throw("Ana", (6,), (4, 1)),
        Throw("Ana", (6,), (2, 1)),
    )
    assert readings(Throw("Ana", (6, 5))) == tuple(Throw("Ana", (6, 5), (kept,)) for kept in (4, 2, 1))
    assert "it may mean 6 thrown keeping 42 or" in str(error(second_throw(), Throw("Ana", (6,))))


def test_dice_told_as_thrown_and_as_kept() -> None:
    assert readings(Throw("Ana", (4, 6, 2), (4, 2))) == (Throw("Ana", (6,), (4, 2)), Throw("Ana", (4, 6, 2)))
    assert isinstance(error(second_throw(), Throw("Ana", (3, 6, 2), (4, 2))), IllegalEvent)
    raised = error(second_throw(), Throw("Ana", (3, 6, 2), (4, 2)))
    assert raised.kind == "illegal"


def test_nothing_is_ambiguous_where_nothing_can_be_kept() -> None:
    first = Table("marquoir", "Ana Bo").lead("Ana").state
    assert error(first, Throw("Ana", (6,))).kind == "illegal"
    assert error(first, Throw("Ana", (4, 6, 2), (4, 2))).kind == "illegal"


def test_a_name_in_another_writing() -> None:
    table = Table("marquoir", ["Zoë", "Jean  Luc"]).lead("Zoë").throw("Zoë", "421")
    for said in ("zoë", " ZOË", "Zoe\u0308", "Zo\u200fë"):
        assert readings(Stand(said), table.state) == (Stand("Zoë"),)
    assert readings(Leave("jean luc"), table.state) == (Leave("Jean  Luc"),)
    assert error(table.state, Stand("Zoe")).kind == "invalid"


def test_a_name_that_two_players_may_be_meant_by() -> None:
    twins = ["Zo\u00eb", "Zoe\u0308", "Bo"]  # they look the same, and the rules let them in
    assert meant("zoë", twins) == tuple(twins[:2])
    state = Table("marquoir", twins).state
    raised = error(state, Throw("ZOË", (5,)))
    assert isinstance(raised, AmbiguousEvent)
    assert raised.readings == (Throw("Zo\u00eb", (5,)), Throw("Zoe\u0308", (5,)))


@pytest.mark.parametrize(
    ("row", "kind", "player"),
    [
        ({"type": "throw", "player": "Ana", "dice": [7]}, "invalid", "Ana"),
        ({"type": "throw", "player": "Ana"}, "invalid", "Ana"),
        ({"type": "roll", "player": "Ana"}, "invalid", "Ana"),
        ({"player": "Ana"}, "invalid", "Ana"),
        ({"type": "stand", "player": 5}, "invalid", None),
        ({"type": "stand", "player": "Zoe"}, "invalid", "Zoe"),
        ({"type": "stand", "player": "ANA"}, "ambiguous", "ANA"),
        (5, "invalid", None),
    ],
)
def test_rows_of_a_record_have_the_same_kinds(row: Any, kind: str, player: str | None) -> None:
    with pytest.raises(EventError) as raised:
        event_from_json(row, ["Ana", "Bo"])
    assert (raised.value.kind, raised.value.player) == (kind, player)
    assert raised.value.allowed
    record = {
        "format": "421-record",
        "version": 1,
        "ruleset": "marquoir",
        "players": ["Ana", "Bo"],
        "events": [row],
    }
    with pytest.raises(InvalidRecord, match=f"^event 1: {kind} ") as fault:
        list(steps(load(json.dumps(record).encode(), partial=True)))
    assert isinstance(fault.value.__cause__, EventError)


def test_messages_are_one_line_whatever_a_name_holds() -> None:
    name = "A\nna\u202e"
    table = Table("marquoir", [name, "Bo"])
    for event in (Throw("Bo", (5,)), Stand(name), Leave("a\nNA")):
        raised = error(table.state, event)
        assert "\n" not in str(raised) + raised.told
        assert "\u202e" not in str(raised)
    assert shown(name) == "A\\nna\\u202e"
    assert shown("Zoë \U0001f469\u200d\U0001f680") == "Zoë \U0001f469\u200d\U0001f680"


def test_an_error_leaves_the_state_as_it_was() -> None:
    state = second_throw()
    before = repr(state)
    for event in (Stand("ana"), Throw("Ana", (6,)), Throw("Ana", (9,))):
        with pytest.raises(EventError):
            apply(state, event)
    assert repr(state) == before


def test_the_invalid_kind_says_the_fault_once() -> None:
    with pytest.raises(InvalidEvent, match=r"^dice must be a list of .*, not \[7\]$"):
        event_from_json({"type": "throw", "player": "Ana", "dice": [7]}, ["Ana", "Bo"])
