#!/usr/bin/env python3
"""Boosting of a wide, sparse LibSVM file beside XGBoost: seconds and peak memory of whole runs, test AUC; in turns, in one run.

boosting_sparse.py REGROVE [--rows N] [--features N] [--least N] [--most N] [--trees N] [--threads N] [--ranks N] [--repeat N]
Rows have `least` to `most` present cells; half of them in any feature alike, half in few features often, as words in texts.
Needs numpy, scipy, xgboost and scikit-learn. XGBoost takes absent cells as missing, Regrove as zero.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time


def write_file(path, seed, rows, arguments):
    import numpy

    random = numpy.random.default_rng(seed)
    weights = numpy.random.default_rng(0).normal(size=arguments.features) * 2  # frequent ones say more
    weights /= 1 + numpy.arange(arguments.features) / 500
    with open(path, "w", encoding="ascii") as out:
        for _ in range(rows):
            present = int(random.integers(arguments.least, arguments.most + 1))
            places = random.random(present)
            places[: present // 2] **= 6
            columns = numpy.unique((places * arguments.features).astype(numpy.int64))
            values = numpy.round(random.gamma(2.0, 0.5, columns.size) + 0.001, 3)
            score = float((weights[columns] * values).sum()) / 4 + random.normal()
            cells = " ".join(f"{c + 1}:{v:g}" for c, v in zip(columns, values))
            out.write(f"{int(score > 0)} {cells}\n")


def clock():
    return time.time(), sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


def train_xgboost(folder, arguments):
    """Runs in a process of its own, so that its peak memory is its own."""
    import numpy
    import xgboost
    from sklearn.datasets import load_svmlight_file
    from sklearn.metrics import roc_auc_score

    marks = [clock()]
    load = lambda name: load_svmlight_file(
        os.path.join(folder, name), n_features=arguments.features, dtype=numpy.float32, zero_based=False)
    if arguments.sklearn:
        train, labels = load("train.svm")
        marks.append(clock())
        matrix = xgboost.DMatrix(train, labels, nthread=arguments.threads)
    else:
        matrix = xgboost.DMatrix(os.path.join(folder, "train.svm") + "?indexing_mode=1", nthread=arguments.threads)
        marks.append(clock())
    options = {
        "objective": "binary:logistic", "tree_method": "hist", "max_depth": arguments.depth, "eta": 0.1, "max_bin": 255,
        "nthread": arguments.threads, "lambda": 1, "min_child_weight": 1, "verbosity": 0,
        "grow_policy": arguments.grow, "max_leaves": arguments.leaves,
    }
    model = xgboost.train(options, matrix, arguments.trees)
    marks.append(clock())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    test, test_labels = load("test.svm")
    auc = roc_auc_score(test_labels, model.predict(xgboost.DMatrix(test)))
    seconds = [f"{b[0] - a[0]:.2f} ({b[1] - a[1]:.2f})" for a, b in zip(marks, marks[1:])]
    print(f"load {seconds[0]}, bin and grow {seconds[1]} s (processor), peak {peak:.0f} MB, test AUC {auc:.5f}", flush=True)


def run_regrove(folder, arguments, ranks):
    model = os.path.join(folder, "model.json")
    summary = os.path.join(folder, "summary.json")
    words = [arguments.program, "train", "-q", "--method", "boosting", "--data", os.path.join(folder, "train.svm"),
             "--max-depth", str(arguments.depth), "--trees", str(arguments.trees), "--threads", str(arguments.threads),
             "--grow", arguments.grow, "--max-leaves", str(arguments.leaves), "--output", model, "--summary", summary,
             "--overwrite"]
    launch = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    if ranks > 1:
        words[words.index("--threads") + 1] = "1"
    begin = time.time()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    timed = subprocess.run([*launch, "/usr/bin/env", "python3", "-c", MEASURE, *words], check=True, capture_output=True,
                           text=True)
    wall = time.time() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peaks = [float(p) for p in re.findall(r"peak ([\d.]+)", timed.stdout)]
    record = json.load(open(summary, encoding="utf8"))
    details = record["details"]
    result = subprocess.run(
        [arguments.program, "evaluate", "-q", "--model", model, "--data", os.path.join(folder, "test.svm"), "--metrics",
         "roc_auc", "--summary", summary, "--overwrite"], check=True, capture_output=True)
    del result
    auc = json.load(open(summary, encoding="utf8"))["result"]["roc_auc"]
    print(f"bin {details['binning_seconds']:.2f}, grow {details['growing_seconds']:.2f}, all {wall:.2f} ({processor:.2f}) s "
          f"(processor), peak {max(peaks):.0f} MB a rank, model {os.path.getsize(model) / 1e6:.1f} MB, "
          f"test AUC {auc:.5f}", flush=True)


MEASURE = ("import resource,subprocess,sys; r=subprocess.run(sys.argv[1:]); "
           "print('peak', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss/1e3); sys.exit(r.returncode)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=50000)
    parser.add_argument("--features", type=int, default=100000)
    parser.add_argument("--least", type=int, default=50)
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--grow", default="depthwise")
    parser.add_argument("--leaves", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", help="keeps the files here, and takes those that are there")
    parser.add_argument("--sklearn", action="store_true", help="scikit-learn reads the file for XGBoost")
    parser.add_argument("--only-xgboost", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only_xgboost:
        train_xgboost(arguments.only_xgboost, arguments)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for name, seed, rows in (("train.svm", 1, arguments.rows), ("test.svm", 2, arguments.rows // 5)):
            path = os.path.join(folder, name)
            if not os.path.exists(path):
                write_file(path, seed, rows, arguments)
        for _ in range(arguments.repeat):
            print("regrove ", end="", flush=True)
            run_regrove(folder, arguments, arguments.ranks)
            print("xgboost ", end="", flush=True)
            subprocess.run([sys.executable, *sys.argv, "--only-xgboost", folder], check=True)


if __name__ == "__main__":
    main()
