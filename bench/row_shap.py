#!/usr/bin/env python3
"""Path-dependent attributions beside XGBoost's pred_contribs, on one model and the same rows.

    cmake --build BUILD --target row_shap
    bench/row_shap.py BUILD/bench/row_shap ROWS.csv LABEL [--rows 20000] [--trees 100] [--depth 6] [--threads 2]

ROWS.csv: numbers only, but for the label. Also times the interventional ones against 100 background rows.
"""

import argparse
import importlib.util
import json
import pathlib
import subprocess
import tempfile
import time

import numpy
import pandas
import xgboost

MAKER = pathlib.Path(__file__).parent.parent / "tests/data/shap/make_xgboost_reference.py"


def maker():
    spec = importlib.util.spec_from_file_location("make_xgboost_reference", MAKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ours(program, folder, cells, threads, background):
    cells.astype(numpy.float64).tofile(folder / "cells")
    out = subprocess.run([program, folder / "model.json", folder / "cells", folder / "phi", str(threads),
                          str(background)], capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), float(out[1]), numpy.fromfile(folder / "phi").reshape(len(cells), -1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("table")
    parser.add_argument("label")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    table = pandas.read_csv(arguments.table)
    label = pandas.factorize(table.pop(arguments.label))[0] > 0
    cells = table.apply(lambda column: column if column.dtype != object else pandas.factorize(column)[0])
    cells = cells.to_numpy(numpy.float32)
    booster = xgboost.train({"objective": "binary:logistic", "max_depth": arguments.depth, "tree_method": "hist",
                             "nthread": arguments.threads}, xgboost.DMatrix(cells, label), arguments.trees)
    names = [f"f{i}" for i in range(cells.shape[1])]
    some = xgboost.DMatrix(cells[:arguments.rows])
    rows = min(arguments.rows, len(cells))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model.json").write_text(json.dumps(maker().regrove_json(booster, names, "y", ["no", "yes"])))
        for _ in range(arguments.repeats):
            begin = time.perf_counter()
            theirs = booster.predict(some, pred_contribs=True)
            peer = time.perf_counter() - begin
            ready, own, phi = ours(arguments.program, folder, cells[:rows], arguments.threads, 0)
            used = numpy.abs(theirs[:, :-1]).max(axis=0) > 0
            apart = numpy.abs(theirs[:, :-1][:, used] - phi[:, numpy.abs(phi).max(axis=0) > 0]).max()
            few = max(1, rows // 20)
            _, pairs, _ = ours(arguments.program, folder, cells[:few], arguments.threads, 100)
            print(f"xgboost {rows / peer:.0f} rows/s, ours {rows / own:.0f} rows/s ({peer / own:.1f} times; set-up "
                  f"{ready:.2f} s; largest difference {apart:.1e}), interventional {few / pairs:.0f} rows/s")


if __name__ == "__main__":
    main()
