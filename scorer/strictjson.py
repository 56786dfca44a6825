"""Strict JSON (RFC 8259).

What Python's reader lets pass is refused, and what was read can always be written.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from scorer.errors import InvalidRecord


def strict_json(data: bytes) -> Any:
    """Return the value that UTF-8 JSON writes.

    Raises InvalidRecord: NaN, a key given twice, a byte order mark.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise InvalidRecord("it begins with a byte order mark; save it as UTF-8 without one")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRecord(f"it is not UTF-8 (byte {error.start + 1})") from None
    if not text.strip(" \t\r\n"):
        raise InvalidRecord("it is empty")
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}: it is not JSON"
        reason = error.msg[:1].lower() + error.msg[1:]
        raise InvalidRecord(f"{where}: {reason} (column {error.colno})") from None
    except RecursionError:
        raise InvalidRecord("its JSON is nested too deep") from None
    except ValueError:  # Python reads no whole number of more than 4300 digits
        raise InvalidRecord("it holds a number with too many digits") from None


def json_text(value: Any) -> str:
    """Return the value as JSON on one line, readable where it can be."""
    text = json.dumps(value, ensure_ascii=False)
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:  # half of a surrogate pair, escaped in the file it came from
            text = json.dumps(value)
    if "Infinity" in text and _has_infinity(value):
        return _with_infinity(value)
    return text


def _no_constant(name: str) -> NoReturn:
    raise InvalidRecord(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InvalidRecord(f"the key {json.dumps(twice)} is given twice in one object")
    return result


def _has_infinity(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_infinity, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_infinity, value))
    return isinstance(value, float) and math.isinf(value)


def _with_infinity(value: Any) -> str:
    """Write numbers too large for a float as JSON can: 1e999 is read as infinite again."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(key)}: {_with_infinity(item)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_with_infinity, value)) + "]"
    if isinstance(value, float) and math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    return json.dumps(value)
