#!/usr/bin/env python3
"""takt-idl accepts every IDL file that omniORB's packages install, except those that violate the standard.

usage: check_omniorb.py TAKT_IDL [FOLDER]

Exits with 77 (skipped) if FOLDER, by default /usr/share/idl/omniORB, does not exist.
"""
import pathlib
import subprocess
import sys

SECONDS = 20  # a watchdog, not a measure

# File: the clause of CORBA 3.0.3 that it or an included file violates.
UNDECLARED = "3.15.2: a name is declared before it is used; {}"
SECURITY = UNDECLARED.format("CORBA::ServiceOption and CORBA::Policy are declared nowhere") + (
    "; 3.2.3: EventType collides with a keyword; 3.15.2: a member of Right is called right")
NO_IOP = "3.3: it includes IOP.idl, which is not installed"
BROKEN = {
    "COS/CosTSPortability.idl": UNDECLARED.format("CORBA::Environment is declared nowhere"),
    "COS/DCE_CIOPSecurity.idl": NO_IOP,
    "COS/NRService.idl": SECURITY,
    "COS/SECIOP.idl": NO_IOP,
    "COS/SSLIOP.idl": NO_IOP,
    "COS/Security.idl": SECURITY,
    "COS/SecurityAdmin.idl": SECURITY,
    "COS/SecurityLevel1.idl": SECURITY,
    "COS/SecurityLevel2.idl": SECURITY,
    "COS/SecurityReplaceable.idl": SECURITY,
}


def main():
    compiler = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/usr/share/idl/omniORB")
    files = sorted(folder.rglob("*.idl"))
    if not files:
        print(f"no IDL files in {folder}: skipped")
        return 77
    failures = 0
    # The macro selects the spelling for compilers that support escaped identifiers.
    options = ["--check", "-D__OMNIIDL__", f"-I{folder}", f"-I{folder / 'COS'}"]
    for file in files:
        done = subprocess.run([compiler, *options, file], capture_output=True, timeout=SECONDS)
        clause = BROKEN.get(file.relative_to(folder).as_posix())
        if (done.returncode == 0) != (clause is None):
            failures += 1
            print(f"{file}: status {done.returncode}, " + (f"although it breaks {clause}" if clause else "expected 0"))
            print(done.stderr.decode("utf-8", "replace"))
    print(f"{len(files)} files, {len(BROKEN)} of them broken, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
