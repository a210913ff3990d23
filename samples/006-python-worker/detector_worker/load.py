"""How busy this machine is."""

from __future__ import annotations

import time

import psutil

from .protocol import Load

SHORTEST = 0.5  # seconds: over less time the share of a processor says nothing


class LoadMeter:
    """CPU usage is the mean of all processors since the last measurement."""

    def __init__(self) -> None:
        psutil.cpu_percent(None)  # begins the first interval
        self._since = time.monotonic()
        self._cpu: float | None = None

    def measure(self) -> Load:
        now = time.monotonic()
        if now - self._since >= SHORTEST:
            self._cpu = psutil.cpu_percent(None)
            self._since = now
        return Load(cpu=self._cpu, memory=psutil.virtual_memory().percent)
