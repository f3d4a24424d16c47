#!/usr/bin/env python3
"""omniORB's examples, built with Takt and with omniORB, call each other: examples_test.py FOLDER TAKT.

FOLDER has by_takt and by_omniorb."""

import contextlib
import itertools
import os
import pathlib
import re
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


class Examples(unittest.TestCase):
    def test_eg1_calls_itself(self):
        for orb in ORBS:
            with self.subTest(orb):
                self.assertIn(REPLIED, client(orb, "eg1"))

    def test_eg2_is_called_by_its_reference(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "eg2_impl") as reference:
                self.assertIn(REPLIED, client(calls, "eg2_clt", reference))

    def test_eg3_is_found_by_its_name(self):
        for served, name in itertools.product(ORBS, ("eg3_impl", "eg3_tieimpl")):
            with self.subTest(server=served, program=name), naming() as where, \
                    contextlib.closing(Named(served, name, "-ORBInitRef", where)):
                for calls in ORBS:
                    end, text = time.monotonic() + SECONDS, ""
                    while REPLIED not in text and time.monotonic() < end:  # until the server has bound its name
                        text = client(calls, "eg3_clt", "-ORBInitRef", where)
                    self.assertIn(REPLIED, text)

    def test_dynamic_servants_and_calls(self):
        for served, calls in itertools.product(ORBS, ORBS):
            with self.subTest(server=served, client=calls), server(served, "echo_dsiimpl") as reference:
                self.assertIn(REPLIED, client(calls, "eg2_clt", reference))
                text = client(calls, "echo_diiclt", reference)
                self.assertIn(REPLIED, text)
                self.assertIn('The Echo object replied, "Hello deferred!".', text)

    def test_a_server_that_is_gone_is_named(self):
        with server("takt", "eg2_impl") as reference:
            pass
        self.assertIn("unable to contact the server", client("takt", "eg2_clt", reference).replace("\n", " "))


FOLDER, TAKT = sys.argv.pop(1), sys.argv.pop(1)
unittest.main()
