"""A correction as a screen asks for it: read with care, made into an entry of the log, refused with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from scorer.corrections import Plan
from scorer.errors import CorrectionError, EventError, InvalidEvent
from scorer.events import Event
from scorer.record import event_from_json, event_to_json
from scorer.service.history import preview_view
from scorer.service.play import Play
from scorer.service.problems import Refused, sentence
from scorer.service.store import LogRow
from scorer.shapes import EVENTS, shortened


class Wanted(NamedTuple):
    """Event `number`, from 1, is to be what `event` says, or that before it; or never to have been."""

    kind: Literal["change", "insert", "delete"]
    number: int
    event: Mapping[str, Any] | None


def row_of(wanted: Wanted, play: Play, at: str, truncate: bool = False) -> LogRow:
    """The entry of the log that makes the correction. Raises Refused.

    A changed event keeps the time of the original, and what the camera saw of it; it comes from the tablet now.
    """
    payload: dict[str, Any] = {"number": wanted.number}
    if (wanted.event is None) is not (wanted.kind == "delete"):
        wrong = "is missing" if wanted.event is None else "is left out where one is deleted"
        raise Refused(422, "invalid", f"event {wrong}.")
    if wanted.event is not None:
        original = play.entries[wanted.number - 1 : wanted.number] if wanted.kind == "change" else ()
        then = original[0].at if original else at
        event = event_to_json(_event(wanted.event, play.row.players))
        payload["event"] = event | ({} if then is None else {"at": then}) | {"source": "tablet"}
    if truncate:
        payload["truncate"] = True
    return LogRow(play.seq + 1, wanted.kind, payload, at)


def plan_of(row: LogRow, play: Play) -> Plan:
    """What the correction would do. Raises Refused where there is no such event, or it cannot stand there."""
    try:
        return play.plan(row)
    except CorrectionError as error:
        raise Refused(422, "invalid", f"number: {error}.", table=True) from error
    except EventError as error:
        raise Refused(422, "illegal", sentence(error), table=True) from error


def broken(plan: Plan) -> Refused:
    """The refusal of a correction after which a later event would not stand."""
    assert plan.broken is not None
    lost = plan.broken.lost
    message = (
        f"Event {plan.broken.was} would no longer stand: {plan.broken.error.told}. Cut the game off there "
        f"({lost} event{'s' if lost > 1 else ''} lost), or leave it as it is."
    )
    return Refused(409, "broken", message, table=True, more={"preview": preview_view(plan)})


def _event(row: Mapping[str, Any], players: Sequence[str]) -> Event:
    """The event, of its own fields only. Raises Refused."""
    try:
        event = event_from_json(dict(row), players)
    except InvalidEvent as error:
        raise Refused(422, "invalid", f"event: {error}.") from error
    except EventError as error:
        raise Refused(422, "illegal", sentence(error), table=True) from error
    own = {"type", "kept", *EVENTS[event.type]} if event.type == "throw" else {"type", *EVENTS[event.type]}
    for field in row:
        if field not in own:
            raise Refused(422, "invalid", f"event: {shortened(field)} is no field of a correction's event.")
    return event
