#!/usr/bin/env python3
"""Where servers listen and what references contain, by omniORB's options: endpoints_test.py FOLDER TAKT.

The same server, built with Takt and with omniORB, is started with the same options: references have the same addresses."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import unittest

ORBS = ("omniorb", "takt")


def free_ports(count):
    """Ports in succession."""
    while True:
        with contextlib.ExitStack() as stack:
            try:
                first = 0
                for i in range(count):
                    one = stack.enter_context(socket.socket())
                    one.bind(("127.0.0.1", first + i if first else 0))
                    first = first or one.getsockname()[1]
                return first
            except (OSError, OverflowError):
                pass


@contextlib.contextmanager
def server(orb, *options):
    command = [os.path.join(FOLDER, f"by_{orb}", "failures"), "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as serving:
        try:
            yield serving.stdout.readline().strip().partition("=")[2]
        finally:
            serving.kill()


def addresses(reference):
    done = subprocess.run([TAKT, "ior", "--json", reference], capture_output=True, text=True, check=True)
    profile = json.loads(done.stdout)["profiles"][0]
    others = [one for one in profile["components"] if one["name"] == "TAG_ALTERNATE_IIOP_ADDRESS"]
    return [(one["host"], one["port"]) for one in [profile, *others]]


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Endpoints(unittest.TestCase):
    def check(self, options, expected, silent=(), listened=()):
        for orb in ORBS:
            with self.subTest(orb=orb, options=options), server(orb, *options) as reference:
                self.assertEqual(addresses(reference), expected)
                self.assertTrue(all(map(listens, listened)))
                self.assertFalse(any(map(listens, silent)))

    def test_several_are_all_published(self):
        port = free_ports(2)
        self.check(["-ORBendPoint", f"giop:tcp:127.0.0.1:{port}", "-ORBendPoint", f"giop:tcp:127.0.0.1:{port + 1}"],
                   [("127.0.0.1", port), ("127.0.0.1", port + 1)], listened=[port, port + 1])

    def test_some_are_not_published(self):
        port = free_ports(2)
        self.check(["-ORBendPointNoPublish", f"giop:tcp:127.0.0.1:{port}", "-ORBendPoint", f"giop:tcp:127.0.0.1:{port + 1}"],
                   [("127.0.0.1", port + 1)], listened=[port, port + 1])

    def test_some_are_only_published(self):
        port = free_ports(1)
        here = ["-ORBendPoint", f"giop:tcp:127.0.0.1:{port}"]
        self.check([*here, "-ORBendPointNoListen", "giop:tcp:outside:99"], [("127.0.0.1", port), ("outside", 99)], listened=[port])
        self.check([*here, "-ORBendPointPublish", "addr,giop:tcp:outside:99"], [("127.0.0.1", port), ("outside", 99)])
        self.check([*here, "-ORBendPointPublish", "giop:tcp:outside:"], [("outside", port)])

    def test_may_have_a_range_of_ports(self):
        port = free_ports(3)
        option = ["-ORBendPoint", f"giop:tcp:127.0.0.1:{port}-{port + 2}"]
        for orb in ORBS:
            with self.subTest(orb=orb), contextlib.ExitStack() as stack:
                used = {addresses(stack.enter_context(server(orb, *option)))[0] for _ in range(3)}
                self.assertEqual(used, {("127.0.0.1", port + i) for i in range(3)})
                self.assertEqual(stack.enter_context(server(orb, *option)), "", "a fourth does not start")

    def test_are_refused_if_none_is_published(self):
        option = ["-ORBendPointNoPublish", "giop:tcp:127.0.0.1:0"]
        for orb in ORBS:
            with server(orb, *option) as reference:
                self.assertEqual(reference, "", orb)


if __name__ == "__main__":
    FOLDER, TAKT = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
