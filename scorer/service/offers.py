"""The rolls that wait at a table: the one on offer, the one it displaced, those used up, those put off by an undo.

seen ──▶ current ──confirmed──▶ used up ──undone──▶ current; what was on offer is put off
            │ displaced by a newer one, unconfirmed
            ▼
          before ──confirmed──▶ used up; current stays, for whoever is asked next

What was put off comes back when the throw undone is confirmed or entered again. A new roll ends all that: who
throws goes on from where the game stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.service.corrected import as_confirmed
from scorer.service.lying import Lay, alike, lays_of, same_values, stayed
from scorer.service.watching import Asked, Offer

USED_KEPT = 24
"""So many throws can be taken back one after the other with their rolls."""


class Offers:
    """Rolls on offer. Not locked: the table is."""

    def __init__(self) -> None:
        self.current: Offer | None = None
        self.before: Offer | None = None
        self._used: dict[int, Offer] = {}
        self._put_off: list[
            tuple[Offer | None, Offer]
        ] = []  # before and current; the last is the first to come back

    @property
    def waiting(self) -> bool:
        """Whether a roll is on offer or will be."""
        return self.current is not None or self.puts_off

    @property
    def puts_off(self) -> bool:
        """Whether a roll waits for a throw undone to be confirmed again."""
        return bool(self._put_off)

    def seen(self, offer: Offer, *, waits: bool, again: Offer | None = None) -> None:
        """A new roll; `waits` says that the one on offer is still to be confirmed. Its dice may be those of `again`."""
        if waits:
            self.before = self.current
        if again is not None and again is self.before:
            self.before = None
        self.current = offer
        self._put_off.clear()

    def find(self, roll: str) -> Offer | None:
        """The roll of that id, as long as it can be confirmed."""
        return next((offer for offer in (self.current, self.before) if offer and offer.id == roll), None)

    def lie_again(self, lays: Sequence[Lay]) -> Offer | None:
        """The roll that was seen last, if it waits and its dice lie in just these places, whatever they show."""
        newest = self._put_off[0][1] if self._put_off else self.current
        if newest is None:
            return None
        then = lays_of(newest.as_read)
        return newest if len(lays) == len(then) and None not in stayed(lays, then) else None

    def shown_again(self, lays: Sequence[Lay]) -> Offer | None:
        """The roll that waits and whose dice showed just these values, wherever they lay; the newest first."""
        return next((offer for offer in self._lying() if alike(lays, lays_of(offer.as_read))), None)

    def most(self) -> int:
        """How many dice may lie there of the rolls that wait."""
        return max((len(offer.as_read.dice) for offer in self._lying()), default=0)

    def _lying(self) -> list[Offer]:
        newest = self._put_off[0][1] if self._put_off else self.current
        return [offer for offer in (newest, self.before) if offer is not None]

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
        self._remember(offer, seq)
        if offer is not None and offer is self.before and self.current is not None:
            # Thrown while the roll before it lay unconfirmed, it is the next throw.
            self.current = replace(self.current, asked=asked)
            self.before = None
        else:
            self._come_back()

    def rolled(self, offer: Offer, seq: int) -> None:
        """`offer` turned out to be the throw that was entered by hand as entry `seq`."""
        self._remember(offer, seq)
        if self.current is not None and self.current.entered:
            self.current = None  # a look at some of these dice, past a hand

    def asks(self, asked: Asked | None) -> None:
        """The game asks for `asked` without a throw: a roll put off may be it."""
        if self._put_off and asked is not None and self._put_off[-1][1].asked == asked:
            self._come_back()

    def undone(
        self, seq: int, throw: tuple[Sequence[int], Sequence[int]] | None, asked: Asked | None
    ) -> None:
        """Entry `seq` is taken back, and the game asks for `asked` again.

        For a `throw` (dice and kept) the roll that it used up is on offer again as it was confirmed; what is on
        offer now, being of later throws, is put off.
        """
        if throw is None:
            return
        used = self._used.get(seq)
        if used is None and self.current is not None and self._is_of(self.current, seq, asked):
            return  # it is that throw itself, seen after it was entered
        if self.current is not None and self.current.like != seq:
            self._put_off.append((self.before, self.current))
        self.before = None
        self.current = None if used is None else replace(as_confirmed(used, *throw), asked=asked)

    def of(self, seq: int) -> Offer | None:
        """The roll that entry `seq` of the log used up, where an undo has put it on offer again."""
        used = self._used.get(seq)
        return None if used is None else self.find(used.id)

    def forget(self, offer: Offer) -> None:
        """`offer` is not a throw. What lies there is read again for `current`, and so nothing is put off."""
        if offer is self.current:
            self.current = None
            self._put_off.clear()
        else:
            self.before = None

    def clear(self) -> tuple[Lay, ...]:
        """Forget all; how the dice that were seen last lay, if they were on offer."""
        newest = self._put_off[0][1] if self._put_off else self.current
        self.current = self.before = None
        self._used.clear()
        self._put_off.clear()
        return () if newest is None else lays_of(newest.as_read)

    def _remember(self, offer: Offer | None, seq: int) -> None:
        if offer is not None:
            self._used[seq] = offer
            while len(self._used) > USED_KEPT:
                del self._used[min(self._used)]

    def _come_back(self) -> None:
        self.before, self.current = self._put_off.pop() if self._put_off else (None, None)

    @staticmethod
    def _is_of(offer: Offer, seq: int, asked: Asked | None) -> bool:
        return offer.like == seq if offer.like is not None else offer.asked == asked
