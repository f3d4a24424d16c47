#!/usr/bin/env python3
"""The options of the omniidl for programs that were written for omniORB: omniidl_test.py OMNIIDL TAKT_IDL."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

IDL = "module M { interface Echo { string say(in string text); }; };\n"


OWN_IDL = pathlib.Path(__file__).resolve().parents[2] / "idl"
NAMING = "module CosNaming { typedef string Istring; interface NamingContext {}; };\n"


class Omniidl(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "a.idl").write_text(IDL, encoding="ascii")

    def run_it(self, *arguments):
        return subprocess.run([OMNIIDL, *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
                              env=dict(os.environ, TAKT_IDL=TAKT_IDL, TAKT_IDL_DIR=str(OWN_IDL)))

    def made(self):
        return sorted(path.name for path in self.folder.rglob("*") if path.is_file() and "_takt_" not in path.name)

    def test_asynchronous_calls_are_generated_if_asked(self):
        for option in ("-Wbami", "-bami"):
            with self.subTest(option):
                self.assertEqual(self.run_it("-bcxx", option, "a.idl").returncode, 0)
                text = "".join(path.read_text(encoding="ascii") for path in self.folder.glob("a*C.hh"))
                self.assertIn("sendc_", text)

    def test_names_are_those_of_omniorb(self):
        done = self.run_it("-bcxx", "-Wba", "a.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.made(), ["a.hh", "a.idl", "aDynSK.cc", "aSK.cc"])
        self.assertIn("omniORB4/CORBA.h", (self.folder / "a.hh").read_text(encoding="ascii"))
        self.assertEqual(done.stderr, "")

    def test_names_can_be_chosen(self):
        done = self.run_it("-bcxx", "-Wba", "-Wbh=.h", "-Wbs=C.cc,d=D.cc", "-Cout", "a.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.made(), ["a.h", "a.idl", "aC.cc", "aD.cc"])

    def test_included_files_keep_their_folders_if_asked(self):
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "base.idl").write_text("interface Base {};\n", encoding="ascii")
        (self.folder / "der.idl").write_text("#include <sub/base.idl>\ninterface Der : Base {};\n", encoding="ascii")
        for words in (("-Cout/sub", "sub/base.idl"), ("-Cout", "der.idl")):
            done = self.run_it("-bcxx", "-I.", "-Wbkeep-inc-path", *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        out = self.folder / "out"
        self.assertTrue((out / "sub" / "base_takt_C.hh").exists())
        self.assertIn('#include "sub/base_takt_C.hh"', (out / "der_takt_C.hh").read_text(encoding="ascii"))
        self.assertIn('#include "base_takt_C.hh"', (out / "sub" / "base_takt_C.cc").read_text(encoding="ascii"))

    def includes_of(self, name):
        return [line for line in (self.folder / name).read_text(encoding="ascii").splitlines()
                if line.startswith("#include") and "takt/classic" not in line]

    def test_stubs_of_the_naming_service_are_those_of_the_library(self):
        for name in ("CosNaming.idl", "Naming.idl"):  # omniORB has both
            with self.subTest(name):
                (self.folder / name).write_text(NAMING, encoding="ascii")
                (self.folder / "n.idl").write_text(f"#include <{name}>\ninterface N {{ CosNaming::NamingContext get(); }};\n", encoding="ascii")
                for words in (("-I.",), ("-I.", "-Wbkeep-inc-path")):
                    done = self.run_it("-bcxx", *words, "n.idl", name)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertEqual(self.includes_of("n_takt_C.hh"), ["#include <omniORB4/Naming.hh>"])
                    self.assertEqual(self.includes_of("n_takt_S.hh"), ['#include "n_takt_C.hh"', "#include <omniORB4/Naming.hh>"])
                    own = name.replace(".idl", "_takt_C.hh")
                    self.assertEqual(self.includes_of(own), ["#include <omniORB4/Naming.hh>"])

    def test_a_file_of_the_same_name_with_other_modules_has_stubs_of_its_own(self):
        (self.folder / "Naming.idl").write_text(NAMING + "module Shop { interface Till {}; };\n", encoding="ascii")
        (self.folder / "n.idl").write_text("#include <Naming.idl>\ninterface N : Shop::Till {};\n", encoding="ascii")
        done = self.run_it("-bcxx", "-I.", "n.idl", "Naming.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.includes_of("n_takt_C.hh"), ['#include "Naming_takt_C.hh"'])
        self.assertIn("class Till", (self.folder / "Naming_takt_C.hh").read_text(encoding="ascii"))

    def test_a_prefix_in_a_module_stands_for_the_names_of_the_modules_around_it(self):
        (self.folder / "p.idl").write_text('module M {\n#pragma prefix "shop"\ninterface I {}; };\n', encoding="ascii")
        self.assertEqual(self.run_it("-bcxx", "p.idl").returncode, 0)
        self.assertIn('"IDL:shop/I:1.0"', (self.folder / "p_takt_C.cc").read_text(encoding="ascii"))

    def test_options_of_the_preprocessor_are_handed_on(self):
        (self.folder / "d.idl").write_text("#ifdef YES\ninterface D {};\n#endif\n", encoding="ascii")
        for words in (("-Wp-DYES",), ("-Wp-UNO,-DYES",), ("-Ycpp", "-DYES"), ("-Wp-D,YES",)):
            done = self.run_it("-bcxx", *words, "d.idl")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("class D", (self.folder / "d_takt_C.hh").read_text(encoding="ascii"))
            (self.folder / "d_takt_C.hh").unlink()
        self.assertIn("takes -D, -U and -I only", self.run_it("-bcxx", "-Wp-P", "d.idl").stderr)

    def test_its_macro_is_defined(self):
        (self.folder / "m.idl").write_text("#if __OMNIIDL__ >= 0x2400\ninterface M {};\n#endif\n", encoding="ascii")
        for words, defined in (((), True), (("-U__OMNIIDL__",), False)):
            done = self.run_it("-bcxx", *words, "m.idl")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual("class M" in (self.folder / "m_takt_C.hh").read_text(encoding="ascii"), defined)

    def test_several_files_and_folders(self):
        (self.folder / "inc").mkdir()
        (self.folder / "inc" / "b.idl").write_text("#ifdef YES\ninterface B {};\n#endif\n", encoding="ascii")
        (self.folder / "c.idl").write_text("#include <b.idl>\ninterface C : B {};\n", encoding="ascii")
        done = self.run_it("-bcxx", "-p/nowhere", "-nf", "-I", "inc", "-DYES", "a.idl", "c.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cSK.cc", self.made())
        self.assertIn('#include "b_takt_C.hh"', (self.folder / "c_takt_C.hh").read_text(encoding="ascii"))

    def test_options_without_effect_are_noted(self):
        done = self.run_it("-bcxx", "-nf", "-nc", "-P", "-Wbuse_quotes", "-Wbshortcut", "-Wbinline", "-Wbguard-prefix=A", "a.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("omniidl: note: "), 7)
        self.assertIn("note: -nc: names that differ only in case are errors always", done.stderr)
        self.assertIn("note: -Wbuse_quotes: includes are in quotes always", done.stderr)

    def test_options_that_would_change_the_code_are_refused(self):
        for option, text in (("-Wbtf", "write POA_M::I_tie"), ("-WbBOA", "derive from POA_M::I"),
                             ("-bpython", "generates C++ only"), ("-Wbnonsense", "is not known"), ("-Z", "is not known"),
                             ("-E", "preprocessed text"), ("-d", "takt-idl --dump json"), ("-i", "no interactive mode"),
                             ("-", "name a file"), ("-C", "needs a value")):
            with self.subTest(option):
                done = self.run_it("-bcxx", "a.idl", option)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(text, done.stderr)
                self.assertEqual(self.made(), ["a.idl"])

    def test_something_to_do_must_be_named(self):
        self.assertIn("no IDL file was named", self.run_it("-bcxx").stderr)
        self.assertIn("with -bcxx", self.run_it("a.idl").stderr)

    def test_errors_in_idl_are_those_of_takt_idl(self):
        (self.folder / "wrong.idl").write_text("interface {};\n", encoding="ascii")
        done = self.run_it("-bcxx", "wrong.idl")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("wrong.idl:1", done.stderr)
        self.assertEqual(self.made(), ["a.idl", "wrong.idl"])

    def test_it_says_its_version_and_usage(self):
        self.assertIn("omniidl of Takt", self.run_it("-V").stdout)
        for option in ("-u", "-h"):
            self.assertIn("-Wbh=", self.run_it(option).stdout)

    def test_it_finds_what_is_installed_with_it(self):
        own = self.folder / "prefix" / "libexec" / "takt" / "omniorb" / "omniidl"
        idl = self.folder / "prefix" / "share" / "takt" / "idl"
        for path in (own.parent, idl, self.folder / "prefix" / "bin"):
            path.mkdir(parents=True)
        shutil.copy(OMNIIDL, own)
        shutil.copytree(pathlib.Path(OMNIIDL).parent.parent / "common", own.parent.parent / "common")
        (self.folder / "prefix" / "bin" / "takt-idl").symlink_to(TAKT_IDL)
        (idl / "installed.idl").write_text("interface Installed {};\n", encoding="ascii")
        (self.folder / "user.idl").write_text("#include <installed.idl>\ninterface User : Installed {};\n", encoding="ascii")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}
        done = subprocess.run([own, "-bcxx", "user.idl"], cwd=self.folder, capture_output=True, text=True, check=False, env=clean)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("userSK.cc", self.made())

    def test_a_missing_compiler_is_said(self):
        done = subprocess.run([OMNIIDL, "-bcxx", "a.idl"], cwd=self.folder, capture_output=True, text=True, check=False,
                              env=dict(os.environ, TAKT_IDL="/nowhere/takt-idl"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nowhere/takt-idl", done.stderr)


OMNIIDL, TAKT_IDL = (os.path.abspath(path) for path in (sys.argv.pop(1), sys.argv.pop(1)))
unittest.main()
