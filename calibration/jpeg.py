"""The size of a JPEG from its header, so that nobody unpacks a file that claims to be huge."""

from __future__ import annotations

_SIZED = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The marks of the segments that tell a picture's size."""
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""The marks that have no segment after them."""


def size_of(data: bytes) -> tuple[int, int] | None:
    """(width, height) in pixels; None when `data` is no JPEG."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        mark = data[at + 1]
        if mark == 0xFF:  # filling
            at += 1
            continue
        if mark in _ALONE:
            at += 2
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if mark in _SIZED:
            if at + 9 > len(data):
                return None
            height, width = (int.from_bytes(data[k : k + 2], "big") for k in (at + 5, at + 7))
            return (width, height)
        if length < 2:
            return None
        at += 2 + length
    return None
