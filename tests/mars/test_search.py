"""The kernel's search: gains are those of least squares by QR, knots those of the written rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.mars.candidates import KNOTS, ForwardRule
from boxwood.mars.forward import forward
from boxwood.mars.learning import learning_rows
from boxwood.mars.terms import factor_value
from mars.problems import problem, projected

LEAST = 1e-5


def search_of(seed: int, weighted: bool, spans=(1, 1, 0.0, False), n_responses: int = 1):
    """A search with a model of five terms, its columns, and the basis it holds."""
    X, y, w = problem(seed)
    Y = np.column_stack([y, *(np.sin(k + X[:, 0]) for k in range(1, n_responses))])
    rows = learning_rows(list(X.T), Y, w if weighted else None, np.random.default_rng(seed).permutation(len(y)))
    search = rows.search(spans, 2)
    mid = [float(np.median(x)) for x in rows.columns]
    products = [[], [(0, 1, mid[0])], [(0, -1, mid[0])], [(1, 1, mid[1])], [(0, 1, mid[0]), (2, 1, mid[2])]]
    search.attempt([(0, 1, mid[0])])
    search.end_trial(False)  # what was tried and not kept leaves no trace
    root = np.ones(rows.n) if rows.root_weight is None else rows.root_weight
    basis = []
    for product in products:
        column = root.copy()
        for factor in product:
            column = column * factor_value(rows.columns[factor[0]], *factor[1:])
        assert search.attempt(product)[3] is not None
        basis.append(column)
        if len(basis) in (1, 3, 5):  # columns come alone and in pairs
            search.end_trial(True)
    return rows, search, products, np.column_stack(basis)


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([1, 2, 9]), st.sampled_from([0, 1, 3]))
@settings(max_examples=25, deadline=None)
def test_gains_are_those_of_qr(seed, weighted, n_responses, parent):
    rows, search, products, basis = search_of(seed, weighted, n_responses=n_responses)
    feature = 3
    scanned = np.full(rows.p, KNOTS, dtype=np.int8)
    cuts, gains = search.all_knots((parent, products[parent], scanned), feature, LEAST, 1e-12)
    before = projected(basis, rows.y)
    value = basis[:, parent]
    x = rows.columns[feature]
    assert len(cuts) > 20
    for cut, gain in list(zip(cuts, gains, strict=True))[::7]:
        if np.isnan(gain):
            continue
        wide = np.column_stack((basis, value * x, value * np.maximum(0.0, x - cut)))
        assert gain == pytest.approx(projected(wide, rows.y) - before, rel=1e-8, abs=1e-10)


def test_exact_gain_is_the_gain_of_the_scan():
    rows, search, products, _ = search_of(7, weighted=True)
    scanned = np.full(rows.p, KNOTS, dtype=np.int8)
    cuts, gains = search.all_knots((1, products[1], scanned), 3, LEAST, 1e-12)
    for cut, gain in zip(cuts, gains, strict=True):
        if not np.isnan(gain):
            assert search.exact_gain(products[1], 3, float(cut), False, True) == pytest.approx(gain, rel=1e-9)


def test_knots_keep_their_distance():
    rows, search, products, _ = search_of(3, weighted=False, spans=(7, 5, 0.0, False))
    scanned = np.full(rows.p, KNOTS, dtype=np.int8)
    cuts, _ = search.all_knots((0, products[0], scanned), 3, LEAST, 1e-12)
    ranks = np.searchsorted(np.sort(rows.columns[3]), cuts)
    assert (np.diff(ranks) == -7).all()
    assert ranks.min() >= 5
    assert ranks.max() <= rows.n - 1 - 5


def test_weights_place_knots_as_repeated_rows_do():
    X, y, w = problem(11)
    for by in (None, w):
        columns = list(X.T) if by is not None else list(np.repeat(X, w.astype(int), axis=0).T)
        target = y if by is not None else np.repeat(y, w.astype(int))
        rows = learning_rows(columns, target[:, None], by, None)
        search = rows.search((0, 0, 2.0, True), 1)
        search.attempt([])
        search.end_trial(True)
        scanned = np.full(rows.p, KNOTS, dtype=np.int8)
        cuts, gains = search.all_knots((0, [], scanned), 2, 0.01, 0.0)
        unique = np.unique(cuts)
        if by is None:
            expected = unique
        else:
            assert unique == pytest.approx(expected, rel=1e-12)
    assert len(expected) > 5
    assert np.isfinite(gains).any()


@pytest.mark.parametrize("degree", [1, 2])
def test_threads_and_kept_sums_change_no_bit(degree, monkeypatch):
    import boxwood.mars.learning as learning

    rng = np.random.default_rng(5)
    X = rng.uniform(size=(9000, 25))
    y = np.sin(4 * X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(scale=0.1, size=9000)
    found = []
    for threads, share in ((1, 0.0), (4, 2.0), (2, 50.0)):
        monkeypatch.setattr(learning, "_MEMORY", share)
        monkeypatch.setattr(learning, "_LEAST_MEMORY", 0)
        rows = learning_rows(list(X.T), y[:, None], None, None)
        rule = ForwardRule(max_degree=degree, max_terms=15, penalty=3.0)
        model = forward(rows, rule, threads).model
        found.append((model.products, [z.tolist() for z in model.with_y]))
    assert found[0] == found[1] == found[2]
