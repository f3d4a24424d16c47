"""What callgrind counts of a program."""

import re
import subprocess
import tempfile


def instructions_per_call(*command, between, without=None):
    """The slope between two numbers of calls, each in the place of the word CALLS; without
    what the libraries take whose path contains `without`."""
    def count(calls):
        with tempfile.NamedTemporaryFile("r") as profile:
            subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}",
                            *(str(calls) if word == "CALLS" else word for word in command)],
                           check=True, capture_output=True)
            return instructions_in(profile, without)

    low, high = (count(calls) for calls in between)
    return (high - low) / (between[1] - between[0])


def instructions_in(profile, without):
    """The sum of a profile's own costs, less what calls into the libraries that are left out took altogether. A line with a
    position and a cost is of the object named last, whose path is written once; the one after calls= is of what was
    called, which is in the same object unless one was named for it."""
    total, left_out = 0, set()
    caller = called = None
    is_call = False
    for line in profile:
        if named := re.match(r"(c?)ob=(\(\d+\))(?: (.*))?", line):
            of_called, number, path = named.groups()
            if path and without and without in path:
                left_out.add(number)
            if of_called:
                called = number
            else:
                caller = number
        elif line.startswith("calls="):
            is_call = True
        elif cost := re.match(r"[+*-]?\d* (\d+)$", line):
            if not is_call:
                total += int(cost[1])
            elif called in left_out and caller not in left_out:
                total -= int(cost[1])
            if is_call:
                is_call, called = False, None
    return total
