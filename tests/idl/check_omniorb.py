#!/usr/bin/env python3
"""takt-idl accepts every IDL file that omniORB's packages install: as it is, with escaped names where the file has
them for newer compilers, and with Takt's orb.idl in place of omniORB's.

usage: check_omniorb.py TAKT_IDL FOLDER_OF_ITS_OWN_IDL [FOLDER]

Exits with 77 (skipped) if FOLDER, by default /usr/share/idl/omniORB, does not exist.
"""
import pathlib
import subprocess
import sys

SECONDS = 20  # a watchdog, not a measure


def main():
    compiler, own = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else "/usr/share/idl/omniORB")
    files = sorted(folder.rglob("*.idl"))
    if not files:
        print(f"no IDL files in {folder}: skipped")
        return 77
    omniorb = [f"-I{folder}", f"-I{folder / 'COS'}", f"-I{own}"]
    services = [file for file in files if file.parent.name == "COS"]
    failures = 0
    for part, options in ((files, omniorb), (files, ["-D__OMNIIDL__", *omniorb]),
                          (services, [f"-I{folder / 'COS'}", f"-I{own}"])):
        for file in part:
            done = subprocess.run([compiler, "--check", *options, file], capture_output=True, timeout=SECONDS)
            if done.returncode != 0:
                failures += 1
                print(f"{file} {' '.join(options)}: status {done.returncode}, expected 0")
                print(done.stderr.decode("utf-8", "replace"))
    print(f"{len(files)} files, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
