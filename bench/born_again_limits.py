#!/usr/bin/env python3
"""What born-again searches solve in a given time: forests larger than those of the paper, by trees, depth and vote.

    bench/born_again_limits.py build/release/regrove --seconds 60 [--sets seeds htru2] [--objectives depth leaves]
                               [--trees 10 20 50 100] [--depths 3 4 5] [--votes majority probability] [--threads 2]

Forests are trained on fold 1's training rows of the BA-Trees tables (seed 1, p/2 features in a node). Each search gets
--seconds; what it has not solved by then is given with its proven gap. One line of a Markdown table a search.
"""

import argparse
import csv
import gzip
import pathlib
import subprocess
import tempfile

import measured

DATA = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "ba_trees"


def training_rows(name, folder):
    """The table without fold 1 and without the column that says so."""
    path = pathlib.Path(folder) / f"{name}.csv"
    with gzip.open(DATA / f"{name}.csv.gz", "rt", newline="") as file:
        rows = list(csv.reader(file))
    fold = rows[0].index("fold")
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        for number, row in enumerate(rows):
            if number == 0 or row[fold] != "1":
                writer.writerow(row[:fold] + row[fold + 1:])
    return path


def train(options, table, trees, depth, vote, folder):
    model = pathlib.Path(folder) / "forest.json"
    target = open(table).readline().strip().split(",")[-1]
    subprocess.run([options.binary, "train", "--method", "forest", "--data", table, "--target", target,
                    "--objective", "gini", "--trees", str(trees), "--max-depth", str(depth), "--max-features", "p/2", "--vote", vote,
                    "--seed", "1", "--output", model, "--overwrite"], check=True, stdout=subprocess.DEVNULL)
    return model


def search(options, model, objective, folder):
    _, summary = measured.run_regrove(
        options.binary,
        ["reborn", "--model", model, "--objective", objective, "--threads", options.threads, "--verify=no",
         "--time-limit", options.seconds, "--output", pathlib.Path(folder) / "tree.json"],
        folder, allowed_codes=(0, 69))
    return summary


def line(name, trees, depth, vote, objective, summary):
    result = summary["result"]
    details = summary["details"]
    if "value" not in result:
        return f"| {name} | {trees} | {depth} | {vote} | {objective} | | no faithful tree in the time | | |"
    found = "**solved**" if result["optimal"] else f"{100 * (1 - result['lower_bound'] / result['value']):.0f} %"
    return (f"| {name} | {trees} | {depth} | {vote} | {objective} | {details['log10_cells']:.1f} | "
            f"{result['lower_bound']} .. {result['value']} | {found} | {result['seconds']:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--sets", nargs="+", default=["compas_propublica", "fico", "htru2", "seeds", "pima_diabetes"])
    parser.add_argument("--objectives", nargs="+", default=["depth", "leaves", "depth-leaves"])
    parser.add_argument("--trees", nargs="+", type=int, default=[20, 50, 100])
    parser.add_argument("--depths", nargs="+", type=int, default=[3])
    parser.add_argument("--votes", nargs="+", default=["majority"])
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    print("| table | trees | depth | vote | objective | log10 cells | value | gap | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.sets:
            table = training_rows(name, folder)
            for trees in options.trees:
                for depth in options.depths:
                    for vote in options.votes:
                        model = train(options, table, trees, depth, vote, folder)
                        for objective in options.objectives:
                            summary = search(options, model, objective, folder)
                            print(line(name, trees, depth, vote, objective, summary), flush=True)


if __name__ == "__main__":
    main()
