"""What happened, told in sentences in English and in French, made from the states and nothing else.

    settlement_sentence(state.settlement, "fr")     "Le 421 de Bo donne 8 jetons à Cy (322)."
    rolloff_sentences(state.settlement, "fr")       "Rampo pour la pire main : Cy 5, Bo 3."
    event_sentence(before, event, after, "fr")      "Cy quitte la partie : ses 3 jetons vont au pot."
    rolloff_result(rolloff, ruleset, "fr")          "Bo perd le rampo : 2 contre 5."
    ending_sentence(state, "fr")                    "Ana a donné son dernier jeton et gagne."

The words of a language are in `sentences_en` and `sentences_fr`, which have the same functions.
"""

from __future__ import annotations

from types import ModuleType

from scorer import sentences_en, sentences_fr
from scorer.events import Event, Leave, Penalty
from scorer.handnames import Language
from scorer.hands import Hand, name
from scorer.names import shown
from scorer.rules import Ruleset
from scorer.state import OUTSIDE, POT, RollOff, Settlement, State

__all__ = [
    "Language",
    "ending_sentence",
    "event_sentence",
    "leading_sentence",
    "opening_sentence",
    "rolloff_result",
    "rolloff_sentences",
    "settlement_sentence",
]


def settlement_sentence(settlement: Settlement, language: Language) -> str:
    """Return the sentence, for instance "Bo's 421 gives 8 chips to Cy (322)."."""
    words = _words(language)
    if settlement.rule == "nothing":
        return str(words.alone(shown(settlement.best[0])))
    if settlement.rule == "nenette":
        return str(_nenette(settlement, words))
    hand = words.hand_of(list(map(shown, settlement.best)), name(settlement.best_hand))
    if settlement.rule == "score":
        *bonuses, point = settlement.scores
        told = str(words.scores(hand, point.points, _rolled(settlement, words)))
        if bonuses and settlement.bonus_hand is not None:
            first = [(shown(bonus.player), bonus.points) for bonus in bonuses]
            told += " " + words.bonuses(name(settlement.bonus_hand), first)
        return told
    moved = sum(move.chips for move in settlement.moves)
    chips = words.chips(moved) + words.why(_reasons(settlement, moved, words))
    worst = _holder(settlement.worst, settlement, words)
    return str(words.SETTLED[settlement.rule](hand, chips, worst, _rolled(settlement, words), moved))


def rolloff_sentences(settlement: Settlement, language: Language) -> tuple[str, ...]:
    """Return one sentence for each roll-off of the round: what it was for, and who threw what."""
    words = _words(language)
    return tuple(_rolloff(rolloff, words) for rolloff in settlement.rolloffs)


def rolloff_result(rolloff: RollOff, ruleset: Ruleset, language: Language) -> str:
    """Return who has won or lost a roll-off in which all have thrown, or who goes on to another."""
    words = _words(language)
    good = [sum(dice) if ruleset.rolloff_dice == 1 else -ruleset.ranks[dice] for dice in rolloff.thrown]
    players = list(map(shown, rolloff.players))
    thrown = list(map(name, rolloff.thrown))
    told = []
    for won in (True, False):
        if rolloff.end == ("worst" if won else "best"):
            continue
        wanted = max(good) if won else min(good)
        there = [at for at, value in enumerate(good) if value == wanted]
        if len(there) == 1:
            others = [dice for at, dice in enumerate(thrown) if at != there[0]]
            told.append(words.rolloff_decided(players[there[0]], won, thrown[there[0]], others))
        else:
            told.append(words.rolloff_tied([players[at] for at in there], thrown[there[0]]))
    if len(told) == 2 and told[0] != told[1] and len(players) == 2:
        told.pop()  # where one of two has won, the other has lost
    return " ".join(dict.fromkeys(told))


def event_sentence(before: State, event: Event, after: State, language: Language) -> str | None:
    """Return what a penalty, a leave, an adjust or the end of play came to; None for throws and stands.

    What a settlement, which the event may have brought about, came to is told by `settlement_sentence`.
    """
    words = _words(language)
    match event.type:
        case "penalty":
            assert isinstance(event, Penalty)
            giver = POT if before.phase == "charge" else OUTSIDE
            void = before.phase == "charge" and after.pot == 0
            return str(words.penalty(shown(event.player), event.reason, giver == POT, void))
        case "leave":
            assert isinstance(event, Leave)
            seat = before.seats[event.player]
            to_pot = before.phase in ("opening", "charge")
            return str(words.leaves(shown(event.player), before.chips[seat], to_pot))
        case "adjust":
            move = after.moves[0]
            taken = move.giver == OUTSIDE
            return str(words.adjusted(shown(move.taker if taken else move.giver), move.chips, taken))
        case "abandon":
            return str(words.ABANDONED)
    return None


def opening_sentence(state: State, language: Language) -> str:
    """Return who leads the game, from a state after the opening."""
    words = _words(language)
    told = str(words.leads(shown(state.names[state.first_lead])))
    if state.scorekeeper is not None:
        told += " " + words.keeps_score(shown(state.scorekeeper))
    return told


def leading_sentence(
    state: State, hand: Hand, rolloff: tuple[Hand, list[Hand]] | None, language: Language
) -> str:
    """Return who leads the game and why: with which `hand`, and in a `rolloff` with which dice against which."""
    words = _words(language)
    last = None if rolloff is None else (name(rolloff[0]), list(map(name, rolloff[1])))
    told = str(words.leads_with(shown(state.names[state.first_lead]), name(hand), last))
    if state.scorekeeper is not None:
        told += " " + words.keeps_score(shown(state.scorekeeper))
    return told


def ending_sentence(state: State, language: Language) -> str:
    """Return how the game ended, and why; that it goes on, where it does."""
    words = _words(language)
    if state.ending is None:
        return str(words.GOES_ON)
    winners, losers = list(map(shown, state.winners)), list(map(shown, state.losers))
    if state.ending == "most_points":
        top = max(state.points[state.seats[winner]] for winner in state.winners)
        return str(words.most_points(winners, top))
    if state.ending in words.WITHOUT_RESULT:
        left = [shown(player.name) for player in state.players if not player.left]
        told = str(words.WITHOUT_RESULT[state.ending](left[0] if left else ""))
        return f"{told} {words.had_won(winners)}" if winners else told
    first = state.ending != "empty_hand_wins"
    parts = [words.wins(winners[0], first)] if winners else []
    parts += [words.loses(losers[0])] if losers else []
    return str(words.joined(parts) if parts else words.NOBODY)


def _words(language: Language) -> ModuleType:
    return sentences_en if language == "en" else sentences_fr


def _nenette(settlement: Settlement, words: ModuleType) -> str:
    hand = name(settlement.worst_hand)
    if not settlement.moves:
        if all(thrown == settlement.worst_hand for _, thrown in settlement.hands):
            return str(words.all_have(hand))
        best = _holder(settlement.best, settlement, words)
        return str(words.costs_none(hand, best, _rolled(settlement, words)))
    costs = [(shown(move.taker), move.chips) for move in settlement.moves]
    giver = settlement.moves[0].giver
    source = None if giver == POT else _holder((giver,), settlement, words)
    capped = words.why([words.CAPPED] if settlement.capped else [])
    return str(words.nenette(hand, costs, capped, source, _rolled(settlement, words)))


def _rolloff(rolloff: RollOff, words: ModuleType) -> str:
    thrown = [
        f"{shown(player)} {name(dice)}" for player, dice in zip(rolloff.players, rolloff.thrown, strict=True)
    ]
    return str(words.rolloff(rolloff.end, thrown))


def _holder(players: tuple[str, ...], settlement: Settlement, words: ModuleType) -> str:
    """Return the players with the hand that put them there."""
    hands = dict(settlement.hands)
    return f"{words.listed(list(map(shown, players)))} ({name(hands[players[0]])})"


def _reasons(settlement: Settlement, moved: int, words: ModuleType) -> list[str]:
    """Return why the chips are not just what the hand is worth."""
    if not moved:
        if not settlement.held:
            return [words.NONE_THERE]
        return [words.LAST_STAYS] if settlement.value is None else []
    reasons = []
    if settlement.doubled:
        reasons.append(words.doubled(name(settlement.worst_hand), moved))
    if settlement.capped:
        reasons.append(words.CAPPED)
    if settlement.value is None:
        reasons.append(words.LAST if settlement.held == moved else words.ALL_BUT_ONE)
    return reasons


def _rolled(settlement: Settlement, words: ModuleType) -> str:
    count = len(settlement.rolloffs)
    return str(words.after_rolloffs(count)) if count else ""
