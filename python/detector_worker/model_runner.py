"""One version of a model: its file, its process, and the frames that go through it."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .backoff import Backoff
from .camera import Look
from .child import Child, Ended, Raised, Refused
from .contract import Box, ModelInfo, Plan
from .download import DownloadFailed, DownloadLimits, Source, download
from .mailbox import Mailbox
from .protocol import ModelState

log = logging.getLogger(__name__)

FIRST_WAIT = 0.5  # seconds before a new process, doubled each time
MAX_WAIT = 10.0
MAX_ENDS = 3  # within `PERIOD` seconds: then the model has failed
PERIOD = 60.0
MAX_RAISED = 5  # batches in a row without a result: then the model has failed
_IDLE = 1.0  # seconds between looks at the memory of a process without frames

Results = Callable[[Look, Sequence[Box]], object]


@dataclass(frozen=True)
class RunnerSettings:
    """Times in seconds, memory in bytes. `command` starts the author's script again."""

    command: Sequence[str]
    limits: DownloadLimits = DownloadLimits()
    load_timeout: float = 300.0
    detect_timeout: float = 10.0
    max_memory: int = 4 * 1024**3


class ModelRunner:
    """
    A thread that downloads the file, starts the process, and passes frames to it until `stop`. `changed` and `results` are
    called in this thread.
    """

    def __init__(
        self,
        info: ModelInfo,
        plan: Plan,
        settings: RunnerSettings,
        source: Source,
        file: Path | None,
        changed: Callable[[], object],
        results: Results,
    ) -> None:
        """`file` is where the file is, or will be; None if the author's code needs none."""
        self.info = info
        self._plan = plan
        self._settings = settings
        self._source = source
        self._file = file
        self._changed = changed
        self._results = results
        self._state = ModelState("loading")
        self._waiting: Mailbox[Look] = Mailbox()
        self._child: Child | None = None
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self.analysed = 0
        self.raised = 0
        self.restarts = 0
        self.seconds = 0.0  # spent in `detect`, with the way to the process and back
        label = "" if info.version is None else f", version {info.version}"
        self._label = f"model {info.id} ({info.name}{label})"
        self._thread = threading.Thread(target=self._run, name=self._label, daemon=True)

    @property
    def state(self) -> ModelState:
        return self._state

    @property
    def skipped(self) -> int:
        """Frames that were replaced by a newer one before the process had time for them."""
        return self._waiting.skipped

    def start(self) -> None:
        self._thread.start()

    def offer(self, look: Look) -> None:
        """Callable from any thread; never waits."""
        self._waiting.put(look.subscription.identifier, look)

    def stop(self) -> None:
        """Ends the process, also in the middle of a call. Does not wait."""
        self._stopping.set()
        self._waiting.close()
        with self._lock:
            if self._child is not None:
                self._child.kill()

    def join(self, timeout: float) -> bool:
        """Waits at most this many seconds. Returns whether the thread has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._fetch()
            self._serve()
        except DownloadFailed as failure:
            self._set("failed", f"the file: {failure}")
        except (Refused, Raised) as failure:
            self._set("failed", str(failure))
        except Exception as error:  # no defect may end the worker, nor leave the model "loading"
            log.exception("%s: unexpected failure", self._label)
            self._set("failed", type(error).__name__)

    def _fetch(self) -> None:
        if self._file is None:
            return
        # Without a version, nothing says whether a file of a former run is still the right one.
        if self.info.version is not None and self._file.is_file():
            self._file.touch()  # the files of versions that were used last are kept
            return
        log.info("%s: downloads its file", self._label)
        download(self._source, self._file, self._settings.limits)

    def _serve(self) -> None:
        """@raises Refused, Raised"""
        backoff = Backoff(FIRST_WAIT, MAX_WAIT)
        ends: deque[float] = deque(maxlen=MAX_ENDS)
        while not self._stopping.is_set():
            try:
                self._live()
                return
            except Ended as end:
                if self._stopping.is_set():
                    return
                log.error("%s: %s", self._label, end)
                self.restarts += 1
                ends.append(time.monotonic())
                if len(ends) == MAX_ENDS and ends[-1] - ends[0] < PERIOD:
                    raise Raised(f"{end}, {MAX_ENDS} times within a minute") from None
                if ends[-1] - ends[0] >= PERIOD:
                    backoff.reset()
                self._set("loading")
                self._stopping.wait(backoff.next())

    def _live(self) -> None:
        """One process, until its end. @raises Refused, Raised, Ended"""
        with self._lock:
            if self._stopping.is_set():
                return
            self._child = child = Child(self._settings.command, self._settings.max_memory)
        try:
            child.load(None if self._file is None else str(self._file), self.info, self._settings.load_timeout)
            self._set("ready")
            raised = 0
            while not self._stopping.is_set():
                looks = self._waiting.take(self._plan.batch, _IDLE)
                if not looks:
                    child.check_alive()
                    continue
                try:
                    self._detect(child, looks)
                    raised = 0
                except Raised as failure:
                    self.raised += 1
                    raised += 1
                    if raised == 1:
                        log.error("%s: %s, others in a row are only counted", self._label, failure)
                    if raised == MAX_RAISED:
                        raise
        except Raised:
            if self._state.state == "loading":
                self._forget_file()
            raise
        finally:
            with self._lock:
                self._child = None
            child.close()

    def _detect(self, child: Child, looks: Sequence[Look]) -> None:
        begun = time.monotonic()
        rows = [
            {"identifier": look.subscription.identifier, "run": look.run, "at": look.at.isoformat()} for look in looks
        ]
        found = child.detect(rows, [look.region for look in looks], self._settings.detect_timeout)
        self.seconds += time.monotonic() - begun
        self.analysed += len(looks)
        for look, boxes in zip(looks, found):
            self._results(look, boxes)

    def _forget_file(self) -> None:
        """The author's code stumbled over it: the next attempt downloads it again."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def _set(self, state: Literal["loading", "ready", "failed"], reason: str | None = None) -> None:
        if self._stopping.is_set():
            return
        if reason is not None:
            log.warning("%s has failed: %s", self._label, reason)
        elif state != self._state.state:
            log.info("%s is %s", self._label, state)
        self._state = ModelState(state, reason)
        self._changed()
