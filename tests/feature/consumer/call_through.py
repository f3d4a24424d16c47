"""call_through.py PLUGIN SERVER CLIENT: a call between programs that do not know the plug-in that carries it."""

import os
import subprocess
import sys
import tempfile

plugin, server, client = sys.argv[1:4]
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "trace")
    config = os.path.join(folder, "orb.toml")
    with open(config, "w", encoding="utf-8") as file:
        file.write(f'Plugin = ["{plugin}:{trace}"]\nListenEndpoints = ["traced://127.0.0.1:0"]\n')
    variables = {**os.environ, "TAKT_CONFIG": config}
    with subprocess.Popen([server], stdout=subprocess.PIPE, text=True, env=variables) as serving:
        try:
            reference = serving.stdout.readline().strip()
            called = subprocess.run([client, reference, "plug-in"], capture_output=True, text=True, timeout=60,
                                    env=variables, check=False)
            without = subprocess.run([client, reference], capture_output=True, text=True, timeout=60, check=False)
        finally:
            serving.kill()
    with open(trace, encoding="utf-8") as file:
        lines = file.read().splitlines()
if called.returncode != 0 or "plug-in" not in called.stdout:
    sys.exit(f"no call: {called.stdout}{called.stderr}")
if without.returncode == 0:
    sys.exit("a client without the plug-in has called: something else carries the calls")
for direction in ("->", "<-"):
    if not any(f" {direction} " in line and "47494f50" in line for line in lines):
        sys.exit(f"no message of GIOP went {direction}: {lines}")
