"""installed_test.py CMAKE BUILD SOURCE CXX: what is installed, by components, and projects that use it without CMake."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, SOURCE, CXX = sys.argv[1:5]
COMPONENTS = ("tools", "runtime", "development", "documentation")
SCRATCH = tempfile.TemporaryDirectory()
PREFIX = os.path.join(SCRATCH.name, "moved")


def run(*command, folder=None, **environment):
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=folder, check=False,
                            env={**os.environ, **environment})
    if result.returncode != 0:
        raise AssertionError(f"exit status {result.returncode} of {command}\n{result.stdout}{result.stderr}")
    return result.stdout


def files_in(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def setUpModule():
    elsewhere = os.path.join(SCRATCH.name, "installed")
    run(CMAKE, "--install", BUILD, "--prefix", elsewhere)
    os.rename(elsewhere, PREFIX)  # an installed prefix can be moved


def tearDownModule():
    SCRATCH.cleanup()


class Components(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = {}
        for component in COMPONENTS:
            folder = os.path.join(SCRATCH.name, component)
            run(CMAKE, "--install", BUILD, "--prefix", folder, "--component", component)
            cls.files[component] = files_in(folder)

    def test_each_file_is_in_one_component(self):
        together = sorted(path for files in self.files.values() for path in files)
        self.assertEqual(together, files_in(PREFIX))

    def test_each_command_has_its_manual_page(self):
        programs = [path.removeprefix("bin/") for path in self.files["tools"] if path.startswith("bin/")]
        self.assertEqual(programs, ["takt", "takt-idl", "takt-idtable"])
        listed = run(os.path.join(PREFIX, "bin", "takt"), "--help").split("Subcommands:\n")[1]
        commands = set(re.findall(r"^  (\w+)", listed, re.MULTILINE)) - {"help", "idl"}
        self.assertIn("ping", commands)
        for page in [*programs, *(f"takt-{command}" for command in commands), "takt-idl-diff", "takt-idl-format"]:
            self.assertIn(f"share/man/man1/{page}.1", self.files["tools"])

    def test_completion_is_where_shells_look(self):
        for path in ("bash-completion/completions/takt", "bash-completion/completions/takt-idl", "zsh/site-functions/_takt"):
            self.assertIn("share/" + path, self.files["tools"])

    def test_headers_idl_and_build_files_are_for_development(self):
        for path in ("include/takt/corba.h", "share/takt/idl/CosNaming.idl", "share/takt/takt.cdx.json"):
            self.assertIn(path, self.files["development"])
        self.assertEqual([path for path in self.files["development"] if path.startswith(("bin/", "share/man/"))], [])

    def test_headers_of_services_include_what_is_installed(self):
        included = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
        include = os.path.join(PREFIX, "include")
        services = os.path.join(include, "takt", "services")
        headers = files_in(services)
        missing = []
        for header in headers:
            beside = os.path.join(services, os.path.dirname(header))
            missing += [f"{header}: {name}" for name in included.findall(read(services, header))
                        if not any(os.path.exists(os.path.join(folder, name)) for folder in (beside, services, include))]
        self.assertGreater(len(headers), 40)
        self.assertEqual(missing, [])

    def test_idl_that_comes_with_takt_is_found_by_its_name(self):
        for command in ("list", "describe resolve"):
            words = [os.path.join(PREFIX, "bin", "takt"), *command.split(), "--idl", "CosNaming.idl"]
            self.assertIn("resolve", run(*words, folder=SCRATCH.name))
            own = os.path.join(SCRATCH.name, "own")
            os.makedirs(own, exist_ok=True)
            with open(os.path.join(own, "CosNaming.idl"), "w", encoding="utf-8") as file:
                file.write("interface Mine { void resolve(in short mine); };")
            self.assertRegex(run(*words, folder=own), "(?i)mine")  # a file of the user's comes first
        failed = subprocess.run([os.path.join(PREFIX, "bin", "takt"), "list", "--idl", "Absent.idl"], capture_output=True, text=True, check=False)
        self.assertEqual(failed.returncode, 2)
        self.assertIn("Absent.idl: error: the file cannot be read", failed.stderr)

    def test_documents_come_with_the_examples(self):
        for path in ("README.md", "docs/user/first-program.md", "examples/hello/server.cpp"):
            self.assertIn("share/doc/takt/" + path, self.files["documentation"])


    def test_documents_have_no_dead_links(self):
        documents = os.path.join(PREFIX, "share", "doc", "takt")
        self.assertEqual(run(os.path.join(SOURCE, "tools", "check", "links"), "--root", documents), "links: ok\n")
        self.assertGreater(len([path for path in files_in(documents) if path.endswith(".md")]), 60)
        self.assertIn("](user/first-program.md)", read(documents, "docs", "README.md"))  # links that lead somewhere stay
        # The text of a link to a source stays.
        self.assertIn("(parts.h)", read(documents, "docs", "user", "configuration.md"))


class BillOfMaterials(unittest.TestCase):
    PATH = os.path.join(PREFIX, "share", "takt", "takt.cdx.json")

    def test_names_what_is_linked_and_compiled_in(self):
        bill = json.loads(read(self.PATH))
        parts = {part["bom-ref"]: part for part in bill["components"]}
        self.assertEqual(sorted(parts), ["CLI11", "curl", "gperf", "libmicrohttpd", "liburing", "mcpp", "nlohmann-json", "openssl", "sqlite", "tomlplusplus", "zlib"])
        self.assertEqual(bill["dependencies"], [{"ref": "takt", "dependsOn": list(parts)}])
        for name, part in parts.items():
            if name != "mcpp":  # which does not say its version
                self.assertRegex(part.get("version", ""), r"^\d+\.\d+", name)

    def test_versions_are_those_of_the_installed_packages(self):
        versions = {part["name"]: part.get("version") for part in json.loads(read(self.PATH))["components"]}
        for part, package in (("openssl", "openssl"), ("zlib", "zlib"), ("sqlite", "sqlite3"), ("libmicrohttpd", "libmicrohttpd"),
                              ("curl", "libcurl")):
            self.assertEqual(versions[part], run("pkg-config", "--modversion", package).strip())

    def test_is_valid_cyclonedx(self):
        sys.path.insert(0, os.path.join(SOURCE, "build", "python"))  # by script/bootstrap
        try:
            from cyclonedx.schema import SchemaVersion
            from cyclonedx.validation.json import JsonStrictValidator
        except ImportError as error:
            self.skipTest(f"{error}: script/bootstrap installs it")
        validator = JsonStrictValidator(SchemaVersion.V1_5)
        self.assertIsNone(validator.validate_str(read(self.PATH)))
        self.assertIsNotNone(validator.validate_str(read(self.PATH).replace("blessing", "no-licence")))


class WithoutCMake(unittest.TestCase):
    """examples/hello, built by other build systems, which find Takt by pkg-config; and what pkg-config says."""

    @classmethod
    def setUpClass(cls):
        found = [path for path in files_in(PREFIX) if path.endswith("pkgconfig/takt.pc")]
        assert len(found) == 1, found
        cls.files = os.path.join(PREFIX, os.path.dirname(found[0]))

    def pkg_config(self, *arguments):
        return run("pkg-config", *arguments, PKG_CONFIG_PATH=self.files).split()

    def copy_of_hello(self, name):
        folder = os.path.join(SCRATCH.name, name)
        shutil.copytree(os.path.join(SOURCE, "examples", "hello"), folder)
        return folder

    def greets(self, folder):
        server = subprocess.Popen([os.path.join(folder, "hello_server")], stdout=subprocess.PIPE, text=True)
        try:
            reference = server.stdout.readline().strip()
            self.assertEqual(run(os.path.join(folder, "hello_client"), reference, "stranger"), "Hello, stranger!\n")
        finally:
            server.kill()
            server.communicate()

    def test_make(self):
        folder = self.copy_of_hello("made")
        run("make", "-j2", f"CXX={CXX}", f"PKG_CONFIG_PATH={self.files}", folder=folder, CXXFLAGS="-O0")
        self.greets(folder)

    @unittest.skipUnless(shutil.which("meson"), "meson is not installed")
    def test_meson(self):
        folder = self.copy_of_hello("by_meson")
        run("meson", "setup", "made", "-Dbuildtype=plain", "--pkg-config-path", self.files, folder=folder, CXX=CXX)
        run("meson", "compile", "-C", "made", folder=folder)
        self.greets(os.path.join(folder, "made"))

    def test_an_archive_brings_what_it_needs(self):
        libraries = self.pkg_config("--libs", "takt-static")
        for wanted in ("-lssl", "-lcrypto", "-lz", "-pthread"):
            self.assertIn(wanted, libraries)
        self.assertTrue(os.path.samefile(next(path for path in libraries if path.endswith("libtakt.a")),
                                         os.path.join(self.files, "..", "libtakt.a")))

    def test_programs_of_services_link(self):
        source = os.path.join(SOURCE, "tests", "feature", "consumer", "services.cpp")
        program = os.path.join(SCRATCH.name, "services")
        flags = self.pkg_config("--cflags", "--libs", "takt-scheduling-static", "takt-frames-static", "takt-naming-static")
        run(CXX, "-std=c++23", "-O0", source, "-o", program, *flags)
        self.assertIn("filter is 1 of 1\n", run(program))

    def test_services_need_each_other_in_the_order_of_the_linker(self):
        libraries = self.pkg_config("--libs", "takt-scheduling")
        order = [libraries.index(name) for name in ("-ltakt_scheduling_service", "-ltakt_scheduling_live", "-ltakt_scheduling",
                                                    "-ltakt_schedulability", "-ltakt_schedule_model", "-lsqlite3")]
        self.assertEqual(order, sorted(order))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
