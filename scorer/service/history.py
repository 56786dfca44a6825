"""A game's past as the screens see it: the events that stand, the steps of the log, what a correction would do."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from scorer.corrections import Broken, Plan, compare
from scorer.events import Entry
from scorer.explanation import explanation
from scorer.record import event_to_json
from scorer.service.play import Play
from scorer.service.problems import sentence
from scorer.state import State


def history_view(play: Play, pictures: Container[str] = ()) -> dict[str, Any]:
    """All of a game; `pictures` has the rolls whose picture is still kept."""
    return {
        "id": play.row.id,
        "seq": play.seq,
        "events": list(_events(play, pictures)),
        "steps": [
            {
                "seq": place,
                "kind": step.kind,
                "at": step.at,
                "number": step.place + 1,
                "removed": _as_json(step.removed),
                "added": _as_json(step.added),
                "cut": _as_json(step.cut),
                "of": None if step.of is None else step.of + 1,
            }
            for place, step in enumerate(play.history.log, 1)
        ],
    }


def preview_view(plan: Plan) -> dict[str, Any]:
    """What a correction would do."""
    return {
        "rounds": [
            {"round": change.round, "before": change.before, "after": change.after}
            for change in compare(plan)
        ],
        "broken": None if plan.broken is None else _broken(plan.broken),
        "over": plan.state.over,
    }


def _broken(broken: Broken) -> dict[str, Any]:
    return {
        "number": broken.seq,
        "was": broken.was,
        "event": event_to_json(broken.entry.event),
        "message": sentence(broken.error),
        "lost": broken.lost,
    }


def _events(play: Play, pictures: Container[str]) -> Iterator[dict[str, Any]]:
    settled = None
    for number, (entry, state) in enumerate(zip(play.entries, play.history.states[1:], strict=True), 1):
        roll = play.seen(entry.seq).roll
        why = state.settlement if state.settlement is not settled else None
        settled = state.settlement
        yield {
            "number": number,
            "event": event_to_json(entry.event),
            "at": entry.at,
            "source": entry.source,
            "confidence": entry.confidence,
            "roll": roll if roll in pictures else None,
            "phase": state.phase,
            "round": state.round,
            "held": _held(state),
            "pot": state.pot,
            "explanation": None if why is None else explanation(why),
        }


def _held(state: State) -> dict[str, int]:
    """What everybody who has not left holds, chips or points."""
    by_points = state.ruleset.by_points
    return {
        player.name: player.points if by_points else player.chips
        for player in state.players
        if not player.left
    }


def _as_json(entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    return [event_to_json(entry.event) for entry in entries]
