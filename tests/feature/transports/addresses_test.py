"""addresses_test.py TAKT: addresses in references, on two machines (network namespaces) that both have containers at 172.17.0.1, as hosts
of Docker have. Exit status 77: this user cannot make namespaces."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

TAKT = sys.argv[1]
PATIENCE_S = 60
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}
NETWORKS = {name: f"takt-{os.getpid()}-{name}" for name in ("a", "b")}
ADDRESSES = {"a": "198.51.100.7", "b": "198.51.100.8"}
V6_ADDRESSES = {"a": "2001:db8:1::a", "b": "2001:db8:1::b"}
INSIDE = "10.9.0.1"  # of an interface with a carrier, which comes before the one that leads out


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def make_networks():
    for network in NETWORKS.values():
        ip("netns", "add", network)
        for command in ("link add docker0 type bridge", "address add 172.17.0.1/16 dev docker0", "link set docker0 up", "link set lo up",
                        "link add inside0 type veth peer name inside1", f"address add {INSIDE}/24 dev inside0", "link set inside0 up",
                        "link set inside1 up"):
            ip("-n", network, *command.split())
    ip("link", "add", "takt0", "netns", NETWORKS["a"], "type", "veth", "peer", "name", "takt0", "netns", NETWORKS["b"])
    for name, network in NETWORKS.items():
        ip("-n", network, "address", "add", ADDRESSES[name] + "/24", "dev", "takt0")
        ip("-n", network, "address", "add", V6_ADDRESSES[name] + "/64", "dev", "takt0", "nodad")
        ip("-n", network, "link", "set", "takt0", "up")
        ip("-n", network, "route", "add", "default", "via", "198.51.100.254")


def delete_networks():
    for network in NETWORKS.values():
        subprocess.run(["ip", "netns", "delete", network], check=False, capture_output=True)


def on(machine, *command):
    return ["ip", "netns", "exec", NETWORKS[machine], *command]


def run(machine, *arguments):
    """The output, or the error text of a command that fails."""
    done = subprocess.run(on(machine, TAKT, *arguments), check=False, capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE_S)
    return done.stdout.strip() or done.stderr.strip()


def addresses_in(reference):
    shown = subprocess.run([TAKT, "ior", reference], check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout
    return re.findall(r"^ +host: (.*)\n +port: \d+$", shown, re.MULTILINE)


class NamingService:
    def __init__(self, test, machine, listen, before=()):
        self.process = subprocess.Popen(on(machine, *before, TAKT, "naming", "--memory", "--listen", listen), stdout=subprocess.PIPE, text=True,
                                        env=ENVIRONMENT)
        test.addCleanup(self.end)
        self.reference = self.process.stdout.readline().strip()
        self.url = f"corbaloc:iiop:1.2@{ADDRESSES[machine]}:2809/NameService"

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        self.process.stdout.close()


class Addresses(unittest.TestCase):
    def test_that_of_the_default_route_is_the_first(self):
        for endpoints, expected in (("iiop://:2809", [ADDRESSES["a"], INSIDE, "172.17.0.1", V6_ADDRESSES["a"]]),
                                    ("iiop://0.0.0.0:2809", [ADDRESSES["a"], INSIDE, "172.17.0.1"])):
            service = NamingService(self, "a", endpoints)
            addresses = addresses_in(service.reference)
            self.assertEqual(addresses[0], ADDRESSES["a"])
            self.assertCountEqual(addresses, expected)
            service.end()

    def test_a_server_without_an_address_says_that_its_references_lead_nowhere_else(self):
        for endpoint, warns in (("iiop://:2809", True), ("iiop://127.0.0.1:2809", False)):
            command = ("unshare", "--net", "sh", "-c", "ip link set lo up && exec timeout 60 \"$@\"", "sh", TAKT, "naming", "--memory", "--listen",
                       endpoint)
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as server:
                self.assertEqual(addresses_in(server.stdout.readline().strip()), ["127.0.0.1"])
                server.terminate()
                told = server.stderr.read()
            self.assertEqual("references name 127.0.0.1" in told, warns, told)

    def test_a_reference_of_another_machine_is_called_there_though_both_have_one_of_its_addresses(self):
        here, there = (NamingService(self, name, "iiop://:2809") for name in ("a", "b"))
        leaves = {name: f"corbaloc:iiop:1.2@198.51.100.9:1/{name}" for name in ("here", "there")}
        run("a", "name", "bind", "here", leaves["here"], "--service", here.url)
        run("a", "name", "bind", "there", leaves["there"], "--service", there.url)
        run("a", "name", "bind", "remote", there.reference, "--context", "--service", here.url)
        resolved = run("b", "name", "resolve", "remote/there", "--service", here.url)
        self.assertIn("IOR:", resolved)
        self.assertEqual(resolved, run("b", "name", "resolve", "there", "--service", there.url))
        self.assertNotIn("IOR:", run("b", "name", "resolve", "remote/here", "--service", here.url))

    def test_a_name_stands_for_all_its_addresses_of_this_machine(self):
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as hosts:
            hosts.write("127.0.0.1 localhost\n2001:db8:1::a both\n127.0.1.1 both\n198.51.100.7 both\n198.51.100.99 both\n127.0.1.1 loop\n")
            hosts.flush()
            with_hosts = ("unshare", "--mount", "sh", "-c", f"mount --bind {hosts.name} /etc/hosts && exec \"$@\"", "sh")
            for host, expected in (("both", [ADDRESSES["a"], V6_ADDRESSES["a"]]), ("loop", ["127.0.1.1"])):
                service = NamingService(self, "a", f"iiop://{host}:2809", with_hosts)
                self.assertEqual(addresses_in(service.reference), expected)
                if host == "both":
                    for url in (service.url, f"corbaloc:iiop:1.2@[{V6_ADDRESSES['a']}]:2809/NameService"):
                        run("b", "name", "mkdir", "made", "--service", url)
                        self.assertIn("made", run("b", "name", "list", "--service", url))
                service.end()


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
