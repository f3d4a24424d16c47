#!/usr/bin/env python3
"""The savings of GIOPlite, observed with strace: the head lengths of a small call with and without it; and that ORBs
without it, Takt and omniORB, are called with GIOP."""

import argparse
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.process import Programs, scratch  # noqa: E402
from harness.variants import LITE_OPTION, OMNIORB, TAKT, Variant  # noqa: E402

CALLS = 25
BODY = 1  # octets in each direction
ROUTINES = "read,write,sendto,recvfrom,sendmsg,recvmsg"
MESSAGE = re.compile(r'(write|send\w+|read|recv\w+)\(\d+, "(GIOP|L\\1).*= (\d+)$')


def messages(programs, server_variant, client_options):
    """Kind and length of the messages that the client sent and received."""
    with scratch() as folder:
        trace = os.path.join(folder, "client")
        with programs.server(server_variant) as server:
            programs.client(Variant("takt", "takt", (), client_options), server, {"bare": CALLS, "workload": "octet"},
                            wrap=("strace", "-f", "-o", trace, "-e", f"trace={ROUTINES}"))
        with open(trace) as file:
            found = [match.groups() for match in map(MESSAGE.search, file) if match]
    sent = [(kind, int(length)) for routine, kind, length in found if routine.startswith(("w", "s"))]
    received = [(kind, int(length)) for routine, kind, length in found if routine.startswith("r")]
    assert len(sent) >= CALLS and len(received) >= CALLS, f"strace saw {len(sent)} and {len(received)} messages"
    return sent, received


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    programs = Programs(parser.parse_args().build_dir)
    giop, lite = Variant("takt", "takt", TAKT), Variant("takt", "takt", (*TAKT, *LITE_OPTION))

    plain = messages(programs, giop, ())
    short = messages(programs, lite, LITE_OPTION)
    heads = [sum(way[-1][1] - BODY for way in both) for both in (plain, short)]
    print(f"octets of heads in a call: GIOP {heads[0]}, GIOPlite {heads[1]}, {100 - 100 * heads[1] / heads[0]:.0f} % fewer")
    assert heads[1] <= 0.4 * heads[0]
    for name, way in zip(("requests", "replies"), short):
        abbreviated = [length for kind, length in way if kind != "GIOP"]
        print(f"{name}: {len(abbreviated)} of {len(way)} with short heads")
        assert len(abbreviated) >= CALLS - 1 and all(length == 16 + BODY for length in abbreviated[1:])

    others = [("a server without it", giop, LITE_OPTION, plain), ("a client without it", lite, (), plain)]
    stock = Variant("omniorb", "omniorb", OMNIORB)
    if programs.built(stock):
        others.append(("omniORB", stock, LITE_OPTION, messages(programs, stock, ())))
    else:
        print("omniORB is not installed")
    for name, server, options, like in others:
        seen = messages(programs, server, options)
        assert all(kind == "GIOP" for way in seen for kind, _ in way), name
        # They must agree, except for the offer in the first request.
        assert [way[-1] for way in seen] == [way[-1] for way in like], name
        print(f"{name}: GIOP, with the same heads")


if __name__ == "__main__":
    main()
