"""The two networks: plain 3x3 convolutions, which CPUs run fastest for what they give.

Both take pictures as (n, 3, h, w) float32 RGB in 0 to 255 and scale them inside, so that whoever runs the ONNX file
needs no constants.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.roll import CLASSES


def _conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, padding=dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):
    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = _conv(width, width, dilation=dilation)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class Detector(nn.Module):
    """Where dice are: for every 8x8 pixels a score, the middle's offset and the size.

    Output (n, 4, h/8, w/8): logit that a die's middle lies in this cell; x and y of the middle from the cell's centre
    in cells; natural logarithm of the die's size (side of its square box) over 32 pixels.
    """

    stride = 8

    def __init__(self, widths: tuple[int, int, int] = (48, 64, 96)) -> None:
        super().__init__()
        first, fine, coarse = widths
        # A quarter of the size to begin with: first layers at full size would cost more than all the rest.
        self.stem = nn.Sequential(
            nn.PixelUnshuffle(4), _conv(48, first), _conv(first, fine, 2), _Residual(fine)
        )
        # What lies around is seen at a sixteenth, where it costs a quarter.
        self.around = nn.Sequential(
            _conv(fine, coarse, 2),
            _Residual(coarse),
            _Residual(coarse, 2),
            _Residual(coarse),
            nn.Conv2d(coarse, fine, 1),
            nn.Upsample(scale_factor=2),
        )
        self.joined = _Residual(fine)
        self.head = nn.Conv2d(fine, 4, 1)
        nn.init.zeros_(self.head.weight[1:])
        nn.init.constant_(self.head.bias[0], -4.0)  # type: ignore[index]
        nn.init.zeros_(self.head.bias[1:])  # type: ignore[index]

    def forward(self, x: Tensor) -> Tensor:
        y = self.stem((x - 127.5) / 64.0)
        return self.head(self.joined(y + self.around(y)))


class Reader(nn.Module):
    """What the upper face in the middle of a 64x64 crop shows: logits (n, 8), values 1 to 6, "no readable die",
    "cocked"."""

    def __init__(self, widths: tuple[int, int, int] = (40, 72, 128)) -> None:
        super().__init__()
        a, b, c = widths
        self.body = nn.Sequential(
            nn.PixelUnshuffle(2),
            _conv(12, a),
            _conv(a, b, 2),
            _Residual(b),
            _conv(b, c, 2),
            _Residual(c),
        )
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(c * 2, 96), nn.ReLU(inplace=True), nn.Linear(96, CLASSES)
        )

    def forward(self, x: Tensor) -> Tensor:
        y = self.body((x - 127.5) / 64.0)
        # The middle of the crop is what is asked for; the whole tells what lies around it.
        middle = y[:, :, 2:6, 2:6].mean((2, 3))
        return self.head(torch.cat([y.mean((2, 3)), middle], 1))
