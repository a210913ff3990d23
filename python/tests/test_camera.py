"""Cameras and subscriptions on real video, over HTTP."""

from __future__ import annotations

import threading
import unittest
from unittest.mock import patch

from detector_worker.camera import Look
from detector_worker.protocol import Crop
from detector_worker.subscriptions import Subscriptions
from detector_worker.video import Capture, is_stream_address, to_jpeg

from .support import HEIGHT, WIDTH, VideoServer, calls_of, eventually, subscription, video

class Cameras(unittest.TestCase):
    content = b""

    @classmethod
    def setUpClass(cls) -> None:
        cls.content = video()

    def setUp(self) -> None:
        self.server = VideoServer(self.content)
        self.addCleanup(self.server.close)
        self.looks: list[Look] = []
        self.held = Subscriptions(100, 2, self.looks.append, lambda former, now: None)
        self.addCleanup(self.end)

    def end(self) -> None:
        self.held.clear()
        self.assertTrue(self.held.join(20), "streams continue after their end")

    def found(self, identifier: str) -> list[Look]:
        return [look for look in list(self.looks) if look.subscription.identifier == identifier]

    def online(self) -> dict[str, bool]:
        return {s.identifier: online for s, online in self.held.held()}

    def test_subscriptions_of_a_camera_share_its_stream_and_have_their_own_crops(self) -> None:
        left = Crop(0, 0, 160, 200)
        self.held.subscribe(subscription("d1;c", self.server.url, crop=left))
        self.held.subscribe(subscription("d2;c", self.server.url))
        self.held.subscribe(subscription("d3;c", self.server.url, crop=Crop(1_000, 0, 1_200, 200)))
        eventually("frames of both", lambda: self.found("d1;c") and len(self.found("d2;c")) >= 20)
        self.assertEqual(self.server.requests, 1)
        self.assertEqual({look.region.shape for look in self.found("d1;c")}, {(200, 160, 3)})
        self.assertEqual({look.region.shape for look in self.found("d2;c")}, {(HEIGHT, WIDTH, 3)})
        self.assertEqual({look.region.size for look in self.found("d3;c")}, {0})
        self.assertEqual(len({look.run for look in self.found("d2;c")}), 1)

        self.held.unsubscribe("d1;c")
        self.held.unsubscribe("d3;c")
        seen = len(self.found("d2;c"))
        eventually("the other to continue", lambda: len(self.found("d2;c")) > seen)
        self.assertEqual(self.server.open, 1)
        self.held.unsubscribe("d2;c")
        eventually("the end of the stream", lambda: self.server.open == 0)

    def test_the_same_subscription_again_disturbs_nothing(self) -> None:
        wanted = subscription("d;c", self.server.url, model_url="http://m/1")
        self.held.subscribe(wanted)
        eventually("a frame", lambda: self.found("d;c"))
        self.assertTrue(self.held.subscribe(subscription("d;c", self.server.url, model_url="http://m/2")))
        seen = len(self.found("d;c"))
        eventually("more frames", lambda: len(self.found("d;c")) > seen + 5)
        self.assertEqual(self.server.requests, 1)

    def test_another_address_moves_all_subscriptions_of_the_camera(self) -> None:
        other = VideoServer(self.content)
        self.addCleanup(other.close)
        self.held.subscribe(subscription("d1;c", self.server.url))
        self.held.subscribe(subscription("d2;c", self.server.url))
        eventually("the stream", lambda: all(self.online().values()))
        self.held.subscribe(subscription("d2;c", other.url))
        eventually("the new stream", lambda: other.open == 1 and self.server.open == 0)
        self.looks.clear()
        eventually("frames of both", lambda: self.found("d1;c") and self.found("d2;c"))
        self.assertEqual((self.server.requests, other.requests), (1, 1))

    def test_a_stream_that_breaks_comes_back(self) -> None:
        self.held.subscribe(subscription("d;c", self.server.url))
        eventually("frames", lambda: self.found("d;c"))
        self.assertIsNotNone(self.held.last_frame("d;c"))
        self.server.refusing = True
        eventually("offline", lambda: self.online() == {"d;c": False})
        self.assertIsNone(self.held.last_frame("d;c"))
        before = self.server.requests
        eventually("attempts", lambda: self.server.requests >= before + 2)
        self.server.refusing = False
        self.looks.clear()
        eventually("frames again", lambda: self.found("d;c"))

    def test_a_stream_that_ends_is_opened_again_soon_however_often_it_does(self) -> None:
        short = VideoServer(self.content[: len(self.content) // 60], pace=0)
        self.addCleanup(short.close)
        self.held.subscribe(subscription("d;c", short.url))
        # If the wait doubled each time, the eighth attempt would come after half a minute.
        eventually("streams one after the other", lambda: short.requests >= 8)

    def test_a_subscription_again_has_an_offline_camera_tried_at_once(self) -> None:
        self.server.refusing = True
        wanted = subscription("d;c", self.server.url)
        self.held.subscribe(wanted)

        def tried_when_told() -> bool:
            self.held.subscribe(wanted)
            return self.server.requests >= 20

        # Otherwise it would wait for minutes between attempts.
        eventually("attempts", tried_when_told)

    def test_what_cannot_be_taken_is_not_held(self) -> None:
        with self.assertLogs("detector_worker", "WARNING"):
            self.assertFalse(self.held.subscribe(subscription("d;file", "file:///etc/passwd")))
            self.held.subscribe(subscription("d;c1", "http://127.0.0.1:9/"))
            self.held.subscribe(subscription("d;c2", "http://127.0.0.1:9/"))
            self.assertFalse(self.held.subscribe(subscription("d;c3", "http://127.0.0.1:9/")))
        self.assertTrue(self.held.subscribe(subscription("e;c2", "http://127.0.0.1:9/")))
        self.assertEqual(self.online(), {"d;c1": False, "d;c2": False, "e;c2": False})
        self.held.unsubscribe("unknown;camera")
        self.held.unsubscribe("d;c1")
        self.assertTrue(self.held.subscribe(subscription("d;c3", "http://127.0.0.1:9/")))

    def test_the_picture_is_a_jpeg_of_the_whole_frame(self) -> None:
        self.held.subscribe(subscription("d;c", self.server.url, crop=Crop(0, 0, 10, 10)))
        eventually("a frame", lambda: self.held.last_frame("d;c") is not None)
        frame = self.held.last_frame("d;c")
        self.assertEqual(frame.shape[:2], (HEIGHT, WIDTH))
        self.assertTrue(to_jpeg(frame).startswith(b"\xff\xd8\xff"))

    def test_each_camera_has_one_thread_and_takes_it_along(self) -> None:
        before = threading.active_count()
        self.held.subscribe(subscription("d;c1", self.server.url))
        self.held.subscribe(subscription("e;c1", self.server.url))
        self.held.subscribe(subscription("d;c2", self.server.url))
        eventually("both streams", lambda: all(self.online().values()) and self.server.open == 2)
        names = [t.name for t in threading.enumerate() if t.name.startswith("camera ")]
        self.assertEqual(len(names), 2)
        self.assertNotIn("secret", "".join(names))
        self.end()
        eventually("the end of the threads", lambda: threading.active_count() <= before + self.server.open)

    def test_to_end_a_camera_costs_no_more_beside_others_that_have_not_ended_yet(self) -> None:
        released = threading.Event()
        held = Subscriptions(100, 200, self.looks.append, lambda former, now: None)
        self.addCleanup(held.join, 20)
        self.addCleanup(released.set)
        with patch.object(Capture, "open", lambda url: None if released.wait() else None):
            for number in range(200):
                held.subscribe(subscription(f"d;c{number}", self.server.url))
            first = calls_of(lambda: held.unsubscribe("d;c0"))
            for number in range(1, 199):
                held.unsubscribe(f"d;c{number}")
            self.assertLess(calls_of(lambda: held.unsubscribe("d;c199")), first + 50)


class Addresses(unittest.TestCase):
    def test_only_streams_are_taken(self) -> None:
        for url in ("rtsp://c/1", "rtsps://u:p@c:322/", "http://c", "https://[::1]:8/x?y"):
            self.assertTrue(is_stream_address(url), url)
        for url in ("file:///etc/passwd", "/etc/passwd", "concat:a|b", "ftp://c/", "rtsp:", "http://[", "", "0"):
            self.assertFalse(is_stream_address(url), url)


if __name__ == "__main__":
    unittest.main()
