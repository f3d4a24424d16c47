"""The programs of each ORB, and what each is known to do otherwise."""

import functools
import os
import shutil
import subprocess


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


class JacOrb:
    """Classes that jacorb/build makes, once in a run."""

    name, title = "jacorb", "JacORB"

    @functools.cache
    def missing(self, build):
        for tool in ("mvn", "javac"):
            if not shutil.which(tool):
                return tool + " is not installed"
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jacorb", "build")
        made = subprocess.run([script, self.folder(build)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return made.stdout.strip().splitlines()[-1] if made.returncode else None

    @staticmethod
    def folder(build):
        return os.path.join(build, "tests", "interop", "jacorb")

    def java(self, build, version, *arguments):
        folder = self.folder(build)
        properties = {"org.omg.CORBA.ORBClass": "org.jacorb.orb.ORB",
                      "org.omg.CORBA.ORBSingletonClass": "org.jacorb.orb.ORBSingleton",
                      "OAIAddr": "127.0.0.1", "jacorb.giop_minor_version": version[2],
                      "jacorb.native_char_codeset": "UTF8", "jacorb.native_wchar_codeset": "UTF16",
                      "jacorb.poa.queue_max": "1000",  # oneways that wait
                      "jacorb.log.default.verbosity": "0", "org.slf4j.simpleLogger.defaultLogLevel": "off"}
        return (["java", "-XX:TieredStopAtLevel=1", "-cp", f"{folder}/classes:{folder}/lib/*"] +
                [f"-D{name}={value}" for name, value in properties.items()] + list(arguments))

    def server(self, build, path, version):
        return self.java(build, version, "Server", path)

    def client(self, build, reference, version):
        return self.java(build, version, "Client", reference)


TAKT = Programs("takt", "Takt", takt, lambda version: takt(version) + ["-ORBRoundTripTimeout", "5s"])
PEERS = [Programs("omniorb", "omniORB", omniorb, omniorb), JacOrb()]

WORD = ("JacORB forgets the bound of a string's TypeCode outside of an alias: it is sent tk_string 5 and sends back "
        "tk_string 0, where 15.3.5.1 has the bound. In C++11 a typedef of string<5> has no name of its own to send.")

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
    ("*jacorb*", ("1.0", "1.1", "1.2"), "*.longdouble", "JacORB has no long double: its compiler refuses the type."),
    ("*jacorb*", ("1.0", "1.1", "1.2"), "any.word", WORD),
    ("takt-jacorb", ("1.0", "1.1", "1.2"), "typecode.word", WORD),
]
