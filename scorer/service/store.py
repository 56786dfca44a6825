"""Games and their events in a database, through SQLAlchemy Core.

    meta     the version of these tables, and how often the service has started
    games    one row a game: how it was set up, when it began and ended, with what result
    events   the log: one row for each event and each undo, only ever added to
    lying    how the dice lay when a throw was confirmed: one row an event that the camera has seen

Every write is one transaction and is on the disk when the method returns (SQLite: write-ahead log,
synchronous = FULL). There is one writer, the table, which holds its own lock; the lock here serves readers of
the games kept. Every method raises `StoreError` when the database refuses; nothing is written then. What one
game has in it that cannot be read is `DamagedGame`, and hides no other.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from scorer.service.folder import FolderLock
from scorer.service.intact import Intact
from scorer.service.problems import DamagedGame, StoreError
from scorer.service.rows import (
    Command,
    GameRow,
    LogRow,
    Result,
    entry_of,
    game_of,
    games_of,
    lying_of,
    read_json,
)

__all__ = ["Command", "GameRow", "LogRow", "Result", "Store", "sqlite_store"]

SCHEMA_VERSION = 1

MOST_STARTS = 4_000_000
"""Views are numbered from a thousand million times the start on, which must stay a number that a page can read."""

_tables = sa.MetaData()

_meta = sa.Table(
    "meta",
    _tables,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Integer, nullable=False),
)

_games = sa.Table(
    "games",
    _tables,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.String(40), nullable=False, unique=True),
    sa.Column("ruleset", sa.String(100), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("players", sa.JSON, nullable=False),
    sa.Column("started_at", sa.String(40), nullable=False),
    sa.Column("ended_at", sa.String(40)),
    sa.Column("result", sa.JSON(none_as_null=True)),
    sa.Column("key", sa.String(64), unique=True),
    sa.Column("request", sa.String(64)),
    sqlite_autoincrement=True,
)

_events = sa.Table(
    "events",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("payload", sa.JSON(none_as_null=True)),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("roll", sa.String(40)),
    sa.Column("key", sa.String(64), unique=True),
    sa.Column("request", sa.String(64)),
    sa.UniqueConstraint("game", "seq"),
    sa.CheckConstraint("kind IN ('event', 'undo')"),
)

_lying = sa.Table(
    "lying",
    _tables,
    sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("dice", sa.JSON, nullable=False),
)


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
            with self._transaction("open") as db:
                self._check(db)
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
            kept = db.execute(sa.select(_meta.c.value).where(_meta.c.name == "starts")).scalar_one_or_none()
            # Without a count that can be read it begins anew: nothing but the numbers of views hangs on it.
            starts = kept + 1 if isinstance(kept, int) and 0 <= kept < MOST_STARTS else 1
            db.execute(sa.delete(_meta).where(_meta.c.name == "starts"))
            db.execute(sa.insert(_meta).values(name="starts", value=starts))
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
                sa.insert(_games).values(
                    id=game.id,
                    ruleset=game.ruleset,
                    options=game.options,
                    players=list(game.players),
                    started_at=game.started_at,
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
            for table in (_events, _games):
                found = db.execute(sa.select(table.c.request).where(table.c.key == key)).scalar_one_or_none()
                if found is not None:
                    return str(found)
        return None

    def newest_game(self) -> GameRow | None:
        """The game that was started last; where its row is damaged, only its id, and `log` says why."""
        with self._transaction("read") as db:
            row = db.execute(sa.select(_games).order_by(_games.c.number.desc()).limit(1)).mappings().first()
            if row is None:
                return None
            try:
                return game_of(row)
            except DamagedGame:
                return GameRow(str(row["id"]), "", {}, (), "")

    def games(self, limit: int = 500) -> list[GameRow]:
        """The games kept, newest first, but for those whose row is damaged."""
        with self._transaction("read") as db:
            rows = db.execute(sa.select(_games).order_by(_games.c.number.desc()).limit(limit)).mappings()
            return games_of(rows)

    def game(self, game: str) -> GameRow | None:
        """The game of that id, or None. Raises DamagedGame."""
        with self._transaction("read") as db:
            row = db.execute(sa.select(_games).where(_games.c.id == game)).mappings().one_or_none()
            return None if row is None else game_of(row)

    def log(self, game: str) -> list[LogRow]:
        """A game's log from its first entry on. Raises DamagedGame, also where the game's own row is."""
        with self._transaction("read") as db:
            self.game(game)
            rows = db.execute(
                sa.select(_events).where(_events.c.game == game).order_by(_events.c.seq)
            ).mappings()
            lying = lying_of(game, db.execute(sa.select(_lying).where(_lying.c.game == game)))
            return [entry_of(game, place, row, lying.get(place)) for place, row in enumerate(rows, start=1)]

    @staticmethod
    def _append(
        db: sa.Connection, game: str, row: LogRow, result: Result | None, command: Command | None
    ) -> None:
        db.execute(
            sa.insert(_events).values(
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
            db.execute(sa.insert(_lying).values(game=game, seq=row.seq, dice=dice))
        ended_at = None if result is None else result.ended_at
        names = None if result is None else {"winners": result.winners, "losers": result.losers}
        db.execute(sa.update(_games).where(_games.c.id == game).values(ended_at=ended_at, result=names))

    def _check(self, db: sa.Connection) -> None:
        """Make the tables of a new database; refuse one that is damaged or newer than this program."""
        if db.dialect.name == "sqlite":
            faults = [str(row[0]) for row in db.execute(sa.text("PRAGMA quick_check(3)"))]
            if faults != ["ok"]:
                raise StoreError(_damaged(self.place, "; ".join(faults)))
        kept = sa.inspect(db).has_table("meta")
        meta = {row.name: row.value for row in db.execute(sa.select(_meta))} if kept else {}
        if not meta:
            _tables.create_all(db)
            db.execute(
                sa.insert(_meta),
                [{"name": "schema", "value": SCHEMA_VERSION}, {"name": "starts", "value": 0}],
            )
            return
        version = meta.get("schema")
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"The games in {self.place} are kept in form {version}, this Piste knows form "
                f"{SCHEMA_VERSION}: use the Piste that wrote them, or another folder with --data."
            )
        # A table that was added since; a Piste that does not know it leaves it alone.
        _lying.create(db, checkfirst=True)

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
