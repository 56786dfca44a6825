"""The networks count exactly on every CPU: where the fast way to multiply overflows, the exact one is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest

from models import FOLDER
from vision import session
from vision.session import Floats, Session

PICTURES = np.random.default_rng(1).uniform(0, 255, (2, 3, 64, 64)).astype(np.float32)


class Overflowing:
    """A runtime whose fast way gives other answers, as on a CPU without instructions for 8-bit networks."""

    def __init__(self, real: ort.InferenceSession, exact: bool) -> None:
        self.real, self.exact = real, exact

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def run(self, names: list[str] | None, given: dict[str, Floats]) -> list[Floats]:
        (answer,) = self.real.run(names, given)
        return [answer if self.exact else answer * np.float32(0.7)]


@pytest.mark.parametrize("name", ["detector.onnx", "reader.onnx"])
def test_where_the_fast_way_overflows_the_exact_one_is_taken(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Session(name, threads=1).run(PICTURES)
    started = session._started

    def overflowing(data: bytes, threads: int, *, exact: bool = False) -> Any:
        return Overflowing(started(data, threads, exact=exact), exact)

    monkeypatch.setattr(session, "_started", overflowing)
    assert np.allclose(Session(name, threads=1).run(PICTURES), right, atol=1e-3)


def test_where_both_ways_agree_the_fast_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    started = session._started
    real: dict[bool, ort.InferenceSession] = {}

    def noted(data: bytes, threads: int, *, exact: bool = False) -> ort.InferenceSession:
        asked.append(exact)
        # Both answer as the exact one does, whatever this CPU is.
        real[exact] = started(data, threads, exact=True)
        return real[exact]

    monkeypatch.setattr(session, "_started", noted)
    made = Session("reader.onnx", threads=1)
    assert asked == [False, True]
    assert made._session is real[False]


def test_the_exact_way_is_known_to_the_runtime() -> None:
    """The option is one of the runtime's; with it the answers are those of the network itself."""
    data = Path(FOLDER / "reader.onnx").read_bytes()
    exact = session._started(data, 1, exact=True)
    plain = Session("reader.onnx", threads=1).run(PICTURES)
    assert np.allclose(exact.run(None, {exact.get_inputs()[0].name: PICTURES})[0], plain, atol=1e-3)
