#!/usr/bin/env python3
"""man.py [--check] TAKT TAKT_IDL TAKT_IDTABLE FOLDER: writes the manual pages of Takt's programs to FOLDER, from what they say in
answer to --help and from additions.py. With --check it writes nothing, and fails if a page differs."""

import re
import sys

sys.dont_write_bytecode = True

from additions import EXAMPLES, EXIT_STATUS, NAMES, see_also  # noqa: E402
from files import write_or_check  # noqa: E402
from program_help import Help, Term, answer  # noqa: E402


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def sentence(text, aside=""):
    if re.match(r"[a-z]+ ", text):  # a word, and not the name of something
        text = text[0].upper() + text[1:]
    if text and text[-1] not in ".?!":
        text += "."
    return escaped(text + (f" ({aside})" if aside else ""))


def terms(entries):
    lines = []
    for term in (Term(*entry) for entry in entries):
        head = ", ".join(f"\\fB{escaped(name)}\\fR" for name in term.names) + (f" \\fI{escaped(term.kind)}\\fR" if term.kind else "")
        lines += [".TP", head, sentence(term.meaning, term.limits)]
    return lines


def description(said):
    lines = [".SH DESCRIPTION", sentence(said.meaning)]
    for line in said.footer:
        lines += [".PP", sentence(line)]
    if "Positionals" in said.sections:
        lines += [".SH ARGUMENTS", *terms(said.sections["Positionals"])]
    if said.commands:
        lines.append(".SH COMMANDS")
        for name, text in said.sections["Subcommands"]:
            lines += [".TP", f"\\fB{escaped(name)}\\fR", sentence(text)]
    return lines + [".SH OPTIONS", *terms(said.sections["Options"])]


def synopsis(command, arguments):
    return f"\\fB{escaped(command)}\\fR [\\fIoptions\\fR] {escaped(arguments)}".strip()


def nested(program, words):
    """A section for each subcommand of a subcommand; these have no page of their own."""
    lines = []
    for name in Help(program, *words[1:]).commands:
        command, said = " ".join([*words, name]), Help(program, *words[1:], name)
        lines += [f".SH {escaped(command.upper())}", synopsis(command, said.arguments), ".PP", sentence(said.meaning)]
        for line in said.footer:
            lines += [".PP", sentence(line)]
        lines += [*terms(said.sections.get("Positionals", [])),
                  *terms(entry for entry in said.sections["Options"] if not entry[0].startswith("-h"))]
    return lines


def page(program, words, version):
    name, said = "-".join(words), Help(program, *words[1:])
    lines = [f'.TH {name.upper()} 1 "" "Takt {version}" "Takt"', ".SH NAME", f"{escaped(name)} \\- {escaped(NAMES[name])}",
             ".SH SYNOPSIS", synopsis(" ".join(words), said.arguments), *description(said)]
    if len(words) > 1:
        lines += nested(program, words)
    lines.append(".SH EXIT STATUS")
    for status, text in EXIT_STATUS.get(name, EXIT_STATUS["takt"]):
        lines += [".TP", f"\\fB{status}\\fR", sentence(text)]
    lines.append(".SH EXAMPLES")
    for text, line in EXAMPLES[name]:
        lines += [".PP", sentence(text), ".PP", ".nf", ".RS", escaped(line), ".RE", ".fi"]
    others = [f"\\fB{escaped(other)}\\fR(1)" for other in see_also(name)]
    lines += [".SH SEE ALSO", ", ".join(others) + ".", ".PP",
              "The documents of Takt, docs/user/options.md among them, are in the package takt\\-doc."]
    return name + ".1", "\n".join(lines) + "\n"


def pages(takt, takt_idl, takt_idtable):
    version = answer(takt, "--version").split()[-1]
    yield page(takt, ["takt"], version)
    for command in Help(takt).commands:
        if command == "idl":  # takt-idl is the page of the compiler
            for name in Help(takt, "idl").commands:
                yield page(takt, ["takt", "idl", name], version)
        elif command != "help":
            yield page(takt, ["takt", command], version)
    yield page(takt_idl, ["takt-idl"], version)
    yield page(takt_idtable, ["takt-idtable"], version)


if __name__ == "__main__":
    sys.exit(write_or_check(sys.argv[1:], "tools/help/man.py", lambda *programs: dict(pages(*programs))))
