#!/usr/bin/env python3
"""A detector worker that finds people. `python3 worker.py --help` lists its options."""

import math
import sys
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))  # where the package is not installed

from detector_worker import Box, Refuse, Worker

cv2.setNumThreads(1)  # the workers of this machine share its processors
worker = Worker(models=["people*"])


@worker.load
def load(file, _info):
    """A model is a detector for HOG features, as OpenCV saves it: `make_model.py` makes two."""
    try:
        hog = cv2.HOGDescriptor(str(file))
    except cv2.error:
        hog = None
    if hog is None or not hog.checkDetectorSize():
        raise Refuse("needs a HOG descriptor with its detector, in OpenCV's XML")
    return hog


@worker.detect(fps=4, batch=1, overlap=0.4)
def detect(frames, hog, _context):
    return [people(frame, hog) for frame in frames]


def people(frame, hog):
    places, weights = hog.detectMultiScale(frame, winStride=(8, 8), scale=1.1)
    return [Box(*place, "Person", 1 / (1 + math.exp(-2 * weight))) for place, weight in zip(places, weights) if weight > 0.3]


if __name__ == "__main__":
    worker.run()
