"""Laws of MARS models: what changes nothing, what the settings promise, and what files and exports keep."""

from __future__ import annotations

import math
import pickle
import warnings

import numpy as np
import pytest

import boxwood
from boxwood import MARSClassifier, MARSRegressor, MARSTransformer
from boxwood.data.frames.frame import read_columns
from boxwood.mars.design import _exact_sum
from mars.problems import problem


def table(seed: int, n: int = 150) -> tuple[dict, np.ndarray]:
    """Numbers, a nominal feature with Chinese levels, an ordinal one, and y."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    city = rng.integers(0, 5, size=n)
    size = pd.Categorical.from_codes(rng.integers(0, 3, size=n), ["小", "中", "大"], ordered=True)
    x = rng.uniform(-5, 5, size=n)
    frame = pd.DataFrame({"x": x, "城市": np.array(["上海", "北京", "O'Hara", "서울", "東京"])[city], "size": size})
    y = np.abs(x) + 3.0 * (city == 1) - 2.0 * size.codes * (x > 0) + rng.normal(scale=0.2, size=n)
    return frame, y


def test_order_of_rows_changes_no_bit():
    X, y, w = problem(1)
    order = np.random.default_rng(0).permutation(len(y))
    one = MARSRegressor(max_degree=2, cv_folds=4).fit(X, y, sample_weight=w)
    other = MARSRegressor(max_degree=2, cv_folds=4).fit(X[order], y[order], sample_weight=w[order])
    assert one.model_.to_bytes() == other.model_.to_bytes()


def test_weight_three_is_the_row_three_times():
    X, y, w = problem(2)
    times = w.astype(int)
    one = MARSRegressor(max_degree=2).fit(X, y, sample_weight=w)
    other = MARSRegressor(max_degree=2).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert one.predict(X) == pytest.approx(other.predict(X), rel=1e-8)


@pytest.mark.parametrize("shift", [1000.0, -3.0])
def test_shifted_columns_shift_knots_only(shift):
    X, y, _ = problem(3)
    one, other = MARSRegressor().fit(X, y), MARSRegressor().fit(X + shift, y)
    assert other.predict(X + shift) == pytest.approx(one.predict(X), rel=1e-6)


def test_units_of_columns_change_nothing():
    X, y, _ = problem(4)
    scale = np.array([2.0**-20, 2.0**20, 1.0, 2.0**-7])
    one, other = MARSRegressor(max_degree=2).fit(X, y), MARSRegressor(max_degree=2).fit(X * scale, y)
    assert other.predict(X * scale) == pytest.approx(one.predict(X), rel=1e-8)


@pytest.mark.parametrize("backward", ["exchange", "plain", "exhaustive", "cv", "none"])
def test_coefficients_are_least_squares_on_the_terms(backward):
    X, y, w = problem(5)
    model = MARSRegressor(max_degree=2, backward=backward, max_terms=11).fit(X, y, sample_weight=w).model_
    basis = model.basis(read_columns(X, model.schema))
    root = np.sqrt(w)[:, None]
    best = np.linalg.lstsq(basis * root, y * root[:, 0], rcond=None)[0]
    assert basis @ model.coefficients[:, 0] == pytest.approx(basis @ best, abs=1e-10)
    assert model.rss == pytest.approx(float(np.sum(w * (y - basis @ best) ** 2)), rel=1e-10)


def test_gcv_chosen_is_the_least_and_exhaustive_is_no_worse():
    X, y, _ = problem(6)
    found = {b: MARSRegressor(backward=b, max_terms=13).fit(X, y).model_ for b in ("exchange", "plain", "exhaustive")}
    for model in found.values():
        assert model.gcv[model.size - 1] == pytest.approx(model.gcv.min(), rel=1e-12)
    assert (found["exhaustive"].subsets.rss <= found["exchange"].subsets.rss * (1 + 1e-12)).all()
    assert (found["exchange"].subsets.rss <= found["plain"].subsets.rss * (1 + 1e-12)).all()
    assert len(MARSRegressor(backward="none").fit(X, y).model_.kept) >= len(found["exchange"].kept)


def test_several_responses_share_terms():
    X, y, _ = problem(7)
    Y = np.column_stack((y, -2.0 * y + X[:, 3]))
    model = MARSRegressor().fit(X, Y)
    assert model.predict(X).shape == Y.shape
    alone = MARSRegressor().fit(X, np.column_stack((y, y)))
    assert alone.predict(X)[:, 0] == pytest.approx(alone.predict(X)[:, 1], rel=1e-10)


def test_allowed_monotone_and_linear_features_are_kept_to():
    X, y, _ = problem(8)
    model = MARSRegressor(max_degree=2, allowed=[[0, 1], [2, 3]], linear_features=[3]).fit(X, y).model_
    for m in range(len(model.terms)):
        features = {f[0] for f in model.terms.factors(m)}
        assert features <= {0, 1} or features <= {2, 3}
        assert all(direction == 2 for column, direction, _ in model.terms.factors(m) if column == 3)
    rising = MARSRegressor(max_degree=2, monotone={0: 1, 1: -1}, minspan=1, endspan=1).fit(X, y)
    grid = np.tile(np.median(X, axis=0), (200, 1))
    for column, direction in ((0, 1), (1, -1)):
        line = grid.copy()
        line[:, column] = np.linspace(X[:, column].min() - 1, X[:, column].max() + 1, 200)
        assert (direction * np.diff(rising.predict(line)) >= -1e-9).all()
    none = MARSRegressor(max_degree=2, allowed=lambda degree, feature, others: False).fit(X, y)
    assert none.model_.size == 1


def test_grouped_levels_need_fewer_terms():
    rng = np.random.default_rng(9)
    level = rng.integers(0, 20, size=2000)
    y = np.where(level % 2 == 0, 5.0, -5.0) + rng.normal(size=2000)
    X = {"level": [f"l{v}" for v in level]}
    grouped = MARSRegressor(nominal="grouped").fit(X, y)
    assert len(grouped.model_.kept) == 2
    assert grouped.score(X, y) > 0.95


def test_missing_values_have_a_term_of_their_own():
    rng = np.random.default_rng(10)
    x = rng.uniform(size=300)
    y = 2.0 * x + rng.normal(scale=0.05, size=300)
    is_missing = rng.uniform(size=300) < 0.2
    y[is_missing] += 7.0
    X = {"x": np.where(is_missing, np.nan, x)}
    model = MARSRegressor(missing="indicator").fit(X, y)
    assert model.score(X, y) > 0.95
    assert "missing(x)" in model.summary()
    with pytest.raises(boxwood.MissingValueError, match="column 'x' has a missing value"):
        MARSRegressor().fit(X, y)


def test_intervals_cover_new_rows():
    rng = np.random.default_rng(11)
    x = rng.uniform(size=(2000, 2))
    y = np.abs(x[:, 0] - 0.5) + rng.normal(scale=0.1, size=2000)
    model = MARSRegressor(cv_folds=10).fit(x[:1000], y[:1000])
    ends = model.predict_interval(x[1000:], level=0.9)
    inside = (ends[:, 0] <= y[1000:]) & (y[1000:] <= ends[:, 1])
    assert 0.86 < inside.mean() < 0.94
    with pytest.raises(boxwood.NotAvailableError, match="cv_folds"):
        MARSRegressor().fit(x, y).predict_interval(x)


def test_unseen_levels():
    X, y = table(12)
    new = X.head(2).copy()
    new["城市"] = ["Wien", "北京"]
    model = MARSRegressor().fit(X, y)
    with pytest.warns(boxwood.UnseenLevelWarning, match="counted as the first level"):
        model.predict(new)
    with pytest.raises(boxwood.UnseenLevelError, match="'Wien' in row 0") as refused:
        MARSRegressor(unseen="error").fit(X, y).predict(new)
    error = refused.value
    assert (error.argument, error.row, error.value) == ("unseen", 0, "Wien")
    assert error.remedy == "correct it, or choose unseen='first'"


@pytest.mark.parametrize("kind", ["numbers", "two classes", "three classes"])
def test_files_and_pickles_predict_the_same(kind, tmp_path):
    X, y = table(13)
    if kind == "numbers":
        model = MARSRegressor(max_degree=2, cv_folds=3).fit(X, y)
    else:
        k = 2 if kind == "two classes" else 3
        labels = np.array(["否", "是", "也许"])[np.clip(np.digitize(y, np.quantile(y, np.arange(1, k) / k)), 0, 2)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", boxwood.PruningWarning)
            model = MARSClassifier(max_degree=2).fit(X, labels)
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(len(y)))
        assert model.score(X, labels) > 0.7
    model.save(tmp_path / "m.box")
    for again in (boxwood.load(tmp_path / "m.box"), pickle.loads(pickle.dumps(model))):
        assert type(again) is type(model)
        assert np.array_equal(again.predict(X), model.predict(X))
        stored = {"target_class": model.model_.settings["target_class"]} if kind != "numbers" else {}
        assert again.get_params() | stored == model.get_params() | stored
        assert again.summary() == model.summary()


def test_damaged_files_are_refused():
    X, y = table(14)
    data = MARSRegressor().fit(X, y).model_.to_bytes()
    from boxwood.mars.model import MARSModel

    for at in range(0, len(data), 97):
        broken = bytearray(data)
        broken[at] ^= 255
        with pytest.raises(boxwood.ModelFileError):
            MARSModel.from_bytes(bytes(broken))


def exported() -> tuple:
    X, y = table(15)
    return MARSRegressor(max_degree=2).fit(X, y), X


def test_tables_and_transformer():
    model, X = exported()
    frame = model.to_frame()
    assert frame["term"].iloc[0] == "(constant)"
    assert model.to_frame("subsets")["chosen"].sum() == 1
    assert set(model.to_frame("importance")["feature"]) == {"x", "城市", "size"}
    found = MARSTransformer(max_degree=2).fit(X, model.predict(X))
    assert found.transform(X).shape == (len(X), len(found.get_feature_names_out()))


def test_constant_response_gives_a_constant():
    model = MARSRegressor().fit([[1.0], [2.0], [3.0]], [4.0, 4.0, 4.0])
    assert model.predict([[9.0]]).tolist() == [4.0]
    assert len(model.summary().splitlines()) >= 4


def test_the_forward_pass_ends_early_on_many_columns_only():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(400, 60))
    y = X[:, 0] + rng.normal(size=400)

    def fitted(columns: int, **settings):
        return MARSRegressor(**settings).fit(X[:, :columns], y).model_

    wide, narrow, given, earth = fitted(60), fitted(20), fitted(60, max_terms=61), fitted(60, compat="earth")
    assert wide.stopped == "GRSq did not rise in 3 steps"
    assert 15 <= len(wide.terms) <= 25
    assert (narrow.penalty, earth.penalty, fitted(60, penalty=2.5).penalty) == (2.0, 2.0, 2.5)
    assert wide.penalty == given.penalty == 2.0 + 1.5 * np.log(3.0)
    assert given.stopped == "it reached 61 terms"
    assert all("GRSq" not in model.stopped for model in (narrow, earth, fitted(60, thresh=0.0, max_degree=2)))


def test_means_of_columns_are_those_of_exact_sums():
    rng = np.random.default_rng(1)
    for spread in (0.0, 1.0, 30.0, 80.0):
        for n in (0, 1, 2, 100, 3000):
            values = rng.normal(size=n) * np.exp(spread * rng.normal(size=n))
            for held in (values, np.round(values), np.append(values, -values), values * 1e-300):
                assert _exact_sum(held) == math.fsum(held)


@pytest.mark.parametrize("held", [[np.nan, 1.0], [np.inf, 1.0], [1.7e308, -1e307, 1.0], [5e-324, 5e-324]])
def test_sums_of_any_numbers_end(held):
    assert _exact_sum(np.array(held)) == pytest.approx(math.fsum(held), rel=0, nan_ok=True)
