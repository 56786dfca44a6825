"""How fast the rules are: events applied a second on one core, and `piste replay` as a whole process.

    python benchmarks/engine.py [--games N] [--profile]

Aims: 50,000 events a second, and 0.25 s for a record of 200 events. `--profile` shows where the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from scorer.events import Entry, Event
from scorer.game import apply, new_game
from scorer.record import Record
from scorer.ruleset import available_rulesets, load_ruleset
from scorer.simulate import STRATEGIES, random_events
from scorer.state import State

PLAYERS = 4
AIM_EVENTS = 50_000
AIM_REPLAY = 0.25
TRIES = 11


def games_of(id: str, number: int) -> tuple[State, list[list[Event]]]:
    """Games thrown beforehand, so that neither dice nor choices are timed."""
    ruleset = load_ruleset(id)
    start = new_game(ruleset, [f"P{seat}" for seat in range(PLAYERS)], {})
    choose = STRATEGIES["random"](ruleset)
    return start, [
        [event for event, _ in random_events(start, Random(seed), choose)] for seed in range(number)
    ]


def play(start: State, games: list[list[Event]]) -> None:
    for events in games:
        state = start
        for event in events:
            state = apply(state, event)


def events_a_second(id: str, number: int) -> float:
    start, games = games_of(id, number)
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        play(start, games)
        best = min(best, time.process_time() - began)
    return sum(map(len, games)) / best


def record_of_200() -> str:
    """A record of exactly 200 events: the beginning of a game by belgian rules."""
    ruleset = load_ruleset("belgian")
    start = new_game(ruleset, [f"P{seat}" for seat in range(PLAYERS)], {})
    for seed in range(1000):
        game = random_events(start, Random(seed), STRATEGIES["random"](ruleset))
        events = [event for event, _ in game]
        if len(events) >= 200:
            return Record(ruleset.id, start.names, tuple(map(Entry, events[:200]))).to_json()
    raise RuntimeError("no game of 200 events")


def seconds_of_replay(arguments: list[str]) -> list[float]:
    """Wall time of `piste replay` as a whole process, several times, in order of size."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        path.write_text(record_of_200(), encoding="utf-8")
        command = [sys.executable, "-m", "scorer.service.cli.main", "replay", str(path), *arguments]
        times = []
        for _ in range(TRIES):
            began = time.perf_counter()
            done = subprocess.run(command, capture_output=True, check=True, cwd=Path(__file__).parents[1])
            times.append(time.perf_counter() - began)
            assert done.stdout.count(b"\n") == 200
    return sorted(times)


def profile(number: int) -> None:
    start, games = games_of("belgian", number)
    with cProfile.Profile() as profiler:
        play(start, games)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(12)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100, help="games of each ruleset (default 100)")
    parser.add_argument("--profile", action="store_true", help="profile belgian instead")
    args = parser.parse_args()
    if args.profile:
        profile(args.games)
        return 0
    print(f"events a second on one core, {PLAYERS} players, {args.games} games (aim: {AIM_EVENTS:,})")
    for id in available_rulesets():
        print(f"  {id:<10}{events_a_second(id, args.games):>12,.0f}")
    print(f"piste replay of 200 events, whole process, median of {TRIES} (aim: {AIM_REPLAY} s)")
    for arguments in ([], ["--json"]):
        times = seconds_of_replay(arguments)
        told = " ".join(arguments) or "(text)"
        print(f"  {told:<10}{times[TRIES // 2]:>9.3f} s   least {times[0]:.3f}, most {times[-1]:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
