"""How long to wait before trying again."""

from __future__ import annotations

import random
from collections.abc import Callable


class Backoff:
    """Waits drawn at random below a bound that doubles with each failure, so that cameras are not dialled in step."""

    def __init__(self, first: float, most: float, draw: Callable[[float, float], float] = random.uniform) -> None:
        """`first` and `most` are seconds."""
        self._first = first
        self._most = most
        self._draw = draw
        self._bound = first

    def next(self) -> float:
        """Seconds to wait now."""
        bound = self._bound
        self._bound = min(self._most, bound * 2)
        return self._draw(bound / 2, bound)

    def reset(self) -> None:
        """It worked: the next failure is a first one."""
        self._bound = self._first
