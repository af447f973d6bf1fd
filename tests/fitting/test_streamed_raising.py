"""C4.5's pruning with subtree raising gives the bytes of memory where rows are in parts, or reports why it cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from boxwood import C45Classifier, CARTClassifier, ErrorBased
from boxwood.algorithms.fitting.parts_learning import PartsLearning
from boxwood.errors import ParameterError
from boxwood.pruning.error_based import Pessimism
from boxwood.pruning.raising import prune_and_raise_by_counts
from boxwood.tree.tree import SHARED


def table(seed: int, missing: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 900))
    data = pd.DataFrame(rng.normal(size=(n, 3)).round(int(rng.integers(0, 4))), columns=["長さ", "x1", "x2"])
    data["c"], data["d"] = rng.choice(list("abcdef"), n), rng.choice(list("uvw"), n)
    z = data["長さ"] + data.x1 * (data.c == "a") + (data.d == "u") * data.x2 + rng.normal(size=n) * 0.7
    data["y"] = np.array(["多", "中", "少"])[np.digitize(z, [-0.6, 0.8])]
    data["w"] = rng.choice([0.0, 0.5, 1.0, 3.0], n)
    if missing:
        data.loc[rng.random(n) < 0.2, "x1"] = np.nan
    return data


def both(model, data: pd.DataFrame, weighted: bool):
    X, weight = data.drop(columns=["y", "w"]), data["w"] if weighted else None
    whole = model.fit(X, data["y"], sample_weight=weight).model_
    names = {"sample_weight": "w"} if weighted else {"drop": ["w"]}
    return model.fit_stream([data.iloc[i::3] for i in range(3)], "y", **names).model_, whole


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("capacity", [60, 10**6])
def test_the_model_of_memory(seed, capacity, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", property(lambda self: capacity))
    rule = ErrorBased((0.05, 0.25, 0.5)[seed % 3], largest=("first", "last")[seed % 2])
    streamed, whole = both(C45Classifier(pruning=rule), table(seed), weighted=seed % 4 > 1)
    assert streamed.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize(
    ("model", "missing"),
    [
        (C45Classifier(group_levels=True), False),
        (C45Classifier(missing="majority"), True),
        (CARTClassifier(pruning="error_based"), False),
    ],
)
def test_other_splits_and_policies(model, missing):
    streamed, whole = both(model, table(3, missing), weighted=True)
    assert streamed.to_bytes() == whole.to_bytes()


def test_branches_are_raised_and_pruned_again():
    """The tables above hold what they are to test: raised branches, and trees without any."""
    raised = 0
    for seed in range(6):
        data = table(seed)
        X = data.drop(columns=["y", "w"])
        by_raising, plain = (C45Classifier(raising=on).fit(X, data["y"]).tree_ for on in (True, False))
        raised += by_raising.n_nodes != plain.n_nodes
    assert 2 <= raised <= 6


def test_rounds_grow_with_raised_branches_and_not_with_depth(caplog):
    caplog.set_level("INFO", "boxwood")
    streamed, _ = both(C45Classifier(), table(5), weighted=False)
    (rounds,) = [record.args[0] for record in caplog.records if "were tried in" in record.getMessage()]
    assert 1 <= rounds <= 4 < streamed.full_tree.max_depth


@pytest.mark.parametrize(
    ("model", "missing", "words"),
    [
        (C45Classifier(), True, "divides rows whose value is missing"),
        (CARTClassifier(pruning="error_based"), True, "one stays above"),
        (C45Classifier(pruning=ErrorBased([0.1, 0.25])), False, "name one confidence"),
        (CARTClassifier(pruning="error_based", max_bins=8), False, "max_bins replaces them by bins"),
        (CARTClassifier(pruning="error_based", priors={"多": 0.5, "中": 0.25, "少": 0.25}), False, "priors or costs"),
    ],
)
def test_what_cannot_be_raised_is_refused_with_the_reason(model, missing, words, tmp_path):
    with pytest.raises(ParameterError, match=words):
        model.fit_stream(table(1, missing), "y", drop=["w"], cache=tmp_path / "kept")


def test_a_row_that_reaches_no_leaf_is_refused():
    tree = C45Classifier(pruning=None).fit([[1], [2], [3], [4]], ["a", "a", "b", "b"]).tree_
    three_rows = np.array([1, 2]), np.array([[1, 0], [0, 2]])
    with pytest.raises(ParameterError, match="one stays above"):
        prune_and_raise_by_counts(tree, Pessimism(), lambda trial: three_rows, 1.0)


def test_splits_that_do_not_list_a_level_are_refused_where_rows_would_be_divided():
    X = {"n": [0] * 40 + [1] * 60, "l": ["a", "b"] * 20 + ["d"] * 60}
    tree = CARTClassifier(pruning=None, min_samples_level=1).fit(X, ["p", "q"] * 20 + ["r"] * 60).tree_
    below = int(tree.splits.feature.tolist().index(1, 1))  # the split of a and b, below that of n
    assert tree.splits.n_positions[below] == 3
    assert np.diff(tree.splits.index_start)[below] == 2
    shared = replace(tree, missing=np.where(tree.is_leaf, tree.missing, SHARED).astype(np.int32))
    with pytest.raises(ParameterError, match="whose level a split does not list"):
        prune_and_raise_by_counts(shared, Pessimism(), lambda tree: None, 1.0)
