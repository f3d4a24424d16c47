#!/usr/bin/env python3
"""monitoring_files_test.py TAKT SOURCE: the metrics that docs/user/monitoring.md, contrib/monitoring/alerts.yml and dashboard.json name are
those that `takt metrics` serves, with these labels. What only Grafana knows of a dashboard is checked as far as its file shows it."""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

TAKT, SOURCE = sys.argv[1:3]
METRIC = re.compile(r"\btakt_\w+")
# What Prometheus's language says with words; every other word of an expression is a metric, a label or text.
SELECTOR = re.compile(r"\b(takt_\w+)(?:\{([^}]*)\})?")


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def metrics_page(*targets):
    return subprocess.run([TAKT, "metrics", "--once", *targets], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
                          timeout=60).stdout


def base(name):
    """The metric to which a sample belongs: a histogram has three kinds of them."""
    return re.sub(r"_(bucket|count|sum)$", "", name)


def documented():
    """Each metric of the table in monitoring.md, with its labels."""
    table = {}
    for names, labels in re.findall(r"^\| (`takt_\w+`[^|]*) \| ([^|]*)\|", read("docs", "user", "monitoring.md"), re.MULTILINE):
        for name in METRIC.findall(names):
            table[name] = set(re.findall(r"`(\w+)`", labels))
    return table


def alerts():
    """Name, expression and texts of each alert."""
    text = read("contrib", "monitoring", "alerts.yml")
    found = re.findall(r"- alert: (\w+)\n\s+expr: (.*?)\n\s+(?:for|labels): (.*?)(?=\n\s+- alert:|\Z)", text, re.DOTALL)
    assert len(found) == text.count("alert:"), "an alert has another form"
    return found


def panels():
    return json.loads(read("contrib", "monitoring", "dashboard.json"))["panels"]


class Expression:
    """What an expression of Prometheus asks for, and the labels that its result has."""

    def __init__(self, text, table):
        self.selected = SELECTOR.findall(re.sub(r"by \([^)]*\)", "", text))
        self.by = [set(re.findall(r"\w+", labels)) for labels in re.findall(r"by \(([^)]*)\)", text)]
        everything = [table[base(name)] | {"target"} | ({"le"} if name.endswith("_bucket") else set()) for name, _ in self.selected]
        self.known = set.intersection(*everything)
        self.filtered = [(base(name), set(re.findall(r"(\w+)\s*[=!]", filters))) for name, filters in self.selected]
        aggregates = re.search(r"\b(sum|count|min|max|avg)\b", text)
        self.result = set.intersection(*self.by) - {"le"} if self.by else set() if aggregates else self.known


class MonitoringFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = documented()

    def test_the_table_has_what_is_served(self):
        served = set(re.findall(r"^# TYPE (\w+)", metrics_page("iiop://127.0.0.1:1"), re.MULTILINE))
        self.assertGreater(len(served), 30)
        self.assertEqual(set(self.table), served)

    def test_the_table_has_the_labels_that_are_served(self):
        folder = tempfile.mkdtemp(prefix="takt-monitoring-")
        admin = f"unix:{folder}/admin"
        naming = [TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBAdmin", admin, "-ORBServerConcurrency",
                  "worker-pool"]
        with subprocess.Popen(naming, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            try:
                while not os.path.exists(folder + "/admin"):
                    self.assertIsNone(server.poll())
                    time.sleep(0.01)
                page = metrics_page(admin)
            finally:
                server.terminate()
                server.communicate(timeout=30)
        os.rmdir(folder)
        samples = re.findall(r"^(takt_\w+)\{(.*)\} \S+$", page, re.MULTILINE)
        self.assertGreater(len({name for name, _ in samples}), 15)
        for name, labels in samples:
            served = set(re.findall(r'(\w+)="', labels)) - ({"le"} if name.endswith("_bucket") else set())
            self.assertEqual(served, self.table[base(name)] | {"target"}, name)

    def check(self, expression, words, where):
        """An expression, and a text that names labels of its result."""
        for name in METRIC.findall(expression):
            self.assertIn(base(name), self.table, where)
        asked = Expression(expression, self.table)
        for name, labels in asked.filtered:
            self.assertLessEqual(labels, self.table[name] | {"target"}, where)
        for labels in asked.by:
            self.assertLessEqual(labels, asked.known, where)
        self.assertLessEqual(set(words), asked.result, where)

    def test_alerts_ask_for_what_is_served(self):
        self.assertGreater(len(alerts()), 8)
        for name, expression, texts in alerts():
            self.check(expression, re.findall(r"\$labels\.(\w+)", texts), name)

    def test_each_alert_has_a_text_that_names_the_orb(self):
        for name, _, texts in alerts():
            self.assertRegex(texts, r"severity: (warning|critical)", name)
            self.assertRegex(texts, r"summary: .*\$labels\.target", name)
            self.assertRegex(texts, r"description: .", name)

    def test_each_alert_is_seen_to_fire(self):
        """promtool, which not every machine has, runs the file; see metrics_test.py."""
        fired = set(re.findall(r'alertname="(\w+)"\}\', value: 1', read("contrib", "monitoring", "alerts_test.yml")))
        self.assertEqual(fired, {name for name, _, _ in alerts()})

    def test_panels_ask_for_what_is_served(self):
        for panel in panels():
            for target in panel["targets"]:
                self.check(target["expr"], re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]), panel["title"])

    def test_legends_tell_the_series_of_a_panel_apart(self):
        for panel in panels():
            legends = [target["legendFormat"] for target in panel["targets"]]
            self.assertEqual(len(set(legends)), len(legends), panel["title"])
            for target in panel["targets"]:
                result = Expression(target["expr"], self.table).result
                self.assertEqual(set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])), result, panel["title"])

    def test_panels_lie_beside_each_other(self):
        places = [panel["gridPos"] for panel in panels()]
        for place in places:
            self.assertLessEqual(place["x"] + place["w"], 24)  # columns of a dashboard
        for one, other in itertools.combinations(places, 2):
            self.assertTrue(one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"] or
                            one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"], (one, other))

    def test_identifiers_are_unique_and_variables_exist(self):
        self.assertEqual(len({panel["id"] for panel in panels()}), len(panels()))
        for panel in panels():
            self.assertEqual(len({target["refId"] for target in panel["targets"]}), len(panel["targets"]), panel["title"])
        dashboard = json.loads(read("contrib", "monitoring", "dashboard.json"))
        variables = {variable["name"]: variable for variable in dashboard["templating"]["list"]}
        used = {name for name in re.findall(r"\$\{?(\w+)", json.dumps(dashboard)) if not name.startswith("__")}
        self.assertEqual(used, set(variables))
        metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", variables["target"]["query"]["query"]).groups()
        self.assertIn(metric, self.table)
        self.assertEqual(label, "target")

    def test_sources_of_data_are_the_one_that_the_reader_chooses(self):
        for panel in panels():
            for where in [panel, *panel["targets"]]:
                self.assertEqual(where["datasource"], {"type": "prometheus", "uid": "${source}"}, panel["title"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
