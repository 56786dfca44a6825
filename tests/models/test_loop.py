"""Training goes on from the shipped files. Needs the `train` dependency group; skipped without it."""

from __future__ import annotations

import numpy as np
import pytest

from models import FOLDER
from vision.session import Session

torch = pytest.importorskip("torch", reason="needs the train group (uv sync --group train)")
pytest.importorskip("onnx", reason="needs the train group (uv sync --group train)")


@pytest.mark.parametrize(("name", "shape"), [("detector", (2, 3, 96, 128)), ("reader", (3, 3, 64, 64))])
def test_the_network_answers_as_the_shipped_file_it_starts_from(name: str, shape: tuple[int, ...]) -> None:
    from models.training.nets import Detector, Reader
    from models.training.shipped import start_from

    net = {"detector": Detector, "reader": Reader}[name]()
    start_from(net, FOLDER / f"{name}.onnx")
    net.eval()
    pictures = np.random.default_rng(1).uniform(0, 255, shape).astype(np.float32)
    with torch.no_grad():
        ours = net(torch.from_numpy(pictures)).numpy()
    assert np.allclose(ours, Session(f"{name}.onnx").run(pictures), atol=1e-3)


def test_a_file_of_another_network_is_refused() -> None:
    from models.training.nets import Reader
    from models.training.shipped import start_from

    with pytest.raises(SystemExit, match="is not an export of this network"):
        start_from(Reader(), FOLDER / "detector.onnx")
