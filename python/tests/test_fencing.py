"""Which master may send commands."""

from __future__ import annotations

import random
import unittest

from detector_worker.fencing import Masters, parse_term


class ParseTerm(unittest.TestCase):
    def test_reads_decimal_integers_below_two_to_the_53rd(self) -> None:
        for header, term in {
            None: 0,
            "0": 0,
            "1763681400000": 1_763_681_400_000,
            "9007199254740991": 2**53 - 1,
            "9007199254740992": None,
            "": None,
            "-1": None,
            "1.5": None,
            " 1": None,
            "1,2": None,
            "²": None,
            "9" * 20: None,
            "9" * 5_000: None,
        }.items():
            self.assertEqual(parse_term(header), term, header)


class Ruling(unittest.TestCase):
    def test_nobody_commands_below_the_highest_term_ever_seen(self) -> None:
        draw = random.Random(6)
        for _ in range(200):
            masters: Masters[int] = Masters()
            terms: dict[int, int] = {}
            highest = 0
            for socket in range(30):
                term = draw.randrange(20)
                self.assertEqual(masters.admits(term), term >= highest)
                if masters.admits(term):
                    superseded = masters.add(socket, term)
                    terms[socket] = term
                    highest = max(highest, term)
                    self.assertEqual(superseded, [s for s, t in terms.items() if t < highest])
                if terms and draw.random() < 0.3:
                    gone = draw.choice(list(terms))
                    masters.remove(gone)
                    del terms[gone]
                self.assertEqual(masters.highest_term, highest)
                self.assertEqual(
                    [s for s in terms if masters.commands(s)], [s for s, t in terms.items() if t == highest]
                )
                self.assertEqual(masters.ruling(), max((s for s, t in terms.items() if t == highest), default=None))

    def test_who_has_left_does_not_command(self) -> None:
        masters: Masters[str] = Masters()
        masters.add("a", 0)
        masters.remove("a")
        self.assertFalse(masters.commands("a"))
        self.assertIsNone(masters.ruling())


if __name__ == "__main__":
    unittest.main()
