"""For tests of services whose disk is full. Importing it runs the program again in a namespace where it may mount a disk of its own;
exit status 77 says that the system does not permit that."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import served

SKIPPED = 77


def enter_a_namespace():
    if os.environ.get("TAKT_TEST_DISK"):
        return
    if subprocess.run(["unshare", "-Urm", "true"], capture_output=True, check=False).returncode != 0:
        print("skipped: this system lets nobody mount a disk of their own, which takes root or user namespaces")
        sys.exit(SKIPPED)
    os.execvpe("unshare", ["unshare", "-Urm", sys.executable, *sys.argv], {**os.environ, "TAKT_TEST_DISK": "1"})


enter_a_namespace()


class SmallDisk(unittest.TestCase):
    """A test with a disk of 3 MiB in the folder `disk`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.disk = folder.name
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", self.disk], check=False).returncode != 0:
            print("skipped: no tmpfs can be mounted here")
            os._exit(SKIPPED)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        self.ballast = os.path.join(self.disk, "ballast")

    def fill(self, leave=0):
        """Fills the disk but for so many octets."""
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
            os.ftruncate(file.fileno(), file.tell() - leave)

    def until_refused(self, fits, number):
        """Calls fits(number), fits(number + 1) and so on until one finds no room, and some more, which find none either.
        Returns the number of the first that finds none."""
        while fits(number):
            number += 1
            self.assertLess(number, 100, "the disk does not fill")
        for refused in range(number + 1, number + 4):
            self.assertFalse(fits(refused), "there is no room")
        return number


class ServiceOnSmallDisk(SmallDisk):
    """A test of the service that start() runs as `process`; `idl` has its interfaces."""

    idl = None

    def setUp(self):
        super().setUp()
        self.process = None
        self.addCleanup(self.stop)

    def serve(self, *words):
        self.process = subprocess.Popen([served.TAKT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=served.ENVIRONMENT)
        self.factory = self.process.stdout.readline().strip()

    def stop(self):
        self.process.terminate()
        return self.process.communicate(timeout=50)[1]

    def call(self, reference, *words, status=0):
        done = subprocess.run([served.TAKT, "call", reference, *words, "--idl", self.idl], capture_output=True, text=True, timeout=50,
                              env=served.ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout) if status == 0 and done.stdout else done.stdout + done.stderr
