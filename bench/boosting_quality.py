#!/usr/bin/env python3
"""Quality of boosting beside XGBoost with equal options: five data splits a table, paired differences.

boosting_quality.py REGROVE DATA_FOLDER [--tables adult,...] [--splits N] [--trees N] [--depth N] [--bins N,...] [--threads N]
REGROVE is the program, DATA_FOLDER holds the public tables by folder (adult/adult.data.gz, ...). Needs numpy, pandas, scikit-learn
and xgboost. A row a table: the mean metric of both, the mean of the paired difference (positive: Regrove is better), its
standard error, and the verdict: the mean is at least minus one standard error. One bin more or less moves either library by as much as
they differ, so each split is trained at several numbers of bins and their mean is compared.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy
import pandas
import xgboost
from sklearn.datasets import load_svmlight_file
from sklearn.metrics import accuracy_score, ndcg_score, roc_auc_score
from sklearn.model_selection import GroupShuffleSplit, train_test_split


def adult(folder):
    names = [
        "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship",
        "race", "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country", "income",
    ]
    frame = pandas.read_csv(folder / "adult/adult.data.gz", header=None, names=names, skipinitialspace=True,
                            na_values="?")
    return frame, "income"


def table(path, target, drop=()):
    return lambda folder: (pandas.read_csv(folder / path).drop(columns=list(drop)), target)


def kddcup99(folder):
    frame = pandas.read_csv(folder / "kddcup99/kddcup.data_10_percent.gz", header=None)
    frame.columns = [f"f{column}" for column in range(41)] + ["attack"]
    return frame, "attack"


def ranking(folder):
    """LightGBM's ranking example: training and test groups together, to be split anew."""
    matrices, labels, groups = [], [], []
    for part in ("train", "test"):
        matrix, label = load_svmlight_file(str(folder / f"lightgbm-examples/rank.{part}.gz"), n_features=300,
                                           zero_based=False)
        sizes = numpy.loadtxt(folder / f"lightgbm-examples/rank.{part}.query", dtype=int)
        groups.append(numpy.repeat(numpy.arange(len(sizes)) + 1000 * len(groups), sizes))
        matrices.append(matrix.toarray())
        labels.append(label)
    frame = pandas.DataFrame(numpy.concatenate(matrices), columns=[f"f{column}" for column in range(300)])
    frame["query"] = numpy.concatenate(groups)
    frame["grade"] = numpy.concatenate(labels).astype(int)
    return frame, "grade"


TABLES = {
    # name: (reader, kind)
    "adult": (adult, "binary"),
    "credit": (table("credit-default/UCI_Credit_Card.csv.gz", "Y", ("ID",)), "binary"),
    "california": (table("california-housing/housing.csv.gz", "median_house_value"), "number"),
    "bike": (table("bike-sharing/hour.csv.gz", "cnt", ("instant", "dteday", "casual", "registered")), "number"),
    "letter": (table("letter/letter-recognition.data.gz", "lettr"), "classes"),
    "covertype": (table("covertype/covertype_15k.csv.gz", "Cover_Type", ("Id",)), "classes"),
    "higgs": (table("higgs/higgs_11k.csv.gz", "label"), "binary"),
    "ranking": (ranking, "ranking"),
    "kddcup99": (kddcup99, "classes"),
}


def split(frame, target, kind, seed):
    if kind == "ranking":
        parts = GroupShuffleSplit(1, test_size=0.25, random_state=seed).split(frame, groups=frame["query"])
        return tuple(frame.iloc[rows] for rows in next(parts))
    keep = frame[target] if kind != "number" else None
    return train_test_split(frame, test_size=0.25, random_state=seed, stratify=keep)


def score(kind, test, target, answer):
    truth = test[target].to_numpy()
    if kind == "binary":
        return roc_auc_score(truth == sorted(test[target].unique())[-1], answer)
    if kind == "classes":
        return accuracy_score(truth, answer)
    if kind == "ranking":
        groups = [rows for rows in test.reset_index(drop=True).groupby("query").indices.values() if len(rows) > 1]
        return numpy.mean([ndcg_score([2.0 ** truth[rows] - 1], [answer[rows]], k=10) for rows in groups])
    return -float(numpy.sqrt(numpy.mean((truth - answer) ** 2)))


OBJECTIVES = {  # kind: ours, XGBoost's, the answer asked for
    "binary": ("logistic", "binary:logistic", "probability"),
    "classes": ("softmax", "multi:softprob", "class"),
    "number": ("squared-error", "reg:squarederror", "value"),
    "ranking": ("lambdamart", "rank:ndcg", "value"),
}


def run_regrove(arguments, kind, train, test, target):
    """Answers for the test rows, one array a number of bins."""
    objective, _, wanted = OBJECTIVES[kind]
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder) / name) for name in ("train.csv", "test.csv", "train.h5", "model.json", "a.csv")]
        train.to_csv(paths[0], index=False)
        test.to_csv(paths[1], index=False)
        common = ["-q", "--threads", str(arguments.threads)]
        group = ["--group", "query"] if kind == "ranking" else []
        run = lambda *words: subprocess.run([arguments.regrove, *words, *common], check=True)
        run("ingest", "--input", paths[0], "--target", target, *group, "--output", paths[2])
        answers = []
        for bins in arguments.bins:
            run("train", "--method", "boosting", "--objective", objective, "--data", paths[2], "--trees", str(arguments.trees),
                "--max-depth", str(arguments.depth), "--learning-rate", "0.1", "--max-bin", str(bins), "--output", paths[3],
                "--overwrite")
            run("predict", "--model", paths[3], "--data", paths[1], "--kind", wanted, "--output", paths[4], "--overwrite")
            answers.append(pandas.read_csv(paths[4]).iloc[:, -1].to_numpy())
    return answers


def run_xgboost(arguments, kind, train, test, target):
    frames = []
    for frame in (train, test):
        cells = frame.drop(columns=[target, "query"] if kind == "ranking" else [target]).copy()
        for column in cells.columns[cells.dtypes == object]:
            cells[column] = pandas.Categorical(cells[column], categories=sorted(train[column].dropna().unique()))
        frames.append(cells)
    labels = sorted(train[target].unique()) if kind in ("binary", "classes") else None
    truth = train[target].map({name: place for place, name in enumerate(labels)}) if labels else train[target]
    matrix = xgboost.DMatrix(frames[0], truth, enable_categorical=True, nthread=arguments.threads)
    if kind == "ranking":
        matrix.set_group(train.groupby("query", sort=False).size().to_numpy())
    other = xgboost.DMatrix(frames[1], enable_categorical=True, nthread=arguments.threads)
    options = {
        "tree_method": "hist", "max_depth": arguments.depth, "eta": 0.1, "lambda": 1, "min_child_weight": 1,
        "nthread": arguments.threads, "verbosity": 0, "objective": OBJECTIVES[kind][1],
    }
    if kind == "classes":
        options["num_class"] = len(labels)
    answers = []
    for bins in arguments.bins:
        answer = xgboost.train({**options, "max_bin": bins}, matrix, arguments.trees).predict(other)
        answers.append(numpy.array(labels)[answer.argmax(axis=1)] if kind == "classes" else answer)
    return answers


def compare(arguments, name):
    read, kind = TABLES[name]
    frame, target = read(pathlib.Path(arguments.data))
    pairs = []
    for seed in range(arguments.splits):
        train, test = split(frame, target, kind, seed)
        pairs.append([numpy.mean([score(kind, test, target, answer) for answer in run(arguments, kind, train, test, target)])
                      for run in (run_regrove, run_xgboost)])
    pairs = numpy.array(pairs)
    difference = pairs[:, 0] - pairs[:, 1]
    error = difference.std(ddof=1) / numpy.sqrt(len(difference)) if len(difference) > 1 else float("nan")
    verdict = "ok" if difference.mean() >= -error else "WORSE"
    print(f"{name:11} {pairs[:, 0].mean():10.5f} {pairs[:, 1].mean():10.5f} {difference.mean():+10.5f} {error:9.5f}  {verdict}",
          flush=True)
    return difference.mean() / max(abs(pairs[:, 1].mean()), 1e-300)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("regrove")
    parser.add_argument("data")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--bins", default="240,248,256", help="numbers of bins, both libraries")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.bins = [int(bins) for bins in arguments.bins.split(",")]
    print(f"{'table':11} {'regrove':>10} {'xgboost':>10} {'difference':>10} {'std error':>9}")
    shares = [compare(arguments, name) for name in arguments.tables.split(",")]
    print(f"mean of the differences as shares of XGBoost's figure: {numpy.mean(shares):+.5f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
