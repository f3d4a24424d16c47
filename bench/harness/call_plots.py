"""Charts of the benches of calls: cube and protocols."""

from harness.plot import bar_chart, line_chart, write_chart
from harness.variants import CUBIT, LATENCY, OCTETS, THROUGHPUT


def write_ratios(folder, rows):
    """Latency and throughput of each peer relative to a raw socket, by placement and transport."""
    for placement, transport in dict.fromkeys((row["placement"], row["transport"]) for row in rows):
        here = [row for row in rows if (row["placement"], row["transport"]) == (placement, transport)]
        where = placement if transport == "tcp" else f"{placement}-{transport}"
        for names, key, title in ((LATENCY, "p50_ns_ratio", "calls: median time, a raw socket's is 1"),
                                  (THROUGHPUT, "calls_per_s_ratio", "calls per second, a raw socket's are 1")):
            groups = grouped(here, names, "workload", "peer", key)
            if groups:
                write_chart(folder, f"cube-{where}-{key.removesuffix('_ratio')}.svg",
                            bar_chart(f"{title} ({where})", "ratio", groups))


def label(row):
    return f"{row['peer']} {row['messaging']}" if row["messaging"] == "giop-lite" else row["peer"]


def write_transports(folder, rows):
    """Draws figures 5 and 8 of [Kuhns 1999]: the duration of a call over each transport, by type and by size."""
    for placement in dict.fromkeys(row["placement"] for row in rows):
        here = [{**row, "us": row["p50_ns"] / 1000, "peer": label(row)}
                for row in rows if row["placement"] == placement and row["transport"] != "memory" and "p50_ns" in row]
        octet = grouped([row for row in here if row["workload"] == "cube_octet"],
                        dict.fromkeys(row["transport"] for row in here), "transport", "peer", "us")
        if octet:
            write_chart(folder, f"protocols-{placement}-octet.svg",
                        bar_chart(f"a call with an octet ({placement}), by transport", "p50, us", octet))
        types = grouped([row for row in here if row["peer"] == "takt"], CUBIT, "workload", "transport", "us")
        if len(types) > 1:
            write_chart(folder, f"protocols-{placement}-types.svg",
                        bar_chart(f"Takt's calls ({placement}), by type", "p50, us", types))
        sizes = {}
        for row in sorted(here, key=lambda row: OCTETS.get(row["workload"], 0)):
            if row["workload"] in OCTETS and row["peer"] == "takt":
                sizes.setdefault(row["transport"], []).append((OCTETS[row["workload"]], row["us"]))
        if any(len(line) > 1 for line in sizes.values()):
            write_chart(folder, f"protocols-{placement}-sizes.svg",
                        line_chart(f"Takt's calls with octets ({placement})", "octets", "p50, us", sizes))


def grouped(rows, names, group, bar, key):
    """The values of each name's rows, by bar; names without values are omitted."""
    found = {name: {row[bar]: row[key] for row in rows if row[group] == name and key in row} for name in names}
    return {name: bars for name, bars in found.items() if bars}
