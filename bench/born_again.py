#!/usr/bin/env python3
"""Born-again searches of the BA-Trees forests on one thread, beside what the authors' program took on a quiet machine.

    bench/born_again.py build/release/regrove [--sets Seeds Pima-Diabetes] [--folds 1 2] [--objectives D L DL] [--runs 1]

Every forest is searched by a process of its own. `search` is the time of the search, `process` that of the whole process
with start, reading and writing, without the second proof; of several runs the fastest counts. Ratios compare `search` with
the authors' seconds, over the forests that have a row in tests/data/ba_trees/reference/ba_trees.csv; others are listed,
too. Run it on an idle machine of the kind that the reference was measured on.
"""

import argparse
import collections
import csv
import pathlib
import sys
import tempfile

import measured

SETS = ["COMPAS-ProPublica", "FICO", "HTRU2", "Pima-Diabetes", "Seeds", "Breast-Cancer-Wisconsin"]
OBJECTIVES = {"D": "depth", "L": "leaves", "DL": "depth-leaves"}
# Sums over these sets are what the project has promised to beat by these factors.
PROMISED_SETS = ["Seeds", "Pima-Diabetes", "Breast-Cancer-Wisconsin"]
PROMISED = {"D": 10, "L": 20, "DL": 10}
DATA = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "ba_trees"

Search = collections.namedtuple("Search", "search process peak_kib value states")


def read_reference():
    """(set, fold, objective) -> row of the authors' program."""
    with open(DATA / "reference" / "ba_trees.csv", newline="") as file:
        return {(row["dataset"], int(row["fold"]), row["objective"]): row for row in csv.DictReader(file)}


def search_once(binary, forest, objective, folder):
    """One process; its figures."""
    seconds, summary = measured.run_regrove(
        binary,
        ["reborn", "--model", forest, "--objective", OBJECTIVES[objective], "--threads", 1, "--verify=no",
         "--output", pathlib.Path(folder) / "tree.json"],
        folder)
    result = summary["result"]
    if not result["optimal"]:
        raise SystemExit(f"{forest} {objective}: not solved")
    peak = max(summary["peak_memory_bytes"]) // 1024
    return Search(result["seconds"], seconds, peak, result["value"], result["states"])


def search_best(options, name, fold, objective, folder):
    forest = DATA / "forests" / name / f"{name}.RF{fold}.txt"
    runs = [search_once(options.binary, forest, objective, folder) for _ in range(options.runs)]
    return min(runs, key=lambda run: run.search)


def expected_value(row, objective):
    return int(row["depth"] if objective == "D" else row["leaves"])


def check(row, objective, found, where):
    """The authors' leaves under DL are upper bounds, the other values optima."""
    expected = expected_value(row, objective)
    wrong = found.value > expected if objective == "DL" else found.value != expected
    if wrong:
        raise SystemExit(f"{where}: value {found.value}, the reference has {expected}")


class Sums:
    """Of one set, or several, under one objective."""

    def __init__(self):
        self.forests = 0
        self.search = 0.0
        self.process = 0.0
        self.authors = 0.0
        self.ours_kib = 0
        self.authors_kib = 0

    def add(self, found, row):
        self.forests += 1
        self.search += found.search
        self.process += found.process
        self.authors += float(row["seconds"])
        self.ours_kib = max(self.ours_kib, found.peak_kib)
        self.authors_kib = max(self.authors_kib, int(row["peak_kib"]))

    def line(self, name):
        return (f"{name:32} {self.forests:7} {self.search:10.3f} {self.process:10.3f} {self.authors:10.3f} "
                f"{self.authors / self.search:7.1f} {self.ours_kib / 1024:9.0f} {self.authors_kib / 1024:9.0f}")


def report(by_set, promised):
    print(f"\n{'':32} {'forests':>7} {'search s':>10} {'process s':>10} {'authors s':>10} {'ratio':>7} {'peak MiB':>9} "
          f"{'authors':>9}")
    for (name, objective), sums in by_set.items():
        print(sums.line(f"{name} {objective}"))
    for objective, sums in promised.items():
        met = "met" if sums.authors / sums.search >= PROMISED[objective] else "not met"
        print(sums.line(f"three large sets {objective}") + f"   promised {PROMISED[objective]}: {met}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(1, 11)))
    parser.add_argument("--objectives", nargs="+", choices=list(OBJECTIVES), default=list(OBJECTIVES))
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args()
    reference = read_reference()
    by_set = collections.defaultdict(Sums)
    promised = collections.defaultdict(Sums)
    with tempfile.TemporaryDirectory() as folder:
        for objective in options.objectives:
            for name in options.sets:
                for fold in options.folds:
                    found = search_best(options, name, fold, objective, folder)
                    row = reference.get((name, fold, objective))
                    where = f"{name} {fold} {objective}"
                    authors = f"{float(row['seconds']):.3f} s" if row else "out of memory or time"
                    print(f"{where:32} value {found.value:5}  search {found.search:8.3f} s  peak "
                          f"{found.peak_kib / 1024:6.0f} MiB  states {found.states:10}  authors {authors}", flush=True)
                    if row is None:
                        continue
                    check(row, objective, found, where)
                    by_set[name, objective].add(found, row)
                    if name in PROMISED_SETS:
                        promised[objective].add(found, row)
    report(by_set, promised)


if __name__ == "__main__":
    sys.exit(main())
