"""What counts as motion, in made-up frames."""

from __future__ import annotations

import unittest

import numpy

from detector_worker.motion import LEARNING, QUIET, MotionWatch
from detector_worker.protocol import Box, Crop

from .support import HEIGHT, SIDE, WIDTH, picture

TOLERANCE = 6  # pixels: blur and noise filters move edges


def learned(crop: Crop | None = None, min_area: int = 400) -> MotionWatch:
    """A detector that has seen the empty wall."""
    watch = MotionWatch(min_area, crop)
    for number in range(LEARNING + 5):
        assert watch.look(picture(None), number / 10) is None
    return watch


class Motion(unittest.TestCase):
    def assert_box(self, boxes: list[Box] | None, x: int, y: int, width: int = SIDE, height: int = SIDE) -> None:
        self.assertEqual(len(boxes or []), 1, boxes)
        box = (boxes or [])[0]
        for got, wanted in ((box.x, x), (box.y, y), (box.width, width), (box.height, height)):
            self.assertLessEqual(abs(got - wanted), TOLERANCE, box)

    def test_a_box_lies_where_something_moves(self) -> None:
        watch = learned()
        for number, x in enumerate(range(20, 260, 40)):
            self.assert_box(watch.look(picture(x, 60 + number * 20), 2 + number / 10), x, 60 + number * 20)

    def test_nothing_moves_while_the_background_is_learned(self) -> None:
        watch = MotionWatch(400)
        for number in range(LEARNING):
            self.assertIsNone(watch.look(picture(number * 20), number / 10))

    def test_a_crop_is_looked_at_alone_in_coordinates_of_the_frame(self) -> None:
        watch = learned(Crop(160, 80, 320, 200))
        self.assertIsNone(watch.look(picture(60), 2))
        self.assert_box(watch.look(picture(200), 2.1), 200, 100)
        self.assert_box(watch.look(picture(140), 2.2), 160, 100, width=20)

    def test_a_crop_outside_of_the_frame_sees_nothing(self) -> None:
        self.assertIsNone(learned(Crop(1_000, 0, 1_200, 200)).look(picture(60), 2))

    def test_small_things_do_not_count(self) -> None:
        self.assertIsNone(learned(min_area=SIDE * SIDE * 2).look(picture(60), 2))

    def test_the_end_is_told_once_and_after_a_while(self) -> None:
        watch = learned()
        self.assertTrue(watch.look(picture(60), 10))
        self.assertIsNone(watch.look(picture(None), 10 + QUIET / 2))
        self.assertEqual(watch.look(picture(None), 10.1 + QUIET), [])
        self.assertIsNone(watch.look(picture(None), 20 + QUIET))

    def test_a_change_of_the_light_is_no_motion(self) -> None:
        self.assertIsNone(learned().look(numpy.full((HEIGHT, WIDTH, 3), 250, numpy.uint8), 2))

    def test_frames_of_another_size_start_again(self) -> None:
        watch = learned()
        self.assertIsNone(watch.look(picture(60)[:200, :300], 2))


if __name__ == "__main__":
    unittest.main()
