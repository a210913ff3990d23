"""The process of a model, seen from the worker."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from .channel import Channel
from .contract import Box, Frame, ModelInfo, one_line
from .model_process import VARIABLE

_STEP = 0.25  # seconds between looks at the memory while a call lasts
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096


class Refused(Exception):
    """The author's code does not take the file. Another attempt would end in the same way."""


class Raised(Exception):
    """The author's code raised an exception, or returned a wrong shape. Its process can continue."""


class Ended(Exception):
    """The process ended, or had to be ended. A new one may do better."""


class Child:
    """Starts a process for a model. Used by one thread, except for `kill`."""

    def __init__(self, command: Sequence[str], max_memory: int) -> None:
        """`command` starts the author's script again; `max_memory` is in bytes."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, VARIABLE: str(theirs.fileno())},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=2,  # standard output is the worker's
            )
        self._channel = Channel(ours)
        self._max_memory = max_memory

    def load(self, file: str | None, info: ModelInfo, timeout: float) -> None:
        """@raises Refused, Raised, Ended"""
        asked = {"kind": "load", "file": file, "id": info.id, "name": info.name, "version": info.version}
        answer = self._call(asked, [], timeout, "load")
        if answer["kind"] == "refused":
            raise Refused(one_line(answer["reason"]))

    def detect(self, streams: Sequence[dict[str, Any]], frames: Sequence[Frame], timeout: float) -> list[list[Box]]:
        """@raises Raised, Ended"""
        contiguous = [numpy.ascontiguousarray(frame) for frame in frames]
        answer = self._call({"kind": "detect", "streams": list(streams)}, contiguous, timeout, "detect")
        return [[Box(**box) for box in found] for found in answer["boxes"]]

    def _memory(self) -> int:
        """Bytes that the process holds; 0 where the system does not tell."""
        try:
            with open(f"/proc/{self._process.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * _PAGE
        except (OSError, IndexError, ValueError):
            return 0

    def kill(self) -> None:
        """Callable from any thread, and more than once."""
        self._process.kill()

    def close(self) -> None:
        """Ends the process at once: the author's code has nothing to store."""
        self._channel.close()
        self._process.kill()
        self._process.wait()

    def _call(self, message: dict[str, Any], frames: Sequence[Frame], timeout: float, what: str) -> dict[str, Any]:
        try:
            self._channel.send(message, frames, timeout)
            answer = self._wait(timeout, what)
        except TimeoutError:
            raise Ended(f"{what} took longer than {timeout:g} s") from None
        except (OSError, ValueError, KeyError):
            raise Ended(f"its process ended during {what}: {self._status()}") from None
        if answer["kind"] == "raised":
            raise Raised(one_line(answer["reason"]))
        return answer

    def _wait(self, timeout: float, what: str) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        while not self._channel.readable(min(_STEP, timeout)):
            self._check_memory(what)
            if time.monotonic() > deadline:
                raise TimeoutError
        answer, _ = self._channel.receive(timeout)
        self._check_memory(what)
        return answer

    def check_alive(self) -> None:
        """@raises Ended"""
        if self._process.poll() is not None:
            raise Ended(f"its process ended without a frame: {self._status()}")
        self._check_memory("a pause")

    def _check_memory(self, what: str) -> None:
        used = self._memory()
        if used > self._max_memory:
            raise Ended(f"its process held {used >> 20} MiB during {what}, more than {self._max_memory >> 20} MiB")

    def _status(self) -> str:
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "it closed its connection"
        return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
