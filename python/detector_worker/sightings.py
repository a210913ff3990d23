"""What is worth a message: frames with boxes, and once that nothing is seen any more."""

from __future__ import annotations

from collections.abc import Collection

QUIET = 1.0  # seconds without a box after which nothing is seen any more: models miss single frames


class Sightings:
    """By the identifier of a subscription. `now` is in seconds of a clock that does not jump."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}

    def begins(self, identifier: str) -> bool:
        """Whether a frame with boxes would be the first one."""
        return identifier not in self._last

    def worth_telling(self, identifier: str, boxes: Collection[object], now: float) -> bool:
        """Whether this result becomes a detection."""
        if boxes:
            self._last[identifier] = now
            return True
        last = self._last.get(identifier)
        if last is None or now - last < QUIET:
            return False
        del self._last[identifier]
        return True

    def forget(self, identifier: str) -> None:
        """The subscription has ended."""
        self._last.pop(identifier, None)
