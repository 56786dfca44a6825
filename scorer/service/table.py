"""One table: the game played there, the roll on offer, and what the screens see.

Everything that changes a table goes through here, from whatever thread, one at a time. A command is checked
against the rules, written to the store, and only then done in memory and shown: what the store refuses has
not happened.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from scorer.errors import IllegalEvent, InvalidRecord, SetupError
from scorer.events import Abandon, Event, Leave, Penalty, Stand, Throw
from scorer.record import event_to_json
from scorer.ruleset import load_ruleset
from scorer.service.hub import Hub, Snapshot
from scorer.service.lying import Lay, lays_of, lies_as, same_values
from scorer.service.motion import Entered, Motion
from scorer.service.offers import Offers
from scorer.service.play import Play, abandoned, check_names, newest, result_of
from scorer.service.problems import Refused, sentence
from scorer.service.rollview import asked_of, confirmed_as, misfit_of, roll_view, source_of, waits
from scorer.service.store import Command, GameRow, LogRow, Store
from scorer.service.view import camera_view, game_view, setup_view
from scorer.service.watching import Asked, CameraStatus, Eye, Offer, Setup
from vision.roll import Roll

PICTURES_KEPT = 24
DISMISSALS_KEPT = 64
VERSIONS_A_START = 1_000_000_000

PenaltyReason = Literal["touch", "off_table"]


def now() -> str:
    """The time as the record writes it: RFC 3339, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Table:
    """The table over `store`, which goes on with the newest game that it finds there. Raises StoreError."""

    def __init__(self, store: Store, *, setup: Setup | None = None, clock: Callable[[], str] = now) -> None:
        self.store = store
        self.hub = Hub()
        self._clock = clock
        self._setup = setup
        self._lock = threading.RLock()
        self._eye: Eye | None = None
        self._camera = CameraStatus()
        self._offers = Offers()
        self._motion = Motion()
        # Nobody's dice, from before the game or from under a throw by hand; see `confirmed_as`.
        self._left_lying: tuple[Lay, ...] = ()
        self._returned = True
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._dismissals: OrderedDict[str, str] = OrderedDict()
        self._start = store.count_start()
        self._version = self._start * VERSIONS_A_START
        self._rolls = 0
        self._play, self._notice = newest(store)
        self._snapshot = self._make_snapshot()

    # What screens read

    def view(self) -> dict[str, Any]:
        """The table view as it is now."""
        with self._lock:
            return self._view()

    def latest(self) -> Snapshot:
        """The table view of the newest version, written out. Never waits for a command under way."""
        return self._snapshot

    def picture(self) -> bytes | None:
        """The newest frame as JPEG, None without a camera."""
        return None if self._eye is None else self._eye.picture()

    def roll_picture(self, roll: str) -> bytes | None:
        """The evidence picture of a roll, None when it is not kept (any more)."""
        with self._lock:
            return self._pictures.get(roll)

    # What the camera tells

    def connect(self, eye: Eye, source: str) -> None:
        """This table has a camera, called `source`."""
        with self._lock:
            self._eye = eye
            self._camera = CameraStatus("starting", None, source)
            self._changed()

    def camera_is(self, status: CameraStatus) -> None:
        """The state of the camera has changed."""
        with self._lock:
            self._motion.camera_is(status.state)
            if status.state == "starting" or status.message is not None:
                # Whoever could not look knows nothing of what lay there: old dice are reported as if new.
                self._returned = True
            self._camera = status
            self._changed()

    def roll_seen(self, roll: Roll) -> None:
        """A throw has come to rest: it goes on offer, in place of one that nobody confirmed."""
        with self._lock:
            returned, self._returned = self._returned, False
            lays = lays_of(roll.reading)
            entered = self._motion.rolled(len(lays))
            if entered is not None:
                self._belongs(roll, lays, entered)
                return
            lain = self._offers.lie_again(lays) if returned else None
            if lain is not None and (
                lain is not self._offers.current or lies_as(lays, lays_of(lain.as_read))
            ):
                self._motion.seen(lain.id)
                return  # it is on offer already, or will be
            like = confirmed_as(lays, self._play, self._left_lying) if returned else None
            offer = Offer(self._keep(roll), roll, self._asked(), like)
            self._offers.seen(offer, waits=lain is None and self._waits(lays))
            self._changed()

    def holds(self) -> bool:
        """Whether a film must wait: a roll is on offer, or put off, while the game asks for a throw.

        Not for dice whose throw was entered already: nobody has anything to do about them.
        """
        with self._lock:
            offer = self._offers.current
            if not self._offers.waiting or self._asked() is None:
                return False
            return offer is None or not offer.entered or misfit_of(offer, self._play) is None

    # Commands

    def start(
        self,
        players: Sequence[str],
        ruleset: str,
        options: Mapping[str, Any],
        *,
        replace: bool = False,
        game: str | None = None,
        command: Command | None = None,
    ) -> dict[str, Any]:
        """Start a game, with `replace` in place of the running one, or of `game` alone. Raises Refused, StoreError."""
        with self._lock:
            if self._repeated(command):
                return self._view()
            running = self._play if self._play is not None and not self._play.state.over else None
            if running is not None and replace and game not in (None, running.row.id):
                message = "Another game has been started since: look again before you replace it."
                raise Refused(409, "stale", message, table=True)
            at = self._clock()
            row = GameRow(
                f"g{secrets.token_hex(6)}",
                ruleset,
                dict(options),
                tuple(name.strip() for name in players),
                at,
            )
            try:
                check_names(row.players)
                if load_ruleset(ruleset).score_pad:
                    raise SetupError(f"{ruleset} is a score pad without dice; this table plays with dice")
                play = Play(row)
            except SetupError as error:
                raise Refused(422, "setup", sentence(error)) from error
            if running is not None and not replace:
                message = "A game is still running: go on with it, or say that the new one replaces it."
                raise Refused(409, "running", message, table=True)
            ending = None if running is None else abandoned(running, at)
            self.store.add_game(row, command, instead_of=ending)
            self._play = play
            self._notice = None
            # What lies on the table before a game begins is nobody's throw.
            self._left_lying = self._offers.clear() or self._left_lying
            self._changed()
            return self._view()

    def throw(
        self,
        player: str,
        dice: Sequence[int],
        kept: Sequence[int],
        roll: str | None,
        *,
        seq: int,
        game: str | None = None,
        command: Command | None = None,
    ) -> dict[str, Any]:
        """Confirm a throw, from the roll on offer or by hand. Raises Refused, StoreError."""
        with self._lock:
            if self._repeated(command):
                return self._view()
            play = self._current(seq, game)
            offer = None if roll is None else self._offered(roll)
            event = Throw(player, tuple(dice), tuple(kept))
            source, confidence = source_of(event.dice, event.kept, offer)
            extras: dict[str, Any] = {"source": source}
            if confidence is not None:
                extras["confidence"] = confidence
            # A throw entered by hand is the throw that lies there, so it uses up a roll as well.
            used = offer or self._offers.by_hand(event.dice, event.kept)
            lying = None if used is None else lays_of(used.as_read)
            asked = self._asked()
            by_hand = offer is None and not self._offers.puts_off
            by_hand = by_hand and (lying is None or not same_values(lying, event.dice, event.kept))
            self._do(play, event, command, extras, roll=roll, lying=lying)
            self._offers.use(used, play.seq, asked_of(play.state))
            self._left_lying = lying or self._left_lying
            if by_hand:
                self._motion.belongs(Entered(play.seq, event.dice, event.kept, asked))
            self._changed()
            return self._view()

    def stand(
        self, player: str, *, seq: int, game: str | None = None, command: Command | None = None
    ) -> dict[str, Any]:
        """End a player's turn. Raises Refused, StoreError."""
        return self._simply(Stand(player), seq, game, command)

    def penalty(
        self,
        player: str,
        reason: PenaltyReason,
        *,
        seq: int,
        game: str | None = None,
        command: Command | None = None,
    ) -> dict[str, Any]:
        """Give a player a penalty chip, where the ruleset has them. Raises Refused, StoreError."""
        return self._simply(Penalty(player, reason), seq, game, command)

    def leave(
        self, player: str, *, seq: int, game: str | None = None, command: Command | None = None
    ) -> dict[str, Any]:
        """A player leaves the game for good. Raises Refused, StoreError."""
        return self._simply(Leave(player), seq, game, command)

    def abandon(self, *, seq: int, game: str | None = None, command: Command | None = None) -> dict[str, Any]:
        """The table stops the game. Raises Refused, StoreError."""
        return self._simply(Abandon(), seq, game, command)

    def undo(self, *, seq: int, game: str | None = None, command: Command | None = None) -> dict[str, Any]:
        """Take the last event back. Raises Refused, StoreError."""
        with self._lock:
            if self._repeated(command):
                return self._view()
            play = self._current(seq, game)
            if not play.can_undo:
                raise Refused(422, "illegal", "There is nothing to take back.", table=True)
            undone = play.entries[-1]
            entry = LogRow(play.seq + 1, "undo", None, self._clock())
            state = play.after(entry)
            self.store.append(play.row.id, entry, result_of(state, entry.at), command)
            play.append(entry, state)
            self._offers.undone(undone.seq, play.thrown(undone), self._asked())
            self._motion.taken_back(undone.seq)
            self._left_lying = ()
            self._changed()
            return self._view()

    def dismiss(
        self, roll: str, *, seq: int, game: str | None = None, command: Command | None = None
    ) -> dict[str, Any]:
        """Forget the roll on offer and read the table again. Raises Refused."""
        with self._lock:
            if self._repeated(command):
                return self._view()
            if self._play is not None or seq != 0:
                self._current(seq, game)
            offer = self._offered(roll)
            displaced = offer is self._offers.before
            self._offers.forget(offer)
            if command is not None:
                self._dismissals[command.key] = command.request
                while len(self._dismissals) > DISMISSALS_KEPT:
                    self._dismissals.popitem(last=False)
            if not displaced:
                self._returned = False  # what is read now is taken for a throw: somebody has said so
                if self._eye is not None:
                    self._eye.read_again()
            self._changed()
            return self._view()

    # Inside; all of it under the lock

    def _keep(self, roll: Roll) -> str:
        """Keep the picture of a roll; the id that screens know it by."""
        self._rolls += 1
        name = f"r{self._start}-{self._rolls}"
        self._motion.seen(name)
        self._pictures[name] = roll.picture
        while len(self._pictures) > PICTURES_KEPT:
            self._pictures.popitem(last=False)
        return name

    def _belongs(self, roll: Roll, lays: tuple[Lay, ...], entered: Entered) -> None:
        """A roll of the motion in which a throw was entered by hand: that throw, or somebody must say."""
        offer = Offer(self._keep(roll), roll, entered.asked, entered=True)
        if self._play is not None and same_values(lays, entered.dice, entered.kept):
            self._play.saw(entered.seq, offer.id, lays)
            self._offers.rolled(offer, entered.seq)
            self._left_lying = lays
        else:
            self._offers.seen(offer, waits=self._waits(lays))
        self._changed()

    def _asked(self) -> Asked | None:
        return None if self._play is None else asked_of(self._play.state)

    def _waits(self, lays: tuple[Lay, ...]) -> bool:
        """Whether a roll on offer goes on waiting to be confirmed, with the dice of a new one lying as `lays`."""
        offer = self._offers.current
        return offer is not None and waits(offer, self._play, lays)

    def _repeated(self, command: Command | None) -> bool:
        if command is None:
            return False
        request = self._dismissals.get(command.key) or self.store.request_of(command.key)
        if request is not None and request != command.request:
            raise Refused(422, "key_reused", "This key was used for another command: use a new one for each.")
        return request is not None

    def _current(self, seq: int, game: str | None) -> Play:
        play = self._play
        if play is None:
            if seq or game is not None:
                raise Refused(409, "stale", "That game is no longer on this table.", table=True)
            raise Refused(409, "no_game", "No game is running: start one first.", table=True)
        if seq != play.seq or game not in (None, play.row.id):
            raise Refused(
                409, "stale", "The game has gone on since: look again before you confirm.", table=True
            )
        return play

    def _offered(self, roll: str) -> Offer:
        offer = self._offers.find(roll)
        if offer is None:
            raise Refused(
                409, "stale", "That roll is no longer on offer: look again before you confirm.", table=True
            )
        return offer

    def _simply(self, event: Event, seq: int, game: str | None, command: Command | None) -> dict[str, Any]:
        with self._lock:
            if self._repeated(command):
                return self._view()
            self._do(self._current(seq, game), event, command, {"source": "tablet"})
            self._offers.asks(self._asked())
            self._changed()
            return self._view()

    def _do(
        self,
        play: Play,
        event: Event,
        command: Command | None,
        extras: dict[str, Any],
        roll: str | None = None,
        lying: tuple[Lay, ...] | None = None,
    ) -> None:
        """Check, write, and only then do."""
        at = self._clock()
        payload = {**event_to_json(event), "at": at, **extras}
        entry = LogRow(play.seq + 1, "event", payload, at, roll, lying)
        try:
            state = play.after(entry)
        except (IllegalEvent, InvalidRecord) as error:
            raise Refused(422, "illegal", sentence(error), table=True) from error
        self.store.append(play.row.id, entry, result_of(state, at), command)
        play.append(entry, state)

    def _changed(self) -> None:
        self._version += 1
        self._snapshot = self._make_snapshot()
        self.hub.notify()

    def _make_snapshot(self) -> Snapshot:
        return Snapshot(self._version, json.dumps(self._view(), ensure_ascii=False, separators=(",", ":")))

    def _view(self) -> dict[str, Any]:
        frames = self._camera.frames if self._eye is None else self._eye.frames
        return {
            "version": self._version,
            "camera": camera_view(self._camera, frames),
            "roll": roll_view(self._offers.current, self._play, self._motion, self._offers.before),
            "before": roll_view(self._offers.before, self._play, self._motion),
            "notice": self._notice,
            "setup": setup_view(self._play, self._setup),
            "game": game_view(self._play, frozenset(self._pictures)),
        }
