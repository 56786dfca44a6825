"""Corrections of a game: change, insert, delete, take back, do again; and never half of one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.corrections import (
    Change,
    Correction,
    Delete,
    History,
    Insert,
    accept,
    append,
    begin,
    compare,
    propose,
    redo,
    undo,
)
from scorer.errors import CorrectionError, EventError
from scorer.events import Adjust, Entry, Event, Stand, Throw
from scorer.game import apply, new_game
from scorer.state import State
from tests.scorer.table import SETUPS, some_event, some_game

T = ["2026-03-01T20:15:00Z", "2026-03-01T20:16:00Z", "2026-03-01T20:17:00Z", "2026-03-01T20:18:00Z"]


def entered(*events: Event, start: State | None = None) -> History:
    history = begin(start or new_game("marquoir", ["Ana", "Bo"], {}))
    for event in events:
        history = append(history, Entry(event), T[0])
    return history


def charge() -> History:
    """Ana leads; both have played round 1 (Ana 611, Bo 322 takes one chip), Bo has begun round 2."""
    return entered(
        Throw("Ana", (6,)),
        Throw("Bo", (1,)),
        Throw("Ana", (6, 1, 1)),
        Stand("Ana"),
        Throw("Bo", (3, 2, 2)),
        Throw("Bo", (6, 6, 6)),
    )


def test_a_change_recomputes_all_later_states() -> None:
    plan = propose(charge(), Change(3, Entry(Throw("Ana", (6, 6, 1)))))
    assert plan.broken is None
    history = accept(plan, T[1])
    assert history.states[5].chips == (0, 6)
    assert len(history.states) == 7
    assert [change.after for change in compare(plan)] == [{"Ana": 0, "Bo": 6}]
    assert [change.before for change in compare(plan)] == [{"Ana": 0, "Bo": 1}]


def test_the_log_keeps_the_original_and_the_correction_with_their_times() -> None:
    history = accept(propose(charge(), Change(3, Entry(Throw("Ana", (6, 6, 1))))), T[1])
    assert [step.at for step in history.log] == [T[0]] * 6 + [T[1]]
    assert history.log[2].added == (Entry(Throw("Ana", (6, 1, 1))),)
    last = history.log[-1]
    assert (last.kind, last.place) == ("change", 2)
    assert last.removed == (Entry(Throw("Ana", (6, 1, 1))),)
    assert last.added == (Entry(Throw("Ana", (6, 6, 1))),)


def test_a_later_event_that_became_illegal_is_named_and_the_table_chooses() -> None:
    history = charge()
    plan = propose(history, Change(5, Entry(Throw("Bo", (4, 2, 1)))))
    broken = plan.broken
    assert broken is not None
    assert (broken.seq, broken.was, broken.lost) == (6, 6, 1)
    assert broken.entry.event == Throw("Bo", (6, 6, 6))
    assert "it is Ana who plays now, not Bo" in str(broken.error)
    with pytest.raises(
        CorrectionError, match=r"event 6 would no longer stand: illegal throw of Bo.*1 event lost"
    ):
        accept(plan, T[1])
    assert history == charge()
    cut = accept(plan, T[1], truncate=True)
    assert [entry.event for entry in cut.entries][4:] == [Throw("Bo", (4, 2, 1))]
    assert cut.log[-1].cut == (Entry(Throw("Bo", (6, 6, 6))),)
    assert cut.state.to_play == "Ana"


def test_an_event_that_was_missed_is_inserted() -> None:
    history = entered(Throw("Ana", (6,)), Throw("Bo", (1,)), Throw("Ana", (6, 1, 1)), Stand("Ana"))
    plan = propose(history, Insert(4, Entry(Throw("Ana", (2,), (6, 1)))))
    after = accept(plan, T[1])
    assert after.state.to_play == "Bo"
    assert after.state.throws_left == 2
    assert after.log[-1].kind == "insert"
    assert accept(propose(history, Insert(5, Entry(Throw("Bo", (1, 1, 1))))), T[1]).state.round == 2


def test_an_event_that_never_was_is_deleted() -> None:
    after = accept(propose(charge(), Delete(6)), T[1])
    assert len(after.entries) == 5
    plan = propose(charge(), Delete(1))
    assert plan.broken is not None
    assert (plan.broken.was, plan.broken.seq, plan.broken.lost) == (2, 1, 5)
    assert accept(plan, T[1], truncate=True).entries == ()


def test_a_correction_that_cannot_stand_itself_is_refused() -> None:
    with pytest.raises(EventError, match="it is Ana who plays now"):
        propose(charge(), Change(3, Entry(Throw("Bo", (6, 6, 1)))))


@pytest.mark.parametrize("correction", [Delete(0), Delete(7), Change(7, Entry(Stand("Bo"))), Delete(-1)])
def test_there_must_be_an_event_of_that_number(correction: Correction) -> None:
    with pytest.raises(CorrectionError, match=r"no event .* there are 6 events"):
        propose(charge(), correction)


def test_undo_and_redo_of_an_event_and_of_a_correction() -> None:
    start = charge()
    changed = accept(propose(start, Change(5, Entry(Throw("Bo", (4, 2, 1))))), T[1], truncate=True)
    back = undo(changed, T[2])
    assert (back.entries, back.states) == (start.entries, start.states)
    assert (back.log[-1].kind, back.log[-1].of, back.log[-1].at) == ("undo", 6, T[2])
    again = redo(back, T[3])
    assert (again.entries, again.states) == (changed.entries, changed.states)
    assert (again.log[-1].kind, again.log[-1].of) == ("redo", 6)
    twice = undo(undo(again, T[3]), T[3])
    assert twice.entries == start.entries[:-1]
    assert redo(redo(twice, T[3]), T[3]).entries == changed.entries
    with pytest.raises(CorrectionError, match="nothing to do again"):
        redo(append(back, Entry(Stand("Bo")), T[3]), T[3])
    with pytest.raises(CorrectionError, match="nothing to do again"):
        redo(start, T[3])
    with pytest.raises(CorrectionError, match="nothing to take back"):
        undo(entered(), T[3])


def replayed(history: History) -> tuple[State, ...]:
    states = [history.states[0]]
    for entry in history.entries:
        states.append(apply(states[-1], entry.event))
    return tuple(states)


@given(st.sampled_from(SETUPS), st.integers(0, 2**32), st.integers(1, 12))
@settings(max_examples=120, deadline=None)
def test_a_corrected_game_is_the_replay_of_the_corrected_list(
    setup: tuple[str, dict[str, Any]], seed: int, edits: int
) -> None:
    random = Random(seed)
    names, events, _ = some_game(random, *setup, most_events=60)
    history = entered(*events, start=new_game(setup[0], names, setup[1]))
    seen = [history]
    for number in range(edits):
        before = repr(history)
        seq = random.randint(1, len(history.entries) + 1)
        event = some_event(random, history.states[seq - 1], calm=0.9)
        correction: Correction
        if seq > len(history.entries) or random.random() < 0.3:
            if event is None:
                continue
            correction = Insert(seq, Entry(event))
        elif event is None or random.random() < 0.3:
            correction = Delete(seq)
        else:
            correction = Change(seq, Entry(event))
        plan = propose(history, correction)
        after = accept(plan, f"t{number}", truncate=True)
        assert repr(history) == before
        expected = list(history.entries)
        if not isinstance(correction, Insert):
            del expected[seq - 1]
        if not isinstance(correction, Delete):
            expected.insert(seq - 1, correction.entry)
        assert list(after.entries) == expected[: len(after.entries)]
        assert len(expected) - len(after.entries) == (plan.broken.lost if plan.broken is not None else 0)
        assert after.states == replayed(after) == plan.states
        history = after
        seen.append(history)
    forward = history
    for earlier in reversed(seen[:-1]):
        history = undo(history, "back")
        assert (history.entries, history.states) == (earlier.entries, earlier.states)
    for later in seen[1:]:
        history = redo(history, "again")
        assert (history.entries, history.states) == (later.entries, later.states)
    assert history.entries == forward.entries
    assert [step.kind for step in history.log[: len(forward.log)]] == [step.kind for step in forward.log]


def test_on_the_score_pad_what_they_hold_in_the_end_is_compared() -> None:
    history = entered(Adjust("Ana", 3), Adjust("Bo", -2), start=new_game("counter", ["Ana", "Bo"], {}))
    (change,) = compare(propose(history, Change(1, Entry(Adjust("Ana", 4)))))
    assert (change.round, change.before, change.after) == (0, {"Ana": 14, "Bo": 9}, {"Ana": 15, "Bo": 9})
