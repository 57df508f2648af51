#!/usr/bin/env python3
"""How the time of boosting grows with rows, features, bins and leaves: a table and a picture of four curves.

boosting_growth.py BOOSTING_RUN CURVES.csv CURVES.svg [--rows N] [--trees N] [--threads N] [--repeat N]
BOOSTING_RUN is the benchmark program boosting_run. Each point is the median of --repeat runs on random numbers whose classes differ in
all features; one of the four numbers varies, the others stay. Seconds are those that processors worked, of all threads, so that other
work on the machine matters less. Needs numpy.
"""
import argparse
import csv
import math
import pathlib
import re
import statistics
import subprocess
import tempfile

import numpy

SWEEPS = {
    "rows": [62500, 125000, 250000, 500000, 1000000, 2000000],
    "features": [7, 14, 28, 56, 112],
    "bins": [15, 63, 255, 1023, 4095],
    "leaves": [16, 64, 256, 1024],
}


def write_table(path, rows, features):
    random = numpy.random.default_rng(1)
    with open(path, "wb") as out:
        for begin in range(0, rows, 100000):
            count = min(100000, rows - begin)
            cells = random.standard_normal((count, features + 1), dtype=numpy.float32)
            score = cells[:, :features].sum(axis=1) / numpy.sqrt(features) + cells[:, 0] * cells[:, 1]
            cells[:, features] = score + cells[:, features] > 0
            cells.tofile(out)


def run(arguments, path, point):
    command = [
        arguments.program, str(point["rows"]), "0", "--raw", path, "--columns", str(point["features"] + 1), "--threads",
        str(arguments.threads), "--trees", str(arguments.trees), "--max-bin", str(point["bins"]), "--grow", "lossguide",
        "--max-depth", "0", "--max-leaves", str(point["leaves"]),
    ]
    seconds = []
    for _ in range(arguments.repeat):
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        binning, growing = re.search(r"processor: binning ([\d.]+) s, growing ([\d.]+) s", text).groups()
        seconds.append((float(binning), float(growing)))
    return [statistics.median(values) for values in zip(*seconds)]


class LogAxis:
    """Places of numbers on a line from `begin` to `end`, equal ratios equally far apart."""

    def __init__(self, numbers, begin, end):
        self.low, self.high = math.log(min(numbers)), math.log(max(numbers))
        self.begin, self.end = begin, end

    def __call__(self, number):
        share = (math.log(number) - self.low) / (self.high - self.low)
        return f"{self.begin + share * (self.end - self.begin):.1f}"


def short(number):
    """62500 as 62.5k."""
    if number >= 1000000:
        return f"{number / 1000000:g}M"
    return f"{number / 1000:g}k" if number >= 10000 else f"{number:g}"


def panel(left, what, points, decades):
    """One of the pictures: 220 wide, axes of equal ratios."""
    across = LogAxis([point[0] for point in points], left + 12, left + 208)
    up = LogAxis(decades, 270, 50)
    parts = [f'<rect x="{left}" y="40" width="220" height="240" fill="none" stroke="#888"/>']
    for number in decades:
        parts.append(f'<line x1="{left}" x2="{left + 220}" y1="{up(number)}" y2="{up(number)}" stroke="#ddd"/>')
        if left < 100:
            parts.append(f'<text x="{left - 6}" y="{up(number)}" text-anchor="end" dy="4">{number:g}</text>')
    for value, _, _ in points:
        parts.append(f'<text x="{across(value)}" y="296" text-anchor="middle">{short(value)}</text>')
    parts.append(f'<text x="{left + 110}" y="316" text-anchor="middle">{what}</text>')
    for place, colour, dashes in ((1, "#c60", "5 4"), (2, "#06c", "")):
        places = " ".join(f"{across(point[0])},{up(point[place])}" for point in points)
        parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2" '
                     f'stroke-dasharray="{dashes}"/>')
        parts += [f'<circle cx="{across(point[0])}" cy="{up(point[place])}" r="3" fill="{colour}"/>' for point in points]
    return parts


def picture(title, panels):
    """Panels side by side, one scale of seconds for all."""
    seconds = [value for _, points in panels for point in points for value in point[1:]]
    decades = [10.0 ** power for power in range(math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds))) + 1)]
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1020 330" font-family="sans-serif" font-size="12">',
             '<rect width="1020" height="330" fill="white"/>', f'<text x="60" y="18">{title}</text>',
             '<text x="60" y="34" fill="#06c">one tree</text>', '<text x="120" y="34" fill="#c60">binning (dashes)</text>',
             '<text x="14" y="160" transform="rotate(-90 14 160)" text-anchor="middle">processor seconds</text>']
    for place, (what, points) in enumerate(panels):
        parts += panel(60 + 240 * place, what, points, decades)
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("table")
    parser.add_argument("picture")
    parser.add_argument("--rows", type=int, default=500000)
    parser.add_argument("--trees", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    middle = {"rows": arguments.rows, "features": 28, "bins": 255, "leaves": 256}
    lines = []
    panels = []
    for what, values in SWEEPS.items():
        points = []
        for value in values:
            point = {**middle, what: value}
            with tempfile.NamedTemporaryFile() as file:
                write_table(file.name, point["rows"], point["features"])
                binning, growing = run(arguments, file.name, point)
            points.append((value, binning, growing / arguments.trees))
            lines.append([what, value, f"{binning:.4f}", f"{growing / arguments.trees:.5f}"])
            print(*lines[-1], flush=True)
        panels.append((what, points))
    title = (f"{middle['rows']:,} rows, 28 features, 255 bins, 256 leaves; one of them varies; "
             f"threads: {arguments.threads}")
    pathlib.Path(arguments.picture).write_text(picture(title, panels))
    with open(arguments.table, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["varied", "value", "binning_processor_seconds", "processor_seconds_a_tree"])
        writer.writerows(lines)


if __name__ == "__main__":
    main()
