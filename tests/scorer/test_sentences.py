"""A settlement told in a sentence, in both languages."""

from __future__ import annotations

from scorer.events import Penalty
from scorer.sentences import settlement_sentence
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
        "Ana's 421 gives no chips to Cy (322).",
        "Le 421 d’Ana ne donne aucun jeton à Cy (322).",
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
        "221 costs Bo 2 chips and Cy 1 chip, from the pot.",
        "La nénette (221) coûte 2 jetons à Bo et 1 jeton à Cy, pris au pot.",
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
