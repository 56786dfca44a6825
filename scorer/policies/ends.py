"""When a game ends, who has won and who has lost.

Each function looks at the draft at a `moment` and finishes it where its rule says so. A ruleset may name
several: they are asked in its order until one has ended the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from scorer.state import Draft

Moment = Literal["charge_over", "settled", "left", "adjusted"]
"""The end of the charge, a round settled after it (or by points), a player gone, a score entered."""

Ends = Callable[[Draft, Moment], None]


def empty_hand_wins(draft: Draft, moment: Moment) -> None:
    """Let the best who has given his last chip away in the discharge win at once; nobody loses."""
    if moment == "settled" and _best_gave_his_last(draft):
        _win(draft, draft.tied_best[0])
        draft.finish("empty_hand_wins")


def all_chips_lose(draft: Draft, moment: Moment) -> None:
    """Let the one who holds all the chips, at the end of the charge or later, lose; nobody wins."""
    if moment == "charge_over" or draft.phase == "discharge":
        _last_holder_loses(draft, "all_chips_lose")


def last_holder(draft: Draft, moment: Moment) -> None:
    """Let the first to give away his last chip win, and the one who then, or later, holds all lose."""
    _sole_player_loses(draft, moment, "last_holder")
    if moment == "settled" and _best_is_out(draft):
        _last_holder_loses(draft, "last_holder")


def first_out(draft: Draft, moment: Moment) -> None:
    """End the game with the first player who gives away his last chip.

    He wins; one who then holds all has lost.
    """
    _sole_player_loses(draft, moment, "first_out")
    if moment == "settled" and _best_is_out(draft):
        _last_holder_loses(draft, "first_out")
        draft.finish("first_out")


def most_points(draft: Draft, moment: Moment) -> None:
    """Let the most points win after the last round; equal totals share the win."""
    if moment == "settled" and draft.round == draft.rules.count:
        present = draft.present()
        top = max(draft.points[seat] for seat in present)
        draft.winners = tuple(draft.names[seat] for seat in present if draft.points[seat] == top)
        draft.finish("most_points")


def counted_out(draft: Draft, _moment: Moment) -> None:
    """On the score pad, put out who is at zero; the first of them wins, the last to hold chips loses."""
    for seat in draft.present():
        if not draft.chips[seat] and not draft.out[seat]:
            draft.out[seat] = True
            _win(draft, seat)
    _last_holder_loses(draft, "counted_out")


def _best_gave_his_last(draft: Draft) -> bool:
    best = draft.tied_best[0] if draft.tied_best else None
    if best is None or draft.chips[best]:
        return False
    return any(move.giver == draft.names[best] for move in draft.moves)


def _best_is_out(draft: Draft) -> bool:
    """Put the best out, and name him winner if he is the first, where he has given his last chip just now."""
    if not _best_gave_his_last(draft):
        return False
    best = draft.tied_best[0]
    draft.out[best] = True
    _win(draft, best)
    return True


def _win(draft: Draft, seat: int) -> None:
    if not draft.winners:
        draft.winners = (draft.names[seat],)


def _last_holder_loses(draft: Draft, end: str) -> None:
    """Finish the game if one player holds all the chips there are: he has lost."""
    holders = [seat for seat in draft.present() if draft.chips[seat]]
    if len(holders) == 1 and not draft.pot:
        draft.losers = (draft.names[holders[0]],)
        draft.finish(end)


def _sole_player_loses(draft: Draft, moment: Moment, end: str) -> None:
    """When somebody left in the discharge: over without chips, or with one player still in, who has lost."""
    if moment != "left" or draft.phase != "discharge":
        return
    present = draft.present()
    still_in = [seat for seat in present if not draft.out[seat]]
    if not any(draft.chips[seat] for seat in present):
        draft.finish(end)
    elif len(still_in) == 1:
        draft.losers = (draft.names[still_in[0]],)
        draft.finish(end)


ENDS: dict[str, Ends] = {
    "empty_hand_wins": empty_hand_wins,
    "all_chips_lose": all_chips_lose,
    "last_holder": last_holder,
    "first_out": first_out,
    "most_points": most_points,
    "counted_out": counted_out,
}
