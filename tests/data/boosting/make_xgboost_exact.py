#!/usr/bin/env python3
"""Makes xgboost_exact.csv and xgboost_exact.json: small tables and the first two trees of XGBoost 1.7.4's exact method on them.

make_xgboost_exact.py FOLDER
Features are multiples of 1/8 and some are missing, so that thresholds, in the middle between two values, are exact in float32.
Trees are written as XGBoost dumps them with statistics: gain (without the half), cover (sum of hessians) and leaf (with the
learning rate).
"""
import json
import pathlib
import sys

import numpy
import xgboost

ROWS = 160
COMMON = {"tree_method": "exact", "eta": 0.5, "lambda": 1.5, "gamma": 0, "nthread": 1, "verbosity": 0, "base_score": 0.5}
CASES = {
    "squared_error": {"objective": "reg:squarederror", "max_depth": 4, "min_child_weight": 3},
    "logistic": {"objective": "binary:logistic", "max_depth": 3, "min_child_weight": 1},
    "gamma": {"objective": "reg:gamma", "max_depth": 3, "min_child_weight": 2},
}


def main():
    folder = pathlib.Path(sys.argv[1])
    random = numpy.random.default_rng(5)
    features = random.integers(-64, 64, (ROWS, 4)) / 8
    features[:, 2] = random.integers(0, 5, ROWS)
    noise = random.normal(size=ROWS)
    number = numpy.round((features[:, 0] * 2 + abs(features[:, 1]) - features[:, 2] + noise) * 16) / 16
    labels = {
        "squared_error": number,
        "logistic": (features[:, 1] + features[:, 2] + noise > 1).astype(float),
        "gamma": numpy.ceil(numpy.exp(features[:, 0] / 8 + (features[:, 2] == 3) + noise / 2) * 8) / 8,
    }
    features[random.random((ROWS, 4)) < 0.1] = numpy.nan
    start = random.integers(-8, 9, ROWS) / 8
    names = [f"x{place}" for place in range(4)]
    trees = {}
    for name, options in CASES.items():
        matrix = xgboost.DMatrix(features, labels[name], base_margin=start, feature_names=names, nthread=1)
        model = xgboost.train({**COMMON, **options}, matrix, 2)
        trees[name] = {
            "options": {**COMMON, **options},
            "trees": [json.loads(tree) for tree in model.get_dump(with_stats=True, dump_format="json")],
            "margins": [float(margin) for margin in model.predict(matrix, output_margin=True)[:20]],
        }
    lines = [",".join(names + ["start"] + list(labels))]
    for row in range(ROWS):
        cells = ["" if numpy.isnan(cell) else f"{cell:g}" for cell in features[row]]
        lines.append(",".join(cells + [f"{start[row]:g}"] + [f"{labels[name][row]:g}" for name in labels]))
    (folder / "xgboost_exact.csv").write_text("\n".join(lines) + "\n")
    (folder / "xgboost_exact.json").write_text(json.dumps(trees, indent=1) + "\n")


if __name__ == "__main__":
    main()
