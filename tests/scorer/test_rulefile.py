"""A table's own rules in a file: every fault is found, with its line; the examples that ship are sound."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorer.errors import SetupError
from scorer.events import Entry
from scorer.game import new_game
from scorer.record import Record, load, steps
from scorer.rulefile import EXAMPLES, check_file, find_ruleset, house_ruleset, key_lines
from scorer.ruleset import available_rulesets, load_ruleset, with_options
from scorer.simulate import STRATEGIES, random_events, simulate

BUILT_IN = EXAMPLES.parent
EXAMPLE_FILES = sorted(EXAMPLES.glob("*.toml"))
LIVRET = (BUILT_IN / "livret.toml").read_text(encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.toml"


def written(file: Path, *changes: tuple[str, str], source: str = LIVRET) -> Path:
    for old, new in changes:
        assert old in source
        source = source.replace(old, new, 1)
    file.write_text(source, encoding="utf-8")
    return file


def line_of(file: Path, text: str) -> int:
    return next(n for n, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if text in line)


@pytest.mark.parametrize("path", EXAMPLE_FILES, ids=lambda path: path.stem)
def test_the_examples_are_sound_and_their_games_end(path: Path) -> None:
    assert check_file(path) == ()
    ruleset = house_ruleset(path)
    assert ruleset.id == path.stem
    assert not ruleset.built_in
    for id, option in ruleset.options.items():
        for value in option.values:
            report = simulate(with_options(ruleset, {id: value}), ruleset.max_players, 20, seed=3)
            assert report.unfinished == 0
            flow = sum(chips for (giver, _), chips in report.flow.items() if giver == "pot")
            assert flow == 20 * (ruleset.pot if id != "chips" else int(value))  # type: ignore[operator]


def test_there_are_two_examples() -> None:
    assert [path.stem for path in EXAMPLE_FILES] == ["comptoir", "court"]


@pytest.mark.parametrize("path", EXAMPLE_FILES, ids=lambda path: path.stem)
def test_a_game_by_an_example_is_a_record_that_replays_without_the_file(path: Path) -> None:
    ruleset = house_ruleset(path)
    start = new_game(ruleset, ["Ana", "Bo", "Cy"], {})
    choose = STRATEGIES["random"](ruleset)
    events = [event for event, _ in random_events(start, Random(1), choose)]
    record = Record(ruleset.id, ("Ana", "Bo", "Cy"), tuple(map(Entry, events)), {}, ruleset.data)
    loaded = load(record.to_json().encode())
    assert loaded == record
    assert list(steps(loaded))[-1][1].over


@pytest.mark.parametrize("id", available_rulesets())
def test_the_built_in_files_have_no_fault(id: str) -> None:
    assert check_file(BUILT_IN / f"{id}.toml") == ()


def test_all_faults_are_reported_in_order_with_line_and_key(file: Path) -> None:
    written(
        file,
        ("players = [2, 10]", "players = [1, 10]"),
        ("throws = 3", "throws = 30"),
        ('settle = "give_to_worst"', 'settle = "keep"'),
        ('"charge.limit" = "leader"', '"charge.limit" = "lots"'),
        ('hands = "611 666"', 'hands = "611 166"'),
        ("[rolloff]\ndice = 3", "[rolloff]\ndice = 2\ncolour = 1"),
    )
    faults = check_file(file)
    assert [fault.line for fault in faults] == sorted(
        fault.line for fault in faults if fault.line is not None
    )
    by_key = {fault.key: fault for fault in faults}
    assert set(by_key) >= {
        "players",
        "charge.throws",
        "discharge.settle",
        "rolloff.dice",
        "rolloff.colour",
        'options.bon.patch.true."charge.limit"',
        "options.plain_hands.patch.numeric.hands[3].hands",
    }
    assert by_key["charge.throws"].line == line_of(file, "throws = 30")
    assert by_key["rolloff.dice"].line == line_of(file, "dice = 2")
    assert by_key["rolloff.colour"].line == line_of(file, "colour = 1")
    deep = by_key['options.bon.patch.true."charge.limit"']
    assert deep.line == line_of(file, '"charge.limit" = "lots"')
    assert deep.text.startswith("with option bon = true: charge.limit must be one of none, leader, exact")
    turned = by_key["options.plain_hands.patch.numeric.hands[3].hands"]
    assert turned.line == line_of(file, 'hands = "611 166"')
    assert "'166' is no hand (it is written 661)" in turned.text


def test_a_missing_table_is_one_fault(file: Path) -> None:
    faults = check_file(written(file, ("[rolloff]\ndice = 3", "")))
    assert [fault.text for fault in faults] == ["rolloff must be a table of keys and values; it is missing"]


def test_broken_syntax_does_not_hide_the_other_faults(file: Path) -> None:
    written(file, ("chips = 2", "chips = two"), ("throws = 3", "throws = 30"), ("bon]", "bon"))
    faults = check_file(file)
    told = [(fault.line, fault.text) for fault in faults]
    assert (
        line_of(file, "throws = 30"),
        "charge.throws must be a whole number from 1 to 9; it is 30",
    ) in told
    syntax = [line for line, text in told if text.startswith("it is not TOML")]
    assert line_of(file, "chips = two") in syntax
    assert line_of(file, "[options.bon") in syntax


@pytest.mark.parametrize("last", ["colour = ", "colour", "[colour", "colour = 'red", "colour = [1,"])
def test_a_broken_last_line_has_its_number_and_hides_no_other_fault(file: Path, last: str) -> None:
    written(file, ("throws = 3", "throws = 30"), source=f"{LIVRET}\n{last}")
    told = [(fault.line, fault.text) for fault in check_file(file)]
    assert (
        line_of(file, "throws = 30"),
        "charge.throws must be a whole number from 1 to 9; it is 30",
    ) in told
    (broken,) = (each for each in told if each[1].startswith("it is not TOML"))
    assert broken[0] == line_of(file, last)
    assert broken[1].endswith("(the file ends there)") and "document" not in broken[1]


@pytest.mark.parametrize("opened", ['text = """\nnever closed', "list = [\n1,\n# never closed\n"])
def test_a_value_that_never_ends_is_at_fault_where_it_begins(file: Path, opened: str) -> None:
    """What stands below is read on: the text has no more signs that would close it."""
    tail = "\n[rolloff]\ndice = 2\n" if opened.startswith("text") else ""
    written(file, ("[rolloff]\ndice = 3", ""), source=f"{LIVRET}\n[more]\n{opened}{tail}")
    told = [(fault.line, fault.text) for fault in check_file(file)]
    syntax = [line for line, text in told if text.startswith("it is not TOML")]
    assert syntax == [line_of(file, opened.split("\n")[0])]
    assert any(text.startswith("no ruleset has more") for _, text in told)
    assert any(text.startswith("rolloff.dice must be 1 or 3; it is 2") for _, text in told) is bool(tail)


def test_a_header_at_fault_keeps_its_keys_and_hides_none_of_their_faults(file: Path) -> None:
    source = (EXAMPLES / "comptoir.toml").read_text(encoding="utf-8")
    written(
        file, ("[chips]", "[chips"), ("[opening]", "[[opening]"), ('"lowest"', '"loudest"'), source=source
    )
    told = [(fault.line, fault.text) for fault in check_file(file)]
    assert [line for line, text in told if text.startswith("it is not TOML")] == [
        line_of(file, "[chips"),
        line_of(file, "[[opening]"),
    ]
    assert told[2:] == [
        (line_of(file, "loudest"), "opening.leads must be one of highest, lowest; it is 'loudest'")
    ]


@pytest.mark.parametrize("content", ["= 1", "a = ", "a = 'x\n", "a = 1\na = 2", "a = [1,"])
def test_the_reason_goes_on_in_the_sentence(file: Path, content: str) -> None:
    file.write_text(content, encoding="utf-8")
    (told,) = (fault.text for fault in check_file(file) if "TOML" in fault.text)
    reason = told.removeprefix("it is not TOML: ")
    assert reason != told and reason[0] == reason[0].lower()


def test_a_table_given_twice_is_one_fault(file: Path) -> None:
    file.write_text(f"{LIVRET}\n[chips]\npot = 3\n", encoding="utf-8")
    (fault,) = check_file(file)
    assert fault.line == LIVRET.count("\n") + 2
    assert "it is not TOML" in fault.text


def test_a_mark_of_byte_order_is_passed_over(file: Path) -> None:
    file.write_text(LIVRET, encoding="utf-8-sig")
    assert house_ruleset(file).ranks == load_ruleset("livret").ranks
    written(file, ("throws = 3", "throws = 30"), source="\ufeff" + LIVRET)
    assert [(fault.line, fault.key) for fault in check_file(file)] == [
        (line_of(file, "throws = 30"), "charge.throws")
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "it is not UTF-8"),
        (b"a = " + b"[" * 990 + b"]" * 990, "nested too deep"),
        (b'a = """', "it is not TOML"),
        (b"a = 1\na = 2", "it is not TOML"),
        (b"a = 2026-99-99", "it is not TOML"),
        (b"", "a ruleset has either charge and discharge, or rounds, or count"),
        (b"#" * (1 << 21), "larger than 1 MiB"),
    ],
)
def test_what_is_no_ruleset_at_all(file: Path, content: bytes, words: str) -> None:
    file.write_bytes(content)
    with pytest.raises(SetupError) as error:
        faults = check_file(file)
        raise SetupError("; ".join(map(str, faults)), faults)
    assert words in str(error.value)
    with pytest.raises(SetupError):
        house_ruleset(file)


def test_a_file_at_fault_is_not_played_by_and_says_where(file: Path) -> None:
    written(file, ("throws = 3", "throws = 30"), ("chips = 2", "chips = 0"))
    with pytest.raises(SetupError) as error:
        house_ruleset(file)
    assert f"line {line_of(file, 'throws = 30')}: charge.throws must be" in str(error.value)
    assert "piste rules check house.toml" in str(error.value)
    assert [fault.key for fault in error.value.faults] == ["charge.throws", "nenette.chips"]


def test_a_file_named_as_a_built_in_ruleset_must_be_renamed(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="rename the file"):
        house_ruleset(written(tmp_path / "livret.toml"))


def test_find_ruleset_takes_an_id_or_a_file(file: Path) -> None:
    assert find_ruleset("livret") == load_ruleset("livret")
    assert find_ruleset(str(written(file))).id == "house"
    with pytest.raises(SetupError, match=r"no ruleset 'zanzi', and no such file; there are rulebook"):
        find_ruleset("zanzi")
    with pytest.raises(SetupError, match="cannot be read"):
        find_ruleset("none.toml")


def test_lines_of_keys() -> None:
    text = (
        'a = 1\nb = """\nc = 2\n"""\n[t]\n# x = 1\nd = [\n 1, # ]\n 2,\n]\ne.f = "[" # {\n'
        "[[h]]\ng = 1\n[[h]]\n\"g.i\" = { j = 1 }\n[h.k]\nl = '''\n[m]\n'''\n"
    )
    assert key_lines(text) == {
        "a": 1, "b": 2, "t": 5, "t.d": 7, "t.e.f": 11, "h": 12, "h[1]": 12, "h[1].g": 13, "h[2]": 14,
        'h[2]."g.i"': 15, "h.k": 16, "h.k.l": 17,
    }  # fmt: skip
