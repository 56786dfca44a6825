"""What the documents say of the rules and the record is what the program has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scorer.events import Entry, Throw
from scorer.export import COLUMNS
from scorer.policies.ends import ENDS
from scorer.policies.order import FIRST, NEXT, PLAYS
from scorer.policies.settle import SETTLE
from scorer.record import Record
from scorer.shapes import EVENT_MAY, EVENTS, HEADER, HEADER_MAY, THROW_MAY
from scorer.simulate import STRATEGIES

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
RECORD = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*ENDS, *FIRST, *NEXT, *PLAYS, *SETTLE])
def test_every_word_of_a_ruleset_file_is_documented(name: str) -> None:
    assert re.search(rf"[`\"]{name}[`\"]", RULES)


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_strategies_are_documented(name: str) -> None:
    assert f"*{name}*: " in RULES


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_is_documented(column: str) -> None:
    assert f"\n| `{column}` |" in RECORD


@pytest.mark.parametrize("field", [*HEADER, *HEADER_MAY, *EVENT_MAY, *THROW_MAY, "result"])
def test_every_field_of_a_record_is_documented(field: str) -> None:
    assert f'"{field}"' in RECORD or f"`{field}`" in RECORD


def test_the_canonical_order_is_the_documented_one() -> None:
    example = json.loads(RECORD.split("```json\n")[1].split("```")[0])
    assert {event["type"] for event in example["events"]} == set(EVENTS)
    entry = Entry(Throw("Ana", (6, 5, 2)), "2026-03-01T20:15:09Z", "camera", 0.998, "r1.jpg")
    record = Record(
        "rulebook", ("Ana", "Bo", "Cy"), (entry,), {}, None, "g", "bar", "2026-03-01T20:15:00Z", True, None
    )
    written = json.loads(record.to_json())
    assert list(written) == list(example)
    assert list(written["events"][0]) == list(example["events"][0])


def test_every_module_of_the_rules_is_in_the_architecture() -> None:
    for path in sorted((ROOT / "scorer").glob("*.py")):
        if path.stem != "__init__":
            assert f"`{path.name}`" in ARCHITECTURE or f"`scorer/{path.name}`" in ARCHITECTURE, path.name


def test_the_examples_named_in_the_document_are_there() -> None:
    for name in re.findall(r"`(\w+\.toml)`", RULES):
        assert (ROOT / "scorer" / "rulesets" / "examples" / name).is_file()
