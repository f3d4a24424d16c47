"""mistakes_test.py [--update] CMAKE BUILD SOURCE: makes typical mistakes for real, and compares what the user is told with the texts
in mistakes/, in which ports, times and folders are replaced. --update writes these files, for a reviewer to read the difference."""

import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

UPDATE = sys.argv[1:2] == ["--update"]
CMAKE, BUILD, SOURCE = sys.argv[1 + UPDATE:4 + UPDATE]
TEXTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mistakes")
TAKT = os.path.join(BUILD, "tools", "takt", "takt")
TAKT_IDL = os.path.join(BUILD, "compiler", "takt-idl")
SERVER, CLIENT = (os.path.join(BUILD, "examples", "hello_" + side) for side in ("server", "client"))
CHANGED_CLIENT = os.path.join(BUILD, "tests", "feature", "strangers", "changed_client")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")} | {"TAKT_LOCAL_ROADS": "off"}
SHOWN = {TAKT: "takt", TAKT_IDL: "takt-idl", SERVER: "hello_server", CLIENT: "hello_client", CHANGED_CLIENT: "changed_client", CMAKE: "cmake"}
PATIENCE_S = 60


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True)


class Mistake(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.said, self.replaced = folder.name, [], []

    def path(self, name):
        return os.path.join(self.folder, name)

    def replace(self, pattern, word):
        self.replaced.append((pattern, word))

    def serve(self, *options, prefix=()):
        """A hello_server until the test ends. Returns its reference."""
        with open(self.path("server.log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen([*prefix, SERVER, *options], stdout=subprocess.PIPE, stderr=log, text=True, env=ENVIRONMENT)

        def end():
            process.kill()
            process.wait()
            process.stdout.close()
        self.addCleanup(end)
        self.end_server = end
        reference = process.stdout.readline().strip()
        self.assertTrue(reference.startswith("IOR:"), self.server_log())
        self.replace(re.escape(reference), "REFERENCE")
        return reference

    def server_log(self):
        with open(self.path("server.log"), encoding="utf-8") as log:
            return log.read()

    def run_as_user(self, *words, prefix=(), **environment):
        done = subprocess.run([*prefix, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False, cwd=self.folder,
                              env={**ENVIRONMENT, **environment})
        shown = " ".join(SHOWN.get(word, word) for word in words)
        self.said.append(f"$ {shown}\n{done.stdout}{done.stderr}exit status: {done.returncode}\n")
        self.assertNotEqual(done.returncode, 0)

    def await_in_server_log(self, part):
        end = time.monotonic() + PATIENCE_S
        while part not in self.server_log():
            self.assertLess(time.monotonic(), end, self.server_log())
            time.sleep(0.02)

    def compare(self, name):
        text = "\n".join(self.said)
        for pattern, word in [*self.replaced, (re.escape(self.folder), "FOLDER"), (re.escape(BUILD), "BUILD"),
                              (r"\d{4}-\d\d-\d\dT[\d:.]+Z (\w+)\[\d+\]", r"TIME \1[PROCESS]"),
                              (r" warning [\w-]+/\d+ ", " warning THREAD "), (r"\b[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4} GMT", "DATE"),
                              (r"(127\.0\.0\.1|\[::1\]|localhost|192\.0\.2\.\d):\d{4,5}", r"\1:PORT"), (r"(//[\w.]+):\d{4,5}\b", r"\1:PORT"),
                              (r"ms: [0-9.]+", "ms: TIME")]:
            text = re.sub(pattern, word, text)
        path = os.path.join(TEXTS, name + ".txt")
        if UPDATE:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(text, file.read())


class Mistakes(Mistake):
    def test_wrong_host(self):
        wrong = "corbaloc:iiop:1.2@no-such-host.invalid:2809/Greeter"
        self.run_as_user(CLIENT, wrong)
        self.run_as_user(TAKT, "ping", "--count", "1", wrong)
        self.replace(r"(no-such-host.invalid:2809: )[^;]*;", r"\1WHY;")  # the C library's word depends on the network
        self.replace(r"(no-such-host.invalid: )[^;(]*", r"\1WHY")
        self.compare("wrong-host")

    def test_port_in_use(self):
        self.serve("-ORBListenEndpoints", "iiop://127.0.0.1:0")
        reference = self.replaced[0][0].replace("\\", "")
        shown = subprocess.run([TAKT, "ior", reference], capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout
        taken = "iiop://127.0.0.1:" + re.search(r"port: (\d+)", shown)[1]
        self.run_as_user(SERVER, "-ORBListenEndpoints", taken)
        self.run_as_user(TAKT, "naming", "--memory", "--listen", taken)
        self.compare("port-in-use")

    def test_server_down(self):
        reference = self.serve("-ORBListenEndpoints", "iiop://127.0.0.1:0")
        self.end_server()
        self.run_as_user(CLIENT, reference)
        self.run_as_user(TAKT, "ping", "--ready", reference)
        self.run_as_user(TAKT, "ping", "--count", "2", "--interval", "1ms", reference)
        self.run_as_user(TAKT, "name", "list", "--service", reference)
        self.compare("server-down")

    def test_server_started_anew(self):
        reference = self.serve("-ORBListenEndpoints", "iiop://127.0.0.1:0")
        self.end_server()
        shown = subprocess.run([TAKT, "ior", reference], capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout
        self.serve("-ORBListenEndpoints", "iiop://127.0.0.1:" + re.search(r"port: (\d+)", shown)[1])
        self.run_as_user(CLIENT, reference)
        self.compare("server-started-anew")

    NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")

    def make_authority(self, name):
        openssl("req", "-x509", *self.NEW_KEY, "-keyout", self.path(name + ".key"), "-out", self.path(name + ".pem"), "-subj", "/CN=" + name,
                "-days", "30")

    def make_certificates(self, days):
        """An authority, and a certificate of it for 127.0.0.1 that ends after that many days."""
        self.make_authority("authority")
        openssl("req", "-new", *self.NEW_KEY, "-keyout", self.path("server.key"), "-out", self.path("server.csr"), "-subj", "/CN=server")
        with open(self.path("extensions"), "w", encoding="utf-8") as file:
            file.write("subjectAltName=IP:127.0.0.1\n")
        openssl("x509", "-req", "-in", self.path("server.csr"), "-CA", self.path("authority.pem"), "-CAkey", self.path("authority.key"),
                "-CAcreateserial", "-days", str(days), "-extfile", self.path("extensions"), "-out", self.path("server.pem"))

    def serve_tls(self, *options):
        return self.serve("-ORBListenEndpoints", "ssliop://127.0.0.1:0", "-ORBTLSCertificate", self.path("server.pem"), "-ORBTLSKey",
                          self.path("server.key"), *options)

    def show_server_log(self, word):
        self.await_in_server_log(word)
        self.said.append("the log of hello_server:\n" + "".join(line + "\n" for line in self.server_log().splitlines() if "TLS" in line
                                                                and "warning" in line)[:2000])

    def test_expired_certificate(self):
        self.make_certificates(days=-1)
        reference = self.serve_tls()
        self.run_as_user(CLIENT, reference, "-ORBTLSAuthorities", self.path("authority.pem"))
        self.show_server_log("certificate expired")
        self.compare("expired-certificate")

    def test_wrong_authority(self):
        self.make_certificates(days=30)
        self.make_authority("other")
        reference = self.serve_tls()
        self.run_as_user(CLIENT, reference, "-ORBTLSAuthorities", self.path("other.pem"))
        self.show_server_log("unknown ca")
        self.run_as_user(CLIENT, reference)
        self.compare("wrong-authority")

    def test_missing_client_certificate(self):
        self.make_certificates(days=30)
        authority = ("-ORBTLSAuthorities", self.path("authority.pem"))
        reference = self.serve_tls("-ORBTLSClientCertificates", "required", *authority)
        self.run_as_user(CLIENT, reference, *authority)
        self.show_server_log("refused")
        # In TLS 1.3 the server's refusal comes after the client's last step, before or after the request is sent.
        self.replaced.append((r"COMPLETED_NO(\): greet .*), send: ", r"COMPLETED_MAYBE\1, wait for the reply: "))
        self.compare("missing-client-certificate")

    def test_missing_certificate_file(self):
        missing = self.path("server.pem")
        self.run_as_user(SERVER, "-ORBListenEndpoints", "ssliop://127.0.0.1:0", "-ORBTLSCertificate", missing)
        self.run_as_user(SERVER, "-ORBListenEndpoints", "ssliop://127.0.0.1:0")
        self.compare("missing-certificate-file")

    def test_missing_authority_file(self):
        missing = self.path("authority.pem")
        self.run_as_user(CLIENT, "corbaloc:ssliop:1.2@127.0.0.1:1/Greeter", "-ORBTLSAuthorities", missing)
        self.run_as_user(TAKT, "ping", "-ORBTLSAuthorities", missing, "corbaloc:ssliop:1.2@127.0.0.1:1/Greeter")
        self.compare("missing-authority-file")

    def test_wrong_option(self):
        self.run_as_user(SERVER, "-ORBListenEndpoint", "iiop://:2809")
        self.run_as_user(SERVER, "-ORBendPoint", "giop:tcp::2809")
        self.run_as_user(SERVER, "-ORBConnectTimeout", "5")
        self.run_as_user(SERVER, "-ORBConnectTimeout", "5sec")
        self.run_as_user(SERVER, "-ORBListenEndpoints", "2809")
        self.run_as_user(SERVER, "-ORBListenEndpoints", "iiop://:80808")
        self.run_as_user(SERVER, "-ORBListenEndpoints", "ssliop://:80808")
        self.run_as_user(TAKT, "ping", "--timeot", "5s", "hello.ior")
        self.run_as_user(TAKT, "ping", "--count", "-1", "hello.ior")
        self.compare("wrong-option")

    def test_wrong_reference(self):
        for text in ("corbaloc:localhost:2809/Greeter", "corbaloc::localhost:99999/Greeter", "localhost:2809", "corbaname:rir:#greeter"):
            self.run_as_user(CLIENT, text)
        with open(self.path("notes"), "w", encoding="utf-8") as file:
            file.write("\x1b[2J notes of mine, and no reference\n")
        self.run_as_user(CLIENT, "file://" + self.path("notes"))
        self.run_as_user(TAKT, "name", "list", "--service", "localhost:2809")
        self.compare("wrong-reference")

    def test_wrong_admin_endpoint(self):
        self.serve("-ORBListenEndpoints", "iiop://127.0.0.1:0")
        reference = self.replaced[0][0].replace("\\", "")
        shown = subprocess.run([TAKT, "ior", reference], capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout
        self.run_as_user(TAKT, "top", "iiop://127.0.0.1:" + re.search(r"port: (\d+)", shown)[1])
        self.run_as_user(TAKT, "top", reference)
        self.compare("wrong-admin-endpoint")

    def test_wrong_schedule(self):
        for name, text in (("no-unit.toml", 'wcet = "12"\nperiod = "50 ms"'), ("inverted.toml", 'wcet = "12 ms"\nperiod = "50 ms"')):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(f'[[operation]]\nname = "control"\n{text}\n')
        self.run_as_user(TAKT, "schedule", "analyse", "no-unit.toml")
        self.run_as_user(TAKT, "schedule", "table", "inverted.toml", "--name", "table", "--minimum", "99", "--maximum", "1")
        self.run_as_user(TAKT, "schedule", "table", "inverted.toml", "--name", "class")
        self.run_as_user(TAKT, "schedule", "analyse", "absent.toml")
        self.run_as_user(TAKT, "schedule", "analyse", self.folder)
        with open(self.path("control.idl"), "w", encoding="utf-8") as file:
            file.write('// What the controller does.\ninterface Control { @period("50 ms") @wcet("12") void step(); };\n')
        self.run_as_user(TAKT, "schedule", "analyse", "control.idl")
        self.run_as_user(TAKT_IDL, "--schedule", "-o", ".", "control.idl")
        self.compare("wrong-schedule")

    def test_wrong_narrow(self):
        reference = self.serve("-ORBListenEndpoints", "iiop://127.0.0.1:0")
        self.run_as_user(CHANGED_CLIENT, "narrow", reference)
        self.run_as_user(CHANGED_CLIENT, "unchecked", reference)
        self.compare("wrong-narrow")

    def test_different_idl(self):
        reference = self.serve("-ORBListenEndpoints", "iiop://127.0.0.1:0")
        self.run_as_user(CHANGED_CLIENT, "idl", reference)
        self.run_as_user(TAKT, "call", reference, "greet", '"world"', "--idl", os.path.join(TEXTS, "changed.idl"))
        self.replace(re.escape(TEXTS) + "/", "")
        self.compare("different-idl")

    def test_missing_package(self):
        prefix = self.path("takt")
        for part in ("development", "tools", "runtime"):
            subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix, "--component", part], check=True, capture_output=True)
        for name, component in (("misspelt", "schedulin"), ("not_installed", "naming")):
            os.mkdir(self.path(name))
            with open(os.path.join(self.folder, name, "CMakeLists.txt"), "w", encoding="utf-8") as file:
                file.write(f"cmake_minimum_required(VERSION 3.25)\nproject(mine CXX)\nfind_package(Takt REQUIRED COMPONENTS {component})\n")
        os.remove(next(os.path.join(path, "Takt_naming.cmake") for path, _, names in os.walk(prefix) if "Takt_naming.cmake" in names))
        for name in ("misspelt", "not_installed"):
            self.run_as_user(CMAKE, "-S", name, "-B", name + "/build", "-DCMAKE_PREFIX_PATH=" + prefix)
        with open(self.path("hello.idl"), "w", encoding="utf-8") as file:
            file.write("interface I { void f(); };\n")
        self.run_as_user(TAKT_IDL, "hello.idl", PATH="/none")
        self.said = [re.sub(r"(?m)^-- .*\n|^See also .*\n", "", said) for said in self.said]
        self.compare("missing-package")


class Firewall(Mistake):
    """Two networks with a link. In the first test, the server's drops all packets to the client's."""

    NETWORKS = {name: f"takt-mistake-{os.getpid()}-{name}" for name in ("server", "client")}

    def setUp(self):
        super().setUp()
        self.addCleanup(self.delete)
        try:
            for network in self.NETWORKS.values():
                self.ip("netns", "add", network)
            self.ip("link", "add", "takt0", "netns", self.NETWORKS["server"], "type", "veth", "peer", "name", "takt0", "netns",
                    self.NETWORKS["client"])
            for name, address in (("server", "192.0.2.7/24"), ("client", "192.0.2.8/24")):
                self.ip("-n", self.NETWORKS[name], "address", "add", address, "dev", "takt0")
                self.ip("-n", self.NETWORKS[name], "link", "set", "takt0", "up")
        except (OSError, subprocess.CalledProcessError) as failure:
            self.skipTest(f"no network namespaces: {failure}")

    def ip(self, *words):
        subprocess.run(["ip", *words], check=True, capture_output=True)

    def delete(self):
        for network in self.NETWORKS.values():
            subprocess.run(["ip", "netns", "delete", network], check=False, capture_output=True)

    def inside(self, name):
        return ("ip", "netns", "exec", self.NETWORKS[name])

    def test_firewall_drop(self):
        reference = self.serve("-ORBListenEndpoints", "iiop://192.0.2.7:2809", prefix=self.inside("server"))
        subprocess.run([*self.inside("client"), CLIENT, reference], check=True, capture_output=True, env=ENVIRONMENT, timeout=PATIENCE_S)
        self.ip("-n", self.NETWORKS["server"], "route", "add", "blackhole", "192.0.2.8")
        self.run_as_user(CLIENT, reference, "-ORBConnectTimeout", "300ms", prefix=self.inside("client"))
        self.run_as_user(TAKT, "ping", "--count", "1", "--timeout", "300ms", reference, prefix=self.inside("client"))
        self.compare("firewall-drop")

    def test_reference_for_the_servers_own_machine(self):
        for name in self.NETWORKS:
            self.ip("-n", self.NETWORKS[name], "link", "set", "lo", "up")
        reference = self.serve(prefix=self.inside("server"))
        self.run_as_user(CLIENT, reference, prefix=self.inside("client"))
        self.compare("own-machine")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
