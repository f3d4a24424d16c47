#!/usr/bin/env python3
"""Generated code compiles without warnings: that of compiles/*.idl and outdated/*.idl, and of every IDL file that omniORB's
packages install, the OMG's services.

usage: check_generated.py TAKT_IDL CXX INCLUDE OWN WORK [FOLDER]

INCLUDE has Takt's headers, OWN its IDL files; WORK is emptied and filled. FOLDER, by default /usr/share/idl/omniORB,
may be absent.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

SECONDS = 600  # a watchdog, not a measure
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]

# They describe the ORB: the generated files declare nothing, and include its header.
ORBS_OWN = {"boxes.idl", "corbaidl.idl", "ir.idl", "messaging.idl", "orb.idl", "poa.idl", "poa_include.idl", "pollable.idl"}


AT_ONCE = 8  # files of omniORB's in a unit: half of the time would go into starting the compiler


def compiled(cxx, includes, work, stems):
    """What the compiler says of these, by stem; if it refuses them together, of each alone."""
    unit = work / f"{stems[0]}.unit.cpp"
    unit.write_text("".join(f'#include "{stem}C.cpp"\n#include "{stem}S.cpp"\n' for stem in stems))
    done = subprocess.run([cxx, *FLAGS, "-include", "runtime.h", f"-I{work}", f"-I{includes}", unit],
                          capture_output=True, timeout=SECONDS)
    if done.returncode == 0:
        return {}
    if len(stems) > 1:
        print(f"compiled one by one: {' '.join(stems)}")
        return {stem: text for each in stems for stem, text in compiled(cxx, includes, work, [each]).items()}
    return {stems[0]: done.stderr.decode("utf-8", "replace")}


def main():
    compiler, cxx = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    includes, own, work = (pathlib.Path(argument) for argument in sys.argv[3:6])
    folder = pathlib.Path(sys.argv[6] if len(sys.argv) > 6 else "/usr/share/idl/omniORB")
    files = sorted(folder.rglob("*.idl"))
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    failures = []
    options = [f"-I{folder}", f"-I{folder / 'COS'}", f"-I{own}", "-o", str(work)]
    stems, of_omniorb = [], []
    tests = pathlib.Path(__file__).parent
    others = [own / "IOP.idl", own / "TimeBase.idl", tests / "good" / "corba_without_include.idl", *sorted((tests / "outdated").glob("*.idl")),
              tests / "good" / "seldom_written.idl", *sorted((tests / "compiles").glob("*.idl"))]
    for file in [*others, *files]:
        name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name
        done = subprocess.run([compiler, *options, file], capture_output=True, timeout=SECONDS)
        if done.returncode != 0:
            failures.append(f"{name}: status {done.returncode}\n" + done.stderr.decode("utf-8", "replace"))
        elif ("whose declarations a library has" in (work / f"{file.stem}C.h").read_text()) != (name in ORBS_OWN):
            failures.append(f"{name}: it describes the ORB, or not, other than its files say")
        else:
            (stems if file in others else of_omniorb).append(file.stem)
    # All of them include these headers, which are parsed once.
    (work / "runtime.h").write_text("#include <takt/corba.h>\n#include <takt/adapter/skeleton.h>\n"
                                    "#include <takt/invocation/stub.h>\n")
    subprocess.run([cxx, *FLAGS[:-1], "-x", "c++-header", f"-I{includes}", work / "runtime.h", "-o",
                    work / "runtime.h.gch"], check=True, timeout=SECONDS)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        units = [of_omniorb[at:at + AT_ONCE] for at in range(0, len(of_omniorb), AT_ONCE)] + [[stem] for stem in stems]
        for refused in pool.map(lambda unit: compiled(cxx, includes, work, unit), units):
            failures += [f"{stem}: does not compile\n" + "\n".join(text.splitlines()[:12]) for stem, text in refused.items()]
    print("\n".join(failures))
    print(f"{len(stems) + len(of_omniorb)} compiled of {len(others) + len(files)} files; {len(failures)} failures")
    return bool(failures) or not stems or not of_omniorb


if __name__ == "__main__":
    sys.exit(main())
