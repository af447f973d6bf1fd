"""Rows that are divided among branches: `apply`, `decision_path`, text, rules and pictures count the same things."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Classifier, ID3Classifier, TreeClassifier, TreeRegressor
from boxwood.pictures.rows import read_rows
from boxwood.tree.descend import route_shares

MODELS = [
    C45Classifier(),
    C45Classifier(pruning=None),
    C45Classifier(pruning=None, min_branch_weight=1),
    ID3Classifier(missing="fractional", categorical_features=[0, 1, 2]),
    TreeClassifier(missing="fractional", termination={"max_depth": 4}),
    TreeRegressor(missing="fractional", termination={"max_depth": 4}),
]


def some_rows(seed):
    """Three columns of small whole numbers with every sixth value missing, and a target."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 4, (150, 3)).astype(float)
    y = X[:, 0] + X[:, 1] * (X[:, 2] > 1) + random.normal(0, 1, 150)
    X[random.uniform(size=X.shape) < 1 / 6] = np.nan
    return X, y


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_apply_paths_text_rules_and_pictures_agree(model, seed):
    X, y = some_rows(seed)
    y = y if isinstance(model, TreeRegressor) else np.where(y > 3, "high", "low")
    model.fit(X, y)
    tree, columns = model.tree_, model._read(X)[1]
    parts = route_shares(tree, columns)
    passed, end = model.decision_path(X).toarray(), model.apply(X)
    assert len(parts.row) > 150
    # The counts of rows in text, tables, rules and pictures are those of the paths: a divided row counts in each.
    assert passed.sum(axis=0).tolist() == tree.rows.tolist() == tree.to_frame()["rows"].tolist()
    drawn = read_rows(tree, columns, y)
    assert [len(drawn.at(t)) for t in range(tree.n_nodes)] == tree.rows.tolist()
    rules = tree.rules()
    assert [rule.rows for rule in rules] == tree.rows[[rule.node for rule in rules]].tolist()
    # The ends of a row are on its path, their shares are the weights, and apply names the largest of them.
    assert passed[parts.row, parts.node].all()
    weight = np.bincount(parts.node, parts.share, minlength=tree.n_nodes)
    np.testing.assert_allclose(weight[tree.leaves], tree.weight[tree.leaves], atol=1e-6)
    for row in range(150):
        mine = parts.row == row
        largest = parts.share[mine].max()
        assert end[row] == parts.node[mine & (parts.share > largest - 1e-9)].min()
