"""What counts as motion, in made-up frames."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import worker

from detector_worker import Box
from tests.support import HEIGHT, SIDE, WIDTH, picture

TOLERANCE = 6  # pixels: blur and noise filters move edges


def learned() -> dict[str, Any]:
    """The memory of a stream that has shown the empty wall."""
    memory: dict[str, Any] = {}
    for _ in range(worker.LEARNING + 5):
        assert worker.moving(picture(None), memory) == []
    return memory


class Motion(unittest.TestCase):
    def assert_box(self, boxes: list[Box], x: int, y: int) -> None:
        self.assertEqual(len(boxes), 1, boxes)
        box = boxes[0]
        for got, wanted in ((box.x, x), (box.y, y), (box.width, SIDE), (box.height, SIDE)):
            self.assertLessEqual(abs(got - wanted), TOLERANCE, box)

    def test_a_box_lies_where_something_moves(self) -> None:
        memory = learned()
        for number, x in enumerate(range(20, 260, 40)):
            self.assert_box(worker.moving(picture(x, 60 + number * 20), memory), x, 60 + number * 20)

    def test_nothing_moves_while_the_background_is_learned(self) -> None:
        memory: dict[str, Any] = {}
        for number in range(worker.LEARNING):
            self.assertEqual(worker.moving(picture(number * 20), memory), [])

    def test_small_things_do_not_count(self) -> None:
        with mock.patch.object(worker, "MIN_AREA", SIDE * SIDE * 2):
            self.assertEqual(worker.moving(picture(60), learned()), [])

    def test_a_change_of_the_light_is_no_motion(self) -> None:
        self.assertEqual(worker.moving(numpy.full((HEIGHT, WIDTH, 3), 250, numpy.uint8), learned()), [])


if __name__ == "__main__":
    unittest.main()
