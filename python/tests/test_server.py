"""The worker as a master sees it: through its port."""

from __future__ import annotations

import asyncio
import json
import re
import unittest
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed

from detector_worker import Box
from detector_worker.service import Finding
from detector_worker.unconfirmed import MAX_BUFFERED_BYTES

from .harness import Case, Master
from .support import VideoServer, calls_of, eventually_async, subscribe_payload, subscription, video

NO_SERVER = "rtsp://user:secret@127.0.0.1:9/camera"


class Fencing(Case):
    async def test_a_higher_term_supersedes_and_the_lower_does_not_come_back(self) -> None:
        await self.begin()
        old = await self.dial(5)
        new = await self.dial(6)
        self.assertEqual(await old.closed(), 4409)
        self.assertEqual(await self.refusal(5), 409)
        self.assertEqual(await self.refusal(None), 409)
        self.assertEqual(await new.held(), {})

    async def test_commands_of_a_superseded_master_are_not_carried_out(self) -> None:
        await self.begin()
        old = await self.dial(5)
        self.addCleanup(old.abort)
        old.freeze()  # it does not hear that it has been replaced
        new = await self.dial(6)
        await old.say("subscribe", **subscribe_payload("d;c", NO_SERVER))
        await asyncio.sleep(0.2)
        self.assertEqual(await new.held(), {})

    async def test_terms_that_are_none_are_refused(self) -> None:
        await self.begin()
        for term in ("", "abc", "-1", "1.5", "9" * 20):
            self.assertEqual(await self.refusal(term), 400, term)

    async def test_the_term_outlives_the_connection(self) -> None:
        await self.begin()
        await (await self.dial(7)).socket.close()
        self.assertEqual(await self.refusal(6), 409)
        await self.dial(7)


class Commands(Case):
    async def test_a_report_comes_at_once_and_then_at_the_interval(self) -> None:
        await self.begin(report_interval=50)
        first, second = await self.dial(1), await self.dial(1)
        for master in (first, second):
            await eventually_async("reports", lambda master=master: len(master.of("stateReport")) >= 4)

    async def test_reports_show_all_that_came_before(self) -> None:
        await self.begin()
        master = await self.dial(1)
        for number in range(20):
            await master.say("subscribe", **subscribe_payload(f"d{number};c", NO_SERVER))
        await master.say("unsubscribe", subscriptionIdentifier="d3;c")
        await master.say("unsubscribe", subscriptionIdentifier="unknown;camera")
        await master.say("subscribe", **subscribe_payload("d;file", "file:///etc/passwd"))
        self.assertEqual(await master.held(), {f"d{n};c": False for n in range(20) if n != 3})

    async def test_a_command_costs_no_more_beside_many_subscriptions(self) -> None:
        await self.begin()
        await (await self.dial(1)).held()
        master = self.service.masters.ruling()
        assert master is not None

        def say(kind: str, **payload: Any) -> None:
            self.service.receive(master, json.dumps({"type": kind, "payload": payload}))

        def another() -> None:
            say("subscribe", **subscribe_payload("another;c", NO_SERVER))
            say("unsubscribe", subscriptionIdentifier="another;c")

        say("subscribe", **subscribe_payload("first;c", NO_SERVER))
        alone = calls_of(another)
        for number in range(2_000):
            say("subscribe", **subscribe_payload(f"d{number};c", NO_SERVER))
        self.assertLess(calls_of(another), alone + 500)

    async def test_a_list_replaces_everything(self) -> None:
        await self.begin()
        master = await self.dial(1)
        for identifiers in (("d1;c1", "d2;c2"), ("d2;c2", "d3;c3"), ()):
            rows = [subscribe_payload(identifier, NO_SERVER) for identifier in identifiers]
            await master.say("setSubscriptionList", subscriptions=rows)
            self.assertEqual(await master.held(), dict.fromkeys(identifiers, False))

    async def test_what_cannot_be_read_is_counted_and_the_connection_lives_on(self) -> None:
        await self.begin()
        master = await self.dial(1)
        with self.assertLogs("detector_worker", "WARNING") as logs:
            for frame in (
                "{",
                "[" * 100_000,
                "[]",
                '{"type":"subscribe"}',
                '{"type":"subscribe","payload":{}}',
                b"\xff",
            ):
                await master.socket.send(frame)
            await master.socket.send('{"type":"nobodyKnows"}')
            self.assertEqual(await master.held(), {})
        self.assertEqual(self.service.invalid, {"frame": 4, "subscribe": 2})
        self.assertEqual(len(logs.records), 2)

    async def test_a_frame_above_the_limit_closes_with_1009(self) -> None:
        await self.begin()
        master = await self.dial(1)
        with self.assertRaises(ConnectionClosed):
            await master.socket.send(" " * (1_048_576 + 1))
            await master.closed()
            await master.socket.ensure_open()
        self.assertEqual(await master.closed(), 1009)

    async def test_sessions_belong_to_displays_until_they_are_cleared(self) -> None:
        await self.begin()
        master = await self.dial(1)
        await master.say("setSessionId", displayIdentifier="d1", sessionId=42)
        await master.say("setSessionId", displayIdentifier="d2", sessionId=43)
        await master.say("setSessionId", displayIdentifier="d1", sessionId=None)
        await master.held()
        self.assertEqual(self.service.sessions, {"d2": 43})

    async def test_streams_outlive_the_last_connection_for_a_while(self) -> None:
        await self.begin(linger=400)
        master = await self.dial(1)
        await master.say("subscribe", **subscribe_payload("d;c", NO_SERVER))
        await master.held()
        await master.socket.close()
        again = await self.dial(2)
        await asyncio.sleep(0.8)  # the end must have been called off
        self.assertEqual(await again.held(), {"d;c": False})
        await again.socket.close()
        await eventually_async("the end", lambda: self.service.subscriptions.held() == [])

    async def test_the_end_is_told(self) -> None:
        await self.begin()
        master = await self.dial(1)
        await self.server.stop()
        self.assertEqual(await master.closed(), 1001)


class Http(Case):
    async def test_a_token_is_asked_of_masters_and_for_pictures(self) -> None:
        await self.begin(token="t0ken")
        self.assertEqual(await self.refusal(1), 401)
        self.assertEqual((await self.get("/stats"))[0], 401)
        for wrong in ("Bearer no", "t0ken", "Basic t0ken", "Bearer "):
            self.assertEqual(await self.refusal(1, Authorization=wrong), 401, wrong)
        image = f"/camera/{quote('d;c', safe='')}/image"
        self.assertEqual((await self.get(image))[0], 401)
        self.assertEqual((await self.get(image, Authorization="Bearer t0ken"))[0], 404)
        self.assertEqual((await self.get("/health/live"))[0], 200)
        await (await self.dial(1, Authorization="bearer t0ken")).held()

    async def test_gives_the_picture_of_a_detection_while_it_is_kept(self) -> None:
        await self.begin()
        master = await self.dial(1)
        await master.say("subscribe", **subscribe_payload("d;c", NO_SERVER))
        await master.held()
        wanted = subscription("d;c", NO_SERVER)
        jpeg = b"\xff\xd8\xff the picture"
        self.service.publish(Finding(wanted, datetime.now(timezone.utc), (Box(1, 2, 3, 4),), 320, 240, jpeg))
        await eventually_async("the detection", lambda: master.of("imageDetection"))
        picture = master.of("imageDetection")[0]["data"]["detection"]["pictureId"]
        status, kind, body = await self.get(f"/camera/d%3Bc/image?picture={quote(picture)}")
        self.assertEqual((status, kind, body), (200, "image/jpeg", jpeg))
        for path in ("d%3Bother/image?picture=" + quote(picture), "d%3Bc/image?picture=x", "d%3Bc/image"):
            self.assertEqual((await self.get(f"/camera/{path}"))[0], 404, path)

    async def test_tells_people_how_it_does(self) -> None:
        await self.begin()
        master = await self.dial(7)
        await master.say("subscribe", **subscribe_payload("d;c", NO_SERVER))
        await master.held()
        wanted = subscription("d;c", NO_SERVER)
        now = datetime.now(timezone.utc)
        self.service.publish(Finding(wanted, now, (Box(1, 2, 3, 4),), 320, 240))
        await master.socket.send("{")
        await master.held()
        await master.socket.close()
        await eventually_async("the end of the connection", lambda: len(self.service.masters) == 0)
        self.service.publish(Finding(wanted, now, (Box(1, 2, 3, 4),), 320, 240))
        status, kind, body = await self.get("/stats")
        self.assertEqual((status, kind), (200, "application/json"))
        stats = json.loads(body)
        (model,) = stats.pop("models")
        self.assertEqual((model["modelId"], model["modelName"], model["analysed"]), (12, "motion", 0))
        self.assertEqual(
            stats,
            {
                "workerName": "w",
                "highestTerm": 7,
                "connections": 0,
                "subscriptions": {"d;c": False},
                "sent": 2,
                "unconfirmed": 1,
                "unsent": 0,
                "dropped": 0,
                "invalid": {"frame": 1},
            },
        )

    async def test_what_is_not_confirmed_comes_first_on_the_next_connection(self) -> None:
        await self.begin()
        confirms = {"X-Detector-Confirms": "1"}
        first = await self.dial(7, **confirms)
        boot = first.socket.response_headers["X-Detector-Boot"]
        await first.say("subscribe", **subscribe_payload("d;c", NO_SERVER))
        await first.held()
        wanted = subscription("d;c", NO_SERVER)

        def publish() -> None:
            self.service.publish(Finding(wanted, datetime.now(timezone.utc), (Box(1, 2, 3, 4),), 320, 240))

        def numbers(master: Master) -> list[int]:
            return [message["seq"] for message in master.of("imageDetection")]

        for _ in range(4):
            publish()
        await eventually_async("detections", lambda: numbers(first) == [1, 2, 3, 4])
        await first.say("detectionsAccepted", boot=boot, upTo=2)
        await first.say("detectionsAccepted", boot="another0", upTo=4)
        await first.held()
        await first.socket.close()
        await eventually_async("the end of the connection", lambda: len(self.service.masters) == 0)
        publish()
        second = await self.dial(8, **confirms)
        publish()
        await eventually_async("detections", lambda: numbers(second) == [3, 4, 5, 6])
        self.assertEqual({message["boot"] for message in second.of("imageDetection")}, {boot})

    async def test_gives_figures_for_prometheus(self) -> None:
        await self.begin(token="t0ken")
        master = await self.dial(7, Authorization="Bearer t0ken")
        await master.say("subscribe", **{**subscribe_payload("d;c", NO_SERVER), "modelVersion": 'a"\n'})
        ready = lambda stats: [model["state"] for model in stats] == ["ready"]  # noqa: E731
        await eventually_async("the model", lambda: ready(self.service.models.stats()))
        self.assertEqual((await self.get("/metrics"))[0], 401)
        status, kind, body = await self.get("/metrics", Authorization="Bearer t0ken")
        self.assertEqual((status, kind), (200, "text/plain"))
        lines = body.decode().splitlines()
        labels = 'model="12",name="motion",version="a\\"\\n"'
        for line in (
            'detector_worker_subscriptions{online="false"} 1',
            "detector_worker_term 7",
            f'detector_worker_model_state{{{labels},state="ready"}} 1',
            f"detector_worker_frames_analysed_total{{{labels}}} 0",
            f"detector_worker_detect_seconds_total{{{labels}}} 0.0",
        ):
            self.assertIn(line, lines)
        shape = re.compile(r'# (HELP|TYPE) detector_worker_.*|detector_worker_\w+(\{(\w+="([^"\\]|\\.)*",?)*\})? [\d.]+')
        self.assertEqual([line for line in lines if not shape.fullmatch(line)], [])

    async def test_who_comes_without_an_upgrade_is_told_so(self) -> None:
        await self.begin()
        self.assertEqual((await self.get("/"))[0], 426)
        self.assertEqual((await self.get("/camera/d%3Bc/image"))[0], 404)


class Video(Case):
    content = b""

    @classmethod
    def setUpClass(cls) -> None:
        cls.content = video()

    def setUp(self) -> None:
        self.video = VideoServer(self.content)
        self.addCleanup(self.video.close)

    async def test_detections_go_to_the_newest_connection_of_the_highest_term_without_a_gap(self) -> None:
        await self.begin()
        first = await self.dial(5)
        await first.say("subscribe", **subscribe_payload("d;c", self.video.url))
        await eventually_async("detections", lambda: len(first.of("imageDetection")) >= 3)
        second = await self.dial(5)
        await eventually_async("detections on the second", lambda: len(second.of("imageDetection")) >= 3)
        third = await self.dial(6)
        await eventually_async("detections on the third", lambda: len(third.of("imageDetection")) >= 3)
        numbers = [
            message["data"]["detection"]["sequence"]
            for master in (first, second, third)
            for message in master.of("imageDetection")
            if message["data"]["detection"] is not None
        ]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertEqual(self.video.requests, 1)

    async def test_what_is_not_wanted_any_more_is_not_sent(self) -> None:
        await self.begin()
        master = await self.dial(1)
        wanted = subscription("d;c", NO_SERVER)
        box = Box(1, 2, 3, 4)
        for stale in (wanted, replace(wanted, model_id=13), replace(wanted, identifier="e;c")):
            await master.say("subscribe", **subscribe_payload("d;c", NO_SERVER))
            await master.held()
            self.service.publish(Finding(stale, datetime.now(timezone.utc), (box,), 320, 240))
        await master.say("unsubscribe", subscriptionIdentifier="d;c")
        await master.held()
        self.service.publish(Finding(wanted, datetime.now(timezone.utc), (box,), 320, 240))
        await master.held()
        (sent,) = master.of("imageDetection")
        self.assertEqual(sent["data"]["modelId"], 12)

    async def test_a_session_is_told_when_motion_begins(self) -> None:
        await self.begin(patch_sessions=True)
        master = await self.dial(1)
        await master.say("setSessionId", displayIdentifier="d", sessionId=42)
        await master.say("subscribe", **subscribe_payload("d;c", self.video.url))
        await master.say("subscribe", **subscribe_payload("e;c", self.video.url))
        await eventually_async("detections", lambda: len(master.of("imageDetection")) >= 10)
        (patch,) = master.of("patchSession")
        self.assertEqual((patch["sessionId"], patch["data"]["subscriptionIdentifier"]), (42, "d;c"))
        with self.assertLogs("detector_worker", "WARNING") as logs:
            await master.say("patchSessionResult", sessionId=42, success=False, message="not stored")
            await master.held()
        self.assertIn("not stored", logs.output[0])

    async def test_a_master_that_does_not_read_costs_detections_and_no_memory(self) -> None:
        await self.begin()
        master = await self.dial(1)
        await master.say("subscribe", **subscribe_payload("d;c", self.video.url))
        await eventually_async("a detection", lambda: master.of("imageDetection"))
        self.addCleanup(master.abort)
        master.freeze()
        (connection,) = self.service.masters.all()
        while connection.buffered_bytes <= MAX_BUFFERED_BYTES:
            connection.send(" " * 1_000_000)
        waiting = lambda: self.service.stats()["unconfirmed"]  # noqa: E731
        await eventually_async("what is not sent", lambda: waiting() >= 3)
        full = connection.buffered_bytes
        before = waiting()
        await eventually_async("more of it", lambda: waiting() >= before + 3)
        self.assertLessEqual(connection.buffered_bytes, full)

    async def test_the_picture_of_a_camera(self) -> None:
        await self.begin()
        master = await self.dial(1)
        await master.say("subscribe", **subscribe_payload("d;ä/c", self.video.url))
        await eventually_async("the stream", lambda: self.service.subscriptions.last_frame("d;ä/c") is not None)
        for prefix in ("", "/below/a/path"):
            status, kind, body = await self.get(f"{prefix}/camera/{quote('d;ä/c', safe='')}/image")
            self.assertEqual((status, kind, body[:3]), (200, "image/jpeg", b"\xff\xd8\xff"))
        self.assertEqual((await self.get("/camera/d%3Bother/image"))[0], 404)


if __name__ == "__main__":
    unittest.main()
