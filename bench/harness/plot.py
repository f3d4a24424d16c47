"""Line and bar charts as SVG, without any library."""

import math
import os
from html import escape
from textwrap import wrap

HEIGHT = 400
LEFT, TOP, BOTTOM = 70, 40, 50
PLOT_WIDTH = 420
LETTER_WIDTH = 7  # about, in the legend
BAR_WIDTH = 16
LABEL_LETTERS = 14  # per line under a bar, of which there are up to three
# The palette of Okabe and Ito, which colour-blind people can distinguish; lines after the last colour start
# over, dashed.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"]
MARKS = {1_000_000: "M", 1_000: "k"}


class Axis:
    """Maps values to pixels, on a linear or logarithmic scale."""

    def __init__(self, values, begin, end, log):
        self.log, self.begin, self.end = log, begin, end
        self.ticks = log_ticks(min(values), max(values)) if log else linear_ticks(max(values))
        low, high = self.ticks[0], self.ticks[-1]
        self.low, self.span = self.scaled(low), self.scaled(high) - self.scaled(low)

    def scaled(self, value):
        return math.log10(value) if self.log else value

    def __call__(self, value):
        return self.begin + (self.scaled(value) - self.low) / self.span * (self.end - self.begin)


def log_ticks(low, high):
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0 ** power for power in range(first, max(last, first + 1) + 1)]


def linear_ticks(high):
    step = 10.0 ** math.floor(math.log10(high))
    while high / step < 4:
        step /= 2
    return [step * i for i in range(math.ceil(high / step) + 1)]


def label(value):
    for limit, mark in MARKS.items():
        if value >= limit:
            return f"{value / limit:g}{mark}"
    return f"{value:g}"


def frame(title, y_title, y_axis, right, legend):
    """The frame, axes and titles of a chart."""
    width, bottom = right + 46 + LETTER_WIDTH * max(map(len, legend)), HEIGHT - BOTTOM
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" '
           f'font-size="12">',
           f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>']
    for tick in y_axis.ticks:
        at = f"{y_axis(tick):.1f}"
        out.append(f'<path d="M{LEFT} {at}H{right}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{at}" dy="4" text-anchor="end">{label(tick)}</text>')
    out.append(f'<text transform="translate(16 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">'
               f'{escape(y_title)}</text>')
    return out


def line_chart(title, x_title, y_title, series, log_x=True, log_y=True):
    """`series`: a list of points (x, y) by name, in the order of the legend. Values on a logarithmic axis must be
    positive."""
    points = [point for line in series.values() for point in line]
    right, bottom = LEFT + PLOT_WIDTH, HEIGHT - BOTTOM
    x_axis = Axis([x for x, _ in points], LEFT, right, log_x)
    y_axis = Axis([y for _, y in points], bottom, TOP, log_y)
    out = frame(title, y_title, y_axis, right, series)
    for tick in x_axis.ticks:
        at = f"{x_axis(tick):.1f}"
        out.append(f'<path d="M{at} {TOP}V{bottom}" stroke="#ddd"/>'
                   f'<text x="{at}" y="{bottom + 16}" text-anchor="middle">{label(tick)}</text>')
    out.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>')
    for number, (name, line) in enumerate(series.items()):
        colour, at = COLOURS[number % len(COLOURS)], TOP + 10 + 20 * number
        dashes = "" if number < len(COLOURS) else ' stroke-dasharray="5 3"'
        path = " ".join(f"{x_axis(x):.1f},{y_axis(y):.1f}" for x, y in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        out += [f'<circle cx="{x_axis(x):.1f}" cy="{y_axis(y):.1f}" r="3" fill="{colour}"/>' for x, y in line]
        out.append(f'<path d="M{right + 12} {at}h20" stroke="{colour}" stroke-width="2"{dashes}/>'
                   f'<text x="{right + 38}" y="{at}" dy="4">{escape(name)}</text>')
    return "\n".join([*out, "</svg>", ""])


def bar_chart(title, y_title, groups):
    """`groups`: for each group's name, a value by the bar's name; a missing bar leaves a gap."""
    names = list(dict.fromkeys(name for bars in groups.values() for name in bars))
    labels = {group: wrap(group, LABEL_LETTERS) for group in groups}
    longest = max(len(line) for lines in labels.values() for line in lines)
    slot = max(BAR_WIDTH * (len(names) + 1), LETTER_WIDTH * (longest + 1))
    right, bottom = LEFT + slot * len(groups), HEIGHT - BOTTOM
    highest = max(value for bars in groups.values() for value in bars.values())
    y_axis = Axis([highest * 1.1 or 1], bottom, TOP, log=False)  # room above the bars for their values
    out = frame(title, y_title, y_axis, right, names)
    for place, (group, bars) in enumerate(groups.items()):
        middle = LEFT + slot * (place + 0.5)
        for number, line in enumerate(labels[group]):
            out.append(f'<text x="{middle:.1f}" y="{bottom + 16 + 14 * number}" text-anchor="middle">{escape(line)}</text>')
        for name, value in bars.items():
            number = names.index(name)
            left, top = middle + BAR_WIDTH * (number - len(names) / 2), y_axis(value)
            out.append(f'<rect x="{left + 1:.1f}" y="{top:.1f}" width="{BAR_WIDTH - 2}" height="{bottom - top:.1f}" '
                       f'fill="{COLOURS[number % len(COLOURS)]}"><title>{escape(name)}: {value:.4g}</title></rect>'
                       f'<text transform="translate({left + BAR_WIDTH / 2:.1f} {top - 4:.1f}) rotate(-90)" dy="4" '
                       f'font-size="10">{value:.3g}</text>')
    for number, name in enumerate(names):
        at = TOP + 10 + 20 * number
        out.append(f'<rect x="{right + 14}" y="{at - 7}" width="14" height="14" '
                   f'fill="{COLOURS[number % len(COLOURS)]}"/><text x="{right + 38}" y="{at}" dy="4">{escape(name)}</text>')
    return "\n".join([*out, "</svg>", ""])


def write_chart(folder, name, chart):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w") as file:
        file.write(chart)
