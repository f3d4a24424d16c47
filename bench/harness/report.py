"""Text tables."""


def table(title, header, rows):
    cells = [header, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))


def figure(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"
