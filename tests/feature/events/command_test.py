"""command_test.py TAKT: `takt events serve` as a process."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402
from served import ENVIRONMENT, TAKT, Server, takt  # noqa: E402

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "omniEvents.idl")


class Serve(unittest.TestCase):
    def serve(self, *options, command=("events", "serve")):
        memory = () if "--store" in options else ("--memory",)
        server = Server(*command, *memory, *options)
        self.addCleanup(server.stop)
        return server

    def call(self, reference, *words, status=0):
        done = takt("call", reference, *words, "--idl", IDL)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout) if done.stdout else None

    def test_a_tour(self):
        server = self.serve("--channel", "weather", "--channel", "traffic")
        self.assertTrue(self.call(server.reference, "is_alive"))
        self.assertEqual(self.call(server.url("omniEvents"), "create_channel", '"weather"', status=3)["exception"],
                         "IDL:openorb.org/event/NameAlreadyUsed:1.0")
        channel = server.url("weather")
        consumers = self.call(channel, "for_consumers", "--interface", "omniEvents::EventChannel")
        suppliers = self.call(channel, "for_suppliers", "--interface", "omniEvents::EventChannel")
        pulls, pushed = self.call(consumers, "obtain_pull_supplier"), self.call(suppliers, "obtain_push_consumer")
        self.call(pulls, "connect_pull_consumer", "null")
        self.call(pushed, "push", '{"type": "string", "value": "rain"}')
        self.assertEqual(self.call(pulls, "pull"), {"type": "string", "value": "rain"})
        self.assertEqual(server.stop(), (0, ""))

    def test_most_threads_may_be_few(self):
        # Half of the two are for new clients, here of a port where nothing answers. With the four of --threads it would be two.
        with socket.create_server(("127.0.0.1", 0)) as silent:
            server = self.serve("--channel", "weather", "--max-threads", "2")
            channel = server.url("weather")
            consumers = self.call(channel, "for_consumers", "--interface", "omniEvents::EventChannel")
            suppliers = self.call(channel, "for_suppliers", "--interface", "omniEvents::EventChannel")
            client = json.dumps(f"corbaloc::127.0.0.1:{silent.getsockname()[1]}/silent")
            for _ in range(3):
                self.call(self.call(consumers, "obtain_push_supplier"), "connect_push_consumer", client)
            self.call(self.call(suppliers, "obtain_push_consumer"), "push", '{"type": "long", "value": 3}')
            def blocked():
                return json.loads(takt("events", "list", "--service", server.url("TaktEvents"), "--json").stdout)["blocked_threads"]
            while blocked() == 0:
                time.sleep(0.05)
            time.sleep(0.1)  # five times --slow-after
            self.assertEqual(blocked(), 1)

    def test_names_in_the_naming_service(self):
        naming = self.serve(command=("naming",))
        reference = ("-ORBInitRef", "NameService=" + naming.url("NameService"))
        server = self.serve("--bind", "services/events.factory", *reference)
        found = takt("name", "resolve", "services/events.factory", "--service", naming.url("NameService"))
        self.assertEqual(found.stdout.strip(), server.reference)
        other = self.serve(*reference)
        found = takt("name", "resolve", "EventChannelFactory", "--service", naming.url("NameService"))
        self.assertEqual(found.stdout.strip(), other.reference)
        self.serve("--bind", "", *reference)
        self.assertEqual(takt("name", "list", "--service", naming.url("NameService")).stdout, "EventChannelFactory\nservices/\n")

    def test_a_naming_service_that_hangs_does_not_keep_the_service_from_its_start(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            server = self.serve("-ORBInitRef", f"NameService=corbaloc::127.0.0.1:{port}/NameService", "-ORBRoundTripTimeout", "0")
            self.assertTrue(self.call(server.reference, "is_alive"))
            self.assertIn("the factory is not bound to EventChannelFactory", server.stop()[1])

    def test_a_naming_service_that_does_not_answer_is_reported(self):
        server = self.serve("-ORBInitRef", "NameService=corbaloc::127.0.0.1:9/NameService")
        self.assertTrue(self.call(server.reference, "is_alive"))
        status, text = server.stop()
        self.assertEqual(status, 0)
        self.assertIn("takt events serve: the factory is not bound to EventChannelFactory in the naming service: CORBA::TRANSIENT", text)

    def test_refusals(self):
        for words, text in (
                (("--max-proxies", "0"), "--max-proxies is a number from 1 to 1000000000"),
                (("--channel", ""), "--channel : a channel that is made here has a name"),
                (("--channel", "omniEvents"), "--channel omniEvents: the name is that of an object of the service itself"),
                (("--channel", "a", "--channel", "b", "--max-channels", "1"), "--channel b: the service has as many channels as --max-channels"),
                (("--discard", "all"), "--discard"),
                (("--slow-after", "0"), "--slow-after"),
                (("--bind", "a//b"), "a//b"),
                (("--store", "/nowhere/events.db"), "/nowhere/events.db: unable to open database file"),
                (("--store", ":memory:"), "--store :memory: would keep nothing after exit"),
                (("--memory", "--store", "events.db"), "give either --memory or --store"),
                (("--output", "/nowhere/file"), "/nowhere/file: cannot be written")):
            memory = () if "--store" in words else ("--memory",)
            done = takt("events", "serve", "--listen", f"iiop://127.0.0.1:{free_port()}", *memory, *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)

    def test_watching_goes_on_when_the_service_is_there_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for number, where in enumerate((("--store", os.path.join(folder, "events.db")), ("--memory",))):
                port = free_port()
                channel, factory = (f"corbaloc::127.0.0.1:{port}/{each}" for each in ("weather", "omniEvents"))

                def serve():
                    service = subprocess.Popen([TAKT, "events", "serve", "--listen", f"iiop://127.0.0.1:{port}", "--channel", "weather", *where],
                                               stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
                    self.addCleanup(service.communicate)
                    self.addCleanup(service.kill)
                    self.assertTrue(service.stdout.readline().startswith("IOR:"))
                    return service

                def push(value):
                    suppliers = self.call(channel, "for_suppliers", "--interface", "omniEvents::EventChannel")
                    self.call(self.call(suppliers, "obtain_push_consumer"), "push", json.dumps({"type": "string", "value": value}))

                service = serve()
                watch = subprocess.Popen([TAKT, "events", "watch", "weather", "--service", factory, "--count", "2"], stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
                self.assertEqual(watch.stderr.readline(), "watching\n")
                push("rain")
                self.assertIn('"rain"', watch.stdout.readline())
                service.kill()
                service.wait(timeout=50)
                self.assertIn("the channel does not answer, and is asked again: ", watch.stderr.readline())
                serve()
                self.assertEqual(watch.stderr.readline(), "the channel answers again\n")
                push("sun")
                self.assertIn('"sun"', watch.communicate(timeout=50)[0])
                self.assertEqual(watch.returncode, 0)
                state = json.loads(takt("events", "list", "--service", f"corbaloc::127.0.0.1:{port}/TaktEvents", "--json").stdout)
                kinds = [each["kind"] for each in state["channels"][0]["clients"]]
                self.assertNotIn("consumer that pulls", kinds, f"{number}: it has disconnected")

    def test_watching_ends_when_the_service_is_there_again_without_the_channel(self):
        port = free_port()

        def serve(*options):
            service = subprocess.Popen([TAKT, "events", "serve", "--listen", f"iiop://127.0.0.1:{port}", "--memory", *options],
                                       stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.addCleanup(service.communicate)
            self.addCleanup(service.kill)
            self.assertTrue(service.stdout.readline().startswith("IOR:"))
            return service

        service = serve("--channel", "weather")
        watch = subprocess.Popen([TAKT, "events", "watch", f"corbaloc::127.0.0.1:{port}/weather"], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(watch.kill)
        self.assertEqual(watch.stderr.readline(), "watching\n")
        service.kill()
        service.wait(timeout=50)
        self.assertIn("the channel does not answer, and is asked again: ", watch.stderr.readline())
        serve()
        self.assertIn("the channel was destroyed, or has disconnected this consumer", watch.communicate(timeout=50)[1])
        self.assertEqual(watch.returncode, 1)

    def test_watching_goes_on_after_a_restart_during_which_it_asked_nothing(self):
        # As behind a socket of systemd, no call of it fails, but the new service does not know its consumer. It may have asked just
        # when the service ended; then it says that the channel does not answer.
        port = free_port()
        channel, factory = (f"corbaloc::127.0.0.1:{port}/{each}" for each in ("weather", "omniEvents"))

        def serve():
            service = subprocess.Popen([TAKT, "events", "serve", "--listen", f"iiop://127.0.0.1:{port}", "--channel", "weather", "--memory"],
                                       stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.addCleanup(service.communicate)
            self.addCleanup(service.kill)
            self.assertTrue(service.stdout.readline().startswith("IOR:"))
            return service

        service = serve()
        watch = subprocess.Popen([TAKT, "events", "watch", "weather", "--service", factory, "--count", "1"], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(watch.kill)
        self.assertEqual(watch.stderr.readline(), "watching\n")
        for _ in range(3):
            watch.send_signal(signal.SIGSTOP)
            service.terminate()
            service.wait(timeout=50)
            service = serve()
            watch.send_signal(signal.SIGCONT)
            self.assertRegex(watch.stderr.readline(), "the channel does not (know this consumer any more, which connects again|answer, .*)\n")
            self.assertEqual(watch.stderr.readline(), "the channel answers again\n")
        suppliers = self.call(channel, "for_suppliers", "--interface", "omniEvents::EventChannel")
        self.call(self.call(suppliers, "obtain_push_consumer"), "push", '{"type": "string", "value": "sun"}')
        self.assertIn('"sun"', watch.communicate(timeout=50)[0])
        self.assertEqual(watch.returncode, 0)

    def test_list(self):
        server = self.serve("--channel", "weather", "--channel", "traffic")
        channel = server.url("weather")
        consumers = self.call(channel, "for_consumers", "--interface", "omniEvents::EventChannel")
        suppliers = self.call(channel, "for_suppliers", "--interface", "omniEvents::EventChannel")
        pulls, pushed = self.call(consumers, "obtain_pull_supplier"), self.call(suppliers, "obtain_push_consumer")
        self.call(pulls, "connect_pull_consumer", json.dumps(server.reference))
        for _ in range(3):
            self.call(pushed, "push", '{"type": "long", "value": 7}')
        self.call(pulls, "pull")
        done = takt("events", "list", "--service", server.url("TaktEvents"), "--json")
        state = json.loads(done.stdout)
        traffic, weather = state["channels"]
        self.assertEqual((traffic["name"], weather["name"], weather["proxies"], state["proxies"]), ("traffic", "weather", 2, 2))
        self.assertEqual([weather[each] for each in ("received", "delivered", "pending", "discarded", "dead")], [3, 1, 2, 0, 0])
        consumer, supplier = weather["clients"]
        self.assertEqual(consumer, {
            "kind": "consumer that pulls", "connected": True, "answers": True, "address": f"127.0.0.1:{server.port}",
            "type_id": "IDL:omni/omniEvents/EventChannelFactory:1.0", "events": 1, "pending": 2, "discarded": 0, "failures": 0})
        self.assertEqual((supplier["kind"], supplier["connected"], supplier["events"]), ("supplier that pushes", False, 3))
        self.assertGreater(state["queued_octets"], 0)
        page = takt("events", "list", "--service", server.url("TaktEvents"), "--clients", "1").stdout
        self.assertIn("pending: 2", page)
        self.assertNotIn("supplier that pushes", page)
        dead = takt("events", "list", "--service", "corbaloc::127.0.0.1:9/TaktEvents")
        self.assertEqual(dead.returncode, 1)
        self.assertIn("TRANSIENT", dead.stderr)
        self.assertIn("--clients is a number up to 10000", takt("events", "list", "--clients", "10001").stderr)

    def test_metrics(self):
        server = self.serve("--channel", 'odd "name"')
        channel = self.call(server.reference, "join_channel", json.dumps('odd "name"'))
        for _ in range(2):
            self.call(server.reference, "create_object", '[{"id": "EventChannel", "kind": "object interface"}]', "[]")
        suppliers = self.call(channel, "for_suppliers", "--interface", "omniEvents::EventChannel")
        self.call(self.call(suppliers, "obtain_push_consumer"), "push", '{"type": "long", "value": 7}')
        target, gone = server.url("TaktEvents"), "corbaloc::127.0.0.1:9/TaktEvents"
        done = takt("metrics", "--once", "--events", target, "--events", gone)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"takt metrics: {gone}: CORBA::TRANSIENT", done.stderr)
        lines = done.stdout.splitlines()
        for line in (f'takt_events_up{{target="{target}"}} 1', f'takt_events_up{{target="{gone}"}} 0',
                     f'takt_events_received_total{{target="{target}",channel="odd \\"name\\""}} 1',
                     f'takt_events_received_total{{target="{target}",channel=""}} 0',
                     f'takt_events_proxies{{target="{target}",channel="odd \\"name\\""}} 1'):
            self.assertEqual(lines.count(line), 1, done.stdout)
        self.assertNotIn("takt_up", done.stdout)
        if promtool := shutil.which("promtool"):
            checked = subprocess.run([promtool, "check", "metrics"], input=done.stdout, capture_output=True, text=True, check=False)
            self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))
        twice = takt("metrics", "--once", "--events", target, "--events", target)
        self.assertIn("is given twice; each event service is one target", twice.stderr)

    def test_watch(self):
        server = self.serve("--channel", "weather")
        suppliers = self.call(server.url("weather"), "for_suppliers", "--interface", "omniEvents::EventChannel")
        pushed = self.call(suppliers, "obtain_push_consumer")
        for words in (("weather", "--service", server.url("omniEvents")), (server.url("weather"),)):
            watch = subprocess.Popen([TAKT, "events", "watch", *words, "--count", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     text=True, env=ENVIRONMENT)
            self.assertEqual(watch.stderr.readline(), "watching\n")
            self.call(pushed, "push", '{"type": "string", "value": "rain"}')
            self.call(pushed, "push", '{"type": {"kind": "sequence", "element": "long"}, "value": [1, 2]}')
            lines = watch.communicate(timeout=50)[0].splitlines()
            self.assertEqual(watch.returncode, 0)
            for line in lines:
                self.assertRegex(line, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \{")
            self.assertEqual(json.loads(lines[0].split(" ", 1)[1]), {"type": "string", "value": "rain"})
            self.assertEqual(json.loads(lines[1].split(" ", 1)[1])["value"], [1, 2])
        watch = subprocess.Popen([TAKT, "events", "watch", server.url("weather"), "--filter", "$ >= 3 and not ($ == 4)", "--count", "2"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.assertEqual(watch.stderr.readline(), "watching\n")
        for value in (1, 3, 4, 2, 5):
            self.call(pushed, "push", json.dumps({"type": "long", "value": value}))
        shown = [json.loads(line.split(" ", 1)[1])["value"] for line in watch.communicate(timeout=50)[0].splitlines()]
        self.assertEqual((watch.returncode, shown), (0, [3, 5]))
        wrong = takt("events", "watch", server.url("weather"), "--filter", "$level >= ")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--filter: at column 11: expected a value, found the end", wrong.stderr)
        watch = subprocess.Popen([TAKT, "events", "watch", server.url("weather")], stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        watch.stderr.readline()
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=50)
        self.assertEqual(watch.returncode, 0)
        state = json.loads(takt("events", "list", "--service", server.url("TaktEvents"), "--json").stdout)
        self.assertEqual(state["proxies"], 1, "those who watched have disconnected")
        watch = subprocess.Popen([TAKT, "events", "watch", server.url("weather")], stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        watch.stderr.readline()
        self.call(server.url("weather"), "destroy", "--interface", "omniEvents::EventChannel")
        self.assertIn("the channel was destroyed", watch.communicate(timeout=50)[1])
        self.assertEqual(watch.returncode, 1)
        self.assertIn("the service has no channel 'weather'", takt("events", "watch", "weather", "--service", server.url("omniEvents")).stderr)

    def test_channels_of_an_earlier_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "events.db")
            server = self.serve("--store", path, "--channel", "weather")
            server.process.kill()
            server.process.wait()
            again = self.serve("--store", path)
            self.call(again.reference, "join_channel", '"weather"')
            taken = takt("events", "serve", "--store", path, "--listen", f"iiop://127.0.0.1:{free_port()}")
            self.assertEqual(taken.returncode, 2)
            self.assertIn("events.db: another process has it open", taken.stderr)

    def test_a_file_for_the_reference(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "reference")
            port = free_port()
            process = subprocess.Popen([TAKT, "events", "serve", "--memory", "--listen", f"iiop://127.0.0.1:{port}", "-o", path], env=ENVIRONMENT)
            while not (os.path.exists(path) and os.path.getsize(path)):
                self.assertIsNone(process.poll())
            with open(path, encoding="ascii") as file:
                self.assertTrue(self.call(file.read().strip(), "is_alive"))
            process.terminate()
            self.assertEqual(process.wait(20), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
