"""Folds come from the content of rows: tables of few levels have enough of it, and no view of them changes a fold."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier, datasets
from boxwood.data.frame import learn_columns
from boxwood.learning.folds import content_folds
from boxwood.learning.learning_set import learning_set
from boxwood.learning.responses import read_target

PLAIN = {"class_weight": None, "priors": None, "costs": None}


def folds(X, y, weight=None, n_folds: int = 5):
    return content_folds(learning_set(learn_columns(X), read_target(y, PLAIN, weight=weight), 1), n_folds)


def yes_or_no(seed: int = 0, n: int = 300):
    """Columns of two values, as numbers."""
    rng = np.random.default_rng(seed)
    return {f"x{j}": (rng.random(n) < 0.2 + 0.1 * j).astype(float) for j in range(8)}, rng.integers(0, 2, n)


@pytest.mark.parametrize(
    ("name", "response"), [("vote", "party"), ("breast_cancer", "class"), ("titanic", "survived"), ("soybean", "class")]
)
def test_tables_of_names_fall_into_even_folds(name, response):
    X = datasets.load(name)
    y = X.pop(response)
    sizes = np.bincount(folds(X, y))
    assert len(sizes) == 5
    assert sizes.min() > 0.6 * len(y) / 5


def test_columns_of_zeros_and_ones_make_folds():
    X, y = yes_or_no()
    fold = folds(X, y)
    assert np.bincount(fold).min() > 40
    assert len(np.unique(learned_fingerprints(X, y))) == len(np.unique(np.column_stack(list(X.values())), axis=0))


def learned_fingerprints(X, y):
    learning = learning_set(learn_columns(X), read_target(y, PLAIN), 1)
    return learning.encoded.fingerprints(1)[0]


@pytest.mark.parametrize("threads", [1, 2])
def test_no_view_of_the_table_changes_a_fold(threads):
    X, y = yes_or_no()
    X["name"] = np.array(["ä", "b", "丙"])[np.random.default_rng(1).integers(0, 3, 300)]
    fold = folds(X, y)
    backwards = {name: X[name] for name in reversed(X)}
    assert np.array_equal(folds(backwards, y), fold)
    falling = {name: 5.0 - 2.0 * v if name != "name" else v for name, v in X.items()}
    assert np.array_equal(folds(falling, y), fold)
    copied = X | {"copy": 3.0 * X["x2"], "constant": np.ones(300)}
    assert np.array_equal(folds(copied, y), fold)
    order = np.random.default_rng(2).permutation(300)
    assert np.array_equal(folds({name: v[order] for name, v in X.items()}, y[order]), fold[order])
    weight = np.random.default_rng(3).integers(1, 4, 300)
    repeated = {name: np.repeat(v, weight) for name, v in X.items()}
    assert np.array_equal(folds(repeated, np.repeat(y, weight)), np.repeat(folds(X, y, weight), weight))


def test_cross_validation_of_zeros_and_ones_prunes():
    X, y = yes_or_no()
    y = np.where(np.random.default_rng(4).random(300) < 0.1, y, X["x3"])
    model = CARTClassifier().fit(X, y)
    assert model.get_n_leaves() < model.model_.full_tree.n_leaves
