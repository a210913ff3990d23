"""Frames of a camera, by OpenCV and FFmpeg."""
from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from .contract import Frame

# OpenCV reads these when it is loaded. FFmpeg must be quiet, because it would print addresses with their passwords.
# It may fetch a camera's address, but no file of this machine. TCP, because one lost UDP packet spoils the picture
# for a second.
os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
os.environ.setdefault(
    "OPENCV_FFMPEG_CAPTURE_OPTIONS",
    "rtsp_transport;tcp|protocol_whitelist;rtsp,rtp,rtcp,udp,tcp,tls,http,https,httpproxy,crypto",
)

try:
    import cv2
except ImportError as missing:
    raise SystemExit(
        "OpenCV is needed to read cameras: apt-get install python3-opencv, or pip install 'detector-worker[opencv]'"
    ) from missing

__all__ = ["SCHEMES", "Capture", "cv2", "is_stream_address", "to_jpeg"]

SCHEMES = frozenset({"rtsp", "rtsps", "http", "https"})
OPEN_TIMEOUT = 10_000
READ_TIMEOUT = 5_000

# Each camera has its own thread; OpenCV's threads would only compete with them.
cv2.setNumThreads(1)
cv2.setLogLevel(0)  # the author's script may have loaded OpenCV before this module


def is_stream_address(url: str) -> bool:
    """Whether a camera may have this address. FFmpeg accepts more kinds, including local files."""
    try:
        parts = urlsplit(url)
        return parts.scheme in SCHEMES and bool(parts.hostname)
    except ValueError:
        return False


class Capture:
    """One open connection to a camera. Not thread-safe."""

    def __init__(self, capture: Any) -> None:
        self._capture = capture

    @classmethod
    def open(cls, url: str) -> Capture | None:
        """Blocks for up to `OPEN_TIMEOUT` ms; returns None if no picture arrives."""
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT]
        capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
        if capture.isOpened():
            return cls(capture)
        capture.release()
        return None

    def advance(self) -> bool:
        """Waits for the next frame, up to `READ_TIMEOUT` ms. Returns false if the stream has ended."""
        return bool(self._capture.grab())

    def frame(self) -> Frame | None:
        """The current frame, after `advance`."""
        taken, frame = self._capture.retrieve()
        return frame if taken else None

    def close(self) -> None:
        self._capture.release()


def to_jpeg(frame: Frame) -> bytes:
    """A still picture for people."""
    return bytes(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])
