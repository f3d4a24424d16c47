"""rows_test.py TAKT WORKER: TAO's interface to an implementation repository, and the modes of activation, row by row."""

import json
import os
import subprocess
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, WORKER, eventually, run

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "ImplementationRepository.idl")
OPTIONS = json.dumps({"command_line": "/bin/true", "environment": [], "working_directory": "", "activation": "NORMAL", "activator": "",
                      "start_limit": 1})

# Name of the row; operation and arguments; exit status (0, 1 for a system exception, 3 for one of the IDL); part of the output.
CALLS = [
    ("find", ("find", '"normal"'), 0, '"activation": "NORMAL"'),
    ("find: MANUAL", ("find", '"manual"'), 0, '"activation": "MANUAL"'),
    ("find: PER_CLIENT", ("find", '"per-client"'), 0, '"activation": "PER_CLIENT"'),
    ("find: AUTO_START", ("find", '"automatic"'), 0, '"activation": "AUTO_START"'),
    ("find: start_limit", ("find", '"normal"'), 0, '"start_limit": 3'),
    ("find: a server that does not run", ("find", '"normal"'), 0, '"activeStatus": "ACTIVE_NO"'),
    ("find: the names of JacORB", ("find", '"JACORB:normal/poa"'), 0, '"server": "normal"'),
    ("find: the names of TAO with -ORBServerId", ("find", '"id:normal"'), 0, '"server": "normal"'),
    ("find: no such server", ("find", '"nothing"'), 0, '"activeStatus": "ACTIVE_NO"'),
    ("find: no command", ("find", '"normal"'), 0, '"command_line": ""'),
    ("server_is_running: NotFound", ("server_is_running", '"nothing"', '""', '"corbaloc::127.0.0.1:1/x"'), 3, "NotFound"),
    ("server_is_running: nil", ("server_is_running", '"normal"', '""', "null"), 1, "BAD_PARAM"),
    ("server_is_running: nobody listens", ("server_is_running", '"normal"', '""', '"corbaloc::127.0.0.1:1/x"'), 1, "NO_PERMISSION"),
    ("server_is_shutting_down: NotFound", ("server_is_shutting_down", '"nothing"'), 3, "NotFound"),
    ("server_is_shutting_down", ("server_is_shutting_down", '"normal"'), 0, ""),
    ("activate_server", ("activate_server", '"normal"'), 1, "NO_PERMISSION"),
    ("add_or_update_server", ("add_or_update_server", '"new"', OPTIONS), 1, "NO_PERMISSION"),
    ("remove_server", ("remove_server", '"normal"'), 1, "NO_PERMISSION"),
    ("shutdown_server", ("shutdown_server", '"normal"'), 1, "NO_PERMISSION"),
    ("shutdown", ("shutdown", "true", "true"), 0, ""),
]

# Mode; the outcomes of a request before the owner has started the server, and after that: a part of the text, or that it is served.
MODES = [("normal", "served", "served"), ("manual", "TRANSIENT", "served"), ("automatic", "served", "served"), ("per-client", "served", "served")]


class Rows(Repository):
    def setUp(self):
        super().setUp()
        for mode, _, _ in MODES:
            self.add(mode, options=("--mode", mode, "--start-limit", "3"))

    def call_at(self, target, *words, status=0):
        done = subprocess.run([TAKT, "call", "--idl", IDL, target, *words], capture_output=True, text=True, timeout=PATIENCE, env=ENVIRONMENT,
                              check=False)
        self.assertEqual(done.returncode, status, (words, done.stdout, done.stderr))
        return done.stdout + done.stderr

    def ask(self, *words, status=0):
        return self.call_at(self.url + "ImplRepoService", *words, status=status)

    def test_calls(self):
        for row, words, status, part in CALLS:
            with self.subTest(row):
                self.assertIn(part, self.ask(*words, status=status))

    def test_lists(self):
        every = ["automatic", "manual", "normal", "per-client"]
        for row, how_many, names, rest in (("all", 0, every, False), ("more than there are", 9, every, False),
                                           ("as many as there are", 4, every, False), ("some", 3, every[:3], True)):
            with self.subTest(row):
                out = json.loads(self.ask("list", str(how_many), "false"))["out"]
                self.assertEqual([each["server"] for each in out["server_list"]], names)
                self.assertEqual(bool(out["server_iterator"]), rest)
        iterator = out["server_iterator"]
        for row, left, names in (("the rest", True, every[3:]), ("nothing is left", False, [])):
            with self.subTest(row):
                answer = json.loads(self.call_at(iterator, "next_n", "9"))
                self.assertEqual((answer["result"], [each["server"] for each in answer["out"]["server_list"]]), (left, names))
        self.call_at(iterator, "destroy")
        self.assertIn("OBJECT_NOT_EXIST", self.call_at(iterator, "destroy", status=1))
        first, *_, last = [json.loads(self.ask("list", "1", "false"))["out"]["server_iterator"] for _ in range(17)]
        self.assertIn("OBJECT_NOT_EXIST", self.call_at(first, "next_n", "1", status=1), "the oldest of more than 16 ends")
        self.call_at(last, "next_n", "1")

    def test_modes(self):
        for mode, before, after in MODES:
            for when, wanted in (("before", before), ("after", after)):
                with self.subTest(f"{mode}, {when} its owner starts it"):
                    said = run(WORKER, "call", self.url + mode, "1", "1").strip().split(" ", 1)[1]
                    self.assertTrue(said.isdigit() if wanted == "served" else wanted in said, said)
                if when == "before" and mode != "per-client":
                    self.imr("start", mode)
                    eventually(lambda name=mode: self.status(name)["phase"] == "running", "it does not run")
        listed = {each["server"]: each for each in json.loads(self.ask("list", "0", "true"))["out"]["server_list"]}
        self.assertEqual(listed["manual"]["activeStatus"], "ACTIVE_MAYBE")
        self.assertTrue(listed["manual"]["partial_ior"].startswith("corbaloc:iiop:127.0.0.1:"), listed["manual"])
        self.assertTrue(listed["manual"]["partial_ior"].endswith("/"))


if __name__ == "__main__":
    unittest.main(argv=["rows_test.py"])
