"""Where dice lay, and which dice of a later reading lie there still.

A die that lies as it lay when its throw was confirmed has not been thrown again: it is nobody's new throw, or
it was kept. Boxes are kept in parts of the picture's width and height, so that the size of the picture does
not matter. Free of any picture library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from scorer.hands import canonical
from vision.roll import Reading

NEAR = 0.35
"""How far its middle may be from where it was, in parts of the die's own size. The box of a die that nobody
touches wanders by some hundredths; a die pushed aside or thrown again lies further off."""

MOST_KEPT = 2


class Lay(NamedTuple):
    """One die as it lay: the value read there, and its box in parts of the picture's width and height."""

    value: int
    x0: float
    y0: float
    x1: float
    y1: float


def lays_of(reading: Reading) -> tuple[Lay, ...]:
    """How the dice of a reading lie."""
    width, height = reading.width or 1, reading.height or 1
    return tuple(
        Lay(
            die.value,
            round(die.box[0] / width, 5),
            round(die.box[1] / height, 5),
            round(die.box[2] / width, 5),
            round(die.box[3] / height, 5),
        )
        for die in reading.dice
    )


def lays_from_json(rows: Any) -> tuple[Lay, ...]:
    """What `[list(lay), ...]` was made from. Raises ValueError."""
    try:
        return tuple(Lay(int(row[0]), *(float(edge) for edge in row[1:])) for row in rows)
    except (TypeError, IndexError, KeyError) as error:
        raise ValueError(f"dice that lay there: {error}") from error


def stayed(now: Sequence[Lay], then: Sequence[Lay]) -> list[Lay | None]:
    """For each die of `now` the die of `then` that lay in its place, whatever it shows; None where none did."""
    pairs = sorted(
        (off, at, before)
        for at, lay in enumerate(now)
        for before, other in enumerate(then)
        if (off := _off(lay, other)) <= NEAR
    )
    found: list[Lay | None] = [None] * len(now)
    used: set[int] = set()
    for _, at, before in pairs:
        if found[at] is None and before not in used:
            found[at] = then[before]
            used.add(before)
    return found


def lies_as(now: Sequence[Lay], then: Sequence[Lay], hand: Sequence[int] = ()) -> bool:
    """Whether all dice of `now` lie as `then`, with the values read then, or those of `hand`: as corrected."""
    places = stayed(now, then)
    if not now or None in places:
        return False
    as_read = all(lay.value == place.value for lay, place in zip(now, places, strict=True) if place)
    return as_read or not Counter(lay.value for lay in now) - Counter(hand)


def kept_dice(now: Sequence[Lay], then: Sequence[Lay], hand: Sequence[int]) -> tuple[bool, ...]:
    """Which dice of `now` lie as they did `then`, in the throw before of the same turn, and are of the `hand`.

    A die whose value was corrected at the time counts when it is read as corrected now.
    """
    places = stayed(now, then)
    free = Counter(hand)
    kept = []
    for lay, place in zip(now, places, strict=True):
        as_it_was = place is not None and (lay.value == place.value or place.value not in hand)
        kept.append(as_it_was and free[lay.value] > 0)
        free[lay.value] -= kept[-1]
    # Nothing was thrown, then: those are the dice of the throw before, all of them.
    return tuple(kept) if sum(kept) <= MOST_KEPT else (False,) * len(kept)


def alike(now: Sequence[Lay], then: Sequence[Lay]) -> bool:
    """Whether dice show what others showed, wherever they lie; no dice are like none."""
    return bool(now) and Counter(lay.value for lay in now) == Counter(lay.value for lay in then)


def same_values(now: Sequence[Lay], dice: Sequence[int], kept: Sequence[int]) -> bool:
    """Whether the dice of `now` show just those thrown, or those thrown and those kept."""
    values = canonical(lay.value for lay in now)
    return values in (canonical(dice), canonical([*dice, *kept]))


def _off(lay: Lay, other: Lay) -> float:
    """How far the middles are apart, in parts of a die's size."""
    wide = (lay.x1 - lay.x0 + other.x1 - other.x0) / 2
    high = (lay.y1 - lay.y0 + other.y1 - other.y0) / 2
    if wide <= 0 or high <= 0:
        return float("inf")
    across = (lay.x0 + lay.x1 - other.x0 - other.x1) / 2 / wide
    down = (lay.y0 + lay.y1 - other.y0 - other.y1) / 2 / high
    return float((across * across + down * down) ** 0.5)
