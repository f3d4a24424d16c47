#!/usr/bin/env python3
"""top_test.py TAKT: what `takt top` shows in a terminal and elsewhere."""

import json
import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

TAKT = sys.argv[1]


class Top(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="takt-top-")
        cls.admin = "unix:" + cls.folder + "/admin"
        cls.naming = subprocess.Popen([TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBAdmin", cls.admin,
                                       "-ORBServerConcurrency", "worker-pool"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(cls.folder + "/admin"):
            assert cls.naming.poll() is None
            time.sleep(0.01)

    @classmethod
    def tearDownClass(cls):
        cls.naming.terminate()
        cls.naming.wait(timeout=30)
        shutil.rmtree(cls.folder)

    def top(self, *arguments):
        return subprocess.run([TAKT, "top", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)

    def test_elsewhere_than_in_a_terminal_it_prints_one_look_as_plain_text(self):
        shown = self.top(self.admin)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn(f"takt naming, process {self.naming.pid}, up ", shown.stdout)
        self.assertIn("figures since its start", shown.stdout)
        self.assertIn("WAITING", shown.stdout)
        self.assertEqual(shown.stdout.count("OPERATION"), 1)
        self.assertNotIn("\x1b", shown.stdout)

    def test_further_looks_are_about_the_time_between(self):
        shown = self.top(self.admin, "--count", "3", "--interval", "0.05")
        self.assertEqual(shown.stdout.count("OPERATION"), 3)
        self.assertEqual(shown.stdout.count("figures of the last"), 2)

    def test_json_is_a_line_for_each_look(self):
        looks = [json.loads(line) for line in self.top(self.admin, "--json", "-c", "2", "-i", "0.05").stdout.splitlines()]
        self.assertEqual([look["since_start"] for look in looks], [True, False])
        self.assertEqual(looks[0]["process"], self.naming.pid)
        self.assertEqual(looks[0]["queues"][0]["waiting"], 0)
        self.assertGreater(looks[1]["up_ns"], looks[0]["up_ns"])

    def test_an_orb_that_does_not_answer_is_a_failure_with_its_name(self):
        shown = self.top("iiop://127.0.0.1:1")
        self.assertEqual((shown.returncode, shown.stdout), (1, ""))
        self.assertIn("takt top: iiop://127.0.0.1:1: ", shown.stderr)
        self.assertIn("connection refused", shown.stderr)

    def test_what_does_not_answer_does_not_hide_the_others(self):
        nowhere = "corbaloc::127.0.0.1:1/TaktTrading"
        shown = self.top(self.admin, "--trading", nowhere, "-c", "2", "-i", "0.05")
        self.assertEqual((shown.returncode, shown.stderr), (1, ""))
        self.assertEqual(shown.stdout.count(f"{nowhere}: does not answer: "), 2)
        self.assertEqual(shown.stdout.count(f"takt naming, process {self.naming.pid}, up "), 2)
        shown = self.top(self.admin, "--trading", nowhere, "--json", "-c", "2", "-i", "0.05")
        looks = [json.loads(line) for line in shown.stdout.splitlines()]
        self.assertEqual([(look["process"], look["services"][0]["target"]) for look in looks], [(self.naming.pid, nowhere)] * 2)
        self.assertIn("connection refused", looks[1]["services"][0]["failure"])

    def test_those_that_do_not_answer_are_asked_beside_the_others(self):
        silent = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
        orb, trader, repository = (each.getsockname()[1] for each in silent)
        with subprocess.Popen([TAKT, "top", f"iiop://127.0.0.1:{orb}", "--trading", f"corbaloc::127.0.0.1:{trader}/T", "--imr",
                               f"corbaloc::127.0.0.1:{repository}/I", "--timeout", "60"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as top:
            self.addCleanup(top.kill)
            clients = []
            for each in silent:
                each.settimeout(30)
                clients.append(each.accept()[0])  # while the others are not answered either
            for each in clients + silent:
                each.close()
            self.assertIn("does not answer", top.communicate(timeout=30)[1])

    def test_an_orb_that_ends_meanwhile_is_waited_for(self):
        with subprocess.Popen([TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBAdmin", self.admin + "2"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as naming:
            while not os.path.exists(self.folder + "/admin2"):
                self.assertIsNone(naming.poll())
                time.sleep(0.01)
            with subprocess.Popen([TAKT, "top", self.admin + "2", "--json", "-c", "3", "-i", "0.3"], stdout=subprocess.PIPE, text=True) as top:
                self.assertEqual(json.loads(top.stdout.readline())["process"], naming.pid)
                naming.terminate()
                naming.wait(timeout=30)
                looks = [json.loads(line) for line in top.stdout]
                self.assertEqual(len(looks), 2)
                self.assertIn("does not answer", looks[1]["failure"])
                self.assertEqual(top.wait(timeout=30), 1)

    def test_what_is_no_reference_is_said(self):
        shown = self.top("nothing/here")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("nothing/here", shown.stderr)

    def test_a_terminal_is_redrawn_until_an_interrupt(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([TAKT, "top", self.admin, "--interval", "0.05"], stdout=theirs, stdin=theirs, stderr=theirs) as top:
            os.close(theirs)
            text = b""
            while text.count(b"\x1b[J") < 3:
                self.assertTrue(select.select([ours], [], [], 30)[0], text)
                text += os.read(ours, 65536)
            top.send_signal(signal.SIGINT)
            while True:
                try:
                    if not os.read(ours, 65536):
                        break
                except OSError:  # the terminal's other end is closed
                    break
            self.assertEqual(top.wait(timeout=30), 0)
        os.close(ours)
        self.assertEqual(text.count(b"\x1b[2J"), 1)
        self.assertIn(b"figures of the last", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
