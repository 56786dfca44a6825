"""What the screens see of a table: the JSON of `docs/api.md`, made from the state and nothing else."""

from __future__ import annotations

from typing import Any

from scorer.game import expected
from scorer.hands import name
from scorer.rules import Ruleset
from scorer.ruleset import available_rulesets, load_ruleset
from scorer.sentences import settlement_sentence
from scorer.service.play import Play
from scorer.service.watching import CameraStatus
from scorer.state import Expected, Player, RollOff, State

NEWEST_THROWS = 20


def rulesets_view() -> list[dict[str, Any]]:
    """The rulesets played with dice, in the order in which they are offered."""
    rulesets = [load_ruleset(id) for id in available_rulesets()]
    return [_ruleset_view(ruleset) for ruleset in rulesets if not ruleset.score_pad]


def _ruleset_view(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "id": ruleset.id,
        "name": dict(ruleset.name),
        "about": dict(ruleset.about),
        "min_players": ruleset.min_players,
        "max_players": ruleset.max_players,
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


def camera_view(status: CameraStatus, frames: int) -> dict[str, Any]:
    """The camera's part; `frames` is how many have been watched by now."""
    return {
        "state": status.state,
        "message": status.message,
        "source": status.source,
        "width": status.width,
        "height": status.height,
        "frames": frames,
    }


def game_view(play: Play | None, pictures: frozenset[str]) -> dict[str, Any] | None:
    """The game's part; `pictures` names the rolls whose picture is still kept."""
    if play is None:
        return None
    state = play.state
    ruleset = state.ruleset
    best, worst = _ends_so_far(state)
    asked = expected(state)
    settlement = state.settlement
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
            _player_view(player, state, best=player.name in best, worst=player.name in worst)
            for player in state.players
        ],
        "expected": None if asked is None else _expected_view(asked, state),
        "last": None
        if settlement is None
        else {
            "text": {language: settlement_sentence(settlement, language) for language in ("en", "fr")},
            "moves": [
                {"from": move.giver, "to": move.taker, "chips": move.chips} for move in settlement.moves
            ],
        },
        "throws": _throws_view(play, pictures),
        "winners": list(state.winners),
        "losers": list(state.losers),
        "over": state.over,
        "can_undo": play.can_undo,
    }


def _player_view(player: Player, state: State, *, best: bool, worst: bool) -> dict[str, Any]:
    return {
        "name": player.name,
        "chips": player.chips,
        "in": player.is_in,
        "left": player.left,
        "hand": list(player.hand),
        "hand_name": name(player.hand),
        "value": _worth(player, state),
        "throws": player.throws,
        "best": best,
        "worst": worst,
    }


def _worth(player: Player, state: State) -> int | None:
    """The chips that would move if this hand were the best of the round, as far as its giver has them."""
    if len(player.hand) != 3:
        return None
    return _worths(player, state).get(name(player.hand))


def _worths(player: Player, state: State) -> dict[str, int]:
    """What each hand would be worth in the hands of `player` now; empty where no chips move."""
    if state.phase not in ("charge", "discharge"):
        return {}
    giver = (state.pot or 0) if state.phase == "charge" else player.chips
    return {name(hand): _amount(value, giver, state) for hand, value in state.ruleset.values.items()}


def _amount(value: int | None, giver: int, state: State) -> int:
    if value is None:
        # All but one; in the charge the last one goes too.
        return max(giver - 1, 1 if state.phase == "charge" else 0)
    return min(value, giver)


def _ends_so_far(state: State) -> tuple[frozenset[str], frozenset[str]]:
    """Who holds the best and who the worst hand of the round so far; in the opening only who would lead."""
    held = [player for player in state.players if player.hand and not player.left]
    if len(held) < 2 or state.over:
        return frozenset(), frozenset()
    opening = state.ruleset.opening
    if state.phase == "opening" and opening is not None and opening.by_total:
        sign = 1 if opening.lowest_leads else -1
        places = {player.name: sign * sum(player.hand) for player in held}
    else:
        places = {player.name: state.ruleset.ranks.get(player.hand, 0) for player in held}
    first, last = min(places.values()), max(places.values())
    best = frozenset(name for name, place in places.items() if place == first)
    worst = frozenset(name for name, place in places.items() if place == last)
    if state.phase == "opening":
        return best, frozenset()
    return best, worst


def _rolloff_view(rolloff: RollOff | None) -> dict[str, Any] | None:
    if rolloff is None:
        return None
    return {
        "end": rolloff.end,
        "players": list(rolloff.players),
        "thrown": [list(dice) for dice in rolloff.thrown],
    }


def _expected_view(asked: Expected, state: State) -> dict[str, Any]:
    player = next(player for player in state.players if player.name == asked.player)
    return {
        "player": asked.player,
        "throw": asked.throw,
        "of": asked.of,
        "throws_left": asked.throws_left,
        "dice": asked.dice,
        "hand": list(asked.hand),
        "can_stand": asked.can_stand,
        "may_keep": asked.may_keep,
        "worth": {} if state.rolloff is not None else _worths(player, state),
    }


def _throws_view(play: Play, pictures: frozenset[str]) -> list[dict[str, Any]]:
    throws = []
    for entry in reversed(play.entries):
        payload = entry.payload or {}
        if payload.get("type") != "throw":
            continue
        throws.append(
            {
                "seq": entry.seq,
                "player": payload["player"],
                "dice": payload["dice"],
                "kept": payload.get("kept", []),
                "source": payload.get("source"),
                "roll": entry.roll if entry.roll in pictures else None,
                "at": entry.at,
            }
        )
        if len(throws) == NEWEST_THROWS:
            break
    return throws
