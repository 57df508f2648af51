#!/usr/bin/env python3
"""Boosting with ordered target statistics beside subsets of categories and ids as numbers.

target_statistics.py REGROVE DATA_FOLDER [--tables amazon,...] [--ways TEXT] [--splits N] [--threads N] [--option NAME=VALUE ...]
REGROVE is the program, DATA_FOLDER holds the public tables by folder (amazon-access/train.csv.gz, ...). Needs numpy, pandas and
scikit-learn. A row a way: mean and standard deviation of the test metric over seeded stratified splits into training,
validation (early stopping) and test rows of 70, 15 and 15 %, the mean of rounds kept and of seconds.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import pandas
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split


def adult(folder):
    names = [
        "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship",
        "race", "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country", "income",
    ]
    frame = pandas.read_csv(folder / "adult/adult.data.gz", header=None, names=names, skipinitialspace=True,
                            na_values="?")
    return frame, "income", []


def amazon(folder):
    frame = pandas.read_csv(folder / "amazon-access/train.csv.gz")
    return frame, "ACTION", [name for name in frame.columns if name != "ACTION"]


def clicks(folder):
    frame = pandas.read_csv(folder / "click-prediction/click_prediction.csv.gz")
    ids = [name for name in frame.columns if name.endswith("id") or name == "url_hash"]
    for name in ids:
        frame[name] = frame[name].map(lambda cell: f"{cell:.6g}" if isinstance(cell, float) else str(cell))
    return frame, "click", ids


TABLES = {"amazon": amazon, "adult": adult, "clicks": clicks}

WAYS = {
    # name: (ids are categories, options)
    "statistics, many categories": (True, ["--target-statistics", "high"]),
    "statistics, all categories": (True, ["--target-statistics", "all"]),
    "subsets of categories": (True, ["--target-statistics", "none"]),
    "ids as numbers": (False, ["--target-statistics", "none"]),
}


def split(frame, target, seed):
    train, rest = train_test_split(frame, test_size=0.3, random_state=seed, stratify=frame[target])
    valid, test = train_test_split(rest, test_size=0.5, random_state=seed, stratify=rest[target])
    return {"train": train, "valid": valid, "test": test}


class Run:
    """One split in a folder of its own."""

    def __init__(self, arguments, parts, target, ids):
        self.arguments = arguments
        self.target = target
        self.ids = ids
        self.folder = tempfile.TemporaryDirectory()
        for name, part in parts.items():
            part.to_csv(self.path(f"{name}.csv"), index=False)

    def path(self, name):
        return str(pathlib.Path(self.folder.name) / name)

    def call(self, job, *words):
        subprocess.run([self.arguments.regrove, job, "-q", "--overwrite", "--threads", str(self.arguments.threads), *words],
                       check=True, stdout=subprocess.DEVNULL)

    def test(self, as_categories, options):
        """Probabilities of the test rows, rounds and seconds."""
        categorical = ["--categorical", ",".join(self.ids)] if as_categories and self.ids else []
        self.call("ingest", "--input", self.path("train.csv"), "--target", self.target, *categorical,
                  "--output", self.path("train.h5"))
        extra = [word for text in self.arguments.option for word in ("--" + text.split("=")[0], text.split("=")[1])]
        begin = time.monotonic()
        self.call("train", "--method", "boosting", "--data", self.path("train.h5"), "--valid", self.path("valid.csv"),
                  "--target", self.target, "--trees", str(self.arguments.trees), "--early-stopping", "50", "--metric", "auc",
                  "--seed", "1", *extra, *options, "--summary", self.path("summary.json"), "--output",
                  self.path("model.json"))
        seconds = time.monotonic() - begin
        self.call("predict", "--model", self.path("model.json"), "--data", self.path("test.csv"), "--kind", "probability",
                  "--output", self.path("answers.csv"))
        with open(self.path("summary.json"), encoding="utf-8") as file:
            rounds = json.load(file)["result"]["rounds"]
        answers = pandas.read_csv(self.path("answers.csv"))
        return answers[answers.columns[-1]].to_numpy(), rounds, seconds


def compare(arguments, name):
    frame, target, ids = TABLES[name](pathlib.Path(arguments.data))
    ways = {way: told for way, told in WAYS.items() if arguments.ways in way}
    results = {way: [] for way in ways}
    for seed in range(arguments.splits):
        parts = split(frame, target, seed)
        truth = (parts["test"][target] == sorted(frame[target].unique())[-1]).to_numpy()
        run = Run(arguments, parts, target, ids)
        for way, (as_categories, options) in ways.items():
            answers, rounds, seconds = run.test(as_categories, options)
            results[way].append([roc_auc_score(truth, answers), log_loss(truth, answers), rounds, seconds])
    for way, figures in results.items():
        figures = numpy.array(figures)
        spread = figures[:, 0].std(ddof=1) if len(figures) > 1 else float("nan")
        mean = figures.mean(axis=0)
        print(f"{name:8} {way:28} {mean[0]:8.4f} {spread:7.4f} {mean[1]:9.4f} {mean[2]:7.0f} {mean[3]:8.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("regrove")
    parser.add_argument("data")
    parser.add_argument("--tables", default="amazon,adult")
    parser.add_argument("--ways", default="", help="only those with this in their name")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--trees", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], help="of train, NAME=VALUE")
    arguments = parser.parse_args()
    print(f"{'table':8} {'way':28} {'AUC':>8} {'spread':>7} {'log loss':>9} {'rounds':>7} {'seconds':>8}")
    for name in arguments.tables.split(","):
        compare(arguments, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
