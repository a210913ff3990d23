"""A worker that finds white squares, and needs no file."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2

from detector_worker import Box, Worker

worker = Worker()


@worker.detect(fps=100, batch=4)
def detect(frames, _model, _context):
    return [squares(frame) for frame in frames]


def squares(frame):
    mask = cv2.inRange(frame, (200, 200, 200), (255, 255, 255))
    contours = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
    return [Box(*cv2.boundingRect(c), label="Square", confidence=0.9) for c in contours if cv2.contourArea(c) > 100]


if __name__ == "__main__":
    worker.run()
