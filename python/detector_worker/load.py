"""How busy this machine is, from what Linux and NVIDIA's driver tell."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from .protocol import Load

MIN_INTERVAL = 0.5  # seconds: over less time the share of a processor says nothing
_GPU_PAUSE = 2.0
_GPU_COMMAND = ("nvidia-smi", "--query-gpu=utilization.gpu,memory.used,memory.total", "--format=csv,noheader,nounits")


class LoadMeter:
    """CPU usage is the mean of all processors since the last measurement. What cannot be measured is None."""

    def __init__(self, proc: Path = Path("/proc"), clock: Callable[[], float] = time.monotonic) -> None:
        self._proc = proc
        self._clock = clock
        self._since = clock()
        self._busy, self._total = self._processor()
        self._cpu: float | None = None
        self._gpu = GpuMeter()

    def measure(self) -> Load:
        now = self._clock()
        if now - self._since >= MIN_INTERVAL:
            busy, total = self._processor()
            spent = total - self._total
            self._cpu = _percent(busy - self._busy, spent) if spent > 0 else None
            self._since, self._busy, self._total = now, busy, total
        gpu, gpu_memory = self._gpu.last
        return Load(self._cpu, self._memory(), gpu, gpu_memory)

    def _processor(self) -> tuple[int, int]:
        """Ticks that were busy, and all ticks, since the machine started."""
        try:
            ticks = [int(word) for word in (self._proc / "stat").read_text().split("\n", 1)[0].split()[1:9]]
            return sum(ticks) - ticks[3] - ticks[4], sum(ticks)  # without idle and iowait
        except (OSError, ValueError, IndexError):
            return 0, 0

    def _memory(self) -> float | None:
        try:
            rows = (line.split() for line in (self._proc / "meminfo").read_text().splitlines())
            fields = {row[0]: int(row[1]) for row in rows if len(row) >= 2}
            total = fields["MemTotal:"]
            return _percent(total - fields["MemAvailable:"], total)
        except (OSError, ValueError, KeyError, ZeroDivisionError):
            return None


class GpuMeter:
    """Asks `nvidia-smi` in a thread of its own, because that may take a second. Without the program, it says nothing."""

    def __init__(self) -> None:
        self.last: tuple[float | None, float | None] = (None, None)
        if shutil.which(_GPU_COMMAND[0]) is not None:
            threading.Thread(target=self._run, name="load of the GPU", daemon=True).start()

    def _run(self) -> None:
        while True:
            self.last = read_gpu()
            time.sleep(_GPU_PAUSE)


def read_gpu() -> tuple[float | None, float | None]:
    """Use and memory of all GPUs, in percent."""
    try:
        said = subprocess.run(_GPU_COMMAND, capture_output=True, text=True, timeout=10, check=True).stdout
        rows = [[float(word) for word in line.split(",")] for line in said.splitlines() if line.strip()]
        return sum(row[0] for row in rows) / len(rows), _percent(sum(row[1] for row in rows), sum(row[2] for row in rows))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError, ZeroDivisionError):
        return None, None


def _percent(part: float, whole: float) -> float:
    return round(min(100.0, max(0.0, 100 * part / whole)), 1)
