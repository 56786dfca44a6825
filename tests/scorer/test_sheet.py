"""The printable score sheet: everything of the game is on it, and nothing of a name gets out of its place."""

from __future__ import annotations

from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest

from scorer.errors import InvalidRecord
from scorer.events import Abandon, Adjust, Entry, Event, Leave, Penalty, Stand, Throw
from scorer.handnames import Language
from scorer.record import Record
from scorer.rounds import played
from scorer.ruleset import load_ruleset
from scorer.sheet import to_html
from tests.scorer.table import SETUPS, some_game

VOID = {"meta"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in its place. Collects its text and the cells of rows."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.rows: list[list[str]] = []
        self.classes: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.classes += (dict(attrs).get("class") or "").split()
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.text.append(data)
        if "tr" in self.open and self.rows[-1]:
            self.rows[-1][-1] += data


def page(
    events: list[Event],
    ruleset: str = "rulebook",
    players: str = "Ana Bo Cy",
    language: Language = "fr",
    **more: Any,
) -> Page:
    record = Record(ruleset, tuple(players.split()), tuple(map(Entry, events)), **more)
    return Page(to_html(record, language))


POINTS = [("Ana", (6, 6, 6)), ("Bo", (1, 2, 2))] + 3 * [("Ana", (4, 2, 1))] + 3 * [("Bo", (6, 6, 5))]
GAME: list[Event] = [
    Throw("Ana", (6, 5, 2)),
    Throw("Bo", (4, 2, 1)),
    Throw("Cy", (2, 2, 1)),
    Throw("Bo", (6, 1, 1)),
    Throw("Cy", (3, 2, 2)),
    Throw("Ana", (3, 2, 2)),
    Throw("Cy", (3,)),
    Throw("Ana", (5,)),
]


def test_a_round_has_hands_chips_and_the_explanation() -> None:
    sheet = page(GAME, started_at="2026-03-01T20:15:00.5+01:00", table="Chez <Bo>")
    assert sheet.rows[0] == ["Tour", "Ana", "Bo", "Cy", "Pot"]
    assert sheet.rows[1] == ["départ", "3", "3", "3", "11"]
    assert ["1", "3223", "611▸▲3", "322▼9+6", "5"] in sheet.rows
    assert ["", "Avec le 611 de Bo, Cy (322) prend 6 jetons au pot après un rampo."
            "Rampo pour la pire main\u00a0: Cy 3, Ana 5."] in sheet.rows  # fmt: skip
    told = " ".join(sheet.text)
    for words in ("Livre de règles", "Chez <Bo>", "2026-03-01 20:15 +01:00", "1 tour", "La partie continue."):
        assert words in told or words == "1 tour"
    assert "Bo mène le premier tour." in told


def test_the_same_in_english() -> None:
    sheet = page(GAME, language="en")
    assert sheet.rows[0] == ["Round", "Ana", "Bo", "Cy", "Pot"]
    assert "Bo's 611 makes Cy (322) take 6 chips from the pot after a roll-off." in sheet.text
    assert "The game goes on." in sheet.text


def test_the_result_and_who_left_are_told() -> None:
    sheet = page([*GAME, Leave("Bo"), Abandon()])
    told = " ".join(sheet.text)
    assert "La table a arrêté la partie." in told
    assert "Bo quitte la partie\u00a0: ses 3 jetons retournent au pot." in told
    assert sheet.rows[-2][2] == "parti"


def test_points_are_good_and_chips_are_bad() -> None:
    record = Record("points", ("Ana", "Bo"), tuple(Entry(Throw(p, d)) for p, d in POINTS))
    assert '<span class="good">+3</span>' in to_html(record, "fr")
    record = Record("counter", ("Ana", "Bo"), (Entry(Adjust("Bo", 1)), Entry(Adjust("Ana", -11))))
    html = to_html(record, "fr")
    assert '<span class="bad">+1</span>' in html and '<span class="good">\N{MINUS SIGN}11</span>' in html
    assert '<span class="end good">gagne</span>' in html and '<span class="end bad">perd</span>' in html


@pytest.mark.parametrize(
    ("language", "title", "lines"),
    [
        (
            "en",
            "How the hands rank, best first",
            [
                ("1", "421, four twenty-one"),
                ("2–7", "666 555 444 333 222 111"),
                ("8–37", "pairs, from 665 to 211"),
                ("38–56", "all others, from 654 to 321"),
            ],
        ),
        (
            "fr",
            "L’ordre des mains, la meilleure d’abord",
            [
                ("1", "421, quatre-cent-vingt-et-un"),
                ("2–7", "666 555 444 333 222 111"),
                ("8–37", "les paires, de 665 à 211"),
                ("38–56", "toutes les autres, de 654 à 321"),
            ],
        ),
    ],
)
def test_the_order_of_the_hands_is_on_a_sheet_of_points(
    language: Language, title: str, lines: list[tuple[str, str]]
) -> None:
    html = to_html(Record("points", ("Ana", "Bo")), language)
    order = "".join(f"<div><dt>{ranks}</dt><dd>{hands}</dd></div>" for ranks, hands in lines)
    assert f'<h3>{title}</h3>\n<dl class="values">{order}</dl>' in html
    for ruleset in ("rulebook", "counter"):
        assert title not in to_html(Record(ruleset, ("Ana", "Bo", "Cy")), language)


def test_an_order_of_the_hands_that_no_word_tells_is_listed() -> None:
    """Of a house file by points: neither are the pairs in their order, nor do the kinds stay together."""
    data = dict(load_ruleset("points").data)
    hands = str(data["hands"][0]["hands"]).split()
    turned = [*hands[:7], *reversed(hands[7:37]), *hands[37:]]
    html = to_html(Record("house", ("Ana", "Bo"), rules=data | {"hands": [one_block(turned)]}))
    assert f"<dt>8–37</dt><dd>{' '.join(turned[7:37])}</dd>" in html
    mixed = [hand for pair in zip(hands[:28], hands[28:], strict=True) for hand in pair]
    html = to_html(Record("house", ("Ana", "Bo"), rules=data | {"hands": [one_block(mixed)]}))
    assert f'<dl class="values"><div><dt>1–56</dt><dd>{" ".join(mixed)}</dd></div></dl>' in html


def one_block(hands: list[str]) -> dict[str, object]:
    return {"value": 0, "hands": " ".join(hands)}


def test_winner_and_loser_are_marked() -> None:
    events: list[Event] = [Adjust("Ana", -11)]
    sheet = page(events, "counter", "Ana Bo")
    assert sheet.rows[0][0] == "Entrée"
    assert sheet.rows[-1] == ["1", "0−11gagne", "11perd"]
    assert (
        "Ana est le premier à ne plus avoir de jetons et gagne\u00a0; Bo reste avec tous les jetons et perd."
        in sheet.text
    )


def test_a_penalty_and_a_void_round() -> None:
    events: list[Event] = [
        Throw("Ana", (6,)),
        Throw("Bo", (1,)),
        Throw("Ana", (4, 2, 1)),
        Throw("Bo", (3, 2, 2)),
    ]
    events += [Throw("Bo", (3, 2, 2)), Penalty("Bo", "touch"), Throw("Ana", (4, 2, 1))]
    events += [
        Throw("Bo", (6, 5, 3)),
        Throw("Ana", (6, 6, 4)),
        Throw("Bo", (6, 5, 3)),
        Throw("Ana", (6, 5, 4)),
    ]
    sheet = page(events, "belgian", "Ana Bo")
    assert "Bo touche les dés et prend un jeton d’amende au pot." in sheet.text
    assert sheet.rows[-2] == ["4", "654▲0", "653▸▼20+2", "1"]
    sheet = page([*events, Penalty("Bo", "off_table")], "belgian", "Ana Bo", "en")
    assert sheet.rows[-2] == ["5", "0", "21+1loses", "0"]
    assert sheet.rows[-1][1].startswith(
        "Bo throws a die off the table and takes a penalty chip from the pot. It was the"
    )
    assert "Bo is left with all the chips and has lost." in sheet.text


def test_points_and_a_turn_of_several_throws() -> None:
    events: list[Event] = [Throw("Ana", (6, 6, 6)), Throw("Bo", (1, 1, 2)), Throw("Ana", (6, 4, 2))]
    events += [Throw("Ana", (1,), (4, 2)), Stand("Ana"), Throw("Bo", (4, 2, 1)), Stand("Bo")]
    events += [Throw("Ana", (6, 6, 6)), Throw("Bo", (5, 5, 5))]
    sheet = page(events, "points", "Ana Bo")
    assert sheet.rows[0] == ["Tour", "Ana", "Bo"]
    assert ["1", "421×2▸▲1+1", "4212+2"] in sheet.rows


NAMES = ('<script>alert("x")</script>', "a&b'\"", "line\nbreak", "\u202egnp.exe", "דנה", "{}")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_are_escaped_and_cannot_turn_what_stands_around(language: Language) -> None:
    names = NAMES
    events: list[Event] = [Throw(name, (1 if seat else 6,)) for seat, name in enumerate(names)]
    for seat, name in enumerate(names):
        events.append(Throw(name, (6, 1, 1) if not seat else (3, 2, 2) if seat == 4 else (6, 5, 4)))
        events += [Stand(name)] if not seat else []
    record = Record("marquoir", names, tuple(map(Entry, events)), table='"><img>', id="</title>")
    html = to_html(record, language)
    sheet = Page(html)
    assert "script" not in sheet.open
    assert "<script" not in html
    assert "<img" not in html
    assert "\u202e" not in html
    assert "\\u202egnp.exe" in sheet.rows[0]
    assert "line\\nbreak" in sheet.rows[0]
    assert names[0] in sheet.rows[0]
    assert "<bdi>דנה</bdi> (322)" in html


def test_the_page_needs_nothing_else_and_runs_nothing() -> None:
    html = to_html(Record("rulebook", ("Ana", "Bo", "Cy"), tuple(map(Entry, GAME))))
    for needle in ("<script", "<link", "src=", "href=", "url(", "@import", "http:", "https:"):
        assert needle not in html
    assert "default-src 'none'" in html


def test_many_players_lie_across_the_paper() -> None:
    few, many = ("Ana", "Bo"), tuple(f"P{seat}" for seat in range(10))
    assert "A4 landscape" in to_html(Record("livret", many))
    assert "A4 landscape" not in to_html(Record("livret", few))


def test_a_record_that_does_not_hold_has_no_sheet() -> None:
    with pytest.raises(InvalidRecord, match="event 1"):
        to_html(Record("marquoir", ("A", "B"), (Entry(Stand("A")),)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("ruleset", "options"), SETUPS)
def test_any_game_has_a_sheet_with_a_row_for_each_round(
    ruleset: str, options: dict[str, object], seed: int
) -> None:
    names, events, last = some_game(Random(seed), ruleset, options, calm=0.95)
    record = Record(ruleset, tuple(names), tuple(map(Entry, events)), options)
    languages: tuple[Language, ...] = ("en", "fr")
    for language in languages:
        sheet = Page(to_html(record, language))
        numbers = [row[0] for row in sheet.rows if row[0].isdigit() and len(row) > len(names)]
        rounds = [row for row in played(record).rounds if row.number]
        if ruleset != "counter":
            assert numbers == [str(row.number) for row in rounds]
            assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1))
            assert len(numbers) in (last.round, last.round - 1)
    for row in played(record).rounds:
        assert all(row.held[name] - row.gained[name] >= 0 for name in row.held)
