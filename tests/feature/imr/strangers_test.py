"""strangers_test.py TAKT WORKER: a server of omniORB, its naming service, is started and found. Skipped without omniNames."""

import os
import shutil
import signal
import sys
import unittest

from repository import Repository, TAKT, eventually, free_port, run

OMNINAMES, NAMECLT = shutil.which("omniNames"), shutil.which("nameclt")


class Strangers(Repository):
    def test_omninames(self):
        port, reference, logs = free_port(), self.path("reference"), self.path("logs")
        os.mkdir(logs)
        command = (f"echo corbaloc::127.0.0.1:{port}/NameService > {reference}; "
                   f"exec {OMNINAMES} -start {port} -always -logdir {logs} -errlog {self.path('errors')}")
        run(TAKT, "imr", "add", "names", "--reference", reference, "--socket", self.path("socket"), "--", "/bin/sh", "-c", command)
        service = ("--service", self.url + "names")
        run(TAKT, "name", "mkdir", "a", *service)
        self.assertEqual(run(TAKT, "name", "list", *service), "a/\n")
        pid = self.pid("names")
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            self.assertEqual(file.read(), "omniNames\n")
        os.kill(pid, signal.SIGKILL)
        self.gone(pid)
        self.assertEqual(run(TAKT, "name", "list", *service), "a/\n", "it is started again, with its names")
        self.assertEqual(self.status("names")["failures"], 1)
        self.imr("stop", "names")
        eventually(lambda: self.status("names")["phase"] == "stopped", "it does not stop")

    @unittest.skipUnless(NAMECLT, "nameclt is not installed")
    def test_clients_of_omniorb_are_forwarded(self):
        port, reference, logs = free_port(), self.path("reference"), self.path("logs")
        os.mkdir(logs)
        command = (f"sleep 0.3; echo corbaloc::127.0.0.1:{port}/NameService > {reference}; "
                   f"exec {OMNINAMES} -start {port} -always -logdir {logs} -errlog {self.path('errors')}")
        run(TAKT, "imr", "add", "names", "--reference", reference, "--socket", self.path("socket"), "--", "/bin/sh", "-c", command)
        ior = self.imr("reference", "names").strip()
        run(NAMECLT, "-ior", ior, "bind_new_context", "b")
        self.assertIn("b/", run(NAMECLT, "-ior", ior, "list"))
        self.assertEqual(self.status("names")["starts"], 1)


if __name__ == "__main__":
    if not OMNINAMES:
        print("omniNames is not installed")
        sys.exit(77)
    unittest.main(argv=["strangers_test.py"])
