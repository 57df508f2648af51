#!/usr/bin/env python3
"""A forest of 100 trees of depth 8 on a generated table, beside python3-sklearn's and python3-xgboost's random-forest mode
on the same table, alternating in one run.

    bench/forest.py build/release/regrove [--rows 200000] [--runs 3] [--trees 100] [--max-features sqrt|all] [--folder FOLDER]

Needs python3-sklearn, python3-xgboost and python3-h5py. `grow` is the time from the table in memory to the finished forest
(binning included), `total` that of the whole process; memory is the peak of the largest process. XGBoost draws 63.2 % of
the rows without replacement, as it knows no bootstrap. Run it on an idle machine.
"""

import argparse
import json
import math
import pathlib
import statistics
import sys
import tempfile
import time

import measured

DEPTH = 8
TEST_ROWS = 50_000


def peer_once(name, train, test, trees, max_features):
    """Fits a peer and prints its figures as JSON; a process of its own, so that its memory is its own."""
    from sklearn.metrics import roc_auc_score

    rows, label = measured.read_table(train)
    start = time.perf_counter()
    if name == "scikit-learn":
        from sklearn.ensemble import RandomForestClassifier

        model = RandomForestClassifier(trees, max_depth=DEPTH, max_features="sqrt" if max_features == "sqrt" else None,
                                       n_jobs=2, random_state=0).fit(rows, label)
        seconds = time.perf_counter() - start
        scores = model.predict_proba(measured.read_table(test)[0])[:, 1]
    else:
        import xgboost

        share = math.floor(math.sqrt(rows.shape[1])) / rows.shape[1] if max_features == "sqrt" else 1.0
        model = xgboost.train(
            {"objective": "binary:logistic", "tree_method": "hist", "max_depth": DEPTH, "num_parallel_tree": trees,
             "subsample": 0.632, "colsample_bynode": share, "learning_rate": 1.0, "lambda": 0.0, "nthread": 2,
             "min_child_weight": 0.0, "max_bin": 255, "verbosity": 0},
            xgboost.DMatrix(rows, label, nthread=2), num_boost_round=1)
        seconds = time.perf_counter() - start
        scores = model.predict(xgboost.DMatrix(measured.read_table(test)[0]))
    print(json.dumps({"grow": seconds, "auc": float(roc_auc_score(measured.read_table(test)[1], scores))}))


class Contest:
    """The contestants' figures, run by run."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.train = self.folder / "train.h5"
        self.test = self.folder / "test.h5"
        self.figures = {}

    def note(self, name, **figures):
        self.figures.setdefault(name, []).append(figures)

    def generate(self):
        for seed, rows, path in ((1, self.options.rows, self.train), (2, TEST_ROWS, self.test)):
            measured.run_regrove(
                self.options.binary,
                ["generate", "--kind", "higgs-like", "--rows", rows, "--seed", seed, "--compress", "none", "--output", path],
                self.folder)

    def regrove(self, name, ranks, threads, *more):
        model = self.folder / f"forest_{ranks}_{threads}.json"
        seconds, summary = measured.run_regrove(
            self.options.binary,
            ["train", "--method", "forest", "--trees", self.options.trees, "--max-depth", DEPTH, "--max-features",
             self.options.max_features, "--data", self.train, "--threads", threads, "--output", model, *more],
            self.folder, ranks)
        peak = max(summary["peak_memory_bytes"])
        _, evaluated = measured.run_regrove(
            self.options.binary, ["evaluate", "--model", model, "--data", self.test, "--metrics", "roc_auc"], self.folder)
        self.note(name, total=seconds, grow=summary["seconds"]["phases"]["grow"], peak=peak,
                  auc=evaluated["result"]["roc_auc"])
        return model.read_bytes()

    def peer(self, name):
        seconds, peak_kib, output = measured.run(
            [sys.executable, __file__, "--peer-once", name, self.train, self.test, "--trees", self.options.trees,
             "--max-features", self.options.max_features], capture=True)
        self.note(name, total=seconds, peak=peak_kib * 1024, **json.loads(output))

    def report(self):
        print(f"\n{self.options.rows} rows x 28, {self.options.trees} trees, depth {DEPTH}, features a node: "
              f"{self.options.max_features}, medians of {self.options.runs} runs, seconds")
        print(f"{'':24} {'grow':>26} {'total':>28} {'peak MiB':>9} {'test AUC':>9}")
        for name, runs in self.figures.items():
            peak = statistics.median(run["peak"] for run in runs) / 2**20
            print(f"{name:24} {measured.spread([run['grow'] for run in runs]):>26} "
                  f"{measured.spread([run['total'] for run in runs]):>28} {peak:9.0f} {runs[0]['auc']:9.4f}")
        medians = {name: statistics.median(run["grow"] for run in runs) for name, runs in self.figures.items()}
        for name, seconds in medians.items():
            if name.startswith("regrove"):
                print(f"{name}: {medians['scikit-learn'] / seconds:.1f} times as fast as scikit-learn, "
                      f"{medians['xgboost'] / seconds:.2f} times as fast as XGBoost")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", help="the regrove to measure")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--max-features", choices=("sqrt", "all"), default="sqrt")
    parser.add_argument("--folder", help="where the tables go (default: a temporary folder)")
    parser.add_argument("--peer-once", nargs=3, metavar=("NAME", "TRAIN", "TEST"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer_once:
        peer_once(*options.peer_once, options.trees, options.max_features)
        return
    if not options.binary:
        parser.error("name the regrove to measure, e.g. build/release/regrove")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        contest = Contest(options, folder)
        contest.generate()
        for _ in range(options.runs):
            contest.peer("scikit-learn")
            contest.peer("xgboost")
            alone = contest.regrove("regrove, 2 threads", 1, 2)
            if alone != contest.regrove("regrove, 2 ranks x 1", 2, 1):
                raise SystemExit("one rank and two ranks grew different forests")
        contest.report()


if __name__ == "__main__":
    main()
