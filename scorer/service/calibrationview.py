"""A calibration under way as screens see it: the JSON of `docs/api.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from calibration.profile import Profile
from vision.roll import Reading

if TYPE_CHECKING:
    from calibration.light import Finding
    from calibration.tray import Found
    from calibration.verify import Trial
    from scorer.service.calibrating import Calibration


def profile_view(profile: Profile) -> dict[str, Any]:
    """A profile: what of it can be drawn into the picture, and what can be told."""
    return {
        "name": profile.name,
        "size": None if profile.size is None else list(profile.size),
        "shape": profile.shape,
        "outline": outline_view(profile.tray),
        "kept": outline_view(profile.kept),
        "die_px": None if profile.die_px is None else round(profile.die_px, 1),
        "dice": profile.dice,
        "sheet": profile.ground is not None,
        "lens": profile.lens is not None,
    }


def outline_view(outline: Any) -> list[list[float]] | None:
    """An outline as a list of points, pixels of the picture."""
    return None if outline is None else np.round(outline, 1).tolist()


def reading_view(reading: Reading) -> dict[str, Any]:
    """What was read, with boxes in pixels of the picture."""
    return {
        "dice": [
            {
                "value": die.value,
                "confidence": round(die.confidence, 4),
                "box": [round(edge, 1) for edge in die.box],
                "reasons": list(die.reasons),
            }
            for die in reading.dice
        ],
        "sure": reading.sure,
        "reasons": list(reading.reasons),
    }


def calibration_view(now: Calibration, running: bool, heard_s: float) -> dict[str, Any]:
    """The calibration as far as it has come; `heard_s` ago its screen was last heard of, in seconds."""
    profile = now.profile
    learned = profile if now.trial is None else now.trial.learned(profile)
    return {
        "id": now.id,
        "heard_s": round(heard_s, 1),
        "size": [now.image.shape[1], now.image.shape[0]],
        "found": None if now.found is None else _found_view(now.found),
        "told": now.told,
        "tray": {
            "outline": outline_view(profile.tray),
            "shape": profile.shape,
            "kept": outline_view(profile.kept),
        },
        "light": None if now.light is None else [_finding_view(finding) for finding in now.light],
        "throws": None if now.trial is None else _trial_view(now.trial, running and not now.trial.done),
        "die_px": None if learned.die_px is None else round(learned.die_px, 1),
        "sheet": None if now.sheets is None else now.sheets.view(),
    }


def _found_view(found: Found) -> dict[str, Any]:
    return {
        "outline": outline_view(found.outline),
        "shape": found.shape,
        "sure": found.sure,
        "code": found.code,
        "message": found.reason,
        "others": [{"outline": outline_view(outline), "shape": shape} for outline, shape in found.others],
    }


def _finding_view(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "message": finding.message,
        "value": round(finding.value, 1),
        "grave": finding.grave,
        "box": None if finding.where is None else [round(edge, 1) for edge in finding.where],
    }


def _trial_view(trial: Trial, running: bool) -> dict[str, Any]:
    """The throws that are tried; `running`: rolls are still taken. What went wrong is told at the end."""
    report = trial.report()
    over = bool(trial.readings) and not running
    # A set that passed with a doubtful throw among the others needs no advice about that one.
    problems = [each for each in report.problems if over and not (report.passed and each.code == "unsure")]
    return {
        "wanted": trial.wanted,
        "dice": trial.dice,
        "running": running,
        "rolls": [reading_view(cast(Reading, reading)) for reading in trial.readings],
        "passed": report.passed,
        "advice": [{"code": problem.code, "message": problem.message} for problem in problems],
    }
