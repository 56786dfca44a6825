"""The game of 421 as a pure function of its events.

    state = new_game("rulebook", ["Ana", "Bo", "Cy"], {})
    state = apply(state, Throw("Ana", (6, 5, 2)))

For every event there is `verify` (raises IllegalEvent, naming player, reason and what is allowed), `can`, and
`apply`, the act itself. States are never changed, only followed by new ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer import turns
from scorer.errors import IllegalEvent, SetupError
from scorer.events import Abandon, Adjust, Event, Leave, Penalty, Stand, Throw
from scorer.hands import CANONICAL, contains, name
from scorer.rules import Ruleset
from scorer.ruleset import load_ruleset, with_options
from scorer.state import NOBODY, OUTSIDE, POT, Draft, Expected, State

MOST_ADJUSTED = 99


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
    )


def check_players(ruleset: Ruleset, players: Sequence[str]) -> tuple[str, ...]:
    """Return the names if these players can be seated. Raises SetupError."""
    least, most = ruleset.min_players, ruleset.max_players
    if not least <= len(players) <= most:
        raise SetupError(f"{ruleset.id} is played by {least} to {most} players, not by {len(players)}")
    seen: dict[str, str] = {}
    for player in players:
        plain = player.strip().casefold()
        if not plain:
            raise SetupError("a player's name is empty")
        if plain in (POT, OUTSIDE):
            raise SetupError(f"nobody can be called {player!r}: chips move from and to it")
        if plain in seen:
            raise SetupError(f"two players are called {player!r} (capitals and outer blanks do not count)")
        seen[plain] = player
    return tuple(players)


def apply(state: State, event: Event) -> State:
    """Return the state after the event. Raises IllegalEvent, and then nothing has happened."""
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
            draft.finish()
    return draft.freeze()


def can(state: State, event: Event) -> bool:
    """Say whether the rules allow the event now."""
    return _objection(state, event) is None


def verify(state: State, event: Event) -> None:
    """Raise IllegalEvent if the rules do not allow the event now."""
    wrong = _objection(state, event)
    if wrong is not None:
        raise IllegalEvent(wrong, allowed(state))


def expected(state: State) -> Expected | None:
    """Return what the moment asks for; None when nobody is to play (the game is over, or is a score pad)."""
    if state.turn == NOBODY:
        return None
    special = state.rolloff is not None or state.phase == "opening"
    thrown = 0 if special else state.throws[state.turn]
    return Expected(
        player=state.names[state.turn],
        throw=thrown + 1,
        of=state.throw_limit,
        throws_left=state.throws_left,
        dice=_dice(state),
        hand=state.hands[state.turn] if thrown else (),
        can_stand=thrown > 0 and not _must_go_on(state),
        may_keep=thrown > 0,
        rolloff=state.rolloff,
    )


def allowed(state: State) -> str:
    """Return in words what can happen now."""
    if state.phase == "over":
        return "nothing, the game is over"
    if state.ruleset.score_pad:
        return "an adjust of a player who still holds chips, leave, abandon"
    now = expected(state)
    assert now is not None
    if not now.throw > 1:
        dice = "one die" if now.dice == 1 else "three dice"
        words = f"a throw of {dice} by {now.player}, keeping none"
    else:
        words = f"throw {now.throw} of {now.of} by {now.player}, keeping at most two dice of {name(now.hand)}"
    if now.can_stand:
        words += ", or stand"
    others = [] if state.rolloff is not None else ["leave"]
    if state.ruleset.penalties and state.phase != "opening":
        others.append("penalty")
    return ", ".join([words, *others, "abandon"])


def _dice(state: State) -> int:
    """Return how many dice what is thrown and kept must make together."""
    if state.phase == "opening":
        assert state.ruleset.opening is not None
        return state.ruleset.opening.dice
    return 3 if state.rolloff is None else state.ruleset.rolloff_dice


def _must_go_on(state: State) -> bool:
    """Say whether the one to play must use as many throws as the leader did."""
    return state.limit > 0 and state.ruleset.phases[state.phase].limit == "exact"


def _objection(state: State, event: Event) -> str | None:
    """Return in words why the event cannot happen now, None if it can."""
    if state.phase == "over":
        return "the game is over"
    if isinstance(event, Abandon):
        return None
    seat = state.seats.get(event.player)
    if seat is None:
        return f"nobody here is called {event.player!r}; the players are {', '.join(state.names)}"
    if state.left[seat]:
        return f"{event.player} has left the game"
    match event:
        case Throw():
            return _against_throw(state, seat, event)
        case Stand():
            return _against_stand(state, seat)
        case Leave():
            if state.rolloff is not None:
                return f"{event.player} cannot leave while a tie is being thrown for"
            return None
        case Penalty():
            return _against_penalty(state, seat, event)
        case Adjust():
            return _against_adjust(state, seat, event)


def _against_turn(state: State, seat: int) -> str | None:
    if state.turn == NOBODY:
        return f"{state.ruleset.id} is played without dice"
    if seat != state.turn:
        return f"it is {state.to_play} who plays now, not {state.names[seat]}"
    return None


def _against_throw(state: State, seat: int, event: Throw) -> str | None:
    wrong = _against_turn(state, seat)
    if wrong is not None:
        return wrong
    player, dice, kept, wanted = event.player, event.dice, event.kept, _dice(state)
    if not dice:
        return f"{player} throws no dice"
    if kept:
        if state.rolloff is not None or state.phase == "opening":
            return f"{player} keeps {name(kept)}, but nothing is kept {_moment(state)}"
        if not state.throws[seat]:
            return f"{player} keeps {name(kept)}, but nothing is kept at a turn's first throw"
        if not contains(state.hands[seat], kept):
            return f"{player} keeps {name(kept)}, which is not in his hand {name(state.hands[seat])}"
    if len(dice) + len(kept) != wanted:
        together = f"{len(dice)} thrown and {len(kept)} kept" if kept else str(len(dice))
        return f"{player}'s dice are {together}, but must be {wanted} {_moment(state)}"
    if kept + dice not in CANONICAL:
        return f"a die shows 1 to 6, but {player}'s show {', '.join(map(str, dice))}"
    return None


def _moment(state: State) -> str:
    if state.rolloff is not None:
        return "in a roll-off"
    return "in the opening" if state.phase == "opening" else "in a turn"


def _against_stand(state: State, seat: int) -> str | None:
    wrong = _against_turn(state, seat)
    if wrong is not None:
        return wrong
    player = state.names[seat]
    if state.rolloff is not None or state.phase == "opening":
        return f"{player} cannot stand {_moment(state)}"
    if not state.throws[seat]:
        return f"{player} cannot stand before his first throw"
    if _must_go_on(state):
        return f"{player} must use exactly {state.limit} throws, as the leader did"
    return None


def _against_penalty(state: State, seat: int, event: Penalty) -> str | None:
    if event.reason not in state.ruleset.penalties:
        return f"{state.ruleset.id} has no penalty {event.reason!r}"
    if state.phase == "opening":
        return "there are no penalties in the opening"
    if event.reason == "touch" and seat == state.turn:
        return f"{event.player} is to play and may touch the dice"
    if event.reason == "off_table" and seat != state.turn:
        return f"{event.player} is not to play and throws no dice off the table"
    return None


def _against_adjust(state: State, seat: int, event: Adjust) -> str | None:
    if not state.ruleset.score_pad:
        return f"chips are entered by hand only on the score pad, not in {state.ruleset.id}"
    if state.out[seat]:
        return f"{event.player} is out for good"
    if not event.chips or abs(event.chips) > MOST_ADJUSTED:
        return f"an adjust is a whole number from -{MOST_ADJUSTED} to {MOST_ADJUSTED}, not {event.chips}"
    if state.chips[seat] + event.chips < 0:
        return f"{event.player} holds {state.chips[seat]} and cannot get rid of {-event.chips}"
    return None
