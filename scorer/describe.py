"""A ruleset in plain words, made from its data alone: what stands there is what is played.

`describe(ruleset, "fr")` gives paragraphs with a title each; the words of a language are in `describe_en` and
`describe_fr`, which have the same functions, one for each thing to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import NamedTuple

from scorer import describe_en, describe_fr
from scorer.handnames import Language, hand_name
from scorer.hands import Hand
from scorer.hands import name as written_hand
from scorer.policies.order import play_holders
from scorer.rules import Option, Ruleset
from scorer.rules import written as written_value


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A title, and the sentences under it."""

    title: str
    sentences: tuple[str, ...]


class HandRow(NamedTuple):
    """One line of a ruleset's table of hands.

    `value` is in chips, None for all but one; `ways` of the 216 that three dice can fall make the hand.
    """

    rank: int
    hand: Hand
    name: str
    value: int | None
    ways: int

    @property
    def chance(self) -> Fraction:
        """The probability of the hand at one throw of three dice."""
        return Fraction(self.ways, 216)


def hand_table(ruleset: Ruleset, language: Language) -> tuple[HandRow, ...]:
    """Return the 56 hands from best to worst; none for the score pad."""
    return tuple(
        HandRow(rank, hand, hand_name(hand, language, ruleset.nicknames), ruleset.values[hand], _ways(hand))
        for hand, rank in sorted(ruleset.ranks.items(), key=lambda item: item[1])
    )


def describe(ruleset: Ruleset, language: Language) -> tuple[Paragraph, ...]:
    """Return the rules in plain words, with the options as they are chosen."""
    words = describe_en if language == "en" else describe_fr
    return tuple(
        Paragraph(words.TITLES[key], tuple(sentences))
        for key, sentences in _parts(ruleset, words)
        if sentences
    )


def describe_options(ruleset: Ruleset, language: Language) -> tuple[tuple[str, str], ...]:
    """Return each option with the value chosen, in words: ("Jetons au pot", "11")."""
    words = describe_en if language == "en" else describe_fr
    return tuple(
        (option.name[language], _value_words(option, ruleset.chosen[id], words, language))
        for id, option in ruleset.options.items()
    )


def _ways(hand: Hand) -> int:
    return {1: 1, 2: 3, 3: 6}[len(set(hand))]


def _parts(ruleset: Ruleset, words: ModuleType) -> Iterator[tuple[str, list[str]]]:
    yield "table", _table(ruleset, words)
    if ruleset.opening is not None:
        opening = ruleset.opening
        yield (
            "opening",
            [words.opening(opening.dice, opening.by_total, opening.lowest_leads)]
            + ([words.scorekeeper()] if opening.scorekeeper else []),
        )
    for name in ruleset.phases:
        yield name, _phase(ruleset, name, words)
    yield "special", _special(ruleset, words)
    yield "ties", _ties(ruleset, words)
    yield "ends", [words.END[end.__name__] for end in ruleset.ends]
    yield "options", [_option(option, words) for option in ruleset.options.values()]


def _table(ruleset: Ruleset, words: ModuleType) -> list[str]:
    sentences = [words.players(ruleset.min_players, ruleset.max_players)]
    if ruleset.by_points:
        return [*sentences, words.no_chips()]
    if ruleset.score_pad:
        return [*sentences, words.pad(ruleset.chips_each)]
    assert ruleset.pot is not None
    return [*sentences, words.chips(ruleset.chips_each, ruleset.pot)]


def _phase(ruleset: Ruleset, name: str, words: ModuleType) -> list[str]:
    rules = ruleset.phases[name]
    sentences = []
    if name == "discharge":
        sentences.append(words.DISCHARGE_PLAYS[_name_in(rules.plays)])
        assert rules.first is not None
        sentences.append(words.FIRST[_name_in(rules.first)])
    if name == "rounds":
        sentences.append(words.rounds(rules.count))
    sentences.append(words.throws(rules.throws, rules.limit))
    settle = _name_in(rules.settle)
    if name == "rounds":
        sentences.append(words.score(rules.point))
        if rules.bonus_hand is not None:
            sentences.append(words.bonus(written_hand(rules.bonus_hand), rules.bonus_points))
    else:
        sentences.append(words.SETTLE[settle])
    if rules.to_worst_under is not None:
        sentences.append(words.to_worst_under(written_hand(rules.to_worst_under)))
    all_but_one = [written_hand(hand) for hand, value in ruleset.values.items() if value is None]
    if all_but_one and name == "charge":
        sentences.append(words.all_but_one(all_but_one))
    sentences.append(words.NEXT[_name_in(rules.next)])
    if name == "charge":
        sentences.append(words.charge_over())
    return sentences


def _special(ruleset: Ruleset, words: ModuleType) -> list[str]:
    sentences = []
    if ruleset.nenette is not None:
        sentences += words.nenette(written_hand(ruleset.nenette.hand), ruleset.nenette.chips)
    if ruleset.double_under is not None:
        sentences.append(words.double(written_hand(ruleset.double_under)))
    sentences += [words.PENALTY[reason] for reason in ruleset.penalties]
    if ruleset.penalties:
        sentences += words.penalty_from()
        if ruleset.phases["discharge"].plays is play_holders:
            sentences.append(words.back_in())
    return sentences


def _ties(ruleset: Ruleset, words: ModuleType) -> list[str]:
    if not ruleset.phases:
        return []
    sentences = []
    for name, rules in ruleset.phases.items():
        ends = ("both" if rules.worst_matters else "best") if rules.best_matters else "worst"
        sentences.append(words.ties(name, ends))
        if rules.to_worst_under is not None and not rules.worst_matters:
            sentences.append(words.ties_under(written_hand(rules.to_worst_under)))
    return [*dict.fromkeys(sentences), words.rolloff(ruleset.rolloff_dice)]


def _option(option: Option, words: ModuleType) -> str:
    language: Language = words.LANGUAGE
    if not option.values:
        values = words.range(option.low, option.high)
    else:
        values = words.either([_value_words(option, value, words, language) for value in option.values])
    default = _value_words(option, option.default, words, language)
    sentence: str = words.option(option.id, option.name[language], values, default)
    return sentence


def _value_words(option: Option, value: object, words: ModuleType, language: Language) -> str:
    if isinstance(value, bool):
        said: str = words.YES if value else words.NO
        return said
    if isinstance(value, str):
        return option.labels.get(value, {}).get(language, value)
    return written_value(value)


def _name_in(policy: object) -> str:
    """Return the function's name, by which the words of a language know it."""
    name = getattr(policy, "__name__", "")
    assert name
    return str(name)
