"""Finds motion in a stream of frames. To detect something else, write another class with the method `look`."""

from __future__ import annotations

from .protocol import Box, Crop
from .video import Frame, cv2

HISTORY = 200  # frames that the background is learned from
LEARNING = 10  # frames at the beginning in which everything would count as moving
QUIET = 1.0  # seconds without motion after which it has ended
ALL_AT_ONCE = 0.7  # of the picture: that is the light, or the camera itself
MOST_BOXES = 50


class MotionWatch:
    """Watches one region of one camera. Starts again if the size of the frames changes."""

    def __init__(self, min_area: int, crop: Crop | None = None) -> None:
        """`min_area` is in pixels. Without a crop, it watches the whole frame."""
        self._min_area = min_area
        self._crop = crop
        self._size: tuple[int, ...] = ()
        self._frames = 0
        self._last_motion: float | None = None

    def look(self, frame: Frame, now: float) -> list[Box] | None:
        """
        What moves in the next frame, the largest first. An empty list says that motion has ended, once; None that
        there is nothing to say. `now` is in seconds of any clock that does not jump.
        """
        boxes = self._moving(frame)
        if boxes:
            self._last_motion = now
            return boxes
        if self._last_motion is None or now - self._last_motion < QUIET:
            return None
        self._last_motion = None
        return []

    def _moving(self, frame: Frame) -> list[Box]:
        left, top, region = self._region(frame)
        if region.size == 0:  # the crop is outside of the frame
            return []
        if region.shape != self._size:
            self._size = region.shape
            self._frames = 0
            self._background = cv2.createBackgroundSubtractorMOG2(history=HISTORY, varThreshold=25, detectShadows=False)
        self._frames += 1
        mask = self._background.apply(cv2.GaussianBlur(region, (5, 5), 0))
        if self._frames <= LEARNING or cv2.countNonZero(mask) > ALL_AT_ONCE * mask.size:
            return []
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SMALL)  # noise is thin
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _LARGE)  # one thing is often seen in parts
        contours = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
        boxes = []
        for contour in contours:
            area = int(cv2.contourArea(contour))
            if area < self._min_area:
                continue
            x, y, width, height = cv2.boundingRect(contour)
            boxes.append(Box(left + x, top + y, width, height, area))
        return sorted(boxes, key=lambda box: box.area, reverse=True)[:MOST_BOXES]

    def _region(self, frame: Frame) -> tuple[int, int, Frame]:
        if self._crop is None:
            return 0, 0, frame
        c = self._crop
        return c.x1, c.y1, frame[c.y1 : c.y2, c.x1 : c.x2]


_SMALL = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
_LARGE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))
