"""Games as they are taken away: the list of those kept, the JSON record, and CSV."""

from __future__ import annotations

import re
from typing import Any

from scorer.errors import PisteError
from scorer.export import to_csv
from scorer.record import Record, result_row
from scorer.service.play import Play
from scorer.service.problems import DamagedGame, Refused, StoreError, sentence
from scorer.service.store import Store


def games_list(store: Store) -> list[dict[str, Any]]:
    """The games kept, newest first."""
    return [
        {
            "id": row.id,
            "ruleset": row.ruleset,
            "players": list(row.players),
            "started_at": row.started_at,
            "ended_at": None if row.result is None else row.result.ended_at,
            "winners": [] if row.result is None else list(row.result.winners),
            "losers": [] if row.result is None else list(row.result.losers),
        }
        for row in store.games()
    ]


def record_of(play: Play) -> Record:
    """The game as a record: the events that stand, with what is known of each; the result when it is over."""
    over = play.state.over
    return Record(
        ruleset=play.row.ruleset,
        players=play.row.players,
        entries=play.entries,
        options=play.row.options,
        rules=play.row.rules,
        id=play.row.id,
        started_at=play.row.started_at,
        has_result=over,
        result=result_row(play.state) if over else None,
    )


def record_download(store: Store, game: str) -> tuple[str, str]:
    """File name and content of a game's record. Raises Refused, StoreError."""
    play = kept_play(store, game)
    return _file_name(play, "json"), record_of(play).to_json()


def csv_download(store: Store, game: str) -> tuple[str, str]:
    """File name and content of a game's CSV, one row a throw. Raises Refused, StoreError."""
    play = kept_play(store, game)
    return _file_name(play, "csv"), to_csv(record_of(play))


def kept_play(store: Store, game: str) -> Play:
    """A game that is kept, after all of its log. Raises Refused, StoreError."""
    try:
        row = store.game(game)
        if row is None:
            raise Refused(404, "not_found", f"There is no game {game} here.")
        return Play.replay(row, store.log(game))
    except (Refused, StoreError):
        raise
    except DamagedGame as error:
        raise StoreError(sentence(error)) from error
    except PisteError as error:
        raise StoreError(f"The log of game {game} does not hold ({error}).") from error


def _file_name(play: Play, suffix: str) -> str:
    """`421-rulebook-2026-03-01-2015-g3f9.json`: nothing in it that any system minds."""
    when = re.sub(r"[^0-9]", "", play.row.started_at)[:12]
    stamp = f"{when[:4]}-{when[4:6]}-{when[6:8]}-{when[8:12]}"
    return re.sub(r"[^A-Za-z0-9.-]", "-", f"421-{play.row.ruleset}-{stamp}-{play.row.id[:5]}.{suffix}")
