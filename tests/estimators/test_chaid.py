"""CHAID estimators: parameters, missing and unseen categories, weights, pruning, files, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood import CHAIDClassifier, CHAIDRegressor, CostComplexity, Merged, datasets
from boxwood.errors import MissingValueError, ParameterError, ResponseError, UnseenLevelError

SMALL = {"min_samples_split": 4, "min_samples_leaf": 2}


def example(n: int = 300, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    city = rng.choice(["Ulm", "Bonn", "京都", "Köln"], n)
    size = np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n).round(2))
    y = (city == "京都") | (np.nan_to_num(size, nan=2.0) > 1) ^ (rng.random(n) < 0.1)
    return pd.DataFrame({"city": city, "size": size}), np.where(y, "yes", "no")


def test_missing_values_float_and_unseen_categories_stay():
    X, y = example()
    model = CHAIDClassifier(**SMALL).fit(X, y)
    tree = model.tree_
    split_by = {tree.schema.names[j] for j in tree.splits.feature[~tree.is_leaf]}
    assert split_by == {"city", "size"}
    on_size = int(np.flatnonzero(tree.splits.feature == 1)[0])
    assert tree.missing[on_size] >= 0  # missing values were seen there, so they have a branch
    on_city = int(np.flatnonzero(tree.splits.feature == 0)[0])
    with pytest.warns(boxwood.UnseenLevelWarning, match="kept at the node"):
        ends = model.apply(pd.DataFrame({"city": ["Roma"], "size": [np.nan]}))
    assert on_city in tree.path(int(ends[0])).tolist()
    assert CHAIDClassifier(**SMALL, unseen="majority").fit(X, y).get_n_leaves() == model.get_n_leaves()
    with pytest.raises(UnseenLevelError, match="Roma"):
        CHAIDClassifier(**SMALL, unseen="error").fit(X, y).predict(pd.DataFrame({"city": ["Roma"], "size": [1.0]}))
    with pytest.raises(MissingValueError, match="size"):
        CHAIDClassifier(**SMALL, missing="error").fit(X, y)


def test_a_bin_without_rows_in_a_node_is_an_unlisted_position():
    x = np.repeat([1.0, 2.0, 3.0, 4.0, 5.0], 20)
    side = np.where(x == 3.0, "a", np.where(np.arange(100) % 2, "a", "b"))
    y = np.where(side == "a", "w", np.where(x < 3, "u", "v"))
    model = CHAIDClassifier(**SMALL).fit(pd.DataFrame({"side": side, "x": x}), y)
    below = int(np.flatnonzero(model.tree_.splits.feature == 1)[0])
    assert -1 in model.tree_.splits.index_of(below).tolist()
    ends = model.apply(pd.DataFrame({"side": ["b", "b", "b"], "x": [1.0, 3.0, 9.0]}))
    assert ends[1] == below
    assert len(set(ends.tolist())) == 3
    assert "x" in str(model.tree_)


def test_bins_count_cases_whatever_their_case_weights():
    X, y = example(seed=3)
    x = X[["size"]].dropna()
    model = CHAIDClassifier(weights="case", alpha_merge=1.0, alpha_split=1.0, max_depth=1, **SMALL)
    plain = model.fit(x, y[x.index]).tree_.splits.breaks.tolist()
    assert len(plain) == 9
    uneven = np.random.default_rng(4).random(len(x)) + 0.5
    assert model.fit(x, y[x.index], sample_weight=uneven).tree_.splits.breaks.tolist() == plain


def test_ordinal_target_uses_scores():
    rng = np.random.default_rng(1)
    group = rng.integers(0, 3, 400)
    y = np.clip(group + rng.integers(-1, 2, 400), 0, 3)
    X = {"g": [f"g{v}" for v in group]}
    p = {}
    for target in (None, True, [1, 2, 3, 10], [4, 3, 2, 1]):
        p[str(target)] = CHAIDClassifier(**SMALL, ordinal_target=target).fit(X, y).tree_.log_p[0]
    assert len(set(p.values())) == 4
    same = CHAIDClassifier(**SMALL, ordinal_target=[1.0, 2.0, 3.0, 4.0]).fit(X, y)
    assert same.tree_.log_p[0] == p["True"]
    for wrong in ([1, 2, 3], [1, 1, 2, 3], "1,2", [0.0, 1e-200, 2e-200, 3e-200], [1, 2, 3, np.inf]):
        with pytest.raises((ParameterError, ResponseError), match="ordinal_target"):
            CHAIDClassifier(ordinal_target=wrong).fit(X, y)


def test_case_weights_are_importance_not_number():
    X, y = example()
    weight = np.random.default_rng(2).integers(1, 6, len(y))
    frequency = CHAIDClassifier(**SMALL).fit(X, y, weight)
    case = CHAIDClassifier(**SMALL, weights="case").fit(X, y, weight)
    assert frequency.tree_.log_p[0] < case.tree_.log_p[0]
    assert case.tree_.weight[0] == weight.sum()
    assert CHAIDClassifier(min_samples_split=400, weights="case").fit(X, y, weight).get_n_leaves() == 1
    assert CHAIDClassifier(min_samples_split=400).fit(X, y, weight).get_n_leaves() > 1
    number = (np.asarray(y) == "yes") * 2.0 + np.random.default_rng(3).normal(size=len(y))
    a, b = (CHAIDRegressor(**SMALL, weights=w).fit(X, number, weight) for w in ("frequency", "case"))
    assert a.tree_.log_p[0] < b.tree_.log_p[0]


def test_settings_do_something():
    X, y = example(800, 5)
    X["code"] = np.random.default_rng(6).choice(list("abcdefghi"), 800)
    base = CHAIDClassifier(**SMALL).fit(X, y).tree_
    for change in (
        {"exhaustive": True}, {"alpha_merge": 0.9}, {"alpha_split": 1e-30}, {"bonferroni": False},
        {"test": "likelihood_ratio"}, {"n_bins": 3}, {"max_depth": 1}, {"min_samples_split": 0.5},
        {"min_samples_leaf": 0.3}, {"min_segment": 0.3}, {"max_competitors": 0},
        {"split_merged": True, "alpha_merge": 0.5, "alpha_split_merged": 0.5},
    ):  # fmt: skip
        other = CHAIDClassifier(**(SMALL | change)).fit(X, y).tree_
        assert (other.log_p.tobytes(), len(other.competitors)) != (base.log_p.tobytes(), len(base.competitors)), change
    spss, biggs = (CHAIDClassifier(**SMALL, exhaustive=True, multiplier=m).fit(X, y).tree_ for m in ("spss", "biggs"))
    assert biggs.log_p[0] < spss.log_p[0]


def test_rank_by_log_p_tells_tiny_p_apart():
    rng = np.random.default_rng(0)
    n = 20_000
    y = rng.integers(0, 2, n)
    many = np.where(rng.random(n) < 0.55, y * 20, 0) + rng.integers(0, 20, n)
    strong = np.where(rng.random(n) < 0.62, y, rng.integers(0, 2, n))
    X = pd.DataFrame({"many": [f"m{v}" for v in many], "strong": [f"s{v}" for v in strong]})
    small = {"max_depth": 1, "alpha_merge": 0.9}
    by_p, by_log_p = (CHAIDClassifier(**small, rank_by=rank).fit(X, y).tree_ for rank in ("p", "log_p"))
    assert by_log_p.log_p[0] < by_p.log_p[0] < np.log(1e-12)
    assert by_p.score[0] > by_log_p.score[0]  # p's this small are equal: the statistic decides
    assert [int(tree.splits.feature[0]) for tree in (by_p, by_log_p)] == [0, 1]
    default = CHAIDClassifier(**small).fit(X, y)
    assert default.rank_by == "p"
    assert default.tree_.splits.feature[0] == 0
    assert CHAIDRegressor().rank_by == "p"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"split_merged": True, "exhaustive": True}, "exhaustive"),
        ({"split_merged": True, "alpha_merge": 0.01}, "alpha_split_merged must be at most alpha_merge"),
        ({"alpha_split": 1.5}, "alpha_split"), ({"n_bins": 1}, "n_bins"), ({"weights": "rows"}, "weights"),
        ({"missing": "surrogate"}, "missing"), ({"min_samples_leaf": 0}, "min_samples_leaf"),
        ({"rank_by": "f"}, "rank_by"), ({"pruning": "no"}, "pruning"), ({"tolerance": -1.0}, "tolerance"),
        ({"max_iterations": 0}, "max_iterations"), ({"multiplier": "kass"}, "multiplier"),
    ],
)  # fmt: skip
def test_refused(settings, message):
    X, y = example(50)
    with pytest.raises(ParameterError, match=message):
        CHAIDClassifier(**settings).fit(X, y)


def test_files_and_pruning(tmp_path):
    X, y = example()
    model = CHAIDClassifier(**SMALL, alpha_split=0.5).fit(X, y)
    model.save(tmp_path / "chaid.box")
    again = boxwood.load(tmp_path / "chaid.box")
    assert isinstance(again, CHAIDClassifier)
    assert again.get_params() == model.get_params() | {"target_class": model.model_.settings["target_class"]}
    np.testing.assert_array_equal(again.tree_.log_p, model.tree_.log_p)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert model.prune(n_leaves=2).get_n_leaves() <= 2
    pruned = CHAIDClassifier(**SMALL, alpha_split=0.5, pruning=CostComplexity(rule="1se")).fit(X, y)
    assert 1 < pruned.get_n_leaves() <= again.get_n_leaves()


def test_iris_means():
    iris = datasets.load("iris")
    width = np.array(iris.pop("petal_width" if "petal_width" in iris else "petal width"), dtype=float)
    model = CHAIDRegressor(min_samples_split=20, min_samples_leaf=10).fit(iris, width)
    assert model.score(iris, width) > 0.9
    np.testing.assert_allclose(model.feature_importances_.sum(), 1.0)


def test_bins_of_chaid_are_limited():
    assert Merged(n_bins=1000).n_bins == 1000
    with pytest.raises(ParameterError, match="n_bins must be at most 1000; got 1001"):
        Merged(n_bins=1001)


def test_a_split_that_is_not_significant_with_its_small_branches_merged_is_not_made():
    rng = np.random.default_rng(117)
    X = {"x": rng.normal(size=400)}
    X |= {name: rng.choice(list("abcdefghijklmnop"), 400) for name in "gh"}
    y = np.where(rng.random(400) < 0.5, "a", "b")
    model = CHAIDClassifier().fit(X, y)  # three bins of x: p 0.0487; the two that have 50 rows: p 1
    assert model.get_n_leaves() == 1
    assert "x: adjusted p 1 is above alpha = 0.05" in str(model.explain_split(X, y))
