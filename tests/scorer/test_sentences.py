"""A settlement told in a sentence, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.events import Abandon, Adjust, Event, Leave, Penalty
from scorer.explanation import explanation
from scorer.game import new_game
from scorer.rulefile import EXAMPLES, house_ruleset
from scorer.sentences import (
    ending_sentence,
    event_sentence,
    opening_sentence,
    rolloff_sentences,
    settlement_sentence,
)
from tests.scorer.table import Table


def told(table: Table) -> tuple[str, str]:
    settlement = table.state.settlement
    assert settlement is not None
    return settlement_sentence(settlement, "en"), settlement_sentence(settlement, "fr")


def test_the_worst_takes_from_the_pot() -> None:
    table = Table("rulebook", "Ana Bo Cy").lead("Ana").turns(Ana="611", Bo="654", Cy="322")
    assert told(table) == (
        "Ana's 611 makes Cy (322) take 6 chips from the pot.",
        "Avec le 611 d’Ana, Cy (322) prend 6 jetons au pot.",
    )


def test_the_best_gives_to_the_worst() -> None:
    table = Table("belgian", "Ana Bo Cy").lead("Bo").at("discharge", "Bo", Ana=4, Bo=9, Cy=8)
    table.turns(Bo="421", Cy="322", Ana="654")
    assert told(table) == ("Bo's 421 gives 8 chips to Cy (322).", "Le 421 de Bo donne 8 jetons à Cy (322).")


def test_doubled_and_capped() -> None:
    table = (
        Table("belgian", "Ana Bo").lead("Bo").at("discharge", "Bo", Ana=4, Bo=9).turns(Bo="211", Ana="221")
    )
    assert told(table) == (
        "Bo's 211 gives 9 chips (doubled by 221, all there were) to Ana (221).",
        "Le 211 de Bo donne 9 jetons (doublés par 221, tout ce qu’il y avait) à Ana (221).",
    )


def test_the_best_pays_the_pot_after_a_roll_off() -> None:
    table = Table("rulebook", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Ana=7, Bo=4, Cy=9)
    table.turns(Ana="654", Bo="654", Cy="322").throws(Ana="6", Bo="6").throws(Ana="1", Bo="2")
    assert told(table) == (
        "Bo's 654 puts 2 chips back into the pot after 2 roll-offs.",
        "Le 654 de Bo remet 2 jetons au pot après 2 rampos.",
    )


def test_nothing_to_give() -> None:
    table = Table("marquoir", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Bo=4, Cy=7)
    table.turns(Ana="421", Bo="654", Cy="322")
    assert told(table) == (
        "Ana's 421 gives no chips (there were none) to Cy (322).",
        "Le 421 d’Ana ne donne aucun jeton (il n’y en avait pas) à Cy (322).",
    )
    table = Table("rulebook", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Ana=1, Bo=4, Cy=7)
    table.turns(Ana="421", Bo="654", Cy="322")
    assert told(table) == (
        "Ana's 421 gives no chips (the last one stays) to Cy (322).",
        "Le 421 d’Ana ne donne aucun jeton (le dernier reste) à Cy (322).",
    )


def test_several_hold_the_best_hand() -> None:
    table = Table("rulebook", "Ana Bo Cy").lead("Ana").turns(Ana="665", Bo="665", Cy="322")
    assert told(table) == (
        "The 665 of Ana and Bo makes Cy (322) take 1 chip from the pot.",
        "Avec le 665 d’Ana et de Bo, Cy (322) prend 1 jeton au pot.",
    )


def test_nenette() -> None:
    table = (
        Table("livret", "Ana Bo Cy")
        .lead("Ana")
        .at("charge", "Ana", pot=3, Ana=18)
        .turns(Ana="421", Bo="221", Cy="221")
    )
    assert told(table) == (
        "221 costs Bo 2 chips and Cy 1 chip (all there were), from the pot.",
        "La nénette (221) coûte 2 jetons à Bo et 1 jeton à Cy (tout ce qu’il y avait), pris au pot.",
    )
    table = Table("livret", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Ana=9, Bo=6, Cy=6)
    table.turns(Ana="421", Bo="221", Cy="322")
    assert told(table) == (
        "221 costs Bo 2 chips, from Ana (421).",
        "La nénette (221) coûte 2 jetons à Bo, donnés par Ana (421).",
    )
    table = (
        Table("livret", "Ana Bo").lead("Ana").at("discharge", "Ana", Ana=9, Bo=6).turns(Ana="221", Bo="221")
    )
    assert told(table) == ("Everyone has 221, so nothing moves.", "Tout le monde a 221 : rien ne bouge.")


def test_a_nenette_that_nobody_can_pay_for() -> None:
    table = Table("marquoir", "Ana Bo Cy")
    table.state = new_game(house_ruleset(EXAMPLES / "court.toml"), ("Ana", "Bo", "Cy"), {})
    table.lead("Ana").at("discharge", "Ana", Bo=4, Cy=7).turns(Ana="421", Bo="221", Cy="322")
    assert table.moves == []
    assert told(table) == (
        "221 costs no chips: Ana (421) has none to give.",
        "La nénette (221) ne coûte rien : Ana (421) n’a aucun jeton à donner.",
    )


def test_points() -> None:
    table = Table("points", "Ana Bo").lead("Ana").turns(Ana="421", Bo="421").throws(Ana="666", Bo="421")
    assert told(table) == (
        "Bo's 421 scores 1 point after a roll-off. 421 at the first throw gives Ana 2 more and Bo 2 more.",
        "Le 421 de Bo marque 1 point après un rampo. Le 421 au premier lancer donne 2 de plus à Ana et 2 de plus à Bo.",
    )


def test_alone_in_the_round() -> None:
    table = Table("belgian", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Ana=8, Bo=13)
    table.do(Penalty("Cy", "touch")).leave("Ana").turn("Bo", "654")
    assert told(table) == (
        "Bo was alone in the round, so nothing moves.",
        "Bo a joué ce tour sans adversaire : rien ne bouge.",
    )


def test_moves_of_a_leaver_are_not_told() -> None:
    table = Table("rulebook", "Ana Bo Cy Dan").lead("Ana").turns(Ana="611", Bo="654", Cy="322").leave("Dan")
    assert table.moves == [("Dan", "pot", 3), ("pot", "Cy", 6)]
    assert told(table)[0] == "Ana's 611 makes Cy (322) take 6 chips from the pot."


def test_421_takes_all_but_one_or_the_last() -> None:
    table = Table("rulebook", "Ana Bo Cy").lead("Ana").turns(Ana="421", Bo="654", Cy="322")
    assert told(table) == (
        "Ana's 421 makes Cy (322) take 10 chips (all but one) from the pot.",
        "Avec le 421 d’Ana, Cy (322) prend 10 jetons (tout sauf un) au pot.",
    )
    table.turns(Ana="421", Bo="654", Cy="322")
    assert told(table) == (
        "Ana's 421 makes Cy (322) take 1 chip (the last one) from the pot.",
        "Avec le 421 d’Ana, Cy (322) prend 1 jeton (le dernier) au pot.",
    )


def test_the_pot_has_less_than_is_due() -> None:
    table = (
        Table("belgian", "Ana Bo").lead("Ana").at("charge", "Ana", pot=7, Bo=14).turns(Ana="211", Bo="221")
    )
    assert (
        told(table)[0]
        == "Ana's 211 makes Bo (221) take 7 chips (doubled by 221, all there were) from the pot."
    )


@pytest.mark.parametrize(
    ("player", "french"),
    [
        ("Émile", "d’Émile"),
        ("Yves", "d’Yves"),
        ("Yann", "de Yann"),
        ("Hugo", "de Hugo"),
        ("Øyvind", "de Øyvind"),
    ],
)
def test_whose_hand_in_french(player: str, french: str) -> None:
    table = Table("belgian", [player, "Bo"]).lead(player).turns(**{player: "611", "Bo": "322"})
    assert told(table)[1] == f"Avec le 611 {french}, Bo (322) prend 5 jetons au pot."


def test_roll_offs_tell_who_threw_what() -> None:
    table = (
        Table("rulebook", "Ana Bo Cy").lead("Ana").turns(Ana="611", Bo="322", Cy="322").throws(Bo="3", Cy="5")
    )
    assert table.state.settlement is not None
    assert rolloff_sentences(table.state.settlement, "en") == ("Roll-off for the worst hand: Bo 3, Cy 5.",)
    assert rolloff_sentences(table.state.settlement, "fr") == ("Rampo pour la pire main : Bo 3, Cy 5.",)


def happened(table: Table, event: Event) -> tuple[str | None, str | None]:
    before = table.state
    after = table.do(event).state
    return event_sentence(before, event, after, "en"), event_sentence(before, event, after, "fr")


def test_what_is_no_throw_is_told() -> None:
    table = Table("rulebook", "Ana Bo Cy Dan").lead("Ana")
    assert happened(table, Leave("Dan")) == (
        "Dan leaves the game: 3 chips go back to the pot.",
        "Dan quitte la partie : ses 3 jetons retournent au pot.",
    )
    table = Table("livret", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Ana=9, Bo=11, Cy=1)
    assert happened(table, Leave("Cy")) == (
        "Cy leaves the game: 1 chip goes out of the game.",
        "Cy quitte la partie : son jeton sort du jeu.",
    )
    assert happened(table, Abandon()) == ("The table stops the game.", "La table arrête la partie.")
    table = Table("belgian", "Ana Bo").lead("Ana").at("discharge", "Ana", Ana=9, Bo=12)
    assert happened(table, Penalty("Bo", "touch")) == (
        "Bo touches the dice and takes a penalty chip from outside.",
        "Bo touche les dés et prend un jeton d’amende à la réserve.",
    )
    table = Table("counter", "Ana Bo")
    assert happened(table, Adjust("Ana", -2)) == ("Ana gets rid of 2 chips.", "Ana rend 2 jetons.")
    assert happened(table, Adjust("Bo", 1)) == ("Bo picks up 1 chip.", "Bo ramasse 1 jeton.")


def test_who_leads_is_told() -> None:
    table = Table("points", "Ana Bo").lead("Bo")
    assert opening_sentence(table.state, "en") == "Bo leads the first round. Ana keeps the score."
    assert opening_sentence(table.state, "fr") == "Bo mène le premier tour. Ana tient la marque."


def ended(table: Table) -> tuple[str | None, str, str]:
    return table.state.ending, ending_sentence(table.state, "en"), ending_sentence(table.state, "fr")


def test_how_games_end_is_told() -> None:
    table = Table("livret", "Ana Bo").lead("Ana")
    assert ended(table) == (None, "The game goes on.", "La partie continue.")
    table.at("discharge", "Ana", Ana=3, Bo=18).turns(Ana="611", Bo="322")
    assert ended(table) == (
        "empty_hand_wins",
        "Ana has given the last chip away and wins.",
        "Ana a donné son dernier jeton et gagne.",
    )
    table = (
        Table("belgian", "Ana Bo").lead("Ana").at("discharge", "Ana", Ana=3, Bo=18).turns(Ana="611", Bo="322")
    )
    assert ended(table) == (
        "all_chips_lose",
        "Bo is left with all the chips and has lost.",
        "Bo reste avec tous les jetons et perd.",
    )
    table = (
        Table("marquoir", "Ana Bo").lead("Ana").at("discharge", "Ana", Ana=3, Bo=8).turns(Ana="661", Bo="322")
    )
    assert ended(table) == (
        "last_holder",
        "Ana was the first to have no chips left and wins; Bo is left with all the chips and has lost.",
        "Ana est le premier à ne plus avoir de jetons et gagne ; Bo reste avec tous les jetons et perd.",
    )
    table = Table("marquoir", "Ana Bo Cy", end="first_out").lead("Ana")
    table.at("discharge", "Ana", Ana=3, Bo=4, Cy=4).turns(Ana="661", Bo="322", Cy="654")
    assert ended(table)[:2] == ("first_out", "Ana was the first to have no chips left and wins.")


def test_how_games_stop_without_a_result_is_told() -> None:
    table = Table("rulebook", "Ana Bo Cy").leave("Ana").leave("Bo")
    assert ended(table) == (
        "alone",
        "Only Cy is left in the game: it is over without a result.",
        "Il ne reste que Cy : la partie s’arrête sans résultat.",
    )
    table = Table("marquoir", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Ana=3, Bo=4, Cy=4)
    table.turns(Ana="661", Bo="322", Cy="654").do(Abandon())
    assert ended(table) == (
        "abandoned",
        "The table stopped: the game is over. Ana had won already.",
        "La table a arrêté la partie. Ana avait déjà gagné.",
    )
    table = Table("counter", "Ana Bo").do(Abandon())
    assert ended(table)[1:] == ("The table stopped: the game is over.", "La table a arrêté la partie.")


def test_points_are_told_at_the_end() -> None:
    table = Table("points", "Ana Bo").lead("Ana")
    for number in range(10):
        table.turns(Ana="666" if number % 2 else "322", Bo="555")
    assert ended(table) == (
        "most_points",
        "Ana and Bo share the win with 5 points each.",
        "Ana et Bo se partagent la victoire avec 5 points chacun.",
    )


def test_marks_of_direction_in_a_name_are_told_as_escapes() -> None:
    table = (
        Table("belgian", ["A\u202ena", "Bo"]).lead("A\u202ena").throws(**{"A\u202ena": "611", "Bo": "322"})
    )
    assert told(table)[0] == "A\\u202ena's 611 makes Bo (322) take 5 chips from the pot."


# The explanation as data.


def explained(table: Table) -> dict[str, Any]:
    assert table.state.settlement is not None
    return explanation(table.state.settlement)


def test_an_explanation_says_which_rule_moved_what_and_why() -> None:
    table = Table("belgian", "Ana Bo Cy").lead("Ana").at("discharge", "Ana", Ana=9, Bo=6, Cy=6)
    table.turns(Ana="211", Bo="221", Cy="221").throws(Bo="5", Cy="2")
    assert explained(table) == {
        "rule": "give_to_worst",
        "phase": "discharge",
        "round": 2,
        "hands": [
            {"player": "Ana", "hand": "211"},
            {"player": "Bo", "hand": "221"},
            {"player": "Cy", "hand": "221"},
        ],
        "best": {"players": ["Ana"], "hand": "211"},
        "worst": {"players": ["Cy"], "hand": "221"},
        "value": 5,
        "doubled": True,
        "due": 10,
        "held": 9,
        "capped": True,
        "rolloffs": [
            {"end": "worst", "thrown": [{"player": "Bo", "dice": "5"}, {"player": "Cy", "dice": "2"}]}
        ],
        "moves": [{"from": "Ana", "to": "Cy", "chips": 9}],
        "scores": [],
        "text": {
            "en": "Ana's 211 gives 9 chips (doubled by 221, all there were) to Cy (221) after a roll-off. "
            "Roll-off for the worst hand: Bo 5, Cy 2.",
            "fr": "Le 211 d’Ana donne 9 jetons (doublés par 221, tout ce qu’il y avait) à Cy (221) après un rampo. "
            "Rampo pour la pire main : Bo 5, Cy 2.",
        },
    }


@pytest.mark.parametrize(
    ("ruleset", "hands", "expected"),
    [
        ("rulebook", {"A": "421", "B": "654", "C": "322"}, ("take_from_pot", None, None, 11, False, False)),
        ("marquoir", {"A": "111", "B": "654", "C": "322"}, ("take_from_pot", 7, 7, 11, False, False)),
        ("livret", {"A": "421", "B": "221", "C": "322"}, ("nenette", 10, 2, 21, False, False)),
        ("belgian", {"A": "421", "B": "221", "C": "322"}, ("take_from_pot", 8, 16, 21, True, False)),
        ("points", {"A": "421", "B": "221", "C": "322"}, ("score", 0, 0, 0, False, False)),
    ],
)
def test_the_figures_of_an_explanation(
    ruleset: str, hands: dict[str, str], expected: tuple[Any, ...]
) -> None:
    table = Table(ruleset).lead("A").turns(**hands)
    row = explained(table)
    assert tuple(row[key] for key in ("rule", "value", "due", "held", "doubled", "capped")) == expected
