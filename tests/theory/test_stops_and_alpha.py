"""The second stop of CLS, the alpha of C_alpha(T) at fit, and one level against the rest, beside their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Classifier, CLSClassifier, ID3Classifier, ParameterError, datasets


def melons():
    """Watermelon 2.0 without the number of the melon."""
    X = datasets.load("watermelon_2")
    y = X.pop("好瓜")
    X.pop("编号")
    return X, y


def test_cls_passes_over_features_that_add_no_value():
    X = {"noise": list("pqpqqpqp"), "useful": list("aabbaabb"), "more": list("abababab")}
    y = ["no", "yes", "no", "no", "no", "yes", "no", "no"]  # 1 of 4 "yes" on both sides of noise
    plain, stopping = CLSClassifier().fit(X, y), CLSClassifier(min_impurity_decrease=1e-9).fit(X, y)
    assert plain.tree_.splits.feature[0] == 0
    assert stopping.tree_.splits.feature[0] == 1
    assert (stopping.predict(X) == np.array(y)).all()
    only = {"noise": X["noise"]}
    assert CLSClassifier().fit(only, y).get_n_leaves() == 2
    assert CLSClassifier(min_impurity_decrease=1e-9).fit(only, y).get_n_leaves() == 1


@pytest.mark.parametrize("make", [ID3Classifier, lambda **more: C45Classifier(min_branch_weight=1.0, **more)])
@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.5, 4.0])
def test_alpha_of_the_notes_is_taken_at_fit(make, alpha):
    X, y = melons()
    full = make(pruning=None).fit(X, y)
    tree, n = full.tree_, len(y)
    cost = [float(tree.weight[t] * tree.impurity("entropy")[t]) + alpha for t in range(tree.n_nodes)]
    leaf = np.ones(tree.n_nodes, dtype=bool)
    for t in range(tree.n_nodes - 1, -1, -1):  # docs/pruning.md: a node collapses unless its branch costs less
        if tree.is_leaf[t]:
            continue
        first = int(tree.first_child[t])
        below = sum(cost[first : first + int(tree.n_children[t])])
        if below < cost[t] - 1e-9:
            cost[t], leaf[t] = below, False
    fitted = make(ccp_alpha=alpha / n).fit(X, y).tree_
    ends = fitted.is_leaf
    reached = float(np.sum(fitted.weight[ends] * fitted.impurity("entropy")[ends])) + alpha * int(ends.sum())
    assert reached == pytest.approx(cost[0])
    assert fitted.n_nodes <= tree.n_nodes


@pytest.mark.parametrize("missing", ["fractional", "majority", "own_branch"])
def test_one_level_has_the_best_ratio_of_all_levels(missing):
    X, y = melons()
    model = C45Classifier(one_level=True, pruning=None, min_branch_weight=1.0, missing=missing).fit(X, y)
    tree = model.tree_
    assert set(tree.n_children.tolist()) == {0, 2}
    j = int(tree.splits.feature[0])
    column, yes = np.array(X[tree.schema[j].name]), np.array(y) == "是"

    def bits(part):
        share = np.bincount(part.astype(int), minlength=2) / max(len(part), 1)
        return float(-sum(p * np.log2(p) for p in share if p > 0))

    ratios = {}
    for level in tree.schema[j].levels:
        on = column == level
        if 0 < on.sum() < len(on):
            within = (on.sum() * bits(yes[on]) + (~on).sum() * bits(yes[~on])) / len(on)
            ratios[level] = (bits(yes) - within) / bits(on)
    index = tree.splits.index_of(0)
    (own,) = [level for v, level in enumerate(tree.schema[j].levels) if index[v] == 0]
    assert ratios[own] == pytest.approx(max(ratios.values()))
    assert tree.score[0] == pytest.approx(ratios[own])


def test_one_level_and_groups_do_not_go_together():
    with pytest.raises(ParameterError, match="choose one of them"):
        C45Classifier(one_level=True, group_levels=True).fit({"a": ["x", "y"]}, [0, 1])
