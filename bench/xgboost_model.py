"""An XGBoost model of numeric features as a regrove-json file, so that both apply the same trees."""

import json
import math

import numpy


def write_model(booster, path, names):
    """`booster` classifies into two classes; raw scores agree up to XGBoost's sums in float32."""
    learner = json.loads(booster.save_raw("json").decode())["learner"]
    base = float(learner["learner_model_param"]["base_score"])
    trees = [_tree(tree, names) for tree in learner["gradient_booster"]["model"]["trees"]]
    features = [{"name": name, "kind": "numeric", "precision": "float32", "categories": []} for name in names]
    document = {"format": "regrove-json", "version": 1, "results_version": 1, "task": "classification", "label": "label",
                "classes": ["0", "1"], "combination": "sum", "link": "logistic",
                "initial_scores": [math.log(base / (1 - base))], "provenance": {}, "features": features,
                "trees": [{"nodes": nodes} for nodes in trees]}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def _tree(tree, names):
    left, right = tree["left_children"], tree["right_children"]
    nodes = []

    def add(place):
        node = {"id": len(nodes), "rows": 1, "weight": 1, "impurity": 0,
                "value": [float(numpy.float32(tree["split_conditions"][place]))]}
        nodes.append(node)
        if left[place] < 0:
            return node["id"]
        side = "left" if tree["default_left"][place] else "right"
        # x < t goes left there: x > (the float before t) goes right here.
        threshold = numpy.nextafter(numpy.float32(tree["split_conditions"][place]), numpy.float32(-numpy.inf))
        node.update(value=[0], feature=names[tree["split_indices"][place]], threshold=float(threshold),
                    training_low="-inf", training_high="inf", missing_side=side, missing_seen=True, heavier_side=side,
                    gain=0, ties_cutting_differently=0, ties_cutting_alike=0, surrogates=[])
        node["left"] = add(left[place])
        node["right"] = add(right[place])
        return node["id"]

    add(0)
    return nodes
