"""The service: handles commands, findings and timers, all in the thread of the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from .camera import Look
from .contract import Box, Plan
from .fencing import Masters
from .load import LoadMeter
from .model_runner import RunnerSettings
from .models import Models
from .options import Options
from .outbox import Outbox
from .pictures import Pictures
from .protocol import (
    SUPERSEDED,
    DetectionsAccepted,
    InvalidCommand,
    PatchSessionResult,
    RequestState,
    SetSessionId,
    Subscription,
    SubscriptionList,
    Unsubscribe,
    image_detection,
    parse_command,
    patch_session,
    state_report,
    timestamp,
)
from .sightings import Sightings
from .subscriptions import Subscriptions
from .unconfirmed import MAX_BUFFERED_BYTES, DetectionReceiver, Unconfirmed
from .video import to_jpeg

log = logging.getLogger(__name__)


class Connection(DetectionReceiver, Protocol):
    def close(self, code: int, reason: str) -> None:
        """Does not wait."""


@dataclass(frozen=True)
class Finding:
    """What a model found in one frame, in pixels of the whole frame."""

    subscription: Subscription
    at: datetime
    boxes: tuple[Box, ...]
    frame_width: int
    frame_height: int
    jpeg: bytes | None = None  # the frame, if there are boxes


class Service:
    """Needs a running event loop."""

    def __init__(self, options: Options, plan: Plan, command: Sequence[str]) -> None:
        """`command` starts the author's script again, for the process of a model."""
        self._options = options
        self._loop = asyncio.get_running_loop()
        self._outbox: Outbox[Finding] = Outbox(self._loop, self.publish)
        settings = RunnerSettings(
            command=command,
            limits=options.download_limits,
            load_timeout=options.load_timeout / 1_000,
            detect_timeout=options.detect_timeout / 1_000,
            max_memory=options.model_memory * 1_048_576,
        )
        self.models = Models(plan, options.model_folder, settings, self._later, self._found)
        fps = options.frames_per_second or plan.fps
        self.subscriptions = Subscriptions(fps, options.max_cameras, self.models.offer, self._changed)
        self.masters: Masters[Connection] = Masters()
        self.pictures = Pictures()
        self.sessions: dict[str, int] = {}
        self.invalid: Counter[str] = Counter()
        self._unconfirmed = Unconfirmed()
        self._load = LoadMeter()
        self._sequences: Counter[str] = Counter()
        self._sightings = Sightings()
        self._lingering: asyncio.TimerHandle | None = None

    def stats(self) -> dict[str, Any]:
        """
        For people: `unconfirmed` detections are kept for the next master; `unsent` ones were dropped because too many were
        kept, `dropped` ones because this process was too slow; `invalid` commands by their kind.
        """
        return {
            "workerName": self._options.name,
            "highestTerm": self.masters.highest_term,
            "connections": len(self.masters),
            "subscriptions": {s.identifier: online for s, online in self.subscriptions.held()},
            "models": self.models.stats(),
            "sent": self._sequences.total(),
            "unconfirmed": len(self._unconfirmed),
            "unsent": self._unconfirmed.dropped,
            "dropped": self._outbox.dropped,
            "invalid": self.invalid,
        }

    @property
    def boot(self) -> str:
        """Of this start of the worker: detections are numbered under it."""
        return self._unconfirmed.boot

    def connected(self, connection: Connection, term: int) -> None:
        """Accepts a master: reports the running subscriptions to it at once, and closes superseded connections."""
        if self._lingering is not None:
            self._lingering.cancel()
            self._lingering = None
        for other in self.masters.add(connection, term):
            other.close(SUPERSEDED, f"superseded by term {self.masters.highest_term}")
        self._report_to(connection)
        self._unconfirmed.flush(self.masters.ruling())

    def disconnected(self, connection: Connection) -> None:
        """Streams keep running for a while, so that the next master finds them."""
        self.masters.remove(connection)
        if len(self.masters) == 0 and self._lingering is None:
            self._lingering = self._loop.call_later(self._options.linger / 1_000, self._drop_streams)

    def receive(self, connection: Connection, frame: str | bytes) -> None:
        """Handles one frame of a master. Invalid frames are counted, and the first of each kind is logged."""
        if not self.masters.commands(connection):
            return
        try:
            command = parse_command(frame)
        except InvalidCommand as error:
            self.invalid[error.kind] += 1
            if self.invalid[error.kind] == 1:
                log.warning("invalid command, others of this kind are only counted: %s", error)
            return
        match command:
            case Subscription():
                self.subscriptions.subscribe(command)
                self._adjust_models([command])
            case Unsubscribe():
                self.subscriptions.unsubscribe(command.identifier)
                self._adjust_models()
            case SubscriptionList(subscriptions):
                self.subscriptions.replace_all(subscriptions)
                self._adjust_models(subscriptions)
            case RequestState():
                self._report_to(connection)
            case SetSessionId():
                self._set_session(command)
            case DetectionsAccepted(boot, up_to):
                self._unconfirmed.confirm(connection, boot, up_to)
            case PatchSessionResult(session_id, False, message):
                log.warning("session %d was not patched: %s", session_id, message or "no reason given")

    def report(self) -> None:
        """Reports the running subscriptions to every master."""
        frame = self._state()
        for connection in self.masters.all():
            connection.send(frame)

    def publish(self, finding: Finding) -> None:
        """Sends a finding, if the subscription still exists and the finding is news, to the current master or to the next one."""
        subscription = finding.subscription
        if not self.subscriptions.holds(subscription):
            return
        begins = bool(finding.boxes) and self._sightings.begins(subscription.identifier)
        if not self._sightings.worth_telling(subscription.identifier, finding.boxes, self._loop.time()):
            return
        detection = self._detection(finding)
        self._unconfirmed.add(lambda boot, seq: image_detection(subscription, finding.at, detection, boot, seq))
        master = self.masters.ruling()
        self._unconfirmed.flush(master)
        if master is not None and master.buffered_bytes <= MAX_BUFFERED_BYTES:
            self._patch(master, finding, begins)

    def stop(self, timeout: float) -> bool:
        """Ends all streams and models. Returns whether all have ended within this many seconds. Blocks, so call it last."""
        if self._lingering is not None:
            self._lingering.cancel()
        self.subscriptions.clear()
        self.models.stop()
        ended = self.models.join(timeout)
        return self.subscriptions.join(timeout) and ended

    def _changed(self, former: Subscription | None, now: Subscription | None) -> None:
        if now is not None:
            self.models.need(now)
        if former is not None:
            self.models.release(former)
            if now is None:
                self._sightings.forget(former.identifier)

    def _adjust_models(self, again: Iterable[Subscription] = ()) -> None:
        """The subscriptions may have changed, and the master has sent some `again`."""
        for subscription in again:
            if self.subscriptions.holds(subscription):
                self.models.retry(subscription)
        self.models.sweep()

    def _later(self, action: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(action)
        except RuntimeError:
            pass  # the loop has ended

    def _found(self, look: Look, found: Iterable[Box]) -> None:
        """In the thread of a model: a picture takes long to encode."""
        crop = look.subscription.crop
        left, top = (0, 0) if crop is None else (crop.x1, crop.y1)
        boxes = tuple(replace(box, x=left + box.x, y=top + box.y) for box in found)
        height, width = look.frame.shape[:2]
        jpeg = to_jpeg(look.frame) if boxes else None
        self._outbox.offer(Finding(look.subscription, look.at, boxes, width, height, jpeg))

    def _set_session(self, command: SetSessionId) -> None:
        if command.session_id is None:
            self.sessions.pop(command.display_id, None)
        else:
            self.sessions[command.display_id] = command.session_id

    def _report_to(self, connection: Connection) -> None:
        connection.send(self._state())

    def _state(self) -> str:
        held = [(each, online, self.models.find(each)) for each, online in self.subscriptions.held()]
        return state_report(self._load.measure(), held, self.models.loaded())

    def _drop_streams(self) -> None:
        self._lingering = None
        log.warning("no master for %d ms: all streams are dropped", self._options.linger)
        self.subscriptions.clear()
        self._adjust_models()

    def _detection(self, finding: Finding) -> dict[str, Any] | None:
        if not finding.boxes:
            return None
        # A gap in these numbers means a detection that was lost.
        self._sequences[finding.subscription.identifier] += 1
        picture = {}
        if finding.jpeg is not None:
            picture["pictureId"] = self.pictures.keep(finding.subscription.identifier, finding.jpeg)
        first = finding.boxes[0]
        return {
            **_known(label=first.label, confidence=first.confidence),
            "boxes": [_known(**vars(box)) for box in finding.boxes],
            "frameWidth": finding.frame_width,
            "frameHeight": finding.frame_height,
            "workerName": self._options.name,
            "sequence": self._sequences[finding.subscription.identifier],
            **picture,
        }

    def _patch(self, master: Connection, finding: Finding, begins: bool) -> None:
        subscription = finding.subscription
        session = self.sessions.get(subscription.display_id)
        if begins and session is not None and self._options.patch_sessions:
            data = {"subscriptionIdentifier": subscription.identifier, "seenSince": timestamp(finding.at)}
            master.send(patch_session(session, data))


def _known(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
