"""logs_test.py HELLO_SERVER HELLO_CLIENT: the log of a program as its operator sees it."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402

SERVER, CLIENT = sys.argv[1:3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")} | {"TAKT_LOCAL_ROADS": "off"}
PATIENCE_S = 30
LEVELS = {"error", "warning", "info", "debug", "trace"}


def eventually(true):
    end = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Logs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.log = self.path("log")

    def path(self, name):
        return os.path.join(self.folder, name)

    def serve(self, *options, endpoint="iiop://127.0.0.1:0"):
        server = subprocess.Popen([SERVER, "-ORBListenEndpoints", endpoint, *options], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        return server, server.stdout.readline().strip()

    def call(self, reference):
        done = subprocess.run([CLIENT, reference], env=ENVIRONMENT, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "Hello, world!\n"), done.stderr)

    def read(self, name="log"):
        try:
            with open(self.path(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def test_lines_of_json_are_read_by_any_parser(self):
        server, reference = self.serve("-ORBLogLevel", "trace", "-ORBLogFile", self.log, "-ORBLogFormat", "json",
                                       "-ORBSignals", "TERM")
        self.call(reference)
        server.terminate()
        self.assertEqual(server.wait(PATIENCE_S), 0)
        lines = [json.loads(line) for line in self.read().splitlines()]
        events = [line["event"] for line in lines]
        for event in ("listening", "connection-accepted", "message-received", "message-sent", "connection-closed"):
            self.assertIn(event, events)
        for line in lines:
            self.assertIn(line["level"], LEVELS)
            self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
            self.assertEqual(line["process"], server.pid)
            self.assertTrue(line["thread"] and line["thread_id"])
        self.assertIn("greet", [line.get("operation") for line in lines])

    def test_a_closed_standard_error_is_no_connection(self):
        _, reference = self.serve()
        for closed in ((2,), (0, 1, 2)):
            client = subprocess.run([CLIENT, reference, "-ORBLogLevel", "trace"], env=ENVIRONMENT, check=False, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, preexec_fn=lambda: [os.close(number) for number in closed])
            self.assertEqual(client.returncode, 0, "the lines of the log went to the server")

    def test_a_peer_controls_neither_lines_nor_terminals(self):
        port = free_port()
        server, _ = self.serve("-ORBLogLevel", "trace", "-ORBLogFile", self.log, "-ORBSignals", "TERM",
                               endpoint=f"iiop://127.0.0.1:{port}")
        operation = b"a\n\x1b[2J2026 forged\xff\0"
        body = bytes([1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 120, 0, 0, 0]) + len(operation).to_bytes(4, "little") + operation
        body += bytes(-len(body) % 4) + bytes(4)
        with socket.create_connection(("127.0.0.1", port)) as peer:
            peer.sendall(b"GIOP\1\2\1\0" + len(body).to_bytes(4, "little") + body)
            peer.recv(100)
        server.terminate()
        server.wait(PATIENCE_S)
        text = self.read()
        self.assertIn("operation a\\u000a\\u001b[2J2026 forged\ufffd", text)
        self.assertNotIn("\x1b", text)
        for line in text.splitlines():
            self.assertIn(f"Z takt[{server.pid}] ", line)

    def test_the_file_is_made_anew_on_hup(self):
        server, reference = self.serve("-ORBLogLevel", "info", "-ORBLogFile", self.log, "-ORBSignals", "HUP")
        self.call(reference)
        self.assertTrue(eventually(lambda: "connection-closed" in self.read()))
        os.rename(self.log, self.path("log.1"))
        server.send_signal(signal.SIGHUP)
        self.assertTrue(eventually(lambda: os.path.exists(self.log)))
        self.call(reference)
        self.assertTrue(eventually(lambda: "connection-closed" in self.read()))
        self.assertEqual(self.read("log.1").count("connection-accepted"), 1)

    def test_the_level_is_that_of_the_file_of_settings(self):
        config = self.path("takt.toml")

        def write(level):
            with open(config, "w", encoding="utf-8") as file:
                file.write(f'LogLevel = "{level}"\n')

        write("off")
        server, reference = self.serve("-ORBConfig", config, "-ORBLogFile", self.log, "-ORBSignals", "HUP")
        self.call(reference)
        self.assertEqual(self.read(), "")
        write("info")
        server.send_signal(signal.SIGHUP)

        def logged():
            self.call(reference)
            return "connection-accepted" in self.read()

        self.assertTrue(eventually(logged))

    def test_what_is_said_is_written_when_a_program_exits_without_destroy(self):
        done = subprocess.run([CLIENT, "corbaloc::127.0.0.1:1/x", "-ORBLogLevel", "info", "-ORBLogFile", self.log],
                              env=ENVIRONMENT, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("connect-failed [iiop 127.0.0.1:1]: ", self.read())

    def test_a_full_disk_stops_no_call(self):
        server, reference = self.serve("-ORBLogLevel", "trace", "-ORBLogFile", "/dev/full", "-ORBSignals", "TERM")
        for _ in range(3):
            self.call(reference)
        server.terminate()
        self.assertEqual(server.wait(PATIENCE_S), 0)
        self.assertEqual([line.split(" ")[4] for line in server.stderr.read().splitlines()], ["log-lost:"])

    def test_a_reader_that_does_not_read_stops_no_call(self):
        server, reference = self.serve("-ORBLogLevel", "trace", "-ORBSignals", "TERM")
        for _ in range(60):
            self.call(reference)
        server.terminate()
        self.assertEqual(server.wait(PATIENCE_S), 0)

    def test_the_journal_gets_each_line(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
            journal.bind(self.path("journal"))
            journal.settimeout(PATIENCE_S)
            self.serve("-ORBLogLevel", "info", "-ORBLogFile", "journal:" + self.path("journal"))
            fields = dict(line.split("=", 1) for line in journal.recv(65536).decode().splitlines())
        self.assertEqual(fields["SYSLOG_IDENTIFIER"], "takt")
        self.assertEqual(fields["TAKT_EVENT"], "listening")
        self.assertEqual(fields["PRIORITY"], "6")
        self.assertIn("listening", fields["MESSAGE"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
