"""`piste watch`: tells what a camera or a film shows, one line an event."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.errors import PisteError

if TYPE_CHECKING:
    from calibration.profile import Profile
    from scorer.service.cli.showing import Showing
    from vision.events import Event
    from vision.frames import Frame, FrameSource
    from vision.roll import Roll
    from vision.watcher import RollWatcher

WAIT_S = 0.5


class WatchError(PisteError):
    """There is nothing to watch, or nothing to watch with."""


def run(args: argparse.Namespace) -> int:
    """Watch until the source ends, which is success, or somebody stops it."""
    from calibration.profile import WHOLE_PICTURE, ProfileError
    from vision.errors import VisionError
    from vision.pipeline import DiceReader
    from vision.watcher import RollWatcher

    show: Showing | None = None
    try:
        profile = WHOLE_PICTURE if args.profile is None else _profile(args.profile, args.data)
        if args.show is not None:
            from scorer.service.cli.showing import opened

            show = opened(args.show, args.source)
        reader = DiceReader()
        with _source(args, profile) as source:
            watcher = RollWatcher(lambda image: reader.read(image, profile.die_px), profile=profile)
            for row in _rows(source, watcher, show):
                _print(row, args.json)
    except (VisionError, ProfileError) as error:
        raise WatchError(str(error)) from None
    finally:
        if show is not None:
            show.close()
    return 0


def _profile(name: str, data: str | None) -> Profile:
    from calibration.profilefile import load
    from scorer.service.folder import default_folder

    return load(name, default_folder() if data is None else Path(data))


def _source(args: argparse.Namespace, profile: Profile) -> FrameSource:
    """The source; one that comes live is opened again when it is lost, once it has been there."""
    from vision.frames import FOUND, kind_of, open_source
    from vision.steady import SteadySource

    if kind_of(args.source) not in ("camera", "stream"):
        return open_source(args.source, realtime=args.realtime)
    settings = profile.camera or FOUND

    def again() -> FrameSource:
        return open_source(args.source, size=profile.size, settings=settings, wait=False)

    first = open_source(args.source, size=profile.size, settings=settings)
    return SteadySource(first.name, again, first=first)


def _rows(source: FrameSource, watcher: RollWatcher, show: Showing | None) -> Iterator[dict[str, Any]]:
    """What happens, as rows, until the source has ended. Raises SourceError, and ProfileError for a wrong size."""
    newest: Frame | None = None
    said: tuple[object, ...] = ()
    fault: str | None = None
    lost = False
    while True:
        frame = source.read(WAIT_S)
        now = 0.0 if newest is None else newest.time
        if frame is None and not source.ended:
            if source.state in ("stale", "gone") and newest is not None and not lost:
                lost = True
                yield from _told(watcher.stale(now + source.age))
            now += source.age if newest is not None else 0.0
        elif frame is not None:
            if newest is None or newest.image.shape != frame.image.shape:
                watcher.profile.fits((frame.image.shape[1], frame.image.shape[0]))
            newest, now, lost = frame, frame.time, False
        state = "ended" if frame is None and source.ended else source.state
        size = None if newest is None else newest.image.shape
        if (state, source.message, size) != said:
            said = (state, source.message, size)
            yield _camera(source, now, state, newest)
        if frame is None:
            if source.ended:
                return
            continue
        try:
            events = watcher.feed(frame)
        except Exception as error:  # the picture may be read after a pause; the source goes on
            events = []
            if str(error) != fault:
                fault = str(error)
                yield {"t": round(now, 3), "type": "camera", "state": "unread", "message": fault}
        yield from _told(events)
        if show is not None and not show.frame(frame, watcher.state, events, watcher.profile):
            return


def _told(events: list[Event]) -> Iterator[dict[str, Any]]:
    """Events of the watcher as rows."""
    from vision.events import RollSeen, StateChange

    for event in events:
        row: dict[str, Any] = {"t": round(event.time, 3)}
        if isinstance(event, RollSeen):
            yield row | {"type": "roll"} | roll_row(event.roll)
        elif isinstance(event, StateChange):
            reason = {"reason": event.reason} if event.reason else {}
            yield row | {"type": "state", "state": event.state} | reason
        else:
            yield row | {"type": "flag", "kind": event.kind, "message": event.message}


def roll_row(roll: Roll) -> dict[str, Any]:
    """A roll as JSON."""
    reading = roll.reading
    return {
        "number": roll.number,
        "dice": [
            {
                "value": die.value,
                "confidence": round(die.confidence, 4),
                "box": [round(edge, 1) for edge in die.box],
                "kept": kept,
            }
            for die, kept in zip(reading.dice, roll.kept, strict=True)
        ],
        "roll": list(reading.roll),
        "sure": reading.sure,
        "reasons": list(reading.reasons),
    }


def _camera(source: FrameSource, now: float, state: str, newest: Frame | None) -> dict[str, Any]:
    """How the source is, as a row."""
    row: dict[str, Any] = {"t": round(now, 3), "type": "camera", "state": state, "source": source.name}
    if newest is not None:
        row |= {"width": newest.image.shape[1], "height": newest.image.shape[0]}
    if source.message:
        row["message"] = source.message
    if source.notes and state == "live":
        row["notes"] = list(source.notes)
    if source.dropped:
        row["dropped"] = source.dropped
    return row


def _print(row: dict[str, Any], as_json: bool) -> None:
    sys.stdout.write((json.dumps(row, ensure_ascii=False) if as_json else as_line(row)) + "\n")
    sys.stdout.flush()


def as_line(row: dict[str, Any]) -> str:
    """A row for people: the time, and what happened."""
    if row["type"] == "roll":
        dice = " ".join(f"{die['value']}{' (kept)' if die['kept'] else ''}" for die in row["dice"])
        what = f"roll {row['number']}: {' '.join(map(str, row['roll']))}  "
        what += "(sure)" if row["sure"] else f"(unsure: {', '.join(row['reasons'])})"
        if any(die["kept"] for die in row["dice"]):
            what += f"  as they lie: {dice}"
    elif row["type"] == "state":
        what = row["state"] + (f": {row['reason']}" if "reason" in row else "")
    elif row["type"] == "flag":
        what = row["message"]
    else:
        what = f"{row.get('source', 'reader')}: {row['state']}"
        if "width" in row:
            what += f", {row['width']}x{row['height']}"
        what += f". {row['message']}" if "message" in row else ""
        what += "".join(f"\n{'':10}{note}" for note in row.get("notes", ()))
        what += f" ({row['dropped']} frames dropped)" if "dropped" in row else ""
    return f"{row['t']:8.2f}  {what}"
