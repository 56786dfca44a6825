"""Rulesets in plain words: the table of hands, and sentences that say what is played."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from scorer.describe import describe, describe_options, hand_table
from scorer.handnames import Language, hand_name, is_straight, pair_of
from scorer.hands import ALL_HANDS, canonical
from scorer.rulefile import EXAMPLES, house_ruleset
from scorer.ruleset import available_rulesets, load_ruleset, with_options

LANGUAGES: tuple[Language, ...] = ("en", "fr")
DICE = [id for id in available_rulesets() if id != "counter"]


def text(id: str, language: Language, **options: object) -> str:
    ruleset = with_options(load_ruleset(id), options)
    return "\n".join(sentence for part in describe(ruleset, language) for sentence in part.sentences)


@pytest.mark.parametrize("id", DICE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_has_the_56_hands_with_their_chances(id: str, language: Language) -> None:
    rows = hand_table(load_ruleset(id), language)
    assert [row.rank for row in rows] == list(range(1, 57))
    assert {row.hand for row in rows} == set(ALL_HANDS)
    ways = Counter(canonical(dice) for dice in product(range(1, 7), repeat=3))
    assert {row.hand: row.ways for row in rows} == ways
    assert sum(row.chance for row in rows) == Fraction(1)
    assert len({row.name for row in rows}) == 56


def test_the_score_pad_has_no_hands() -> None:
    assert hand_table(load_ruleset("counter"), "fr") == ()


@pytest.mark.parametrize(
    ("hand", "english", "french"),
    [
        ("421", "four twenty-one", "quatre-cent-vingt-et-un"),
        ("111", "three aces", "trois as"),
        ("666", "three sixes", "brelan de six"),
        ("611", "two aces and a six", "deux as et six"),
        ("654", "six-high straight", "suite au six"),
        ("661", "pair of sixes and an ace", "paire de six et as"),
        ("433", "pair of threes and a four", "paire de trois et quatre"),
        ("652", "six, five and two", "six, cinq et deux"),
    ],
)
def test_how_hands_are_called(hand: str, english: str, french: str) -> None:
    dice = canonical(map(int, hand))
    assert (hand_name(dice, "en"), hand_name(dice, "fr")) == (english, french)


def test_a_ruleset_may_call_a_hand_its_own_name() -> None:
    names = {row.hand: row.name for row in hand_table(load_ruleset("marquoir"), "fr")}
    assert (names[1, 1, 1], names[2, 2, 1]) == ("nénette", "fauche")
    assert {row.hand: row.name for row in hand_table(load_ruleset("livret"), "en")}[2, 2, 1] == "nénette"


def test_shapes_of_hands() -> None:
    straights = [hand for hand in ALL_HANDS if is_straight(hand)]
    assert straights == [(6, 5, 4), (5, 4, 3), (4, 3, 2), (3, 2, 1)]
    assert (pair_of((6, 1, 1)), pair_of((6, 6, 1)), pair_of((6, 6, 6))) == ((1, 6), (6, 1), None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "id", [*available_rulesets(), *(str(path) for path in sorted(EXAMPLES.glob("*.toml")))]
)
def test_everything_is_said_in_whole_sentences(id: str, language: Language) -> None:
    ruleset = house_ruleset(id) if Path(id).suffix else load_ruleset(id)
    parts = describe(ruleset, language)
    assert len({part.title for part in parts}) == len(parts)
    for part in parts:
        for sentence in part.sentences:
            assert sentence[0].isupper() or sentence[0].isdigit()
            assert sentence.endswith((".", ")."))
            assert "{" not in sentence
            assert "  " not in sentence


def test_livret_in_french() -> None:
    told = text("livret", "fr")
    for sentence in (
        "De 2 à 10 joueurs.",
        "21 jetons au pot ; au départ, personne n’en a en main.",
        "Chacun jette un dé : le plus fort mène ; en cas d’égalité, les ex æquo rejouent.",
        "Les autres font exactement autant de lancers que celui qui mène.",
        "La pire main prend au pot ce que vaut la meilleure, dans la limite de ce qu’il contient.",
        "La nénette (221) est la pire main : qui l’a prend 2 jetons d’office",
        "Le dernier à en recevoir compte comme le perdant du tour.",
        "Si tout le monde l’a pendant la décharge, rien ne bouge et le même joueur mène encore.",
        "Rampo : les ex æquo jettent les trois dés, lus comme une main",
        "Le premier qui donne son dernier jeton pendant la décharge gagne aussitôt ; personne ne perd.",
        "Qui commence (opening) : le dé le plus fort ou le dé le plus faible (par défaut : le dé le plus fort).",
    ):
        assert sentence in told


def test_what_options_change_is_said() -> None:
    assert "le plus faible mène" in text("livret", "fr", opening="lowest")
    assert "Personne ne fait plus de lancers que celui qui mène." in text("livret", "fr", bon=True)
    assert "7 chips in the pot" in text("marquoir", "en", chips=7)
    assert "the game is over; if one player then holds all" in text("marquoir", "en", end="first_out")


@pytest.mark.parametrize(
    ("id", "sentence"),
    [
        ("rulebook", "11 chips in the pot and 3 for each player."),
        ("rulebook", "Under 421 the worst takes the whole pot but one chip, or the last chip there is."),
        ("rulebook", "If the best hand is 421, its holder gives all his chips but one to the worst instead."),
        ("rulebook", "The best hand puts back into the pot what it is worth, as far as its player has it."),
        ("livret", "The last to receive a chip counts as the worst of the round."),
        ("belgian", "If the worst hand is 221, it doubles the chips that move."),
        ("belgian", "Whoever touches the dice out of turn takes a penalty chip."),
        ("points", "The lowest total keeps the score."),
        ("points", "421 at the first throw of a turn scores 2 more, whoever wins the round."),
        ("counter", "11 chips each; what a player gets rid of or picks up is entered by hand, without dice."),
    ],
)
def test_what_is_special_in_a_ruleset_is_said(id: str, sentence: str) -> None:
    assert sentence in text(id, "en")


def test_options_as_chosen() -> None:
    ruleset = with_options(load_ruleset("marquoir"), {"chips": 21})
    assert describe_options(ruleset, "fr") == (
        ("Jetons au pot", "21"),
        ("La partie s’arrête", "quand un joueur a tous les jetons"),
    )
    assert ("Le bon : s’arrêter avant la limite", "non") in describe_options(load_ruleset("livret"), "fr")
