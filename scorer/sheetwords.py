"""The words of the score sheet, in English and French. Pairs are singular and plural."""

from __future__ import annotations

from typing import Any

from scorer.handnames import Language

WORDS: dict[Language, dict[str, Any]] = {
    "en": {
        "sheet": "Score sheet",
        "rules": "Rules",
        "hands": "What the hands are worth",
        "others": "all others, from {} to {}",
        "all_but_one": "all but one",
        "table": "Table",
        "started": "Started",
        "length": "Length",
        "round": ("round", "rounds"),
        "throw": ("throw", "throws"),
        "entry": ("entry", "entries"),
        "number": "Round",
        "start": "start",
        "pot": "Pot",
        "left": "left",
        "won": "wins",
        "lost": "loses",
        "leads": "leads the round",
        "best": "best hand",
        "worst": "worst hand",
        "throws": "throws used",
        "tie": "Tied for the lead: {}.",
        "phases": {
            "opening": "Opening",
            "charge": "Charge",
            "discharge": "Discharge",
            "rounds": "Rounds",
            "count": "Entries",
        },
        "footer": "Made by Piste from the record of the game ({} events), which holds.",
    },
    "fr": {
        "sheet": "Feuille de marque",
        "rules": "Règles",
        "hands": "Ce que valent les mains",
        "others": "toutes les autres, de {} à {}",
        "all_but_one": "tout sauf un",
        "table": "Table",
        "started": "Début",
        "length": "Durée",
        "round": ("tour", "tours"),
        "throw": ("lancer", "lancers"),
        "entry": ("entrée", "entrées"),
        "number": "Tour",
        "start": "départ",
        "pot": "Pot",
        "left": "parti",
        "won": "gagne",
        "lost": "perd",
        "leads": "mène le tour",
        "best": "meilleure main",
        "worst": "pire main",
        "throws": "lancers utilisés",
        "tie": "Égalité pour mener : {}.",
        "phases": {
            "opening": "Ouverture",
            "charge": "Charge",
            "discharge": "Décharge",
            "rounds": "Tours",
            "count": "Entrées",
        },
        "footer": "Établie par Piste d’après le relevé de la partie ({} événements), vérifié.",
    },
}
