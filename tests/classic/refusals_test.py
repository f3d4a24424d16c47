#!/usr/bin/env python3
"""IDL that the classic back end does not support is refused with its place and the construct's name, and nothing is
written: refusals_test.py TAKT_IDL."""

import os
import subprocess
import sys
import tempfile
import unittest

CASES = {
    "eventtype": "eventtype E { public long a; };",
    "local interface with a base that is an abstract interface": "abstract interface A {}; local interface L : A {};",
    "native type": "native N;",
    "type CORBA::StringValue of the ORB's IDL": "#include <orb.idl>\ninterface I { void f(in CORBA::StringValue v); };",
    "bitmask": "bitmask M { a };",
    "bitset": "bitset B { bitfield<3> a; };",
    "int8 or uint8": "struct S { int8 a; };",
    "@value of an enumerator": "enum E { @value(2) A, B };",
    "map": "typedef map<long, string> M;",
    "struct with a base": "struct A { long x; }; struct B : A { long y; };",
    "@optional member": "struct A { @optional long x; };",
    "declaration in a module of the ORB's": "module CORBA { typedef long Mine; };",
}


class Refusals(unittest.TestCase):
    def test_each_names_the_construct(self):
        for construct, idl in CASES.items():
            with self.subTest(construct), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "a.idl")
                with open(path, "w", encoding="utf-8") as out:
                    out.write(idl + "\n")
                run = subprocess.run([COMPILER, "--mapping", "classic", "-I", IDL, "-o", folder, path],
                                     capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertRegex(run.stderr, r"a\.idl:\d+: the classic mapping does not have this yet: ")
                self.assertIn(f"yet: {construct} (", run.stderr)
                self.assertEqual(os.listdir(folder), ["a.idl"])


    def test_names_of_helpers_that_are_taken(self):
        for taken, of, idl in (
                ("::Foo_var", "::Foo", "interface Foo {}; struct Foo_var { long x; };"),
                ("::Foo_ptr", "::Foo", "interface Foo_ptr {}; interface Foo {};"),
                ("::M::S_out", "::M::S", "module M { typedef sequence<long> S; struct S_out { long x; }; };"),
                ("::V_init", "::V", "valuetype V { public long x; }; struct V_init { long x; };"),
                ("::OBV_M::V", "::M::V", "module M { valuetype V { public long x; }; }; module OBV_M { struct V { long x; }; };"),
                ("::POA_M::Foo", "::M::Foo", "module M { interface Foo {}; }; module POA_M { interface Foo {}; };")):
            with self.subTest(taken), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "a.idl")
                with open(path, "w", encoding="utf-8") as out:
                    out.write(idl + "\n")
                run = subprocess.run([COMPILER, "--mapping", "classic", "-o", folder, path], capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn(f"'{taken}' ({path}:1) has the name that generated code has for a helper of '{of}'", run.stderr)
                self.assertEqual(os.listdir(folder), ["a.idl"])

    def test_an_inherited_operation_of_another_file_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, idl in (("b.idl", "interface B { void f(in int8 a); };"),
                              ("a.idl", '#include "b.idl"\ninterface A : B {};')):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                    out.write(idl + "\n")
            run = subprocess.run([COMPILER, "--mapping", "classic", "-o", folder, os.path.join(folder, "a.idl")],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, r"b\.idl:1: the classic mapping does not have this yet: int8 or uint8 \(B::f\)")


COMPILER = sys.argv.pop(1)
IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "idl")
unittest.main()
