#!/usr/bin/env python3
"""omniORB's examples, built with Takt and with omniORB, call each other: examples_test.py FOLDER TAKT SOURCES PAGE.

FOLDER has by_takt and by_omniorb, SOURCES has the examples, and PAGE says which of them run."""

import contextlib
import itertools
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

SECONDS = 30  # a watchdog
REPLIED = 'The Echo object replied, "Hello!".'
ORBS = ("takt", "omniorb")


def program(orb, name):
    return os.path.join(FOLDER, f"by_{orb}", name)


@contextlib.contextmanager
def server(orb, name, *arguments):
    """Runs a server, and gives the reference that it prints."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        running = subprocess.Popen([program(orb, name), *arguments], stdout=output, stderr=subprocess.STDOUT)
        try:
            end = time.monotonic() + SECONDS
            while True:
                output.seek(0)
                text = output.read()
                found = re.search(r"IOR:[0-9a-fA-F]+\s", text)
                if found:
                    break
                if running.poll() is not None or time.monotonic() > end:
                    raise AssertionError(f"{orb}'s {name} gave no reference: {text}")
                time.sleep(0.02)
            yield found.group().strip()
        finally:
            running.kill()
            running.wait()


def client(orb, name, *arguments):
    done = subprocess.run([program(orb, name), *arguments], capture_output=True, text=True, errors="replace", timeout=SECONDS,
                          check=False)
    return done.stdout + done.stderr


@contextlib.contextmanager
def naming():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "naming.ior")
        running = subprocess.Popen([TAKT, "naming", "--memory", "--listen", "iiop://127.0.0.1:0", "--output", str(file)],
                                   stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + SECONDS
            while not file.exists() or not file.read_text(encoding="ascii").strip():
                if running.poll() is not None or time.monotonic() > end:
                    raise AssertionError("the naming service does not start")
                time.sleep(0.02)
            yield "NameService=" + file.read_text(encoding="ascii").strip()
        finally:
            running.kill()
            running.wait()


class Named:
    """A server that its clients find by its name: it need not print its reference."""

    def __init__(self, orb, name, *arguments):
        self.running = subprocess.Popen([program(orb, name), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self):
        self.running.kill()
        self.running.wait()


@contextlib.contextmanager
def changed_environment(variables):
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def listens(port):
    """Whether a server begins to listen at the port in time."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        time.sleep(0.02)
    return False


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def runs_for(seconds, *command):
    """What a program that does not end prints in that time."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False)
        raise AssertionError(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")
    except subprocess.TimeoutExpired as killed:
        return (killed.stdout or b"").decode()


def make_certificates(folder):
    """As those that ssl_echo comes with, which expire: root.pem and, with keys whose password is `password`, server.pem and
    client.pem, and foreign.pem of another authority."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
    for authority, names in (("root", ("server", "client")), ("other", ("foreign",))):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={authority}.example", "-keyout",
                authority + ".key", "-out", authority + ".pem")
        for name in names:
            openssl("req", "-newkey", "rsa:2048", "-passout", "pass:password", "-subj", f"/CN={name}.example", "-keyout", name + ".key",
                    "-out", name + ".csr")
            openssl("x509", "-req", "-days", "2", "-in", name + ".csr", "-CA", authority + ".pem", "-CAkey", authority + ".key",
                    "-CAcreateserial", "-out", name + ".crt")
            parts = [pathlib.Path(folder, name + ending).read_text(encoding="ascii") for ending in (".key", ".crt")]
            pathlib.Path(folder, name + ".pem").write_text("".join(parts), encoding="ascii")


# The same options for both.
BIDIRECTIONAL = {"server": ("-ORBacceptBiDirectionalGIOP", "1", "-ORBserverTransportRule", "* unix,tcp,bidir"),
                 "client": ("-ORBofferBiDirectionalGIOP", "1", "-ORBclientTransportRule", "* unix,tcp,bidir")}


def endpoint(port):
    return "-ORBendPoint", f"giop:tcp:127.0.0.1:{port}"


class Examples(unittest.TestCase):
    def test_the_page_says_of_each_program_whether_it_runs(self):
        rows = dict(re.findall(r"^\| `([a-zA-Z0-9_]+/[a-zA-Z0-9_/]+)` \| (runs|does not compile)\b", pathlib.Path(PAGE).read_text(encoding="utf-8"), re.M))
        programs = {str(path.relative_to(SOURCES).with_suffix("")) for path in pathlib.Path(SOURCES).rglob("*.cc")}
        self.assertEqual(set(rows), programs)
        for name, said in rows.items():
            for orb in ORBS:
                self.assertEqual(os.path.exists(program(orb, name)), said == "runs", name)

    def test_eg1_calls_itself(self):
        for orb in ORBS:
            with self.subTest(orb):
                printed = client(orb, "echo/eg1")
                self.assertIn(REPLIED, printed)
                self.assertNotIn("warning", printed)

    def test_eg2_is_called_by_its_reference(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "echo/eg2_impl") as reference:
                self.assertIn(REPLIED, client(calls, "echo/eg2_clt", reference))

    def test_eg3_is_found_by_its_name(self):
        for served, name in itertools.product(ORBS, ("echo/eg3_impl", "echo/eg3_tieimpl")):
            with self.subTest(server=served, program=name), naming() as where, \
                    contextlib.closing(Named(served, name, "-ORBInitRef", where)):
                for calls in ORBS:
                    end, text = time.monotonic() + SECONDS, ""
                    while REPLIED not in text and time.monotonic() < end:  # until the server has bound its name
                        text = client(calls, "echo/eg3_clt", "-ORBInitRef", where)
                    self.assertIn(REPLIED, text)

    def test_dynamic_servants_and_calls(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "dsi/echo_dsiimpl") as reference:
                self.assertIn(REPLIED, client(calls, "echo/eg2_clt", reference))
                text = client(calls, "dii/echo_diiclt", reference)
                self.assertIn(REPLIED, text)
                self.assertIn('The Echo object replied, "Hello deferred!".', text)

    def test_implicit_activation(self):
        for orb in ORBS:
            with self.subTest(orb):
                self.assertIn(REPLIED, client(orb, "poa/implicit_activation/eg1"))

    def test_servant_managers_and_the_main_thread(self):
        names = ("poa/servant_manager/servant_activator", "poa/servant_manager/servant_locator", "poa/threading/mainthread")
        for served, calls, name in itertools.product(ORBS, ORBS, names):
            with self.subTest(server=served, client=calls, program=name), server(served, name) as reference:
                self.assertIn(REPLIED, client(calls, "echo/eg2_clt", reference))

    def test_a_persistent_reference_outlives_its_process(self):
        for served in ORBS:
            with self.subTest(server=served):
                at = endpoint(free_port())
                with server(served, "poa/persistent_objref/eg2_impl", *at) as first:
                    pass
                with server(served, "poa/persistent_objref/eg2_impl", *at):
                    for calls in ORBS:
                        self.assertIn(REPLIED, client(calls, "echo/eg2_clt", first))

    def test_call_backs(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "call_back/cb_server") as reference:
                text = client(calls, "call_back/cb_client", reference)
                self.assertRegex(text, r'(?s)one_time.*cb_client: call_back\("Hello!"\).*Returned')
                if served != calls:
                    text = client(calls, "call_back/cb_client", reference, "1", "2")
                    self.assertRegex(text, r'(?s)register.*cb_client: call_back\("Hello!"\).*Finished')
                self.assertEqual(client(calls, "call_back/cb_shutdown", reference), "")

    def test_call_backs_over_the_callers_connection(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), \
                    server(served, "bidir/bd_server", *BIDIRECTIONAL["server"]) as reference:
                text = client(calls, "bidir/bd_client", reference, *BIDIRECTIONAL["client"])
                self.assertRegex(text, r'(?s)one_time.*cb_client: call_back\("Hello!"\).*Returned')

    def test_options_come_from_file_environment_and_command_line(self):
        with tempfile.TemporaryDirectory() as folder, naming() as where:
            for orb in ORBS:
                with self.subTest(orb):
                    ports = [free_port() for _ in range(3)]
                    file = pathlib.Path(folder, orb + ".cfg")
                    file.write_text(f"# both understand it\nInitRef = {where}\n        = Other=corbaloc::h/x\nendPoint = giop:tcp:127.0.0.1:{ports[0]}\n"
                                    "supportCurrent = 1\n", encoding="ascii")
                    variables = {"OMNIORB_CONFIG": str(file), "ORBendPoint": f"giop:tcp:127.0.0.1:{ports[1]}"}
                    names = pathlib.Path(folder, orb + "_client.cfg")
                    names.write_text(f"InitRef = {where}\n", encoding="ascii")
                    with changed_environment(variables), contextlib.closing(Named(orb, "echo/eg3_impl", *endpoint(ports[2]))), \
                            changed_environment({"OMNIORB_CONFIG": str(names), "ORBendPoint": "giop:tcp:127.0.0.1:"}):
                        self.assertEqual([listens(port) for port in ports], [True] * 3)
                        end, text = time.monotonic() + SECONDS, ""
                        while REPLIED not in text and time.monotonic() < end:  # until the server has bound its name
                            text = client(orb, "echo/eg3_clt")
                        self.assertIn(REPLIED, text)

    def test_mistakes_in_options_end_the_program(self):
        for orb in ORBS:
            with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
                file.write("traceLevel = 1\ngiopMaxMsgSize = 100\n")
                file.flush()
                for words in (("-ORBnonsense", "1"), ("-ORBgiopMaxMsgSize", "100"), ("-ORBconfigFile", file.name)):
                    done = subprocess.run([program(orb, "echo/eg1"), *words], capture_output=True, text=True, timeout=SECONDS, check=False)
                    self.assertNotIn(REPLIED, done.stdout, words)

    def test_asynchronous_calls(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "echo/eg2_impl") as reference:
                self.assertIn("echoString return: Hello async!", client(calls, "ami/echo_callback", reference))
                self.assertIn("The second call returned: Hello again async!", client(calls, "ami/echo_poller", reference))
                printed = client(calls, "ami/echo_pollable_set", reference)
                for text in ("2 pollers left", "The call returned: Hello async 1!", "The call returned: Hello async 2!", "No possible pollable."):
                    self.assertIn(text, printed)

    def test_a_set_of_pollers_has_dynamic_requests_too(self):
        for served, calls in itertools.product(ORBS, ORBS):
            if calls == "omniorb":  # a set of omniORB's names the wrong poller now and then
                continue
            with self.subTest(server=served, client=calls), server(served, "echo/eg2_impl") as reference:
                printed = client(calls, "ami/echo_dii_pollable_set", reference)
                for text in ("2 pollers left", "AMI call returned: Hello async", "DII call returned: Hello DII", "No possible pollable."):
                    self.assertIn(text, printed)

    def test_anys(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "anyExample/anyExample_impl") as reference:
                printed = client(calls, "anyExample/anyExample_clt", reference)
                self.assertEqual(printed.count("Returned Any: ULong: 314"), 4, printed)

    def test_local_calls_with_the_shortcut_policy(self):
        printed = client("takt", "poa/shortcut/shortcut")
        for text in ("Normal POA  ", "Shortcut POA", "Direct call "):
            self.assertRegex(printed, text + r" : \d+ calls per second")

    def test_calls_over_tls_with_the_files_that_the_programs_name(self):
        with tempfile.TemporaryDirectory() as folder:
            make_certificates(folder)
            for served, calls in itertools.product(ORBS, ORBS):
                with self.subTest(server=served, client=calls), contextlib.chdir(folder), server(served, "ssl_echo/eg2_impl") as reference:
                    self.assertIn(REPLIED, client(calls, "ssl_echo/eg2_clt", reference))
                    pathlib.Path("client.pem").rename("kept")
                    pathlib.Path("foreign.pem").rename("client.pem")
                    self.assertNotIn(REPLIED, client(calls, "ssl_echo/eg2_clt", reference))
                    pathlib.Path("client.pem").rename("foreign.pem")
                    pathlib.Path("kept").rename("client.pem")
                    pathlib.Path("root.pem").rename("kept")
                    shutil.copy("other.pem", "root.pem")
                    self.assertNotIn(REPLIED, client(calls, "ssl_echo/eg2_clt", reference), "a server of another authority")
                    pathlib.Path("kept").replace("root.pem")

    def test_valuetypes(self):
        for orb in ORBS:
            self.assertIn("String: hello, long: 12345", client(orb, "valuetype/simple/vcoloc"))
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "valuetype/simple/vserver") as reference:
                self.assertIn("String: hello, long: 12345", client(calls, "valuetype/simple/vclient", reference))

    def test_threads(self):
        texts = [client(orb, "thread/thrspecdata") for orb in ORBS]
        self.assertIn("main: joined - got return value 4", texts[0])
        self.assertEqual(*(sorted(text.split("\n")) for text in texts))
        for name, said in (("thread/prodcons", "consumer1: got message: "), ("thread/diner", " is eating spaghetti now.")):
            self.assertIn(said, runs_for(2, "stdbuf", "-oL", program("takt", name)))
        self.assertIn("usage", client("takt", "thread/prio"))

    def test_a_server_that_is_gone_is_named(self):
        with server("takt", "echo/eg2_impl") as reference:
            pass
        self.assertIn("unable to contact the server", client("takt", "echo/eg2_clt", reference).replace("\n", " "))


FOLDER, TAKT, SOURCES, PAGE = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))
unittest.main()
