"""another_machine_test.py TAKT HELLO_SERVER HELLO_CLIENT PAGE: runs the commands of the tutorial's last section, those with the
prompt `server$` in one network namespace and those with `client$` in another. Exit status 77: this user cannot make any."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TAKT, SERVER, CLIENT, PAGE = sys.argv[1:5]
PATIENCE_S = 30
NETWORKS = {name: f"takt-{os.getpid()}-{name}" for name in ("server", "client")}
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}
ENVIRONMENT["PATH"] = os.path.dirname(TAKT) + ":" + os.environ["PATH"]


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def make_networks():
    for network in NETWORKS.values():
        ip("netns", "add", network)
    ip("link", "add", "takt0", "netns", NETWORKS["server"], "type", "veth", "peer", "name", "takt0", "netns", NETWORKS["client"])
    for name, address in (("server", "192.0.2.7/24"), ("client", "192.0.2.8/24")):
        ip("-n", NETWORKS[name], "address", "add", address, "dev", "takt0")
        for device in ("lo", "takt0"):
            ip("-n", NETWORKS[name], "link", "set", device, "up")


def delete_networks():
    for network in NETWORKS.values():
        subprocess.run(["ip", "netns", "delete", network], check=False, capture_output=True)


def steps():
    """(machine, command, expected output) of the section, in order."""
    with open(PAGE, encoding="utf-8") as file:
        section = re.search(r"^## 7\..*?(?=^## )", file.read(), re.MULTILINE | re.DOTALL)[0]
    return re.findall(r"^    (server|client)\$ (.*)\n((?:    (?!\w+\$ ).*\n)*)", section, re.MULTILINE)


class Tutorial(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.background = folder.name, []
        shutil.copy(SERVER, os.path.join(self.folder, "hello_server"))
        shutil.copy(CLIENT, os.path.join(self.folder, "hello_client"))
        self.addCleanup(self.end)

    def end(self):
        for process in self.background:
            process.kill()
            process.wait()

    def begin(self, command, machine):
        """A command with `> FILE &`, until the file has the reference that it prints."""
        program, file = re.fullmatch(r"(.*) > (\S+) &", command).groups()
        path = os.path.join(self.folder, file)
        self.background.append(subprocess.Popen(["ip", "netns", "exec", NETWORKS[machine], "sh", "-c", f"exec {program} > {file}"],
                                                cwd=self.folder, env=ENVIRONMENT))
        end = time.monotonic() + PATIENCE_S
        while not (os.path.exists(path) and os.path.getsize(path)):
            self.assertIsNone(self.background[-1].poll(), command)
            self.assertLess(time.monotonic(), end, command)
            time.sleep(0.02)

    def test_last_section_works_between_two_networks(self):
        called = 0
        for machine, command, expected in steps():
            if command.endswith("&"):
                self.begin(command, machine)
                continue
            done = subprocess.run(["ip", "netns", "exec", NETWORKS[machine], "sh", "-c", command], cwd=self.folder, env=ENVIRONMENT,
                                  capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
            if expected:
                self.assertEqual(done.stdout, re.sub("^    ", "", expected, flags=re.MULTILINE))
                called += 1
        self.assertEqual(called, 1)


if __name__ == "__main__":
    try:
        make_networks()
    except (OSError, subprocess.CalledProcessError) as failure:
        print(f"no network namespaces: {failure}")
        delete_networks()
        sys.exit(77)
    try:
        unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() or sys.exit(1)
    finally:
        delete_networks()
