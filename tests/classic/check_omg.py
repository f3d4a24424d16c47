#!/usr/bin/env python3
"""The classic mapping's code for all IDL files that omniORB's packages install, the OMG's services, compiles without
warnings: file by file as C++14, and together as C++17.

usage: check_omg.py TAKT_IDL CXX INCLUDE OWN WORK [FOLDER]

INCLUDE has Takt's headers, OWN its IDL files; WORK is emptied and filled. FOLDER, by default /usr/share/idl/omniORB,
may be absent: the test is then skipped (77).
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

SECONDS = 600  # a watchdog, not a measure
FLAGS = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
# They describe the ORB: the generated files declare nothing, and include its header.
ORBS_OWN = {"boxes.idl", "corbaidl.idl", "ir.idl", "messaging.idl", "orb.idl", "poa.idl", "poa_include.idl", "pollable.idl"}


# The first that the generated headers include, except those that describe the ORB: it is parsed once for all of them.
RUNTIME = "#include <takt/classic/corba.h>\n"


def precompiled(cxx, version, includes, work):
    header = work / "runtime.h"
    header.write_text(RUNTIME)
    subprocess.run([cxx, f"-std=c++{version}", *FLAGS[:-1], "-x", "c++-header", f"-I{includes}", header, "-o", work / "runtime.h.gch"],
                   check=True, timeout=SECONDS)


def begins_with_runtime(work, unit):
    header = (work / unit.name.replace(".unit.cpp", "C.h")).read_text()
    return header[header.find("#include"):].startswith(RUNTIME)


def compiled(cxx, version, includes, work, unit):
    runtime = ["-include", "runtime.h"] if version == 14 and begins_with_runtime(work, unit) else []
    done = subprocess.run([cxx, f"-std=c++{version}", *FLAGS, *runtime, f"-I{work}", f"-I{includes}", unit], capture_output=True,
                          timeout=SECONDS, check=False)
    return unit, done.returncode, done.stderr.decode("utf-8", "replace")


def main():
    compiler, cxx = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    includes, own, work = (pathlib.Path(argument) for argument in sys.argv[3:6])
    folder = pathlib.Path(sys.argv[6] if len(sys.argv) > 6 else "/usr/share/idl/omniORB")
    files = sorted(folder.rglob("*.idl"))
    if not files:
        return 77
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    failures, units, together = [], [], []
    for file in [own / "IOP.idl", *files]:
        done = subprocess.run([compiler, "--mapping", "classic", f"-I{folder}", f"-I{folder / 'COS'}", f"-I{own}", "-o", work,
                               file], capture_output=True, timeout=SECONDS, check=False)
        text = done.stderr.decode("utf-8", "replace")
        if done.returncode:
            failures.append(f"{file}: status {done.returncode}\n{text}")
        elif ("whose declarations a library has" in (work / f"{file.stem}C.h").read_text()) != (file.name in ORBS_OWN):
            failures.append(f"{file}: it describes the ORB, or not, other than its files say")
        else:
            includes_of = [f'#include "{file.stem}{end}.cpp"\n' for end in "CS"]
            if file.parent.name == "COS":  # the others declare CosNaming again
                together += includes_of
            units.append(work / f"{file.stem}.unit.cpp")
            units[-1].write_text("".join(includes_of))
    (work / "together.cpp").write_text("".join(together))
    precompiled(cxx, 14, includes, work)
    jobs = [(14, unit) for unit in units] + [(17, work / "together.cpp")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for unit, status, text in pool.map(lambda job: compiled(cxx, job[0], includes, work, job[1]), jobs):
            if status:
                failures.append(f"{unit.name}: does not compile\n" + "\n".join(text.splitlines()[:12]))
    print("\n".join(failures))
    print(f"{len(units)} compiled of {len(files) + 1} files; {len(failures)} failures")
    return bool(failures) or not units


if __name__ == "__main__":
    sys.exit(main())
