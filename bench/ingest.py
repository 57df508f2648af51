#!/usr/bin/env python3
"""CSV to table: MB a second and core of `regrove ingest` on a generated file, without compression.

    bench/ingest.py build/release/regrove [--rows 1000000] [--runs 3] [--folder FOLDER]

The file is read once beforehand, so that it comes from memory. Run it on an idle machine.
"""

import argparse
import pathlib
import statistics
import tempfile

import measured


def ingest(options, folder, text, ranks, threads):
    """Seconds and summary of one ingest on ranks x threads."""
    return measured.run_regrove(
        options.binary,
        ["ingest", "--input", text, "--target", "label", "--categorical", "label", "--compress", "none", "--threads",
         threads, "--output", folder / "table.h5"],
        folder, ranks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", help="the regrove to measure")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", help="where the files go (default: a temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        text = folder / "higgs.csv"
        measured.run_regrove(options.binary, ["generate", "--rows", options.rows, "--output", text], folder)
        megabytes = len(text.read_bytes()) / 1e6
        print(f"{options.rows} rows, {megabytes:.0f} MB of CSV, medians of {options.runs} runs")
        for ranks, threads in ((1, 1), (1, 2), (2, 1)):
            runs = [ingest(options, folder, text, ranks, threads) for _ in range(options.runs)]
            seconds = [wall for wall, _ in runs]
            peak = max(runs[0][1]["peak_memory_bytes"]) / 2**20
            rate = megabytes / statistics.median(seconds) / (ranks * threads)
            print(f"{ranks} rank(s) x {threads} thread(s): {measured.spread(seconds)} s, {rate:6.0f} MB/s a core, "
                  f"peak {peak:.0f} MiB a rank")


if __name__ == "__main__":
    main()
