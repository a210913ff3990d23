"""Frames that wait for a model."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Mailbox(Generic[Item]):
    """Keeps the newest item of each key, in the order in which the keys came. A slow reader thus skips items, and does not fall behind."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, Item] = {}
        self._changed = threading.Condition()
        self._closed = False
        self.skipped = 0

    def put(self, key: Hashable, item: Item) -> None:
        """Never waits."""
        with self._changed:
            if key in self._waiting:
                self.skipped += 1
            self._waiting[key] = item
            self._changed.notify()

    def take(self, most: int, timeout: float) -> list[Item]:
        """Waits for items, at most this many seconds; empty after that, and when it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed, timeout)
            if self._closed:
                return []
            return [self._waiting.pop(key) for key in list(self._waiting)[:most]]

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
