"""call_test.py TAKT HELLO_SERVER HELLO_IDL NAMING_IDL: `takt call`, `takt list` and `takt describe` as processes."""

import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TAKT, HELLO_SERVER, HELLO_IDL, NAMING_IDL = sys.argv[1:5]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


def takt(*arguments, stdin=""):
    return subprocess.run([TAKT, *arguments], input=stdin, capture_output=True, text=True, timeout=60,
                          env=ENVIRONMENT, check=False)


class Process:
    """A server that prints its reference, until the end of a `with`."""

    def __init__(self, *command):
        self.command = command

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT)
        for line in self.process.stdout:
            if found := re.search(r"IOR:[0-9a-f]+", line):
                return found[0]
        raise RuntimeError("the server gave no reference")

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def hello():
    return Process(HELLO_SERVER, "-ORBListenEndpoints", "iiop://127.0.0.1:0")


def naming(*options):
    return Process(TAKT, "naming", "--memory", "--listen", "iiop://127.0.0.1:0", *options)


class Calls(unittest.TestCase):
    def greet(self, reference, *arguments, **how):
        return takt("call", reference, "greet", *arguments, "--idl", HELLO_IDL, **how)

    def refused(self, result, says, status=2):
        self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
        self.assertIn(says, result.stderr)

    def test_arguments_come_as_words_and_as_data(self):
        with hello() as reference, tempfile.NamedTemporaryFile("w") as file:
            file.write('["file"]')
            file.flush()
            for arguments, stdin in ((['"word"'], ""), (["-d", '{"name": "word"}'], ""), (["-d", '["word"]'], ""),
                                     (["-d", "-"], '["word"]')):
                result = self.greet(reference, *arguments, stdin=stdin)
                self.assertEqual((result.returncode, json.loads(result.stdout)), (0, "Hello, word!"), result.stderr)
            self.assertEqual(json.loads(self.greet(reference, "-d", "@" + file.name).stdout), "Hello, file!")

    def test_the_reference_may_be_in_a_file(self):
        with hello() as reference, tempfile.NamedTemporaryFile("w") as file:
            file.write(reference + "\n")
            file.flush()
            for given in (file.name, "@" + file.name, "file://" + file.name):
                self.assertEqual(json.loads(self.greet(given, '"x"').stdout), "Hello, x!")

    def test_a_user_exception_is_json_with_a_status_of_its_own(self):
        with hello() as reference:
            result = self.greet(reference, '""')
        self.assertEqual((result.returncode, json.loads(result.stdout)),
                         (3, {"exception": "IDL:Hello/NoName:1.0", "members": {}}))

    def test_text_and_phases(self):
        with hello() as reference:
            result = self.greet(reference, '"x"', "--format", "text", "-v")
        self.assertEqual(result.stdout, "result: Hello, x!\n")
        self.assertEqual(re.findall(r"^(\w+) +[0-9.]+ ms$", result.stderr, re.MULTILINE),
                         ["types", "resolve", "connect", "locate", "types", "arguments", "call", "reply"])

    def test_oneway_shows_nothing(self):
        with hello() as reference:
            result = self.greet(reference, '"x"', "--oneway")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_repeat_counts_each_call_once(self):
        with hello() as reference:
            result = self.greet(reference, '"x"', "--repeat", "100")
            shown = json.loads(result.stdout)
            raising = json.loads(self.greet(reference, '""', "--repeat", "5").stdout)
        self.assertEqual((result.returncode, shown["calls"], shown["replies"], shown["failures"]), (0, 100, 100, 0))
        self.assertEqual(sum(each["calls"] for each in shown["histogram"]), 100)
        self.assertLessEqual(shown["min_us"], shown["p50_us"])
        self.assertLessEqual(shown["p50_us"], shown["max_us"])
        self.assertEqual(raising["exceptions"], {"IDL:Hello/NoName:1.0": 5})

    def test_wrong_input_is_named(self):
        with hello() as reference:
            self.refused(self.greet(reference, "x"), "arguments: argument 1: not JSON")
            self.refused(self.greet(reference, "x"), """'"x"'""")
            self.refused(self.greet(reference, "7"), "argument 1 (name): expected a string, found the number 7")
            self.refused(self.greet(reference), "takes 1 argument, found 0")
            self.refused(self.greet(reference, "-5", "[1,2]"), "takes 1 argument, found 2")
            self.refused(self.greet(reference, '"x"', "-d", '["y"]'), "not from both")
            self.refused(self.greet(reference, "-d", '{"nam": "y"}'), 'the nearest is "name"')
            self.refused(self.greet(reference, "-d", "-"), "the data are empty")
            self.refused(self.greet(reference, "-d", "@/nothing"), "cannot be read")
            self.refused(self.greet(reference, '"x"', "--deadline", "soon"), "--deadline: 'soon' is not valid: it takes a number with ns, us, ms")
            self.refused(self.greet(reference, '"x"', "--interface", "Hello::Greter"), "the nearest is 'Hello::Greeter'")
            self.refused(takt("call", reference, "gret", '"x"', "--idl", HELLO_IDL), "the nearest is 'greet'")
            self.refused(takt("call", reference, "greet=7", "--idl", HELLO_IDL), "no attribute 'greet' that can be written")
            self.refused(takt("call", reference, "greet", '"x"'), "types: the server does not describe its objects")
            self.refused(takt("call", reference, "greet", '"x"'), "with --idl FILE, or start the server with -ORBReflection on")
            self.refused(takt("call", reference, "greet", '"x"', "--idl", "/nothing.idl"), "/nothing.idl")
        self.refused(self.greet("IOR:00", '"x"'), "resolve: ")

    def test_a_failure_names_its_phase(self):
        with hello() as reference:
            pass
        self.refused(self.greet(reference, '"x"'), "connect: CORBA::TRANSIENT", status=1)


class Echo:
    """A peer whose objects have one operation, which returns its argument. It speaks GIOP 1.2, and no code sets."""

    def __enter__(self):
        self.listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()
        return f"corbaloc:iiop:1.2@127.0.0.1:{self.listening.getsockname()[1]}/echo"

    def __exit__(self, *_):
        self.listening.close()

    def serve(self):
        connection, _ = self.listening.accept()
        with connection, connection.makefile("rb") as stream:
            while head := stream.read(12):
                size = struct.unpack("<I", head[8:])[0]
                body = stream.read(size)
                if head[7] == 0:
                    reply = body[:4] + bytes(8) + body[self.arguments_at(body):]
                    connection.sendall(head[:7] + b"\1" + struct.pack("<I", len(reply)) + reply)

    @staticmethod
    def arguments_at(body):
        at = 12  # behind the kind of address
        for _ in ("key", "operation"):
            at += 4 + struct.unpack_from("<I", body, at)[0]
            at += -at % 4
        contexts = struct.unpack_from("<I", body, at)[0]
        at += 4
        for _ in range(contexts):
            at += 8 + struct.unpack_from("<I", body, at + 4)[0]
            at += -at % 4
        return at + (-at - 12) % 8


class Values(unittest.TestCase):
    IDL = """
    module Shapes {
      valuetype Shape { public long number; public Shape next; };
      valuetype Circle : truncatable Shape { public long radius; };
      valuetype Box : Shape { public string label; };
      interface Drawing { Shape same(in Shape it); string text(in string it); };
    };"""

    def echoed(self, operation, value):
        with tempfile.NamedTemporaryFile("w", suffix=".idl") as idl, Echo() as reference:
            idl.write(self.IDL)
            idl.flush()
            result = takt("call", reference, operation, json.dumps(value), "--idl", idl.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_derived_values_of_the_idl_come_back_whole(self):
        box = {"$type": "IDL:Shapes/Box:1.0", "number": 2, "next": None, "label": "b"}
        circle = {"$type": "IDL:Shapes/Circle:1.0", "number": 1, "next": box, "radius": 5}
        for value in (box, circle):
            self.assertEqual(self.echoed("same", value), value)

    def test_text_without_negotiated_code_sets_comes_back(self):
        self.assertEqual(self.echoed("text", "caf\u00e9"), "caf\u00e9")


class Phases(unittest.TestCase):
    """The phases before a call, and failures in each."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.key, self.certificate = (os.path.join(self.folder.name, name) for name in ("key.pem", "certificate.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "1", "-keyout", self.key, "-out", self.certificate, "-subj", "/CN=hello", "-addext",
                        "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)

    def secure_hello(self):
        return Process(HELLO_SERVER, "-ORBListenEndpoints", "ssliop://127.0.0.1:0", "-ORBTLSCertificate", self.certificate,
                       "-ORBTLSKey", self.key)

    def greet(self, reference, *options):
        return takt("call", reference, "greet", '"x"', "--idl", HELLO_IDL, *options)

    def phases(self, result):
        return re.findall(r"^(\w+) +[0-9.]+ ms$", result.stderr, re.MULTILINE)

    def failed_in(self, phase, result):
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        self.assertIn(f"takt call: {phase}: CORBA::", result.stderr)

    def test_tls_is_a_phase(self):
        with self.secure_hello() as reference:
            result = self.greet(reference, "-v", "-ORBTLSAuthorities", self.certificate)
        self.assertEqual((result.returncode, json.loads(result.stdout)), (0, "Hello, x!"), result.stderr)
        self.assertEqual(self.phases(result), ["types", "resolve", "connect", "TLS", "locate", "types", "arguments", "call", "reply"])

    def test_a_handshake_that_fails_is_named(self):
        with self.secure_hello() as reference:
            result = self.greet(reference, "-v")  # no authority is trusted
        self.failed_in("TLS", result)
        self.assertEqual(self.phases(result), ["types", "resolve", "connect", "TLS"])

    def test_a_handshake_that_hangs_is_named(self):
        with self.secure_hello() as reference:
            pass
        # Without a listener it fails before.
        refused = self.greet(reference, "-ORBTLSAuthorities", self.certificate)
        self.failed_in("connect", refused)
        port = int(re.search(r"ssliop 127\.0\.0\.1:(\d+)", refused.stderr)[1])
        with socket.create_server(("127.0.0.1", port)):  # accepts, and says nothing
            self.failed_in("TLS", self.greet(reference, "--deadline", "300ms", "-ORBTLSAuthorities", self.certificate))

    def test_an_object_that_is_gone_is_named_by_locate(self):
        with naming() as root:
            port = int(re.search(r"\"port\": (\d+)", takt("ior", "--json", root).stdout)[1])
            nothing = f"corbaloc:iiop:1.2@127.0.0.1:{port}/Nothing"
            result = takt("call", nothing, "greet", '"x"', "--idl", HELLO_IDL, "--interface", "Hello::Greeter", "-v")
            self.failed_in("locate", result)
            self.assertIn("the server has no such object", result.stderr)
            # Without -v, the call itself finds out.
            self.failed_in("call", takt("call", nothing, "greet", '"x"', "--idl", HELLO_IDL, "--interface", "Hello::Greeter"))


class Names(unittest.TestCase):
    """CosNaming has sequences, enums, references, out parameters and exceptions with members."""

    def call(self, reference, operation, *arguments):
        result = takt("call", reference, operation, *arguments, "--idl", NAMING_IDL)
        return result.returncode, json.loads(result.stdout) if result.stdout.strip() else result.stderr

    def test_a_naming_service(self):
        name = json.dumps([{"id": "shop", "kind": ""}])
        with naming() as root, hello() as object_reference:
            self.assertEqual(self.call(root, "bind", name, json.dumps(object_reference)), (0, None))
            status, resolved = self.call(root, "resolve", name)
            self.assertEqual((status, resolved[:4]), (0, "IOR:"))
            status, listed = self.call(root, "list", "10")
            self.assertEqual((status, listed), (0, {"out": {"bl": [{"binding_name": [{"id": "shop", "kind": ""}],
                                                                    "binding_type": "nobject"}], "bi": None}}))
            status, raised = self.call(root, "resolve", json.dumps([{"id": "other", "kind": "k"}]))
            self.assertEqual((status, raised["exception"]), (3, "IDL:omg.org/CosNaming/NamingContext/NotFound:1.0"))
            self.assertEqual(raised["members"], {"why": "missing_node", "rest_of_name": [{"id": "other", "kind": "k"}]})
            status, said = self.call(root, "resolve", '[{"id": "a", "kind": 7}]')
            self.assertEqual(status, 2)
            self.assertIn("argument 1 (n): [0].kind: expected a string, found the number 7", said)
            # Two interfaces have it, and differ; the object is asked.
            status, context = self.call(root, "bind_new_context", json.dumps([{"id": "inner", "kind": ""}]))
            self.assertEqual(status, 0)
            self.assertEqual(self.call(context, "bind", name, json.dumps(object_reference)), (0, None))
            status, raised = self.call(context, "destroy")
            self.assertEqual((status, raised["exception"]), (3, "IDL:omg.org/CosNaming/NamingContext/NotEmpty:1.0"))
            status, said = self.call(root, "destroy")
            self.assertEqual(status, 1)
            self.assertIn("call: CORBA::NO_PERMISSION", said)


@unittest.skipUnless(shutil.which("omniNames"), "omniNames is not installed")
class OmniNames(unittest.TestCase):
    """A server of another ORB, which knows nothing of this command."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.root = f"corbaloc::127.0.0.1:{port}/NameService"
        self.process = subprocess.Popen(["omniNames", "-start", str(port), "-logdir", self.folder.name, "-ignoreport",
                                         "-ORBendPoint", f"giop:tcp:127.0.0.1:{port}"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        for _ in range(100):
            if takt("ping", "--ready", "--timeout", "1", self.root).returncode == 0:
                return
            time.sleep(0.05)
        self.fail("omniNames has not started")

    def call(self, operation, *arguments):
        result = takt("call", self.root, operation, *arguments, "--idl", NAMING_IDL)
        return result.returncode, json.loads(result.stdout) if result.stdout.strip() else result.stderr

    def test_contexts_are_made_and_listed(self):
        name = json.dumps([{"id": "shop", "kind": "floor"}])
        status, context = self.call("bind_new_context", name)
        self.assertEqual((status, context[:4]), (0, "IOR:"))
        status, listed = self.call("list", "10")
        self.assertEqual((status, listed["out"]["bl"]),
                         (0, [{"binding_name": [{"id": "shop", "kind": "floor"}], "binding_type": "ncontext"}]))
        self.assertEqual(self.call("bind_new_context", name),
                         (3, {"exception": "IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0", "members": {}}))
        self.assertEqual(self.call("to_string", name), (0, "shop.floor"))


class Reflection(unittest.TestCase):
    """Without IDL: a server with -ORBReflection describes its objects."""

    @classmethod
    def setUpClass(cls):
        process = naming("-ORBReflection", "on")
        cls.root = process.__enter__()
        cls.addClassCleanup(process.__exit__)

    def test_calls_need_no_idl(self):
        name = json.dumps([{"id": "reflected", "kind": ""}])
        bound = takt("call", self.root, "bind_new_context", name)
        self.assertEqual((bound.returncode, json.loads(bound.stdout)[:4]), (0, "IOR:"), bound.stderr)
        again = takt("call", self.root, "bind_new_context", name, "-v")
        self.assertEqual((again.returncode, json.loads(again.stdout)),
                         (3, {"exception": "IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0", "members": {}}))
        self.assertEqual(re.findall(r"^(\w+) +[0-9.]+ ms$", again.stderr, re.MULTILINE),
                         ["resolve", "connect", "locate", "types", "arguments", "call", "reply"])
        listed = json.loads(takt("call", self.root, "list", "10").stdout)
        self.assertIn({"binding_name": [{"id": "reflected", "kind": ""}], "binding_type": "ncontext"}, listed["out"]["bl"])
        wrong = takt("call", self.root, "resolve", '[{"id": "a", "kind": 7}]')
        self.assertIn("argument 1 (n): [0].kind: expected a string, found the number 7", wrong.stderr)
        wrong = takt("call", self.root, "resolv", "[]")
        self.assertIn("CosNaming::NamingContextExt has no operation or attribute 'resolv'; the nearest is 'resolve'", wrong.stderr)

    def test_list_and_describe_say_the_same_as_with_idl(self):
        of_idl = {each["interface"]: each for each in json.loads(takt("list", "--idl", NAMING_IDL, "--json").stdout)}
        shown = json.loads(takt("list", self.root, "--json").stdout)
        self.assertEqual(len(shown), 1)
        self.assertEqual(shown[0]["id"], "IDL:omg.org/CosNaming/NamingContextExt:1.0")
        self.assertEqual(sorted(shown[0]["operations"]), sorted(of_idl["CosNaming::NamingContextExt"]["operations"]))
        whole = takt("describe", self.root)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        of_idl = takt("describe", "CosNaming::NamingContextExt", "--idl", NAMING_IDL)
        self.assertEqual(sorted(whole.stdout.splitlines()), sorted(of_idl.stdout.splitlines()))
        for name in ("resolve", "CosNaming::Name", "CosNaming::NamingContext::NotFound"):
            self.assertEqual(takt("describe", self.root, name).stdout, takt("describe", name, "--idl", NAMING_IDL).stdout, name)
        template = takt("describe", self.root, "to_string", "--msg-template", "-ORBLogLevel", "error").stdout
        self.assertEqual(json.loads(takt("call", self.root, "to_string", "-d", "-", stdin=template).stdout), "text.text")

    def test_wrong_command_lines(self):
        for words, says in ((["list"], "give a reference of the object, or an IDL file with --idl FILE"),
                            (["describe"], "give a reference of the object, or an IDL file with --idl FILE"),
                            (["list", "a", "b"], "unexpected word 'b'"), (["describe", "a", "b", "c"], "unexpected word 'c'"),
                            (["list", "a", "--idl", NAMING_IDL], "unexpected word 'a'"),
                            (["describe", "--idl", NAMING_IDL], "give the name of an interface"),
                            (["list", self.root, "--deadline", "soon"], "--deadline: 'soon' is not valid"),
                            (["list", "IOR:00"], "octet 4"), (["list", "/nothing"], "there is no file of this name")):
            result = takt(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(says, result.stderr)

    def test_servers_without_descriptions(self):
        with hello() as reference:
            for words in (["list", reference], ["describe", reference, "greet"]):
                result = takt(*words)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("the server does not describe its objects (CORBA::INTF_REPOS", result.stderr)
                self.assertIn("--idl FILE, or start the server with -ORBReflection on", result.stderr)
        result = takt("list", reference)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("takt list: CORBA::TRANSIENT", result.stderr)

    def test_names_that_are_not_there(self):
        result = takt("describe", self.root, "resolv")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("the nearest is 'resolve'", result.stderr)


class Describes(unittest.TestCase):
    def test_list(self):
        shown = json.loads(takt("list", "--idl", HELLO_IDL, "--json").stdout)
        self.assertEqual(shown, [{"interface": "Hello::Greeter", "id": "IDL:Hello/Greeter:1.0", "operations": ["greet"]}])
        self.assertIn("Hello::Greeter", takt("list", "--idl", HELLO_IDL).stdout)

    def test_describe(self):
        shown = takt("describe", "greet", "--idl", HELLO_IDL)
        self.assertEqual(shown.stdout, 'string greet(in string name) raises (Hello::NoName)\n  name: "text"\n  result: "text"\n')
        self.assertIn("greet", takt("describe", "Hello::Greeter", "--idl", HELLO_IDL).stdout)
        result = takt("describe", "gret", "--idl", HELLO_IDL)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("the nearest is 'greet'", result.stderr)

    def test_templates_are_arguments(self):
        template = takt("describe", "greet", "--idl", HELLO_IDL, "--msg-template").stdout
        with hello() as reference:
            result = takt("call", reference, "greet", "--idl", HELLO_IDL, "-d", "-", stdin=template)
        self.assertEqual(json.loads(result.stdout), "Hello, text!")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
