"""command_test.py TAKT ZOO_IDL OWN_IDL: `takt ifr` as processes. OWN_IDL is the folder of the IDL that comes with Takt."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

TAKT, ZOO, OWN = sys.argv[1:4]
OMNIORB = pathlib.Path("/usr/share/idl/omniORB")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


class Ifr(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = {**ENVIRONMENT, "XDG_STATE_HOME": self.folder}

    def takt(self, *words, status=0):
        done = subprocess.run([TAKT, *words], capture_output=True, text=True, timeout=50, env=self.environment, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def write(self, text, name="text.idl"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_a_tour_with_the_default_store(self):
        self.assertRegex(self.takt("ifr", "load", ZOO), r"^\d+ definitions added, 0 completed, 0 were there already\n$")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "takt", "ifr.db")))
        counts = json.loads(self.takt("ifr", "load", ZOO, "--json"))
        self.assertEqual(counts["added"], 0)
        self.assertGreater(counts["kept"], 40)
        self.assertEqual(self.takt("ifr", "list"), "module Zoo  IDL:Zoo:1.0\n")
        self.assertIn("operation Zoo::I::f  IDL:Zoo/I/f:1.0\n", self.takt("ifr", "list", "-r"))
        self.assertEqual(self.takt("ifr", "list", "Zoo::J"),
                         "operation Zoo::J::find_later  IDL:Zoo/J/find_later:1.0\nstruct Zoo::J::Nested  IDL:Zoo/J/Nested:1.0\n")
        entry = json.loads(self.takt("ifr", "list", "IDL:Zoo/Bad:1.0", "--json"))
        self.assertEqual(entry, [{"kind": "struct", "name": "Zoo::Bad::Inner", "id": "IDL:Zoo/Bad/Inner:1.0"}])

    def show(self, name):
        return self.takt("ifr", "show", name)

    def test_shows_idl(self):
        self.takt("ifr", "load", ZOO)
        self.assertEqual(self.show("Zoo::I"), """// IDL:Zoo/I:1.0
interface I {
  constant limit;
  attribute long x;
  readonly attribute Zoo::Colour c;
  void f(in Zoo::Node n, out Zoo::U result, inout Zoo::Longs list) raises (Zoo::Bad) context ("a", "b*");
  oneway void g();
  TypeCode type_of(in any value);
};
""")
        self.assertEqual(self.show("IDL:Zoo/U:1.0"), """// IDL:Zoo/U:1.0
union U switch (long) {
  case 1: case -2: long a;
  case 3: string b;
  default: Zoo::Node n;
};
""")
        self.assertEqual(self.show("::Zoo::V"), """// IDL:Zoo/V:1.0
valuetype V : truncatable Zoo::Base supports Zoo::I {
  public Zoo::V next;
};
""")
        self.assertEqual(self.show("Zoo::Base"), """// IDL:Zoo/Base:1.0
valuetype Base {
  private long hidden;
  public string s;
  factory make(in string s);
};
""")
        for name, line in {"Zoo::Colour": "enum Colour { red, green };", "Zoo::favourite": "const Zoo::Colour favourite = green;",
                           "Zoo::answer": "const long answer = -42;", "Zoo::Box": "valuetype Box Zoo::Node;",
                           "Zoo::I::c": "readonly attribute Zoo::Colour c;", "Zoo::Base::hidden": "private long hidden;",
                           "Zoo::Again": "typedef Zoo::Longs Again;", "Zoo::J::find_later": "Zoo::Later find_later();",
                           "Zoo::A": "abstract interface A {"}.items():
            self.assertIn(line + "\n", self.show(name))
        shown = json.loads(self.takt("ifr", "show", "Zoo::Bad", "--json"))
        self.assertEqual((shown["kind"], shown["name"], shown["id"], shown["version"]),
                         ("exception", "Zoo::Bad", "IDL:Zoo/Bad:1.0", "1.0"))
        self.assertIn("Zoo::Bad::Inner in_it;", shown["idl"])

    def test_shows_literals_and_arrays_as_idl_spells_them(self):
        lines = ["const boolean yes = TRUE;", "const char quote = '\\'';", "const char high = '\\xe4';", "const wchar euro = L'\\u20ac';",
                 'const string text = "a\\"b\\n\\x09";', 'const string<5> few = "12345";', 'const wstring wide = L"\\u00e9\\ud83d\\ude00";',
                 "const unsigned long long most = 18446744073709551615;", "const fixed price = 12.5d;", "const long double exact = 1.5;",
                 "typedef long Grid[2][3];"]
        union = """union U switch (wchar) {
  case L'a': case L'\\u20ac': long grid[2][3];
  default: string text;
};
"""
        self.takt("ifr", "load", self.write("\n".join(lines) + "\n" + union))
        for line in lines:
            name = line.split(" =")[0].split("[")[0].split()[-1]
            self.assertEqual(self.show(name).splitlines()[1], line)
        self.assertEqual(self.show("U").split("\n", 1)[1], union)

    def test_refusals(self):
        self.assertIn("there is no such store; takt ifr load makes one", self.takt("ifr", "show", "Zoo", status=2))
        mistyped = os.path.join(self.folder, "mistyped.db")
        self.assertIn(mistyped + ": there is no such store", self.takt("ifr", "list", "--store", mistyped, status=2))
        self.assertFalse(os.path.exists(mistyped), "a command that only reads has made a store")
        self.takt("ifr", "load", ZOO)
        self.assertIn("no definition 'Zoo::Knode'; the nearest is 'Zoo::Node'", self.takt("ifr", "show", "Zoo::Knode", status=1))
        self.assertIn("the nearest is 'IDL:Zoo/Node:1.0'", self.takt("ifr", "list", "IDL:Zoo/Nod:1.0", status=1))
        self.assertIn("it is no scope, but a definition of kind 'enum'", self.takt("ifr", "list", "Zoo::Colour", status=1))
        self.assertIn("give either --repository or --store",
                      self.takt("ifr", "list", "--store", "x", "--repository", "corbaloc::localhost/x", status=2))
        self.assertIn("nothing was loaded", self.takt("ifr", "load", self.write("struct S {"), status=2))
        self.assertIn("no such file", self.takt("ifr", "load", "/nowhere.idl", status=2).lower())
        self.assertIn("not a database", self.takt("ifr", "load", ZOO, "--store", self.write("x" * 4096, "x.db"), status=2))
        self.assertIn("TRANSIENT", self.takt("ifr", "list", "--repository", "corbaloc:iiop:1.2@127.0.0.1:9/x", status=1))

    @unittest.skipUnless(OMNIORB.is_dir(), "omniORB's IDL is not installed")
    def test_all_idl_of_omniorb(self):
        files = sorted(map(str, OMNIORB.rglob("*.idl")))
        words = ["ifr", "load", "--json", f"-I{OMNIORB}", f"-I{OMNIORB / 'COS'}", f"-I{OWN}", *files]
        counts = json.loads(self.takt(*words))
        self.assertGreater(counts["added"], 2000)
        again = json.loads(self.takt(*words))
        self.assertEqual(again["added"], 0)
        every = json.loads(self.takt("ifr", "list", "-r", "--json"))
        self.assertEqual(len(every), counts["added"])
        self.assertIn("void push(in any data)", self.takt("ifr", "show", "CosEventComm::PushConsumer"))

    def serve(self, *options, service=("ifr", "serve")):
        process = subprocess.Popen([TAKT, *service, "--listen", "iiop://127.0.0.1:0", *options], stdout=subprocess.PIPE,
                                   text=True, env=self.environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, process.stdout.readline().strip()

    def test_serves_what_is_loaded_meanwhile(self):
        process, reference = self.serve()
        self.assertTrue(reference.startswith("IOR:"))
        self.assertEqual(self.takt("ifr", "list", "--repository", reference), "")
        self.takt("ifr", "load", ZOO)
        remote = self.takt("ifr", "list", "-r", "--repository", reference)
        self.assertEqual(remote, self.takt("ifr", "list", "-r"))
        for name in re.findall(r" (\S+)  IDL", remote):
            self.assertEqual(self.takt("ifr", "show", name, "--repository", reference), self.show(name))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 0)

    def test_calls_take_types_from_a_repository(self):
        self.takt("ifr", "load", os.path.join(OWN, "CosNaming.idl"))
        _, repository = self.serve()
        _, names = self.serve("--memory", service=("naming",))
        name = json.dumps([{"id": "shop", "kind": ""}])
        by = ("--repository", repository)
        self.assertEqual(json.loads(self.takt("call", names, "bind_new_context", name, *by))[:4], "IOR:")
        raised = subprocess.run([TAKT, "call", names, "bind_new_context", name, *by], capture_output=True, text=True, timeout=50,
                                env=self.environment, check=False)
        self.assertEqual((raised.returncode, json.loads(raised.stdout)["exception"]),
                         (3, "IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0"))
        idl = ("--idl", os.path.join(OWN, "CosNaming.idl"))
        shown = self.takt("describe", names, *by)
        self.assertEqual(sorted(shown.splitlines()),
                         sorted(self.takt("describe", "CosNaming::NamingContextExt", *idl).splitlines()))
        self.assertIn("to_url", self.takt("list", names, *by))
        refused = [(("call", names, "resolv", name), "no operation or attribute 'resolv'; the nearest is 'resolve'"),
                   (("call", self.without_type(names), "list", "1"), "does not tell its interface; give it with --interface NAME"),
                   (("call", names, "list", "1", "--interface", "CosNaming::Nam"),
                    "the repository has no definition 'CosNaming::Nam'; the nearest is 'CosNaming::Name'"),
                   (("call", names, "list", "1", "--interface", "CosNaming::Binding"), "of kind 'struct', which is no interface"),
                   (("call", names, "list", "1", *idl), "give either --idl or --repository"),
                   (("list", names, *idl), "give either --idl or --repository")]
        for words, why in refused:
            done = subprocess.run([TAKT, *words, *by], capture_output=True, text=True, timeout=50, env=self.environment, check=False)
            self.assertIn(why, done.stderr)
            self.assertIn(done.returncode, (1, 2))
        self.assertIn("--repository is no CORBA::Repository", self.takt("call", names, "list", "1", "--repository", names, status=1))
        self.takt("call", self.without_type(names), "list", "1", "--interface", "CosNaming::NamingContext", *by)

    @staticmethod
    def without_type(reference):
        """The corbaloc of the same naming service."""
        octets = bytes.fromhex(reference[4:])
        port = int.from_bytes(octets[octets.index(b"127.0.0.1") + 10:][:2], "little" if octets[0] else "big")
        return f"corbaloc::127.0.0.1:{port}/NameService"

    def test_a_repository_that_disagrees_with_the_server(self):
        """Its IDL has an operation that the server lacks, and one with another parameter."""
        idl = self.write("""#pragma prefix "omg.org"
module CosNaming { interface NamingContext {}; interface NamingContextExt { void resolve_all(in long x); string to_url(in long n); void destroy();
  NamingContext new_context(in long x); }; };""")
        self.takt("ifr", "load", idl)
        _, repository = self.serve()
        for options, absent, other in (
                ((), "the server may be of another version", "the server may be of another version"),
                (("-ORBReflection", "on"), "but the server has no such operation; the nearest is 'resolve_str'",
                 "but the server has 'string to_url(in string addr, in string sn) raises (")):
            _, names = self.serve("--memory", *options, service=("naming",))
            said = self.takt("call", names, "resolve_all", "1", "--repository", repository, status=1)
            self.assertIn("CORBA::BAD_OPERATION", said)
            self.assertIn("the repository has 'void resolve_all(in long x)' in IDL:omg.org/CosNaming/NamingContextExt:1.0", said)
            self.assertIn(absent, said)
            said = self.takt("call", names, "to_url", "1", "--repository", repository, status=1)
            self.assertIn("the repository has 'string to_url(in long n)'", said)
            self.assertIn(other, said)
            # A server that ignores what it does not expect is not called if it says what it expects.
            said = self.takt("call", names, "new_context", "1", "--repository", repository, status=1 if options else 0)
            self.assertEqual("but the server has 'CosNaming::NamingContext new_context()'" in said, bool(options), said)
            # Where both agree, the exception is only the server's.
            self.assertNotIn("the repository has", self.takt("call", names, "destroy", "--repository", repository, status=1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
