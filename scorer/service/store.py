"""Games and their events in a database, through SQLAlchemy Core. `scorer.service.schema` tells its tables.

Every write is one transaction and is on the disk when the method returns (SQLite: write-ahead log,
synchronous = FULL). There is one writer, the table, which holds its own lock; the lock here serves readers of
the games kept. Every method raises `StoreError` when the database refuses; nothing is written then. What one
game has in it that cannot be read is `DamagedGame`, and hides no other.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from scorer.service import schema
from scorer.service.folder import FolderLock
from scorer.service.forms import bring_up, form_of, keep_copy
from scorer.service.intact import Intact
from scorer.service.problems import DamagedGame, StoreError
from scorer.service.rows import (
    Command,
    GameRow,
    HouseRow,
    LogRow,
    Result,
    entry_of,
    game_of,
    games_of,
    lying_of,
    read_json,
)

__all__ = ["Command", "GameRow", "HouseRow", "LogRow", "Result", "Store", "sqlite_store"]

log = logging.getLogger("piste")

MOST_STARTS = 4_000_000
"""Views are numbered from a thousand million times the start on, which must stay a number that a page can read."""


class Store:
    """An open database. `sqlite_store(folder)` opens the usual one; any SQLAlchemy URL will do.

    With the `lock` of its folder nothing is written once another service could have taken the folder.
    """

    def __init__(self, url: str | sa.URL, lock: FolderLock | None = None) -> None:
        self.place = sa.make_url(url).database or str(url)
        self._folder_lock = lock
        self._intact: Intact | None = None
        self._lock = threading.RLock()
        self._engine = sa.create_engine(url, json_deserializer=read_json)
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", _set_up_sqlite)
            sa.event.listen(self._engine, "begin", _begin_sqlite)
        try:
            self._bring_up()
            if self._engine.dialect.name == "sqlite" and Path(self.place).is_file():
                self._intact = Intact(Path(self.place))
        except BaseException:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._engine.dispose()
            if self._intact is not None:
                self._intact.close()
                self._intact = None

    def count_start(self) -> int:
        """Count this start of the service, and say which it is: 1 for the first."""
        with self._writing() as db:
            kept = db.execute(
                sa.select(schema.meta.c.value).where(schema.meta.c.name == "starts")
            ).scalar_one_or_none()
            # Without a count that can be read it begins anew: nothing but the numbers of views hangs on it.
            starts = kept + 1 if isinstance(kept, int) and 0 <= kept < MOST_STARTS else 1
            db.execute(sa.delete(schema.meta).where(schema.meta.c.name == "starts"))
            db.execute(sa.insert(schema.meta).values(name="starts", value=starts))
            return starts

    def add_game(
        self,
        game: GameRow,
        command: Command | None = None,
        *,
        instead_of: tuple[str, LogRow, Result] | None = None,
    ) -> None:
        """A new game; `instead_of` is the last entry of the game that makes room for it, written with it."""
        with self._writing() as db:
            if instead_of is not None:
                self._append(db, *instead_of, None)
            db.execute(
                sa.insert(schema.games).values(
                    id=game.id,
                    ruleset=game.ruleset,
                    options=game.options,
                    players=list(game.players),
                    started_at=game.started_at,
                    rules=game.rules,
                    **_command(command),
                )
            )

    def append(
        self, game: str, row: LogRow, result: Result | None = None, command: Command | None = None
    ) -> None:
        """One more entry in the log of `game`, and what it makes of the game's result."""
        with self._writing() as db:
            self._append(db, game, row, result, command)

    def request_of(self, key: str) -> str | None:
        """The digest of the command that was applied with `key`, or None."""
        with self._transaction("read") as db:
            for table in (schema.events, schema.games):
                found = db.execute(sa.select(table.c.request).where(table.c.key == key)).scalar_one_or_none()
                if found is not None:
                    return str(found)
        return None

    def newest_game(self) -> GameRow | None:
        """The game that was started last; where its row is damaged, only its id, and `log` says why."""
        with self._transaction("read") as db:
            row = (
                db.execute(sa.select(schema.games).order_by(schema.games.c.number.desc()).limit(1))
                .mappings()
                .first()
            )
            if row is None:
                return None
            try:
                return game_of(row)
            except DamagedGame:
                return GameRow(str(row["id"]), "", {}, (), "")

    def games(self, limit: int = 500) -> list[GameRow]:
        """The games kept, newest first, but for those whose row is damaged."""
        with self._transaction("read") as db:
            rows = db.execute(
                sa.select(schema.games).order_by(schema.games.c.number.desc()).limit(limit)
            ).mappings()
            return games_of(rows)

    def game(self, game: str) -> GameRow | None:
        """The game of that id, or None. Raises DamagedGame."""
        with self._transaction("read") as db:
            row = (
                db.execute(sa.select(schema.games).where(schema.games.c.id == game)).mappings().one_or_none()
            )
            return None if row is None else game_of(row)

    def log(self, game: str) -> list[LogRow]:
        """A game's log from its first entry on. Raises DamagedGame, also where the game's own row is."""
        with self._transaction("read") as db:
            self.game(game)
            rows = db.execute(
                sa.select(schema.events).where(schema.events.c.game == game).order_by(schema.events.c.seq)
            ).mappings()
            lay = lying_of(game, db.execute(sa.select(schema.lying).where(schema.lying.c.game == game)))
            return [entry_of(game, place, row, lay.get(place)) for place, row in enumerate(rows, start=1)]

    def rulesets(self) -> list[HouseRow]:
        """The rulesets that screens have added, in that order."""
        with self._transaction("read") as db:
            rows = db.execute(sa.select(schema.rulesets).order_by(schema.rulesets.c.number)).mappings()
            return [HouseRow(str(row["id"]), str(row["text"]), str(row["at"])) for row in rows]

    def keep_ruleset(self, row: HouseRow) -> None:
        """Keep a ruleset, in place of one of the same id."""
        with self._writing() as db:
            values = {"text": row.text, "at": row.at}
            done = db.execute(sa.update(schema.rulesets).where(schema.rulesets.c.id == row.id).values(values))
            if not done.rowcount:
                db.execute(sa.insert(schema.rulesets).values(id=row.id, **values))

    def forget_ruleset(self, id: str) -> None:
        """Forget a ruleset; the games played by it keep theirs."""
        with self._writing() as db:
            db.execute(sa.delete(schema.rulesets).where(schema.rulesets.c.id == id))

    @staticmethod
    def _append(
        db: sa.Connection, game: str, row: LogRow, result: Result | None, command: Command | None
    ) -> None:
        db.execute(
            sa.insert(schema.events).values(
                game=game,
                seq=row.seq,
                kind=row.kind,
                payload=row.payload,
                at=row.at,
                roll=row.roll,
                **_command(command),
            )
        )
        if row.lying is not None:
            dice = [list(lay) for lay in row.lying]
            db.execute(sa.insert(schema.lying).values(game=game, seq=row.seq, dice=dice))
        ended_at = None if result is None else result.ended_at
        names = None if result is None else {"winners": result.winners, "losers": result.losers}
        db.execute(
            sa.update(schema.games).where(schema.games.c.id == game).values(ended_at=ended_at, result=names)
        )

    def _bring_up(self) -> None:
        """See that the tables are there, in the present form; refuse a database that is damaged or newer."""
        sqlite = self._engine.dialect.name == "sqlite"
        with self._transaction("open") as db:
            if sqlite:
                faults = [str(row[0]) for row in db.execute(sa.text("PRAGMA quick_check(3)"))]
                if faults != ["ok"]:
                    raise StoreError(_damaged(self.place, "; ".join(faults)))
            form = form_of(db, self.place)
        if form is not None and form < schema.FORM and sqlite and Path(self.place).is_file():
            log.warning(
                "The games are brought into a new form; as they were: %s", keep_copy(Path(self.place), form)
            )
        with self._transaction("open") as db:
            bring_up(db, form)

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """A transaction that writes, into the files of the folder and no others."""
        with self._lock:
            self._check_files()
            with self._transaction("write") as db:
                yield db
                self._check_files()
            if self._intact is not None:
                # What is written is written; a disk that fails only now is told of at the next write.
                with suppress(StoreError):
                    self._intact.written()

    def _check_files(self) -> None:
        # The database first: where the whole folder is gone, to start again would not bring the games back.
        if self._intact is not None:
            self._intact.check()
        if self._folder_lock is not None:
            self._folder_lock.check()

    @contextmanager
    def _transaction(self, what: str) -> Iterator[sa.Connection]:
        with self._lock:
            try:
                with self._engine.begin() as db:
                    yield db
            except (sa.exc.DBAPIError, sqlite3.Error) as error:
                cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
                raise StoreError(_explain(self.place, str(cause), what)) from error


def sqlite_store(folder: Path, lock: FolderLock | None = None) -> Store:
    """The store of a data folder: `FOLDER/piste.db`."""
    return Store(sa.URL.create("sqlite", database=str(folder / "piste.db")), lock)


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # Python's driver would begin a transaction only before the first change of a row, so that tables would be
    # made one by one, outside it. We begin ourselves.
    connection.isolation_level = None
    # Text that is none is damage of one row, not of all that are read with it.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "fullfsync=ON",
        "foreign_keys=ON",
        "busy_timeout=3000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(db: sa.Connection) -> None:
    db.exec_driver_sql("BEGIN")


def _command(command: Command | None) -> dict[str, str | None]:
    if command is None:
        return {"key": None, "request": None}
    return {"key": command.key, "request": command.request}


def _damaged(place: str, detail: str) -> str:
    return (
        f"The games in {place} cannot be read, the file is damaged ({detail}): "
        "put back a copy of it, or move it away to begin with an empty one."
    )


def _explain(place: str, detail: str, what: str) -> str:
    """The database's own words -> what is wrong and what to do."""
    low = detail.lower()
    if "full" in low:
        return f"The disk with {place} is full, nothing was recorded: free some space and try again."
    if "readonly" in low or "read-only" in low or "unable to open" in low:
        return (
            f"{place} cannot be written ({detail}): give Piste the right to write it, "
            "or name another folder with --data."
        )
    if "malformed" in low or "not a database" in low:
        return _damaged(place, detail)
    if "locked" in low:
        return f"Another program holds {place}, nothing was recorded: close that program and try again."
    return f"The games in {place} refuse to {what} ({detail}): nothing was recorded."
