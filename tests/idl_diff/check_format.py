#!/usr/bin/env python3
"""Formatting IDL is idempotent, and formatted IDL has the same meaning: for all available IDL.

usage: check_format.py TAKT TAKT_IDL ROOT

Takes the IDL files below ROOT, except in build trees, and those of /usr/share/idl. Files that takt-idl refuses are
left out of the comparison of models only.
"""
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 30  # a watchdog, not a measure
TAKT, TAKT_IDL, ROOT = sys.argv[1:4]
REFUSED = {"tests/idl/bad/" + name for name in
           ("lexer_unterminated_string.idl", "comment_open.idl", "included/open_comment.idl")}  # cannot be split into tokens


def files():
    for root in (pathlib.Path(ROOT), pathlib.Path("/usr/share/idl")):
        for path in sorted(root.rglob("*")):
            below = path.relative_to(root)
            if path.suffix in (".idl", ".pidl") and below.parts[0] not in ("build", "out") and path.is_file():
                yield path, str(below)


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, timeout=SECONDS, check=False)


def model(path, folder):
    dumped = run(TAKT_IDL, "--dump", "json", "-I", str(folder), "-I", "/usr/share/idl/omniORB", str(path))
    return dumped.stdout if dumped.returncode == 0 else None


def complaint(path, scratch, style):
    """The error in the file's formatted text, and whether its model was compared."""
    once = run(TAKT, "idl", "format", *style, "-", text=path.read_bytes())
    if once.returncode != 0:
        return "is refused: " + once.stderr.decode(errors="replace"), False
    if run(TAKT, "idl", "format", *style, "-", text=once.stdout).stdout != once.stdout:
        return "changes when it is formatted again", False
    before = model(path, path.parent)
    if before is None:
        return None, False
    copy = scratch / path.name
    copy.write_bytes(once.stdout)
    after = model(copy, path.parent)
    copy.unlink()
    return (None if after == before else "means something else"), True


def is_quick():
    """An annotation of many lines needs time in proportion; in proportion to their square, the watchdog ends it."""
    text = b"@a(" + b"1,\n" * 200_000 + b"1) typedef long A;\n"
    return run(TAKT, "idl", "format", "-", text=text).returncode == 0


def main():
    complaints, seen, compared = [], 0, 0
    if not is_quick():
        complaints.append("an annotation of many lines is refused")
    with tempfile.TemporaryDirectory() as scratch:
        for path, name in files():
            wrong, has_model = complaint(path, pathlib.Path(scratch), [])
            seen += 1
            compared += has_model
            if bool(wrong) != (name in REFUSED):
                complaints.append(f"{path}: {wrong or 'is no longer refused'}")
            elif not wrong and seen % 8 == 0:
                narrow, _ = complaint(path, pathlib.Path(scratch), ["--indent", "4", "--width", "60"])
                if narrow:
                    complaints.append(f"{path}, narrow: {narrow}")
    print(f"{seen} files, of {compared} the models compared")
    if compared < 300:
        complaints.append("that is too few: is takt-idl broken?")
    print(*complaints, sep="\n")
    return 1 if complaints else 0


sys.exit(main())
