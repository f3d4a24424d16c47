"""What the compilers of IDL for programs of other ORBs share: each translates its options and calls takt-idl."""

import os
import pathlib
import shutil
import subprocess
import sys


class Wrong(Exception):
    """An option that is not understood, or would be ignored."""


def note(option, why):
    print(f"{program()}: note: {option}: {why}", file=sys.stderr)


def program():
    return os.path.basename(sys.argv[0])


def installed(*path):
    """A file below a folder that has this program, at any depth."""
    for parent in pathlib.Path(__file__).resolve().parents:
        found = parent.joinpath(*path)
        if found.exists():
            return str(found)
    return None


def takt_idl():
    found = os.environ.get("TAKT_IDL") or installed("bin", "takt-idl") or shutil.which("takt-idl")
    if not found:
        raise Wrong("takt-idl was not found: set TAKT_IDL to its path, or put its folder into PATH")
    return found


def preprocessor_options(option, text):
    """What takt-idl takes for the options that are handed on to a preprocessor, which commas separate."""
    passed, words = [], [word for word in text.split(",") if word]
    while words:
        word = words.pop(0)
        if word[:2] not in ("-D", "-U", "-I") or (len(word) == 2 and not words):
            raise Wrong(f"{option}: takt-idl preprocesses IDL itself, and takes -D, -U and -I only")
        passed += [word[:2], word[2:] or words.pop(0)]
    return passed


def header_options(headers):
    """What takt-idl takes for the headers that the library for programs of the other ORB has. It is made without them itself."""
    return [word for header in headers if not os.environ.get("TAKT_COMPAT_LIBRARY") for word in ("--header-of", header)]


def generate(request, arguments):
    """Runs takt-idl with the classic mapping; `request` has `passed`, `idl_folders` and `verbose`. Returns its status."""
    own = os.environ.get("TAKT_IDL_DIR") or installed("share", "takt", "idl")
    folders = [word for folder in [*request.idl_folders, own] if folder for word in ("-I", folder)]
    command = [request.compiler, "--mapping", "classic", *request.passed, *folders, *arguments]
    if request.verbose:
        print(program() + ": " + " ".join(command), file=sys.stderr)
    return subprocess.run(command, check=False).returncode


def run(arguments, usage, request, compile_file):
    """The program: `request.take()` takes the options, compile_file(request, file) compiles each of request.files."""
    if any(option in arguments for option in ("-u", "-h", "--help")):
        print(usage)
        return 0
    try:
        request.compiler = takt_idl()
        if "-V" in arguments:
            print(program() + " of Takt, with", subprocess.run([request.compiler, "--version"], capture_output=True, text=True,
                                                               check=True).stdout.strip())
            return 0
        request.take(arguments)
        for name in request.files:
            status = compile_file(request, name)
            if status:
                return status
    except (Wrong, OSError) as wrong:
        print(f"{program()}: {wrong}", file=sys.stderr)
        return 2
    return 0
