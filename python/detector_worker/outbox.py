"""The queue from the camera threads to the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Outbox(Generic[Item]):
    """Passes items to `take` in the loop, in order. If `limit` items are pending, it drops new ones and counts them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, take: Callable[[Item], None], limit: int = 1_000) -> None:
        self._loop = loop
        self._take = take
        self._limit = limit
        self._lock = threading.Lock()
        self._waiting = 0
        self._dropped = 0

    def offer(self, item: Item) -> bool:
        """Callable from any thread; never waits. Returns whether the item was accepted."""
        with self._lock:
            if self._waiting >= self._limit:
                self._dropped += 1
                return False
            self._waiting += 1
        try:
            self._loop.call_soon_threadsafe(self._deliver, item)
        except RuntimeError:  # the loop is closed: the worker is about to end
            return False
        return True

    @property
    def dropped(self) -> int:
        return self._dropped

    def _deliver(self, item: Item) -> None:
        with self._lock:
            self._waiting -= 1
        self._take(item)
