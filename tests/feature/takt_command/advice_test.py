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
        self.assertEqual(self.advice(sets, key=b"Catalogue"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
