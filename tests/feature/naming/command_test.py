"""command_test.py TAKT: `takt naming` and `takt name` as processes."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from service import ENVIRONMENT, Service, free_port, takt

DEAD = "corbaloc:iiop:1.2@127.0.0.1:9/nobody"


class Names(unittest.TestCase):
    def setUp(self):
        self.service = Service("--memory")
        self.addCleanup(self.service.stop)

    def name(self, *words, status=0):
        done = takt("name", *words, "--service", self.service.reference)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stdout + done.stderr

    def test_a_tour(self):
        self.name("mkdir", "a.k")
        self.name("mkdir", "-p", "a.k/b/c")
        self.name("mkdir", "-p", "a.k/b/c")
        self.name("bind", "a.k/b/o", DEAD)
        self.name("bind", "x\\.y\\/z", DEAD)
        self.assertEqual(self.name("list"), "a.k/\nx\\.y\\/z\n")
        self.assertEqual(self.name("list", "a.k/b"), "c/\no\n")
        self.assertEqual(self.name("tree"), "a.k/\n  b/\n    c/\n    o\nx\\.y\\/z\n")
        self.assertTrue(self.name("resolve", "a.k/b/o").startswith("IOR:"))
        self.name("rebind", "a.k/b/o", self.service.reference)
        self.assertEqual(self.name("tree", "a.k/b"), "c/\no\n", "bound as an object, it is not gone into")
        self.name("bind", "--context", "a.k/up", self.service.reference)
        self.assertIn("  up/  (already listed above)\n", self.name("tree"))
        self.name("unbind", "a.k/b/o")
        self.assertIn("'o' is not bound", self.name("resolve", "a.k/b/o", status=1))

    def test_refusals(self):
        self.name("bind", "o", DEAD)
        self.assertIn("use rebind to replace it", self.name("bind", "o", DEAD, status=1))
        self.assertIn("'o' begins with an object", self.name("resolve", "o/x", status=1).replace("o/x", "o"))
        self.assertIn("is not a name: a component is empty", self.name("resolve", "a//b", status=2))
        self.name("bind", "p", "corbaloc:nonsense", status=2)
        self.assertIn("unknown option", takt("name", "list", "-ORBnonsense", "1").stderr)
        for command in (("bind", "a/b/c", DEAD), ("rebind", "a/b/c", DEAD), ("mkdir", "a/b/c")):
            self.assertIn("there is no context 'a'; takt name mkdir --parents 'a/b' makes it", self.name(*command, status=1))
        self.name("mkdir", "a")
        self.assertIn("there is no context 'a/b'; takt name mkdir --parents 'a/b' makes it", self.name("bind", "a/b/c", DEAD, status=1))
        self.assertIn("is a reference, not a name; that of the naming service follows --service", self.name("list", DEAD, status=2))

    def test_json_and_liveness(self):
        self.name("bind", "dead", DEAD)
        self.name("bind", "alive", self.service.reference)
        said = json.loads(self.name("list", "--live", "--json", "--timeout", "5", status=1))
        alive, dead = said["bindings"]
        self.assertEqual((alive["name"], alive["type"], alive["live"]["answers"]), ("alive", "object", True))
        self.assertEqual((dead["name"], dead["live"]["answers"]), ("dead", False))
        self.assertIn("TRANSIENT", dead["live"]["why"])
        self.assertTrue(alive["reference"].startswith("IOR:"))
        page = self.name("list", "--live", "--timeout", "5", status=1)
        self.assertIn("alive  [answers in ", page)
        self.assertIn("dead  [no answer: ", page)
        self.assertIn("answers in", self.name("resolve", "alive", "--live"))

    def test_figures(self):
        self.name("bind", "o", DEAD)
        at = f"corbaloc::127.0.0.1:{self.service.port}/TaktNaming"
        page = takt("metrics", "--once", "--naming", at).stdout
        for sample in ("takt_naming_up", "takt_naming_bindings", "takt_naming_contexts"):
            self.assertIn(f'{sample}{{target="{at}"}} 1\n', page)
        self.assertNotRegex(page, "(?m)^takt_naming_etcd", "without an etcd it has no such samples")
        self.assertIn(f"{at}: naming, bindings 1, contexts 1, iterators 0\n", takt("top", "--naming", at).stdout)
        said = json.loads(takt("top", "--json", "--naming", at).stdout)["services"][0]
        self.assertEqual(said, {"target": at, "kind": "naming", "bindings": 1, "contexts": 1, "iterators": 0})

    def test_many_that_hang_are_asked_at_once(self):
        """Each takes its whole timeout; in sequence they would take longer than takt() waits."""
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen(100)
            for number in range(60):
                self.name("bind", f"s{number}", f"corbaloc:iiop:1.2@127.0.0.1:{silent.getsockname()[1]}/x{number}")
            said = json.loads(self.name("list", "--live", "--json", "--timeout", "1", "--parallel", "60", status=1))
        self.assertEqual([each["live"]["answers"] for each in said["bindings"]], [False] * 60)

    def test_more_than_one_reply_holds(self):
        other = Service("--memory", "--max-listed", "7")
        self.addCleanup(other.stop)
        for number in range(30):
            takt("name", "bind", f"n{number:02}", DEAD, "--service", other.reference)
        listed = takt("name", "list", "--service", other.reference).stdout
        self.assertEqual(listed, "".join(f"n{number:02}\n" for number in range(30)))

    def test_watch(self):
        watching = subprocess.Popen([*takt.command, "name", "watch", "--interval", "0.05", "--live", "--json", "--service",
                                     self.service.reference], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(watching.stdout.close)
        self.addCleanup(watching.wait)
        self.addCleanup(watching.kill)

        def next_event():
            said = json.loads(watching.stdout.readline())
            return said["what"], said["name"]

        self.name("bind", "a", self.service.reference)
        self.assertEqual(next_event(), ("bound", "a"))
        self.name("rebind", "a", DEAD)
        self.assertEqual({next_event(), next_event()}, {("rebound", "a"), ("silent", "a")})
        self.name("rebind", "a", self.service.reference)
        self.assertEqual({next_event(), next_event()}, {("rebound", "a"), ("answers", "a")})
        self.name("unbind", "a")
        self.assertEqual(next_event(), ("unbound", "a"))
        watching.send_signal(signal.SIGINT)
        self.assertEqual(watching.wait(30), 0)

    def test_watch_outlives_the_service(self):
        with tempfile.TemporaryDirectory() as folder:
            store = ("--store", os.path.join(folder, "names.db"))
            service = Service(*store)
            self.addCleanup(service.stop)
            self.assertEqual(takt("name", "bind", "a", DEAD, "--service", service.url).returncode, 0)
            watching = subprocess.Popen([*takt.command, "name", "watch", "--interval", "0.05", "--timeout", "20", "--json", "--service",
                                         service.url], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.addCleanup(watching.stdout.close)
            self.addCleanup(watching.wait)
            self.addCleanup(watching.kill)

            def next_event():
                said = json.loads(watching.stdout.readline())
                return said["what"], said.get("name")

            self.assertEqual(next_event(), ("bound", "a"))
            service.stop()
            self.assertEqual(next_event(), ("silent", None))
            again = Service(*store, port=service.port)
            self.addCleanup(again.stop)
            self.assertEqual(next_event(), ("answers", None))
            takt("name", "unbind", "a", "--service", again.url)
            self.assertEqual(next_event(), ("unbound", "a"))


class Finding(unittest.TestCase):
    """Which service is used, and where it listens."""

    def test_initial_reference_and_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "root.ior")
            service = Service("--memory", "-o", path)
            self.addCleanup(service.stop)
            takt("name", "bind", "x", DEAD, "--service", path)
            for words in (["--service", service.url], ["-ORBInitRef", f"NameService={service.url}"],
                          ["-ORBDefaultInitRef", service.url.removesuffix("/NameService")]):
                self.assertEqual(takt("name", "list", *words).stdout, "x\n", words)
            self.assertTrue(takt("name", "resolve", "-ORBInitRef", f"NameService={service.url}", "x").stdout
                            .startswith("IOR:"), "options may stand before the name")

    def test_options_file_says_where(self):
        with tempfile.TemporaryDirectory() as folder:
            port = free_port()
            path = os.path.join(folder, "naming.toml")
            with open(path, "w", encoding="ascii") as file:
                file.write(f'ListenEndpoints = ["iiop://127.0.0.1:{port}"]\n')
            service = Service("--memory", "-ORBConfig", path, listen=False)
            self.addCleanup(service.stop)
            done = takt("name", "list", "--service", f"corbaloc::127.0.0.1:{port}/NameService")
            self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_options_file_says_nothing_of_where(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("# ListenEndpoints are not here\n")
            file.flush()
            with socket.socket() as taken:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    taken.bind(("127.0.0.1", 2809))
                    taken.listen()
                except OSError:  # another process has the port
                    pass
                for words, environment in ((("-ORBConfig", file.name), {}), ((), {"TAKT_CONFIG": file.name})):
                    done = subprocess.run([*takt.command, "naming", "--memory", *words], capture_output=True, text=True, timeout=60,
                                          env={**ENVIRONMENT, **environment}, check=False)
                    self.assertEqual(done.returncode, 2)
                    self.assertIn("2809", done.stderr)

    def test_nobody_there(self):
        done = takt("name", "list", "--service", f"corbaloc::127.0.0.1:{free_port()}/NameService")
        self.assertEqual(done.returncode, 1)
        self.assertIn("takt name list: ", done.stderr)

    def test_wrong_limits(self):
        for option, number in (("--max-listed", "4294967296"), ("--max-listed", "0"), ("--max-components", "0"), ("--max-iterators", "0")):
            done = takt("naming", "--memory", "--listen", "iiop://127.0.0.1:0", option, number)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{option} is a number from 1 to 1000000", done.stderr)

    def test_wrong_stores(self):
        self.assertIn("give either --memory or --store", takt("naming", "--memory", "--store", "x").stderr)
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"no database, and long enough to be seen as none; " * 40)
            file.flush()
            done = takt("naming", "--store", file.name, "--listen", "iiop://127.0.0.1:0")
            self.assertEqual(done.returncode, 2)
            self.assertIn(file.name, done.stderr)

    def test_as_omninames(self):
        with tempfile.TemporaryDirectory() as folder:
            link = os.path.join(folder, "omniNames")
            os.symlink(os.path.abspath(sys.argv[1]), link)
            port = free_port()
            process = subprocess.Popen([link, "-start", str(port), "-datadir", folder, "-ORBendPoint",
                                        f"giop:tcp:127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.assertTrue(process.stdout.readline().startswith("IOR:"))
            url = f"corbaloc::127.0.0.1:{port}/NameService"
            self.assertEqual(takt("name", "mkdir", "a", "--service", url).returncode, 0)
            self.assertTrue(os.path.exists(os.path.join(folder, "takt-naming.db")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
