"""What can go wrong on the way from light to roll.

    VisionError
    ├── SourceError    a camera, file, folder or address that gives no frames
    ├── PictureError   a picture that cannot be read
    └── ModelError     a network that is missing, damaged or of another kind than expected

Every message names what is wrong, where, and what to do about it. Nothing here knows of games.
"""

from __future__ import annotations


class VisionError(Exception):
    """Base of all faults of the camera side."""


class SourceError(VisionError):
    """A source of frames cannot be opened, or gives no more frames though it should."""


class PictureError(VisionError):
    """A picture cannot be read: not a picture, damaged, or beyond the limits."""


class ModelError(VisionError):
    """A network file is missing, damaged, or not the one that belongs to this version."""
