#!/usr/bin/env python3
"""replay_test.py TAKT HELLO_SERVER HELLO_IDL: recorded calls that are sent again, to servers whose answers depend on their requests alone,
and to one whose answers do not."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TAKT, HELLO_SERVER, HELLO_IDL = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
NAMING_IDL = os.path.join(os.path.dirname(HELLO_IDL), "..", "..", "idl", "CosNaming.idl")
CALLS = 10_000


def run_takt(*words):
    return subprocess.run([TAKT, *words], capture_output=True, text=True, timeout=120, check=False)


class Replays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="takt-replays-")
        cls.servers, cls.recording = [], cls.folder + "/calls"
        cls.first, cls.second = cls.hello(), cls.hello()
        cls.record("calls", "32MiB", "--repeat", str(CALLS))

    @classmethod
    def tearDownClass(cls):
        for server in cls.servers:
            server.kill()
            server.communicate(timeout=30)
        shutil.rmtree(cls.folder)

    @classmethod
    def hello(cls, *options):
        """Starts a server; returns its reference."""
        cls.servers.append(subprocess.Popen([HELLO_SERVER, "-ORBListenEndpoints", "iiop://127.0.0.1:0", *options],
                                            stdout=subprocess.PIPE, text=True))
        return cls.servers[-1].stdout.readline().strip()

    @classmethod
    def naming(cls, name, size="1MiB"):
        """Starts a naming service that records; returns its reference and its recording."""
        file = f"{cls.folder}/{name}"
        cls.servers.append(subprocess.Popen([TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBRecorder", size,
                                             "-ORBRecorderFile", file], stdout=subprocess.PIPE, text=True))
        return cls.servers[-1].stdout.readline().strip(), file

    @classmethod
    def record(cls, name, size, *more, argument='"World"', server=None):
        done = run_takt("call", server or cls.first, "greet", argument, "--idl", HELLO_IDL, *more, "-ORBRecorder", size, "-ORBRecorderFile",
                        f"{cls.folder}/{name}")
        assert done.returncode == 0, done.stderr

    def replay(self, *words, status=0):
        done = run_takt("replay", *words)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def counts(self, *words, status=0):
        return json.loads(self.replay("--json", *words, status=status).stdout)

    def test_a_hundred_thousand_calls_have_the_same_replies(self):
        # Operations of a naming service that depend on their arguments alone: results, and exceptions with members.
        names, recording = self.naming("many", "128MiB")
        for number in range(20):
            operation = "resolve_str" if number % 5 == 4 else "to_name"
            done = run_takt("call", names, operation, json.dumps("/".join(["a.b"] * (number + 1))), "--idl", NAMING_IDL, "--repeat", "5000")
            self.assertEqual(done.returncode, 0, done.stderr)
        counts = self.counts("--expect", "same", recording, self.naming("other names")[0])
        self.assertEqual((counts["same"], counts["replayed"], counts["unfit"]), (100_000, 100_000, {}))

    def test_calls_that_a_client_has_recorded_have_the_same_replies(self):
        counts = self.counts("--sent", "--expect", "same", self.recording, self.second)
        self.assertGreaterEqual(counts["replayed"], CALLS)
        self.assertEqual((counts["same"], counts["different"], counts["failed"]), (counts["replayed"], 0, 0))
        self.assertEqual(counts["unfit"], {})

    def test_messages_of_each_form_are_sent_again(self):
        long = json.dumps("W" * 2000)
        forms = {"1.0": (["-ORBGIOPVersion", "1.0"], [], '"World"', b"GIOP\x01\x00"),
                 "1.1": (["-ORBGIOPVersion", "1.1"], [], '"World"', b"GIOP\x01\x01"),
                 "fragments": (["-ORBFragmentSize", "256"], ["-ORBFragmentSize", "256"], long, b"\x03\x07"),
                 "lite": (["-ORBMessaging", "giop-lite"], ["-ORBMessaging", "giop-lite"], '"World"', b"L\x01"),
                 "compressed": (["-ORBCompression", "on"], ["-ORBCompression", "on"], long, b"Z\x01")}
        for form, (client, server, argument, mark) in forms.items():
            with self.subTest(form):
                self.record(form, "1MiB", "--repeat", "5", *client, argument=argument, server=self.hello(*server))
                with open(f"{self.folder}/{form}", "rb") as file:
                    self.assertIn(mark, file.read(), "the recording has the form")
                counts = self.counts("--sent", "--expect", "same", f"{self.folder}/{form}", self.second)
                self.assertGreaterEqual(counts["same"], 5)
                self.assertEqual((counts["same"], counts["unfit"]), (counts["replayed"], {}))

    def test_replies_in_fragments_are_read(self):
        self.record("long", "1MiB", argument=json.dumps("W" * 2000))
        server = self.hello("-ORBFragmentSize", "256")
        self.assertGreaterEqual(self.counts("--sent", "--expect", "same", self.folder + "/long", server)["same"], 1)

    def test_the_recorded_times_are_kept_if_asked(self):
        done = run_takt("ping", "--count", "5", "--interval", "100ms", self.first, "-ORBRecorder", "1MiB", "-ORBRecorderFile",
                        self.folder + "/timed")
        self.assertEqual(done.returncode, 0, done.stderr)
        begin = time.monotonic()
        counts = self.counts("--sent", "--speed", "1", "--expect", "same", self.folder + "/timed", self.second)
        self.assertGreaterEqual(time.monotonic() - begin, 0.3)
        self.assertEqual(counts["same"], counts["replayed"])

    def test_other_replies_are_found(self):
        names, recording = self.naming("other")
        done = run_takt("name", "mkdir", "--service", names, "made")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.counts("--expect", "same", recording, names, status=1)["different"], 1)
        allowed = self.counts("--expect", "same", "--may-differ", "bind_new_context", recording, names)
        self.assertEqual(allowed["different"], 0)
        self.assertGreaterEqual(allowed["not_compared"], 1)  # the replays before are in the recording, too
        told = self.replay(recording, names).stderr  # without the option a difference is no failure
        self.assertRegex(told, r"bind_new_context: recorded a result of \d+ octets, now a user exception of \d+ octets; they differ from octet \d+ on")

    def test_a_server_that_is_gone_is_told(self):
        self.record("few", "1MiB")
        counts = self.counts("--sent", "--expect", "same", "--timeout", "1s", self.folder + "/few", "corbaloc::127.0.0.1:1/x", status=1)
        self.assertEqual(counts["failed"], counts["replayed"])

    def test_messages_that_were_cut_are_counted(self):
        self.record("cut", "1MiB", "-ORBRecorderMessageSize", "100", argument=json.dumps("W" * 300))
        told = run_takt("replay", "--sent", self.folder + "/cut", self.second)
        self.assertEqual(told.returncode, 1)
        self.assertIn("no request that can be replayed", told.stderr)

    def test_calls_of_several_objects_need_a_map(self):
        names, both = self.naming("several")
        port = re.search(r"port: (\d+)", run_takt("ior", names).stdout)[1]
        self.assertEqual(run_takt("name", "list", "--service", names).returncode, 0)
        self.assertEqual(run_takt("name", "list", "--service", f"corbaloc:iiop:1.2@127.0.0.1:{port}/NameService").returncode, 0)
        told = self.replay(both, names, status=2).stderr
        self.assertIn("--object KEY=REFERENCE", told)
        key = b"NameService".hex()
        self.assertRegex(told, key + r"  \d+ calls")
        for words in (["--object", f"{key}={names}"], ["--object", f"{key.upper()}={names}"], ["--keep-keys"]):
            counts = self.counts(*words, both, names)
            self.assertGreaterEqual(counts["replayed"], 2)
            self.assertEqual(counts["failed"], 0)
        told = self.replay("--object", f"abcd={names}", "--object", f"{key}={names}", both, names, status=2).stderr
        self.assertIn("no call of an object with the key abcd", told)

    def test_connections_that_the_server_has_closed_are_opened_again(self):
        done = run_takt("ping", "--count", "3", "--interval", "100ms", self.first, "-ORBRecorder", "1MiB", "-ORBRecorderFile",
                        self.folder + "/idle")
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = self.counts("--sent", "--speed", "1", "--expect", "same", self.folder + "/idle", self.hello("-ORBIdleTimeout", "20ms"))
        self.assertGreaterEqual(counts["same"], 3)
        self.assertEqual(counts["same"], counts["replayed"])

    def test_damaged_recordings_are_refused_or_sent_in_part(self):
        options = ["-ORBCompression", "on"]
        self.record("damaged", "64KiB", "--repeat", "5", *options, argument=json.dumps("W" * 2000), server=self.hello(*options))
        with open(self.folder + "/damaged", "rb") as file:
            whole = file.read()
        messages = [match.start() for match in re.finditer(rb"GIOP|Z\x01", whole)]
        chance = random.Random(7)
        for _ in range(25):
            octets = bytearray(whole)
            for _ in range(chance.randint(1, 6)):
                octets[min(chance.choice(messages) + chance.randint(0, 200), len(octets) - 1)] = chance.choice((0, 1, 255))
            with open(self.folder + "/wrong", "wb") as file:
                file.write(octets)
            done = run_takt("replay", "--sent", "--keep-keys", "--timeout", "300ms", self.folder + "/wrong", self.second)
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)

    def test_wrong_words_are_refused(self):
        self.assertIn("KEY=REFERENCE", self.replay("--sent", "--object", "nothing", self.recording, self.second, status=2).stderr)
        self.assertIn("OPERATION:FROM-TO", self.replay("--sent", "--may-differ", "a:2-1", self.recording, self.second, status=2).stderr)
        self.assertIn("not a file of -ORBRecorder", self.replay(HELLO_IDL, self.second, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
