"""Parses the --help output of Takt's programs, for manual pages and completion."""

import re
import subprocess


def answer(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


class Help:
    """One answer: `meaning`, `arguments` (what follows the options), `footer`, and a list of [term, text] for each of `sections`."""

    def __init__(self, program, *words):
        lines = answer(program, *words, "--help").splitlines()
        self.sections, self.footer, section = {}, [], None
        usage = next(line for line in lines if line.startswith("Usage: "))
        self.meaning = next(line for line in lines if line and not line.startswith(" "))
        self.arguments = usage.split("[OPTIONS]", 1)[1].strip()
        for line in lines[lines.index(usage) + 1:]:
            if re.fullmatch(r"[A-Z]\w+:", line):
                section = self.sections.setdefault(line[:-1], [])
            elif line.startswith(" " * 20) and section:
                section[-1][1] = (section[-1][1] + " " + line.strip()).strip()
            elif line.startswith("  ") and section is not None:
                term, _, text = line.strip().partition("  ")
                section.append([term, text.strip()])
            elif line:
                self.footer.append(line)

    @property
    def commands(self):
        return [term for term, _ in self.sections.get("Subcommands", [])]

    @property
    def options(self):
        return [Term(*entry) for entry in self.sections.get("Options", [])]


class Term:
    """An option or an argument, as in `-o,--output TEXT=-`: its `names`, the `kind` of its value (empty without one), its
    `choices`, its `meaning`, and what else there is to say, `limits`."""

    def __init__(self, term, text):
        names, _, form = term.partition(" ")
        self.names, self.meaning = names.split("{")[0].split(","), text
        default = re.search(r"=(\S+)$", form)
        form = form[:default.start()] if default else form
        between = re.search(r":\w+ in \[(.*?) - (.*?)\]", form)
        choices = re.search(r":\{(.*)\}", form)
        self.kind = re.split(r"[: ]", form)[0]
        self.choices = choices[1].split(",") if choices else []
        limits = [f"from {between[1]} to {between[2]}" if between else "",
                  "one of " + ", ".join(self.choices) if choices else "",
                  "default " + default[1] if default else "",
                  "required" if " REQUIRED" in form else "",
                  "may be several" if "..." in form else ""]
        self.limits = ", ".join(said for said in limits if said)
