"""The words of the page: complete in both languages, and nothing visible that is not among them."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.dashboard.conftest import DASHBOARD, OpenPage, WatchedTable, whose_turn

WORDS = {lang: json.loads((DASHBOARD / "words" / f"{lang}.json").read_text()) for lang in ("en", "fr")}
SOURCES = {path: path.read_text() for path in sorted((DASHBOARD / "js").rglob("*.js"))}

# Where a key is put together, this is the set that it comes from.
MADE_UP = {
    "camera.": {
        *("none", "starting", "empty", "moving", "hand", "settling", "still"),
        *("stale", "frozen", "moved", "unfit", "gone", "ended"),
    },
    "flag.": {"changed", "missing", "beside"},
    "flag_short.": {"changed", "missing", "beside"},
    "note.": {"exposure", "focus", "white_balance"},
    "source.": {"camera", "phone", "address", "film", "folder", "picture"},
    "shape.": {"picture", "round", "square", "hexagon", "outline"},
    "step_name.": {"tray", "light", "throws", "save"},
    "paper.": {"a4", "letter"},
    "calibrating.": {"beginning", "not_begun", "over", "taken", "busy", "left"},
    "phase.": {"opening", "charge", "discharge", "rounds", "count", "over"},
    "player.": {"out", "left", "best", "worst", "tied"},
    "rolloff.": {"opening", "best", "worst", "both"},
    "why.": {"best", "worst"},
    "why.rolloff_": {"opening", "best", "worst", "both"},
    "rule.": {"take_from_pot", "pay_pot", "give_to_worst", "nenette", "score", "nothing"},
    "how.": {"camera", "hand", "corrected", "inserted"},
    "step.": {"change", "insert", "delete", "undo", "redo"},
}


def forms(words: dict[str, Any], key: str) -> dict[str, str]:
    entry = words[key]
    return entry if isinstance(entry, dict) else {"": entry}


def test_both_languages_know_the_same_keys() -> None:
    assert WORDS["en"].keys() == WORDS["fr"].keys()


@pytest.mark.parametrize("key", sorted(WORDS["en"]))
def test_both_languages_put_the_same_values_into_a_sentence(key: str) -> None:
    english, french = (forms(WORDS[lang], key) for lang in ("en", "fr"))
    assert english.keys() == french.keys()
    for form, sentence in english.items():
        assert sentence.strip()
        assert french[form].strip()
        # "One die is missing" may leave its number out.
        assert set(re.findall(r"\{(\w+)\}", sentence)) - {"count"} == set(
            re.findall(r"\{(\w+)\}", french[form])
        ) - {"count"}


def test_every_key_that_the_page_asks_for_is_known() -> None:
    asked = set()
    for source in SOURCES.values():
        asked |= set(re.findall(r"""\bt\(\s*"([a-z_.]+)["]""", source))
        asked |= set(re.findall(r"""key: "((?:throw|hint)\.[a-z_]+)\"""", source))
    asked |= {prefix + name for prefix, names in MADE_UP.items() for name in names}
    assert len(asked) > 100
    assert asked <= WORDS["en"].keys()


def test_every_key_is_asked_for_somewhere() -> None:
    everything = "\n".join(SOURCES.values())
    made = {prefix + name for prefix, names in MADE_UP.items() for name in names}
    unused = {
        key
        for key in WORDS["en"]
        if key not in made
        and f'"{key}"' not in everything
        and not key.startswith(("reason.", "refused.", "finding."))
    }
    assert not unused


def reasons_of_the_reader() -> set[str]:
    """What `vision` says is doubtful: the second argument of `add_reason`, and what `_reasons` returns."""
    found = set()
    for file in sorted((DASHBOARD.parents[1] / "vision").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            texts: list[ast.expr] = []
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "add_reason"
            ):
                texts = node.args[1:2]
            elif isinstance(node, ast.FunctionDef) and node.name == "_reasons":
                lists = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
                texts = [text for each in lists if isinstance(each, ast.List) for text in each.elts]
            for text in texts:
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                found.add("".join(str(part.value) for part in parts if isinstance(part, ast.Constant)))
    return found - {""}


def test_every_reason_of_the_reader_has_words() -> None:
    reasons = reasons_of_the_reader()
    assert "dice overlap" in reasons
    for reason in reasons:
        bare = re.sub(r"\(.*?\)", "", reason).lower()
        assert "reason." + "_".join(re.findall("[a-z]+", bare)) in WORDS["fr"], reason


def test_key_prefixes_are_put_together_only_where_this_test_knows_of_it() -> None:
    prefixes = set()
    for source in SOURCES.values():
        prefixes |= set(re.findall(r"\bt\(`([a-z_.]+)\$\{", source))
    assert prefixes == set(MADE_UP)


def test_the_page_itself_holds_no_words() -> None:
    page = (DASHBOARD / "index.html").read_text()
    body = re.sub(r"<[^>]+>", "", page[page.index("<body>") :])
    assert not body.strip()


READ_ALL = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("noscript, script")) continue;
    if (node.data.trim()) found.push(node.data);
  }
  for (const element of document.querySelectorAll("body *")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      const value = element.getAttribute(name);
      if (value && !element.closest("noscript")) found.push(value);
    }
  }
  found.push(document.title);
  return found;
}"""


def marked_words(route: Route) -> None:
    """Every sentence in brackets: what has none does not come from the words."""

    def mark(entry: Any) -> Any:
        return {form: mark(text) for form, text in entry.items()} if isinstance(entry, dict) else f"⟦{entry}⟧"

    route.fulfill(json={key: mark(entry) for key, entry in WORDS["en"].items()})


def unmarked(page: Page, own: set[str]) -> list[str]:
    """Texts with letters that come neither from the words nor from the game."""
    strangers = []
    for text in page.evaluate(READ_ALL):
        rest = re.sub(r"⟦[^⟧]*⟧", "", text)
        for each in sorted(own, key=len, reverse=True):
            rest = rest.replace(each, "")
        if re.search(r"[^\W\d_]", rest):
            strangers.append(text)
    return strangers


@pytest.mark.browser
def test_nothing_visible_is_written_into_the_code(open_page: OpenPage, watched: WatchedTable) -> None:
    page = open_page(watched.url)
    page.context.route("**/words/en.json", marked_words)
    page.reload()
    page.wait_for_selector(".setup .ruleset")
    rulesets = page.request.get(watched.url + "api/rulesets").json()
    own = {text for ruleset in rulesets for field in ("name", "about") for text in ruleset[field].values()}
    own |= {"Ana", "Bo", "Cy"}
    for name in ("Ana", "Bo", "Cy"):
        page.locator(".adder input").fill(name)
        page.locator(".adder button").click()
    assert not unmarked(page, own)
    page.locator(".start .confirm").click()

    page.wait_for_selector(".table")
    assert not unmarked(page, own)
    watched.camera.roll(4, 2, 1, doubt={1: "~"})
    page.wait_for_selector(".slot.doubtful")
    page.locator(".slot.doubtful .die-button").click()
    page.wait_for_selector(".ring")
    assert not unmarked(page, own)
    page.keyboard.press("Escape")
    page.locator(".confirm").click()
    whose_turn(page, "Bo")
    for dice in ((4, 2, 1), (6, 5, 2)):
        watched.throw(*dice)
    page.wait_for_selector(".rolloff")
    assert not unmarked(page, own)
    for dice in ((4, 2, 1), (6, 5, 2), (4, 2, 1), (6, 5, 2), (6, 6, 5)):
        watched.throw(*dice)
    page.wait_for_selector(".sentence:not(.none)")
    sentences = watched.view()["game"]["last"]["text"].values()
    assert not unmarked(page, own | set(sentences))

    page.get_by_role("button", name="⟦Leave⟧").click()
    page.wait_for_selector(".question")
    page.locator(".question button").first.click()
    assert not unmarked(page, own | set(sentences))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="⟦End game⟧").click()
    page.locator(".question .danger").click()
    page.wait_for_selector(".ending")
    assert not unmarked(page, own | set(sentences))

    page.locator(".to-history").click()
    page.wait_for_selector(".event")
    events = page.request.get(f"{watched.url}api/games/{watched.view()['game']['id']}/history").json()[
        "events"
    ]
    own |= {text for item in events if item["explanation"] for text in item["explanation"]["text"].values()}
    assert not unmarked(page, own)
    page.locator(".event", has=page.locator(".thumb")).first.locator("button").click()
    page.wait_for_selector(".event-actions")
    assert not unmarked(page, own)
    page.locator(".event-actions button").nth(2).click()
    page.wait_for_selector(".preview .complaint, .broken")
    page.keyboard.press("Escape")
    page.locator(".event-actions button").nth(1).click()
    page.wait_for_selector(".editor .faces")
    assert not unmarked(page, own)
    page.locator(".tabs button").last.click()
    page.wait_for_selector(".steps")
    assert not unmarked(page, own)


@pytest.mark.browser
def test_nothing_visible_is_written_into_the_code_of_the_score_pad(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    by_hand.table.start(("Ana", "Bo"), "counter", {})
    page = open_page(by_hand.url)
    page.context.route("**/words/en.json", marked_words)
    page.reload()
    page.wait_for_selector(".pad-row")
    own = {"Ana", "Bo", *by_hand.view()["game"]["ruleset_name"].values(), "+n", "\N{MINUS SIGN}n"}
    assert not unmarked(page, own)
    page.locator(".pad-row .step").last.click()
    page.wait_for_selector(".number-pad")
    assert not unmarked(page, own)


@pytest.mark.browser
def test_the_page_speaks_the_language_of_the_browser_until_somebody_chooses(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    page = open_page(by_hand.url, locale="fr-FR")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    start = page.locator(".start .confirm")
    expect(start).to_have_text(WORDS["fr"]["setup.start"])
    page.get_by_role("button", name="English").click()
    expect(start).to_have_text(WORDS["en"]["setup.start"])
    page.reload()
    expect(start).to_have_text(WORDS["en"]["setup.start"])


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_settlement_is_said_in_the_language_of_the_page(
    open_page: OpenPage, by_hand: WatchedTable, lang: str
) -> None:
    by_hand.start()
    page = open_page(by_hand.url, locale=lang)
    for dice in ((6, 1, 1), (6, 5, 2), (2, 2, 1), (6, 1, 1), (6, 5, 2), (2, 2, 1)):
        by_hand.throw(*dice)
    said = by_hand.view()["game"]["last"]["text"][lang]
    expect(page.locator(".sentence")).to_have_text(said)
    expect(page.locator("#said")).to_contain_text(said)
