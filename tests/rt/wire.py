"""GIOP on loopback as shown by tshark."""

import os
import re
import shutil
import subprocess
import time

from harness import network

MISSING = None if shutil.which("dumpcap") and shutil.which("tshark") else "tshark is not installed"


def shown_of(work, folder):
    """tshark's output for the traffic of `work()`, and its complaints; None if loopback cannot be recorded. `folder` is
    for the capture. Where it may, this process moves to a network of its own first, where no other program sends."""
    network.enter(network.congestion())
    capture = os.path.join(folder, "capture")
    recorder = subprocess.Popen(["dumpcap", "-q", "-i", "lo", "-f", "tcp", "-w", capture],
                                stderr=subprocess.PIPE, text=True)
    try:
        while "File:" not in (line := recorder.stderr.readline()):
            if not line:
                return None
        work()
        time.sleep(0.5)
    finally:
        recorder.terminate()
        recorder.communicate(timeout=10)
    shown = subprocess.run(["tshark", "-r", capture, "-V", "-Y", "giop"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, timeout=60).stdout
    return shown, re.findall(r".*[Mm]alformed.*", shown)
