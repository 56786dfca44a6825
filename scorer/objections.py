"""What speaks against an event at this moment, and what could happen instead.

Three kinds of objection, see `scorer.errors`: the event cannot be read, the rules forbid it, or it may have
meant one of several things that are legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from scorer.errors import AmbiguousEvent, EventError, IllegalEvent, InvalidEvent
from scorer.events import Abandon, Adjust, Event, Leave, Penalty, Stand, Throw
from scorer.hands import FACES, Hand, canonical, contains, name
from scorer.names import meant, shown
from scorer.state import NOBODY, Expected, State

MOST_ADJUSTED = 99
PENALTIES = ("touch", "off_table")


def objection(state: State, event: Event) -> EventError | None:
    """Return why the event cannot happen now, None if it can."""
    if state.phase == "over":
        return _illegal(state, event, "the game is over")
    if isinstance(event, Abandon):
        return None
    seat = state.seats.get(event.player)
    if seat is None:
        return nobody(event.player, state.names, allowed(state), event)
    if state.left[seat]:
        return _illegal(state, event, f"{shown(event.player)} has left the game")
    match event:
        case Throw():
            return _against_throw(state, seat, event)
        case Stand():
            return _against_stand(state, seat, event)
        case Leave():
            if state.rolloff is not None:
                wrong = f"{shown(event.player)} cannot leave while a tie is being thrown for"
                return _illegal(state, event, wrong)
            return None
        case Penalty():
            return _against_penalty(state, seat, event)
        case Adjust():
            return _against_adjust(state, seat, event)


def nobody(said: str, names: Sequence[str], allowed: str, event: Event) -> EventError:
    """Return the error for a player whom nobody is exactly called: ambiguous if somebody may be meant."""
    assert not isinstance(event, Abandon)
    about = {"event": event, "type": event.type, "player": said}
    wrong = f"nobody here is called {_quoted(said)}"
    likely = meant(said, names)
    if likely:
        perhaps = " or ".join(map(_quoted, likely))
        readings = [replace(event, player=player) for player in likely]
        return AmbiguousEvent(
            f"{wrong}; {perhaps} may be meant, and a name is written exactly as at the start",
            allowed,
            readings,
            **about,  # type: ignore[arg-type]
        )
    players = ", ".join(map(shown, names))
    return InvalidEvent(f"{wrong}; the players are {players}", allowed, **about)  # type: ignore[arg-type]


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
        return "chips entered for a player who still holds some, leave, abandon"
    now = expected(state)
    assert now is not None
    player = shown(now.player)
    if not now.throw > 1:
        dice = "one die" if now.dice == 1 else "three dice"
        words = f"a throw of {dice} by {player}, keeping none"
    else:
        words = f"throw {now.throw} of {now.of} by {player}, keeping at most two dice of {name(now.hand)}"
    if now.can_stand:
        words += ", or stand"
    others = [] if state.rolloff is not None else ["leave"]
    if state.ruleset.penalties and state.phase != "opening":
        others.append("penalty")
    return ", ".join([words, *others, "abandon"])


def _illegal(state: State, event: Event, wrong: str) -> IllegalEvent:
    player = None if isinstance(event, Abandon) else event.player
    return IllegalEvent(wrong, allowed(state), event=event, type=event.type, player=player)


def _invalid(state: State, event: Event, wrong: str) -> InvalidEvent:
    player = None if isinstance(event, Abandon) else event.player
    return InvalidEvent(wrong, allowed(state), event=event, type=event.type, player=player)


def _quoted(player: str) -> str:
    return f"'{shown(player)}'"


def _dice(state: State) -> int:
    """Return how many dice what is thrown and kept must make together."""
    if state.phase == "opening":
        assert state.ruleset.opening is not None
        return state.ruleset.opening.dice
    return 3 if state.rolloff is None else state.ruleset.rolloff_dice


def _must_go_on(state: State) -> bool:
    """Say whether the one to play must use as many throws as the leader did."""
    return state.limit > 0 and state.ruleset.phases[state.phase].limit == "exact"


def _moment(state: State) -> str:
    if state.rolloff is not None:
        return "in a roll-off"
    return "in the opening" if state.phase == "opening" else "in a turn"


def _against_turn(state: State, seat: int, event: Event) -> EventError | None:
    if state.turn == NOBODY:
        return _illegal(state, event, f"{shown(state.ruleset.id)} is played without dice")
    if seat != state.turn:
        plays, other = shown(state.names[state.turn]), shown(state.names[seat])
        return _illegal(state, event, f"it is {plays} who plays now, not {other}")
    return None


def _against_throw(state: State, seat: int, event: Throw) -> EventError | None:
    wrong = _against_turn(state, seat, event)
    if wrong is not None:
        return wrong
    dice, kept, wanted = event.dice, event.kept, _dice(state)
    if not dice:
        return _invalid(state, event, f"{shown(event.player)} throws no dice")
    for die in dice + kept:
        if type(die) is not int or die not in FACES:
            told = ", ".join(map(str, dice + kept))
            return _invalid(state, event, f"a die shows 1 to 6, but {shown(event.player)}'s show {told}")
    if len(dice) + len(kept) == wanted and not kept:
        return None
    return _against_kept(state, seat, event, wanted)


def _against_kept(state: State, seat: int, event: Throw, wanted: int) -> EventError | None:
    player, dice, kept = shown(event.player), event.dice, event.kept
    hand = state.hands[seat]
    may_keep = state.rolloff is None and state.phase != "opening" and state.throws[seat] > 0
    if kept and not may_keep:
        moment = "at a turn's first throw" if _moment(state) == "in a turn" else _moment(state)
        return _illegal(state, event, f"{player} keeps {name(kept)}, but nothing is kept {moment}")
    if kept and not contains(hand, kept):
        return _illegal(state, event, f"{player} keeps {name(kept)}, which is not in his hand {name(hand)}")
    if len(dice) + len(kept) == wanted:
        return None
    together = f"{len(dice)} thrown and {len(kept)} kept" if kept else str(len(dice))
    wrong = f"{player}'s dice are {together}, but must be {wanted} {_moment(state)}"
    readings = _readings(event, hand, wanted) if may_keep else []
    if not readings:
        return _illegal(state, event, wrong)
    perhaps = " or ".join(_as_said(reading) for reading in readings)
    return AmbiguousEvent(
        f"{wrong}; it may mean {perhaps}",
        allowed(state),
        readings,
        event=event,
        type=event.type,
        player=event.player,
    )


def _readings(event: Throw, hand: Hand, wanted: int) -> list[Throw]:
    """Return the legal throws that one of too few or too many dice may mean.

    Too few: what was kept was not told. Too many: dice kept were told once more as thrown, or they were
    thrown too.
    """
    dice, kept = event.dice, event.kept
    if not kept and len(dice) < wanted:
        choices = sorted({canonical(some) for some in combinations(hand, wanted - len(dice))}, reverse=True)
        return [Throw(event.player, dice, some) for some in choices]
    if kept and len(dice) == wanted and contains(canonical(dice), kept):
        thrown = list(dice)
        for die in kept:
            thrown.remove(die)
        readings = [Throw(event.player, tuple(thrown), kept)] if thrown else []
        return [*readings, Throw(event.player, dice)]
    return []


def _as_said(throw: Throw) -> str:
    kept = f"keeping {name(throw.kept)}" if throw.kept else "keeping none"
    return f"{name(throw.dice)} thrown {kept}"


def _against_stand(state: State, seat: int, event: Stand) -> EventError | None:
    wrong = _against_turn(state, seat, event)
    if wrong is not None:
        return wrong
    player = shown(event.player)
    if state.rolloff is not None or state.phase == "opening":
        return _illegal(state, event, f"{player} cannot stand {_moment(state)}")
    if not state.throws[seat]:
        return _illegal(state, event, f"{player} cannot stand before his first throw")
    if _must_go_on(state):
        wrong_count = f"{player} must use exactly {state.limit} throws, as the leader did"
        return _illegal(state, event, wrong_count)
    return None


def _against_penalty(state: State, seat: int, event: Penalty) -> EventError | None:
    player = shown(event.player)
    if event.reason not in PENALTIES:
        return _invalid(
            state, event, f"a penalty is {' or '.join(PENALTIES)}, not {event.reason!r} for {player}"
        )
    if event.reason not in state.ruleset.penalties:
        return _illegal(
            state, event, f"{shown(state.ruleset.id)} has no penalty {event.reason!r} for {player}"
        )
    if state.phase == "opening":
        return _illegal(state, event, f"there are no penalties in the opening, so none for {player}")
    if event.reason == "touch" and seat == state.turn:
        return _illegal(state, event, f"{player} is to play and may touch the dice")
    if event.reason == "off_table" and seat != state.turn:
        return _illegal(state, event, f"{player} is not to play and throws no dice off the table")
    return None


def _against_adjust(state: State, seat: int, event: Adjust) -> EventError | None:
    player = shown(event.player)
    if not state.ruleset.score_pad:
        wrong = f"chips are entered by hand only on the score pad, so none for {player} in {shown(state.ruleset.id)}"
        return _illegal(state, event, wrong)
    if state.out[seat]:
        return _illegal(state, event, f"{player} is out for good")
    if type(event.chips) is not int or not event.chips or abs(event.chips) > MOST_ADJUSTED:
        limits = f"a whole number from -{MOST_ADJUSTED} to {MOST_ADJUSTED}, not 0"
        return _invalid(state, event, f"what is entered for {player} must be {limits}; it is {event.chips}")
    if state.chips[seat] + event.chips < 0:
        wrong = f"{player} holds {state.chips[seat]} and cannot get rid of {-event.chips}"
        return _illegal(state, event, wrong)
    return None
