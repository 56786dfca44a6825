"""The rolls that wait at a table: the one on offer, the one it displaced, the one used up last.

seen ──▶ current ──confirmed──▶ spent ──undone──▶ current
            │ displaced by a newer one, unconfirmed
            ▼
          before ──confirmed──▶ spent; current stays, for whoever is asked next
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.service.lying import Lay, lays_of, same_values, stayed
from scorer.service.watching import Asked, Offer


class Offers:
    """Rolls on offer. Not locked: the table is."""

    def __init__(self) -> None:
        self.current: Offer | None = None
        self.before: Offer | None = None
        self._spent: tuple[int, Offer] | None = None

    def seen(self, offer: Offer, *, waits: bool) -> None:
        """A new roll; `waits` says that the one on offer is still to be confirmed."""
        if waits:
            self.before = self.current
        self.current = offer
        self._spent = None

    def find(self, roll: str) -> Offer | None:
        """The roll of that id, as long as it can be confirmed."""
        return next((offer for offer in (self.current, self.before) if offer and offer.id == roll), None)

    def lie_again(self, lays: Sequence[Lay]) -> Offer | None:
        """The roll on offer if its dice lie in just these places, whatever they are said to show."""
        if self.current is None:
            return None
        then = lays_of(self.current.roll.reading)
        return self.current if len(lays) == len(then) and None not in stayed(lays, then) else None

    def by_hand(self, dice: Sequence[int], kept: Sequence[int]) -> Offer | None:
        """The roll that a throw entered by hand uses up: the dice that lie there are that throw.

        Where two wait, the first of them is, unless only the second shows just these dice.
        """
        if self.before is None or self.current is None:
            return self.current or self.before
        first, second = (
            same_values(lays_of(o.roll.reading), dice, kept) for o in (self.before, self.current)
        )
        return self.current if second and not first else self.before

    def use(self, offer: Offer | None, seq: int, asked: Asked | None) -> None:
        """Entry `seq` of the log has used up `offer`; the game asks for `asked` now."""
        self._spent = None if offer is None else (seq, offer)
        if offer is not None and offer is self.before and self.current is not None:
            # Thrown while the roll before it lay unconfirmed, it is the next throw.
            self.current = replace(self.current, asked=asked)
        else:
            self.current = None
        self.before = None

    def rolled(self, offer: Offer, seq: int) -> None:
        """`offer` turned out to be the throw that was entered by hand as entry `seq`."""
        self._spent = (seq, offer)
        if self.current is not None and self.current.entered:
            self.current = None  # a look at some of these dice, past a hand

    def undone(self, seq: int) -> None:
        """Entry `seq` is taken back: what it used up, if its dice lie there still, is on offer again."""
        spent = self._spent
        if spent is None or spent[0] != seq:
            return
        self._spent = None
        if self.current is None:
            self.current = spent[1]
        else:
            self.before = spent[1]
            self.current = replace(self.current, asked=spent[1].asked)

    def moved(self) -> None:
        """The dice of the throw confirmed last are no longer as they lay."""
        self._spent = None

    def forget(self, offer: Offer) -> None:
        """`offer` is not a throw."""
        if offer is self.current:
            self.current = None
        else:
            self.before = None

    def clear(self) -> tuple[Lay, ...]:
        """Forget all; how the dice on offer lay."""
        lays = () if self.current is None else lays_of(self.current.roll.reading)
        self.current = self.before = self._spent = None
        return lays
