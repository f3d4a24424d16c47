"""foreign_test.py TAKT WORKER: servers that register by TAO's interface, as those of TAO and JacORB do, and whose objects have
keys of their own. Here the worker plays such a server; interop.activation has one of JacORB."""

import json
import os
import pwd
import socket
import sqlite3
import subprocess
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, WORKER, eventually, free_port, run

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "ImplementationRepository.idl")
KEY = "bank/accounts/x"
REGISTERED = "JACORB:bank/accounts"


class Foreign(Repository):
    def ask(self, *words, status=0):
        return run(TAKT, "call", "--idl", IDL, self.url + "ImplRepoService", *words, status=status)

    def worker(self, key=KEY, port=None):
        """The reference of a worker that knows nothing of the repository."""
        path = self.path(f"reference-{port or 0}-{len(os.listdir(self.folder))}")
        process = subprocess.Popen([WORKER, "serve", "--key", key, "--reference", path, "-ORBListenEndpoints",
                                    f"iiop://127.0.0.1:{port or 0}"], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.kill)

        def written():
            with open(path, encoding="ascii") as file:
                return file.read().endswith("\n")
        eventually(lambda: os.path.exists(path) and written(), "the worker writes no reference")
        with open(path, encoding="ascii") as file:
            return process, file.read().strip()

    def register(self, reference, name=REGISTERED, status=0):
        return self.ask("server_is_running", json.dumps(name), '"corbaloc:iiop:127.0.0.1:1/"', json.dumps(reference), status=status)

    def outcome(self, key=KEY):
        text = run(WORKER, "call", self.url + key, "1", "1").strip()
        return text.split(" ", 1)[1]

    def test_clients_reach_it_by_its_own_keys(self):
        run(TAKT, "imr", "add", "bank", "--socket", self.path("socket"))
        self.assertIn("TRANSIENT", self.outcome(), "it does not run")
        self.assertIn("OBJECT_NOT_EXIST", self.outcome("banker/accounts/x"), "no server has such keys")
        process, reference = self.worker()
        self.register(reference)
        self.register(reference, "JACORB:bank/others")  # a second adapter
        self.assertEqual(self.outcome(), str(process.pid))
        self.assertEqual(self.status("bank")["phase"], "running")
        self.assertEqual(len(self.status("bank")["processes"]), 1)
        other, elsewhere = self.worker()
        self.assertIn("NO_PERMISSION", self.register(elsewhere, status=1), "the first one answers")
        self.ask("server_is_shutting_down", json.dumps(REGISTERED))
        self.assertEqual(self.outcome(), str(process.pid), "anyone could say so")
        process.kill()
        process.wait(PATIENCE)
        self.register(elsewhere)
        self.assertEqual(self.outcome(), str(other.pid))

    def test_keys_of_tao_have_the_name_of_their_adapter_in_them(self):
        run(TAKT, "imr", "add", "accounts", "--socket", self.path("socket"))
        key = "%14%01%0f%00NUP%00%00%00%08accounts%00x"
        process, reference = self.worker(bytes.fromhex("14010f014e5550").decode("latin-1"))
        self.register(reference, "bank:accounts")
        self.assertIn("OBJECT_NOT_EXIST", self.outcome(key), "the worker does not have that key, but it was asked")
        self.assertEqual(self.status("accounts")["forwards"], 1)
        self.assertIsNone(process.poll())

    def test_a_registration_is_taken_from_listeners_of_this_user(self):
        run(TAKT, "imr", "add", "bank", "--socket", self.path("socket"))
        process, reference = self.worker()
        self.register(reference)
        process.kill()
        process.wait(PATIENCE)
        self.assertIn("NO_PERMISSION", self.register(reference, status=1))
        for address in ("192.0.2.1:2000", "elsewhere.invalid:80", "127.0.0.1:1", "[2001:db8::1]:2000"):
            self.assertIn("NO_PERMISSION", self.register(f"corbaloc::{address}/x", status=1), address)
        self.assertIn("BAD_PARAM", self.register(None, status=1))
        self.ask("server_is_running", '"nothing"', '""', json.dumps(reference), status=3)  # NotFound
        self.assertRegex(self.end_repository()[1], "no process of the repository's user listens at 192.0.2.1:2000 on this machine")

    def test_the_repository_itself_takes_no_place(self):
        run(TAKT, "imr", "add", "bank", "--socket", self.path("socket"))
        back = f"{self.port}/bank"
        for registrations in ("local", "network"):
            self.serve_again("--registrations", registrations)
            for host in ("127.0.0.1", "localhost"):
                self.assertIn("NO_PERMISSION", self.register(f"corbaloc::{host}:{back}", status=1), host)
        with open(self.path("reference"), "w", encoding="ascii") as file:
            file.write(f"corbaloc::127.0.0.1:{self.port}/loop\n")
        run(TAKT, "imr", "add", "loop", "--reference", self.path("reference"), "--socket", self.path("socket"))
        self.assertIn("TRANSIENT", self.outcome("loop"), "clients would come back for ever")

    def test_a_registration_has_the_address_that_was_looked_at_only(self):
        run(TAKT, "imr", "add", "bank", "--socket", self.path("socket"))
        with socket.create_server(("127.0.0.1", 0)) as own:
            self.register(f"corbaloc::127.0.0.1:{own.getsockname()[1]},:192.0.2.1:2000/x")
        self.end_repository()
        with sqlite3.connect(self.path("imr.db")) as database:
            (reference,), = database.execute("SELECT reference FROM process")
        database.close()
        self.assertIn(b"127.0.0.1".hex(), reference)
        self.assertNotIn(b"192.0.2.1".hex(), reference, "clients would go there")

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to have a listener of another user")
    def test_a_listener_of_another_user_cannot_register(self):
        run(TAKT, "imr", "add", "bank", "--socket", self.path("socket"))
        port = free_port()
        nobody = pwd.getpwnam("nobody").pw_uid
        code = f"import os,socket,time\nos.setuid({nobody})\ns=socket.create_server(('127.0.0.1',{port}))\nprint(flush=True)\ntime.sleep(60)"
        with subprocess.Popen(["python3", "-c", code], stdout=subprocess.PIPE, env=ENVIRONMENT) as other:
            other.stdout.readline()
            said = self.register(f"corbaloc::127.0.0.1:{port}/x", status=1)
            other.kill()
        self.assertIn("NO_PERMISSION", said)
        with socket.create_server(("127.0.0.1", 0)) as own:
            self.register(f"corbaloc::127.0.0.1:{own.getsockname()[1]}/x")

    def test_everyone_or_nobody_may_register(self):
        run(TAKT, "imr", "add", "bank", "--socket", self.path("socket"))
        self.serve_again("--registrations", "network")
        self.register("corbaloc::192.0.2.1:2000/x")
        self.assertEqual(self.status("bank")["processes"][0]["address"], "192.0.2.1:2000")
        self.serve_again("--registrations", "none")
        self.assertEqual(self.status("bank")["processes"][0]["address"], "192.0.2.1:2000", "it has registered before")
        self.assertIn("OBJECT_NOT_EXIST", self.ask("find", '"bank"', status=1))
        self.assertIn("OBJECT_NOT_EXIST", self.outcome())

    def test_a_server_that_a_store_names_as_the_repositorys_object(self):
        self.add("bank")
        self.end_repository()
        with sqlite3.connect(self.path("imr.db")) as database:
            database.execute("UPDATE server SET name = 'ImplRepoService'")
        database.close()
        self.serve()
        self.assertEqual([server["name"] for server in self.list()], ["ImplRepoService"])
        self.ask("find", '"bank"')
        self.imr("remove", "ImplRepoService")
        self.ask("find", '"bank"')

    def test_only_the_owner_gives_commands(self):
        self.add("bank")
        options = json.dumps({"command_line": "/bin/true", "environment": [], "working_directory": "", "activation": "NORMAL",
                              "activator": "", "start_limit": 1})
        for words in (("activate_server", '"bank"'), ("add_or_update_server", '"bank"', options), ("remove_server", '"bank"'),
                      ("shutdown_server", '"bank"')):
            self.assertIn("NO_PERMISSION", self.ask(*words, status=1), words)
        self.ask("shutdown", "true", "true")
        self.imr("start", "bank")
        eventually(lambda: self.status("bank")["phase"] == "running", "it does not run")
        found = json.loads(self.ask("find", '"JACORB:bank/accounts"'))["out"]["info"]
        self.assertEqual(found["server"], "bank")
        self.assertEqual(found["activeStatus"], "ACTIVE_MAYBE")
        self.assertEqual(found["startup"]["command_line"], "")
        self.assertTrue(found["partial_ior"].startswith("corbaloc:iiop:127.0.0.1:"), found)
        self.assertEqual(json.loads(self.ask("find", '"nothing"'))["out"]["info"]["activeStatus"], "ACTIVE_NO")
        listed = json.loads(self.ask("list", "0", "true"))["out"]
        self.assertEqual([each["server"] for each in listed["server_list"]], ["bank"])
        _, reference = self.worker()
        self.assertIn("NO_PERMISSION", self.register(reference, status=1), "a server with a ticket keeps its place")


if __name__ == "__main__":
    unittest.main(argv=["foreign_test.py"])
