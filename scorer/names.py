"""Names of players: who may be meant by one that is not quite right, and how any name is shown safely.

A record may carry any text as a name. What cannot be seen, or turns the reading direction round, is escaped
wherever a name stands in running text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_JOINERS = "\u200c\u200d"  # they belong to names in Persian, and to pictures made of several signs


def meant(said: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that are `said` but for capitals, blanks, invisible signs and Unicode's several ways
    to write one letter.
    """
    plain = _plain(said)
    return tuple(name for name in names if _plain(name) == plain) if plain else ()


def shown(text: str) -> str:
    """Return the text on one line with nothing invisible in it: line breaks, controls and marks of direction
    are written as escapes, like `\\u202e`.
    """
    if text.isprintable():
        return text
    return "".join(sign if _is_plain(sign) else _escaped(sign) for sign in text)


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(" " if sign.isspace() else sign for sign in folded if unicodedata.category(sign) != "Cf")
    return " ".join(seen.split())


def _is_plain(sign: str) -> bool:
    return sign.isprintable() or sign in _JOINERS or unicodedata.category(sign) == "Zs"


def _escaped(sign: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(
        sign, f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"
    )
