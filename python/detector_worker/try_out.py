"""A model on a video, without a cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .boxes import clip, suppress
from .contract import Box, Context, Frame, ModelInfo, Plan, Stream, read_results
from .video import cv2


def try_out(plan: Plan, video: str, model: str | None, frames: int, save: str | None) -> None:
    """Takes as many frames per second of the video as a camera would give. Errors of the author's code are not caught."""
    if plan.load is not None and model is None:
        raise ValueError('load needs a file: worker.try_out("video.mkv", model="model.onnx")')
    os.environ.pop("OPENCV_FFMPEG_CAPTURE_OPTIONS", None)  # they keep cameras from naming files
    capture = cv2.VideoCapture(video, cv2.CAP_FFMPEG)
    if not capture.isOpened():
        raise ValueError(f"{video} is no video that OpenCV can read")
    info = ModelInfo(0, Path(model).stem if model else "try-out", None)
    loaded = plan.load(Path(model), info) if plan.load is not None and model is not None else None
    step = max(1, round((capture.get(cv2.CAP_PROP_FPS) or plan.fps) / plan.fps))
    memory: dict[str, Any] = {}
    writer: Any = None
    seen = spent = 0.0
    number = analysed = 0
    try:
        while analysed < frames and capture.grab():
            number += 1
            if (number - 1) % step:
                continue
            frame = capture.retrieve()[1]
            begun = time.monotonic()
            stream = Stream("try-out", video, datetime.now(timezone.utc), memory)
            (found,) = read_results(plan.detect([frame], loaded, Context(info, [stream])), 1)
            spent += time.monotonic() - begun
            boxes = suppress(clip(found, frame.shape[1], frame.shape[0]), plan.overlap)
            analysed += 1
            seen += len(boxes)
            print(f"frame {number}: {', '.join(map(_shown, boxes)) or 'nothing'}")
            if save is not None:
                writer = writer or _writer(save, frame, plan.fps)
                writer.write(_drawn(frame, boxes))
    finally:
        capture.release()
        if writer is not None:
            writer.release()
    cost = f", {1_000 * spent / analysed:.0f} ms and {seen / analysed:.1f} boxes per frame" if analysed else ""
    print(f"{analysed} frames{cost}")


def _shown(box: Box) -> str:
    confidence = "" if box.confidence is None else f" {100 * box.confidence:.0f} %"
    return f"{box.label or 'something'}{confidence} at {box.x:g}, {box.y:g}, {box.width:g} × {box.height:g}"


def _writer(file: str, frame: Frame, fps: float) -> Any:
    return cv2.VideoWriter(file, cv2.VideoWriter_fourcc(*"MJPG"), fps, (frame.shape[1], frame.shape[0]))


def _drawn(frame: Frame, boxes: Sequence[Box]) -> Frame:
    drawn = frame.copy()
    for box in boxes:
        corner = (int(box.x), int(box.y))
        cv2.rectangle(drawn, corner, (int(box.x + box.width), int(box.y + box.height)), (0, 255, 255), 2)
        cv2.putText(drawn, _shown(box).partition(" at ")[0], corner, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255))
    return drawn
