"""Answers of the API: JSON that can always be written, downloads, and every error as a sentence."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from scorer.service.guard import FAULT
from scorer.service.problems import Refused, StoreError
from scorer.service.table import Table
from scorer.strictjson import json_text

log = logging.getLogger("piste")

_MUST_BE = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "int_type": "a whole number",
    "list_type": "a list",
    "string_type": "a text",
}
"""Pydantic's names for the wrong type, and what to say in place of its own words (`a valid dictionary`)."""


def json_answer(content: Any, status: int = 200, headers: Any = None) -> Response:
    """`content` as JSON. Whatever is in it (a folder's name need not be text), it can be written."""
    return Response(json_text(content).encode(), status, headers, "application/json")


def download(name: str, content: str, media_type: str) -> Response:
    """A file to be kept under that name, which is made of digits, letters and hyphens."""
    return Response(
        content.encode(errors="backslashreplace"),
        media_type=media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def add_errors(app: FastAPI, table: Table) -> None:
    """See that every error is answered as JSON, with a word for programs and a sentence for people."""

    @app.exception_handler(Refused)
    def refused(_request: Request, error: Refused) -> Response:
        content: dict[str, Any] = {"error": error.error, "message": error.message, **error.more}
        if error.table:
            content["table"] = table.view()
        return json_answer(content, error.status)

    @app.exception_handler(StoreError)
    def storage(_request: Request, error: StoreError) -> Response:
        log.error("%s", error)
        return json_answer({"error": "storage", "message": str(error)}, 503)

    @app.exception_handler(RequestValidationError)
    def invalid(_request: Request, error: RequestValidationError) -> Response:
        status, name, message = _explain(error.errors())
        return json_answer({"error": name, "message": message}, status)

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            message = f"{request.url.path} does not take {request.method}."
            return json_answer({"error": "method", "message": message}, 405, error.headers)
        if error.status_code == 404:
            message = f"There is nothing at {request.url.path}."
            return json_answer({"error": "not_found", "message": message}, 404, error.headers)
        message = "The request cannot be read: its body must be a JSON object."
        return json_answer({"error": "bad_request", "message": message}, error.status_code, error.headers)

    @app.exception_handler(Exception)
    def fault(_request: Request, _error: Exception) -> Response:
        # The error goes on to the guard, which writes it into the log.
        return json_answer({"error": "fault", "message": FAULT}, 500)


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
    if fault["type"] in _MUST_BE:
        return 422, "invalid", f"{name} must be {_MUST_BE[fault['type']]}."
    reason = str(fault["msg"]).removeprefix("Input ")
    return 422, "invalid", f"{name} {reason[:1].lower()}{reason[1:]}."
