"""Folds are of rows and come from their content: few levels are divided evenly, and no view changes a fold."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import CARTClassifier, datasets
from boxwood.data.frames.frame import learn_columns
from boxwood.learning.folds import content_folds, dealt_folds
from boxwood.learning.learning_set import learning_set
from boxwood.learning.responses import read_target

PLAIN = {"class_weight": None, "priors": None, "costs": None, "criterion": "variance"}


def folds(X, y, weight=None, n_folds: int = 5, threads: int = 1):
    task = "regression" if np.asarray(y).dtype == float else "classification"
    target = read_target(y, PLAIN, weight=weight, task=task)
    return content_folds(learning_set(learn_columns(X), target, threads), n_folds)


def yes_or_no(seed: int = 0, n: int = 300):
    """Columns of two values, as numbers."""
    rng = np.random.default_rng(seed)
    return {f"x{j}": (rng.random(n) < 0.2 + 0.1 * j).astype(float) for j in range(8)}, rng.integers(0, 2, n)


@pytest.mark.parametrize(
    ("name", "response"),
    [("vote", "party"), ("titanic", "survived"), ("soybean", "class"), ("titanic_crew", "survived")],
)
def test_every_class_falls_into_even_folds(name, response):
    X = datasets.load(name)
    y = np.asarray(X.pop(response))
    fold = folds(X, y)
    for label in set(y.tolist()):
        sizes = np.bincount(fold[y == label], minlength=5)
        assert sizes.max() - sizes.min() <= 1


def contents(*columns) -> np.ndarray:
    """A number for each row, the same for equal rows."""
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in columns])
    return np.unique(codes, axis=0, return_inverse=True)[1].ravel()


def alike(content: np.ndarray, one: np.ndarray, other: np.ndarray) -> bool:
    """Whether rows are in the same folds, where equal rows may change places."""
    return np.array_equal(one[np.lexsort((one, content))], other[np.lexsort((other, content))])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("numbers", [False, True])
def test_no_view_of_the_table_changes_a_fold(threads, numbers):
    X, y = yes_or_no()
    X["name"] = np.array(["ä", "b", "丙"])[np.random.default_rng(1).integers(0, 3, 300)]
    y = y + X["x0"] if numbers else y
    weight = np.random.default_rng(3).choice([0.5, 1.25, 3.0], 300)
    content = contents(*X.values(), y, weight)
    fold = folds(X, y, weight, threads=threads)
    backwards = {name: X[name] for name in reversed(X)}
    assert alike(content, folds(backwards, y, weight), fold)
    falling = {name: 5.0 - 2.0 * v if name != "name" else v for name, v in X.items()}
    assert alike(content, folds(falling, y, weight), fold)
    copied = X | {"copy": 3.0 * X["x2"], "constant": np.ones(300), "turned": 1.0 - X["x5"], "again": X["name"]}
    assert alike(content, folds(copied, y, weight), fold)
    assert alike(content, folds(X, y, 0.7 * weight), fold)
    order = np.random.default_rng(2).permutation(300)
    moved = folds({name: v[order] for name, v in X.items()}, y[order], weight[order])
    assert alike(content, moved[np.argsort(order)], fold)
    if numbers:
        assert alike(content, folds(X, 7.0 - 0.3 * y, weight), fold)


@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize(("levels", "p"), [(2, 6), (3, 4), (10, 2)])
def test_rows_that_a_symmetry_exchanges_are_distinguished(levels, p, repeats):
    cells = np.indices((levels,) * p).reshape(p, -1)
    X = {f"x{j}": np.tile(x, repeats).astype(float) for j, x in enumerate(cells)}
    n = cells.shape[1] * repeats
    fold = folds(X, np.zeros(n), n_folds=4)
    assert np.bincount(fold).max() - np.bincount(fold).min() <= 1
    order = np.random.default_rng(0).permutation(n)
    moved = folds({name: x[order] for name, x in X.items()}, np.zeros(n), n_folds=4)
    assert alike(contents(*X.values()), moved[np.argsort(order)], fold)


def test_the_response_and_the_weight_are_content():
    X = {"x": np.zeros(60)}
    y, weight = np.arange(60) % 7 / 2, 1.0 + np.arange(60) % 3
    assert len(set(zip(y, folds(X, y, n_folds=2), strict=True))) > 7  # rows of equal y are in several folds
    assert not alike(contents(y), folds(X, y), folds(X, y, weight))


def test_few_rows_are_dealt_out():
    X, _ = yes_or_no(n=7)
    learning = learning_set(learn_columns(X), read_target(np.array([0, 0, 0, 0, 1, 1, 1]), PLAIN), 1)
    assert content_folds(learning, 4) is None
    assert sorted(np.bincount(dealt_folds(learning, 4))) == [1, 2, 2, 2]
    assert sorted(dealt_folds(learning, 7)) == list(range(7))


def test_cross_validation_of_zeros_and_ones_prunes():
    X, y = yes_or_no()
    y = np.where(np.random.default_rng(4).random(300) < 0.1, y, X["x3"])
    model = CARTClassifier().fit(X, y)
    assert model.get_n_leaves() < model.model_.full_tree.n_leaves
