"""failure_test.py TAKT WORKER: servers that die while they start, never come up, or come up twice."""

import os
import signal
import socket
import subprocess
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, WORKER, eventually, run, TAKT


class Failure(Repository):
    def test_a_server_that_dies_once_while_it_starts(self):
        self.add("one", "--exit", "3", "--once", self.path("once"), options=("--pause", "10ms"))
        self.assertEqual(self.call(self.url + "one", threads=20), {str(self.pid("one")): 20})
        status = self.status("one")
        self.assertEqual((status["starts"], status["failures"], status["failures_in_a_row"]), (2, 1, 1))
        self.assertEqual(status["last_failure"], "ended with exit status 3 before it took its place")

    def test_a_server_that_always_dies_while_it_starts(self):
        self.add("one", "--exit", "3", options=("--pause", "5ms", "--start-limit", "4"))
        self.assertIn("TRANSIENT", list(self.call(self.url + "one", threads=10))[0])
        status = self.status("one")
        self.assertEqual((status["phase"], status["starts"], status["refused"]), ("failed", 4, 10))
        self.assertEqual(status["last_refusal"],
                         "one has failed 4 times in a row and is not started again before `takt imr start one`; the last time it "
                         "ended with exit status 3 before it took its place")
        self.call(self.url + "one", threads=5)
        self.assertEqual(self.status("one")["starts"], 4, "no request starts it")
        self.imr("start", "one")
        eventually(lambda: self.status("one")["starts"] >= 5, "its owner does not start it")
        with open(self.path("one.log"), encoding="utf-8") as log:
            self.assertGreaterEqual(log.read().count("worker "), 4, "its output is in the file")

    def test_a_server_that_never_comes_up(self):
        self.add("one", "--hang", "1", options=("--longest-start", "300ms", "--pause", "1h"))
        self.assertIn("TRANSIENT", list(self.call(self.url + "one", threads=3))[0])
        eventually(lambda: not self.status("one")["processes"], "it is not killed")
        status = self.status("one")
        self.assertEqual(status["last_refusal"],
                         "one did not come up within 300 ms; the last time it did not take its place within 300 ms")
        self.assertEqual((status["starts"], status["failures"]), (1, 1))

    def test_programs_that_cannot_be_started(self):
        words = ("--start-limit", "1", "--socket", self.path("socket"), "--")
        run(TAKT, "imr", "add", "absent", *words, "/nowhere/server")
        run(TAKT, "imr", "add", "folder", *words, self.folder)
        run(TAKT, "imr", "add", "nowhere", "--directory", "/nowhere", *words, WORKER)
        for name, reason in (("absent", "No such file"), ("folder", "Permission denied"), ("nowhere", "in /nowhere")):
            self.assertIn("TRANSIENT", list(self.call(self.url + name))[0])
            self.assertIn("could not be started: ", self.status(name)["last_refusal"])
            self.assertIn(reason, self.status(name)["last_refusal"])

    def test_a_pipe_for_output_that_nothing_reads_keeps_no_server_waiting(self):
        os.mkfifo(self.path("pipe"))
        run(TAKT, "imr", "add", "silent", "--start-limit", "1", "--log", self.path("pipe"), "--socket", self.path("socket"), "--",
            WORKER, "serve", "--key", "silent")
        self.assertIn("TRANSIENT", list(self.call(self.url + "silent"))[0])
        self.assertIn("nothing reads from the pipe " + self.path("pipe"), self.status("silent")["last_refusal"])
        self.add("other")
        self.call(self.url + "other")
        self.assertEqual(self.status("other")["phase"], "running")

    def test_clients_without_number_keep_neither_the_owner_nor_servers_out(self):
        self.serve_again(within=("/bin/sh", "-c", 'ulimit -n 128; exec "$@"', "sh"))
        clients = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(200)]
        self.add("one")
        self.imr("start", "one")
        with open(self.path("one.log"), encoding="utf-8") as log:
            eventually(lambda: "worker" in log.read(), "it does not start")
        for client in clients:
            client.close()
        self.call(self.url + "one")
        self.assertEqual(self.status("one")["failures"], 0)

    def beginning_of_keys(self, name):
        """The URL of an object of that server, without the key that the server has given the object."""
        reference = bytes.fromhex(self.imr("reference", name, "--key", "KEY").strip()[4:])
        key = reference[reference.index(b"TK"):reference.index(b"KEY")]
        return self.url + "".join(f"%{octet:02x}" for octet in key)

    def test_the_longest_keys(self):
        self.add("one")
        url = self.beginning_of_keys("one")
        self.assertIn("IMP_LIMIT", list(self.call(url + 4097 * "B"))[0])
        self.assertEqual(self.status("one")["starts"], 0)
        self.assertIn("OBJECT_NOT_EXIST", list(self.call(url + 4096 * "B"))[0], "the server does not have that key, but it was asked")
        self.assertEqual(self.status("one")["starts"], 1)
        self.imr("reference", "one", "--key", 4096 * "B")
        self.assertIn("4096", self.imr("reference", "one", "--key", 4097 * "B", status=1))

    def test_keys_of_any_length_are_not_kept(self):
        self.add("one", "--hang", "1")
        url = self.beginning_of_keys("one")
        self.assertIn("IMP_LIMIT", list(self.call(url + 5000 * "B"))[0])
        self.assertEqual(self.status("one")["starts"], 0)
        self.assertIn("4096", self.imr("reference", "one", "--key", 5000 * "B", status=1))

    def test_a_server_that_comes_up_twice(self):
        self.add("one", "--sleep", "500")
        client = subprocess.Popen([WORKER, "call", self.url + "one", "1", "1"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        eventually(lambda: self.status("one")["phase"] == "starting", "it does not start")
        ticket = self.imr("ticket", "one").strip()
        other = subprocess.Popen([WORKER, "serve", "--key", "one", "-ORBListenEndpoints", "iiop://127.0.0.1:0"],
                                 stdout=subprocess.DEVNULL, env={**ENVIRONMENT, "TAKT_IMR_TICKET": ticket})
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        served = client.communicate(timeout=PATIENCE)[0].split()[1]
        eventually(lambda: len(self.status("one")["processes"]) == 1, "both keep running")
        self.assertEqual(self.pid("one"), int(served))
        self.assertEqual(self.call(self.url + "one", calls=10), {served: 10})

    def test_a_server_that_is_stopped_by_a_signal_keeps_its_clients(self):
        self.serve_again("--ping-timeout", "100ms")
        self.add("one")
        self.call(self.url + "one")
        pid = self.pid("one")
        os.kill(pid, signal.SIGSTOP)
        client = subprocess.Popen([WORKER, "call", self.url + "one", "1", "1"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        eventually(lambda: self.status("one")["forwards"] == 2, "a busy server is not called")
        os.kill(pid, signal.SIGCONT)
        self.assertEqual(client.communicate(timeout=PATIENCE)[0], f"1 {pid}\n")

    def test_what_a_dead_server_has_started_is_asked_to_end(self):
        run(TAKT, "imr", "add", "one", "--socket", self.path("socket"), "--", "/bin/sh", "-c",
            f"sleep 1000 & echo $! > {self.path('helper')}; exec {WORKER} serve --key one -ORBListenEndpoints iiop://127.0.0.1:0")
        self.call(self.url + "one")
        with open(self.path("helper"), encoding="utf-8") as file:
            helper = int(file.read())
        self.assertTrue(self.alive(helper))
        os.kill(self.pid("one"), signal.SIGKILL)
        self.gone(helper)

    def test_a_server_that_a_script_starts_again(self):
        with open(self.path("script"), "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\nwhile :; do {WORKER} serve --key one -ORBListenEndpoints iiop://127.0.0.1:0; sleep 0.05; done\n")
        os.chmod(self.path("script"), 0o700)
        run(TAKT, "imr", "add", "one", "--socket", self.path("socket"), "--", self.path("script"))
        first, = self.call(self.url + "one")
        os.kill(int(first), signal.SIGKILL)
        self.gone(int(first))
        second, = self.call(self.url + "one")
        self.assertRegex(second, r"^\d+$")
        self.assertNotEqual(first, second)
        self.assertEqual(self.status("one")["starts"], 1)
        self.imr("stop", "one")
        self.gone(int(second))

    def test_an_automatic_server_that_always_ends_is_given_up(self):
        with open(self.path("server"), "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\necho x >> {self.path('starts')}\necho corbaloc::127.0.0.1:1/x > {self.path('reference')}\nsleep 0.2\n")
        os.chmod(self.path("server"), 0o700)
        run(TAKT, "imr", "add", "short", "--mode", "automatic", "--pause", "1ms", "--start-limit", "3", "--reference", self.path("reference"),
            "--socket", self.path("socket"), "--", self.path("server"))
        eventually(lambda: self.status("short")["phase"] == "failed", "it is started again and again")
        self.assertEqual(self.status("short")["last_failure"], "ended with exit status 0 before it took its place")
        with open(self.path("starts"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "x\n" * 3)

    def test_no_file_of_the_repository_is_left_open(self):
        run(TAKT, "imr", "add", "files", "--reference", self.path("none"), "--longest-start", "20s", "--log", self.path("log"),
            "--socket", self.path("socket"), "--", "/bin/sh", "-c", "ls -l /proc/self/fd; echo end; sleep 20")
        client = subprocess.Popen([WORKER, "call", self.url + "files", "1", "1"], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        self.addCleanup(client.wait)
        self.addCleanup(client.kill)

        def log():
            with open(self.path("log"), encoding="utf-8") as file:
                return file.read()

        eventually(lambda: os.path.exists(self.path("log")) and log().endswith("end\n"), "it writes nothing")
        self.assertNotIn("socket", log())
        self.assertNotIn("imr.db", log())
        self.assertNotIn("pipe", log())


if __name__ == "__main__":
    unittest.main(argv=["failure_test.py"])
