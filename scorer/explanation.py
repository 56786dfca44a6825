"""Why a round was settled as it was, as JSON: for programs, and with a sentence in each language for people."""

from __future__ import annotations

from typing import Any

from scorer.hands import name
from scorer.sentences import rolloff_sentences, settlement_sentence
from scorer.state import RollOff, Settlement


def explanation(settlement: Settlement) -> dict[str, Any]:
    """Return the settlement as JSON.

    `rule` is the way of settling: `take_from_pot`, `pay_pot`, `give_to_worst`, `nenette`, `score`, or `nothing`.
    `value` and `due` are null for a hand worth all chips but one. The other fields are those of `Settlement`.
    """
    return {
        "rule": settlement.rule,
        "phase": settlement.phase,
        "round": settlement.round,
        "hands": [{"player": player, "hand": name(hand)} for player, hand in settlement.hands],
        "best": {"players": list(settlement.best), "hand": name(settlement.best_hand)},
        "worst": {"players": list(settlement.worst), "hand": name(settlement.worst_hand)},
        "value": settlement.value,
        "doubled": settlement.doubled,
        "due": settlement.due,
        "held": settlement.held,
        "capped": settlement.capped,
        "rolloffs": [_rolloff(rolloff) for rolloff in settlement.rolloffs],
        "moves": [{"from": move.giver, "to": move.taker, "chips": move.chips} for move in settlement.moves],
        "scores": [{"player": score.player, "points": score.points} for score in settlement.scores],
        "text": {
            language: " ".join(
                [settlement_sentence(settlement, language), *rolloff_sentences(settlement, language)]
            )
            for language in ("en", "fr")
        },
    }


def _rolloff(rolloff: RollOff) -> dict[str, Any]:
    thrown = [
        {"player": player, "dice": name(dice)}
        for player, dice in zip(rolloff.players, rolloff.thrown, strict=True)
    ]
    return {"end": rolloff.end, "thrown": thrown}
