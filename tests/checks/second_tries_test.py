"""tools/second-tries with a project that has a test of each kind: argument 1 is the tool."""

import os
import subprocess
import sys
import tempfile
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
    def run_with(self, folder, *settings):
        with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
            file.write(PROJECT)
        subprocess.run(["cmake", "-S", folder, "-B", folder, *settings], check=True, stdout=subprocess.DEVNULL)
        return subprocess.run([TOOL, "ctest", "--test-dir", folder], stdout=subprocess.PIPE, text=True)

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


unittest.main()
