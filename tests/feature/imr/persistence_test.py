"""persistence_test.py TAKT WORKER: a repository that is killed, and one that starts again."""

import os
import random
import signal
import sqlite3
import subprocess
import time
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, WORKER, eventually, run


class Persistence(Repository):
    def test_servers_outlive_the_repository_and_are_found_again(self):
        for how in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(how):
                name = how.name
                self.add(name)
                reference = run(WORKER, "self", self.url + name).split()[0]
                pid = self.pid(name)
                eventually(lambda: self.stored(name) == [pid], "the process is not in the store")  # noqa: B023
                self.serve_again(how=how)
                self.assertTrue(self.alive(pid))
                self.assertEqual(self.status(name)["phase"], "running")
                self.assertEqual(self.call(reference), {str(pid): 1})
                self.assertEqual(self.status(name)["starts"], 0)
                os.kill(pid, signal.SIGKILL)
                eventually(lambda: self.status(name)["phase"] == "stopped", "its end is not noticed")  # noqa: B023
                self.assertEqual(self.call(reference), {str(self.pid(name)): 1})

    def stored(self, name, starting=False):
        """The processes in the store. The repository has locked it, so a copy is read."""
        copy = self.path("copy.db")
        for suffix in ("", "-wal"):
            with open(self.path("imr.db" + suffix), "rb") as file, open(copy + suffix, "wb") as to:
                to.write(file.read())
        with sqlite3.connect(copy) as database:
            pids = [pid for (pid,) in database.execute("SELECT pid FROM process WHERE server = ? AND (reference = '') = ?", (name, starting))]
        database.close()
        return pids

    def test_a_server_that_was_starting_takes_its_place_in_the_next_repository(self):
        self.add("one", "--sleep", "1000")
        client = subprocess.Popen([WORKER, "call", self.url + "one", "1", "1"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        eventually(lambda: self.status("one")["phase"] == "starting" and self.status("one")["processes"][0]["pid"] > 0,
                   "it does not start")
        pid = self.pid("one")
        eventually(lambda: self.stored("one", starting=True) == [pid], "the start is not in the store")
        self.serve_again(how=signal.SIGKILL)
        client.communicate(timeout=PATIENCE)
        self.assertEqual(self.call(self.url + "one"), {str(pid): 1})
        self.assertEqual(self.status("one")["starts"], 0)

    def test_a_repository_that_is_killed_at_any_moment(self):
        """Acknowledged servers stay, and each runs once in the end, whatever was under way."""
        seed = random.randrange(1 << 30)
        moment, acknowledged, names = random.Random(seed), set(), []
        for turn in range(6):
            name = f"killed-{os.getpid()}-{turn}"
            names.append(name)
            begun = [subprocess.Popen([TAKT, "imr", "add", name, "--socket", self.path("socket"), "--", WORKER, "serve", "--key", name,
                                       "-ORBListenEndpoints", "iiop://127.0.0.1:0"], stderr=subprocess.DEVNULL, env=ENVIRONMENT)]
            begun += [subprocess.Popen([WORKER, "call", self.url + each, "3", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=ENVIRONMENT) for each in names[-3:]]
            time.sleep(moment.uniform(0, 0.2))
            if begun[0].poll() == 0:
                acknowledged.add(name)
            self.serve_again(how=signal.SIGKILL)
            if begun[0].wait(PATIENCE) == 0:
                acknowledged.add(name)
            for client in begun[1:]:
                client.wait(PATIENCE)
            known = {server["name"] for server in self.list()}
            self.assertTrue(acknowledged <= known <= set(names), (seed, turn, acknowledged, known))
        for name in known:
            (pid, ), = [list(self.call(self.url + name))]
            eventually(lambda: self.running(name) == [pid], f"{name} runs otherwise than once, as {pid}; seed {seed}")  # noqa: B023
            self.assertEqual(self.pid(name), int(pid), seed)

    def running(self, name):
        """The processes of that server, as texts."""
        pids = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if f"serve\0--key\0{name}\0".encode() in file.read() and self.alive(pid):
                        pids.append(pid)
            except (FileNotFoundError, ProcessLookupError):
                pass
        return pids

    def test_definitions_and_tokens_are_on_disk_when_add_returns(self):
        self.add("one", options=("--mode", "per-client", "--environment", "A=b=c", "--environment", "D=", "--directory", "/tmp",
                                 "--longest-start", "3s", "--longest-stop", "4s", "--pause", "5ms", "--longest-pause", "6s",
                                 "--start-limit", "7", "--max-processes", "8"))
        self.add("two", options=("--mode", "manual"))
        self.imr("remove", "two")
        before = self.described("one")
        ticket = self.imr("ticket", "one")
        self.serve_again(how=signal.SIGKILL)
        self.assertEqual([server["name"] for server in self.list()], ["one"])
        self.assertEqual(self.described("one"), before)
        self.assertEqual(self.imr("ticket", "one"), ticket)

    def described(self, name):
        idl = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "Takt_Activation.idl")
        return run(TAKT, "call", f"corbaloc:uiop:1.2@{self.path('socket')}|TaktImrOwner", "describe", f'"{name}"', "--idl", idl,
                   "--interface", "Takt::Activation::Owner")

    def test_automatic_servers_start_with_the_repository(self):
        self.add("one", options=("--mode", "automatic"))
        eventually(lambda: self.status("one")["phase"] == "running", "it does not run")
        pid = self.pid("one")
        eventually(lambda: self.stored("one") == [pid], "the process is not in the store")
        self.serve_again(how=signal.SIGKILL)
        self.assertEqual((self.pid("one"), self.status("one")["starts"]), (pid, 0), "it runs already")
        self.end_repository()
        os.kill(pid, signal.SIGKILL)
        self.gone(pid)
        self.serve()
        eventually(lambda: self.status("one")["phase"] == "running" and self.status("one")["starts"] == 1, "it does not start")

    def test_more_servers_than_one_reply_takes(self):
        self.add("a", options=("--mode", "manual"))
        self.end_repository()
        with sqlite3.connect(self.path("imr.db")) as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(server)")][1:]
            database.execute("WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 20000) INSERT INTO server SELECT "
                             f"printf('b%0127d', i), {', '.join(columns)} FROM server, numbers")
        database.close()
        self.serve("--max-servers", "30000")
        names = [server["name"] for server in self.list()]
        self.assertEqual((len(names), names[0], names[-1]), (20001, "a", f"b{20000:0127d}"))
        self.assertEqual(self.status(names[-1])["phase"], "stopped")
        self.assertIn("there is no server c", run(TAKT, "imr", "status", "c", "--service", self.url + "TaktImr", status=1))

    def test_a_pid_that_another_process_has_now(self):
        self.add("one")
        self.call(self.url + "one")
        pid = self.pid("one")
        self.end_repository()
        os.kill(pid, signal.SIGKILL)
        self.gone(pid)
        with sqlite3.connect(self.path("imr.db")) as database:
            database.execute("UPDATE process SET pid = ?", (os.getpid(),))
        database.close()
        self.serve()
        self.assertEqual(self.status("one")["processes"], [], "this test is not the server")
        self.assertEqual(self.call(self.url + "one"), {str(self.pid("one")): 1})

    def test_damaged_stores(self):
        self.add("one")
        self.end_repository()
        words = ("imr", "serve", "--socket", self.path("socket"), "--listen", "iiop://127.0.0.1:0", "--store")
        with sqlite3.connect(self.path("imr.db")) as database:
            database.execute("UPDATE server SET mode = 77")
        database.close()
        self.assertIn("server one is damaged", run(TAKT, *words, self.path("imr.db"), status=2))
        with open(self.path("noise"), "wb") as file:
            file.write(os.urandom(5000))
        self.assertIn("noise", run(TAKT, *words, self.path("noise"), status=2))


if __name__ == "__main__":
    unittest.main(argv=["persistence_test.py"])
