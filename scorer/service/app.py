"""The FastAPI application: commands by POST, the table by server-sent events, pictures, exports, the page.

`docs/api.md` is the contract. Commands run in worker threads and take the table's lock there, so that two
tablets confirming at the same instant are served one after the other; the event loop itself never waits for
the disk.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from scorer.service import static
from scorer.service.bodies import BODY_S
from scorer.service.export import csv_download, games_list, record_download
from scorer.service.guard import FAULT, Guard
from scorer.service.lines import MOST
from scorer.service.problems import Refused, StoreError
from scorer.service.store import Command
from scorer.service.table import PenaltyReason, Table
from scorer.service.view import rulesets_view
from scorer.strictjson import json_text

log = logging.getLogger("piste")

PING_S = 10.0
"""After so much silence a stream says that it is alive: a screen cannot notice otherwise that its line is cut."""

Name = Annotated[str, Field(min_length=1, max_length=60)]
Face = Annotated[int, Field(ge=1, le=6)]


class Body(BaseModel):
    """What all commands may carry."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class StartBody(Body):
    """Start a game; `game` is the one that the sender saw running, and that alone is replaced."""

    players: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=50)]
    ruleset: Name = "rulebook"
    options: dict[str, JsonValue] = {}
    replace: bool = False
    game: Name | None = None


class GameBody(Body):
    """A command for the game that is being played, as the sender saw it."""

    seq: Annotated[int, Field(ge=0)]
    game: Name | None = None


class PlayerBody(GameBody):
    """A command that concerns one player."""

    player: Name


class ThrowBody(PlayerBody):
    """A throw as read, corrected or entered by hand."""

    dice: Annotated[list[Face], Field(min_length=1, max_length=3)]
    kept: Annotated[list[Face], Field(max_length=2)] = []
    roll: Name | None = None


class PenaltyBody(PlayerBody):
    """A penalty, where the ruleset has them."""

    reason: PenaltyReason


class DismissBody(GameBody):
    """The roll on offer is not a throw."""

    roll: Name


def create_app(
    table: Table,
    host: str = "127.0.0.1",
    *,
    ping_s: float = PING_S,
    body_s: float = BODY_S,
    most_streams: int = MOST,
) -> Guard:
    """The application over `table`, behind its guard; `host` is the address that will be listened on."""
    app = FastAPI(title="Piste", docs_url=None, redoc_url=None, openapi_url=None)
    _add_errors(app, table)
    _add_reading(app, table, ping_s, most_streams)
    _add_commands(app, table)
    _add_page(app)
    return Guard(app, host, body_s=body_s)


def _add_reading(app: FastAPI, table: Table, ping_s: float, most_streams: int) -> None:
    def has_room() -> None:
        if len(table.hub) >= most_streams:
            raise Refused(
                503, "busy", "Too many screens are connected to Piste: close some of them, then try again."
            )

    def read(path: str) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
        return app.api_route(path, methods=["GET", "HEAD"])

    @read("/api/table")
    def read_table() -> Response:
        return _json(table.view())

    @app.get("/api/events", response_class=EventSourceResponse, dependencies=[Depends(has_room)])
    async def events() -> AsyncIterator[ServerSentEvent]:
        sent = 0
        async for snapshot in table.hub.stream(table.latest, ping_s):
            if snapshot is None:
                yield ServerSentEvent(data={"version": sent}, event="ping")
                continue
            sent = snapshot.version
            yield ServerSentEvent(raw_data=snapshot.text, event="table", id=str(snapshot.version), retry=1000)

    @read("/api/picture.jpg")
    def picture() -> Response:
        jpeg = table.picture()
        if jpeg is None:
            raise Refused(
                404, "not_found", "There is no picture: no camera is connected, or it has not sent one yet."
            )
        return Response(jpeg, media_type="image/jpeg")

    @read("/api/rolls/{roll}.jpg")
    def roll_picture(roll: str) -> Response:
        jpeg = table.roll_picture(roll)
        if jpeg is None:
            raise Refused(404, "not_found", f"There is no picture of roll {roll} (any more).")
        return Response(jpeg, media_type="image/jpeg")

    @read("/api/rulesets")
    def rulesets() -> Response:
        return _json(rulesets_view())

    @read("/api/games")
    def games() -> Response:
        return _json(games_list(table.store))

    @read("/api/games/{game}/record")
    def record(game: str) -> Response:
        return _download(*record_download(table.store, game), "application/json")

    @read("/api/games/{game}/csv")
    def csv(game: str) -> Response:
        return _download(*csv_download(table.store, game), "text/csv; charset=utf-8")


def _add_commands(app: FastAPI, table: Table) -> None:
    @app.post("/api/games")
    def start(body: StartBody) -> Response:
        return _json(
            table.start(
                body.players, body.ruleset, body.options,
                replace=body.replace, game=body.game, command=_command("games", body),
            )
        )  # fmt: skip

    @app.post("/api/throw")
    def throw(body: ThrowBody) -> Response:
        return _json(
            table.throw(
                body.player, body.dice, body.kept, body.roll,
                seq=body.seq, game=body.game, command=_command("throw", body),
            )
        )  # fmt: skip

    @app.post("/api/stand")
    def stand(body: PlayerBody) -> Response:
        return _json(table.stand(body.player, seq=body.seq, game=body.game, command=_command("stand", body)))

    @app.post("/api/penalty")
    def penalty(body: PenaltyBody) -> Response:
        return _json(
            table.penalty(
                body.player, body.reason, seq=body.seq, game=body.game, command=_command("penalty", body)
            )
        )

    @app.post("/api/leave")
    def leave(body: PlayerBody) -> Response:
        return _json(table.leave(body.player, seq=body.seq, game=body.game, command=_command("leave", body)))

    @app.post("/api/abandon")
    def abandon(body: GameBody) -> Response:
        return _json(table.abandon(seq=body.seq, game=body.game, command=_command("abandon", body)))

    @app.post("/api/undo")
    def undo(body: GameBody) -> Response:
        return _json(table.undo(seq=body.seq, game=body.game, command=_command("undo", body)))

    @app.post("/api/dismiss")
    def dismiss(body: DismissBody) -> Response:
        return _json(
            table.dismiss(body.roll, seq=body.seq, game=body.game, command=_command("dismiss", body))
        )


def _add_page(app: FastAPI) -> None:
    async def nothing(scope: Scope, _receive: Receive, _send: Send) -> None:
        """The page is asked for any address; what the API does not have is none of its files."""
        routes = [
            route for route in app.routes if isinstance(route, Route) and route.path.startswith("/api/")
        ]
        taken = {
            method
            for route in routes
            if route.path_regex.match(scope["path"])
            for method in route.methods or ()
        }
        if taken:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(taken))})
        raise HTTPException(404)

    app.mount("/api", nothing)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"])
    def page(path: str, request: Request) -> Response:
        file = static.find(path)
        if file is None:
            raise Refused(404, "not_found", f"There is nothing at /{path}.")
        return static.serve(file, request.headers.get("if-none-match"))


def _add_errors(app: FastAPI, table: Table) -> None:
    @app.exception_handler(Refused)
    def refused(_request: Request, error: Refused) -> Response:
        content: dict[str, Any] = {"error": error.error, "message": error.message}
        if error.table:
            content["table"] = table.view()
        return _json(content, error.status)

    @app.exception_handler(StoreError)
    def storage(_request: Request, error: StoreError) -> Response:
        log.error("%s", error)
        return _json({"error": "storage", "message": str(error)}, 503)

    @app.exception_handler(RequestValidationError)
    def invalid(_request: Request, error: RequestValidationError) -> Response:
        status, name, message = _explain(error.errors())
        return _json({"error": name, "message": message}, status)

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            message = f"{request.url.path} does not take {request.method}."
            return _json({"error": "method", "message": message}, 405, error.headers)
        if error.status_code == 404:
            message = f"There is nothing at {request.url.path}."
            return _json({"error": "not_found", "message": message}, 404, error.headers)
        message = "The request cannot be read: its body must be a JSON object."
        return _json({"error": "bad_request", "message": message}, error.status_code, error.headers)

    @app.exception_handler(Exception)
    def fault(_request: Request, _error: Exception) -> Response:
        # The error goes on to the guard, which writes it into the log.
        return _json({"error": "fault", "message": FAULT}, 500)


def _explain(faults: Sequence[Any]) -> tuple[int, str, str]:
    """Pydantic's list of faults -> status, word, one sentence."""
    fault = faults[0]
    place = [str(part) for part in fault["loc"][1:]]
    if not place:
        return 400, "bad_request", "The body must be a JSON object, sent as application/json."
    name = ".".join(place)
    if fault["type"] == "missing":
        return 422, "invalid", f"{name} is missing."
    if fault["type"] == "extra_forbidden":
        return 422, "invalid", f"{name} is not a field of this command."
    reason = str(fault["msg"]).removeprefix("Input ")
    return 422, "invalid", f"{name} {reason[:1].lower()}{reason[1:]}."


def _command(name: str, body: Body) -> Command | None:
    if body.key is None:
        return None
    text = json.dumps(body.model_dump(exclude={"key"}), sort_keys=True)
    return Command(body.key, hashlib.sha256(f"{name} {text}".encode()).hexdigest())


def _json(content: Any, status: int = 200, headers: Any = None) -> Response:
    # Whatever is in it (a folder's name need not be text), an answer can be written.
    return Response(json_text(content).encode(), status, headers, "application/json")


def _download(name: str, content: str, media_type: str) -> Response:
    # The name is made of digits, letters and hyphens: nothing in it needs quoting.
    return Response(
        content.encode(errors="backslashreplace"),
        media_type=media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
