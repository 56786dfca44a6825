"""Sentences in English, one function or table for each thing to tell. See `scorer.sentences`."""

from __future__ import annotations

from collections.abc import Callable

CAPPED = "all there were"
ALL_BUT_ONE = "all but one"
LAST = "the last one"
LAST_STAYS = "the last one stays"
NONE_THERE = "there were none"
GOES_ON = "The game goes on."
NOBODY = "The game is over; nobody has won or lost."
ABANDONED = "The table stops the game."

SETTLED: dict[str, Callable[[str, str, str, str, int], str]] = {
    "take_from_pot": lambda hand, chips, worst, rolled, moved: (
        f"{hand} makes {worst} take {chips} from the pot{rolled}."
    ),
    "pay_pot": lambda hand, chips, worst, rolled, moved: f"{hand} puts {chips} back into the pot{rolled}.",
    "give_to_worst": lambda hand, chips, worst, rolled, moved: f"{hand} gives {chips} to {worst}{rolled}.",
}

WITHOUT_RESULT: dict[str, Callable[[str], str]] = {
    "alone": lambda player: f"Only {player} is left in the game: it is over without a result.",
    "abandoned": lambda player: "The table stopped: the game is over.",
    "nobody": lambda player: "Nobody is in the game any more: it is over.",
}


def hand_of(players: list[str], hand: str) -> str:
    """Whose hand it is, as the subject of a sentence."""
    return f"{players[0]}'s {hand}" if len(players) == 1 else f"The {hand} of {listed(players)}"


def chips(count: int) -> str:
    """So many chips."""
    return "no chips" if not count else f"{count} chip" + ("s" if count > 1 else "")


def why(reasons: list[str]) -> str:
    """Reasons in brackets."""
    return f" ({', '.join(reasons)})" if reasons else ""


def doubled(hand: str, moved: int) -> str:
    """Why it is twice as many."""
    return f"doubled by {hand}"


def after_rolloffs(count: int) -> str:
    """After so many roll-offs."""
    return " after a roll-off" if count == 1 else f" after {count} roll-offs"


def nenette(hand: str, costs: list[tuple[str, int]], capped: str, giver: str | None, rolled: str) -> str:
    """What a nénette cost, and why no more; `giver` is None for the pot."""
    told = listed([f"{player} {chips(count)}" for player, count in costs])
    return f"{hand} costs {told}{capped}, {'from the pot' if giver is None else f'from {giver}'}{rolled}."


def all_have(hand: str) -> str:
    """Everyone has the nénette."""
    return f"Everyone has {hand}, so nothing moves."


def costs_none(hand: str, giver: str, rolled: str) -> str:
    """The one who ought to pay for the nénette has nothing."""
    return f"{hand} costs no chips: {giver} has none to give{rolled}."


def scores(hand: str, points: int, rolled: str) -> str:
    """The best hand's points."""
    return f"{hand} scores {_points(points)}{rolled}."


def bonuses(hand: str, first: list[tuple[str, int]]) -> str:
    """Bonus points."""
    told = listed([f"{player} {points} more" for player, points in first])
    return f"{hand} at the first throw gives {told}."


def alone(player: str) -> str:
    """A round of a single player."""
    return f"{player} was alone in the round, so nothing moves."


def rolloff(end: str, thrown: list[str]) -> str:
    """A roll-off and its throws."""
    what = {
        "opening": "to lead",
        "best": "for the best hand",
        "worst": "for the worst hand",
        "both": "for the best and the worst hand",
    }[end]
    return f"Roll-off {what}: {', '.join(thrown)}."


def rolloff_decided(player: str, won: bool, own: str, others: list[str]) -> str:
    """Who has won or lost a roll-off."""
    return f"{player} {'wins' if won else 'loses'} the roll-off: {own} against {listed(others)}."


def rolloff_tied(players: list[str], dice: str) -> str:
    """Who must roll off again."""
    return f"{listed(players)} are level at {dice} in the roll-off."


def penalty(player: str, reason: str, from_pot: bool, void: bool) -> str:
    """A penalty chip."""
    deed = "touches the dice" if reason == "touch" else "throws a die off the table"
    source = "the pot" if from_pot else "outside"
    told = f"{player} {deed} and takes a penalty chip from {source}."
    return f"{told} It was the last one: the round is void." if void else told


def leaves(player: str, count: int, to_pot: bool) -> str:
    """Somebody leaves."""
    if not count:
        return f"{player} leaves the game."
    go = "goes" if count == 1 else "go"
    return (
        f"{player} leaves the game: {chips(count)} {go} {'back to the pot' if to_pot else 'out of the game'}."
    )


def adjusted(player: str, count: int, taken: bool) -> str:
    """An entry on the score pad."""
    return f"{player} {'picks up' if taken else 'gets rid of'} {chips(count)}."


def leads(player: str) -> str:
    """Who leads the game."""
    return f"{player} leads the first round."


def leads_with(player: str, hand: str, rolloff: tuple[str, list[str]] | None) -> str:
    """Who leads the game, and why."""
    if rolloff is None:
        return f"{player} leads with {hand}."
    own, others = rolloff
    return f"{player} leads with {hand} after a roll-off: {own} against {listed(others)}."


def keeps_score(player: str) -> str:
    """Who keeps the score."""
    return f"{player} keeps the score."


def most_points(winners: list[str], points: int) -> str:
    """The end of a game by points."""
    if len(winners) == 1:
        return f"{winners[0]} wins with {_points(points)}."
    return f"{listed(winners)} share the win with {_points(points)} each."


def had_won(winners: list[str]) -> str:
    """A winner named before."""
    return f"{listed(winners)} had won already."


def wins(player: str, first: bool) -> str:
    """Why somebody has won."""
    if first:
        return f"{player} was the first to have no chips left and wins"
    return f"{player} has given the last chip away and wins"


def loses(player: str) -> str:
    """Why somebody has lost."""
    return f"{player} is left with all the chips and has lost"


def joined(parts: list[str]) -> str:
    """Clauses as one sentence."""
    return "; ".join(parts) + "."


def listed(items: list[str]) -> str:
    """Return "Ana, Bo and Cy"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _points(points: int) -> str:
    return f"{points} point" + ("" if points == 1 else "s")
