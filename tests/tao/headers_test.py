"""headers_test.py COMPILER FOLDER...: each header for programs of TAO compiles alone, as C++14 and as C++17."""

import os
import subprocess
import sys
import unittest

COMPILER, FOLDERS = sys.argv[1], sys.argv[2:]
OWN = os.path.join(os.path.dirname(__file__), "..", "..", "compat", "tao", "include")


class Headers(unittest.TestCase):
    def test_compile_alone(self):
        headers = sorted(os.path.relpath(os.path.join(folder, name), OWN) for folder, _, names in os.walk(OWN) for name in names)
        self.assertGreater(len(headers), 30)
        for standard in ("14", "17"):
            whole = "".join(f"#include <{header}>\n" for header in reversed(headers))
            done = subprocess.run([COMPILER, "-std=c++" + standard, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *("-I" + each for each in FOLDERS),
                                   "-x", "c++", "-"], input=whole, capture_output=True, text=True, timeout=200, check=False)
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        for header in headers:
            text = open(os.path.join(OWN, header), encoding="ascii").read()
            self.assertTrue(header == "tao/Version.h" or "#include <tao/corba.h>" in text or "#include <tao/PI/PI.h>" in text or
                            "#include <orbsvcs/CosNamingC.h>" in text or
                            "#include <tao/TimeBaseC.h>" in text or
                            "#include <takt/classic/corba.h>" in text, header)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
