"""What the author of a worker writes, and what the package gives to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

MAX_LABEL = 64
MAX_BOXES = 50  # the frame of a detection may have at most 64 KiB
MAX_REASON = 200

Frame = Any  # numpy.ndarray of height × width × 3 bytes: blue, green, red


class Refuse(Exception):
    """Raise it in `load` if this worker cannot use the file. Operators see its text."""


@dataclass(frozen=True)
class Box:
    """
    Where something is, in pixels of the frame that `detect` got. `confidence` is from 0 to 1. Numbers of numpy are fine;
    the package rounds places to whole pixels.
    """

    x: float
    y: float
    width: float
    height: float
    label: str | None = None
    confidence: float | None = None


@dataclass(frozen=True)
class ModelInfo:
    """Which model `load` gets the file of. Without a version, the master does not know it."""

    id: int
    name: str
    version: str | None


@dataclass(frozen=True)
class Stream:
    """The stream that a frame belongs to."""

    display: str
    camera: str
    at: datetime
    """When the camera showed the frame."""
    memory: dict[str, Any] = field(compare=False, repr=False)
    """Yours: kept from frame to frame of this stream, empty again after the camera has reconnected or the process has restarted."""


@dataclass(frozen=True)
class Context:
    """`streams` has one entry for each frame of the batch."""

    info: ModelInfo
    streams: Sequence[Stream]


Load = Callable[[Path, ModelInfo], Any]
Detect = Callable[[Sequence[Frame], Any, Context], Sequence[Sequence[Box]]]


@dataclass(frozen=True)
class Plan:
    """The author's functions, and how to call them."""

    detect: Detect
    load: Load | None = None
    fps: float = 5.0
    batch: int = 1
    overlap: float | None = 0.5
    models: tuple[str, ...] = ("*",)


class WrongShape(Exception):
    """`detect` returned something else than a list of boxes for each frame."""


def read_results(results: Any, frames: int) -> list[list[Box]]:
    """
    Checks what `detect` returned, and converts numbers of numpy to those of Python.
    @raises WrongShape which names what is wrong
    """
    if not isinstance(results, (list, tuple)):
        raise WrongShape(f"detect must return a list with one list of boxes for each frame, not {_kind(results)}")
    if len(results) != frames:
        raise WrongShape(f"detect returned {len(results)} results for {frames} frames")
    return [_boxes(result) for result in results]


def _boxes(result: Any) -> list[Box]:
    if not isinstance(result, (list, tuple)):
        raise WrongShape(f"the result for a frame must be a list of boxes, not {_kind(result)}")
    return [_box(box) for box in result]


def _box(box: Any) -> Box:
    if not isinstance(box, Box):
        raise WrongShape(f"a result must be a Box, not {_kind(box)}")
    if box.label is not None and not isinstance(box.label, str):
        raise WrongShape(f"label of a Box must be a string, not {_kind(box.label)}")
    x, y, width, height = (_number(name, getattr(box, name)) for name in ("x", "y", "width", "height"))
    confidence = None if box.confidence is None else _number("confidence", box.confidence)
    if width < 0 or height < 0:
        raise WrongShape(f"width and height of a Box must be at least 0, not {width:g} and {height:g}")
    if confidence is not None and not 0 <= confidence <= 1:
        raise WrongShape(f"confidence of a Box must be from 0 to 1, not {confidence:g}")
    label = None if box.label is None else box.label[:MAX_LABEL]
    return Box(x, y, width, height, label, confidence)


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise WrongShape(f"{name} of a Box must be a number, not {_kind(value)}") from None
    if isinstance(value, str) or not math.isfinite(number) or abs(number) > 1e9:
        raise WrongShape(f"{name} of a Box must be a finite number")
    return number


def _kind(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def one_line(text: str) -> str:
    """A reason that a report may carry: at most 200 characters, without control characters."""
    shown = "".join(c if c.isprintable() else " " for c in text[: 4 * MAX_REASON])
    shown = " ".join(shown.split())
    return shown if len(shown) <= MAX_REASON else shown[: MAX_REASON - 1] + "…"
