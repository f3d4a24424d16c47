"""full_disk_test.py TAKT: a notification service whose disk is full. Suppliers get an error, acknowledged events are kept, other
events pass, and the service goes on when there is room."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from served import ENVIRONMENT, TAKT  # noqa: E402
from small_disk import ServiceOnSmallDisk  # noqa: E402

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "NotifyMonitoringExt.idl")
CHANNEL = ("--interface", "CosNotifyChannelAdmin::EventChannel")


def event(number, reliability=1):
    return {"header": {"fixed_header": {"event_type": {"domain_name": "Telecom", "type_name": "Alarm"}, "event_name": "a"},
                       "variable_header": [{"name": "EventReliability", "value": {"type": "short", "value": reliability}}]},
            "filterable_data": [], "remainder_of_body": {"type": "string", "value": f"{number:04}" + "x" * 2000}}


class FullDisk(ServiceOnSmallDisk):
    idl = IDL

    def start(self):
        self.serve("notify", "serve", "--store", os.path.join(self.disk, "notify.db"), "--channel", "alarms", "--max-queued-events",
                   "10000", "--listen", "iiop://127.0.0.1:0")

    def push(self, numbers, reliability=1, status=0):
        batch = json.dumps([event(number, reliability) for number in numbers])
        return self.call(self.pushed, "push_structured_events", batch, status=status)

    def pull(self):
        pulled = self.call(self.pulls, "try_pull_structured_events", "10000")
        return [int(each["remainder_of_body"]["value"][:4]) for each in pulled["result"]]

    def test_it(self):
        self.start()
        channel = self.call(self.factory, "get_event_channel", "1", "--interface", "CosNotifyChannelAdmin::EventChannelFactory")
        consumers, suppliers = (self.call(channel, f"_get_default_{side}_admin", *CHANNEL) for side in ("consumer", "supplier"))
        self.pulls = self.call(consumers, "obtain_notification_pull_supplier", '"SEQUENCE_EVENT"')["result"]
        self.pushed = self.call(suppliers, "obtain_notification_push_consumer", '"SEQUENCE_EVENT"')["result"]
        self.call(self.pulls, "connect_sequence_pull_consumer", "null", "--interface", "CosNotifyChannelAdmin::SequenceProxyPullSupplier")
        self.call(self.pushed, "connect_sequence_push_supplier", "null", "--interface", "CosNotifyChannelAdmin::SequenceProxyPushConsumer")
        self.push(range(20))
        self.fill()
        acknowledged, refused = 20, None
        for _ in range(40):  # the log still has some room
            done = subprocess.run([TAKT, "call", self.pushed, "push_structured_events",
                                   json.dumps([event(acknowledged + i) for i in range(20)]), "--idl", IDL], capture_output=True,
                                  text=True, timeout=50, env=ENVIRONMENT, check=False)
            if done.returncode:
                refused = done.stdout + done.stderr
                break
            acknowledged += 20
        self.assertIn("PERSIST_STORE", refused)
        self.assertIn("PERSIST_STORE", self.call(consumers, "obtain_notification_push_supplier", '"ANY_EVENT"', status=1))
        self.push([9999], reliability=0)  # it need not be stored
        self.assertEqual(sorted(self.pull()), [*range(acknowledged), 9999])
        self.call(self.pulls, "try_pull_structured_events", "1")  # says that these have arrived
        os.remove(self.ballast)
        self.push([acknowledged, acknowledged + 1])
        said = self.stop().splitlines()
        told = [line for line in said if line.startswith("takt notify serve: ")]
        self.assertEqual(len(told), 2, said)
        self.assertIn("the store cannot be written: ", told[0])
        self.assertEqual(told[1], "takt notify serve: the store is writable again")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
