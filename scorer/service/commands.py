"""The commands of the API: what each may carry, and the table's method that does it.

They run in worker threads and take the table's lock there, so that two tablets confirming at the same instant are
served one after the other.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from fastapi import FastAPI
from fastapi.responses import Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue
from pydantic_core import PydanticCustomError

from scorer.objections import MOST_ADJUSTED
from scorer.service.answers import json_answer
from scorer.service.revise import Wanted
from scorer.service.store import Command
from scorer.service.table import PenaltyReason, Table

Name = Annotated[str, Field(min_length=1, max_length=60)]
Face = Annotated[int, Field(ge=1, le=6)]


class Body(BaseModel):
    """What all commands may carry."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: Annotated[str, Field(min_length=1, max_length=64)] | None = None


class StartBody(Body):
    """Start a game; `game` is the one that the sender saw running, and that alone is replaced."""

    players: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=50)]
    ruleset: Name = "rulebook"
    options: dict[str, JsonValue] = {}
    replace: bool = False
    game: Name | None = None


class GameBody(Body):
    """A command for the game that is being played, as the sender saw it."""

    seq: Annotated[int, Field(ge=0)]
    game: Name | None = None


class PlayerBody(GameBody):
    """A command that concerns one player."""

    player: Name


class ThrowBody(PlayerBody):
    """A throw as read, corrected or entered by hand."""

    dice: Annotated[list[Face], Field(min_length=1, max_length=3)]
    kept: Annotated[list[Face], Field(max_length=2)] = []
    roll: Name | None = None


class PenaltyBody(PlayerBody):
    """A penalty, where the ruleset has them."""

    reason: PenaltyReason


def _some(chips: int) -> int:
    if not chips:
        raise PydanticCustomError("no_chips", "should not be 0")
    return chips


class AdjustBody(PlayerBody):
    """Chips picked up on the score pad, negative for got rid of."""

    chips: Annotated[int, Field(ge=-MOST_ADJUSTED, le=MOST_ADJUSTED), AfterValidator(_some)]


class DismissBody(GameBody):
    """The roll on offer is not a throw."""

    roll: Name


class PreviewBody(BaseModel):
    """A correction that is only looked at."""

    model_config = ConfigDict(extra="forbid", strict=True)

    seq: Annotated[int, Field(ge=0)]
    game: Name | None = None
    kind: Literal["change", "insert", "delete"]
    number: Annotated[int, Field(ge=1)]
    event: dict[str, JsonValue] | None = None

    @property
    def wanted(self) -> Wanted:
        """The correction."""
        return Wanted(self.kind, self.number, self.event)


class CorrectBody(PreviewBody, GameBody):
    """A correction that is made."""

    truncate: bool = False


class RulesetBody(Body):
    """A ruleset of the table's own; what its file may be called is not asked here, to be told as its other faults."""

    file: str
    text: str


class RemoveBody(Body):
    """A ruleset that is not to be on offer any more."""

    id: str


def add_commands(app: FastAPI, table: Table) -> None:
    """Add all of them to the application."""
    _add_playing(app, table)
    _add_log(app, table)
    _add_rulesets(app, table)


def _add_playing(app: FastAPI, table: Table) -> None:
    @app.post("/api/games")
    def start(body: StartBody) -> Response:
        return json_answer(
            table.start(
                body.players, body.ruleset, body.options,
                replace=body.replace, game=body.game, command=command_of("games", body),
            )
        )  # fmt: skip

    @app.post("/api/throw")
    def throw(body: ThrowBody) -> Response:
        return json_answer(table.throw(body.player, body.dice, body.kept, body.roll, **_stamp("throw", body)))

    @app.post("/api/stand")
    def stand(body: PlayerBody) -> Response:
        return json_answer(table.stand(body.player, **_stamp("stand", body)))

    @app.post("/api/penalty")
    def penalty(body: PenaltyBody) -> Response:
        return json_answer(table.penalty(body.player, body.reason, **_stamp("penalty", body)))

    @app.post("/api/leave")
    def leave(body: PlayerBody) -> Response:
        return json_answer(table.leave(body.player, **_stamp("leave", body)))

    @app.post("/api/adjust")
    def adjust(body: AdjustBody) -> Response:
        return json_answer(table.adjust(body.player, body.chips, **_stamp("adjust", body)))

    @app.post("/api/abandon")
    def abandon(body: GameBody) -> Response:
        return json_answer(table.abandon(**_stamp("abandon", body)))

    @app.post("/api/dismiss")
    def dismiss(body: DismissBody) -> Response:
        return json_answer(table.dismiss(body.roll, **_stamp("dismiss", body)))


def _add_log(app: FastAPI, table: Table) -> None:
    @app.post("/api/undo")
    def undo(body: GameBody) -> Response:
        return json_answer(table.undo(**_stamp("undo", body)))

    @app.post("/api/redo")
    def redo(body: GameBody) -> Response:
        return json_answer(table.redo(**_stamp("redo", body)))

    @app.post("/api/correct")
    def correct(body: CorrectBody) -> Response:
        return json_answer(table.correct(body.wanted, truncate=body.truncate, **_stamp("correct", body)))

    @app.post("/api/correct/preview")
    def preview(body: PreviewBody) -> Response:
        return json_answer(table.preview(body.wanted, seq=body.seq, game=body.game))


def _add_rulesets(app: FastAPI, table: Table) -> None:
    @app.post("/api/rulesets")
    def add(body: RulesetBody) -> Response:
        return json_answer(table.add_ruleset(body.file, body.text, command=command_of("rulesets", body)))

    @app.post("/api/rulesets/remove")
    def remove(body: RemoveBody) -> Response:
        return json_answer(table.remove_ruleset(body.id, command=command_of("rulesets/remove", body)))


def _stamp(name: str, body: GameBody) -> dict[str, Any]:
    """What says for which moment of which game a command is, and that it is done once."""
    return {"seq": body.seq, "game": body.game, "command": command_of(name, body)}


def command_of(name: str, body: Body) -> Command | None:
    """A command by its key, so that it is done once; None without a key."""
    if body.key is None:
        return None
    text = json.dumps(body.model_dump(exclude={"key"}), sort_keys=True)
    return Command(body.key, hashlib.sha256(f"{name} {text}".encode()).hexdigest())
