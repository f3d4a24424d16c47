"""Text tables, and how far a bench has come."""

import sys


def table(title, header, rows):
    cells = [header, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))


def progress(text):
    """One line that is written over; a line each where nobody looks. Empty: the end of it."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def figure(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"
