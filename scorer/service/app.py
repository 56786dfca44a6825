"""The FastAPI application: the table by server-sent events, pictures, exports, the page; and the commands.

`docs/api.md` is the contract. The event loop never waits for the disk.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from fastapi import Depends, FastAPI, Request
from fastapi.responses import Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from scorer.service import static
from scorer.service.answers import add_errors, download, json_answer
from scorer.service.bodies import BODY_S
from scorer.service.commands import add_commands
from scorer.service.export import csv_download, games_list, record_download
from scorer.service.guard import Guard
from scorer.service.lines import MOST
from scorer.service.phone import Phone
from scorer.service.problems import Refused
from scorer.service.setting import Setting
from scorer.service.settingroutes import add_setting
from scorer.service.table import Table
from scorer.service.uplink import add_uplink
from scorer.service.view import rulesets_view

PING_S = 10.0
"""After so much silence a stream says that it is alive: a screen cannot notice otherwise that its line is cut."""


def create_app(
    table: Table,
    host: str = "127.0.0.1",
    *,
    setting: Setting | None = None,
    phone: Phone | None = None,
    ping_s: float = PING_S,
    body_s: float = BODY_S,
    most_streams: int = MOST,
) -> Guard:
    """The application over `table`, behind its guard; `host` is the address that will be listened on.

    With `setting` screens may choose and calibrate the table's camera; what a phone sends goes to `phone`.
    """
    app = FastAPI(title="Piste", docs_url=None, redoc_url=None, openapi_url=None)
    add_errors(app, table)
    _add_reading(app, table, ping_s, most_streams)
    add_commands(app, table)
    add_uplink(app, phone or Phone(host), table)
    if setting is not None:
        add_setting(app, setting, table.store)
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
        return json_answer(table.view())

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
        return json_answer(rulesets_view(table.library))

    @read("/api/games")
    def games() -> Response:
        return json_answer(games_list(table.store))

    @read("/api/games/{game}/history")
    def history(game: str) -> Response:
        return json_answer(table.history(game))

    @read("/api/games/{game}/record")
    def record(game: str) -> Response:
        return download(*record_download(table.store, game), "application/json")

    @read("/api/games/{game}/csv")
    def csv(game: str) -> Response:
        return download(*csv_download(table.store, game), "text/csv; charset=utf-8")


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
