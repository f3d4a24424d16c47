"""command_test.py TAKT: `takt trade` as processes, which are killed and started again."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from served import ENVIRONMENT, Server, TAKT, takt  # noqa: E402

IDL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "idl", "CosTrading.idl")
PLACE = "corbaloc:iiop:1.2@127.0.0.1:9/"


class Trader:
    def __init__(self, *options):
        self.server = Server("trade", "serve", *options)
        self.reference = self.server.reference

    def __call__(self, *words, status=0):
        done = takt("trade", *words, "--service", self.reference)
        assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def query(self, *words):
        """The values of the property id."""
        done = takt("trade", "query", *words, "--json", "--service", self.reference)
        assert done.returncode in (0, 1), done.stderr
        return [offer["properties"]["id"] for offer in json.loads(done.stdout)["offers"]]

    def state(self):
        return json.loads(takt("trade", "list", "--json", "--service", self.server.url("TaktTrading")).stdout)

    def register(self):
        done = takt("call", self.reference, "register_if", "--interface", "CosTrading::Lookup", "--idl", IDL)
        return json.loads(done.stdout)

    def add_printer(self):
        self("add-type", "Printer", "--property", "id=string", "--property", "pages=long", "--property", "site=string",
             "--mandatory", "id", "--readonly", "site")

    def kill(self):
        self.server.process.kill()
        self.server.stop()


class OneTrader(unittest.TestCase):
    def setUp(self):
        self.trader = Trader("--memory")
        self.addCleanup(self.trader.server.stop)
        self.trader.add_printer()

    def test_a_tour(self):
        trader = self.trader
        self.assertEqual(trader("types"), "types: Printer\n")
        shown = json.loads(trader("types", "Printer", "--json"))
        self.assertEqual([(each["name"], each["type"], each["mode"]) for each in shown["properties"]],
                         [("id", "string", "mandatory"), ("pages", "long", "normal"), ("site", "string", "readonly")])
        trader("add-type", "Laser", "--extends", "Printer", "--property", "colour=boolean",
               "--property", 'trays={"kind": "sequence", "element": "short"}')
        first = trader("export", "Printer", PLACE + "a", "id=7", "pages=10").strip()
        trader("export", "Laser", PLACE + "b", "id=b", "pages=30", "colour=true", "trays=[1, 4]", "extra=text")
        self.assertEqual(trader.query("Printer"), ["7", "b"])
        self.assertEqual(trader.query("Printer", "--exact"), ["7"])
        self.assertEqual(trader.query("Printer", "pages > 5", "--preference", "max pages"), ["b", "7"])
        self.assertEqual(trader.query("Printer", "4 in trays and colour and extra == 'text'"), ["b"])
        self.assertEqual(trader.query("Printer", "--max", "1"), ["7"])
        self.assertIn("`takt trade withdraw --type Laser --where ''`", trader("remove-type", "Laser", status=1))
        page = trader("query", "Printer", "pages == 10", "--property", "pages")
        self.assertIn("pages: 10", page)
        self.assertNotIn("id:", page)
        trader("withdraw", first)
        self.assertEqual(trader.query("Printer"), ["b"])
        trader("withdraw", "--type", "Printer", "--where", "")
        self.assertEqual(trader.query("Printer"), [])
        trader("mask-type", "Printer")
        self.assertIn("UnknownServiceType", trader("export", "Printer", PLACE + "a", "id=a", status=1))
        trader("unmask-type", "Printer")
        trader("remove-type", "Laser")
        trader("remove-type", "Printer")
        self.assertEqual(trader("types"), "types: none\n")

    def test_more_than_one_reply_holds(self):
        small = Trader("--memory", "--max-listed", "3")
        self.addCleanup(small.server.stop)
        small.add_printer()
        for number in range(10):
            small("export", "Printer", PLACE + "a", f"id=n{number}")
        self.assertEqual(small.query("Printer"), [f"n{number}" for number in range(10)])
        self.assertEqual(small.state()["iterators"], 0)

    def test_links(self):
        trader, other = self.trader, Trader("--memory")
        self.addCleanup(other.server.stop)
        other.add_printer()
        other("export", "Printer", PLACE + "a", "id=far")
        self.assertEqual(trader("link", "list"), "links: none\n")
        trader("link", "add", "north", other.reference)
        trader("link", "add", "south", other.server.url("TradingService"), "--limit", "if_no_local", "--pass-on", "local_only")
        links = json.loads(trader("link", "list", "--json"))["links"]
        self.assertEqual([(each["name"], each["limit"], each["pass_on"], each["address"], each["takes_offers"]) for each in links],
                         [("north", "always", "always", f"127.0.0.1:{other.server.port}", True),
                          ("south", "if_no_local", "local_only", f"127.0.0.1:{other.server.port}", True)])
        self.assertEqual(trader.query("Printer", "--links", "always"), ["far"])
        self.assertIn("DuplicateLinkName", trader("link", "add", "north", other.reference, status=1))
        self.assertIn("DefaultFollowTooPermissive", trader("link", "add", "east", other.reference, "--limit", "local_only", "--pass-on", "always",
                                                           status=1))
        self.assertIn("IllegalLinkName", trader("link", "add", "", other.reference, status=1))
        self.assertIn("--limit", trader("link", "add", "east", other.reference, "--limit", "sometimes", status=2))
        trader("link", "remove", "north")
        trader("link", "remove", "south")
        self.assertIn("UnknownLinkName", trader("link", "remove", "north", status=1))
        self.assertEqual((trader("link", "list"), trader.query("Printer", "--links", "always")), ("links: none\n", []))

    def test_refusals(self):
        trader = self.trader
        self.assertIn("at character 9: expected a value, found the end", trader("query", "Printer", "pages > ", status=1))
        self.assertIn("expected max, min, with, random or first", trader("query", "Printer", "--preference", "best", status=1))
        self.assertIn("UnknownServiceType", trader("query", "Plotter", status=1))
        self.assertIn("MissingMandatoryProperty", trader("export", "Printer", PLACE + "a", status=1))
        self.assertIn("pages: expected a number from", trader("export", "Printer", PLACE + "a", "id=a", "pages=many", status=2))
        self.assertIn("is no NAME=VALUE", trader("export", "Printer", PLACE + "a", "id", status=2))
        self.assertIn("IllegalOfferId", trader("withdraw", "nonsense", status=1))
        self.assertIn("give ids of offers", trader("withdraw", status=2))
        self.assertIn("--where", trader("withdraw", "--type", "Printer", status=2))
        self.assertIn("NAME=TYPE", trader("add-type", "A", "--property", "p", status=2))
        self.assertIn("no --property q", trader("add-type", "A", "--mandatory", "q", status=2))
        self.assertIn("give either --memory or --store", takt("trade", "serve", "--memory", "--store", "x").stderr)
        self.assertEqual(takt("trade", "query", "Printer", "--service", self.trader.reference).returncode, 1)

    def test_state_and_metrics(self):
        self.trader("export", "Printer", PLACE + "a", "id=a", "pages=10")
        self.trader.query("Printer", "pages == 10")
        state = self.trader.state()
        self.assertEqual(state["types"], [{"type": "Printer", "offers": 1, "proxies": 0, "masked": False}])
        self.assertEqual((state["exports"], state["queries"], state["offers_looked_at"]), (1, 1, 1))
        text = takt("metrics", "--once", "--trading", self.trader.server.url("TaktTrading")).stdout
        target = f'target="{self.trader.server.url("TaktTrading")}"'
        self.assertIn(f"takt_trading_up{{{target}}} 1\n", text)
        self.assertIn(f'takt_trading_offers{{{target},type="Printer"}} 1\n', text)
        self.assertIn(f"takt_trading_queries_total{{{target}}} 1\n", text)
        place = self.trader.server.url("TaktTrading")
        top = takt("top", "--trading", place).stdout.splitlines()
        self.assertEqual(top[0], place + ": trader, offers 1, types 1, indexes 0, links 0, iterators 0")
        self.assertEqual(dict(zip(top[1].split(), top[2].split()))["QUERIES"], "1")
        self.assertEqual(json.loads(takt("top", "--json", "--trading", place).stdout)["services"][0]["queries"], 1)
        gone = takt("top", "--trading", "corbaloc::127.0.0.1:1/TaktTrading")
        self.assertEqual((gone.returncode, gone.stdout), (1, ""))
        self.assertIn("corbaloc::127.0.0.1:1/TaktTrading: ", gone.stderr)


class Killed(unittest.TestCase):
    def test_what_was_acknowledged_is_there_after_kill_9(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "trading.db")
            trader = Trader("--store", store)
            trader.add_printer()
            expected = []
            for number in range(12):
                offer = trader("export", "Printer", PLACE + "a", f"id=n{number}", f"pages={number}").strip()
                if number % 3 == 0:
                    trader("withdraw", offer)
                else:
                    expected.append(f"n{number}")
                if number % 4 == 3:
                    trader.kill()
                    trader = Trader("--store", store)
                    self.assertEqual(trader.query("Printer"), expected)
            self.assertIn("another process has it open", takt("trade", "serve", "--store", store, "--listen", "iiop://127.0.0.1:0").stderr)
            trader.kill()

    def test_modify_is_all_or_nothing_over_kill_9(self):
        """Each round changes two properties of each offer together, and kills the trader when one change was acknowledged."""
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "trading.db")
            trader = Trader("--store", store)
            trader("add-type", "Pair", "--property", "id=string", "--property", "a=long", "--property", "b=long")
            offers = [trader("export", "Pair", PLACE + "a", f"id=n{number}", "a=0", "b=0").strip() for number in range(4)]
            values = [0] * len(offers)
            for number in range(1, 6):
                register = trader.register()
                changes = [modify(register, offer, number) for offer in offers]
                changes[number % len(changes)].wait(50)
                trader.kill()
                done = [change.wait(50) == 0 for change in changes]
                self.assertTrue(done[number % len(changes)])
                trader = Trader("--store", store)
                found = json.loads(takt("trade", "query", "Pair", "--json", "--service", trader.reference).stdout)["offers"]
                self.assertEqual([offer["properties"]["id"] for offer in found], [f"n{i}" for i in range(len(offers))])
                for i, offer in enumerate(found):
                    pair = (offer["properties"]["a"], offer["properties"]["b"])
                    self.assertIn(pair, [(number, number)] if done[i] else [(number, number), (values[i], values[i])], i)
                    values[i] = pair[0]
            trader.kill()


def modify(register, offer, number):
    """A process that sets both properties."""
    value = {"type": "long", "value": number}
    changed = [{"name": name, "value": value} for name in ("a", "b")]
    return subprocess.Popen([TAKT, "call", register, "modify", json.dumps(offer), "[]", json.dumps(changed), "--interface",
                             "CosTrading::Register", "--idl", IDL], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
