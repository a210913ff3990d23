"""Files of models, from a real server."""

from __future__ import annotations

import asyncio
import tempfile
import unittest
from pathlib import Path

from detector_worker.models import Model, Models
from detector_worker.protocol import Subscription

from .support import Store, eventually_async, subscription

SECRET = "signature=secret"


class ModelFiles(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = Store()
        self.addCleanup(self.store.close)
        self.models = self.another_run()

    def another_run(self) -> Models:
        return Models(self.folder, asyncio.get_running_loop())

    def wanted(self, path: str, version: str | None, identifier: str = "d;c") -> Subscription:
        url = path if ":" in path else f"{self.store.url}{path}?{SECRET}"
        return subscription(identifier, "rtsp://camera/", model_url=url, model_version=version)

    async def settled(self, wanted: Subscription) -> Model:
        await eventually_async("the download", lambda: self.models.find(wanted).state != "loading")
        found = self.models.find(wanted)
        assert found is not None
        return found

    async def test_each_version_is_downloaded_once(self) -> None:
        for number in range(5):
            self.models.need(self.wanted("/a", "1", f"d{number};c"))
        first = await self.settled(self.wanted("/a", "1"))
        self.assertEqual((first.state, first.file.read_bytes()), ("ready", b"first"))
        self.models.need(self.wanted("/b", "2"))
        second = await self.settled(self.wanted("/b", "2"))
        self.assertEqual(second.file.read_bytes(), b"second")
        self.models.need(self.wanted("/a", "1"))
        self.assertEqual(self.models.find(self.wanted("/a", "1")), first)
        self.assertEqual(self.store.requests, {"/a": 1, "/b": 1})

    async def test_a_version_outlives_the_process_and_a_file_without_one_does_not(self) -> None:
        for wanted in (self.wanted("/a", "1"), self.wanted("/b", None)):
            self.models.need(wanted)
            await self.settled(wanted)
        self.models = self.another_run()
        for wanted in (self.wanted("/a", "1"), self.wanted("/b", None)):
            self.models.need(wanted)
            self.assertEqual((await self.settled(wanted)).state, "ready")
        self.assertEqual(self.store.requests, {"/a": 1, "/b": 2})

    async def test_a_failure_has_a_reason_without_the_url_and_leaves_no_file(self) -> None:
        for path, reason in {
            "/none": "HTTP 404",
            "/moved": "HTTP 302",
            "/cut": "ended after 5 of 10 bytes",
            "file:///etc/passwd": "modelUrl must be an http or https address",
            f"http://127.0.0.1:9/?{SECRET}": "URLError",
            f"http://[{SECRET}": "ValueError",
        }.items():
            with self.subTest(path=path), self.assertLogs("detector_worker", "WARNING") as logs:
                wanted = self.wanted(path, reason)
                self.models.need(wanted)
                self.assertEqual(await self.settled(wanted), Model("failed", reason))
                self.assertNotIn(SECRET, "".join(logs.output))
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(self.store.requests["/a"], 0)

    async def test_a_file_that_has_failed_is_tried_again(self) -> None:
        wanted = self.wanted("/late", "1")
        with self.assertLogs("detector_worker", "WARNING"):
            self.models.need(wanted)
            await self.settled(wanted)
        self.store.files["/late"] = b"late"
        self.models.need(wanted)
        self.assertEqual((await self.settled(wanted)).state, "ready")

    async def test_without_a_folder_nothing_is_downloaded(self) -> None:
        self.models = Models(None, asyncio.get_running_loop())
        self.models.need(self.wanted("/a", "1"))
        self.assertIsNone(self.models.find(self.wanted("/a", "1")))
        self.assertEqual(self.models.stats(), [])
