"""A game whose events may be corrected afterwards: change, insert or delete any of them, take back, do again.

    history = begin(new_game("rulebook", ["Ana", "Bo", "Cy"]))
    history = append(history, Entry(Throw("Ana", (6, 5, 2))), at="2026-03-01T20:15:00Z")
    plan = propose(history, Change(1, Entry(Throw("Ana", (6, 5, 1)))))
    if plan.broken is None:                      # every later event is still legal
        history = accept(plan, at="2026-03-01T20:16:00Z")
    else:                                        # let the table choose: forget the plan, or
        history = accept(plan, at="...", truncate=True)

Everything is pure: a `History` is never changed, only followed by a new one, and a `Plan` is nothing but a
preview, so that no edit can be half applied. Every edit, also appending, taking back and doing again, is one
`Step`: at a place, some entries went and others came. The log keeps all steps with their times, so the original
and its correction both stay readable for ever. Events are counted from 1, as in a record.

A service needs to store only what was asked (the correction, its time, whether it cut the game short): the same
calls in the same order lead to the same history.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scorer.errors import CorrectionError, EventError
from scorer.events import Entry
from scorer.game import apply
from scorer.state import State


@dataclass(frozen=True, slots=True)
class Change:
    """Event number `seq` was wrong: `entry` is what happened."""

    seq: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Insert:
    """Something was missed: `entry` becomes event number `seq`, and what stood there comes after it."""

    seq: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Delete:
    """Event number `seq` never happened."""

    seq: int


Correction = Change | Insert | Delete


@dataclass(frozen=True, slots=True)
class Step:
    """One edit of the list of events, as the log keeps it.

    From index `place` on, `removed` went and `added` came in their stead; `cut` are later entries that were
    dropped from the end, because the rules forbade the first of them then. `at` is when, an RFC 3339 time.
    An `undo` or `redo` says by `of` which step of the log, counted from 0, it took back or did again.
    """

    kind: Literal["append", "change", "insert", "delete", "undo", "redo"]
    place: int
    removed: tuple[Entry, ...]
    added: tuple[Entry, ...]
    cut: tuple[Entry, ...]
    at: str
    of: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """A game with all that was ever entered.

    `entries` are the events that stand, `states` what they lead to: `states[0]` is the start, `states[n]` the
    state after event n. `log` has every step in order. `done` are the places in the log of the steps that can
    be taken back, `undone` of those that can be done again, the next one last.
    """

    entries: tuple[Entry, ...]
    states: tuple[State, ...]
    log: tuple[Step, ...] = ()
    done: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self.states[-1]


@dataclass(frozen=True, slots=True)
class Broken:
    """The first later event that a correction makes impossible: `entry`, which was number `was`, and would be
    number `seq` now; `error` says why. `lost` is how many events would go, it included.
    """

    seq: int
    was: int
    entry: Entry
    error: EventError
    lost: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a correction would do to `history`: the entries and states it would leave, up to the first event
    that it breaks (`broken`, None where all hold).
    """

    history: History
    correction: Correction
    entries: tuple[Entry, ...]
    states: tuple[State, ...]
    broken: Broken | None

    @property
    def state(self) -> State:
        """The game as it would stand."""
        return self.states[-1]


@dataclass(frozen=True, slots=True)
class RoundChange:
    """The chips (or points) by player after a round, as it was and as it would be; None where it is not played
    to its end. On the score pad, which has no rounds, `round` is 0, and it is what they hold in the end.
    """

    round: int
    before: dict[str, int] | None
    after: dict[str, int] | None


def begin(start: State) -> History:
    """Return the history of a game before its first event."""
    return History((), (start,))


def append(history: History, entry: Entry, at: str) -> History:
    """Return the history with one more event at its end. Raises EventError if the rules forbid it."""
    state = apply(history.state, entry.event)
    step = Step("append", len(history.entries), (), (entry,), (), at)
    return _after(history, step, (*history.entries, entry), (*history.states, state))


def propose(history: History, correction: Correction) -> Plan:
    """Return what the correction would do; nothing is done.

    Raises CorrectionError where there is no event of that number, and EventError if the corrected event itself
    cannot stand there.
    """
    place = _place(history, correction)
    entries = history.entries
    match correction:
        case Change(_, entry):
            added: tuple[Entry, ...] = (entry,)
            later = entries[place + 1 :]
        case Insert(_, entry):
            added = (entry,)
            later = entries[place:]
        case Delete():
            added = ()
            later = entries[place + 1 :]
    kept, states = [*entries[:place]], [*history.states[: place + 1]]
    for entry in added:
        states.append(apply(states[-1], entry.event))
        kept.append(entry)
    broken = None
    for number, entry in enumerate(later):
        try:
            states.append(apply(states[-1], entry.event))
        except EventError as error:
            lost = len(later) - number
            was = len(entries) - lost + 1
            broken = Broken(len(kept) + 1, was, entry, error, lost)
            break
        kept.append(entry)
    return Plan(history, correction, tuple(kept), tuple(states), broken)


def accept(plan: Plan, at: str, truncate: bool = False) -> History:
    """Return the corrected history. With `truncate` the game is cut off before the first event that broke.

    Raises CorrectionError where an event broke and `truncate` is not set. To cancel, do not accept.
    """
    broken, history = plan.broken, plan.history
    if broken is not None and not truncate:
        raise CorrectionError(
            f"event {broken.was} would no longer stand: {broken.error.told}. Cut the game off there "
            f"({broken.lost} event{'s' if broken.lost > 1 else ''} lost) or cancel the correction"
        )
    place = _place(history, plan.correction)
    match plan.correction:
        case Change(_, entry):
            kind: Literal["change", "insert", "delete"] = "change"
            added: tuple[Entry, ...] = (entry,)
        case Insert(_, entry):
            kind, added = "insert", (entry,)
        case Delete():
            kind, added = "delete", ()
    removed = () if kind == "insert" else history.entries[place : place + 1]
    cut = history.entries[len(history.entries) - broken.lost :] if broken is not None else ()
    return _after(history, Step(kind, place, removed, added, cut, at), plan.entries, plan.states)


def undo(history: History, at: str) -> History:
    """Return the history with its last step taken back: an event appended, or a correction with all it cut.

    Raises CorrectionError where there is nothing to take back.
    """
    if not history.done:
        raise CorrectionError("there is nothing to take back")
    of = history.done[-1]
    step = history.log[of]
    entries = (
        history.entries[: step.place]
        + step.removed
        + history.entries[step.place + len(step.added) :]
        + step.cut
    )
    back = Step("undo", step.place, step.added, step.removed, (), at, of)
    later = replace(history, done=history.done[:-1], undone=(*history.undone, of))
    return _restored(later, back, entries)


def redo(history: History, at: str) -> History:
    """Return the history with the step done again that was taken back last.

    Raises CorrectionError where there is none, because nothing was taken back or something new has come since.
    """
    if not history.undone:
        raise CorrectionError("there is nothing to do again")
    of = history.undone[-1]
    step = history.log[of]
    end = len(history.entries) - len(step.cut)
    entries = (
        history.entries[: step.place] + step.added + history.entries[step.place + len(step.removed) : end]
    )
    again = Step("redo", step.place, step.removed, step.added, step.cut, at, of)
    later = replace(history, done=(*history.done, of), undone=history.undone[:-1])
    return _restored(later, again, entries)


def compare(plan: Plan) -> Iterator[RoundChange]:
    """Go through the rounds that the correction may change: what everybody holds after each, before and after."""
    if plan.state.ruleset.score_pad:
        yield RoundChange(0, _held(plan.history.state), _held(plan.state))
        return
    before, after = _held_by_round(plan.history.states), _held_by_round(plan.states)
    place = _place(plan.history, plan.correction)
    first = plan.history.states[min(place, len(plan.history.states) - 1)].round
    for number in sorted(before.keys() | after.keys()):
        if number >= first:
            yield RoundChange(number, before.get(number), after.get(number))


def _held_by_round(states: Sequence[State]) -> dict[int, dict[str, int]]:
    """Return what everybody held when each round had been settled."""
    held: dict[int, dict[str, int]] = {}
    settled = None
    for state in states:
        if state.settlement is not None and state.settlement is not settled:
            settled = state.settlement
            held[settled.round] = _held(state)
    return held


def _held(state: State) -> dict[str, int]:
    columns = state.points if state.ruleset.by_points else state.chips
    return dict(zip(state.names, columns, strict=True))


def _place(history: History, correction: Correction) -> int:
    """Return the index in the list of events. Raises CorrectionError."""
    count = len(history.entries)
    most = count + 1 if isinstance(correction, Insert) else count
    if type(correction.seq) is not int or not 1 <= correction.seq <= most:
        there = f"there are {count} events" if count != 1 else "there is one event"
        raise CorrectionError(f"there is no event {correction.seq} to correct; {there}")
    return correction.seq - 1


def _after(history: History, step: Step, entries: tuple[Entry, ...], states: tuple[State, ...]) -> History:
    """Return the history after a new step; what had been taken back cannot be done again any more."""
    done = (*history.done, len(history.log))
    return History(entries, states, (*history.log, step), done)


def _restored(history: History, step: Step, entries: tuple[Entry, ...]) -> History:
    """Return the history with entries that have stood together before, so that they are legal."""
    states = [*history.states[: step.place + 1]]
    for entry in entries[step.place :]:
        states.append(apply(states[-1], entry.event))
    return replace(history, entries=entries, states=tuple(states), log=(*history.log, step))
