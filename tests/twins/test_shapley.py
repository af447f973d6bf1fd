"""Shapley values of the kernel against their definition, coalition by coalition, and against the shap package."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, datasets
from boxwood.errors import DataError, ParameterError
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.descend import route
from boxwood.views.shapley import shapley_values
from tree.random_trees import chain, random_tree
from tree.slow_descent import random_columns
from twins.plain_shapley import cover, shapley
from twins.plain_shapley import route as plain_route

KINDS = st.sampled_from([CLASSES, MEAN, RATE])
POLICIES = st.sampled_from(["missing", "majority", "stay"])


def predicted(tree, columns, unseen):
    routing = route(tree, columns, unseen)
    return routing.probability(tree) if tree.response.kind == CLASSES else routing.value(tree)


@settings(max_examples=25)
@given(st.integers(0, 10_000), KINDS, POLICIES)
def test_against_the_weights_of_training(seed, kind, unseen):
    tree, columns = random_tree(seed, kind, 15), random_columns(random_tree(seed).schema, seed, 3)
    found = shapley_values(tree, columns, unseen=unseen)
    for row in range(columns.n):
        values, base = shapley(
            tree, lambda t, r=row: plain_route(tree, t, columns, r, unseen), lambda t: cover(tree, t)
        )
        got = found.values[row] if kind == CLASSES else found.values[row][:, None]
        np.testing.assert_allclose(got, values, atol=1e-12 * max(1.0, np.abs(tree.value).max()))
        np.testing.assert_allclose(np.atleast_1d(found.base_values), base, atol=1e-12)


@settings(max_examples=25)
@given(st.integers(0, 10_000), KINDS, POLICIES)
def test_against_a_background(seed, kind, unseen):
    tree, columns = random_tree(seed, kind, 15), random_columns(random_tree(seed).schema, seed, 2)
    background = random_columns(tree.schema, seed + 1, 3)
    found = shapley_values(tree, columns, background, unseen)
    for row in range(columns.n):
        pairs = [
            shapley(
                tree,
                lambda t, r=row: plain_route(tree, t, columns, r, unseen),
                lambda t, b=b: plain_route(tree, t, background, b, unseen),
            )
            for b in range(background.n)
        ]
        got = found.values[row] if kind == CLASSES else found.values[row][:, None]
        np.testing.assert_allclose(got, np.mean([values for values, _ in pairs], axis=0), atol=1e-12)
        np.testing.assert_allclose(np.atleast_1d(found.base_values), np.mean([b for _, b in pairs], axis=0), atol=1e-12)


@given(st.integers(0, 10_000), KINDS, POLICIES, st.booleans())
def test_values_add_up_to_the_answer_less_the_base(seed, kind, unseen, compared):
    tree = random_tree(seed, kind, 61)
    columns, background = random_columns(tree.schema, seed, 20), random_columns(tree.schema, seed + 1, 9)
    found = shapley_values(tree, columns, background if compared else None, unseen)
    scale = max(1.0, np.abs(tree.value).max())
    np.testing.assert_allclose(
        found.values.sum(axis=1) + found.base_values, predicted(tree, columns, unseen), atol=1e-10 * scale
    )


@pytest.mark.parametrize("background", [None, 40])
def test_threads_change_nothing(background):
    tree = random_tree(5, CLASSES, 101)
    columns = random_columns(tree.schema, 1, 200)
    other = None if background is None else random_columns(tree.schema, 2, background)
    one, many = (shapley_values(tree, columns, other, threads=threads).values for threads in (1, 4))
    np.testing.assert_array_equal(one, many)


@given(st.integers(0, 10_000), KINDS, POLICIES)
def test_neither_the_rows_beside_nor_the_order_of_the_background_change_a_bit(seed, kind, unseen):
    tree = random_tree(seed, kind, 61)
    columns, background = random_columns(tree.schema, seed, 19), random_columns(tree.schema, seed + 1, 9)
    backwards = background.take(np.arange(9)[::-1])
    for other in (None, background):
        together = shapley_values(tree, columns, other, unseen).values
        for row in range(19):
            alone = shapley_values(
                tree, columns.take(np.array([row])), None if other is None else backwards, unseen
            ).values
            np.testing.assert_array_equal(alone[0], together[row])


def test_deep_chains_do_not_recurse_and_add_up():
    tree = chain(20_000, MEAN)
    columns = random_columns(tree.schema, 1, 2)
    found = shapley_values(tree, columns)
    np.testing.assert_allclose(
        found.values.sum(axis=1) + found.base_values, predicted(tree, columns, "missing"), atol=1e-9
    )


def test_many_features_on_a_path():
    rng = np.random.default_rng(0)
    X, y = rng.random((400, 60)), rng.random(400)
    model = CARTRegressor(pruning=None).fit(X, y)
    for background in (None, X[:7]):
        found = model.shap_values(X[:9], background)
        np.testing.assert_allclose(found.values.sum(axis=1) + found.base_values, model.predict(X[:9]), atol=1e-12)


def test_estimators_give_them_for_every_policy_of_missing_values():
    X = datasets.load("titanic")
    y = X.pop("survived")
    some = {name: column[:40] for name, column in X.items()}
    for model in (C45Classifier(), *(CARTClassifier(missing=m) for m in ("surrogate", "stay", "own_branch"))):
        model.fit(X, y)
        for background in (None, some):
            found = model.shap_values(some, background)
            total = found.values.sum(axis=1) + found.base_values
            np.testing.assert_allclose(total, model.predict_proba(some), atol=1e-12)
        np.testing.assert_allclose(model.shap_values(X).values.sum(axis=2), 0, atol=1e-12)


def test_the_base_is_the_mean_answer_of_the_rows_of_training():
    X = datasets.load("titanic")
    y = X.pop("survived")
    for missing in ("stay", "own_branch"):
        model = CARTClassifier(missing=missing, pruning=None, max_depth=4).fit(X, y)
        base = model.shap_values({name: column[:1] for name, column in X.items()}).base_values
        np.testing.assert_allclose(base, model.predict_proba(X).mean(axis=0))


def test_values_are_reported_as_table_and_words():
    model = CARTClassifier(pruning=None).fit({"年龄": [20, 30, 50], "x": [1, 1, 1]}, ["no", "no", "yes"])
    found = model.shap_values({"年龄": [60, 20], "x": [1, 1]})
    assert found.to_text(0) == "row 0: probability of y = yes: 1, from 0.333333\n  年龄 +0.666667"
    assert found.to_text(-1).startswith("row 1: probability of y = no: 1")
    frame = found.to_frame("pandas")
    assert frame.columns.tolist() == ["row", "feature", "shap_no", "shap_yes"]
    np.testing.assert_allclose(frame["shap_yes"], [2 / 3, 0, -1 / 3, 0])
    np.testing.assert_array_equal(np.asarray(found), found.values)
    assert len(found) == 2
    with pytest.raises(ParameterError, match="row must be"):
        found.to_text(2)


def test_wrong_questions_are_refused():
    X, y = {"a": [1, 2, 3]}, [0, 1, 5]
    model = CARTRegressor(pruning=None).fit(X, y)
    with pytest.raises(DataError, match="background has no rows"):
        shapley_values(model.tree_, model._read(X)[1], model._read(X)[1].take(np.zeros(0, np.int64)))
