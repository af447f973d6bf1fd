"""Writes the shap package's values for our trees: ``python -m tools.golden.write_shap`` where shap is installed.

shap is heavy and not needed to test boxwood, so its answers are packed; tests/golden/test_shap.py compares.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from boxwood import CARTClassifier, CARTRegressor, datasets
from golden.oracles import PACKED
from tools.golden.write import packed_bytes

#: Data set -> estimator; only numeric features without missing values, which shap's trees can hold.
CASES = {
    "digits": lambda: CARTClassifier(max_depth=6, pruning=None),
    "iris": lambda: CARTClassifier(pruning=None),
    "computer_hardware": lambda: CARTRegressor(max_depth=7, pruning=None),
}
EXPLAINED, BACKGROUND = 6, 40
FILE = PACKED / "others" / "shap.json.gz"


def fitted(name: str):
    """The estimator of a case, its rows to explain and its background."""
    table = datasets.load(name)
    y = table.pop(datasets.describe(name).target)
    X = np.column_stack([np.asarray(v, float) for v in table.values() if not isinstance(v[0], str)])
    model = CASES[name]().fit(X, y)
    return model, X[:: len(X) // EXPLAINED][:EXPLAINED], X[3 :: len(X) // BACKGROUND][:BACKGROUND]


def as_shap(tree) -> dict:
    """A tree of cuts in two as the dictionary that shap.TreeExplainer takes."""
    leaf = tree.is_leaf
    first = np.where(leaf, -1, tree.first_child)
    cut = np.zeros(tree.n_nodes)
    cut[~leaf] = [tree.splits.breaks_of(t)[0] for t in np.flatnonzero(~leaf)]
    left = first + np.where(leaf, 0, [tree.splits.index_of(t)[0] if not leaf[t] else 0 for t in range(tree.n_nodes)])
    right = np.where(leaf, -1, 2 * first + 1 - left)
    values = tree.probability if tree.response.labels else tree.value[:, None]
    return {
        "children_left": np.where(leaf, -1, left).astype(np.int32), "children_right": right.astype(np.int32),
        "children_default": np.where(leaf, -1, left).astype(np.int32), "features": tree.splits.feature.astype(np.int32),
        "thresholds": cut, "values": values, "node_sample_weight": tree.weight.astype(float),
    }  # fmt: skip


def main() -> int:
    """Write the file; the exit status."""
    import shap

    found = {}
    for name in CASES:
        model, rows, background = fitted(name)
        plain = {"trees": [as_shap(model.tree_)], "input_dtype": np.float64, "internal_dtype": np.float64}
        path = shap.TreeExplainer(plain, feature_perturbation="tree_path_dependent")
        other = shap.TreeExplainer(plain, background, feature_perturbation="interventional")
        found[name] = {
            "path": np.asarray(path.shap_values(rows)).round(12).tolist(),
            "path_base": np.atleast_1d(path.expected_value).round(12).tolist(),
            "interventional": np.asarray(other.shap_values(rows)).round(12).tolist(),
        }
    FILE.write_bytes(packed_bytes({"shap": shap.__version__, **found}))
    print(json.dumps({name: np.shape(case["path"]) for name, case in found.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
