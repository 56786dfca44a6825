"""What the last result was, in both languages: the opening, a roll-off, a settlement; an entry of the score pad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from scorer.events import Throw
from scorer.explanation import explanation
from scorer.handnames import Language
from scorer.hands import Hand, canonical
from scorer.sentences import (
    event_sentence,
    leading_sentence,
    opening_sentence,
    rolloff_result,
    settlement_sentence,
)
from scorer.service.play import Play
from scorer.state import Move, RollOff, Settlement, State


def last_view(play: Play) -> dict[str, Any] | None:
    """The newest result and the chips that it moved; None before the first.

    A roll-off that decided the round is told with the settlement, one after which another follows by itself.
    """
    state = play.state
    if state.ruleset.score_pad:
        return _entered(play)
    if state.rolloffs:
        return _told(lambda language: rolloff_result(state.rolloffs[-1], state.ruleset, language))
    settlement = state.settlement
    if settlement is not None:
        told = _told(lambda language: _settled(state, settlement, language), settlement.moves)
        return told | {"explanation": explanation(settlement)}
    if state.first_lead >= 0:
        return _told(lambda language: _opened(play, language))
    return None


def _told(sentence: Callable[[Language], str], moves: Sequence[Move] = ()) -> dict[str, Any]:
    return {
        "text": {"en": sentence("en"), "fr": sentence("fr")},
        "moves": [{"from": move.giver, "to": move.taker, "chips": move.chips} for move in moves],
        "explanation": None,
    }


def _entered(play: Play) -> dict[str, Any] | None:
    """What was entered last on the score pad."""
    *_, last = [None, *play.steps()]
    if last is None:
        return None
    before, event = last
    state = play.state
    return _told(lambda language: event_sentence(before, event, state, language) or "", state.moves)


def _settled(state: State, settlement: Settlement, language: Language) -> str:
    told = [rolloff_result(rolloff, state.ruleset, language) for rolloff in settlement.rolloffs[-1:]]
    return " ".join([*told, settlement_sentence(settlement, language)])


def _opened(play: Play, language: Language) -> str:
    """Who leads, from the log up to the end of the opening."""
    leader = play.state.names[play.state.first_lead]
    hands: dict[str, Hand] = {}
    last: RollOff | None = None
    for before, event in play.steps():
        if before.phase != "opening":
            break
        if isinstance(event, Throw):
            dice, rolloff = canonical(event.dice), before.rolloff
            if rolloff is None:
                hands[event.player] = dice
            elif len(rolloff.thrown) + 1 == len(rolloff.players):
                last = RollOff(rolloff.end, rolloff.players, rolloff.seats, (*rolloff.thrown, dice))
    if leader not in hands:
        return opening_sentence(play.state, language)
    if last is None or leader not in last.players:
        return leading_sentence(play.state, hands[leader], None, language)
    own = last.players.index(leader)
    others = [dice for at, dice in enumerate(last.thrown) if at != own]
    return leading_sentence(play.state, hands[leader], (last.thrown[own], others), language)
