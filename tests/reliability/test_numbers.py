"""Promises about numbers: neighbouring floats, infinities, huge and tiny values, weights (RELIABILITY 2-7, 16-20)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import CARTClassifier, CARTRegressor
from boxwood.cli import main
from boxwood.errors import BoxwoodError
from effort import examples

finite = st.floats(allow_nan=False, allow_infinity=False)


def assert_separated(a: float, b: float) -> None:
    """Two values apart by any amount part two rows."""
    X = np.array([[a], [b]])
    model = CARTClassifier(pruning=None).fit(X, ["a", "b"])
    assert model.predict(X).tolist() == ["a", "b"]
    cut = model.tree_.splits.breaks[0]
    assert min(a, b) <= cut < max(a, b) or cut == -np.inf


@settings(max_examples=examples(300), deadline=None)
@given(finite, finite)
def test_any_two_numbers_part(a, b):
    if a != b:
        assert_separated(a, b)


@settings(max_examples=examples(300), deadline=None)
@given(st.floats(allow_nan=False, max_value=1.7e308, min_value=-1.7e308))
def test_neighbouring_numbers_part(a):
    assert_separated(a, float(np.nextafter(a, np.inf)))


@pytest.mark.parametrize("pair", [(-np.inf, 0.0), (0.0, np.inf), (-np.inf, np.inf), (-1.7e308, 1.7e308), (5e-324, 0.0)])
def test_the_ends_of_the_scale_part(pair):
    assert_separated(*pair)


@pytest.mark.parametrize("big", [2**53, 2**60, 2**63 - 4])
def test_whole_numbers_beyond_float_part(big):
    X = np.array([[big], [big + 1], [big + 2], [big + 3]], dtype=np.int64)
    y = [0, 1, 0, 1]
    model = CARTClassifier(pruning=None).fit(X, y)
    assert model.predict(X).tolist() == y
    unsigned = X.astype(np.uint64) + np.uint64(2**62)
    assert CARTClassifier(pruning=None).fit(unsigned, y).predict(unsigned).tolist() == y


def test_a_step_of_one_on_1e15_is_found():
    X = np.arange(100.0)[:, None]
    y = 1e15 + (X[:, 0] >= 37)
    model = CARTRegressor(pruning=None).fit(X, y)
    assert model.tree_.splits.breaks[0] == 36.5
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("outlier", [1e9, 1e13, 1e17])
def test_an_outlier_does_not_hide_the_structure_of_the_rest(outlier):
    X = np.arange(40.0)[:, None]
    y = np.where(X[:, 0] == 39, outlier, (X[:, 0] >= 20) * 1.0)
    np.testing.assert_array_equal(CARTRegressor(pruning=None).fit(X, y).predict(X), y)


@pytest.mark.parametrize("power", [-1000, -500, 500, 1000])
def test_y_whose_squares_do_not_fit_is_refused(power):
    X = np.arange(50.0)[:, None]
    with pytest.raises(BoxwoodError, match=r"y spreads too .* rescale it"):
        CARTRegressor().fit(X, np.where(X[:, 0] < 20, 1.0, 3.0) * 2.0**power)


@pytest.mark.parametrize("weight", [5e-324, 1e-310, 1e307, 1.7e308])
def test_extreme_weights_give_the_tree_of_unit_weights(weight):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (60, 3)), rng.integers(0, 3, 60)
    one = CARTClassifier().fit(X, y)
    other = CARTClassifier().fit(X, y, sample_weight=np.full(60, weight))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-14)


def test_seeds_draw_folds_that_have_nothing_to_do_with_each_other():
    from boxwood.data.frames.frame import learn_columns
    from boxwood.learning.folds import content_folds
    from boxwood.learning.learning_set import learning_set
    from boxwood.learning.target import Target
    from boxwood.statistics.responses.means import Means

    X = np.random.default_rng(0).normal(size=(2000, 3))
    learning = learning_set(learn_columns(X), Target(Means(), X[:, 0]), 1)
    folds = [content_folds(learning, 10, seed) for seed in (None, 0, 1, 2, 3, 4, 5)]
    for i, one in enumerate(folds):
        for other in folds[:i]:
            together = np.bincount(one * 10 + other, minlength=100)
            assert together.max() < 40  # 20 expected


@pytest.mark.parametrize("power", [-400, -200, 200, 400])
def test_squares_neither_overflow_nor_vanish(power):
    X = np.arange(50.0)[:, None]
    y = np.where(X[:, 0] < 20, 1.0, 3.0) * 2.0**power
    model = CARTRegressor(pruning=None).fit(X, y)
    assert model.tree_.n_leaves == 2
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("weight", [[1, -1, 1, 1], [1, np.nan, 1, 1], [1, np.inf, 1, 1], [0, 0, 0, 0], [1, 1]])
def test_bad_weights_are_refused(weight):
    X, y = np.arange(4.0)[:, None], [0, 0, 1, 1]
    with pytest.raises(BoxwoodError, match="sample_weight"):
        CARTClassifier().fit(X, y, sample_weight=weight)


@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e300])
def test_huge_and_tiny_weights(unit):
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    model = CARTClassifier(pruning=None).fit(X, y, sample_weight=np.full(6, unit))
    assert model.tree_.splits.breaks[0] == 2.5


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("criterion", "ginni"), ("criterion", 3), ("max_depth", -1), ("max_depth", 2.5), ("max_depth", 2**63),
        ("max_surrogates", 2**31), ("random_state", 2**64), ("ccp_alpha", 10**400), ("costs", [[0, 10**400], [1, 0]]),
        ("class_weight", {0: None}), ("priors", {0: None, 1: 1.0}), ("max_depth", True),
        ("min_samples_leaf", 0), ("min_samples_leaf", 1.0), ("min_samples_split", 1),
        ("min_samples_split", float("nan")),
        ("min_impurity_decrease", -0.1), ("missing", "drop"), ("unseen", "ignore"), ("max_surrogates", -1),
        ("max_leaf_nodes", 1), ("ccp_alpha", -1.0), ("ccp_risk", "variance"), ("pruning", "best"), ("n_jobs", 0),
        ("class_weight", "fair"), ("class_weight", {0: -1.0}), ("class_weight", {0: 1.0, "1": 2.0}),
        ("priors", [0.5, 0.6]), ("priors", {0: 1.0}),
        ("costs", [[0, 1]]), ("costs", [[1, 1], [1, 0]]), ("feature_costs", [0.0, 1.0]),
        ("feature_costs", {"zzz": 2.0}),
        ("min_samples_level", "few"), ("compat", "weka"), ("random_state", "a"), ("categorical_features", [7]),
    ],
)  # fmt: skip
def test_bad_settings_are_refused_by_name(name, value):
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    with pytest.raises(BoxwoodError, match=name):
        CARTClassifier(**{name: value}).fit(X, y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [1e300, 4e307, 1e200, 1e-200, 1e-300])
@pytest.mark.parametrize("kind", ["classes", "numbers", "counts"])
def test_weights_of_any_size_give_the_figures_of_moderate_ones(unit, kind):
    """Their squares overflowed in evaluations, and their sums in the explorer."""
    rng = np.random.default_rng(0)
    X, few = rng.normal(size=(60, 3)), rng.integers(1, 5, 60).astype(float)
    y = X[:, 0] + rng.normal(size=60)
    estimator = {"classes": CARTClassifier(), "counts": CARTRegressor(criterion="poisson")}.get(kind, CARTRegressor())
    y = {"classes": y > 0, "counts": np.abs(y).round()}.get(kind, y)
    model = estimator.fit(X, y, sample_weight=few)
    assert model.score(X, y, sample_weight=few * unit) == pytest.approx(model.score(X, y, sample_weight=few))
    moderate, other = (model.evaluate(X[1:], y[1:], sample_weight=w[1:]) for w in (few, few * unit))
    for figure in moderate.figures:
        found = other[figure.name]
        assert (found.value, found.se) == pytest.approx((figure.value, figure.se)), figure.name
    assert len(model.explore(X, y, sample_weight=few * unit).html) > 1000


def test_held_out_figures_of_weights_near_the_largest_double(tmp_path, capsys):
    rng = np.random.default_rng(0)
    x, few = rng.normal(size=200), rng.integers(1, 4, 200)
    lines = []
    for unit in (1.0, 2.0**1000):
        rows = "".join(
            f"{a},{'u' if a > 0.1 * e else 'v'},{float(w * unit)!r}\n" for a, e, w in zip(x, few, few, strict=True)
        )
        (tmp_path / "a.csv").write_text("x,y,w\n" + rows, encoding="utf-8")
        words = [
            "fit",
            str(tmp_path / "a.csv"),
            "--target",
            "y",
            "--sample-weight",
            "w",
            "-o",
            str(tmp_path / f"{unit}.box"),
        ]
        assert main(words) == 0
        lines.append([line for line in capsys.readouterr().out.splitlines() if "etter than always" in line])
    assert lines[0] == lines[1] != []
