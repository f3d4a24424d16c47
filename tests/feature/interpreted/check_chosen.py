#!/usr/bin/env python3
"""takt-idl makes the operations interpreted that the IDL and --interpreted choose, and no others."""

import pathlib
import re
import subprocess
import sys
import tempfile

VIEWS = """typedef sequence<octet> Octets;
interface Views { @interpreted void see(@view in Octets o); @held @interpreted Octets get(); @interpreted void put(in Octets o); };
"""


def chosen(compiler, idl, *options):
    """The interpreted operations, by the stubs and by the skeletons, and the number of all stubs."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([compiler, *options, "-o", folder, idl], check=True)
        stubs, skeletons = ((pathlib.Path(folder) / (pathlib.Path(idl).stem + end)).read_text() for end in ("C.cpp", "S.cpp"))
    return (set(re.findall(r"invoke_interpreted<_operations::(\w+)>", stubs)),
            set(re.findall(r"interpreted_entry<\w+, ::[\w:]+::_operations::(\w+),", skeletons)), len(re.findall(r"takt::invoke", stubs)))


def main():
    compiler, idl = sys.argv[1:]
    wanted = {f"{name}_i" for name in ("sum", "echo", "pass", "none", "note", "self", "scoped", "fail", "_get_level", "_set_level")} | {"one"}
    stubs, skeletons, _ = chosen(compiler, idl)
    assert stubs == wanted and skeletons == wanted, (stubs ^ wanted, skeletons ^ wanted)
    stubs, skeletons, every = chosen(compiler, idl, "--interpreted")
    assert stubs == skeletons and len(stubs) == every - 1 and "two" not in stubs, stubs
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "views.idl"
        path.write_text(VIEWS)
        stubs, skeletons, _ = chosen(compiler, str(path), "--interpreted")
    assert stubs == skeletons == {"put"}, (stubs, skeletons)
    refused = subprocess.run([compiler, "--interpreted", "--mapping", "classic", idl], capture_output=True, text=True)
    assert refused.returncode == 2 and "--interpreted is not for the classic mapping" in refused.stderr, refused


if __name__ == "__main__":
    main()
