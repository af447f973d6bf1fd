"""Gamma and Tweedie deviance from tables, streams and files: figures of scikit-learn, laws, errors, exports."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_gamma_deviance, mean_tweedie_deviance

from boxwood import CARTRegressor, ParameterError, ResponseError, TreeRegressor, Tweedie
from boxwood import load as load_model
from boxwood.views.confidence import node_intervals

POWERS = {"gamma": 2.0, "tweedie": 1.5, "tweedie:1.8": 1.8}


def amounts(measure: str, n: int = 400) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns of every kind, some values missing, and amounts."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.choice(["u", "v", "w", "x", "y"], n), "c": rng.integers(0, 5, n) / 2.0}
    )
    y = np.exp(X["a"] + (X["b"] == "u")) * rng.gamma(2.0, 1.0, n)
    X.loc[rng.random(n) < 0.1, "a"] = np.nan
    return X, np.where((rng.random(n) < 0.3) & (measure != "gamma"), 0.0, y)


@pytest.mark.parametrize(("measure", "power"), POWERS.items())
def test_impurity_is_the_mean_deviance_of_scikit_learn(measure, power):
    X, y = amounts(measure)
    weight = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    model = CARTRegressor(criterion=measure, pruning=None, max_depth=4).fit(X, y, sample_weight=weight)
    tree, predicted = model.tree_, np.maximum(model.predict(X), 1e-300)
    found = tree.impurity()[tree.is_leaf] @ tree.weight[tree.is_leaf] / tree.weight[0]
    assert found == pytest.approx(mean_tweedie_deviance(y, predicted, sample_weight=weight, power=power), rel=1e-10)
    root = np.full(len(y), np.average(y, weights=weight))
    assert tree.impurity()[0] == pytest.approx(mean_tweedie_deviance(y, root, sample_weight=weight, power=power))
    if measure == "gamma":
        assert found == pytest.approx(mean_gamma_deviance(y, predicted, sample_weight=weight), rel=1e-10)


@pytest.mark.parametrize("measure", POWERS)
def test_a_unit_of_y_changes_no_split(measure):
    X, y = amounts(measure)
    one, other = (CARTRegressor(criterion=measure, random_state=0).fit(X, y * unit).tree_ for unit in (1.0, 2.0**-9))
    np.testing.assert_array_equal(one.splits.feature, other.splits.feature)
    np.testing.assert_array_equal(one.splits.breaks, other.splits.breaks)
    np.testing.assert_array_equal(one.value * 2.0**-9, other.value)
    if measure == "gamma":
        np.testing.assert_allclose(one.impurity(), other.impurity(), rtol=1e-9)


@pytest.mark.parametrize("measure", POWERS)
def test_weights_are_repeated_rows(measure):
    X, y = amounts(measure, 150)
    times = np.random.default_rng(2).integers(1, 4, len(y))
    settings = {"criterion": measure, "pruning": None, "max_depth": 4}
    weighted = CARTRegressor(**settings).fit(X, y, sample_weight=times).tree_
    repeated = CARTRegressor(**settings).fit(X.loc[X.index.repeat(times)], np.repeat(y, times)).tree_
    np.testing.assert_array_equal(weighted.splits.feature, repeated.splits.feature)
    np.testing.assert_array_equal(weighted.moments, repeated.moments)


@pytest.mark.parametrize(("measure", "power"), POWERS.items())
def test_exposures_divide_y_and_weigh(measure, power):
    X, y = amounts(measure)
    exposure = np.random.default_rng(3).choice([0.25, 1.0, 4.0], len(y))
    X, settings = X[["b", "c"]], {"criterion": measure, "pruning": None, "max_depth": 4}
    one = CARTRegressor(**settings).fit(X, y, exposure=exposure).tree_
    other = CARTRegressor(**settings).fit(X, y / exposure, sample_weight=exposure ** (2.0 - power)).tree_
    np.testing.assert_array_equal(one.splits.feature, other.splits.feature)
    np.testing.assert_allclose(one.value, other.value, rtol=1e-9)
    np.testing.assert_allclose(one.impurity() * one.weight, other.impurity() * other.weight, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("measure", POWERS)
def test_streams_files_and_exports(measure, tmp_path):
    X, y = amounts(measure)
    frame = X.assign(y=y, e=np.random.default_rng(4).choice([0.5, 1.0, 2.0], len(y)))
    settings = {"criterion": measure, "pruning": "cv", "random_state": 0}
    model = CARTRegressor(**settings).fit(X, y, exposure=frame["e"])
    parts = [frame.iloc[i : i + 90] for i in range(0, len(frame), 90)]
    streamed = CARTRegressor(**settings).fit_stream(parts, target="y", exposure="e")
    np.testing.assert_array_equal(streamed.tree_.moments, model.tree_.moments)
    assert streamed.tree_.response == model.tree_.response
    assert model.tree_.n_leaves > 1
    model.save(tmp_path / "amounts.box")
    again = load_model(tmp_path / "amounts.box")
    assert again.tree_.response == model.tree_.response
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.tree_.impurity(), model.tree_.impurity())
    for kind in ("python", "sql", "json", "c"):
        assert model.verify_export(kind, X), kind


def test_held_out_losses_are_deviances():
    X, y = amounts("gamma")
    model = CARTRegressor(criterion="gamma", pruning="cv-1se", random_state=0).fit(X, y)
    assert model.model_.loss == "gamma"
    table = model.cp_table()
    assert float(table[0]["xerror"]) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(
    ("measure", "y", "words"),
    [
        ("gamma", [1.0, 0.0], "y must be above 0 for criterion='gamma'; row 1 .counted from 0. holds 0.0"),
        ("tweedie", [1.0, -2.0], "y must be at least 0 for criterion='tweedie'; row 1 .counted from 0. holds -2.0"),
        ("gamma", [1.0, 1e200], "y must be of moderate size"),
    ],
)
def test_amounts_that_have_no_deviance_are_refused(measure, y, words):
    with pytest.raises(ResponseError, match=words) as refused:
        CARTRegressor(criterion=measure).fit([[1], [2]], y)
    error = refused.value
    assert (error.argument, error.row, error.value) == ("criterion", 1, y[1])


@pytest.mark.parametrize("power", [1, 2.0, 0.5, True, "1.5", float("nan")])
def test_other_powers_are_refused(power):
    with pytest.raises(ParameterError, match="power of Tweedie must be a number"):
        Tweedie(power)


def test_zeros_alone_are_pure():
    tree = CARTRegressor(criterion="tweedie", pruning=None).fit([[1], [2], [3]], [0.0, 0.0, 0.0]).tree_
    assert (tree.n_nodes, tree.value[0], tree.impurity()[0]) == (1, 0.0, 0.0)


@pytest.mark.parametrize(("criterion", "power", "name"), [("gamma", 2.0, "gamma"), ("tweedie:1.3", 1.3, "tweedie")])
@pytest.mark.parametrize("exposed", [False, True])
def test_evaluations_have_the_deviance_that_the_model_minimises(criterion, power, name, exposed):
    from sklearn.metrics import mean_tweedie_deviance

    rng = np.random.default_rng(7)
    X, e = rng.normal(size=(300, 2)), rng.uniform(0.5, 2.0, 300) if exposed else np.ones(300)
    y = e * rng.gamma(2.0, np.exp(0.5 * X[:, 0]))
    exposure = e if exposed else None
    model = CARTRegressor(criterion=criterion, max_depth=2, pruning=None).fit(X, y, exposure=exposure)
    found = model.evaluate(X, y, exposure=exposure)
    names = [figure.name for figure in found.figures]
    assert f"{name}_deviance" in names
    assert "poisson_deviance" not in names
    expected = mean_tweedie_deviance(y, model.predict(X) * e, power=power)
    np.testing.assert_allclose(found[f"{name}_deviance"].value, expected, rtol=1e-12)
    null = mean_tweedie_deviance(y, e * (y.sum() / e.sum()), power=power)
    np.testing.assert_allclose(found["d2"].value, 1.0 - expected / null, rtol=1e-9)


@pytest.mark.parametrize("criterion", ["poisson", "gamma", "tweedie", Tweedie(1.7)])
def test_a_composed_tree_of_the_choices_of_cart_is_the_tree_of_cart(criterion):
    rng = np.random.default_rng(9)
    X = rng.normal(size=(300, 3))
    y = rng.gamma(2.0, np.exp(0.5 * X[:, 0]))
    y = np.floor(y) if criterion == "poisson" else y
    composed = TreeRegressor(criterion=criterion, termination={"max_depth": 4}).fit(X, y)
    cart = CARTRegressor(criterion=criterion, max_depth=4, pruning=None).fit(X, y)
    assert composed.tree_.response == cart.tree_.response
    np.testing.assert_array_equal(composed.predict(X), cart.predict(X))


@pytest.mark.parametrize("criterion", ["gamma", "tweedie:1.5"])
def test_the_interval_of_a_mean_is_on_the_scale_of_its_logarithm(criterion):
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        y = rng.gamma(2.0, 5.0, 40)
        tree = CARTRegressor(criterion=criterion, max_depth=0, pruning=None).fit(np.zeros((40, 1)), y).tree_
        (low,), (high,) = node_intervals(tree, np.array([0]))
        np.testing.assert_allclose(low * high, tree.value[0] ** 2)
        covered += low <= 10.0 <= high
    assert 360 <= covered <= 396
