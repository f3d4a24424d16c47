"""Writes or checks the files that the programs of this folder make."""

import os


def write_or_check(arguments, writer, make):
    """`arguments` are [--check] PROGRAM... FOLDER, and `make(PROGRAM...)` gives texts by file name. Writes them to FOLDER; with
    --check, says which files differ from them or are not among them. Returns the exit status."""
    check = arguments[:1] == ["--check"]
    *programs, folder = arguments[check:]
    made = make(*programs)
    if not check:
        for name, text in made.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
    stale = [name for name, text in made.items() if content(os.path.join(folder, name)) != text]
    stale += sorted(set(os.listdir(folder)) - set(made))
    for name in stale:
        print(f"{os.path.join(folder, name)}: differs from what the programs say; {writer} writes it")
    return 1 if stale else 0


def content(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()
