#!/usr/bin/env python3
"""record_test.py TAKT: what `takt record` shows of the messages of real processes, one of which was killed. tshark is the referee of
dumps where it is installed."""

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

TAKT = sys.argv.pop(1)
TSHARK = shutil.which("tshark")


IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../idl/CosNaming.idl")


def run_takt(*words):
    return subprocess.run([TAKT, *words], capture_output=True, timeout=60, check=False)


class Recordings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="takt-recordings-")
        cls.files = {}
        for kind, endpoint in (("tcp", "iiop://127.0.0.1:0"), ("v6", "iiop://[::1]:0"), ("unix", f"unix:{cls.folder}/socket")):
            cls.files[kind] = (f"{cls.folder}/{kind}.server", f"{cls.folder}/{kind}.client")
            cls.talk(endpoint, *cls.files[kind])

    @classmethod
    def talk(cls, endpoint, server, client):
        """A naming service that is killed, and its client, each with a recording."""
        naming = subprocess.Popen([TAKT, "naming", "--memory", "-ORBListenEndpoints", endpoint, "-ORBRecorder", "1MiB",
                                   "-ORBRecorderFile", server, "-ORBRecorderMessageSize", "300"], stdout=subprocess.PIPE, text=True)
        try:
            reference = naming.stdout.readline().strip()
            cls.found = run_takt("record", "find", str(naming.pid))
            done = run_takt("name", "mkdir", "--service", reference, "made", "-ORBRecorder", "1MiB", "-ORBRecorderFile", client)
            assert done.returncode == 0, done.stderr
            long_name = "n" * 240
            done = run_takt("name", "mkdir", "--service", reference, long_name, "-ORBRecorder", "1MiB", "-ORBRecorderFile", client + ".long")
            assert done.returncode == 0, done.stderr
        finally:
            naming.kill()
            naming.communicate(timeout=30)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def record(self, *words, status=0):
        done = run_takt("record", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr.decode()

    def listed(self, file):
        return json.loads(self.record("list", "--json", file))

    def test_the_requests_of_the_client_are_those_of_the_server(self):
        for server, client in self.files.values():
            sent = [each["operation"] for each in self.listed(client)["messages"] if each["direction"] == "sent" and each["operation"]]
            received = [each["operation"] for each in self.listed(server)["messages"] if each["direction"] == "received"]
            self.assertTrue(sent)
            self.assertEqual([each for each in received if each][:len(sent)], sent)

    def test_list_has_a_line_for_each_message_and_each_connection(self):
        server, _ = self.files["tcp"]
        whole, lines = self.listed(server), self.record("list", server).decode().splitlines()
        self.assertEqual(len(lines), len(whole["messages"]) + len(whole["connections"]))
        self.assertRegex(lines[0], r"^20\d\d-\d\d-\d\dT\S+Z thread \d+ connection 1 received Request of GIOP 1.2, request \d+ \w+, \d+ octets$")
        self.assertRegex(lines[-1], r"^connection \d+ accepted: tcp 127\.0\.0\.1:\d+ -> 127\.0\.0\.1:\d+$")

    def test_find_names_the_recording_of_a_process(self):
        self.assertEqual(self.found.stdout.decode().strip(), os.path.realpath(self.files["unix"][0]))
        self.assertIn("records nothing", self.record("find", str(os.getpid()), status=1))

    def following(self, recording, *words):
        """A command that follows a recording, once it has begun."""
        follower = subprocess.Popen([TAKT, *words, recording], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(follower.communicate)
        self.addCleanup(follower.kill)
        if "--json" not in words:
            self.assertIn("following", follower.stderr.readline())
        return follower

    def served(self, file):
        server = subprocess.Popen([TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBRecorder", "64KiB",
                                   "-ORBRecorderFile", file], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server, server.stdout.readline().strip()

    def test_watch_shows_calls_with_their_contents(self):
        server, reference = self.served(f"{self.folder}/watched")
        watch = self.following(str(server.pid), "watch", "--all", "--json", "--idl", IDL, "--count", "4", "--operation", "bind_new_context")
        failing = self.following(str(server.pid), "watch", "--idl", IDL, "--count", "2", "--operation", "resolve")
        for number in range(2):
            self.assertEqual(run_takt("name", "mkdir", "--service", reference, f"made {number}").returncode, 0)
        run_takt("name", "resolve", "--service", reference, "none")
        calls = [json.loads(line) for line in watch.communicate(timeout=30)[0].splitlines()]
        self.assertEqual([(call["direction"], call["operation"]) for call in calls],
                         [("received", "bind_new_context"), ("sent", "bind_new_context")] * 2)
        for number in range(2):
            self.assertEqual(calls[2 * number]["contents"], {"n": [{"id": f"made {number}", "kind": ""}]})
            self.assertTrue(calls[2 * number + 1]["contents"].startswith("IOR:"))
            self.assertGreater(calls[2 * number + 1]["after_ns"], 0)
        lines = failing.communicate(timeout=30)[0].splitlines()
        self.assertRegex(lines[0], r'Z connection \d+ received request \d+ resolve \{"n":\[\{"id":"none","kind":""\}\]\}$')
        self.assertRegex(lines[1], r'sent reply \d+ resolve after [\d.]+ us \{"exception":"IDL:omg.org/CosNaming/NamingContext/NotFound:1.0",'
                                   r'"members":\{"why":"missing_node"')

    def test_watch_follows_a_ring_that_turns_and_a_process_that_starts_again(self):
        file = f"{self.folder}/watched"
        server, reference = self.served(file)
        watch = self.following(str(server.pid), "watch", "--all", "--json", "--operation", "list", "--count", "120")
        watch_of_file = self.following(file, "watch", "--all", "--json", "--operation", "list", "--count", "122")
        for _ in range(60):
            self.assertEqual(run_takt("name", "list", "--service", reference).returncode, 0)
        self.assertEqual(len(watch.communicate(timeout=30)[0].splitlines()), 120)
        # What it has not read when the next process begins the file anew, it misses.
        calls = [json.loads(watch_of_file.stdout.readline()) for _ in range(120)]
        server.kill()
        server.wait()
        os.truncate(file, 0)  # as the next process does, which takes its time
        _, reference = self.served(file)
        self.assertEqual(run_takt("name", "list", "--service", reference).returncode, 0)
        calls += [json.loads(line) for line in watch_of_file.communicate(timeout=30)[0].splitlines()]
        self.assertEqual([call["direction"] for call in calls], ["received", "sent"] * 61)

    def blocks_of(self, octets):
        """The blocks of a pcapng file after its section and its interface."""
        blocks, at = [], 0
        while at < len(octets):
            size = struct.unpack_from("<I", octets, at + 4)[0]
            blocks.append(octets[at:at + size])
            at += size
        self.assertEqual([struct.unpack_from("<I", block)[0] for block in blocks[:2]], [0x0A0D0D0A, 1])
        return blocks[2:]

    def test_attach_writes_what_passes_as_a_dump_does(self):
        server, reference = self.served(f"{self.folder}/attached")
        live = f"{self.folder}/live.pcapng"
        attached = self.following(str(server.pid), "record", "attach", "-o", live, "--count", "4")
        for number in range(2):
            self.assertEqual(run_takt("name", "mkdir", "--service", reference, f"made {number}").returncode, 0)
        self.assertEqual(attached.wait(timeout=30), 0)
        whole = run_takt("record", "attach", "--all", "--for", "200ms", f"{self.folder}/attached")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        with open(live, "rb") as file:
            passed = self.blocks_of(file.read())
        dumped = self.blocks_of(self.record("dump", str(server.pid)))
        self.assertGreaterEqual(len(passed), 4)
        self.assertEqual(passed, dumped[:len(passed)])
        self.assertEqual(self.blocks_of(whole.stdout), dumped)

    def test_attach_begins_connections_anew_with_a_new_process(self):
        file = f"{self.folder}/attached"
        server, reference = self.served(file)
        attached = self.following(file, "record", "attach", "--all")
        head = attached.stdout.buffer
        self.assertEqual(run_takt("name", "mkdir", "--service", reference, "made").returncode, 0)
        octets = head.read1(1 << 20)
        while b"bind_new_context" not in octets:
            octets += head.read1(1 << 20)
        server.kill()
        server.wait()
        os.truncate(file, 0)
        _, reference = self.served(file)
        self.assertEqual(run_takt("name", "mkdir", "--service", reference, "made").returncode, 0)
        while octets.count(b"bind_new_context") < 2:
            octets += head.read1(1 << 20)
        attached.send_signal(signal.SIGINT)
        octets += head.read()
        self.assertEqual(attached.wait(timeout=30), 0)
        # The packets that open a connection have no octets after their heads of 40.
        def openings(file):
            return sum(struct.unpack_from("<I", block, 20)[0] == 40 for block in self.blocks_of(file))
        of_one = openings(self.record("dump", file))
        self.assertGreaterEqual(of_one, 3)
        self.assertEqual(openings(octets), 2 * of_one)

    def test_attach_never_writes_into_the_recording(self):
        server, _ = self.files["tcp"]
        before = os.path.getsize(server)
        self.assertIn("it is the recording itself", self.record("attach", server, "-o", server, status=2))
        self.assertEqual(os.path.getsize(server), before)

    def test_commands_take_the_number_of_a_process(self):
        server, reference = self.served(f"{self.folder}/by number")
        self.assertEqual(run_takt("name", "mkdir", "--service", reference, "made").returncode, 0)
        for command in ("list", "dump"):
            self.assertEqual(self.record(command, str(server.pid)), self.record(command, f"{self.folder}/by number"))
            self.assertIn("records nothing", self.record(command, str(os.getpid()), status=1))

    def test_hz_counts_calls_by_operation(self):
        server, reference = self.served(f"{self.folder}/watched")
        rates = self.following(str(server.pid), "hz", "--interval", "5s", "--count", "1")
        for _ in range(3):
            run_takt("name", "list", "--service", reference)
        run_takt("name", "resolve", "--service", reference, "none")
        head, *lines = rates.communicate(timeout=30)[0].splitlines()
        self.assertEqual(head.split(), ["calls/s", "octets/s", "p50", "slowest", "exceptions", "operation"])
        self.assertRegex(lines[0], r"^ +0\.6 +\d+ +[\d.]+ us +[\d.]+ us +0  received list$")
        self.assertRegex(lines[1], r"^ +0\.2 +\d+ +[\d.]+ us +[\d.]+ us +1  received resolve$")

    def test_watch_refuses_what_it_cannot_follow(self):
        for words, status, why in ((("watch", str(os.getpid())), 1, "records nothing"), (("watch", "/dev/null"), 2, "it is not a regular file"),
                                   (("hz", "/etc/passwd"), 2, "not a file of -ORBRecorder"),
                                   (("watch", "--idl", IDL, "--interface", "None", self.files["tcp"][0]), 2, "no interface None")):
            done = run_takt(*words)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(why, done.stderr.decode())

    def test_a_dump_is_well_formed(self):
        for server, _ in self.files.values():
            dump, at, kinds = self.record("dump", server), 0, []
            while at < len(dump):
                kind, size = struct.unpack_from("<II", dump, at)
                self.assertEqual(size % 4, 0)
                self.assertEqual(struct.unpack_from("<I", dump, at + size - 4)[0], size)
                kinds.append(kind)
                at += size
            self.assertEqual(at, len(dump))
            self.assertEqual(kinds[:2], [0x0A0D0D0A, 1])
            self.assertEqual(set(kinds[2:]), {6})

    @unittest.skipUnless(TSHARK, "tshark is not installed")
    def test_tshark_decodes_the_messages(self):
        for kind, (server, client) in self.files.items():
            for file in (server, client):
                dumped = file + ".pcapng"
                self.record("dump", file, "--output", dumped)
                fields = ("giop.type", "giop.request_op", "giop.request_id", "tcp.stream", "_ws.malformed", "ip.checksum.status", "tcp.checksum.status",
                          "tcp.analysis.flags", "frame.comment", "frame.len", "frame.cap_len")
                done = subprocess.run([TSHARK, "-r", dumped, "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-T", "json",
                                       *[word for field in fields for word in ("-e", field)]], capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                packets = [packet["_source"]["layers"] for packet in json.loads(done.stdout)]
                seen = [packet["giop.request_op"][0] for packet in packets if "giop.request_op" in packet]
                expected = [message["operation"] for message in self.listed(file)["messages"] if message["operation"]]
                self.assertEqual(seen, expected, kind)
                for packet in packets:
                    whole = packet["frame.len"] == packet["frame.cap_len"]
                    if whole:
                        self.assertNotIn("_ws.malformed", packet)
                        self.assertNotIn(packet.get("tcp.checksum.status"), (["0"], ["3"]))
                    self.assertNotIn("tcp.analysis.flags", packet)
                    self.assertNotIn(packet.get("ip.checksum.status"), (["0"], ["3"]))
                self.assertTrue(any("connection 1: " in packet.get("frame.comment", [""])[0] for packet in packets))

    @unittest.skipUnless(TSHARK, "tshark is not installed")
    def test_tshark_sees_how_long_cut_messages_were(self):
        server, _ = self.files["tcp"]
        cut = [message["octets"] for message in self.listed(server)["messages"] if message["kept"] < message["octets"]]
        self.assertTrue(cut)
        dumped = server + ".cut.pcapng"
        self.record("dump", server, "-o", dumped)
        done = subprocess.run([TSHARK, "-r", dumped, "-T", "fields", "-e", "frame.len", "-e", "frame.cap_len"], capture_output=True, text=True,
                              timeout=60, check=True)
        lengths = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
        self.assertEqual([whole - 40 for whole, kept in lengths if kept < whole], cut)

    def test_the_recording_itself_is_never_the_output(self):
        server, _ = self.files["tcp"]
        before = os.path.getsize(server)
        self.assertIn("it is the recording itself", self.record("dump", server, "-o", server, status=2))
        self.assertEqual(os.path.getsize(server), before)

    def test_other_files_are_refused_with_the_reason(self):
        server, _ = self.files["tcp"]
        with open(server, "rb") as file:
            octets = file.read()
        for name, contents, why in (("none", None, "it cannot be read: No such file or directory"), ("empty", b"", "not a file of -ORBRecorder"),
                                    ("letter", b"Dear reader" * 1000, "not a file of -ORBRecorder"), ("cut", octets[:-1], "it has been cut"),
                                    ("version", octets[:8] + b"\7" + octets[9:], "another version"),
                                    ("huge", octets[:16] + b"\xff" * 8 + octets[24:], "more messages than a file can have")):
            path = self.folder + "/" + name
            if contents is not None:
                with open(path, "wb") as file:
                    file.write(contents)
            for command in ("list", "dump"):
                self.assertIn(why, self.record(command, path, status=2), name)


if __name__ == "__main__":
    unittest.main()
