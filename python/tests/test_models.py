"""Models with files and processes: what authors do wrong, and new versions. Each has real processes and a real store."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import unittest
from pathlib import Path
from typing import Any

from detector_worker.download import DownloadLimits

from . import mistakes
from .harness import Case, Master
from .support import Store, VideoServer, calls_of, eventually_async, subscribe_payload, video

THREE = ", 3 times within a minute"


class Models(Case):
    author = mistakes

    async def asyncSetUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = Store()
        self.addCleanup(self.store.close)
        self.video = VideoServer(video(), pace=0.3)  # 180 s long
        self.addCleanup(self.video.close)

    async def master(self, **options: Any) -> Master:
        await self.begin(model_folder=self.folder, report_interval=100, **options)
        return await self.dial(1)

    def wanted(self, number: int, path: str, **more: Any) -> dict[str, Any]:
        """A subscription of this model; all have one camera."""
        return {
            **subscribe_payload(f"d{number};c", self.video.url),
            "modelId": number,
            "modelUrl": f"{self.store.url}{path}?signature=secret",
            **more,
        }

    @staticmethod
    def row(master: Master, number: int) -> dict[str, Any]:
        rows = {row["modelId"]: row for row in master.rows()}
        found: dict[str, Any] = rows.get(number, {})
        return found

    @staticmethod
    def labels(master: Master, number: int) -> list[list[str]]:
        """Version, process and frame number of each detection of a model that works."""
        return [
            message["data"]["detection"]["label"].split(":")
            for message in master.of("imageDetection")
            if message["data"]["modelId"] == number and message["data"]["detection"]
        ]

    async def more(self, master: Master, number: int) -> None:
        before = len(self.labels(master, number))
        await eventually_async("more detections", lambda: len(self.labels(master, number)) >= before + 3)

    async def failed(self, master: Master, number: int) -> str:
        await eventually_async(
            f"the failure of model {number}", lambda: self.row(master, number).get("modelState") == "failed"
        )
        return str(self.row(master, number)["reason"])


class Mistakes(Models):
    async def test_no_mistake_of_the_author_disturbs_another_model_or_the_connection(self) -> None:
        reasons = {
            "load raises": "load raised ValueError: a tensor of the wrong size é",
            "load refuses": "needs ONNX xxx",
            "load exits": "its process ended during load: exit status 7" + THREE,
            "load unpacks": "MiB during load, more than 400 MiB" + THREE,
            "detect raises": "detect raised ValueError: a tensor of the wrong size é",
            "detect too-few": "detect returned 0 results for 1 frames",
            "detect none": "detect must return a list with one list of boxes for each frame, not None",
            "detect tuples": "a result must be a Box, not tuple",
            "detect nan": "x of a Box must be a finite number",
            "detect exits": "its process ended during detect: exit status 7" + THREE,
            "detect leaves": "its process ended during detect: exit status 1" + THREE,
            "detect aborts": "its process ended during detect: killed by SIGABRT" + THREE,
            "detect grows": "MiB during detect, more than 400 MiB" + THREE,
        }
        await self.disturbs_nothing(reasons, detect_timeout=300_000, model_memory=400)

    async def test_a_detect_that_hangs_is_ended_and_disturbs_nothing(self) -> None:
        await self.disturbs_nothing({"detect sleeps": "detect took longer than 5 s" + THREE}, detect_timeout=5_000)

    async def disturbs_nothing(self, reasons: dict[str, str], **options: Any) -> None:
        """Each model, named by its mistake, fails for its reason; another one with the same camera continues."""
        self.store.files |= {f"/{number}": what.encode() for number, what in enumerate(reasons)}
        master = await self.master(**options)
        await master.say("subscribe", **self.wanted(100, "/a", modelVersion="1"))
        await self.more(master, 100)
        for number in range(len(reasons)):
            await master.say("subscribe", **self.wanted(number, f"/{number}"))
        for number, reason in enumerate(reasons.values()):
            with self.subTest(reason=reason):
                shown = await self.failed(master, number)
                self.assertIn(reason, shown)
                self.assertLessEqual(len(shown), 200)
                self.assertTrue(shown.isprintable(), shown)
                self.assertNotIn("secret", shown)
        await self.more(master, 100)
        self.assertTrue(master.socket.open)
        self.assertEqual(self.video.requests, 1)

    async def test_what_the_author_prints_is_not_the_first_line_of_the_worker(self) -> None:
        self.store.files["/prints"] = b"detect prints"
        master = await self.master()
        await master.say("subscribe", **self.wanted(1, "/prints"))
        analysed = lambda: sum(model["analysed"] for model in self.service.models.stats())  # noqa: E731
        await eventually_async("frames", lambda: analysed() >= 3)
        self.assertEqual(self.row(master, 1)["modelState"], "ready")

    async def test_a_load_that_hangs_is_ended(self) -> None:
        self.store.files["/hangs"] = b"load sleeps"
        master = await self.master(load_timeout=500)
        await master.say("subscribe", **self.wanted(1, "/hangs"))
        self.assertEqual(await self.failed(master, 1), "load took longer than 0.5 s" + THREE)

    async def test_a_model_of_another_name_is_refused(self) -> None:
        master = await self.master()
        await master.say("subscribe", **self.wanted(1, "/a", modelName="plates"))
        self.assertEqual(await self.failed(master, 1), "this worker runs only models named mo*")
        self.assertEqual(self.store.requests, {})

    async def test_a_process_that_is_killed_is_replaced(self) -> None:
        master = await self.master()
        await master.say("subscribe", **self.wanted(1, "/a"))
        await self.more(master, 1)
        killed = self.labels(master, 1)[-1][1]
        os.kill(int(killed), signal.SIGKILL)
        await eventually_async("another process", lambda: self.labels(master, 1)[-1][1] != killed)
        self.assertEqual([label[2] for label in self.labels(master, 1) if label[1] != killed][0], "1")
        self.assertEqual(self.video.requests, 1)
        self.assertEqual(self.store.requests, {"/a": 1})


class Files(Models):
    async def test_a_bad_file_is_refused_with_its_reason(self) -> None:
        master = await self.master(download_limits=DownloadLimits(max_bytes=1_000_000, hosts=("127.0.0.1",)))
        cases: list[tuple[str, dict[str, Any], str]] = [
            ("/moved", {}, "the file: HTTP 302"),
            ("/endless", {}, "the file: larger than 1000000 bytes"),
            ("/a", {"modelSha256": "0" * 64}, "the file: its SHA-256 is not the one that the master announced"),
            ("/a", {"modelSize": 3}, "the file: has 11 bytes, the master announced 3"),
            ("/a", {"modelUrl": "http://localhost:9/"}, "the file: the host of modelUrl is not among the allowed ones"),
        ]
        for number, (path, more, _) in enumerate(cases):
            await master.say("subscribe", **self.wanted(number, path, **more))
        for number, (_, _, reason) in enumerate(cases):
            self.assertEqual(await self.failed(master, number), reason)
        self.assertEqual(list(self.folder.glob("*")), [])

    async def test_a_failed_model_is_tried_again_when_the_master_sends_it_again(self) -> None:
        master = await self.master()
        wanted = self.wanted(1, "/late", modelVersion="1")
        await master.say("subscribe", **wanted)
        self.assertEqual(await self.failed(master, 1), "the file: HTTP 404")
        self.store.files["/late"] = b"load raises"
        await master.say("subscribe", **wanted)
        await eventually_async("the other failure", lambda: "load raised" in self.row(master, 1).get("reason", ""))
        self.store.files["/late"] = b"works"  # the file that load could not read is not used again
        await master.say("subscribe", **wanted)
        await self.more(master, 1)
        self.assertEqual(self.store.requests, {"/late": 3})

    async def test_a_former_version_detects_until_the_new_one_is_loaded_and_the_way_back_needs_no_download(self) -> None:
        self.store.files["/held"] = b"works second"
        master = await self.master()
        first, second = (self.wanted(1, path, modelVersion=version) for path, version in (("/a", "1"), ("/held", "2")))
        await master.say("subscribe", **first)
        await self.more(master, 1)
        await master.say("subscribe", **second)
        await eventually_async("the download", lambda: self.store.requests["/held"] == 1)
        await eventually_async("the report", lambda: self.row(master, 1)["modelState"] == "loading")
        await self.more(master, 1)
        self.assertEqual({label[0] for label in self.labels(master, 1)}, {"1"})
        self.store.released.set()
        await eventually_async("the new version", lambda: self.labels(master, 1)[-1][0] == "2")
        await eventually_async("the end of the former", lambda: len(self.service.models.runners()) == 1)
        await master.say("setSubscriptionList", subscriptions=[first])
        await eventually_async("the former version", lambda: self.labels(master, 1)[-1][0] == "1")
        self.assertEqual(self.store.requests, {"/a": 1, "/held": 1})
        self.assertEqual(self.video.requests, 1)

    async def test_a_version_outlives_the_process_and_a_file_without_one_does_not(self) -> None:
        for _ in range(2):
            master = await self.master()
            await master.say("subscribe", **self.wanted(1, "/a", modelVersion="1"))
            await master.say("subscribe", **self.wanted(2, "/b"))
            await self.more(master, 1)
            await self.more(master, 2)
            await self.end()
        self.assertEqual(self.store.requests, {"/a": 1, "/b": 2})

    async def test_old_versions_are_deleted_and_what_is_not_subscribed_loads_nothing(self) -> None:
        master = await self.master()
        for version in "123456":
            await master.say("subscribe", **self.wanted(1, "/a", modelVersion=version))
            await eventually_async(
                "the version", lambda v=version: self.labels(master, 1) and self.labels(master, 1)[-1][0] == v
            )
            await eventually_async("the end of the former", lambda: len(self.service.models.runners()) == 1)
        await eventually_async("the deletion", lambda: len(list(self.folder.iterdir())) <= 3)
        await master.say("subscribe", **{**self.wanted(2, "/b"), "rtspUrl": "file:///etc/passwd"})
        await master.say("unsubscribe", subscriptionIdentifier="d1;c")
        await eventually_async("the end of the model", lambda: self.service.models.runners() == [])
        self.assertEqual(self.store.requests["/b"], 0)

    async def test_a_command_does_not_look_at_the_files(self) -> None:
        master = await self.master()
        wanted = self.wanted(1, "/a", modelVersion="1")
        await master.say("subscribe", **wanted)
        await self.more(master, 1)
        ruling = self.service.masters.ruling()
        assert ruling is not None
        frame = json.dumps({"type": "subscribe", "payload": wanted})
        before = calls_of(lambda: self.service.receive(ruling, frame))
        for number in range(200):
            (self.folder / f"1-{number}.part").touch()
        self.assertLess(calls_of(lambda: self.service.receive(ruling, frame)), before + 50)


class Batches(Models):
    async def test_cameras_of_a_model_share_its_process(self) -> None:
        other = VideoServer(video())
        self.addCleanup(other.close)
        master = await self.master()
        await master.say("subscribe", **self.wanted(1, "/a"))
        await master.say("subscribe", **{**self.wanted(1, "/a"), **subscribe_payload("d;other", other.url), "modelId": 1})
        seen = lambda: {m["subscriptionIdentifier"] for m in master.of("imageDetection")}  # noqa: E731
        await eventually_async("detections of both", lambda: seen() == {"d1;c", "d;other"})
        self.assertEqual(len({label[1] for label in self.labels(master, 1)}), 1)
        self.assertEqual(self.store.requests, {"/a": 1})


if __name__ == "__main__":
    unittest.main()
