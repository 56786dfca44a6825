"""What the screens see of a table: the JSON of `docs/api.md`, made from the state and nothing else."""

from __future__ import annotations

from typing import Any

from scorer.events import Throw
from scorer.game import expected
from scorer.hands import name
from scorer.service.library import Library, Offered
from scorer.service.play import Play
from scorer.service.told import last_view
from scorer.service.watching import CameraStatus, Setup
from scorer.standing import standing, worth, worths
from scorer.state import Expected, Player, RollOff, State

NEWEST_THROWS = 20


def rulesets_view(library: Library) -> list[dict[str, Any]]:
    """The rulesets on offer, in the order in which they are offered."""
    return [_ruleset_view(offered) for offered in library.offered()]


def _ruleset_view(offered: Offered) -> dict[str, Any]:
    ruleset = offered.ruleset
    return {
        "id": ruleset.id,
        "name": dict(ruleset.name),
        "about": dict(ruleset.about),
        "min_players": ruleset.min_players,
        "max_players": ruleset.max_players,
        "house": not ruleset.built_in,
        "score_pad": ruleset.score_pad,
        "removable": offered.removable,
        "options": [
            {
                "id": option.id,
                "name": dict(option.name),
                "values": list(option.values),
                "low": None if option.values else option.low,
                "high": None if option.values else option.high,
                "default": option.default,
                "labels": {value: dict(label) for value, label in option.labels.items()},
            }
            for option in ruleset.options.values()
        ],
    }


def camera_view(status: CameraStatus, frames: int, dropped: int) -> dict[str, Any]:
    """The camera's part; `frames` is how many have been watched by now, `dropped` how many left out."""
    return {
        "state": status.state,
        "message": status.message,
        "source": status.source,
        "width": status.width,
        "height": status.height,
        "frames": frames,
        "dropped": dropped,
        "flags": [{"kind": flag.kind, "message": flag.message} for flag in status.flags],
        "notes": list(status.notes),
    }


def setup_view(play: Play | None, setup: Setup | None) -> dict[str, Any] | None:
    """What the set-up screen may be filled with: as the last game was, else `setup`."""
    if play is not None:
        row = play.row
        return {"players": list(row.players), "ruleset": row.ruleset, "options": row.options}
    if setup is not None:
        options = dict(setup.options or {})
        return {"players": list(setup.players), "ruleset": setup.ruleset, "options": options}
    return None


def game_view(play: Play | None, pictures: frozenset[str]) -> dict[str, Any] | None:
    """The game's part; `pictures` names the rolls whose picture is still kept."""
    if play is None:
        return None
    state = play.state
    ruleset = state.ruleset
    best, worst = standing(state)
    asked = expected(state)
    return {
        "id": play.row.id,
        "seq": play.seq,
        "ruleset": ruleset.id,
        "ruleset_name": dict(ruleset.name),
        "options": dict(ruleset.chosen),
        "phase": state.phase,
        "round": state.round,
        "rolloff": _rolloff_view(state.rolloff),
        "leader": state.leader,
        "pot": state.pot,
        "points": {player.name: player.points for player in state.players} if ruleset.by_points else {},
        "players": [
            _player_view(player, seat, state, best=seat in best, worst=seat in worst)
            for seat, player in enumerate(state.players)
        ],
        "expected": None if asked is None else _expected_view(asked, state),
        "last": last_view(play),
        "throws": _throws_view(play, pictures),
        "winners": list(state.winners),
        "losers": list(state.losers),
        "over": state.over,
        "can_undo": bool(play.history.done),
        "can_redo": bool(play.history.undone),
        "score_pad": ruleset.score_pad,
    }


def _player_view(player: Player, seat: int, state: State, *, best: bool, worst: bool) -> dict[str, Any]:
    return {
        "name": player.name,
        "chips": player.chips,
        "in": player.is_in,
        "left": player.left,
        "hand": list(player.hand),
        "hand_name": name(player.hand),
        "value": worth(state, seat, player.hand) if len(player.hand) == 3 else None,
        "throws": player.throws,
        "best": best,
        "worst": worst,
    }


def _rolloff_view(rolloff: RollOff | None) -> dict[str, Any] | None:
    if rolloff is None:
        return None
    return {
        "end": rolloff.end,
        "players": list(rolloff.players),
        "thrown": [list(dice) for dice in rolloff.thrown],
    }


def _expected_view(asked: Expected, state: State) -> dict[str, Any]:
    worth_now = {} if state.rolloff is not None else worths(state, state.turn)
    return {
        "player": asked.player,
        "throw": asked.throw,
        "of": asked.of,
        "throws_left": asked.throws_left,
        "dice": asked.dice,
        "hand": list(asked.hand),
        "can_stand": asked.can_stand,
        "may_keep": asked.may_keep,
        "worth": {name(hand): chips for hand, chips in worth_now.items()},
    }


def _throws_view(play: Play, pictures: frozenset[str]) -> list[dict[str, Any]]:
    throws = []
    for number, entry in reversed(list(enumerate(play.entries, 1))):
        if not isinstance(entry.event, Throw):
            continue
        roll = play.seen(entry.seq).roll
        throws.append(
            {
                "seq": entry.seq,
                "number": number,
                "player": entry.event.player,
                "dice": list(entry.event.dice),
                "kept": list(entry.event.kept),
                "source": entry.source,
                "roll": roll if roll in pictures else None,
                "at": entry.at,
            }
        )
        if len(throws) == NEWEST_THROWS:
            break
    return throws
