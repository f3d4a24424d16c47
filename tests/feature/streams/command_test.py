"""command_test.py TAKT: `takt stream` as processes."""

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from served import ENVIRONMENT, TAKT, Server, takt  # noqa: E402

OPENSSL = shutil.which("openssl")


def own_address():
    """From which this machine sends to groups over the loopback interface: the system chooses it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("=4s4si", b"", b"", socket.if_nametoindex("lo")))
        probe.connect(("239.255.1.1", 5004))
        return probe.getsockname()[0]


class Receiver(Server):
    def __init__(self, *options):
        super().__init__("stream", "receive", *options)

    def state(self):
        done = takt("stream", "list", "--json", "--service", self.url("TaktStreams"))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def flows(self):
        return self.state()["flows"]


class Streams(unittest.TestCase):
    def receiver(self, *options):
        server = Receiver(*options)
        self.addCleanup(server.stop)
        return server

    def send(self, *words, status=0):
        done = takt("stream", "send", *words)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout) if status == 0 else done.stderr

    def sending(self, receiver, *words):
        """A sender whose frames arrive."""
        sender = subprocess.Popen([TAKT, "stream", "send", receiver.url("MMDevice"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env=ENVIRONMENT)
        self.addCleanup(sender.communicate)
        self.addCleanup(sender.kill)
        while not any(flow["frames"] > 0 for flow in receiver.flows()):
            self.assertIsNone(sender.poll())
            time.sleep(0.05)
        return sender

    def test_a_sender_whose_receivers_have_gone_ends_and_says_so(self):
        for carrier in ("UDP", "TCP"):
            receiver = self.receiver()
            sender = self.sending(receiver, "--for", "1h", "--carrier", carrier)
            receiver.process.kill()
            page, said = sender.communicate(timeout=50)
            self.assertIn("all receivers have gone", said)
            self.assertEqual(sender.returncode, 1)
            self.assertIn("role: producer", page)

    def test_a_second_signal_ends_a_sender_whose_receiver_hangs(self):
        receiver = self.receiver()
        sender = self.sending(receiver, "--for", "1h")
        receiver.process.send_signal(signal.SIGSTOP)
        while sender.poll() is None:
            sender.send_signal(signal.SIGINT)
            time.sleep(0.2)
        receiver.process.send_signal(signal.SIGCONT)
        self.assertEqual(sender.returncode, -signal.SIGINT)

    @unittest.skipUnless(OPENSSL, "openssl is not installed")
    def test_signals_are_heard_while_a_receiver_does_not_answer(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            sender = subprocess.Popen([TAKT, "stream", "send", f"corbaloc::127.0.0.1:{silent.getsockname()[1]}/device"], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.addCleanup(sender.kill)
            connection, _ = silent.accept()
            with connection:
                sender.send_signal(signal.SIGINT)
                self.assertIn("another signal ends it at once", sender.stderr.readline())
                sender.send_signal(signal.SIGINT)
                sender.communicate(timeout=60)
                self.assertEqual(sender.returncode, -signal.SIGINT)

    def test_a_flow_over_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
            subprocess.run([OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out",
                            certificate, "-days", "400", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                           check=True, capture_output=True)
            trust = ("-ORBTLSAuthorities", certificate)
            receiver = self.receiver("--carrier", "TLS", "-ORBTLSCertificate", certificate, "-ORBTLSKey", key, *trust)
            words = (receiver.reference, "--carrier", "TLS", "--rate", "100", "--size", "5k", "--for", "200ms", "--json")
            flow = self.send(*words, *trust)["flows"][0]
            self.assertTrue(flow["carrier"].startswith("TLS=127.0.0.1:"), flow)
            self.assertGreater(flow["frames"], 5)
            self.assertIn("certificate is refused", self.send(*words, status=1))

    def test_a_group_of_two_receivers(self):
        group = f"239.255.{os.getpid() % 250 + 1}.{os.getpid() // 250 % 250 + 1}:{30000 + os.getpid() % 20000}"
        receivers = [self.receiver(*words, "--interface", "lo") for words in (["--groups"], ["--allowed-group", group, "--from", own_address()])]
        words = [each.reference for each in receivers] + ["--group", group, "--interface", "lo", "--hops", "0"]
        with subprocess.Popen([TAKT, "stream", "send", *words, "--rate", "100", "--size", "5k", "--for", "30s", "--json"],
                              stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as sender:
            for each in receivers:
                while not any(flow["frames"] > 5 for flow in each.flows()):
                    time.sleep(0.02)
                self.assertEqual([flow["carrier"] for flow in each.flows()], [f"UDP={group}"])
            sender.terminate()
            flow, = json.loads(sender.communicate()[0])["flows"]
        self.assertEqual(flow["carrier"], f"UDP={group}")
        self.assertIn("239.255.1.1:5004", self.send(receivers[0].reference, "--group", "127.0.0.1:5004", status=1))

    def test_a_stream_to_two_receivers_and_its_picture(self):
        first, second = self.receiver(), self.receiver("--carrier", "UDP")
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            with subprocess.Popen([TAKT, "stream", "send", first.reference, second.reference, "--rate", "100", "--size", "5k", "--for", "30s",
                                   "--json"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as sender:
                end = time.monotonic() + 30
                while not all(each["frames"] > 0 for server in (first, second) for each in server.flows() or [{"frames": 0}]):
                    self.assertLess(time.monotonic(), end)
                done = takt("stream", "watch", "--for", "1s", "--every", "50ms", "--page", page, "--json", "--service",
                            first.url("TaktStreams"))
                self.assertEqual(done.returncode, 0, done.stderr)
                shown = [takt("top", "--streams", first.url("TaktStreams"), "--count", "2", "--interval", "200ms").stdout,
                         takt("metrics", "--once", "--streams", first.url("TaktStreams"), "--streams", second.url("TaktStreams")).stdout]
                sender.send_signal(2)
                sent = json.loads(sender.communicate(timeout=30)[0])["flows"][0]
            watched = json.loads(done.stdout)
            self.assertGreaterEqual(watched["samples"], 3)
            self.assertGreater(watched["flows"][0]["frames"], 0)  # a busy machine leaves out most of 30
            self.assertEqual((sent["role"], sent["frame_rate"]), ("producer", 100))
            self.assertEqual(len(sent["carrier"].split(",")), 2)
            self.assertLess(watched["flows"][0]["frames"], sent["frames"])
            title, heads, rows = zip(*(look.splitlines() for look in shown[0].split("\n\n")))
            self.assertEqual(title[0], first.url("TaktStreams") + ": streams, end points 1, connections made 1, refused 0")
            rates = [dict(zip(heads[0].split(), row.split()))["FRAMES/S"] for row in rows]
            self.assertEqual(rates[0], "-")
            self.assertGreater(float(rates[1]), 0)
            for server in first, second:
                labels = f'target="{server.url("TaktStreams")}",end_point="1",flow="video",role="consumer"'
                self.assertIn(f"takt_streams_started{{{labels}}} 1\n", shown[1])
                self.assertGreater(int(re.search(re.escape(f"takt_streams_frames_total{{{labels}}}") + r" (\d+)\n", shown[1])[1]), 0)
                self.assertRegex(shown[1], re.escape(f"takt_streams_jitter_seconds{{{labels}}}") + r" 0\.\d{9}\n")
            with open(page, encoding="utf-8") as file:
                text = file.read()
            self.assertGreaterEqual(len(re.findall(r'<rect [^>]*class="frames"', text)), 3)
            self.assertIn('class="jitter"', text)
        self.assertEqual(first.flows(), [], "the sender has taken leave")
        self.assertEqual(first.stop(), (0, ""))

    def test_sends_for_a_time_over_connections(self):
        receiver = self.receiver("--max-frame-rate", "40")
        words = (receiver.reference, "--carrier", "TCP", "--rate", "80", "--for", "400ms", "--dscp", "46")
        done = takt("stream", "send", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("grants less than was asked for", done.stderr)
        self.assertIn("frame rate: 40", done.stdout)
        self.assertRegex(done.stdout, r"carrier: TCP=127\.0\.0\.1:\d+")

    def test_a_receiver_that_refuses_leaves_nothing_at_the_others(self):
        first, other = self.receiver(), self.receiver("--format", "MIME:video/mpeg")
        self.assertIn("the format", self.send(first.reference, other.reference, status=1))
        self.assertEqual([each.state()["end_points"] for each in (first, other)], [0, 0])

    def test_refusals(self):
        receiver = self.receiver("--flow", "sound", "--max-frame-octets", "1000")
        self.assertIn("noSuchFlow", self.send(receiver.reference, status=1))
        self.assertIn("the format is UNS:octets", self.send(receiver.reference, "--flow", "sound", "--format", "MPEG", status=1))
        self.assertIn("--size is from", self.send(receiver.reference, "--size", "1", status=2))
        self.assertIn("--packet is from", self.send(receiver.reference, "--packet", "10", status=2))
        self.assertIn("does not answer", self.send("corbaloc::127.0.0.1:1/MMDevice", status=1))
        self.assertEqual(takt("stream", "list", "--service", "corbaloc::127.0.0.1:1/TaktStreams").returncode, 1)
        self.assertIn("'ATM'; there are UDP, TCP and TLS", takt("stream", "receive", "--carrier", "ATM", "--listen", "iiop://127.0.0.1:0").stderr)
        gone = takt("metrics", "--once", "--streams", "corbaloc::127.0.0.1:1/TaktStreams").stdout
        self.assertEqual([line for line in gone.splitlines() if line[0] != "#"], ['takt_streams_up{target="corbaloc::127.0.0.1:1/TaktStreams"} 0'])
        self.assertIn("more than 100000 samples", takt("stream", "watch", "--for", "1h", "--every", "1ms").stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
