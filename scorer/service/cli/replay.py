"""`piste replay FILE... [--json]`: every state of a record, and the first fault."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from scorer.errors import InvalidRecord
from scorer.names import shown
from scorer.record import load, state_row, steps

EXIT_FAULT = 2


def run(args: argparse.Namespace) -> int:
    """Replay the files; a bad one does not stop the others. Returns 2 if any was bad."""
    several = len(args.files) > 1
    bad = False
    for file in args.files:
        try:
            for seq, state in steps(load(file, partial=True)):
                row = state_row(seq, state)
                if args.json:
                    print(json.dumps({"file": file, **row} if several else row))
                else:
                    print(f"{file}: {_readable(row)}" if several else _readable(row))
        except InvalidRecord as fault:
            bad = True
            sys.stdout.flush()
            print(f"{file}: {fault}", file=sys.stderr)
    return EXIT_FAULT if bad else 0


def _readable(row: dict[str, Any]) -> str:
    """Return the state on one line: moment, pot, chips, what moved, who is to play."""
    parts = [f"{row['seq']:>4}  {row['phase']}" + (f" {row['round']}" if row["round"] else "")]
    if row["rolloff"]:
        parts.append(f"roll-off for {row['rolloff']['end']}: {_names(row['rolloff']['players'])}")
    if row["pot"] is not None:
        parts.append(f"pot {row['pot']}")
    held = row["chips"] or row["points"]
    parts.append("  ".join(f"{shown(player)} {count}" for player, count in held.items()))
    parts += [f"{shown(move['from'])} > {shown(move['to'])} {move['chips']}" for move in row["moves"]]
    parts += [f"{shown(score['player'])} +{score['points']}" for score in row["scores"]]
    if row["to_play"] is not None:
        left = row["throws_left"]
        parts.append(f"{shown(row['to_play'])} to play, {left} throw{'s' if left > 1 else ''} left")
    parts += [f"winner: {_names(row['winners'])}"] if row["winners"] else []
    parts += [f"loser: {_names(row['losers'])}"] if row["losers"] else []
    return " | ".join(parts)


def _names(players: list[str]) -> str:
    return ", ".join(map(shown, players))
