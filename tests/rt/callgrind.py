"""What callgrind counts of a program."""

import re
import subprocess


def instructions_per_call(*command, between):
    """The slope between two numbers of calls, each in the place of the word CALLS."""
    def count(calls):
        run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                              *(str(calls) if word == "CALLS" else word for word in command)],
                             check=True, capture_output=True, text=True)
        return int(re.search(r"Collected\s*: (\d+)", run.stderr)[1])

    low, high = (count(calls) for calls in between)
    return (high - low) / (between[1] - between[0])
