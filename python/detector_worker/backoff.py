"""How long to wait before trying again."""

from __future__ import annotations

import random
from collections.abc import Callable


class Backoff:
    """Random waits below a bound that doubles with each failure, so that cameras are not dialled all at once."""

    def __init__(self, first: float, most: float, draw: Callable[[float, float], float] = random.uniform) -> None:
        """`first` and `most` are seconds."""
        self._first = first
        self._most = most
        self._draw = draw
        self._bound = first

    def next(self) -> float:
        """Seconds to wait before the next attempt."""
        bound = self._bound
        self._bound = min(self._most, bound * 2)
        return self._draw(bound / 2, bound)

    def reset(self) -> None:
        """Call it after a success: the next failure counts as the first."""
        self._bound = self._first
