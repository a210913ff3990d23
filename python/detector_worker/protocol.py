"""Reads and writes the messages of docs/worker-protocol.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Literal
from urllib.parse import urlsplit

from .download import Source

MAX_FRAME_BYTES = 1_048_576
MAX_IDENTIFIER = 1_024
MAX_FINGERPRINT = 128
MAX_BOOT = 32
MAX_VERSION = 128
MAX_INTEGER = 2**53 - 1
SUPERSEDED = 4409


class InvalidCommand(Exception):
    """An invalid frame. `kind` is its expected type. The message repeats no values, because they may be secret."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


@dataclass(frozen=True)
class Crop:
    """A region of the camera's frame, in pixels; right and bottom are exclusive."""

    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True)
class Subscription:
    """The parameters of a `subscribe`. If they equal those of the running subscription, it must not be disturbed."""

    identifier: str
    rtsp_url: str = field(repr=False)
    model_id: int
    model_name: str
    crop: Crop | None = None
    snapshot_url: str | None = field(default=None, repr=False)
    snapshot_interval: int | None = None
    model_version: str | None = None
    model_url: str = field(default="", repr=False, compare=False)
    model_size: int | None = field(default=None, compare=False)
    model_sha256: str | None = field(default=None, compare=False)
    fingerprint: str | None = field(default=None, compare=False)

    @property
    def display_id(self) -> str:
        return self.identifier.partition(";")[0]

    @property
    def camera_id(self) -> str:
        return self.identifier.partition(";")[2]

    @property
    def source(self) -> Source:
        return Source(self.model_url, self.model_size, self.model_sha256)

    @property
    def address(self) -> str:
        """Host and port of the camera, safe for a log: without credentials, path and query."""
        try:
            parts = urlsplit(self.rtsp_url)
            return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        except ValueError:
            return "an invalid address"


@dataclass(frozen=True)
class Unsubscribe:
    identifier: str


@dataclass(frozen=True)
class SubscriptionList:
    """The complete list of subscriptions that this worker must run."""

    subscriptions: tuple[Subscription, ...]


@dataclass(frozen=True)
class RequestState:
    pass


@dataclass(frozen=True)
class SetSessionId:
    display_id: str
    session_id: int | None


@dataclass(frozen=True)
class PatchSessionResult:
    session_id: int
    success: bool
    message: str | None


@dataclass(frozen=True)
class DetectionsAccepted:
    """The worker does not send detections up to this number again."""

    boot: str
    up_to: int


Command = (
    Subscription
    | Unsubscribe
    | SubscriptionList
    | RequestState
    | SetSessionId
    | PatchSessionResult
    | DetectionsAccepted
)


def parse_command(frame: str | bytes) -> Command | None:
    """
    Reads one frame of a master; None is a command of a type that is not known here.
    @raises InvalidCommand
    """
    try:
        message = json.loads(frame)
    except (ValueError, RecursionError) as error:
        raise InvalidCommand("frame", f"no JSON ({type(error).__name__})") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise InvalidCommand("frame", "must be an object with a type")
    kind = message["type"]
    if kind == "requestState":
        return RequestState()
    if kind not in _READERS:
        return None
    payload = message.get("payload")
    if kind == "setSubscriptionList" and "payload" not in message:
        payload = message  # some masters send the list beside the type
    if not isinstance(payload, dict):
        raise InvalidCommand(kind, "payload must be an object")
    return _READERS[kind](_Fields(kind, payload))


class _Fields:
    """The payload of a command of this kind, field by field."""

    def __init__(self, kind: str, values: dict[str, Any]) -> None:
        self._kind = kind
        self._values = values

    def fail(self, detail: str) -> InvalidCommand:
        return InvalidCommand(self._kind, detail)

    def has(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str, most: int | None = None) -> str:
        value = self._values.get(name)
        if not isinstance(value, str) or value == "" or (most is not None and len(value) > most):
            limit = "" if most is None else f" of at most {most} characters"
            raise self.fail(f"{name} must be a string{limit} that is not empty")
        return value

    def integer(self, name: str, least: int = -MAX_INTEGER) -> int:
        value = self._values.get(name)
        if isinstance(value, float) and value.is_integer():  # 12.0 is an integer in JSON
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MAX_INTEGER:
            raise self.fail(f"{name} must be an integer" + (f" of at least {least}" if least == 0 else ""))
        return value

    def digest(self, name: str) -> str:
        value = self._values.get(name)
        if not isinstance(value, str) or re.fullmatch("[0-9a-f]{64}", value) is None:
            raise self.fail(f"{name} must be 64 hexadecimal digits in lower case")
        return value

    def each(self, name: str) -> list[_Fields]:
        values = self._values.get(name)
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise self.fail(f"{name} must be an array of objects")
        return [_Fields(self._kind, value) for value in values]

    def boolean(self, name: str) -> bool:
        value = self._values.get(name)
        if not isinstance(value, bool):
            raise self.fail(f"{name} must be true or false")
        return value

    def remark(self, name: str) -> str | None:
        value = self._values.get(name)
        if value is not None and not isinstance(value, str):
            raise self.fail(f"{name} must be a string or null")
        return value

    def is_null(self, name: str) -> bool:
        return self.has(name) and self._values[name] is None


def _subscribe(fields: _Fields) -> Subscription:
    return Subscription(
        identifier=fields.text("subscriptionIdentifier", MAX_IDENTIFIER),
        rtsp_url=fields.text("rtspUrl"),
        model_url=fields.text("modelUrl"),
        model_name=fields.text("modelName"),
        model_id=fields.integer("modelId"),
        model_version=fields.text("modelVersion", MAX_VERSION) if fields.has("modelVersion") else None,
        model_size=fields.integer("modelSize", 0) if fields.has("modelSize") else None,
        model_sha256=fields.digest("modelSha256") if fields.has("modelSha256") else None,
        snapshot_url=fields.text("snapshotUrl") if fields.has("snapshotUrl") else None,
        snapshot_interval=fields.integer("snapshotInterval", 0) if fields.has("snapshotInterval") else None,
        crop=_crop(fields),
        fingerprint=fields.text("fingerprint", MAX_FINGERPRINT) if fields.has("fingerprint") else None,
    )


def _crop(fields: _Fields) -> Crop | None:
    names = ("cropX1", "cropY1", "cropX2", "cropY2")
    given = [name for name in names if fields.has(name)]
    if not given:
        return None
    edges = {name: fields.integer(name, 0) for name in given}
    if len(given) < len(names):
        raise fields.fail("a crop needs all of " + ", ".join(names))
    crop = Crop(*(edges[name] for name in names))
    if crop.x2 <= crop.x1 or crop.y2 <= crop.y1:
        raise fields.fail("a crop must not be empty: cropX1 < cropX2 and cropY1 < cropY2")
    return crop


def _set_session_id(fields: _Fields) -> SetSessionId:
    session = None if fields.is_null("sessionId") else fields.integer("sessionId")
    return SetSessionId(fields.text("displayIdentifier"), session)


def _patch_session_result(fields: _Fields) -> PatchSessionResult:
    return PatchSessionResult(fields.integer("sessionId"), fields.boolean("success"), fields.remark("message"))


_READERS: dict[str, Callable[[_Fields], Command]] = {
    "subscribe": _subscribe,
    "unsubscribe": lambda fields: Unsubscribe(fields.text("subscriptionIdentifier", MAX_IDENTIFIER)),
    "setSubscriptionList": lambda fields: SubscriptionList(tuple(map(_subscribe, fields.each("subscriptions")))),
    "setSessionId": _set_session_id,
    "patchSessionResult": _patch_session_result,
    "detectionsAccepted": lambda fields: DetectionsAccepted(fields.text("boot", MAX_BOOT), fields.integer("upTo", 0)),
}


@dataclass(frozen=True)
class Load:
    """Percent of the host, 0 to 100; None if it cannot be measured."""

    cpu: float | None
    memory: float | None
    gpu: float | None = None
    gpu_memory: float | None = None


@dataclass(frozen=True)
class ModelState:
    """What became of a model's file; `reason` says why it failed."""

    state: Literal["loading", "ready", "failed"]
    reason: str | None = None


def state_report(
    load: Load,
    held: Sequence[tuple[Subscription, bool, ModelState | None]],
    loaded: Sequence[tuple[int, str | None]] = (),
) -> str:
    """
    The frame of a `stateReport`; `held` has each subscription with whether its camera is online, and the state of its
    model, if that is known. `loaded` has the id and version of each model that is ready.
    """
    return json.dumps(
        {
            "type": "stateReport",
            "cpuUsage": load.cpu,
            "memoryUsage": load.memory,
            "gpuUsage": load.gpu,
            "gpuMemoryUsage": load.gpu_memory,
            "loadedModels": [{"modelId": id, "modelVersion": version} for id, version in loaded],
            "cameraConnections": [_row(*each) for each in held],
        }
    )


def _row(subscription: Subscription, online: bool, model: ModelState | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "subscriptionIdentifier": subscription.identifier,
        "modelId": subscription.model_id,
        "modelName": subscription.model_name,
        "online": online,
    }
    if subscription.fingerprint is not None:
        row["fingerprint"] = subscription.fingerprint
    if model is not None:
        row["modelState"] = model.state
    if model is not None and model.reason is not None:
        row["reason"] = model.reason
    if subscription.crop is not None:
        c = subscription.crop
        row |= {"cropX1": c.x1, "cropY1": c.y1, "cropX2": c.x2, "cropY2": c.y2}
    return row


def image_detection(
    subscription: Subscription, at: datetime, detection: dict[str, Any] | None, boot: str, seq: int
) -> str:
    """The frame of an `imageDetection`; None: nothing was found."""
    return json.dumps(
        {
            "type": "imageDetection",
            "subscriptionIdentifier": subscription.identifier,
            "timestamp": timestamp(at),
            "boot": boot,
            "seq": seq,
            "data": {
                "detection": detection,
                "modelId": subscription.model_id,
                "modelName": subscription.model_name,
            },
        }
    )


def patch_session(session_id: int, data: Any) -> str:
    """The frame of a `patchSession`."""
    return json.dumps({"type": "patchSession", "sessionId": session_id, "data": data})


def timestamp(at: datetime) -> str:
    """ISO 8601 in UTC, with milliseconds."""
    return at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
