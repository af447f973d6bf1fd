"""What the kernel does for cross-validation is what plain Python does: numbers of rows, routing, families, losses."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from boxwood import CARTClassifier, CARTRegressor
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.memory.source import EncodedColumns
from boxwood.pruning.cost_complexity import ROUNDING, leaves_and_risks, risk_of, weakest_links
from boxwood.pruning.losses import class_losses
from boxwood.pruning.validation import HeldOutRows, RangeSums, climb, losses_by
from boxwood.statistics.exact import exact_mean
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.means import Means
from boxwood.statistics.shares import first_largest, row_sums, shares

PLAIN = {"class_weight": None, "priors": None, "costs": None, "criterion": "variance"}
MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MISSING = 0xFFFFFFFF


def mix(x: int) -> int:
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def rules_of(codes: list[int], nominal: bool, known: list[int]) -> tuple[int, bool, bool]:
    """What tells a column from others, and from which ends its codes count."""
    distinct = len(set(codes) - {MISSING})
    up = down = missing = 0
    for code, content in zip(codes, known, strict=True):
        if code == MISSING:
            missing += content
        else:
            up += mix(code + 1) * content
            down += mix(distinct - code) * content
    up, down, missing = up & MASK, (up if nominal else down) & MASK, missing & MASK
    return mix(min(up, down) + mix(missing) & MASK), up <= down, down <= up and not nominal


def sums_of(columns: list[list[int]], rules: list[tuple[int, bool, bool]]) -> list[int]:
    """The hash of every row, written without a thought for speed."""
    out = [0] * len(columns[0])
    for codes, (own, up, down) in zip(columns, rules, strict=True):
        distinct = len(set(codes) - {MISSING})
        for i, code in enumerate(codes):
            cell = up * mix(code + 1) + down * mix(distinct - code & MASK) if code != MISSING else mix(GOLDEN)
            out[i] += mix(cell & MASK ^ own)
    return [mix(total & MASK) for total in out]


def without_copies(columns: list[list[int]], nominal: list[bool]) -> tuple[list[list[int]], list[bool]]:
    seen, kept = set(), []
    for codes, named in zip(columns, nominal, strict=True):
        distinct = len(set(codes) - {MISSING})
        turned = codes if named else [c if c == MISSING else distinct - 1 - c for c in codes]
        if len(set(codes)) > 1 and not seen & {(named, *codes), (named, *turned)}:
            kept.append((codes, named))
        seen.add((named, *codes))
    return [codes for codes, _ in kept], [named for _, named in kept]


def numbers(columns: list[list[int]], nominal: list[bool]) -> list[int]:
    """The number of every row; rows that are equal get theirs in the order in which they come."""
    rows = list(zip(*columns, strict=True))
    columns, nominal = without_copies(columns, nominal)
    known = [1] * len(rows)
    for _ in range(2):
        rules = [rules_of(c, named, known) for c, named in zip(columns, nominal, strict=True)]
        known = sums_of(columns, rules) if columns else [mix(0)] * len(rows)
        if len(set(known)) == len(set(rows)):
            break
    places = [(mix(j + GOLDEN & MASK), up, down and not up) for j, (_, up, down) in enumerate(rules)]
    keys = sums_of(columns, places) if columns else known
    out, before = [0] * len(rows), Counter()
    for content, _, i in sorted((known[i], keys[i], i) for i in range(len(rows))):
        out[i] = mix(content + before[content] * GOLDEN & MASK) if before[content] else content
        before[content] += 1
    return out


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
    yield "all combinations", np.tile(np.indices((2,) * 4).reshape(4, -1), 3).T.astype(float)
    yield "more rows than a block", np.round(rng.normal(size=(17_000, 2)), 2)


def ranks(x: np.ndarray) -> list[int]:
    values = np.unique(x[~np.isnan(x)])
    return np.where(np.isnan(x), MISSING, np.searchsorted(values, x)).tolist()


@pytest.mark.parametrize(("name", "X"), list(tables()), ids=[name for name, _ in tables()])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("of", ["classes", "numbers", "copy"])
def test_numbers_of_rows(name, X, threads, of):
    rng, n = np.random.default_rng(len(X)), len(X)
    weight = rng.integers(1, 3, n)
    y = {"classes": rng.integers(0, 2, n), "numbers": rng.integers(0, 5, n) / 2, "copy": 3 - 2 * np.nan_to_num(X[:, 0])}
    response, weight = (Classes(), None) if of == "classes" else (Means(), weight)
    content = response.content(response.exact(y[of], None if weight is None else weight.astype(float), None))
    columns = [*map(ranks, X.T), ranks(y[of])] if of == "classes" else [*map(ranks, X.T), ranks(y[of]), ranks(weight)]
    nominal = [j == X.shape[1] and of == "classes" for j in range(len(columns))]
    found, order = EncodedColumns(learn_columns(X), threads).row_numbers(content, threads)
    assert found.tolist() == numbers(columns, nominal)
    assert (np.diff(found[order].astype(object)) > 0).all()
    assert sorted(order.tolist()) == list(range(n))


def test_numbers_of_rows_with_names_and_absent_levels():
    rng = np.random.default_rng(9)
    city = np.array(["Ulm", "京都", "서울"])[rng.integers(0, 3, 80)]
    size = np.round(rng.normal(size=80), 1)
    learned = learn_columns({"city": city, "size": size}).take(np.flatnonzero(city != "京都"))
    size, city = size[city != "京都"], city[city != "京都"]
    columns = [np.unique(city, return_inverse=True)[1].tolist(), ranks(size), ranks(size)]
    found = EncodedColumns(learned, 1).row_numbers(Means().content(exact_mean(size, None)), 1)[0]
    assert found.tolist() == numbers(columns, [True, False, False])


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
    """Every pruned tree is made and predicts the probabilities of every row."""
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


@pytest.mark.parametrize("case", range(4))
@pytest.mark.parametrize("losses", [("brier", "error"), ("log_loss",)])
def test_losses_of_classes_are_added_in_one_order(case, losses):
    """Every class at every node, with and without rows, in the order of nodes and classes: the same bits."""
    rng = np.random.default_rng(case)
    if case < 3:
        model, y, weight, X = list(models())[case]
    else:
        X, y, weight = rng.normal(size=(400, 3)), rng.integers(0, 20, 400), rng.random(400)
        model = CARTClassifier(pruning=None).fit(X, y)
    tree = model.tree_
    n, k = tree.n_nodes, len(tree.response.labels)
    path = weakest_links(tree, risk_of(tree, "entropy"))
    node = np.where(rng.random(400) < 0.2, rng.integers(0, n, 400), model.apply(X))
    found = losses_by(tree, (path.collapses_at, path.alphas), HeldOutRows(node, y, weight), losses)
    strata = len(found[0].sums)
    begin = np.searchsorted(path.alphas, path.collapses_at).tolist()
    held = np.zeros((2, n, k))
    for i in np.lexsort((weight, y, node)).tolist():
        held[:, node[i], y[i]] += weight[i], weight[i] ** 2
    for loss, got in zip(losses, found, strict=True):
        table = class_losses(tree, loss, np.arange(n))
        changes = np.zeros((strata, 4, len(path.alphas) + 1))

        def answer(sums, t, start, end, table=table, changes=changes):
            for c in np.flatnonzero(sums[0, t]).tolist():
                (w, s), at = sums[:, t, c], table[t, c]
                for j, amount in enumerate((w * at, s * at, s * at * at, s * at * table[0, c])):
                    changes[c if strata > 1 else 0, j, start] += amount
                    changes[c if strata > 1 else 0, j, end] -= amount

        reaching = held.copy()
        for t in range(n):
            if begin[t] > 0:
                answer(held, t, 0, begin[t])
        for t in range(n - 1, 0, -1):
            reaching[:, tree.parent[t]] += reaching[:, t]
        for t in range(n):
            end = begin[tree.parent[t]] if t else len(path.alphas)
            if begin[t] < end:
                answer(reaching, t, begin[t], end)
        wanted = np.maximum(np.cumsum(changes[..., :-1], axis=-1), 0.0)
        assert got.sums.tobytes() == wanted.tobytes()


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
