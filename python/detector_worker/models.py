"""The models of this worker: one runner for each version that a subscription needs."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .camera import Look
from .contract import Box, ModelInfo, Plan
from .model_runner import ModelRunner, RunnerSettings
from .protocol import ModelState, Subscription

log = logging.getLogger(__name__)

Key = tuple[int, str | None]
KEPT_FILES = 3  # versions of a model's file, so that the way back needs no download


class Models:
    """
    Used in the thread of the event loop, except for `offer`. While a new version is loading, a former one continues to
    detect.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        settings: RunnerSettings,
        later: Callable[[Callable[[], None]], object],
        results: Callable[[Look, Iterable[Box]], object],
    ) -> None:
        """`later` runs a function in the thread of the event loop; `results` is called in a thread of a runner."""
        self._plan = plan
        self._folder = folder
        self._settings = settings
        self._later = later
        self._results = results
        self._lock = threading.Lock()
        self._runners: dict[Key, ModelRunner] = {}  # in the order in which they were needed
        self._needed: Counter[Key] = Counter()
        self._ending: list[ModelRunner] = []

    def need(self, subscription: Subscription) -> None:
        """Starts what a new subscription needs."""
        key = _key(subscription)
        self._needed[key] += 1
        if key not in self._runners and self._refusal(subscription) is None:
            self._start(key, subscription)

    def release(self, subscription: Subscription) -> None:
        """A subscription has ended: `sweep` may end what it needed."""
        key = _key(subscription)
        self._needed[key] -= 1
        if self._needed[key] == 0:
            del self._needed[key]

    def retry(self, subscription: Subscription) -> None:
        """The master sends a subscription again: its model gets another attempt if it has failed."""
        runner = self._runners.get(_key(subscription))
        if runner is not None and runner.state.state == "failed":
            self._end(_key(subscription))
            self._start(_key(subscription), subscription)  # with its fresh URL

    def offer(self, look: Look) -> None:
        """Callable from any thread. Drops the frame if no version of its model is ready."""
        if look.region.size == 0:  # the crop is outside of the frame
            return
        with self._lock:
            runner = self._ready(look.subscription)
        if runner is not None:
            runner.offer(look)

    def find(self, subscription: Subscription) -> ModelState:
        refusal = self._refusal(subscription)
        if refusal is not None:
            return ModelState("failed", refusal)
        runner = self._runners.get(_key(subscription))
        return ModelState("loading") if runner is None else runner.state

    def runners(self) -> list[ModelRunner]:
        return list(self._runners.values())

    def loaded(self) -> list[Key]:
        return [key for key in self._runners if self._is_ready(key)]

    def stats(self) -> list[dict[str, Any]]:
        return [
            {
                "modelId": runner.info.id,
                "modelName": runner.info.name,
                "modelVersion": runner.info.version,
                "state": runner.state.state,
                "reason": runner.state.reason,
                "analysed": runner.analysed,
                "skipped": runner.skipped,
                "raised": runner.raised,
                "restarts": runner.restarts,
                "msPerFrame": round(1_000 * runner.seconds / runner.analysed, 1) if runner.analysed else None,
            }
            for runner in self._runners.values()
        ]

    def stop(self) -> None:
        self._needed.clear()
        for key in list(self._runners):
            self._end(key)

    def join(self, timeout: float) -> bool:
        """Waits for ended runners, at most this many seconds. Returns whether all have ended."""
        deadline = time.monotonic() + timeout
        return all([runner.join(max(0.0, deadline - time.monotonic())) for runner in self._ending])

    def _refusal(self, subscription: Subscription) -> str | None:
        if any(fnmatchcase(subscription.model_name, pattern) for pattern in self._plan.models):
            return None
        return f"this worker runs only models named {', '.join(self._plan.models)}"

    def _start(self, key: Key, subscription: Subscription) -> None:
        model_id, version = key
        runner = ModelRunner(
            ModelInfo(model_id, subscription.model_name, version),
            self._plan,
            self._settings,
            subscription.source,
            None if self._plan.load is None else self._folder / _name(*key),
            changed=lambda: self._later(lambda: self._changed(key)),
            results=self._results,
        )
        with self._lock:
            self._runners[key] = runner
        runner.start()

    def sweep(self) -> None:
        """Ends runners that no subscription needs, neither now nor until its own version is ready."""
        waiting = {model_id for model_id, version in self._needed if not self._is_ready((model_id, version))}
        for key in list(self._runners):
            stands_in = key[0] in waiting and self._is_ready(key)
            if key not in self._needed and not stands_in:
                self._end(key)

    def _changed(self, key: Key) -> None:
        """The state of a runner has changed."""
        self.sweep()
        if self._is_ready(key):
            self._delete_old_files(key[0])

    def _end(self, key: Key) -> None:
        with self._lock:
            runner = self._runners.pop(key)
        runner.stop()
        self._ending = [other for other in self._ending if not other.join(0)] + [runner]

    def _is_ready(self, key: Key) -> bool:
        runner = self._runners.get(key)
        return runner is not None and runner.state.state == "ready"

    def _ready(self, subscription: Subscription) -> ModelRunner | None:
        """The runner that detects for a subscription: that of its version, or the latest other one of its model."""
        own = self._runners.get(_key(subscription))
        if own is not None and own.state.state == "ready":
            return own
        others = [r for (model_id, _), r in self._runners.items() if model_id == subscription.model_id]
        return next((runner for runner in reversed(others) if runner.state.state == "ready"), None)

    def _delete_old_files(self, model_id: int) -> None:
        used = {_name(*key) for key in self._runners}
        try:
            files = sorted(self._folder.glob(f"{model_id}-*"), key=lambda file: file.stat().st_mtime, reverse=True)
            for file in files[KEPT_FILES:]:
                if file.name not in used and file.suffix != ".part":
                    file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("old files of model %d are not deleted: %s", model_id, type(error).__name__)


def _key(subscription: Subscription) -> Key:
    return subscription.model_id, subscription.model_version


def _name(model_id: int, version: str | None) -> str:
    return f"{model_id}-" + ("unversioned" if version is None else hashlib.sha256(version.encode()).hexdigest())
