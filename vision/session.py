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
        try:
            self._session = _started(data, threads)
        except Exception as error:  # ONNX Runtime raises many kinds, none of them public
            raise ModelError(f"{name} is not a network that can be run: {error}") from None
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(outputs) != 1 or len(inputs[0].shape) != 4:
            raise ModelError(f"{name} has not the one picture input and one output that are expected of it.")
        self._input = inputs[0].name
        if not self._exact(data, threads):
            self._session = _started(data, threads, exact=True)

    def _exact(self, data: bytes, threads: int) -> bool:
        """Whether this CPU gives what the network says.

        The fast way to multiply 8-bit numbers overflows on x86 CPUs without instructions made for them, and nothing
        tells; the exact way is slower, on the others without need. Busy pictures answered both ways show which it is.
        """
        random = np.random.default_rng(421)
        busy = random.integers(0, 2, (4, 3, 16, 16)).repeat(4, 2).repeat(4, 3) * 255.0
        busy = np.asarray(np.clip(busy + random.normal(0, 40, busy.shape), 0, 255), np.float32)
        try:
            answer = self.run(busy)
            slow = _started(data, threads, exact=True).run(None, {self._input: busy})[0]
        except Exception:  # another kind of network than ours; running it will say so
            return True
        return bool(np.allclose(answer, slow, atol=1e-3))

    def run(self, pictures: Floats) -> Floats:
        """Runs the network on (n, 3, h, w) float32 RGB, 0 to 255, and returns its output."""
        return cast(Floats, self._session.run(None, {self._input: pictures})[0])


def _started(data: bytes, threads: int, *, exact: bool = False) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Within a run threads wait by spinning, which is faster; they must not burn a core while nothing is read.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    if exact:
        options.add_session_config_entry("session.x64quantprecision", "1")
    return ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def to_input(image: NDArray[np.uint8]) -> Floats:
    """(h, w, 3) or (n, h, w, 3) uint8 BGR to (n, 3, h, w) float32 RGB."""
    batch = image[None] if image.ndim == 3 else image
    return np.ascontiguousarray(batch[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32)
