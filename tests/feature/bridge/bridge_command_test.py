"""bridge_command_test.py TAKT HELLO_SERVER HELLO_CLIENT: `takt bridge` as a process, in front of servers that are
killed."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

TAKT, HELLO_SERVER, HELLO_CLIENT = sys.argv[1:4]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)


class Process:
    """A process that runs until the end of a `with`; `reference` is the first line that it prints."""

    def __init__(self, *command):
        self.command = command

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=ENVIRONMENT)
        self.reference = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        self.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)


def server(path):
    return Process(HELLO_SERVER, "-ORBListenEndpoints", f"unix:{path}")


def bridge(*options):
    return Process(TAKT, "bridge", "--listen", "iiop://127.0.0.1:0", *options)


class TestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "socket")
        self.file = os.path.join(folder.name, "file")

    def greeted(self, reference):
        result = run(HELLO_CLIENT, reference)
        self.assertEqual((result.returncode, result.stdout), (0, "Hello, world!\n"), result.stderr)

    def ping(self, reference, *, says):
        result = run(TAKT, "ping", "-c", "1", reference)
        self.assertIn(says, result.stdout)

    def refused(self, *options, says):
        result = run(TAKT, "bridge", *options)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(says, result.stderr)


class Calls(TestCase):
    def test_pass_through(self):
        with server(self.path) as inner, bridge("--to", inner.reference) as outer:
            self.greeted(outer.reference)
            shown = json.loads(run(TAKT, "ior", "--json", outer.reference).stdout)
            self.assertEqual([profile["name"] for profile in shown["profiles"]], ["TAG_INTERNET_IOP"])
            self.assertNotIn(self.path, json.dumps(shown))

    def test_a_key_of_its_own(self):
        with server(self.path) as inner, bridge("--to", f"Greeter={inner.reference}") as outer:
            port = json.loads(run(TAKT, "ior", "--json", outer.reference).stdout)["profiles"][0]["port"]
            self.greeted(f"corbaloc:iiop:1.2@127.0.0.1:{port}/Greeter")

    def test_all_keys_of_a_server(self):
        with server(self.path) as inner, bridge("--to-server", inner.reference) as outer:
            self.greeted(outer.reference)

    def test_options_from_a_file(self):
        with server(self.path) as inner:
            with open(self.file, "w", encoding="ascii") as file:
                file.write('listen = "iiop://127.0.0.1:0"\norb-options = ["-ORBRoundTripTimeout", "9s"]\n'
                           f'[to]\nGreeter = "{inner.reference}"\n')
            with Process(TAKT, "bridge", "--config", self.file) as outer:
                self.greeted(outer.reference)

    def test_what_it_has_done_is_said(self):
        with server(self.path) as inner, bridge("--to", inner.reference) as outer:
            self.greeted(outer.reference)
            outer.signal(signal.SIGUSR1)
            self.assertEqual(outer.process.stderr.readline().split()[0], "requests:")
            outer.signal(signal.SIGTERM)
            outer.process.wait(30)
            self.assertEqual(outer.process.returncode, 0)


class WhenOneDies(TestCase):
    def test_the_server(self):
        with server(self.path) as inner, bridge("--to", inner.reference) as outer:
            self.greeted(outer.reference)
            inner.signal(signal.SIGKILL)
            inner.process.wait()
            self.ping(outer.reference, says="CORBA::TRANSIENT")
            outer.signal(signal.SIGTERM)
            _, errors = outer.process.communicate(timeout=30)
            self.assertIn("last failure: CORBA::TRANSIENT", errors)
            self.assertIn(self.path, errors)

    def test_the_server_comes_back(self):
        with server(self.path) as inner:
            with bridge("--to-server", inner.reference) as outer:
                self.greeted(outer.reference)
                inner.signal(signal.SIGKILL)
                inner.process.wait()
                with server(self.path):  # another server, without that object
                    self.ping(outer.reference, says="no such object")

    def test_the_server_stands_still(self):
        with server(self.path) as inner, bridge("--to", inner.reference, "-ORBRoundTripTimeout", "1s") as outer:
            self.greeted(outer.reference)
            inner.stop()
            self.ping(outer.reference, says="CORBA::TIMEOUT")

    def test_the_bridge(self):
        with server(self.path) as inner, bridge("--to", inner.reference) as outer:
            self.greeted(outer.reference)
            outer.signal(signal.SIGKILL)
            outer.process.wait()
            self.ping(outer.reference, says="CORBA::TRANSIENT")
            self.greeted(inner.reference)


class Refuses(TestCase):
    def test_having_nowhere_to_pass_on_to(self):
        self.refused("--listen", "iiop://127.0.0.1:0", says="--to REFERENCE")

    def test_having_nowhere_to_listen(self):
        self.refused("--to", "corbaloc::1.2@localhost/Key", says="--listen ENDPOINT")

    def test_what_is_no_endpoint(self):
        self.refused("--listen", "nonsense", "--to", "corbaloc::1.2@localhost/Key", says="nonsense")

    def test_what_is_no_reference(self):
        self.refused("--listen", "iiop://127.0.0.1:0", "--to", "IOR:00", says="takt bridge: ")

    def test_the_same_key_twice(self):
        self.refused("--listen", "iiop://127.0.0.1:0", "--to", "Key=corbaloc::1.2@localhost/a",
                     "--to", "Key=corbaloc::1.2@localhost/b", says="'Key' leads to another object")

    def test_files_that_say_what_there_is_not(self):
        for text, says in (("lissten = 'iiop://:0'", "unknown key 'lissten'"), ("listen = 3", "'listen' must be a string"),
                           ("to = 'IOR:'", "a table"), ("listen", "file:1:")):
            with open(self.file, "w", encoding="ascii") as file:
                file.write(text + "\n")
            self.refused("--config", self.file, says=says)

    def test_places_of_references_without_idl(self):
        for option in ("--inside", "--outside"):
            self.refused("--listen", "iiop://127.0.0.1:0", "--to", "corbaloc::1.2@localhost/Key", option, "iiop://a",
                         says="--idl FILE")

    def test_idl_that_is_none(self):
        to = ("--listen", "iiop://127.0.0.1:0", "--to", "corbaloc::1.2@localhost/Key", "--idl", self.file)
        for text, says in (("interface", "file:2:1: error"), ("module M { const long n = 1; };", "declare no operations"),
                           ("interface I { void run(); };", "not an endpoint that a bridge's references can have")):
            with open(self.file, "w", encoding="ascii") as file:
                file.write(text + "\n")
            self.refused(*to, "--inside", "iiop://host:port", says=says)

    def test_options_that_nobody_knows(self):
        self.refused("--listen", "iiop://127.0.0.1:0", "--to", "corbaloc::1.2@localhost/Key", "nonsense",
                     says="'nonsense' is one word too many")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
