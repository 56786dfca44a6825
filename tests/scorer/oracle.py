"""The pinned rules a second time, naively: names instead of seats, one generator that plays from top to bottom.

It shares nothing with the program, not even the tables of hands, and believes that every event it gets is legal.
`rows(...)` gives the lines of a replay.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import combinations_with_replacement
from typing import Any

Event = dict[str, Any]
Asking = Generator[None, Event, Any]

HANDS = ["".join(hand) for hand in combinations_with_replacement("654321", 3)]
STRAIGHTS = ("654", "543", "432", "321")


class Over(Exception):
    pass


class Gone(Exception):
    """The one to play has left."""


class Void(Exception):
    """A penalty has emptied the pot; the argument is who took it."""


def written(dice: Iterable[int | str]) -> str:
    return "".join(sorted(map(str, dice), reverse=True))


def triple(hand: str) -> bool:
    return len(set(hand)) == 1


def two_aces(hand: str) -> bool:
    return hand[1:] == "11" and hand != "111"


def value(rules: str, hand: str) -> int | None:
    first = int(hand[0])
    if hand == "421":
        return {"rulebook": None, "belgian": 8, "marquoir": 11, "livret": 10}[rules]
    if rules == "rulebook":
        return first if two_aces(hand) else 3 if triple(hand) else 2 if hand in STRAIGHTS else 1
    if hand == "111":
        return {"belgian": 6, "marquoir": 7, "livret": 7}[rules]
    if rules == "belgian":
        return 5 if two_aces(hand) else 4 if triple(hand) else 2 if hand in STRAIGHTS else 1
    if rules == "marquoir":
        return first if hand[0] == hand[1] and hand[2] == "1" else 1
    return first if two_aces(hand) or triple(hand) else 2 if hand in STRAIGHTS else 1


def goodness(rules: str, options: dict[str, Any], hand: str) -> tuple[Any, ...]:
    """The higher the better."""
    if hand == "421":
        return (9,)
    if rules == "rulebook":
        return (8 if two_aces(hand) else 7 if triple(hand) else 6 if hand in STRAIGHTS else 5, hand)
    if rules == "belgian":
        if hand == "111":
            return (8.5,)
        return (8 if two_aces(hand) else 7 if triple(hand) else 6 if hand in STRAIGHTS else 5, hand)
    if rules == "marquoir":
        if hand == "111":
            return (8.5,)
        pair = hand[0] == hand[1] and hand[2] == "1"
        return (8 if pair else 7 if triple(hand) else 6 if hand in STRAIGHTS else 5, hand)
    if rules == "livret":
        if hand == "111":
            return (8.5,)
        if two_aces(hand) or triple(hand):
            return (8, hand[0], two_aces(hand))
        if hand in STRAIGHTS:
            return (7, hand)
        if hand == "221":
            return (0,)
        if options.get("plain_hands") == "numeric":
            return (5, hand)
        return (5, written(hand.replace("1", "7")))
    if triple(hand):
        return (8, hand)
    pairs = [face for face in hand if hand.count(face) == 2]
    if pairs:
        return (7, pairs[0], next(face for face in hand if face != pairs[0]))
    return (6, hand)


class Table:
    def __init__(self, rules: str, options: dict[str, Any], players: list[str]) -> None:
        self.rules, self.options, self.players = rules, options, players
        each, pot = {
            "rulebook": (3, 11),
            "belgian": (0, 21),
            "marquoir": (0, options.get("chips", 11)),
            "livret": (0, 21),
            "points": (0, None),
            "counter": (options.get("start", 11), None),
        }[rules]
        self.pot: int | None = pot
        self.chips = dict.fromkeys(players, each)
        self.points = dict.fromkeys(players, 0) if rules == "points" else {}
        if rules == "points":
            self.chips = {}
        self.left: list[str] = []
        self.out: list[str] = []
        self.phase = "count" if rules == "counter" else "opening"
        self.round = 0
        self.rolloff: dict[str, Any] | None = None
        self.to_play: str | None = None
        self.throws_left = 0
        self.moves: list[dict[str, Any]] = []
        self.scores: list[dict[str, Any]] = []
        self.winners: list[str] = []
        self.losers: list[str] = []
        self.scorekeeper: str | None = None
        self.hands: dict[str, str] = {}

    # What a replay prints.

    def row(self, seq: int) -> dict[str, Any]:
        over = self.phase == "over"
        return {
            "seq": seq,
            "phase": self.phase,
            "round": self.round,
            "rolloff": None if over else self.rolloff,
            "to_play": None if over else self.to_play,
            "throws_left": 0 if over else self.throws_left,
            "pot": self.pot,
            "chips": {name: self.chips[name] for name in self.players if name in self.chips},
            "points": dict(self.points),
            "moves": list(self.moves),
            "scores": list(self.scores),
            "winners": [name for name in self.players if name in self.winners],
            "losers": [name for name in self.players if name in self.losers],
            "scorekeeper": self.scorekeeper,
        }

    # Small helpers.

    def here(self) -> list[str]:
        return [name for name in self.players if name not in self.left]

    def clockwise(self, start: str) -> list[str]:
        at = self.players.index(start)
        return self.players[at:] + self.players[:at]

    def move(self, giver: str, taker: str, chips: int) -> None:
        if chips:
            for name, change in ((giver, -chips), (taker, chips)):
                if name == "pot":
                    assert self.pot is not None
                    self.pot += change
                elif name != "outside":
                    self.chips[name] += change
            self.moves.append({"from": giver, "to": taker, "chips": chips})

    def good(self, hand: str) -> Any:
        return goodness(self.rules, self.options, hand)

    def holders(self) -> list[str]:
        return [name for name in self.here() if self.chips[name]]

    # One event; leaves, penalties and the end of the game are dealt with here.

    def ask(self, player: str, throws_left: int) -> Asking:
        while True:
            self.to_play, self.throws_left = player, throws_left
            event = yield
            self.moves, self.scores = [], []
            if event["type"] == "abandon":
                raise Over
            if event["type"] == "penalty":
                self.penalty(event["player"])
            elif event["type"] == "leave":
                self.leave(event["player"])
                if event["player"] == player:
                    raise Gone
            else:
                return event

    def penalty(self, player: str) -> None:
        self.move("pot" if self.phase == "charge" else "outside", player, 1)
        if self.phase == "charge" and self.pot == 0:
            raise Void(player)

    def leave(self, player: str) -> None:
        if self.rules != "points":
            self.move(player, "pot" if self.phase in ("opening", "charge") else "outside", self.chips[player])
            del self.chips[player]
        self.left.append(player)
        self.hands.pop(player, None)
        if len(self.here()) == 1:
            raise Over
        if self.phase == "discharge":
            if self.rules in ("belgian", "livret") and len(self.holders()) == 1:
                self.losers = self.holders()
                raise Over
            if self.rules == "marquoir":
                still_in = [name for name in self.here() if name not in self.out]
                if not self.holders():
                    raise Over
                if len(still_in) == 1:
                    self.losers = still_in
                    raise Over
        if self.phase == "count" and len(self.holders()) == 1:
            self.losers = self.holders()
            raise Over

    # The game, from top to bottom.

    def game(self) -> Asking:
        try:
            if self.rules == "counter":
                yield from self.count()
            leader = yield from self.opening()
            first_leader = None
            if self.rules == "points":
                self.phase = "rounds"
                for _ in range(10):
                    yield from self.points_round(leader)
                best = max(self.points[name] for name in self.here())
                self.winners = [name for name in self.here() if self.points[name] == best]
                raise Over
            self.phase = "charge"
            while self.pot:
                try:
                    leader = yield from self.charge_round(leader)
                except Void as void:
                    leader, self.rolloff = void.args[0], None
                if first_leader is None:
                    first_leader = self.leader_of_round
            if self.rules in ("belgian", "livret") and len(self.holders()) == 1:
                self.losers = self.holders()
                raise Over
            self.phase = "discharge"
            if self.rules == "rulebook":
                assert first_leader is not None
                leader = first_leader
            while True:
                leader = yield from self.discharge_round(leader)
        except Over:
            self.phase = "over"

    def count(self) -> Asking:
        while True:
            self.to_play, self.throws_left = None, 0
            event = yield
            self.moves, self.scores = [], []
            if event["type"] == "abandon":
                raise Over
            if event["type"] == "leave":
                self.leave(event["player"])
                continue
            player, chips = event["player"], event["chips"]
            self.move(*(("outside", player, chips) if chips > 0 else (player, "outside", -chips)))
            if self.chips[player] == 0 and not self.winners:
                self.winners = [player]
            if len(self.holders()) == 1:
                self.losers = self.holders()
                raise Over

    def opening(self) -> Asking:
        self.hands = {}
        while waiting := [name for name in self.here() if name not in self.hands]:
            try:
                event = yield from self.ask(waiting[0], 1)
            except Gone:
                continue
            self.hands[waiting[0]] = written(event["dice"])
        thrown = {name: self.hands[name] for name in self.here()}
        if self.rules == "points":
            low = min(self.opening_place(hand) for hand in thrown.values())
            self.scorekeeper = [name for name in thrown if self.opening_place(thrown[name]) == low][-1]
        while True:
            want = max(self.opening_place(hand) for hand in thrown.values())
            tied = [name for name in thrown if self.opening_place(thrown[name]) == want]
            if len(tied) == 1:
                self.rolloff = None
                return tied[0]
            thrown = yield from self.throw_off("opening", tied)

    def opening_place(self, hand: str) -> Any:
        if self.rules == "rulebook":
            return self.good(hand)
        total = sum(map(int, hand))
        return -total if self.options.get("opening") == "lowest" else total

    def throw_off(self, end: str, players: list[str]) -> Asking:
        thrown = {}
        for name in players:
            self.rolloff = {"end": end, "players": list(players)}
            event = yield from self.ask(name, 1)
            thrown[name] = written(event["dice"])
        self.rolloff = None
        return thrown

    def playing(self) -> list[str]:
        if self.phase == "discharge" and self.rules in ("belgian", "livret"):
            return self.holders()
        return [name for name in self.here() if name not in self.out]

    def turns(self, leader: str) -> Asking:
        """Everybody's turn; the order of those who are left is the answer."""
        self.round += 1
        self.hands, self.order = {}, [name for name in self.clockwise(leader) if name in self.playing()]
        self.leader_of_round = self.order[0]
        self.firsts: list[str] = []
        self.limit: int | None = None
        done: list[str] = []
        while waiting := [name for name in self.order if name not in self.left and name not in done]:
            player = waiting[0]
            try:
                yield from self.turn(player)
            except Gone:
                if player == self.leader_of_round and len(waiting) > 1:
                    followers = [name for name in waiting[1:] if name not in self.left]
                    self.leader_of_round = followers[0] if followers else player
                continue
            done.append(player)
        return [name for name in done if name not in self.left]

    def turn(self, player: str) -> Asking:
        most = 3
        if self.phase == "charge" and self.rules in ("rulebook", "belgian"):
            most = 1
        leads = player == self.leader_of_round
        follows = self.rules in ("marquoir", "livret") or (
            self.rules == "rulebook" and self.phase == "discharge"
        )
        if follows and not leads and self.limit is not None:
            most = self.limit
        used = 0
        while used < most:
            event = yield from self.ask(player, most - used)
            if event["type"] == "stand":
                break
            used += 1
            self.hands[player] = written(event["dice"] + event.get("kept", []))
            if used == 1 and self.hands[player] == "421":
                self.firsts.append(player)
        if leads:
            self.limit = used

    def ends(self, order: list[str], best_matters: bool, worst_matters: bool) -> Asking:
        """Break the ties of the round; the answer is the best and the worst player, None where it does not matter."""
        top = max(self.good(self.hands[name]) for name in order)
        bottom = min(self.good(self.hands[name]) for name in order)
        best = [name for name in order if self.good(self.hands[name]) == top]
        worst = [name for name in order if self.good(self.hands[name]) == bottom]
        if best_matters and worst_matters and len(best) == len(order):
            while len(best) == len(order) and len(worst) == len(order):
                thrown = yield from self.throw_off("both", order)
                best, worst = self.at_ends(thrown)
        while best_matters and len(best) > 1:
            best, _ = self.at_ends((yield from self.throw_off("best", best)))
        while worst_matters and len(worst) > 1:
            _, worst = self.at_ends((yield from self.throw_off("worst", worst)))
        return (best[0] if best_matters else None), (worst[0] if worst_matters else None)

    def at_ends(self, thrown: dict[str, str]) -> tuple[list[str], list[str]]:
        one_die = self.rules in ("rulebook", "belgian")
        places = {name: int(dice) if one_die else self.good(dice) for name, dice in thrown.items()}
        high, low = max(places.values()), min(places.values())
        return [n for n in thrown if places[n] == high], [n for n in thrown if places[n] == low]

    def best_hand(self, order: list[str]) -> str:
        return max((self.hands[name] for name in order), key=self.good)

    def worst_hand(self, order: list[str]) -> str:
        return min((self.hands[name] for name in order), key=self.good)

    def worth(self, order: list[str]) -> int | None:
        chips = value(self.rules, self.best_hand(order))
        if self.rules == "belgian" and self.worst_hand(order) == "221":
            assert chips is not None
            return 2 * chips
        return chips

    def charge_round(self, leader: str) -> Asking:
        order = yield from self.turns(leader)
        assert self.pot is not None
        nenette = [name for name in order if self.hands[name] == "221"]
        if self.rules == "livret" and nenette:
            for name in nenette:
                if self.pot:
                    leader = name
                self.move("pot", name, min(2, self.pot))
            return leader
        _, worst = yield from self.ends(order, False, True)
        chips = self.worth(order)
        if chips is None:
            chips = self.pot - 1 if self.pot > 1 else 1
        self.move("pot", worst, min(chips, self.pot))
        return self.clockwise(worst)[1] if self.rules == "rulebook" and self.pot else worst

    def discharge_round(self, leader: str) -> Asking:
        order = yield from self.turns(leader)
        if not order:
            return self.clockwise(self.leader_of_round)[1]
        if len(order) == 1:
            return order[0]
        if self.rules == "rulebook":
            return (yield from self.rulebook_discharge(order))
        nenette = [name for name in order if self.hands[name] == "221"] if self.rules == "livret" else []
        if nenette and len(nenette) == len(order):
            return self.leader_of_round
        best, worst = yield from self.ends(order, True, not nenette)
        had = self.chips[best]
        if nenette:
            for name in nenette:
                if self.chips[best]:
                    worst = name
                self.move(best, name, min(2, self.chips[best]))
        else:
            self.move(best, worst, min(self.worth(order), had))
        empty = had > 0 and self.chips[best] == 0
        if self.rules == "livret" and empty:
            self.winners = [best]
            raise Over
        if self.rules == "marquoir":
            if empty:
                self.winners = self.winners or [best]
                self.out.append(best)
                if len(self.holders()) == 1:
                    self.losers = self.holders()
                    raise Over
                if self.options.get("end") == "first_out":
                    raise Over
        elif len(self.holders()) == 1:
            self.losers = self.holders()
            raise Over
        return worst

    def rulebook_discharge(self, order: list[str]) -> Asking:
        special = self.best_hand(order) == "421"
        best, worst = yield from self.ends(order, True, special)
        if special:
            self.move(best, worst, self.chips[best] - 1)
        else:
            self.move(best, "pot", min(self.worth(order) or 0, self.chips[best]))
            if not self.chips[best]:
                self.winners = [best]
                raise Over
        return best

    def points_round(self, leader: str) -> Asking:
        order = yield from self.turns(leader)
        best, _ = yield from self.ends(order, True, False)
        for name in order:
            if name in self.firsts:
                self.points[name] += 2
                self.scores.append({"player": name, "points": 2})
        self.points[best] += 1
        self.scores.append({"player": best, "points": 1})


def rows(
    rules: str, options: dict[str, Any], players: list[str], events: list[Event]
) -> Iterator[dict[str, Any]]:
    """The lines of a replay of legal events."""
    table = Table(rules, options, players)
    game = table.game()
    next(game)
    for seq, event in enumerate(events, 1):
        try:
            game.send(event)
        except StopIteration:
            assert table.phase == "over"
        yield table.row(seq)
