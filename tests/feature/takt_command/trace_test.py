#!/usr/bin/env python3
"""trace_test.py TAKT: what `takt trace` shows of traces over real processes, one of which was killed."""

import http.server
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
from html.parser import HTMLParser

TAKT = sys.argv.pop(1)

# The members of the JSON encoding of OTLP 1.x, by opentelemetry/proto/{collector/trace,trace,common,resource}/v1; a 64-bit number
# is a text, and ids are hexadecimal digits.
HEX, DECIMAL = r"^([0-9a-f]{%d})$", r"^[0-9]+$"
VALUE = {"stringValue": str, "intValue": DECIMAL, "boolValue": bool, "doubleValue": float}
ATTRIBUTE = {"key": str, "value": VALUE}
SPAN = {"traceId": HEX % 32, "spanId": HEX % 16, "parentSpanId": HEX % 16, "traceState": str, "flags": int, "name": str, "kind": int,
        "startTimeUnixNano": DECIMAL, "endTimeUnixNano": DECIMAL, "attributes": [ATTRIBUTE],
        "status": {"code": int, "message": str}}
REQUEST = {"resourceSpans": [{"resource": {"attributes": [ATTRIBUTE]},
                              "scopeSpans": [{"scope": {"name": str, "version": str}, "spans": [SPAN]}]}]}


def misfits(value, form, where="request"):
    """What in the value does not have the form."""
    if isinstance(form, dict):
        if not isinstance(value, dict):
            return [where + " is no object"]
        return [misfit for key, member in value.items()
                for misfit in (misfits(member, form[key], f"{where}.{key}") if key in form else [f"{where}.{key} is unknown"])]
    if isinstance(form, list):
        if not isinstance(value, list):
            return [where + " is no list"]
        return [misfit for i, each in enumerate(value) for misfit in misfits(each, form[0], f"{where}[{i}]")]
    if isinstance(form, str):
        return [] if isinstance(value, str) and re.match(form, value) else [f"{where} is {value!r}"]
    return [] if type(value) is form else [f"{where} is {value!r}"]


class Collector(http.server.BaseHTTPRequestHandler):
    """Keeps what it gets in `server.requests`, and answers with `server.answer`: a status and a body."""

    def do_POST(self):
        self.server.requests.append((self.path, self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
        status, body = self.server.answer
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Elements(HTMLParser):
    """What an HTML page has: the names of its elements, what it loads, and its text."""

    def __init__(self, page):
        super().__init__()
        self.names, self.loaded, self.open, self.words = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.loaded += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        self.words.append(data)



class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="takt-traces-")
        cls.server, cls.client = cls.folder + "/server", cls.folder + "/client"
        naming = subprocess.Popen([TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBTracing", "0",
                                   "-ORBTraceFile", cls.server, "-ORBTraceSpans", "64"], stdout=subprocess.PIPE, text=True)
        try:
            reference = naming.stdout.readline().strip()
            cls.refused = cls.run_takt("name", "resolve", "--service", reference, "missing", "-ORBTracing", "1", "-ORBTraceFile",
                                       cls.folder + "/refused")
            cls.made = cls.run_takt("name", "mkdir", "--service", reference, "made", "-ORBTracing", "1", "-ORBTraceFile", cls.client)
        finally:
            naming.kill()
            naming.communicate(timeout=30)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @staticmethod
    def run_takt(*words):
        return subprocess.run([TAKT, *words], capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "no_proxy": "*"})

    def trace(self, *words, status=0):
        done = self.run_takt("trace", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def test_calls_are_pairs_of_spans_of_both_processes(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        shown = json.loads(self.trace("show", "--json", self.server, self.client))
        self.assertEqual(shown["processes"], 2, shown)
        by_id = {span["span_id"]: span for span in shown["spans"]}
        served = [span for span in shown["spans"] if span["kind"] == "server"]
        self.assertTrue(served)
        for span in served:
            call = by_id[span["parent_id"]]
            self.assertEqual((call["kind"], call["name"]), ("client", span["name"]))
            self.assertNotEqual(call["process"]["process"], span["process"]["process"])

    def test_list_names_each_trace(self):
        listed = json.loads(self.trace("list", "--json", self.server, self.client))
        text = self.trace("list", self.server, self.client)
        for trace in listed["traces"]:
            self.assertRegex(text, trace["trace_id"] + r" +20\d\d-\d\d-\d\dT[0-9:.]+Z .* " + trace["name"])

    def test_show_takes_the_beginning_of_an_id(self):
        first = json.loads(self.trace("list", "--json", self.client))["traces"][0]["trace_id"]
        self.assertIn("trace " + first, self.trace("show", "--trace", first[:8], self.client))
        self.assertIn("no trace begins with", self.trace("show", "--trace", "zz", self.client, status=1))

    def test_a_failed_call_is_marked(self):
        self.assertNotEqual(self.refused.returncode, 0)
        files = [self.folder + "/refused", self.server]
        failed = [trace["trace_id"] for trace in json.loads(self.trace("list", "--json", *files))["traces"] if trace["failed"]]
        self.assertRegex(self.trace("show", "--trace", failed[-1], *files), r"client resolve .* FAILED: IDL:omg.org/CosNaming")

    def test_perfettos_file_is_json_with_a_slice_for_each_span(self):
        out = self.folder + "/perfetto.json"
        self.trace("show", "--perfetto", out, self.server, self.client)
        with open(out, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        spans = json.loads(self.trace("show", "--json", self.server, self.client))["spans"]
        self.assertEqual(len([event for event in events if event["ph"] == "X"]), len(spans))
        self.assertTrue([event for event in events if event["ph"] == "s"])

    def collector(self, answer=(200, b"{}"), handler=Collector, context=None):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.handle_error = lambda *_: None  # a client that does not trust the server closes its connection
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        server.requests, server.answer = [], answer
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server, f"http://127.0.0.1:{server.server_port}"

    def spans(self):
        return json.loads(self.trace("show", "--json", self.server, self.client))["spans"]

    def test_a_collector_gets_each_span_in_the_published_form(self):
        server, url = self.collector()
        self.assertRegex(self.trace("export", "--otlp", url, self.server, self.client), r"^[1-9][0-9]* spans sent")
        path, headers, body = server.requests[0]
        self.assertEqual((path, headers["Content-Type"]), ("/v1/traces", "application/json"))
        request = json.loads(body)
        self.assertEqual(misfits(request, REQUEST), [])
        got = {span["spanId"]: (span, resource["resource"]) for resource in request["resourceSpans"]
               for scope in resource["scopeSpans"] for span in scope["spans"]}
        self.assertEqual(len(request["resourceSpans"]), 2)
        for span in self.spans():
            sent, resource = got[span["span_id"]]
            self.assertEqual(sent.get("parentSpanId"), span["parent_id"])
            self.assertEqual(sent["kind"], {"program": 1, "server": 2, "client": 3}[span["kind"]])
            self.assertEqual((int(sent["startTimeUnixNano"]), int(sent["endTimeUnixNano"])),
                             (span["start_ns"], span["start_ns"] + span["duration_ns"]))
            self.assertIn({"key": "process.pid", "value": {"intValue": str(span["process"]["process"])}}, resource["attributes"])

    def test_spans_say_where_the_peer_is(self):
        server, url = self.collector()
        self.trace("export", "--otlp", url, self.server, self.client)
        spans = [span for resource in json.loads(server.requests[0][2])["resourceSpans"] for scope in resource["scopeSpans"]
                 for span in scope["spans"]]
        ports = {2: set(), 3: set()}
        for span in spans:
            of_span = {attribute["key"]: attribute["value"] for attribute in span["attributes"]}
            self.assertEqual(of_span.get("network.peer.address"), {"stringValue": "127.0.0.1"}, span)
            ports[span["kind"]].add(int(of_span["network.peer.port"]["intValue"]))
        self.assertEqual(len(ports[3]), 1, "the server's port")
        self.assertFalse(ports[2] & ports[3], "the clients' ports")

    def test_protobufs_own_parser_takes_what_a_collector_gets(self):
        try:
            from google.protobuf import json_format
            from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
        except ImportError:
            self.skipTest("the Python package opentelemetry-proto is not installed")
        server, url = self.collector()
        self.trace("export", "--otlp", url, self.server, self.client)
        request = json_format.Parse(server.requests[0][2], ExportTraceServiceRequest())
        spans = [span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans]
        self.assertGreaterEqual(len(spans), len(self.spans()))

    def test_a_failed_call_has_the_status_error(self):
        server, url = self.collector()
        self.trace("export", "--otlp", url + "/elsewhere", self.folder + "/refused")
        path, _, body = server.requests[0]
        self.assertEqual(path, "/elsewhere")
        spans = [span for resource in json.loads(body)["resourceSpans"] for scope in resource["scopeSpans"] for span in scope["spans"]]
        self.assertIn(2, [span["status"]["code"] for span in spans if "status" in span])

    def test_what_a_collector_does_not_take_is_said(self):
        _, url = self.collector((503, b"come \x1b[2J later"))
        said = self.trace("export", "--otlp", url, self.client, status=1)
        self.assertIn("answers 503 come", said)
        self.assertNotIn("\x1b", said)
        _, url = self.collector((200, b'{"partialSuccess": {"rejectedSpans": "1", "errorMessage": "too old"}}'))
        done = self.run_takt("trace", "export", "--otlp", url, self.client)
        self.assertIn("rejected 1 spans: too old", done.stderr)

    def test_what_a_collector_refuses_for_good_is_sent_once(self):
        for status, requests, expected in ((400, 1, 1), (413, 1, 1), (429, 3, 0), (503, 3, 0)):
            server, url = self.collector((status, b"no"))
            done = self.run_takt("trace", "export", "--interval", "10ms", "--rounds", "3", "--otlp", url, self.client)
            self.assertEqual((len(server.requests), done.returncode), (requests, expected), status)
            self.assertIn(f"answers {status} no", done.stderr)

    def test_an_answer_in_chunks_is_understood(self):
        class InChunks(Collector):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for piece in (b'{"partialSuccess": {"rejectedSpans": "1", ', b'"errorMessage": "too old"}}', b""):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

        _, url = self.collector(handler=InChunks)
        done = self.run_takt("trace", "export", "--otlp", url, self.client)
        self.assertEqual((done.returncode, done.stderr), (0, "takt trace export: the collector has rejected 1 spans: too old\n"))

    def test_a_collector_over_tls_must_have_a_trusted_certificate(self):
        key, certificate = self.folder + "/key.pem", self.folder + "/certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
                        certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], check=True,
                       capture_output=True, timeout=60)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server, url = self.collector(context=context)
        url = url.replace("http:", "https:")
        self.assertIn("certificate", self.trace("export", "--otlp", url, self.client, status=1))
        self.assertEqual(server.requests, [])
        self.trace("export", "--authorities", certificate, "--otlp", url, self.client)
        self.assertEqual(len(server.requests), 1)

    def test_a_collector_that_is_away_or_silent_costs_a_limited_time(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            self.assertIn("no answer in time", self.trace("export", "--timeout", "100ms", "--otlp", url, self.client, status=1))
        self.assertIn("refused", self.trace("export", "--timeout", "5s", "--otlp", url, self.client, status=1))

    def test_urls_that_are_none_are_refused(self):
        for url in ("ftp://localhost", "file:///etc/passwd", "localhost:4318", "http://", "http://:80", "http://localhost:0", "http://localhost:66000", "http://[::1", "http://localhost /"):
            self.assertIn("is not http://HOST", self.trace("export", "--otlp", url, self.client, status=2))

    def test_a_collector_gets_new_spans_only(self):
        server, url = self.collector()
        exporting = subprocess.Popen([TAKT, "trace", "export", "--interval", "10ms", "--otlp", url, self.client], stderr=subprocess.DEVNULL,
                                     env={**os.environ, "no_proxy": "*"})
        try:
            while not server.requests:
                self.assertIsNone(exporting.poll())
                threading.Event().wait(0.01)
            threading.Event().wait(0.1)
            self.assertEqual(len(server.requests), 1)
        finally:
            exporting.send_signal(2)
            self.assertEqual(exporting.wait(timeout=30), 0)

    def test_a_page_is_well_formed_and_loads_nothing(self):
        page = self.trace("show", "--html", "-", self.server, self.client)
        elements = Elements(page)
        self.assertEqual((elements.open, elements.loaded), ([], []))
        self.assertNotIn("script", elements.names)
        self.assertEqual(elements.names.count("rect"), len(self.spans()))
        for span in self.spans():
            self.assertIn(span["kind"] + " " + span["name"], elements.words)

    def test_files_that_are_none_are_refused(self):
        other = self.folder + "/other"
        with open(other, "wb") as file:
            file.write(os.urandom(10000))
        self.assertIn("is not a file of -ORBTraceFile", self.trace("list", other, status=2))
        self.assertIn("cannot be read", self.trace("list", self.folder + "/missing", status=2))
        with open(self.server, "rb") as file:
            whole = file.read()
        with open(other, "wb") as file:
            file.write(whole[:5000])
        self.assertIn("has been cut", self.trace("list", other, status=2))

    def test_files_that_are_none_do_not_hide_the_others(self):
        pipe, mine = self.folder + "/pipe", self.folder + "/text"
        os.mkfifo(pipe)
        with open(mine, "w", encoding="utf-8") as file:
            file.write("text")
        done = self.run_takt("trace", "list", "--json", pipe, self.client, mine, self.folder + "/missing")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, f"left out: {pipe}: it is not a regular file\n{mine}: it is not a file of -ORBTraceFile\n"
                         f"{self.folder}/missing: it cannot be read: No such file or directory\n")
        self.assertEqual(json.loads(done.stdout), json.loads(self.trace("list", "--json", self.client)))
        self.assertIn("is not a regular file", self.trace("list", pipe, status=2))

    def test_without_tracing_the_file_is_refused(self):
        done = self.run_takt("name", "list", "--service", "corbaloc::127.0.0.1:1/x", "-ORBTraceFile", self.folder + "/none")
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue(re.search("TraceFile", done.stderr), done.stderr)
        self.assertFalse(os.path.exists(self.folder + "/none"))


if __name__ == "__main__":
    unittest.main()
