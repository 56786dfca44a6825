"""A record gone through round by round: what each round was, and what everybody held after it.

The score sheet is made from this. On the score pad, which has no rounds, every event is a round of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.events import Adjust, Event, Throw
from scorer.hands import Hand, canonical
from scorer.record import Record, steps
from scorer.state import PhaseName, RollOff, Settlement, State


@dataclass(slots=True)
class Round:
    """One round, also one that was never finished.

    `number` is 0 in the opening. `hands` are those thrown by player, as they stood at last, with the number of
    throws; `happened` are the other events with the states before and after them. `settlement` is None where
    the round was not settled. `held` is what everybody still in the game holds after it, chips or points, and
    `gained` the difference; `pot` None where there is none. `last` is the number of its last event.
    """

    number: int
    phase: PhaseName
    leader: str | None
    hands: dict[str, tuple[Hand, int]] = field(default_factory=dict)
    happened: list[tuple[State, Event, State]] = field(default_factory=list)
    rolloffs: list[RollOff] = field(default_factory=list)
    settlement: Settlement | None = None
    held: Mapping[str, int] = field(default_factory=dict)
    gained: Mapping[str, int] = field(default_factory=dict)
    pot: int | None = None
    last: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """A whole record: its rounds in order, the state before the first event and after the last."""

    rounds: tuple[Round, ...]
    start: State
    state: State


def played(record: Record) -> Played:
    """Return the record round by round. Raises InvalidRecord if it does not hold."""
    start = before = state = record.new_game()
    rounds: list[Round] = []
    now = Round(0, start.phase, None)
    since = start
    for seq, state in steps(record):
        event = record.entries[seq - 1].event
        now.last = seq
        now.leader = now.leader or before.leader
        if isinstance(event, Throw):
            _threw(now, before, event)
        else:
            now.happened.append((before, event, state))
        if state.settlement is not before.settlement and state.settlement is not None:
            now.settlement = state.settlement
        if _is_over(now, before, state, event):
            _close(now, since, state)
            rounds.append(now)
            now, since = Round(state.round, state.phase, state.leader), state
        before = state
    if now.hands or now.happened or now.rolloffs:
        _close(now, since, state)
        rounds.append(now)
    return Played(tuple(rounds), start, state)


def _is_over(now: Round, before: State, state: State, event: Event) -> bool:
    if state.over or isinstance(event, Adjust):
        return True
    return (state.round, state.phase) != (before.round, before.phase)


def _threw(now: Round, before: State, throw: Throw) -> None:
    rolloff = before.rolloff
    if rolloff is None:
        count = now.hands.get(throw.player, ((), 0))[1] + 1
        now.hands[throw.player] = (canonical(throw.kept + throw.dice), count)
    elif len(rolloff.thrown) + 1 == len(rolloff.players):
        thrown = (*rolloff.thrown, canonical(throw.dice))
        now.rolloffs.append(RollOff(rolloff.end, rolloff.players, rolloff.seats, thrown))


def _close(now: Round, since: State, state: State) -> None:
    def held(of: State) -> dict[str, int]:
        columns = of.points if of.ruleset.by_points else of.chips
        gone = (False,) * len(of.names) if of.ruleset.by_points else of.left
        return {name: count for name, count, left in zip(of.names, columns, gone, strict=True) if not left}

    now.held, before = held(state), held(since)
    now.gained = {name: count - before[name] for name, count in now.held.items()}
    now.pot = state.pot
