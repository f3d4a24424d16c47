"""packages_test.py SOURCE: debian/ names the packages and the version that the rest of the project names."""

import os
import re
import subprocess
import sys
import unittest

SOURCE = sys.argv[1]


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


class Packages(unittest.TestCase):
    def setUp(self):
        self.paragraphs = (read("debian", "control") + "\n").split("\n\n")

    def packages(self, paragraph, field):
        text = re.search(rf"^{field}:((?:.*\n)(?:[ \t].*\n)*)", paragraph, re.MULTILINE)[1]
        return {re.split(r"[ (]", each.strip())[0] for each in text.split(",")}

    def paragraph(self, name):
        return next(text + "\n" for text in self.paragraphs if f"Package: {name}\n" in text)

    def test_the_compiler_brings_what_it_runs(self):
        self.assertIn("gperf", self.packages(self.paragraph("takt-tools"), "Depends"))

    def test_tools_come_with_the_libraries_that_they_load(self):
        self.assertIn("${takt:Loaded}", self.packages(self.paragraph("takt-tools"), "Depends"))
        loaded = re.search(r"^loaded := (.*)$", read("debian", "rules"), re.MULTILINE)[1].split()
        asked = re.findall(r"takt_find_soname\((\w+) \w+\)", read("tools", "takt", "CMakeLists.txt"))
        self.assertEqual(sorted(loaded), sorted(f"lib{name}.so" for name in asked))
        self.assertEqual(len(loaded), 2)

    def test_headers_come_with_the_headers_that_they_need(self):
        self.assertLessEqual({"libssl-dev", "zlib1g-dev", "takt-tools", "libtakt"},
                             self.packages(self.paragraph("libtakt-dev"), "Depends"))

    def test_the_documents_name_what_each_package_needs(self):
        for name in ("takt-tools", "libtakt-dev"):
            row = re.search(rf"^\| `{name}` \|.*$", read("docs", "user", "installing.md"), re.MULTILINE)[0]
            needed = self.packages(self.paragraph(name), "Depends") - {"${misc:Depends}", "${shlibs:Depends}", "${takt:Loaded}"}
            self.assertEqual({package for package in needed if f"`{package.removesuffix(':any')}`" not in row}, set(), name)
        services = set(re.search(r"set\(Takt_with_sqlite ([\w ]+)\)", read("cmake", "TaktConfig.cmake.in"))[1].split())
        every = set(re.search(r"set\(Takt_components ([\w ]+)\)", read("cmake", "TaktConfig.cmake.in"))[1].split()) - {"conformance"}
        self.assertEqual(every - services, {"streams", "frames"})  # as the row says
        self.assertIn("libsqlite3-dev", self.packages(self.paragraph("libtakt-dev"), "Recommends"))

    def test_builds_need_what_bootstrap_installs(self):
        bootstrap = [os.path.join(SOURCE, "script", "bootstrap"), "--build", "--list"]
        listed = set(subprocess.run(bootstrap, capture_output=True, text=True, check=True).stdout.split())
        needed = self.packages(self.paragraphs[0], "Build-Depends") - {"debhelper-compat"}
        self.assertEqual(needed | {"g++"}, listed)

    def test_the_changelog_has_this_version(self):
        version = re.search(r"project\(Takt VERSION ([\d.]+)", read("CMakeLists.txt"))[1]
        self.assertTrue(read("debian", "changelog").startswith(f"takt ({version})"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
