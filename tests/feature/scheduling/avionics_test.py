"""The avionics example, from its schedule to the page about its run: avionics_test.py TAKT FOLDER_OF_EXAMPLES TOML"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

TAKT, PROGRAMS, SCHEDULE = sys.argv[1:4]
OPTIONS = ["-ORBPersonality", "avionics", "-ORBLogLevel", "error", "-ORBListenEndpoints", "unix:"]
OPERATIONS = ["Navigation::update", "Steering::command", "Display::draw", "Maintenance::log"]


def takt(*arguments):
    return subprocess.run([TAKT, "schedule", *arguments], capture_output=True, text=True, timeout=30)


class Avionics(unittest.TestCase):
    def run_for_a_second(self, folder):
        references, run = os.path.join(folder, "references"), os.path.join(folder, "run.json")
        server = subprocess.Popen([os.path.join(PROGRAMS, "avionics_server"), *OPTIONS], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        try:
            with open(references, "w") as file:
                for line in server.stdout:
                    file.write(line)
                    if line == "END\n":
                        break
            subprocess.run([os.path.join(PROGRAMS, "avionics_client"), references, "1", run, *OPTIONS],
                           check=True, timeout=30)
        finally:
            server.stdin.close()
            server.wait(10)
            server.stdout.close()
        return run

    def test_its_run_is_held_against_its_schedule(self):
        with tempfile.TemporaryDirectory() as folder:
            run = self.run_for_a_second(folder)
            with open(run) as file:
                jobs = {each["entry_point"]: each["jobs"] for each in json.load(file)["operations"]}
            self.assertEqual(sorted(jobs), sorted(OPERATIONS))
            self.assertEqual(jobs["Maintenance::log"], 1)
            self.assertGreater(jobs["Navigation::update"], 2)
            table = takt("compare", SCHEDULE, run).stdout
            for name in OPERATIONS:
                self.assertIn(name, table)
            page = takt("page", SCHEDULE, "--measured", run).stdout
            self.assertIn("Predicted and measured", page)

    def compare(self, operations):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(operations, file)
            file.flush()
            return takt("compare", SCHEDULE, file.name)

    def test_a_bound_that_is_exceeded_and_a_miss_are_said(self):
        fine = {"entry_point": "Navigation::update", "jobs": 10, "misses": 0, "median_ns": 10_000_000,
                "p99_ns": 11_000_000, "longest_ns": 12_000_000, "jitter_ns": 2_000_000}
        self.assertEqual(self.compare({"operations": [fine]}).returncode, 0)
        self.assertEqual(self.compare({"operations": [dict(fine, longest_ns=13_000_001)]}).returncode, 1)
        self.assertEqual(self.compare({"operations": [dict(fine, misses=1)]}).returncode, 1)

    def test_what_is_no_run_is_refused(self):
        for wrong in [], {}, {"operations": [{}]}, {"operations": [7]}, {"operations": [{"entry_point": "x"}]}:
            refused = self.compare(wrong)
            self.assertEqual(refused.returncode, 2, wrong)
            self.assertIn("takt schedule: ", refused.stderr)


unittest.main(argv=sys.argv[:1])
