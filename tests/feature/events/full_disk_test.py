"""full_disk_test.py TAKT: an event service whose disk is full. Acknowledged channels are kept, events pass and new channels are
refused; they are made again when there is room."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from small_disk import ServiceOnSmallDisk  # noqa: E402

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "omniEvents.idl")


class FullDisk(ServiceOnSmallDisk):
    idl = IDL

    def start(self):
        self.serve("events", "serve", "--store", os.path.join(self.disk, "events.db"), "--listen", "iiop://127.0.0.1:0")

    def make(self, number, status=0):
        return self.call(self.factory, "create_channel", json.dumps(f"{number:04}" + "x" * 1000), status=status)

    def join(self, number, status=0):
        return self.call(self.factory, "join_channel", json.dumps(f"{number:04}" + "x" * 1000), status=status)

    def test_it(self):
        self.start()
        channel = self.make(0)
        consumers = self.call(channel, "for_consumers", "--interface", "omniEvents::EventChannel")
        suppliers = self.call(channel, "for_suppliers", "--interface", "omniEvents::EventChannel")
        pulls, pushed = self.call(consumers, "obtain_pull_supplier"), self.call(suppliers, "obtain_push_consumer")
        self.call(pulls, "connect_pull_consumer", "null")
        self.fill()
        self.assertIn("PERSIST_STORE", self.make(1, status=1))
        self.assertIn("PERSIST_STORE", self.make(2, status=1))
        self.join(1, status=3)
        self.assertIn("PERSIST_STORE", self.call(consumers, "obtain_push_supplier", status=1))
        self.assertIn("PERSIST_STORE", self.call(pulls, "disconnect_pull_supplier", status=1))
        self.call(pushed, "push", '{"type": "long", "value": 3}')
        self.assertEqual(self.call(pulls, "pull"), {"type": "long", "value": 3})
        os.remove(self.ballast)
        self.make(1)
        self.call(pulls, "disconnect_pull_supplier")
        said = self.stop().splitlines()
        told = [line for line in said if line.startswith("takt events serve: ")]
        self.assertEqual(len(told), 2, said)
        self.assertIn("the store cannot be written: ", told[0])
        self.assertEqual(told[1], "takt events serve: the store is writable again")
        self.start()
        self.join(0)
        self.join(1)
        self.join(2, status=3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
