#!/usr/bin/env python3
"""How the time of boosting grows with rows, features, bins and leaves: a table and a picture of four curves.

boosting_growth.py BOOSTING_RUN CURVES.csv CURVES.svg [--rows N] [--trees N] [--threads N] [--repeat N]
BOOSTING_RUN is the benchmark program boosting_run. Each point is the median of --repeat runs on random numbers whose classes differ in
all features; one of the four numbers varies, the others stay. Seconds are those that processors worked, of all threads, so that other
work on the machine matters less. Needs numpy and matplotlib.
"""
import argparse
import csv
import re
import statistics
import subprocess
import tempfile

import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot

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
    figure, panels = pyplot.subplots(1, 4, figsize=(13, 3.4), sharey=True)
    for panel, (what, values) in zip(panels, SWEEPS.items()):
        points = []
        for value in values:
            point = {**middle, what: value}
            with tempfile.NamedTemporaryFile() as file:
                write_table(file.name, point["rows"], point["features"])
                binning, growing = run(arguments, file.name, point)
            points.append((value, binning, growing / arguments.trees))
            lines.append([what, value, f"{binning:.4f}", f"{growing / arguments.trees:.5f}"])
            print(*lines[-1], flush=True)
        xs, binning, growing = zip(*points)
        panel.loglog(xs, growing, "o-", label="one tree")
        panel.loglog(xs, binning, "s--", label="binning")
        panel.set_xlabel(what)
        panel.grid(True, which="both", alpha=0.3)
    panels[0].set_ylabel("processor seconds")
    panels[0].legend()
    figure.suptitle(f"{middle['rows']} rows, 28 features, 255 bins, 256 leaves; one of them varies; threads: {arguments.threads}")
    figure.tight_layout()
    figure.savefig(arguments.picture, metadata={"Date": None, "Creator": None})
    with open(arguments.table, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["varied", "value", "binning_processor_seconds", "processor_seconds_a_tree"])
        writer.writerows(lines)


if __name__ == "__main__":
    main()
