"""A network namespace of the bench's own, in which every peer finds the same settings of TCP."""

import ctypes
import os
import shutil
import subprocess

CLONE_NEWNET = 0x40000000
CONGESTION = "/proc/sys/net/ipv4/tcp_congestion_control"


def congestion():
    with open(CONGESTION) as file:
        return file.read().strip()


def enter(chosen):
    """Moves this process, and so the programs that it starts, to a network of its own where TCP uses the congestion
    control `chosen`; "system" stays. Returns in words what holds."""
    if chosen == "system":
        return f"congestion control of TCP: the system's {congestion()}; Takt and raw sockets use reno within a host"
    if os.geteuid() != 0 or not shutil.which("ip"):
        return (f"no network of its own, which takes root and ip(8): Takt and raw sockets use reno within a host, other "
                f"peers the system's {congestion()}")
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        return (f"no network of its own ({os.strerror(ctypes.get_errno())}): Takt and raw sockets use reno within a host, "
                f"other peers the system's {congestion()}")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with open(CONGESTION, "w") as file:
        file.write(chosen)
    return f"congestion control of TCP, for all peers: {congestion()}"
