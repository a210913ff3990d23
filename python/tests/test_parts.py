"""The small parts: options, backoff, outbox, load."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

from detector_worker.backoff import Backoff
from detector_worker.download import DownloadLimits
from detector_worker.load import MIN_INTERVAL, LoadMeter, read_gpu
from detector_worker.options import Options, parse_options
from detector_worker.outbox import Outbox
from detector_worker.pictures import Pictures

from . import mistakes, square
from .support import cv2, eventually_async, video


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
            "STATE_REPORT_INTERVAL": "40",
            "LINGER_MS": "0",
            "PATCH_SESSIONS": "on",
            "MODEL_FOLDER": "/models",
            "MODEL_HOSTS": "a, *.b",
            "MAX_MODEL_SIZE": "3",
            "LOAD_TIMEOUT": "400",
            "DETECT_TIMEOUT": "500",
            "MODEL_MEMORY": "60",
        }
        read = Options("127.0.0.1", 1, "w", "t0ken", 2, 2.5, 40, 0, True, Path("/models"), DownloadLimits(3 << 20, ("a", "*.b")), 400, 500, 60)
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
            "--model-memory": "-1",
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
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.proc = Path(folder.name)

    def test_is_in_percent_of_all_processors_since_the_last_measurement(self) -> None:
        now = [0.0]
        (self.proc / "stat").write_text("cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 1 2 3\n")
        (self.proc / "meminfo").write_text("MemTotal:  1000 kB\nMemFree:  1 kB\nMemAvailable:  250 kB\n")
        meter = LoadMeter(self.proc, lambda: now[0])
        self.assertEqual(meter.measure().cpu, None)
        (self.proc / "stat").write_text("cpu  125 0 100 760 115 0 0 0 70 0\ncpu0 1 2 3\n")
        now[0] = MIN_INTERVAL
        load = meter.measure()
        self.assertEqual((load.cpu, load.memory), (25.0, 75.0))

    def test_is_unknown_where_the_system_does_not_tell(self) -> None:
        now = [0.0]
        meter = LoadMeter(self.proc, lambda: now[0])
        now[0] = 10
        load = meter.measure()
        self.assertEqual((load.cpu, load.memory), (None, None))

    def test_of_this_machine_is_known(self) -> None:
        self.assertGreater(LoadMeter().measure().memory or 0, 0)

    def test_of_gpus_is_read_from_the_driver(self) -> None:
        program = self.proc / "nvidia-smi"
        for said, read in {
            "50, 1000, 4000\n100, 3000, 4000": (75.0, 50.0),
            "[N/A], 1, 2": (None, None),
            "": (None, None),
        }.items():
            program.write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\n")
            program.chmod(0o755)
            with mock.patch.dict(os.environ, {"PATH": f"{self.proc}:{os.environ['PATH']}"}):
                self.assertEqual(read_gpu(), read)


class TryOut(unittest.TestCase):
    def setUp(self) -> None:
        environment = mock.patch.dict(os.environ)  # `try_out` lets FFmpeg open files
        environment.start()
        self.addCleanup(environment.stop)

    def test_prints_the_boxes_of_a_video_and_draws_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            file = Path(folder) / "video.avi"
            file.write_bytes(video())
            square.worker.try_out(str(file), frames=30, save=f"{folder}/boxes.avi")
            drawn = cv2.VideoCapture(f"{folder}/boxes.avi", cv2.CAP_FFMPEG)
            self.assertEqual(drawn.get(cv2.CAP_PROP_FRAME_COUNT), 30)
            drawn.release()
        lines = said.getvalue().splitlines()
        self.assertEqual(lines[0], "frame 1: nothing")
        self.assertRegex(lines[25], r"^frame 26: Square 90 % at \d+, \d+, 4\d × 4\d$")
        self.assertRegex(lines[30], r"^30 frames, \d+ ms and 0\.\d boxes per frame$")

    def test_names_what_is_missing(self) -> None:
        with self.assertRaisesRegex(ValueError, "no video"):
            square.worker.try_out("/none.avi")
        with self.assertRaisesRegex(ValueError, "needs a file"):
            mistakes.worker.try_out("/none.avi")


if __name__ == "__main__":
    unittest.main()
