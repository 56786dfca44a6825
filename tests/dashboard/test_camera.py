"""Rolls that the camera offers: outlined, doubted in words, corrected, kept from, dismissed, confirmed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.dashboard.conftest import OpenPage, WatchedTable, confirm, enter, whose_turn

pytestmark = pytest.mark.browser

FIRST = [(200, 300), (400, 300), (600, 300)]


def to_discharge(watched: WatchedTable) -> None:
    """Ana leads the discharge with up to three throws."""
    watched.start()
    for dice in ((4, 2, 1), (6, 5, 2), (2, 2, 1)) + 2 * ((6, 1, 1), (6, 5, 2), (2, 2, 1)):
        watched.throw(*dice)
    game = watched.view()["game"]
    assert (game["phase"], game["expected"]["player"], game["expected"]["of"]) == ("discharge", "Ana", 3)


def newest(watched: WatchedTable) -> dict[str, object]:
    return dict(watched.view()["game"]["throws"][0])


def expect_tags(page: Page, *tags: str) -> None:
    expect(page.locator(".slot .tag, .slot .tag-button")).to_have_text(list(tags))


def test_a_sure_roll_is_outlined_and_confirmed_by_one_tap(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_disabled()
    watched.camera.roll(4, 2, 1)
    expect(page.locator(".outlines .certain")).to_have_count(3)
    expect(page.locator(".outlines .doubtful")).to_have_count(0)
    expect(page.locator(".hand-name")).to_have_text("421")
    confirm(page)
    whose_turn(page, "Bo")
    expect(page.locator(".outlines")).to_have_count(0)
    assert newest(watched)["source"] == "camera"


def test_the_outlines_lie_where_the_dice_are_in_the_picture(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(5, 5, 5, at=FIRST)
    box = page.locator(".outlines .box").first.bounding_box()
    picture = page.locator(".picture img").bounding_box()
    assert box is not None and picture is not None
    scale = picture["width"] / 960
    assert box["x"] + box["width"] / 2 == pytest.approx(picture["x"] + 200 * scale, abs=3)
    assert box["y"] + box["height"] / 2 == pytest.approx(picture["y"] + 300 * scale, abs=3)


def test_below_a_hand_no_dice_are_said_to_roll(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.empty()
    watched.camera.state("moving")
    expect(page.locator(".hint")).to_have_text("The dice are rolling …")
    watched.camera.state("hand")
    expect(page.locator(".hint")).to_have_text("The dice are read once no hand is over the tray.")


def test_a_doubtful_die_says_why_and_is_corrected_in_two_taps(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 6, doubt={1: "leaning on the rim"})
    expect(page.locator(".outlines .doubtful")).to_have_count(1)
    dash = page.locator(".outlines .doubtful .box").evaluate("box => getComputedStyle(box).strokeDasharray")
    assert dash not in ("", "none")
    expect(page.locator(".slot.doubtful .tag")).to_have_text("leaning on the rim")
    expect(page.locator(".camera-words")).to_contain_text("Please check the throw")
    page.get_by_role("button", name="Die showing 6").click()
    expect(page.locator(".petal")).to_have_count(6)
    page.get_by_role("button", name="It shows 1").click()
    expect(page.locator(".petal")).to_have_count(0)
    expect(page.locator(".hand-name")).to_have_text("421")
    confirm(page)
    whose_turn(page, "Bo")
    assert newest(watched)["source"] == "tablet"
    assert newest(watched)["dice"] == [4, 2, 1]


def test_a_die_too_many_is_removed_and_one_missing_is_added(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 1, 5)
    expect(page.locator(".hint")).to_contain_text("One die too many")
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Die showing 5").click()
    page.get_by_role("button", name="Remove").click()
    confirm(page)
    whose_turn(page, "Bo")
    watched.camera.roll(6, 5)
    expect(page.locator(".hint")).to_contain_text("One die is missing")
    page.get_by_role("button", name="Add a die").first.click()
    page.get_by_role("button", name="It shows 2").click()
    confirm(page)
    whose_turn(page, "Cy")
    assert [item["dice"] for item in watched.view()["game"]["throws"][:2]] == [[6, 5, 2], [4, 2, 1]]


def test_again_forgets_the_roll_and_lets_the_camera_read_once_more(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 1)
    page.get_by_role("button", name="Again").click()
    expect(page.locator(".hand-name")).to_have_count(0)
    expect(page.locator(".slot.empty")).to_have_count(3)
    assert watched.camera.asked_again == 1
    watched.camera.roll(6, 6, 5)
    expect(page.locator(".hand-name")).to_have_text("665")


def test_dice_that_stayed_where_they_lay_are_taken_as_kept(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    to_discharge(watched)
    page = open_page(watched.url)
    watched.camera.roll(4, 4, 1, at=FIRST)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 2 of 3")
    # The middle 4 was thrown again and happens to show 4 once more, elsewhere: it was not kept.
    watched.camera.roll(4, 1, 4, at=[FIRST[0], FIRST[2], (500, 500)])
    expect(page.locator(".slot.kept")).to_have_count(2)
    expect_tags(page, "kept", "thrown", "kept")
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert newest(watched)["kept"] == [4, 1]
    assert newest(watched)["dice"] == [4]
    assert newest(watched)["source"] == "camera"


def test_equal_values_that_nobody_saw_lie_still_count_as_thrown(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    to_discharge(watched)
    # Entered by hand, nobody knows where these dice lay.
    watched.throw(4, 4, 1)
    page = open_page(watched.url)
    watched.camera.roll(4, 1, 6)
    expect(page.locator(".hand-name")).to_have_text("641")
    expect(page.locator(".slot.kept")).to_have_count(0)
    expect_tags(page, "thrown", "thrown", "thrown")
    expect(page.locator(".hint")).to_have_text("Was one of them kept? Tap the word under it.")
    page.get_by_role("button", name="4: tap to keep it").click()
    expect_tags(page, "kept", "thrown", "thrown")
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert (newest(watched)["kept"], newest(watched)["dice"]) == ([4], [1, 6])


def test_which_dice_were_kept_is_known_on_a_tablet_that_did_not_confirm(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    to_discharge(watched)
    one = open_page(watched.url)
    watched.camera.roll(4, 4, 1, at=FIRST)
    confirm(one)
    expect(one.locator(".which")).to_contain_text("throw 2 of 3")
    other = open_page(watched.url)
    watched.camera.roll(4, 6, 1, at=[FIRST[0], (450, 520), FIRST[2]])
    expect(other.locator(".slot.kept")).to_have_count(2)
    # The die that lies still is the one kept, also where another shows the same and somebody said "a 4".
    other.reload()
    expect(other.locator(".slot.kept")).to_have_count(2)
    expect_tags(other, "kept", "thrown", "kept")


def test_the_marked_die_is_the_one_that_was_seen_to_lie_still(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    to_discharge(watched)
    page = open_page(watched.url)
    watched.camera.roll(6, 4, 1, at=FIRST)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 2 of 3")
    page.get_by_role("button", name="4: tap to keep it").click()
    # Another 4 has fallen to the left of the one that stayed.
    watched.camera.roll(4, 4, 2, at=[(150, 520), FIRST[1], (700, 520)])
    expect_tags(page, "thrown", "kept", "thrown")


def test_dice_that_lie_as_confirmed_are_offered_to_nobody(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 1)
    confirm(page)
    whose_turn(page, "Bo")
    watched.camera.state("gone", "The camera is gone.")
    watched.camera.roll(4, 2, 1)
    expect(page.locator(".hint")).to_have_text(
        "These dice lie as in the throw confirmed last: if it is a new throw, tap Again."
    )
    expect(page.locator(".camera-words")).to_contain_text("as in the throw confirmed last")
    expect(page.locator(".slot.empty")).to_have_count(3)
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Again").click()
    watched.camera.roll(4, 2, 1)
    expect(page.locator(".hand-name")).to_have_text("421")
    confirm(page)
    whose_turn(page, "Cy")


def test_a_roll_is_not_passed_on_to_the_next_player(open_page: OpenPage, watched: WatchedTable) -> None:
    to_discharge(watched)
    watched.throw(6, 4, 1)
    page = open_page(watched.url)
    watched.camera.roll(5, 5, 2)
    watched.stand()
    whose_turn(page, "Bo")
    expect(page.locator(".hint")).to_have_text(
        "These dice lay there before this turn: if it is a throw of this turn, tap Again."
    )
    expect(page.locator(".slot.empty")).to_have_count(3)


def test_a_wrong_number_of_dice_is_never_called_sure(open_page: OpenPage, watched: WatchedTable) -> None:
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 1)
    # Before the game nothing is asked for: the camera just shows how well it reads.
    expect(page.locator(".camera-words")).to_contain_text("All faces sure")
    watched.start()
    watched.camera.roll(4, 2)
    words = page.locator(".camera-words")
    expect(words).to_contain_text("Please check the throw")
    expect(words).to_contain_text("not the number of dice that is due")
    expect(words).not_to_contain_text("All faces sure")


def test_what_the_player_said_he_keeps_goes_before_what_is_seen(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    to_discharge(watched)
    watched.throw(4, 4, 1)
    page = open_page(watched.url)
    page.get_by_role("button", name="1: tap to keep it").click()
    watched.camera.roll(4, 6, 1)
    expect(page.locator(".slot.kept")).to_have_count(1)
    expect_tags(page, "thrown", "thrown", "kept")
    # It was kept after all: a tap on the word says so, another takes it back.
    page.get_by_role("button", name="4: tap to keep it").click()
    expect(page.locator(".slot.kept")).to_have_count(2)
    page.get_by_role("button", name="4: kept; tap to throw it").click()
    expect(page.locator(".slot.kept")).to_have_count(1)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert newest(watched)["kept"] == [1]
    assert newest(watched)["dice"] == [4, 6]


def test_dice_put_aside_are_asked_for(open_page: OpenPage, watched: WatchedTable) -> None:
    to_discharge(watched)
    watched.throw(6, 4, 1)
    page = open_page(watched.url)
    watched.camera.roll(2, 2)
    expect(page.locator(".strip")).to_contain_text("Which one was kept?")
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_disabled()
    page.locator(".strip").get_by_role("button", name="4: tap to keep it").click()
    expect(page.locator(".hand-name")).to_have_text("422")
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert newest(watched)["kept"] == [4]
    assert newest(watched)["source"] == "camera"


def test_standing_on_a_roll_confirms_it_first(open_page: OpenPage, watched: WatchedTable) -> None:
    to_discharge(watched)
    page = open_page(watched.url)
    watched.camera.roll(6, 6, 6)
    # The button says that it confirms, too; with nothing to confirm it just stands.
    expect(page.locator(".actions .stand")).to_have_text("Confirm + stand")
    page.get_by_role("button", name="Confirm + stand", exact=True).click()
    whose_turn(page, "Bo")
    expect(page.locator(".lead")).to_contain_text("one throw each")
    assert newest(watched)["dice"] == [6, 6, 6]


def test_by_hand_although_there_is_a_camera(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    page.get_by_role("button", name="By hand").click()
    enter(page, 6, 5)
    watched.camera.roll(4, 2, 1)
    expect(page.locator(".outlines .certain")).to_have_count(3)
    enter(page, 2)
    confirm(page)
    whose_turn(page, "Bo")
    assert newest(watched)["dice"] == [6, 5, 2]
    page.get_by_role("button", name="Camera").click()
    watched.camera.roll(4, 2, 1)
    expect(page.locator(".hand-name")).to_have_text("421")


def seen(page: Page, state: str) -> None:
    """As when another tab is put in front, or taken away again."""
    page.evaluate(
        """state => {
          Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_pictures_are_asked_one_at_a_time_and_only_while_the_page_is_seen(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    page = open_page(watched.url)
    # What the first page still asks for is not to be taken for the second one's.
    page.goto("about:blank")
    held: list[Route] = []
    page.clock.install()
    page.route("**/api/picture.jpg*", lambda route: held.append(route))

    def until_asked(times: int) -> None:
        for _ in range(2_000):
            if len(held) >= times:
                return
            page.evaluate("() => new Promise(requestIdleCallback)")
        raise AssertionError(f"{len(held)} pictures were asked for, not {times}")

    page.goto(watched.url)
    until_asked(1)
    # The first one does not come: none is asked on top of it.
    page.clock.run_for(10_000)
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator(".picture img.loaded")).to_be_visible()
    page.clock.run_for(1_000)
    until_asked(2)
    seen(page, "hidden")
    held[1].continue_()
    page.locator(".picture img").evaluate("img => img.decode()")
    page.clock.run_for(10_000)
    assert len(held) == 2
    seen(page, "visible")
    page.clock.run_for(1_000)
    until_asked(3)
    held[2].continue_()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("moving", "Moving"),
        ("settling", "Coming to rest"),
        ("empty", "No dice on the table"),
        ("still", "Still"),
    ],
)
def test_the_camera_says_in_words_what_it_does(
    open_page: OpenPage, watched: WatchedTable, state: str, words: str
) -> None:
    watched.start()
    watched.camera.state(state)
    page = open_page(watched.url)
    expect(page.locator(".camera-words .light").first).to_have_text(words)
    expect(page.locator(".band")).to_have_count(0)


@pytest.mark.parametrize("state", ["stale", "gone", "ended"])
def test_trouble_with_the_camera_is_a_band_and_dice_are_entered_by_hand(
    open_page: OpenPage, watched: WatchedTable, state: str
) -> None:
    watched.start()
    page = open_page(watched.url)
    expect(page.locator(".faces")).to_have_count(0)
    watched.camera.state(state, "The cable is out. Piste goes on trying; enter the dice by hand meanwhile.")
    expect(page.locator(".band")).to_contain_text("The cable is out.")
    enter(page, 4, 2, 1)
    confirm(page)
    whose_turn(page, "Bo")
    watched.camera.empty()
    expect(page.locator(".band")).to_have_count(0)


def keep_a_six_of(open_page: OpenPage, watched: WatchedTable) -> Page:
    """Ana has thrown 6 4 1 and says that the 6 is kept."""
    to_discharge(watched)
    page = open_page(watched.url)
    watched.camera.roll(6, 4, 1, at=FIRST)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 2 of 3")
    page.get_by_role("button", name="6: tap to keep it").click()
    return page


QUESTION = "You kept a 6, but all three dice were thrown: which is right?"


def test_dice_that_contradict_what_is_kept_are_asked_about(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    page = keep_a_six_of(open_page, watched)
    watched.camera.roll(5, 4, 2, at=[(150, 520), (400, 540), (700, 520)])
    expect(page.locator(".hint.doubt")).to_have_text(QUESTION)
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_disabled()
    # Another reading does not make the table forget what was said.
    watched.camera.roll(5, 3, 2, at=[(150, 420), (400, 440), (700, 420)])
    expect(page.locator(".hint.doubt")).to_have_text(QUESTION)
    page.get_by_role("button", name="It was thrown").click()
    expect(page.locator(".hint.doubt")).to_have_count(0)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert (newest(watched)["kept"], newest(watched)["dice"]) == ([], [5, 3, 2])


def test_a_die_that_is_kept_after_all_is_one_tap_away(open_page: OpenPage, watched: WatchedTable) -> None:
    page = keep_a_six_of(open_page, watched)
    watched.camera.roll(5, 4, 2, at=[(150, 520), (400, 540), (700, 520)])
    page.get_by_role("button", name="The 6 was kept").click()
    expect_tags(page, "kept", "thrown", "thrown", "thrown")
    expect(page.locator(".hint")).to_contain_text("One die too many")
    page.get_by_role("button", name="Die showing 5").click()
    page.get_by_role("button", name="Remove").click()
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert (newest(watched)["kept"], newest(watched)["dice"]) == ([6], [4, 2])


def test_a_die_read_wrongly_becomes_the_kept_one_when_it_is_corrected(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    page = keep_a_six_of(open_page, watched)
    watched.camera.roll(5, 4, 2, at=[FIRST[0], (400, 540), (700, 520)])
    page.get_by_role("button", name="Die showing 5").click()
    page.get_by_role("button", name="It shows 6").click()
    expect_tags(page, "kept", "thrown", "thrown")
    expect(page.locator(".hint.doubt")).to_have_count(0)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert (newest(watched)["kept"], newest(watched)["dice"]) == ([6], [4, 2])


def test_a_kept_die_that_was_seen_elsewhere_stays_kept_and_is_asked_about(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    page = keep_a_six_of(open_page, watched)
    watched.camera.roll(6, 4, 2, at=[(150, 520), (400, 540), (700, 520)])
    expect_tags(page, "kept", "thrown", "thrown")
    expect(page.locator(".hint.doubt")).to_have_text(QUESTION)
    page.get_by_role("button", name="6: kept; tap to throw it").click()
    expect_tags(page, "thrown", "thrown", "thrown")
    expect(page.locator(".hint.doubt")).to_have_count(0)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 3 of 3")
    assert (newest(watched)["kept"], newest(watched)["dice"]) == ([], [6, 4, 2])


def test_a_correction_is_shown_on_the_picture_and_by_the_light(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 6)
    expect(page.locator(".camera-words")).to_contain_text("All faces sure")
    page.get_by_role("button", name="Die showing 6").click()
    page.get_by_role("button", name="It shows 1").click()
    expect(page.locator(".outlines .face-text")).to_have_text(["4", "2", "1"])
    expect(page.locator(".outlines .corrected .pencil")).to_have_count(1)
    expect(page.locator(".outlines .corrected .face-text")).to_have_text("1")
    expect(page.locator(".camera-words")).to_contain_text("Corrected")
    expect(page.locator(".camera-words")).not_to_contain_text("All faces sure")
    page.get_by_role("button", name="Die showing 1").click()
    page.get_by_role("button", name="It shows 6").click()
    expect(page.locator(".outlines .corrected")).to_have_count(0)
    expect(page.locator(".camera-words")).to_contain_text("All faces sure")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_words_under_dice_stand_in_a_row_and_do_not_move_the_picture(
    open_page: OpenPage, watched: WatchedTable, size: tuple[int, int]
) -> None:
    to_discharge(watched)
    page = open_page(watched.url, size=size)
    watched.camera.roll(4, 4, 1, at=FIRST)
    expect(page.locator(".hand-name")).to_have_text("441")
    picture = page.locator(".picture").bounding_box()
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 2 of 3")
    watched.camera.roll(4, 1, 6, at=[FIRST[0], FIRST[2], (500, 500)])
    expect_tags(page, "kept", "thrown", "kept")
    boxes = [word.bounding_box() for word in page.locator(".slot .tag, .slot .tag-button").all()]
    assert len({(box["y"], box["height"]) for box in boxes if box}) == 1
    assert all(box and box["height"] >= 56 and box["width"] >= 56 for box in boxes)
    fonts = """words => words.map(word => {
      const style = getComputedStyle(word);
      return [style.fontSize, style.fontWeight, style.textDecorationLine, style.padding].join();
    })"""
    assert len(set(page.locator(".slot .tag, .slot .tag-button").evaluate_all(fonts))) == 1
    now = page.locator(".picture").bounding_box()
    assert picture is not None and now is not None
    assert (now["width"], now["height"]) == (picture["width"], picture["height"])


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (800, 1280), (390, 844)])
def test_the_faces_leave_confirm_the_hint_and_the_other_dice_in_sight(
    open_page: OpenPage, watched: WatchedTable, size: tuple[int, int]
) -> None:
    watched.start()
    watched.camera.roll(4, 2, 6)
    page = open_page(watched.url, size=size)
    for place in range(3):
        page.locator(".slot").nth(place).locator(".die-button").click()
        ring = page.locator(".ring").bounding_box()
        assert ring is not None
        for kept_in_sight in (
            ".actions .confirm",
            ".hint",
            ".slot .die-button >> nth=0",
            ".slot .die-button >> nth=2",
        ):
            box = page.locator(kept_in_sight).bounding_box()
            assert box is not None
            assert ring["y"] + ring["height"] <= box["y"]
        page.keyboard.press("Escape")
