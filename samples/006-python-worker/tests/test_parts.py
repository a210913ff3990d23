"""The small parts: options, backoff, outbox, load."""

from __future__ import annotations

import asyncio
import contextlib
import io
import tempfile
import threading
import unittest
from pathlib import Path

from detector_worker.backoff import Backoff
from detector_worker.load import LoadMeter
from detector_worker.options import Options, parse_options
from detector_worker.outbox import Outbox
from detector_worker.pictures import Pictures

from .support import eventually_async


class ParseOptions(unittest.TestCase):
    def refused(self, *arguments: str, **environment: str) -> str:
        said = io.StringIO()
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(said):
            parse_options(arguments, environment)
        self.assertEqual(ended.exception.code, 2)
        return said.getvalue()

    def test_everything_has_a_default(self) -> None:
        self.assertEqual(parse_options(["--name", "w"], {"PORT": "", "WORKER_TOKEN": ""}), Options(name="w"))

    def test_flags_come_before_the_environment(self) -> None:
        environment = {
            "PORT": "1",
            "HOST": "127.0.0.1",
            "WORKER_NAME": "w",
            "WORKER_TOKEN": "t0ken",
            "MAX_CAMERAS": "2",
            "FRAMES_PER_SECOND": "2.5",
            "MIN_AREA": "3",
            "STATE_REPORT_INTERVAL": "40",
            "LINGER_MS": "0",
            "PATCH_SESSIONS": "on",
        }
        read = Options("127.0.0.1", 1, "w", "t0ken", 2, 2.5, 3, 40, 0, True)
        self.assertEqual(parse_options([], environment), read)
        self.assertEqual(parse_options(["--port", "8001"], environment).port, 8001)
        self.assertTrue(parse_options(["--patch-sessions"], {}).patch_sessions)
        self.assertNotIn("t0ken", repr(read))

    def test_a_token_comes_from_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "token"
            file.write_text("t0ken\n")
            self.assertEqual(parse_options(["--token-file", str(file)], {}).token, "t0ken")
            self.assertEqual(parse_options([], {"WORKER_TOKEN_FILE": str(file)}).token, "t0ken")
            file.write_text("")
            self.assertIn("token", self.refused("--token-file", str(file)))
            self.assertIn("--token-file", self.refused("--token-file", f"{folder}/none"))

    def test_what_is_wrong_is_named(self) -> None:
        for flag, value in {
            "--port": "65536",
            "--max-cameras": "0",
            "--fps": "nan",
            "--min-area": "-1",
            "--report-interval": "1",
            "--linger": "1.5",
        }.items():
            self.assertIn(flag, self.refused(f"{flag}={value}"))
        self.assertIn("--port", self.refused(PORT="http"))
        self.assertIn("PATCH_SESSIONS", self.refused(PATCH_SESSIONS="true"))
        self.assertIn("token", self.refused(WORKER_TOKEN="two words"))


class Waits(unittest.TestCase):
    def test_their_bound_doubles_up_to_the_longest_until_it_works(self) -> None:
        backoff = Backoff(0.5, 3, draw=lambda low, high: high)
        self.assertEqual([backoff.next() for _ in range(5)], [0.5, 1, 2, 3, 3])
        backoff.reset()
        self.assertEqual(backoff.next(), 0.5)

    def test_they_differ(self) -> None:
        waits = [Backoff(1, 1).next() for _ in range(50)]
        self.assertGreater(len(set(waits)), 40)
        self.assertTrue(all(0.5 <= wait <= 1 for wait in waits))


class IntoTheLoop(unittest.IsolatedAsyncioTestCase):
    async def test_keeps_the_order_and_drops_beyond_the_limit(self) -> None:
        taken: list[int] = []
        outbox: Outbox[int] = Outbox(asyncio.get_running_loop(), taken.append, limit=10)
        # The loop is blocked while another thread offers items.
        thread = threading.Thread(target=lambda: [outbox.offer(number) for number in range(25)])
        thread.start()
        thread.join()
        self.assertEqual((taken, outbox.dropped), ([], 15))
        await eventually_async("the first ten", lambda: len(taken) == 10)
        self.assertTrue(outbox.offer(99))
        await eventually_async("room for more", lambda: taken == [*range(10), 99])

    async def test_a_closed_loop_takes_nothing(self) -> None:
        loop = asyncio.new_event_loop()
        loop.close()
        self.assertFalse(Outbox(loop, print).offer(1))


class ThePictures(unittest.TestCase):
    def test_are_dropped_oldest_first_when_they_take_too_much(self) -> None:
        pictures = Pictures(max_bytes=10)
        first, second = pictures.keep("d;c", b"1234"), pictures.keep("d;c", b"12345")
        self.assertEqual(pictures.find("d;c", first), b"1234")
        third = pictures.keep("e;c", b"12")
        self.assertIsNone(pictures.find("d;c", first))
        self.assertEqual(pictures.find("d;c", second), b"12345")
        self.assertEqual(pictures.find("e;c", third), b"12")
        self.assertIsNone(pictures.find("d;c", third))

    def test_of_another_run_have_other_names(self) -> None:
        one, other = Pictures(), Pictures()
        other.keep("d;c", b"other")
        self.assertIsNone(other.find("d;c", one.keep("d;c", b"one")))


class TheLoad(unittest.TestCase):
    def test_is_in_percent(self) -> None:
        load = LoadMeter().measure()
        self.assertTrue(load.memory is not None and 0 < load.memory < 100, load)
        self.assertTrue(load.cpu is None or 0 <= load.cpu <= 100, load)


if __name__ == "__main__":
    unittest.main()
