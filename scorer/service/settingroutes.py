"""The commands of the API that set the table's camera and calibrate it, and what screens read of that.

A path or an address is taken from this machine alone: whoever sits at a tablet may choose among the cameras that are
here and what was chosen before, but not have the service open any file or ask any address.
"""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import Field

from calibration.checks import ProfileError
from scorer.service import opening
from scorer.service.answers import json_answer
from scorer.service.calibrating import Calibrating
from scorer.service.commands import Body, command_of
from scorer.service.keys import Keys
from scorer.service.problems import Refused
from scorer.service.setting import Setting
from scorer.service.sheets import printed
from scorer.service.store import Store

Done = Callable[[str, "Body", Request, Callable[[], None]], Response]
Id = Annotated[str, Field(min_length=1, max_length=64)]
Text = Annotated[str, Field(min_length=1, max_length=60)]
Pixels = Annotated[float, Field(ge=-20000, le=20000)]
Outline = Annotated[
    list[Annotated[list[Pixels], Field(min_length=2, max_length=2)]], Field(min_length=3, max_length=128)
]


HANDED_ON = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"})
"""What programs write that hand requests on, besides `X-Forwarded-...`."""


class SourceBody(Body):
    """Another source: `source` as it is named, `known` one chosen before, neither for no camera."""

    source: Annotated[str, Field(min_length=1, max_length=1000)] | None = None
    known: Id | None = None


class ProfileBody(Body):
    """A profile by its name, None for none."""

    profile: Text | None


class RemoveBody(Body):
    """A profile that is not wanted any more."""

    profile: Text


class FindBody(Body):
    """Look for the tray, in a new calibration without `calibration`."""

    calibration: Id | None = None


class CalibrationBody(Body):
    """A step of a calibration."""

    calibration: Id


class TrayBody(CalibrationBody):
    """Where the tray is: `outline` in pixels of the picture, null for all of it; where kept dice are laid."""

    outline: Outline | None
    shape: Literal["round", "hexagon", "square", "outline"] = "outline"
    kept: Outline | None = None


class ThrowsBody(CalibrationBody):
    """Begin to try the dice, or stop."""

    run: bool


class SaveBody(CalibrationBody):
    """Keep the profile, `replace` in place of one of that name."""

    name: Text
    replace: bool = False


def is_here(request: Request) -> bool:
    """Whether whoever asks is on the machine that Piste runs on, as far as is known: what was handed on is not.

    What comes from this machine by an address of the network has been handed on as well, by a program that says nothing
    of it: asked from here by that address, it would come from there.
    """
    if any(name in HANDED_ON or name.startswith("x-forwarded") for name in request.headers):
        return False
    if not _is_loopback(request.client.host if request.client else ""):
        return False
    named = request.url.hostname or ""
    return _is_loopback(named) or not _is_address(named)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _is_loopback(text: str) -> bool:
    if not _is_address(text):
        return False
    address = ipaddress.ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def add_setting(app: FastAPI, setting: Setting, store: Store) -> None:
    """Add all of them to the application."""
    keys = Keys(store)
    one_at_a_time = threading.Lock()

    def done(name: str, body: Body, request: Request, act: Callable[[], None]) -> Response:
        """Do a command, once, and answer what screens see then."""
        command = command_of(name, body)
        with one_at_a_time:
            if not keys.repeated(command):
                act()
                keys.note(command)
                setting.changed()
        heard = body.calibration if isinstance(body, FindBody | CalibrationBody) else None
        return json_answer(setting.view(here=is_here(request), heard=heard))

    @app.api_route("/api/camera", methods=["GET", "HEAD"])
    def camera(request: Request, calibration: str | None = None) -> Response:
        return json_answer(setting.view(here=is_here(request), heard=calibration))

    @app.api_route("/api/cameras", methods=["GET", "HEAD"])
    def cameras() -> Response:
        return json_answer(setting.cameras())

    @app.post("/api/camera/source")
    def source(body: SourceBody, request: Request) -> Response:
        named, known = body.source, body.known
        if named is not None and not (is_here(request) or opening.is_of_this_machine(named)):
            message = (
                "Addresses and files are taken on the machine that Piste runs on only: choose it there once."
            )
            raise Refused(403, "not_here", message)
        return done(
            "camera/source", body, request,
            lambda: setting.use(named) if known is None else setting.use_known(known),
        )  # fmt: skip

    @app.post("/api/camera/profile")
    def profile(body: ProfileBody, request: Request) -> Response:
        return done("camera/profile", body, request, lambda: setting.use_profile(body.profile))

    @app.post("/api/camera/profile/remove")
    def remove(body: RemoveBody, request: Request) -> Response:
        return done("camera/profile/remove", body, request, lambda: setting.remove_profile(body.profile))

    @app.post("/api/camera/in_place")
    def in_place(body: Body, request: Request) -> Response:
        return done("camera/in_place", body, request, setting.look_again)

    _add_calibration(app, setting.calibrating, done)


def _add_calibration(app: FastAPI, calibrating: Calibrating, done: Done) -> None:
    @app.post("/api/calibration/find")
    def find(body: FindBody, request: Request) -> Response:
        return done("calibration/find", body, request, lambda: calibrating.find(body.calibration))

    @app.post("/api/calibration/tray")
    def tray(body: TrayBody, request: Request) -> Response:
        return done(
            "calibration/tray", body, request,
            lambda: calibrating.tray(body.calibration, body.outline, body.shape, body.kept),
        )  # fmt: skip

    @app.api_route("/api/calibration/sheet.{kind}", methods=["GET", "HEAD"])
    def printed_sheet(kind: Literal["svg", "pdf"], paper: str = "a4", lang: str = "en") -> Response:
        try:
            svg, pdf = printed(paper, lang)
        except ProfileError as error:
            raise Refused(422, "invalid", str(error)) from error
        content, media = (svg.encode(), "image/svg+xml") if kind == "svg" else (pdf, "application/pdf")
        name = f"piste-sheet-{paper.lower()}.{kind}"
        return Response(
            content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    @app.post("/api/calibration/sheet")
    def sheet(body: CalibrationBody, request: Request) -> Response:
        return done("calibration/sheet", body, request, lambda: calibrating.sheet(body.calibration))

    @app.post("/api/calibration/light")
    def light(body: CalibrationBody, request: Request) -> Response:
        return done("calibration/light", body, request, lambda: calibrating.light(body.calibration))

    @app.post("/api/calibration/throws")
    def throws(body: ThrowsBody, request: Request) -> Response:
        return done(
            "calibration/throws", body, request, lambda: calibrating.throws(body.calibration, body.run)
        )

    @app.post("/api/calibration/save")
    def save(body: SaveBody, request: Request) -> Response:
        return done(
            "calibration/save", body, request,
            lambda: calibrating.save(body.calibration, body.name, replace_it=body.replace),
        )  # fmt: skip

    @app.post("/api/calibration/cancel")
    def cancel(body: CalibrationBody, request: Request) -> Response:
        return done("calibration/cancel", body, request, lambda: calibrating.cancel(body.calibration))
