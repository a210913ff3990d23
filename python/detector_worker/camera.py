"""One camera: a thread that holds its stream, hands on frames of it, and reconnects without limit."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone

from .backoff import Backoff
from .contract import Frame
from .protocol import Subscription
from .video import Capture

log = logging.getLogger(__name__)

FIRST_WAIT = 0.5
MAX_WAIT = 30.0


@dataclass(frozen=True)
class Look:
    """One frame for one subscription."""

    subscription: Subscription
    frame: Frame = field(repr=False, compare=False)
    at: datetime
    run: str
    """Differs after the camera has reconnected or the subscription was replaced."""

    @property
    def region(self) -> Frame:
        """What the subscription's crop shows of the frame; may be empty."""
        crop = self.subscription.crop
        return self.frame if crop is None else self.frame[crop.y1 : crop.y2, crop.x1 : crop.x2]


class Camera:
    """
    Shared by all subscriptions of one camera; each has its own region. Frames are handed to `sink` from the thread of
    the camera.
    """

    def __init__(self, url: str, label: str, frames_per_second: float, sink: Callable[[Look], object]) -> None:
        """`label` replaces the address in logs."""
        self._url = url
        self._label = label
        self._pause = 1 / frames_per_second
        self._sink = sink
        self._subscriptions: dict[str, Subscription] = {}
        self._lock = threading.Lock()
        self._online = False
        self._last_frame: Frame | None = None
        self._stopping = False
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {label}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Does not wait: a stream may take seconds to notice."""
        self._stopping = True
        self._wake.set()

    def join(self, timeout: float) -> bool:
        """Waits for the end of the stream, at most this many seconds. Returns whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def add(self, subscription: Subscription) -> None:
        """Takes effect with the next frame, and replaces the one with its identifier."""
        with self._lock:
            self._subscriptions[subscription.identifier] = subscription

    def remove(self, identifier: str) -> bool:
        """Takes effect with the next frame. Returns whether it was the last subscription."""
        with self._lock:
            del self._subscriptions[identifier]
        return not self._subscriptions

    def move_to(self, url: str, label: str) -> None:
        """Switches to another address after the current connection has ended."""
        self._url, self._label = url, label
        self._wake.set()

    def nudge(self) -> None:
        """Connects now if it waits for a retry."""
        if not self._online:
            self._wake.set()

    @property
    def url(self) -> str:
        return self._url

    @property
    def online(self) -> bool:
        """Whether frames arrive."""
        return self._online

    @property
    def last_frame(self) -> Frame | None:
        """None while the camera is offline: an old picture would look like a new one."""
        return self._last_frame

    def _run(self) -> None:
        backoff = Backoff(FIRST_WAIT, MAX_WAIT)
        while not self._stopping:
            self._wake.clear()
            url = self._url
            try:
                seen = self._follow(url)
            except Exception:  # no error of a stream may end the worker or this camera
                log.exception("camera %s: unexpected failure", self._label)
                seen = False
            if seen:
                backoff.reset()
            if self._stopping or self._url != url:
                continue
            wait = backoff.next()
            log.log(
                logging.WARNING if seen else logging.INFO, "camera %s: no picture, again in %.1f s", self._label, wait
            )
            self._wake.wait(wait)

    def _follow(self, url: str) -> bool:
        """Follows the stream to its end. Returns whether any frame arrived."""
        stream = Capture.open(url)
        if stream is None:
            return False
        connection = secrets.token_hex(4)  # the camera may show another scene now
        due = 0.0
        try:
            while not self._stopping and self._url == url and stream.advance():
                # Reads every frame, also those that it does not hand on: otherwise the stream would fall behind.
                now = time.monotonic()
                if now < due:
                    continue
                frame = stream.frame()
                if frame is None:
                    continue
                if not self._online:
                    self._online = True
                    log.info("camera %s: online", self._label)
                self._last_frame = frame
                at = datetime.now(timezone.utc)
                with self._lock:
                    subscriptions = list(self._subscriptions.values())
                for subscription in subscriptions:
                    self._sink(Look(subscription, frame, at, f"{connection}.{hash(subscription)}"))
                # A due time that has passed is not made up for: a slow machine analyses fewer frames.
                due = max(due + self._pause, now + self._pause / 2)
        finally:
            seen, self._online, self._last_frame = self._online, False, None
            stream.close()
        return seen
