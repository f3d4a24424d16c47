"""A certificate that both ends of a bench present and trust, made when it is needed."""

import functools
import os
import subprocess
import tempfile

from harness.network import SERVERS
from harness.process import HOST


@functools.cache
def _folder():
    folder = tempfile.TemporaryDirectory(prefix="takt-bench-tls-")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "2", "-keyout", "key.pem", "-out", "certificate.pem", "-subj", "/O=Takt/CN=bench", "-addext",
                    f"subjectAltName=IP:{HOST},IP:{SERVERS}"], cwd=folder.name, check=True, capture_output=True)
    with open(os.path.join(folder.name, "both.pem"), "w", encoding="ascii", opener=lambda path, flags: os.open(path, flags, 0o600)) as both:
        for name in ("key.pem", "certificate.pem"):
            with open(os.path.join(folder.name, name), encoding="ascii") as part:
                both.write(part.read())
    return folder


def file(name):
    return os.path.join(_folder().name, name)
