"""takt schedule compare, when a job took longer than its bound."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

OPERATIONS = """
[[operation]]
name = "fast"
wcet = "1 ms"
period = "10 ms"
"""


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("fast.toml", OPERATIONS)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def compare(self, *options, longest=3_000_000, missed=0):
        figures = {"count": 5, "missed": missed, "left_out": 0, "shortest_ns": 500_000, "median_ns": 600_000, "p99_ns": 700_000,
                   "longest_ns": longest}
        self.write("run.json", json.dumps({"run_record": 1, "operations": [{"operation": "fast", "responses": figures}]}))
        return subprocess.run([TAKT, "schedule", "compare", "fast.toml", "run.json", *options], cwd=self.folder,
                              capture_output=True, text=True, timeout=60)

    def wake_ups(self, latest, priority=99):
        self.write("wake_ups.json", json.dumps({"findings": [
            {"check": "kernel"}, {"check": "wake-up, core 0", "latest_ns": 20_000, "priority": priority},
            {"check": "wake-up, core 1", "latest_ns": latest, "priority": priority}]}))
        return "--wake-ups", "wake_ups.json"

    def test_a_job_beyond_its_bound_is_named(self):
        done = self.compare()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("\nbeyond its bound: fast (by 2 ms)\n", done.stdout)

    def test_the_machines_own_delay_is_allowed_for_and_no_more(self):
        for latest, status, words in ((2_000_000, 0, "beyond its bound by no more than that: fast (by 2 ms)"),
                                      (1_999_999, 1, "beyond its bound by more than that: fast (by 2 ms)")):
            done = self.compare(*self.wake_ups(latest))
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            self.assertIn("the machine delayed its most urgent thread by up to", done.stdout)
            self.assertIn(words, done.stdout)
        (row,) = json.loads(self.compare(*self.wake_ups(2_000_000), "--json").stdout)["operations"]
        self.assertEqual((row["exceeds_bound"], row["beyond_bound_ns"]), (True, 2_000_000))

    def test_a_missed_deadline_counts_whatever_the_machine_did(self):
        self.assertEqual(self.compare(*self.wake_ups(1_000_000_000), longest=12_000_000, missed=1).returncode, 1)

    def test_wake_ups_that_other_threads_can_delay_are_refused(self):
        for priority in (80, 0):
            done = self.compare(*self.wake_ups(2_000_000, priority))
            self.assertEqual(done.returncode, 2)
            self.assertIn("takt rt check --priority 99", done.stderr)

    def test_other_files_are_refused(self):
        for text in ("", "{}", "[]", '{"findings": [{"check": "kernel"}]}', '{"findings": [{"latest_ns": -5, "priority": 99}]}'):
            self.write("other.json", text)
            done = self.compare("--wake-ups", "other.json")
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("other.json: no wake-ups", done.stderr)
        self.assertEqual(self.compare("--wake-ups", "nowhere.json").returncode, 2)


if __name__ == "__main__":
    TAKT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
