#!/usr/bin/env python3
"""lossy_link.py TAKT [OPTION...] [-- OPTION...]: sends generated video over a link that loses and delays packets, and shows what arrives, as figures and
as a picture. The options behind -- are those of takt stream send.

The two ends of the link are namespaces of the network, each with a TUN device; this program carries the packets between them. It needs
Linux that lets users make namespaces, and no other right. Without it, the exit status is 77."""

import argparse
import ctypes
import fcntl
import heapq
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time

SENDER, RECEIVER = "10.77.0.1", "10.77.0.2"
TUNSETIFF, IFF_TUN, IFF_NO_PI, CLONE_NEWNET = 0x400454CA, 1, 0x1000, 0x40000000
UDP = 17


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("takt", metavar="TAKT", help="the program takt")
    parser.add_argument("--loss", type=float, default=2, metavar="PERCENT", help="of the frames' packets; default: %(default)s")
    parser.add_argument("--delay", type=float, default=2, metavar="MS", help="shortest time on the link; default: %(default)s")
    parser.add_argument("--jitter", type=float, default=2, metavar="MS", help="by which that varies; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=10, help="length of the video; default: %(default)s")
    parser.add_argument("--page", default="flows.html", metavar="FILE", help="the picture; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the losses; default: %(default)s")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    settings = parser.parse_args(words[:end])
    settings.more = words[end + 1:]
    return settings


def tun(address):
    """A TUN device with the address, in this namespace."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", b"lossy", IFF_TUN | IFF_NO_PI))
    for words in (("link", "set", "lo", "up"), ("addr", "add", address + "/24", "dev", "lossy"), ("link", "set", "lossy", "up")):
        subprocess.run(["ip", *words], check=True)
    return device


def carry(near, far, settings):
    """Takes packets from one end to the other until this process is ended. Each direction keeps its order."""
    chance = random.Random(settings.seed)
    waiting, count, last = [], 0, {near: 0.0, far: 0.0}
    while True:
        timeout = max(waiting[0][0] - time.monotonic(), 0) if waiting else None
        for end in select.select([near, far], [], [], timeout)[0]:
            packet = os.read(end, 65536)
            is_frame = end == near and len(packet) > 9 and packet[0] >> 4 == 4 and packet[9] == UDP
            if is_frame and chance.random() * 100 < settings.loss:
                continue
            due = time.monotonic() + (settings.delay + chance.random() * settings.jitter) / 1000
            last[end] = max(last[end], due)
            count += 1
            heapq.heappush(waiting, (last[end], count, far if end == near else near, packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, to, packet = heapq.heappop(waiting)
            try:
                os.write(to, packet)
            except OSError:  # the other end has no room, or speaks another protocol
                pass


def receiving_end(near, settings, ready):
    """In a process of its own: the receiver's namespace, the receiver, and the link."""
    if ctypes.CDLL(None).unshare(CLONE_NEWNET) != 0:
        sys.exit(77)
    far = tun(RECEIVER)
    with subprocess.Popen([settings.takt, "stream", "receive", "--listen", f"iiop://{RECEIVER}:2814"], stdout=subprocess.PIPE) as receiver:
        signal.signal(signal.SIGTERM, lambda *_: (receiver.terminate(), sys.exit(0)))
        receiver.stdout.readline()
        os.write(ready, b"1")
        carry(near, far, settings)


def show(settings):
    """The sender's end: sends, and watches the receiver meanwhile."""
    near = tun(SENDER)
    begun, ready = os.pipe()
    child = os.fork()
    if child == 0:
        receiving_end(near, settings, ready)
    os.close(ready)
    try:
        if not os.read(begun, 1):
            return 77
        device = f"corbaloc::{RECEIVER}:2814/"
        with subprocess.Popen([settings.takt, "stream", "send", device + "MMDevice", "--for", f"{settings.seconds + 1}s", "--listen",
                               f"iiop://{SENDER}:0", *settings.more], stdout=subprocess.DEVNULL) as sender:
            time.sleep(0.5)
            watch = subprocess.run([settings.takt, "stream", "watch", "--service", device + "TaktStreams", "--for", f"{settings.seconds}s",
                                    "--page", settings.page], check=False)
        return watch.returncode or sender.returncode
    finally:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)


def main():
    settings = arguments()
    if settings.inside:
        return show(settings)
    if subprocess.run(["unshare", "-rn", "true"], stderr=subprocess.DEVNULL, check=False).returncode or not os.access("/dev/net/tun", os.R_OK):
        print("lossy_link: this machine lets nobody make namespaces, or has no TUN devices", file=sys.stderr)
        return 77
    return subprocess.run(["unshare", "-rn", sys.executable, __file__, "--inside", *sys.argv[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
