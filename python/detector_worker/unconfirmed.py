"""Keeps detections until a master confirms them."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from typing import Protocol

MAX_BYTES = 2 * 1_048_576
MAX_BUFFERED_BYTES = 16 * 1_048_576


class DetectionReceiver(Protocol):
    """An open connection to a master."""

    @property
    def confirms(self) -> bool:
        """Whether the master confirms detections."""

    @property
    def buffered_bytes(self) -> int:
        """Bytes that the kernel has not accepted yet."""

    written: int
    """Number of the last detection that was written to it; 0 at first."""

    def send(self, frame: str) -> None:
        """Never waits, never fails."""


class Unconfirmed:
    """Numbers detections. Each connection gets first those that are not confirmed. If it is full, it drops the oldest and counts them."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.boot = secrets.token_hex(8)
        self.dropped = 0
        self._max_bytes = max_bytes
        self._kept: deque[tuple[int, str, int]] = deque()  # number, frame, bytes
        self._bytes = 0
        self._last = 0
        self._receiver: DetectionReceiver | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, frame_of: Callable[[str, int], str]) -> None:
        """Keeps the frame that `frame_of` makes for a boot and a number."""
        self._last += 1
        frame = frame_of(self.boot, self._last)
        size = len(frame.encode())
        self._kept.append((self._last, frame, size))
        self._bytes += size
        while self._bytes > self._max_bytes:
            self._forget_oldest()
            self.dropped += 1

    def flush(self, receiver: DetectionReceiver | None) -> None:
        """Writes what this connection has not got yet, as far as its socket has room."""
        if receiver is None:
            return
        self._receiver = receiver
        for number, frame, _ in self._after(receiver.written):
            if receiver.buffered_bytes > MAX_BUFFERED_BYTES:
                return
            receiver.send(frame)
            receiver.written = number
        if not receiver.confirms:  # such a master never says what it has got
            self._forget(receiver.written)

    def confirm(self, receiver: DetectionReceiver, boot: str, up_to: int) -> None:
        if receiver is self._receiver and boot == self.boot:
            self._forget(min(up_to, receiver.written))

    def _after(self, number: int) -> list[tuple[int, str, int]]:
        waiting: list[tuple[int, str, int]] = []
        for kept in reversed(self._kept):
            if kept[0] <= number:
                break
            waiting.append(kept)
        return waiting[::-1]

    def _forget(self, up_to: int) -> None:
        while self._kept and self._kept[0][0] <= up_to:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._bytes -= self._kept.popleft()[2]
