"""The pictures of the latest detections."""

from __future__ import annotations

import secrets
from collections import deque

MAX_BYTES = 32 * 1_048_576


class Pictures:
    """Keeps at most `max_bytes` of pictures; the oldest are dropped first."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._run = secrets.token_hex(8)  # ids of an earlier run of this worker must not name pictures of this one
        self._count = 0
        self._size = 0
        self._order: deque[str] = deque()
        self._pictures: dict[str, tuple[str, bytes]] = {}

    def keep(self, identifier: str, jpeg: bytes) -> str:
        """Stores a picture and returns its id for a detection of this subscription."""
        self._count += 1
        picture = f"{self._run}.{self._count}"
        self._pictures[picture] = (identifier, jpeg)
        self._order.append(picture)
        self._size += len(jpeg)
        while self._size > self._max_bytes:
            _, dropped = self._pictures.pop(self._order.popleft())
            self._size -= len(dropped)
        return picture

    def find(self, identifier: str, picture: str) -> bytes | None:
        """None if the picture has been dropped, or belongs to another subscription."""
        owner, jpeg = self._pictures.get(picture, ("", b""))
        return jpeg if owner == identifier else None
