"""A phone or tablet as the table's camera: who sends, and where the pictures go.

One sender at a time. While the table is set to a phone, the camera's thread holds the source that `open` gave it,
and what a sender brings goes into that one. How pictures come over the network is `uplink.py`'s.
"""

from __future__ import annotations

import threading
import time as clock
from typing import TYPE_CHECKING, Any

from scorer.errors import PisteError
from scorer.service.guard import is_loopback
from scorer.service.problems import Refused
from scorer.service.server import own_address
from vision.errors import SourceError

if TYPE_CHECKING:
    from scorer.service.secure import Secure
    from vision.push import PushSource

SPEC = "phone"
"""What a phone is called as a source, such as in `piste serve --source phone`."""

PAGE = "camera"
"""The page to open on the phone."""

SILENT_S = 6.0
"""A sender that has brought nothing for so long makes room for another."""

EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - compared, not bound


class Phone:
    """The one place for a phone at a table. Any thread may ask.

    `secure` is the HTTPS side of the service, `host` and `port` what it listens on besides; None where nobody
    listens, such as in tests.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0, secure: Secure | None = None) -> None:
        self._host = host
        self._port = port
        self._secure = secure
        self._lock = threading.Lock()
        self._source: PushSource | None = None
        self._sender: str | None = None
        self._last: str | None = None  # who has sent to this source
        self._turn = 0
        self._heard = 0.0

    # The camera's side

    def open(self) -> PushSource:
        """A fresh source of what the phone will send, for the camera. Raises SourceError.

        Opens HTTPS where only that will do.
        """
        from vision.push import PushSource  # noqa: PLC0415 - loads the picture library

        if self._secure is not None and not is_loopback(self._host):
            try:
                self._secure.open()
            except PisteError as error:
                raise SourceError(f"A phone cannot be the camera: {error}") from error
        source = PushSource(SPEC, hint=self._hint())
        with self._lock:
            before, self._source = self._source, source
            self._last = None
        if before is not None:
            before.close()
        return source

    def _hint(self) -> str:
        *_, address = self.addresses()
        if is_loopback(self._host):
            return f"open {address} on this machine; for a phone, start Piste anew with --source phone."
        return f"open {address} on the phone that is to be the camera."

    def addresses(self) -> list[str]:
        """Where the page can be opened: on this machine, then from others, if it is served to them."""
        here = f"http://127.0.0.1:{self._port}/{PAGE}"
        secure = None if self._secure is None else self._secure.port
        if secure is None:
            return [here]
        own = own_address() if self._host in EVERYWHERE else self._host
        return [here] if own is None else [here, f"https://{_bracketed(own)}:{secure}/{PAGE}"]

    def view(self) -> dict[str, Any]:
        """What the page wants to know before it begins."""
        certificate = None if self._secure is None else self._secure.certificate
        with self._lock:
            wanted = self._source is not None and not self._source.ended
            taken = wanted and self._present(None)
        return {
            "wanted": wanted,
            "taken": taken,
            "addresses": self.addresses(),
            "https_port": None if self._secure is None else self._secure.port,
            "fingerprint": None if certificate is None else certificate.fingerprint,
        }

    # The senders' side

    def begin(self, sender: str, *, take_over: bool = False) -> int:
        """`sender` wants to send from now on; gives the number of its turn, for `end`.

        Raises Refused when another one sends, unless this one is to `take_over`, or when no phone is wanted.
        """
        with self._lock:
            source = self._wanted()
            if self._present(sender) and not take_over:
                raise _taken()
            if self._last not in (None, sender):
                source.anew()
            self._sender = self._last = sender
            self._heard = clock.monotonic()
            self._turn += 1
            return self._turn

    def push(self, sender: str, jpeg: bytes) -> tuple[int, int]:
        """Take a picture from `sender`; gives its (width, height).

        Raises Refused when another one sends by now or no phone is wanted, PictureError when it is none.
        """
        with self._lock:
            source = self._wanted()
            if self._sender != sender:
                raise _taken()
            self._heard = clock.monotonic()
        try:
            return source.push(jpeg)
        except SourceError:
            raise _unwanted() from None

    def end(self, turn: int) -> None:
        """Who sends in that turn is gone; where another turn has begun since, nothing changes."""
        with self._lock:
            if self._turn == turn:
                self._sender = None

    def _present(self, but: str | None) -> bool:
        """Whether somebody else than `but` sends."""
        here = self._sender is not None and clock.monotonic() - self._heard < SILENT_S
        return here and self._sender != but

    def _wanted(self) -> PushSource:
        if self._source is None or self._source.ended:
            raise _unwanted()
        return self._source


def _taken() -> Refused:
    return Refused(409, "taken", "Another phone is the camera of this table now.")


def _unwanted() -> Refused:
    return Refused(
        409,
        "unwanted",
        "This table's camera is not a phone: choose the phone as its camera, or start Piste with --source phone.",
    )


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
