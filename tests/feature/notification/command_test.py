"""command_test.py TAKT: `takt notify serve` as a process."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402
from served import ENVIRONMENT, TAKT, Server, takt  # noqa: E402

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "NotifyMonitoringExt.idl")
CHANNEL = ("--interface", "CosNotifyChannelAdmin::EventChannel")


def event(number):
    return json.dumps({"header": {"fixed_header": {"event_type": {"domain_name": "Telecom", "type_name": "Alarm"}, "event_name": "a"},
                                  "variable_header": []},
                       "filterable_data": [{"name": "severity", "value": {"type": "long", "value": number}}],
                       "remainder_of_body": {"type": "string", "value": "link down"}})


class Notify(unittest.TestCase):
    def serve(self, *options, command=("notify", "serve")):
        server = Server(*command, *options)
        self.addCleanup(server.stop)
        return server

    def call(self, reference, *words, status=0):
        done = takt("call", reference, *words, "--idl", IDL)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout) if done.stdout else None

    def supplier(self, server, channel):
        """A connected proxy for structured events."""
        admin = self.call(server.url(channel), "_get_default_supplier_admin", *CHANNEL)
        made = self.call(admin, "obtain_notification_push_consumer", '"STRUCTURED_EVENT"')
        proxy = made["result"]
        self.call(proxy, "connect_structured_push_supplier", "null", "--interface",
                  "CosNotifyChannelAdmin::StructuredProxyPushConsumer")
        return proxy

    def test_a_tour(self):
        server = self.serve("--channel", "alarms", "--channel", "calls")
        self.assertEqual(self.call(server.reference, "get_all_channels"), [1, 2])
        self.assertEqual(self.call(server.url("NotifyEventChannelFactory"), "get_all_channels",
                                   "--interface", "CosNotifyChannelAdmin::EventChannelFactory"), [1, 2])
        supplier = self.supplier(server, "alarms")
        watch = subprocess.Popen([TAKT, "notify", "watch", "alarms", "--service", server.url("TaktNotification"), "--count", "2",
                                  "--filter", "$severity >= 3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env=ENVIRONMENT)
        self.assertEqual(watch.stderr.readline(), "watching\n")
        for number in (1, 3, 2, 5):
            self.call(supplier, "push_structured_event", event(number))
        lines = watch.communicate(timeout=50)[0].splitlines()
        self.assertEqual(watch.returncode, 0)
        shown = [json.loads(line.split(" ", 1)[1])["value"] for line in lines]
        self.assertEqual([each["filterable_data"][0]["value"]["value"] for each in shown], [3, 5])
        self.assertEqual(shown[0]["header"]["fixed_header"]["event_type"]["domain_name"], "Telecom")
        state = json.loads(takt("notify", "list", "--service", server.url("TaktNotification"), "--json").stdout)
        alarms, calls = state["channels"]
        self.assertEqual((alarms["name"], calls["name"], state["filters"], state["proxies"]), ("alarms", "calls", 0, 1))
        self.assertEqual([alarms[each] for each in ("received", "delivered", "filtered", "pending")], [4, 2, 2, 0])
        client = alarms["clients"][0]
        self.assertEqual((client["kind"], client["form"], client["events"], client["connected"]),
                         ("supplier that pushes", "structured", 4, True))
        self.assertEqual(server.stop(), (0, ""))

    def test_an_any_is_shown_as_it_came(self):
        server = self.serve("--channel", "alarms")
        suppliers = self.call(server.url("alarms"), "for_suppliers", *CHANNEL)
        pushed = self.call(suppliers, "obtain_push_consumer", "--interface", "CosEventChannelAdmin::SupplierAdmin")
        watch = subprocess.Popen([TAKT, "notify", "watch", server.url("alarms")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, env=ENVIRONMENT)
        self.assertEqual(watch.stderr.readline(), "watching\n")
        self.call(pushed, "push", '{"type": "string", "value": "rain"}')
        self.assertEqual(json.loads(watch.stdout.readline().split(" ", 1)[1]), {"type": "string", "value": "rain"})
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=50)
        self.assertEqual(watch.returncode, 0)
        state = json.loads(takt("notify", "list", "--service", server.url("TaktNotification"), "--json").stdout)
        self.assertEqual(state["proxies"], 1, "the one who watched has disconnected")

    def test_what_watch_cannot_do(self):
        server = self.serve("--channel", "alarms")
        wrong = takt("notify", "watch", server.url("alarms"), "--filter", "$level >= ")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--filter: the service does not take '$level >= ' as a constraint", wrong.stderr)
        unknown = takt("notify", "watch", "calls", "--service", server.url("TaktNotification"))
        self.assertIn("the service has no channel 'calls'", unknown.stderr)
        watch = subprocess.Popen([TAKT, "notify", "watch", server.url("alarms")], stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        watch.stderr.readline()
        self.call(server.url("alarms"), "destroy", *CHANNEL)
        self.assertIn("the channel was destroyed", watch.communicate(timeout=50)[1])
        self.assertEqual(watch.returncode, 1)

    def test_watching_goes_on_when_the_service_is_there_again(self):
        port = free_port()
        channel, state = (f"corbaloc::127.0.0.1:{port}/{each}" for each in ("alarms", "TaktNotification"))
        with tempfile.TemporaryDirectory() as folder:
            def serve():
                service = subprocess.Popen([TAKT, "notify", "serve", "--listen", f"iiop://127.0.0.1:{port}", "--channel", "alarms", "--store",
                                            os.path.join(folder, "notify.db")], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
                self.addCleanup(service.communicate)
                self.addCleanup(service.kill)
                self.assertTrue(service.stdout.readline().startswith("IOR:"))
                return service

            def push(value):
                suppliers = self.call(channel, "for_suppliers", *CHANNEL)
                pushed = self.call(suppliers, "obtain_push_consumer", "--interface", "CosEventChannelAdmin::SupplierAdmin")
                self.call(pushed, "push", json.dumps({"type": "long", "value": value}))

            service = serve()
            watch = subprocess.Popen([TAKT, "notify", "watch", "alarms", "--service", state, "--filter", "$ > 2", "--count", "2"],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.assertEqual(watch.stderr.readline(), "watching\n")
            push(3)
            self.assertIn('"value":3', watch.stdout.readline())
            service.kill()
            service.wait(timeout=50)
            self.assertIn("the channel does not answer, and is asked again: ", watch.stderr.readline())
            serve()
            self.assertEqual(watch.stderr.readline(), "the channel answers again\n")
            for value in (1, 4):
                push(value)
            self.assertIn('"value":4', watch.communicate(timeout=50)[0])
            self.assertEqual(watch.returncode, 0)
            self.assertEqual(json.loads(takt("notify", "list", "--service", state, "--json").stdout)["filters"], 0)

    def test_watching_goes_on_after_a_restart_during_which_it_asked_nothing(self):
        # As behind a socket of systemd, no call of it fails, but the new service does not know its consumer. It may have asked just
        # when the service ended; then it says that the channel does not answer.
        port = free_port()
        channel, state = (f"corbaloc::127.0.0.1:{port}/{each}" for each in ("alarms", "TaktNotification"))

        def serve():
            service = subprocess.Popen([TAKT, "notify", "serve", "--listen", f"iiop://127.0.0.1:{port}", "--channel", "alarms"],
                                       stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
            self.addCleanup(service.communicate)
            self.addCleanup(service.kill)
            self.assertTrue(service.stdout.readline().startswith("IOR:"))
            return service

        service = serve()
        watch = subprocess.Popen([TAKT, "notify", "watch", "alarms", "--service", state, "--filter", "$ > 2", "--count", "1"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
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
        suppliers = self.call(channel, "for_suppliers", *CHANNEL)
        pushed = self.call(suppliers, "obtain_push_consumer", "--interface", "CosEventChannelAdmin::SupplierAdmin")
        for value in (1, 4):
            self.call(pushed, "push", json.dumps({"type": "long", "value": value}))
        self.assertIn('"value":4', watch.communicate(timeout=50)[0])
        self.assertEqual(watch.returncode, 0)

    def test_names_in_the_naming_service(self):
        naming = self.serve("--memory", command=("naming",))
        reference = ("-ORBInitRef", "NameService=" + naming.url("NameService"))
        server = self.serve(*reference)
        found = takt("name", "resolve", "NotifyEventChannelFactory", "--service", naming.url("NameService"))
        self.assertEqual(found.stdout.strip(), server.reference)

    def test_refusals(self):
        for words, text in (
                (("--max-proxies", "0"), "--max-proxies is a number from 1 to 1000000000"),
                (("--max-filter-steps", "0"), "--max-filter-steps is a number from 1 to 1000000000"),
                (("--channel", ""), "--channel : a channel that is made here has a name"),
                (("--channel", "TaktNotification"), "--channel TaktNotification: the name is that of an object of the service itself"),
                (("--channel", "a", "--channel", "b", "--max-channels", "1"), "--channel b: the service has as many channels as --max-channels"),
                (("--pull-period", "0"), "--pull-period"),
                (("--output", "/nowhere/file"), "/nowhere/file: cannot be written")):
            done = takt("notify", "serve", "--listen", f"iiop://127.0.0.1:{free_port()}", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)
        dead = takt("notify", "list", "--service", "corbaloc::127.0.0.1:9/TaktNotification")
        self.assertEqual(dead.returncode, 1)
        self.assertIn("TRANSIENT", dead.stderr)
        self.assertIn("--clients is a number up to 10000", takt("notify", "list", "--clients", "10001").stderr)

    def test_metrics(self):
        server = self.serve("--channel", "alarms")
        self.call(self.supplier(server, "alarms"), "push_structured_event", event(1))
        target, gone = server.url("TaktNotification"), "corbaloc::127.0.0.1:9/TaktNotification"
        done = takt("metrics", "--once", "--notify", target, "--notify", gone)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        for line in (f'takt_notify_up{{target="{target}"}} 1', f'takt_notify_up{{target="{gone}"}} 0',
                     f'takt_notify_received_total{{target="{target}",channel="alarms"}} 1',
                     f'takt_notify_proxies{{target="{target}",channel="alarms"}} 1', f'takt_notify_filters{{target="{target}"}} 0'):
            self.assertEqual(lines.count(line), 1, done.stdout)
        twice = takt("metrics", "--once", "--notify", target, "--notify", target)
        self.assertIn("is given twice; each notification service is one target", twice.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
