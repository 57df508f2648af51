#!/usr/bin/env python3
"""Writes xgboost_contributions.json: a small boosted model of XGBoost as regrove-json, some rows with missing values,
and XGBoost's path-dependent contributions, which tests/golden/shap_values_test.cpp holds ours against.

    tests/data/shap/make_xgboost_reference.py > tests/data/shap/xgboost_contributions.json
"""

import json
import pathlib

import numpy
import pandas
import xgboost

TABLES = pathlib.Path(__file__).parent.parent / "tables"


def node_json(tree, at, names, nodes):
    """Appends the nodes below `at` in pre-order; left is x < condition there, x <= threshold here."""
    own = {"id": len(nodes)}
    nodes.append(own)
    weight = float(tree["sum_hessian"][at])
    if tree["left_children"][at] == -1:
        own.update(rows=0, weight=weight, impurity=0, value=[float(numpy.float32(tree["split_conditions"][at]))])
        return own["id"]
    below = numpy.nextafter(numpy.float32(tree["split_conditions"][at]), numpy.float32(-numpy.inf))
    missing = "left" if tree["default_left"][at] else "right"
    own.update(feature=names[tree["split_indices"][at]], threshold=float(below), training_low="-inf",
               training_high="inf", surrogates=[], missing_side=missing, missing_seen=True, heavier_side=missing)
    own["left"] = node_json(tree, tree["left_children"][at], names, nodes)
    own["right"] = node_json(tree, tree["right_children"][at], names, nodes)
    own.update(gain=0, ties_cutting_differently=0, ties_cutting_alike=0, rows=0, weight=weight, impurity=0, value=[0])
    return own["id"]


def regrove_json(booster, names, label, classes):
    """The booster (binary logistic, numbers only) as a model file of Regrove."""
    saved = json.loads(booster.save_raw("json"))["learner"]
    margin = numpy.log(float(saved["learner_model_param"]["base_score"]) /
                       (1 - float(saved["learner_model_param"]["base_score"])))
    trees = []
    for tree in saved["gradient_booster"]["model"]["trees"]:
        nodes = []
        node_json(tree, 0, names, nodes)
        trees.append({"nodes": nodes})
    features = [{"name": name, "kind": "numeric", "precision": "float32", "categories": []} for name in names]
    return {"format": "regrove-json", "version": 1, "results_version": 1, "task": "classification", "label": label,
            "classes": classes, "combination": "sum", "link": "logistic", "initial_scores": [float(margin)],
            "provenance": {}, "features": features, "trees": trees}


def main():
    table = pandas.read_csv(TABLES / "wdbc.csv")
    label = (table.pop("diagnosis") == "malignant").to_numpy()
    table = table[list(table.columns[:12])]
    cells = table.to_numpy(numpy.float32)
    rows = numpy.arange(cells.size).reshape(cells.shape)
    cells[(rows * 2654435761 >> 7) % 9 == 0] = numpy.nan
    options = {"objective": "binary:logistic", "max_depth": 4, "eta": 0.3, "tree_method": "exact", "base_score": 0.4,
               "nthread": 1}
    booster = xgboost.train(options, xgboost.DMatrix(cells, label), 12)
    chosen = cells[::19]
    contributions = booster.predict(xgboost.DMatrix(chosen), pred_contribs=True)
    print(json.dumps({
        "xgboost": xgboost.__version__,
        "model": regrove_json(booster, list(table.columns), "diagnosis", ["benign", "malignant"]),
        "rows": [[None if numpy.isnan(cell) else float(cell) for cell in row] for row in chosen],
        "contributions": [[float(share) for share in row] for row in contributions],
    }))


if __name__ == "__main__":
    main()
