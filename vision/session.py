"""Runs one ONNX file: a thin wrapper of ONNX Runtime that checks what goes in and what comes out."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from models import ModelFileError, load_file
from vision.errors import ModelError

Floats = NDArray[np.float32]


class Session:
    """One network with one float32 input and one float32 output.

    `name` is the file's name in the models folder; `folder` None means the shipped one. `threads` 0 lets ONNX Runtime
    choose. Raises ModelError when the file is missing, damaged, or no such network.
    """

    def __init__(self, name: str, folder: Path | None = None, threads: int = 0) -> None:
        self.name = name
        try:
            data = load_file(name, folder)
        except ModelFileError as error:
            raise ModelError(str(error)) from None
        options = ort.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Within a run threads wait by spinning, which is faster; they must not burn a core while nothing is read.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        try:
            self._session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime raises many kinds, none of them public
            raise ModelError(f"{name} is not a network that can be run: {error}") from None
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(outputs) != 1 or len(inputs[0].shape) != 4:
            raise ModelError(f"{name} has not the one picture input and one output that are expected of it.")
        self._input = inputs[0].name

    def run(self, pictures: Floats) -> Floats:
        """Runs the network on (n, 3, h, w) float32 RGB, 0 to 255, and returns its output."""
        return cast(Floats, self._session.run(None, {self._input: pictures})[0])


def to_input(image: NDArray[np.uint8]) -> Floats:
    """(h, w, 3) or (n, h, w, 3) uint8 BGR to (n, 3, h, w) float32 RGB."""
    batch = image[None] if image.ndim == 3 else image
    return np.ascontiguousarray(batch[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32)
