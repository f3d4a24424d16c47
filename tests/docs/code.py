#!/usr/bin/env python3
"""code.py --idl TAKT_IDL --takt TAKT --compiler CXX --cmake CMAKE [PAGE...]: compiles the code blocks of docs/user.

Each fenced block of `cpp`, `idl`, `cmake` or `toml` has a comment on the line above that says how it is checked:

    <!-- code: file -->                a whole file: C++ is compiled by itself, CMake is configured, TOML is read as options
    <!-- code: declarations -->        C++ of namespace scope
    <!-- code: statements -->          C++ of a function's body
    <!-- code: members of CLASS -->    C++ of the body of a class that derives from CLASS
    <!-- code: project -->             CMake without its first two lines
    <!-- code: NAME -->                IDL, generated as NAMEC.h and NAMES.h
    <!-- not compiled: REASON -->

After the kind, `in CONTEXT` names the file of tests/docs/contexts that the code begins with; by default it is the page's
name. A line `// IDL: PATH [OPTION...]` in a context names IDL of the project whose code it includes. IDL blocks without a comment are
compiled, too. C++ is compiled with -fsyntax-only, as C++20 unless the context has a line `// C++23`; what it does is not tested.
Most contexts are of C++20 and begin with plain.h, which is precompiled for these."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LANGUAGES = ("cpp", "idl", "cmake", "toml")
BLOCK = re.compile(r"^([^\n]*)\n( *)```(\w+)[ ]*\n(.*?)^ *```[ ]*$", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"<!-- (?:code: (?P<kind>[\w.]+)(?: of (?P<base>[\w:]+))?(?: in (?P<context>[\w-]+))?|not compiled: (?P<why>.+)) -->")
CXX_KINDS = ("file", "declarations", "statements", "members")


class Block:
    """One block: where it is, and how it is checked. `kind` is None if it is not to be compiled."""

    def __init__(self, page, line, language, text, marker):
        self.page, self.line, self.language, self.text = page, line, language, text
        found = MARKER.fullmatch(marker.strip())
        self.kind = found["kind"] if found else None
        self.base = found["base"] if found else None
        self.context = (found and found["context"]) or os.path.basename(page).removesuffix(".md")
        self.skipped = bool(found and found["why"])
        if language == "idl" and not found:
            self.kind = f"{re.sub(r'[^a-z]', '_', self.context)}_{line}"

    def where(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    for found in BLOCK.finditer(text):
        if found[3] in LANGUAGES:
            code = "".join(line.removeprefix(found[2]) for line in found[4].splitlines(keepends=True))
            yield Block(page, text.count("\n", 0, found.start(4)) + 1, found[3], code, found[1])


def run(command):
    """What the command said, or None if it succeeded."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return None if done.returncode == 0 else done.stdout.strip() or f"exit status {done.returncode}"


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Checker:
    """Compiles blocks in a temporary folder; `complaints` collects the failures."""

    def __init__(self, tools, folder, contexts):
        self.tools, self.folder, self.contexts, self.complaints = tools, folder, contexts, []
        self.precompiled = None  # plain.h as C++20

    def complain(self, where, failure):
        if failure:
            self.complaints.append(f"{where}: {failure}")

    def generate(self, where, path, *options):
        self.complain(where, run([self.tools.idl, *options, "-I", os.path.join(ROOT, "idl"), "-o", self.folder, path]))

    def idl(self, block):
        padded = "\n" * (block.line - 1) + block.text  # so that errors name the page's lines
        self.generate(block.where(), write(self.folder, block.kind + ".idl", padded))

    def context(self, name):
        path = os.path.join(self.contexts, name + ".h")
        return path if os.path.exists(path) else os.path.join(self.contexts, "plain.h")

    def generate_for_contexts(self, names):
        paths = set()
        for context in map(self.context, names):
            with open(context, encoding="utf-8") as file:
                paths |= set(re.findall(r"^// IDL: (\S+(?: \S+)*)$", file.read(), re.MULTILINE))
        for path in sorted(paths):
            path, *options = path.split()
            self.generate(path, os.path.join(ROOT, path), *options)

    def cxx(self, context, blocks):
        """One source of all blocks with this context; the compiler names the lines of the pages."""
        includes, bodies = [], []
        for block in blocks:
            lines = block.text.splitlines()
            includes += [line for line in lines if line.startswith("#include")]
            code = "\n".join("" if line.startswith("#include") else line for line in lines)
            name = f"block_{re.sub(r'[^a-z]', '_', block.context)}_{block.line}"
            before, after = {"declarations": (f"namespace {name} {{", "}"), "statements": (f"void {name}() {{", "}"),
                             "members": (f"struct {name} : {block.base} {{", "};")}[block.kind]
            bodies.append(f'{before}\n#line {block.line} "{block.page}"\n{code}\n{after}\n')
        path = self.context(context)
        source = "\n".join([f'#include "{path}"', *dict.fromkeys(includes), *bodies])
        with open(path, encoding="utf-8") as file:
            text = file.read()
        standard = "-std=c++23" if re.search(r"^// C\+\+23$", text, re.MULTILINE) else "-std=c++20"
        plain = self.plain() if standard == "-std=c++20" and re.match(r'[^"<]*#include "plain.h"\n', text) else ()
        self.compile(f"context {context}", write(self.folder, f"{context}.cpp", source), standard, *plain, "-I", self.folder)

    def plain(self):
        """The options to include plain.h precompiled."""
        if not self.precompiled:
            self.precompiled = write(self.folder, "precompiled.h", f'#include "{os.path.join(self.contexts, "plain.h")}"\n')
            self.compile("plain.h", self.precompiled, "-std=c++20", "-x", "c++-header", "-o", self.precompiled + ".gch", only_syntax=False)
        return "-include", self.precompiled

    def cxx_file(self, block):
        """A file of its own, in a folder with the IDL that its includes name."""
        source = f'#line {block.line} "{block.page}"\n{block.text}'
        name = f"file_{block.context}_{block.line}.cpp"
        self.compile(block.where(), write(self.folder, name, source), "-std=c++20", "-I", self.folder)

    def compile(self, where, path, *options, only_syntax=True):
        self.complain(where, run([self.tools.compiler, *(["-fsyntax-only"] if only_syntax else []), "-Wall", "-Wno-unused", *options,
                                  "-I", os.path.join(ROOT, "include"), "-I", os.path.join(ROOT, "services"), path]))

    def cmake(self, block):
        """Configures the project with a stand-in for the installed package and with empty sources."""
        source, text = os.path.join(self.folder, f"cmake_{block.context}_{block.line}"), block.text
        os.mkdir(source)
        if block.kind == "project":
            text = "cmake_minimum_required(VERSION 3.25)\nproject(example LANGUAGES CXX)\nfind_package(Takt REQUIRED)\n" + text
            if "PRIVATE" in text:
                text = re.sub(r"^(?=target_link_libraries\((\w+) )", r"if(NOT TARGET \1)\nadd_executable(\1 empty.cpp)\nendif()\n",
                              text, count=1, flags=re.MULTILINE)
            write(source, "empty.cpp", "int main() {}\n")
        write(source, "CMakeLists.txt", text)
        for name in re.findall(r"[\w/]+\.(?:cpp|cc|idl|toml|txt)\b", text):
            os.makedirs(os.path.dirname(os.path.join(source, name)), exist_ok=True)
            if name != "CMakeLists.txt":
                write(source, name, "")
        self.complain(block.where(), run([self.tools.cmake, "-S", source, "-B", source + "/build", "-D", f"TAKT_SOURCE={ROOT}",
                                          "-D", f"CMAKE_CXX_COMPILER={self.tools.compiler}", "-Wno-dev",
                                          "-D", f"Takt_DIR={os.path.join(ROOT, 'tests', 'docs', 'cmake')}"]))

    def toml(self, block):
        path = write(self.folder, f"{block.context}_{block.line}.toml", "\n" * (block.line - 1) + block.text)
        self.complain(block.where(), run([self.tools.takt, "options", "--config", path]))

    def check(self, blocks):
        compiled = []
        for block in blocks:
            known = {"cpp": block.kind in CXX_KINDS and (block.kind == "members") == bool(block.base),
                     "cmake": block.kind in ("file", "project"), "toml": block.kind == "file", "idl": bool(block.kind)}
            if known[block.language]:
                compiled.append(block)
            elif not block.skipped:
                self.complain(block.where(), f"a block of {block.language} without a comment that says how it is compiled, or why not")
        for block in compiled:
            if block.language == "idl":
                self.idl(block)
        cxx = [block for block in compiled if block.language == "cpp" and block.kind != "file"]
        self.generate_for_contexts({block.context for block in cxx})
        for context in sorted({block.context for block in cxx}):
            self.cxx(context, [block for block in cxx if block.context == context])
        for block in compiled:
            if block.language == "cpp" and block.kind == "file":
                self.cxx_file(block)
            elif block.language in ("cmake", "toml"):
                getattr(self, block.language)(block)
        return len(compiled), sum(block.skipped for block in blocks)


SELF_TEST = [  # (text of a page, what a complaint contains)
    ("<!-- code: statements -->\n```cpp\nint i = 1;\n```\n", None),
    ("<!-- code: statements -->\n```cpp\nint i = j;\n```\n", "page.md:3"),
    ("<!-- code: declarations -->\n```cpp\nint f();\nint g() { return f(1); }\n```\n", "page.md:4"),
    ("<!-- code: members of std::exception -->\n```cpp\nconst char* what() const noexcept override;\n```\n", None),
    ("<!-- code: members of std::exception -->\n```cpp\nint what() const noexcept override;\n```\n", "page.md:3"),
    ("<!-- code: file -->\n```cpp\n#include <takt/none.h>\n```\n", "takt/none.h"),
    ("text\n```cpp\nint i;\n```\n", "without a comment"),
    ("<!-- not compiled: another ORB's -->\n```cpp\nint i = j;\n```\n", None),
    ("text\n```idl\ninterface A {};\n```\n", None),
    ("text\n```idl\ninterface A { void f(in B b); };\n```\n", "B"),
    ("<!-- code: a -->\n```idl\ninterface A {};\n```\n<!-- code: declarations -->\n```cpp\n#include \"aS.h\"\n"
     "struct B : CORBA::servant_traits<A>::base_type {};\n```\n", None),
    ("<!-- code: file -->\n```toml\nConnectTimeout = \"2s\"\n```\n", None),
    ("<!-- code: file -->\n```toml\nConectTimeout = \"2s\"\n```\n", "ConnectTimeout"),
    ("<!-- code: project -->\n```cmake\ntakt_add_idl(a_idl FILES a.idl)\ntarget_link_libraries(b PRIVATE a_idl)\n```\n", None),
    ("<!-- code: project -->\n```cmake\ntakt_add_idl(a_idl a.idl)\n```\n", "FILES"),
    ("1. text\n\n   <!-- code: statements -->\n   ```cpp\n   int i = j;\n   ```\n", "page.md:5"),
]


def check_pages(tools, pages):
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(tools, folder, os.path.join(ROOT, "tests", "docs", "contexts"))
        done, skipped = checker.check([block for page, text in pages for block in blocks_of(page, text)])
        return checker.complaints, done, skipped


def self_test(tools):
    failures = 0
    for text, wanted in SELF_TEST:
        complaints, _, _ = check_pages(tools, [("page.md", text)])
        if (wanted is None) != (not complaints) or (wanted and not any(wanted in line for line in complaints)):
            print(f"self-test: expected {wanted!r} of\n{text}found {complaints}")
            failures += 1
    print(f"self-test: {len(SELF_TEST) - failures} of {len(SELF_TEST)} passed")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in ("idl", "takt", "compiler", "cmake"):
        parser.add_argument(f"--{tool}", required=True)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("pages", nargs="*", help="default: README.md and all of docs/user")
    tools = parser.parse_args()
    if tools.self_test:
        return self_test(tools) != 0
    folder = os.path.join(ROOT, "docs", "user")
    paths = tools.pages or ["README.md", *sorted(f"docs/user/{name}" for name in os.listdir(folder) if name.endswith(".md"))]
    pages = []
    for path in paths:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            pages.append((path, file.read()))
    complaints, done, skipped = check_pages(tools, pages)
    for line in complaints:
        print(line)
    print(f"{done} blocks compiled, {skipped} not compiled for a stated reason, {len(complaints)} complaint(s)")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
