"""Folds are evaluated until they hold enough rows; how many is known, stored and printed."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, CostComplexity
from boxwood.errors import ModelFileError, ParameterError
from boxwood.evaluation.rows import counted_rows
from boxwood.model.settings import restored
from boxwood.model.tree_model import TreeModel
from boxwood.pruning.growth import Growth
from boxwood.pruning.losses import HeldOutLosses
from boxwood.pruning.pruners import enough_rows
from boxwood.tree import store


def table(n: int = 1000):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 4))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)


@pytest.fixture
def any_spread(monkeypatch):
    """However much losses differ, so many rows are enough."""
    monkeypatch.setattr(enough_rows, "CERTAIN", 1e6)


@pytest.fixture
def held_out(monkeypatch):
    """Which rows were held out of the trees of folds."""
    found, of_growth = [], Growth.trees

    def trees(growth, learning, keeps):
        found.extend(~keep for keep in keeps)
        return of_growth(growth, learning, keeps)

    monkeypatch.setattr(Growth, "trees", trees)
    return found


@pytest.mark.parametrize(
    ("enough", "evaluated"), [(1, 1), (149, 1), (151, 2), (250, 3), (949, 9), (951, 10), (20_000, 10), (None, 10)]
)
def test_the_first_folds_that_hold_enough(held_out, any_spread, enough, evaluated):
    X, y = table()
    CARTRegressor(pruning=CostComplexity(enough_rows=None)).fit(X, y)
    whole = list(held_out)
    held_out.clear()
    model = CARTRegressor(pruning=CostComplexity(enough_rows=enough)).fit(X, y)
    assert np.array_equal(held_out, whole[:evaluated])
    assert model.model_.cv["folds"] == (evaluated, 10)


def test_more_folds_where_losses_differ_much(held_out, monkeypatch):
    monkeypatch.setattr(enough_rows, "CERTAIN", 0.05)
    X, y = table(3000)
    rare = CARTClassifier(max_depth=3, pruning=CostComplexity(enough_rows=300, loss="error")).fit(X, y > 4.0)
    often = CARTClassifier(max_depth=3, pruning=CostComplexity(enough_rows=300, loss="error")).fit(X, y > 0.0)
    assert rare.model_.cv["folds"] == (10, 10)
    evaluated = often.model_.cv["folds"][0]
    assert 1 < evaluated < 10
    assert len(held_out) == 10 + evaluated
    error, se = often.model_.cv["error"], often.model_.cv["se"]
    assert se == pytest.approx(0.05 * error, rel=0.25)


def test_spread_of_losses():
    loss, weight = np.array([0.0, 1.0, 3.0, 1.0]), np.array([1.0, 2.0, 1.0, 0.5])
    square = weight**2
    sums = [(weight @ loss, 0.0, np.inf), (square @ loss, 0.0, np.inf), (square @ loss**2, 0.0, np.inf), (0.0,) * 3]
    losses = HeldOutLosses(np.array([sums]), np.array([[weight.sum(), square.sum()]]), np.ones(1))
    mean = np.average(loss, weights=weight)
    assert losses.spread(0) == pytest.approx(np.average((loss - mean) ** 2, weights=square) / mean**2)
    assert losses.spread(1) == 0.0
    assert losses.spread(2) == np.inf


def test_losses_are_of_the_rows_evaluated(any_spread):
    X, y = table()
    model = CARTClassifier(pruning=CostComplexity(enough_rows=200, loss="error")).fit(X, y > 0)
    cv = model.model_.cv
    confusion = cv["confusion"]
    assert confusion.sum() == 200
    assert cv["error"] == pytest.approx((confusion.sum() - np.trace(confusion)) / 200)
    assert cv["se"] == pytest.approx(np.sqrt(cv["error"] * (1 - cv["error"]) / 200))


@pytest.mark.parametrize(
    "pruning",
    [
        CostComplexity(rule="1se", enough_rows=100),
        CostComplexity(style="rpart", enough_rows=100),
        CostComplexity(folds=np.arange(1000) % 10, enough_rows=100),
    ],
)
def test_all_folds(any_spread, pruning):
    assert CARTRegressor(pruning=pruning).fit(*table()).model_.cv["folds"] == (10, 10)


def test_all_folds_as_in_rpart(any_spread):
    model = CARTRegressor(compat="rpart", pruning=CostComplexity(enough_rows=100)).fit(*table())
    assert model.model_.cv["folds"] == (10, 10)


def test_rows_are_counted_whatever_their_weight(any_spread):
    X, y = table(300)
    weight = np.arange(300) % 3 + 1
    pruning = CostComplexity(enough_rows=90)
    for given in (None, weight):
        model = CARTClassifier(pruning=pruning).fit(X, y > 0, sample_weight=given).model_
        assert model.cv["folds"] == (3, 10)
    repeated = CARTClassifier(pruning=pruning).fit(X.repeat(weight, axis=0), (y > 0).repeat(weight)).model_
    assert repeated.cv["folds"] == (2, 10)  # of 600 rows


@pytest.mark.parametrize("rows", [0, -5, 2.5, True, "all"])
def test_refused(rows):
    with pytest.raises(ParameterError, match="enough_rows must be None or a whole number"):
        CostComplexity(enough_rows=rows)


def test_files_keep_it(any_spread, tmp_path):
    X, y = table()
    model = CARTClassifier(pruning=CostComplexity(enough_rows=200)).fit(X, y > 0)
    model.save(tmp_path / "tree.box")
    again = boxwood.load(tmp_path / "tree.box")
    assert again.model_.cv["folds"] == (2, 10)
    assert again.pruning.enough_rows == 200
    tree, extra, arrays = store.from_bytes(model.model_.to_bytes())
    for folds in ([3, 2], [0, 2], [2], "2", [True, 2]):
        with pytest.raises(ModelFileError, match="folds"):
            TreeModel.from_bytes(store.to_bytes(tree, extra | {"folds": folds}, arrays))


def test_a_pruner_of_earlier_files_evaluates_all_folds():
    X, y = table()
    model = CARTClassifier(pruning=CostComplexity()).fit(X, y > 0).model_
    tree, extra, arrays = store.from_bytes(model.to_bytes())
    del extra["settings"]["pruning"]["enough_rows"]
    again = TreeModel.from_bytes(store.to_bytes(tree, extra, arrays))
    assert restored(again.settings)["pruning"].enough_rows is None


def test_an_evaluation_counts_the_rows_held_out():
    counts = np.array([[30.0, 10.0], [5.0, 55.0]])
    assert counted_rows(("a", "b"), counts, np.ones(400)).count == 100
    assert counted_rows(("a", "b"), 4 * counts, np.ones(400)).count == 400
