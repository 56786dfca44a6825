"""Who plays a round, and who leads it."""

from __future__ import annotations

from collections.abc import Callable

from scorer.state import NOBODY, Draft

Plays = Callable[[Draft], list[int]]
"""Return the seats that play the round that begins, in seat order."""

Leads = Callable[[Draft], int]
"""Return the seat that should lead the next round, once the running one has been settled."""


def play_all(draft: Draft) -> list[int]:
    """Let everyone still in the game play."""
    return draft.present()


def play_holders(draft: Draft) -> list[int]:
    """Let those play who hold chips; the others are out until they get some."""
    draft.out[:] = [not chips for chips in draft.chips]
    return [seat for seat in draft.present() if draft.chips[seat]]


def play_not_out(draft: Draft) -> list[int]:
    """Let everyone play who is not out, with chips or without."""
    return [seat for seat in draft.present() if not draft.out[seat]]


def lead_best(draft: Draft) -> int:
    """Let the best lead."""
    return draft.tied_best[0]


def lead_worst(draft: Draft) -> int:
    """Let the worst lead."""
    return draft.tied_worst[0]


def lead_after_worst(draft: Draft) -> int:
    """Let the worst play last: the player after him leads."""
    return draft.after(draft.tied_worst[0])


def lead_first(draft: Draft) -> int:
    """Let the leader of round 1 lead."""
    return draft.first_lead


def last_taker(draft: Draft) -> int:
    """Return the player who took the last chips of this event."""
    return next(
        (draft.seats[move.taker] for move in reversed(draft.moves) if move.taker in draft.seats), NOBODY
    )


PLAYS: dict[str, Plays] = {"all": play_all, "holders": play_holders, "not_out": play_not_out}
NEXT: dict[str, Leads] = {
    "best": lead_best,
    "worst": lead_worst,
    "after_worst": lead_after_worst,
    "first_leader": lead_first,
}
FIRST: dict[str, Leads] = {"first_leader": lead_first, "last_taker": last_taker}
