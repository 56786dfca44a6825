"""The rules in French, one function or table for each thing to say. See `scorer.describe`."""

from __future__ import annotations

from typing import Literal

LANGUAGE: Literal["fr"] = "fr"
YES, NO = "oui", "non"

TITLES = {
    "table": "Autour de la table",
    "opening": "L’ouverture",
    "charge": "La charge",
    "discharge": "La décharge",
    "rounds": "Les tours",
    "special": "Mains spéciales et amendes",
    "ties": "Les égalités",
    "ends": "La fin de la partie",
    "options": "Les options",
}
COLUMNS = ("rang", "main", "nom", "jetons", "chances")
VALUE_NONE = "tout sauf un"

DISCHARGE_PLAYS = {
    "play_all": "Tout le monde joue.",
    "play_holders": "Seuls jouent ceux qui ont des jetons.",
    "play_not_out": "Tous ceux qui ne sont pas sortis jouent, avec ou sans jetons.",
}
FIRST = {
    "lead_first": "Celui qui menait le tout premier tour de la partie mène le premier.",
    "last_taker": "Celui qui a pris les derniers jetons de la charge mène le premier tour.",
}
SETTLE = {
    "take_from_pot": "La pire main prend au pot ce que vaut la meilleure, dans la limite de ce qu’il contient.",
    "pay_pot": "La meilleure main remet au pot ce qu’elle vaut, dans la limite des jetons de son joueur.",
    "give_to_worst": "La meilleure main donne à la pire ce qu’elle vaut, dans la limite des jetons de son joueur.",
}
NEXT = {
    "lead_best": "Le gagnant du tour mène le suivant.",
    "lead_worst": "Le perdant du tour mène le suivant.",
    "lead_after_worst": "Le joueur placé après le perdant mène le tour suivant : le perdant joue en dernier.",
    "lead_first": "Le même joueur mène tous les tours.",
}
PENALTY = {
    "touch": "Qui touche les dés hors de son tour prend un jeton d’amende.",
    "off_table": "Qui fait tomber un dé de la table prend un jeton d’amende, puis le relance.",
}
END = {
    "empty_hand_wins": "Le premier qui donne son dernier jeton pendant la décharge gagne aussitôt ; personne ne perd.",
    "all_chips_lose": "Qui a tous les jetons, une fois la charge finie, a perdu.",
    "last_holder": "Le premier qui donne son dernier jeton a gagné, et chacun de ceux qui le font est sorti ; celui "
    "qui finit avec tous les jetons a perdu.",
    "first_out": "Le premier qui donne son dernier jeton a gagné et la partie est finie ; si un seul joueur a alors "
    "tous les jetons, il a perdu.",
    "most_points": "Après le dernier tour, le plus grand nombre de points gagne ; à égalité, la victoire se partage.",
    "counted_out": "À zéro, on est sorti pour de bon et le premier a gagné ; le dernier qui garde des jetons a perdu.",
}


def players(least: int, most: int) -> str:
    """How many play."""
    return f"De {least} à {most} joueurs."


def chips(each: int, pot: int) -> str:
    """What is where before the game."""
    return f"{count(pot, 'jeton')} au pot" + (
        f" et {each} pour chaque joueur." if each else " ; au départ, personne n’en a en main."
    )


def no_chips() -> str:
    """A game by points."""
    return "Pas de jetons : on marque des points."


def pad(each: int) -> str:
    """The score pad."""
    return f"{count(each, 'jeton')} chacun ; ce qu’un joueur rend ou ramasse s’entre à la main, sans dés."


def opening(dice: int, by_total: bool, lowest: bool) -> str:
    """Who leads the first round."""
    if dice == 1:
        who = f"le plus {'faible' if lowest else 'fort'}"
    elif by_total:
        who = f"le plus {'petit' if lowest else 'grand'} total"
    else:
        who = f"la {'pire' if lowest else 'meilleure'} main"
    return (
        f"Chacun jette {'un dé' if dice == 1 else 'les trois dés'} : {who} mène ; en cas d’égalité, les ex æquo "
        "rejouent."
    )


def scorekeeper() -> str:
    """Who keeps the score."""
    return "Le plus petit total tient la marque."


def rounds(number: int) -> str:
    """How long a game by points is."""
    return f"La partie se joue en {count(number, 'tour')}."


def throws(number: int, limit: str) -> str:
    """How often one may throw."""
    if number == 1:
        return "Un seul lancer chacun, sec."
    most = f"Jusqu’à {number} lancers ; avant de relancer, on garde un dé, deux ou aucun."
    if limit == "none":
        return most
    if limit == "leader":
        return f"{most} Personne ne fait plus de lancers que celui qui mène."
    return f"{most} Les autres font exactement autant de lancers que celui qui mène."


def score(points: int) -> str:
    """What the best hand scores."""
    return f"La meilleure main marque {count(points, 'point')}."


def bonus(hand: str, points: int) -> str:
    """What a hand at the first throw scores besides."""
    return f"Un {hand} au premier lancer rapporte {count(points, 'point')} de plus, quel que soit le gagnant du tour."


def to_worst_under(hand: str) -> str:
    """The hand that gives to the worst instead of the pot."""
    return f"Mais si c’est un {hand}, son joueur donne tous ses jetons sauf un à la pire main."


def all_but_one(hands: list[str]) -> str:
    """Hands worth the whole pot but one chip."""
    return (
        f"Sur un {either(hands)}, elle prend tout le pot sauf un jeton, ou le dernier s’il n’en reste qu’un."
    )


def charge_over() -> str:
    """When the charge ends."""
    return "La charge est finie quand le pot est vide."


def nenette(hand: str, number: int) -> list[str]:
    """The hand whose holders take chips whatever the best is."""
    return [
        f"La nénette ({hand}) est la pire main : qui l’a prend {count(number, 'jeton')} d’office, au pot "
        "pendant la charge, chez le gagnant du tour pendant la décharge ; rien d’autre ne bouge dans ce tour.",
        "Le dernier à en recevoir compte comme le perdant du tour.",
        "Si tout le monde l’a pendant la décharge, rien ne bouge et le même joueur mène encore.",
    ]


def double(hand: str) -> str:
    """The hand that doubles."""
    return f"Si la pire main est {hand}, elle double le nombre de jetons."


def penalty_from() -> list[str]:
    """Where penalty chips come from."""
    return ["L’amende vient du pot pendant la charge, et de la réserve (hors du jeu) pendant la décharge."]


def back_in() -> str:
    """A penalty brings a player back."""
    return "Qui n’avait plus de jetons revient ainsi dans le jeu au tour suivant."


def ties(phase: str, ends: str) -> str:
    """Which ties are broken."""
    where = {"charge": "Pendant la charge", "discharge": "Pendant la décharge", "rounds": "Dans un tour"}[
        phase
    ]
    which = {
        "best": "l’égalité pour la meilleure main",
        "worst": "l’égalité pour la pire main",
        "both": "l’égalité pour la meilleure comme pour la pire",
    }[ends]
    return f"{where}, {which} se départage au rampo."


def ties_under(hand: str) -> str:
    """The hand under which the worst end matters too."""
    return f"Sur un {hand}, on départage aussi la pire main."


def rolloff(dice: int) -> str:
    """How a tie is broken."""
    how = "un dé, le plus fort étant le meilleur" if dice == 1 else "les trois dés, lus comme une main"
    return f"Rampo : les ex æquo jettent {how} ; ceux qui restent à égalité recommencent."


def option(id: str, name: str, values: str, default: str) -> str:
    """An option and its values."""
    return f"{name} ({id}) : {values} (par défaut : {default})."


def range(low: int, high: int) -> str:
    """A whole number between limits."""
    return f"de {low} à {high}"


def either(values: list[str]) -> str:
    """One of several."""
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} ou {values[-1]}"


def count(number: int, thing: str) -> str:
    """So many things."""
    return f"{number} {thing}" + ("s" if number > 1 else "")
