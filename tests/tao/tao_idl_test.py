"""The options of the tao_idl for programs that were written for TAO: tao_idl_test.py TAO_IDL TAKT_IDL."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

IDL = "module M { interface Echo { string say(in string text); }; };\n"
CLIENT, SERVER = ["aC.cpp", "aC.h", "aC.inl"], ["aS.cpp", "aS.h"]


OWN_IDL = pathlib.Path(__file__).resolve().parents[2] / "idl"


class TaoIdl(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "a.idl").write_text(IDL, encoding="ascii")

    def run_it(self, *arguments):
        return subprocess.run([TAO_IDL, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=120,
                              env=dict(os.environ, TAKT_IDL=TAKT_IDL, TAKT_IDL_DIR=str(OWN_IDL)))

    def made(self, folder="."):
        return sorted(path.name for path in (self.folder / folder).glob("*") if path.is_file() and path.suffix != ".idl")

    def test_names_are_those_of_tao(self):
        done = self.run_it("a.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.made(), sorted(CLIENT + SERVER))
        self.assertIn("_tie", (self.folder / "aS.h").read_text(encoding="ascii"))

    def test_a_program_that_includes_generated_headers_alone_is_one_of_tao(self):
        self.assertEqual(self.run_it("-hc", "C.hh", "a.idl").returncode, 0)
        self.assertIn("#include <tao/corba.h>", (self.folder / "aC.hh").read_text(encoding="ascii"))
        self.assertIn('#include "aC.hh"', (self.folder / "aS.h").read_text(encoding="ascii"))

    def test_files_for_anys_and_ties_are_made_if_asked(self):
        self.assertEqual(self.run_it("-GA", "-GT", "a.idl").returncode, 0)
        self.assertEqual(self.made(), sorted(CLIENT + SERVER + ["aA.cpp", "aA.h", "aS_T.cpp", "aS_T.h"]))
        self.assertIn('#include "aS.h"', (self.folder / "aS_T.h").read_text(encoding="ascii"))
        self.assertIn('#include "aC.h"', (self.folder / "aA.h").read_text(encoding="ascii"))

    def test_names_and_folders_can_be_chosen(self):
        done = self.run_it("-o", "stubs", "-oS", "skeletons", "-oA", "anys", "-GA", "-hc", "Stub.hh", "-cs", "Stub.cc", "-hs", "Skel.hh", "-ss",
                           "Skel.cc", "-ci", "Stub.i", "a.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.made("stubs"), self.made("skeletons"), self.made("anys")),
                         (["aStub.cc", "aStub.hh", "aStub.i"], ["aSkel.cc", "aSkel.hh"], ["aA.cpp", "aA.h"]))
        self.assertIn('#include "aStub.hh"', (self.folder / "skeletons" / "aSkel.hh").read_text(encoding="ascii"))

    def test_skeletons_can_be_left_out(self):
        self.assertEqual(self.run_it("-SS", "-GT", "-oS", "skeletons", "a.idl").returncode, 0)
        self.assertEqual((self.made(), self.made("skeletons")), (CLIENT, []))

    def test_answers_may_come_later(self):
        self.assertEqual(self.run_it("-GH", "a.idl").returncode, 0)
        self.assertIn("AMH_Echo", (self.folder / "aS.h").read_text(encoding="ascii"))

    def test_reply_handlers_are_generated_if_asked(self):
        self.assertEqual(self.run_it("-GC", "a.idl").returncode, 0)
        self.assertIn("sendc_say(", (self.folder / "aC.h").read_text(encoding="ascii"))
        self.assertIn("class AMI_EchoHandler", (self.folder / "aS.h").read_text(encoding="ascii"))

    def test_several_files_folders_and_macros(self):
        (self.folder / "inc").mkdir()
        (self.folder / "inc" / "b.idl").write_text("#ifdef YES\ninterface B {};\n#endif\n", encoding="ascii")
        (self.folder / "c.idl").write_text("#include <b.idl>\ninterface C : B {};\n", encoding="ascii")
        done = self.run_it("-I", "inc", "-Wp,-DYES,-UNO", "a.idl", "c.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cS.cpp", self.made())
        self.assertIn('#include "bC.h"', (self.folder / "cC.h").read_text(encoding="ascii"))

    def includes_of(self, header):
        return [line for line in (self.folder / header).read_text(encoding="ascii").splitlines()
                if line.startswith("#include") and "tao/corba.h" not in line]

    def test_idl_of_tao_is_found_and_its_headers_are_those_of_the_library(self):
        (self.folder / "t.idl").write_text(
            '#include "tao/TimeBase.pidl"\n#include <tao/OctetSeq.pidl>\n#include "tao/StringSeq.pidl"\n#include "orbsvcs/CosNaming.idl"\n'
            "module M { struct S { TimeBase::UtcT at; CORBA::OctetSeq data; CORBA::StringSeq texts; CosNaming::Name name; };\n"
            "interface I { S get(); }; };\n", encoding="ascii")
        done = self.run_it("t.idl")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(set(self.includes_of("tC.h")),
                         {"#include <tao/TimeBaseC.h>", "#include <orbsvcs/CosNamingC.h>", '#include "orbsvcs/CosNamingC.h"'})
        self.assertEqual(set(self.includes_of("tS.h")), {'#include "tC.h"', "#include <tao/TimeBaseS.h>", "#include <orbsvcs/CosNamingS.h>",
                                                         '#include "orbsvcs/CosNamingS.h"'})

    def test_headers_of_included_files_have_their_folders(self):
        (self.folder / "shop").mkdir()
        (self.folder / "shop" / "goods.idl").write_text("interface Goods {};\n", encoding="ascii")
        (self.folder / "c.idl").write_text('#include "shop/goods.idl"\ninterface C : Goods {};\n', encoding="ascii")
        for words in ((), ("-I.",)):
            done = self.run_it(*words, "c.idl")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.includes_of("cC.h"), ['#include "shop/goodsC.h"'])

    def test_a_prefix_in_a_module_precedes_the_names_of_all_modules(self):
        (self.folder / "p.idl").write_text('module M {\n#pragma prefix "shop"\ninterface I {}; };\n', encoding="ascii")
        self.assertEqual(self.run_it("p.idl").returncode, 0)
        self.assertIn('"IDL:shop/M/I:1.0"', (self.folder / "pC.cpp").read_text(encoding="ascii"))

    def test_its_macro_is_defined(self):
        (self.folder / "m.idl").write_text("#if __TAO_IDL >= 0x060000\ninterface M {};\n#endif\n", encoding="ascii")
        for words, defined in (((), True), (("-U__TAO_IDL",), False)):
            done = self.run_it(*words, "m.idl")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual("class M" in (self.folder / "mC.h").read_text(encoding="ascii"), defined)

    def test_options_without_effect_are_noted(self):
        done = self.run_it("-Wb,export_macro=STOCK_Export", "-Wb,export_include=stock_export.h,pre_include=ace/pre.h", "-Gd", "-Sa", "-St", "-Sc",
                           "-in", "-as", "-Ce", "-g", "/usr/bin/ace_gperf", "-hI", "_i.h", "-sI", "_i.cpp", "-Wb,stub_export_macro=A",
                           "-Wb,stub_export_include=a.h", "-Wb,skel_export_macro=B", "-Wb,skel_export_include=b.h", "-Wb,post_include=ace/post.h",
                           "-iC", "tao", "-Yp,cpp", "-Wb,versioning_begin=A,versioning_end=B", "-Scdr", "-Wb,svnt_export_macro=C", "a.idl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("tao_idl: note: "), 24)
        self.assertIn("note: -Wb,export_macro: classes are visible always", done.stderr)

    def test_options_that_would_change_the_code_are_refused(self):
        for option, text in (("-GI", "derives from POA_M::I"), ("-GIh", "derives from POA_M::I"), ("-Gxhsk", "visible always"), ("-Gdcps", "DDS"), ("-E", "preprocessed"),
                             ("-Wb,nonsense=1", "is not known"), ("-Z", "is not known"), ("-", "name a file"), ("-Wp,-P", "takes -D, -U and -I only"), ("-hc", "needs a value"), ("-I", "needs a value")):
            with self.subTest(option):
                done = self.run_it("a.idl", option)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(text, done.stderr)
                self.assertEqual(self.made(), [])

    def test_errors_are_said(self):
        self.assertIn("no IDL file was named", self.run_it().stderr)
        (self.folder / "wrong.idl").write_text("interface {};\n", encoding="ascii")
        done = self.run_it("wrong.idl")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("wrong.idl:1", done.stderr)
        self.assertEqual(self.made(), [])

    def test_it_says_its_version_and_usage(self):
        self.assertIn("tao_idl of Takt", self.run_it("-V").stdout)
        self.assertIn("-oS", self.run_it("-u").stdout)


TAO_IDL, TAKT_IDL = (os.path.abspath(path) for path in (sys.argv.pop(1), sys.argv.pop(1)))
unittest.main()
