"""Training goes on from the shipped files. Needs the `train` dependency group; skipped without it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from models import FOLDER
from vision.pictures import load_picture
from vision.session import Session, to_input

torch = pytest.importorskip("torch", reason="needs the train group (uv sync --group train)")
pytest.importorskip("onnx", reason="needs the train group (uv sync --group train)")


@pytest.mark.parametrize("name", ["detector", "reader"])
def test_the_network_answers_as_the_shipped_file_it_starts_from(name: str) -> None:
    """Nearly: the shipped file counts in 8 bits, the network that learns on does not."""
    from models.training.nets import Detector, Reader
    from models.training.shipped import start_from

    picture = load_picture(FOLDER.parent / "sample_images" / "white-bordeaux.jpg")[:320, :320]
    tiles = [picture[y : y + 64, x : x + 64] for y in (0, 128, 256) for x in (0, 128, 256)]
    net = {"detector": Detector, "reader": Reader}[name]()
    start_from(net, FOLDER / f"{name}.onnx")
    net.eval()
    pictures = to_input(picture if name == "detector" else np.stack(tiles))
    with torch.no_grad():
        ours = net(torch.from_numpy(pictures)).numpy()
    theirs = Session(f"{name}.onnx").run(pictures)
    assert np.abs(ours - theirs).mean() < 0.03 * theirs.std()
    assert np.corrcoef(ours.ravel(), theirs.ravel())[0, 1] > 0.999


@pytest.mark.parametrize("name", ["detector", "reader"])
def test_learning_goes_on_from_what_the_shipped_file_can_do(name: str) -> None:
    """While it learns, a network normalises by what it sees: its answers must stay about those of the file."""
    from models.training.nets import Detector, Reader
    from models.training.shipped import settle, start_from

    names = ("white-bordeaux", "black-oak", "mixed-check", "yellow-black")
    pictures = [load_picture(FOLDER.parent / "sample_images" / f"{each}.jpg") for each in names]
    if name == "detector":
        batch = np.stack([picture[150:470, 200:520] for picture in pictures])
    else:
        batch = np.stack(
            [
                p[y : y + 64, x : x + 64]
                for p in pictures
                for y, x in itertools.product((150, 250, 350), (250, 350, 450))
            ]
        )
    net = {"detector": Detector, "reader": Reader}[name]()
    start_from(net, FOLDER / f"{name}.onnx")
    pixels = torch.from_numpy(to_input(batch))
    with torch.no_grad():
        before = net.eval()(pixels)
        unsettled = net.train()(pixels)
        start_from(net, FOLDER / f"{name}.onnx")
        settle(net, [pixels[::2], pixels[1::2]])
        resting = net.eval()(pixels)
        learning = net.train()(pixels)
    assert (resting - before).abs().max() < 1e-3 * before.abs().max()
    assert (learning - before).abs().mean() < 0.05 * before.std()
    assert (unsettled - before).abs().mean() > 0.2 * before.std()  # or there would be nothing to settle


def test_a_file_of_another_network_is_refused() -> None:
    from models.training.nets import Reader
    from models.training.shipped import start_from

    with pytest.raises(SystemExit, match="is not an export of this network"):
        start_from(Reader(), FOLDER / "detector.onnx")
