"""Which commands have been done already: a repeat, sent because no answer came, is not done again."""

from __future__ import annotations

from collections import OrderedDict

from scorer.service.problems import Refused
from scorer.service.store import Command, Store

UNLOGGED_KEPT = 64


class Keys:
    """The keys of commands. Those that leave an entry in a log are found there, the newest others are kept here."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unlogged: OrderedDict[str, str] = OrderedDict()

    def repeated(self, command: Command | None) -> bool:
        """Whether the command has been done. Raises Refused where its key was another one's, StoreError."""
        if command is None:
            return False
        request = self._unlogged.get(command.key) or self._store.request_of(command.key)
        if request is not None and request != command.request:
            raise Refused(422, "key_reused", "This key was used for another command: use a new one for each.")
        return request is not None

    def note(self, command: Command | None) -> None:
        """A command that leaves no entry in any log has been done."""
        if command is not None:
            self._unlogged[command.key] = command.request
            while len(self._unlogged) > UNLOGGED_KEPT:
                self._unlogged.popitem(last=False)
