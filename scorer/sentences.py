"""A settlement told in one sentence, in English and in French.

Whose hand moved how many chips, and why so many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from scorer.hands import name
from scorer.state import Settlement

Language = Literal["en", "fr"]


def settlement_sentence(settlement: Settlement, language: Language) -> str:
    """Return the sentence, for instance "Bo's 421 gives 8 chips to Cy (322)."."""
    return _TELL[language][settlement.rule](settlement) + "."


def _english(settlement: Settlement) -> str:
    moved = _moved(settlement)
    hand = _possessive_en(settlement.best, name(settlement.best_hand))
    worst = _holder(settlement.worst, settlement)
    chips = f"{_chips_en(moved)}{_why_en(settlement)}"
    if settlement.rule == "take_from_pot":
        return f"{hand} makes {worst} take {chips} from the pot{_rolled_en(settlement)}"
    if settlement.rule == "pay_pot":
        return f"{hand} puts {chips} back into the pot{_rolled_en(settlement)}"
    return f"{hand} gives {chips} to {worst}{_rolled_en(settlement)}"


def _english_nenette(settlement: Settlement) -> str:
    hand = name(settlement.worst_hand)
    if not settlement.moves:
        return f"Everyone has {hand}, so nothing moves"
    costs = [f"{move.taker} {_chips_en(move.chips)}" for move in settlement.moves]
    giver = settlement.moves[0].giver
    source = "from the pot" if giver not in settlement.best else f"from {_holder((giver,), settlement)}"
    return f"{hand} costs {_list(costs, 'and')}, {source}{_rolled_en(settlement)}"


def _english_score(settlement: Settlement) -> str:
    *bonuses, point = settlement.scores
    first = [f"{bonus.player} {bonus.points}" for bonus in bonuses]
    extra = f", and 421 at the first throw {_list(first, 'and')} more" if first else ""
    points = f"{point.points} point" + ("s" if point.points > 1 else "")
    hand = _possessive_en(settlement.best, name(settlement.best_hand))
    return f"{hand} scores {points}{_rolled_en(settlement)}{extra}"


def _english_nothing(settlement: Settlement) -> str:
    return f"{settlement.best[0]} was alone in the round, so nothing moves"


def _french(settlement: Settlement) -> str:
    moved = _moved(settlement)
    hand = f"{name(settlement.best_hand)} {_possessive_fr(settlement.best)}"
    worst = _holder(settlement.worst, settlement)
    chips = f"{_chips_fr(moved)}{_why_fr(settlement, moved)}"
    if settlement.rule == "take_from_pot":
        return f"Avec le {hand}, {worst} prend {chips} au pot{_rolled_fr(settlement)}"
    if settlement.rule == "pay_pot":
        return f"Le {hand} remet {chips} au pot{_rolled_fr(settlement)}"
    gives = "donne" if moved else "ne donne"
    return f"Le {hand} {gives} {chips} à {worst}{_rolled_fr(settlement)}"


def _french_nenette(settlement: Settlement) -> str:
    hand = name(settlement.worst_hand)
    if not settlement.moves:
        return f"Tout le monde a {hand} : rien ne bouge"
    costs = [f"{_chips_fr(move.chips)} à {move.taker}" for move in settlement.moves]
    giver = settlement.moves[0].giver
    given = "donné" if _moved(settlement) == 1 else "donnés"
    source = "pris au pot" if giver not in settlement.best else f"{given} par {_holder((giver,), settlement)}"
    return f"La nénette ({hand}) coûte {_list(costs, 'et')}, {source}{_rolled_fr(settlement)}"


def _french_score(settlement: Settlement) -> str:
    *bonuses, point = settlement.scores
    first = [f"{bonus.points} à {bonus.player}" for bonus in bonuses]
    extra = f", et le 421 au premier lancer {_list(first, 'et')} de plus" if first else ""
    points = f"{point.points} point" + ("s" if point.points > 1 else "")
    hand = f"{name(settlement.best_hand)} {_possessive_fr(settlement.best)}"
    return f"Le {hand} marque {points}{_rolled_fr(settlement)}{extra}"


def _french_nothing(settlement: Settlement) -> str:
    return f"{settlement.best[0]} a joué la manche sans adversaire : rien ne bouge"


def _moved(settlement: Settlement) -> int:
    return sum(move.chips for move in settlement.moves)


def _holder(players: Sequence[str], settlement: Settlement) -> str:
    """Return the players with the hand that put them there."""
    hands = dict(settlement.hands)
    return f"{_list(players, '/')} ({name(hands[players[0]])})"


def _list(items: Sequence[str], last: str) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def _possessive_en(players: Sequence[str], hand: str) -> str:
    return f"{players[0]}'s {hand}" if len(players) == 1 else f"The {hand} of {_list(players, 'and')}"


def _possessive_fr(players: Sequence[str]) -> str:
    return _list(
        [("d'" if player[:1].lower() in "aeiouyàâäéèêëîïôöùûü" else "de ") + player for player in players],
        "et",
    )


def _chips_en(chips: int) -> str:
    return "no chips" if not chips else f"{chips} chip" + ("s" if chips > 1 else "")


def _chips_fr(chips: int) -> str:
    return "aucun jeton" if not chips else f"{chips} jeton" + ("s" if chips > 1 else "")


def _why_en(settlement: Settlement) -> str:
    """Return why the chips are not just what the hand is worth."""
    doubled = f"doubled by {name(settlement.worst_hand)}" if settlement.doubled else ""
    capped = "all there were" if settlement.capped and settlement.moves else ""
    why = ", ".join(filter(None, (doubled, capped)))
    return f" ({why})" if why else ""


def _why_fr(settlement: Settlement, moved: int) -> str:
    plural = "s" if moved > 1 else ""
    doubled = f"doublé{plural} par {name(settlement.worst_hand)}" if settlement.doubled else ""
    capped = "tout ce qu'il y avait" if settlement.capped and settlement.moves else ""
    why = ", ".join(filter(None, (doubled, capped)))
    return f" ({why})" if why else ""


def _rolled_en(settlement: Settlement) -> str:
    return _rolled(settlement, " after a roll-off", " after {} roll-offs")


def _rolled_fr(settlement: Settlement) -> str:
    return _rolled(settlement, " après un rampo", " après {} rampos")


def _rolled(settlement: Settlement, once: str, often: str) -> str:
    count = len(settlement.rolloffs)
    return "" if not count else once if count == 1 else often.format(count)


_TELL: Mapping[Language, Mapping[str, Callable[[Settlement], str]]] = {
    "en": {
        "take_from_pot": _english,
        "pay_pot": _english,
        "give_to_worst": _english,
        "nenette": _english_nenette,
        "score": _english_score,
        "nothing": _english_nothing,
    },
    "fr": {
        "take_from_pot": _french,
        "pay_pot": _french,
        "give_to_worst": _french,
        "nenette": _french_nenette,
        "score": _french_score,
        "nothing": _french_nothing,
    },
}
