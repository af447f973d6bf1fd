"""compare with boosting and forest: predictions of scikit-learn on the same rows, and the price of a readable tree."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestRegressor

from boxwood import ParameterError, compare, datasets
from boxwood.algorithms.comparison.price import Price
from boxwood.cli import main


def numbers(n: int = 240) -> tuple[dict, np.ndarray]:
    random = np.random.default_rng(2)
    X = {"a": random.normal(size=n), "b": random.normal(size=n)}
    return X, X["a"] * X["b"] + random.normal(size=n) / 2


def test_the_scores_are_those_of_scikit_learn_on_the_same_folds():
    X, y = numbers()
    table, fold = np.column_stack([X["a"], X["b"]]), np.arange(len(y)) % 3
    labels, weight = np.where(y > 0, "上", "下"), 1.0 + np.arange(len(y)) % 2
    found = compare(X, labels, ["cart", "boosting"], folds=fold, sample_weight=weight)
    right = np.zeros(len(y))
    for f in range(3):
        rows = fold != f
        model = HistGradientBoostingClassifier(random_state=0).fit(
            table[rows], labels[rows], sample_weight=weight[rows]
        )
        right[~rows] = model.predict(table[~rows]) == labels[~rows]
    assert found["boosting"].score == pytest.approx(np.average(right, weights=weight))
    assert np.isnan(found["boosting"].leaves)


def test_the_price_is_the_paired_difference_from_the_best_tree():
    X, y = numbers()
    fold = np.arange(len(y)) % 3
    found = compare(X, y, {"tree": "cart", "stump": "cart/1se", "trees": "forest"}, folds=fold, scoring="mse")
    table, error = np.column_stack([X["a"], X["b"]]), np.zeros(len(y))
    for f in range(3):
        rows = fold != f
        model = RandomForestRegressor(random_state=0).fit(table[rows], y[rows])
        error[~rows] = (model.predict(table[~rows]) - y[~rows]) ** 2
    price = found.price
    best = min(("tree", "stump"), key=lambda name: found[name].score)
    assert (price.tree, price.baseline) == (best, "trees")
    assert price.price == pytest.approx(found[best].score - error.mean())
    apart = found[best].loss - found["trees"].loss
    assert price.se == pytest.approx(np.sqrt(((apart - apart.mean()) ** 2).sum()) / len(apart))
    assert price.words("mse") in str(found)
    assert compare(X, y, ["cart"], folds=fold).price is None
    assert compare(X, y, ["forest"], folds=fold).price is None


def test_levels_and_gaps_are_used_without_preparation():
    n = 300
    random = np.random.default_rng(3)
    city = random.choice([f"市{i}" for i in range(12)], n)
    y = np.where(city == "市7", 1, 0)
    names = [f"row {i}" for i in range(n)]
    size = np.where(random.random(n) < 0.2, np.nan, random.normal(size=n))
    size[0] = np.inf
    found = compare(
        {"city": [*city[:-1], None], "size": size, "name": names}, y, ["cart", "boosting", "forest"], folds=3
    )
    for name in ("boosting", "forest"):
        assert found[name].error == ""
        assert found[name].score > found.baseline.score
    probability = compare({"city": city}, y, ["boosting", "forest"], folds=3, scoring="log_loss")
    assert all(entry.score < 0.3 for entry in probability.entries)


def test_counts_are_modelled_as_rates():
    random = np.random.default_rng(4)
    x, exposure = random.normal(size=400), random.uniform(0.5, 20, 400)
    y = random.poisson(exposure * np.exp(x))
    found = compare({"x": x}, y, ["boosting", "forest"], folds=3, exposure=exposure, task="regression")
    assert all(entry.score > 0.5 for entry in found.entries)


def test_the_sentence():
    assert Price("cart", "forest", 0.8, 0.8, 1, 0.0, 0.01).words("auc") == (
        "A readable tree costs nothing here: auc of cart 0.800 with 1 leaf, forest 0.800."
    )
    assert "less than two standard errors" in Price("cart", "forest", 0.8, 0.81, 5, 0.01, 0.01).words("auc")


def test_a_wrong_name_is_refused_with_all_names():
    with pytest.raises(ParameterError, match="boosting, forest; got 'boostin'; did you mean 'boosting'"):
        compare({"x": [1, 2, 3, 4]}, [0, 1, 0, 1], ["boostin"])


def test_the_command_prints_the_price(capsys):
    words = ["compare", str(datasets.path("iris")), "--target", "species", "--models", "cart,forest", "--folds", "3"]
    assert main(words) == 0
    assert "readable tree" in capsys.readouterr().out.splitlines()[-1]
    assert main([*words, "--json"]) == 0
    price = json.loads(capsys.readouterr().out)["price"]
    assert (price["tree"], price["baseline"]) == ("cart", "forest")
