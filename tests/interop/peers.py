"""The programs of each ORB, and the known differences of each."""

import functools
import itertools
import os
import shutil
import socket
import subprocess
import tempfile


class Programs:
    """interop_NAME_server and interop_NAME_client of the build tree."""

    def __init__(self, name, title, server_options, client_options):
        self.name, self.title, self.stem = name, title, name
        self.server_options, self.client_options = server_options, client_options

    over = "tcp"

    def with_options(self, title, *options):
        """Returns the same programs with these additional options."""
        return Programs(self.name, title, lambda *how: self.server_options(*how) + list(options),
                        lambda *how: self.client_options(*how) + list(options))

    def program(self, build, side):
        return os.path.join(build, "tests", "interop", f"interop_{self.stem}_{side}")

    def missing(self, build):
        for side in ("server", "client"):
            if not os.path.exists(self.program(build, side)):
                return self.program(build, side) + " is not built"
        return None

    def server(self, build, path, version, port=0):
        return [self.program(build, "server"), path] + self.server_options(version, port)

    def client(self, build, reference, version):
        return [self.program(build, "client"), reference] + self.client_options(version)


def omniorb(version, port=0):
    # GIOP 1.0 cannot negotiate code sets; omniORB sends no char then if its native set is not ISO 8859-1.
    code_set = [] if version == "1.0" else ["-ORBnativeCharCodeSet", "UTF-8"]
    return ["-ORBmaxGIOPVersion", version, "-ORBendPoint", f"giop:tcp:127.0.0.1:{port or ''}"] + code_set


# A server does not know that its clients are omniORB on x86. A client finds it in references (-ORBLongDouble auto).
LIKE_OMNIORB = ["-ORBLongDouble", "x87"]


def takt_server(version, port=0):
    return takt(version, port) + LIKE_OMNIORB


def takt(version, port=0):
    return ["-ORBGIOPVersion", version, "-ORBListenEndpoints", f"iiop://127.0.0.1:{port}", "-ORBFragmentSize", "4096"]


@functools.cache
def sockets():
    return tempfile.TemporaryDirectory(prefix="takt-interop-")


def unix_path(port):
    """A path of its own; the same one for the same port."""
    return os.path.join(sockets().name, str(port or f"free{next(COUNT)}"))


COUNT = itertools.count()


@functools.cache
def certificates():
    """An authority and a certificate for both ends: authority.pem, end.pem, end.key, and both in both.pem."""
    folder = tempfile.TemporaryDirectory(prefix="takt-interop-tls-")

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder.name, check=True, capture_output=True)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    openssl("req", "-x509", *key, "-keyout", "authority.key", "-out", "authority.pem", "-subj", "/O=Takt/CN=Interop")
    openssl("req", "-x509", "-CA", "authority.pem", "-CAkey", "authority.key", *key, "-keyout", "end.key", "-out",
            "end.pem", "-subj", "/O=Takt/CN=Either end", "-addext", "basicConstraints=critical,CA:FALSE",
            "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost")
    with open(os.path.join(folder.name, "both.pem"), "w", encoding="ascii") as both:
        for name in ("end.key", "end.pem"):
            with open(os.path.join(folder.name, name), encoding="ascii") as part:
                both.write(part.read())
    return folder


@functools.cache
def keystore():
    """A key store for Java: a key with its certificate, and the trusted authority."""
    path = certificate("end.jks")
    subprocess.run(["openssl", "pkcs12", "-export", "-in", certificate("both.pem"), "-out", certificate("end.p12"),
                    "-name", "end", "-passout", "pass:takttakt"], check=True, capture_output=True)
    keytool = ["keytool", "-noprompt", "-keystore", path, "-storepass", "takttakt"]
    subprocess.run(keytool[:1] + ["-importkeystore", "-noprompt", "-srckeystore", certificate("end.p12"), "-srcstoretype",
                                  "PKCS12", "-srcstorepass", "takttakt", "-destkeystore", path, "-deststorepass",
                                  "takttakt"], check=True, capture_output=True)
    subprocess.run(keytool + ["-importcert", "-alias", "authority", "-file", certificate("authority.pem")], check=True,
                   capture_output=True)
    return path


def certificate(name):
    return os.path.join(certificates().name, name)


def omniorb_over_unix(version, port=0):
    return [f"giop:unix:{unix_path(port)}" if option.startswith("giop:tcp:") else option
            for option in omniorb(version, port)]


def takt_over_unix(version, port=0):
    return [f"unix:{unix_path(port)}" if option.startswith("iiop:") else option for option in takt(version, port)]


def omniorb_over_tls(version, port=0):
    options = [f"giop:ssl:127.0.0.1:{port or ''}" if option.startswith("giop:tcp:") else option
               for option in omniorb(version, port)]
    return options + ["-ORBsslCAFile", certificate("authority.pem"), "-ORBsslKeyFile", certificate("both.pem"),
                      "-ORBsslKeyPassword", "", "-ORBclientTransportRule", "* ssl"]


def takt_over_tls(version, port=0):
    options = [f"ssliop://127.0.0.1:{port}" if option.startswith("iiop:") else option
               for option in takt(version, port)]
    return options + ["-ORBTLSCertificate", certificate("end.pem"), "-ORBTLSKey", certificate("end.key"),
                      "-ORBTLSAuthorities", certificate("authority.pem"), "-ORBTLSClientCertificates", "required",
                      "-ORBTLSUse", "always"]


class JacOrb:
    """Classes that jacorb/build makes once per run."""

    name, title, over = "jacorb", "JacORB", "tcp"

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

    @staticmethod
    def more_properties(_port):
        return {}

    def java(self, build, version, *arguments, port=0):
        folder = self.folder(build)
        properties = {"org.omg.CORBA.ORBClass": "org.jacorb.orb.ORB",
                      "org.omg.CORBA.ORBSingletonClass": "org.jacorb.orb.ORBSingleton",
                      "OAIAddr": "127.0.0.1", "jacorb.giop_minor_version": version[2],
                      "jacorb.native_char_codeset": "UTF8", "jacorb.native_wchar_codeset": "UTF16",
                      "jacorb.poa.queue_max": "1000",  # waiting oneways
                      "jacorb.implname": "interop",  # for persistent references
                      "jacorb.log.default.verbosity": "0", "org.slf4j.simpleLogger.defaultLogLevel": "off"}
        if port:
            properties["OAPort"] = str(port)
        properties.update(self.more_properties(port))
        return (["java", "-XX:TieredStopAtLevel=1", "-cp", f"{folder}/classes:{folder}/lib/*"] +
                [f"-D{name}={value}" for name, value in properties.items()] + list(arguments))

    def server(self, build, path, version, port=0):
        return self.java(build, version, "Server", path, port=port)

    def client(self, build, reference, version):
        return self.java(build, version, "Client", reference)


class JacOrbByTls(JacOrb):
    """Over the JDK's TLS. 60: both ends authenticate (EstablishTrustInTarget, EstablishTrustInClient)."""

    title, over = "JacORB by TLS", "tls"

    @staticmethod
    def more_properties(port):
        properties = {"jacorb.security.support_ssl": "on",
                      "jacorb.security.keystore": keystore(), "jacorb.security.keystore_password": "takttakt",
                      "jacorb.security.jsse.trustees_from_ks": "on",
                      "jacorb.ssl.socket_factory": "org.jacorb.security.ssl.sun_jsse.SSLSocketFactory",
                      "jacorb.ssl.server_socket_factory": "org.jacorb.security.ssl.sun_jsse.SSLServerSocketFactory"}
        for side in ("client", "server"):
            for options in ("supported", "required"):
                properties[f"jacorb.security.ssl.{side}.{options}_options"] = "60"
        if port:
            properties["OASSLPort"] = str(port)
            properties["OAPort"] = "0"
        return properties


class JacOrbToDynamic(JacOrb):
    """Compiled stubs and skeletons, with Takt's dynamic ones."""

    over = "dynamic"


class JacOrbToInterpreted(JacOrb):
    """The same programs, with Takt's interpreted stubs and skeletons."""

    over = "interpreted"


class JacOrbDynamic(JacOrb):
    """Calls and servants behind a gateway of dynamic requests and servants."""

    name, title, over = "jacorb.dynamic", "JacORB by DII and DSI", "dynamic"

    @staticmethod
    def more_properties(_port):
        return {"interop.dynamic": "on"}


class Bridged:
    """A server behind `takt bridge`, which clients reach over TCP. The server listens at a UNIX-domain socket if its
    references can contain one."""

    over = "bridge"

    def __init__(self, by_tcp, by_path=None):
        self.by_tcp, self.by_path = by_tcp, by_path
        self.name, self.title = f"{by_tcp.name}.bridged", f"{by_tcp.title} through a bridge"

    def missing(self, build):
        return self.by_tcp.missing(build) or (None if os.path.exists(self.takt(build)) else
                                              self.takt(build) + " is not built")

    @staticmethod
    def takt(build):
        return os.path.join(build, "tools", "takt", "takt")

    def server(self, build, path, version, port=0):
        server = self.by_path if self.by_path and version == "1.2" else self.by_tcp
        inner_port = port and (port if server is self.by_path else free_port_for(port))
        bridged = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bridged")
        return [bridged, self.takt(build), str(port), path] + server.server(build, path + ".inner", version, inner_port)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@functools.cache
def free_port_for(_port):
    """A free port; the same one for the same argument."""
    return free_port()


TAKT = Programs("takt", "Takt", takt_server, lambda version: takt(version) + ["-ORBRoundTripTimeout", "5s"])
# Takt's other strategies, for clients and for servers.
CLIENTS = [TAKT, TAKT.with_options("Takt, cached,", "-ORBClientConnections", "cached"),
           TAKT.with_options("Takt, multiplexed,", "-ORBClientConnections", "multiplexed"),
           TAKT.with_options("Takt, multiplexed-active,", "-ORBClientConnections", "multiplexed-active")]
SERVERS = [TAKT, TAKT.with_options("Takt, reactive", "-ORBServerConcurrency", "reactive"),
           TAKT.with_options("Takt, leader-followers", "-ORBServerConcurrency", "leader-followers")]
PEERS = [Programs("omniorb", "omniORB", omniorb, omniorb), JacOrb()]
# Calls that are all dynamic requests, and servants that are all without generated skeletons.
TAKT_DYNAMIC = TAKT.with_options("Takt by DII and DSI", "--dynamic")
TAKT_DYNAMIC.over = "dynamic"
# Interpreted stubs and skeletons.
TAKT_INTERPRETED = TAKT.with_options("Takt (interpreted)")
TAKT_INTERPRETED.over, TAKT_INTERPRETED.stem = "interpreted", "interpreted"
# Over UNIX-domain sockets, with callbacks.
TAKT_OVER_UNIX = Programs("takt", "Takt over UNIX", lambda *how: takt_over_unix(*how) + LIKE_OMNIORB, takt_over_unix)
OMNIORB_OVER_UNIX = Programs("omniorb", "omniORB over UNIX", omniorb_over_unix, omniorb_over_unix)
TAKT_OVER_UNIX.over = OMNIORB_OVER_UNIX.over = "unix"
# Over TLS with certificates on both sides.
TAKT_OVER_TLS = Programs("takt", "Takt by TLS", lambda *how: takt_over_tls(*how) + LIKE_OMNIORB,
                         lambda version: takt_over_tls(version) + ["-ORBRoundTripTimeout", "5s"])
OMNIORB_OVER_TLS = Programs("omniorb", "omniORB by TLS", omniorb_over_tls, omniorb_over_tls)
TAKT_OVER_TLS.over = OMNIORB_OVER_TLS.over = "tls"
OMNIORB, JACORB = PEERS


def dynamic_pairs(peer, *peers_own):
    """Takt's dynamic calls and servants with the peer's compiled ones, and with its dynamic ones."""
    return [pair for other in (peer, *peers_own) for pair in ((TAKT_DYNAMIC, other), (other, TAKT_DYNAMIC))]


OMNIORB_TO_DYNAMIC = OMNIORB.with_options("omniORB")
OMNIORB_DYNAMIC = OMNIORB.with_options("omniORB by DII and DSI", "--dynamic")
OMNIORB_TO_DYNAMIC.over = OMNIORB_DYNAMIC.over = "dynamic"
OMNIORB_TO_INTERPRETED = OMNIORB.with_options("omniORB")
OMNIORB_TO_INTERPRETED.over = "interpreted"
OMNIORB_DYNAMIC.name = "omniorb.dynamic"
OTHERWISE = {"omniorb": [(TAKT_OVER_UNIX, OMNIORB_OVER_UNIX), (OMNIORB_OVER_UNIX, TAKT_OVER_UNIX),
                         (TAKT_OVER_TLS, OMNIORB_OVER_TLS), (OMNIORB_OVER_TLS, TAKT_OVER_TLS),
                         *dynamic_pairs(OMNIORB_TO_DYNAMIC, OMNIORB_DYNAMIC),
                         (TAKT_INTERPRETED, OMNIORB_TO_INTERPRETED), (OMNIORB_TO_INTERPRETED, TAKT_INTERPRETED),
                         (OMNIORB, Bridged(TAKT, TAKT_OVER_UNIX)), (TAKT, Bridged(OMNIORB, OMNIORB_OVER_UNIX))],
             "jacorb": [(TAKT_OVER_TLS, JacOrbByTls()), (JacOrbByTls(), TAKT_OVER_TLS),
                        *dynamic_pairs(JacOrbToDynamic(), JacOrbDynamic()),
                        (TAKT_INTERPRETED, JacOrbToInterpreted()), (JacOrbToInterpreted(), TAKT_INTERPRETED),
                        (JACORB, Bridged(TAKT)), (TAKT, Bridged(JACORB))]}

WORD = ("JacORB forgets the bound of a string's TypeCode outside of an alias: it is sent tk_string 5 and sends back "
        "tk_string 0. In C++11 a typedef of string<5> has no name of its own to send.")

RMI = "JacORB takes values in anys through the JDK's RMI over IIOP, which Java 11 and later do not have."
ALL = ("1.0", "1.1", "1.2")
# CLIENT-SERVER, GIOP versions, checks, and why they fail. A name without .bridged and .dynamic stands for all.
DIFFERENCES = [
    ("takt-*.bridged", ALL, "locate.request",
     "A bridge answers a LocateRequest for a reference that leads through it by itself: the object is here, whether its "
     "server has it or not. The request finds out."),
    ("*", ("1.0",), "*.wchar *.wstring text.wide", "GIOP 1.0 has no wide characters."),
    ("*", ("1.0",), "type.text any.text text.narrow",
     "GIOP 1.0 does not negotiate code sets: its strings are ISO 8859-1."),
    ("takt-*", ("1.0",), "typecode.text", "GIOP 1.0 does not negotiate code sets: its strings are ISO 8859-1."),
    ("*-omniorb", ("1.1",), "type.text any.text typecode.text text.narrow",
     "omniORB's IIOP 1.1 profiles have no TAG_CODE_SETS, so ISO 8859-1 is spoken."),
    ("*omniorb*", ("1.1",), "*.wchar *.wstring text.wide",
     "omniORB does no wide characters in GIOP 1.1: its profiles offer none, and offered UTF-16 it sends a "
     "CodeSetContext with none. Between two omniORBs neither."),
    ("*omniorb*", ("1.2",), "text.wide",
     "omniORB has no wide characters beyond U+FFFF (BAD_PARAM, WCharOutOfRange), between two omniORBs neither."),
    ("*jacorb*", ("1.1",), "text.wide",
     "JacORB sends surrogates as two characters in GIOP 1.1, whose wide characters have a fixed width; Takt refuses "
     "them there."),
    ("*omniorb*", ALL, "any.longdouble",
     "omniORB misreads a long double in an any, between two omniORBs too."),
    ("takt*-omniorb*", ("1.0",), "type.longdouble",
     "omniORB sends the 80 bits of an x86 register and six octets of whatever was in memory after them. CDR has "
     "IEEE 754 quadruple precision, of which any 16 octets are a number: they cannot be told apart. A reference of "
     "IIOP 1.0 does not name its ORB, so -ORBLongDouble auto does not do the same; x87 does."),
    ("*jacorb*", ALL, "*.longdouble", "JacORB has no long double: its compiler refuses the type."),
    ("*jacorb*", ALL, "any.word", WORD),
    ("takt-jacorb", ALL, "typecode.word", WORD),
    ("*omniorb*", ALL, "attribute.exceptions",
     "omniORB has no exceptions of attributes: its compiler refuses getraises and setraises."),
    ("jacorb-*", ALL, "attribute.exceptions",
     "JacORB's stubs close a reply to an attribute's call before they read the exception that it holds "
     "(NullPointerException); between two JacORBs too."),
    ("*omniorb*", ALL, "value.custom", "omniORB has no custom valuetypes: its compiler refuses them."),
    ("*omniorb*", ALL, "value.large",
     "omniORB reads an array or a string that reaches beyond its buffer (of 8 KiB) to the chunk's end, past its own "
     "length, and then takes the end tag for a size (MARSHAL, InvalidChunkedEncoding). Captured: a chunk of 100,013 "
     "octets, which are 4 of a count, the 100,000 of the array, and the string after it. omniORB sends the same value "
     "without chunks."),
    ("omniorb-*", ALL, "value.any value.typecode",
     "omniORB cannot send the TypeCode of a valuetype with members of its own type (BAD_TYPECODE, Incomplete), "
     "to another omniORB neither."),
    ("takt-jacorb", ALL, "value.truncated",
     "JacORB does not skip what it truncates, so arguments after the value are misread; between two JacORBs too."),
    ("takt-jacorb", ALL, "value.any", RMI),
    ("jacorb-takt", ALL, "value.any value.typecode", RMI),
]
