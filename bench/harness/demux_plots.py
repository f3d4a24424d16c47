"""Charts of the demux bench: cost over the number of objects, a line for each strategy."""

from harness.plot import line_chart, write_chart

PAPER = 500  # the largest number of servants in the paper's figures


def write_plots(folder, rows):
    for order in ("random", "worst"):
        for key, name, y_title, scale, operations in (("ns", "alone", "ns per request", 1, 100),
                                                      ("p50_ns", "calls", "p50 of a call, us", 1000, 10)):
            lines = lines_of(rows, key, scale, order, operations)
            title = f"{'Demultiplexing alone' if name == 'alone' else 'Calls over IIOP'}, {order} order, " \
                    f"{operations} operations"
            if lines:
                write_chart(folder, f"demux-{name}-{order}.svg",
                            line_chart(title, "objects", y_title, lines))
            few = {who: [point for point in line if point[0] <= PAPER] for who, line in lines.items()}
            if any(len(line) > 1 for line in few.values()):
                write_chart(folder, f"demux-{name}-{order}-{PAPER}.svg",
                            line_chart(title, "objects", y_title, few, log_x=False, log_y=False))


def lines_of(rows, key, scale, order, operations):
    lines = {}
    for row in sorted(rows, key=lambda row: row["servants"]):
        if (row["order"], row["operations"], row["depth"]) == (order, operations, 1) and row.get(key, 0) > 0:
            who = row["strategy"] if row["peer"] == "takt" else row["peer"]
            lines.setdefault(who, []).append((row["servants"], row[key] / scale))
    return lines
