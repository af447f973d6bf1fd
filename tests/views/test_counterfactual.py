"""Counterfactuals: answers obey predict, constraints are kept, and nothing smaller is found by trying everything."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, datasets
from boxwood.data.columns.schema import NUMERIC
from boxwood.errors import DataError, ParameterError, ParameterTypeError
from boxwood.statistics.responses.registry import CLASSES, MEAN
from boxwood.tree.descend import route
from boxwood.tree.tree import STAYS
from boxwood.views.boxes import all_ranges
from boxwood.views.constraints import DOWN, UP, Constraints, read_constraints
from boxwood.views.counterfactual_search import _KEYS, _Candidate, _known, _Search, counterfactuals
from boxwood.views.intervals import Interval
from boxwood.views.nearest import nearest
from boxwood.views.target import RangeTarget
from tree.random_trees import random_tree
from tree.slow_descent import random_columns


def titanic():
    X = datasets.load("titanic")
    return X, X.pop("survived")


def row_of(X, i):
    return {name: column[i] for name, column in X.items()}


@pytest.mark.parametrize("make", [
    lambda: CARTClassifier(max_depth=5, pruning=None), lambda: CARTClassifier(max_depth=5, missing="stay"),
    lambda: CARTClassifier(max_depth=4, pruning=None, missing="own_branch"), C45Classifier, CHAIDClassifier,
])  # fmt: skip
def test_answers_obey_predict_and_keep_the_constraints(make):
    X, y = titanic()
    model = make().fit(X, y)
    found = 0
    for i in range(0, len(y), 41):
        x = row_of(X, i)
        answers = model.counterfactual(x, immutable=["age"], allowed={"fare": "decrease", "class": ["1st", "2nd"]}, n=3)
        assert not answers.already
        for answer in answers:
            found += 1
            changed = {name: [value] for name, value in answer.row.items()}
            assert model.predict(changed)[0] == answer.prediction != answers.prediction
            assert model.apply(changed)[0] == answer.node
            assert {c.feature for c in answer.changes} == {n for n in x if answer.row[n] != x[n] and x[n] == x[n]}
            for change in answer.changes:
                assert change.feature != "age"
                assert change.feature != "class" or change.new in ("1st", "2nd")
                assert change.feature != "fare" or change.old is None or change.new <= change.old
    assert found


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 3_000), st.sampled_from(["changes", "distance"]))
def test_nothing_smaller_is_found_by_trying_everything(seed, by):
    """All cells between cuts and all levels, of trees without missing values on the path."""
    tree = random_tree(seed, CLASSES, 13)
    columns = random_columns(tree.schema, seed, 1)
    for feature, values in zip(tree.schema, columns.values, strict=True):
        values[0] = (
            np.floor(np.nan_to_num(values[0], nan=3.0, posinf=99.0)) if feature.kind == NUMERIC else max(values[0], 0)
        )
    found = counterfactuals(tree, columns, None, Constraints(by=by, rounded=False))
    tested = np.unique(tree.splits.feature[~tree.is_leaf]).tolist()
    scale = {}
    grid = []
    for j in tested:
        feature, x = tree.schema[j], columns.values[j][0]
        if feature.kind != NUMERIC:
            steps = [0.0 if c == x else abs(c - x) / (len(feature.levels) - 1) if feature.kind == "ordinal" else 1.0
                     for c in range(len(feature.levels))]  # fmt: skip
            grid.append(list(enumerate(steps)))
            continue
        cuts = tree.splits.breaks[np.repeat(tree.splits.feature, np.diff(tree.splits.breaks_start)) == j]
        scale[j] = np.ptp(cuts) if np.ptp(cuts) > 0 else max(abs(cuts[0]), 1.0)
        whole = feature.integer
        points = {float(x)} | {np.floor(c) if whole else c for c in cuts}
        points |= {np.floor(c) + 1 if whole else np.nextafter(c, np.inf) for c in cuts}
        grid.append([(p, abs(p - x) / scale[j]) for p in sorted(points)])
    tried = list(product(*grid))[:50_000]
    many = columns.take(np.zeros(len(tried), dtype=np.int64))
    for k, j in enumerate(tested):
        many.values[j][:] = [cell[k][0] for cell in tried]
    routing = route(tree, many)
    now = route(tree, columns).value(tree)[0]
    # Levels that a node has not seen go as missing values do: no box holds them.
    good = (routing.value(tree) != now) & (routing.flags == 0)
    keys = [(sum(c > 0 for _, c in cell), sum(c for _, c in cell)) for cell in tried]
    if by == "distance":
        keys = [key[::-1] for key in keys]
    best = min((key for key, is_good in zip(keys, good, strict=True) if is_good), default=None)
    if best is None:
        return
    got = (len(found[0].changes), found[0].distance)
    assert (got if by == "changes" else got[::-1]) <= (best[0], best[1] + 1e-9)


def all_changes(search, target, by):
    """The changes into all boxes, one by one: what the search by bounds must equal."""
    tree, found = search.tree, []
    boxes = all_ranges(tree)
    ends = (tree.is_leaf | (tree.missing == STAYS)) & target.is_reached_by(tree.value)
    for node in np.flatnonzero(ends).tolist():
        if not tree.is_leaf[node] and _known(search.columns, int(tree.splits.feature[node]), 0) is not None:
            continue
        left_open = any(part.has_surrogates and _known(search.columns, part.feature, 0) is None for part in boxes[node])
        both = [search._changes(boxes[node], fills) for fills in (False, True)[: 1 + left_open]]
        found += [_Candidate(node, changes) for changes in both if changes is not None]
    return sorted(found, key=_KEYS[by])


def random_constraints(rng, schema):
    """Some features fixed, some with limits of each kind."""
    allowed = {}
    for feature in schema:
        if rng.random() < 0.6:
            continue
        kind = rng.integers(2)
        if feature.kind != NUMERIC and (feature.kind == "nominal" or kind):
            allowed[feature.name] = [level for level in feature.levels if rng.random() < 0.5]
        elif feature.kind != NUMERIC or kind:
            allowed[feature.name] = (UP, DOWN)[rng.integers(2)]
        else:
            allowed[feature.name] = tuple(sorted(rng.integers(-50, 110, 2).tolist()))
    immutable = [feature.name for feature in schema if rng.random() < 0.15]
    return Constraints(immutable, allowed, rounded=bool(rng.integers(2)))


@settings(deadline=None)
@given(st.integers(0, 1_000_000), st.sampled_from(["changes", "distance"]))
@example(1628, "changes")  # the only split lists no level
def test_bounds_leave_out_no_change_and_keep_the_order(seed, by):
    rng = np.random.default_rng(seed)
    tree = random_tree(seed, MEAN, int(rng.integers(1, 200)))
    columns = random_columns(tree.schema, seed, 1)
    constraints = random_constraints(rng, tree.schema)
    search = _Search(tree, columns, read_constraints(tree, constraints), constraints.rounded)
    target = RangeTarget(low=float(np.quantile(tree.value, rng.random())))
    expected = all_changes(search, target, by)
    assert [(c.node, c.changes) for c in search.candidates(target, by)] == [(w.node, w.changes) for w in expected]


@pytest.mark.parametrize("by", ["changes", "distance"])
def test_few_boxes_are_opened(by, monkeypatch):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(4_000, 6))
    model = CARTClassifier(pruning=None).fit(X, X[:, 0] * X[:, 1] + rng.normal(size=4_000) > 0)
    opened = []
    changes = _Search._changes
    monkeypatch.setattr(_Search, "_changes", lambda self, *box: opened.append(box) or changes(self, *box))
    for row in X[:20]:
        assert len(model.counterfactual(row.tolist(), by=by)) == 1
    assert model.tree_.n_leaves > 500
    assert len(opened) < 20 * 20


def test_the_nearest_number_stays_inside():
    inside = Interval((9.5, 0.0), (41.5, 0.0))
    assert nearest(20.0, inside, (None, None), False, 1.0) == 20.0
    assert nearest(3.0, inside, (None, None), False, 0.0) == np.nextafter(9.5, np.inf)
    assert nearest(3.0, inside, (None, None), False, 0.7) == 10.0
    assert nearest(60.0, inside, (None, None), False, 0.0) == 41.5
    assert nearest(60.0, inside, (None, None), False, 1.0) == 41.0
    assert nearest(60, inside, (None, 40), True, 0.0) == 40
    assert nearest(60, inside, (42, None), True, 0.0) is None
    assert nearest(None, inside, (None, None), False, 0.0) == 20.0
    assert nearest(None, Interval(), (None, None), False, 0.0) == 0
    assert nearest(5.0, Interval((np.inf, 0.0), None), (None, None), False, 0.0) is None


def test_whole_numbers_beyond_floats_change_exactly():
    big = 2**60
    X = {"id": [big, big + 1, big + 2, big + 3]}
    model = CARTClassifier(pruning=None).fit(X, ["a", "a", "b", "b"])
    answer = model.counterfactual({"id": big}, "b")[0]
    assert answer.changes[0].new == big + 2
    assert model.predict({"id": [answer.changes[0].new]}).tolist() == ["b"]
    back = model.counterfactual({"id": big + 2}, "a", by="distance")[0]
    assert back.changes[0].new == big + 1


def test_a_missing_value_is_left_or_filled_in():
    X = {"x": [1, 2, 3, 4], "z": [1, 1, 2, 2]}
    model = CARTClassifier(pruning=None, missing="majority").fit({"x": X["x"]}, ["a", "a", "a", "b"])
    answers = model.counterfactual({"x": None}, "b")
    assert answers.to_text() == (
        "y = a (probability 1.000). For y = b:\n  1. x: missing → 4 (1 change, distance 1.000): b, probability 1.000"
    )
    staying = CARTClassifier(pruning=None, missing="stay").fit(X, ["a", "a", "b", "b"])
    assert staying.counterfactual({"x": None, "z": 1}, "b")[0].row == {"x": 3, "z": 1}


def test_numbers_want_a_range_and_text_tells_all():
    X = {"面积": [10, 20, 30, 40], "色": ["红", "绿", "红", "绿"]}
    model = CARTRegressor(pruning=None).fit(X, [1.0, 2.0, 8.0, 9.0])
    x = {"面积": 12, "色": "红"}
    found = model.counterfactual(x, target_range=(8.5, None))
    assert found.to_text() == "y = 1. For y >= 8.5:\n  1. 面积: 12 → 36 (1 change, distance 1.200): 9"
    assert model.counterfactual(x, target_range=(None, 1.5)).to_text() == "y = 1: that is y <= 1.5 already."
    assert model.counterfactual(x, target_range=(5, 6)).to_text() == "y = 1. No allowed change leads to 5 <= y <= 6."
    assert len(model.counterfactual(x, target_range=(8, 9), immutable=["面积"])) == 0
    records = found.to_records()
    assert (records["feature"], records["old"], records["new"]) == (["面积"], [12], [36])
    same = model.counterfactual({"色": "红", "面积": 12}, target_range=(8.5, None), scale={"面积": 48})
    assert same[0].distance == 0.5
    spread = model.counterfactual(x, target_range=(8.5, None), scale=X)[0].distance
    assert spread == pytest.approx(24 / np.std(X["面积"]))


@pytest.mark.parametrize(("wish", "words"), [
    ({"target_class": "maybe"}, "target_class must be one of 'no', 'yes'"),
    ({"immutable": ["size"]}, "immutable names 'size', which is not a feature"),
    ({"allowed": {"age": (9, 1)}}, r"allowed\['age'\] is an empty range: 9 is above 1"),
    ({"allowed": {"age": 9}}, "must be a pair"),
    ({"allowed": {"class": ["4th"]}}, "names '4th', which is not a level"),
    ({"allowed": {"class": "1st"}}, "must be a list of levels"),
    ({"scale": {"age": 0}}, "must be a positive number"),
    ({"by": "size"}, "by must be one of 'changes', 'distance'"),
    ({"n": 0}, "n must be a whole number of at least 1"),
])  # fmt: skip
def test_constraints_that_cannot_be_are_refused(wish, words):
    X, y = titanic()
    model = CARTClassifier(max_depth=2, pruning=None).fit(X, y)
    with pytest.raises(ParameterError, match=words):
        model.counterfactual(row_of(X, 0), **wish)


def test_other_mistakes_are_refused():
    X, y = titanic()
    model = CARTClassifier(max_depth=2, pruning=None).fit(X, y)
    with pytest.raises(ParameterTypeError, match="immutable must be a list"):
        model.counterfactual(row_of(X, 0), immutable="age")
    for wrong in ([1.0, 2.0], np.array([1, 0]), "yes", None):
        with pytest.raises(ParameterTypeError, match="rounded must be True or False"):
            model.counterfactual(row_of(X, 0), rounded=wrong)
    with pytest.raises(DataError, match="x has 1109 rows; give one row"):
        model.counterfactual(X)
    means = CARTRegressor(pruning=None).fit([[1], [2]], [0, 1])
    for wrong in (None, 3, (None, None), (2, 1), ("a", 1)):
        with pytest.raises(ParameterError, match="target_range must be a pair"):
            means.counterfactual([1], target_range=wrong)


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_any_tree_and_row_can_be_searched(seed):
    tree, columns = random_tree(seed, MEAN), random_columns(random_tree(seed).schema, seed, 1)
    low = float(np.median(tree.value))
    found = counterfactuals(tree, columns, (low, None), Constraints(n=3))
    assert all(answer.prediction >= low for answer in found)
    found.to_text()


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_beyond_63_bits_beside_levels_draw_no_warning():
    far = np.array([2**64 - 1 - 1000 * i for i in range(20)], np.uint64)
    X = {"far": far, "g": ["u", "v", "w", "u"] * 5, "near": np.arange(20.0) % 5}
    model = CARTClassifier(pruning=None, identifiers="use").fit(X, ["p", "q", "r", "p"] * 5)
    for row in range(20):
        one = {name: values[row : row + 1] for name, values in X.items()}
        predicted = model.predict(one)[0]
        other = next(label for label in "pqr" if label != predicted)
        assert model.counterfactual(one, other) is not None
