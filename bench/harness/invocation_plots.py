"""Charts of the bench invocation, with the axes of the figures of [Gokhale 1998], section 4."""

from harness import ttcp
from harness.plot import line_chart, write_chart

DRAWN = ["octet", "BinStruct"]


def write_plots(folder, rows):
    timed = [row for row in rows if "placement" in row]
    for placement, direction in dict.fromkeys((row["placement"], row["direction"]) for row in timed):
        here = [row for row in timed if (row["placement"], row["direction"]) == (placement, direction)]
        draw(folder, f"invocation-{placement}-{direction}", direction, here)
    draw_counts(folder, [row for row in rows if "instructions" in row and "group" not in row and row["side"] == "client"])


def draw(folder, name, direction, rows):
    """The types by units with the fewest servants, calls without parameters by servants, and, for each peer and
    invocation, as in the paper, a type by units with a line for each number of servants."""
    least = min(row["servants"] for row in rows)
    for workload in DRAWN:
        own = [row for row in rows if row["workload"] == workload]
        write(folder, f"{name}-{workload}-units.svg", f"{workload}, {direction}, servants: {least}", "units",
              lines([row for row in own if row["servants"] == least], "units", label), True)
        for peer, invocation in dict.fromkeys((row["peer"], row["invocation"]) for row in own):
            drawn = [row for row in own if (row["peer"], row["invocation"]) == (peer, invocation)]
            write(folder, f"{name}-{workload}-{peer}-{invocation}.svg", f"{peer}: {workload}, {direction}, {invocation}", "units",
                  lines(drawn, "units", lambda row: f"servants: {row['servants']}"), False)
    write(folder, f"{name}-none-servants.svg", f"no parameters, {direction}", "servants",
          lines([row for row in rows if row["workload"] == "none"], "servants", label), False)


def label(row):
    return f"{row['peer']}, {row['invocation']}"


def lines(rows, key, name):
    series = {}
    for row in sorted(rows, key=lambda row: (row["servants"], row["units"])):
        if ttcp.shown(row):
            series.setdefault(name(row), []).append((row[key], ttcp.shown(row)))
    return series


def write(folder, name, title, x_title, series, log):
    if any(len(line) > 1 for line in series.values()):
        write_chart(folder, name, line_chart(title, x_title, "us per call", series, log_x=log, log_y=log))


def draw_counts(folder, rows):
    """The client's instructions, a line for each peer and invocation from the fewest units to the most."""
    for direction, workload in dict.fromkeys((row["direction"], row["workload"]) for row in rows if row["workload"] in DRAWN):
        series = {}
        for row in sorted(rows, key=lambda row: row["units"]):
            if (row["direction"], row["workload"]) == (direction, workload):
                series.setdefault(label(row), []).append((row["units"], row["instructions"]))
        if any(len(line) > 1 for line in series.values()):
            write_chart(folder, f"invocation-counts-{direction}-{workload}.svg",
                        line_chart(f"{workload}, {direction}: the client's instructions", "units", "instructions", series))
