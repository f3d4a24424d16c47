"""Charts of the bench async: calls a second and their p99, over the number of calls under way."""

from harness.plot import line_chart, write_chart

DRAWN = {"calls_per_s": ("calls-per-second", "calls a second", 1), "p99_ns": ("p99", "p99, us", 1000)}


def write_plots(folder, rows):
    timed = [row for row in rows if "calls_per_s" in row]
    for placement, transport, connections in dict.fromkeys((row["placement"], row["transport"], row["connections"]) for row in timed):
        here = [row for row in timed if (row["placement"], row["transport"], row["connections"]) == (placement, transport, connections)]
        for key, (name, title, unit) in DRAWN.items():
            series = {}
            for row in sorted(here, key=lambda row: row["in_flight"]):
                if row.get(key):
                    series.setdefault(f"{row['peer']}, {row['model']}", []).append((row["in_flight"], row[key] / unit))
            if any(len(line) > 1 for line in series.values()):
                write_chart(folder, f"async-{placement}-{transport}-{connections}-{name}.svg",
                            line_chart(f"octet calls, {transport}, {placement}, connections: {connections}", "calls under way", title, series))
