"""The programs of each ORB, and what each is known to do otherwise."""

import os


class Programs:
    """interop_NAME_server and interop_NAME_client of the build tree."""

    def __init__(self, name, title, server_options, client_options):
        self.name, self.title = name, title
        self.server_options, self.client_options = server_options, client_options

    def program(self, build, side):
        return os.path.join(build, "tests", "interop", f"interop_{self.name}_{side}")

    def missing(self, build):
        for side in ("server", "client"):
            if not os.path.exists(self.program(build, side)):
                return self.program(build, side) + " is not built"
        return None

    def server(self, build, path, version):
        return [self.program(build, "server"), path] + self.server_options(version)

    def client(self, build, reference, version):
        return [self.program(build, "client"), reference] + self.client_options(version)


def omniorb(version):
    # GIOP 1.0 cannot negotiate code sets; omniORB sends no char then if its native set is not ISO 8859-1.
    code_set = [] if version == "1.0" else ["-ORBnativeCharCodeSet", "UTF-8"]
    return ["-ORBmaxGIOPVersion", version, "-ORBendPoint", "giop:tcp:127.0.0.1:"] + code_set


def takt(version):
    return ["-ORBGIOPVersion", version, "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBFragmentSize", "4096"]


TAKT = Programs("takt", "Takt", takt, takt)
PEERS = [Programs("omniorb", "omniORB", omniorb, omniorb)]

# CLIENT-SERVER, GIOP versions, checks, and why they do not pass.
DIFFERENCES = [
    ("*", ("1.0",), "*.wchar *.wstring", "GIOP 1.0 has no wide characters."),
    ("*", ("1.0",), "type.text any.text", "GIOP 1.0 does not negotiate code sets: its strings are ISO 8859-1."),
    ("takt-*", ("1.0",), "typecode.text", "GIOP 1.0 does not negotiate code sets: its strings are ISO 8859-1."),
    ("*-omniorb", ("1.1",), "*.text", "omniORB's references say nothing of code sets in GIOP 1.1, so ISO 8859-1 is spoken."),
    ("*omniorb*", ("1.1",), "*.wchar *.wstring",
     "omniORB does no wide characters in GIOP 1.1 (BAD_PARAM, WCharTCSNotKnown), between two omniORBs neither."),
    ("*omniorb*", ("1.0", "1.1", "1.2"), "type.longdouble any.longdouble",
     "omniORB sends a long double as the processor has it; CDR has IEEE 754 quadruple precision."),
]
