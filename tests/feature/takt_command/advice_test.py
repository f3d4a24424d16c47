"""advice_test.py TAKT: the advice of `takt ior --doctor` on the ORB of a reference."""

import json
import os
import subprocess
import sys
import unittest

from references import Encapsulation, ior, profile

PROGRAM = sys.argv[1]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


class Advises(unittest.TestCase):
    """About references that nothing listens at."""

    TAO, OMNIORB, TAKT = 0x54414f00, 0x41545400, 0x54414b54

    def advice(self, *components, host="127.0.0.1", minor=2, key=b"k"):
        reference = ior("", [profile(host, 1, key, components, minor)])
        done = subprocess.run([PROGRAM, "ior", "--doctor", "--json", reference], capture_output=True, text=True, timeout=60,
                              env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return json.loads(done.stdout).get("advice", [])

    def test_what_the_orb_of_a_reference_needs(self):
        def orb(number):
            return 0, Encapsulation().ulong(number)

        def sets(char):
            return 1, Encapsulation().ulong(char).ulong(0).ulong(0x00010109).ulong(0)
        utf_8, latin = sets(0x05010001), sets(0x00010001)
        lanes = 0x54414f02, Encapsulation().ulong(2).string("127.0.0.1").ushort(1).short(10).string("127.0.0.1").ushort(2).short(20)
        none, native, lane, here = "-ORBAssumedCharCodeSet", "-ORBNativeCharCodeSet", "(10, 20)", "-ORBDottedDecimalAddresses"
        values, doubles = "-ORBValueForm tao", "-ORBLongDouble x87"
        for expected, said in (([], self.advice(orb(self.TAKT), utf_8)), ([none], self.advice(orb(self.TAKT))),
                               ([none], self.advice(minor=0)), ([doubles], self.advice(orb(self.OMNIORB), utf_8)),
                               ([values, doubles], self.advice(orb(self.TAO), utf_8)),
                               ([none, values, doubles], self.advice(orb(self.TAO))),
                               ([native, values, doubles], self.advice(orb(self.TAO), latin)),
                               ([lane, values, doubles], self.advice(orb(self.TAO), utf_8, lanes)),
                               ([here, values, doubles], self.advice(orb(self.TAO), utf_8, host="localhost"))):
            self.assertEqual(len(said), len(expected), said)
            for one, text in zip(expected, said):
                self.assertIn(one, text)

    def test_where_services_of_tao_listen(self):
        sets = 1, Encapsulation().ulong(0x05010001).ulong(0).ulong(0x00010109).ulong(0)
        said, = self.advice(sets, key=b"NameService")
        self.assertIn("TAO's NameService takes any free port unless it is started with -ORBListenEndpoints", said)
        self.assertIn("takt naming listens for its own machine only", said)
        self.assertEqual(self.advice(sets, key=b"Catalogue"), [])
        for orb, is_tao in ((self.TAO, True), (self.OMNIORB, False), (self.TAKT, False)):
            said = " ".join(self.advice((0, Encapsulation().ulong(orb)), sets, key=b"NameService"))
            self.assertEqual(("TAO's NameService" in said, "takt naming" in said), (is_tao, False), said)

    def shown(self, *words, status=0):
        done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_how_the_server_of_a_reference_listens_for_other_machines(self):
        tls = 20, Encapsulation().ushort(0x7e).ushort(0x06).ushort(4433)
        for orb, more, port, says in ((self.TAKT, (), 1, "with -ORBListenEndpoints iiop://:0"),
                                      (self.TAKT, (tls,), 0, "127.0.0.1:4433: a loopback address"),
                                      (self.TAKT, (tls,), 0, "with -ORBListenEndpoints ssliop://:0"),
                                      (self.OMNIORB, (), 1, "with -ORBendPoint giop:tcp::"),
                                      (self.TAO, (), 1, "with -ORBListenEndpoints iiop://:PORT"),
                                      (0x4a414300, (), 1, "let the server listen at an address")):
            reference = ior("", [profile("127.0.0.1", port, b"k", [(0, Encapsulation().ulong(orb)), *more])])
            said = self.shown("ior", reference)["warnings"]
            self.assertTrue(any(says in each for each in said), (says, said))
        said = self.shown("ior", "corbaloc:iiop:1.2@127.0.0.1:1/k")["warnings"]
        self.assertTrue(said[0].endswith("it leads to the client's own machine"), said)

    def test_a_published_host_at_which_nothing_listens(self):
        def first_lines(host):
            service = subprocess.Popen([PROGRAM, "naming", "--memory", "--listen", "iiop://localhost:0", "--publish", f"iiop://{host}:2999"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
            service.stdout.readline()
            service.terminate()
            return service.communicate()[1]
        self.assertIn("references name shop.example, but the server listens for clients on its own machine only: "
                      "add -ORBListenEndpoints iiop://:2999", first_lines("shop.example"))
        self.assertNotIn("references name", first_lines("localhost"))

    def test_words_that_are_like_no_other(self):
        for words, says in ((("bogus",), "takt: there is no subcommand 'bogus'; takt --help lists all"),
                            (("top", "--once"), "takt top: there is no option '--once'; takt top --help lists all")):
            done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)
            self.assertIn(says, done.stderr)

    def test_what_is_wrong_with_the_reference_that_a_name_leads_to(self):
        bound = ior("", [profile("192.168.7.7", 1, b"k")])
        service = subprocess.Popen([PROGRAM, "naming", "--memory", "--listen", "iiop://127.0.0.1:0"], stdout=subprocess.PIPE, text=True,
                                   env=ENVIRONMENT)
        try:
            root = service.stdout.readline().strip()
            port = self.shown("ior", root)["profiles"][0]["port"]
            subprocess.run([PROGRAM, "name", "bind", "shop", bound, "--service", root], check=True, timeout=60, env=ENVIRONMENT)
            said = self.shown("ior", "--doctor", "--timeout", "0.05", f"corbaname:iiop:1.2@127.0.0.1:{port}#shop", status=1)
            wrong = subprocess.run([PROGRAM, "name", "list", "--service", f"corbaloc:iiop:1.2@127.0.0.1:{port}/NameServic"],
                                   capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)
            top = subprocess.run([PROGRAM, "top", root], capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)
        finally:
            service.kill()
            service.communicate()
        self.assertIn("192.168.7.7:1: a private address", " ".join(said["warnings"]))
        self.assertIn("127.0.0.1", " ".join(said["naming_service"]["warnings"]))
        self.assertIn("the server has no object with the key 'NameServic'", wrong.stderr)
        self.assertEqual(wrong.stderr.count("such object") + wrong.stderr.count("a new"), 0, wrong.stderr)
        self.assertIn("this is no admin object", top.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
