"""command_test.py TAKT: `takt events rt` as a process."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402
from served import ENVIRONMENT, TAKT, Server, takt  # noqa: E402

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "RtecEventChannelAdmin.idl")


class RealTimeChannel(unittest.TestCase):
    def serve(self, *options, command=("events", "rt"), **environment):
        server = Server(*command, *options, **environment)
        self.addCleanup(server.stop)
        return server

    def call(self, reference, *words, status=0):
        done = takt("call", reference, *words, "--idl", IDL)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout) if done.stdout else None

    def admins(self, server):
        return [self.call(server.url("EventService"), each, "--interface", "RtecEventChannelAdmin::EventChannel")
                for each in ("for_consumers", "for_suppliers")]

    def state(self, server, *options):
        done = takt("events", "list", "--service", server.url("TaktRtEvents"), "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_tour(self):
        server = self.serve("--level", "urgent", "--level", "ordinary")
        consumers, suppliers = self.admins(server)
        pushes, pushed = self.call(consumers, "obtain_push_supplier"), self.call(suppliers, "obtain_push_consumer")
        header = {"type": 20, "source": 1, "ttl": 1, "creation_time": 0, "ec_recv_time": 0, "ec_send_time": 0}
        event = {"header": header, "data": {"pad1": 7, "payload": [], "any_value": {"type": "null", "value": None}}}
        # Nothing listens there, so the events wait in the queue.
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            nobody = f"corbaloc::127.0.0.1:{unused.getsockname()[1]}/nobody"
            qos = {"dependencies": [{"event": event, "rt_info": 1}], "is_gateway": False}
            self.call(pushes, "connect_push_consumer", json.dumps(nobody), json.dumps(qos))
            self.call(pushed, "connect_push_supplier", "null", '{"publications": [], "is_gateway": false}')
            self.call(pushed, "push", json.dumps([event, event]))
            end = time.monotonic() + 50
            while sum(each.get("pending", 0) for each in self.state(server)["clients"]) < 2:
                self.assertLess(time.monotonic(), end)
        state = self.state(server)
        self.assertEqual([each["name"] for each in state["levels"]], ["urgent", "ordinary"])
        self.assertEqual((state["pushed"], state["without_consumer"], state["proxies"]), (2, 0, 2))
        consumer = next(each for each in state["clients"] if each["kind"] == "consumer")
        self.assertEqual((consumer["level"], consumer["answers"], consumer["connected"]), ("urgent", False, True))
        self.assertEqual(len(self.state(server, "--clients", "1")["clients"]), 1)
        self.assertIn("urgent", takt("events", "list", "--service", server.url("TaktRtEvents")).stdout)
        metrics = takt("metrics", "--once", "--rt-events", server.url("TaktRtEvents")).stdout
        for name, value in (("up", 1), ("pushed_total", 2), ("pending", 2), ("proxies", 2), ("lost", 0)):
            self.assertRegex(metrics, rf'(?m)^takt_rt_events_{name}{{target="[^"]*TaktRtEvents"}} {value}$')
        self.assertEqual(server.stop(), (0, ""))

    def test_ends_when_a_client_destroys_the_channel(self):
        server = self.serve()
        self.call(server.reference, "destroy")
        self.assertEqual(server.process.wait(50), 0)
        self.assertIn("a client has destroyed the channel", server.stop()[1])

    def test_the_reference_is_valid_after_a_restart(self):
        server = self.serve()
        consumers = self.admins(server)[0]
        proxy = self.call(consumers, "obtain_push_supplier")
        server.process.kill()
        server.process.communicate(timeout=50)
        again = subprocess.Popen([TAKT, "events", "rt", "--listen", f"iiop://127.0.0.1:{server.port}"], stdout=subprocess.PIPE,
                                 text=True, env=ENVIRONMENT)
        try:
            self.assertEqual(again.stdout.readline().strip(), server.reference)
            self.call(consumers, "obtain_push_supplier")
            self.assertIn("OBJECT_NOT_EXIST", takt("call", proxy, "suspend_connection", "--idl", IDL).stderr)
        finally:
            again.terminate()
            again.communicate(timeout=50)

    def test_names_in_the_naming_service(self):
        naming = self.serve("--memory", command=("naming",))
        server = self.serve("-ORBInitRef", "NameService=" + naming.url("NameService"))
        found = takt("name", "resolve", "EventService", "--service", naming.url("NameService"))
        self.assertEqual(found.stdout.strip(), server.reference)

    def test_the_calls_of_events_are_part_of_the_schedule(self):
        with tempfile.TemporaryDirectory() as folder:
            store, costs = os.path.join(folder, "operations.db"), os.path.join(folder, "costs.toml")
            scheduling = self.serve("--store", store, command=("schedule", "serve"))
            for name, handle in (("sensor", 1), ("steering", 2)):
                done = takt("call", scheduling.url("Scheduler"), "create", json.dumps(name), "--idl", IDL.replace(
                    "RtecEventChannelAdmin", "RT_Scheduler"))
                self.assertEqual(json.loads(done.stdout), handle, done.stderr)
            server = self.serve("--scheduler", scheduling.url("Scheduler"))
            consumers, suppliers = self.admins(server)
            header = {"type": 20, "source": 1, "ttl": 1, "creation_time": 0, "ec_recv_time": 0, "ec_send_time": 0}
            event = {"header": header, "data": {"pad1": 7, "payload": [], "any_value": {"type": "null", "value": None}}}
            call = {"dependency_type": "ONE_WAY_CALL", "number_of_calls": 1, "rt_info": 1, "rt_info_depended_on": 0,
                    "enabled": "DEPENDENCY_ENABLED"}
            self.call(self.call(suppliers, "obtain_push_consumer"), "connect_push_supplier", "null",
                      json.dumps({"publications": [{"event": event, "dependency_info": call}], "is_gateway": False}))
            self.call(self.call(consumers, "obtain_push_supplier"), "connect_push_consumer", '"corbaloc::127.0.0.1:9/nobody"',
                      json.dumps({"dependencies": [{"event": event, "rt_info": 2}], "is_gateway": False}))
            self.assertIn("this is a configuration run", server.stop()[1])
            scheduling.stop()
            with open(costs, "w", encoding="utf-8") as file:
                for name, needs in (("sensor", 'wcet = "2 ms"\nperiod = "20 ms"'), ("steering", 'wcet = "3 ms"'),
                                    ("EventService::push", 'wcet = "20 us"'), ("EventService::deliver", 'wcet = "40 us"')):
                    file.write(f'[[operation]]\nname = "{name}"\n{needs}\n')
            report = takt("schedule", "analyse", store, costs)
            self.assertEqual(report.returncode, 0, report.stderr)
            # 2.02 ms of the sensor and 3.04 ms of the consumer: longer the processor has no work.
            self.assertRegex(report.stdout, r"steering after sensor +3\.04 ms +20 ms +20 ms +5\.06 ms +meets")

    def test_levels_have_the_priorities_of_the_schedule(self):
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except PermissionError:
            self.skipTest("no permission for real-time priorities")
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        scheduling = self.serve(command=("schedule", "serve"))

        def schedule(operation, *arguments):
            done = takt("call", scheduling.url("Scheduler"), operation, *arguments, "--idl",
                        IDL.replace("RtecEventChannelAdmin", "RT_Scheduler"))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        times = ["10000", "0", "0"]
        for handle, (name, period) in enumerate((("fast", "100000"), ("slow", "200000"), ("a", "0"), ("b", "0")), 1):
            schedule("create", json.dumps(name))
            schedule("set", str(handle), *times, period, '"MEDIUM_IMPORTANCE"', "0", "0")
        schedule("add_one_way_dependency", "1", "3", "1")
        schedule("add_one_way_dependency", "2", "4", "1")
        schedule("compute_scheduling", "10", "40")
        server = self.serve("--scheduler", scheduling.url("Scheduler"))
        folder = f"/proc/{server.process.pid}/task"
        priorities = {os.sched_getparam(int(thread)).sched_priority for thread in os.listdir(folder)}
        self.assertTrue({39, 40} <= priorities, priorities)

    def test_watch(self):
        server = self.serve()
        pushed = self.call(self.admins(server)[1], "obtain_push_consumer")
        self.call(pushed, "connect_push_supplier", "null", '{"publications": [], "is_gateway": false}')

        def watch(*options):
            watching = subprocess.Popen([TAKT, "events", "watch", server.url("EventService"), *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.addCleanup(watching.kill)
            self.assertEqual(watching.stderr.readline(), "watching\n")
            return watching

        def numbers(watching):
            lines = watching.communicate(timeout=50)[0].splitlines()
            return [json.loads(line.split(" ", 1)[1])["value"]["data"]["pad1"] for line in lines]

        both = watch("--type", "20", "--type", "21", "--source", "1", "--count", "2")
        filtered = watch("--filter", "$.data.pad1 >= 2 and $.data.any_value == 'rain'", "--count", "2")
        last = watch()
        wrong = takt("events", "watch", server.url("EventService"), "--type", "x")
        self.assertEqual((wrong.returncode, "--type x: it is a number" in wrong.stderr), (2, True), wrong.stderr)
        named = takt("events", "watch", "weather", "--type", "20")
        self.assertEqual((named.returncode, "--type and --source are for" in named.stderr), (2, True), named.stderr)
        rain = {"type": "string", "value": "rain"}
        for number, (kind, source) in enumerate(((20, 1), (21, 2), (22, 1), (21, 1))):
            header = {"type": kind, "source": source, "ttl": 1, "creation_time": 0, "ec_recv_time": 0, "ec_send_time": 0}
            self.call(pushed, "push", json.dumps([{"header": header, "data": {"pad1": number, "payload": [1, 2], "any_value": rain}}]))
        self.assertEqual((numbers(both), both.returncode), ([0, 3], 0))
        self.assertEqual((numbers(filtered), filtered.returncode), ([2, 3], 0))
        self.assertEqual(self.state(server)["proxies"], 2, "watches that end disconnect")
        self.call(server.reference, "destroy")
        self.assertEqual((numbers(last), last.returncode), ([0, 1, 2, 3], 1))

    def test_readers_of_a_shared_buffer(self):
        server = self.serve("--ring", "64KiB", "--level", "urgent", "--level", "ordinary")

        def watch(key, *options):
            watching = subprocess.Popen([TAKT, "events", "watch", server.url(key), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=ENVIRONMENT)
            self.addCleanup(watching.kill)
            return watching, watching.stderr.readline()

        (shares, first), (last, _) = watch("TaktEventRing", "--type", "20", "--count", "3"), watch("TaktEventRing", "--type", "20")
        self.assertEqual(first, "watching\n")
        push = self.pusher(server)
        push(1, 2)
        push(3)

        def numbers(watching):
            return [json.loads(line.split(" ", 1)[1])["value"]["data"]["pad1"] for line in watching.communicate(timeout=50)[0].splitlines()]

        self.assertEqual((numbers(shares), shares.returncode), ([1, 2, 3], 0))
        end = time.monotonic() + 50
        while [(each["read"], each["process"]) for each in self.state(server)["rings"]["readers"]] != [(3, last.pid)]:
            self.assertLess(time.monotonic(), end)
        unused, used = self.state(server)["rings"]["buffers"]
        self.assertEqual((unused["level"], unused["octets"]), ("urgent", 0))
        self.assertEqual((used["level"], used["readers"], used["events"], used["lost"], used["octets"]), ("ordinary", 1, 3, 0, 65536))
        metrics = takt("metrics", "--once", "--rt-events", server.url("TaktRtEvents")).stdout
        for figure in ('events_total{target="[^"]*",level="ordinary"} 3', 'octets{target="[^"]*",level="urgent"} 0',
                       f'reader_read{{target="[^"]*",level="ordinary",reader="[12]",process="{last.pid}"}} 3',
                       f'reader_lost{{target="[^"]*",level="ordinary",reader="[12]",process="{last.pid}"}} 0', 'refused_total{target="[^"]*"} 0'):
            self.assertRegex(metrics, f"(?m)^takt_rt_events_ring_{figure}$")
        shown = takt("top", "--rt-events", server.url("TaktRtEvents")).stdout
        self.assertRegex(shown, rf"(?m)^shared buffer of level ordinary: readers 1, events 3, unwritten 0, lost by readers 0, octets {used['occupied']} of 65536$")
        self.assertRegex(shown, rf"(?m)^  reader [12] in process {last.pid} of level ordinary, read 3, lost 0$")
        self.assertEqual(self.state(server)["proxies"], 1, "readers have no proxies")
        server.process.kill()  # readers notice, although the channel has said nothing
        self.assertEqual((numbers(last), last.returncode), ([1, 2, 3], 1))
        for options, text in ((("--ring", "100000"), "power of two"), (("--ring", "64KiB", "--scheduler", "corbaloc::x/y"), "Leave out --ring")):
            refused = takt("events", "rt", "--listen", "iiop://127.0.0.1:0", *options)
            self.assertIn(text, refused.stderr)
            self.assertNotEqual(refused.returncode, 0)

    def pusher(self, server):
        pushed = self.call(self.admins(server)[1], "obtain_push_consumer")
        self.call(pushed, "connect_push_supplier", "null", '{"publications": [], "is_gateway": false}')

        def push(*numbers, ttl=1, octets=2):
            header = {"type": 20, "source": 1, "ttl": ttl, "creation_time": 0, "ec_recv_time": 0, "ec_send_time": 0}
            rain = {"type": "string", "value": "rain"}
            self.call(pushed, "push", json.dumps([{"header": header, "data": {"pad1": each, "payload": [7] * octets, "any_value": rain}}
                                                  for each in numbers]))
        return push

    def test_events_by_datagrams(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        far = self.serve("--udp-from", f"127.0.0.1:{port}")
        near = self.serve("--udp-to", f"127.0.0.1:{port}", "--udp-packet-octets", "128")
        watching = subprocess.Popen([TAKT, "events", "watch", far.url("EventService"), "--count", "4"], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(watching.kill)
        self.assertEqual(watching.stderr.readline(), "watching\n")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            for number in range(100):  # packets that lie
                stranger.sendto(b"\x01ABC" + bytes(number % 60) + b"\xff" * (number % 7), ("127.0.0.1", port))
        push = self.pusher(near)
        push(1)
        push(0, ttl=0)
        push(2, 3)
        push(4, octets=1000)
        events = [json.loads(line.split(" ", 1)[1])["value"] for line in watching.communicate(timeout=50)[0].splitlines()]
        self.assertEqual([(each["data"]["pad1"], each["header"]["ttl"]) for each in events], [(1, 0), (2, 0), (3, 0), (4, 0)])
        sent, received = (self.state(server)["datagrams"] for server in (near, far))
        self.assertEqual((sent["sent_events"], sent["unsent"], sent["received_datagrams"]), (4, 0, 0))
        self.assertEqual((received["received_events"], received["sent_datagrams"]), (4, 0))
        self.assertGreaterEqual(received["received_datagrams"], sent["sent_datagrams"] + 100)
        self.assertGreater(received["malformed"], 0)
        metrics = takt("metrics", "--once", "--rt-events", far.url("TaktRtEvents")).stdout
        for name in ("datagram_events_received_total", "pushed_total"):
            self.assertRegex(metrics, rf'(?m)^takt_rt_events_{name}{{target="[^"]*TaktRtEvents"}} 4$')
        shown = takt("top", "--rt-events", far.url("TaktRtEvents"), "--rt-events", near.url("TaktRtEvents")).stdout
        title, heads, counts, *rest = shown.splitlines()
        self.assertRegex(title, "TaktRtEvents: real-time events, levels 1, proxies [01], events held 0, threads replaced 0, dead clients 0")
        self.assertEqual(dict(zip(heads.split(), counts.split()))["EVENTS"], "4")
        self.assertRegex("\n".join(rest), r"(?m)^datagrams: sent 0 with 0 events, .* received \d+ with 4 events, 0 expired, 0 failed, [1-9]\d* malformed")
        self.assertRegex("\n".join(rest), r"(?m)^datagrams: sent 1\d with 4 events, 0 events unsent; received 0 with 0 events")
        status, text = near.stop()
        self.assertEqual(status, 0)
        self.assertRegex(text, r"sent 4 events in 1\d datagrams; 0 could not be sent")
        status, text = far.stop()
        self.assertEqual(status, 0)
        self.assertRegex(text, r"received 4 events in \d+ datagrams; 0 events had no hops left, [1-9]\d* datagrams were malformed")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("ip"), "network namespaces need root and ip")
    def test_events_of_another_machine_by_multicast(self):
        names = [f"takt{os.getpid()}{each}" for each in "ab"]
        for name in names:
            if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
                self.skipTest("network namespaces are not permitted")
            self.addCleanup(subprocess.run, ["ip", "netns", "delete", name], check=False)
        subprocess.run(["ip", "link", "add", "v0", "netns", names[0], "type", "veth", "peer", "name", "v0", "netns", names[1]], check=True)
        for number, name in enumerate(names, 1):
            for words in (["addr", "add", f"10.77.0.{number}/24", "dev", "v0"], ["link", "set", "v0", "up"], ["link", "set", "lo", "up"]):
                subprocess.run(["ip", "-n", name, *words], check=True)
        group = ["--udp-to", "239.255.0.1:11172", "--udp-from", "239.255.0.1:11172", "--udp-interface", "v0"]
        servers = []
        for name in names:
            servers.append(subprocess.Popen(["ip", "netns", "exec", name, TAKT, "events", "rt", *group], stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, text=True, env=ENVIRONMENT))
            self.addCleanup(servers[-1].kill)
            servers[-1].stdout.readline()

        def in_namespace(number, *words):
            return ["ip", "netns", "exec", names[number], TAKT, *words]
        channel = "corbaloc::127.0.0.1:11170/EventService"
        watching = [subprocess.Popen(in_namespace(number, "events", "watch", channel, "--count", "1"), stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) for number in (0, 1)]
        for each in watching:
            self.addCleanup(each.kill)
            self.assertEqual(each.stderr.readline(), "watching\n")

        def call(reference, *words):
            done = subprocess.run(in_namespace(0, "call", reference, *words, "--idl", IDL), capture_output=True, text=True, env=ENVIRONMENT,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout) if done.stdout else None
        pushed = call(call(channel, "for_suppliers", "--interface", "RtecEventChannelAdmin::EventChannel"), "obtain_push_consumer")
        call(pushed, "connect_push_supplier", "null", '{"publications": [], "is_gateway": false}')
        header = {"type": 20, "source": 1, "ttl": 1, "creation_time": 0, "ec_recv_time": 0, "ec_send_time": 0}
        call(pushed, "push", json.dumps([{"header": header, "data": {"pad1": 9, "payload": [], "any_value": {"type": "null", "value": None}}}]))
        lives = [json.loads(each.communicate(timeout=50)[0].split(" ", 1)[1])["value"]["header"]["ttl"] for each in watching]
        self.assertEqual(lives, [1, 0])  # the other machine's channel has taken one, and sends it no further
        for server, text in zip(servers, (r"sent 1 events.*received 0 events", r"sent 0 events.*received 1 events")):
            server.terminate()
            self.assertRegex(server.communicate(timeout=50)[1].replace("\n", " "), text)

    def test_tells_the_service_manager(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(os.path.join(folder, "notify"))
            manager.settimeout(50)
            self.serve("-ORBServiceNotify", "on", NOTIFY_SOCKET=manager.getsockname())
            self.assertIn(b"READY=1", manager.recv(4096))

    def test_watching_ends_with_the_process_of_the_channel(self):
        server = self.serve()
        watch = subprocess.Popen([TAKT, "events", "watch", server.url("EventService")], stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(watch.kill)
        self.assertEqual(watch.stderr.readline(), "watching\n")
        server.process.kill()
        self.assertIn("takt events watch: the channel does not answer any more: ", watch.communicate(timeout=50)[1])
        self.assertEqual(watch.returncode, 1)

    def test_refusals(self):
        for words, text in (
                (("--level", "urgent:x"), "--level urgent:x: a priority is a number from 0 to 32767"),
                (("--level", ":4"), "--level :4: a level has a name"),
                (("--level", "urgent:40000"), "a priority is a number from 0 to 32767"),
                (("--level", "urgent:4x"), "a priority is a number from 0 to 32767"),
                (("--level", "a", "--level", "b", "--level", "a"), "--level a: another level has that name"),
                (("--level", "a:1", "--level", "b:2", "--discard", "oldest", "--level", "a"), "--level b has a higher priority than a"),
                (("--max-proxies", "0"), "--max-proxies is a number from 1 to 1000000"),
                (("--max-filter-depth", "257"), "--max-filter-depth is a number from 1 to 256"),
                (("--discard", "all"), "--discard"),
                (("--udp-to", "239.255.0.1"), "--udp-to 239.255.0.1: it is a numeric address and a port"),
                (("--udp-from", "[::1]:70000"), "--udp-from [::1]:70000: it is a numeric address"),
                (("--udp-from", "192.0.2.1:7000"), "--udp-from 192.0.2.1:7000:"),
                (("--udp-interface", "none77"), "--udp-interface none77:"),
                (("--udp-hops", "256"), "--udp-hops is a number"),
                (("--udp-to", "127.0.0.1:7000", "--max-event-octets", "2000000"), "--max-event-octets is at most 1 MiB with --udp-to"),
                (("--allow-reconnect", "--scheduler", "corbaloc::127.0.0.1:9/S"), "--allow-reconnect is not possible with --scheduler"),
                (("--gather", "1ms", "--scheduler", "corbaloc::127.0.0.1:9/S"), "--gather is not possible with --scheduler"),
                (("--udp-packet-octets", "87"), "--udp-packet-octets is a number from 88 to 65507"),
                (("--scheduler", "corbaloc::127.0.0.1:9/Scheduler"), "the scheduler cannot be read"),
                (("--push-timeout", "0"), "--push-timeout"),
                (("--peer", "somewhere"), "--peer somewhere: "),
                (("--peer", "corbaloc::127.0.0.1:9/E", "--peer", "IOR:00"), "--peer IOR:00: "),
                (("--bind", "a//b", "-ORBInitRef", "NameService=corbaloc::127.0.0.1:9/N"), "a//b"),
                (("--output", "/nowhere/file"), "/nowhere/file: cannot be written")):
            done = takt("events", "rt", "--listen", f"iiop://127.0.0.1:{free_port()}", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
