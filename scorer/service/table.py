"""One table: the game played there, the roll on offer, and what the screens see.

Everything that changes a table goes through here, from whatever thread, one at a time. A command is checked
against the rules, written to the store, and only then done in memory and shown: what the store refuses has
not happened.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from scorer.errors import CorrectionError, EventError, InvalidRecord, SetupError
from scorer.events import Abandon, Adjust, Event, Leave, Penalty, Stand, Throw
from scorer.record import event_to_json
from scorer.rules import Ruleset
from scorer.service.export import kept_play
from scorer.service.history import history_view, preview_view
from scorer.service.hub import Hub, Snapshot
from scorer.service.keys import Keys
from scorer.service.library import Library, read_house
from scorer.service.lying import Lay, lays_of
from scorer.service.play import Play, abandoned, check_names, newest, result_of
from scorer.service.problems import Refused, sentence
from scorer.service.revise import Wanted, broken, plan_of, row_of
from scorer.service.rollview import asked_of, source_of
from scorer.service.sight import Sight
from scorer.service.store import Command, GameRow, LogRow, Store
from scorer.service.view import game_view, rulesets_view, setup_view
from scorer.service.watching import CameraStatus, Eye, Offer, Setup
from vision.roll import Roll

VERSIONS_A_START = 1_000_000_000

PenaltyReason = Literal["touch", "off_table"]


def now() -> str:
    """The time as the record writes it: RFC 3339, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Table:
    """The table over `store`, which goes on with the newest game that it finds there. Raises StoreError.

    `rulesets` are of the table's own, on offer for this run beside those that the store keeps.
    """

    def __init__(
        self,
        store: Store,
        *,
        setup: Setup | None = None,
        rulesets: Sequence[Ruleset] = (),
        clock: Callable[[], str] = now,
    ) -> None:
        self.store = store
        self.library = Library(store, rulesets)
        self.hub = Hub()
        self._clock = clock
        self._setup = setup
        self._lock = threading.RLock()
        self._keys = Keys(store)
        self._diverted: Callable[[Roll], bool] | None = None
        start = store.count_start()
        self._sight = Sight(start)
        self._version = start * VERSIONS_A_START
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

    def history(self, game: str) -> dict[str, Any]:
        """Every event and every step of a game, played or kept. Raises Refused, StoreError."""
        with self._lock:
            if self._play is not None and self._play.row.id == game:
                return history_view(self._play, self._sight.pictures)
        return history_view(kept_play(self.store, game))

    def picture(self) -> bytes | None:
        """The newest frame as JPEG, None without a camera."""
        return self._sight.newest_picture()

    def roll_picture(self, roll: str) -> bytes | None:
        """The evidence picture of a roll, None when it is not kept (any more)."""
        with self._lock:
            return self._sight.picture_of(roll)

    # What the camera tells

    @property
    def camera(self) -> CameraStatus:
        """How the camera is, as it was told last."""
        return self._sight.camera

    def connect(self, eye: Eye, source: str) -> None:
        """This table has a camera, called `source`."""
        with self._lock:
            self._sight.connect(eye, source)
            self._changed()

    def disconnect(self) -> None:
        """This table has no camera any more."""
        with self._lock:
            self._sight.disconnect()
            self._changed()

    def divert(self, take: Callable[[Roll], bool] | None) -> None:
        """From now on `take` is asked of each roll whether it is none of the game's; None: all are."""
        with self._lock:
            self._diverted = take
            self._changed()

    def diverts(self, take: Callable[[Roll], bool]) -> bool:
        """Whether `take` is asked of each roll."""
        with self._lock:
            return self._diverted == take

    def touch(self) -> None:
        """Something has changed beside the table that screens want to know of: they look again."""
        with self._lock:
            self._changed()

    def camera_is(self, status: CameraStatus) -> None:
        """The state of the camera has changed."""
        with self._lock:
            self._sight.camera_is(status)
            self._changed()

    def roll_seen(self, roll: Roll) -> None:
        """A throw has come to rest: it goes on offer, in place of one that nobody confirmed."""
        with self._lock:
            if self._diverted is not None and self._diverted(roll):
                self._sight.passed_by(roll)
                self._changed()
            elif self._sight.roll_seen(roll, self._play):
                self._changed()

    def holds(self) -> bool:
        """Whether a film must wait: a roll is on offer, or put off, while the game asks for a throw."""
        with self._lock:
            return self._sight.holds(self._play)

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
            if self._keys.repeated(command):
                return self._view()
            running = self._play if self._play is not None and not self._play.state.over else None
            if running is not None and replace and game not in (None, running.row.id):
                message = "Another game has been started since: look again before you replace it."
                raise Refused(409, "stale", message, table=True)
            at = self._clock()
            try:
                row = self._new_row(players, ruleset, options, at)
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
            self._diverted = None
            self._sight.begun()
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
            if self._keys.repeated(command):
                return self._view()
            play = self._current(seq, game)
            offer = None if roll is None else self._offered(roll)
            event = Throw(player, tuple(dice), tuple(kept))
            source, confidence = source_of(event.dice, event.kept, offer)
            extras: dict[str, Any] = {"source": source}
            if confidence is not None:
                extras["confidence"] = confidence
            asked, used = asked_of(play.state), self._sight.used_by(event, offer)
            lying = None if used is None else lays_of(used.as_read)
            self._do(play, event, command, extras, roll=roll, lying=lying)
            self._sight.thrown(play, event, offer, used, asked)
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

    def adjust(
        self, player: str, chips: int, *, seq: int, game: str | None = None, command: Command | None = None
    ) -> dict[str, Any]:
        """Enter on the score pad what a player picked up or, negative, got rid of. Raises Refused, StoreError."""
        return self._simply(Adjust(player, chips), seq, game, command)

    def abandon(self, *, seq: int, game: str | None = None, command: Command | None = None) -> dict[str, Any]:
        """The table stops the game. Raises Refused, StoreError."""
        return self._simply(Abandon(), seq, game, command)

    def undo(self, *, seq: int, game: str | None = None, command: Command | None = None) -> dict[str, Any]:
        """Take the last event back. Raises Refused, StoreError."""
        return self._revisit("undo", seq, game, command)

    def redo(self, *, seq: int, game: str | None = None, command: Command | None = None) -> dict[str, Any]:
        """Do the step again that was taken back last. Raises Refused, StoreError."""
        return self._revisit("redo", seq, game, command)

    def correct(
        self,
        wanted: Wanted,
        *,
        truncate: bool = False,
        seq: int,
        game: str | None = None,
        command: Command | None = None,
    ) -> dict[str, Any]:
        """Correct an earlier event, with `truncate` also where a later one breaks. Raises Refused, StoreError."""
        with self._lock:
            if self._keys.repeated(command):
                return self._view()
            play = self._current(seq, game)
            row = row_of(wanted, play, self._clock(), truncate)
            plan = plan_of(row, play)
            if plan.broken is not None and not truncate:
                raise broken(plan)
            self._enter(play, row, command)
            self._sight.corrected(play)
            self._changed()
            return self._view()

    def preview(self, wanted: Wanted, *, seq: int, game: str | None = None) -> dict[str, Any]:
        """What the correction would do; nothing is done. Raises Refused."""
        with self._lock:
            play = self._current(seq, game)
            return preview_view(plan_of(row_of(wanted, play, self._clock()), play))

    def dismiss(
        self, roll: str, *, seq: int, game: str | None = None, command: Command | None = None
    ) -> dict[str, Any]:
        """Forget the roll on offer and read the table again. Raises Refused."""
        with self._lock:
            if self._keys.repeated(command):
                return self._view()
            if self._play is not None or seq != 0:
                self._current(seq, game)
            offer = self._offered(roll)
            self._sight.dismissed(offer)
            self._keys.note(command)
            self._changed()
            return self._view()

    def add_ruleset(self, file: str, text: str, *, command: Command | None = None) -> list[dict[str, Any]]:
        """Put a ruleset of the table's own on offer. Raises Refused, StoreError."""
        try:
            ruleset = read_house(file, text)  # this may take a while: nobody waits for it
            with self._lock:
                if not self._keys.repeated(command):
                    self.library.add(file, ruleset, text, self._clock())
                    self._keys.note(command)
        except SetupError as error:
            faults = [fault._asdict() for fault in error.faults]
            # No capital at the beginning, which is the file's name: capitals are what it may be about.
            message = f"This ruleset is not added: {error}."
            raise Refused(422, "rules", message, more={"faults": faults}) from error
        return rulesets_view(self.library)

    def remove_ruleset(self, id: str, *, command: Command | None = None) -> list[dict[str, Any]]:
        """Forget a ruleset that a screen has added. Raises Refused, StoreError."""
        with self._lock:
            if not self._keys.repeated(command):
                self.library.remove(id)
                self._keys.note(command)
        return rulesets_view(self.library)

    # Inside; all of it under the lock

    def _new_row(self, players: Sequence[str], ruleset: str, options: Mapping[str, Any], at: str) -> GameRow:
        """A game as it is to be set up. Raises SetupError."""
        names = tuple(name.strip() for name in players)
        check_names(names)
        chosen = self.library.find(ruleset)
        rules = None if chosen.built_in else dict(chosen.data)
        return GameRow(f"g{secrets.token_hex(6)}", ruleset, dict(options), names, at, rules=rules)

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
        offer = self._sight.find(roll)
        if offer is None:
            raise Refused(
                409, "stale", "That roll is no longer on offer: look again before you confirm.", table=True
            )
        return offer

    def _revisit(
        self, kind: Literal["undo", "redo"], seq: int, game: str | None, command: Command | None
    ) -> dict[str, Any]:
        """Take a step back, or do it again."""
        with self._lock:
            if self._keys.repeated(command):
                return self._view()
            play = self._current(seq, game)
            back = kind == "undo"
            places = play.history.done if back else play.history.undone
            if not places:
                what = "take back" if back else "do again"
                raise Refused(422, "illegal", f"There is nothing to {what}.", table=True)
            step = play.history.log[places[-1]]
            self._enter(play, LogRow(play.seq + 1, kind, None, self._clock()), command)
            if back:
                self._sight.taken_back(play, step)
            else:
                self._sight.done_again(play, step)
            self._changed()
            return self._view()

    def _simply(self, event: Event, seq: int, game: str | None, command: Command | None) -> dict[str, Any]:
        with self._lock:
            if self._keys.repeated(command):
                return self._view()
            play = self._current(seq, game)
            self._do(play, event, command, {"source": "tablet"})
            self._sight.went_on(play)
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
        at = self._clock()
        payload = {**event_to_json(event), "at": at, **extras}
        self._enter(play, LogRow(play.seq + 1, "event", payload, at, roll, lying), command)

    def _enter(self, play: Play, row: LogRow, command: Command | None) -> None:
        """Check, write, and only then do."""
        try:
            history = play.after(row)
        except (EventError, InvalidRecord, CorrectionError) as error:
            raise Refused(422, "illegal", sentence(error), table=True) from error
        self.store.append(play.row.id, row, result_of(history, row.at), command)
        play.append(row, history)

    def _changed(self) -> None:
        self._version += 1
        self._snapshot = self._make_snapshot()
        self.hub.notify()

    def _make_snapshot(self) -> Snapshot:
        return Snapshot(self._version, json.dumps(self._view(), ensure_ascii=False, separators=(",", ":")))

    def _view(self) -> dict[str, Any]:
        return {
            "version": self._version,
            **self._sight.views(self._play),
            "notice": self._notice,
            "setup": setup_view(self._play, self._setup),
            "game": game_view(self._play, self._sight.pictures),
        }
