"""`piste simulate`: fair random games, and what they come to. The strategies are told in `scorer.simulate`."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from time import perf_counter

from scorer.names import shown
from scorer.rulefile import find_ruleset
from scorer.service.cli.options import chosen_ruleset
from scorer.simulate import Report, simulate, summary


def run(args: argparse.Namespace) -> int:
    """Play, and print the report; how fast it went is said on standard error."""
    ruleset = chosen_ruleset(find_ruleset(args.rules), args.option)
    seed = secrets.randbelow(2**32) if args.seed is None else args.seed
    began = perf_counter()
    report = simulate(ruleset, args.players, args.games, seed, args.strategy)
    took = perf_counter() - began
    print(json.dumps(report.to_json()) if args.json else "\n".join(_readable(report)))
    sys.stdout.flush()
    events = sum(report.events)
    print(f"{events} events in {took:.2f} s, {events / max(took, 1e-9):.0f} a second", file=sys.stderr)
    return 0


def _readable(report: Report) -> list[str]:
    seats = range(1, report.players + 1)
    options = "".join(f", {name} = {json.dumps(value)}" for name, value in report.options.items())
    lines = [
        f"{shown(report.ruleset)}{options}: {report.games} games of {report.players} players, strategy "
        f"{report.strategy}, seed {report.seed}",
        "",
        f"{'a game':<24}{'mean':>10}{'least':>8}{'middle':>8}{'most':>8}",
    ]
    for title, numbers in (("rounds", report.rounds), ("throws", report.throws), ("events", report.events)):
        told = summary(numbers)
        lines.append(
            f"{title:<24}{told['mean']:>10.2f}{told['least']:>8}{told['middle']:>8}{told['most']:>8}"
        )
    lines.append(f"{'roll-offs':<24}{report.rolloffs / report.games:>10.2f}")
    if report.unfinished:
        lines.append(f"given up as too long: {report.unfinished} games")
    lines += ["", f"{'seat':<24}" + "".join(f"{seat:>10}" for seat in seats)]
    for title, count in (("wins", report.won), ("loses", report.lost), ("leads the first round", report.led)):
        if count:
            shares = [f"{100 * count[seat] / report.games:.1f}%" for seat in seats]
            lines.append(f"{title:<24}" + "".join(f"{share:>10}" for share in shares))
    if any(report.points.values()):
        lines.append(_per_game("points", [report.points[seat] for seat in seats], report.games))
    return lines + _flow(report)


def _flow(report: Report) -> list[str]:
    """Chips that went from each giver to each taker, on average in a game."""
    if not report.flow:
        return []
    seats = [str(seat) for seat in range(1, report.players + 1)]
    takers = [where for where in (*seats, "pot", "outside") if any(to == where for _, to in report.flow)]
    lines = ["", f"{'chips a game, from | to':<24}" + "".join(f"{where:>10}" for where in takers)]
    for giver in ("pot", "outside", *seats):
        if any(source == giver for source, _ in report.flow):
            given = [report.flow[giver, taker] for taker in takers]
            lines.append(_per_game(giver, given, report.games))
    return lines


def _per_game(title: str, numbers: list[int], games: int) -> str:
    return f"{title:<24}" + "".join(
        f"{number / games:>10.2f}" if number else f"{'–':>10}" for number in numbers
    )
