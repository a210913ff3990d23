"""Messages between the worker and the process of a model: a header of JSON, and the frames as they are in memory."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

MAX_HEADER = 4 * 1_048_576
MAX_FRAME = 512 * 1_048_576
_LENGTH = struct.Struct("!I")


class Channel:
    """One end of a pair of sockets. Each call raises `TimeoutError` after `timeout` seconds and `ConnectionError` at the end."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def send(self, header: dict[str, Any], frames: Sequence[Any] = (), timeout: float | None = None) -> None:
        """`frames` are contiguous arrays of bytes, height × width × 3."""
        encoded = json.dumps({**header, "shapes": [frame.shape for frame in frames]}).encode()
        self._socket.settimeout(timeout)
        self._socket.sendall(_LENGTH.pack(len(encoded)) + encoded)
        for frame in frames:
            self._socket.sendall(memoryview(frame).cast("B"))

    def receive(self, timeout: float | None = None) -> tuple[dict[str, Any], list[tuple[tuple[int, ...], bytearray]]]:
        """The header, and shape and bytes of each frame."""
        self._socket.settimeout(timeout)
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        if length > MAX_HEADER:
            raise ConnectionError(f"a header of {length} bytes")
        header = json.loads(self._read(length))
        frames: list[tuple[tuple[int, ...], bytearray]] = []
        for height, width, depth in header.pop("shapes"):
            size = height * width * depth
            if size > MAX_FRAME:
                raise ConnectionError(f"a frame of {size} bytes")
            frames.append(((height, width, depth), self._read(size)))
        return header, frames

    def readable(self, timeout: float) -> bool:
        """Whether an answer, or the end, comes within this many seconds."""
        self._socket.settimeout(timeout)
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        self._socket.close()

    def _read(self, size: int) -> bytearray:
        content = bytearray(size)
        view = memoryview(content)
        while view:
            count = self._socket.recv_into(view)
            if count == 0:
                raise ConnectionError("the other end has closed")
            view = view[count:]
        return content
