#!/usr/bin/env python3
"""Quality of boosting beside XGBoost with equal options: five data splits a table, paired differences.

boosting_quality.py REGROVE DATA_FOLDER [--tables adult,...] [--splits N] [--trees N] [--depth N] [--threads N]
REGROVE is the program, DATA_FOLDER holds the public tables by folder (adult/adult.data.gz, ...). Needs numpy, pandas, scikit-learn
and xgboost. A row a table: the mean metric of both, the mean of the paired difference (positive: Regrove is better), its
standard error, and the least mean that passes, minus one standard error.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy
import pandas
import xgboost
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import train_test_split


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


TABLES = {
    # name: (reader, kind)
    "adult": (adult, "binary"),
    "credit": (table("credit-default/UCI_Credit_Card.csv.gz", "Y", ("ID",)), "binary"),
    "california": (table("california-housing/housing.csv.gz", "median_house_value"), "number"),
    "bike": (table("bike-sharing/hour.csv.gz", "cnt", ("instant", "dteday", "casual", "registered")), "number"),
    "letter": (table("letter/letter-recognition.data.gz", "lettr"), "classes"),
    "covertype": (table("covertype/covertype_15k.csv.gz", "Cover_Type", ("Id",)), "classes"),
}


def split(frame, target, kind, seed):
    keep = frame[target] if kind != "number" else None
    return train_test_split(frame, test_size=0.25, random_state=seed, stratify=keep)


def score(kind, truth, answer):
    if kind == "binary":
        return roc_auc_score(truth, answer)
    if kind == "classes":
        return accuracy_score(truth, answer)
    return -float(numpy.sqrt(numpy.mean((truth - answer) ** 2)))


def run_regrove(arguments, kind, train, test, target):
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder) / name) for name in ("train.csv", "test.csv", "model.json", "answers.csv")]
        train.to_csv(paths[0], index=False)
        test.to_csv(paths[1], index=False)
        objective = {"binary": "logistic", "classes": "softmax", "number": "squared-error"}[kind]
        common = ["-q", "--threads", str(arguments.threads)]
        subprocess.run(
            [arguments.regrove, "train", *common, "--method", "boosting", "--objective", objective, "--data", paths[0],
             "--target", target, "--trees", str(arguments.trees), "--max-depth", str(arguments.depth),
             "--learning-rate", "0.1", "--output", paths[2]], check=True)
        wanted = {"binary": "probability", "classes": "class", "number": "value"}[kind]
        subprocess.run([arguments.regrove, "predict", *common, "--model", paths[2], "--data", paths[1], "--kind", wanted,
                        "--output", paths[3]], check=True)
        answers = pandas.read_csv(paths[3])
    return answers[answers.columns[-1]].to_numpy()


def run_xgboost(arguments, kind, train, test, target):
    labels = None
    frames = []
    for frame in (train, test):
        cells = frame.drop(columns=[target]).copy()
        for column in cells.columns[cells.dtypes == object]:
            cells[column] = pandas.Categorical(cells[column], categories=sorted(train[column].dropna().unique()))
        frames.append(cells)
    truth = train[target]
    if kind != "number":
        labels = sorted(truth.unique())
        truth = truth.map({name: place for place, name in enumerate(labels)})
    matrix = xgboost.DMatrix(frames[0], truth, enable_categorical=True, nthread=arguments.threads)
    other = xgboost.DMatrix(frames[1], enable_categorical=True, nthread=arguments.threads)
    options = {
        "tree_method": "hist", "max_depth": arguments.depth, "eta": 0.1, "max_bin": 255, "lambda": 1,
        "min_child_weight": 1, "nthread": arguments.threads, "verbosity": 0,
        "objective": {"binary": "binary:logistic", "classes": "multi:softprob", "number": "reg:squarederror"}[kind],
    }
    if kind == "classes":
        options["num_class"] = len(labels)
    answer = xgboost.train(options, matrix, arguments.trees).predict(other)
    return numpy.array(labels)[answer.argmax(axis=1)] if kind == "classes" else answer


def compare(arguments, name):
    read, kind = TABLES[name]
    frame, target = read(pathlib.Path(arguments.data))
    pairs = []
    for seed in range(arguments.splits):
        train, test = split(frame, target, kind, seed)
        truth = test[target]
        if kind == "binary":
            truth = (truth == sorted(frame[target].unique())[-1]).to_numpy()
        else:
            truth = truth.to_numpy()
        pairs.append([score(kind, truth, run(arguments, kind, train, test, target))
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
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    print(f"{'table':11} {'regrove':>10} {'xgboost':>10} {'difference':>10} {'std error':>9}")
    shares = [compare(arguments, name) for name in arguments.tables.split(",")]
    print(f"mean of the differences as shares of XGBoost's figure: {numpy.mean(shares):+.5f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
