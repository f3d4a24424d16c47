#!/usr/bin/env python3
"""commands.py --prefix PREFIX --build BUILD [PAGE...]: runs the commands in README.md and docs/user, each page in order, in an empty
folder, as a reader would who has nothing but an installed Takt. commands.py --script PAGE prints the page as a program of bash.

A block of commands is indented, or fenced as `sh` or without a language. The line above it has a comment:

    <!-- commands: run -->                   each command must end with status 0
    <!-- commands: serve -->                 each command goes on until the page ends; the next one begins once it listens
    <!-- commands: serve N -->               the first N go on, the others run
    <!-- commands: not run: REASON -->
    <!-- no commands: REASON -->             a block that is something else, such as the text that a program prints

After `run` or `serve`, these may follow, after commas:

    instead              ends the commands that go on since earlier blocks
    exits with N         the status of the last command
    after NAME           calls the shell function NAME of the page's world first
    in a fresh Debian    only with --script: the command changes the machine, or compiles Takt

In a block with the prompt `$ ` the other lines are expected output, in which numbers may differ, and a line or an end of a line `...`
stands for any text. A command that ends with `&` goes on, too.

tests/docs/worlds/PAGE.sh is sourced first. It makes what the page assumes, such as the reader's own ./server. The home folder has Takt in
~/takt. Networks, processes and the folders of the system that a page may write to are the page's own, for which Linux must permit
namespaces; exit status 77 says that it does not."""

import argparse
import dataclasses
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests", "docs")
MARKER = re.compile(r"<!-- (?:commands: (?P<kind>run|serve)(?: (?P<number>\d+))?(?P<more>(?:, [\w ]+)*)|"
                    r"commands: not run: (?P<why>.+)|no commands: (?P<what>.+)) -->")
ADDITION = re.compile(r"instead|exits with (?P<status>\d+)|after (?P<function>\w+)|in a (?P<fresh>fresh Debian)")
COMMANDS = ("", "sh")  # what the fence of such a block says
PATIENCE_S = 150
OWN_FOLDERS = ("/run", "/srv", "/var/lib", "/var/log")  # those of the system that a page may write to


class Wrong(Exception):
    """A page that cannot be run."""


@dataclasses.dataclass
class Command:
    line: int
    text: str
    expected: str | None = None


@dataclasses.dataclass
class Block:
    where: str
    line: int
    text: str
    marker: str

    def __post_init__(self):
        found = MARKER.fullmatch(self.marker.strip())
        if not found:
            raise Wrong(f"{self.where}: a block without a comment that says how its commands are run, or why not")
        self.kind, self.skipped = found["kind"], bool(found["why"])
        additions = [ADDITION.fullmatch(each) for each in (found["more"] or "").split(", ")[1:]]
        if None in additions:
            raise Wrong(f"{self.where}: cannot read '{self.marker.strip()}'")
        self.instead = any(each[0] == "instead" for each in additions)
        self.status, self.function, self.fresh = (next((each[name] for each in additions if each[name]), None)
                                                  for name in ("status", "function", "fresh"))
        self.served = int(found["number"] or 10 ** 6) if self.kind == "serve" else 0

    def commands(self):
        """With what each is expected to print, in a block with prompts."""
        found, prompts = [], self.text.startswith("$ ")
        for number, line in enumerate(self.text.splitlines(), self.line):
            if found and found[-1].expected is None and found[-1].text.endswith("\\"):
                found[-1].text += "\n" + line
            elif prompts and not line.startswith("$ "):
                found[-1].expected = (found[-1].expected or "") + line + "\n"
            elif line.strip():
                found.append(Command(number, line.removeprefix("$ ")))
        return found


def blocks_of(page, text):
    """Blocks of commands of a page in Markdown, in order."""
    lines, number = text.splitlines(), 0
    while number < len(lines):
        line, begin = lines[number], number
        if fence := re.match(r"( *)```(\w*)", line):
            number += 1
            while not re.match(r" *```\s*$", lines[number]):
                number += 1
            body = [each.removeprefix(fence[1]) for each in lines[begin + 1:number]]
            if fence[2] in COMMANDS:
                yield Block(f"{page}:{begin + 1}", begin + 2, "\n".join(body) + "\n", lines[begin - 1])
        elif line.startswith("    ") and line.strip() and re.match(r"(<!--.*|\s*)$", lines[begin - 1] if begin else ""):
            while number + 1 < len(lines) and (lines[number + 1].startswith("    ") or not lines[number + 1].strip()):
                number += 1
            body = "\n".join(each[4:] for each in lines[begin:number + 1]).rstrip()
            yield Block(f"{page}:{begin + 1}", begin + 1, body + "\n", lines[begin - 1] if begin else "")
        number += 1


PRELUDE = r"""
set -u
fail() { echo "$1: $2"; [ ! -f "$out/$1" ] || tail -n 20 "$out/$1"; exit 1; }
finish() { [ "$2" = "$3" ] || fail "$1" "exit status $2 instead of $3"; }
listening() { cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | awk '$4 == "0A" { print $10 }'
              cat /proc/net/udp /proc/net/udp6 2> /dev/null | awk '$10 ~ /^[0-9]+$/ { print "u" $10 }'
              awk '$4 == "00010000" { print $7 }' /proc/net/unix; }
served=
# ready PID LINE FILE: until it listens at all its places, and has written to FILE
ready() {
  served="$served $1"
  for try in $(seq 600); do
    now=$(listening)
    if ! kill -0 "$1" 2> /dev/null; then wait "$1" && return 0; fail "$2" 'it has ended'; fi
    if [ "$now" != "$before" ] && [ "$now" = "${last-}" ] && { [ -z "$3" ] || [ -s "$3" ]; }; then return 0; fi
    last=$now
    sleep 0.1
  done
  fail "$2" 'it does not listen'
}
end_served() { for each in $served; do kill "$each" 2> /dev/null; wait "$each"; done; served=; }
trap 'end_served > /dev/null 2>&1' EXIT
sudo() { "$@"; }
"""


def script_of(page, blocks, fresh):
    """A program of bash that runs the blocks; a command of line N prints to the file N in the folder $out."""
    worlds = [name + ".sh" for name in ("common", os.path.basename(page).removesuffix(".md").lower())]
    parts = [PRELUDE, *(f'. "$SOURCE/tests/docs/worlds/{name}" || fail 0 {name}\n' for name in worlds
                        if os.path.exists(os.path.join(HERE, "worlds", name)))]
    for block in blocks:
        if not block.kind or (block.fresh and not fresh):
            continue
        if block.instead:
            parts.append("end_served\n")
        if block.function:
            parts.append(f"{block.function} > $out/{block.line} 2>&1 || fail {block.line} {block.function}\n")
        commands = block.commands()
        for index, command in enumerate(commands):
            wanted = (block.status or "0") if index + 1 == len(commands) else "0"
            if goes_on := index < block.served:
                command.text += " &"
            goes_on = goes_on or command.text.endswith("&")
            written = re.search(r" > (\S+) &$", command.text)
            parts.append("before=$(listening); last=\n" if goes_on else "")
            parts.append(f"{{ {command.text}\n}} > $out/{command.line} 2>&1\n")
            parts.append(f"ready $! {command.line} '{written[1] if written else ''}'\n" if goes_on else
                         f"finish {command.line} $? {wanted}\n")
    parts.append("echo > $out/all\n")
    return "".join(parts)


def plain(text):
    """Without what differs from run to run: numbers, units of time, the width of columns."""
    text = re.sub(r"\b[0-9a-f]{16,}\b|\d[\d.,:]*", "#", text)
    return [" ".join(re.sub(r"# ?(ns|us|ms|s|min|h)\b", "# T", line).split()) for line in text.splitlines()]


def differs(expected, printed):
    """A description of the difference, or None."""
    pattern = ""
    for line in plain(expected):
        pattern += r"(?:.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
    if re.fullmatch(pattern, "".join(line + "\n" for line in plain(printed))):
        return None
    return f"the page says\n{expected}and the command prints\n{printed}"


class Reader:
    """Runs pages; `complaints` collects the failures."""

    def __init__(self, options):
        self.options, self.complaints, self.counts = options, [], {"run": 0, "skipped": 0}

    def namespaces(self):
        own = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        return own if os.geteuid() == 0 else [*own, "--map-root-user"]

    def shell(self, script, folder, out):
        """Runs bash with an environment that has nothing of the caller's."""
        home = os.path.join(folder, "home")
        os.makedirs(home)
        os.symlink(self.options.prefix, os.path.join(home, "takt"))
        needed = (ROOT, self.options.build, self.options.prefix)
        own = [path for path in OWN_FOLDERS if not any(each.startswith(path + "/") for each in needed)]
        script = "ip link set lo up\n" + "".join(f"mount -t tmpfs own {path}\n" for path in own) + script
        environment = {"HOME": home, "PATH": f"{home}/takt/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TZ": "UTC", "out": out,
                       "SOURCE": ROOT, "BUILD": self.options.build, "CXX": self.options.compiler}
        work = os.path.join(folder, "work")
        os.makedirs(work)
        try:
            return subprocess.run([*self.namespaces(), "bash", "-c", script], cwd=work, env=environment, timeout=PATIENCE_S, check=False,
                                  text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(late.cmd, 1, f"not done after {PATIENCE_S} s; {sorted(os.listdir(out))} have begun\n")

    def read(self, page, text):
        blocks = list(blocks_of(page, text))
        with tempfile.TemporaryDirectory(prefix="takt-page-") as folder:
            out = os.path.join(folder, "out")
            os.mkdir(out)
            done = self.shell(script_of(page, blocks, False), folder, out)
            if done.returncode:
                self.complaints.append(f"{page}:{done.stdout.strip() or done.returncode}")
            elif not os.path.exists(os.path.join(out, "all")):
                self.complaints.append(f"{page}:{max(map(int, os.listdir(out)))}: it ended the page")
            for command in (command for block in blocks if block.kind for command in block.commands()):
                path = os.path.join(out, str(command.line))
                if not os.path.exists(path):
                    continue
                self.counts["run"] += 1
                with open(path, encoding="utf-8", errors="replace") as file:
                    if command.expected is not None and not done.returncode and (wrong := differs(command.expected, file.read())):
                        self.complaints.append(f"{page}:{command.line}: {wrong}")
        self.counts["skipped"] += sum(block.skipped for block in blocks)

    def read_all(self, pages):
        for page, text in pages:
            try:
                self.read(page, text)
            except Wrong as wrong:
                self.complaints.append(str(wrong))


SELF_TEST = [  # (text of a page, what a complaint contains)
    ("<!-- commands: run -->\n    true\n", None),
    ("<!-- commands: run -->\n    true\n    false\n", "page.md:3: exit status 1"),
    ("text\n\n    true\n", "page.md:3: a block without a comment"),
    ("text\n```sh\ntrue\n```\n", "page.md:2: a block without a comment"),
    ("```cpp\nint i;\n```\n", None),
    ("- a list\n  with a line\n", None),
    ("<!-- commands: not run: it takes a day -->\n    false\n", None),
    ("<!-- no commands: output -->\n```\nfalse\n```\n", None),
    ("<!-- commands: run, exits with 3 -->\n    true\n    (exit 3)\n", None),
    ("<!-- commands: run, exits with 3 -->\n    true\n", "instead of 3"),
    ("<!-- commands: run, somehow -->\n    true\n", "cannot read"),
    ("<!-- commands: run, after absent -->\n    true\n", "absent"),
    ("<!-- commands: run -->\n    $ echo in 12 ms\n    in 7.5 us\n    $ echo a\n    a\n", None),
    ("<!-- commands: run -->\n    $ echo in 12 ms\n    at 12 ms\n", "the page says"),
    ("<!-- commands: run -->\n    $ echo a; echo b; echo c\n    ...\n    c\n", None),
    ("<!-- commands: run -->\n    $ echo a; echo b; echo c\n    ...\n    b\n", "the page says"),
    ("<!-- commands: run -->\n    $ echo a b c\n    a ...\n", None),
    ("<!-- commands: run -->\n    echo one \\\n      two > file\n\ntext\n\n<!-- commands: run -->\n    $ cat file\n    one two\n", None),
    ("<!-- commands: run -->\n    cd / && false\n", "page.md:2: exit status 1"),
    ("<!-- commands: run -->\n    exit 0\n    false\n", "page.md:2: it ended the page"),
    ("<!-- commands: serve -->\n    takt naming --memory\n\ntext\n\n<!-- commands: run -->\n    takt name mkdir a\n", None),
    ("<!-- commands: serve -->\n    false\n", "it has ended"),
    ("<!-- commands: serve 1 -->\n    takt naming --memory\n    takt name mkdir a\n\n<!-- commands: serve 1, instead -->\n"
     "    takt naming --memory\n    takt name mkdir a\n", None),
    ("<!-- commands: run -->\n    takt naming --memory > reference &\n    takt ping --count 1 reference\n", None),
    ("<!-- commands: run, in a fresh Debian -->\n    false\n", None),
]


def self_test(options):
    failures = 0
    for text, wanted in SELF_TEST:
        reader = Reader(options)
        reader.read_all([("page.md", text)])
        if (wanted is None) != (not reader.complaints) or (wanted and not any(wanted in each for each in reader.complaints)):
            print(f"self-test: expected {wanted!r} of\n{text}found {reader.complaints}")
            failures += 1
    print(f"self-test: {len(SELF_TEST) - failures} of {len(SELF_TEST)} passed")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", help="where Takt is installed")
    parser.add_argument("--build", help="the build that has the examples")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--script", metavar="PAGE", help="prints the commands of this page, with those for a fresh Debian")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("pages", nargs="*", help="default: README.md and all of docs/user")
    options = parser.parse_args()
    if options.script:
        with open(os.path.join(ROOT, options.script), encoding="utf-8") as file:
            print(script_of(options.script, list(blocks_of(options.script, file.read())), True))
        return 0
    reader = Reader(options)
    if subprocess.run([*reader.namespaces(), "true"], check=False).returncode:
        print("this user may not make namespaces")
        return 77
    if options.self_test:
        return self_test(options) != 0
    folder = os.path.join(ROOT, "docs", "user")
    paths = options.pages or ["README.md", *sorted(f"docs/user/{name}" for name in os.listdir(folder) if name.endswith(".md"))]
    for path in paths:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            reader.read_all([(path, file.read())])
    for line in reader.complaints:
        print(line)
    print(f"{reader.counts['run']} commands run, {reader.counts['skipped']} blocks not run for a stated reason, "
          f"{len(reader.complaints)} complaint(s)")
    return bool(reader.complaints)


if __name__ == "__main__":
    sys.exit(main())
