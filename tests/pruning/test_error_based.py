"""Error-based pruning: the estimate by its definition, raising against plain recursion, the laws both must obey."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

from boxwood import _kernel
from boxwood.errors import ParameterError
from boxwood.growing.memory.source import EncodedColumns
from boxwood.pruning import error_based
from boxwood.pruning.collapse import collapse_errors, collapse_same_decision
from boxwood.pruning.error_based import Pessimism, prune_and_raise, prune_by_errors
from boxwood.statistics.exact import exact_classes
from boxwood.statistics.normal import upper_deviate
from boxwood.statistics.responses.registry import MEAN
from boxwood.tree.descend import route, route_shares
from boxwood.tree.rebuild import keep_nodes
from boxwood.tree.store import to_bytes
from boxwood.tree.tree import SHARED, STAYS
from boxwood.tree.validate import validate
from pruning.slow_raising import SlowRaising, added, deviate, upper_limit
from tree.random_trees import chain, random_tree
from tree.slow_descent import random_columns

RULES = [
    Pessimism(),
    Pessimism(confidence=0.5),
    Pessimism(confidence=0.01, largest="last"),
    Pessimism(deviate="table", nearly_all="two_thirds", largest="last"),
]


@pytest.mark.parametrize("share", [0.5, 0.49999, 0.4, 0.25, 0.1, 1e-3, 1e-12, 1e-300])
def test_the_normal_deviate(share):
    assert upper_deviate(share) == pytest.approx(norm.isf(share), rel=1e-14, abs=1e-16)


@pytest.mark.parametrize("share", [0.0, -1.0, 0.6, float("nan"), 1e-310])
def test_no_deviate(share):
    with pytest.raises(ParameterError, match="share"):
        upper_deviate(share)


def test_the_numbers_of_the_book():
    """Quinlan 1993, page 41: U25%(6, 0) = 0.206, U25%(9, 0) = 0.143, U25%(1, 0) = 0.750, U25%(16, 1) = 0.157."""
    n, e = np.array([6.0, 9, 1, 16]), np.array([0.0, 0, 0, 1])
    for rule in (Pessimism(), RULES[-1]):
        assert (rule.limits(n, e) / n).round(3).tolist()[:3] == [0.206, 0.143, 0.750]
        assert rule.limits(n, e)[3] / n[3] == pytest.approx(0.157, abs=0.003)


def test_the_estimate_is_near_the_exact_binomial_limit():
    for n in (3, 10, 40, 200):
        for e in range(n - 1):
            exact = brentq(lambda u, e=e, n=n: binom.cdf(e, n, u) - 0.25, 0, 1, xtol=1e-14)
            mine = Pessimism().limits([n], [e])[0] / n
            assert mine == pytest.approx(exact, abs=1e-12 if e == 0 else 0.06 / np.sqrt(n))


@pytest.mark.parametrize("rule", RULES)
def test_every_line_of_the_estimate(rule):
    assert rule.z == pytest.approx(deviate(rule), abs=1e-12)
    cases = [
        (n, e) for n in (0.3, 0.8, 1.0, 1.5, 2.0, 7.25, 100.0, 1e6) for e in (0, 1e-7, 0.2, 0.99995, 1, 1.5, n / 2, n)
    ]
    cases = [(n, min(e, n)) for n, e in cases]
    limits = rule.limits(*map(np.array, zip(*cases, strict=True)))
    assert limits == pytest.approx([upper_limit(n, e, rule) for n, e in cases], rel=1e-9, abs=1e-9)
    assert rule.limits([0.0], [0.0]).tolist() == [0.0]
    assert added(0.8, 0.3, Pessimism()) > 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("confidence", 0.0), ("confidence", 0.6), ("confidence", "low"), ("confidence", True), ("deviate", "normal"),
     ("nearly_all", None), ("largest", 1)],
)  # fmt: skip
def test_rules_are_checked(name, value):
    with pytest.raises(ParameterError, match=name):
        Pessimism(**{name: value})


class Problem:
    """A random tree, rows that go down it, and classes that partly follow its leaves."""

    def __init__(self, seed, shared, n=160, n_nodes=45, weighted=False):
        tree = random_tree(seed, n_nodes=n_nodes)
        inner = ~tree.is_leaf
        policy = np.full(tree.n_nodes, SHARED) if shared else np.where(tree.missing < 0, 0, tree.missing)
        tree = replace(tree, missing=np.where(inner, policy, STAYS).astype(np.int32))
        rng = np.random.default_rng(seed)
        self.tree, self.columns = tree, random_columns(tree.schema, seed, n)
        noise = rng.random(n) < 0.3
        self.codes = np.where(noise, rng.integers(0, 3, n), route(tree, self.columns).node % 3).astype(np.int32)
        self.weight = rng.integers(1, 5, n).astype(float) / 2 if weighted else None
        self.encoded = EncodedColumns(self.columns, 1)

    def pruned(self, rule, order=None):
        order = np.arange(len(self.codes)) if order is None else order
        weight = None if self.weight is None else self.weight[order]
        exact = exact_classes(self.codes[order], weight)
        return prune_and_raise(self.tree, rule, self.encoded, order.astype(np.uint32), exact)

    def slowly(self, rule):
        exact = exact_classes(self.codes, self.weight)
        weight = [1] * exact.n if exact.weight is None else exact.weight.tolist()
        shift = error_based.share_shift(sum(weight)) if (self.tree.missing == SHARED).any() else 0
        slow = SlowRaising(self.tree, self.columns, self.codes, exact.unit * 2.0**-shift, rule)
        root = slow.whole()
        slow.estimate(root, [(row, w << shift) for row, w in enumerate(weight)], True)
        return slow, slow.nodes(root)


@pytest.mark.sample(12)
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_raising_equals_plain_recursion(seed, shared):
    problem = Problem(seed, shared, weighted=seed % 3 == 0)
    for rule in RULES:
        pruned = problem.pruned(rule)
        slow, nodes = problem.slowly(rule)
        validate(pruned)
        assert pruned.is_leaf.tolist() == [leaf for _, leaf, _, _ in nodes]
        assert pruned.rows.tolist() == [rows for _, _, _, rows in nodes]
        assert np.array_equal(pruned.moments, np.array([counts for _, _, counts, _ in nodes]) * slow.unit)
        feature = [-1 if leaf else problem.tree.splits.feature[origin] for origin, leaf, _, _ in nodes]
        assert pruned.splits.feature.tolist() == feature


def test_branches_are_raised_and_pruned():
    lifted = closed = 0
    for seed in range(25):
        problem = Problem(seed, shared=seed % 2 == 0)
        _, nodes = problem.slowly(Pessimism())
        origins = [origin for origin, _, _, _ in nodes]
        closed += len(nodes) < problem.tree.n_nodes
        lifted += any(origin not in {0, *problem.tree.first_child.tolist()} for origin in origins[:1])
    assert lifted >= 3
    assert closed >= 20


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_rows_changes_no_bit(seed):
    problem = Problem(seed, shared=True, n=300, weighted=seed % 2 == 0)
    shuffled = np.random.default_rng(seed).permutation(300)
    assert to_bytes(problem.pruned(Pessimism())) == to_bytes(problem.pruned(Pessimism(), shuffled))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_moments_are_those_of_rows_sent_down_the_pruned_tree(seed, shared):
    problem = Problem(seed, shared, weighted=True)
    pruned = problem.pruned(Pessimism(confidence=0.4))
    parts = route_shares(pruned, problem.columns)
    found = np.zeros_like(pruned.moments)
    np.add.at(found, (parts.node, problem.codes[parts.row]), problem.weight[parts.row] * parts.share)
    assert found[pruned.is_leaf] == pytest.approx(pruned.moments[pruned.is_leaf], rel=1e-6, abs=1e-6)


def test_cuts_by_rank():
    problem = Problem(3, shared=True)
    exact = exact_classes(problem.codes, None)
    rows = np.arange(exact.n, dtype=np.uint32)
    tree = problem.tree
    ranked = tree.splits.breaks.copy()
    by_break = np.repeat(np.arange(len(tree.splits)), np.diff(tree.splits.breaks_start))
    for at, s in enumerate(by_break):
        j = int(tree.splits.feature[s])
        if tree.schema[j].kind == "numeric":
            values = np.unique(problem.columns.values[j][~np.isnan(problem.columns.values[j])])
            ranked[at] = np.searchsorted(values, tree.splits.breaks[at], side="right") - 0.5
    by_rank = replace(tree, splits=replace(tree.splits, breaks=ranked))
    by_rank = replace(
        by_rank, surrogates=tree.surrogates.take(np.zeros(0, int)), surrogate_start=tree.surrogate_start * 0
    )
    plain = replace(by_rank, splits=tree.splits)
    one = prune_and_raise(by_rank, Pessimism(), problem.encoded, rows, exact, by_rank=True)
    other = prune_and_raise(plain, Pessimism(), problem.encoded, rows, exact)
    assert one.n_nodes > 1
    assert np.array_equal(one.moments, other.moments)
    assert np.array_equal(one.splits.feature, other.splits.feature)


def test_a_row_that_stays_is_refused():
    problem = Problem(2, shared=False)
    stays = replace(problem.tree, missing=np.full(problem.tree.n_nodes, STAYS, np.int32))
    problem.tree = stays
    with pytest.raises(ParameterError, match="raising=False"):
        problem.pruned(Pessimism())
    problem.tree = replace(stays, response=replace(stays.response, factors=(1.0, 2.0, 1.0)))
    with pytest.raises(ParameterError, match="priors or costs"):
        problem.pruned(Pessimism())


def test_the_kernel_checks_its_cases():
    problem = Problem(2, shared=False)
    good = (np.zeros(1, np.uint32), np.zeros(1, np.int32), np.ones(1, np.int64), np.zeros(1, np.uint8))
    rule = Pessimism().for_kernel() | {"unit": 1.0}
    for at, wrong in ((0, np.array([10**6], np.uint32)), (1, np.array([3], np.int32)), (1, np.array([-1], np.int32))):
        cases = tuple(wrong if i == at else part for i, part in enumerate(good))
        with pytest.raises(IndexError):
            _kernel.prune_and_raise(problem.tree, problem.encoded.table, cases, rule, 3)
    cases = (*good[:2], np.ones(2, np.int64), good[3])
    with pytest.raises(ValueError, match="weight"):
        _kernel.prune_and_raise(problem.tree, problem.encoded.table, cases, rule, 3)


def test_a_row_whose_value_goes_missing_meanwhile_is_refused():
    # declared as whole, but a node shares it out: as if X had been changed since
    problem = Problem(2, shared=True)
    n = len(problem.codes)
    cases = (np.arange(n, dtype=np.uint32), problem.codes, np.ones(n, np.int64), np.zeros(n, np.uint8))
    with pytest.raises(ValueError, match="X changed during the fit"):
        _kernel.prune_and_raise(problem.tree, problem.encoded.table, cases, Pessimism().for_kernel() | {"unit": 1.0}, 3)


def plain_pruning(tree, rule):
    """The nodes that become leaves, by recursion over the moments."""
    closed = np.zeros(tree.n_nodes, dtype=bool)

    def limit(t):
        n = tree.weight[t]
        leaf = upper_limit(n, n - tree.moments[t].max(), rule)
        if tree.is_leaf[t]:
            return leaf
        below = sum(limit(c) for c in range(tree.first_child[t], tree.first_child[t] + tree.n_children[t]))
        closed[t] = leaf <= below + 0.1
        return leaf if closed[t] else below

    limit(0)
    return closed


@pytest.mark.sample(1)
@pytest.mark.parametrize("rule", RULES)
def test_pruning_by_moments_alone(rule):
    smaller = 0
    for seed in range(20):
        tree = random_tree(seed, n_nodes=60)
        pruned = prune_by_errors(tree, rule)
        assert to_bytes(pruned) == to_bytes(keep_nodes(tree, plain_pruning(tree, rule)))
        smaller += 1 < pruned.n_nodes < tree.n_nodes
    assert smaller >= 2


def test_rows_that_stay_count_where_they_are():
    """A node that keeps 100 rows of a class of its own: a leaf would get none of its children's rows right."""
    tree = chain(1)
    moments = np.zeros((tree.n_nodes, 3))
    moments[1:, 0] = 40.0
    moments[0] = moments[1:].sum(axis=0)
    rows = moments.sum(axis=1).astype(np.int64)
    assert prune_by_errors(replace(tree, moments=moments, rows=rows), Pessimism()).n_nodes == 1
    moments[0, 1] = 100.0
    rows = moments.sum(axis=1).astype(np.int64)
    assert prune_by_errors(replace(tree, moments=moments, rows=rows), Pessimism()).n_nodes == tree.n_nodes


def test_a_smaller_confidence_prunes_more():
    tree = random_tree(9, n_nodes=300)
    sizes = [prune_by_errors(tree, Pessimism(confidence=c)).n_leaves for c in (0.5, 0.25, 0.1, 0.01, 1e-4)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def slow_collapse(tree, t, slack, closed):
    own = tree.weight[t] - tree.moments[t].max()
    if tree.is_leaf[t]:
        return own
    children = range(tree.first_child[t], tree.first_child[t] + tree.n_children[t])
    below = sum(slow_collapse(tree, c, slack, closed) for c in children)
    closed[t] = below >= own - slack
    return own if closed[t] else below


@pytest.mark.parametrize("slack", [0.0, 1e-3, 2.5])
def test_collapse_of_useless_splits(slack):
    for seed in range(20):
        tree = random_tree(seed, n_nodes=60)
        closed = np.zeros(tree.n_nodes, dtype=bool)
        slow_collapse(tree, 0, slack, closed)
        assert to_bytes(collapse_errors(tree, slack)) == to_bytes(keep_nodes(tree, closed))


def test_collapse_of_equal_decisions_keeps_every_prediction():
    smaller = 0
    for seed in range(20):
        tree = random_tree(seed, n_nodes=60)
        tree = replace(tree, missing=np.where(tree.missing == SHARED, STAYS, tree.missing))
        columns = random_columns(tree.schema, seed)
        small = collapse_same_decision(tree)
        smaller += small.n_nodes < tree.n_nodes
        assert np.array_equal(route(small, columns).value(small), route(tree, columns).value(tree))
        below = [c for c in range(small.n_nodes) if small.parent[c] >= 0]
        for t in np.flatnonzero(~small.is_leaf):
            leaves = [c for c in below if t in small.path(c) and small.is_leaf[c]]
            assert len({int(small.value[c]) for c in [*leaves, t]}) > 1
    assert smaller >= 10


def test_numbers_are_refused():
    tree = random_tree(1, MEAN)
    calls = [
        (prune_by_errors, (Pessimism(),)),
        (collapse_errors, ()),
        (collapse_same_decision, ()),
        (prune_and_raise, (Pessimism(), None, None, None)),
    ]
    for prune, settings in calls:
        with pytest.raises(ParameterError, match="class"):
            prune(tree, *settings)
    with pytest.raises(ParameterError, match="slack"):
        collapse_errors(random_tree(1), -1.0)
