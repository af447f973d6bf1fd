"""Containers of pandas with the same index labels in another order: refused wherever rows are joined by position."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, CostComplexity, DataError, measures
from boxwood.data.frames.alignment import check_aligned

N = 40
INDEX = [f"客户{i}" for i in range(N)]
X = pd.DataFrame({"a": np.arange(N) % 7, "b": (np.arange(N) * 3) % 5}, index=INDEX)
Y = pd.Series(np.where(X["a"] > 3, "yes", "no"), index=INDEX, name="y")
NUMBERS = pd.Series(X["a"] * 1.5, name="y")
TURNED = Y[::-1]
WEIGHT = pd.Series(1.0 + np.arange(N) % 3, index=INDEX)
MODEL = CARTClassifier(pruning=None).fit(X, Y)
RATES = CARTRegressor(criterion="poisson", pruning=None)

JOINS = {
    "fit": lambda: CARTClassifier().fit(X, TURNED),
    "fit, weights": lambda: CARTClassifier().fit(X, Y, sample_weight=WEIGHT[::-1]),
    "fit, weights but no index of y": lambda: CARTClassifier().fit(X, Y.tolist(), sample_weight=WEIGHT[::-1]),
    "fit, exposure": lambda: RATES.fit(X, X["a"], exposure=WEIGHT[::-1]),
    "fit, a dictionary": lambda: CARTClassifier().fit({"a": X["a"], "b": X["b"][::-1]}, Y),
    "fit, y in a frame": lambda: CARTClassifier().fit(X, TURNED.to_frame()),
    "fit, rows without y are dropped": lambda: CARTClassifier(missing_target="drop").fit(X, TURNED),
    "predict, a dictionary": lambda: MODEL.predict({"a": X["a"], "b": X["b"][::-1]}),
    "explain, a dictionary": lambda: MODEL.explain({"a": X["a"], "b": X["b"][::-1]}),
    "a tree, a dictionary": lambda: MODEL.tree_.apply({"a": X["a"], "b": X["b"][::-1]}),
    "CHAID": lambda: boxwood.CHAIDClassifier().fit(X, TURNED),
    "rules": lambda: boxwood.C45Rules().fit(X, TURNED),
    "composed": lambda: boxwood.TreeClassifier().fit(X, TURNED),
    "MARS": lambda: boxwood.MARSRegressor().fit(X, NUMBERS[::-1]),
    "anova": lambda: boxwood.MARSRegressor().fit(X, NUMBERS).anova(X, NUMBERS[::-1]),
    "score": lambda: MODEL.score(X, TURNED),
    "score, weights": lambda: MODEL.score(X, Y, WEIGHT[::-1]),
    "score of a regression": lambda: CARTRegressor().fit(X, NUMBERS).score(X, NUMBERS[::-1]),
    "evaluate": lambda: MODEL.evaluate(X, TURNED),
    "evaluate, weights": lambda: MODEL.evaluate(X, Y, WEIGHT[::-1]),
    "prune": lambda: MODEL.prune(X, TURNED, pruner="cost_complexity"),
    "explore": lambda: MODEL.explore(X, TURNED),
    "explore a tree": lambda: MODEL.tree_.explore(X, TURNED),
    "explain_split": lambda: MODEL.explain_split(X, TURNED),
    "plot": lambda: MODEL.to_svg(X=X, y=TURNED, content="histogram"),
    "plot a tree": lambda: MODEL.tree_.to_svg(X=X, y=TURNED, content="histogram"),
    "regions": lambda: MODEL.plot_regions(X, TURNED),
    "gains": lambda: MODEL.plot_gains(X, TURNED),
    "compare": lambda: boxwood.compare(X, TURNED, ["cart"]),
    "compare, folds": lambda: boxwood.compare(X, Y, ["cart"], folds=pd.Series(np.arange(N) % 4, INDEX)[::-1]),
    "compare, weights": lambda: boxwood.compare(X, Y, ["cart"], sample_weight=WEIGHT[::-1]),
    "a measure": lambda: measures.information_gain(y=Y, x=X["a"][::-1]),
    "a measure of numbers": lambda: measures.f_statistic(y=NUMBERS, x=X["a"][::-1]),
    "a measure of one column": lambda: measures.entropy(y=Y, sample_weight=WEIGHT[::-1]),
}  # fmt: skip


@pytest.mark.parametrize("name", JOINS)
def test_the_same_labels_in_another_order_are_refused_with_the_remedy(name):
    with pytest.raises(DataError, match="same index labels in another order") as error:
        JOINS[name]()
    for words in (".loc[", "reset_index(drop=True)", "set_config(align='ignore')", "客户"):
        assert words in str(error.value)


@pytest.mark.parametrize("name", JOINS)
def test_the_check_can_be_switched_off(name):
    with boxwood.config_context(align="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        JOINS[name]()


def test_set_config_changes_one_setting_at_a_time():
    boxwood.set_config(align="ignore")
    try:
        with boxwood.config_context(columns="by_name"):
            check_aligned(X=X, y=TURNED)
        boxwood.set_config(columns="same")
        check_aligned(X=X, y=TURNED)
        with boxwood.config_context(align="error"), pytest.raises(DataError):
            check_aligned(X=X, y=TURNED)
    finally:
        boxwood.set_config(align="error")
    with pytest.raises(boxwood.ParameterError, match="align must be one of"):
        boxwood.set_config(align="warn")


def test_labels_that_tell_nothing_about_the_order_are_no_alarm():
    default = X.reset_index(drop=True)
    check_aligned(X=default, y=Y)
    check_aligned(X=default, y=Y.reset_index(drop=True), sample_weight=WEIGHT)
    check_aligned(X=X, y=Y.iloc[::-1].to_numpy(), sample_weight=None)
    check_aligned(X=X, y=TURNED.rename(lambda label: f"{label}!"))
    check_aligned(X=default, y=pd.Series(range(N), index=np.arange(N, dtype=np.float64)))
    check_aligned(X=X.to_numpy(), y=TURNED)
    check_aligned(X=default[10:], y=default["a"][:-10])
    twice = pd.Index(["a", "a", "b"])
    check_aligned(X=pd.Series(0, twice), y=pd.Series(0, pd.Index(["a", "b", "b"])))
    check_aligned(X=pd.Series(0, twice), y=pd.Series(0, twice.copy()))


@pytest.mark.parametrize(
    ("labels", "its"),
    [
        (pd.RangeIndex(3), pd.RangeIndex(2, -1, -1)),
        (pd.RangeIndex(3), pd.Index([0, 2, 1])),
        (pd.Index(["a", "a", "b"]), pd.Index(["a", "b", "a"])),
        (pd.Index([np.nan, 1.0, 2.0]), pd.Index([1.0, np.nan, 2.0])),
        (pd.Index(["x", 1, None], dtype=object), pd.Index([None, "x", 1], dtype=object)),
        (pd.date_range("2024-01-01", periods=3), pd.date_range("2024-01-01", periods=3)[::-1]),
        (pd.MultiIndex.from_product([["a"], [1, 2, 3]]), pd.MultiIndex.from_product([["a"], [3, 1, 2]])),
        (pd.CategoricalIndex(["甲", "乙", "丙"]), pd.CategoricalIndex(["乙", "甲", "丙"])),
        (pd.IntervalIndex.from_tuples([(0, 2), (1, 3)]), pd.IntervalIndex.from_tuples([(1, 3), (0, 2)])),
    ],
)
def test_indexes_of_every_kind_are_compared(labels, its):
    one, other = pd.Series(0, labels), pd.Series(0, its)
    check_aligned(X=one, y=one.copy())
    with pytest.raises(DataError, match="another order"):
        check_aligned(X=one, y=other)


def test_intervals_are_labels_and_do_not_match_the_numbers_in_them():
    intervals = pd.Series(0, pd.IntervalIndex.from_breaks([0, 1, 2]))
    check_aligned(X=intervals, y=pd.Series(0, [1.5, 0.5]))
    check_aligned(X=pd.Series(0, [1.5, 0.5]), y=intervals)


def test_the_message_writes_numbers_as_python_does():
    with pytest.raises(DataError, match=r"row 0 \(counted from 0\) is 0 in X and 2 in y"):
        check_aligned(X=pd.Series(0, pd.RangeIndex(3)), y=pd.Series(0, pd.Index([2, 1, 0])))


def test_folds_of_a_pruner_are_compared_too():
    X = pd.DataFrame({"a": np.arange(40.0) % 7}, [f"r{i}" for i in range(40)])
    y, folds = (X["a"] > 3).rename("y"), pd.Series(np.arange(40) % 4, X.index)
    CARTClassifier(pruning=CostComplexity(folds=folds)).fit(X, y)
    with pytest.raises(DataError, match="X and folds have the same index labels in another order"):
        CARTClassifier(pruning=CostComplexity(folds=folds[::-1])).fit(X, y)
