"""full_disk_test.py TAKT: a trader whose disk is full. Acknowledged offers are kept, queries are answered and changes are refused;
changes succeed again when there is room."""

import os
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77


def enter_a_namespace():
    """Runs this program again in a namespace where it may mount a disk of its own."""
    if os.environ.get("TAKT_TEST_DISK"):
        return
    if subprocess.run(["unshare", "-Urm", "true"], capture_output=True, check=False).returncode != 0:
        print("skipped: this system lets nobody mount a disk of their own, which takes root or user namespaces")
        sys.exit(SKIPPED)
    os.execvpe("unshare", ["unshare", "-Urm", sys.executable, *sys.argv], {**os.environ, "TAKT_TEST_DISK": "1"})


enter_a_namespace()

from command_test import PLACE, Trader  # noqa: E402
from served import takt  # noqa: E402


class FullDisk(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.disk = folder.name
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", self.disk], check=False).returncode != 0:
            print("skipped: no tmpfs can be mounted here")
            os._exit(SKIPPED)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        self.ballast = os.path.join(self.disk, "ballast")
        self.trader = None
        self.known = []

    def tearDown(self):
        if self.trader:
            self.trader.kill()

    def start(self):
        self.trader = Trader("--store", os.path.join(self.disk, "trading.db"))

    def fill(self, leave):
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
            os.ftruncate(file.fileno(), file.tell() - leave)

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
        number = 5
        while self.export(number):
            number += 1
            self.assertLess(number, 100, "the disk does not fill")
        for refused in range(number + 1, number + 4):
            self.assertFalse(self.export(refused), "there is no room")
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
