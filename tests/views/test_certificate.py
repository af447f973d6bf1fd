"""Certificates of an order: against all pairs of rows of small grids, and the plain check of the JSON of a tree."""

from __future__ import annotations

import itertools
import json
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier, CARTRegressor, ParameterError, from_json
from boxwood.views.certificate import certificate
from effort import FULL
from tree.test_leaf_order import pairs_of, tree_of, trees_of_depth_two

CHECK = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "check_monotone.py"))["Check"]
ORDER = {"a": 1, "b": -1}
TOWNS = ["Ulm", "Bonn", "京都"]


def problem(seed: int, gaps: bool, n: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    """Few values of each column, so that all rows that there can be are soon listed."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": rng.integers(0, 4, n) * 1.0, "b": rng.integers(0, 3, n) * 1.0, "c": rng.integers(0, 3, n) * 1.0,
         "town": rng.choice(TOWNS, n)}
    )  # fmt: skip
    y = X["a"] - X["b"] + rng.normal(size=n) * rng.choice([0.1, 1.0, 3.0])
    if gaps:
        X = X.mask(rng.random(X.shape) < 0.15)
    return X, np.asarray(y)


def every_row(gaps: list[str]) -> pd.DataFrame:
    """All rows of these values and of values between, and with gaps in some columns."""
    values = {"a": [0, 0.5, 1, 1.5, 2, 2.5, 3], "b": [0, 0.5, 1, 1.5, 2], "c": [0, 0.5, 1, 1.5, 2], "town": TOWNS}
    lists = [[*of, None] if name in gaps else of for name, of in values.items()]
    return pd.DataFrame(list(itertools.product(*lists)), columns=list(values)).astype(dict.fromkeys("abc", float))


def in_order(X: pd.DataFrame, predicted: np.ndarray, order: dict[str, int]) -> bool:
    """Whether no two of these rows are in the wrong order."""
    codes = pd.DataFrame({"town": pd.Categorical(X["town"], TOWNS).codes}).assign(
        **{name: X[name].fillna(-9) for name in "abc"}
    )
    allowed = np.ones((len(X), len(X)), dtype=bool)
    for name in codes:
        v = codes[name].to_numpy().astype(float)
        off, lacks = v[None] - v[:, None], v == (-1 if name == "town" else -9)
        sign = order.get(name, 0)
        allowed &= ((off == 0) if sign == 0 else (sign * off >= 0)) & (lacks[None] == lacks[:, None])
    return not (allowed & (predicted[:, None] > predicted[None])).any()


@pytest.mark.parametrize("policy", ["surrogate", "majority", "learned", "own_branch", "stay"])
@pytest.mark.parametrize("gaps", ["none", "all"])
def test_certificates_of_free_trees_are_those_of_all_pairs_of_rows(policy, gaps):
    found = set()
    for seed in range(60 if FULL else 12):
        X, y = problem(seed, seed % 2 == 0)
        model = CARTRegressor(missing=policy, pruning=None, max_depth=1 + seed % 4, max_surrogates=2).fit(X, y)
        proof = model.certificate(ORDER, gaps=gaps)
        rows = every_row(["a", "b", "c", "town"] if gaps == "all" else [])
        assert proof.holds == in_order(rows, model.predict(rows), ORDER), (seed, str(proof))
        found.add(proof.holds)
        if not proof.holds:
            v = proof.violation
            pair = pd.DataFrame([v.low_row, v.high_row]).astype(dict.fromkeys("abc", float))
            low, high = model.predict(pair)
            assert (low, high) == (v.low_value, v.high_value)
            assert low > high
            both = pair.isna()
            assert (both.iloc[0] == both.iloc[1]).all()
            assert not in_order(pair, np.array([low, high]), ORDER)
    assert found == {True, False} or policy == "stay"


@pytest.mark.parametrize("policy", ["surrogate", "majority", "learned", "own_branch"])
def test_fitted_orders_are_proved_and_hold_for_all_pairs_of_rows(policy):
    for seed in range(40 if FULL else 10):
        X, y = problem(seed, True)
        model = CARTRegressor(missing=policy, pruning=None, monotonic_cst=ORDER).fit(X, y)
        proof = model.certificate()
        assert proof.holds
        rows = every_row(list(proof.gaps))
        assert in_order(rows, model.predict(rows), ORDER)
        plain = json.loads(model.export("json"))
        assert CHECK(plain).run() is None
        np.testing.assert_array_equal(from_json(json.dumps(plain)).predict(X), model.predict(X))


def test_the_plain_check_finds_what_the_certificate_finds():
    found = set()
    for seed in range(60 if FULL else 20):
        X, y = problem(seed, True)
        model = CARTRegressor(pruning=None, max_depth=2 + seed % 2, max_surrogates=2).fit(X, y)
        plain = json.loads(model.export("json"))
        if any(node.get("missing", 0) < 0 for node in plain["nodes"]):
            continue
        plain["monotonic"] = {"order": [1, -1, 0, 0], "gaps": [1, 1, 1, 1]}
        holds = CHECK(plain).run() is None
        assert holds == model.certificate(ORDER, gaps="all").holds
        found.add(holds)
    assert found == {True, False}


@pytest.mark.parametrize("signs", [(1, 0), (1, 1), (1, -1)])
def test_certificates_of_all_trees_of_depth_two(signs):
    rng = np.random.default_rng(1)
    for nodes, splits, parent in trees_of_depth_two():
        values = rng.integers(0, 3, len(nodes)).astype(float)
        moments = np.column_stack((np.ones(len(nodes)), values, np.ones(len(nodes))))
        tree = tree_of(nodes, splits, parent, moments, (0, 0))
        leaves = tree.leaves
        pairs = pairs_of(np.array(nodes)[leaves], signs)
        wrong = {(a, b) for a, b in pairs if values[leaves[a]] > values[leaves[b]]}
        proof = certificate(tree, list(signs), "none", "missing", False)
        assert proof.holds == (not wrong)
        assert {(int(a), int(b)) for a, b in zip(*proof.pairs, strict=True)} == {
            (int(leaves[a]), int(leaves[b])) for a, b in pairs
        }


def test_a_changed_value_is_found():
    X, y = problem(3, True)
    model = CARTRegressor(pruning=None, monotonic_cst=ORDER).fit(X, y)
    plain = json.loads(model.export("json"))
    low = int(model.certificate().pairs[0][0])
    plain["nodes"][low]["value"] += 100.0
    assert CHECK(plain).run() is not None


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (lambda plain: plain.update(monotonic=None), "this tree has no order to check"),
        (lambda plain: plain["monotonic"].update(order=[0, 0, 0, 0]), "this tree has no order to check"),
        (lambda plain: plain["nodes"][0].update(children=[0, 0]), "node 0 is not as boxwood writes it"),
        (lambda plain: plain["nodes"][-1].update(children=[998, 999]), "is not as boxwood writes it"),
        (lambda plain: plain["nodes"][1].update(value=float("nan")), "node 1 is not as boxwood writes it"),
        (lambda plain: plain["nodes"].reverse(), "node 0 is not as boxwood writes it"),
    ],
)
def test_the_plain_check_proves_nothing_of_what_is_no_tree(forge, words):
    X, y = problem(5, False)
    plain = json.loads(CARTRegressor(max_depth=2, pruning=None, monotonic_cst=ORDER).fit(X, y).export("json"))
    assert CHECK(plain).run() is None
    forge(plain)
    with pytest.raises(SystemExit, match=words):
        CHECK(plain)


def test_probabilities_of_two_classes_and_a_frame_of_pairs():
    X, y = problem(5, False)
    model = CARTClassifier(pruning=None, monotonic_cst=ORDER, missing="error").fit(X, y > 0)
    proof = model.certificate(gaps="all")
    assert proof.holds
    assert proof.gaps == ()
    pairs = proof.to_frame("dict")
    assert all(low <= high for low, high in zip(pairs["low_value"], pairs["high_value"], strict=True))
    assert proof.to_dict() == {
        "holds": True, "order": ORDER, "gaps": [], "violation": None, "pairs": len(pairs["low"])
    }  # fmt: skip
    assert str(proof).startswith("Proved: probabilities of True never fall as a rises and never rise as b rises.")


def test_refusals():
    X, y = problem(0, False)
    with pytest.raises(ParameterError, match="the tree was fitted without an order; give monotonic_cst"):
        CARTRegressor().fit(X, y).certificate()
    with pytest.raises(ParameterError, match="more than two classes"):
        CARTClassifier().fit(X, np.digitize(y, [0, 1])).certificate({"a": 1})
    with pytest.raises(ParameterError, match="gaps"):
        CARTRegressor().fit(X, y).certificate({"a": 1}, gaps="some")


def test_rows_have_dates_as_people_write_them():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"opened": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, 200), "D")})
    model = CARTRegressor(pruning=None, max_depth=3).fit(X, rng.normal(size=200))
    v = model.certificate({"opened": 1}).violation
    low, high = model.predict(pd.DataFrame([v.low_row, v.high_row]).astype({"opened": "datetime64[ns]"}))
    assert (low, high) == (v.low_value, v.high_value)
    assert v.low_row["opened"].startswith("202")
    assert v.low_row["opened"] < v.high_row["opened"]
