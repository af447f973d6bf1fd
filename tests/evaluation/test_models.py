"""Every kind of model is evaluated, with classes of any script, weights, thresholds and costs."""

import json

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood.cli import main
from boxwood.data import datasets
from boxwood.errors import BoxwoodError, ParameterError, ResponseError


def rare(n=2000, seed=0):
    """A rare class that no leaf predicts, and that is ranked all the same."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.where(rng.random(n) < 0.3 / (1.0 + np.exp(3.0 - 2.0 * x)), "불량", "정상")
    return {"나이": x}, y


def test_a_tree_no_better_than_the_baseline_is_reported_so_first():
    X, y = rare()
    model = boxwood.CARTClassifier(pruning=None, max_depth=2, min_samples_leaf=50).fit(X, y)
    found = model.evaluate(*rare(seed=1), target_class="불량")
    share = found["accuracy"].baseline
    first = str(found).splitlines()[0]
    assert first.startswith(f"No better than always predicting 정상: accuracy {share:.3f} against {share:.3f}.")
    assert "But it ranks 불량 first: AUC 0." in first


def test_the_threshold_of_least_cost_costs_least():
    X, y = rare()
    found = (
        boxwood.CARTClassifier(min_samples_leaf=30, pruning=None).fit(X, y).evaluate(*rare(seed=1), target_class="불량")
    )
    table = found.thresholds((20, 1))
    at = found.at(table.best).confusion
    misses, alarms = at[0, 1], at[1, 0]
    assert (20 * misses + alarms) / 2000 == pytest.approx(table.cost.min(), abs=1e-12)
    records = table.to_records()
    for i, limit in enumerate(table.threshold[:-1]):
        matrix = found.at(float(limit)).confusion
        assert [matrix[0, 0], matrix[1, 0], matrix[0, 1], matrix[1, 1]] == [
            records[name][i] for name in ("hits", "false_alarms", "misses", "rejections")
        ]
    assert "< least cost" in str(table)
    assert table.to_frame("pandas").shape == (len(table.threshold), 12)


MODELS = {
    "tree": lambda: boxwood.CARTClassifier(),
    "c45": lambda: boxwood.C45Classifier(),
    "chaid": lambda: boxwood.CHAIDClassifier(min_samples_split=20, min_samples_leaf=10),
    "rules": lambda: boxwood.C45Rules(),
    "mars": lambda: boxwood.MARSClassifier(),
}


@pytest.mark.filterwarnings("ignore::boxwood.errors.PruningWarning")  # MARS separates the classes
@pytest.mark.parametrize("name", MODELS)
def test_many_classes_by_every_kind_of_model(name):
    X = boxwood.datasets.load("iris")
    y = [{"setosa": "山", "versicolor": "川", "virginica": "海"}[label] for label in X.pop("species")]
    model = MODELS[name]().fit(X, y)
    weight = np.linspace(0.5, 2.0, 150)
    found = model.evaluate(X, y, sample_weight=weight)
    assert found["accuracy"].value == pytest.approx(model.score(X, y, weight), abs=1e-12)
    assert found["accuracy"].baseline < 0.5 < 0.8 < found["auc"].value
    assert [figure.label for figure in found.by_class if figure.name == "ks"] == sorted("山川海")
    assert json.loads(found.to_json())["labels"] == sorted("山川海")
    with pytest.raises(ParameterError, match="target_class must be one of"):
        found.thresholds()
    assert found.thresholds(target_class="山").best <= 1.0


@pytest.mark.parametrize(
    "model",
    [
        boxwood.CARTRegressor(),
        boxwood.CHAIDRegressor(min_samples_split=20, min_samples_leaf=10),
        boxwood.MARSRegressor(),
    ],
)
def test_numbers_by_every_kind_of_model(model):
    X = boxwood.datasets.load("iris")
    X.pop("species")
    y = X.pop("petal_width")
    found = model.fit(X, y).evaluate(X, y)
    assert found["r2"].value == pytest.approx(model.score(X, y), abs=1e-12)
    assert found.headline == f"Not evaluated (training R² {found['r2'].value:.3f})."
    half = {name: values[::2] for name, values in X.items()}
    found = model.evaluate(half, y[::2])
    assert found.headline.startswith("Better than always predicting the mean 1.2")
    with pytest.raises(ParameterError, match="is numeric"):
        found.thresholds()
    with pytest.raises(ParameterError, match="models of classes"):
        model.evaluate(X, y, threshold=0.5)


def test_rates_are_evaluated_as_counts():
    rng = np.random.default_rng(0)
    x, years = rng.random(800), rng.uniform(0.5, 3.0, 800)
    claims = rng.poisson(years * (0.3 + x)).astype(float)
    model = boxwood.CARTRegressor(criterion="poisson").fit({"x": x}, claims, exposure=years)
    found = model.evaluate({"x": x}, claims, exposure=years)
    assert 0.0 < found["d2"].value < 1.0
    assert found["d2"].baseline == 0.0
    assert found.headline == f"Not evaluated (training mean Poisson deviance {found['poisson_deviance'].value:.3f})."


def test_the_command_line_prints_thresholds_and_refuses_what_does_not_go(tmp_path, capsys):
    model, new = str(tmp_path / "t.box"), str(datasets.path("titanic_new"))
    assert main(["fit", str(datasets.path("titanic")), "--target", "survived", "-o", model, "--quiet"]) == 0
    assert main(["evaluate", model, new, "--thresholds", "--costs", "5,1", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["best_threshold"] == pytest.approx(0.34019, abs=1e-4)
    assert facts["figures"]["auc"]["baseline"] == 0.5
    assert (
        main(["evaluate", model, new, "--threshold", "0.33", "--target-class", "yes", "--sample-weight", "fare"]) == 0
    )
    assert "yes is predicted from probability 0.33 on" in capsys.readouterr().out
    for words, sentence in (
        (["--costs", "5,1"], "--costs goes with --thresholds"),
        (["--thresholds", "--costs", "5"], "costs must be two numbers"),
        (["--target-class", "maybe"], "--target-class must be one of 'no', 'yes'"),
        (["--exposure", "fare"], "--exposure is for models of rates"),
    ):
        assert main(["evaluate", model, new, *words]) == 2
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("weight", [[-1.0] * 4, [0.0] * 4, [1.0] * 3, [np.nan] * 4])
def test_weights_that_cannot_be_used_are_refused(weight):
    model = boxwood.CARTClassifier(pruning=None).fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
    with pytest.raises(BoxwoodError):
        model.evaluate([[1], [2], [3], [4]], ["a", "a", "b", "b"], sample_weight=weight)


def test_rows_without_a_response_are_left_out_where_the_fit_dropped_them():
    X = pd.DataFrame(datasets.load("titanic"))
    y = X.pop("survived").astype(object)
    gaps = y.where(np.arange(len(y)) % 10 > 0)
    model = boxwood.CARTClassifier(max_depth=2, missing_target="drop").fit(X, gaps)
    weight = np.arange(1.0, len(y) + 1)
    found = model.evaluate(X, gaps, weight)
    known = gaps.notna().to_numpy()
    assert found.to_json() == model.evaluate(X[known], y[known], weight[known]).to_json()
    with pytest.raises(ResponseError, match="is the first of 111 without a value"):
        boxwood.CARTClassifier(max_depth=2).fit(X, y).evaluate(X, gaps)
    ages = boxwood.CARTRegressor(max_depth=2, missing_target="drop").fit(X.drop(columns="age"), X["age"])
    assert ages.evaluate(X.drop(columns="age"), X["age"]).rows.count == int(X["age"].notna().sum())


def test_a_model_of_costs_is_judged_by_costs():
    X = datasets.load("titanic")
    y, costs = X.pop("survived"), np.array([[0.0, 1.0], [5.0, 0.0]])
    found = boxwood.CARTClassifier(costs=costs.tolist(), max_depth=3, pruning=None).fit(X, y).evaluate(X, y)
    expected = (found.confusion * costs).sum() / len(y)
    always = min((costs[:, k] @ found.confusion.sum(axis=1)) / len(y) for k in (0, 1))
    assert found["cost"].value == pytest.approx(expected)
    assert found["cost"].baseline == pytest.approx(always)
    assert found.gain[0] == pytest.approx(always - expected)
    assert found.headline == f"Not evaluated (training cost per row {expected:.3f})."


def test_the_training_set_is_recognised_and_other_rows_are_not():
    X = datasets.load("titanic")
    y = np.array(X.pop("survived"))
    rng = np.random.default_rng(0)
    order, drawn = rng.permutation(len(y)), rng.integers(0, len(y), len(y))
    shuffled, new = (
        {name: np.array(values, dtype=object)[rows].tolist() for name, values in X.items()} for rows in (order, drawn)
    )
    for make in (
        lambda: boxwood.CARTClassifier(pruning=None, class_weight="balanced"),
        lambda: boxwood.C45Classifier(),
        lambda: boxwood.CHAIDClassifier(),
        lambda: boxwood.C45Rules(),
        lambda: boxwood.MARSClassifier(missing="indicator", max_terms=9),
        lambda: boxwood.TreeClassifier(termination={"max_depth": 3}),
    ):
        model = make().fit(X, y)
        found = model.evaluate(shuffled, y[order])
        assert (found.of, found.headline[:32]) == ("training set", "Not evaluated (training accuracy")
        assert np.isnan(found["accuracy"].se)
        assert model.evaluate(new, y[drawn]).of == "evaluation data"
