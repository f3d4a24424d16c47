"""socket_activation_test.py TAKT WORKER: a repository whose socket a service manager has opened, as systemd's socket units do."""

import os
import select
import signal
import socket
import subprocess
import sys
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, WORKER, run

# Runs a command with a descriptor as systemd passes sockets, from 3 on, and with other values of systemd's variables.
AS_SYSTEMD = """
import os, sys
descriptor, pid, count = sys.argv[1:4]
os.dup2(int(descriptor), 3)
if descriptor != "3":
    os.close(int(descriptor))
os.environ.update(LISTEN_PID=pid or str(os.getpid()), LISTEN_FDS=count, LISTEN_FDNAMES="imr")
os.execv(sys.argv[4], sys.argv[4:])
"""


def activated(descriptor, *words, pid="", count="1"):
    return subprocess.Popen([sys.executable, "-c", AS_SYSTEMD, str(descriptor), pid, count, *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, pass_fds=(descriptor,))


class SocketActivation(Repository):
    def serve(self, *options, within=()):
        """Opens the socket once, and starts the repository when a connection waits in it."""
        if not hasattr(self, "listener"):
            self.listener = socket.create_server(("127.0.0.1", self.port))
            self.addCleanup(self.listener.close)
            first = socket.create_connection(("127.0.0.1", self.port))
            self.addCleanup(first.close)
        readable, _, _ = select.select([self.listener], [], [], PATIENCE)
        self.assertTrue(readable, "no connection waits")
        descriptor = self.listener.fileno()
        self.process = activated(descriptor, TAKT, "imr", "serve", "--store", self.path("imr.db"), "--socket", self.path("socket"), "--listen",
                                 f"iiop://127.0.0.1:{self.port}", *options)
        self.assertTrue(self.process.stdout.readline().startswith("IOR:"))

    def test_clients_that_come_before_the_repository_are_served(self):
        self.add("one")
        pid = int(next(iter(self.call(self.url + "one"))))
        for how in (signal.SIGINT, signal.SIGKILL):
            self.end_repository(how)
            client = subprocess.Popen([WORKER, "call", self.url + "one", "1", "1"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.serve()
            self.assertEqual(client.communicate(timeout=PATIENCE)[0], f"1 {pid}\n")

    def test_servers_do_not_get_what_is_meant_for_the_repository(self):
        self.add("one")
        pid = next(iter(self.call(self.url + "one")))
        with open(f"/proc/{pid}/environ", "rb") as file:
            self.assertNotIn(b"LISTEN_", file.read())
        ours = os.readlink(f"/proc/{self.process.pid}/fd/3")
        theirs = [os.readlink(f"/proc/{pid}/fd/{each}") for each in os.listdir(f"/proc/{pid}/fd")]
        self.assertTrue(ours.startswith("socket:"))
        self.assertNotIn(ours, theirs)

    def test_a_socket_in_which_clients_wait_for_ever_is_reported(self):
        self.assertEqual(self.end_repository(), (0, ""), "the one that is taken is not")
        for host, endpoint in (("127.0.0.1", "iiop://127.0.0.1:"), ("0.0.0.0", "iiop://:")):
            with socket.create_server((host, 0)) as listener:
                port = listener.getsockname()[1]
                server = activated(listener.fileno(), TAKT, "imr", "serve", "--memory", "--socket", self.path("other"), "--listen",
                                   "iiop://127.0.0.1:0")
                self.assertTrue(server.stdout.readline().startswith("IOR:"))
                said = server.stderr.readline()
                self.assertIn("systemd has opened a socket that this ORB does not serve", said)
                self.assertIn(f"{host}:{port}: {endpoint}{port} among its endpoints (-ORBListenEndpoints) takes it", said)
                server.terminate()
                server.communicate(timeout=PATIENCE)
                self.assertEqual(server.returncode, 0)

    def test_a_socket_at_another_address_or_for_another_process_is_not_taken(self):
        # The socket is at this port, so binding it anew fails.
        words = (TAKT, "imr", "serve", "--memory", "--socket", self.path("other"), "--listen")
        for pid, count in (("1", "1"), ("", "x"), ("", "99999999999"), ("", "-1"), ("", "0"), ("x", "1")):
            refused = activated(self.listener.fileno(), *words, f"iiop://127.0.0.1:{self.port}", pid=pid, count=count)
            self.assertIn("in use", refused.communicate(timeout=PATIENCE)[1], (pid, count))
            self.assertEqual(refused.returncode, 2)
        # Sockets of datagrams, and those without an address, cannot listen.
        pair, other = socket.socketpair()
        self.addCleanup(pair.close)
        self.addCleanup(other.close)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams, open("/dev/null", "rb") as file:
            datagrams.bind(("127.0.0.1", 0))
            port = datagrams.getsockname()[1]
            for each in (datagrams, pair, file):
                server = activated(each.fileno(), *words, f"iiop://127.0.0.1:{port}")
                self.assertTrue(server.stdout.readline().startswith("IOR:"), "it listens by itself")
                self.assertIn("servers", run(TAKT, "imr", "list", "--json", "--service", f"corbaloc::127.0.0.1:{port}/TaktImr"))
                server.terminate()
                server.communicate(timeout=PATIENCE)


if __name__ == "__main__":
    unittest.main(argv=["socket_activation_test.py"])
