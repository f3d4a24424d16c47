"""The measured variants: the peers with their settings, the workloads, and the placement of processes."""

from dataclasses import dataclass, replace

from harness import certificates
from harness.process import HOST

LATENCY = ["cube_octet", "cube_void", "ping_burst", "octets_1k", "octets_64k", "octets_1m",
           "longs_1024", "structs_1024"]
# The types of [Kuhns 1999]'s IDL_Cubit, with sequences of 4 octets and of about 4 KiB; and octets by size.
CUBIT = ["cube_void", "cube_octet", "cube_long", "cube_struct", "octets_4", "octets_4k", "longs_1", "longs_1024",
         "structs_1024"]
OCTETS = {"cube_octet": 1, "octets_4": 4, "octets_64": 64, "octets_1k": 1 << 10, "octets_4k": 1 << 12,
          "octets_64k": 1 << 16, "octets_1m": 1 << 20, "octets_4m": 1 << 22}
THROUGHPUT = [f"cube_octet_t{threads}" for threads in (1, 2, 8, 50)]
WORKLOADS = list(dict.fromkeys((*LATENCY, *CUBIT, *OCTETS, *THROUGHPUT)))


@dataclass(frozen=True)
class Placement:
    server_cpus: set
    client_cpus: set
    workloads: list
    about: str
    awake: bool = False  # keep the cores from going idle
    on_request: tuple = ()  # workloads that run only if they are named


# On one core, server and client take turns, and the latency is the length of the whole path. On two cores,
# each wake-up crosses cores. "free" leaves the choice to the scheduler, which would make the latency
# alternate at random between the other two. Idle cores matter only where wake-ups cross cores.
PLACEMENTS = {
    "same": Placement({0}, {0}, LATENCY, "server and client pinned to core 0", on_request=(*CUBIT, *OCTETS)),
    "split": Placement({1}, {0}, LATENCY, "server pinned to core 1, client to core 0; the cores kept awake",
                       awake=True, on_request=(*CUBIT, *OCTETS)),
    "free": Placement({0, 1}, {0, 1}, THROUGHPUT, "server and client both on cores 0 and 1, not pinned further"),
}


@dataclass(frozen=True)
class Variant:
    peer: str
    program: str  # bench_PROGRAM_server and bench_PROGRAM_client
    server: tuple = ()
    client: tuple = ()
    transport: str = "tcp"
    messaging: str = "giop"
    workloads: tuple = ()  # empty: all
    alone: bool = False  # server and client are one process


# omniORB's defaults are a thread per connection and at most five connections to a server. Its fastest
# settings: a thread that owns its connection, no per-call Current, no idle scan, and a connection for every
# calling thread.
OMNIORB_LONG = ("-ORBgiopMaxMsgSize", str(8 << 20))  # on both sides; the default is 2 MiB
OMNIORB = ("-ORBendPoint", f"giop:tcp:{HOST}:", *OMNIORB_LONG)
OMNIORB_FAST_SERVER = ("-ORBmaxServerThreadPerConnection", "1", "-ORBsupportCurrent", "0",
                       "-ORBscanGranularity", "0")
OMNIORB_FAST_CLIENT = (*OMNIORB_LONG, "-ORBmaxGIOPConnectionPerServer", "64", "-ORBscanGranularity", "0")

TAKT = ("-ORBListenEndpoints", f"iiop://{HOST}:0")
BY_RING = ("-ORBReactor", "io_uring")
LANE = ("-ORBLanes", "0=1")  # one thread
RAW = ("--wait", "block", "--host", HOST)

VARIANTS = [
    Variant("raw", "raw", RAW),
    Variant("takt", "takt", TAKT),
    Variant("takt-reactive", "takt", (*TAKT, "-ORBServerConcurrency", "reactive")),
    Variant("takt-io-uring", "takt", (*TAKT, "-ORBServerConcurrency", "reactive", *BY_RING)),
    Variant("takt-lane", "takt", (*TAKT, *LANE)),
    Variant("takt-lane-io-uring", "takt", (*TAKT, *LANE, *BY_RING)),
    Variant("takt-cached", "takt", TAKT, ("-ORBClientConnections", "cached")),
    Variant("takt-multiplexed", "takt", TAKT, ("-ORBClientConnections", "multiplexed")),
    Variant("takt-multiplexed-active", "takt", TAKT, ("-ORBClientConnections", "multiplexed-active")),
    Variant("omniorb", "omniorb", OMNIORB, OMNIORB_LONG),
    Variant("omniorb-fast", "omniorb", (*OMNIORB, *OMNIORB_FAST_SERVER), OMNIORB_FAST_CLIENT),
    Variant("raw-epoll", "raw", ("--wait", "epoll", "--host", HOST)),
]
BASELINE = "raw"  # each ratio is to its figure of the same round and transport

# Over shared memory: waits by sleeping on a futex, or by polling the memory.
BUSY = ("-ORBBusyPoll", "1s")
OVER_MEMORY = [
    Variant("raw", "raw", ("--over", "ring"), transport="shm"),
    Variant("takt", "takt", ("-ORBListenEndpoints", "shm:"), transport="shm"),
    Variant("raw", "raw", ("--over", "spin"), transport="shm-busy"),
    Variant("takt", "takt", ("-ORBListenEndpoints", "shm:", *BUSY), BUSY, transport="shm-busy"),
]

# Waits poll the memory as long as that pays. The raw peer sleeps.
ADAPTIVE = ("-ORBBusyPoll", "auto")
OVER_POLLED_MEMORY = [
    Variant("raw", "raw", ("--over", "ring"), transport="shm-auto"),
    Variant("takt", "takt", ("-ORBListenEndpoints", "shm:", *ADAPTIVE), ADAPTIVE, transport="shm-auto"),
]

# Over TCP, whose place a local road takes. A bench must not depend on how soon the server admits its client.
ROADS = ("-ORBLocalRoads", "on", "-ORBLocalRoadTimeout", "1s")
OVER_ROADS = [Variant("takt", "takt", ("-ORBListenEndpoints", f"iiop://{HOST}:0", *ROADS), ROADS, transport="road")]

# Within one process. The scheduler places the threads on the cores of a placement.
WITHIN = [
    Variant("raw", "raw", client=("--endpoint", "own:ring"), transport="inproc", alone=True),
    Variant("takt", "takt", client=("--endpoint", "own", "-ORBListenEndpoints", "inproc:"), transport="inproc", alone=True),
    Variant("raw", "raw", client=("--endpoint", "own:spin"), transport="inproc-busy", alone=True),
    Variant("takt", "takt", client=("--endpoint", "own", "-ORBListenEndpoints", "inproc:", *BUSY),
            transport="inproc-busy", alone=True),
]

# Over UNIX-domain sockets. The default of omniORB, as of Takt, is a thread per connection.
OVER_UNIX = [
    Variant("raw", "raw", ("--wait", "block", "--over", "unix"), transport="uds"),
    Variant("takt", "takt", ("-ORBListenEndpoints", "unix:"), transport="uds"),
    Variant("omniorb", "omniorb", ("-ORBendPoint", "giop:unix:", *OMNIORB_LONG), OMNIORB_LONG, transport="uds"),
    Variant("omniorb-fast", "omniorb", ("-ORBendPoint", "giop:unix:", *OMNIORB_LONG, *OMNIORB_FAST_SERVER),
            OMNIORB_FAST_CLIENT, transport="uds"),
]


# Over UDP. A raw message is one datagram without retransmission, so only workloads that fit a datagram and
# wait for a reply.
OVER_UDP = [
    Variant("raw", "raw", (*RAW, "--over", "udp"), transport="udp",
            workloads=(*CUBIT, "octets_64", "octets_1k")),
    Variant("takt", "takt", ("-ORBListenEndpoints", f"udp://{HOST}:0"), transport="udp"),
]

# The same with short message headers, over every transport.
LITE_OPTION = ("-ORBMessaging", "giop-lite")


def with_lite(variants):
    """Takt's variants among them, with GIOPlite."""
    return [replace(variant, peer="takt-lite", messaging="giop-lite", server=(*variant.server, *LITE_OPTION),
                    client=(*variant.client, *LITE_OPTION)) for variant in variants if variant.peer == "takt"]


def over_tls():
    """Over TLS 1.3, with the cipher that OpenSSL prefers: a raw ping-pong over OpenSSL, Takt, and omniORB. Makes the
    certificate."""
    both, trusted = certificates.file("both.pem"), certificates.file("certificate.pem")
    omniorb = ("-ORBsslCAFile", trusted, "-ORBsslKeyFile", both, "-ORBsslKeyPassword", "", *OMNIORB_LONG)
    return [
        Variant("raw", "raw", (*RAW, "--over", "tls", "--certificate", both), transport="tls"),
        Variant("takt", "takt", ("-ORBListenEndpoints", f"ssliop://{HOST}:0", "-ORBTLSCertificate", both),
                ("-ORBTLSAuthorities", trusted), transport="tls"),
        Variant("omniorb", "omniorb", ("-ORBendPoint", f"giop:ssl:{HOST}:", *omniorb), omniorb, transport="tls"),
    ]
