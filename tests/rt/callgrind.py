"""Instruction counts by callgrind."""

import re
import subprocess
import tempfile


def instructions_per_call(*command, between, without=None):
    """The slope between two numbers of calls, each substituted for the word CALLS. Does not count libraries whose path
    contains `without`."""
    def count(calls):
        with tempfile.NamedTemporaryFile("r") as profile:
            subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}",
                            *(str(calls) if word == "CALLS" else word for word in command)],
                           check=True, capture_output=True)
            return instructions_in(profile, without)

    low, high = (count(calls) for calls in between)
    return (high - low) / (between[1] - between[0])


def instructions_in(profile, without):
    """The profile's total, less the inclusive cost of calls into excluded libraries. The profile names an object's path
    where it is first used; a call is into the caller's object unless it names another, and its cost is on the next
    line."""
    total, left_out, caller, called = 0, set(), None, None
    lines = iter(profile)
    for line in lines:
        if named := re.match(r"(c?)ob=(\(\d+\))(?: (.*))?", line):
            of_called, number, path = named.groups()
            if path and without and without in path:
                left_out.add(number)
            if of_called:
                called = number
            else:
                caller = number
        elif line.startswith("calls="):
            cost = int(next(lines).split()[1])
            if called in left_out and caller not in left_out:
                total -= cost
            called = None
        elif line.startswith("totals:"):
            total += int(line.split()[1])
    return total
