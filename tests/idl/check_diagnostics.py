#!/usr/bin/env python3
"""Compiles every bad/NAME.idl and compares takt-idl's messages with bad/NAME.err; every good/NAME.idl must pass.
Every outdated/NAME.idl passes with the warnings of outdated/NAME.err, and fails with the same as errors if strict.

usage: check_diagnostics.py TAKT_IDL FOLDER [--update]

--update writes the .err files instead; review the difference before you keep it.
"""
import pathlib
import subprocess
import sys

SECONDS = 20  # a watchdog, not a measure


def run(compiler, file, *options):
    done = subprocess.run([compiler, "-I.", *options, file.name], cwd=file.parent, capture_output=True, timeout=SECONDS)
    return done.returncode, done.stderr.decode("utf-8", "replace"), done.stdout.decode("utf-8", "replace")


def check_bad(compiler, folder, update):
    failures = 0
    for file in sorted(folder.glob("*.idl")):
        status, errors, _ = run(compiler, file, "--check")
        expected = file.with_suffix(".err")
        if update:
            expected.write_text(errors)
        elif status != 1 or errors != expected.read_text():
            failures += 1
            print(f"{file}: status {status}, expected 1; said\n{errors}\nexpected\n{expected.read_text()}")
    return failures


def check_good(compiler, folder):
    failures = 0
    for file in sorted(folder.glob("*.idl")):
        status, errors, _ = run(compiler, file, "--check")
        if status != 0 or errors:
            failures += 1
            print(f"{file}: status {status}, expected 0; said\n{errors}")
    return failures


def check_outdated(compiler, folder, update):
    failures = 0
    for file in sorted(folder.glob("*.idl")):
        status, warnings, _ = run(compiler, file, "--check")
        expected = file.with_suffix(".err")
        if update:
            expected.write_text(warnings)
        strict, errors, _ = run(compiler, file, "--check", "--strict")
        count = warnings.count(": warning: ")
        total = f"takt-idl: {file.name}: {count} error{'' if count == 1 else 's'}\n"
        if status != 0 or not count or warnings != expected.read_text():
            failures += 1
            print(f"{file}: status {status}, expected 0; said\n{warnings}\nexpected\n{expected.read_text()}")
        if strict != 1 or errors != warnings.replace(": warning: ", ": error: ") + total:
            failures += 1
            print(f"{file}: --strict: status {strict}, expected 1; said\n{errors}")
    return failures


def check_dumps(compiler, folder, update):
    failures = 0
    for file in sorted(folder.glob("*.idl")):
        status, errors, model = run(compiler, file, "--dump", "json")
        expected = file.with_suffix(".json")
        if update:
            expected.write_text(model)
        elif status != 0 or model != expected.read_text():
            failures += 1
            print(f"{file}: status {status}; the model differs from {expected}; said\n{errors}{model}")
    return failures


def main():
    compiler, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    update = "--update" in sys.argv
    failures = check_bad(compiler, folder / "bad", update)
    failures += check_good(compiler, folder / "good")
    failures += check_outdated(compiler, folder / "outdated", update)
    failures += check_dumps(compiler, folder / "dump", update)
    counts = {part: len(list((folder / part).glob("*.idl"))) for part in ("bad", "good", "outdated", "dump")}
    print(f"{counts['bad']} bad, {counts['good']} good, {counts['outdated']} outdated, {counts['dump']} dumps, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
