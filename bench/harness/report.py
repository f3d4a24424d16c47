"""Text tables, and the progress of a bench."""

import statistics
import sys
import time


def table(title, header, rows):
    cells = [header, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))


_told = [0.0]  # when progress() last printed a line that is not on a terminal


def progress(text):
    """A line that overwrites itself on a terminal; elsewhere a line every ten seconds. Empty: the end."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text and time.monotonic() - _told[0] >= 10:
        _told[0] = time.monotonic()
        print(text, file=sys.stderr, flush=True)


def medians(names, lines):
    """The median of each figure over the lines, for figures that all of them have."""
    return {name: round(statistics.median(line[name] for line in lines), 1) for name in names
            if all(name in line for line in lines)}


def fewest(rows):
    """The smallest number of samples behind a figure of any round."""
    return f"n >= {min(int(row['n']) for row in rows if 'n' in row):,} a round"


def us(row, key):
    """A figure of a row in microseconds; "-" if it had too few samples."""
    return figure(row[key] / 1000 if row and key in row else None)


def figure(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"
