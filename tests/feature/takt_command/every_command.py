"""All commands of Takt's programs, from what they say in answer to --help, with a valid command line for each."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "help"))

from program_help import Help  # noqa: E402

PROGRAMS = dict(zip(("takt", "takt-idl", "takt-idtable"), sys.argv[1:4]))
SOURCES = sys.argv[4]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_") and name != "NO_COLOR"}

SCHEDULE = """[[operation]]
name = "control"
period = "10ms"
wcet = "2ms"
[[operation]]
name = "filter"
period = "20ms"
wcet = "%s"
"""
RECORD = {"run_record": 1, "operations": [
    {"operation": "control", "responses": {"count": 9, "missed": 1, "left_out": 0, "median_ns": 2100000, "p99_ns": 2200000,
                                           "shortest_ns": 2000000, "longest_ns": 2300000},
     "execution": {"runs": 9, "median_ns": 1000000, "p99_ns": 1500000, "longest_ns": 1900000}}]}


class Command:
    """`words` as typed: ("takt", "name", "list"); `help` is its Help."""

    def __init__(self, words):
        self.words, self.help = words, Help(PROGRAMS[words[0]], *words[1:])
        self.name = " ".join(words)
        self.makes_orb = any("options of the ORB" in line for line in self.help.footer)

    def run(self, *arguments, **more):
        return subprocess.run([PROGRAMS[self.words[0]], *self.words[1:], *arguments], capture_output=True, text=True, timeout=120,
                              check=False, stdin=subprocess.DEVNULL, cwd=FOLDER, env={**ENVIRONMENT, **more})


def below(words):
    command = Command(words)
    if not command.help.commands:
        return [command]
    return [leaf for name in command.help.commands if name != "help" for leaf in below((*words, name))]


class Fixture:
    """A folder with inputs, and a naming service with an admin object in which `object` is bound."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="takt-words-")
        for name, text in (("slow.toml", SCHEDULE % "25ms"), ("fast.toml", SCHEDULE % "2ms"), ("record.json", json.dumps(RECORD)),
                           ("ids", "one\ntwo\n"), ("naming.idl", "interface Names { void destroy(); };\n"), ("old.idl", "interface I { void f(); long g(in string s); };\n"),
                           ("new.idl", "interface I { void f(in long n); };\n"), ("model.txt", "")):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(self.folder, "model.txt"), "w", encoding="utf-8") as file:
            subprocess.run([PROGRAMS["takt"], "schedule", "export", "--to", "mast", os.path.join(self.folder, "fast.toml")],
                           stdout=file, check=True, env=ENVIRONMENT)
        subprocess.run([PROGRAMS["takt"], "ifr", "load", "--store", "ifr.db", "old.idl"], cwd=self.folder, stdout=subprocess.DEVNULL,
                       check=True, env=ENVIRONMENT)
        self.admin = "unix:" + self.folder + "/admin"
        self.naming = subprocess.Popen([PROGRAMS["takt"], "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBAdmin",
                                        self.admin, "-ORBRecorder", "64KiB", "-ORBRecorderFile", self.folder + "/recording"],
                                       stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.reference = self.naming.stdout.readline().strip()
        self.event_service = subprocess.Popen([PROGRAMS["takt"], "events", "serve", "--memory", "-ORBListenEndpoints",
                                               "iiop://127.0.0.1:0", "--channel", "weather"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        factory = subprocess.run([PROGRAMS["takt"], "ior", self.event_service.stdout.readline().strip()], capture_output=True, text=True,
                                 check=True, env=ENVIRONMENT).stdout
        self.events = f"corbaloc::127.0.0.1:{re.search(r'port: ([0-9]+)', factory)[1]}/omniEvents"
        self.notify_service = subprocess.Popen([PROGRAMS["takt"], "notify", "serve", "-ORBListenEndpoints", "iiop://127.0.0.1:0",
                                                "--channel", "alarms"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        factory = subprocess.run([PROGRAMS["takt"], "ior", self.notify_service.stdout.readline().strip()], capture_output=True, text=True,
                                 check=True, env=ENVIRONMENT).stdout
        self.notify = f"corbaloc::127.0.0.1:{re.search(r'port: ([0-9]+)', factory)[1]}/TaktNotification"
        self.repository = subprocess.Popen([PROGRAMS["takt"], "imr", "serve", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0",
                                            "--socket", self.folder + "/imr"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.servers = self.repository.stdout.readline().strip()
        subprocess.run([PROGRAMS["takt"], "imr", "add", "server", "--mode", "manual", "--socket", self.folder + "/imr"], check=True,
                       env=ENVIRONMENT)
        self.trading = subprocess.Popen([PROGRAMS["takt"], "trade", "serve", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-o",
                                         self.folder + "/trader"], env=ENVIRONMENT)
        end = time.monotonic() + 30
        while not os.path.exists(self.folder + "/trader") or not os.path.getsize(self.folder + "/trader"):
            assert time.monotonic() < end and self.trading.poll() is None
            time.sleep(0.01)
        with open(self.folder + "/trader", encoding="ascii") as file:
            self.trader = file.read().strip()
        self.trade("add-type", "Printer", "--property", "pages=long")
        self.trade("export", "Printer", self.reference, "pages=3")
        self.receiver = subprocess.Popen([PROGRAMS["takt"], "stream", "receive", "--listen", "iiop://127.0.0.1:0"], stdout=subprocess.PIPE,
                                         text=True, env=ENVIRONMENT)
        self.screen = self.receiver.stdout.readline().strip()
        while not os.path.exists(self.folder + "/admin"):
            assert time.monotonic() < end and self.naming.poll() is None
            time.sleep(0.01)
        self.name("bind", "object", self.reference)
        self.record_spans()

    def name(self, *words):
        subprocess.run([PROGRAMS["takt"], "name", words[0], "--service", self.reference, *words[1:]], check=True, env=ENVIRONMENT)

    def trade(self, *words):
        subprocess.run([PROGRAMS["takt"], "trade", *words, "--service", self.trader], check=True, env=ENVIRONMENT,
                       stdout=subprocess.DEVNULL)

    def record_spans(self):
        self.name("resolve", "object", "-ORBTracing", "1", "-ORBTraceFile", os.path.join(self.folder, "spans"))

    def end(self):
        for process in (self.naming, self.event_service, self.notify_service, self.repository, self.trading, self.receiver):
            process.kill()
            process.communicate()
        shutil.rmtree(self.folder)

    def command_lines(self):
        """A valid command line of each command; those of servers listen at a port that the test occupies, and end with status 2."""
        at = ["--service", self.reference]
        trader = ["--service", self.trader]
        device = subprocess.run([PROGRAMS["takt"], "ior", self.screen], capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout
        flows = ["--service", f"corbaloc::127.0.0.1:{re.search(r'port: ([0-9]+)', device)[1]}/TaktStreams"]
        trading = subprocess.run([PROGRAMS["takt"], "ior", self.trader], capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout
        state = f"corbaloc::127.0.0.1:{re.search(r'port: ([0-9]+)', trading)[1]}/TaktTrading"
        socket = ["server", "--socket", self.folder + "/imr"]
        listen = ["--listen", "iiop://127.0.0.1:" + re.search(r"port: (\d+)", subprocess.run(
            [PROGRAMS["takt"], "ior", self.reference], capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout)[1]]
        return {
            "takt bridge": ["--to", "a=" + self.reference, *listen],
            "takt call": [self.reference, "destroy", "--idl", "naming.idl"],
            "takt describe": ["I", "--idl", "old.idl"],
            "takt events list": ["--service", self.events.replace("omniEvents", "TaktEvents")],
            "takt events watch": ["nothing", "--service", self.events],
            "takt events rt": [*listen],
            "takt events serve": ["--memory", *listen],
            "takt hz": ["recording", "--interval", "100ms", "--count", "1"],
            "takt idl diff": ["old.idl", "new.idl"],
            "takt idl format": ["--check", "old.idl"],
            "takt idl lsp": [],
            "takt idl rules": [],
            "takt ifr list": ["--store", "ifr.db", "I"],
            "takt ifr load": ["--store", "ifr.db", "old.idl"],
            "takt ifr serve": ["--store", "ifr.db", *listen],
            "takt ifr show": ["--store", "ifr.db", "I"],
            "takt imr add": ["--mode", "manual", *socket],
            "takt imr change": ["--mode", "manual", *socket],
            "takt imr list": ["--service", self.servers],
            "takt imr reference": socket,
            "takt imr remove": ["nothing", *socket[1:]],
            "takt imr serve": ["--memory", "--socket", self.folder + "/other", *listen],
            "takt imr start": socket,
            "takt imr status": ["server", "--service", self.servers],
            "takt imr stop": socket,
            "takt imr ticket": socket,
            "takt imr watch": ["--service", self.servers, "--rounds", "1"],
            "takt ior": ["--doctor", self.reference],
            "takt list": ["--idl", "old.idl"],
            "takt metrics": ["--once", self.admin],
            "takt name bind": ["object", self.reference, *at],
            "takt name list": at,
            "takt name mkdir": ["object", *at],
            "takt name rebind": ["object", self.reference, *at],
            "takt name resolve": ["object", *at],
            "takt name tree": at,
            "takt name unbind": ["nothing", *at],
            "takt name watch": [*at, "--rounds", "1"],
            "takt naming": ["--memory", *listen],
            "takt notify list": ["--service", self.notify],
            "takt notify serve": [*listen],
            "takt notify watch": ["nothing", "--service", self.notify],
            "takt options": ["ConnectTimeout"],
            "takt ping": ["--count", "2", "--interval", "0", self.reference],
            "takt port check": ["new.idl"],
            "takt record attach": ["recording", "--all", "--for", "100ms", "-o", "attached.pcapng"],
            "takt record dump": ["recording", "-o", "recording.pcapng"],
            "takt record find": [str(self.naming.pid)],
            "takt record list": ["recording"],
            "takt replay": ["recording", self.reference, "--keep-keys"],
            "takt rt check": ["--seconds", "100ms"],
            "takt schedule analyse": ["slow.toml"],
            "takt schedule assign": ["--by", "audsley", "fast.toml"],
            "takt schedule calibrate": ["fast.toml", "--measured", "record.json"],
            "takt schedule compare": ["fast.toml", "record.json"],
            "takt schedule export": ["--to", "mast", "fast.toml"],
            "takt schedule import": ["--from", "mast", "model.txt"],
            "takt schedule page": ["fast.toml"],
            "takt schedule serve": listen,
            "takt schedule table": ["--name", "table", "fast.toml"],
            "takt top": [self.admin],
            "takt trace export": ["--otlp", "http://127.0.0.1:1", "--timeout", "1s", "--rounds", "1", "spans"],
            "takt trace list": ["spans"],
            "takt trace show": ["spans"],
            "takt watch": ["recording", "--for", "100ms"],
            "takt stream list": flows,
            "takt stream receive": listen,
            "takt stream send": [self.screen, "--for", "100ms"],
            "takt stream watch": [*flows, "--for", "10ms"],
            "takt trade add-type": ["Printer", *trader],
            "takt trade export": ["Printer", self.reference, *trader],
            "takt trade link add": ["other", self.trader, *trader],
            "takt trade link list": trader,
            "takt trade link remove": ["nothing", *trader],
            "takt trade list": ["--service", state],
            "takt trade mask-type": ["nothing", *trader],
            "takt trade query": ["Printer", *trader],
            "takt trade remove-type": ["nothing", *trader],
            "takt trade serve": ["--memory", *listen],
            "takt trade types": ["Printer", *trader],
            "takt trade unmask-type": ["nothing", *trader],
            "takt trade withdraw": ["offer-99", *trader],
            "takt-idl": ["--check", "old.idl"],
            "takt-idtable": ["--name", "table", "ids"],
        }


FIXTURE = Fixture()
FOLDER = FIXTURE.folder
COMMANDS = [leaf for name in PROGRAMS for leaf in below((name,))]
COMMAND_LINES = FIXTURE.command_lines()
