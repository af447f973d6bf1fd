"""Trees of medians and quantiles: stored, exported, pruned, drawn; refused by name where distances do not add up."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import boxwood
from boxwood import CARTClassifier, CARTRegressor, ParameterError, Quantile
from boxwood.errors import BoxwoodError


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    X = {"大きさ": rng.normal(size=300).round(2), "都市": rng.choice(["東京", "京都", "Ulm"], 300)}
    return X, rng.exponential(np.where(X["大きさ"] > 0, 5.0, 1.0) * np.where(X["都市"] == "Ulm", 3.0, 1.0))


@pytest.fixture(scope="module")
def model(rows):
    return CARTRegressor(criterion=Quantile((0.5, 0.1, 0.9)), min_samples_leaf=10, pruning="cv").fit(*rows)


def test_all_quantiles_are_predicted(model, rows):
    X, _ = rows
    found = model.predict_fields(X)
    assert list(found) == ["value", "q10", "q90"]
    np.testing.assert_array_equal(found["value"], model.predict(X))
    assert (found["q10"] <= found["value"]).all()
    assert (found["value"] <= found["q90"]).all()
    assert list(model.predict_frame(X).columns) == ["y", "q10", "q90"]


def test_it_is_stored(model, rows, tmp_path):
    model.save(tmp_path / "quantiles.box")
    again = boxwood.load(tmp_path / "quantiles.box")
    np.testing.assert_array_equal(again.predict(rows[0]), model.predict(rows[0]))
    assert again.tree_.response == model.tree_.response
    assert again.tree_.response.levels == (0.5, 0.1, 0.9)


def test_it_names_its_quantiles(model, rows):
    assert "q90" in model.tree_.to_text()
    assert "0.5 quantile" in str(model.rules())
    median = CARTRegressor(criterion="absolute_error", max_depth=1, pruning=None).fit(*rows)
    assert "then the median of y is " in str(median.rules())
    page = median.explore(*rows).html
    assert '"words":["median","mean distance"],"edits":false' in page


def test_it_is_pruned_by_its_loss(model, rows):
    assert model.tree_.n_leaves < CARTRegressor(criterion="quantile:0.5", pruning=None).fit(*rows).tree_.n_leaves
    assert model.prune(alpha=1e9).tree_.n_leaves == 1


def test_exports_hold_what_they_can(model, rows):
    X, y = rows
    assert "q90" in model.export("sql")
    for form in ("sql", "python"):
        assert model.verify_export(form, X)
    with pytest.raises(ParameterError, match="q10, q90"):
        model.export("pmml")
    one = CARTRegressor(criterion="absolute_error", max_depth=2, pruning=None, missing="majority").fit(X, y)
    for form in ("sql", "python"):
        assert one.verify_export(form, X)


@pytest.mark.parametrize("criterion", ["absolute_error", "quantile:0.8"])
@pytest.mark.parametrize("settings", [{}, {"max_features": 2, "random_state": 1}])
def test_sparse_columns_grow_the_dense_tree(criterion, settings):
    X = sparse.random(200, 6, 0.4, random_state=1, format="csr")
    y = X.toarray()[:, 0] + np.random.default_rng(0).normal(size=200)
    found, dense = (CARTRegressor(criterion=criterion, **settings).fit(each, y) for each in (X, X.toarray()))
    assert found.tree_.n_leaves > 1
    np.testing.assert_array_equal(found.predict(X), dense.predict(X.toarray()))


def test_drawn_cuts_lie_between_values_and_depend_on_the_seed_alone(rows):
    X, y = rows
    found = [
        CARTRegressor(criterion="absolute_error", splitter="random", random_state=seed, n_jobs=jobs).fit(X, y)
        for seed, jobs in ((1, 1), (1, 2), (2, 1))
    ]
    first, same, other = (one.tree_.to_text() for one in found)
    assert first == same
    assert first != other
    assert found[0].tree_.n_leaves > 100
    leaves = found[0].apply(X)
    for node in np.unique(leaves)[:20]:
        assert found[0].tree_.value[node] == pytest.approx(np.median(y[leaves == node]))


@pytest.mark.parametrize("criterion", ["absolute_error", "quantile:0.9"])
def test_parts_of_rows_are_refused(criterion, rows):
    with pytest.raises(ParameterError, match="Data in parts needs sums over rows"):
        CARTRegressor(criterion=criterion).fit_stream([{"x": [1.0, 2.0], "y": [1.0, 2.0]}], target="y")


@pytest.mark.parametrize(
    ("given", "words"),
    [("quantile:1.5", "between 0 and 1"), ("quantile:a", "needs its parameter"), ("quantile:0.5,0.5", "different")],
)
def test_wrong_levels_are_refused(given, words, rows):
    with pytest.raises(ParameterError, match=words):
        CARTRegressor(criterion=given).fit(*rows)


def test_what_needs_sums_is_refused_by_name(model, rows):
    X, y = rows
    for words, what in {
        "refresh": lambda: model.refresh(X, y), "explain_split": lambda: model.explain_split(X, y, node=0),
        "edit needs sums": lambda: model.edit(X, y), "interval": lambda: model.predict_frame(X, interval=True),
    }.items():  # fmt: skip
        with pytest.raises(ParameterError, match=words):
            what()
    for setting in ({"monotonic_cst": [1, 0]}, {"compat": "rpart"}):
        with pytest.raises(ParameterError, match=next(iter(setting))):
            CARTRegressor(criterion="absolute_error", **setting).fit(X, y)
    with pytest.raises(BoxwoodError, match="criterion"):
        CARTClassifier(criterion="quantile:0.5").fit(X, y > 1)


@pytest.mark.parametrize("criterion", [Quantile((0.9, 0.1)), "quantile:0.3", "absolute_error", "gamma"])
def test_shapley_values_and_scikit_learn_tree_are_of_the_value(criterion, rows):
    X, y = rows[0]["大きさ"][:, None], rows[1]
    model = CARTRegressor(criterion=criterion, max_depth=3, missing="majority").fit(X, y)
    for background in (None, X[:9]):
        found = model.shap_values(X, background)
        np.testing.assert_allclose(found.values.sum(axis=1) + found.base_values, model.predict(X))
    made = model.to_sklearn(missing="never")
    np.testing.assert_allclose(made.predict(X), model.predict(X))
    assert made.criterion == ("absolute_error" if criterion == "absolute_error" else "squared_error")


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_numbers_whose_squares_overflow_are_refused(factor):
    with pytest.raises(BoxwoodError, match="spreads too"):
        CARTRegressor(criterion="absolute_error").fit([[1], [2], [3]], np.array([1.0, 2.0, 5.0]) * factor)
