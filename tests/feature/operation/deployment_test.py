"""deployment_test.py TAKT GREETER FOLDER: the files of examples/deployment start a server that answers their probes, tells its service
manager, and ends at SIGTERM. Ports of the system's choice stand in for theirs."""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402

TAKT, GREETER, FOLDER = sys.argv[1:4]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("TAKT_", "NOTIFY_", "WATCHDOG_"))}
PROGRAMS = {"/usr/bin/greeter": GREETER, "/usr/bin/takt": TAKT, "takt": TAKT}
UNITS = ("greeter.service", "takt-naming.service", "takt-imr.service", "takt-imr.socket")
PATIENCE_S = 30


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class TestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.port = folder.name, str(free_port())

    def with_own_port(self, text):
        return re.sub(r"\b28\d\d\b", self.port, text)

    def command(self, words):
        return [PROGRAMS.get(words[0], words[0])] + [self.with_own_port(word) for word in words[1:]]

    def begin(self, words, **environment):
        process = subprocess.Popen(self.command(words), env={**ENVIRONMENT, **environment}, stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def answers(self):
        probe = [word.strip(' "') for word in re.search(r"command: \[(takt, .*)\]", read("kubernetes.yaml"))[1].split(",")]
        return subprocess.run(self.command(probe), env=ENVIRONMENT, check=False, capture_output=True, timeout=PATIENCE_S).returncode == 0


class Units(TestCase):
    def started(self, unit):
        """The unit's command, with a copy of its configuration and a store in a temporary folder."""
        words = shlex.split(re.search(r"^ExecStart=(.*)$", read(unit), re.MULTILINE)[1])
        with open(os.path.join(self.folder, "greeter.toml"), "w", encoding="utf-8") as file:
            file.write(self.with_own_port(read("greeter.toml")))
        replaced = {"/etc/greeter.toml": os.path.join(self.folder, "greeter.toml"), "journal": "stderr",
                    "/var/lib/takt-naming/names.db": os.path.join(self.folder, "names.db")}
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.settimeout(PATIENCE_S)
            manager.bind(os.path.join(self.folder, "notify"))
            process = self.begin([replaced.get(word, word) for word in words], NOTIFY_SOCKET=os.path.join(self.folder, "notify"),
                                 WATCHDOG_USEC="200000")
            heard = set()
            while heard != {"READY=1", "WATCHDOG=1"}:
                heard.add(manager.recv(100).decode())
        return process

    def test_greeter_is_ready_stays_at_hup_and_ends_at_term(self):
        process = self.started("greeter.service")
        self.assertTrue(self.answers())
        process.send_signal(signal.SIGHUP)
        self.assertTrue(self.answers())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_S), 0)
        self.assertFalse(self.answers())

    def test_services_of_one_machine_have_ports_of_their_own(self):
        ports = [re.search(r"iiop://[^:]*:(\d+)", read(name))[1] for name in ("greeter.toml", "takt-naming.service", "takt-imr.service")]
        self.assertEqual(len(set(ports)), len(ports), ports)

    def test_naming_is_ready_and_ends_at_term(self):
        process = self.started("takt-naming.service")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_S), 0)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_systemd_finds_no_fault(self):
        os.mkdir(os.path.join(self.folder, "greeter.service.d"))
        shutil.copy(os.path.join(FOLDER, "real-time.conf"), os.path.join(self.folder, "greeter.service.d"))
        for unit in UNITS:
            text = read(unit)
            for program in ("/usr/bin/greeter", "/usr/bin/takt"):
                text = text.replace(f"ExecStart={program} ", f"ExecStart={PROGRAMS[program]} ")
            with open(os.path.join(self.folder, unit), "w", encoding="utf-8") as file:
                file.write(text)
        for unit in UNITS:
            done = subprocess.run(["systemd-analyze", "verify", os.path.join(self.folder, unit)], check=False, capture_output=True, text=True)
            self.assertEqual([line for line in done.stderr.splitlines() if self.folder in line or unit in line], [])
            self.assertEqual(done.returncode, 0, done.stderr)


class Image(TestCase):
    def test_image_and_manifest_have_the_same_name(self):
        name = re.search(r"^ +image: (.*)$", read("kubernetes.yaml"), re.MULTILINE)[1]
        with open(os.path.join(FOLDER, "..", "..", "docs", "user", "containers-and-services.md"), encoding="utf-8") as file:
            commands = re.findall(r"docker build .*", file.read() + read("Dockerfile"))
        self.assertEqual({re.search(r" -t (\S+) \.$", line)[1] for line in commands}, {name})
        self.assertEqual(len(commands), 2)

    def test_entry_point_with_the_arguments_of_the_manifest_answers_the_probe_and_ends_at_term(self):
        entry = re.findall(r'"([^"]*)"', re.search(r"^ENTRYPOINT \[(.*)\]$", read("Dockerfile"), re.MULTILINE)[1])
        arguments = re.search(r"^ +args:\n((?: +- .*\n)+)", read("kubernetes.yaml"), re.MULTILINE)[1]
        words = entry + [line.strip().removeprefix("- ").replace("$(NAMESPACE)", "default") for line in arguments.splitlines()]
        process = self.begin(words)
        end = 100
        while not self.answers() and end:
            end -= 1
        self.assertTrue(end)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_S), 0)

    def test_a_probe_in_the_environment_of_its_server_leaves_what_is_the_servers(self):
        admin, files = free_port(), {name: os.path.join(self.folder, name) for name in ("run.json", "spans", "recording")}
        environment = {"TAKT_LISTEN_ENDPOINTS": f"iiop://127.0.0.1:{self.port}", "TAKT_SIGNALS": "TERM",
                       "TAKT_ADMIN": f"iiop://127.0.0.1:{admin}", "TAKT_RUN_RECORD": files["run.json"],
                       "TAKT_TRACING": "1", "TAKT_TRACE_FILE": files["spans"],
                       "TAKT_RECORDER": "1MiB", "TAKT_RECORDER_FILE": files["recording"], "TAKT_RECORDER_DUMP_ON": "exception"}
        process = self.begin([GREETER], **environment)
        end = 100
        while not self.answers() and end:
            end -= 1
        self.assertTrue(end)
        before = {name: os.stat(path).st_ino for name, path in files.items()}
        server = f"corbaloc:iiop:1.2@127.0.0.1:{self.port}/Greeter"
        for words in (["ping", "--ready", server], ["ior", "--doctor", server], ["top", f"iiop://127.0.0.1:{admin}"],
                      ["metrics", "--once", f"iiop://127.0.0.1:{admin}"]):
            done = subprocess.run([TAKT, *words], env={**ENVIRONMENT, **environment}, check=False, capture_output=True, text=True,
                                  timeout=PATIENCE_S)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        self.assertEqual({name: os.stat(path).st_ino for name, path in files.items()}, before)
        self.assertEqual(os.path.getsize(files["run.json"]), 0, "the server writes it at its end")
        taken = subprocess.run([TAKT, "ping", "--ready", server, "-ORBAdmin", f"iiop://127.0.0.1:{admin}"], env=ENVIRONMENT, check=False,
                               capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertIn("in use", taken.stderr, "options of the command line hold")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_S), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
