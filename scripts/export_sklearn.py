#!/usr/bin/env python3
"""A fitted scikit-learn tree or forest as JSON that Regrove reads (docs/formats.md describes the file).

As a module:
    import export_sklearn
    export_sklearn.write_model(estimator, "model.json", feature_names=list(frame.columns), label="price")

As a program, fit and export in one go:
    export_sklearn.py --csv wdbc.csv --target diagnosis --estimator DecisionTreeClassifier \
        --set random_state=0 --set min_samples_leaf=5 --output model.json --path path.json

--path also writes what cost_complexity_pruning_path says, and the leaves of a tree fitted with each of its alphas.
Takes DecisionTree*, ExtraTree*, RandomForest* and ExtraTrees* of one output, fitted on numbers without missing values.
Needs scikit-learn (Debian: python3-sklearn) and, as a program, pandas.
"""
import argparse
import ast
import json

import numpy as np
import sklearn
import sklearn.ensemble
import sklearn.tree

FORMAT = "regrove-sklearn-trees"
VERSION = 1
ESTIMATORS = {
    name: getattr(sklearn.ensemble if "Forest" in name or "Trees" in name else sklearn.tree, name)
    for kind in ("Classifier", "Regressor")
    for name in (f"DecisionTree{kind}", f"ExtraTree{kind}", f"RandomForest{kind}", f"ExtraTrees{kind}")
}


def _tree_arrays(tree, classification):
    if tree.n_outputs != 1:
        raise ValueError("only trees of one output can be exported")
    value = tree.value[:, 0, :]
    if classification and _has_fractions(tree):
        value = value * tree.weighted_n_node_samples[:, np.newaxis]
    leaf = tree.children_left < 0
    return {
        "children_left": tree.children_left.tolist(),
        "children_right": tree.children_right.tolist(),
        "feature": np.where(leaf, -2, tree.feature).tolist(),
        "threshold": np.where(leaf, -2.0, tree.threshold).tolist(),
        "impurity": tree.impurity.tolist(),
        "n_node_samples": tree.n_node_samples.tolist(),
        "weighted_n_node_samples": tree.weighted_n_node_samples.tolist(),
        "value": value.tolist(),
    }


def _has_fractions(tree):
    """From version 1.3 on a classification node's value holds shares; the file holds weights."""
    del tree
    major, minor = (int(part) for part in sklearn.__version__.split(".")[:2])
    return (major, minor) >= (1, 3)


def document(estimator, feature_names=None, label=""):
    """The file's content as a dictionary. `feature_names`: one a column, else those that the estimator was fitted
    with, else x0, x1, ..."""
    sklearn.utils.validation.check_is_fitted(estimator)
    classification = sklearn.base.is_classifier(estimator)
    members = getattr(estimator, "estimators_", [estimator])
    if feature_names is None:
        feature_names = getattr(estimator, "feature_names_in_", None)
    if feature_names is None:
        feature_names = [f"x{i}" for i in range(estimator.n_features_in_)]
    if len(feature_names) != estimator.n_features_in_:
        raise ValueError(f"{len(feature_names)} feature names for {estimator.n_features_in_} features")
    return {
        "format": FORMAT,
        "version": VERSION,
        "estimator": type(estimator).__name__,
        "sklearn_version": sklearn.__version__,
        "parameters": {key: repr(value) for key, value in sorted(estimator.get_params(deep=False).items())},
        "task": "classification" if classification else "regression",
        "label": label,
        "classes": [str(name) for name in estimator.classes_] if classification else [],
        "features": [str(name) for name in feature_names],
        "trees": [_tree_arrays(member.tree_, classification) for member in members],
    }


def write_model(estimator, path, feature_names=None, label=""):
    """Writes the file; floats as Python's repr does, the shortest text that reads back to the same bits."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(_text(document(estimator, feature_names, label)))


def _text(content):
    """JSON with one line a key, one line an array of a tree."""
    dump = lambda value: json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    lines = [f'"{key}":{dump(value)}' for key, value in content.items() if key != "trees"]
    trees = []
    for tree in content["trees"]:
        trees.append("{\n" + ",\n".join(f'"{key}":{dump(value)}' for key, value in tree.items()) + "\n}")
    lines.append('"trees":[\n' + ",\n".join(trees) + "\n]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def pruning_path(estimator, x, y):
    """What scikit-learn says of the tree's cost-complexity path, and the leaves of the tree fitted with each alpha."""
    path = estimator.cost_complexity_pruning_path(x, y)
    leaves = []
    for alpha in path.ccp_alphas:
        pruned = sklearn.base.clone(estimator).set_params(ccp_alpha=max(alpha, 0.0)).fit(x, y)
        leaves.append(int(pruned.tree_.n_leaves))
    return {
        "sklearn_version": sklearn.__version__,
        "ccp_alphas": path.ccp_alphas.tolist(),
        "impurities": path.impurities.tolist(),
        "n_leaves": leaves,
    }


def _setting(text):
    key, _, value = text.partition("=")
    try:
        return key, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return key, value


def main():
    import pandas as pd

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", required=True, help="table of numbers with a header")
    parser.add_argument("--target", required=True, help="name of the label column")
    parser.add_argument("--estimator", required=True, choices=sorted(ESTIMATORS))
    parser.add_argument("--set", action="append", default=[], type=_setting, metavar="KEY=VALUE",
                        help="a parameter of the estimator")
    parser.add_argument("--output", required=True, help="the model file to write")
    parser.add_argument("--path", help="the pruning path to write (one decision tree only)")
    args = parser.parse_args()

    frame = pd.read_csv(args.csv)
    y = frame.pop(args.target)
    x = frame.to_numpy(dtype=np.float64)
    estimator = ESTIMATORS[args.estimator](**dict(args.set)).fit(x, y)
    write_model(estimator, args.output, list(frame.columns), args.target)
    if args.path:
        with open(args.path, "w", encoding="utf-8") as file:
            content = pruning_path(estimator, x, y)
            file.write("{\n" + ",\n".join(f'"{key}":{json.dumps(value)}' for key, value in content.items()) + "\n}\n")


if __name__ == "__main__":
    main()
