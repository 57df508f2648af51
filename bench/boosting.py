#!/usr/bin/env python3
"""Boosting beside XGBoost on one generated table: seconds (wall and processor), peak memory, AUC; in turns, in one run.

boosting.py BOOSTING_RUN [--rows N] [--test N] [--trees N] [--threads N] [--repeat N] [--depth N] [--exact]
--exact: every threshold between two values, in both. BOOSTING_RUN is the benchmark program boosting_run. Needs numpy, xgboost and scikit-learn.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time


def train_xgboost(path, arguments):
    """Runs in a process of its own, so that its peak memory is its own."""
    import numpy
    import xgboost
    from sklearn.metrics import roc_auc_score

    cells = numpy.fromfile(path, dtype=numpy.float32).reshape(-1, 29)
    train = numpy.ascontiguousarray(cells[: arguments.rows, :28])
    labels = cells[: arguments.rows, 28].copy()
    test = numpy.ascontiguousarray(cells[arguments.rows :, :28])
    test_labels = cells[arguments.rows :, 28].copy()
    del cells
    options = {
        "objective": "binary:logistic", "tree_method": "exact" if arguments.exact else "hist", "max_depth": arguments.depth, "eta": 0.1,
        "max_bin": 255, "nthread": arguments.threads, "lambda": 1, "min_child_weight": 1, "verbosity": 0,
    }
    clock = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    begin, cpu = time.time(), clock()
    if arguments.exact:
        matrix = xgboost.DMatrix(train, labels, nthread=arguments.threads)
    else:
        matrix = xgboost.QuantileDMatrix(train, labels, max_bin=255, nthread=arguments.threads)
    binned, binned_cpu = time.time(), clock()
    model = xgboost.train(options, matrix, arguments.trees)
    grown, grown_cpu = time.time(), clock()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    auc = [
        roc_auc_score(y, model.predict(xgboost.DMatrix(x))) for x, y in ((train, labels), (test, test_labels))
    ]
    print(
        f"binning {binned - begin:.3f} s, growing {grown - binned:.3f} s (processor {binned_cpu - cpu:.3f}, "
        f"{grown_cpu - binned_cpu:.3f}), peak {peak:.0f} MB, AUC train {auc[0]:.5f} test {auc[1]:.5f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=1000000)
    parser.add_argument("--test", type=int, default=200000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--only-xgboost", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only_xgboost:
        train_xgboost(arguments.only_xgboost, arguments)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.bin")
        own = [
            arguments.program, str(arguments.rows), str(arguments.test), "--threads", str(arguments.threads),
            "--max-depth", str(arguments.depth), "--trees", str(arguments.trees),
            *(["--split-points", "exact"] if arguments.exact else []),
        ]
        subprocess.run([*own[:3], "--trees", "1", "--dump", path], check=True, stdout=subprocess.DEVNULL)
        for _ in range(arguments.repeat):
            print("regrove ", end="", flush=True)
            subprocess.run(own, check=True)
            print("xgboost ", end="", flush=True)
            subprocess.run([sys.executable, *sys.argv, "--only-xgboost", path], check=True)


if __name__ == "__main__":
    main()
