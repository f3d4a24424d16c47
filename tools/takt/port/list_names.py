#!/usr/bin/env python3
"""Prints known_names.cpp: the names in the standard's modules that the headers of the classic mapping declare.

usage: list_names.py COMPILER INCLUDE_FOLDER...

The folders are those of Takt's headers, of its headers for omniORB and TAO, and of the stubs of naming.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

MODULES = ("CORBA", "PortableServer", "Messaging", "PortableInterceptor")
SECONDS = 300  # a watchdog, not a measure


def headers_of(folders):
    """What programs of omniORB and programs of TAO include, with what generated code includes."""
    def all_in(*patterns):
        return sorted(os.path.relpath(path, folder) for folder in folders for pattern in patterns
                      for path in glob.glob(os.path.join(folder, pattern), recursive=True))
    own = all_in("takt/classic/*.h")
    return [own + all_in("omniORB4/*.h"), own + all_in("tao/**/*.h")]


def names(compiler, folders):
    found = {module: set() for module in MODULES}
    flags = [compiler, "-std=c++14", *("-I" + folder for folder in folders)]
    for headers in headers_of(folders):
        includes = "".join(f"#include <{header}>\n" for header in headers)
        text = subprocess.run([*flags, "-E", "-P", "-x", "c++", "-"], input=includes, capture_output=True, text=True, check=True,
                              timeout=SECONDS).stdout
        words = sorted(set(re.findall(r"\b[A-Za-z_]\w*", text)))
        with tempfile.TemporaryDirectory() as folder:
            for module in MODULES:
                source = os.path.join(folder, "names.cpp")
                with open(source, "w", encoding="ascii") as out:
                    out.write(includes + "#line 1 \"names\"\n" + "".join(f"using {module}::{word};\n" for word in words))
                done = subprocess.run([*flags, "-fmax-errors=0", "-fno-diagnostics-show-caret", "-fsyntax-only", source],
                                      capture_output=True, text=True, check=False, timeout=SECONDS)
                wrong = {int(line) for line in re.findall(r"^names:(\d+):\d+: error", done.stderr, re.MULTILINE)}
                found[module] |= {word for i, word in enumerate(words) if i + 1 not in wrong and not re.match("_?takt", word, re.IGNORECASE)}
    return found


def source_of(found):
    text = "// Made by list_names.py: the names of the standard's modules that the classic mapping has.\n#include \"port/rules.h\"\n\n"
    text += "namespace takt::command::port {\n\nconst KnownNames known_names[] = {\n"
    for module in MODULES:
        lines, line = [], ""
        for name in sorted(found[module]):
            if len(line) + len(name) > 105:
                lines.append(line)
                line = ""
            line += " " + name
        lines.append(line + " ")
        text += f"    {{\"{module}\",\n     R\"(" + "\n".join(lines) + ")\"},\n"
    return text + "    {{}, {}}};\n\n}  // namespace takt::command::port\n"


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.stdout.write(source_of(names(sys.argv[1], sys.argv[2:])))
