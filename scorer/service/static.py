"""The dashboard's files, as the browser wants them.

Types come from the table below, never from the system: on some Windows machines the registry says that `.js`
is plain text, and a browser then refuses to run the page.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.responses import Response

FOLDER = Path(__file__).resolve().parent.parent / "dashboard"

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}


PAGES = {"": "index.html", "camera": "camera.html"}
"""Pages by the address that people type."""


def find(path: str, folder: Path = FOLDER) -> Path | None:
    """The file that a request's path names, or None; only files of a known type inside `folder`."""
    if "\\" in path or "\0" in path:
        return None
    parts = [part for part in PAGES.get(path, path).split("/") if part]
    if any(part.startswith(".") or ":" in part for part in parts):
        return None
    file = folder.joinpath(*parts)
    try:
        resolved = file.resolve()
        if resolved.suffix not in TYPES or not resolved.is_relative_to(folder.resolve()):
            return None
        if not resolved.is_file():
            return None
    except OSError:
        return None
    return resolved


def serve(file: Path, if_none_match: str | None) -> Response:
    """The file, or 304 when the browser has it already. It asks every time: an update is never half seen."""
    content = file.read_bytes()
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    known = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    if etag in known:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=TYPES[file.suffix], headers=headers)
