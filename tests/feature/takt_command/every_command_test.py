"""every_command_test.py TAKT TAKT_IDL TAKT_IDTABLE SOURCES: what holds for every command, over the list of commands that --help gives:
options of the ORB, units, JSON, exit statuses, versions, colours, and suggestions. A new command needs a line in every_command.py."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import unittest

from every_command import COMMAND_LINES, COMMANDS, ENVIRONMENT, FIXTURE, FOLDER, PROGRAMS, SOURCES

FACTORS = ("--speed", "--rate", "--max-frame-rate")  # the latter are frames a second
# Commands whose output is a document of another form, and those that show nothing.
WITHOUT_JSON = {
    "takt bridge": "references", "takt naming": "a reference", "takt ifr serve": "a reference", "takt events rt": "a reference",
    "takt events serve": "a reference",
    "takt events watch": "a time and JSON in each line",
    "takt notify serve": "a reference", "takt notify watch": "a time and JSON in each line",
    "takt imr serve": "a reference", "takt imr reference": "a reference", "takt imr ticket": "a secret",
    "takt imr add": "nothing", "takt imr change": "nothing", "takt imr remove": "nothing", "takt imr start": "nothing",
    "takt imr stop": "nothing",
    "takt schedule serve": "a reference", "takt stream receive": "a reference", "takt trade serve": "a reference",
    "takt trade add-type": "nothing", "takt trade remove-type": "nothing", "takt trade mask-type": "nothing",
    "takt trade unmask-type": "nothing", "takt trade link add": "nothing", "takt trade link remove": "nothing", "takt trade export": "an id", "takt trade withdraw": "nothing",
    "takt idl lsp": "the Language Server Protocol", "takt idl rules": "a Markdown table",
    "takt metrics": "Prometheus's text format", "takt schedule export": "a model", "takt schedule import": "TOML",
    "takt schedule page": "HTML", "takt schedule table": "C++", "takt-idl": "C++", "takt-idtable": "C++",
    "takt name bind": "nothing", "takt name rebind": "nothing", "takt name unbind": "nothing", "takt name mkdir": "nothing",
    "takt record attach": "pcapng", "takt record dump": "pcapng", "takt record find": "names of files", "takt trace export": "the number of spans",
}


def keys_in(value):
    """The keys of a JSON value at all depths, as labels of a text."""
    if isinstance(value, dict):
        return {key.replace("_", " ") for key in value} | {key for each in value.values() for key in keys_in(each)}
    return {key for each in value for key in keys_in(each)} if isinstance(value, list) else set()


def labels_in(text):
    return set(re.findall(r"^[ -]*([a-z][a-z0-9_ ]*):(?= |$)", text, re.MULTILINE))


def leaves_of(value):
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves_of(each)]
    return [leaf for each in value for leaf in leaves_of(each)] if isinstance(value, list) else [value]


def for_each(wanted=lambda command: True):
    """Makes a test of one command a test of all that are wanted."""
    def decorated(test):
        def all_of_them(self):
            for command in filter(wanted, COMMANDS):
                with self.subTest(command.name):
                    test(self, command)
        return all_of_them
    return decorated


def makes_orb(command):
    return command.makes_orb


def of_takt(command):
    return command.words[0] == "takt"


class Everywhere(unittest.TestCase):
    maxDiff = None

    def test_the_list_of_command_lines_is_complete(self):
        self.assertEqual(sorted(command.name for command in COMMANDS), sorted(COMMAND_LINES))

    @for_each()
    def test_a_valid_command_line_is_no_wrong_usage(self, command):
        done = command.run(*COMMAND_LINES[command.name])
        self.assertNotIn("--help lists", done.stderr)
        listens = "--listen" in COMMAND_LINES[command.name]
        self.assertIn(done.returncode, (2,) if listens else (0, 1), done.stdout + done.stderr)
        if listens:
            self.assertIn("in use", done.stderr)

    @for_each(of_takt)
    def test_help_is_the_same_by_word_and_by_option(self, command):
        by_word = subprocess.run([PROGRAMS["takt"], "help", *command.words[1:]], capture_output=True, text=True, env=ENVIRONMENT,
                                 check=True, timeout=60)
        self.assertEqual(by_word.stdout, command.run("--help").stdout)
        self.assertIn(f"Usage: {command.name}", by_word.stdout)

    @for_each(makes_orb)
    def test_commands_that_make_an_orb_take_its_options(self, command):
        done = command.run("-ORBConnectTimeouts", "1s", *COMMAND_LINES[command.name])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("unknown option -ORBConnectTimeouts: did you mean -ORBConnectTimeout?", done.stderr)
        for place in (0, len(COMMAND_LINES[command.name])):
            words = COMMAND_LINES[command.name][:]
            words[place:place] = ["-ORBConnectTimeout", "7s"]
            self.assertNotIn("ConnectTimeout", command.run(*words).stderr)

    @for_each(lambda command: not command.makes_orb and command.words[0] == "takt")
    def test_commands_without_an_orb_say_that_they_take_none_of_its_options(self, command):
        done = command.run(*COMMAND_LINES[command.name], "-ORBConnectTimeout", "1s")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"{command.name}: '-ORBConnectTimeout': this command makes no ORB", done.stderr)

    @for_each()
    def test_help_says_truly_which_commands_make_an_orb(self, command):
        """An ORB refuses a wrong variable of its environment."""
        done = command.run(*COMMAND_LINES[command.name], **({} if command.name == "takt options" else {"TAKT_CONNECT_TIMEOUT": "soon"}))
        if command.name == "takt options":  # it shows what an ORB would do, if it is given something for one
            done = command.run("-ORBConnectTimeout", "1s", TAKT_SEND_TIMEOUT="soon")
        self.assertEqual("is not valid" in done.stderr, command.makes_orb, done.stderr)

    @for_each(makes_orb)
    def test_misspelt_options_of_the_orb_are_named(self, command):
        for wrong in ("--ORBConnectTimeout", "-orbConnectTimeout"):
            done = command.run(*COMMAND_LINES[command.name], wrong, "1s")
            self.assertEqual(done.returncode, 2)
            self.assertIn("-ORBConnectTimeout", done.stderr)

    @for_each()
    def test_unknown_options_name_the_nearest(self, command):
        names = [name for option in command.help.options for name in option.names]
        for name in (name for name in names if name.startswith("--") and len(name) > 5):
            done = command.run(name[:-1], *COMMAND_LINES[command.name])
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertIn(f"{command.name}: there is no option '{name[:-1]}', did you mean '{name}'?", done.stderr)

    @for_each()
    def test_wrong_command_lines_have_the_same_exit_status(self, command):
        self.assertEqual(command.run("--help").returncode, 0)
        for words in (["--nonsense"], ["--nonsense=1"], *([option.names[-1]] for option in command.help.options if option.kind)):
            done = command.run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertTrue(done.stderr.startswith(command.name + ": "), done.stderr)

    def test_groups_of_commands_do_too(self):
        for group in ("takt", "takt events", "takt idl", "takt ifr", "takt imr", "takt name", "takt notify", "takt port", "takt record", "takt rt", "takt schedule", "takt stream", "takt trace", "takt trade"):
            for words in ([], ["nonsense"], ["--nonsense"]):
                done = subprocess.run([PROGRAMS["takt"], *group.split()[1:], *words], capture_output=True, text=True, check=False, timeout=60)
                self.assertEqual((done.returncode, done.stdout), (2, ""), [group, *words])

    def test_an_option_before_its_subcommand_is_told_where_it_goes(self):
        done = subprocess.run([PROGRAMS["takt"], "name", "--service=corbaloc::h/x", "list"], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "takt name list: '--service' goes behind the subcommand: takt name list --service ...\n")

    def test_a_file_without_a_folder_is_given_by_its_own_option(self):
        for words, option in ((["imr", "stop", "x"], "--socket"), (["naming"], "--store")):
            done = subprocess.run([PROGRAMS["takt"], *words], capture_output=True, text=True, check=False, timeout=60,
                                  env={**ENVIRONMENT, "XDG_STATE_HOME": "/dev/null"})
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"; give {option} FILE", done.stderr)

    def test_inputs_that_cannot_be_read_have_the_same_exit_status(self):
        files = {"takt call": "naming.idl", "takt describe": "old.idl", "takt idl diff": "old.idl", "takt idl format": "old.idl",
                 "takt hz": "recording", "takt ifr load": "old.idl",
                 "takt list": "old.idl", "takt-idl": "old.idl", "takt-idtable": "ids", "takt schedule analyse": "slow.toml",
                 "takt schedule assign": "fast.toml", "takt schedule calibrate": "record.json", "takt schedule compare": "record.json",
                 "takt schedule export": "fast.toml", "takt schedule import": "model.txt", "takt schedule page": "fast.toml",
                 "takt schedule table": "fast.toml", "takt record attach": "recording", "takt record dump": "recording", "takt record list": "recording", "takt replay": "recording",
                 "takt trace export": "spans", "takt trace list": "spans", "takt trace show": "spans", "takt watch": "recording"}
        for name in files:
            command = next(each for each in COMMANDS if each.name == name)
            with self.subTest(name):
                done = command.run(*("absent/file" if word == files[name] else word for word in COMMAND_LINES[name]))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("absent/file", done.stderr)

    def test_no_answer_has_the_same_exit_status(self):
        nowhere = "corbaloc:iiop:1.2@127.0.0.1:1/x"
        for words in (["ping", "--count", "1", nowhere], ["ping", "--ready", nowhere], ["ior", "--doctor", nowhere],
                      ["top", "iiop://127.0.0.1:1"], ["name", "list", "--service", nowhere], ["name", "resolve", "x", "--service", nowhere],
                      ["call", nowhere, "f", "--idl", os.path.join(FOLDER, "old.idl")]):
            done = subprocess.run([PROGRAMS["takt"], *words], capture_output=True, text=True, check=False, timeout=60, env=ENVIRONMENT)
            self.assertEqual(done.returncode, 1, [words, done.stdout, done.stderr])

    def test_what_was_found_bad_has_the_same_exit_status(self):
        for name, words in (("takt idl diff", ["old.idl", "new.idl"]), ("takt idl format", ["--check", "old.idl"]),
                            ("takt schedule analyse", ["slow.toml"]), ("takt schedule page", ["slow.toml"]),
                            ("takt schedule table", ["slow.toml", "--name", "n"]), ("takt schedule compare", ["fast.toml", "record.json"]),
                            ("takt schedule assign", ["slow.toml", "--by", "audsley"]), ("takt-idl", ["--check", "record.json"]),
                            ("takt-idtable", ["--name", "n", "record.json"])):
            command = next(each for each in COMMANDS if each.name == name)
            with self.subTest(name):
                if name == "takt-idtable":
                    with open(os.path.join(FOLDER, "twice"), "w", encoding="utf-8") as file:
                        file.write("one\none\n")
                    words = ["--name", "n", "twice"]
                done = command.run(*words)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_an_analysis_that_fails_is_not_one_that_misses(self):
        with open(os.path.join(FOLDER, "cycle.toml"), "w", encoding="utf-8") as file:
            file.write('[[operation]]\nname = "a"\nwcet = "1ms"\ncalls = [{ operation = "b" }]\n'
                       '[[operation]]\nname = "b"\nwcet = "1ms"\ncalls = [{ operation = "a" }]\n')
        for name, words in (("analyse", []), ("analyse", ["--sensitivity"]), ("page", []), ("table", ["--name", "n"]),
                            ("assign", ["--by", "audsley"]), ("export", ["--to", "mast"])):
            command = next(each for each in COMMANDS if each.name == "takt schedule " + name)
            done = command.run("cycle.toml", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), [name, done.stderr])
            self.assertIn("cycle.toml: ", done.stderr)
            self.assertNotIn("miss", done.stderr)

    def test_versions_are_equal(self):
        with open(os.path.join(SOURCES, "CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"project\(\w+\s+VERSION ([0-9.]+)", file.read())[1]
        for name, program in PROGRAMS.items():
            done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
            self.assertEqual((done.stdout, done.stderr), (f"{name} {version}\n", ""))

    @for_each()
    def test_times_and_sizes_take_units(self, command):
        line = COMMAND_LINES[command.name]
        for option in command.help.options:
            name = option.names[-1]
            if option.kind not in ("TIME", "SIZE"):
                if option.kind:
                    self.assertNotRegex(option.meaning, r"\b(seconds|milliseconds|octets)\b", name + " has no unit")
                self.assertTrue(option.kind != "FLOAT" or name in FACTORS, name)
                continue
            good, bad, says = {"TIME": ("500ms", "7parsecs", "such as 500ms"), "SIZE": ("64k", "64furlongs", "such as 64k")}[option.kind]
            self.assertNotIn("is not valid", command.run(*line, name, good).stderr)
            self.assertIn(says, command.run(*line, name, bad).stderr)
            for wrong in (bad, "", "-1", "nan", "inf", "1e999", "99999999999999999999999", "5 s", "\x1b[2J"):
                done = command.run(*line, f"{name}={wrong}")
                self.assertEqual((done.returncode, done.stdout), (2, ""), f"{name}={wrong}")
                self.assertNotIn("\x1b", done.stderr)

    @for_each()
    def test_numbers_are_checked(self, command):
        for option in command.help.options:
            if option.kind not in ("UINT", "INT", "FLOAT"):
                continue
            for wrong in ("x", "nan", "1e999", "5 ", "\x1b[2J", *([] if option.kind == "FLOAT" else ["99999999999999999999999"]),
                          *(["-1"] if option.kind == "UINT" else [])):
                done = command.run(*COMMAND_LINES[command.name], f"{option.names[-1]}={wrong}")
                self.assertEqual((done.returncode, done.stdout), (2, ""), f"{option.names[-1]}={wrong}")
                self.assertIn("is not valid: it takes a ", done.stderr)
                self.assertNotIn("\x1b", done.stderr)

    def test_output_that_cannot_be_written_is_an_error(self):
        for name in ("takt idl format", "takt ior", "takt list", "takt metrics", "takt name list", "takt options", "takt ping",
                     "takt record list", "takt schedule analyse", "takt schedule compare", "takt top", "takt trace list"):
            command = next(each for each in COMMANDS if each.name == name)
            with self.subTest(name), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PROGRAMS["takt"], *command.words[1:], *COMMAND_LINES[name]], stdout=full, stderr=subprocess.PIPE,
                                      stdin=subprocess.DEVNULL, text=True, timeout=60, check=False, cwd=FOLDER, env=ENVIRONMENT)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("standard output", done.stderr)
                self.assertIn("cannot be written", done.stderr)

    def test_there_are_times_and_sizes(self):
        kinds = {name: option.kind for command in COMMANDS for option in command.help.options for name in option.names}
        for name in ("--timeout", "--interval", "--deadline", "--seconds", "--iterator-idle", "--federated-timeout"):
            self.assertEqual(kinds[name], "TIME", name)
        self.assertEqual(kinds["--max-reference-octets"], "SIZE")

    @for_each()
    def test_facts_are_there_as_json(self, command):
        has = any("--json" in option.names for option in command.help.options)
        self.assertNotEqual(has, command.name in WITHOUT_JSON, "give it --json, or a reason in WITHOUT_JSON")
        if has and command.name != "takt call":
            done = command.run(*COMMAND_LINES[command.name], "--json")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(done.stderr, "")
            self.assertTrue(all(isinstance(json.loads(line), dict) for line in done.stdout.splitlines())
                            if command.name in ("takt top", "takt hz", "takt imr watch", "takt name watch", "takt watch") else json.loads(done.stdout))

    @for_each()
    def test_nothing_is_coloured_outside_a_terminal(self, command):
        done = command.run(*COMMAND_LINES[command.name])
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def in_terminal(self, command, *words, **more):
        ours, theirs = pty.openpty()
        with subprocess.Popen([PROGRAMS[command.words[0]], *command.words[1:], *words], stdin=subprocess.DEVNULL, stdout=theirs,
                              stderr=theirs, cwd=FOLDER, env={**ENVIRONMENT, "TERM": "xterm", **more}) as process:
            text, ended = b"", False
            # This end of theirs stays open until all has been read: what a terminal holds can be lost when its last writer closes it.
            while not ended or select.select([ours], [], [], 0)[0]:
                ended = process.poll() is not None
                if select.select([ours], [], [], 0.01)[0]:
                    text += os.read(ours, 65536)
        os.close(theirs)
        os.close(ours)
        return text.decode()

    @for_each()
    def test_errors_are_coloured_in_a_terminal_unless_no_color_is_set(self, command):
        name = command.name + ":"
        self.assertTrue(self.in_terminal(command, "--nonsense").startswith(f"\x1b[1;31m{name}\x1b[0m "))
        self.assertTrue(self.in_terminal(command, "--nonsense", NO_COLOR="").startswith("\x1b"))
        for unwanted in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertTrue(self.in_terminal(command, "--nonsense", **unwanted).startswith(name))

    def test_findings_are_coloured_in_a_terminal_unless_no_color_is_set(self):
        nowhere = "corbaloc:iiop:1.2@127.0.0.1:1/x"
        for name, words, colour in (("takt ior", ["--doctor", nowhere], 31), ("takt ping", ["--count", "1", nowhere], 31),
                                    ("takt ior", COMMAND_LINES["takt ior"], 32), ("takt rt check", COMMAND_LINES["takt rt check"], 32),
                                    ("takt-idl", ["--check", "record.json"], 31)):
            command = next(each for each in COMMANDS if each.name == name)
            coloured, plain = self.in_terminal(command, *words), self.in_terminal(command, *words, NO_COLOR="1")
            self.assertIn(f"\x1b[1;{colour}m", coloured)
            self.assertNotIn("\x1b", plain)


class SameFields(unittest.TestCase):
    """--json has what the text has."""

    def both(self, name, *more):
        command = next(each for each in COMMANDS if each.name == name)
        words = [*COMMAND_LINES[name], *more]
        text, as_json = command.run(*words), command.run(*words, "--json")
        if name != "takt rt check":  # each run measures anew
            self.assertEqual(text.returncode, as_json.returncode)
        return text.stdout, as_json.stdout

    def test_labelled_lines(self):
        for name in ("takt ior", "takt list", "takt options", "takt ping"):
            text, as_json = self.both(name)
            keys, labels = keys_in(json.loads(as_json)), labels_in(text)
            self.assertEqual(labels - keys, {"call 1", "call 2"} if name == "takt ping" else set(), name)
            self.assertEqual(keys - labels, {"each", "call", "ms"} if name == "takt ping" else set(), name)

    def test_ping_has_each_call(self):
        text, as_json = self.both("takt ping")
        self.assertEqual(re.findall(r"^call (\d+): [0-9.]+ ms$", text, re.MULTILINE), ["1", "2"])
        each = json.loads(as_json)["each"]
        self.assertEqual([(one["call"], one["ms"] > 0) for one in each], [(1, True), (2, True)])
        command = next(one for one in COMMANDS if one.name == "takt ping")
        done = command.run("--json", "--count", "1", "corbaloc:iiop:1.2@127.0.0.1:1/x")
        self.assertIn("TRANSIENT", json.loads(done.stdout)["each"][0]["failure"])

    def test_describe(self):
        text, as_json = self.both("takt describe")
        found = json.loads(as_json)
        self.assertEqual((found["interface"], found["id"]), ("I", "IDL:I:1.0"))
        self.assertIn("interface I (IDL:I:1.0)\n", text)
        for operation in found["operations"]:
            self.assertIn(operation["signature"], text)
            if "result" in operation:
                self.assertIn(f"  result: {json.dumps(operation['result'])}\n", text)
        self.assertIn("  s: ", text)

    def test_names(self):
        for command in ("takt name list", "takt name tree"):
            text, as_json = self.both(command, "--live")
            (one,) = json.loads(as_json)["bindings"]
            self.assertIn(one["name"], text)
            self.assertEqual(one["live"]["answers"], True)
        text, as_json = self.both("takt name resolve")
        self.assertEqual(json.loads(as_json)["reference"], text.strip())
        text, as_json = self.both("takt name watch")
        for line, one in zip(text.splitlines(), map(json.loads, as_json.splitlines()), strict=True):
            self.assertEqual(line.split()[1:3], [one["what"], one["name"]])

    def test_findings(self):
        text, as_json = self.both("takt rt check")
        for finding in json.loads(as_json)["findings"]:
            if finding["check"].startswith("wake-up"):  # measured anew by each run
                self.assertRegex(text, rf"(?m)^\w+ +{finding['check']} +median .* late, of \d+ times")
                continue
            self.assertRegex(text, rf"(?m)^{finding['verdict']} +{finding['check']} +{re.escape(finding['found'])}$")
            if finding["advice"]:
                self.assertIn("-> " + finding["advice"] + "\n", text)
        text, as_json = self.both("takt idl format")
        self.assertEqual(json.loads(as_json)["unformatted"], text.split())

    def test_changes_of_idl(self):
        text, as_json = self.both("takt idl diff")
        as_format = next(each for each in COMMANDS if each.name == "takt idl diff").run("old.idl", "new.idl", "--format", "json").stdout
        self.assertEqual(as_json, as_format)
        strings = [leaf for leaf in leaves_of(json.loads(as_json)) if isinstance(leaf, str)]
        for rule in re.findall(r"\[([a-z-]+)\]", text):
            self.assertIn(rule, strings)

    def test_schedules(self):
        columns = {"level": "level", "thread": "name", "execution": "execution_ns", "period": "period_ns", "deadline": "deadline_ns",
                   "responds in": "response_ns", "verdict": "verdict"}
        for name in ("analyse", "assign", "calibrate"):
            text, as_json = self.both("takt schedule " + name)
            found = json.loads(as_json)
            found = found.get("analysis", found)
            header = re.search(r"^level .*$", text, re.MULTILINE)[0]
            for thread in found["threads"]:
                self.assertEqual([key for column in re.split(" {2,}", header) if (key := columns[column]) not in thread], [])
                self.assertRegex(text, rf"(?m)^{thread['level']}\.{thread['subpriority']} +{thread['name']} .*{thread['verdict']}$")
                if thread["verdict"] == "misses" and thread["response_ns"]:
                    self.assertIn(f"until its job {thread['job']} is done", text)
        columns = {"operation": "operation", "jobs": "jobs", "deadline": "deadline_ns", "predicted": "predicted_ns", "slowest": "slowest_ns",
                   "99 %": "p99_ns", "median": "median_ns", "jitter": "jitter_ns", "missed": "missed"}
        text, as_json = self.both("takt schedule compare")
        (row,) = json.loads(as_json)["operations"]
        for column in re.split(" {2,}", text.splitlines()[0]):
            self.assertIn(columns[column], row)
        self.assertEqual((row["jobs"], row["missed"], row["slowest_ns"], row["exceeds_bound"]), (9, 1, 2300000, True))
        columns = {"operation": "operation", "runs": "runs", "median": "median_ns", "longest": "longest_ns", "declared": "declared_ns",
                   "calibrated": "calibrated_ns"}
        text, as_json = self.both("takt schedule calibrate")
        found = json.loads(as_json)
        for column in re.split(" {2,}", text.splitlines()[0]):
            self.assertIn(columns[column], found["changes"][0])
        self.assertEqual((found["changes"][0]["has_few_runs"], found["unmeasured"]), (True, ["filter"]))
        self.assertIn("not measured; unchanged: filter", text)

    def test_top(self):
        text, as_json = self.both("takt top")
        keys = keys_in(json.loads(as_json))
        self.assertIn(f"process {FIXTURE.naming.pid}", text)
        self.assertLessEqual({"process", "queues", "operations", "lanes", "relayed"}, keys)


if __name__ == "__main__":
    try:
        unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() or sys.exit(1)
    finally:
        FIXTURE.end()
