"""House rule files on the set-up screen: chosen or dropped, their faults, the way out; in step on every screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.conftest import OpenPage, WatchedTable, whose_turn
from tests.dashboard.test_screens import faults_of
from tests.dashboard.test_whole_game import seat

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).resolve().parents[2] / "scorer" / "rulesets" / "examples"
COURT = EXAMPLES / "court.toml"


def choose(page: Page, *files: Path) -> None:
    page.locator(".file-adder input").set_input_files([str(file) for file in files])


def radio(page: Page, name: str) -> object:
    return page.get_by_role("radio", name=re.compile(name))


def broken(tmp_path: Path) -> Path:
    """Five faults of five kinds, in a file that is read to its end."""
    text = COURT.read_text()
    for was, now in (
        ("players = [2, 6]", "players = [2, 60]"),
        ("throws = 3\n", "throws = 0\n"),
        ('limit = "leader"', 'limit = "somebody"'),
        ("value = 10\n", 'value = "ten"\n'),
        ("[rolloff]\ndice = 3", "[rolloff]\ndice = 2"),
    ):
        assert was in text
        text = text.replace(was, now, 1)
    file = tmp_path / "faulty.toml"
    file.write_text(text)
    return file


def test_a_file_of_the_house_is_added_chosen_and_played(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add a house rules file").click()
    chooser.value.set_files(str(COURT))
    expect(page.get_by_role("radio", name=re.compile("The short one"))).to_be_checked()
    expect(page.locator(".ruleset.chosen")).to_contain_text("House rules")
    seat(page, "Ana", "Bo")
    page.get_by_role("button", name="Start the game").click()
    whose_turn(page, "Ana")
    expect(page.locator(".pot .count")).to_have_text("15")
    assert by_hand.view()["game"]["ruleset"] == "court"


def test_all_faults_of_a_file_are_listed_with_their_lines(
    open_page: OpenPage, by_hand: WatchedTable, tmp_path: Path
) -> None:
    page = open_page(by_hand.url)
    file = broken(tmp_path)
    choose(page, file)
    expect(page.locator(".misfit .complaint")).to_contain_text("faulty.toml")
    faults = page.locator(".faults li")
    expect(faults).to_have_count(5)
    lines = file.read_text().splitlines()
    for text in faults.all_inner_texts():
        named = re.search(r"line (\d+)", text)
        assert named is not None
        assert any(
            wrong in lines[int(named.group(1)) - 1]
            for wrong in ("60]", "throws = 0", "somebody", '"ten"', "dice = 2", "[")
        )
    assert faults.first.evaluate("(line) => getComputedStyle(line).userSelect") == "text"
    faults.first.evaluate("(line) => getSelection().selectAllChildren(line)")
    assert page.evaluate("() => getSelection().toString().trim()")
    expect(page.locator(".ruleset.chosen")).not_to_contain_text("House rules")
    page.locator(".misfits").get_by_role("button", name="Close").click()
    expect(page.locator(".misfits")).to_have_count(0)


def test_a_mended_file_of_the_same_name_does(
    open_page: OpenPage, by_hand: WatchedTable, tmp_path: Path
) -> None:
    page = open_page(by_hand.url)
    file = broken(tmp_path)
    choose(page, file)
    expect(page.locator(".faults li")).to_have_count(5)
    file.write_text(COURT.read_text())
    choose(page, file)
    expect(page.locator(".misfits")).to_have_count(0)
    expect(page.get_by_role("radio", name=re.compile("The short one"))).to_be_checked()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("picture.toml", b"\x89PNG\r\n\x1a\n\xff\xfe", "This is no text file."),
        ("huge.toml", b"# " + b"x" * 70_000, "Too large for rules: 64 KB at most."),
        ("rulebook.toml", COURT.read_bytes(), "rulebook"),
        ("court.txt", COURT.read_bytes(), "toml"),
    ],
)
def test_a_file_that_is_no_rules_file_is_told_why(
    open_page: OpenPage, by_hand: WatchedTable, tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    page = open_page(by_hand.url)
    expect(page.locator(".ruleset").first).to_be_visible()  # they come after the page
    count = page.locator(".ruleset").count()
    (tmp_path / name).write_bytes(content)
    choose(page, tmp_path / name)
    expect(page.locator(".misfit")).to_contain_text(name)
    expect(page.locator(".misfit")).to_contain_text(sentence)
    expect(page.locator(".ruleset")).to_have_count(count)


DROP = """([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  const main = document.querySelector("main.setup");
  for (const type of ["dragover", "drop"]) {
    main.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: carried}));
    window.seen = (window.seen ?? []).concat(document.querySelector(".dropping") !== null);
  }
}"""


def test_a_file_may_be_dropped(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url)
    page.evaluate(DROP, ["comptoir.toml", (EXAMPLES / "comptoir.toml").read_text()])
    expect(page.get_by_role("radio", name=re.compile("The counter"))).to_be_checked()
    expect(page.locator(".dropping")).to_have_count(0)
    page.get_by_label("Chips in the pot").select_option("41")


def test_what_was_added_is_removed_by_a_second_tap(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url, has_touch=True)
    choose(page, COURT)
    remove = page.get_by_role("button", name="Remove The short one")
    remove.tap()
    sure = page.get_by_role("button", name="Remove? Tap again to remove The short one")
    expect(sure).to_be_visible()
    # A tap anywhere else was not meant so.
    page.locator(".setup-head h1").tap()
    expect(sure).to_have_count(0)
    remove.tap()
    sure.tap()
    expect(page.get_by_role("radio", name=re.compile("The short one"))).to_have_count(0)
    expect(page.locator(".ruleset.chosen")).to_have_count(1)
    expect(page.locator(".remove-rules")).to_have_count(0)


def test_another_tablet_has_it_too(open_page: OpenPage, by_hand: WatchedTable) -> None:
    one, two = open_page(by_hand.url), open_page(by_hand.url, size=(390, 844), locale="fr")
    choose(one, COURT)
    expect(two.get_by_role("radio", name=re.compile("La courte"))).to_be_visible()
    two.get_by_role("button", name="Retirer La courte").click()
    two.get_by_role("button", name="Retirer ? Toucher encore pour retirer La courte").click()
    expect(one.get_by_role("radio", name=re.compile("The short one"))).to_have_count(0)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_it_fits_in_french(
    open_page: OpenPage, by_hand: WatchedTable, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = open_page(by_hand.url, size=size, locale="fr")
    choose(page, COURT, broken(tmp_path))
    expect(page.locator(".faults li")).to_have_count(5)
    expect(page.locator(".misfit .complaint")).to_contain_text("5 fautes")
    expect(page.locator(".faults li").first).to_contain_text("ligne")
    page.get_by_role("button", name="Retirer La courte").click()
    assert faults_of(page) == []
