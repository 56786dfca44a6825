"""Options of a ruleset as a command line writes them: `--option chips=21 --option bon=true`."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.errors import SetupError
from scorer.rules import Ruleset
from scorer.ruleset import with_options


def chosen_ruleset(ruleset: Ruleset, options: Sequence[str]) -> Ruleset:
    """Return the ruleset with these options. Raises SetupError."""
    values: dict[str, object] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise SetupError(f"an option is written NAME=VALUE, not {text!r}")
        values[name.strip()] = _value(value.strip())
    return with_options(ruleset, values)


def _value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text
