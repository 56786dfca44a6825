"""The printable score sheet of a game: one HTML page that needs nothing else, in English or French.

Every name is escaped and kept from turning the reading direction of what stands around it.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape
from itertools import groupby
from pathlib import Path

from scorer.describe import describe, describe_options
from scorer.events import Adjust, Throw
from scorer.handnames import Language, hand_name, pair_of
from scorer.hands import ALL_HANDS, Hand
from scorer.hands import name as written
from scorer.names import shown
from scorer.record import Record
from scorer.rounds import Played, Round, played
from scorer.rules import Ruleset
from scorer.sentences import (
    ending_sentence,
    event_sentence,
    opening_sentence,
    rolloff_sentences,
    settlement_sentence,
)
from scorer.sheetwords import WORDS
from scorer.state import State

_STYLE = Path(__file__).with_name("sheet.css")
_LANDSCAPE = "@page { size: A4 landscape; }\n"
_WIDE = 6
_MOST_HANDS_LISTED = 12


def to_html(record: Record, language: Language = "en") -> str:
    """Return the score sheet. Raises InvalidRecord if the record does not hold."""
    return _Sheet(record, language).page()


class _Sheet:
    """One sheet being written."""

    def __init__(self, record: Record, language: Language) -> None:
        self.record = record
        self.language: Language = language
        self.words = WORDS[language]
        self.game: Played = played(record)
        self.ruleset: Ruleset = self.game.start.ruleset
        self.names = self.game.start.names
        turned = sorted(filter(_is_rtl, map(_said, self.names)), key=len, reverse=True)
        self._turned = re.compile("|".join(map(re.escape, turned))) if turned else None

    def page(self) -> str:
        """The whole page."""
        title = f"{self.words['sheet']} · {self.ruleset.name[self.language]}"
        wide = " class=wide" if len(self.names) > _WIDE else ""
        return "\n".join(
            [
                "<!doctype html>",
                f'<html lang="{self.language}">',
                "<head>",
                '<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
                "'unsafe-inline'\">",
                f"<title>{_said(title)}</title>",
                f"<style>\n{_STYLE.read_text(encoding='utf-8')}{_LANDSCAPE if wide else ''}</style>",
                "</head>",
                f"<body{wide}>",
                *self._head(),
                *self._table(),
                self._legend(),
                *self._rules(),
                f"<footer>{self._text(self._footer())}</footer>",
                "</body>",
                "</html>",
                "",
            ]
        )

    def _head(self) -> list[str]:
        record, words = self.record, self.words
        facts = [(words["rules"], self.ruleset.name[self.language])]
        facts += describe_options(self.ruleset, self.language)
        if record.table:
            facts.append((words["table"], record.table))
        if record.started_at:
            facts.append((words["started"], _time(record.started_at)))
        facts.append((words["length"], self._length()))
        state = self.game.state
        return [
            "<header>",
            f"<h1>{words['sheet']}</h1>",
            "<dl>",
            *(
                f"<div><dt>{_said(name)}</dt><dd><bdi>{_said(value)}</bdi></dd></div>"
                for name, value in facts
            ),
            "</dl>",
            f'<p class="result">{self._text(self._ending(state))}</p>',
            "</header>",
        ]

    def _length(self) -> str:
        throws = sum(isinstance(event, Throw) for event in self.record.events)
        if self.ruleset.score_pad:
            return _many(len(self.record.entries), self.words["entry"])
        return f"{_many(self.game.state.round, self.words['round'])}, {_many(throws, self.words['throw'])}"

    def _ending(self, state: State) -> str:
        return ending_sentence(state, self.language)

    def _table(self) -> list[str]:
        words = self.words
        pot = [f'<th scope="col" class="pot">{words["pot"]}</th>'] if self.game.start.pot is not None else []
        columns = [f'<th scope="col"><bdi>{_said(name)}</bdi></th>' for name in self.names]
        number = words["entry"][0].capitalize() if self.ruleset.score_pad else words["number"]
        head = f'<tr><th scope="col" class="number">{number}</th>{"".join(columns + pot)}</tr>'
        lines = ['<div class="scroll">', "<table>", f"<thead>{head}</thead>"]
        lines += self._start(len(self.names) + 1 + len(pot))
        phase = None
        for row in self.game.rounds:
            heading = row.phase if row.phase != phase else None
            phase = row.phase
            lines += self._round(row, heading, len(self.names) + 1 + len(pot))
        return [*lines, "</table>", "</div>"]

    def _start(self, width: int) -> list[str]:
        """The line of what everybody holds before the first event; none where that is nothing."""
        start = self.game.start
        if start.ruleset.by_points:
            return []
        cells = [f'<td><span class="held">{chips}</span></td>' for chips in start.chips]
        pot = [f'<td class="pot">{start.pot}</td>'] if start.pot is not None else []
        number = f'<th scope="row" class="number">{self.words["start"]}</th>'
        return ["<tbody>", f"<tr>{number}{''.join(cells + pot)}</tr>", "</tbody>"]

    def _round(self, row: Round, heading: str | None, width: int) -> list[str]:
        lines = ["<tbody>"]
        if heading is not None and heading in self.words["phases"]:
            title = self.words["phases"][heading]
            lines.append(f'<tr class="phase"><th colspan="{width}" scope="colgroup">{title}</th></tr>')
        number = str(row.number) if row.number else str(row.last) if self.ruleset.score_pad else ""
        cells = [self._cell(row, name) for name in self.names]
        has_pot = self.game.start.pot is not None
        pot = [f'<td class="pot{"" if row.pot else " empty"}">{row.pot}</td>'] if has_pot else []
        lines.append(f'<tr><th scope="row" class="number">{number}</th>{"".join(cells + pot)}</tr>')
        told = self._told(row)
        if told:
            paragraphs = "".join(f"<p>{self._text(sentence)}</p>" for sentence in told)
            lines.append(f'<tr class="why"><td></td><td colspan="{width - 1}">{paragraphs}</td></tr>')
        return [*lines, "</tbody>"]

    def _cell(self, row: Round, name: str) -> str:
        parts, classes = [], []
        thrown = row.hands.get(name)
        if thrown is not None:
            hand, throws = thrown
            ends = self._ends(row, name)
            marks = self._marks(row, name, throws, ends)
            said = f'<span class="marks">{marks}</span>' if marks else ""
            parts.append(f'<span class="hand"><span class="dice">{_dice(hand)}</span>{said}</span>')
            classes = ends
        elif row.hands:
            parts.append('<span class="hand"></span>')
        if name in row.held:
            gained = row.gained[name]
            good = gained > 0 if self.ruleset.by_points else gained < 0
            change = f'<span class="{"good" if good else "bad"}">{_signed(gained)}</span>' if gained else ""
            if row.phase != "opening" or gained:
                parts.append(f'<span class="chips"><span class="held">{row.held[name]}</span>{change}</span>')
        else:
            parts.append(f'<span class="gone">{self.words["left"]}</span>')
        if row is self.game.rounds[-1]:
            state = self.game.state
            parts += [f'<span class="end good">{self.words["won"]}</span>'] if name in state.winners else []
            parts += [f'<span class="end bad">{self.words["lost"]}</span>'] if name in state.losers else []
        given = f' class="{" ".join(classes)}"' if classes else ""
        return f"<td{given}>{''.join(parts)}</td>"

    def _ends(self, row: Round, name: str) -> list[str]:
        """The ends of the round at which the player stood, as far as they moved something."""
        settlement = row.settlement
        if settlement is None or settlement.rule == "nothing":
            return []
        best, worst = name in settlement.best, name in settlement.worst
        if settlement.rule in ("pay_pot", "score") or settlement.best == settlement.worst:
            worst = False
        if settlement.rule == "nenette" and not any(
            move.giver in settlement.best for move in settlement.moves
        ):
            best = False
        return ["best"] * best + ["worst"] * worst

    def _marks(self, row: Round, name: str, throws: int, ends: list[str]) -> str:
        marks = f'<span class="throws">×{throws}</span>' if throws > 1 else ""
        if row.leader == name:
            marks += f'<abbr title="{self.words["leads"]}">▸</abbr>'
        for end in ends:
            marks += f'<abbr class="{end}" title="{self.words[end]}">{"▲" if end == "best" else "▼"}</abbr>'
        return marks

    def _told(self, row: Round) -> list[str]:
        """The sentences under a round."""
        told = []
        for before, event, after in row.happened:
            sentence = event_sentence(before, event, after, self.language)
            if sentence is not None and not isinstance(event, Adjust):  # an entry is told by its cell
                told.append(sentence)
        if row.phase == "opening":
            told += [self._tie(rolloff.players, rolloff.thrown) for rolloff in row.rolloffs]
            if self.game.state.first_lead >= 0:
                told.append(opening_sentence(self.game.state, self.language))
        if row.settlement is not None:
            told.append(settlement_sentence(row.settlement, self.language))
            told += rolloff_sentences(row.settlement, self.language)
        return told

    def _tie(self, players: tuple[str, ...], thrown: tuple[Hand, ...]) -> str:
        throws = ", ".join(
            f"{shown(player)} {written(dice)}" for player, dice in zip(players, thrown, strict=True)
        )
        return str(self.words["tie"]).format(throws)

    def _legend(self) -> str:
        if self.ruleset.score_pad:
            return ""
        words = self.words
        items = [("▸", words["leads"]), ("▲", words["best"]), ("▼", words["worst"]), ("×2", words["throws"])]
        if self.ruleset.by_points:
            items.pop(2)
        return '<p class="legend">' + " ".join(f"<span>{mark} {said}</span>" for mark, said in items) + "</p>"

    def _rules(self) -> list[str]:
        lines = ['<section class="rules">', f"<h2>{self.words['rules']}</h2>"]
        values = self._order() if self.ruleset.by_points else self._values()
        if values:
            lines.append(f"<h3>{self.words['order' if self.ruleset.by_points else 'hands']}</h3>")
            lines.append(f'<dl class="values">{values}</dl>')
        for paragraph in describe(self.ruleset, self.language):
            lines.append(f"<div><h3>{_said(paragraph.title)}</h3>")
            lines += [f"<p>{self._text(sentence)}</p>" for sentence in paragraph.sentences]
            lines.append("</div>")
        return [*lines, "</section>"]

    def _values(self) -> str:
        """The hands by what they are worth, from best to worst."""
        groups: list[tuple[int | None, list[Hand]]] = []
        for hand in self._ranked():
            value = self.ruleset.values[hand]
            if not groups or groups[-1][0] != value:
                groups.append((value, []))
            groups[-1][1].append(hand)
        parts = []
        for value, hands in groups:
            said = self._listed(hands, "others" if len(hands) > _MOST_HANDS_LISTED else None)
            worth = self.words["all_but_one"] if value is None else str(value)
            parts.append(_line(worth, said))
        return "".join(parts)

    def _order(self) -> str:
        """The hands by their ranks where they are worth no chips, those of a kind that follow each other on one
        line: what is in no order that a line can tell is listed hand by hand.
        """
        parts, rank = [], 1
        for kind, each in groupby(self._ranked(), lambda hand: len(set(hand))):
            hands = list(each)
            last = rank + len(hands) - 1
            few = len(hands) <= _MOST_HANDS_LISTED or hands != sorted(hands, key=_height, reverse=True)
            word = None if few else "pairs" if kind == 2 else "others" if last == len(ALL_HANDS) else None
            parts.append(_line(str(rank) if rank == last else f"{rank}–{last}", self._listed(hands, word)))
            rank = last + 1
        if len(parts) > _MOST_HANDS_LISTED:
            return _line(f"1–{len(ALL_HANDS)}", " ".join(map(written, self._ranked())))
        return "".join(parts)

    def _ranked(self) -> list[Hand]:
        return sorted(self.ruleset.ranks, key=self.ruleset.ranks.__getitem__)

    def _listed(self, hands: list[Hand], word: str | None) -> str:
        """The hands, only the first and the last of them where a word says which they are."""
        if word is not None:
            return str(self.words[word]).format(written(hands[0]), written(hands[-1]))
        said = " ".join(map(written, hands))
        if len(hands) == 1:
            said += f", {hand_name(hands[0], self.language, self.ruleset.nicknames)}"
        return said

    def _footer(self) -> str:
        return str(self.words["footer"]).format(len(self.record.entries))

    def _text(self, sentence: str) -> str:
        """A sentence as HTML; names written from right to left are kept by themselves."""
        text = _said(sentence)
        if self.language == "fr":
            text = re.sub(r" ([;:!?»])", "\N{NO-BREAK SPACE}\\1", text)
        return self._turned.sub(r"<bdi>\g<0></bdi>", text) if self._turned is not None else text


def _line(term: str, said: str) -> str:
    return f"<div><dt>{term}</dt><dd>{_said(said)}</dd></div>"


def _height(hand: Hand) -> tuple[int, ...]:
    """What hands of a kind are compared by: the pair, then the odd die; else the dice from high to low."""
    return pair_of(hand) or hand


def _said(text: str) -> str:
    return escape(shown(text))


def _is_rtl(text: str) -> bool:
    return any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in text)


def _dice(hand: Hand) -> str:
    return "".join(f"<b>{die}</b>" for die in hand)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"\N{MINUS SIGN}{-number}"


def _many(number: int, words: tuple[str, str]) -> str:
    return f"{number} {words[number > 1]}"


def _time(text: str) -> str:
    """`2026-03-01T20:15:00Z` as `2026-03-01 20:15 UTC`."""
    zone = text[19:].lstrip(".0123456789")
    return f"{text[:10]} {text[11:16]} {'UTC' if zone in ('Z', 'z') else zone}"
