"""What the camera tells of a table, and what becomes of the rolls that it saw as the game goes on.

The rolls on offer, the pictures that show them, the motion under way. Not locked: the table is, which also says
which game is being played.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

from scorer.corrections import Step
from scorer.events import Throw
from scorer.game import expected
from scorer.service.lying import Lay, lays_of, lies_as, same_values
from scorer.service.motion import EMPTY, Entered, Motion
from scorer.service.offers import Offers
from scorer.service.play import Kept, Play
from scorer.service.rollview import asked_of, confirmed_as, misfit_of, roll_view, waits
from scorer.service.view import camera_view
from scorer.service.watching import Asked, CameraStatus, Eye, Offer
from vision.roll import Roll

PICTURES_KEPT = 24


class Sight:
    """A table as its camera sees it; `start` counts the starts of the service, so that ids are new each time."""

    def __init__(self, start: int) -> None:
        self._start = start
        self._rolls = 0
        self._eye: Eye | None = None
        self._camera = CameraStatus()
        self._offers = Offers()
        self._motion = Motion()
        # Nobody's dice, from before the game or from under a throw by hand; see `confirmed_as`.
        self._left_lying: tuple[Lay, ...] = ()
        self._returned = True
        self._pictures: OrderedDict[str, bytes] = OrderedDict()

    # What screens read

    @property
    def pictures(self) -> frozenset[str]:
        """The rolls whose picture is still kept."""
        return frozenset(self._pictures)

    def newest_picture(self) -> bytes | None:
        """The newest frame as JPEG, None without a camera."""
        return None if self._eye is None else self._eye.picture()

    def picture_of(self, roll: str) -> bytes | None:
        """The evidence picture of a roll, None when it is not kept (any more)."""
        return self._pictures.get(roll)

    def views(self, play: Play | None) -> dict[str, Any]:
        """The parts of the table view that tell of the camera and the rolls."""
        eye = self._eye or self._camera
        return {
            "camera": camera_view(self._camera, eye.frames, eye.dropped),
            "roll": roll_view(self._offers.current, play, self._motion, self._offers.before),
            "before": roll_view(self._offers.before, play, self._motion),
        }

    # What the camera tells

    @property
    def camera(self) -> CameraStatus:
        """How the camera is, as it was told last."""
        return self._camera

    def connect(self, eye: Eye, source: str) -> None:
        """This table has a camera, called `source`."""
        self.disconnect()
        self._eye = eye
        self._camera = CameraStatus("starting", None, source)

    def disconnect(self) -> None:
        """This table has no camera any more: where dice lay in its picture says nothing of the next one's."""
        self._eye = None
        self._camera = CameraStatus()
        self._motion.camera_is(EMPTY)

    def camera_is(self, status: CameraStatus) -> None:
        """The state of the camera has changed."""
        self._motion.camera_is(status.state)
        if status.state == "starting" or status.message is not None:
            # Whoever could not look knows nothing of what lay there: old dice are reported as if new.
            self._returned = True
        self._camera = status

    def roll_seen(self, roll: Roll, play: Play | None) -> bool:
        """A throw has come to rest: it goes on offer, in place of one that nobody confirmed. Whether that is news."""
        returned, self._returned = self._returned, False
        lays = lays_of(roll.reading)
        entered = self._motion.rolled(len(lays))
        if entered is not None:
            self._belongs(roll, lays, entered, play)
            return True
        lain = self._offers.lie_again(lays) if returned else None
        if lain is not None and (lain is not self._offers.current or lies_as(lays, lays_of(lain.as_read))):
            self._motion.seen(lain.id)
            return False  # it is on offer already, or will be
        again = self._offers.shown_again(lays) if returned and lain is None else None
        offer = Offer(self._keep(roll), roll, _asked(play))
        if again is not None:  # the same dice, by a camera that stands elsewhere
            offer = replace(offer, asked=again.asked, like=again.like, entered=again.entered)
        else:
            like = self._confirmed_as(lays, play) if returned else self._left_of(roll, lays, play)
            offer = replace(offer, like=like)
        # Something may have hidden the others, which nobody throws when they come to light.
        self._returned = returned and len(lays) < self._may_lie(play)
        waiting = lain is None and again is None and self._waits(lays, play)
        self._offers.seen(offer, waits=waiting, again=again)
        return True

    def passed_by(self, roll: Roll) -> None:
        """A throw has come to rest that is nobody's in the game: its dice, lying there, are no throw later either."""
        self._left_lying = lays_of(roll.reading)

    def holds(self, play: Play | None) -> bool:
        """Whether a film must wait: a roll is on offer, or put off, while the game asks for a throw.

        Not for dice whose throw was entered already: nobody has anything to do about them.
        """
        offer = self._offers.current
        if not self._offers.waiting or _asked(play) is None:
            return False
        return offer is None or not offer.entered or misfit_of(offer, play) is None

    # What the game has come to

    def begun(self) -> None:
        """A game begins: what lies on the table is nobody's throw."""
        self._left_lying = self._offers.clear() or self._left_lying

    def find(self, roll: str) -> Offer | None:
        """The roll of that id, as long as it can be confirmed."""
        return self._offers.find(roll)

    def used_by(self, event: Throw, offer: Offer | None) -> Offer | None:
        """The roll that a throw uses up: `offer`, or, entered by hand, the dice that lie there."""
        return offer or self._offers.by_hand(event.dice, event.kept)

    def thrown(
        self, play: Play, event: Throw, offer: Offer | None, used: Offer | None, asked: Asked | None
    ) -> None:
        """The throw has been entered from `offer`, or by hand, as the game asked for `asked`; it used up `used`."""
        lying = () if used is None else lays_of(used.as_read)
        by_hand = offer is None and not self._offers.puts_off
        by_hand = by_hand and not (lying and same_values(lying, event.dice, event.kept))
        self._offers.use(used, play.seq, asked_of(play.state))
        self._left_lying = lying or self._left_lying
        if by_hand:
            self._motion.belongs(Entered(play.seq, event.dice, event.kept, asked))

    def went_on(self, play: Play) -> None:
        """The game has gone on without a throw."""
        self._offers.asks(_asked(play))

    def taken_back(self, play: Play, step: Step) -> None:
        """The `step` has been taken back: an event, whose roll is on offer again, or a correction."""
        if step.kind != "append":
            self.corrected(play)
            return
        seq, throw = _of(step)
        self._offers.undone(seq, None if throw is None else (throw.dice, throw.kept), _asked(play))
        self._motion.taken_back(seq)
        self._left_lying = ()

    def done_again(self, play: Play, step: Step) -> None:
        """The `step`, taken back before, has been done again: an event, which uses its roll up, or a correction."""
        seq, throw = _of(step) if step.kind == "append" else (0, None)
        if throw is None:
            self.corrected(play)
            return
        used = self._offers.of(seq) or self._offers.by_hand(throw.dice, throw.kept)
        self._offers.use(used, seq, _asked(play))
        lying = () if used is None else lays_of(used.as_read)
        if used is not None and play.seen(seq).lying is None:
            play.saw(seq, used.id, lying)
        self._left_lying = lying or self._left_lying

    def corrected(self, play: Play) -> None:
        """Events of before have changed, and with them maybe who is asked for a throw."""
        self._motion.stands({entry.seq for entry in play.entries})
        self.went_on(play)

    def dismissed(self, offer: Offer) -> None:
        """The roll is no throw: it is forgotten, and the table read again unless it was the one before."""
        displaced = offer is self._offers.before
        self._offers.forget(offer)
        if not displaced:
            self._returned = False  # what is read now is taken for a throw: somebody has said so
            if self._eye is not None:
                self._eye.read_again()

    def _keep(self, roll: Roll) -> str:
        """Keep the picture of a roll; the id that screens know it by."""
        self._rolls += 1
        name = f"r{self._start}-{self._rolls}"
        self._motion.seen(name)
        self._pictures[name] = roll.picture
        while len(self._pictures) > PICTURES_KEPT:
            self._pictures.popitem(last=False)
        return name

    def _belongs(self, roll: Roll, lays: tuple[Lay, ...], entered: Entered, play: Play | None) -> None:
        """A roll of the motion in which a throw was entered by hand: that throw, or somebody must say."""
        offer = Offer(self._keep(roll), roll, entered.asked, entered=True)
        throw = None if play is None else play.throw_of(entered.seq)
        dice, kept = (entered.dice, entered.kept) if throw is None else (throw.dice, throw.kept)
        if play is not None and same_values(lays, dice, kept):
            play.saw(entered.seq, offer.id, lays)
            self._offers.rolled(offer, entered.seq)
            self._left_lying = lays
        else:
            self._offers.seen(offer, waits=self._waits(lays, play))

    def _left_of(self, roll: Roll, lays: tuple[Lay, ...], play: Play | None) -> int | None:
        """The throw whose dice, lying there still, are part of a roll that would begin a turn; else None.

        Nobody begins with dice that lie there: more likely one that was hidden has come to light beside them.
        """
        now = None if play is None else expected(play.state)
        if play is None or now is None or now.hand or len(lays) != now.dice:
            return None
        last = play.last_throw
        place = 0 if last is None else last.seq
        throw = play.throw_of(place)
        unthrown = [lay for lay, kept in zip(lays, roll.kept, strict=False) if kept]
        then = play.seen(place).lying or self._left_lying
        hand = () if throw is None else (*throw.dice, *throw.kept)
        return place if lies_as(unthrown, then, hand) else None

    def _may_lie(self, play: Play | None) -> int:
        """How many dice may lie there that were thrown before."""
        last = None if play is None else play.last_throw
        lying = None if play is None or last is None else play.seen(last.seq).lying
        throw = None if play is None or last is None else play.throw_of(last.seq)
        thrown = 0 if throw is None else len(throw.dice)
        return max(len(self._left_lying), thrown if lying is None else len(lying), self._offers.most())

    def _confirmed_as(self, lays: tuple[Lay, ...], play: Play | None) -> int | None:
        """The throw whose dice these are (see `confirmed_as`), which lie so from now on."""
        like = confirmed_as(lays, play, self._left_lying)
        if like and play is not None and (seen := play.seen(like)).roll is not None:
            then = seen.lying or ()
            if len(lays) == len(then) and not lies_as(lays, then):
                # They lie elsewhere in the picture: by that it is told which of them are kept next.
                play.saw(like, seen.roll, lays)
        return like

    def _waits(self, lays: tuple[Lay, ...], play: Play | None) -> bool:
        """Whether a roll on offer goes on waiting to be confirmed, with the dice of a new one lying as `lays`."""
        offer = self._offers.current
        return offer is not None and waits(offer, play, lays)


def _asked(play: Play | None) -> Asked | None:
    return None if play is None else asked_of(play.state)


def _of(step: Step) -> tuple[int, Throw | None]:
    """The entry of the log that brought the event of a step, and its throw if it is one."""
    (entry,) = step.added
    assert isinstance(entry, Kept)
    return entry.seq, entry.event if isinstance(entry.event, Throw) else None
