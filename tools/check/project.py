"""Shared by the checks: the list of project files, reporting, and self-tests."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = (".h", ".cpp")


def files(root):
    """Paths relative to `root` of files that are or could be committed."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "-co", "--exclude-standard"],
                                capture_output=True, check=True, text=True)
        paths = listed.stdout.split("\0")
        if any(paths):
            return sorted(path for path in set(paths) if os.path.isfile(os.path.join(root, path)))
    except (OSError, subprocess.CalledProcessError):
        pass
    return sorted(os.path.relpath(os.path.join(folder, name), root)
                  for folder, folders, names in os.walk(root) for name in names
                  if not _skip(folder, folders))


def _skip(folder, folders):
    folders[:] = [name for name in folders if name not in (".git", "build", "__pycache__")]
    return os.path.basename(folder) in (".git", "__pycache__")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def without_comments(text):
    """The text of a C++ source without comments, literals and preprocessor lines; all lines stay."""
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])  # noqa: E731
    text = re.sub(r"//[^\n]*|/\*.*?\*/|R\"\((?:.*?)\)\"|\"(?:\\.|[^\"\\\n])*\"|(?<![\w])'(?:\\.|[^'\\\n])+'", blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def run(check, fixtures, describe, arguments=None):
    """The main program of a check.

    `check(root, options)` returns the complaints, a list of lines. `fixtures` is a list of (name, {path: text},
    wanted): a small project that must be refused with a complaint that contains `wanted`, or accepted if that is
    None.
    """
    parser = argparse.ArgumentParser(description=describe)
    parser.add_argument("--self-test", action="store_true", help="check that the check can fail")
    parser.add_argument("--root", default=ROOT, help="the project to check (default: this one)")
    if arguments:
        arguments(parser)
    options = parser.parse_args()
    if options.self_test:
        sys.exit(self_test(check, fixtures, options))
    complaints = check(options.root, options)
    for line in complaints:
        print(line)
    name = os.path.basename(sys.argv[0])
    print(f"{name}: {len(complaints)} complaint(s)" if complaints else f"{name}: ok")
    sys.exit(1 if complaints else 0)


def self_test(check, fixtures, options):
    failures = 0
    for name, tree, wanted in fixtures:
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            complaints = check(root, options)
        good = any(wanted in line for line in complaints) if wanted else not complaints
        failures += not good
        verdict = "ok" if good else f"FAILED: wanted {wanted!r}, got {complaints}"
        print(f"{name}: {verdict}")
    return 1 if failures else 0
