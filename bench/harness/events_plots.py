"""The charts of `script/bench events`: one for each experiment, and for each length of events where there are several."""

from harness.plot import bar_chart, line_chart, write_chart

# Of the parts with deliveries: the figure, its title and its axis.
FIGURES = {"deliveries": (lambda row: row["deliveries_per_second"], "Deliveries of events", "deliveries/s"),
           "costs": (lambda row: row["service_us"] + row["client_us"], "Processor time of service and clients", "us for a delivery"),
           "latency": (lambda row: row["last_p99_us"], "The last consumer of a single event", "p99, us")}


def charts(rows):
    """Pairs of a file's name and a chart."""
    delivered = [each for each in rows if each["part"] in ("tcp", "local", "ring", "process")]
    for octets in sorted({each["octets"] for each in delivered}):
        for name, (figure, title, axis) in FIGURES.items():
            series = {}
            for each in (each for each in delivered if each["octets"] == octets and figure(each) > 0):
                series.setdefault(f"{each['service']}, {each['part']}", []).append((each["consumers"], figure(each)))
            if series:
                yield f"events-{name}-{octets}", line_chart(f"{title} of {octets} octets" if name == "deliveries" else
                                                            f"{title}, {octets} octets", "consumers", axis, series)
    kept = {}
    for each in (each for each in rows if each["part"] == "persistent"):
        kept.setdefault(f"{each['suppliers']} suppliers, {each['batch']} in a call", {})[f"{each['octets']} octets"] = each["acknowledged_per_second"]
    if kept:
        yield "events-persistent", bar_chart("Persistent events", "acknowledged/s", kept)
    for each in (each for each in rows if each["part"] == "urgent"):
        groups = {word: {"p50": each[f"{key}_p50_us"], "p99": each[f"{key}_p99_us"]}
                  for word, key in (("alone", "alone"), ("beside a flood", "flood"))}
        yield "events-urgent", bar_chart("An urgent event", "us", groups)
    for each in (each for each in rows if each["part"] == "bounds"):
        count = len(each["nearest_of_graphs"])
        line = [(nearest, (number + 1) / count) for number, nearest in enumerate(sorted(each["nearest_of_graphs"]))]
        yield "events-bounds", line_chart("Longest measured time through a channel", "part of its bound", "part of the graphs, up to this",
                                          {"random graphs": line}, log_x=False, log_y=False)


def draw(folder, rows):
    for name, chart in charts(rows):
        write_chart(folder, f"{name}.svg", chart)
