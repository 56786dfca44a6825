"""`piste rules`: list the rulesets, show one in plain words, check files of a table's own."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from fractions import Fraction

from scorer import describe_en, describe_fr
from scorer.describe import HandRow, describe, hand_table
from scorer.errors import SetupError
from scorer.handnames import Language
from scorer.hands import name
from scorer.names import shown
from scorer.rulefile import EXAMPLES, check_file, find_ruleset, house_ruleset
from scorer.rules import Ruleset
from scorer.ruleset import available_rulesets, is_built_in, load_ruleset
from scorer.service.cli.options import chosen_ruleset

EXIT_FAULT = 2
WIDTH = 88

_PLAYERS = {"en": "{} to {} players", "fr": "de {} à {} joueurs"}
_EXAMPLES = {
    "en": "Rules of your own: copy one of these files, change it, then: piste rules check FILE",
    "fr": "Vos propres règles : copiez l’un de ces fichiers, changez-le, puis : piste rules check FICHIER",
}
_MORE = {
    "en": "All of one ruleset: piste rules show ID",
    "fr": "Tout sur une règle : piste rules show ID --lang fr",
}


def run(args: argparse.Namespace) -> int:
    """List, show or check. Returns 2 if a file that was checked has faults."""
    language: Language = args.lang
    if args.action == "check":
        return max([_check(file, language) for file in args.files])
    if args.action == "show":
        _show(args, language)
    else:
        _list(language)
    return 0


def _list(language: Language) -> None:
    for id in available_rulesets():
        ruleset = load_ruleset(id)
        seats = _PLAYERS[language].format(ruleset.min_players, ruleset.max_players)
        print(f"{id:<10}{ruleset.name[language]} ({seats})")
        print(_wrapped(ruleset.about[language], " " * 10))
    print(f"\n{_MORE[language]}")
    print(_EXAMPLES[language])
    for path in sorted(EXAMPLES.glob("*.toml")):
        print(f"  {path}  ({house_ruleset(path).name[language]})")


def _show(args: argparse.Namespace, language: Language) -> None:
    wanted = [which for which in (args.ruleset, args.rules) if which is not None]
    if len(wanted) != 1:
        raise SetupError("say which ruleset to show, once: piste rules show ID, or a file of your own")
    ruleset = chosen_ruleset(find_ruleset(wanted[0]), args.option)
    seats = _PLAYERS[language].format(ruleset.min_players, ruleset.max_players)
    print(f"{ruleset.name[language]} ({shown(ruleset.id)}), {seats}")
    print(_wrapped(ruleset.about[language], ""))
    rows = hand_table(ruleset, language)
    if rows:
        print()
        print("\n".join(_table(ruleset, rows, language)))
    for paragraph in describe(ruleset, language):
        print(f"\n{paragraph.title}")
        for sentence in paragraph.sentences:
            print(_wrapped(sentence, "  "))


def _table(ruleset: Ruleset, rows: tuple[HandRow, ...], language: Language) -> list[str]:
    words = describe_en if language == "en" else describe_fr
    titles = words.COLUMNS
    widest = max(len(shown(row.name)) for row in rows)
    chips = not ruleset.by_points
    worth = max(len(titles[3]), *(len(_worth(row, words.VALUE_NONE)) for row in rows))
    head = f"{titles[0]:>4}  {titles[1]:<4}  {titles[2]:<{widest}}"
    lines = [head + (f"  {titles[3]:>{worth}}" if chips else "") + f"  {titles[4]:>7}"]
    for row in rows:
        line = f"{row.rank:>4}  {name(row.hand):<4}  {shown(row.name):<{widest}}"
        line += f"  {_worth(row, words.VALUE_NONE):>{worth}}" if chips else ""
        lines.append(f"{line}  {f'{row.ways}/216':>7}  {_percent(row.chance, language):>7}")
    return lines


def _worth(row: HandRow, all_but_one: str) -> str:
    return all_but_one if row.value is None else str(row.value)


def _percent(chance: Fraction, language: Language) -> str:
    number = f"{float(100 * chance):.2f}"
    return f"{number.replace('.', ',')} %" if language == "fr" else f"{number}%"


def _wrapped(text: str, indent: str) -> str:
    """The text in lines; no line begins with a sign that French sets apart."""
    kept = re.sub(r" ([;:!?»])", "\N{NO-BREAK SPACE}\\1", text)
    lines = textwrap.fill(
        kept,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def _check(file: str, language: Language) -> int:
    try:
        faults = check_file(file)
    except SetupError as error:
        print(error, file=sys.stderr)
        return EXIT_FAULT
    for fault in faults:
        print(f"{shown(file)}: {fault._replace(text=shown(fault.text))}", file=sys.stderr)
    if faults:
        return EXIT_FAULT
    stem = re.split(r"[/\\]", file)[-1].removesuffix(".toml")
    if is_built_in(stem):
        print(f"{file}: no fault, but {stem} comes with the program: rename the file to play by it")
        return 0
    ruleset = house_ruleset(file)
    seats = _PLAYERS["en"].format(ruleset.min_players, ruleset.max_players)
    print(f"{file}: no fault; {shown(ruleset.name[language])}, {seats}")
    return 0
