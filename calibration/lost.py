"""Where the table of a reference is in a picture that does not show it in its place: after a camera was knocked."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.geometry import Matrix
from calibration.marks import Map

KEYPOINTS = 400
RATIO = 0.8  # a match must be this much nearer than the second best
TOLERANCE = 3.0  # small pixels
LEAST = 14  # matches that must tell the same
LEAST_SHARE = 0.35  # of all clear matches
LARGEST_ZOOM = 1.6
CONTRAST = 220.0  # grey levels for a difference of 1 in the logarithm


class Finder:
    """Keypoints of a reference look (see `calibration.marks.small`), to be found anywhere in another one."""

    def __init__(self, reference: Map) -> None:
        self._orb = cv2.ORB.create(nfeatures=KEYPOINTS, edgeThreshold=12, patchSize=25, fastThreshold=8)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._points, self._signs = self._describe(reference)

    def _describe(self, look: Map) -> tuple[np.ndarray, np.ndarray | None]:
        grey = np.clip(128 + CONTRAST * look, 0, 255).astype(np.uint8)
        keypoints, signs = self._orb.detectAndCompute(grey, None)
        points = np.array([each.pt for each in keypoints], dtype=np.float64).reshape(-1, 2)
        return points, None if signs is None else np.asarray(signs, dtype=np.uint8)

    def find(self, look: Map) -> Matrix | None:
        """The map (shift, turn, zoom) from pixels of the reference look to those of this one; None: not seen."""
        points, signs = self._describe(look)
        if self._signs is None or signs is None or min(len(self._points), len(points)) < LEAST:
            return None
        clear = [
            (best.queryIdx, best.trainIdx)
            for best, *others in self._matcher.knnMatch(self._signs, signs, k=2)
            if others and best.distance < RATIO * others[0].distance
        ]
        if len(clear) < LEAST:
            return None
        here, there = (np.array(each) for each in zip(*clear, strict=True))
        affine, held = cv2.estimateAffinePartial2D(
            self._points[here], points[there], method=cv2.RANSAC, ransacReprojThreshold=TOLERANCE
        )
        count = 0 if held is None else int(np.count_nonzero(held))
        if affine is None or count < max(LEAST, LEAST_SHARE * len(clear)):
            return None
        zoom = float(np.hypot(affine[0, 0], affine[1, 0]))
        if not 1 / LARGEST_ZOOM < zoom < LARGEST_ZOOM:
            return None
        return np.vstack([np.asarray(affine, dtype=np.float64), (0, 0, 1)])
