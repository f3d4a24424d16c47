"""operation_test.py TAKT HELLO_SERVER: signals, reloaded files and the service manager, for a server whose program does
nothing about them."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402

TAKT, HELLO_SERVER = sys.argv[1:3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("TAKT_", "NOTIFY_", "WATCHDOG_"))}
PATIENCE_S = 30


class Server:
    """hello_server with these options, until the end of a `with`. `reference` is its object's reference, `said` its
    standard error."""

    def __init__(self, *options, environment=None, places=("-ORBListenEndpoints", "iiop://127.0.0.1:0")):
        command = [HELLO_SERVER, *(places if "-ORBListenEndpoints" not in options else ()), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**ENVIRONMENT, **(environment or {})})
        self.lines, self.changed = [], threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()
        self.reference = self.process.stdout.readline().strip()

    def listen(self):
        for line in self.process.stderr:
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def said(self, *words):
        """Waits for a line that contains all of these."""
        with self.changed:
            found = self.changed.wait_for(
                lambda: next((line for line in self.lines if all(word in line for word in words)), None), PATIENCE_S)
        if not found:
            raise AssertionError(f"no line says {words}: {self.lines}")
        return found

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


def answers(reference):
    return subprocess.run([TAKT, "ping", "--ready", "--timeout", "5", reference], env=ENVIRONMENT, check=False,
                          capture_output=True).returncode == 0


def listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def eventually(true):
    end = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class TestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """Replaces the file atomically, as operators do: readers see the old or the new file."""
        with open(self.path(name + ".new"), "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(self.path(name + ".new"), self.path(name))
        return self.path(name)


class Signals(TestCase):
    def ends_in_good_order(self, name, number):
        record = self.path(name)
        with Server("-ORBSignals", name, "-ORBRunRecord", record) as server:
            self.assertTrue(answers(server.reference))
            self.assertEqual(server.end(number), 0)
        with open(record) as file:
            self.assertIn("run_record", file.read(), "destroy() writes it")

    def test_term_ends_run_and_destroy_is_reached(self):
        self.ends_in_good_order("TERM", signal.SIGTERM)

    def test_int_does_likewise(self):
        self.ends_in_good_order("INT", signal.SIGINT)

    def test_those_that_are_not_taken_do_what_they_did(self):
        for options, number in (((), signal.SIGTERM), (("-ORBSignals", "HUP"), signal.SIGTERM), (("-ORBSignals", "TERM"), signal.SIGHUP)):
            with Server(*options) as server:
                self.assertEqual(server.end(number), -number)

    def test_a_reactive_server_ends_too(self):
        with Server("-ORBServerConcurrency", "reactive", "-ORBSignals", "TERM,INT") as server:
            self.assertTrue(answers(server.reference))
            self.assertEqual(server.end(signal.SIGTERM), 0)

    def test_a_signal_that_there_is_not(self):
        with Server("-ORBSignals", "TERM,KILL") as server:
            server.said("-ORBSignals: 'KILL' is not valid: it takes TERM, INT and HUP")
            self.assertEqual(server.process.wait(PATIENCE_S), 1)


# Runs a command with a descriptor as systemd passes sockets, from 3 on.
AS_SYSTEMD = """
import os, sys
descriptor = int(sys.argv[1])
os.dup2(descriptor, 3)
if descriptor != 3:
    os.close(descriptor)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""


class PassedSockets(TestCase):
    def said_with(self, listener, endpoint):
        """The standard error of a server that serves, to which systemd has passed the socket."""
        command = [sys.executable, "-c", AS_SYSTEMD, str(listener.fileno()), HELLO_SERVER, "-ORBListenEndpoints", endpoint]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, pass_fds=(listener.fileno(),))
        self.addCleanup(server.kill)
        self.assertTrue(answers(server.stdout.readline().strip()))
        server.terminate()
        return server.communicate(timeout=PATIENCE_S)[1]

    def test_a_socket_in_which_clients_wait_for_ever_is_reported(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            endpoint = f"iiop://127.0.0.1:{listener.getsockname()[1]}"
            said = self.said_with(listener, "iiop://127.0.0.1:0")
            self.assertIn("systemd has opened a socket that this ORB does not serve", said)
            self.assertIn(f"{endpoint} among its endpoints (-ORBListenEndpoints) takes it", said)
            self.assertNotIn("systemd", self.said_with(listener, endpoint))
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path("socket"))
            listener.listen()
            self.assertIn("a UNIX-domain socket, which it opens itself", self.said_with(listener, "iiop://127.0.0.1:0"))


class Settings(TestCase):
    def server(self, *options, text=""):
        return Server("-ORBConfig", self.write("takt.toml", text), *options)

    def test_hup_takes_what_may_change(self):
        with self.server("-ORBSignals", "HUP") as server:
            port = re.search(r"port: (\d+)",
                             subprocess.run([TAKT, "ior", server.reference], capture_output=True, text=True, check=True).stdout)[1]
            named = f"corbaloc::127.0.0.1:{port}/Hello"
            self.assertFalse(answers(named))
            self.write("takt.toml", f'ObjectKey = ["Hello={server.reference}"]\n')
            server.process.send_signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: answers(named)))

    def test_what_may_not_change_is_said(self):
        with self.server("-ORBSignals", "HUP") as server:
            self.write("takt.toml", "ServerThreads = 7\n")
            server.process.send_signal(signal.SIGHUP)
            server.said("reload: ServerThreads cannot be changed while the ORB runs")
            self.assertTrue(answers(server.reference))

    def test_a_file_that_is_wrong_changes_nothing(self):
        with self.server("-ORBSignals", "HUP") as server:
            self.write("takt.toml", 'HoldTimeout = "soon"\n')
            server.process.send_signal(signal.SIGHUP)
            server.said("takt.toml:1", "HoldTimeout")
            self.assertTrue(answers(server.reference))

    def test_what_was_refused_is_tried_again(self):
        first = '"iiop://127.0.0.1:0"'
        file = self.write("takt.toml", f"ListenEndpoints = [{first}]\n")
        with socket.socket() as other, Server("-ORBConfig", file, "-ORBSignals", "HUP", places=()) as server:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            self.write("takt.toml", f'ListenEndpoints = [{first}, "iiop://127.0.0.1:{port}"]\n')
            server.process.send_signal(signal.SIGHUP)
            server.said("reload: ", str(port))
            other.close()
            server.process.send_signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: listens(port)))

    def test_a_name_that_is_not_answered_holds_nothing_up(self):
        with socket.socket() as silent, self.server("-ORBSignals", "HUP,TERM") as server:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            silent.settimeout(PATIENCE_S)
            self.write("takt.toml", f'ObjectKey = ["Hello=corbaname::127.0.0.1:{silent.getsockname()[1]}#a"]\n')
            server.process.send_signal(signal.SIGHUP)
            with silent.accept()[0]:
                begin = time.monotonic()
                self.assertEqual(server.end(signal.SIGTERM), 0)
                self.assertLess(time.monotonic() - begin, 10, "SIGTERM waited for the naming service")

    def test_an_interval_does_it_too(self):
        with self.server("-ORBReloadInterval", "1s") as server:
            self.write("takt.toml", "ServerThreads = 7\n")
            server.said("reload: ServerThreads cannot be changed while the ORB runs")


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class Certificates(TestCase):
    def make(self, name, days="90"):
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", days,
                   "-keyout", self.path("own.key.new"), "-out", self.path("own.pem.new"), "-subj", f"/CN={name}"]
        subprocess.run(command, check=True, capture_output=True)
        os.chmod(self.path("own.key.new"), 0o600)
        for file in ("own.key", "own.pem"):
            os.rename(self.path(file + ".new"), self.path(file))
        with open(self.path("own.pem"), encoding="ascii") as file:
            return file.read()

    def server(self, port, *options):
        return Server("-ORBListenEndpoints", f"ssliop://127.0.0.1:{port}", "-ORBTLSCertificate", self.path("own.pem"), "-ORBTLSKey",
                      self.path("own.key"), *options)

    def shown_at(self, port):
        return ssl.get_server_certificate(("127.0.0.1", port)).strip()

    def test_hup_shows_new_ones(self):
        first, port = self.make("first"), free_port()
        with self.server(port, "-ORBSignals", "HUP") as server:
            self.assertEqual(self.shown_at(port), first.strip())
            second = self.make("second")
            server.process.send_signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: self.shown_at(port) == second.strip()))

    def test_the_doctor_asks_nobody_for_a_password_that_is_in_a_file(self):
        password = self.write("password", "open sesame\n")
        key, certificate = self.path("locked.key"), self.path("locked.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-passout", f"file:{password}",
                        "-days", "90", "-keyout", key, "-out", certificate, "-subj", "/CN=locked", "-addext",
                        "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        options = {"Certificate": certificate, "Key": key, "KeyPasswordFile": password, "Authorities": certificate}
        own = [word for name, value in options.items() for word in (f"-ORBTLS{name}", value)]
        with Server("-ORBListenEndpoints", "ssliop://127.0.0.1:0", "-ORBTLSClientCertificates", "required", "-ORBLogLevel", "error",
                    *own) as server:
            done = subprocess.run([TAKT, "ior", "--doctor", server.reference, *own, "-ORBLogLevel", "error"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, env=ENVIRONMENT, check=False,
                                  start_new_session=True)  # without a terminal, which would be asked
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("CN=locked", done.stdout)

    def test_one_that_will_not_do_leaves_the_old(self):
        first, port = self.make("first"), free_port()
        with self.server(port, "-ORBSignals", "HUP") as server:
            self.write("own.pem", "nothing\n")
            server.process.send_signal(signal.SIGHUP)
            server.said("reload: ", "-ORBTLSCertificate", "the certificates stay as they were")
            self.assertEqual(self.shown_at(port), first.strip())

    def test_one_that_ends_soon_is_warned_of(self):
        self.make("brief", days="3")
        with self.server(free_port()) as server:
            server.said("TLS: the certificate of CN=brief in", "expires at", "GMT")
        self.make("brief", days="3")
        with self.server(free_port(), "-ORBTLSExpiryWarning", "1h", "-ORBSignals", "TERM") as server:
            self.assertEqual(server.end(signal.SIGTERM), 0)
            self.assertEqual([line for line in server.lines if "expires" in line], [])

    def test_a_file_that_is_missing_is_said_in_words(self):
        with Server("-ORBTLSCertificate", self.path("none.pem")) as server:
            server.said("-ORBTLSCertificate: '", "none.pem': no such file or directory")


class Manager(TestCase):
    def test_hears_of_the_beginning_of_life_and_of_the_end(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
            heard.settimeout(PATIENCE_S)
            heard.bind(self.path("notify"))
            environment = {"NOTIFY_SOCKET": self.path("notify"), "WATCHDOG_USEC": "200000"}
            with Server("-ORBServiceNotify", "on", "-ORBSignals", "TERM", environment=environment) as server:
                words = [heard.recv(100).decode() for _ in range(4)]
                self.assertEqual(sorted(set(words)), ["READY=1", "WATCHDOG=1"])
                self.assertEqual(words.count("READY=1"), 1)
                self.assertTrue(answers(server.reference))
                self.assertEqual(server.end(signal.SIGTERM), 0)
                while (word := heard.recv(100).decode()) != "STOPPING=1":
                    self.assertEqual(word, "WATCHDOG=1")

    def test_is_not_told_unless_that_is_asked_for(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
            heard.bind(self.path("notify"))
            with Server("-ORBSignals", "TERM", environment={"NOTIFY_SOCKET": self.path("notify")}) as server:
                self.assertEqual(server.end(signal.SIGTERM), 0)
            heard.setblocking(False)
            self.assertRaises(BlockingIOError, heard.recv, 100)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
