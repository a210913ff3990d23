"""The subscriptions of this worker, and their cameras."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence

from .camera import Camera, Look
from .contract import Frame
from .protocol import Subscription
from .video import is_stream_address

log = logging.getLogger(__name__)


class Subscriptions:
    """Subscriptions by identifier, with one camera for all subscriptions of its id. Not thread-safe."""

    def __init__(
        self,
        frames_per_second: float,
        max_cameras: int,
        sink: Callable[[Look], object],
        changed: Callable[[Subscription | None, Subscription | None], object],
    ) -> None:
        """The camera threads call `sink`. `changed` gets a subscription before and after a change, None where there is none."""
        self._frames_per_second = frames_per_second
        self._max_cameras = max_cameras
        self._sink = sink
        self._changed = changed
        self._held: dict[str, Subscription] = {}
        self._cameras: dict[str, Camera] = {}
        self._ending: deque[Camera] = deque()

    def subscribe(self, wanted: Subscription) -> bool:
        """
        Takes a subscription, or replaces the one with its identifier. The same again disturbs nothing; a camera that is
        offline is tried at once. False when it cannot be taken: the master finds that out by the next report.
        """
        camera = self._cameras.get(wanted.camera_id)
        if self._held.get(wanted.identifier) == wanted and camera is not None:
            # Its fingerprint may have changed.
            self._held[wanted.identifier] = wanted
            camera.nudge()
            return True
        refusal = self._refusal(wanted)
        if refusal is not None:
            log.warning("subscription %s is not taken: %s", wanted.identifier, refusal)
            self.unsubscribe(wanted.identifier)
            return False
        former = self._held.get(wanted.identifier)
        self._held[wanted.identifier] = wanted
        if camera is None:
            camera = Camera(wanted.rtsp_url, self._label(wanted), self._frames_per_second, self._sink)
            self._cameras[wanted.camera_id] = camera
            camera.add(wanted)
            camera.start()
        else:
            camera.add(wanted)
            if camera.url != wanted.rtsp_url:
                camera.move_to(wanted.rtsp_url, self._label(wanted))
        self._changed(former, wanted)
        log.info("subscription %s: %s at %s", wanted.identifier, wanted.model_name, wanted.address)
        return True

    def unsubscribe(self, identifier: str) -> None:
        """Ends a subscription. The last one of a camera ends its stream. Unknown ones are ignored."""
        if identifier in self._held:
            self._drop(identifier)
            log.info("subscription %s: ended", identifier)

    def replace_all(self, wanted: Sequence[Subscription]) -> None:
        """Ends all subscriptions that are not listed, and handles the others like `subscribe`."""
        for identifier in set(self._held) - {subscription.identifier for subscription in wanted}:
            self.unsubscribe(identifier)
        for subscription in wanted:
            self.subscribe(subscription)

    def clear(self) -> None:
        """Ends all subscriptions."""
        for identifier in list(self._held):
            self._drop(identifier)

    def held(self) -> list[tuple[Subscription, bool]]:
        """Every subscription, with whether its camera is online."""
        return [(s, self._cameras[s.camera_id].online) for s in self._held.values()]

    def holds(self, subscription: Subscription) -> bool:
        """Whether the subscription still exists with the same parameters."""
        return self._held.get(subscription.identifier) == subscription

    def last_frame(self, identifier: str) -> Frame | None:
        """Picture of the subscription's camera; None without one."""
        subscription = self._held.get(identifier)
        return None if subscription is None else self._cameras[subscription.camera_id].last_frame

    def join(self, timeout: float) -> bool:
        """Waits for ended streams, at most this many seconds. Returns whether all have ended."""
        deadline = time.monotonic() + timeout
        return all([camera.join(max(0.0, deadline - time.monotonic())) for camera in self._ending])

    def _refusal(self, wanted: Subscription) -> str | None:
        if not is_stream_address(wanted.rtsp_url):
            return "rtspUrl must be an rtsp, rtsps, http or https address"
        if wanted.camera_id not in self._cameras and len(self._cameras) >= self._max_cameras:
            return f"{self._max_cameras} cameras run already"
        return None

    def _drop(self, identifier: str) -> None:
        gone = self._held.pop(identifier)
        if self._cameras[gone.camera_id].remove(identifier):
            self._end(self._cameras.pop(gone.camera_id))
        self._changed(gone, None)

    def _end(self, camera: Camera) -> None:
        camera.stop()
        self._ending.append(camera)
        while self._ending and self._ending[0].join(0):
            self._ending.popleft()

    @staticmethod
    def _label(subscription: Subscription) -> str:
        return f"{subscription.camera_id} at {subscription.address}"
