"""From a command line to a running service: store, table, camera, socket, in that order, and back again."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from scorer.errors import PisteError
from scorer.rules import Ruleset
from scorer.service.app import create_app
from scorer.service.folder import FolderLock
from scorer.service.library import house_files
from scorer.service.lines import room
from scorer.service.server import DEFAULT_PORT, addresses, ending_tidily, listen, log_plainly, run, say
from scorer.service.setting import Setting
from scorer.service.store import sqlite_store
from scorer.service.table import Table
from scorer.service.watching import Setup

DEMO_SETUP = Setup(("Ana", "Bo", "Cy"))
DEMO_FILM = "table.mp4"


def serve(folder: Path, *, host: str, port: int, source: str | None, rules: Sequence[str] = ()) -> None:
    """`piste serve`: until interrupted; `rules` are files of the table's own.

    Raises PisteError, VisionError when it cannot begin.
    """
    log_plainly()
    rulesets = house_files(rules)
    with ending_tidily(), ExitStack() as held:
        sock = held.enter_context(listen(host, port))
        table = _open_table(held, folder, rulesets)
        setting = _setting(held, table, folder, source)
        say(f"Games are kept in {folder}.")
        _run(table, setting, sock, host)


def demo(*, port: int | None, browser: bool, rules: Sequence[str] = ()) -> None:
    """`piste demo`: until interrupted; `rules` are files of the table's own.

    Raises PisteError, VisionError when it cannot begin.
    """
    log_plainly()
    rulesets = house_files(rules)
    host = "127.0.0.1"
    with ending_tidily(), ExitStack() as held:
        sock = held.enter_context(
            listen(host, DEFAULT_PORT if port is None else port, next_free=port is None)
        )
        film = _film()
        # Windows may still hold the database for a moment when the folder goes: no reason to complain.
        folder = held.enter_context(
            tempfile.TemporaryDirectory(prefix="piste-demo-", ignore_cleanup_errors=True)
        )
        table = _open_table(held, Path(folder), rulesets, DEMO_SETUP)
        setting = _setting(held, table, Path(folder), str(film), demo=True)
        say("This is the demo: a recorded table. Its games are forgotten at the end.")
        _run(table, setting, sock, host, open_browser if browser else None)


def _film() -> Path:
    import sample_images  # noqa: PLC0415 - only the demo needs it

    film = Path(str(sample_images.__file__)).resolve().parent / DEMO_FILM
    if not film.is_file():
        raise PisteError(f"The recorded table {film} is missing: install Piste again.")
    return film


def _open_table(
    held: ExitStack, folder: Path, rulesets: Sequence[Ruleset], setup: Setup | None = None
) -> Table:
    lock = FolderLock(folder)
    held.callback(lock.close)
    store = sqlite_store(folder, lock)
    held.callback(store.close)
    return Table(store, setup=setup, rulesets=rulesets)


def _setting(
    held: ExitStack, table: Table, folder: Path, source: str | None, *, demo: bool = False
) -> Setting:
    """Put the table under a camera; `demo` plays a film over and over that waits for confirmations."""
    setting = Setting(table, folder)
    held.callback(setting.stop)
    setting.start(source, demo=demo)
    return setting


def _run(
    table: Table,
    setting: Setting,
    sock: socket.socket,
    host: str,
    open_page: Callable[[str], None] | None = None,
) -> None:
    here, *elsewhere = addresses(sock, host)

    def started() -> None:
        say(f"Piste is ready: {here}")
        for address in elsewhere:
            say(f"On tablets and phones in the same network: {address}")
        say("Stop it with Ctrl+C.")
        if open_page is not None:
            threading.Thread(target=open_page, args=(here,), daemon=True).start()

    most = room()
    # Screens that only look on leave lines free for commands.
    app = create_app(table, host, setting=setting, most_streams=most * 3 // 4)
    run(app, sock, table.hub, started, most=most)


def open_browser(address: str) -> None:
    """Open the page, where there is a screen to open it on. A text browser would take over the terminal."""
    unix = sys.platform not in ("win32", "darwin")
    if unix and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return
