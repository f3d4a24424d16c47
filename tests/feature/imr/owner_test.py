"""owner_test.py TAKT WORKER: commands of the owner, who else may give none, and input that is wrong on purpose."""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, WORKER, eventually, run

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "Takt_Activation.idl")


class Owner(Repository):
    def call(self, *words, status=0):
        if status is None:
            return subprocess.run([TAKT, "call", *words, "--idl", IDL], capture_output=True, text=True, timeout=PATIENCE, env=ENVIRONMENT,
                                  check=False)
        return run(TAKT, "call", *words, "--idl", IDL, status=status)

    def test_a_tour(self):
        self.add("one")
        self.assertIn("there is a server one already", self.add("one", status=1))
        self.add("one", verb="change", options=("--mode", "manual"))
        self.assertEqual(self.status("one")["mode"], "manual")
        self.imr("start", "one")
        eventually(lambda: self.status("one")["phase"] == "running", "it does not run")
        self.assertIn("one is in use: `takt imr stop one` first", self.imr("remove", "one", status=1))
        pid = self.pid("one")
        self.imr("stop", "one")
        self.gone(pid)
        eventually(lambda: self.status("one")["phase"] == "stopped", "it does not stop")
        self.assertEqual(self.status("one")["failures"], 0, "its owner has stopped it")
        self.imr("remove", "one")
        self.assertEqual(self.list(), [])
        for verb in ("remove", "start", "stop", "ticket", "reference"):
            self.assertIn("there is no server one", self.imr(verb, "one", status=1))
        self.add("one")
        self.assertEqual(len(self.list()), 1)

    def test_references(self):
        self.add("one")
        reference = self.imr("reference", "one").strip()
        pids = run(WORKER, "call", reference, "1", "2")
        self.assertEqual(pids, f"2 {self.pid('one')}\n")
        by_key = self.imr("reference", "one", "--key", "one").strip()
        self.assertEqual(run(WORKER, "call", by_key, "1", "1"), f"1 {self.pid('one')}\n")
        nothing = self.imr("reference", "one", "--key", "nothing").strip()
        self.assertIn("OBJECT_NOT_EXIST", run(WORKER, "call", nothing, "1", "1"))

    def test_definitions_that_no_server_can_have(self):
        for words, text in (
                (("..", ), "a server's name has"), (("a/b", ), "a server's name has"), (("", ), "a server's name has"),
                (("TaktImr", ), "does not begin with"), (("ImplRepoService", ), "is the key of the repository's own object"), (("a b", ), "a server's name has"), (("x" * 129, ), "a server's name has"),
                (("a", "--mode", "automatic", "--reference", "/f"), "mode automatic needs a command"),
                (("a", "--mode", "per-client"), "mode per-client needs a command"),
                (("a", "--mode", "per-client", "--reference", "/f", "--", "/bin/true"), "cannot share a file"),
                (("a", "--environment", "NOTHING", "--", "/bin/true"), "the environment is a list of NAME=VALUE"),
                (("a", "--environment", "=x", "--", "/bin/true"), "the environment is a list of NAME=VALUE"),
                (("a", "--", "/bin/echo", "x" * 70_000), "too long")):
            self.assertIn(text, run(TAKT, "imr", "add", "--socket", self.path("socket"), *words, status=1), words)
        for words in (("--start-limit", "0"), ("--max-processes", "10001"), ("--mode", "often"), ("--pause", "0")):
            said = run(TAKT, "imr", "add", "--socket", self.path("socket"), "a", *words, "--", "/bin/true", status=2)
            self.assertTrue(said.startswith(f"takt imr add: {words[0]}"), said)
        self.assertEqual(self.list(), [])

    def test_no_command_comes_from_the_network(self):
        done = self.call(self.url + "TaktImrOwner", "stop", '"one"', "--interface", "Takt::Activation::Owner", status=None)
        self.assertEqual(done.returncode, 1)
        self.assertIn("OBJECT_NOT_EXIST", done.stderr, "the owner's object is not even there")

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_no_command_comes_from_another_user(self):
        self.add("one")
        os.chmod(self.folder, 0o755)
        os.chmod(self.path("socket"), 0o777)
        script = ("import os, sys; os.setgroups([]); os.setgid(65534); os.setuid(65534); "
                  "os.execv(sys.argv[1], sys.argv[1:])")
        reachable = subprocess.run([sys.executable, "-c", script, "/usr/bin/test", "-x", TAKT], check=False)
        if reachable.returncode != 0:
            self.skipTest("the other user cannot read the build folder")
        done = subprocess.run([sys.executable, "-c", script, TAKT, "imr", "start", "one", "--socket", self.path("socket")],
                              capture_output=True, text=True, timeout=PATIENCE, env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("NO_PERMISSION", done.stderr)
        self.assertEqual(self.status("one")["starts"], 0)

    def test_the_store_is_the_owners(self):
        self.assertEqual(os.stat(self.path("imr.db")).st_mode & 0o077, 0)
        self.add("one")
        for name in os.listdir(self.folder):
            if name.startswith("imr.db"):
                self.assertEqual(os.stat(self.path(name)).st_mode & 0o077, 0, name)

    def test_a_place_needs_the_token(self):
        self.add("one")
        ticket = self.imr("ticket", "one").strip()
        version, name, token, start, reference = ticket.split(" ", 4)
        for wrong in (" ".join((version, name, token[:-1] + ("0" if token[-1] != "0" else "1"), start, reference)),
                      " ".join((version, "two", token, start, reference))):
            done = subprocess.run([WORKER, "serve"], capture_output=True, text=True, timeout=PATIENCE,
                                  env={**ENVIRONMENT, "TAKT_IMR_TICKET": wrong}, check=False)
            self.assertEqual(done.returncode, 9)
            self.assertIn("or it has another token", done.stderr)
        for wrong in ("x", "1", "2 " + ticket[2:], " ".join((version, name, token, "many", reference)), ticket.split("IOR")[0]):
            done = subprocess.run([WORKER, "serve"], capture_output=True, text=True, timeout=PATIENCE,
                                  env={**ENVIRONMENT, "TAKT_IMR_TICKET": wrong}, check=False)
            self.assertEqual(done.returncode, 9, wrong)
            self.assertIn("is not what `takt imr ticket NAME` prints", done.stderr)
        for operation, words in (("take_place", ('"one"', '"guess"')), ("is_ending", ('"one"', '""', "0", "1")),
                                 ("is_running", ('"one"', '""', "0", "1", '"m"', "null"))):
            done = self.call(self.url + "TaktImr", operation, *words, "--interface", "Takt::Activation::Repository", status=3)
            del done
        self.assertEqual(self.status("one")["phase"], "stopped")

    def test_a_process_with_the_token_that_lies(self):
        self.add("one", options=("--mode", "manual"))
        token = self.imr("ticket", "one").split(" ")[2]
        for words in (f'"one" "{token}" 0 -1 "m" null', f'"one" "{token}" 99 {os.getpid()} "" null'):
            self.call(self.url + "TaktImr", "is_running", *words.split(" "), "--interface", "Takt::Activation::Repository", status=3)
        dead = "corbaloc:iiop:1.2@127.0.0.1:9/nobody"
        self.call(self.url + "TaktImr", "is_running", '"one"', f'"{token}"', "18446744073709551615", "-5", '"elsewhere"', f'"{dead}"',
                  "--interface", "Takt::Activation::Repository")
        self.assertEqual(self.status("one")["phase"], "running")
        self.assertIn("TRANSIENT", run(WORKER, "call", self.url + "one", "1", "1"), "nobody answers there")
        self.assertEqual(self.status("one")["phase"], "stopped")

    def test_a_process_with_the_token_has_no_other_process_ended(self):
        self.add("one", options=("--mode", "manual", "--longest-stop", "100ms"))
        token = self.imr("ticket", "one").split(" ")[2]
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            machine = f"{file.read().strip()} {os.readlink('/proc/self/ns/pid')}"
        with subprocess.Popen(["sleep", "1000"]) as other:
            self.call(self.url + "TaktImr", "is_running", '"one"', f'"{token}"', "0", str(other.pid), f'"{machine}"',
                      '"corbaloc:iiop:1.2@127.0.0.1:9/nobody"', "-ORBLocalRoads", "off", "--interface", "Takt::Activation::Repository")
            self.assertEqual(self.pid("one"), other.pid, "that is what the caller says")
            self.imr("stop", "one")
            eventually(lambda: self.status("one")["phase"] == "stopped", "it keeps the place")
            self.assertIsNone(other.poll(), "it was signalled")
            other.kill()

    def test_requests_that_are_wrong_on_purpose(self):
        self.add("one")
        keys = (b"TK\x01P", b"TK\x01P\0\0\0\x12\0\0\0\x0eTaktImrServers", b"TK\x01P\0\0\0\x12\0\0\0\x0eTaktImrServersone",
                b"TK\x01P\0\0\0\x12\0\0\0\x0eTaktImrServers\0", b"TK\x01P\0\0\0\x12\0\0\0\x0eTaktImrServersnobody\0x",
                b"TK\x01P\xff\xff\xff\xff", b"one\0", b"")
        for key in keys:
            body = struct.pack(">IBxxxHxxI", 1, 3, 0, len(key)) + key
            body += b"\0" * (-(len(body) + 12) % 4) + struct.pack(">I", 4) + b"pid\0" + struct.pack(">I", 0)
            with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
                connection.sendall(b"GIOP\x01\x02\x00\x00" + struct.pack(">I", len(body)) + body)
                self.assertEqual(connection.recv(4), b"GIOP", key)
        self.assertEqual(self.status("one")["starts"], 0, "none of them names a server")

    def test_clients_that_leave_while_they_wait(self):
        self.add("one", "--sleep", "500")
        clients = [subprocess.Popen([WORKER, "call", self.url + "one", "20", "1"], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
                   for _ in range(3)]
        eventually(lambda: self.status("one")["waiting"] == 60, "they do not wait")
        for client in clients:
            client.kill()
            client.wait()
        self.assertEqual(run(WORKER, "call", self.url + "one", "1", "1"), f"1 {self.pid('one')}\n")
        self.assertEqual((self.status("one")["starts"], self.status("one")["waiting"]), (1, 0))

    def test_metrics(self):
        self.add("one")
        run(WORKER, "call", self.url + "one", "3", "1")
        self.add("two", options=("--mode", "manual"))
        run(WORKER, "call", self.url + "two", "1", "1")
        target = self.url + "TaktImr"
        page = run(TAKT, "metrics", "--once", "--imr", target)
        for name, server, value in (("running", "one", 1), ("running", "two", 0), ("starts_total", "one", 1), ("forwards_total", "one", 3),
                                    ("refused_total", "two", 1), ("waiting", "one", 0), ("failed", "one", 0), ("processes", "one", 1),
                                    ("failures_total", "one", 0)):
            self.assertIn(f'takt_imr_{name}{{target="{target}",server="{server}"}} {value}\n', page)
        self.assertIn(f'takt_imr_up{{target="{target}"}} 1\n', page)
        top = run(TAKT, "top", "--imr", target).splitlines()
        self.assertEqual(top[0], target + ": repository, servers 2, running 1, failed 0")
        self.assertEqual([line.split() for line in top[2:]], [["-", "3", "1", "0", "0", "0", "running", "one"],
                                                              ["-", "0", "0", "0", "1", "0", "stopped", "two"]])
        self.imr("stop", "one")
        eventually(lambda: self.status("one")["phase"] == "stopped", "it does not stop")
        self.end_repository()
        self.assertEqual([line for line in run(TAKT, "metrics", "--once", "--imr", target).splitlines() if line[0] != "#"],
                         [f'takt_imr_up{{target="{target}"}} 0'])

    def test_a_watch_sees_starts_ends_failures_and_refusals(self):
        self.add("one")
        self.add("two", options=("--mode", "manual"))
        watcher = subprocess.Popen([TAKT, "imr", "watch", "--service", self.url + "TaktImr", "--interval", "10ms", "--json"], env=ENVIRONMENT,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(watcher.communicate)
        self.addCleanup(watcher.kill)

        def until(**wanted):
            for line in watcher.stdout:
                change = json.loads(line)
                if {name: change.get(name) for name in wanted} == wanted:
                    return change
            raise AssertionError(f"the watcher has ended without {wanted}")

        until(what="stopped", server="two")
        run(WORKER, "call", self.url + "one", "1", "1")
        pid = self.pid("one")
        self.assertRegex(until(what="running", server="one", pid=pid)["address"], r"^127\.0\.0\.1:\d+$")
        os.kill(pid, signal.SIGKILL)
        self.assertIn("signal 9", until(what="failure", server="one", count=1)["why"])
        until(what="ended", server="one", pid=pid)
        run(WORKER, "call", self.url + "two", "1", "1")
        self.assertIn("requests do not start it", until(what="refused", server="two")["why"])
        self.imr("remove", "two")
        until(what="removed", server="two")
        self.end_repository(signal.SIGKILL)
        until(what="silent")
        self.serve()
        until(what="answers")
        watcher.send_signal(signal.SIGINT)
        self.assertEqual(watcher.wait(timeout=PATIENCE), 0)
        self.assertIn(" stopped one\n", run(TAKT, "imr", "watch", "one", "--service", self.url + "TaktImr", "--rounds", "1"))
        self.assertIn("there is no server two", run(TAKT, "imr", "watch", "two", "--service", self.url + "TaktImr", status=1))
        self.assertIn("TRANSIENT", run(TAKT, "imr", "watch", "--service", "corbaloc::127.0.0.1:1/TaktImr", status=1))

    def test_what_serve_refuses(self):
        listen = ("--listen", "iiop://127.0.0.1:0")
        for words, text in (
                (("--store", self.path("imr.db"), "--socket", self.path("other")), "another process has it open"),
                (("--memory", "--store", "x"), "give either --memory or --store"),
                (("--memory", "--socket", self.path("socket")), "in use"),
                (("--memory", "--socket", "/" + "x" * 120), "up to 107 octets"),
                (("--memory", "--socket", self.path("other"), "-ORBKeyMAC", "siphash"), "-ORBKeyMAC"),
                (("--memory", "--socket", self.path("other"), "--max-servers", "0"), "--max-servers"),
                (("--store", "/nowhere/imr.db", "--socket", self.path("other")), "/nowhere/imr.db")):
            self.assertIn(text, run(TAKT, "imr", "serve", *listen, *words, status=2), words)


if __name__ == "__main__":
    unittest.main(argv=["owner_test.py"])
