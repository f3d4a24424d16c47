"""dictionaries_test.py SOURCE: dictionaries are in the form that libFuzzer reads, and name each option of an ORB."""

import os
import re
import subprocess
import sys
import unittest

SOURCE = sys.argv[1]
FUZZ = os.path.join(SOURCE, "tests", "fuzz")
ENTRY = re.compile(r'(?:[A-Za-z_]\w*=)?"((?:[^"\\]|\\\\|\\"|\\x[0-9A-Fa-f]{2})+)"')


def dictionary(target):
    return subprocess.run([os.path.join(FUZZ, "dictionary"), target], capture_output=True, text=True, check=True).stdout


class Dictionaries(unittest.TestCase):
    def test_each_line_is_an_entry_a_comment_or_empty(self):
        folder = os.path.join(FUZZ, "dictionaries")
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="ascii") as file:
                for number, line in enumerate(file.read().splitlines(), 1):
                    self.assertTrue(not line or line.startswith("#") or ENTRY.fullmatch(line), f"{name}:{number}: {line}")

    def test_an_entry_with_another_escape_is_none(self):
        self.assertIsNone(ENTRY.fullmatch(r'"\n"'))
        self.assertIsNone(ENTRY.fullmatch('"'))

    def test_targets_of_text_have_one(self):
        for target in ("bridge_toml", "config_file", "constraint", "faults_toml", "reference_object_url", "idl_front_end", "naming_names", "schedule_mast",
                       "schedule_toml", "takt_json_values"):
            self.assertTrue(dictionary(target), target)

    def test_each_option_of_an_orb_is_in_the_one_of_configuration_files(self):
        with open(os.path.join(SOURCE, "docs", "user", "options.md"), encoding="utf-8") as file:
            options = set(re.findall(r"^\| `-ORB(\w+)`", file.read(), re.MULTILINE))
        self.assertGreater(len(options), 80)
        missing = {option for option in options if f'"{option}"' not in dictionary("config_file")}
        self.assertEqual(missing, set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
