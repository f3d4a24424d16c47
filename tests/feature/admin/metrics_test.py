#!/usr/bin/env python3
"""metrics_test.py TAKT CONTRIB: what `takt metrics` serves, to Prometheus and to hostile HTTP clients, and what promtool
finds in contrib/monitoring, if it is installed. monitoring_files_test.py checks the names in these files."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

TAKT, CONTRIB = sys.argv[1], sys.argv[2]
PROMTOOL = shutil.which("promtool")


def first_line(process, pattern):
    line = process.stdout.readline()
    found = re.search(pattern, line)
    assert found, line
    return found[1]


def has_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        return True
    except OSError:
        return False


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="takt-metrics-")
        cls.admin = "unix:" + cls.folder + "/admin"
        cls.naming = subprocess.Popen(
            [TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBAdmin", cls.admin,
             "-ORBServerConcurrency", "worker-pool"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while not os.path.exists(cls.folder + "/admin"):
            assert cls.naming.poll() is None
            time.sleep(0.01)
        cls.server = subprocess.Popen([TAKT, "metrics", "--listen", "127.0.0.1:0", "--timeout", "5", cls.admin, "iiop://127.0.0.1:1"],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.port = int(first_line(cls.server, r":(\d+)/metrics"))

    @classmethod
    def tearDownClass(cls):
        for process in (cls.server, cls.naming):
            process.terminate()
            process.communicate(timeout=30)
        shutil.rmtree(cls.folder)

    def get(self, path="/metrics", **more):
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", **more), timeout=20) as reply:
            return reply.read().decode()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def test_each_orb_is_a_target_and_one_that_does_not_answer_is_down(self):
        page = self.get()
        self.assertIn(f'takt_up{{target="{self.admin}"}} 1\n', page)
        self.assertIn('takt_up{target="iiop://127.0.0.1:1"} 0\n', page)
        self.assertRegex(page, r'takt_queue_threads\{target="unix:[^"]*",queue="[^"]+",priority="-1"\} [1-9]')
        self.assertRegex(page, r'takt_memory_limit_bytes\{target="unix:[^"]*",side="server"\} [1-9]')

    def test_calls_are_counted_with_cumulative_buckets(self):
        before = self.count(subprocess.run([TAKT, "metrics", "--once", self.admin], check=True, capture_output=True, text=True).stdout)
        subprocess.run([TAKT, "ping", "--count", "3", "--interval", "0", self.reference()], check=True, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while self.count() < before + 3 and time.monotonic() < deadline:
            time.sleep(0.05)  # a page from before the calls is still shown
        self.assertGreaterEqual(self.count(), before + 3)
        page = self.get()
        series = re.findall(r'duration_seconds_bucket\{[^}]*interface="",operation="",le="([^"]+)"\} (\d+)', page)
        counts = [int(count) for _, count in series]
        self.assertEqual(counts, sorted(counts))
        self.assertEqual(series[-1][0], "+Inf")
        self.assertEqual(counts[-1], self.count(page))

    def count(self, page=None):
        found = re.search(r'duration_seconds_count\{[^}]*interface="",operation=""\} (\d+)', page or self.get())
        return int(found[1])

    def reference(self):
        """A reference to the naming service, whose port the admin object's process knows."""
        if not hasattr(Metrics, "ior"):
            Metrics.ior = subprocess.run(
                ["ss", "-Hltnp"], stdout=subprocess.PIPE, text=True, check=True).stdout
        for line in Metrics.ior.splitlines():
            if f"pid={self.naming.pid}," in line:
                return f"corbaloc::{line.split()[3]}/NameService"
        self.fail(Metrics.ior)

    @unittest.skipUnless(PROMTOOL, "needs promtool")
    def test_promtool_finds_no_fault_in_the_metrics(self):
        checked = subprocess.run([PROMTOOL, "check", "metrics"], input=self.get(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))

    @unittest.skipUnless(PROMTOOL, "needs promtool")
    def test_promtool_finds_no_fault_in_the_alerts(self):
        checked = subprocess.run([PROMTOOL, "check", "rules", os.path.join(CONTRIB, "alerts.yml")], text=True, stdout=subprocess.PIPE)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    @unittest.skipUnless(PROMTOOL, "needs promtool")
    def test_alerts_fire_and_stay_silent(self):
        checked = subprocess.run([PROMTOOL, "test", "rules", os.path.join(CONTRIB, "alerts_test.yml")], text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    @unittest.skipUnless(PROMTOOL, "needs promtool")
    def test_the_dashboard_has_valid_expressions(self):
        rules = {"groups": [{"name": "g", "rules": [
            {"record": f"r{number}", "expr": expression.replace("$__rate_interval", "5m").replace("$target", ".*")}
            for number, expression in enumerate(self.dashboard())]}]}
        file = os.path.join(self.folder, "dashboard.yml")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(rules, out)
        checked = subprocess.run([PROMTOOL, "check", "rules", file], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def dashboard(self):
        with open(os.path.join(CONTRIB, "dashboard.json"), encoding="utf-8") as file:
            return [target["expr"] for panel in json.load(file)["panels"] for target in panel["targets"]]

    def test_other_paths_and_methods_are_refused(self):
        self.assertIn("/metrics", self.get("/"))
        for path, more, status in (("/other", {}, 404), ("/metrics", {"method": "POST", "data": b"x" * 1000}, 405),
                                   ("/metrics", {"method": "DELETE"}, 405), ("/../../etc/passwd", {}, 404)):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.get(path, **more)
            self.assertEqual(refused.exception.code, status)

    def test_slow_and_silent_clients_do_not_stop_others(self):
        """The oldest connection of an address makes room for a fifth."""
        slow = [self.connect() for _ in range(4)]
        for number, client in enumerate(slow):
            client.sendall(b"GET /met"[: 2 * number])
        for _ in range(5):
            self.assertIn("takt_up", self.get())
        slow[0].settimeout(10)
        self.assertEqual(slow[0].recv(1), b"")
        for client in slow:
            client.close()

    def test_silent_clients_are_cut(self):
        with self.connect() as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\n")
            client.settimeout(60)
            while client.recv(4096):
                pass

    def test_clients_beyond_the_limit_of_one_address_are_refused(self):
        many = [self.connect() for _ in range(20)]
        refused = 0
        for client in many:
            client.settimeout(1)
            try:
                refused += client.recv(1) == b""
            except ConnectionResetError:
                refused += 1
            except TimeoutError:
                pass
        self.assertGreaterEqual(refused, 16)
        for client in many:
            client.close()
        self.eventually_served()

    def eventually_served(self):
        for _ in range(100):
            try:
                self.assertIn("takt_up", self.get())
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        self.fail("not served again")

    def test_huge_requests_and_garbage_end_their_connections_only(self):
        memory = self.resident()
        for octets in (b"GET /" + b"a" * 1000000, b"GET / HTTP/1.1\r\n" + b"X: " + b"b" * 1000000,
                       b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200000, b"\0" * 100000, b"\x16\x03\x01\x02\0\x01\0\x01\xfc", b"GIOP\1\2\1\0\xff\xff\xff\xff" * 100,
                       b"GET /metrics HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                       b"POST /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\n"):
            with self.connect() as client:
                try:
                    client.sendall(octets)
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(65536):
                        pass
                except OSError:
                    pass  # it was cut
        self.eventually_served()
        self.assertLess(self.resident(), memory + 8 * 1024, "KiB")

    def test_orbs_are_not_asked_again_for_each_of_many_requests(self):
        """An ORB that hangs costs the timeout, and clients who ask without a pause must not cost it again and again."""
        asked = []

        def count(connection):
            with connection:
                while octets := connection.recv(65536):
                    asked.extend(re.findall(rb"GIOP\x01..\x00", octets, re.DOTALL))

        def accept(listener):
            while True:
                try:
                    threading.Thread(target=count, args=(listener.accept()[0],), daemon=True).start()
                except OSError:
                    return

        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=accept, args=(listener,), daemon=True).start()
            server = subprocess.Popen([TAKT, "metrics", "--listen", "127.0.0.1:0", "--timeout", "2s",
                                       f"iiop://127.0.0.1:{listener.getsockname()[1]}"],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            try:
                port = int(first_line(server, r":(\d+)/metrics"))
                pages = 40
                for _ in range(pages):
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as reply:
                        self.assertIn("takt_up", reply.read().decode())
                self.assertGreaterEqual(len(asked), 1)
                self.assertLess(len(asked), pages)
            finally:
                server.terminate()
                server.communicate(timeout=30)

    def resident(self):
        with open(f"/proc/{self.server.pid}/status", encoding="utf-8") as file:
            return int(re.search(r"VmRSS:\s*(\d+)", file.read())[1])

    def test_what_cannot_be_listened_to_or_understood_is_said(self):
        for listen, words in ((f"127.0.0.1:{self.port}", "in use"), ("127.0.0.1:80808", "a port from 0 to 65535"), ("9464x", "HOST:PORT")):
            refused = subprocess.run([TAKT, "metrics", "--listen", listen, self.admin], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                     timeout=30)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(words, refused.stdout)

    def test_an_orb_that_is_given_twice_is_refused(self):
        refused = subprocess.run([TAKT, "metrics", "--once", self.admin, self.admin], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 timeout=30)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("is given twice", refused.stderr)

    def test_those_that_do_not_answer_are_asked_beside_the_others(self):
        silent = [socket.create_server(("127.0.0.1", 0)) for _ in range(5)]
        targets = [f"iiop://127.0.0.1:{each.getsockname()[1]}" for each in silent]
        once = subprocess.Popen([TAKT, "metrics", "--once", "--timeout", "60", *targets, self.admin], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(once.kill)
        clients = []
        for each in silent:
            each.settimeout(30)
            clients.append(each.accept()[0])  # while the others are not answered either
        for each in clients + silent:
            each.close()
        page, _ = once.communicate(timeout=30)
        self.assertEqual([line[-1] for line in page.splitlines() if line.startswith("takt_up{")], ["0"] * 5 + ["1"])

    def test_without_a_host_it_listens_at_the_addresses_of_both_families(self):
        server = subprocess.Popen([TAKT, "metrics", "--listen", ":0", self.admin], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(server.kill)
        port = int(first_line(server, r":(\d+)/metrics"))
        for host in ("127.0.0.1", "::1") if has_ipv6() else ("127.0.0.1",):
            socket.create_connection((host, port), timeout=20).close()
        server.terminate()
        server.communicate(timeout=30)

    @unittest.skipUnless(has_ipv6(), "there is no IPv6")
    def test_the_page_of_an_address_of_ipv6_is_named_as_a_browser_takes_it(self):
        server = subprocess.Popen([TAKT, "metrics", "--listen", "[::1]:0", self.admin], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True)
        self.addCleanup(server.kill)
        self.assertTrue(first_line(server, r"http://\[::1\]:(\d+)/metrics"))
        server.terminate()
        server.communicate(timeout=30)

    def test_once_prints_the_page(self):
        once = subprocess.run([TAKT, "metrics", "--once", self.admin], stdout=subprocess.PIPE, text=True, check=True, timeout=30)
        self.assertIn(f'takt_up{{target="{self.admin}"}} 1\n', once.stdout)

    def test_it_ends_with_a_signal(self):
        server = subprocess.Popen([TAKT, "metrics", "--listen", "127.0.0.1:0", self.admin], stdout=subprocess.PIPE, text=True)
        first_line(server, r":(\d+)/metrics")
        server.terminate()
        self.assertEqual(server.wait(timeout=30), 0)
        server.stdout.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
