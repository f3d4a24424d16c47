"""full_disk_test.py TAKT: a trader whose disk is full. Acknowledged offers are kept, queries are answered and changes are refused;
changes succeed again when there is room."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from command_test import PLACE, Trader  # noqa: E402
from served import takt  # noqa: E402
from small_disk import SmallDisk  # noqa: E402


class FullDisk(SmallDisk):
    def setUp(self):
        super().setUp()
        self.trader = None
        self.known = []

    def tearDown(self):
        if self.trader:
            self.trader.kill()

    def start(self):
        self.trader = Trader("--store", os.path.join(self.disk, "trading.db"))

    def export(self, number):
        """Whether the offer was acknowledged."""
        done = takt("trade", "export", "Printer", PLACE + "k" * 8000, f"id=n{number:03}", "--service", self.trader.reference)
        if done.returncode == 0:
            self.known.append(f"n{number:03}")
            return True
        self.assertIn("PERSIST_STORE", done.stderr)
        return False

    def check(self):
        self.assertEqual(self.trader.query("Printer", "--max", "1000"), self.known)

    def test_it(self):
        self.start()
        self.trader.add_printer()
        for number in range(5):
            self.assertTrue(self.export(number))
        self.fill(leave=160 * 1024)
        number = self.until_refused(self.export, 5)
        self.check()
        self.trader.kill()
        self.start()  # with a full disk
        self.check()
        self.assertFalse(self.export(number + 4))

        os.remove(self.ballast)
        self.assertTrue(self.export(number + 5), "there is room again")
        self.check()
        self.trader.kill()
        self.start()
        self.check()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
