"""Sentences in French, one function or table for each thing to tell. See `scorer.sentences`."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

CAPPED = "tout ce qu’il y avait"
ALL_BUT_ONE = "tout sauf un"
LAST = "le dernier"
LAST_STAYS = "le dernier reste"
NONE_THERE = "il n’y en avait pas"
GOES_ON = "La partie continue."
NOBODY = "La partie est finie ; personne n’a gagné ni perdu."
ABANDONED = "La table arrête la partie."

SETTLED: dict[str, Callable[[str, str, str, str, int], str]] = {
    "take_from_pot": lambda hand, chips, worst, rolled, moved: (
        f"Avec le {hand}, {worst} prend {chips} au pot{rolled}."
    ),
    "pay_pot": lambda hand, chips, worst, rolled, moved: (
        f"Le {hand} {'' if moved else 'ne '}remet {chips} au pot{rolled}."
    ),
    "give_to_worst": lambda hand, chips, worst, rolled, moved: (
        f"Le {hand} {'' if moved else 'ne '}donne {chips} à {worst}{rolled}."
    ),
}

WITHOUT_RESULT: dict[str, Callable[[str], str]] = {
    "alone": lambda player: f"Il ne reste que {player} : la partie s’arrête sans résultat.",
    "abandoned": lambda player: "La table a arrêté la partie.",
    "nobody": lambda player: "Plus personne n’est en jeu : la partie s’arrête.",
}


def hand_of(players: list[str], hand: str) -> str:
    """Whose hand it is, to stand after an article."""
    return f"{hand} {listed([_of(player) for player in players])}"


def chips(count: int) -> str:
    """So many chips."""
    return "aucun jeton" if not count else f"{count} jeton" + ("s" if count > 1 else "")


def why(reasons: list[str]) -> str:
    """Reasons in brackets."""
    return f" ({', '.join(reasons)})" if reasons else ""


def doubled(hand: str, moved: int) -> str:
    """Why it is twice as many."""
    return f"doublé{'s' if moved > 1 else ''} par {hand}"


def after_rolloffs(count: int) -> str:
    """After so many roll-offs."""
    return " après un rampo" if count == 1 else f" après {count} rampos"


def nenette(hand: str, costs: list[tuple[str, int]], capped: str, giver: str | None, rolled: str) -> str:
    """What a nénette cost, and why no more; `giver` is None for the pot."""
    total = sum(count for _, count in costs)
    told = listed([f"{chips(count)} à {player}" for player, count in costs])
    plural = "s" if total > 1 else ""
    source = "pris au pot" if giver is None else f"donné{plural} par {giver}"
    return f"La nénette ({hand}) coûte {told}{capped}, {source}{rolled}."


def all_have(hand: str) -> str:
    """Everyone has the nénette."""
    return f"Tout le monde a {hand} : rien ne bouge."


def costs_none(hand: str, giver: str, rolled: str) -> str:
    """The one who ought to pay for the nénette has nothing."""
    return f"La nénette ({hand}) ne coûte rien : {giver} n’a aucun jeton à donner{rolled}."


def scores(hand: str, points: int, rolled: str) -> str:
    """The best hand's points."""
    return f"Le {hand} marque {_points(points)}{rolled}."


def bonuses(hand: str, first: list[tuple[str, int]]) -> str:
    """Bonus points."""
    told = listed([f"{points} de plus à {player}" for player, points in first])
    return f"Le {hand} au premier lancer donne {told}."


def alone(player: str) -> str:
    """A round of a single player."""
    return f"{player} a joué ce tour sans adversaire : rien ne bouge."


def rolloff(end: str, thrown: list[str]) -> str:
    """A roll-off and its throws."""
    what = {
        "opening": "pour mener",
        "best": "pour la meilleure main",
        "worst": "pour la pire main",
        "both": "pour la meilleure et la pire main",
    }[end]
    return f"Rampo {what} : {', '.join(thrown)}."


def rolloff_decided(player: str, won: bool, own: str, others: list[str]) -> str:
    """Who has won or lost a roll-off."""
    return f"{player} {'gagne' if won else 'perd'} le rampo : {own} contre {listed(others)}."


def rolloff_tied(players: list[str], dice: str) -> str:
    """Who must roll off again."""
    return f"{listed(players)} sont à égalité au rampo avec {dice}."


def penalty(player: str, reason: str, from_pot: bool, void: bool) -> str:
    """A penalty chip."""
    deed = "touche les dés" if reason == "touch" else "fait tomber un dé de la table"
    source = "au pot" if from_pot else "à la réserve"
    told = f"{player} {deed} et prend un jeton d’amende {source}."
    return f"{told} C’était le dernier : le tour est annulé." if void else told


def leaves(player: str, count: int, to_pot: bool) -> str:
    """Somebody leaves."""
    if not count:
        return f"{player} quitte la partie."
    if count == 1:
        return f"{player} quitte la partie : son jeton {'retourne au pot' if to_pot else 'sort du jeu'}."
    go = "retournent au pot" if to_pot else "sortent du jeu"
    return f"{player} quitte la partie : ses {count} jetons {go}."


def adjusted(player: str, count: int, taken: bool) -> str:
    """An entry on the score pad."""
    return f"{player} {'ramasse' if taken else 'rend'} {chips(count)}."


def leads(player: str) -> str:
    """Who leads the game."""
    return f"{player} mène le premier tour."


def leads_with(player: str, hand: str, rolloff: tuple[str, list[str]] | None) -> str:
    """Who leads the game, and why."""
    if rolloff is None:
        return f"{player} mène avec {hand}."
    own, others = rolloff
    return f"{player} mène avec {hand} après un rampo : {own} contre {listed(others)}."


def keeps_score(player: str) -> str:
    """Who keeps the score."""
    return f"{player} tient la marque."


def most_points(winners: list[str], points: int) -> str:
    """The end of a game by points."""
    if len(winners) == 1:
        return f"{winners[0]} gagne avec {_points(points)}."
    return f"{listed(winners)} se partagent la victoire avec {_points(points)} chacun."


def had_won(winners: list[str]) -> str:
    """A winner named before."""
    return f"{listed(winners)} avait déjà gagné."


def wins(player: str, first: bool) -> str:
    """Why somebody has won."""
    if first:
        return f"{player} est le premier à ne plus avoir de jetons et gagne"
    return f"{player} a donné son dernier jeton et gagne"


def loses(player: str) -> str:
    """Why somebody has lost."""
    return f"{player} reste avec tous les jetons et perd"


def joined(parts: list[str]) -> str:
    """Clauses as one sentence."""
    return " ; ".join(parts) + "."


def listed(items: list[str]) -> str:
    """Return "Ana, Bo et Cy"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} et {items[-1]}"


def _of(player: str) -> str:
    """Return "d’Ana", "d’Yves", "de Yann", "de Bo"."""
    plain = unicodedata.normalize("NFD", player).lower()
    vowel, second = plain[:1] in tuple("aeiou"), plain[1:2] in tuple("aeiou")
    return f"d’{player}" if vowel or (plain[:1] == "y" and not second) else f"de {player}"


def _points(points: int) -> str:
    return f"{points} point" + ("s" if points > 1 else "")
