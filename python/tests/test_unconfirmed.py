"""Tests of the detections that wait for a confirmation."""

from __future__ import annotations

import unittest

from detector_worker.unconfirmed import Unconfirmed


class Receiver:
    def __init__(self, confirms: bool = True) -> None:
        self.confirms = confirms
        self.buffered_bytes = 0
        self.written = 0
        self.frames: list[str] = []

    def send(self, frame: str) -> None:
        self.frames.append(frame)


class UnconfirmedDetections(unittest.TestCase):
    def setUp(self) -> None:
        self.kept = Unconfirmed(max_bytes=50)

    def add(self, count: int) -> None:
        for _ in range(count):
            self.kept.add(lambda _, number: f"frame {number:04}")  # 10 bytes

    def test_drops_and_counts_the_oldest_beyond_its_size(self) -> None:
        self.add(7)
        receiver = Receiver()
        self.kept.flush(receiver)
        self.assertEqual(receiver.frames, [f"frame {number:04}" for number in range(3, 8)])
        self.assertEqual((len(self.kept), self.kept.dropped), (5, 2))

    def test_keeps_nothing_for_a_master_that_confirms_nothing(self) -> None:
        self.add(2)
        self.kept.flush(Receiver(confirms=False))
        self.assertEqual(len(self.kept), 0)

    def test_waits_while_the_socket_is_full(self) -> None:
        receiver = Receiver()
        receiver.buffered_bytes = 17 * 1_048_576
        self.add(2)
        self.kept.flush(receiver)
        self.assertEqual(receiver.frames, [])
        receiver.buffered_bytes = 0
        self.kept.flush(receiver)
        self.assertEqual(receiver.frames, ["frame 0001", "frame 0002"])

    def test_continues_on_an_older_connection_with_what_went_only_to_the_newer_one(self) -> None:
        older, newer = Receiver(), Receiver()
        for receiver in (older, newer, older):
            self.add(1)
            self.kept.flush(receiver)
        self.assertEqual(older.frames, [f"frame {number:04}" for number in range(1, 4)])

    def test_obeys_only_the_present_connection_and_its_own_boot(self) -> None:
        former, present = Receiver(), Receiver()
        self.add(2)
        self.kept.flush(former)
        self.kept.flush(present)
        self.kept.confirm(former, self.kept.boot, 2)
        self.kept.confirm(present, "another0", 2)
        self.assertEqual(len(self.kept), 2)
        self.kept.confirm(present, self.kept.boot, 1)
        self.assertEqual(len(self.kept), 1)


if __name__ == "__main__":
    unittest.main()
