"""preset_test.py CMAKE SOURCE CXX: the preset `install` builds what is installed and nothing else; levels of script/bootstrap."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

CMAKE, SOURCE, CXX = sys.argv[1:4]
BUILT_FROM = ("src/", "compat/", "compiler/", "services/", "tools/command_line/", "tools/idtable/", "tools/takt/")


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=SOURCE, check=False)
    if result.returncode != 0:
        raise AssertionError(f"exit status {result.returncode} of {command}\n{result.stdout}{result.stderr}")
    return result.stdout


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


class InstallPreset(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.build = cls.scratch.name
        run(CMAKE, "--preset", "install", "-B", cls.build, "-D", f"CMAKE_CXX_COMPILER={CXX}")
        cls.made = {"object": set(), "archive": set(), "program": set(), "generated": set()}
        for command in run("ninja", "-C", cls.build, "-t", "commands", "all").splitlines():
            cls.note(command)
        cls.installed = cls.files_installed()

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def files_installed(cls):
        """Paths in the build that the scripts of `cmake --install` name."""
        found = set()
        for folder, _, names in os.walk(cls.build):
            if "cmake_install.cmake" in names:
                text = "\n".join(lines_of(os.path.join(folder, "cmake_install.cmake")))
                found |= {os.path.relpath(path, cls.build) for path in re.findall(rf'"({re.escape(cls.build)}/[^"]*)"', text)}
        return found

    @classmethod
    def note(cls, command):
        for kind, form in (("archive", r" qc (\S+\.a)"), ("object", r" -o (\S+) -c "), ("generated", r"^cd \S+ && \S+/takt-idl -o (\S+)"),
                           ("generated", r"^cd \S+ && .*/omniidl .* -C(\S+)"), ("generated", r"^cd \S+ && .*/tao_idl -o (\S+)"),
                           ("program", r"^: && .* -o (\S+) ")):
            if match := re.search(form, command):
                cls.made[kind].add(match[1])
                return
        raise AssertionError(f"a step that nobody expects: {command}")

    def test_every_program_is_installed(self):
        self.assertEqual({os.path.basename(path) for path in self.made["program"]}, {"takt", "takt-idl", "takt-idtable", "libtakt_faults.so"})
        self.assertLessEqual(self.made["program"], self.installed)

    def test_every_installed_archive_is_built(self):
        archives = {path for path in self.installed if path.endswith(".a")}
        self.assertIn("src/libtakt.a", archives)
        self.assertIn("services/naming/libtakt_naming.a", archives)
        self.assertLessEqual(archives, self.made["archive"])

    def test_every_library_is_installed_or_a_part_of_what_is(self):
        for path in self.made["archive"] - self.installed:
            users = run("ninja", "-C", self.build, "-t", "query", path).split("outputs:")[1].split()
            self.assertTrue((self.made["program"] | self.made["archive"]).intersection(users), f"nothing uses {path}")

    def test_tests_examples_and_benches_are_left_out(self):
        self.assertGreater(len(self.made["object"]), 50)
        precompiled = re.compile(r"CMakeFiles/takt_\w+_headers\.dir/")
        self.assertEqual([path for path in self.made["object"] if not path.startswith(BUILT_FROM) and not precompiled.match(path)], [])


class Bootstrap(unittest.TestCase):
    def listed(self, *level):
        return run(os.path.join(SOURCE, "script", "bootstrap"), *level, "--list").split()

    def test_levels_contain_each_other(self):
        build, test, everything = (set(self.listed(level)) for level in ("--build", "--test", "--all"))
        self.assertTrue(build < test < everything)
        self.assertTrue(build < set(self.listed("--package")))
        self.assertEqual(set(self.listed()), everything)

    def test_each_package_is_listed_once(self):
        listed = self.listed("--all")
        self.assertEqual(sorted(set(listed)), sorted(listed))

    def test_building_takes_as_many_packages_as_the_documents_say(self):
        words = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen")
        number = words[len(self.listed("--build")) - 10]
        for page, line in (("README.md", rf"script/bootstrap --build    # {number} packages;"),
                           ("docs/user/first-program.md", rf"installs the {number} Debian packages")):
            self.assertRegex("\n".join(lines_of(os.path.join(SOURCE, page))), line)

    def test_an_unknown_level_is_refused_with_the_levels(self):
        result = subprocess.run([os.path.join(SOURCE, "script", "bootstrap"), "--tests"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--package", result.stdout)


class Presets(unittest.TestCase):
    def test_each_can_be_built(self):
        with open(os.path.join(SOURCE, "CMakePresets.json"), encoding="utf-8") as file:
            presets = json.load(file)
        configured = {preset["name"] for preset in presets["configurePresets"] if not preset.get("hidden")}
        self.assertEqual({preset["configurePreset"] for preset in presets["buildPresets"]}, configured)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
