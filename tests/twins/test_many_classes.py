"""Trees of many classes: counts without their zeros, and looked up, are those of the rows."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from boxwood import CARTClassifier
from boxwood.pruning.cost_complexity import risk_of
from boxwood.tree.node_moments import moments_at
from boxwood.tree.predicting import probability_at
from boxwood.tree.rebuild import keep_nodes

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


@pytest.mark.parametrize("criterion", ["gini", "entropy", "tsallis:0.4", "tsallis:1.5", "tsallis:2.5", "tsallis:80"])
@pytest.mark.parametrize("n_classes", [3, 7, 40, 300])
@pytest.mark.parametrize("noise", [0.3, 1e9])
def test_weights_are_repeated_rows(criterion, n_classes, noise):
    """Rows that count one are looked up by count, and summed from squares; weighted rows are not."""
    rng = np.random.default_rng(n_classes)
    X = np.column_stack([rng.gamma(2.0, size=(1_500, 3)), rng.integers(0, 5, 1_500)])
    score = X[:, 0] * X[:, 1] + noise * rng.normal(size=len(X))
    y = np.unique(np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes)), return_inverse=True)[1]
    weight = rng.integers(1, 4, len(X))
    model = CARTClassifier(pruning=None, criterion=criterion, max_surrogates=0, max_depth=12)
    weighted = model.fit(X, y, sample_weight=weight.astype(float)).tree_
    repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).tree_
    np.testing.assert_array_equal(weighted.moments, repeated.moments)
    np.testing.assert_array_equal(weighted.splits.feature, repeated.splits.feature)
    np.testing.assert_array_equal(weighted.splits.breaks, repeated.splits.breaks)
    np.testing.assert_allclose(weighted.score, repeated.score, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n_classes", CLASSES)
def test_what_nodes_predict_is_found_without_reading_all_counts(n_classes, monkeypatch):
    rng = np.random.default_rng(n_classes)
    X, y = rng.standard_normal((900, 3)), rng.integers(0, n_classes, 900)
    fit = CARTClassifier(pruning=None, smoothing="laplace").fit
    found, whole = fit(X, y).tree_, fit(X, y).tree_
    moments = whole.moments
    some = rng.integers(0, len(moments), 50)
    for name in ("entropy", "gini"):
        want = whole.response.risk(moments, name)
        with monkeypatch.context() as patched:
            patched.setattr("boxwood.tree.node_moments._AT_ONCE", 7 * n_classes)
            assert risk_of(found, name).tobytes() == want.tobytes()
            np.testing.assert_array_equal(moments_at(found, some), moments[some])
    with monkeypatch.context() as patched:
        patched.setattr("boxwood.tree.node_moments._AT_ONCE", 7 * n_classes)
        assert found.value.tobytes() == whole.response.value(moments).tobytes()
        assert found.weight.tobytes() == whole.response.weight(moments).tobytes()
        assert probability_at(found, some).tobytes() == whole.response.probability(moments)[some].tobytes()
        small = keep_nodes(found, found.depth >= 3)
    assert ("moments" in vars(found)) == (n_classes <= 8)
    np.testing.assert_array_equal(small.moments, keep_nodes(whole, whole.depth >= 3).moments)
    np.testing.assert_array_equal(found.moments, moments)
    np.testing.assert_array_equal(moments_at(found, some), moments[some])
