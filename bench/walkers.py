#!/usr/bin/env python3
"""Raw scores of one XGBoost model by Regrove's walkers and by XGBoost itself, in turns in one run.

    bench/walkers.py build/release/regrove build/release/bench/score_speed [--rows 100000] [--trees 100] [--leaves 31]

Trains a leaf-wise model on generated rows (`generate --kind higgs-like`), hands the same trees to both and applies them to other
rows. Needs python3-xgboost and python3-h5py. Nanoseconds a row, of processor time and elapsed, tables in memory on both sides.
"""

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

import measured
import xgboost_model


def train(rows, label, options):
    import xgboost

    return xgboost.train(
        {"objective": "binary:logistic", "tree_method": "hist", "grow_policy": "lossguide", "max_leaves": options.leaves,
         "max_depth": 0, "eta": 0.1, "nthread": 2, "verbosity": 0},
        xgboost.DMatrix(rows, label), options.trees)


def apply_xgboost(booster, rows, threads):
    """Processor and elapsed nanoseconds a row of predict (which first makes a DMatrix) and of inplace_predict."""
    import xgboost

    booster.set_param({"nthread": threads})
    found = {}
    for name in ("predict", "inplace_predict"):
        data = xgboost.DMatrix(rows, nthread=threads)  # a fresh one: predictions of a known one are kept
        processor, elapsed = time.process_time(), time.perf_counter()
        if name == "predict":
            booster.predict(data, output_margin=True)
        else:
            booster.inplace_predict(rows, predict_type="margin")
        found[name] = ((time.process_time() - processor) * 1e9 / len(rows),
                       (time.perf_counter() - elapsed) * 1e9 / len(rows))
    return found


def apply_regrove(options, model, cells, threads):
    out = subprocess.run([options.score_speed, "--rows", str(options.rows), "--floats", cells, "--threads", str(threads),
                          "--rounds", "1", "--only", "best", model], check=True, text=True, capture_output=True).stdout
    words = next(line for line in out.splitlines() if "elapsed" in line).split()
    return {"regrove": (float(words[1]), float(words[words.index("elapsed") - 1]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("score_speed")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--leaves", type=int, default=31)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for table, seed in (("train", 1), ("test", 2)):
            measured.run([options.binary, "generate", "--kind", "higgs-like", "--rows", options.rows, "--seed", seed,
                          "--output", folder / f"{table}.h5"])
        booster = train(*measured.read_table(folder / "train.h5"), options)
        rows, _ = measured.read_table(folder / "test.h5")
        rows.tofile(folder / "test.f32")
        xgboost_model.write_model(booster, folder / "model.json", [f"f{i}" for i in range(rows.shape[1])])
        for threads in (1, 2):
            runs = []
            for _ in range(options.rounds):
                runs.append({**apply_xgboost(booster, rows, threads),
                             **apply_regrove(options, folder / "model.json", folder / "test.f32", threads)})
            print(f"{options.trees} trees of {options.leaves} leaves, {options.rows} rows, {threads} threads; medians")
            for who in runs[0]:
                medians = [statistics.median(run[who][kind] for run in runs) for kind in (0, 1)]
                print(f"  {who:16} {medians[0]:9.0f} ns of processor time a row, {medians[1]:9.0f} elapsed")


if __name__ == "__main__":
    main()
