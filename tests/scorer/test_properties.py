"""What holds in every game of every ruleset with every option, however it is played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.errors import EventError
from scorer.events import Abandon, Adjust, Entry, Event, Leave, Penalty, Stand, Throw
from scorer.game import apply, can, expected, new_game, verify
from scorer.record import Record, event_to_json, load, state_row, steps
from scorer.sentences import Language, settlement_sentence
from scorer.state import State
from tests.scorer import oracle
from tests.scorer.table import NAMES, SETUPS, some_event, some_game

setups = st.sampled_from(SETUPS)
seeds = st.integers(0, 2**32)
calm = st.sampled_from([1.0, 0.99, 0.95, 0.85])


def total(state: State) -> int:
    return (state.pot or 0) + sum(state.chips)


def crossed_the_border(state: State) -> int:
    """Chips that the last event brought in from outside, less those that it took out."""
    moved = [(move.giver == "outside") - (move.taker == "outside") for move in state.moves]
    return sum(sign * move.chips for sign, move in zip(moved, state.moves, strict=True))


@given(setups, seeds, calm)
@settings(max_examples=150, deadline=None)
def test_chips_are_conserved_and_never_negative(
    setup: tuple[str, dict[str, Any]], seed: int, calm: float
) -> None:
    before: list[State] = []

    def see(state: State) -> None:
        assert min(state.chips) >= 0
        assert (state.pot or 0) >= 0
        assert all(move.chips > 0 and move.giver != move.taker for move in state.moves)
        assert all(not state.chips[seat] for seat, left in enumerate(state.left) if left)
        if before:
            assert total(state) == total(before[-1]) + crossed_the_border(state)
            if setup[0] in ("rulebook", "marquoir", "livret") and state.phase in ("opening", "charge"):
                assert crossed_the_border(state) == 0
        before.append(state)

    some_game(Random(seed), *setup, calm=calm, see=see)


@given(setups, seeds, calm)
@settings(max_examples=100, deadline=None)
def test_exactly_one_is_to_play_until_the_game_is_over(
    setup: tuple[str, dict[str, Any]], seed: int, calm: float
) -> None:
    def see(state: State) -> None:
        now = expected(state)
        if state.over or state.ruleset.score_pad:
            assert now is None
            assert (state.to_play, state.throws_left, state.rolloff) == (None, 0, None)
            return
        assert now is not None
        player = next(player for player in state.players if player.name == now.player)
        assert player.is_in or state.ruleset.penalties
        assert not player.left
        assert 1 <= now.throws_left == now.of - now.throw + 1 <= 3
        assert now.may_keep == (now.throw > 1) == bool(now.hand)
        dice = (6, 5, 4)[: now.dice]
        assert [name for name in state.names if can(state, Throw(name, dice))] == [now.player]
        assert can(state, Stand(now.player)) == now.can_stand

    some_game(Random(seed), *setup, calm=calm, see=see)


@given(setups, seeds)
@settings(max_examples=100, deadline=None)
def test_from_every_state_the_game_can_go_on_or_is_over(setup: tuple[str, dict[str, Any]], seed: int) -> None:
    def see(state: State) -> None:
        assert state.over or can(state, Abandon())
        event = some_event(Random(seed), state, calm=1)
        assert (event is None) == state.over

    some_game(Random(seed), *setup, see=see)


@given(setups, seeds, calm)
@settings(max_examples=100, deadline=None)
def test_the_same_events_give_the_same_states_also_through_a_record(
    setup: tuple[str, dict[str, Any]], seed: int, calm: float
) -> None:
    ruleset, options = setup
    states: list[State] = []
    names, events, last = some_game(Random(seed), ruleset, options, calm=calm, see=states.append)
    again = new_game(ruleset, names, options)
    assert again == states[0]
    for event, state in zip(events, states[1:], strict=True):
        again = apply(again, event)
        assert again == state
    record = Record(ruleset, tuple(names), tuple(map(Entry, events)), options)
    loaded = load(record.to_json().encode())
    assert loaded == record
    assert [state for _, state in steps(loaded)] == states[1:]
    assert last == states[-1]


@given(setups, seeds, calm)
@settings(max_examples=150, deadline=None)
def test_the_rules_played_a_second_way_give_the_same_rows(
    setup: tuple[str, dict[str, Any]], seed: int, calm: float
) -> None:
    states: list[State] = []
    names, events, _ = some_game(Random(seed), *setup, calm=calm, see=states.append)
    rows = [state_row(seq, state) for seq, state in enumerate(states[1:], 1)]
    assert rows == list(oracle.rows(*setup, names, [event_to_json(event) for event in events]))


names = st.sampled_from([*NAMES[:4], "Zoe"])
dice = st.lists(st.integers(0, 7), max_size=4).map(tuple)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Throw, names, dice, dice),
    st.builds(Stand, names),
    st.builds(Penalty, names, st.sampled_from(["touch", "off_table"])),
    st.builds(Adjust, names, st.integers(-120, 120)),
    st.builds(Leave, names),
    st.just(Abandon()),
)


@given(setups, seeds, st.integers(0, 60), st.lists(events, max_size=12))
@settings(max_examples=150, deadline=None)
def test_verify_can_and_apply_agree_and_an_illegal_event_changes_nothing(
    setup: tuple[str, dict[str, Any]], seed: int, length: int, tried: list[Event]
) -> None:
    _, _, state = some_game(Random(seed), *setup, most_events=length)
    for event in tried:
        before, seen = state, repr(state)
        if can(state, event):
            verify(state, event)
            state = apply(state, event)
        else:
            for act in (verify, apply):
                with pytest.raises(EventError) as error:
                    act(state, event)
                assert error.value.wrong
                assert error.value.allowed
        assert repr(before) == seen


@given(setups, seeds)
@settings(max_examples=60, deadline=None)
def test_every_settlement_can_be_told(setup: tuple[str, dict[str, Any]], seed: int) -> None:
    def see(state: State) -> None:
        settlement = state.settlement
        if settlement is None:
            return
        languages: tuple[Language, ...] = ("en", "fr")
        for language in languages:
            sentence = settlement_sentence(settlement, language)
            assert sentence.endswith(".")
            assert "  " not in sentence
            for move in settlement.moves:
                for end in (move.giver, move.taker):
                    assert end == "pot" or end in sentence
        assert settlement.round >= state.round - 2

    some_game(Random(seed), *setup, see=see)
