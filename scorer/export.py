"""A record as a table for a spreadsheet: CSV, one row a throw. `docs/record.md` describes the columns.

A spreadsheet takes a cell that begins with one of `= + - @`, a tab or a line break for a formula, whoever wrote
it: such texts get an apostrophe in front.
"""

from __future__ import annotations

import csv
from io import StringIO

from scorer.events import Throw
from scorer.hands import name
from scorer.record import Record, steps

COLUMNS = (
    "seq",
    "at",
    "phase",
    "round",
    "rolloff",
    "player",
    "throw",
    "kept",
    "dice",
    "hand",
    "source",
    "confidence",
    "image",
)
"""When it was thrown (`throw` counts those of the turn from 1), by whom, what, and who read it."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def to_csv(record: Record) -> str:
    """Return the throws of a record. Raises InvalidRecord if it does not hold."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    before = record.new_game()
    for seq, state in steps(record):
        entry = record.entries[seq - 1]
        event = entry.event
        if isinstance(event, Throw):
            rolloff = before.rolloff
            thrown = 0 if rolloff is not None else before.throws[before.turn]
            writer.writerow(
                (
                    seq,
                    entry.at or "",
                    before.phase,
                    before.round,
                    rolloff.end if rolloff is not None else "",
                    harmless(event.player),
                    thrown + 1,
                    name(event.kept),
                    name(event.dice),
                    name(event.kept + event.dice),
                    entry.source or "",
                    "" if entry.confidence is None else entry.confidence,
                    harmless(entry.image or ""),
                )
            )
        before = state
    return out.getvalue()


def harmless(text: str) -> str:
    """Return the text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
