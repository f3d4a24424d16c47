"""check_tools.py TAKT PAGE: `takt idl` as a process: its output in each format, and its exit status."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

TAKT, PAGE = map(os.path.abspath, sys.argv[1:3])
OLD = "module M {\n  interface I {\n    void a();\n    void b();\n  };\n};\n"
NEW = "module M {\n  interface I {\n    void a();\n  };\n};\n"
GIT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
REMOVED = {"rule": "operation-removed", "categories": ["WIRE", "SOURCE", "LAYOUT"], "subject": "::M::I::b"}


class TestCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.write("old.idl", OLD)
        self.write("new.idl", NEW)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def idl(self, *arguments, status, stdin=""):
        result = subprocess.run([TAKT, "idl", *arguments], input=stdin, capture_output=True, text=True, timeout=60,
                                cwd=self.folder, env=GIT, check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def refused(self, *arguments, says):
        result = self.idl(*arguments, status=2)
        self.assertEqual(result.stdout, "")
        self.assertIn(says, result.stderr)


class Diff(TestCase):
    def diff(self, *arguments, status=1):
        return self.idl("diff", "old.idl", "new.idl", *arguments, status=status).stdout

    def test_text(self):
        lines = self.diff().splitlines()
        self.assertEqual(lines[0], "old.idl:4:10: operation-removed [WIRE, SOURCE, LAYOUT]: ::M::I::b: void()")
        self.assertIn("  breaks ::M::I::b", lines)
        self.assertEqual(lines[-1], "1 finding")

    def test_json(self):
        (finding,) = json.loads(self.diff("--format", "json"))["findings"]
        self.assertEqual({key: finding[key] for key in REMOVED}, REMOVED)
        self.assertEqual(finding["old"], {"file": "old.idl", "line": 4, "column": 10})
        self.assertIsNone(finding["new"])
        self.assertEqual(finding["operations"], [{"operation": "::M::I::b"}])

    def test_junit(self):
        suite = ElementTree.fromstring(self.diff("--format", "junit"))
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "1"))
        case = suite.find("testcase")
        self.assertEqual((case.get("classname"), case.get("file"), case.get("line")),
                         ("takt.idl.diff.operation-removed", "old.idl", "4"))
        self.assertEqual(case.find("failure").get("type"), "WIRE SOURCE LAYOUT")

    def test_github(self):
        (line,) = self.diff("--format", "github").splitlines()
        start = "::error file=old.idl,line=4,col=10,title=operation-removed (WIRE SOURCE LAYOUT)::::M::I::b: void(). "
        self.assertEqual(line[:len(start)], start)

    def test_nothing_breaks(self):
        self.write("new.idl", "// Other blanks, too.\n" + OLD.replace("  ", " "))
        self.assertEqual(self.diff(status=0), "compatible\n")
        self.assertEqual(json.loads(self.diff("--format", "json", status=0)), {"findings": []})
        self.assertEqual(ElementTree.fromstring(self.diff("--format", "junit", status=0)).get("failures"), "0")
        self.assertEqual(self.diff("--format", "github", status=0), "")

    def test_only_some_categories(self):
        self.assertEqual(self.diff("--category", "WIRE-BACK,ANY", status=0), "compatible\n")
        self.assertIn("[WIRE]", self.diff("--category", "WIRE"))

    def test_into_a_file(self):
        self.assertEqual(self.diff("-o", "report"), "")
        self.assertIn("operation-removed", self.read("report"))

    def test_folders(self):
        self.write("before/a.idl", OLD)
        self.write("before/b.idl", '#include "a.idl"\nmodule M { typedef I J; };\n')
        self.write("after/a.idl", OLD)
        self.idl("diff", "before", "after", status=1)
        self.write("after/sub/b.idl", '#include "a.idl"\nmodule M { typedef I J; };\n')
        self.assertEqual(self.idl("diff", "before", "after", status=0).stdout, "compatible\n")

    def test_refusals(self):
        self.refused("diff", "old.idl", says="OLD and NEW")
        self.refused("diff", "old.idl", "none.idl", says="none.idl: does not exist")
        self.refused("diff", "old.idl", "new.idl", "--category", "WIRES", says="there is no category 'WIRES'")
        self.refused("diff", "old.idl", "new.idl", "--ignore", "no-rule", says="there is no rule 'no-rule'")
        self.refused("diff", "old.idl", "new.idl", "--format", "yaml", says="yaml")
        self.write("new.idl", "module M { interface I {\n")
        self.refused("diff", "old.idl", "new.idl", says="new.idl:")


class Ignores(TestCase):
    def test_on_the_command_line(self):
        for ignore in ("operation-removed", "operation-removed=::M::*", "*=old.idl"):
            self.idl("diff", "old.idl", "new.idl", "--ignore", ignore, status=0)
        for ignore in ("operation-added", "operation-removed=::N::*", "*=other.idl"):
            said = self.idl("diff", "old.idl", "new.idl", "--ignore", ignore, status=1).stderr
            self.assertIn(f"--ignore {ignore}: note: this rule matches no finding", said)

    def test_in_a_file(self):
        self.write("ignores.toml", '[[ignore]]\nrule = "operation-removed"\nname = "::M::I::b"\nreason = "unused"\n')
        self.idl("diff", "old.idl", "new.idl", "--ignore-file", "ignores.toml", status=0)
        self.write("ignores.toml", '[[ignore]]\nname = "::M::I::b"\n')
        self.refused("diff", "old.idl", "new.idl", "--ignore-file", "ignores.toml", says="ignores.toml:1: an ignore needs a rule")
        self.write("ignores.toml", '[[ignore]]\nrule = "*"\nnames = "x"\n')
        self.refused("diff", "old.idl", "new.idl", "--ignore-file", "ignores.toml", says="unknown key 'names'")


class Against(TestCase):
    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=self.folder,
                       env=GIT, capture_output=True, timeout=60, check=True)

    def setUp(self):
        super().setUp()
        self.write("idl/parts.idl", "module M { typedef long Count; };\n")
        self.write("idl/all.idl", '#include "parts.idl"\n' + OLD.replace("void b()", "void b(in Count n)"))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "a")
        self.git("tag", "released")

    def test_what_is_included_is_of_that_version(self):
        self.idl("diff", "idl/all.idl", "--against", "git#released", status=0)
        self.write("idl/parts.idl", "module M { typedef short Count; };\n")
        for path in ("idl/all.idl", "idl"):
            found = json.loads(self.idl("diff", path, "--against", "git#released", "--format", "json", status=1).stdout)
            (finding,) = found["findings"]
            self.assertEqual((finding["rule"], finding["subject"]), ("type-width-changed", "::M::Count"))
            self.assertEqual(finding["old"]["file"], "released:idl/parts.idl")
            self.assertEqual(finding["new"]["file"], "idl/parts.idl")

    def test_refusals(self):
        self.refused("diff", "idl", "--against", "git#none", says="git#none: there is no such commit")
        self.refused("diff", "idl", "--against", "git#--help", says="git#--help: there is no such commit")
        self.refused("diff", "idl", "--against", "main", says="--against takes git#REF")
        self.refused("diff", "idl", "old.idl", "--against", "git#released", says="one file or folder")

    def test_the_repository_stays_as_it_is(self):
        self.write("staged.idl", NEW)
        self.git("add", "staged.idl")
        with open(os.path.join(self.folder, ".git", "index"), "rb") as file:
            before = file.read()
        self.idl("diff", "idl", "--against", "git#released", status=0)
        with open(os.path.join(self.folder, ".git", "index"), "rb") as file:
            self.assertEqual(file.read(), before)


class Format(TestCase):
    UGLY = "module M{interface I{void a( );};\n};"
    FINE = "module M {\n  interface I {\n    void a();\n  };\n};\n"

    def test_standard_input(self):
        self.assertEqual(self.idl("format", status=0, stdin=self.UGLY).stdout, self.FINE)

    def test_files_are_rewritten(self):
        self.write("ugly.idl", self.UGLY)
        self.idl("format", "ugly.idl", status=0)
        self.assertEqual(self.read("ugly.idl"), self.FINE)

    def test_check_changes_nothing(self):
        self.write("ugly.idl", self.UGLY)
        self.assertEqual(self.idl("format", "--check", "old.idl", "ugly.idl", status=1).stdout, "ugly.idl\n")
        self.assertEqual(self.read("ugly.idl"), self.UGLY)
        self.idl("format", "--check", "old.idl", status=0)

    def test_the_difference_is_a_patch(self):
        self.write("ugly.idl", self.UGLY + "\n")
        patch = self.idl("format", "--diff", "ugly.idl", status=0).stdout
        subprocess.run(["git", "apply", "-p0", "-"], input=patch, cwd=self.folder, env=GIT, text=True, timeout=60,
                       check=True)
        self.assertEqual(self.read("ugly.idl"), self.FINE)

    def test_refusals(self):
        self.refused("format", "none.idl", says="none.idl: cannot be read")
        self.write("ugly.idl", 'const string s = "a;\n')
        self.refused("format", "ugly.idl", says="ugly.idl:1: a string or character does not end on its line")


class Rules(TestCase):
    def test_the_manual_has_the_table(self):
        with open(PAGE, encoding="utf-8") as page:
            table = page.read().partition("## Rules\n\n")[2]
        self.assertTrue(table)
        self.assertTrue(table.endswith(self.idl("rules", status=0).stdout),
                        "write the output of `takt idl rules` to the end of docs/user/idl-tools.md")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
