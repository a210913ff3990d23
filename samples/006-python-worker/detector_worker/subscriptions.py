"""What the master wants of this worker, and the cameras that serve it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

from .camera import Camera, CameraSettings, Finding
from .protocol import Subscription
from .video import Frame, is_stream_address

log = logging.getLogger(__name__)


class Subscriptions:
    """Subscriptions by their identifiers; one camera for all that have its id. Not to be used by two threads."""

    def __init__(self, settings: CameraSettings, max_cameras: int, sink: Callable[[Finding], object]) -> None:
        """`sink` is called from the threads of the cameras."""
        self._settings = settings
        self._max_cameras = max_cameras
        self._sink = sink
        self._held: dict[str, Subscription] = {}
        self._cameras: dict[str, Camera] = {}
        self._ending: list[Camera] = []

    def subscribe(self, wanted: Subscription) -> bool:
        """
        Takes a subscription, or replaces the one with its identifier. The same again disturbs nothing; a camera that is
        offline is tried at once. False when it cannot be taken: the master finds that out by the next report.
        """
        camera = self._cameras.get(wanted.camera_id)
        if self._held.get(wanted.identifier) == wanted and camera is not None:
            # Its fingerprint may be another.
            self._held[wanted.identifier] = wanted
            camera.nudge()
            return True
        refusal = self._refusal(wanted)
        if refusal is not None:
            log.warning("subscription %s is not taken: %s", wanted.identifier, refusal)
            self.unsubscribe(wanted.identifier)
            return False
        self._held[wanted.identifier] = wanted
        if camera is None:
            camera = Camera(wanted.rtsp_url, self._label(wanted), self._settings, self._sink)
            self._cameras[wanted.camera_id] = camera
            self._assign(wanted.camera_id)
            camera.start()
        else:
            self._assign(wanted.camera_id)
            if camera.url != wanted.rtsp_url:
                camera.move_to(wanted.rtsp_url, self._label(wanted))
        log.info("subscription %s: %s at %s", wanted.identifier, wanted.model_name, wanted.address)
        return True

    def unsubscribe(self, identifier: str) -> None:
        """Ends one; the camera's stream ends with its last. Unknown ones are ignored."""
        gone = self._held.pop(identifier, None)
        if gone is None:
            return
        log.info("subscription %s: ended", identifier)
        if any(s.camera_id == gone.camera_id for s in self._held.values()):
            self._assign(gone.camera_id)
        else:
            self._end(self._cameras.pop(gone.camera_id))

    def replace_all(self, wanted: Sequence[Subscription]) -> None:
        """Ends what is not among these, and takes the others as `subscribe` does."""
        for identifier in set(self._held) - {subscription.identifier for subscription in wanted}:
            self.unsubscribe(identifier)
        for subscription in wanted:
            self.subscribe(subscription)

    def clear(self) -> None:
        """Ends everything."""
        self._held.clear()
        for camera in self._cameras.values():
            self._end(camera)
        self._cameras.clear()

    def held(self) -> list[tuple[Subscription, bool]]:
        """Every subscription, with whether its camera is online."""
        return [(s, self._cameras[s.camera_id].online) for s in self._held.values()]

    def holds(self, subscription: Subscription) -> bool:
        """Whether it is still wanted, with these very parameters."""
        return self._held.get(subscription.identifier) == subscription

    def last_frame(self, identifier: str) -> Frame | None:
        """Of the camera of a subscription; None without one."""
        subscription = self._held.get(identifier)
        return None if subscription is None else self._cameras[subscription.camera_id].last_frame

    def join(self, timeout: float) -> bool:
        """Waits for streams that were ended, at most so many seconds; whether all have."""
        deadline = time.monotonic() + timeout
        return all([camera.join(max(0.0, deadline - time.monotonic())) for camera in self._ending])

    def _refusal(self, wanted: Subscription) -> str | None:
        if not is_stream_address(wanted.rtsp_url):
            return "rtspUrl must be an rtsp, rtsps, http or https address"
        if wanted.camera_id not in self._cameras and len(self._cameras) >= self._max_cameras:
            return f"{self._max_cameras} cameras run already"
        return None

    def _assign(self, camera_id: str) -> None:
        self._cameras[camera_id].set_subscriptions(s for s in self._held.values() if s.camera_id == camera_id)

    def _end(self, camera: Camera) -> None:
        camera.stop()
        self._ending = [other for other in self._ending if not other.join(0)] + [camera]

    @staticmethod
    def _label(subscription: Subscription) -> str:
        return f"{subscription.camera_id} at {subscription.address}"
