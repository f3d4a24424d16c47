"""Frames that GStreamer's udpsink sends to its udpsrc, as RTP packets of the same size as Takt's: the peer of `script/bench streams`."""

import math
import resource
import shutil
import signal
import socket
import subprocess
import time

CAPS = "application/x-rtp,media=application,clock-rate=90000,encoding-name=X-GST"
HEADS = 16  # octets of a packet's heads: RTP and rtpgstpay
PATIENCE_S = 60


def is_there():
    """Whether the elements are installed: packages gstreamer1.0-tools and gstreamer1.0-plugins-good."""
    return bool(shutil.which("gst-launch-1.0")) and all(
        subprocess.run(["gst-inspect-1.0", "--exists", each], check=False).returncode == 0 for each in ("udpsink", "rtpgstpay", "fakesrc"))


def run(octets, rate, seconds, packet):
    """Processor time of sender and receiver for a frame in us, without what their start takes, and the percentage of packets lost."""
    frames = max(round(rate * seconds), 2)
    start, _ = processes(octets, rate, 1, packet)
    whole, dropped = processes(octets, rate, frames, packet)
    packets = frames * math.ceil(octets / (packet - HEADS))
    return {"sent": frames, "cpu_us": round((whole - start) / (frames - 1) * 1e6, 2), "lost_percent": round(100 * dropped / packets, 2)}


def processes(octets, rate, frames, packet):
    port = free_port()
    before = processor_time()
    receiver = subprocess.Popen(["gst-launch-1.0", "-q", "udpsrc", "address=127.0.0.1", f"port={port}", f"caps={CAPS}", "!", "rtpgstdepay", "!",
                                 "fakesink", "sync=false"], stdout=subprocess.DEVNULL)
    try:
        sockets_of(port)
        subprocess.run(["gst-launch-1.0", "-q", "fakesrc", f"num-buffers={frames}", "sizetype=fixed", f"sizemax={octets}", "filltype=zero",
                        f"datarate={round(octets * rate)}", "format=time", "!", "application/octet-stream", "!", "rtpgstpay",
                        f"mtu={packet}", "!", "udpsink", "host=127.0.0.1", f"port={port}", "sync=true"], check=True, stdout=subprocess.DEVNULL)
        dropped = sum(int(line[-1]) for line in sockets_of(port))
    finally:
        receiver.send_signal(signal.SIGINT)
        receiver.wait(PATIENCE_S)
    return processor_time() - before, dropped


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def sockets_of(port):
    """The rows of the receiver's socket in the system's table, once it is there."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with open("/proc/net/udp", encoding="ascii") as file:
            rows = [line.split() for line in file if line.split()[1].endswith(f":{port:04X}")]
        if rows:
            return rows
        time.sleep(0.02)
    raise RuntimeError("GStreamer's receiver does not come up")


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
