"""Data at the edge of what can be fitted: few rows, no information, far numbers, light weights; and wrong settings."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import boxwood
from boxwood import MARSClassifier, MARSRegressor
from mars.problems import problem


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_few_rows_give_a_constant(n):
    X, y = np.arange(3.0 * n).reshape(n, 3) ** 2, np.arange(float(n))
    model = MARSRegressor(max_degree=2).fit(X, y)
    assert model.predict(X) == pytest.approx(np.full(n, y.mean()))
    if n == 1:
        with pytest.raises(boxwood.ParameterError, match="needs at least 2 rows; there is 1"):
            MARSRegressor(cv_folds=5).fit(X, y)
    else:
        low, high = MARSRegressor(cv_folds=5).fit(X, y).predict_interval(X[:1])[0]
        assert low < high


@pytest.mark.parametrize("degree", [1, 2])
def test_columns_that_add_nothing_new_change_nothing(degree):
    X, y, _ = problem(21)
    idle = [np.ones(len(y)), np.zeros(len(y))]
    if degree == 1:  # beyond it a copy is news: a feature may be multiplied with its copy, not with itself
        idle += [X[:, 0], X[:, 1], 2.0 * X[:, 2]]
    settings = {"max_degree": degree, "minspan": 3, "endspan": 8}
    one = MARSRegressor(**settings).fit(X, y).model_
    more = MARSRegressor(**settings).fit(np.column_stack((X, *idle)), y).model_
    assert one.size > 3
    assert more.subsets.rss == pytest.approx(one.subsets.rss, rel=1e-9)
    assert not more.terms.directions[:, X.shape[1] :].any()


def test_more_terms_than_rows_allow():
    X, y, _ = problem(22)
    model = MARSRegressor(thresh=0, max_terms=100, minspan=1, endspan=1, penalty=-1, max_degree=3).fit(X[:15], y[:15])
    assert model.model_.size <= 15
    assert model.predict(X[:15]) == pytest.approx(y[:15], abs=1e-6)


def test_offsets_of_a_billion_cost_no_term():
    X, y, _ = problem(23)
    z = np.round((X - X.mean(axis=0)) / X.std(axis=0), 3)
    one, far = MARSRegressor(max_degree=2).fit(z, y), MARSRegressor(max_degree=2).fit(z + 1e9, y)
    assert len(far.model_.terms) == len(one.model_.terms)
    assert far.predict(z + 1e9) == pytest.approx(one.predict(z), abs=1e-4)
    assert MARSRegressor().fit(z, y + 1e9).predict(z) - 1e9 == pytest.approx(
        MARSRegressor().fit(z, y).predict(z), abs=1e-4
    )


@pytest.mark.parametrize("degree", [1, 2])
def test_numbers_that_can_be_squared_keep_their_terms_and_others_are_refused(degree):
    X, y, _ = problem(24)
    most = 10.0 ** (150 // degree - 5)
    one = MARSRegressor(max_degree=degree).fit(X, y)
    for unit in (most, 1.0 / most):
        assert MARSRegressor(max_degree=degree).fit(X * unit, y).predict(X * unit) == pytest.approx(
            one.predict(X), rel=1e-6
        )
    for unit in (most * 1e8, 1e-8 / most):
        with pytest.raises(boxwood.DataError, match=r"column 'x0' reaches .* give it in other units"):
            MARSRegressor(max_degree=degree).fit(X * unit, y)
        with pytest.raises(boxwood.DataError, match=r"y reaches"):
            MARSRegressor().fit(X, y * 1e200)


def test_light_weights_are_reported():
    X, y, _ = problem(25)
    with pytest.warns(boxwood.PruningWarning, match=r"the weights add up to 0\.12"):
        model = MARSRegressor().fit(X, y, sample_weight=np.full(120, 1e-3))
    assert model.model_.size == 1
    assert MARSRegressor().fit(X, y, sample_weight=np.full(120, 1e6)).model_.size > 3


def test_rows_of_weight_0_need_not_be_whole():
    X, y, _ = problem(26)
    broken, weight = X.copy(), np.ones(len(y))
    broken[5], weight[5] = np.nan, 0.0
    model = MARSRegressor().fit(broken, y, sample_weight=weight)
    assert model.predict(X) == pytest.approx(MARSRegressor().fit(np.delete(X, 5, 0), np.delete(y, 5)).predict(X))
    broken[7, 2] = np.nan
    with pytest.raises(boxwood.MissingValueError, match=r"column 'x2' has a missing value .* in row 7"):
        MARSRegressor().fit(broken, y, sample_weight=weight)


def test_equal_rows_of_different_weight_may_be_in_any_order():
    X, y, _ = problem(27)
    X, y, w = np.repeat(X, 2, axis=0), np.repeat(y, 2), np.tile([1.0, 2.0], len(y))
    order = np.random.default_rng(0).permutation(len(y))
    one = MARSRegressor(cv_folds=3).fit(X, y, sample_weight=w)
    assert (
        one.model_.to_bytes()
        == MARSRegressor(cv_folds=3).fit(X[order], y[order], sample_weight=w[order]).model_.to_bytes()
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("linear_features", 3.5), ("linear_features", ["no"]),
        ("monotone", [1]), ("monotone", {0: 2}), ("monotone", {"no": 1}),
        ("allowed", "ab"), ("allowed", [["no"]]), ("allowed", [[0], "1"]), ("backward", "best"), ("compat", "mda"),
        ("minspan", -10_001), ("endspan", -1), ("thresh", 1.5), ("penalty", -2), ("max_degree", 0), ("cv_folds", 1),
    ],
)  # fmt: skip
def test_wrong_settings_are_named(name, value):
    X, y, _ = problem(28)
    with pytest.raises(boxwood.ParameterError, match=name):
        MARSRegressor(**{name: value}).fit(X, y)


def test_the_prediction_of_a_row_does_not_depend_on_the_others():
    X, y, _ = problem(29)
    model = MARSRegressor(max_degree=2).fit(X, y)
    alone = np.array([model.predict(X[i : i + 1])[0] for i in range(len(y))])
    assert (alone == model.predict(X)).all()
    assert (alone == model.predict(np.tile(X, (200, 1)))[-len(y) :]).all()


@pytest.mark.parametrize(
    "more",
    [{}, {"cv_folds": 5}, {"backward": "cv"}, {"nominal": "grouped"}, {"max_degree": 2, "cv_folds": 3}],
    ids=repr,
)
def test_signs_of_zeros_and_the_order_of_rows_change_no_bit_of_the_file(more, tmp_path):
    rng = np.random.default_rng(5)
    X = {
        "x": np.round(rng.normal(size=60), 1),
        "z": np.tile([0.0, -0.0, 1, 2, 3], 12),
        "g": rng.choice(list("abcd"), 60),
    }
    y = np.round(np.maximum(X["z"], 0) + X["x"] + rng.normal(size=60))
    turned = {name: np.where(v == 0, -v, v) if name != "g" else v for name, v in X.items()}
    order = rng.permutation(60)
    files = []
    for columns, response in (
        (X, y),
        (turned, np.where(y == 0, -y, y)),
        ({k: v[order] for k, v in X.items()}, y[order]),
    ):
        MARSRegressor(**more).fit(columns, response).save(tmp_path / "model.box")
        files.append((tmp_path / "model.box").read_bytes())
    assert files[0] == files[1] == files[2]


def test_unseen_ordered_levels_are_reported_as_what_they_are():
    pd = pytest.importorskip("pandas")
    codes = np.random.default_rng(0).integers(0, 3, size=90)
    X = pd.DataFrame({"grade": pd.Categorical.from_codes(codes, ["小", "中", "大"], ordered=True)})
    model = MARSRegressor(minspan=1, endspan=1).fit(X, codes**2.0)
    with pytest.warns(boxwood.UnseenLevelWarning, match="They are given the mean place in the order of their column"):
        predicted = model.predict(pd.DataFrame({"grade": ["巨"]}))
    assert 0.0 < predicted[0] < 4.0


def test_separated_classes_end_with_a_note():
    x = np.arange(60.0)
    with pytest.warns(boxwood.PruningWarning, match="coefficients would grow without bound"):
        model = MARSClassifier(minspan=1, endspan=1).fit(x[:, None], x > 30)
    assert (model.predict(x[:, None]) == (x > 30)).all()


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_intervals_cover_what_they_claim_where_noise_is_skew(level):
    rng = np.random.default_rng(31)
    x = rng.uniform(size=(3000, 2))
    y = np.abs(x[:, 0] - 0.5) + 0.2 * rng.exponential(size=3000)
    ends = MARSRegressor(cv_folds=5).fit(x[:1500], y[:1500]).predict_interval(x[1500:], level=level)
    inside = np.mean((ends[:, 0] <= y[1500:]) & (y[1500:] <= ends[:, 1]))
    assert inside == pytest.approx(level, abs=0.035)


def test_progress_is_reported_and_stays_silent_otherwise(capsys):
    X, y, _ = problem(32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MARSRegressor(verbose=1, cv_folds=3).fit(X, y)
    printed = capsys.readouterr().err
    assert "boxwood: mars: fold 2 of 3" in printed
    assert "terms, RSq " in printed
    MARSRegressor().fit(X, y)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("labels", "weights"), [("aaaaaaaa", None), ("aaaaaaab", [1] * 7 + [0])])
def test_one_class_is_called_one_class(labels, weights):
    with pytest.warns(boxwood.PruningWarning, match="all rows with a positive weight belong to one class") as warned:
        model = MARSClassifier().fit({"x": range(8)}, list(labels), sample_weight=weights)
    assert not any("separate" in str(warning.message) for warning in warned)
    assert model.predict({"x": [0, 9]}).tolist() == ["a", "a"]


def test_a_class_without_weight_is_no_separation():
    X, y = {"x": [1.0, 2, 3, 4, 5, 6] * 4}, ["a", "b", "a", "b", "b", "a"] * 3 + ["c"] * 6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = MARSClassifier().fit(X, y, sample_weight=[1.0] * 18 + [0.0] * 6)
    assert model.predict_proba(X)[:, 2].max() < 1e-6


@pytest.mark.filterwarnings("ignore:all rows with a positive weight belong to one class")
@pytest.mark.parametrize("settings", [{}, {"logistic": False}, {"cv_folds": 3}, {"nominal": "grouped"}])
@pytest.mark.parametrize("labels", ["u", "uv", "uvw"])
def test_constant_nominal_columns_leave_the_constant(labels, settings):
    X = {"a": ["x"] * 12, "b": ["y"] * 12}
    y = list(labels) * (12 // len(labels))
    model = MARSClassifier(**settings).fit(X, y)
    assert model.predict_proba(X) == pytest.approx(np.full((12, len(labels)), 1.0 / len(labels)))
    assert MARSRegressor(cv_folds=3).fit(X, np.arange(12.0)).predict(X) == pytest.approx(np.full(12, 5.5))
    assert boxwood.MARSTransformer().fit(X, np.arange(12.0)).transform(X).shape == (12, 0)


@pytest.mark.filterwarnings("ignore::boxwood.BoxwoodWarning")
@pytest.mark.parametrize("settings", [{}, {"compat": "earth"}, {"cv_folds": 3}, {"penalty": -1, "thresh": 0}])
@pytest.mark.parametrize("heaviest", [1e149, 1e-149, 1e20, 1e-20])
def test_weights_of_any_size_that_can_be_squared_give_finite_numbers(heaviest, settings):
    X, y, _ = problem(30)
    weight = heaviest * np.linspace(0.1, 1.0, len(y))
    assert np.isfinite(MARSRegressor(**settings).fit(X, y, sample_weight=weight).predict(X)).all()
    model = MARSClassifier(**settings).fit(X, y > np.median(y), sample_weight=weight)
    assert np.isfinite(model.predict_proba(X)).all()
    with pytest.raises(boxwood.DataError, match=r"y reaches .* give it in other units"):
        MARSRegressor(**settings).fit(X, y * 1e149, sample_weight=weight + 1e20)


@pytest.mark.parametrize("heaviest", [1.7e308, 1e308, 1e160, 1e-160, 5e-324])
def test_weights_whose_sums_do_not_fit_are_refused(heaviest):
    X, y, _ = problem(31)
    for model, target in ((MARSRegressor(), y), (MARSClassifier(), y > np.median(y))):
        with pytest.raises(boxwood.WeightError, match=r"sample_weight reaches .* add up to the number of rows"):
            model.fit(X, target, sample_weight=np.full(len(y), heaviest))
