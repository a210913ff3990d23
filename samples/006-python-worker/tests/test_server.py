"""The worker as a master sees it: through its port."""

from __future__ import annotations

import asyncio
import http.client
import json
import tempfile
import unittest
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed, InvalidStatusCode
from websockets.legacy.client import WebSocketClientProtocol, connect

from detector_worker.camera import Finding
from detector_worker.options import Options
from detector_worker.protocol import Box
from detector_worker.server import Server
from detector_worker.unconfirmed import MAX_BUFFERED_BYTES
from detector_worker.worker import Worker

from .support import (
    TIMEOUT,
    Store,
    VideoServer,
    eventually_async,
    schema_errors,
    subscribe_payload,
    subscription,
    video,
)

NO_SERVER = "rtsp://user:secret@127.0.0.1:9/camera"


class Master:
    """Connects to the worker, stores its frames, and validates each against its schema."""

    def __init__(self, socket: WebSocketClientProtocol) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                message = json.loads(frame)
                errors = schema_errors("messages", message["type"], message)
                assert errors == [], errors
                self.heard.append(message)
        except ConnectionClosed:
            pass

    async def say(self, kind: str, **payload: Any) -> None:
        message = {"type": kind, "payload": payload} if payload else {"type": kind}
        assert schema_errors("commands", kind, message) == []
        await self.socket.send(json.dumps(message))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == kind]

    def freeze(self) -> None:
        """Stops reading, like a frozen process."""
        self.socket.transport.pause_reading()

    def abort(self) -> None:
        """Disconnects without a close frame."""
        self.socket.transport.abort()

    async def held(self) -> dict[str, bool]:
        """Lists the subscriptions of the answer to `requestState`, each with whether it is online."""
        before = len(self.of("stateReport"))
        await self.say("requestState")
        await eventually_async("a report", lambda: len(self.of("stateReport")) > before)
        rows = self.of("stateReport")[-1]["cameraConnections"]
        return {row["subscriptionIdentifier"]: row["online"] for row in rows}

    async def closed(self) -> int | None:
        await asyncio.wait_for(self._reading, TIMEOUT)
        self._reading.result()
        return self.socket.close_code


class Case(unittest.IsolatedAsyncioTestCase):
    async def begin(self, **options: Any) -> None:
        # A periodic report would come between the requested ones.
        given = {
            "host": "127.0.0.1",
            "port": 0,
            "name": "w",
            "frames_per_second": 100,
            "report_interval": 3_600_000,
            **options,
        }
        self.options = Options(**given)
        self.worker = Worker(self.options)
        self.server = Server(self.options, self.worker)
        self.port = await self.server.start()
        self.addAsyncCleanup(self.end)

    async def end(self) -> None:
        await self.server.stop()
        self.assertTrue(self.worker.stop(20))

    async def dial(self, term: str | int | None = None, **headers: str) -> Master:
        if term is not None:
            headers["X-Detector-Term"] = str(term)
        socket = await connect(f"ws://127.0.0.1:{self.port}/", extra_headers=headers, compression=None)
        self.addAsyncCleanup(socket.close)
        master = Master(socket)
        await eventually_async("the report that comes unasked", lambda: master.of("stateReport"))
        return master

    async def refusal(self, term: str | int | None = None, **headers: str) -> int:
        with self.assertRaises(InvalidStatusCode) as caught:
            await self.dial(term, **headers)
        return caught.exception.status_code

    async def get(self, path: str, **headers: str) -> tuple[int, str, bytes]:
        def ask() -> tuple[int, str, bytes]:
            client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
            try:
                client.request("GET", path, headers=headers)
                answer = client.getresponse()
                return answer.status, answer.headers.get_content_type(), answer.read()
            finally:
                client.close()

        return await asyncio.get_running_loop().run_in_executor(None, ask)


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

    async def test_a_model_is_downloaded_for_what_is_taken_and_its_new_version_reopens_no_camera(self) -> None:
        store = Store()
        self.addCleanup(store.close)
        camera = VideoServer(video())
        self.addCleanup(camera.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        await self.begin(model_folder=Path(folder.name))
        master = await self.dial(1)

        def payload(identifier: str, path: str, url: str) -> dict[str, Any]:
            return {**subscribe_payload(identifier, url), "modelUrl": store.url + path, "modelVersion": path}

        await master.say("subscribe", **payload("d;c", "/a", camera.url))
        await master.say("subscribe", **payload("d;file", "/b", "file:///etc/passwd"))
        await eventually_async("the camera", lambda: any(online for _, online in self.worker.subscriptions.held()))
        opened = camera.requests
        await master.say("setSubscriptionList", subscriptions=[payload("d;c", "/b", camera.url)])
        states = {"/a": "ready", "/b": "ready"}
        await eventually_async(
            "the files", lambda: {row["modelVersion"]: row["state"] for row in self.worker.models.stats()} == states
        )
        self.assertEqual(store.requests, {"/a": 1, "/b": 1})
        self.assertEqual(await master.held(), {"d;c": True})
        self.assertEqual(camera.requests, opened)

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
        self.assertEqual(self.worker.invalid, {"frame": 4, "subscribe": 2})
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
        self.assertEqual(self.worker.sessions, {"d2": 43})

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
        await eventually_async("the end", lambda: self.worker.subscriptions.held() == [])

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
        self.worker.publish(Finding(wanted, datetime.now(timezone.utc), (Box(1, 2, 3, 4, 12),), 320, 240, jpeg))
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
        self.worker.publish(Finding(wanted, now, (Box(1, 2, 3, 4, 12),), 320, 240))
        await master.socket.send("{")
        await master.held()
        await master.socket.close()
        await eventually_async("the end of the connection", lambda: len(self.worker.masters) == 0)
        self.worker.publish(Finding(wanted, now, (), 320, 240))
        status, kind, body = await self.get("/stats")
        self.assertEqual((status, kind), (200, "application/json"))
        self.assertEqual(
            json.loads(body),
            {
                "workerName": "w",
                "highestTerm": 7,
                "connections": 0,
                "subscriptions": {"d;c": False},
                "models": [],
                "sent": 1,
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
            self.worker.publish(Finding(wanted, datetime.now(timezone.utc), (), 320, 240))

        def numbers(master: Master) -> list[int]:
            return [message["seq"] for message in master.of("imageDetection")]

        for _ in range(4):
            publish()
        await eventually_async("detections", lambda: numbers(first) == [1, 2, 3, 4])
        await first.say("detectionsAccepted", boot=boot, upTo=2)
        await first.say("detectionsAccepted", boot="another0", upTo=4)
        await first.held()
        await first.socket.close()
        await eventually_async("the end of the connection", lambda: len(self.worker.masters) == 0)
        publish()
        second = await self.dial(8, **confirms)
        publish()
        await eventually_async("detections", lambda: numbers(second) == [3, 4, 5, 6])
        self.assertEqual({message["boot"] for message in second.of("imageDetection")}, {boot})

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
        box = Box(1, 2, 3, 4, 12)
        for stale in (wanted, replace(wanted, model_id=13), replace(wanted, identifier="e;c")):
            await master.say("subscribe", **subscribe_payload("d;c", NO_SERVER))
            await master.held()
            self.worker.publish(Finding(stale, datetime.now(timezone.utc), (box,), 320, 240))
        await master.say("unsubscribe", subscriptionIdentifier="d;c")
        await master.held()
        self.worker.publish(Finding(wanted, datetime.now(timezone.utc), (box,), 320, 240))
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
        (connection,) = self.worker.masters.all()
        while connection.buffered_bytes <= MAX_BUFFERED_BYTES:
            connection.send(" " * 1_000_000)
        waiting = lambda: self.worker.stats()["unconfirmed"]  # noqa: E731
        await eventually_async("what is not sent", lambda: waiting() >= 3)
        full = connection.buffered_bytes
        before = waiting()
        await eventually_async("more of it", lambda: waiting() >= before + 3)
        self.assertLessEqual(connection.buffered_bytes, full)

    async def test_the_picture_of_a_camera(self) -> None:
        await self.begin()
        master = await self.dial(1)
        await master.say("subscribe", **subscribe_payload("d;ä/c", self.video.url))
        await eventually_async("the stream", lambda: self.worker.subscriptions.last_frame("d;ä/c") is not None)
        for prefix in ("", "/below/a/path"):
            status, kind, body = await self.get(f"{prefix}/camera/{quote('d;ä/c', safe='')}/image")
            self.assertEqual((status, kind, body[:3]), (200, "image/jpeg", b"\xff\xd8\xff"))
        self.assertEqual((await self.get("/camera/d%3Bother/image"))[0], 404)


if __name__ == "__main__":
    unittest.main()
