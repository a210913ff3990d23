"""Reading commands and writing messages, checked against the published schemas."""

from __future__ import annotations

import json
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any

from detector_worker.protocol import (
    Crop,
    InvalidCommand,
    Load,
    ModelState,
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
)

from .support import schema_errors, subscribe_payload

ABSENT = object()

ODD_VALUES: tuple[Any, ...] = (ABSENT, None, "", "x", "x" * 1_025, 0, 7, -1, 1.0, 1.5, 2**53, True, [], {})

COMMANDS: dict[str, dict[str, Any]] = {
    "subscribe": {**subscribe_payload("d1;c1"), "snapshotUrl": "http://s/1", "snapshotInterval": 5_000},
    "unsubscribe": {"subscriptionIdentifier": "d1;c1"},
    "setSubscriptionList": {"subscriptions": [subscribe_payload("d1;c1")]},
    "setSessionId": {"displayIdentifier": "d1", "sessionId": 42},
    "patchSessionResult": {"sessionId": 42, "success": False, "message": "not stored"},
}


def read(message: Any) -> Any:
    return parse_command(json.dumps(message))


class ParseCommand(unittest.TestCase):
    def test_takes_what_the_schemas_take_and_refuses_what_they_refuse(self) -> None:
        tried = {True: 0, False: 0}
        for kind, payload in COMMANDS.items():
            for name in payload:
                for value in ODD_VALUES:
                    changed = {k: v for k, v in {**payload, name: value}.items() if v is not ABSENT}
                    message = {"type": kind, "payload": changed}
                    valid = not schema_errors("commands", kind, message)
                    tried[valid] += 1
                    with self.subTest(kind=kind, name=name, value=value):
                        if valid:
                            self.assertIsNotNone(read(message))
                        else:
                            self.assertRaises(InvalidCommand, read, message)
        self.assertGreater(tried[True], 20)
        self.assertGreater(tried[False], 80)

    def test_reads_every_field(self) -> None:
        crop = {"cropX1": 0, "cropY1": 10, "cropX2": 1920, "cropY2": 1080}
        subscription = read({"type": "subscribe", "payload": {**COMMANDS["subscribe"], **crop}})
        self.assertEqual(
            subscription,
            Subscription(
                identifier="d1;c1",
                rtsp_url="rtsp://user:secret@camera.test:8554/main?key=secret",
                model_id=12,
                model_name="motion",
                crop=Crop(0, 10, 1920, 1080),
                snapshot_url="http://s/1",
                snapshot_interval=5_000,
            ),
        )
        self.assertEqual(subscription.model_url, "http://models.test/motion?signature=secret")
        self.assertEqual(read({"type": "unsubscribe", "payload": COMMANDS["unsubscribe"]}), Unsubscribe("d1;c1"))
        self.assertEqual(read({"type": "requestState"}), RequestState())
        self.assertEqual(
            read({"type": "setSessionId", "payload": {"displayIdentifier": "d", "sessionId": None}}),
            SetSessionId("d", None),
        )
        self.assertEqual(
            read({"type": "patchSessionResult", "payload": COMMANDS["patchSessionResult"]}),
            PatchSessionResult(42, False, "not stored"),
        )

    def test_the_same_subscription_with_another_model_url_is_the_same(self) -> None:
        payload = subscribe_payload("d1;c1")
        first = read({"type": "subscribe", "payload": payload})
        signed_again = {**payload, "modelUrl": "http://models.test/motion?signature=another"}
        self.assertEqual(read({"type": "subscribe", "payload": signed_again}), first)
        changes = {
            "rtspUrl": "rtsp://other/",
            "modelId": 13,
            "modelName": "m",
            "modelVersion": "2",
            "snapshotInterval": 1,
        }
        for name, value in changes.items():
            self.assertNotEqual(read({"type": "subscribe", "payload": {**payload, name: value}}), first, name)

    def test_a_list_may_stand_in_the_payload_or_beside_the_type(self) -> None:
        rows = {"subscriptions": [subscribe_payload("d1;c1"), subscribe_payload("d2;c2")]}
        wanted = SubscriptionList(tuple(read({"type": "subscribe", "payload": row}) for row in rows["subscriptions"]))
        self.assertEqual(read({"type": "setSubscriptionList", "payload": rows}), wanted)
        self.assertEqual(read({"type": "setSubscriptionList", **rows}), wanted)
        for broken in ([7], [{**subscribe_payload("d;c"), "modelId": "7"}]):
            with self.assertRaises(InvalidCommand):
                read({"type": "setSubscriptionList", "payload": {"subscriptions": broken}})

    def test_an_identifier_is_split_at_the_first_semicolon(self) -> None:
        subscription = read({"type": "subscribe", "payload": subscribe_payload("d1;c1;x")})
        self.assertEqual((subscription.display_id, subscription.camera_id), ("d1", "c1;x"))

    def test_a_crop_is_whole_and_not_empty(self) -> None:
        for crop in ({"cropX1": 0}, {"cropX1": 9, "cropY1": 0, "cropX2": 9, "cropY2": 5}):
            with self.assertRaisesRegex(InvalidCommand, "crop"):
                read({"type": "subscribe", "payload": {**subscribe_payload("d;c"), **crop}})

    def test_refuses_frames_that_are_no_commands_and_survives_them(self) -> None:
        for frame in ("", "{", "[]", "null", "7", '{"type":7}', "{}", "[" * 100_000, b"\xff\xfe\xfd", "9" * 5_000):
            with self.subTest(frame=frame[:20]), self.assertRaises(InvalidCommand):
                parse_command(frame)
        for payload in (None, [], "x"):
            self.assertRaises(InvalidCommand, read, {"type": "unsubscribe", "payload": payload})

    def test_ignores_types_and_fields_that_it_does_not_know(self) -> None:
        self.assertIsNone(read({"type": "setProgressionStage", "payload": 7}))
        self.assertIsNotNone(read({"type": "requestState", "payload": None, "more": 1}))
        self.assertIsNotNone(read({"type": "unsubscribe", "payload": {"subscriptionIdentifier": "d;c", "more": 1}}))

    def test_neither_errors_nor_logs_show_addresses(self) -> None:
        subscription = read({"type": "subscribe", "payload": subscribe_payload("d1;c1")})
        self.assertNotIn("secret", repr(subscription))
        self.assertEqual(subscription.address, "rtsp://camera.test:8554")
        with self.assertRaises(InvalidCommand) as caught:
            read({"type": "subscribe", "payload": {**subscribe_payload("d1;c1"), "modelId": "secret"}})
        self.assertNotIn("secret", str(caught.exception))


class Messages(unittest.TestCase):
    subscription = Subscription("d1;c1", "rtsp://c", 12, "motion", Crop(1, 2, 3, 4))

    def assert_valid(self, frame: str) -> dict[str, Any]:
        message = json.loads(frame)
        self.assertEqual(schema_errors("messages", message["type"], message), [])
        return message

    def test_a_state_report_lists_everything(self) -> None:
        held = [
            (self.subscription, True, None),
            (Subscription("d2;c1", "rtsp://c", 13, "m"), False, ModelState("failed", "HTTP 404")),
        ]
        message = self.assert_valid(state_report(Load(cpu=12.5, memory=None), held, [(12, "v1"), (13, None)]))
        self.assertEqual(
            message["loadedModels"], [{"modelId": 12, "modelVersion": "v1"}, {"modelId": 13, "modelVersion": None}]
        )
        self.assertEqual((message["cpuUsage"], message["memoryUsage"]), (12.5, None))
        self.assertEqual(
            message["cameraConnections"],
            [
                {
                    "subscriptionIdentifier": "d1;c1",
                    "modelId": 12,
                    "modelName": "motion",
                    "online": True,
                    "cropX1": 1,
                    "cropY1": 2,
                    "cropX2": 3,
                    "cropY2": 4,
                },
                {
                    "subscriptionIdentifier": "d2;c1",
                    "modelId": 13,
                    "modelName": "m",
                    "online": False,
                    "modelState": "failed",
                    "reason": "HTTP 404",
                },
            ],
        )

    def test_a_detection_has_its_time_in_utc(self) -> None:
        at = datetime(2026, 1, 31, 14, 34, 56, 789_999, timezone(timedelta(hours=2)))
        message = self.assert_valid(image_detection(self.subscription, at, {"boxes": [], "sequence": 1}, "9f86d081", 7))
        self.assertEqual(message["timestamp"], "2026-01-31T12:34:56.789Z")
        self.assertEqual(
            message["data"], {"detection": {"boxes": [], "sequence": 1}, "modelId": 12, "modelName": "motion"}
        )
        self.assertIsNone(self.assert_valid(image_detection(self.subscription, at, None, "9f86d081", 8))["data"]["detection"])

    def test_a_patch(self) -> None:
        self.assertEqual(self.assert_valid(patch_session(42, {"a": 1}))["data"], {"a": 1})


if __name__ == "__main__":
    unittest.main()
