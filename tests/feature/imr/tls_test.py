"""tls_test.py TAKT WORKER: a repository and a server that speak TLS only."""

import json
import shutil
import signal
import subprocess
import sys
import unittest

from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, WORKER, eventually, free_port, run

OPENSSL = shutil.which("openssl")


class Tls(Repository):
    def serve_tls(self):
        """Returns the options of servers, and of clients."""
        key, certificate = self.path("key.pem"), self.path("certificate.pem")
        run(OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
            "-days", "400", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
        trust = ("-ORBTLSAuthorities", certificate)
        tls = ("-ORBTLSCertificate", certificate, "-ORBTLSKey", key, *trust)
        self.end_repository()
        self.process = subprocess.Popen([TAKT, "imr", "serve", "--memory", "--socket", self.path("socket"), "--listen",
                                         f"ssliop://127.0.0.1:{free_port()}", *tls], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=ENVIRONMENT)
        self.reference = self.process.stdout.readline().strip()
        return tls, trust

    def status_of_one(self, trust):
        return json.loads(run(TAKT, "imr", "status", "one", "--json", "--service", self.reference, *trust))

    def test_clients_are_forwarded_over_tls(self):
        tls, trust = self.serve_tls()
        run(TAKT, "imr", "add", "one", "--socket", self.path("socket"), "--", WORKER, "serve", "--key", "one", "-ORBListenEndpoints",
            "ssliop://127.0.0.1:0", *tls)
        self.addCleanup(self.imr, "stop", "one")
        own = run(WORKER, "self", self.imr("reference", "one").strip(), *trust).split()[0]
        (process,) = self.status_of_one(trust)["processes"]
        self.assertEqual(run(WORKER, "call", own, "2", "3", *trust), f"6 {process['pid']}\n")
        self.assertRegex(process["address"], r"^127\.0\.0\.1:[1-9]\d*$")
        without = run(WORKER, "call", own, "1", "1")
        self.assertNotIn(f" {process['pid']}\n", without)

    def test_a_paused_server_elsewhere_keeps_its_place(self):
        """Its system takes connections, on which no handshake ends; it is not a machine that is off."""
        tls, trust = self.serve_tls()
        run(TAKT, "imr", "add", "one", "--socket", self.path("socket"), "--longest-start", "30s", "--", WORKER, "serve", "--key", "one",
            "-ORBListenEndpoints", "ssliop://127.0.0.1:0", *tls)
        self.addCleanup(self.imr, "stop", "one")
        words = self.imr("ticket", "one").split()
        server = self.spawn(WORKER, "serve", "--key", "one", "-ORBLocalRoads", "off", "-ORBListenEndpoints", "ssliop://127.0.0.1:0", *tls,
                            env={**ENVIRONMENT, "TAKT_IMR_TICKET": " ".join((*words[:4], words[-1]))})
        eventually(lambda: self.status_of_one(trust)["processes"], "it has no place")
        before = self.status_of_one(trust)
        server.send_signal(signal.SIGSTOP)
        client = self.spawn(WORKER, "call", self.imr("reference", "one").strip(), "1", "1", *trust, env=ENVIRONMENT)
        eventually(lambda: self.status_of_one(trust)["forwards"] > before["forwards"], "the client is not forwarded")
        self.assertEqual(self.status_of_one(trust)["processes"], before["processes"])
        server.send_signal(signal.SIGCONT)
        self.assertEqual(client.communicate(timeout=PATIENCE)[0], f"1 {server.pid}\n")

    def spawn(self, *words, env):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def end(self):
        if self.process.poll() is None:
            self.end_repository()


if __name__ == "__main__":
    if not OPENSSL:
        print("openssl is not installed")
        sys.exit(77)
    unittest.main(argv=["tls_test.py"])
