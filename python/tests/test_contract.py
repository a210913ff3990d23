"""What an author may return, and what becomes of it."""

from __future__ import annotations

import unittest
from typing import Any

import numpy

from detector_worker import Box, Worker
from detector_worker.boxes import clip, suppress
from detector_worker.contract import MAX_BOXES, MAX_LABEL, WrongShape, one_line, read_results
from detector_worker.mailbox import Mailbox
from detector_worker.model_process import MEMORY_KEPT, StreamMemories
from detector_worker.sightings import QUIET, Sightings


class Results(unittest.TestCase):
    def test_numbers_of_numpy_are_taken(self) -> None:
        x, share = numpy.int64(1), numpy.float32(0.5)
        ((box,),) = read_results(([Box(x, x, x, x, "a" * 100, share)],), 1)  # type: ignore[arg-type]
        self.assertEqual(box, Box(1.0, 1.0, 1.0, 1.0, "a" * MAX_LABEL, 0.5))
        self.assertTrue(all(type(value) in (float, str) for value in vars(box).values()))

    def test_what_is_wrong_is_named(self) -> None:
        cases: list[tuple[Any, str]] = [
            (None, "not None"),
            ({}, "not dict"),
            ([[], []], "2 results for 1 frames"),
            ([None], "a list of boxes, not None"),
            ([[None]], "must be a Box, not None"),
            ([[Box(1, 2, -3, 4)]], "at least 0, not -3"),
            ([[Box(1, 2, 3, float("inf"))]], "height of a Box must be a finite number"),
            ([[Box("1", 2, 3, 4)]], "x of a Box must be a finite number"),  # type: ignore[arg-type]
            ([[Box([], 2, 3, 4)]], "x of a Box must be a number, not list"),  # type: ignore[arg-type]
            ([[Box(1, 2, 3, 4, 5)]], "label of a Box must be a string, not int"),  # type: ignore[arg-type]
            ([[Box(1, 2, 3, 4, "a", 93)]], "confidence of a Box must be from 0 to 1, not 93"),
        ]
        for results, reason in cases:
            with self.subTest(reason=reason), self.assertRaises(WrongShape) as caught:
                read_results(results, 1)
            self.assertIn(reason, str(caught.exception))

    def test_a_reason_is_one_short_line(self) -> None:
        self.assertEqual(one_line(" a\r\n\x00b\u2028c "), "a b c")
        self.assertEqual(len(one_line("x" * 1_000_000)), 200)


class Boxes(unittest.TestCase):
    def test_are_whole_pixels_within_the_frame(self) -> None:
        boxes = [Box(-5, 1.6, 10, 10.2), Box(90, 90, 100, 100), Box(200, 0, 5, 5), Box(5, 5, 0.2, 9)]
        self.assertEqual(clip(boxes, 100, 100), [Box(0, 2, 5, 10), Box(90, 90, 10, 10)])

    def test_of_two_that_overlap_the_more_confident_stays(self) -> None:
        weak, strong = Box(0, 0, 10, 10, "a", 0.5), Box(1, 1, 10, 10, "a", 0.9)
        other, far = Box(0, 0, 10, 10, "b", 0.4), Box(50, 50, 10, 10, "a", 0.1)
        self.assertEqual(suppress([weak, strong, other, far], 0.5), [strong, other, far])
        self.assertEqual(suppress([weak, strong], 0.9), [strong, weak])
        self.assertEqual(suppress([weak, strong], None), [strong, weak])

    def test_only_so_many_are_sent(self) -> None:
        self.assertEqual(len(suppress([Box(20 * n, 0, 10, 10) for n in range(5_000)], 0.5)), MAX_BOXES)


class NothingSeen(unittest.TestCase):
    def test_is_told_once_and_after_a_while(self) -> None:
        seen = Sightings()
        box = [Box(1, 2, 3, 4)]
        self.assertFalse(seen.worth_telling("d;c", [], 1))
        self.assertTrue(seen.begins("d;c"))
        self.assertTrue(seen.worth_telling("d;c", box, 10))
        self.assertFalse(seen.begins("d;c"))
        self.assertFalse(seen.worth_telling("d;c", [], 10 + QUIET / 2))
        self.assertFalse(seen.worth_telling("e;c", [], 20))
        self.assertTrue(seen.worth_telling("d;c", [], 10 + QUIET))
        self.assertFalse(seen.worth_telling("d;c", [], 20 + QUIET))
        self.assertTrue(seen.begins("d;c"))


class WaitingFrames(unittest.TestCase):
    def test_the_newest_of_each_stream_waits_in_the_order_of_the_streams(self) -> None:
        mailbox: Mailbox[int] = Mailbox()
        for key, item in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
            mailbox.put(key, item)
        self.assertEqual(mailbox.take(2, 0), [3, 2])
        self.assertEqual(mailbox.take(2, 0), [4])
        self.assertEqual(mailbox.take(2, 0), [])
        self.assertEqual(mailbox.skipped, 1)

    def test_a_closed_one_ends_the_wait(self) -> None:
        mailbox: Mailbox[int] = Mailbox()
        mailbox.put("a", 1)
        mailbox.close()
        self.assertEqual(mailbox.take(1, 3_600), [])


class MemoryOfStreams(unittest.TestCase):
    def test_lasts_for_one_run_of_a_stream(self) -> None:
        memories = StreamMemories()

        def of(identifier: str, run: str, now: float) -> dict[str, Any]:
            return memories.stream({"identifier": identifier, "run": run, "at": "2026-01-31T12:34:56+00:00"}, now).memory

        of("d;c", "1", 0)["seen"] = 1
        self.assertEqual(of("d;c", "1", 1), {"seen": 1})
        self.assertEqual(of("e;c", "1", 1), {})
        self.assertEqual(of("d;c", "2", 2), {})
        of("d;c", "2", 2)["seen"] = 2
        of("e;c", "1", 3 + MEMORY_KEPT)
        self.assertEqual(of("d;c", "2", 4 + MEMORY_KEPT), {})


class Authors(unittest.TestCase):
    def test_are_told_what_is_wrong_before_anything_runs(self) -> None:
        with self.assertRaisesRegex(ValueError, "models"):
            Worker(models="people*")
        worker = Worker()
        with self.assertRaisesRegex(RuntimeError, "@worker.detect"):
            worker.run([])
        for wrong in ({"fps": 0}, {"batch": 0}, {"overlap": 2}):
            with self.assertRaisesRegex(ValueError, next(iter(wrong))):
                worker.detect(**wrong)  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
