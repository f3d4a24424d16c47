"""full_disk_test.py TAKT: a naming service whose disk is full. Acknowledged bindings are kept, names are resolved and
changes are refused; changes succeed again when there is room."""

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

from service import Service, takt  # noqa: E402


def reference(number):
    """A reference of 8 KiB, so that few fill the disk."""
    return "corbaloc:iiop:1.2@127.0.0.1:9/" + f"{number:04}" + "k" * 8000


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
        self.service = None
        self.bound = {}

    def tearDown(self):
        if self.service:
            self.service.stop()

    def start(self):
        self.service = Service("--store", os.path.join(self.disk, "names.db"))

    def fill(self, leave):
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
            os.ftruncate(file.fileno(), file.tell() - leave)

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
        number = 5
        while self.bind(number):
            number += 1
            self.assertLess(number, 100, "the disk does not fill")
        for refused in range(number + 1, number + 4):
            self.assertFalse(self.bind(refused), "there is no room")
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
