"""A worker that runs an ONNX file with OpenCV: each bright square of the picture is a box."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2

from detector_worker import Box, Refuse, Worker

CELL = 8

worker = Worker()


@worker.load
def load(file, _info):
    try:
        return cv2.dnn.readNetFromONNX(str(file))
    except cv2.error:
        raise Refuse("needs an ONNX file") from None


@worker.detect(fps=20, batch=1)
def detect(frames, net, _context):
    return [boxes(net, frame) for frame in frames]


def boxes(net, frame):
    net.setInput(cv2.dnn.blobFromImage(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), 1 / 255))
    means = net.forward()[0, 0]
    bright = zip(*(means > 0.8).nonzero())
    return [Box(int(x) * CELL, int(y) * CELL, CELL, CELL, "Bright", float(means[y, x])) for y, x in bright]


if __name__ == "__main__":
    worker.run()
