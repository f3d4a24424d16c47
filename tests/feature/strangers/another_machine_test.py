"""another_machine_test.py PROGRAMS TAKT PAGE: runs the commands of the page with the prompt `server$` in one network namespace and those
with `client$` in another. Each machine has a shell and a folder, with the programs of the folder PROGRAMS that the page names. What the
page lets the reader copy to the client's machine is copied, and the TOML that it shows is written. Exit status 77: this user cannot make
namespaces."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAMS, TAKT, PAGE = sys.argv[1:4]
PATIENCE_S = 60
NETWORKS = {name: f"takt-{os.getpid()}-{name}" for name in ("server", "client")}
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}
ENVIRONMENT["PATH"] = os.path.dirname(TAKT) + ":" + os.environ["PATH"]
STEP = re.compile(r"^    (?P<machine>server|client)\$ (?P<command>.*)\n(?P<expected>(?:    (?!\w+\$ ).*\n)*)|"
                  r"^Copy (?P<copied>.*) to the client's machine\.|"
                  r"`(?P<file>\w+\.toml)`:\n\n<!-- .* -->\n```toml\n(?P<text>(?s:.*?))^```", re.MULTILINE)


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
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    return STEP.finditer(text, text.index("192.0.2.7"))  # where the pages begin to tell of two machines


class Machine:
    """A shell, which keeps its variables and its processes from one command to the next."""

    def __init__(self, name, folder):
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        for program in ("hello_server", "hello_client", "greeter"):
            shutil.copy(os.path.join(PROGRAMS, program), self.folder)
        self.shell = subprocess.Popen(["ip", "netns", "exec", NETWORKS[name], "bash"], cwd=self.folder, env=ENVIRONMENT, text=True,
                                      stdin=subprocess.PIPE, start_new_session=True)
        self.name = name

    def end(self):
        self.shell.stdin.write("kill $(jobs -p) 2> /dev/null; exit\n")
        self.shell.stdin.close()
        self.shell.wait()

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command):
        """The exit status and the output."""
        self.shell.stdin.write(f"{{ {command}\n}} > .output 2>&1 < /dev/null; echo $? > .done; mv .done .status\n")
        self.shell.stdin.flush()
        await_true(lambda: os.path.exists(self.path(".status")), command)
        with open(self.path(".status"), encoding="utf-8") as status, open(self.path(".output"), encoding="utf-8") as output:
            done = int(status.read()), output.read()
        os.remove(self.path(".status"))
        return done

    def listening(self):
        return subprocess.run(["ip", "netns", "exec", NETWORKS[self.name], "ss", "-Hltn"], check=True, capture_output=True, text=True).stdout

    def begin(self, command):
        """A command that goes on, until it listens at another port and has printed what it prints into a file."""
        before, file = self.listening(), re.search(r" > (\S+) &$", command)
        self.run(command)
        await_true(lambda: self.listening() != before, command)
        await_true(lambda: not file or os.path.getsize(self.path(file[1])), command)


def await_true(condition, command):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"nothing comes of `{command}`")
        time.sleep(0.02)


class TwoMachines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machines = {name: Machine(name, folder.name) for name in NETWORKS}
        for machine in self.machines.values():
            self.addCleanup(machine.end)

    def serial(self):
        """The serial number of the certificate that clients see at port 2820."""
        address = "timeout 10 openssl s_client -connect 192.0.2.7:2820 < /dev/null 2> /dev/null"
        return self.machines["client"].run(address + " | openssl x509 -noout -serial")[1]

    def do(self, machine, command):
        seen = self.serial() if "kill -HUP" in command else None
        status, output = machine.run(command)
        self.assertEqual(status, 0, f"{command}: {output}")
        if seen:
            self.assertIn("serial", seen)
            await_true(lambda: self.serial() not in ("", seen), command)  # new connections get the new certificate
        return output

    def test_commands_work_between_two_networks(self):
        called = 0
        for step in steps():
            if step["copied"]:
                for name in re.findall(r"`([^`]+)`", step["copied"]):
                    shutil.copy(self.machines["server"].path(name), self.machines["client"].path(name))
            elif step["file"]:
                with open(self.machines["server"].path(step["file"]), "w", encoding="utf-8") as file:
                    file.write(step["text"])
            elif step["command"].endswith("&"):
                self.machines[step["machine"]].begin(step["command"])
            else:
                output = self.do(self.machines[step["machine"]], step["command"])
                if step["expected"]:
                    self.assertEqual(output, re.sub("^    ", "", step["expected"], flags=re.MULTILINE))
                    called += 1
        self.assertGreater(called, 0)


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
