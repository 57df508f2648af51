#!/usr/bin/env python3
"""Does pruning and converting a leaf-wise model pay? Its AUC and time a row, before and after, in one run.

    bench/symmetric_speed.py build/release/regrove build/release/bench/score_speed [--trees 300] [--eta 1e-3] ...

Trains on generated rows (`generate --kind higgs-like`), prunes with coefficients fitted anew, converts to symmetric trees, and applies
all three models to other rows, each with every walker of score_speed. Needs python3 alone.
"""

import argparse
import pathlib
import subprocess
import tempfile

import measured


def walker_times(options, model):
    """Nanoseconds of processor time a row, by walker."""
    out = subprocess.run([options.score_speed, "--rows", str(options.speed_rows), "--rounds", str(options.rounds), model],
                         check=True, text=True, capture_output=True).stdout
    lines = [line for line in out.splitlines() if "processor time" in line]
    return {line[:24].strip(): float(line[24:].split()[0]) for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("score_speed")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--test-rows", type=int, default=100_000)
    parser.add_argument("--speed-rows", type=int, default=200_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--leaves", type=int, default=31)
    parser.add_argument("--depth", type=int, default=0, help="of the deepest leaf; 0: any")
    parser.add_argument("--eta", default="3e-4")
    parser.add_argument("--penalty", default="1e-3")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run = lambda *words: measured.run_regrove(options.binary, words, folder)[1]
        for table, rows, seed in (("train", options.rows, 1), ("test", options.test_rows, 2)):
            run("generate", "--kind", "higgs-like", "--rows", rows, "--seed", seed, "--output", folder / f"{table}.h5")
        run("train", "--method", "boosting", "--data", folder / "train.h5", "--trees", options.trees, "--grow", "lossguide",
            "--max-leaves", options.leaves, "--max-depth", options.depth, "--output", folder / "leafwise.json")
        run("prune", "--method", "monomials", "--model", folder / "leafwise.json", "--data", folder / "train.h5", "--eta",
            options.eta, "--reweight", "lasso", "--lasso-penalty", options.penalty, "--output", folder / "pruned.json")
        run("convert", "--model", folder / "pruned.json", "--form", "symmetric", "--exact-leaves=no", "--keep-original=no",
            "--output", folder / "symmetric.json")
        first = None
        for form in ("leafwise", "pruned", "symmetric"):
            auc = run("evaluate", "--model", folder / f"{form}.json", "--data", folder / "test.h5")["result"]["roc_auc"]
            times = walker_times(options, folder / f"{form}.json")
            first = first or times
            print(f"{form:10} AUC {auc:.5f}  " + "  ".join(
                f"{walker} {ns:.0f} ns ({first[walker] / ns:.2f} x)" for walker, ns in times.items()), flush=True)


if __name__ == "__main__":
    main()
