#!/usr/bin/env python3
"""Writes sklearn_five_seeds.json: the test scores of python3-sklearn's forests that tests/golden/forest_values_test.cpp
holds ours against. Seed s splits the rows and seeds the forest; row r is held out when split_hash(r, s) is 0 of 4.

    tests/data/forest/make_sklearn_reference.py > tests/data/forest/sklearn_five_seeds.json
"""

import json
import pathlib

import numpy
import pandas
import sklearn
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

TABLES = pathlib.Path(__file__).parent.parent / "tables"


def held_out(rows, seed):
    numbers = (numpy.arange(1, rows + 1, dtype=numpy.uint64) * numpy.uint64(2654435761) +
               numpy.uint64(seed * 1000003)) % numpy.uint64(2**32)
    return (numbers >> numpy.uint64(16)) % numpy.uint64(4) == 0


CASES = {
    "covertype": ("covertype_15k.csv.gz", "Cover_Type", ["Id"],
                  lambda seed: RandomForestClassifier(100, n_jobs=2, random_state=seed)),
    "letter": ("letter.csv.gz", "lettr", [], lambda seed: RandomForestClassifier(100, n_jobs=2, random_state=seed)),
    "letter_extra": ("letter.csv.gz", "lettr", [],
                     lambda seed: ExtraTreesClassifier(100, n_jobs=2, random_state=seed)),
    "bike": ("bike_sharing_hour.csv.gz", "cnt", ["instant", "dteday", "casual", "registered"],
             lambda seed: RandomForestRegressor(50, n_jobs=2, random_state=seed)),
}


def main():
    result = {"sklearn": sklearn.__version__}
    for name, (file, target, dropped, make) in CASES.items():
        table = pandas.read_csv(TABLES / file).drop(columns=dropped)
        rows, label = table.drop(columns=[target]).to_numpy(numpy.float32), table[target].to_numpy()
        scores = []
        for seed in range(1, 6):
            out = held_out(len(table), seed)
            scores.append(float(make(seed).fit(rows[~out], label[~out]).score(rows[out], label[out])))
        result[name] = scores
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
