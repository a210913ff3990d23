#!/usr/bin/env python3
"""A detector worker that detects motion in camera streams. `python3 worker.py --help` lists its options."""

import os
import sys
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # where the package is not installed

from detector_worker import Box, Worker

MIN_AREA = int(os.environ.get("MIN_AREA", "400"))  # pixels of the smallest thing that counts
LEARNING = 10  # frames at the beginning in which everything would count as moving
ALL_AT_ONCE = 0.7  # of the picture: that is the light, or the camera itself
SMALL, LARGE = (cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)) for side in (3, 15))

worker = Worker()


@worker.detect(fps=5, batch=4)
def detect(frames, _model, context):
    return [moving(frame, stream.memory) for frame, stream in zip(frames, context.streams)]


def moving(frame, memory):
    """What differs from the background that was learned from earlier frames of this stream, the largest first."""
    if "background" not in memory:
        memory.update(background=cv2.createBackgroundSubtractorMOG2(200, 25, detectShadows=False), frames=0)
    memory["frames"] += 1
    mask = memory["background"].apply(cv2.GaussianBlur(frame, (5, 5), 0))
    if memory["frames"] <= LEARNING or cv2.countNonZero(mask) > ALL_AT_ONCE * mask.size:
        return []
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, SMALL)  # noise is thin
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, LARGE)  # one thing is often seen in parts
    contours = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
    boxes = [Box(*cv2.boundingRect(c), label="Motion") for c in contours if cv2.contourArea(c) >= MIN_AREA]
    return sorted(boxes, key=lambda box: box.width * box.height, reverse=True)


if __name__ == "__main__":
    worker.run()
