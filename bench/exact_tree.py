#!/usr/bin/env python3
"""One exact tree of depth 8 on a generated table, beside python3-sklearn's on the same table, alternating in one run.

    bench/exact_tree.py build/release/regrove [--rows 1000000] [--runs 5] [--folder FOLDER]

Needs python3-sklearn and python3-h5py. `grow` is the time from the table in memory to the finished tree, `total` that of
the whole process with start and reading; memory is the peak of the largest process. Run it on an idle machine.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

import measured

DEPTH = 8


def sklearn_once(table):
    """Reads the table, fits, and prints the figures as JSON; a process of its own, so that its memory is its own."""
    from sklearn.tree import DecisionTreeClassifier

    rows, label = measured.read_table(table)
    start = time.perf_counter()
    tree = DecisionTreeClassifier(max_depth=DEPTH, random_state=0).fit(rows, label)
    seconds = time.perf_counter() - start
    leaf = tree.tree_.children_left < 0
    impurity = float((tree.tree_.impurity * tree.tree_.weighted_n_node_samples)[leaf].sum() / len(label))
    print(json.dumps({"grow": seconds, "accuracy": float(tree.score(rows, label)), "impurity": impurity,
                      "leaves": int(tree.get_n_leaves())}))


class Contest:
    """The contestants' figures, run by run."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.table = self.folder / "higgs.h5"
        self.figures = {}

    def note(self, name, **figures):
        self.figures.setdefault(name, []).append(figures)

    def generate(self):
        seconds, summary = measured.run_regrove(
            self.options.binary,
            ["generate", "--kind", "higgs-like", "--rows", self.options.rows, "--compress", "none", "--output", self.table],
            self.folder)
        print(f"generated {self.options.rows} rows in {seconds:.1f} s, content {summary['result']['content_hash']}")

    def regrove(self, name, ranks, threads):
        model = self.folder / f"tree_{ranks}_{threads}.json"
        seconds, summary = measured.run_regrove(
            self.options.binary,
            ["train", "--method", "cart", "--max-depth", DEPTH, "--data", self.table, "--threads", threads,
             "--output", model],
            self.folder, ranks)
        result = summary["result"]
        self.note(name, total=seconds, grow=summary["seconds"]["phases"]["grow"],
                  peak=max(summary["peak_memory_bytes"]), accuracy=result.get("training_accuracy"),
                  impurity=result.get("training_impurity"), leaves=result["leaves"])
        return model.read_bytes()

    def sklearn(self):
        seconds, peak_kib, output = measured.run([sys.executable, __file__, "--sklearn-once", self.table], capture=True)
        figures = json.loads(output)
        self.note("scikit-learn", total=seconds, peak=peak_kib * 1024, **figures)

    def report(self):
        print(f"\n{self.options.rows} rows x 28, depth {DEPTH}, medians of {self.options.runs} runs, seconds")
        print(f"{'':24} {'grow':>26} {'total':>28} {'peak MiB':>9} {'impurity':>10} {'leaves':>7}")
        for name, runs in self.figures.items():
            peak = statistics.median(run["peak"] for run in runs) / 2**20
            print(f"{name:24} {measured.spread([run['grow'] for run in runs]):>26} "
                  f"{measured.spread([run['total'] for run in runs]):>28} {peak:9.0f} "
                  f"{runs[0]['impurity'] or 0:10.6f} {runs[0]['leaves']:7}")
        base = statistics.median(run["grow"] for run in self.figures["scikit-learn"])
        for name, runs in self.figures.items():
            if name != "scikit-learn":
                print(f"{name}: {base / statistics.median(run['grow'] for run in runs):.2f} times as fast as scikit-learn")
        table_mib = self.options.rows * 28 * 4 / 2**20
        print(f"the table's float32 size is {table_mib:.0f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", help="the regrove to measure")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", help="where the table goes (default: a temporary folder)")
    parser.add_argument("--sklearn-once", metavar="TABLE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.sklearn_once:
        sklearn_once(options.sklearn_once)
        return
    if not options.binary:
        parser.error("name the regrove to measure, e.g. build/release/regrove")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        contest = Contest(options, folder)
        contest.generate()
        for _ in range(options.runs):
            contest.sklearn()
            alone = contest.regrove("regrove, 2 threads", 1, 2)
            shared = contest.regrove("regrove, 2 ranks x 1", 2, 1)
            if alone != shared:
                raise SystemExit("one rank and two ranks grew different trees")
        contest.report()


if __name__ == "__main__":
    main()
