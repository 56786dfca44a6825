"""What a roll watcher told about a clip, against its truth: which rolls were missed, told twice, or told wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.clips import Clip, TrueRoll
from vision.events import Flagged, RollSeen, StateChange
from vision.roll import Roll

EARLY_S = 0.1
"""A roll may be told so much before the truth says that all lies still: what rocks by less than a pixel does."""
NEAR = 0.7
"""Of a die's edge: so near the middle of a die that was read is to the true one."""


@dataclass(frozen=True, slots=True)
class Told:
    """A roll as it was told with the frame of `time`, seconds."""

    time: float
    roll: Roll


@dataclass
class Verdict:
    """What became of a clip. Each fault is a sentence beginning with its time; `delays` are seconds from the first
    frame in which all lay still to the one with which the roll was told."""

    clip: str
    kind: str
    clean: bool
    expected: int = 0
    missed: list[str] = field(default_factory=list)
    double: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    hard: list[str] = field(default_factory=list)
    flags_expected: int = 0
    delays: list[float] = field(default_factory=list)
    reads: int = 0
    frames: int = 0

    @property
    def failures(self) -> list[str]:
        """What must not be."""
        always = [f"silent: {each}" for each in self.silent]
        if not self.clean:
            return always
        faults = {"missed": self.missed, "double": self.double, "wrong": self.wrong}
        return always + [f"{name}: {each}" for name, found in faults.items() for each in found]

    @property
    def notes(self) -> list[str]:
        """Everything that is not as it should be, also what may be."""
        named = {"missed": self.missed, "double": self.double, "wrong": self.wrong, "silent": self.silent,
                 "kept": self.kept, "flag": self.flags, "unsure": self.unsure, "hard": self.hard}  # fmt: skip
        return [f"{name}: {each}" for name, found in named.items() for each in found]


def judge(
    clip: Clip,
    told: Sequence[tuple[float, RollSeen | Flagged | StateChange]],
    unreadable: Mapping[TrueRoll, tuple[int, ...]] | None = None,
) -> Verdict:
    """Judge what was told, (time of the frame, event), in its order. `unreadable` rolls are those that the reader gets
    wrong in a still picture, with what it reads: what is wrong with them is not the watcher's fault, does not count
    and is named as hard; but told as sure it is silent, whoever's fault that is."""
    verdict = Verdict(clip.name, clip.kind, clip.clean, expected=len(clip.truth.rolls))
    unreadable = unreadable or {}
    verdict.hard = [
        f"{true.rest:.2f} s: {_values(true.values)} is read as {_values(read)}"
        for true, read in unreadable.items()
    ]
    rolls = [Told(time, event.roll) for time, event in told if isinstance(event, RollSeen)]
    waiting: list[list[Told]] = [[] for _ in clip.truth.rolls]
    for each in rolls:
        begun = [i for i, true in enumerate(clip.truth.rolls) if true.rest - EARLY_S <= each.time]
        if begun:
            waiting[begun[-1]].append(each)
        else:
            verdict.double.append(f"{each.time:.2f} s: {_said(each.roll)} before anything was thrown")
            if each.roll.reading.sure:
                verdict.silent.append(verdict.double[-1])
    for true, found in zip(clip.truth.rolls, waiting, strict=True):
        _judge_roll(verdict, clip, true, found, true in unreadable)
    _judge_flags(verdict, clip, [(time, event) for time, event in told if isinstance(event, Flagged)])
    return verdict


def _values(values: Sequence[int]) -> str:
    return " ".join(map(str, values)) or "nothing"


def _said(roll: Roll) -> str:
    doubt = "sure" if roll.reading.sure else f"unsure ({'; '.join(roll.reading.reasons)})"
    return f"{_values(roll.reading.roll)} {doubt}"


def _judge_roll(verdict: Verdict, clip: Clip, true: TrueRoll, found: list[Told], hard: bool) -> None:
    place = f"{true.rest:.2f} s: {_values(true.values)}"
    if not found:
        if not true.optional and not hard:
            verdict.missed.append(f"{place} was never told")
        return
    first, *more = found
    for each in more:
        verdict.double.append(f"{each.time:.2f} s: {_said(each.roll)} once more, after {place}")
        if each.roll.reading.sure and each.roll.reading.roll != true.values:
            verdict.silent.append(verdict.double[-1])
    reading = first.roll.reading
    verdict.delays.append(first.time - true.rest)
    said = f"{place} told at {first.time:.2f} s as {_said(first.roll)}"
    # Nobody can say what a cocked die shows, so any value of it will do as long as the table is asked.
    cocked = any(die.lies == "cocked" for die in true.dice)
    right = reading.roll == true.values or cocked
    if reading.sure and (not right or not true.sure):
        verdict.silent.append(said)
    if hard:
        return
    if not right:
        verdict.wrong.append(said)
    if right and true.sure and not reading.sure:
        verdict.unsure.append(said)
    if right:
        _judge_kept(verdict, clip, true, first, said)


def _judge_kept(verdict: Verdict, clip: Clip, true: TrueRoll, told: Told, said: str) -> None:
    kept = told.roll.kept
    if len(kept) != len(told.roll.reading.dice):
        return  # nothing was said about it
    for die, is_kept in zip(told.roll.reading.dice, kept, strict=True):
        near = [each for each in true.dice if math.dist(each.at, die.center) < NEAR * clip.truth.die_px]
        if near and near[0].lies in ("thrown", "kept") and is_kept != (near[0].lies == "kept"):
            verdict.kept.append(f"{said}: the {die.value} is {near[0].lies}")


def _judge_flags(verdict: Verdict, clip: Clip, told: list[tuple[float, Flagged]]) -> None:
    verdict.flags_expected = len(clip.truth.flags)
    for flag in clip.truth.flags:
        if not any(
            flag.kind == event.kind and flag.since - 0.2 <= time <= flag.until for time, event in told
        ):
            verdict.flags.append(f"{flag.since:.2f} s: {flag.kind} was not flagged")
    for time, event in told:
        if any(flag.kind == event.kind and flag.since - 0.2 <= time for flag in clip.truth.flags):
            continue
        whole = any(
            true.rest <= time <= true.until and len(true.dice) == clip.truth.count
            for true in clip.truth.rolls
        )
        if event.kind != "missing" or whole:  # dice that someone has taken are missing, in truth
            verdict.flags.append(f"{time:.2f} s: flagged {event.kind}: {event.message}")
