"""exchange_test.py TAKT: `takt schedule import`, `export` and `assign` as processes."""

import os
import subprocess
import sys
import tempfile
import unittest

TAKT = sys.argv[1]

MODEL = """-- Two tasks whose deadlines are longer than their periods (Lehoczky 1990).
Processing_Resource (Type => Fixed_Priority_Processor, Name => Cpu);
Scheduling_Server (Type => Fixed_Priority, Name => C1, Server_Sched_Parameters => (Type => Fixed_Priority_Policy,
  The_Priority => 9), Server_Processing_Resource => Cpu);
Scheduling_Server (Type => Fixed_Priority, Name => C2, Server_Sched_Parameters => (Type => Fixed_Priority_Policy,
  The_Priority => 8), Server_Processing_Resource => Cpu);
Operation (Type => Simple, Name => Work, Worst_Case_Execution_Time => 52);
Transaction (Type => Regular, Name => T1, External_Events => ((Type => Periodic, Name => E1, Period => 100)),
  Internal_Events => ((Type => Regular, Name => O1, Timing_Requirements => (Type => Hard_Global_Deadline,
    Deadline => 110, Referenced_Event => E1))),
  Event_Handlers => ((Type => Activity, Input_Event => E1, Output_Event => O1, Activity_Operation => Work,
    Activity_Server => C1)));
Transaction (Type => Regular, Name => T2, External_Events => ((Type => Periodic, Name => E2, Period => 140)),
  Internal_Events => ((Type => Regular, Name => O2, Timing_Requirements => (Type => Hard_Global_Deadline,
    Deadline => 154, Referenced_Event => E2))),
  Event_Handlers => ((Type => Activity, Input_Event => E2, Output_Event => O2, Activity_Operation => Work,
    Activity_Server => C2)));
"""


class Exchange(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("model.txt", MODEL)

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
            return file.read()

    def schedule(self, *arguments, status=0):
        done = subprocess.run([TAKT, "schedule", *arguments], capture_output=True, text=True, timeout=60, check=False,
                              cwd=self.folder.name)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_a_model_is_analysed_with_its_own_priorities(self):
        self.schedule("import", "--from", "mast", "model.txt", "--unit", "ms", "-o", "model.toml")
        report = self.schedule("analyse", "model.toml", status=1)
        self.assertIn("declared priorities", report)
        self.assertIn("'T2::Work' misses its deadline of 154 ms by 2 ms", report)
        self.assertIn("deadline monotonic", self.schedule("analyse", "model.toml", "--strategy", "dms", status=1))

    def test_assigned_priorities_are_a_file_for_the_other_commands(self):
        self.schedule("import", "--from", "mast", "model.txt", "-o", "model.toml")
        self.assertIn("deadlines are missed", self.schedule("assign", "--by", "deadline-monotonic", "model.toml", status=1))
        for by in "audsley", "hopa":
            status = 0 if by == "audsley" else 1  # HOPA begins with deadlines and shares them by execution times
            self.schedule("assign", "--by", by, "model.toml", "-o", "priorities.toml", status=status)
            report = self.schedule("analyse", "model.toml", "priorities.toml", status=status)
            if by == "audsley":
                self.assertIn("every deadline is met", report)
                self.schedule("table", "model.toml", "priorities.toml", "-n", "lehoczky")
                self.assertIn("lehoczky", self.read("lehoczky.h"))

    def test_what_does_not_exist_is_not_assigned(self):
        self.write("full.toml", '[[operation]]\nname = "a"\nwcet = "5 ms"\nperiod = "10 ms"\ndeadline = "4 ms"\n')
        self.assertIn("no priorities are proven to meet every deadline",
                      self.schedule("assign", "--by", "audsley", "full.toml", "-o", "p.toml", status=1))
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "p.toml")))
        self.write("chain.toml", '[[operation]]\nname = "a"\nwcet = "1 ms"\nperiod = "10 ms"\n'
                   'calls = [{operation = "b", type = "one way"}]\n[[operation]]\nname = "b"\nwcet = "1 ms"\n')
        self.assertIn("use hopa", self.schedule("assign", "--by", "audsley", "chain.toml", status=2))
        self.assertIn("every deadline is met", self.schedule("assign", "--by", "hopa", "chain.toml"))

    def test_interrupts_stay_above(self):
        self.schedule("import", "--from", "mast", "model.txt", "-o", "model.toml")
        self.schedule("assign", "--by", "hopa", "model.toml", "--above", "T1::Work", "-o", "above.toml", status=1)
        self.assertIn('name = "T1::Work"\npriority = 2', self.read("above.toml"))
        self.assertIn("--above: no operation is called 'T9'",
                      self.schedule("assign", "--by", "hopa", "model.toml", "--above", "T9", status=2))

    def test_export_and_import_give_the_same_report(self):
        self.schedule("import", "--from", "mast", "model.txt", "-o", "model.toml")
        self.schedule("export", "--to", "mast", "model.toml", "--unit", "ms", "-o", "again.txt")
        self.assertTrue(self.read("again.txt").startswith(
            "-- Made by takt schedule export from model.toml; changes will be lost.\n-- Times are in ms.\n"))
        self.schedule("import", "--from", "mast", "again.txt", "--unit", "ms", "-o", "again.toml")
        reports = [self.schedule("analyse", file, status=1) for file in ("model.toml", "again.toml")]
        columns = [[line.split()[2:] for line in report.splitlines() if line[:1].isdigit()] for report in reports]
        self.assertEqual(columns[0], columns[1])
        self.assertTrue(columns[0])

    def test_refusals(self):
        self.write("mine.toml", "# my own file\n")
        for command in (("import", "--from", "mast", "model.txt"), ("export", "--to", "mast", "model.toml"),
                        ("assign", "--by", "hopa", "model.toml")):
            if command[0] != "import":
                self.schedule("import", "--from", "mast", "model.txt", "-o", "model.toml")
            self.assertIn("mine.toml: exists and was not made by this command",
                          self.schedule(*command, "-o", "mine.toml", status=2))
            self.assertIn("nowhere/x: cannot be written", self.schedule(*command, "-o", "nowhere/x", status=2))
        self.assertEqual(self.read("mine.toml"), "# my own file\n")
        self.assertIn("absent.txt: cannot be read", self.schedule("import", "--from", "mast", "absent.txt", status=2))
        self.write("short.txt", MODEL[:200])
        self.assertIn("short.txt:3:", self.schedule("import", "--from", "mast", "short.txt", status=2))
        self.write("shared.txt", MODEL + "Shared_Resource (Type => Priority_Inheritance_Resource, Name => Status);\n")
        self.assertIn("shared.txt:18:26: Type of Shared_Resource 'Status' is 'Priority_Inheritance_Resource', which cannot be imported",
                      self.schedule("import", "--from", "mast", "shared.txt", status=2))
        self.assertIn("only fixed priorities can be exported",
                      self.schedule("export", "--to", "mast", "model.toml", "--strategy", "edf", status=2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
