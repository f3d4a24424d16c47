"""The OMG's data types in Takt's headers are what takt-idl makes of idl/, and a difference is seen."""

import os
import shutil
import subprocess
import sys
import tempfile

COMPILER, SOURCES = sys.argv[1:]


def check(*folder):
    return subprocess.run([os.path.join(SOURCES, "tools", "standard-types"), "--check", COMPILER, *folder], capture_output=True,
                          text=True, check=False, timeout=100)


same = check()
assert same.returncode == 0, same.stdout + same.stderr

with tempfile.TemporaryDirectory() as folder:
    idl = os.path.join(folder, "idl")
    shutil.copytree(os.path.join(SOURCES, "idl"), idl)
    path = os.path.join(idl, "RTCORBA.idl")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("Priority high;", "Priority highest;"))
    different = check(idl)
    assert different.returncode == 1, different
    told = [line.split(" ")[0] for line in different.stdout.splitlines()]
    assert told == ["include/takt/standard/RTCORBAC.h"], different.stdout
