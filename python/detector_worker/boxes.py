"""From the boxes of a model to those of a detection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .contract import MAX_BOXES, Box

MAX_CANDIDATES = 1_000  # of a frame; a model without a threshold may find more


def clip(boxes: Sequence[Box], width: int, height: int) -> list[Box]:
    """In whole pixels, without what lies outside of a frame of this size."""
    clipped = []
    for box in boxes:
        x1, y1 = max(0, round(box.x)), max(0, round(box.y))
        x2, y2 = min(width, round(box.x + box.width)), min(height, round(box.y + box.height))
        if x2 > x1 and y2 > y1:
            clipped.append(replace(box, x=x1, y=y1, width=x2 - x1, height=y2 - y1))
    return clipped


def suppress(boxes: Sequence[Box], overlap: float | None) -> list[Box]:
    """
    Non-maximum suppression: of two boxes with one label that overlap by more than this share of their union, the one
    with less confidence goes. Without a share, all stay. Returns the most confident first, and at most `MAX_BOXES`.
    """
    ranked = sorted(boxes, key=lambda box: -(box.confidence or 0.0))
    kept: list[Box] = []
    for box in ranked[:MAX_CANDIDATES]:
        if len(kept) == MAX_BOXES:
            break
        if overlap is None or not any(o.label == box.label and _share(o, box) > overlap for o in kept):
            kept.append(box)
    return kept


def _share(one: Box, other: Box) -> float:
    """Intersection over union."""
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    return common / (one.width * one.height + other.width * other.height - common)
