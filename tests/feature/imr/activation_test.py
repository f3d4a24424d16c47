"""activation_test.py TAKT WORKER: servers start when they are called, once, and clients are forwarded."""

import os
import re
import signal
import socket
import subprocess
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, WORKER, eventually, free_port, run

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "Takt_Activation.idl")
NO_ROAD = ("-ORBLocalRoads", "off")  # the system tells nothing of a process of another machine


class Activation(Repository):
    def test_the_first_call_starts_the_server(self):
        self.add("one")
        self.assertEqual(self.status("one")["phase"], "stopped")
        outcomes = self.call(self.url + "one", calls=100)
        pid = self.pid("one")
        self.assertEqual(outcomes, {str(pid): 100})
        status = self.status("one")
        self.assertEqual((status["phase"], status["starts"], status["failures"]), ("running", 1, 0))
        self.assertEqual(status["forwards"], 1, "only the first call makes the detour")
        self.assertRegex(status["processes"][0]["address"], r"^127\.0\.0\.1:\d+$")
        self.call(self.url + "one")
        self.assertEqual((self.status("one")["starts"], self.status("one")["forwards"]), (1, 2))

    def test_persistent_references_lead_to_the_repository(self):
        self.add("one")
        reference, known = run(WORKER, "self", self.url + "one").split()
        self.assertEqual(known, "1", "the server knows its own reference, though a client has sent it")
        shown = run(TAKT, "ior", reference)
        self.assertIn(str(self.port), shown)
        pid = self.pid("one")
        self.assertEqual(self.call(reference), {str(pid): 1})
        os.kill(pid, signal.SIGKILL)
        self.gone(pid)
        outcomes = self.call(reference)
        self.assertEqual(outcomes, {str(self.pid("one")): 1}, "the reference outlives the process")
        self.assertNotIn(str(pid), outcomes)
        self.assertEqual(self.status("one")["last_failure"], "was ended by signal 9")

    def test_a_client_whose_server_dies_finds_the_next_process(self):
        self.add("one")
        client = subprocess.Popen([WORKER, "call", self.url + "one", "1", "0"], stdout=subprocess.PIPE, text=True,
                                  env=ENVIRONMENT)
        eventually(lambda: self.status("one")["phase"] == "running", "the server does not run")
        os.kill(self.pid("one"), signal.SIGKILL)
        text = client.communicate(timeout=PATIENCE)[0]
        self.assertEqual(client.returncode, 0)
        lines = [line.split(" ", 1) for line in text.splitlines()]
        served = {outcome: int(count) for count, outcome in lines if outcome.isdigit()}
        failures = [outcome for _, outcome in lines if not outcome.isdigit()]
        self.assertEqual(len(served), 2, text)
        # Calls that were under way when the process died may have been carried out: they are not sent again.
        self.assertLessEqual(len(failures), 3, text)
        for failure in failures:
            self.assertIn("COMPLETED_MAYBE", failure)

    def test_clients_that_come_together_start_it_once(self):
        self.add("one", "--sleep", "300")
        clients = [subprocess.Popen([WORKER, "call", self.url + "one", "50", "1"], stdout=subprocess.PIPE, text=True,
                                    env=ENVIRONMENT) for _ in range(4)]
        texts = [client.communicate(timeout=PATIENCE)[0] for client in clients]
        self.assertEqual(texts, [f"50 {self.pid('one')}\n"] * 4)
        status = self.status("one")
        self.assertEqual((status["starts"], status["waiting"], status["forwards"]), (1, 0, 200))

    def test_one_thread_serves_all_clients(self):
        self.serve_again("-ORBServerConcurrency", "reactive")
        self.add("one", "--sleep", "300")
        self.assertEqual(self.call(self.url + "one", threads=20), {str(self.pid("one")): 20})

    def test_few_threads_serve_though_a_file_has_other_options(self):
        with open(self.path("imr.toml"), "w", encoding="ascii") as file:
            file.write("# ServerConcurrency is not here\n")
        self.serve_again("-ORBConfig", self.path("imr.toml"))
        connections = [socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) for _ in range(60)]
        self.list()  # all of them are accepted before this connection
        self.assertLess(len(os.listdir(f"/proc/{self.process.pid}/task")), 40)
        for each in connections:
            each.close()

    def test_servers_take_their_places_though_clients_have_all_connections(self):
        self.serve_again("-ORBMaxConnections", "20")
        self.add("one", "--sleep", "500")
        clients = subprocess.Popen([WORKER, "call", self.url + "one", "60", "1"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        text = clients.communicate(timeout=PATIENCE)[0]
        status = self.status("one")
        self.assertEqual((status["starts"], status["failures"]), (1, 0))
        self.assertIn(f" {self.pid('one')}\n", text)

    def test_servers_do_not_wait_for_each_other(self):
        self.add("slow", "--hang", "1", options=("--longest-start", "20s"))
        self.add("quick")
        client = subprocess.Popen([WORKER, "call", self.url + "slow", "20", "1"], stdout=subprocess.PIPE, text=True,
                                  env=ENVIRONMENT)
        eventually(lambda: self.status("slow")["waiting"] == 20, "the clients do not wait")
        self.assertEqual(self.call(self.url + "quick"), {str(self.pid("quick")): 1})
        self.imr("stop", "slow")
        self.assertEqual(client.communicate(timeout=PATIENCE)[0].count("CORBA::TRANSIENT"), 20)
        self.assertEqual(self.status("slow")["last_refusal"], "slow was stopped by its owner")

    def test_each_client_has_a_process_of_its_own(self):
        self.add("mine", options=("--mode", "per-client", "--max-processes", "3", "--longest-start", "2s"))
        outcomes = self.call(self.url + "mine", threads=3)
        self.assertEqual(sorted(outcomes.values()), [1, 1, 1], outcomes)
        self.assertEqual({str(each["pid"]) for each in self.status("mine")["processes"]}, set(outcomes))
        self.assertIn("CORBA::TRANSIENT", list(self.call(self.url + "mine"))[0])
        self.assertEqual(self.status("mine")["last_refusal"],
                         "mine did not come up within 2 s, since 3 processes of it run, which is its limit")

    def test_manual_and_automatic(self):
        self.add("manual", options=("--mode", "manual"))
        self.assertIn("CORBA::TRANSIENT", list(self.call(self.url + "manual"))[0])
        self.assertEqual(self.status("manual")["last_refusal"],
                         "manual does not run, and requests do not start it; `takt imr start manual` does")
        self.imr("start", "manual")
        eventually(lambda: self.status("manual")["phase"] == "running", "it does not run")
        self.assertEqual(self.call(self.url + "manual"), {str(self.pid("manual")): 1})
        self.add("always", options=("--mode", "automatic"))
        eventually(lambda: self.status("always")["phase"] == "running", "it does not run")
        first = self.pid("always")
        os.kill(first, signal.SIGKILL)
        eventually(lambda: self.status("always")["starts"] == 2 and self.status("always")["phase"] == "running",
                   "it is not started again")
        self.imr("stop", "always")
        eventually(lambda: self.status("always")["phase"] == "stopped", "it does not stop")
        self.assertEqual(self.status("always")["failures"], 1)

    def test_a_server_that_does_not_know_the_repository(self):
        file = self.path("reference")
        run(TAKT, "imr", "add", "other", "--reference", file, "--socket", self.path("socket"), "--", "/bin/sh", "-c",
            f"unset TAKT_IMR_TICKET; exec {WORKER} serve --reference {file} -ORBListenEndpoints iiop://127.0.0.1:0")
        self.assertEqual(self.call(self.url + "other", calls=3), {str(self.pid("other")): 3})
        pid = self.pid("other")
        os.kill(pid, signal.SIGKILL)
        self.gone(pid)
        self.assertEqual(self.call(self.url + "other"), {str(self.pid("other")): 1})

    def test_a_server_that_writes_its_reference_before_it_serves(self):
        file, port = self.path("reference"), free_port()
        run(TAKT, "imr", "add", "late", "--reference", file, "--socket", self.path("socket"), "--", "/bin/sh", "-c",
            f"unset TAKT_IMR_TICKET; echo corbaloc::127.0.0.1:{port}/late > {file}; sleep 0.3; "
            f"exec {WORKER} serve --key late -ORBListenEndpoints iiop://127.0.0.1:{port}")
        self.assertEqual(self.call(self.url + "late"), {str(self.pid("late")): 1})
        status = self.status("late")
        self.assertEqual((status["forwards"], status["failures"]), (1, 0), "no client is sent there too early")

    def test_a_server_that_is_only_found(self):
        server = subprocess.Popen([WORKER, "serve", "--reference", self.path("reference"), "-ORBListenEndpoints",
                                   "iiop://127.0.0.1:0"], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        eventually(lambda: os.path.exists(self.path("reference")), "it writes no reference")
        self.imr("add", "found", "--mode", "manual", "--reference", self.path("reference"))
        self.assertEqual(self.call(self.url + "found"), {str(server.pid): 1})

    def test_a_server_that_is_only_found_may_move(self):
        def serve():
            server = subprocess.Popen([WORKER, "serve", "--reference", self.path("new"), "-ORBListenEndpoints", "iiop://127.0.0.1:0"],
                                      stdout=subprocess.DEVNULL, env=ENVIRONMENT)
            self.addCleanup(server.wait)
            self.addCleanup(server.kill)
            eventually(lambda: os.path.exists(self.path("new")) and os.path.getsize(self.path("new")), "it writes no reference")
            os.rename(self.path("new"), self.path("reference"))
            return server

        first = serve()
        self.imr("add", "found", "--mode", "manual", "--reference", self.path("reference"))
        self.assertEqual(self.call(self.url + "found"), {str(first.pid): 1})
        first.kill()
        first.wait()
        second = serve()
        self.assertEqual(self.call(self.url + "found"), {str(second.pid): 1}, "its first client is not refused")
        self.assertEqual(self.status("found")["refused"], 0)

    def test_a_server_that_its_owner_starts(self):
        self.add("one", options=("--mode", "manual"))
        ticket = self.imr("ticket", "one").strip()
        server = subprocess.Popen([WORKER, "serve", "--key", "one", "-ORBListenEndpoints", "iiop://127.0.0.1:0"],
                                  stdout=subprocess.DEVNULL, env={**ENVIRONMENT, "TAKT_IMR_TICKET": ticket})
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        eventually(lambda: self.status("one")["phase"] == "running", "it has no place")
        self.assertEqual(self.call(self.url + "one"), {str(server.pid): 1})
        second = subprocess.run([WORKER, "serve", "--key", "one"], capture_output=True, text=True, timeout=PATIENCE,
                                env={**ENVIRONMENT, "TAKT_IMR_TICKET": ticket}, check=False)
        self.assertEqual(second.returncode, 9)
        self.assertIn(f"one: process {server.pid} has its place", second.stderr)
        server.terminate()
        eventually(lambda: self.status("one")["phase"] == "stopped", "its end is not noticed")

    @unittest.skipUnless(subprocess.run(["unshare", "-p", "-f", "true"], check=False, capture_output=True).returncode == 0,
                         "no name spaces of pids")
    def test_a_server_that_moved_elsewhere(self):
        """Another name space of pids stands for another machine: the repository cannot watch the process."""
        self.add("one")
        reference = run(WORKER, "self", self.url + "one").split()[0]
        self.imr("stop", "one")
        eventually(lambda: self.status("one")["phase"] == "stopped", "it does not stop")
        words = self.imr("ticket", "one").split()
        ticket = " ".join((*words[:4], words[-1]))  # there is no socket of the owner there

        def elsewhere():
            process = subprocess.Popen(["unshare", "-p", "-f", "--kill-child", WORKER, "serve", "--key", "one", *NO_ROAD, "-ORBListenEndpoints",
                                        "iiop://127.0.0.1:0"], stdout=subprocess.DEVNULL, env={**ENVIRONMENT, "TAKT_IMR_TICKET": ticket})
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            eventually(lambda: self.status("one")["phase"] == "running", "it has no place")
            return process

        process = elsewhere()
        self.assertEqual(self.call(reference), {"1": 1}, "the reference of the process here leads there")
        self.imr("stop", "one")
        eventually(lambda: self.status("one")["phase"] == "stopped", "it does not end")
        self.assertEqual(process.wait(PATIENCE), 0)
        process = elsewhere()
        process.kill()
        process.wait()
        outcomes = self.call(reference)
        self.assertEqual(outcomes, {str(self.pid("one")): 1}, "it is started here again")
        self.assertEqual(self.status("one")["last_failure"], "did not answer any more")

    def take_a_place_elsewhere(self, address):
        """As a process of another machine does, which has no socket of the owner."""
        token = self.imr("ticket", "one").split(" ")[2]
        run(TAKT, "call", self.url + "TaktImr", "is_running", '"one"', f'"{token}"', "0", "77", '"another machine"',
            f'"corbaloc:iiop:1.2@{address}/one"', *NO_ROAD, "--interface", "Takt::Activation::Repository", "--idl", IDL)
        self.assertEqual(self.status("one")["processes"][0]["address"], address)

    def test_a_server_whose_machine_is_gone(self):
        """A listener whose queue is full stands for a machine that is off: no connection comes about."""
        self.add("one")
        with socket.create_server(("127.0.0.2", 0), backlog=0) as silent:
            address = f"127.0.0.2:{silent.getsockname()[1]}"
            with socket.create_connection(silent.getsockname()), socket.socket() as second:
                second.setblocking(False)
                second.connect_ex(silent.getsockname())
                self.take_a_place_elsewhere(address)
                self.assertEqual(self.call(self.url + "one"), {str(self.pid("one")): 1}, "it is started here")
                self.imr("stop", "one")
                eventually(lambda: self.status("one")["phase"] == "stopped", "it does not stop")
                self.take_a_place_elsewhere(address)
                self.take_a_place_elsewhere("127.0.0.3:9")

    def test_a_server_at_another_address(self):
        """Clients follow a server that ends here and comes up at another address, and back."""
        self.add("one", options=("--mode", "manual"))
        words = self.imr("ticket", "one").split()
        ticket = " ".join((*words[:4], words[-1]))

        def serve(host):
            server = subprocess.Popen([WORKER, "serve", "--key", "one", *NO_ROAD, "-ORBListenEndpoints", f"iiop://{host}:0"],
                                      stdout=subprocess.DEVNULL, env={**ENVIRONMENT, "TAKT_IMR_TICKET": ticket})
            self.addCleanup(server.wait)
            self.addCleanup(server.kill)
            eventually(lambda: [each["address"].split(":")[0] for each in self.status("one")["processes"]] == [host], "it has no place")
            return server

        first = serve("127.0.0.1")
        reference = run(WORKER, "self", self.url + "one").split()[0]
        client = subprocess.Popen([WORKER, "call", reference, "1", "0"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(client.kill)
        eventually(lambda: self.status("one")["forwards"] == 2, "the client does not call")
        first.terminate()
        first.wait(PATIENCE)
        second = serve("127.0.0.2")
        self.assertEqual(self.call(reference), {str(second.pid): 1})
        second.kill()
        second.wait(PATIENCE)
        third = serve("127.0.0.3")
        self.assertEqual(self.call(reference), {str(third.pid): 1})
        served = re.findall(r"(?m)^\d+ (\d+)$", client.communicate(timeout=PATIENCE)[0])
        self.assertEqual(len(served), 2, "a client that has a connection follows, too")

    def test_no_such_server(self):
        self.assertIn("OBJECT_NOT_EXIST", list(self.call(self.url + "nobody"))[0])


if __name__ == "__main__":
    unittest.main(argv=["activation_test.py"])
