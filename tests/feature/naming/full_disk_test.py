"""full_disk_test.py TAKT: a naming service whose disk is full. Acknowledged bindings are kept, names are resolved and
changes are refused; changes succeed again when there is room."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from service import Service, takt  # noqa: E402
from small_disk import SmallDisk  # noqa: E402


def reference(number):
    """A reference of 8 KiB, so that few fill the disk."""
    return "corbaloc:iiop:1.2@127.0.0.1:9/" + f"{number:04}" + "k" * 8000


class FullDisk(SmallDisk):
    def setUp(self):
        super().setUp()
        self.service = None
        self.bound = {}

    def tearDown(self):
        if self.service:
            self.service.stop()

    def start(self):
        self.service = Service("--store", os.path.join(self.disk, "names.db"))

    def bind(self, number):
        """Whether the binding was acknowledged."""
        done = takt("name", "bind", f"n{number}", reference(number), "--service", self.service.url)
        if done.returncode == 0:
            self.bound[number] = True
            return True
        self.assertIn("PERSIST_STORE", done.stderr)
        return False

    def check(self, upto):
        for number in range(upto):
            done = takt("name", "resolve", f"n{number}", "--service", self.service.url)
            self.assertEqual(done.returncode, 0 if number in self.bound else 1, f"n{number}: {done.stderr}")
            if number in self.bound:
                self.assertIn(f"{number:04}".encode().hex(), done.stdout)

    def test_it(self):
        self.start()
        for number in range(5):
            self.assertTrue(self.bind(number))
        self.fill(leave=160 * 1024)
        number = self.until_refused(self.bind, 5)
        last = number + 4
        self.check(last)

        self.service.stop()
        self.start()  # with a full disk
        self.check(last)
        self.assertFalse(self.bind(last))

        os.remove(self.ballast)
        self.assertTrue(self.bind(last + 1), "there is room again")
        self.check(last + 2)
        self.service.stop()
        self.start()
        self.check(last + 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
