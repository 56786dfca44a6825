"""A table's own rules in a file: TOML of the same shape as the rulesets that come with the program.

    ruleset = house_ruleset("comptoir.toml")     # to play by; its id is the file's name
    faults = check_file("comptoir.toml")         # all that is wrong with it, with lines
    faults = check_text(text)                    # the same where there is only its content

`docs/rules.md` describes the format; `rulesets/examples/` has two to begin from.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scorer.errors import Fault, SetupError
from scorer.names import shown
from scorer.rulereader import all_faults, read_ruleset
from scorer.rules import Ruleset
from scorer.ruleset import available_rulesets, is_built_in, load_ruleset

EXAMPLES = Path(__file__).parent / "rulesets" / "examples"
"""The folder of the house files that come with the program."""

_MOST_BYTES = 1 << 20
# Far beyond any ruleset. A file may come from anybody in the room, and reading it must not take minutes.
_LONGEST_LINE = 2000
_MOST_DOTS = 40
_MOST_ITEMS = 500
_MOST_CHOICES = 60
_MOST_SYNTAX_FAULTS = 20
_LINE = re.compile(r"\(at line ([0-9]+), column ([0-9]+)\)")
_AT_END = "(at end of document)"
_KEY_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEY = rf"{_KEY_PART}(?:\s*\.\s*{_KEY_PART})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_KEY})\s*\]\]?")
# A header alone on its line, closed as it should be or not.
_HEADER_LINE = re.compile(rf"\s*\[\[?\s*({_KEY})\s*\]?\]?\s*(?:#.*)?")
_ASSIGNMENT = re.compile(rf"\s*({_KEY})\s*=")
# What a value consists of, as far as its end is concerned: strings and comments hide brackets. A string that is
# not closed ends with its line.
_TOKEN = re.compile(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"?|\'[^\'\n]*\'?|#[^\n]*|[\[\]{}]|\n')


def find_ruleset(id_or_path: str) -> Ruleset:
    """Return the built-in ruleset of this id, or that of a file. Raises SetupError."""
    if is_built_in(id_or_path):
        return load_ruleset(id_or_path)
    if Path(id_or_path).suffix != ".toml" and not Path(id_or_path).exists():
        ids = ", ".join(available_rulesets())
        raise SetupError(f"there is no ruleset '{shown(id_or_path)}', and no such file; there are {ids}")
    return house_ruleset(id_or_path)


def house_ruleset(path: str | Path) -> Ruleset:
    """Return the ruleset in a file of the table's own; its id is the file's name without ending.

    Raises SetupError, whose `faults` are all that is wrong with the file.
    """
    path = Path(path)
    called = shown(str(path))
    text = _read_text(path)
    try:
        ruleset = ruleset_of_text(path.stem, text, called)
    except SetupError as error:
        check = f"see all with: piste rules check {shown(path.name)}"
        raise SetupError(f"{error} ({check})", error.faults) from None
    if is_built_in(path.stem):
        raise SetupError(
            f"{called}: a table's own ruleset needs a name of its own, and {path.stem} comes with the program; "
            "rename the file"
        )
    return ruleset


def ruleset_of_text(id: str, text: str, called: str) -> Ruleset:
    """Return the ruleset that a file of this content has; messages call the file `called`.

    Raises SetupError, whose `faults` are all that is wrong.
    """
    data, faults = _checked(text)
    if faults:
        told = "; ".join(map(str, faults[:3]))
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        raise SetupError(f"{called}: {told}{more}", faults)
    return read_ruleset(id, data, None)


def check_file(path: str | Path) -> tuple[Fault, ...]:
    """Return all faults of the file, in its order, each with line and key where they are known.

    Raises SetupError where the file cannot be read at all.
    """
    return check_text(_read_text(Path(path)))


def check_text(text: str) -> tuple[Fault, ...]:
    """Return all faults of a file of this content, see `check_file`."""
    return _checked(text)[1]


def _checked(text: str) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """Return the data and all faults."""
    text = text.removeprefix("\ufeff")  # some editors begin every file with it
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST_LINE or line.count(".") > _MOST_DOTS:
            limits = f"{_LONGEST_LINE} signs, or has more than {_MOST_DOTS} dots"
            return {}, (Fault("", number, f"the line is longer than {limits}, which none need be"),)
    data, syntax, read = _parse(text)
    faults = _located(_too_much(data) or all_faults(data), read)
    if syntax:
        # What the broken lines would have said is not missing.
        faults = [*syntax, *(fault for fault in faults if "missing" not in fault.text)]
    return data, tuple(_in_order(faults))


def _too_much(data: dict[str, Any]) -> tuple[Fault, ...]:
    """Return the fault of data that are larger than any ruleset's, if they are."""
    if _size(data, _MOST_ITEMS) > _MOST_ITEMS:
        return (Fault("", None, f"it has more than {_MOST_ITEMS} keys and values, which no ruleset has"),)
    options = data.get("options")
    tables = options.values() if isinstance(options, dict) else ()
    values = [table.get("values") for table in tables if isinstance(table, dict)]
    choices = sum(len(each) if isinstance(each, list) else 2 for each in values)
    if choices > _MOST_CHOICES:
        told = (
            f"options: they leave {choices} values to choose from, but at most {_MOST_CHOICES} in all can be"
        )
        return (Fault("options", None, told),)
    return ()


def _size(value: object, most: int) -> int:
    """Return how many keys and values there are inside, at any depth; beyond `most` the count may stop."""
    count, inside = 0, [value]
    while inside and count <= most:
        held = inside.pop()
        if isinstance(held, dict | list):
            count += len(held)
            inside += held.values() if isinstance(held, dict) else held
    return count


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise SetupError(f"{shown(str(path))}: cannot be read: {reason}") from None
    if len(data) > _MOST_BYTES:
        raise SetupError(
            f"{shown(str(path))}: it is larger than {_MOST_BYTES >> 20} MiB, which no ruleset is"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        fault = Fault("", line, "it is not UTF-8")
        raise SetupError(f"{shown(str(path))}: {fault}", (fault,)) from None


def _parse(text: str) -> tuple[dict[str, Any], list[Fault], str]:
    """Return the data, the faults of its syntax, and the text as it was read: lines at fault are passed over to
    find the next, and leave their place empty.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    faults: list[Fault] = []
    while True:
        read = "\n".join(lines)
        try:
            return tomllib.loads(read), faults, read
        except RecursionError:
            return {}, [*faults, Fault("", None, "it is nested too deep")], read
        except ValueError as error:  # tomllib's own, and what it lets pass: a date that is none
            place = _LINE.search(str(error))
            at_end = str(error).endswith(_AT_END)
            reason = _LINE.sub("", str(error)).removesuffix(_AT_END).strip()
            reason = reason[:1].lower() + reason[1:]
            line = int(place[1]) if place is not None else _begun_last(read) if at_end else 0
            if not line or not lines[line - 1] or len(faults) >= _MOST_SYNTAX_FAULTS:
                return {}, [*faults, Fault("", line or None, f"it is not TOML: {shown(reason)}")], read
            where = f"column {place[2]}" if place is not None else "the file ends there"
            faults.append(Fault("", line, f"it is not TOML: {shown(reason)} ({where})"))
            if at_end:
                _pass_over_rest(lines, line - 1)
            _pass_over(lines, line - 1)


def _begun_last(text: str) -> int:
    """Return the last line with something on it; of a value that never ends, the line on which it begins."""
    last, at, number = 0, 0, 1
    while at < len(text):
        end = _line_end(text, at)
        assignment = _ASSIGNMENT.match(text, at, end)
        if assignment is not None:
            end = _value_end(text, assignment.end())
        if text[at:end].strip():
            last = number
        number += text.count("\n", at, end) + 1
        at = end + 1
    return last


def _pass_over_rest(lines: list[str], at: int) -> None:
    """Take away what a value that never ends goes on with, up to the next key or header: that it hides."""
    for below in range(at + 1, len(lines)):
        if _ASSIGNMENT.match(lines[below]) or _HEADER_LINE.fullmatch(lines[below]):
            break
        lines[below] = ""


def _pass_over(lines: list[str], at: int) -> None:
    """Take the line at fault away. Where it is a table's header, the keys below are not those of the table above:
    it is put there as it must have been meant, or, if it stands there twice, goes with its keys.
    """
    header = _HEADER_LINE.fullmatch(lines[at])
    if header is None:
        lines[at] = ""
        return
    meant = f"[[{header[1]}]]" if header[1] == "hands" else f"[{header[1]}]"
    if lines[at] != meant:
        lines[at] = meant
        return
    lines[at] = ""
    for below in range(at + 1, len(lines)):
        if _HEADER_LINE.fullmatch(lines[below]):
            break
        lines[below] = ""


def _located(faults: tuple[Fault, ...], text: str) -> list[Fault]:
    lines = key_lines(text)
    return _in_order(fault._replace(line=_line_of(fault.key, lines)) for fault in faults)


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    return sorted(faults, key=lambda fault: (fault.line is None, fault.line or 0))


def _line_of(key: str, lines: dict[str, int]) -> int | None:
    """Return the line of the key, or of the innermost table around it."""
    while key:
        if key in lines:
            return lines[key]
        shorter = re.sub(r"""(\.?"[^"]*"|\.?[^."\[\]]+|\[[0-9]+\])$""", "", key)
        key = shorter if shorter != key else ""
    return None


def key_lines(text: str) -> dict[str, int]:
    """Return the line, counted from 1, on which each key and table of TOML begins: `charge.throws`, `hands[3]`."""
    lines: dict[str, int] = {}
    counts: Counter[str] = Counter()
    table, at, number = "", 0, 1
    while at < len(text):
        header = _HEADER.match(text, at, _line_end(text, at))
        assignment = _ASSIGNMENT.match(text, at, _line_end(text, at))
        end = _line_end(text, at)
        if header is not None:
            table = _path(header[2])
            if header[1] == "[[":
                counts[table] += 1
                lines.setdefault(table, number)
                table = f"{table}[{counts[table]}]"
            lines.setdefault(table, number)
        elif assignment is not None:
            key = _path(assignment[1])
            lines.setdefault(f"{table}.{key}" if table else key, number)
            end = _value_end(text, assignment.end())
        number += text.count("\n", at, end) + 1
        at = end + 1
    return lines


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _value_end(text: str, at: int) -> int:
    """Return where the line ends on which the value that begins at `at` ends."""
    depth = 0
    while token := _TOKEN.search(text, at):
        at = token.end()
        if token[0] in ('"""', "'''"):
            close = text.find(token[0], at)
            at = len(text) if close < 0 else close + 3
        elif token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0] == "\n" and depth <= 0:
            return token.start()
    return len(text)


def _path(key: str) -> str:
    """Return a key as places are written: bare where it can be, in double quotes otherwise."""
    parts = re.findall(_KEY_PART, key)
    bare = [part[1:-1] if part[0] in "\"'" else part for part in parts]
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"' for part in bare)
