"""tools/second-tries with a project that has a test of each kind: argument 1 is the tool."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = sys.argv.pop(1)
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(kinds NONE)
enable_testing()
add_test(NAME good COMMAND true)
add_test(NAME late COMMAND sh -c "test -e late || { touch late; exit 1; }")
add_test(NAME skips COMMAND sh -c "exit 77")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
if(BAD)
  add_test(NAME bad COMMAND sh -c "echo try >> bad; exit 1")
endif()
"""


class SecondTries(unittest.TestCase):
    def run_with(self, folder, *settings, tool=()):
        with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
            file.write(PROJECT)
        subprocess.run(["cmake", "-S", folder, "-B", folder, *settings], check=True, stdout=subprocess.DEVNULL)
        return subprocess.run([TOOL, *tool, "ctest", "--test-dir", folder], stdout=subprocess.PIPE, text=True)

    def program(self, folder, text):
        path = os.path.join(folder, "beside")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o700)
        return path

    def test_a_late_test_is_listed_before_the_summary_and_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            run = self.run_with(folder)
            self.assertEqual(run.returncode, 0, run.stdout)
            self.assertIn("1 passed only at the second try:\n\tlate\n\n100% tests passed, 0 tests failed", run.stdout)

    def test_a_test_that_fails_twice_fails_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            run = self.run_with(folder, "-DBAD=1")
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("1 tests failed out of 4", run.stdout)
            self.assertIn("second try:\n\tlate\n", run.stdout)
            with open(os.path.join(folder, "bad")) as tries:
                self.assertEqual(len(tries.readlines()), 2)

    def test_what_runs_beside_speaks_before_the_summary(self):
        with tempfile.TemporaryDirectory() as folder:
            beside = self.program(folder, "sleep 1; echo attacked\n")
            run = self.run_with(folder, tool=["--beside", beside])
            self.assertEqual(run.returncode, 0, run.stdout)
            self.assertIn("attacked\n1 passed only at the second try:\n\tlate\n\n100% tests passed", run.stdout)

    def test_what_fails_beside_fails_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            run = self.run_with(folder, tool=["--beside", self.program(folder, "exit 3\n")])
            self.assertEqual(run.returncode, 3)
            self.assertIn("beside failed: exit status 3\n", run.stdout)
            self.assertIn("100% tests passed", run.stdout)

    def test_what_runs_beside_shares_the_session_where_priorities_hold(self):
        with tempfile.TemporaryDirectory() as folder:
            beside = self.program(folder, "echo session $(cut -d ' ' -f 6 /proc/$$/stat)\n")
            run = self.run_with(folder, tool=["--beside", beside])
            self.assertIn(f"session {os.getsid(0)}\n", run.stdout)

    def test_what_runs_beside_is_stopped_if_nothing_is_tested(self):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            run = subprocess.run([TOOL, "--beside", self.program(folder, "sleep 50\n"), "false"], stdout=subprocess.PIPE, text=True)
            self.assertNotEqual(run.returncode, 0)
            self.assertLess(time.monotonic() - began, 25)

    def test_what_runs_beside_is_stopped_with_the_tool(self):
        for end in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(end=end):
                self.stop_with(end)

    def stop_with(self, end):
        with tempfile.TemporaryDirectory() as folder:
            number = os.path.join(folder, "number")
            beside = self.program(folder, f"echo $$ > {number}.new; mv {number}.new {number}; exec sleep 50\n")
            with subprocess.Popen([TOOL, "--beside", beside, "sh", "-c", "exec sleep 5"], stdout=subprocess.DEVNULL) as tool:
                while not os.path.exists(number):
                    time.sleep(0.01)
                tool.send_signal(end)
            self.assertNotEqual(tool.returncode, 0)
            with open(number) as file:
                beside = int(file.read())
            until = time.monotonic() + 25
            while os.path.exists(f"/proc/{beside}/cmdline") and open(f"/proc/{beside}/cmdline").read():
                self.assertLess(time.monotonic(), until, "it runs on")
                time.sleep(0.01)


unittest.main()
