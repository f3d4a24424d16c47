"""A network namespace for the bench, in which every peer has the same TCP settings; or two of them, one for the servers
and one for the clients, joined by a link of limited rate."""

import ctypes
import os
import shutil
import subprocess
import sys

CLONE_NEWNET = 0x40000000
CONGESTION = "/proc/sys/net/ipv4/tcp_congestion_control"
LINKS = ["loopback", "veth"]
OVER_LINK = ("tcp", "udp", "tls")  # transports that reach another host
CLIENTS, SERVERS = "10.77.0.1", "10.77.0.2"
C = ctypes.CDLL(None, use_errno=True)


def arguments(parser):
    parser.add_argument("--network", choices=LINKS, default="loopback",
                        help="veth: servers and clients have a network namespace each, joined by a link; default: %(default)s")
    parser.add_argument("--link-rate", default="1gbit", metavar="RATE", help="rate of that link, in tc's notation; default: %(default)s")
    parser.add_argument("--delay", default="", metavar="TIME", help="delay of that link each way, such as 0.1ms; needs netem in the kernel")
    parser.add_argument("--loss", default="", metavar="PERCENT", help="loss on that link, such as 0.1%%; needs netem in the kernel")


def congestion():
    with open(CONGESTION) as file:
        return file.read().strip()


def words_of(errno):
    return os.strerror(errno or ctypes.get_errno())


def enter(chosen, settings=None):
    """Moves this process, and therefore the programs it starts, to a network of its own where TCP uses the congestion
    control `chosen`; "system" changes nothing. Returns a description, and the link to the servers' network if
    `settings` ask for one."""
    if getattr(settings, "network", "loopback") == "veth":
        return enter_linked(chosen, settings)
    if chosen == "system":
        return f"congestion control of TCP: the system's {congestion()}; Takt and raw sockets use reno within a host", None
    if missing := own_network():
        return (f"no network of its own ({missing}): Takt and raw sockets use reno within a host, other peers the system's "
                f"{congestion()}"), None
    use(chosen)
    return f"congestion control of TCP, for all peers: {congestion()}", None


def own_network():
    """Returns the reason if it is impossible; nothing if this process is in it now."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return "which takes root and ip(8)"
    return words_of(0) if C.unshare(CLONE_NEWNET) else ""


def use(chosen):
    run("ip", "link", "set", "lo", "up")
    with open(CONGESTION, "w") as file:
        file.write(chosen)


def run(*command):
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}: {done.stderr.strip()}")


class Link:
    """This process is in the clients' network; the servers have another one."""

    address = SERVERS

    def __init__(self, servers):
        self.servers = servers

    def join_servers(self):
        """Moves a starting process to the servers' network."""
        if C.setns(self.servers, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


def enter_linked(chosen, settings):
    chosen = congestion() if chosen == "system" else chosen
    if missing := own_network():
        sys.exit(f"bench: no network of its own: {missing}")
    use(chosen)
    clients = os.open("/proc/self/ns/net", os.O_RDONLY)
    C.unshare(CLONE_NEWNET)
    use(chosen)
    servers = os.open("/proc/self/ns/net", os.O_RDONLY)
    run("ip", "link", "add", "servers", "type", "veth", "peer", "name", "clients", "netns", f"/proc/{os.getpid()}/fd/{clients}")
    raise_end("servers", SERVERS, settings)
    Link(clients).join_servers()  # returns to the network namespace where this process started
    raise_end("clients", CLIENTS, settings)
    netem = "".join(f", {name} {value}" for name, value in impairments(settings))
    return (f"client and server in two network namespaces, joined by a veth of {settings.link_rate} each way{netem}; "
            f"congestion control of TCP, for all peers: {chosen}"), Link(servers)


def impairments(settings):
    return [(name, getattr(settings, name)) for name in ("delay", "loss") if getattr(settings, name)]


def raise_end(name, address, settings):
    run("ip", "address", "add", f"{address}/24", "dev", name)
    run("ip", "link", "set", name, "up")
    parent = ["root"]
    if netem := impairments(settings):
        words = [word for pair in netem for word in pair]
        done = subprocess.run(["tc", "qdisc", "add", "dev", name, "root", "handle", "1:", "netem", *words],
                              stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"bench: --delay and --loss need netem, which this kernel does not have: {done.stderr.strip()}")
        parent = ["parent", "1:1"]
    run("tc", "qdisc", "add", "dev", name, *parent, "tbf", "rate", settings.link_rate, "burst", "128kb", "latency", "50ms")
