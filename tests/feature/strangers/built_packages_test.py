"""built_packages_test.py SOURCE CMAKE CXX: makes the Debian packages, unpacks them, and builds and runs examples/hello with the
unpacked files. Exit status 77: packages of `script/bootstrap --package` are missing."""

import glob
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, CMAKE, CXX = sys.argv[1:4]
PACKAGES = os.path.join(SOURCE, "build", "debian")
SCRATCH = tempfile.TemporaryDirectory()
ROOT = os.path.join(SCRATCH.name, "root")


def run(*command, folder=None, **environment):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, check=False,
                            env={**os.environ, **environment})
    if result.returncode != 0:
        raise AssertionError(f"exit status {result.returncode} of {command}\n{result.stdout}")
    return result.stdout


def script(name, *arguments):
    return run(os.path.join(SOURCE, "script", name), *arguments)


def missing_packages():
    wanted = script("bootstrap", "--package", "--list").split() if shutil.which("dpkg-query") else ["dpkg"]
    query = ["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Package}\n"]
    states = subprocess.run(query, capture_output=True, text=True, check=True).stdout if wanted != ["dpkg"] else ""
    installed = {line.split()[1] for line in states.splitlines() if line.startswith("ii")}
    return sorted(set(wanted) - installed)


def package(name):
    found = glob.glob(os.path.join(PACKAGES, f"{name}_*.deb"))
    assert len(found) == 1, found
    return found[0]


def binaries():
    libraries = glob.glob(os.path.join(ROOT, "usr", "lib", "*", "libtakt.so.*.*.*"))
    assert len(libraries) == 1, libraries
    return [*(os.path.join(ROOT, "usr", "bin", name) for name in ("takt", "takt-idl", "takt-idtable")), *libraries]


def setUpModule():
    print(script("package"), flush=True)
    for name in ("takt-tools", "libtakt", "libtakt-dev", "takt-doc"):
        run("dpkg-deb", "--extract", package(name), ROOT)


def tearDownModule():
    SCRATCH.cleanup()


class Unpacked(unittest.TestCase):
    def test_lintian_and_hardening_check_find_no_fault(self):
        script("package", "--check")

    def test_programs_run_and_their_libraries_are_found(self):
        for path in binaries()[:3]:
            self.assertRegex(run(path, "--version"), r"\d+\.\d+\.\d+")
        for path in binaries():
            self.assertNotIn("not found", run("ldd", path))

    def test_dependencies_are_computed_from_the_programs(self):
        for wanted in ("gperf", "libc6 (>=", "libmcpp0", "libssl3"):
            self.assertIn(wanted, run("dpkg-deb", "--field", package("takt-tools"), "Depends"))

    def test_manual_pages_are_formatted_and_completion_is_in_place(self):
        for page in ("takt", "takt-idl", "takt-idtable", "takt-ping"):
            self.assertTrue(os.path.exists(os.path.join(ROOT, "usr/share/man/man1", page + ".1.gz")), page)
        for path in ("bash-completion/completions/takt", "zsh/vendor-completions/_takt"):
            self.assertTrue(os.path.exists(os.path.join(ROOT, "usr/share", path)), path)
        completed = run("bash", "-c", '. "$0"; COMP_WORDS=(takt pi); COMP_CWORD=1; _takt; echo "${COMPREPLY[@]}"',
                        os.path.join(ROOT, "usr/share/bash-completion/completions/takt"))
        self.assertIn("ping", completed)

    def test_conformance_suites_are_for_development(self):
        files = run("dpkg-deb", "--contents", package("libtakt-dev"))
        self.assertIn("share/takt/conformance/transport/", files)
        self.assertIn("Takt_conformance.cmake", files)


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
        for path in binaries():
            with open(path, "rb") as file:
                self.assertNotIn(SOURCE.encode(), file.read(), path)

    @unittest.skipUnless(platform.machine() == "x86_64", "endbr64 is of x86-64")
    def test_functions_begin_where_indirect_jumps_may_lead(self):
        for path in binaries()[-1:]:
            symbols = run("readelf", "--dyn-syms", "-W", path)
            value, size = re.search(r"([0-9a-f]{16}) +(\d+) FUNC +\w+ +DEFAULT +\d+ \S*CORBA8ORB_init\S*", symbols).groups()
            code = run("objdump", "-d", f"--start-address=0x{value}", f"--stop-address={int(value, 16) + int(size)}", path)
            self.assertRegex(code, r"endbr64")


class Used(unittest.TestCase):
    """examples/hello, built with the unpacked files."""

    def copy_of_hello(self, name):
        folder = os.path.join(SCRATCH.name, name)
        shutil.copytree(os.path.join(SOURCE, "examples", "hello"), folder)
        return folder

    def greets(self, folder):
        environment = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(binaries()[-1])}
        with subprocess.Popen([os.path.join(folder, "hello_server")], stdout=subprocess.PIPE, text=True, env=environment) as server:
            try:
                reference = server.stdout.readline().strip()
                self.assertEqual(run(os.path.join(folder, "hello_client"), reference, "stranger", **environment),
                                 "Hello, stranger!\n")
            finally:
                server.kill()
        return run("readelf", "-d", os.path.join(folder, "hello_server"))

    def test_find_package(self):
        folder = self.copy_of_hello("by_cmake")
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.25)\nproject(hello LANGUAGES CXX)\nfind_package(Takt REQUIRED)\n"
                       "takt_add_idl(hello_idl FILES hello.idl)\n"
                       "foreach(program server client)\n  add_executable(hello_${program} ${program}.cpp)\n"
                       "  target_link_libraries(hello_${program} PRIVATE hello_idl)\nendforeach()\n")
        run(CMAKE, "-S", folder, "-B", folder + "/build", "-D", f"CMAKE_CXX_COMPILER={CXX}",
            "-D", f"CMAKE_PREFIX_PATH={ROOT}/usr")
        run(CMAKE, "--build", folder + "/build", "--parallel", "2")
        self.assertIn("libtakt.so", self.greets(folder + "/build"))

    def test_pkg_config(self):
        files = glob.glob(os.path.join(ROOT, "usr", "lib", "*", "pkgconfig"))
        for module in ("takt", "takt-static"):
            folder = self.copy_of_hello(module)
            run("make", "-j2", f"CXX={CXX}", f"TAKT={module}", folder=folder, CXXFLAGS="-O0", PKG_CONFIG_PATH=":".join(files))
            self.assertEqual(module == "takt", "libtakt.so" in self.greets(folder), module)


if __name__ == "__main__":
    missing = missing_packages()
    if missing:
        print("skipped: script/bootstrap --package has not installed", *missing)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
