"""The rules in English, one function or table for each thing to say. See `scorer.describe`."""

from __future__ import annotations

from typing import Literal

LANGUAGE: Literal["en"] = "en"
YES, NO = "yes", "no"

TITLES = {
    "table": "Around the table",
    "opening": "The opening",
    "charge": "The charge",
    "discharge": "The discharge",
    "rounds": "The rounds",
    "special": "Special hands and penalties",
    "ties": "Ties",
    "ends": "The end",
    "options": "Options",
}
COLUMNS = ("rank", "hand", "name", "chips", "chance")
VALUE_NONE = "all but one"

DISCHARGE_PLAYS = {
    "play_all": "Everyone plays.",
    "play_holders": "Only players who hold chips play.",
    "play_not_out": "Everyone plays who is not out, with chips or without.",
}
FIRST = {
    "lead_first": "The leader of the first round of the game leads the first round.",
    "last_taker": "Whoever took the last chips of the charge leads the first round.",
}
SETTLE = {
    "take_from_pot": "The worst hand takes from the pot what the best hand is worth, as far as the pot has it.",
    "pay_pot": "The best hand puts back into the pot what it is worth, as far as its player has it.",
    "give_to_worst": "The best hand gives the worst what it is worth, as far as its player has it.",
}
NEXT = {
    "lead_best": "The best leads the next round.",
    "lead_worst": "The worst leads the next round.",
    "lead_after_worst": "The player after the worst leads the next round, so the worst plays last.",
    "lead_first": "The same player leads every round.",
}
PENALTY = {
    "touch": "Whoever touches the dice out of turn takes a penalty chip.",
    "off_table": "Whoever throws a die off the table takes a penalty chip, and throws it again.",
}
END = {
    "empty_hand_wins": "Whoever gives his last chip away in the discharge has won at once; nobody loses.",
    "all_chips_lose": "Whoever holds all the chips, once the charge is over, has lost.",
    "last_holder": "The first to give his last chip away has won and each who does so is out; whoever holds all the "
    "chips in the end has lost.",
    "first_out": "The first to give his last chip away has won and the game is over; if one player then holds all "
    "the chips, he has lost.",
    "most_points": "After the last round the most points win; equal totals share the win.",
    "counted_out": "At zero a player is out for good and the first has won; the last to hold chips has lost.",
}


def players(least: int, most: int) -> str:
    """How many play."""
    return f"{least} to {most} players."


def chips(each: int, pot: int) -> str:
    """What is where before the game."""
    return f"{count(pot, 'chip')} in the pot" + (
        f" and {each} for each player." if each else ", none in hand."
    )


def no_chips() -> str:
    """A game by points."""
    return "No chips: points are scored."


def pad(each: int) -> str:
    """The score pad."""
    return (
        f"{count(each, 'chip')} each; what a player gets rid of or picks up is entered by hand, without dice."
    )


def opening(dice: int, by_total: bool, lowest: bool) -> str:
    """Who leads the first round."""
    if dice == 1:
        who = f"the {'lowest' if lowest else 'highest'} die"
    elif by_total:
        who = f"the {'lowest' if lowest else 'highest'} total"
    else:
        who = f"the {'worst' if lowest else 'best'} hand"
    return (
        f"Everyone throws {'one die' if dice == 1 else 'three dice'}: {who} leads; those who tie throw again."
    )


def scorekeeper() -> str:
    """Who keeps the score."""
    return "The lowest total keeps the score."


def rounds(number: int) -> str:
    """How long a game by points is."""
    return f"{count(number, 'round')} are played." if number > 1 else "One round is played."


def throws(number: int, limit: str) -> str:
    """How often one may throw."""
    if number == 1:
        return "One throw each, no more."
    most = f"Up to {number} throws, keeping none, one or two dice before each further one"
    if limit == "none":
        return f"{most}."
    if limit == "leader":
        return f"{most}; nobody may use more throws than the leader did."
    return f"{most}; the others must use exactly as many throws as the leader did."


def score(points: int) -> str:
    """What the best hand scores."""
    return f"The best hand scores {count(points, 'point')}."


def bonus(hand: str, points: int) -> str:
    """What a hand at the first throw scores besides."""
    return f"{hand} at the first throw of a turn scores {points} more, whoever wins the round."


def to_worst_under(hand: str) -> str:
    """The hand that gives to the worst instead of the pot."""
    return f"If the best hand is {hand}, its holder gives all his chips but one to the worst instead."


def all_but_one(hands: list[str]) -> str:
    """Hands worth the whole pot but one chip."""
    return f"Under {either(hands)} the worst takes the whole pot but one chip, or the last chip there is."


def charge_over() -> str:
    """When the charge ends."""
    return "The charge is over when the pot is empty."


def nenette(hand: str, number: int) -> list[str]:
    """The hand whose holders take chips whatever the best is."""
    return [
        f"{hand} is the worst hand: each player who has it takes {count(number, 'chip')}, from the pot in the "
        "charge, from the best in the discharge; nothing else moves in that round.",
        "The last to receive a chip counts as the worst of the round.",
        "If everyone has it in the discharge, nothing moves at all, and the same player leads again.",
    ]


def double(hand: str) -> str:
    """The hand that doubles."""
    return f"If the worst hand is {hand}, it doubles the chips that move."


def penalty_from() -> list[str]:
    """Where penalty chips come from."""
    return ["Penalty chips come from the pot in the charge and from outside the game in the discharge."]


def back_in() -> str:
    """A penalty brings a player back."""
    return "It brings a player who had no chips left back in from the next round."


def ties(phase: str, ends: str) -> str:
    """Which ties are broken."""
    where = {"charge": "in the charge", "discharge": "in the discharge", "rounds": "in a round"}[phase]
    which = {"best": "for the best hand", "worst": "for the worst hand", "both": "at either end"}[ends]
    return f"A tie {which} {where} is broken by a roll-off."


def ties_under(hand: str) -> str:
    """The hand under which the worst end matters too."""
    return f"Under a {hand} a tie for the worst hand is broken, too."


def rolloff(dice: int) -> str:
    """How a tie is broken."""
    how = "one die, the highest is best" if dice == 1 else "three dice, read like a hand"
    return f"In a roll-off the tied players throw {how}; whoever still ties throws again."


def option(id: str, name: str, values: str, default: str) -> str:
    """An option and its values."""
    return f"{name} ({id}): {values} (default: {default})."


def range(low: int, high: int) -> str:
    """A whole number between limits."""
    return f"{low} to {high}"


def either(values: list[str]) -> str:
    """One of several."""
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"


def count(number: int, thing: str) -> str:
    """So many things."""
    return f"{number} {thing}" + ("" if number == 1 else "s")
