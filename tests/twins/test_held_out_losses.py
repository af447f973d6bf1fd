"""What the kernel does for cross-validation is what plain Python does: fingerprints, routing, families, losses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.data.frame import learn_columns
from boxwood.pruning.cost_complexity import ROUNDING, leaves_and_risks, risk_of, weakest_links
from boxwood.pruning.validation import HeldOutRows, RangeSums, climb, losses_by
from boxwood.sources.memory import EncodedColumns
from boxwood.statistics.shares import first_largest, row_sums, shares

PLAIN = {"class_weight": None, "priors": None, "costs": None, "criterion": "variance"}
MASK = 2**64 - 1
MISSING = 0xFFFFFFFF


def mix(x: int) -> int:
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def cells_of(codes: list[int], nominal: bool, different: list[int], known: list[int]) -> list[int]:
    """The hash of every cell of a column, written without a thought for speed."""
    distinct = len(set(codes) - {MISSING})
    ends = [0, 0, 0]
    for i in different:
        if codes[i] == MISSING:
            ends[2] += mix(known[i] + 1 & MASK)
        else:
            ends[0] += mix(mix(codes[i] + 1) ^ known[i])
            ends[1] += mix(mix(distinct - codes[i]) ^ known[i])
    up, down, missing = (end & MASK for end in ends)
    down = up if nominal else down
    own = mix(min(up, down) + mix(missing) & MASK)
    alike = distinct == len(different) and up == down
    out = []
    for code in codes:
        cell = mix(0x9E3779B97F4A7C15)
        if code != MISSING:
            rising, falling = mix(code + 1), mix(distinct - code)
            cell = rising if up < down or nominal else falling if down < up else rising + falling & MASK
        out.append(cell if alike else mix(cell ^ own))
    return out


def fingerprints(columns: list[list[int]], nominal: list[bool]) -> list[int]:
    rows = list(zip(*columns, strict=True))
    different = sorted({row: i for i, row in enumerate(rows)}.values())
    known = [0] * len(rows)
    for _ in range(2):
        cells = [cells_of(c, named, different, known) for c, named in zip(columns, nominal, strict=True)]
        found = {tuple(c) for c in cells if len(set(c)) > 1}
        known = [mix(sum(mix(c[i]) for c in found) & MASK) for i in range(len(rows))]
        if len({known[i] for i in different}) == len(different):
            break
    return known


def tables():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(60, 4))
    yield "all different", X
    yield "mirrored", np.column_stack([X, -X[:, 0], np.exp(X[:, 1]), np.ones(60)])
    yield "few values", rng.integers(0, 3, size=(60, 4)).astype(float)
    yield "repeated rows", X[rng.integers(0, 20, 60)]
    yield "two rows", np.array([[0.0, 5.0], [1.0, 4.0]])
    yield "symmetric", np.array([[0.0, 1.0, 2.0, 3.0], [3.0, 2.0, 1.0, 0.0]]).T
    yield "missing", np.where(rng.random(X.shape) < 0.2, np.nan, np.round(X, 1))
    yield "missing alone", np.column_stack([np.where(np.arange(60) < 5, np.nan, 1.0), X[:, 0]])
    yield "one column", np.round(X[:, :1], 1)
    yield "constant", np.ones((7, 2))
    yield "more rows than a block", np.round(rng.normal(size=(17_000, 2)), 2)


@pytest.mark.parametrize(("name", "X"), list(tables()), ids=[name for name, _ in tables()])
@pytest.mark.parametrize("threads", [1, 2])
def test_fingerprints(name, X, threads):
    columns = []
    for x in X.T:
        values = np.unique(x[~np.isnan(x)])
        codes = np.where(np.isnan(x), MISSING, np.searchsorted(values, x))
        columns.append([int(code) for code in codes])
    content, order = EncodedColumns(learn_columns(X), threads).fingerprints(threads)
    assert content.tolist() == fingerprints(columns, [False] * len(columns))
    assert (np.diff(content[order].astype(object)) >= 0).all()
    assert sorted(order.tolist()) == list(range(len(X)))


def test_fingerprints_of_names_and_absent_levels():
    rng = np.random.default_rng(9)
    city = np.array(["Ulm", "京都", "서울"])[rng.integers(0, 3, 80)]
    size = np.round(rng.normal(size=80), 1)
    learned = learn_columns({"city": city, "size": size}).take(np.flatnonzero(city != "京都"))
    ranks = [
        np.unique(values, return_inverse=True)[1].tolist() for values in (city[city != "京都"], size[city != "京都"])
    ]
    assert EncodedColumns(learned, 1).fingerprints(1)[0].tolist() == fingerprints(ranks, [True, False])


def models():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(400, 4))
    s = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=400)
    weight = rng.integers(1, 4, 400) * 0.3
    two, three, flat = (s > 0).astype(int), np.digitize(s, [-1, 1]), np.round(s)
    costs = {"priors": [0.2, 0.8], "costs": [[0, 3], [1, 0]]}
    yield CARTClassifier(pruning=None).fit(X, two), two, np.ones(400), X
    yield CARTClassifier(pruning=None, class_weight={0: 1, 1: 2.5, 2: 1}).fit(X, three), three, weight, X
    yield CARTClassifier(pruning=None, **costs).fit(X, two), two, weight, X
    yield CARTRegressor(pruning=None).fit(X, s), s, weight, X
    yield CARTRegressor(pruning=None).fit(np.round(X), flat), flat, np.ones(400), np.round(X)


@pytest.mark.parametrize("case", range(5))
@pytest.mark.parametrize("risk", [None, "usual"])
def test_families_and_losses(case, risk):
    model, y, weight, X = list(models())[case]
    tree = model.tree_
    name = None if risk is None else {"classes": "error"}.get(tree.response.kind, "variance")
    risks = risk_of(tree, name)
    path = weakest_links(tree, risks)
    finite = path.collapses_at[np.isfinite(path.collapses_at)]
    assert np.array_equal(path.alphas, np.unique(finite))
    assert (np.diff(path.alphas) > ROUNDING * risks[0]).all()
    assert (path.collapses_at[1:] <= path.collapses_at[tree.parent[1:]]).all()
    n_leaves, sums = leaves_and_risks(tree, risks, path.collapses_at, path.alphas)
    assert np.array_equal(path.n_leaves, n_leaves)
    assert np.array_equal(path.risks, sums)
    rng = np.random.default_rng(case)
    # Some rows stay at inner nodes, as rows without a value may.
    node = np.where(rng.random(400) < 0.1, rng.integers(0, tree.n_nodes, 400), model.apply(X))
    rows = HeldOutRows(node, y[rng.permutation(400)], weight)
    betas = np.append(path.alphas[:: 1 + case % 2], np.inf)
    sums = RangeSums(len(betas))
    climb(tree, (path.collapses_at, betas), (node, rows.y.astype(float), weight, weight**2), sums)
    wanted, found = sums.result(), losses_by(tree, (path.collapses_at, betas), rows, (None,))[0]
    np.testing.assert_allclose(found.sums[:, :3].sum(axis=0), wanted[:3], rtol=1e-12, atol=1e-9)
    if tree.response.kind == "classes":
        np.testing.assert_allclose(found.sums[:, 3].sum(axis=0), wanted[3], rtol=1e-12, atol=1e-9)
    of_class = np.asarray(tree.response.class_weights)
    scale = of_class[rows.y] if len(of_class) else 1.0
    np.testing.assert_allclose(found.weight, math.fsum(weight * scale), rtol=1e-14)


@pytest.mark.parametrize("loss", ["brier", "log_loss", "error"])
@pytest.mark.parametrize("case", range(3))
def test_losses_of_probabilities(case, loss):
    """Every pruned tree is made and asked for the probabilities of every row."""
    model, y, weight, X = list(models())[case]
    tree = model.tree_
    tree = replace(
        tree, response=replace(tree.response, smoothing=tuple(0.1 + 0.2 * k for k in range(tree.moments.shape[1])))
    )
    path = weakest_links(tree, risk_of(tree, "entropy"))
    ends = model.apply(X)
    found = losses_by(tree, (path.collapses_at, path.alphas), HeldOutRows(ends, y, weight), (loss,))[0]
    factor = np.asarray(tree.response.factors) * np.asarray(tree.response.class_weights or 1.0)
    for s, alpha in enumerate(path.alphas.tolist()):
        at = np.array([highest_closed(tree, t, path.collapses_at <= alpha) for t in ends.tolist()])
        p = tree.probability[at]
        if loss == "error":
            of_row = (tree.value[at] != y) * 1.0
        elif loss == "log_loss":
            of_row = np.array([-math.log(row[k]) for row, k in zip(p, y.tolist(), strict=True)])
        else:
            of_row = ((p - np.eye(p.shape[1])[y]) ** 2).sum(axis=1) / (2.0 if p.shape[1] == 2 else 1.0)
        np.testing.assert_allclose(found.totals[s], (weight * factor[y] * of_row).sum(), rtol=1e-10)


def highest_closed(tree, t: int, closed: np.ndarray) -> int:
    found = t
    while t >= 0:
        found = t if closed[t] else found
        t = int(tree.parent[t])
    return found


@pytest.mark.parametrize("k", [2, 3, 7, 8, 20])
def test_sums_of_many_short_rows_are_those_of_numpy(k):
    rng = np.random.default_rng(k)
    table = rng.integers(0, 4, size=(900, k)) * 0.1
    table[:, 1] += 0.01
    assert row_sums(table).tobytes() == table.sum(axis=1).tobytes()
    assert shares(table).tobytes() == (table / table.sum(axis=1, keepdims=True)).tobytes()
    largest = np.argmax(table >= table.max(axis=1, keepdims=True) - 1e-12, axis=1)
    assert first_largest(table, 1e-12).tolist() == largest.tolist()
