"""tutorial_test.py SOURCE: follows docs/user/first-program.md in a fresh Debian, from the first command to that of its last section but
one (another_machine_test.py does the last), by the script that tests/docs/commands.py makes of the page. Inside there are only the files
that git knows. Exit status 77: there can be no fresh Debian; the reason is printed."""

import os
import shutil
import subprocess
import sys
import unittest

import fresh_debian

SOURCE = sys.argv[1]
PAGE = "docs/user/first-program.md"
CACHE = os.path.join(SOURCE, "build", "packages")
DEBIAN = None


def copy_sources(folder):
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    for path in listed.stdout.splitlines():
        if os.path.exists(os.path.join(SOURCE, path)):
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            shutil.copy2(os.path.join(SOURCE, path), os.path.join(folder, path), follow_symlinks=False)


class Tutorial(unittest.TestCase):
    def test_each_command_works_as_written(self):
        copy_sources(DEBIAN.path("srv", "sources"))
        DEBIAN.run("apt-get -qq update")
        command = [sys.executable, os.path.join(SOURCE, "tests", "docs", "commands.py"), "--script", PAGE]
        script = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        with open(DEBIAN.path("srv", "tutorial"), "w", encoding="utf-8") as file:
            file.write("out=/srv/out SOURCE=/srv/sources\nmkdir $out\n" + script)
        DEBIAN.run("bash /srv/tutorial", "/srv/sources")
        self.assertTrue(os.path.exists(DEBIAN.path("srv", "out", "all")), "a command ended the page")
        outputs = [DEBIAN.path("srv", "out", name) for name in os.listdir(DEBIAN.path("srv", "out"))]
        self.assertEqual(sum("Hello, world!\n" == open(path, encoding="utf-8", errors="replace").read() for path in outputs), 1)


if __name__ == "__main__":
    reason = fresh_debian.why_not()
    if not reason:
        try:
            DEBIAN = fresh_debian.FreshDebian(os.path.join(CACHE, "tutorial"), CACHE)
        except fresh_debian.NoDebian as error:
            reason = str(error)
    if reason:
        print("skipped:", reason)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
