"""tls_test.py TAKT WORKER: a repository and a server that speak TLS only."""

import json
import shutil
import subprocess
import sys
import unittest

from repository import ENVIRONMENT, Repository, TAKT, WORKER, free_port, run

OPENSSL = shutil.which("openssl")


class Tls(Repository):
    def test_clients_are_forwarded_over_tls(self):
        key, certificate = self.path("key.pem"), self.path("certificate.pem")
        run(OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
            "-days", "400", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
        trust = ("-ORBTLSAuthorities", certificate)
        tls = ("-ORBTLSCertificate", certificate, "-ORBTLSKey", key, *trust)
        self.end_repository()
        self.process = subprocess.Popen([TAKT, "imr", "serve", "--memory", "--socket", self.path("socket"), "--listen",
                                         f"ssliop://127.0.0.1:{free_port()}", *tls], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=ENVIRONMENT)
        repository = self.process.stdout.readline().strip()
        run(TAKT, "imr", "add", "one", "--socket", self.path("socket"), "--", WORKER, "serve", "--key", "one", "-ORBListenEndpoints",
            "ssliop://127.0.0.1:0", *tls)
        self.addCleanup(self.imr, "stop", "one")
        own = run(WORKER, "self", self.imr("reference", "one").strip(), *trust).split()[0]
        status = json.loads(run(TAKT, "imr", "status", "one", "--json", "--service", repository, *trust))
        (process,) = status["processes"]
        self.assertEqual(run(WORKER, "call", own, "2", "3", *trust), f"6 {process['pid']}\n")
        self.assertRegex(process["address"], r"^127\.0\.0\.1:[1-9]\d*$")
        without = run(WORKER, "call", own, "1", "1")
        self.assertNotIn(f" {process['pid']}\n", without)

    def end(self):
        if self.process.poll() is None:
            self.end_repository()


if __name__ == "__main__":
    if not OPENSSL:
        print("openssl is not installed")
        sys.exit(77)
    unittest.main(argv=["tls_test.py"])
