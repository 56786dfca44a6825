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
from dataclasses import dataclass
from pathlib import Path

from scorer.errors import PisteError
from scorer.rules import Ruleset
from scorer.service.app import create_app
from scorer.service.folder import FolderLock
from scorer.service.library import house_files
from scorer.service.lines import room
from scorer.service.phone import SPEC as PHONE
from scorer.service.phone import Phone
from scorer.service.secure import Secure
from scorer.service.server import DEFAULT_PORT, addresses, ending_tidily, listen, log_plainly, run, say
from scorer.service.setting import Setting
from scorer.service.store import sqlite_store
from scorer.service.table import Table
from scorer.service.watching import Setup

HERE = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - asked for by who names a phone or HTTPS
DEMO_SETUP = Setup(("Ana", "Bo", "Cy"))
DEMO_FILM = "table.mp4"


@dataclass(frozen=True, slots=True)
class Https:
    """HTTPS beside HTTP: from the start, or once a phone is the camera; `port` None is the next free one."""

    at_once: bool = False
    port: int | None = None


def serve(
    folder: Path,
    *,
    host: str | None,
    port: int,
    source: str | None,
    profile: str | None = None,
    fix: bool = True,
    rules: Sequence[str] = (),
    https: Https | None = None,
) -> None:
    """`piste serve`: until interrupted; `profile` is a table's name or file, `rules` are files of the table's own.

    `fix` holds a camera to the exposure, focus and white balance that it has found.

    Without `host` it is this machine alone that is served, unless other devices are named in so many words: by a
    phone as the source, or by HTTPS. Raises PisteError, VisionError when it cannot begin.
    """
    log_plainly()
    https = https or Https()
    if host is None:
        host = EVERYWHERE if source == PHONE or https.at_once else HERE
    rulesets = house_files(rules)
    with ending_tidily(), ExitStack() as held:
        sock = held.enter_context(listen(host, port))
        port = sock.getsockname()[1]
        table = _open_table(held, folder, rulesets)
        first = https.port or min(port + 1, 65535)
        secure = held.enter_context(Secure(host, first, folder, next_free=https.port is None))
        if https.at_once:
            secure.open()
        phone = Phone(host, port, secure)
        setting = _setting(held, table, folder, source, phone, profile=profile, fix=fix)
        say(f"Games are kept in {folder}.")
        _run(table, setting, phone, sock, secure)


def demo(*, port: int | None, browser: bool, rules: Sequence[str] = ()) -> None:
    """`piste demo`: until interrupted; `rules` are files of the table's own.

    Raises PisteError, VisionError when it cannot begin.
    """
    log_plainly()
    rulesets = house_files(rules)
    with ending_tidily(), ExitStack() as held:
        sock = held.enter_context(
            listen(HERE, DEFAULT_PORT if port is None else port, next_free=port is None)
        )
        film = _film()
        # Windows may still hold the database for a moment when the folder goes: no reason to complain.
        folder = held.enter_context(
            tempfile.TemporaryDirectory(prefix="piste-demo-", ignore_cleanup_errors=True)
        )
        table = _open_table(held, Path(folder), rulesets, DEMO_SETUP)
        secure = held.enter_context(Secure(HERE, 0, Path(folder)))
        phone = Phone(HERE, sock.getsockname()[1], secure)
        setting = _setting(held, table, Path(folder), str(film), phone, demo=True)
        say("This is the demo: a recorded table. Its games are forgotten at the end.")
        _run(table, setting, phone, sock, secure, open_browser if browser else None)


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
    held: ExitStack,
    table: Table,
    folder: Path,
    source: str | None,
    phone: Phone,
    *,
    profile: str | None = None,
    fix: bool = True,
    demo: bool = False,
) -> Setting:
    """Put the table under a camera; `demo` plays a film over and over that waits for confirmations."""
    setting = Setting(table, folder, phone=phone.open, fix=fix)
    held.callback(setting.stop)
    setting.start(source, profile=profile, demo=demo)
    return setting


def _run(
    table: Table,
    setting: Setting,
    phone: Phone,
    sock: socket.socket,
    secure: Secure,
    open_page: Callable[[str], None] | None = None,
) -> None:
    here, *elsewhere = addresses(sock, secure.host)

    def started() -> None:
        say(f"Piste is ready: {here}")
        for address in elsewhere:
            say(f"On tablets and phones in the same network: {address}")
        if secure.certificate is not None:
            for line in _about_https(phone, secure.certificate.fingerprint):
                say(line)
        say("Stop it with Ctrl+C.")
        if open_page is not None:
            threading.Thread(target=open_page, args=(here,), daemon=True).start()

    most = room()
    # Screens that only look on leave lines free for commands.
    app = create_app(table, secure.host, setting=setting, phone=phone, most_streams=most * 3 // 4)
    run(app, sock, table.hub, started, most=most, secure=secure)


def _about_https(phone: Phone, fingerprint: str) -> list[str]:
    return [
        f"On the phone that is to be the camera: {phone.addresses()[-1]}",
        "Its browser warns once that the connection is not private: nobody vouches for the certificate, since Piste "
        "made it itself. The connection is encrypted all the same: choose to go on.",
        f"To be sure that it is this Piste, compare the certificate's SHA-256: {fingerprint}",
    ]


def open_browser(address: str) -> None:
    """Open the page, where there is a screen to open it on. A text browser would take over the terminal."""
    unix = sys.platform not in ("win32", "darwin")
    if unix and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return
