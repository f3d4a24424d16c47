#!/usr/bin/env python3
"""What fails how: failures_test.py FOLDER PAGE.

The same program, built with Takt and with omniORB (by_takt and by_omniorb in FOLDER), tries each way to fail, and prints the
exception. What differs between the two is the table of PAGE, neither more nor less."""

import itertools
import os
import socket
import subprocess
import sys
import unittest

SECONDS = 30  # a watchdog
ORBS = ("takt", "omniorb")
HEAD = "| what fails | omniORB | Takt |"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def outcomes(server, client, *options):
    """The lines of a client, by what fails."""
    address = f"127.0.0.1:{free_port()}"
    command = [os.path.join(FOLDER, f"by_{server}", "failures"), "serve", "-ORBendPoint", f"giop:tcp:{address}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as serving:
        references = list(itertools.takewhile(lambda line: line != "end", map(str.rstrip, serving.stdout)))
        done = subprocess.run([os.path.join(FOLDER, f"by_{client}", "failures"), "call", f"address={address}", *references, *options],
                              capture_output=True, text=True, timeout=SECONDS, check=False)
        serving.kill()
    if done.returncode:
        raise AssertionError(f"{client} with {server}: {done.returncode}, {done.stdout} {done.stderr}")
    return dict(line.rsplit(": ", 1) for line in done.stdout.splitlines())


def table():
    with open(PAGE, encoding="utf-8") as page:
        lines = itertools.dropwhile(lambda line: not line.startswith(HEAD), page)
        rows = list(itertools.takewhile(lambda line: line.startswith("|"), lines))[2:]
    cells = [[cell.strip().replace("`", "") for cell in row.split("|")[1:4]] for row in rows]
    return {what: (omniorb, takt) for what, omniorb, takt in cells}


class Failures(unittest.TestCase):
    maxDiff = None

    def test_differ_from_omniorb_as_the_page_says(self):
        omniorb, takt = (outcomes(orb, orb) for orb in ("omniorb", "takt"))
        self.assertGreater(len(omniorb), 80)
        self.assertEqual(omniorb.keys(), takt.keys())
        self.assertEqual({what: (omniorb[what], takt[what]) for what in omniorb if omniorb[what] != takt[what]}, table())
        # What a server of the other ORB answers passes unchanged.
        for server, client in (("omniorb", "takt"), ("takt", "omniorb")):
            for what, found in outcomes(server, client).items():
                with self.subTest(what=what, server=server):
                    self.assertIn(found, (omniorb[what], takt[what]))

    def test_are_transient_if_timeouts_shall_be(self):
        omniorb, takt = (outcomes(orb, orb, "-ORBthrowTransientOnTimeOut", "1") for orb in ("omniorb", "takt"))
        within = [what for what in omniorb if " within the time of " in what]
        self.assertEqual(len(within), 4)
        for what in within:
            self.assertEqual((omniorb[what], takt[what]), ("TRANSIENT TRANSIENT_CallTimedout MAYBE",) * 2, what)


if __name__ == "__main__":
    FOLDER, PAGE = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
