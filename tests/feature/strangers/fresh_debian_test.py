"""fresh_debian_test.py PACKAGES SOURCE: installs the Debian packages of the folder PACKAGES into a fresh Debian, and uses them there as
the documents say, which are read from takt-doc: nothing of SOURCE gets inside but tests/feature/consumer. `script/package --test` runs it.
Exit status 77: there can be no fresh Debian; the reason is printed."""

import glob
import os
import re
import shutil
import sys
import unittest

import fresh_debian

PACKAGES, SOURCE = sys.argv[1:3]
DOCUMENTS = "/usr/share/doc/takt"
CACHE = os.path.join(SOURCE, "build", "packages")
DEBIAN = None


def setUpModule():
    folder = DEBIAN.path("takt", "build", "debian")
    os.makedirs(folder)
    for path in glob.glob(os.path.join(PACKAGES, "*.deb")):
        shutil.copy(path, folder)
    DEBIAN.run("apt-get -qq update")


def documented(page, start):
    """The line of an installed document that begins so, without `sudo`."""
    with open(DEBIAN.path(DOCUMENTS, page), encoding="utf-8") as file:
        found = {line.strip() for line in file if line.startswith("    " + start)}
    assert len(found) == 1, f"{page}: {found} begin with '{start}'"
    return found.pop().removeprefix("sudo ")


def version():
    with open(os.path.join(SOURCE, "debian", "changelog"), encoding="utf-8") as file:
        return re.search(r"\((.*?)\)", file.readline())[1]


class Compiler(unittest.TestCase):
    """takt-tools only, without the packages that it recommends."""

    @classmethod
    def setUpClass(cls):
        DEBIAN.run("apt-get -qq install --no-install-recommends ./build/debian/takt-tools_*.deb", "/takt")

    def test_programs_run_without_the_shared_library(self):
        self.assertNotIn("libtakt ", DEBIAN.run("dpkg-query -W -f '${Package} '"))
        for program in ("takt", "takt-idl", "takt-idtable"):
            self.assertIn(version(), DEBIAN.run(f"{program} --version"))

    def test_idl_is_compiled_with_what_the_package_depends_on(self):
        shutil.copytree(os.path.join(SOURCE, "examples", "hello"), DEBIAN.path("srv", "idl"))
        DEBIAN.run("takt-idl hello.idl", "/srv/idl")
        for name in ("helloC.h", "helloC.cpp", "helloS.h", "helloS.cpp"):
            self.assertTrue(os.path.exists(DEBIAN.path("srv", "idl", name)), name)

    def test_tables_of_ids_are_made(self):
        DEBIAN.run("mkdir table; cd table; printf 'one\\ntwo\\n' > list; takt-idtable --name find_id --output . list")
        self.assertEqual(sorted(os.listdir(DEBIAN.path("srv", "table"))), ["find_id.cpp", "find_id.h", "list"])


class Development(unittest.TestCase):
    """All packages, as documented, with the packages that they recommend."""

    @classmethod
    def setUpClass(cls):
        DEBIAN.run("apt-get -qq install ./build/debian/takt-doc_*.deb", "/takt")
        DEBIAN.run(documented("docs/user/first-program.md", "sudo apt-get install"), "/takt")
        cls.page = DEBIAN.path(DOCUMENTS, "docs/user/first-program.md")

    def hello(self, name):
        """A copy of the example that takt-doc has."""
        DEBIAN.run(f"cp -r {DOCUMENTS}/examples/hello /srv/{name}")
        return f"/srv/{name}"

    def greets(self, folder):
        """Runs both programs by the lines of the document."""
        with open(self.page, encoding="utf-8") as file:
            lines = [line.strip().removeprefix("$ ") for line in file if line.startswith("    $ ./hello_")]
        self.assertEqual(len(lines), 2)
        script = f"{lines[0]}\ntrap 'kill $!' EXIT\nuntil [ -s reference ]; do sleep 0.1; done\n{lines[1]}\n"
        self.assertEqual(DEBIAN.run(script, folder), "Hello, world!\n")
        return DEBIAN.run("ldd ./hello_server", folder)

    def test_cmake(self):
        folder = self.hello("by_cmake")
        with open(self.page, encoding="utf-8") as file:
            blocks = re.findall(r"```cmake\n(.*?)```", file.read(), re.DOTALL)
        self.assertEqual(len(blocks), 1)
        with open(DEBIAN.path(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write(blocks[0])
        line = documented("docs/user/first-program.md", "cmake -G Ninja")
        DEBIAN.run(line.replace(" -D CMAKE_PREFIX_PATH=$HOME/takt", ""), folder)
        self.assertIn("/libtakt.so.", self.greets(folder + "/build"))

    def test_idl_of_the_orb_is_found(self):
        DEBIAN.run("mkdir included; cd included; echo '#include <orb.idl>' > own.idl; "
                   "echo 'interface Own { CORBA::TypeCode type(); };' >> own.idl; takt-idl own.idl")

    def test_cmake_with_services(self):
        shutil.copytree(os.path.join(SOURCE, "tests", "feature", "consumer"), DEBIAN.path("srv", "consumer"))
        DEBIAN.run("cmake -G Ninja -B build && cmake --build build", "/srv/consumer")
        self.assertIn("20 is 5 times 4\n", DEBIAN.run("./build/consumer", "/srv/consumer"))
        self.assertIn("filter is 1 of 1\n", DEBIAN.run("./build/services", "/srv/consumer"))

    def test_make(self):
        DEBIAN.run("apt-get -qq install make")
        for module in ("takt", "takt-static"):
            folder = self.hello("by_make_" + module)
            line = documented("docs/user/installing.md", "make ")
            DEBIAN.run(line.replace(" PKG_CONFIG_PATH=$HOME/takt/lib/pkgconfig", f" TAKT={module}"), folder)
            self.assertEqual(module == "takt", "/libtakt.so." in self.greets(folder), module)

    def test_meson(self):
        DEBIAN.run("apt-get -qq install --no-install-recommends meson")
        folder = self.hello("by_meson")
        line = documented("docs/user/installing.md", "meson ")
        DEBIAN.run(line.replace(" --pkg-config-path $HOME/takt/lib/pkgconfig", ""), folder)
        self.assertIn("/libtakt.so.", self.greets(folder + "/made"))

    def test_pkg_config_has_each_module(self):
        for module in ("takt", "takt-scheduling", "takt-naming", "takt-events", "takt-ifr", "takt-frames"):
            for name in (module, module + "-static"):
                self.assertEqual(DEBIAN.run(f"pkg-config --modversion {name}").strip(), version())
                DEBIAN.run(f"pkg-config --print-errors --cflags --libs {name}")


class Removed(unittest.TestCase):
    def test_nothing_stays(self):
        DEBIAN.run("apt-get -qq purge takt-tools libtakt libtakt-dev takt-doc")
        kept = DEBIAN.run("find / -xdev -iname '*takt*' -not -path '/proc/*' -not -path '/srv/*' -not -path '/takt*'").split()
        self.assertEqual([path for path in kept if not path.startswith("/var/")], [])


if __name__ == "__main__":
    reason = fresh_debian.why_not()
    if not reason:
        try:
            DEBIAN = fresh_debian.FreshDebian(os.path.join(CACHE, "root"), CACHE)
        except fresh_debian.NoDebian as error:
            reason = str(error)
    if reason:
        print("skipped:", reason)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
