"""The p of splits: kept by the store and by pruning, refused where it cannot be, shown however small it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boxwood import CHAIDClassifier
from boxwood.errors import ModelFileError
from boxwood.tree.rebuild import keep_nodes
from boxwood.tree.store import from_bytes, to_bytes
from boxwood.tree.validate import validate


@pytest.fixture(scope="module")
def tree():
    X = {"a": ["x", "y"] * 60, "b": (["u"] * 30 + ["v"] * 30) * 2}
    y = [int(a == "x" and b == "u") for a, b in zip(X["a"], X["b"], strict=True)]
    return CHAIDClassifier(min_samples_split=10, min_samples_leaf=5).fit(X, y).tree_


def test_p_is_stored(tree):
    assert np.isnan(tree.log_p[tree.is_leaf]).all()
    assert (tree.log_p[~tree.is_leaf] < np.log(0.05)).all()
    np.testing.assert_array_equal(from_bytes(to_bytes(tree))[0].log_p, tree.log_p)
    without = replace(tree, log_p=None)
    assert from_bytes(to_bytes(without))[0].log_p is None


def test_p_of_what_pruning_keeps(tree):
    assert tree.max_depth == 2
    stump = keep_nodes(tree, tree.depth == 1)
    assert stump.log_p[0] == tree.log_p[0]
    assert np.isnan(stump.log_p[1:]).all()
    validate(stump)


def test_p_must_be_one(tree):
    leaf, inner = tree.leaves[0], 0
    for at, wrong in ((leaf, -1.0), (inner, 0.1)):
        log_p = tree.log_p.copy()
        log_p[at] = wrong
        with pytest.raises(ModelFileError, match="log_p"):
            validate(replace(tree, log_p=log_p))
    with pytest.raises(ModelFileError, match="log_p"):
        validate(replace(tree, log_p=tree.log_p[1:]))


def test_p_is_shown_without_underflow(tree):
    log_p = np.where(tree.is_leaf, np.nan, -2500.0)
    log_p[0] = -np.inf
    validate(replace(tree, log_p=log_p))
    shown = replace(tree, log_p=log_p).to_text()
    assert "; p 0, " in shown
    assert "; p 1.84e-1086, " in shown
    frame = replace(tree, log_p=log_p).to_frame()
    assert frame["log_adjusted_p"].iloc[0] == -np.inf
    assert "adjusted_p" not in replace(tree, log_p=None).to_frame()
