"""command_test.py TAKT HELLO_SERVER OPTIONS_PAGE PLUGIN: `takt ior`, `ping` and `options` as processes."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from references import Encapsulation, ior, profile

TAKT, HELLO_SERVER, OPTIONS_PAGE, PLUGIN = sys.argv[1:5]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


def takt(*arguments, stdin="", environment=None):
    return subprocess.run([TAKT, *arguments], input=stdin, capture_output=True, text=True, timeout=60,
                          env=environment or ENVIRONMENT, check=False)


class Server:
    """hello_server on loopback, or `command`, until the end of a `with`."""

    def __init__(self, *options):
        self.command = [HELLO_SERVER, *(options or ["-ORBListenEndpoints", "iiop://127.0.0.1:0"])]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        return self.process.stdout.readline().strip()

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def steps_of(endpoint):
    return [step["step"] for step in endpoint["steps"]]


class TestCase(unittest.TestCase):
    def shown(self, *arguments, status=0, **how):
        result = takt(*arguments, "--json", **how)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def refused(self, *arguments, says, **how):
        result = takt(*arguments, **how)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(says, result.stderr)


class Shows(TestCase):
    """takt ior"""

    def test_a_server_of_ours(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "socket")
            with Server("-ORBListenEndpoints", f"iiop://127.0.0.1:0,unix:{path}") as reference:
                said = self.shown("ior", reference)
                page = takt("ior", reference).stdout
        self.assertEqual(said["type_id"], "IDL:Hello/Greeter:1.0")
        internet, uds = said["profiles"]
        self.assertEqual((internet["name"], internet["version"], internet["host"]),
                         ("TAG_INTERNET_IOP", "1.2", "127.0.0.1"))
        self.assertEqual(uds["path"], path)
        for each in said["profiles"]:
            self.assertEqual(each["object_key"]["made_by"], "Takt")
            self.assertTrue(each["object_key"]["kind"].startswith("transient"))
            self.assertEqual([component["name"] for component in each["components"][:2]],
                             ["TAG_ORB_TYPE", "TAG_CODE_SETS"])
            self.assertEqual(each["components"][0]["orb"], "Takt")
            self.assertEqual(each["components"][1]["char_native"], "UTF-8")
            self.assertEqual(each["components"][2]["path"], path)
        self.assertIn("type id: IDL:Hello/Greeter:1.0\n", page)
        self.assertIn("loopback", page)

    def test_a_server_at_shared_memory(self):
        with Server("-ORBListenEndpoints", "shm:") as reference:
            profile, = self.shown("ior", reference)["profiles"]
            endpoint, = self.shown("ior", "--doctor", reference)["endpoints"]
        self.assertEqual(profile["name"], "shared memory (Takt's)")
        machine = profile["components"][-1]
        self.assertEqual(machine["name"], "machine or process (Takt's)")
        self.assertEqual(machine["protocol_version"], 3)
        self.assertTrue(endpoint["answers"])
        self.assertEqual(endpoint["endpoint"], f"shm {profile['path']}")

    def test_a_server_within_its_process(self):
        with Server("-ORBListenEndpoints", "inproc:here,iiop://127.0.0.1:0") as reference:
            said = self.shown("ior", reference)
            ways = self.shown("ior", "--doctor", reference)["endpoints"]
            self.shown("ping", "-c", "1", reference)
        self.assertEqual(said["profiles"][0]["name"], "in-process (Takt's)")
        self.assertEqual(said["profiles"][0]["path"], "here")
        self.assertIn("profile 0: works within the server's own process only", said["warnings"])
        self.assertEqual([way["profile"] for way in ways], [1])

    def test_a_server_over_udp(self):
        with Server("-ORBListenEndpoints", "udp://127.0.0.1:0") as reference:
            said = self.shown("ior", reference)
            endpoint, = self.shown("ior", "--doctor", reference)["endpoints"]
            self.shown("ping", "-c", "2", "-i", "0", reference)
        profile, = said["profiles"]
        self.assertEqual((profile["name"], profile["host"]), ("UDP (Takt's)", "127.0.0.1"))
        self.assertTrue(any("loopback" in warning for warning in said["warnings"]))
        self.assertTrue(endpoint["answers"])
        self.assertEqual(endpoint["endpoint"], f"udp 127.0.0.1:{profile['port']}")
        self.assertEqual(steps_of(endpoint)[:2], ["resolve", "connect"])

    def test_sealed_keys(self):
        with Server("-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBKeyMAC", "siphash") as reference:
            key = self.shown("ior", reference)["profiles"][0]["object_key"]
        self.assertTrue(key["sealed"])
        self.assertTrue(key["kind"].startswith("transient"))

    def test_standard_and_unknown_components_in_either_order(self):
        for little in (False, True):
            def data():
                return Encapsulation(little)
            lanes = data().ulong(2).string("10.0.0.1").ushort(7001).short(5).string("10.0.0.1").ushort(7002).short(50)
            model = data().ulong(1).short(9)
            components = [
                (0, data().ulong(0x4A414300)),
                (1, data().ulong(0x00010001).ulong(1).ulong(0x05010001).ulong(0x00010109).ulong(0)),
                (2, data().ulong(1).ulong(40).sequence(bytes(model))),
                (3, data().string("203.0.113.9").ushort(2222)),
                (20, data().ushort(0x66).ushort(0x26).ushort(2810)),
                (0x54414F02, lanes),
                (0x41545402, data().string("vm").string("/run/x")),
                (0x54414B08, data().octet(1)), (0x54414B0C, data().octet(1).octet(3).octet(1).number("Q", 0xA1)),
                (0x7777, b"\x01\x02\x03"),
            ]
            text = ior("IDL:A:1.0", [profile("192.0.2.7", 2809, b"\x14\x01\x0f\x00RUPxx", components, 2, little),
                                     (0x12345678, b"abc")], little)
            said = self.shown("ior", text)
            self.assertEqual(said["byte_order"], "little-endian" if little else "big-endian")
            known, unknown = said["profiles"]
            self.assertEqual(known["object_key"]["made_by"], "TAO")
            self.assertTrue(known["object_key"]["kind"].startswith("persistent"))
            orb, sets, policies, other, ssl, lanes, uds, lite, roads, strange = known["components"]
            self.assertEqual(orb["orb"], "JacORB")
            self.assertEqual((sets["char_native"], sets["char_conversion"], sets["wchar_native"]),
                             ("ISO 8859-1", ["UTF-8"], "UTF-16"))
            self.assertEqual((policies["priority_model"], policies["server_priority"]), ("SERVER_DECLARED", 9))
            self.assertEqual((other["host"], other["port"]), ("203.0.113.9", 2222))
            self.assertEqual(ssl["target_requires"], ["Integrity", "Confidentiality", "EstablishTrustInTarget"])
            self.assertEqual(ssl["port"], 2810)
            self.assertEqual([(lane["priority"], lane["port"]) for lane in lanes["endpoints"]], [(5, 7001), (50, 7002)])
            self.assertEqual((uds["machine"], uds["path"]), ("vm", "/run/x"))
            self.assertEqual((lite["name"], lite["version"], roads["place"]), ("GIOPlite (Takt's)", 1, "00000000000000a1"))
            self.assertEqual((strange["name"], strange["hex"]), ("unknown component", "010203"))
            self.assertEqual((unknown["name"], unknown["hex"]), ("unknown profile", "616263"))

    def test_urls(self):
        said = self.shown("ior", "corbaname:iiop:1.2@host.example:2810,:other.example/Key#a.b/c")
        self.assertEqual([(each["host"], each["port"], each["version"]) for each in said["addresses"]],
                         [("host.example", 2810, "1.2"), ("other.example", 2809, "1.0")])
        self.assertEqual(said["object_key"]["text"], "Key")
        self.assertEqual(said["name"], [{"id": "a", "kind": "b"}, {"id": "c", "kind": ""}])
        self.assertIn("none of the addresses", self.shown("ior", "corbaloc:xyz:here/K")["warnings"][0])

    def test_groups(self):
        url = "corbaloc:miop:1.0@1.0-Plant-17-2/239.192.0.17:5017"
        said = self.shown("ior", url)
        self.assertEqual(said["addresses"], [{"protocol": "miop", "host": "239.192.0.17", "port": 5017, "domain": "Plant",
                                              "group": 17, "reference_version": 2}])
        self.assertIn("never replies", said["warnings"][0])
        component = Encapsulation().octet(1).octet(0).string("Plant").number("Q", 17).ulong(2)
        body = Encapsulation().octet(1).octet(0).string("239.192.0.17").ushort(5017).ulong(1)
        said = self.shown("ior", ior("", [(3, bytes(body.ulong(39).sequence(bytes(component))))]))
        group, = said["profiles"]
        self.assertEqual((group["host"], group["port"], group["url"]), ("239.192.0.17", 5017, url))
        self.assertEqual([(each["name"], each["domain"], each["group"], each["reference_version"])
                          for each in group["components"]], [("TAG_GROUP", "Plant", 17, 2)])
        self.assertIn("never replies", said["warnings"][0])
        self.refused("ior", "corbaloc:miop:1.0-Plant/239.192.0.17:5017", says="corbaloc")

    def test_files_and_standard_input(self):
        nil = ior("", [])
        with tempfile.TemporaryDirectory() as folder:
            path, other = os.path.join(folder, "ref"), os.path.join(folder, "other")
            for name, text in ((path, nil + "\r\n"), (other, f"file://{path}")):
                with open(name, "w", encoding="ascii") as file:
                    file.write(text)
            for given in (path, other, f"file://{path}", nil):
                self.assertTrue(self.shown("ior", given)["nil"])
            with open(other, "w", encoding="ascii") as file:
                file.write(f"file://{other}")
            self.refused("ior", other, says="each of which names the next")
        self.assertTrue(self.shown("ior", "-", stdin=f"\n{nil}\n")["nil"])

    def test_warnings(self):
        for host, port, minor, says in (("0.0.0.0", 1, 2, "wildcard"), ("::", 1, 2, "wildcard"), ("", 1, 2, "host is empty"),
                                        ("127.0.0.1", 1, 2, "loopback"), ("::1", 1, 2, "loopback"),
                                        ("localhost", 1, 2, "localhost"), ("10.1.2.3", 1, 2, "private"),
                                        ("172.16.0.1", 1, 2, "private"), ("192.168.0.1", 1, 2, "private"),
                                        ("fd00::1", 1, 2, "private"), ("fe80::1", 1, 2, "link-local"),
                                        ("box", 1, 2, "without a domain"), ("host.example", 0, 2, "port 0"),
                                        ("host.example", 1, 0, "version 1.0")):
            warnings = self.shown("ior", ior("IDL:A:1.0", [profile(host, port, b"k", minor=minor)]))["warnings"]
            self.assertEqual([says in each for each in warnings], [True], (host, warnings))
        for text, says in ((ior("", []), "nil"), (ior("IDL:A:1.0", []), "no profile"),
                           (ior("IDL:A:1.0", [(77, b"x")]), "none of the profiles"),
                           (ior("IDL:A:1.0", [(0, b"\0\1\2")]), "malformed")):
            self.assertIn(says, self.shown("ior", text)["warnings"][0])
        good = ior("IDL:A:1.0", [profile("host.example", 2809, b"k")])
        self.assertEqual(self.shown("ior", good)["warnings"], [])

    def test_faults_are_located(self):
        good = ior("IDL:A:1.0", [profile("host.example", 2809, b"key", [(0, Encapsulation().ulong(1))])])
        self.refused("ior", "IOR:00x0", says="character 7 ")
        self.refused("ior", good[:-1], says="number of digits is odd")
        self.refused("ior", "IOR:" + "02" + good[6:], says="octet 0: the byte order is 2")
        self.refused("ior", "IOR:", says="octet 0")
        self.refused("ior", "IOR:00000000000000ff4100", says="octet 4: the type id should have 255 octets")
        self.refused("ior", "IOR:00000000000000024141000000000000", says="octet 8: the type id does not end")
        self.refused("ior", "corbaloc:nocolon", says="bad address")
        self.refused("ior", "corbaloc::host/%zz", says="%hh")
        self.refused("ior", "corbaloc::host:80808/k", says="port 80808 is above 65535")
        self.refused("ior", "corbaloc:miop:1.0-a-1/host:99999", says="port 99999 is above 65535")
        self.refused("ior", "no such thing", says="'no such thing' is no object reference: there is no file of this name")
        self.refused("ior", "localhost:2809", says="an object at that address is corbaloc::localhost:2809/KEY")
        with tempfile.TemporaryDirectory() as folder:
            os.symlink("/nowhere", os.path.join(folder, "broken"))
            self.refused("ior", os.path.join(folder, "broken"), says="broken: cannot be read: No such file or directory")
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(os.path.join(folder, "socket"))
                self.refused("ior", os.path.join(folder, "socket"), says="is a socket, not a file")
                self.refused("top", os.path.join(folder, "socket"), says="is a socket: write unix:" + folder)
            for text, says in (("", "is empty"), ("  \n", "is empty"), ("hello", "holds no object reference")):
                path = os.path.join(folder, "given")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                self.refused("ior", path, says=f"{path} {says}")
                self.refused("ior", "file://" + path, says=f"{path} {says}")
        # A reference that is cut off anywhere is reported as incomplete.
        for end in range(4, len(good), 2):
            self.refused("ior", good[:end], says="octet ")
        short = ior("IDL:A:1.0", [profile("host.example", 2809, b"key")])
        body = bytes.fromhex(short[4:])
        broken = ior("IDL:A:1.0", [(0, body[-40:][:9])])
        self.assertIn("octet", self.shown("ior", broken)["profiles"][0]["error"])

    def test_orb_options_with_a_wrong_prefix_are_named(self):
        for word in ("-orbLogLevel", "--ORBLogLevel", "--orbLogLevel"):
            self.refused("ping", "-c", "1", word, "info", "corbaloc::localhost:1/k",
                         says=f"'{word}': options of the ORB begin with -ORB; did you mean -ORBLogLevel?")
        self.refused("-ORBLogLevel", "info", "ping", "corbaloc::localhost:1/k", says="options of the ORB follow the subcommand")
        self.refused("ping", "-ORBLogLevel", "--count", "1", "corbaloc::localhost:1/k", says="-ORBLogLevel lacks its value")
        self.refused("ior", "-ORBLogLevel", "info", "corbaloc::localhost:1/k", says="-ORBLogLevel, need --doctor")

    def test_an_attached_value_that_begins_with_rb_is_no_option_of_the_orb(self):
        with tempfile.TemporaryDirectory() as folder:
            schedule = os.path.join(folder, "s.toml")
            with open(schedule, "w", encoding="utf-8") as file:
                file.write('[[operation]]\nname = "a"\nperiod = "1s"\nwcet = "1ms"\n')
            subprocess.run([TAKT, "schedule", "analyse", schedule, "-orb.txt"], cwd=folder, check=True, env=ENVIRONMENT, timeout=60)
            self.assertTrue(os.path.exists(os.path.join(folder, "rb.txt")))

    def test_options_of_the_orb_take_effect(self):
        with Server() as reference:
            result = takt("ping", "-ORBPersonality", "nobody", reference)
            self.assertIn("nobody", result.stderr)
            said = self.shown("options", "-ORBConnectTimeout", "7s", "ConnectTimeout")
            self.assertEqual((said[0]["value"], said[0]["from"]), ("7s", "-ORBConnectTimeout"))
            self.assertEqual(self.shown("options", "-ORBConnectTimeout")[0]["option"], "-ORBConnectTimeout")

    def test_nothing_reaches_the_terminal_as_a_command(self):
        page = takt("ior", ior("\x1b[2J\x07\x9b", [profile("\x1b]0;x\x07", 1, b"\x1b")])).stdout
        self.assertIn("\\x1b[2J\\x07\\x9b", page)
        self.assertTrue(all(c == "\n" or " " <= c <= "~" for c in page))


class Examines(TestCase):
    """takt ior --doctor"""

    def test_an_object_that_answers(self):
        with Server() as reference:
            said = self.shown("ior", "--doctor", reference)
        self.assertTrue(said["answers"])
        self.assertEqual(steps_of(said["endpoints"][0]),
                         ["resolve", "connect", "object there", "is_a IDL:Hello/Greeter:1.0"])

    def test_each_endpoint_by_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "socket")
            with Server("-ORBListenEndpoints", f"iiop://127.0.0.1:0,unix:{path}") as reference:
                self.assertEqual([each["answers"] for each in self.shown("ior", "--doctor", reference)["endpoints"]],
                                 [True, True])
                os.unlink(path)
                said = self.shown("ior", "--doctor", reference)
        self.assertTrue(said["answers"])
        self.assertEqual([each["answers"] for each in said["endpoints"]], [True, False])
        self.assertIn("ENOENT", said["endpoints"][1]["steps"][-1]["failure"])

    def test_by_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-days", "1", "-keyout", key, "-out", certificate, "-subj", "/CN=hello", "-addext",
                            "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
            with Server("-ORBListenEndpoints", "ssliop://127.0.0.1:0", "-ORBTLSCertificate", certificate, "-ORBTLSKey", key,
                        "-ORBLogLevel", "off") as reference:
                said = self.shown("ior", "--doctor", reference, environment={"TAKT_TLS_AUTHORITIES": certificate})
                self.assertEqual(steps_of(said["endpoints"][0]),
                                 ["resolve", "connect", "tls", "object there", "is_a IDL:Hello/Greeter:1.0"])
                tls = said["endpoints"][0]["tls"]
                self.assertEqual((tls["version"], tls["subject"], tls["issuer"], tls["days_left"] in (0, 1)),
                                 ("TLSv1.3", "CN=hello", "CN=hello", True))
                self.assertRegex(tls["cipher"], "^TLS_")
                self.assertRegex(tls["expires"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
                said = self.shown("ior", "--doctor", reference, status=1)
        self.assertEqual(said["endpoints"][0]["tls"]["expires"], tls["expires"])  # a certificate that is not trusted is shown, too
        last = said["endpoints"][0]["steps"][-1]
        self.assertEqual((last["step"], last["ok"]), ("tls", False))
        self.assertIn("self-signed certificate; if it is to be trusted, -ORBTLSAuthorities", last["failure"])

    def test_an_expired_certificate_at_a_port_that_wants_one(self):
        with tempfile.TemporaryDirectory() as folder:
            key, request, certificate = (os.path.join(folder, name) for name in ("key.pem", "request.pem", "certificate.pem"))
            subprocess.run(["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", request,
                            "-subj", "/CN=old"], check=True, capture_output=True)
            subprocess.run(["openssl", "x509", "-req", "-in", request, "-signkey", key, "-days", "0", "-out", certificate], check=True,
                           capture_output=True)
            while subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-checkend", "0"], check=False, capture_output=True).returncode == 0:
                time.sleep(0.1)  # it expires at the end of this second
            with Server("-ORBListenEndpoints", "ssliop://127.0.0.1:0", "-ORBTLSCertificate", certificate, "-ORBTLSKey", key, "-ORBLogLevel",
                        "off", "-ORBTLSClientCertificates", "required", "-ORBTLSAuthorities", certificate) as reference:
                endpoint = self.shown("ior", "--doctor", reference, status=1)["endpoints"][0]
        self.assertEqual((endpoint["tls"]["subject"], endpoint["tls"]["days_left"]), ("CN=old", -1))

    def test_a_port_that_speaks_no_tls_shows_no_certificate(self):
        with Server() as reference:
            port = self.shown("ior", reference)["profiles"][0]["port"]
            endpoint = self.shown("ior", "--doctor", f"corbaloc:ssliop:1.2@127.0.0.1:{port}/x", status=1)["endpoints"][0]
        self.assertEqual(steps_of(endpoint)[-1], "tls")
        self.assertNotIn("tls", endpoint)

    def test_by_a_plug_in(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = (f"{PLUGIN}:{os.path.join(folder, name)}" for name in ("ours", "theirs"))
            with Server("-ORBPlugin", theirs, "-ORBListenEndpoints", "traced://127.0.0.1:0") as reference:
                said = self.shown("ior", "--doctor", reference, environment={"TAKT_PLUGIN": ours})
                self.assertEqual(steps_of(said["endpoints"][0]),
                                 ["connect", "object there", "is_a IDL:Hello/Greeter:1.0"])
                self.assertTrue(said["endpoints"][0]["endpoint"].startswith("traced 127.0.0.1"))
                said = self.shown("ior", "--doctor", reference, status=1)
            ended = self.shown("ior", "--doctor", reference, status=1, environment={"TAKT_PLUGIN": ours})
        self.assertEqual(said["endpoints"], [])
        self.assertIn("TAKT_PLUGIN", said["steps"][0]["failure"])
        self.assertIn("ECONNREFUSED", ended["endpoints"][0]["steps"][0]["failure"])

    def test_within_another_process(self):
        with Server("-ORBListenEndpoints", "inproc:") as reference:
            said = self.shown("ior", "--doctor", reference, status=1)
        self.assertEqual((steps_of(said), said["steps"][0]["ok"]), (["find an endpoint"], False))
        self.assertIn("in-process (Takt's)", said["steps"][0]["failure"])

    def test_no_server(self):
        with Server() as reference:
            pass
        said = self.shown("ior", "--doctor", reference, status=1)
        last = said["endpoints"][0]["steps"][-1]
        self.assertEqual((last["step"], last["ok"]), ("connect", False))
        self.assertIn("ECONNREFUSED", last["failure"])

    def test_a_server_started_anew(self):
        with Server() as reference:
            port = self.shown("ior", reference)["profiles"][0]["port"]
        with Server("-ORBListenEndpoints", f"iiop://127.0.0.1:{port}"):
            said = self.shown("ior", "--doctor", reference, status=1)
        last = said["endpoints"][0]["steps"][-1]
        self.assertEqual(last["step"], "object there")
        self.assertIn("get a new reference", last["failure"])

    def test_the_type_is_asked_for(self):
        with Server() as reference:
            octets = reference.replace(b"Greeter".hex(), b"Goodbye".hex())
            said = self.shown("ior", "--doctor", octets, status=1)
        last = said["endpoints"][0]["steps"][-1]
        self.assertEqual((last["step"], last["ok"]), ("is_a IDL:Hello/Goodbye:1.0", False))

    def test_a_name_that_nobody_knows(self):
        said = self.shown("ior", "--doctor", ior("", [profile("nowhere.invalid", 1, b"k")]), status=1)
        last = said["endpoints"][0]["steps"][-1]
        self.assertEqual((last["step"], last["ok"]), ("resolve", False))
        self.assertIn("nowhere.invalid", last["failure"])

    def test_somebody_who_never_answers(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            text = ior("IDL:A:1.0", [profile("127.0.0.1", silent.getsockname()[1], b"k")])
            said = self.shown("ior", "--doctor", "--timeout", "0.2", text, status=1)
        last = said["endpoints"][0]["steps"][-1]
        self.assertEqual(last["step"], "object there")
        self.assertIn("TIMEOUT", last["failure"])

    def test_the_nil_reference(self):
        self.assertFalse(self.shown("ior", "--doctor", ior("", []), status=1)["answers"])

    @unittest.skipUnless(shutil.which("omniNames"), "omniNames is not installed")
    def test_the_naming_service_of_omniorb(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with tempfile.TemporaryDirectory() as folder:
            names = subprocess.Popen(["omniNames", "-start", str(port), "-logdir", folder, "-ignoreport",
                                      "-ORBendPoint", f"giop:tcp:127.0.0.1:{port}"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                reference = ""
                while "IOR:" not in reference:  # earlier lines describe the command's actions
                    reference = names.stderr.readline()
                    self.assertTrue(reference, "omniNames ended")
                said = self.shown("ior", reference[reference.index("IOR:"):].strip())
                self.assertEqual(said["profiles"][0]["components"][0]["orb"], "omniORB")
                self.assertEqual(said["profiles"][0]["object_key"]["text"], "NameService")
                context = f"corbaname:iiop:1.2@127.0.0.1:{port}"
                self.assertTrue(self.shown("ior", "--doctor", context)["answers"])
                said = self.shown("ior", "--doctor", context + "#no/such", status=1)
                self.assertTrue(said["naming_service"]["answers"])
                self.assertIn("'no' is not there", said["steps"][0]["failure"])
            finally:
                names.kill()
                names.communicate()

    def test_a_setting_that_no_orb_takes(self):
        self.refused("ior", "--doctor", ior("", [profile("h.example", 1, b"k")]), says="TAKT_MAX_REDIRECTIONS",
                     environment={**ENVIRONMENT, "TAKT_MAX_REDIRECTIONS": "many"})


class Pings(TestCase):
    """takt ping"""

    def test_counts_and_times(self):
        with Server() as reference:
            said = self.shown("ping", "-c", "20", "-i", "0", reference)
            lines = takt("ping", "-c", "2", "-i", "0", reference).stdout.splitlines()
        self.assertEqual((said["calls"], said["replies"]), (20, 20))
        times = [said[name + "_ms"] for name in ("min", "p50", "p90", "p99", "max")]
        self.assertEqual(times, sorted(times))
        self.assertTrue(lines[0].startswith("call 1: ") and lines[1].endswith(" ms"), lines)

    def test_ctrl_c_prints_the_summary(self):
        with Server() as reference:
            ping = subprocess.Popen([TAKT, "ping", "-i", "3600", reference], stdout=subprocess.PIPE, text=True,
                                    env=ENVIRONMENT)
            self.assertIn("call 1: ", ping.stdout.readline())
            ping.send_signal(signal.SIGINT)
            rest, _ = ping.communicate(timeout=30)
        self.assertEqual(ping.returncode, 0)
        self.assertIn("replies: 1", rest)

    def test_nobody_answers(self):
        with Server() as reference:
            pass
        said = self.shown("ping", "-c", "2", "-i", "0", reference, status=1)
        self.assertEqual((said["calls"], said["replies"]), (2, 0))

    def test_what_cannot_be_pinged(self):
        self.refused("ping", ior("", []), says="nil")
        self.refused("ping", "IOR:00", says="octet")


class Lists(TestCase):
    """takt options"""

    def test_all_of_the_page(self):
        with open(OPTIONS_PAGE, encoding="utf-8") as page:
            rows = [line.split(" | ")[0].strip("| `") for line in page if line.startswith("| `-ORB")]
        self.assertEqual([each["option"] for each in self.shown("options")], rows)

    def test_one_and_some(self):
        for name in ("ConnectTimeout", "-ORBConnectTimeout", "TAKT_CONNECT_TIMEOUT", "connecttimeout"):
            (one,) = self.shown("options", name)
            self.assertEqual((one["default"], one["value"]), ("5s", "a duration from 1ms to 1h"))
        self.assertGreater(len(self.shown("options", "timeout")), 3)
        self.refused("options", "nonesuch", says="nonesuch")

    def test_what_a_file_leads_to(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write('ConnectTimeout = "1s"\nInitRef = ["A=file:///\\"a"]\nServerThreads = 8\n')
            file.flush()
            variables = {**ENVIRONMENT, "TAKT_CONNECT_TIMEOUT": "2s"}
            (one,) = self.shown("options", "--config", file.name, "ConnectTimeout", environment=variables)
            self.assertEqual((one["value"], one["from"]), ("2s", "TAKT_CONNECT_TIMEOUT"))
            (one,) = self.shown("options", "--config", file.name, "InitRef")
            self.assertEqual((one["value"], one["from"]), (['A=file:///"a'], f"{file.name}:2:1"))
            page = takt("options", "--config", file.name).stdout
            self.assertIn(f"ServerThreads = 8  # {file.name}:3:1\n", page)
            # The output is itself a configuration file with the same values.
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as copy:
                copy.write("".join(line for line in page.splitlines(True) if not line.startswith("Config ")))
                copy.flush()
                values = [line.split("  # ")[0] for line in page.splitlines() if not line.startswith("Config ")]
                again = takt("options", "--config", copy.name).stdout
                self.assertEqual([line.split("  # ")[0] for line in again.splitlines()
                                  if not line.startswith("Config ")], values)
            file.write("ServerTreads = 9\n")
            file.flush()
            self.refused("options", "--config", file.name, says="did you mean ServerThreads?")
        self.refused("options", "ServerTreads", says="did you mean ServerThreads?")

    def test_a_program_with_more_rights_than_its_user_takes_nothing_from_the_environment(self):
        if os.geteuid() != 0:
            self.skipTest("only root gives a program away")
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            privileged = os.path.join(folder, "takt")
            shutil.copy(TAKT, privileged)
            shown = []
            for owner in (0, 65534):
                os.chown(privileged, owner, -1)
                os.chmod(privileged, 0o4755)
                result = subprocess.run([privileged, "options", "--personality", "standard", "ConnectTimeout"], text=True,
                                        capture_output=True, env={"TAKT_CONNECT_TIMEOUT": "2s"}, timeout=60, check=True)
                shown.append(result.stdout.split("  # ")[1].strip())
        if os.statvfs(tempfile.gettempdir()).f_flag & os.ST_NOSUID:
            self.skipTest("no program has more rights there")
        self.assertEqual(shown, ["TAKT_CONNECT_TIMEOUT", "default"])

    def test_what_a_personality_leads_to(self):
        (one,) = self.shown("options", "--personality", "avionics", "MaxMessageSize")
        self.assertEqual((one["value"], one["from"]), ("1MiB", "personality avionics"))
        self.refused("options", "--personality", "avionic", says="imaging, minimal, tao or a plug-in's")

    def test_each_personality_serves_and_calls(self):
        for name in ("standard", "realtime", "avionics", "imaging", "minimal", "tao"):
            with Server("-ORBPersonality", name, "-ORBLogLevel", "off") as reference:
                variables = {**ENVIRONMENT, "TAKT_PERSONALITY": name, "TAKT_LOG_LEVEL": "off"}
                done = takt("ping", "-c", "2", reference, environment=variables)
            self.assertEqual(done.returncode, 0, name + done.stdout + done.stderr)

    def test_what_a_machine_does_to_real_time_threads(self):
        result = takt("rt", "check", "--seconds", "0.2", "--json")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        findings = json.loads(result.stdout)["findings"]
        self.assertEqual(result.returncode, int(any(each["verdict"] == "BAD" for each in findings)))
        checks = {each["check"]: each for each in findings}
        for check in ("kernel", "preemption", "throttling", "fair server", "frequency", "priorities", "reservations",
                      "locked memory"):
            self.assertIn(check, checks)
        wake_ups = [each for each in findings if each["check"].startswith("wake-up, core ")]
        self.assertEqual(len(wake_ups), len(os.sched_getaffinity(0)))
        for each in wake_ups:
            self.assertIn("of 200 times", each["found"])

    def test_what_is_no_command_line(self):
        for line in ((), ("ior",), ("ping", "-c", "few", "IOR:"), ("nonesuch",)):
            self.assertEqual(takt(*line).returncode, 2, line)
        self.assertEqual(takt("--version").returncode, 0)


class Words(TestCase):
    def test_an_unknown_subcommand_names_the_nearest(self):
        for wrong, words in (("pong", ("there is no subcommand 'pong'", "'ping'")), ("oir", ("'ior'",)), ("shcedule", ("'schedule'",))):
            result = takt(wrong)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            for word in words:
                self.assertIn(word, result.stderr)

    def test_below_a_subcommand_too(self):
        self.refused("schedule", "analyze", says="takt schedule: there is no subcommand 'analyze', did you mean 'analyse'?")

    def test_help_says_what_the_option_says(self):
        self.assertEqual(takt("help").stdout, takt("--help").stdout)
        self.assertEqual(takt("help", "schedule", "page").stdout, takt("schedule", "page", "--help").stdout)
        self.assertIn("Usage: takt schedule page", takt("help", "schedule", "page").stdout)

    def test_help_for_what_there_is_not(self):
        self.refused("help", "pnig", says="did you mean 'ping'?")


class Ready(TestCase):
    """takt ping --ready"""

    def test_says_nothing_of_an_object_that_answers(self):
        with Server() as reference:
            result = takt("ping", "--ready", reference)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_says_why_not(self):
        with Server() as reference:
            pass
        result = takt("ping", "--ready", reference)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("TRANSIENT", result.stderr)

    def test_another_object_is_not_ready(self):
        with Server() as reference:
            port = re.search(r"port: (\d+)", takt("ior", reference).stdout)[1]
            result = takt("ping", "--ready", f"corbaloc::127.0.0.1:{port}/Nothing")
        self.assertEqual((result.returncode, result.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
