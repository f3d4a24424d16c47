#!/usr/bin/env python3
"""Which address of a reference a client asks: addresses_test.py FOLDER.

omniORB's example client, built with Takt and with omniORB, gets references with two addresses, at which small servers of this test
answer."""

import contextlib
import os
import socket
import struct
import subprocess
import sys
import threading
import unittest

SECONDS = 30  # a watchdog
ORBS = ("omniorb", "takt")
HERE = "127.0.0.1"
REQUEST, REPLY, LOCATE_REQUEST, LOCATE_REPLY = 0, 1, 3, 4
NO_EXCEPTION, SYSTEM_EXCEPTION = 0, 2


def text(said):
    return struct.pack("<I", len(said) + 1) + said.encode() + b"\0"


def padded(octets, to):
    return octets + b"\0" * (-len(octets) % to)


def address(port):
    return padded(text(HERE), 2) + struct.pack("<H", port)


def profile(port, other=None):
    """IIOP 1.2, the key `k`, and maybe a second address."""
    octets = padded(padded(b"\1\1\2\0" + address(port), 4) + struct.pack("<I", 1) + b"k", 4)
    if other is None:
        return octets + struct.pack("<I", 0)
    component = padded(b"\1", 4) + address(other)
    return octets + struct.pack("<III", 1, 3, len(component)) + component


def reference(*profiles):
    octets = padded(padded(b"\1", 4) + text("IDL:Echo:1.0"), 4) + struct.pack("<I", len(profiles))
    for one in profiles:
        octets = padded(octets, 4) + struct.pack("<II", 0, len(one)) + one
    return "IOR:" + octets.hex()


class Server:
    """Replies to each request with the system exception, or with Hello!."""

    def __init__(self, raised=None):
        self.raised, self.requests = raised, 0
        self.listening = socket.create_server((HERE, 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=(self.listening.accept()[0],), daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile("rb") as octets:
            while len(head := octets.read(12)) == 12:
                order = "<" if head[6] & 1 else ">"
                body = octets.read(struct.unpack(order + "I", head[8:])[0])
                if head[7] not in (REQUEST, LOCATE_REQUEST):
                    continue
                request = struct.unpack(order + "I", body[:4])[0]
                if head[7] == LOCATE_REQUEST:
                    self.send(connection, LOCATE_REPLY, struct.pack("<II", request, 1))
                else:
                    self.requests += 1
                    self.send(connection, REPLY, self.answer(request))

    def answer(self, request):
        if not self.raised:
            return struct.pack("<III", request, NO_EXCEPTION, 0) + text("Hello!")
        return padded(struct.pack("<III", request, SYSTEM_EXCEPTION, 0) + text(f"IDL:omg.org/CORBA/{self.raised}:1.0"), 4) \
            + struct.pack("<II", 0, 1)

    @staticmethod
    def send(connection, kind, body):
        connection.sendall(b"GIOP\1\2\1" + bytes([kind]) + struct.pack("<I", len(body)) + body)

    def close(self):
        self.listening.close()


def closed_port():
    with socket.create_server((HERE, 0)) as one:
        return one.getsockname()[1]


def call(orb, where):
    done = subprocess.run([os.path.join(FOLDER, f"by_{orb}", "echo", "eg2_clt"), where], capture_output=True, text=True, timeout=SECONDS,
                          check=False)
    return done.stdout + done.stderr


class Addresses(unittest.TestCase):
    def test_what_a_server_replies_is_the_callers(self):
        for orb in ORBS:
            for raised in ("TRANSIENT", "COMM_FAILURE", "NO_RESOURCES"):
                with contextlib.closing(Server(raised)) as first, contextlib.closing(Server()) as second:
                    for where in (reference(profile(first.port, second.port)), reference(profile(first.port), profile(second.port))):
                        with self.subTest(orb=orb, raised=raised):
                            self.assertRegex(call(orb, where), f"Caught .*{raised}")
                    self.assertEqual((first.requests, second.requests), (2, 0))

    def test_the_next_is_tried_if_none_listens(self):
        for orb in ORBS:
            with self.subTest(orb=orb), contextlib.closing(Server()) as second:
                self.assertIn('replied, "Hello!"', call(orb, reference(profile(closed_port(), second.port))))
        with contextlib.closing(Server()) as second:  # omniORB uses one profile
            self.assertIn('replied, "Hello!"', call("takt", reference(profile(closed_port()), profile(second.port))))


if __name__ == "__main__":
    FOLDER = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
