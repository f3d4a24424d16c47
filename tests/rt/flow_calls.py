#!/usr/bin/env python3
"""flow_calls.py BENCH_STREAMS: the system calls of a flow whose frames are a datagram each, counted by strace. A consumer that
keeps up with its flow makes one for a frame: a read that waits for it."""

import subprocess
import sys
import tempfile

FRAMES = 400
MOST = 2.0  # for a frame, with those of frames that were there already
ROUTINES = ("recvmsg", "poll", "ppoll")


def counts(program):
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        done = subprocess.run(["strace", "-f", "-qq", "-c", "-e", "trace=" + ",".join(ROUTINES), "-o", file.name, program, "takt", "188", "200",
                               "1", str(FRAMES * 5), "1232"], stdout=subprocess.PIPE, text=True, timeout=60, check=True)
        rows = [line.split() for line in file]
    calls = sum(int(row[3]) for row in rows if row and row[-1] in ROUTINES)
    return int(done.stdout.split()[1]), calls


def main():
    received, calls = counts(sys.argv[1])
    print(f"{received} frames received with {calls} calls of {', '.join(ROUTINES)}")
    sys.exit(0 if received > FRAMES / 4 and calls <= MOST * received else 1)


if __name__ == "__main__":
    main()
