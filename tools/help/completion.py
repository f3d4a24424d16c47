#!/usr/bin/env python3
"""completion.py [--check] TAKT TAKT_IDL TAKT_IDTABLE FOLDER: writes completion of Takt's commands for bash and zsh to FOLDER, from
what they say in answer to --help. With --check it writes nothing, and fails if a file differs."""

import sys

sys.dont_write_bytecode = True

from files import write_or_check  # noqa: E402
from program_help import Help  # noqa: E402


class Command:
    """A program or a subcommand at any depth: `words` as typed after the program, and its Help."""

    def __init__(self, program, *words):
        self.words, self.help = " ".join(words), Help(program, *words)
        self.below = [command for name in self.help.commands if name != "help" for command in commands(program, *words, name)]

    @property
    def next_words(self):
        options = [name for option in self.help.options for name in option.names if name.startswith("--") or len(option.names) == 1]
        return self.help.commands + options

    def meanings(self):
        return [*self.help.sections.get("Subcommands", []),
                *((name, option.meaning) for option in self.help.options for name in option.names if name in self.next_words)]

    def choices(self):
        return [(f"{self.words} {name}".strip(), option.choices)
                for option in self.help.options if option.choices for name in option.names]


def commands(program, *words):
    command = Command(program, *words)
    return [command, *command.below]


def case_of(patterns):
    return " | ".join(f'"{pattern}"' for pattern in patterns)


def bash(name, program):
    all_commands = commands(program)
    lines = [f"# Completion of {name} for bash. Made by tools/help/completion.py.", f"_{name.replace('-', '_')}() {{",
             "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= word words=",
             '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do']
    if len(all_commands) > 1:
        lines += ['    case "${command:+$command }$word" in',
                  f'      {case_of(each.words for each in all_commands[1:])}) command="${{command:+$command }}$word" ;;', "    esac"]
    else:
        lines.append("    : \"$word\"")
    lines += ["  done", '  case "${command:+$command }$previous" in']
    for each in all_commands:
        lines += [f'    "{words}") words="{" ".join(choices)}" ;;' for words, choices in each.choices()]
    lines += ["    *)", '      case "$command" in']
    lines += [f'        "{each.words}") words="{" ".join(each.next_words)}" ;;' for each in all_commands]
    lines += ["      esac", "      ;;", "  esac", '  COMPREPLY=($(compgen -W "$words" -- "$current"))', "}",
              f"complete -o default -F _{name.replace('-', '_')} {name}"]
    return "\n".join(lines) + "\n"


def zsh_entry(word, meaning):
    return "'" + (word + ":" + meaning).replace("'", "'\\''") + "'"


def zsh(name, program):
    all_commands = commands(program)
    lines = [f"#compdef {name}", f"# Completion of {name} for zsh. Made by tools/help/completion.py.",
             "local command= word", "local -a entries", "for word in ${words[2,CURRENT-1]}; do"]
    if len(all_commands) > 1:
        lines += ['  case "${command:+$command }$word" in',
                  f'    ({case_of(each.words for each in all_commands[1:])}) command="${{command:+$command }}$word" ;;', "  esac"]
    else:
        lines.append("  : $word")
    lines += ["done", 'case "${command:+$command }${words[CURRENT-1]}" in']
    for each in all_commands:
        lines += [f'  ("{words}") entries=({" ".join(choices)}) ;;' for words, choices in each.choices()]
    lines += ["  (*)", '    case "$command" in']
    for each in all_commands:
        lines += [f'      ("{each.words}") entries=(', *("        " + zsh_entry(*entry) for entry in each.meanings()), "      ) ;;"]
    lines += ["    esac", "    ;;", "esac", f"_describe {name} entries || _files"]
    return "\n".join(lines) + "\n"


def completions(*programs):
    for name, program in zip(("takt", "takt-idl", "takt-idtable"), programs):
        yield name, bash(name, program)
        yield "_" + name, zsh(name, program)


if __name__ == "__main__":
    sys.exit(write_or_check(sys.argv[1:], "tools/help/completion.py", lambda *programs: dict(completions(*programs))))
