"""Class counts of many classes are kept without their zeros until they are read: then they are those of the rows."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from boxwood import CARTClassifier

#: Eight counts of a node are kept as they are, more are packed.
CLASSES = (8, 9, 40, 300)


def counted(model, X, y, weight) -> np.ndarray:
    """The weight of each class in each node, from the path of every row."""
    path = model.decision_path(X).toarray().astype(float)
    return path.T @ (np.eye(len(model.classes_))[y] * weight[:, None])


@pytest.mark.parametrize("n_classes", CLASSES)
@pytest.mark.parametrize("kind", ["plain", "weighted", "sparse"])
@pytest.mark.parametrize("rows", [50, 3_000])
def test_counts_of_every_node(n_classes, kind, rows):
    rng = np.random.default_rng(n_classes + rows)
    X = rng.integers(0, 30, (rows, 6)).astype(float)
    y = np.unique(rng.integers(0, n_classes, rows), return_inverse=True)[1]
    weight = rng.integers(1, 5, rows).astype(float) if kind == "weighted" else np.ones(rows)
    given = scipy.sparse.csc_array(X) if kind == "sparse" else X
    model = CARTClassifier(pruning=None, n_jobs=2).fit(given, y, sample_weight=None if kind == "plain" else weight)
    np.testing.assert_array_equal(model.tree_.moments, counted(model, given, y, weight))


def test_counts_across_blocks_and_pieces():
    """More rows than a block of wide cells holds, more nodes than are written in one piece, two threads."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40_000, 3)), rng.integers(0, 40, 40_000)
    model = CARTClassifier(pruning=None, max_surrogates=0, n_jobs=2).fit(X, y)
    one_hot = scipy.sparse.csr_array((np.ones(len(y)), (np.arange(len(y)), y)))
    np.testing.assert_array_equal(model.tree_.moments, (model.decision_path(X).T @ one_hot).toarray())
    assert len(model.tree_.moments) > 3 * 4096


def test_a_root_alone():
    y = np.arange(20)
    model = CARTClassifier(pruning=None).fit(np.zeros((20, 1)), y)
    np.testing.assert_array_equal(model.tree_.moments, np.ones((1, 20)))


def test_reading_them_twice_gives_one_array():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((500, 3)), rng.integers(0, 12, 500)
    tree = CARTClassifier(pruning=None).fit(X, y).tree_
    assert tree.moments is tree.moments
    assert tree.moments.sum(axis=1)[0] == 500
