"""completion_test.py FOLDER: what bash and zsh propose after words of Takt's commands, by the files of docs/completion."""

import os
import shutil
import subprocess
import sys
import unittest

FOLDER = sys.argv[1]


def output(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    if result.returncode != 0 or result.stderr:
        raise AssertionError(f"exit status {result.returncode} of {command}\n{result.stdout}{result.stderr}")
    return result.stdout.splitlines()


class Bash:
    """The words that bash proposes in place of the last one, `words`[-1]."""

    @staticmethod
    def proposals(*words):
        function = "_" + words[0].replace("-", "_")
        script = f'source "{os.path.join(FOLDER, words[0])}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); {function}; ' \
                 'printf "%s\\n" "${COMPREPLY[@]}"'
        return [line for line in output("bash", "-euc", script, "bash", *words) if line]


class Zsh:
    """The words that zsh proposes, before zsh itself selects those that begin with the word."""

    @staticmethod
    def proposals(*words):
        script = f'_describe() {{ print -rl -- "${{(@P)2}}"; }}; _files() {{ print files; }}; _run() {{ ' \
                 f'source "{os.path.join(FOLDER, "_" + words[0])}"; }}; words=("$@"); CURRENT=$#; _run'
        entries = (line.split(":", 1)[0] for line in output("zsh", "-fc", script, "zsh", *words))
        return [entry for entry in entries if entry.startswith(words[-1])]


class Proposals:
    """Tests of one shell, SHELL."""

    def test_subcommands(self):
        self.assertEqual(self.SHELL.proposals("takt", "sch"), ["schedule"])
        self.assertEqual(self.SHELL.proposals("takt", "idl", "d"), ["diff"])
        self.assertIn("ping", self.SHELL.proposals("takt", ""))

    def test_options_of_the_subcommand(self):
        self.assertEqual(self.SHELL.proposals("takt", "ping", "--re"), ["--ready"])
        self.assertEqual(self.SHELL.proposals("takt", "schedule", "page", "--ti"), ["--title"])

    def test_options_after_arguments(self):
        self.assertEqual(self.SHELL.proposals("takt", "ior", "--json", "hello.ior", "--do"), ["--doctor"])

    def test_values_of_an_option_that_has_a_few(self):
        self.assertEqual(self.SHELL.proposals("takt", "idl", "diff", "--format", "j"), ["json", "junit"])

    def test_after_help(self):
        self.assertEqual(self.SHELL.proposals("takt", "help", "schedule", "an"), ["analyse"])

    def test_programs_without_subcommands(self):
        self.assertEqual(self.SHELL.proposals("takt-idl", "hello.idl", "--depf"), ["--depfile"])
        self.assertEqual(self.SHELL.proposals("takt-idtable", "--na"), ["--name"])


class InBash(Proposals, unittest.TestCase):
    SHELL = Bash


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class InZsh(Proposals, unittest.TestCase):
    SHELL = Zsh


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
