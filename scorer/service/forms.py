"""The form in which a database keeps the games: recognised, made anew, brought up from an older one.

    form 1   events and undos; rulesets that come with the program
    form 2   redos and corrections in the log; a game's own rules; rulesets added by a screen

Each method is given a transaction, so that a database is in one form or in the other and never between them.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import sqlalchemy as sa

from scorer.service import schema
from scorer.service.problems import StoreError


def form_of(db: sa.Connection, place: str) -> int | None:
    """The form of the tables there, None where there are none. Raises StoreError for one that nobody knows."""
    if not sa.inspect(db).has_table("meta"):
        return None
    meta = {row.name: row.value for row in db.execute(sa.select(schema.meta))}
    if not meta:  # an earlier start was cut off
        return None
    form = meta.get("schema")
    if type(form) is not int or not 1 <= form <= schema.FORM:
        raise StoreError(
            f"The games in {place} are kept in form {form}, this Piste knows form 1 to {schema.FORM}: "
            "use the Piste that wrote them, or another folder with --data."
        )
    return form


def bring_up(db: sa.Connection, form: int | None) -> None:
    """Make the tables of the present form, where they are of `form` so far."""
    # Of form 1 there are databases without the newest of its tables, too.
    schema.tables.create_all(db)
    if form is None:
        rows = [{"name": "schema", "value": schema.FORM}, {"name": "starts", "value": 0}]
        db.execute(sa.insert(schema.meta), rows)
    if not any(column["name"] == "rules" for column in sa.inspect(db).get_columns("games")):
        _to_form_2(db)


def _to_form_2(db: sa.Connection) -> None:
    # What kinds of entries there may be is written into the table: it is made anew.
    db.execute(sa.text("ALTER TABLE events RENAME TO events_1"))
    schema.events.create(db)
    columns = "id, game, seq, kind, payload, at, roll, key, request"
    db.execute(
        sa.text(
            f"INSERT INTO events ({columns}) SELECT {columns} FROM events_1 "  # noqa: S608 - our own names
            "WHERE game IN (SELECT id FROM games) ORDER BY id"  # entries of no game are damage that nobody sees
        )
    )
    db.execute(sa.text("DROP TABLE events_1"))
    db.execute(sa.text("ALTER TABLE games ADD COLUMN rules JSON"))
    db.execute(sa.update(schema.meta).where(schema.meta.c.name == "schema").values(value=schema.FORM))


def keep_copy(database: Path, form: int) -> Path:
    """Copy a database of an older form beside itself, before it is brought up. Raises StoreError.

    A copy from before is replaced: the database has only been added to since.
    """
    copy = database.with_name(f"{database.name}.form{form}")
    part = copy.with_name(copy.name + ".part")
    try:
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
        part.replace(copy)
        _sync(copy.parent)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise StoreError(
            f"The games in {database} are of an older form, and no copy of them can be made beside it ({error}); "
            "nothing was changed: free some space or see to the folder's rights, then try again."
        ) from error
    return copy


def _sync(folder: Path) -> None:
    """See that a new name in the folder is on the disk; where the system has no means for it, it sees itself."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
