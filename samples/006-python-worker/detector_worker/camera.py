"""One camera: a thread that holds its stream, analyses its frames, and reconnects without limit."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timezone

from .backoff import Backoff
from .motion import MotionWatch
from .protocol import Box, Subscription
from .video import Frame, Stream, to_jpeg

log = logging.getLogger(__name__)

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0


@dataclass(frozen=True)
class Finding:
    """The result for one subscription in one frame; without boxes: motion has ended."""

    subscription: Subscription
    at: datetime
    boxes: tuple[Box, ...]
    frame_width: int
    frame_height: int
    jpeg: bytes | None = None  # the frame, if there are boxes


@dataclass(frozen=True)
class CameraSettings:
    frames_per_second: float
    min_area: int


class Camera:
    """
    Shared by all subscriptions of one camera; each has its own region and its own background. Findings are handed to
    `sink` from the thread of the camera.
    """

    def __init__(self, url: str, label: str, settings: CameraSettings, sink: Callable[[Finding], object]) -> None:
        """`label` replaces the address in logs."""
        self._url = url
        self._label = label
        self._settings = settings
        self._sink = sink
        self._subscriptions: tuple[Subscription, ...] = ()
        self._watches: dict[Subscription, MotionWatch] = {}
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

    def set_subscriptions(self, subscriptions: Iterable[Subscription]) -> None:
        """Takes effect with the next frame. Present subscriptions keep what they have learned."""
        self._subscriptions = tuple(subscriptions)

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
        backoff = Backoff(FIRST_WAIT, LONGEST_WAIT)
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
        stream = Stream.open(url)
        if stream is None:
            return False
        self._watches = {}  # the camera may show another scene now
        due = 0.0
        try:
            while not self._stopping and self._url == url and stream.advance():
                # Reads every frame, also those that it does not analyse: otherwise the stream would fall behind.
                begun = time.monotonic()
                if begun < due:
                    continue
                frame = stream.frame()
                if frame is None:
                    continue
                if not self._online:
                    self._online = True
                    log.info("camera %s: online", self._label)
                self._last_frame = frame
                self._look(frame, begun)
                spent = time.monotonic() - begun
                # If the analysis takes long, the thread reads frames for as long before the next one.
                due = begun + max(1 / self._settings.frames_per_second, 2 * spent)
        finally:
            seen, self._online, self._last_frame = self._online, False, None
            stream.close()
        return seen

    def _look(self, frame: Frame, now: float) -> None:
        at = datetime.now(timezone.utc)
        height, width = frame.shape[:2]
        fresh = {s: self._watches.get(s) or MotionWatch(self._settings.min_area, s.crop) for s in self._subscriptions}
        self._watches = fresh
        jpeg: bytes | None = None
        for subscription, watch in fresh.items():
            boxes = watch.look(frame, now)
            if boxes is not None:
                if boxes:
                    jpeg = jpeg or to_jpeg(frame)
                self._sink(Finding(subscription, at, tuple(boxes), width, height, jpeg if boxes else None))
