"""The game of 421 as a pure function of its events.

    state = new_game("rulebook", ["Ana", "Bo", "Cy"], {})
    state = apply(state, Throw("Ana", (6, 5, 2)))

For every event there is `verify` (raises an EventError, which names player, reason and what is allowed), `can`,
and `apply`, the act itself. States are never changed, only followed by new ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer import turns
from scorer.errors import SetupError
from scorer.events import Abandon, Adjust, Event, Leave, Penalty, Stand, Throw
from scorer.names import shown
from scorer.objections import allowed, expected, objection
from scorer.rules import Ruleset
from scorer.ruleset import load_ruleset, with_options
from scorer.state import NOBODY, OUTSIDE, POT, Draft, State

__all__ = ["allowed", "apply", "can", "check_players", "expected", "new_game", "verify"]


def new_game(
    ruleset: str | Ruleset, players: Sequence[str], options: Mapping[str, object] | None = None
) -> State:
    """Return the state before the first event. `players` sit clockwise in this order. Raises SetupError."""
    rules = with_options(load_ruleset(ruleset) if isinstance(ruleset, str) else ruleset, options or {})
    names = check_players(rules, players)
    count = len(names)
    pad = rules.score_pad
    return State(
        ruleset=rules,
        names=names,
        seats={player: seat for seat, player in enumerate(names)},
        phase="count" if pad else "opening",
        round=0,
        lead=NOBODY,
        order=() if pad else tuple(range(count)),
        at=0,
        turn=NOBODY if pad else 0,
        limit=0,
        hands=((),) * count,
        throws=(0,) * count,
        firsts=(),
        rolloff=None,
        tied_best=(),
        tied_worst=(),
        rolloffs=(),
        first_lead=NOBODY,
        pot=rules.pot,
        chips=(rules.chips_each,) * count,
        points=(0,) * count,
        left=(False,) * count,
        out=(False,) * count,
        moves=(),
        scores=(),
        winners=(),
        losers=(),
        scorekeeper=None,
        settlement=None,
        ending=None,
    )


def check_players(ruleset: Ruleset, players: Sequence[str]) -> tuple[str, ...]:
    """Return the names if these players can be seated. Raises SetupError."""
    least, most = ruleset.min_players, ruleset.max_players
    if not least <= len(players) <= most:
        raise SetupError(f"{shown(ruleset.id)} is played by {least} to {most} players, not by {len(players)}")
    seen: dict[str, str] = {}
    for player in players:
        plain = player.strip().casefold()
        if not plain:
            raise SetupError("a player's name is empty")
        if plain in (POT, OUTSIDE):
            raise SetupError(f"nobody can be called '{shown(player)}': chips move from and to it")
        if plain in seen:
            raise SetupError(
                f"two players are called '{shown(player)}' (capitals and outer blanks do not count)"
            )
        seen[plain] = player
    return tuple(players)


def apply(state: State, event: Event) -> State:
    """Return the state after the event. Raises what `verify` does, and then nothing has happened."""
    verify(state, event)
    draft = Draft(state)
    match event:
        case Throw():
            turns.throw(draft, event.dice, event.kept)
        case Stand():
            turns.end_turn(draft)
        case Penalty():
            turns.penalise(draft, state.seats[event.player])
        case Adjust():
            turns.adjust(draft, state.seats[event.player], event.chips)
        case Leave():
            turns.leave(draft, state.seats[event.player])
        case Abandon():
            draft.finish("abandoned")
    return draft.freeze()


def can(state: State, event: Event) -> bool:
    """Say whether the rules allow the event now."""
    return objection(state, event) is None


def verify(state: State, event: Event) -> None:
    """Raise InvalidEvent, IllegalEvent or AmbiguousEvent if the event cannot happen now."""
    error = objection(state, event)
    if error is not None:
        raise error
