"""port_test.py TAKT COMPAT COMPILER PORTING_MD [INCLUDE_FOLDER...]: `takt port check`.

What it calls "as it is" compiles, and what it says of omniidl's options is what Takt's omniidl says.
"""

import importlib.util
import importlib.machinery
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TAKT, COMPAT, COMPILER, PORTING = sys.argv[1:5]
INCLUDE = sys.argv[5:]
EXAMPLES = "/usr/lib/omniorb/examples"
SOURCES = os.path.join(os.path.dirname(__file__), "..", "..", "..")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}

SERVER = """#include <omniORB4/CORBA.h>
#include <omniORB4/omniZIOP.h>
int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  omniORB::setLogFunction(0);
}
"""


def check(*words):
    return subprocess.run([TAKT, "port", "check", *words], capture_output=True, text=True, timeout=120, check=False, env=ENVIRONMENT)


class Project(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path


class Checks(Project):
    def test_names_what_to_change_by_file_and_line(self):
        server = self.write("src/server.cc", SERVER)
        start = self.write("start.sh", "./server -ORBendPoint giop:tcp::2810 -ORBsslKeyPassword x\n")
        done = check(self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        lines = done.stdout.splitlines()
        self.assertTrue(lines[0].startswith(f"{server}:2: missing: <omniORB4/omniZIOP.h>: "), lines)
        self.assertTrue(lines[1].startswith(f"{server}:5: missing: omniORB::setLogFunction: "), lines)
        self.assertTrue(lines[2].startswith(f"{start}:1: change: -ORBsslKeyPassword: put "), lines)
        self.assertEqual(lines[3:], ["2 files; as it is: 4, change: 1, missing: 2"])

    def test_cmake_finds_takt_instead(self):
        build = self.write("CMakeLists.txt", "find_package(Threads)\nfind_package(omniORB REQUIRED)\n")
        done = check(self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout, f"{build}:2: change: find_package(omniORB: find_package(Takt REQUIRED), which has Takt::omniorb and Takt::tao\n"
                                      "1 files; as it is: 0, change: 1, missing: 0\n")

    def test_says_what_to_do_about_parts_of_tao_that_takt_has_by_other_means(self):
        self.write("server.cpp", "#include <tao/ImR_Client/ImR_Client.h>\n#include <tao/Strategies/advanced_resource.h>\n"
                                 "int t = TAO::CONNECTION_TIMEOUT_POLICY_TYPE;\nvoid f() { orb->poll_next_response(); TAO_ORB_Manager m; }\n")
        done = check("--json", self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([(one["what"], one["verdict"]) for one in json.loads(done.stdout)["findings"]],
                         [("<tao/ImR_Client/ImR_Client.h>", "change"), ("<tao/Strategies/advanced_resource.h>", "change"),
                          ("TAO::CONNECTION_TIMEOUT_POLICY_TYPE", "missing"), ("poll_next_response", "missing")])

    def test_says_what_compiles_as_it_is_if_asked(self):
        server = self.write("server.cc", "#include <omniORB4/CORBA.h>\nCORBA::Long n;\n")
        done = check(self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, "1 files; as it is: 2, change: 0, missing: 0\n"))
        done = check(self.folder, "--all")
        self.assertEqual((done.returncode, done.stdout.splitlines()[:2]),
                         (0, [f"{server}:1: as it is: <omniORB4/CORBA.h>", f"{server}:2: as it is: CORBA::Long"]))

    def test_reads_idl(self):
        self.write("idl/types.idl", "struct Point { long x; };\n")
        self.write("idl/good.idl", '#include "types.idl"\ninterface I { void f(in Point p); };\n')
        bad = self.write("idl/bad.idl", "interface I {\n  void f(in Nothing n);\n};\n")
        newer = self.write("idl/newer.idl", "module M {\n  typedef map<long, string> Names;\n};\n")
        done = check("--json", self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual([(one["file"], one["line"], one["verdict"]) for one in said["findings"]],
                         [(bad, 2, "change"), (newer, 2, "missing")])
        self.assertIn("Nothing", said["findings"][0]["what"])
        self.assertEqual((said["as it is"], said["change"], said["missing"], said["files"]), (2, 1, 1, 4))

    def test_finds_included_idl_in_other_folders(self):
        self.write("shared/types.idl", "struct Point { long x; };\n")
        idl = self.write("mine/good.idl", '#include <types.idl>\ninterface I { void f(in Point p); };\n')
        self.assertEqual(check(idl).returncode, 1)
        self.assertIn("give its folder with -I", check(idl).stdout)
        self.assertEqual(check(self.folder).returncode, 0)
        self.assertEqual(check(idl, "-I", os.path.join(self.folder, "shared")).returncode, 0)

    def test_files_of_any_octets_and_links_end_the_check_of_nothing_else(self):
        self.write("a.cc", bytes(range(256)) * 100)
        self.write("b.idl", bytes(range(256)))
        self.write("c.mk", b"\xff\xfe\x00-lTAO")
        os.symlink(self.folder, os.path.join(self.folder, "circle"))
        os.symlink("/nowhere", os.path.join(self.folder, "d.cc"))
        os.mkfifo(os.path.join(self.folder, "e.cc"))
        self.write("f.cc", "#include <omniORB4/poa_enums.hh>\n")
        done = check(self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("f.cc:1: change: <omniORB4/poa_enums.hh>", done.stdout)
        self.assertTrue(done.stdout.isprintable() or all(line.isprintable() for line in done.stdout.splitlines()))

    def test_a_folder_that_is_not_there_is_an_error(self):
        done = check(os.path.join(self.folder, "none"))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("none: does not exist", done.stderr)

    def test_a_folder_without_sources_is_an_error(self):
        self.write("picture.png", b"\x89PNG")
        done = check(self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(self.folder + ": there is nothing here that is read", done.stderr)

    def test_long_files_are_named_and_left_out(self):
        self.write("long.cc", b" " * ((16 << 20) + 1))
        done = check(self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, "0 files; as it is: 0, change: 0, missing: 0\n"))
        self.assertIn("long.cc: is longer than 16 MiB, so it was left out", done.stderr)


class Rules(Project):
    """The rules and Takt agree."""

    def test_what_is_as_it_is_compiles(self):
        headers = sorted(re.findall(r'\{"([^"*]+\.h+)", as_it_is', open(os.path.join(SOURCES, "tools/takt/port/rules.cpp"), encoding="utf-8").read()))
        self.assertGreater(len(headers), 40)
        ours = [os.path.relpath(os.path.join(folder, name), os.path.join(COMPAT, "tao/include"))
                for folder, _, files in os.walk(os.path.join(COMPAT, "tao/include")) for name in files]
        self.assertEqual(sorted(header for header in headers if header.startswith(("tao/", "orbsvcs/"))), sorted(ours))
        names = ["omniORB::setClientCallTimeout(CORBA::ULong(1))", "omniORB::setClientThreadCallTimeout(1)",
                 "omniORB::setClientConnectTimeout(1)", "sizeof(omniORB::fatalException)", "sizeof(omni_thread)", "sizeof(omni_mutex)",
                 "sizeof(omni_mutex_lock)", "sizeof(omni_condition)", "sizeof(omni_semaphore)", "sizeof(omni_time_t)",
                 'omni::omniURI::stringToObject("")', "sizeof(POA_CosNaming::NamingContext)", "sizeof(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE)",
                 "sizeof(BiDirPolicy::BOTH)", "sizeof(PortableServer::POA_var)"]
        for orb, uses in (("omni", names), (("tao", "orbsvcs"), [name for name in names if "omni" not in name])):  # a program is of one ORB
            program = self.write("all.cc", "".join(f"#include <{header}>\n" for header in headers if header.startswith(orb)) +
                                 "void use() {\n" + "".join(f"  (void)({name});\n" for name in uses) + "}\n")
            done = check(program)
            self.assertEqual((done.returncode, done.stdout.splitlines()[-1].split(",")[1:]), (0, [" change: 0", " missing: 0"]), done.stdout)
            compiled = subprocess.run([COMPILER, "-std=c++14", "-fsyntax-only", *("-I" + each for each in INCLUDE), program],
                                      capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(compiled.returncode, 0, compiled.stderr[-3000:])

    def test_names_of_the_standards_modules_are_those_of_the_headers(self):
        sys.dont_write_bytecode = True
        script = os.path.join(SOURCES, "tools/takt/port/list_names.py")
        done = subprocess.run([sys.executable, script, COMPILER, *INCLUDE], capture_output=True, text=True, timeout=300, check=True)
        with open(os.path.join(SOURCES, "tools/takt/port/known_names.cpp"), encoding="ascii") as file:
            self.assertEqual(file.read(), done.stdout, f"made by {script} with {INCLUDE}")

    def test_names_that_are_not_there_are_missing(self):
        names = ["CORBA::Principal", "CORBA::DomainManager_var", "CORBA::DynAny_ptr", "CORBA::Repository_var", "CORBA::ORB::BOA_init",
                 "CORBA::ORB::RequestSeq", "CORBA::ORB::InconsistentTypeCode", "CORBA::WrongTransaction", "PortableServer::Nothing"]
        known = ["CORBA::PollableSet_var", "CORBA::DIIPollable_var", "CORBA::Request_ptr", "Messaging::Poller_var",
                 "PortableInterceptor::ClientRequestInfo_ptr"]
        self.write("a.cc", "".join(f"{name} x;\n" for name in [*names, *known]) + "o->_get_interface();\nq->sendp_get_quote();\n")
        self.write("CMakeLists.txt", "find_package(TAO_PI)\n")
        said = {one["what"]: one["verdict"] for one in json.loads(check("--json", "--all", self.folder).stdout)["findings"]}
        self.assertEqual(said, {**dict.fromkeys([*names, "_get_interface"], "missing"), **dict.fromkeys([*known, "sendp_get_quote"], "as it is"),
                                "TAO_PI": "change"})

    def test_what_is_missing_is_not_there(self):
        text = open(os.path.join(SOURCES, "tools/takt/port/rules.cpp"), encoding="utf-8").read()
        missing = re.findall(r'\{"(omniORB4/[^"*]+)", missing', text)
        self.assertGreater(len(missing), 2)
        for header in missing:
            for folder in INCLUDE:
                self.assertFalse(os.path.exists(os.path.join(folder, header)), header)

    def test_headers_that_the_advice_names_are_installed(self):
        text = open(os.path.join(SOURCES, "tools/takt/port/rules.cpp"), encoding="utf-8").read()
        named = set(re.findall(r"<(takt/[^>]+)>", text))
        self.assertGreater(len(named), 1)
        for header in named:
            self.assertTrue(os.path.exists(os.path.join(SOURCES, "include", header)), header)

    def test_the_advice_names_what_the_classic_mapping_has(self):
        names = {"omni::omniInterceptors::clientSendRequest_T": "<takt/classic/interceptors.h>", "TAO_OutputCDR": "<takt/classic/iop.h>",
                 "TAO_InputCDR": "<takt/classic/iop.h>", "TAO_AV_Core": "--mapping classic"}
        self.write("a.cc", "".join(f"{name} x;\n" for name in names))
        advice = {one["what"]: one["advice"] for one in json.loads(check("--json", self.folder).stdout)["findings"]}
        self.assertEqual(set(advice), set(names))
        for name, has in names.items():
            self.assertIn(has, advice[name])

    def test_options_that_the_advice_names_exist(self):
        text = open(os.path.join(SOURCES, "tools/takt/port/rules.cpp"), encoding="utf-8").read()
        names = set(re.findall(r"-ORB(\w+)", text))
        self.assertGreater(len(names), 5)
        for name in names:
            done = subprocess.run([TAKT, "options", name], capture_output=True, text=True, timeout=60, check=False, env=ENVIRONMENT)
            self.assertEqual(done.returncode, 0, name)

    def test_options_of_compilers_are_judged_as_these_do(self):
        sys.dont_write_bytecode = True
        for name, prefix in (("omniorb/omniidl", "-Wb"), ("tao/tao_idl", "")):
            loader = importlib.machinery.SourceFileLoader("tool", os.path.join(COMPAT, name))
            tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("tool", loader))
            loader.exec_module(tool)
            for expected, options in ((1, tool.REFUSED), (0, tool.WITHOUT_EFFECT)):
                for option in options:
                    if option != "-d":
                        self.write("build.mk", f"{os.path.basename(name)} {prefix}{option} echo.idl\n")
                        self.assertEqual(check(self.folder).returncode, expected, option)

    def test_packages_of_pkg_config_are_those_that_are_installed(self):
        for name in ("omniorb", "tao"):
            packages = re.search(r"PACKAGES ([^)]+)", open(os.path.join(COMPAT, name, "CMakeLists.txt"), encoding="utf-8").read())[1].split()
            self.assertGreater(len(packages), 2)
            self.write("CMakeLists.txt", "".join(f"pkg_check_modules(ORB {package})\n" for package in packages))
            done = json.loads(check("--json", "--all", self.folder).stdout)
            self.assertEqual([(one["what"], one["verdict"]) for one in done["findings"]], [(each, "as it is") for each in packages])

    def test_options_are_judged_as_their_page_says(self):
        page = os.path.join(os.path.dirname(PORTING), "options-of-other-orbs.md")
        rows = re.findall(r"^\| `-ORB(\w+)` \| .*\| (refused|.)", open(page, encoding="utf-8").read(), re.MULTILINE)
        self.assertGreater(len(rows), 150)
        self.write("start.sh", "".join(f"server -ORB{theirs} x\n" for theirs, _ in rows))
        said = json.loads(check("--json", "--all", self.folder).stdout)["findings"]
        self.assertEqual([(one["line"], one["what"], one["verdict"]) for one in said],
                         [(i + 1, "-ORB" + theirs, "change" if becomes == "refused" else "as it is") for i, (theirs, becomes) in enumerate(rows)])

    @unittest.skipUnless(os.path.exists(EXAMPLES + "/echo/eg1.cc"), "omniORB's examples are not installed (package omniorb-doc)")
    def test_examples_of_omniorb_that_build_untouched_have_nothing_to_change(self):
        sources = subprocess.run(["find", EXAMPLES + "/echo", EXAMPLES + "/thread", EXAMPLES + "/call_back", EXAMPLES + "/bidir", EXAMPLES + "/dsi",
                                  EXAMPLES + "/valuetype", "-name", "*.cc"], capture_output=True, text=True, check=True, timeout=60).stdout.split()
        self.assertGreater(len(sources), 10)
        for source in sources:
            done = check("--json", source)
            changes = [one for one in json.loads(done.stdout)["findings"] if not one["what"].startswith("-ORB")]
            self.assertEqual(changes, [], source)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
