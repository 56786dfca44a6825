"""Runs the watcher over a drawn film, and keeps all it tells."""

from __future__ import annotations

from dataclasses import dataclass, field

from calibration.profile import WHOLE_PICTURE, Profile
from tests.vision.drawn import Film
from vision.events import Event, Flagged, RollSeen, StateChange
from vision.roll import Roll
from vision.watcher import RollWatcher


@dataclass
class Watched:
    """All that was told, in its order."""

    events: list[Event] = field(default_factory=list)

    @property
    def rolls(self) -> list[Roll]:
        return [event.roll for event in self.events if isinstance(event, RollSeen)]

    @property
    def values(self) -> list[tuple[int, ...]]:
        return [roll.reading.roll for roll in self.rolls]

    @property
    def states(self) -> list[str]:
        return [event.state for event in self.events if isinstance(event, StateChange)]

    @property
    def flags(self) -> list[str]:
        return [event.kind for event in self.events if isinstance(event, Flagged)]

    @property
    def told_at(self) -> list[float]:
        return [event.time for event in self.events if isinstance(event, RollSeen)]

    def state_at(self, time: float) -> str:
        told = [event.state for event in self.events if isinstance(event, StateChange) and event.time <= time]
        return told[-1]


def watched(
    film: Film,
    fps: float = 30.0,
    profile: Profile = WHOLE_PICTURE,
    gap: tuple[float, float] | None = None,
) -> Watched:
    """What is told of a film; no frames come during the `gap`, and the watcher is told so."""
    watcher = RollWatcher(film.read, profile=profile)
    out = Watched()
    silent = False
    for frame in film.frames(fps):
        if gap is not None and gap[0] <= frame.time < gap[1]:
            if not silent:
                out.events += watcher.stale(frame.time)
            silent = True
            continue
        out.events += watcher.feed(frame)
    return out
