"""The tables that keep the games, in form 2. `scorer.service.forms` makes them, also from those of form 1.

meta     the form of these tables, and how often the service has started
games    one row a game: how it was set up, when it began and ended, with what result
events   the log: one row for each event, undo, redo and correction, only ever added to
lying    how the dice lay when a throw was confirmed: one row an event that the camera has seen
rulesets the table's own rulesets that a screen has added, each as the text of its file
"""

from __future__ import annotations

import sqlalchemy as sa

FORM = 2

tables = sa.MetaData()

meta = sa.Table(
    "meta",
    tables,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Integer, nullable=False),
)

games = sa.Table(
    "games",
    tables,
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
    sa.Column("rules", sa.JSON(none_as_null=True)),
    sqlite_autoincrement=True,
)

events = sa.Table(
    "events",
    tables,
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
    sa.CheckConstraint("kind IN ('event', 'undo', 'redo', 'change', 'insert', 'delete')"),
)

lying = sa.Table(
    "lying",
    tables,
    sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("dice", sa.JSON, nullable=False),
)

rulesets = sa.Table(
    "rulesets",
    tables,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.String(100), nullable=False, unique=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
)
