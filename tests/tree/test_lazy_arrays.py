"""Arrays that stay in the kernel until they are read: the tree is the same whether or when that happens."""

import copy
import gc
import pickle
from dataclasses import fields

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor, ID3Classifier, _kernel
from boxwood.tree.tree import Tree
from boxwood.tree.validate import validate

X = np.random.default_rng(0).normal(size=(80, 3))
Y = (X[:, 0] > X[:, 1] * X[:, 2]).astype(int)


def test_nothing_is_made_before_it_is_read():
    tree = CARTClassifier(pruning=None).fit(X, Y).tree_
    assert not {"parent", "moments", "splits", "surrogates"} & set(vars(tree))
    assert tree.parent is tree.parent
    assert "parent" in vars(tree)
    assert "moments" not in vars(tree)
    validate(tree)
    with pytest.raises(AttributeError, match="no attribute 'branches'"):
        tree.branches  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute '_plans'"):
        tree._plans  # noqa: B018


@pytest.mark.parametrize("model", [CARTClassifier(pruning=None, max_surrogates=2), CARTRegressor(pruning=None)])
def test_arrays_outlive_what_held_them(model):
    tree = model.fit(X, Y).tree_
    again = model.fit(X, Y).tree_
    kept = {f.name: getattr(again, f.name) for f in fields(Tree)}
    del again, model
    gc.collect()
    for name, value in kept.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, getattr(tree, name))
    assert kept["splits"].feature.tolist() == tree.splits.feature.tolist()
    assert kept["moments"].shape == (len(tree.parent), tree.response.width)
    assert kept["heuristic"].dtype == bool


def test_copies_have_arrays_of_their_own():
    tree = ID3Classifier(pruning=None).fit(np.where(X > 0, "big", "small"), Y).tree_
    for again in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert "_lazy" not in vars(again)
        np.testing.assert_array_equal(again.moments, tree.moments)
        validate(again)


def test_the_kernel_names_what_it_has():
    nodes = CARTClassifier(pruning=None).fit(X, Y).tree_._lazy._nodes
    assert isinstance(nodes, _kernel.Nodes)
    with pytest.raises(AttributeError, match="depth"):
        nodes.depth  # noqa: B018


def test_settings_seen_before_are_not_mixed_up():
    for leaf, rows in ((1, 1), (20, 20), (0.5, 40), (1, 1)):
        tree = CARTClassifier(pruning=None, min_samples_leaf=leaf).fit(X, Y).tree_
        assert tree.rows[tree.leaves].min() >= rows
        assert tree.made_by["parameters"]["min_samples_leaf"] == leaf
    one = CARTClassifier(pruning=None, max_depth=2).fit(X, Y).model_
    one.settings["max_depth"] = "changed"
    assert CARTClassifier(pruning=None, max_depth=2).fit(X, Y).model_.settings["max_depth"] == 2
