"""Several responses at once: y of several columns in CART, and what is refused because it reads one."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, CHAIDClassifier
from boxwood.errors import BoxwoodError, ModelFileError, ParameterError, ResponseError
from boxwood.pruning.losses import training_losses
from boxwood.statistics.responses.several import SeveralNumbers
from boxwood.tree.meaning import check_response

N = 300
RNG = np.random.default_rng(1)
X = {
    "年齢": RNG.normal(size=N).round(2),
    "town": RNG.choice(["Ulm", "京都", "Bonn", "Jena"], N),
    "x": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
}
OLD, KYOTO = X["年齢"] > 0, X["town"] == "京都"
NUMBERS = {"身長": 160 + 10 * OLD + RNG.normal(size=N), "weight": 60 - 5 * KYOTO + 8 * OLD + RNG.normal(size=N)}
NOISE = RNG.random(N) < 0.2
CLASSES = {"色": np.where(OLD ^ NOISE, "red", "blue"), "size": np.where(KYOTO & OLD, "L", np.where(OLD, "M", "S"))}
CASES = [(CARTRegressor, NUMBERS), (CARTClassifier, CLASSES)]
by_case = pytest.mark.parametrize(("kind", "y"), CASES, ids=["numbers", "classes"])


def fitted(kind, y, **settings):
    return kind(**{"min_samples_leaf": 10} | settings).fit(X, y)


def test_numbers_are_predicted():
    model = fitted(CARTRegressor, NUMBERS)
    assert (model.n_outputs_, model.predict(X).shape) == (2, (N, 2))
    fields = model.predict_fields(X)
    assert list(fields) == ["身長", "weight"]
    for r, name in enumerate(NUMBERS):
        leaves = model.apply(X)
        mean = [NUMBERS[name][leaves == leaf].mean() for leaf in leaves]
        np.testing.assert_allclose(model.predict(X)[:, r], mean, rtol=1e-12)
        np.testing.assert_array_equal(fields[name], model.predict(X)[:, r])


def test_classes_are_predicted():
    model = fitted(CARTClassifier, CLASSES, pruning=None)
    assert [labels.tolist() for labels in model.classes_] == [["blue", "red"], ["L", "M", "S"]]
    assert (model.n_outputs_, model.n_classes_) == (2, [2, 3])
    leaves = model.apply(X)
    for r, (name, p) in enumerate(zip(CLASSES, model.predict_proba(X), strict=True)):
        shares = [[np.mean(CLASSES[name][leaves == leaf] == label) for label in model.classes_[r]] for leaf in leaves]
        np.testing.assert_allclose(p, shares, atol=1e-12)
        np.testing.assert_array_equal(model.predict(X)[:, r], model.classes_[r][p.argmax(axis=1)])
        np.testing.assert_allclose(np.exp(model.predict_log_proba(X)[r]), p, rtol=1e-14)


def test_labels_of_different_types_keep_theirs():
    y = {"色": CLASSES["色"], "old": OLD.astype(int)}
    model = fitted(CARTClassifier, y)
    assert {type(value) for value in model.predict(X)[0]} == {str, int}


def as_array(y):
    return np.column_stack(list(y.values()))


def as_rows(y):
    return list(zip(*y.values(), strict=True))


@pytest.mark.parametrize("kind", [pd.DataFrame, as_array, as_rows])
def test_containers_of_y(kind):
    one, other = fitted(CARTClassifier, CLASSES), fitted(CARTClassifier, kind(CLASSES))
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
    assert other.tree_.response.name in ("色, size", "y0, y1")
    assert other.score(X, CLASSES if kind is pd.DataFrame else kind(CLASSES)) == one.score(X, CLASSES)


def test_units_of_responses_do_not_matter_but_with_equal_weights():
    scaled = NUMBERS | {"weight": NUMBERS["weight"] * 1024}
    one, other = fitted(CARTRegressor, NUMBERS), fitted(CARTRegressor, scaled)
    np.testing.assert_array_equal(one.tree_.splits.breaks, other.tree_.splits.breaks)
    assert one.tree_.impurity()[0] == pytest.approx(2.0)
    mean = fitted(CARTRegressor, NUMBERS, response_weights="equal").tree_.impurity()[0]
    assert mean == pytest.approx(np.mean([y.var() for y in NUMBERS.values()]))
    alone = fitted(CARTRegressor, NUMBERS, response_weights={"身長": 1e-9, "weight": 1.0}, max_depth=1)
    assert alone.tree_.splits.breaks[0] == CARTRegressor(max_depth=1).fit(X, NUMBERS["weight"]).tree_.splits.breaks[0]
    np.testing.assert_array_equal(
        fitted(CARTRegressor, NUMBERS, response_weights=[1, 3]).predict(X),
        fitted(CARTRegressor, NUMBERS, response_weights={"weight": 3, "身長": 1}).predict(X),
    )


@by_case
def test_row_order_and_threads_do_not_matter(kind, y):
    order = np.random.default_rng(2).permutation(N)
    one = fitted(kind, y, n_jobs=1)
    other = kind(min_samples_leaf=10, n_jobs=2).fit(
        {name: values[order] for name, values in X.items()}, {name: values[order] for name, values in y.items()}
    )
    np.testing.assert_array_equal(one.tree_.moments, other.tree_.moments)
    np.testing.assert_array_equal(one.tree_.splits.breaks, other.tree_.splits.breaks)


@by_case
def test_weights_are_copies(kind, y):
    times = np.random.default_rng(3).integers(1, 4, N)
    again = {name: np.repeat(values, times) for name, values in X.items()}
    copied = {name: np.repeat(values, times) for name, values in y.items()}
    one = kind(pruning=None, max_depth=4).fit(X, y, sample_weight=times)
    other = kind(pruning=None, max_depth=4).fit(again, copied)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


@by_case
@pytest.mark.parametrize("missing", ["surrogate", "majority", "learned", "own_branch", "stay"])
def test_policies_and_files(kind, y, missing, tmp_path):
    model = fitted(kind, y, missing=missing)
    model.save(tmp_path / "model.box")
    again = boxwood.load(tmp_path / "model.box")
    for other in (again, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        assert str(other.tree_) == str(model.tree_)
    assert again.model_.to_bytes() == model.model_.to_bytes()


def test_a_damaged_response_is_refused():
    model = fitted(CARTRegressor, NUMBERS).model_
    response, labels = model.full_tree.response, fitted(CARTClassifier, CLASSES).tree_.response.responses[0]
    for wrong in (
        SeveralNumbers("y", response.responses, (1.0,)),
        SeveralNumbers("y", response.responses[:1] * 2, response.weights),
        SeveralNumbers("y", (response.responses[0], labels), response.weights),
    ):
        with pytest.raises(ModelFileError):
            check_response(wrong)


@by_case
def test_it_is_pruned(kind, y):
    full = fitted(kind, y, pruning=None, min_samples_leaf=2)
    pruned = fitted(kind, y, min_samples_leaf=2)
    assert pruned.tree_.n_leaves <= full.tree_.n_leaves
    assert pruned.model_.cv["judged_by"] == "folds"
    np.testing.assert_array_equal(pruned.prune(alpha=0.0).predict(X), full.prune(alpha=0.0).predict(X))
    assert fitted(kind, y, min_samples_leaf=2, pruning="reduced_error").tree_.n_leaves <= full.tree_.n_leaves
    risks = full.cost_complexity_path_.impurities
    assert (np.diff(risks) >= -1e-12).all()
    assert full.prune(X, y, pruner="reduced_error").tree_.n_leaves <= full.model_.full_tree.n_leaves


def test_held_out_losses_are_weighted_sums():
    model = fitted(CARTRegressor, NUMBERS, pruning=None)
    path, weights = model.model_, model.tree_.response.weights
    rows = path.tree.response.read(NUMBERS)
    losses = sum(w * (rows[:, r] - model.predict(X)[:, r]) ** 2 for r, w in enumerate(weights))
    risks = model.tree_.weight * model.tree_.impurity()
    assert losses.sum() == pytest.approx(risks[model.tree_.is_leaf].sum())


@by_case
def test_it_is_written_and_drawn(kind, y):
    model = fitted(kind, y)
    text = str(model.tree_)
    for name in y:
        assert f"{name} " in text
        assert name in model.to_svg()
    table = model.tree_.to_frame("dict")
    assert all(f"value_{name}" in table for name in y)
    assert model.importance().to_frame("dict")["feature"]
    frame = model.predict_frame(X, keep=["town"], node=True)
    assert list(frame)[:3] == ["town", *y]
    assert model.score(X, y) == pytest.approx(np.mean([model.of_response(name).score(X, y[name]) for name in y]))


@by_case
def test_each_response_is_evaluated(kind, y):
    model = fitted(kind, y)
    found = model.evaluate(X, y)
    figure = "r2" if kind is CARTRegressor else "accuracy"
    assert list(found) == list(y)
    assert found.mean[figure] == pytest.approx(np.mean([found[name][figure].value for name in y]))
    assert "Mean over the responses" in str(found)
    assert set(found.to_frame("dict")["response"]) == set(y)
    assert '"mean"' in found.to_json()
    with pytest.raises(ParameterError, match="response must be one of"):
        found["color"]


@by_case
def test_one_response_is_a_tree_like_any_other(kind, y, tmp_path):
    model = fitted(kind, y)
    for r, name in enumerate(y):
        alone = model.of_response(name)
        np.testing.assert_array_equal(alone.predict(X), model.predict(X)[:, r])
        np.testing.assert_array_equal(model.tree_.of_response(r).predict(X), model.predict(X)[:, r])
        assert alone.verify_export("python", X)
        assert str(alone.rules())
        assert str(alone.explain({key: values[:1] for key, values in X.items()}))
        alone.save(tmp_path / "alone.box")
        np.testing.assert_array_equal(boxwood.load(tmp_path / "alone.box").predict(X), alone.predict(X))
        inner = ~alone.tree_.is_leaf
        assert (alone.tree_.score[inner] >= 0).all()
    with pytest.raises(ParameterError, match="response must be one of"):
        model.of_response("height")
    single = kind(min_samples_leaf=10).fit(X, next(iter(y.values())))
    assert single.of_response(0).tree_ is single.tree_


@by_case
def test_rules_show_all_responses(kind, y):
    model = fitted(kind, y, max_depth=2)
    rules, records = model.rules(), model.rules().to_records()
    for name in y:
        alone = model.of_response(name).rules()
        for one, other in zip(rules, alone, strict=True):
            assert one.conditions() == other.conditions()
            assert (one.value[name], one.rows, one.interval[name]) == (other.value, other.rows, other.interval)
            figures = other.lift, other.index, other.confidence
            assert (one.lift[name], one.index[name], one.confidence[name]) == figures
            number = str(other).splitlines()[1].strip()
            assert f"\n  {name}: {number}" in str(one)
        for column, values in alone.to_records().items():
            what, mark, label = column.partition("_")
            assert records.get(f"{what}_{name}{mark}{label}", records.get(column)) == values
    assert f" and {name} is " in str(rules)
    assert " is always " in str(fitted(kind, y, max_depth=0).rules())
    for refused in (rules.gains, lambda: rules.of("red"), lambda: rules.with_profit((5, 1))):
        with pytest.raises(ParameterError, match="reads one response, and the model predicts 2"):
            refused()


@by_case
@pytest.mark.parametrize("missing", ["surrogate", "stay"])
def test_explanations_show_all_responses(kind, y, missing):
    model = fitted(kind, y, max_depth=2, missing=missing)
    rows = {"年齢": [0.5, None, -0.5], "town": ["京都", "Ulm", None], "x": [0.0, None, 1.0]}
    found, predicted = model.explain(rows), model.predict(rows)
    records, text = found.to_records(), str(found)
    assert found.count() == model.of_response(0).explain(rows).count()
    for r, name in enumerate(y):
        alone = model.of_response(name).explain(rows)
        assert [row.prediction[name] for row in found] == predicted[:, r].tolist()
        for one, other in zip(found, alone, strict=True):
            assert [step.decided for step in one.steps] == [step.decided for step in other.steps]
            sums = {feature: parts[name] for feature, parts in one.contributions.items()}
            np.testing.assert_equal(sums, other.contributions)
            np.testing.assert_equal(one.baseline[name], other.baseline)
            assert str(other).splitlines()[0].partition(": ")[2] in str(one).splitlines()[0]
        for column, values in alone.to_records().items():
            what, mark, label = column.partition("_")
            np.testing.assert_equal(records.get(f"{what}_{name}{mark}{label}", records.get(column)), values)
        assert f" {name} " in text


#: Arguments of public methods, by name.
GIVEN = {
    "X": X, "columns": ["年齢"], "format": "c", "nodes": np.array([1]), "feature": "年齢", "features": ["年齢", "x"],
    "response": 0, "condition": "x > 0", "pruner": "reduced_error",
}  # fmt: skip
ROW = {name: values[:1] for name, values in X.items()}
#: Methods that show all responses.
WHOLE = {
    "apply", "binary_lifting", "cp_table", "decision_path", "evaluate", "explain", "explore", "get_depth",
    "get_n_leaves", "grow_below", "importance", "impurity", "nodes_where", "of_response", "path", "paths_to", "plot",
    "plot_importance", "plot_pruning", "predict", "predict_fields", "predict_frame", "predict_log_proba",
    "predict_proba", "prune", "routing", "rows_where", "rules", "save", "score", "to_codes", "to_frame", "to_svg",
    "to_text",
}  # fmt: skip
#: Not about what the model predicts, or refused for another reason first.
APART = {
    "fit", "fit_stream", "set_params", "get_params", "get_metadata_routing", "set_callbacks", "certificate", "to_shap",
    "to_treelite", "verify_dossier",
}  # fmt: skip


def outcome(holder, name, y, tmp_path):
    """What a public method does: "works", "refused", or the error."""
    method, given = getattr(holder, name), {}
    for one in inspect.signature(method).parameters:
        if one in GIVEN and not (one == "feature" and name == "plot"):
            given[one] = GIVEN[one]
    if name in ("counterfactual", "letter", "explain"):
        given["X"] = ROW
    if "y" in inspect.signature(method).parameters and name not in ("plot", "to_svg"):
        given["y"] = y
    if name in ("plot", "to_svg"):
        del given["X"]
    if "node" in inspect.signature(method).parameters and name != "predict_frame":
        given["node"] = 1
    if "path" in inspect.signature(method).parameters:
        given["path"] = tmp_path / "out.svg"
    if name == "paths_to":
        given["nodes"] = [1]
    try:
        method(**given)
    except BoxwoodError as error:
        return "refused" if "reads one response, and the model predicts 2" in str(error) else repr(error)
    return "works"


@pytest.mark.filterwarnings("ignore::boxwood.errors.FontWarning")
@by_case
def test_every_method_works_or_is_refused_by_name(kind, y, tmp_path):
    model = fitted(kind, y)
    found = {}
    for holder in (model, model.tree_):
        for name in dir(type(holder)):
            is_method = callable(getattr(type(holder), name)) and not name.startswith(("_", "set_"))
            if is_method and name not in APART and not (name == "predict_proba" and kind is CARTRegressor):
                found[name] = outcome(holder, name, y, tmp_path)
                model = fitted(kind, y) if name in ("prune", "grow_below") else model
    assert {name: what for name, what in found.items() if what not in ("works", "refused")} == {}
    assert {name for name, what in found.items() if what == "works"} - WHOLE == set()
    assert {name for name, what in found.items() if what == "refused"} & WHOLE == set()
    for option in ({"interval": True}, {"reasons": 1}):
        with pytest.raises(ParameterError, match=f"{next(iter(option))} reads one response"):
            model.predict_frame(X, **option)
    with pytest.raises(ParameterError, match="diff reads one response"):
        boxwood.diff(model, model)
    for name in ("value", "further", "probability"):
        with pytest.raises(ParameterError, match="reads one response"):
            getattr(model.tree_, name)


@pytest.mark.parametrize(
    ("settings", "argument"),
    [
        ({"class_weight": "balanced"}, "class_weight"),
        ({"priors": "uniform"}, "priors"),
        ({"costs": [[0, 1], [1, 0]]}, "costs"),
        ({"target_class": "red"}, "target_class"),
        ({"monotonic_cst": {"x": 1}}, "monotonic_cst"),
        ({"compat": "rpart"}, "compat"),
        ({"criterion": "entropy"}, "criterion"),
        ({"response_weights": [1, 2, 3]}, "response_weights"),
        ({"response_weights": {"色": 1}}, "response_weights"),
        ({"response_weights": [0, 1]}, "response_weights"),
    ],
)
def test_settings_of_one_response_are_refused(settings, argument):
    with pytest.raises(ParameterError) as caught:
        CARTClassifier(**settings).fit(X, CLASSES)
    assert caught.value.argument == argument


def test_means_have_no_probability():
    with pytest.raises(ParameterError, match="it has no probability"):
        fitted(CARTRegressor, NUMBERS).tree_.predict_proba(X)


def test_other_refusals():
    with pytest.raises(ParameterError, match="response_weights needs several responses"):
        CARTRegressor(response_weights="equal").fit(X, NUMBERS["身長"])
    with pytest.raises(ResponseError, match="got 2 columns instead"):
        CHAIDClassifier().fit(X, CLASSES)
    with pytest.raises(ParameterError) as caught:
        CARTRegressor().fit(X, NUMBERS, exposure=np.ones(N))
    assert caught.value.argument == "exposure"
    with pytest.raises(ResponseError, match="must have the columns of fit"):
        fitted(CARTRegressor, NUMBERS).evaluate(X, NUMBERS["weight"])
    with pytest.raises(ResponseError, match="response '色': y holds a label"):
        fitted(CARTClassifier, CLASSES).prune(X, CLASSES | {"色": ["green"] * N}, pruner="reduced_error")


def test_rows_without_some_response():
    gaps = NUMBERS | {"身長": np.where(np.arange(N) < 3, np.nan, NUMBERS["身長"])}
    with pytest.raises(ResponseError, match=r"response '身長'.*contains NaN") as caught:
        CARTRegressor().fit(X, gaps)
    assert (caught.value.row, caught.value.column) == (0, "身長")
    assert CARTRegressor(missing_target="drop").fit(X, gaps).tree_.rows[0] == N - 3
    coded = NUMBERS | {"身長": np.where(np.arange(N) < 5, -9.0, NUMBERS["身長"])}
    model = CARTRegressor(missing_target="drop", missing_values={"身長": [-9]}).fit(X, coded)
    assert model.tree_.rows[0] == N - 5


def test_constant_responses():
    model = CARTRegressor().fit(X, {"a": np.ones(N), "b": np.full(N, 3.0)})
    assert model.tree_.n_nodes == 1
    one = CARTRegressor(max_depth=2, pruning=None).fit(X, {"a": np.ones(N), "b": NUMBERS["身長"]})
    alone = CARTRegressor(max_depth=2, pruning=None).fit(X, NUMBERS["身長"])
    np.testing.assert_array_equal(one.tree_.splits.breaks, alone.tree_.splits.breaks)


def test_a_column_too_many_is_refused():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=(40, 2))
    model = CARTRegressor(max_depth=2, pruning=None).fit(X, y)
    assert model.evaluate(X, y)["y1"]["mse"].value > 0
    with pytest.raises(ResponseError, match="must have the columns of fit"):
        model.evaluate(X, np.column_stack([y, y[:, 0]]))


@by_case
def test_training_losses_are_the_weighted_sums_of_those_of_each_response(kind, y):
    tree = fitted(kind, y).model_.full_tree
    loss = {"numbers": "squared_error", "classifications": "brier"}[tree.response.kind]
    each = [w * training_losses(tree.of_response(r), loss) for r, w in enumerate(tree.response.weights)]
    np.testing.assert_allclose(training_losses(tree, loss), sum(each), rtol=1e-12)
