"""built_packages_test.py PACKAGES SOURCE: what is in the Debian packages of the folder PACKAGES, unpacked, and how they are compiled.
`script/package --check` runs it, beside lintian and hardening-check."""

import glob
import os
import platform
import re
import subprocess
import sys
import tempfile
import unittest

PACKAGES, SOURCE = sys.argv[1:3]
SCRATCH = tempfile.TemporaryDirectory()
ROOT = os.path.join(SCRATCH.name, "root")


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(f"exit status {result.returncode} of {command}\n{result.stdout}")
    return result.stdout


def package(name):
    found = glob.glob(os.path.join(PACKAGES, f"{name}_*.deb"))
    assert len(found) == 1, found
    return found[0]


def binaries():
    libraries = glob.glob(os.path.join(ROOT, "usr", "lib", "*", "libtakt.so.*.*.*"))
    assert len(libraries) == 1, libraries
    return [*(os.path.join(ROOT, "usr", "bin", name) for name in ("takt", "takt-idl", "takt-idtable")), *libraries]


def setUpModule():
    for name in ("takt-tools", "libtakt", "libtakt-dev", "takt-doc"):
        run("dpkg-deb", "--extract", package(name), ROOT)


def tearDownModule():
    SCRATCH.cleanup()


class Contents(unittest.TestCase):
    def test_dependencies_are_computed_from_the_programs(self):
        for wanted in ("gperf", "libc6 (>=", "libmcpp0", "libssl3", "libcurl4", "libmicrohttpd12"):
            self.assertIn(wanted, run("dpkg-deb", "--field", package("takt-tools"), "Depends"))

    def test_manual_pages_are_compressed_and_completion_is_in_place(self):
        for page in ("takt", "takt-idl", "takt-idtable", "takt-ping"):
            self.assertTrue(os.path.exists(os.path.join(ROOT, "usr/share/man/man1", page + ".1.gz")), page)
        for path in ("bash-completion/completions/takt", "zsh/vendor-completions/_takt"):
            self.assertTrue(os.path.exists(os.path.join(ROOT, "usr/share", path)), path)

    def test_conformance_suites_are_for_development(self):
        files = run("dpkg-deb", "--contents", package("libtakt-dev"))
        self.assertIn("share/takt/conformance/transport/", files)
        self.assertIn("Takt_conformance.cmake", files)

    def test_symbols_are_in_packages_of_their_own(self):
        for path in binaries():
            self.assertNotIn(".debug_info", run("readelf", "-SW", path))
        for name in ("takt-tools-dbgsym", "libtakt-dbgsym"):
            self.assertIn("/usr/lib/debug/.build-id/", run("dpkg-deb", "--contents", package(name)))


class Hardened(unittest.TestCase):
    def test_addresses_are_random_and_tables_read_only(self):
        for path in binaries():
            self.assertRegex(run("readelf", "-hW", path), r"Type: +DYN")
            self.assertRegex(run("readelf", "-lW", path), r"GNU_RELRO")
            self.assertRegex(run("readelf", "-dW", path), r"BIND_NOW|Flags:.*NOW")

    def test_stacks_and_buffers_are_checked(self):
        for path in binaries():
            symbols = run("readelf", "--dyn-syms", "-W", path)
            self.assertIn("__stack_chk_fail", symbols, path)
            self.assertIn("__glibcxx_assert_fail", symbols, path)
        self.assertRegex(run("readelf", "--dyn-syms", "-W", binaries()[-1]), r"__\w+_chk@")

    def test_paths_of_the_build_are_replaced(self):
        archives = glob.glob(os.path.join(ROOT, "usr", "lib", "*", "*.a"))
        self.assertGreater(len(archives), 4)
        for path in [*binaries(), *archives]:
            with open(path, "rb") as file:
                self.assertNotIn(SOURCE.encode(), file.read(), path)

    @unittest.skipUnless(platform.machine() == "x86_64", "endbr64 is of x86-64")
    def test_functions_begin_where_indirect_jumps_may_lead(self):
        path = binaries()[-1]
        symbols = run("readelf", "--dyn-syms", "-W", path)
        found = re.findall(r"([0-9a-f]{16}) +\d+ FUNC +\w+ +DEFAULT +\d+ \S*(ORB_init\S*)", symbols)
        self.assertTrue(found)
        for value, name in found:
            code = run("objdump", "-d", f"--start-address=0x{value}", f"--stop-address={int(value, 16) + 4}", path)
            self.assertIn("endbr64", code, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
