"""Every algorithm that learns from a stream gives the model of memory, as does every pruner of the tree alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    CHAIDRegressor,
    CLSClassifier,
    ErrorBased,
    ID3Classifier,
)
from boxwood.algorithms.fitting.parts_learning import PartsLearning
from boxwood.errors import ParameterError

pytestmark = pytest.mark.usefixtures("parts")
N = 1500
SMALL = {"min_samples_split": 20, "min_samples_leaf": 5}


def table(missing: bool, numeric: bool) -> pa.Table:
    """Levels, and numbers if wanted, of which some are missing if wanted; three classes; weights."""
    rng = np.random.default_rng(7)
    is_missing = lambda: missing and rng.random() < 0.05  # noqa: E731
    columns = {f"色{j}": [None if is_missing() else "甲乙丙丁"[k] for k in rng.integers(0, 4, N)] for j in range(3)}
    if numeric:
        columns |= {f"x{j}": [None if is_missing() else v for v in np.round(rng.normal(size=N), 2)] for j in range(2)}
    first, second = columns["色0"], columns["色1"]
    y = ["是" if (a == "甲") != (b in ("乙", None)) else "否" for a, b in zip(first, second, strict=True)]
    columns["y"] = ["若" if rng.random() < 0.1 else label for label in y]
    columns["w"] = rng.integers(1, 4, N).astype(float)
    return pa.table(columns)


def both(model, data: pa.Table, weighted: bool) -> tuple[bytes, bytes]:
    """The model's bytes from a stream of three batches, and from memory."""
    batches = [data.slice(0, 700), data.slice(700, 7), data.slice(707)]
    roles = {"sample_weight": "w"} if weighted else {"drop": ("w",)}
    streamed = model.fit_stream(batches, "y", memory="64MB", **roles).model_.to_bytes()
    weight = data["w"].to_numpy() if weighted else None
    return streamed, model.fit(data.drop_columns(["y", "w"]), data["y"], sample_weight=weight).model_.to_bytes()


@pytest.mark.sample(25)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("capacity", [60, 10**6])
@pytest.mark.parametrize(
    ("model", "missing", "numeric"),
    [
        (C45Classifier(pruning=None), False, True),
        (C45Classifier(pruning=None, missing="majority"), True, True),
        (C45Classifier(pruning=None, missing="own_branch", laplace=True), True, True),
        (C45Classifier(pruning=None, compat="j48"), False, True),
        (C45Classifier(pruning=None), True, True),
        (C45Classifier(pruning=None, compat="c45"), True, True),
        (C45Classifier(pruning=None, compat="j48", group_levels=True), True, True),
        (C45Classifier(pruning=None, group_levels=True), False, True),
        (ID3Classifier(), False, False),
        (ID3Classifier(criterion="gain_ratio", missing="own_branch"), True, False),
        (CLSClassifier(), False, False),
        (CARTClassifier(pruning=None, max_competitors=2), True, True),
        (CHAIDClassifier(min_samples_split=40, min_samples_leaf=10), True, True),
        (CHAIDClassifier(exhaustive=True, weights="case", n_bins=7, max_depth=None, **SMALL), True, True),
        (CHAIDClassifier(ordinal_target=[1, 2, 4], split_merged=True, min_samples_leaf=0.02), True, True),
        (CHAIDClassifier(pruning="mdl", alpha_split=0.5, **SMALL), False, True),
        (CHAIDClassifier(pruning="cv", alpha_split=0.5, n_bins=30, **SMALL), True, True),
        (CHAIDClassifier(pruning="reduced_error", weights="case", alpha_split=0.5, **SMALL), True, True),
        (CARTClassifier(pruning=None, compat="rpart"), True, True),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else None,
)
def test_the_model_of_memory(model, missing, numeric, capacity, weighted, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", property(lambda self: capacity))
    streamed, whole = both(model, table(missing, numeric), weighted)
    assert streamed == whole


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "model", [C45Classifier(pruning=None, collapse=False), ID3Classifier(), C45Classifier(pruning=None, compat="j48")]
)
def test_two_classes_without_weights_below_levels_that_were_tested(model, seed, monkeypatch):
    """The kernel computes the gains of two unweighted classes by a formula of their own, to other last bits."""
    monkeypatch.setattr(PartsLearning, "capacity", property(lambda self: 60))
    rng = np.random.default_rng(seed)
    n = int(rng.integers(200, 2000))
    columns = {f"色{j}": rng.choice(list("甲乙丙丁戊"[: j + 2]), n) for j in range(4)}
    if not isinstance(model, ID3Classifier):
        columns |= {f"x{j}": rng.normal(size=n).round(int(rng.integers(0, 4))) for j in range(3)}
    either = np.where(columns["色2"] > "丙", "是", "否")
    columns["y"] = np.where(rng.random(n) < 0.5, either, rng.choice(["是", "否"], n))
    streamed, whole = both(model, pa.table(columns | {"w": np.ones(n)}), weighted=False)
    assert streamed == whole


@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(raising=False),
        C45Classifier(pruning="mdl"),
        C45Classifier(pruning="same_decision"),
        CARTClassifier(pruning="mdl"),
        CARTClassifier(pruning=ErrorBased(raising=False)),
    ],
    ids=str,
)
def test_pruners_that_look_at_the_tree_alone(model):
    streamed, whole = both(model, table(False, True), True)
    assert streamed == whole


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "settings", [{"pruning": "cv"}, {"exhaustive": True, "weights": "case"}, {"min_segment": 0.05, "n_bins": 40}]
)
@pytest.mark.parametrize(("weighted", "capacity"), [(False, 60), (True, 60), (True, 10**6)])
def test_a_numeric_target_by_chaid(settings, weighted, capacity, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", property(lambda self: capacity))
    data, rng = table(True, True), np.random.default_rng(1)
    x = np.nan_to_num(data["x0"].to_numpy(zero_copy_only=False).astype(float), nan=2.0)
    target = np.abs(x) + (data["y"].to_numpy(zero_copy_only=False) == "是") + rng.normal(size=N)
    streamed, whole = both(CHAIDRegressor(**SMALL, **settings), data.set_column(5, "y", pa.array(target)), weighted)
    assert streamed == whole


@pytest.mark.parametrize("scores", [[1, 2], [1, 2, 2], [0, 1, 1e300]])
def test_scores_that_do_not_fit_are_refused(scores):
    for fit in ("fit_stream", "fit"):
        model = CHAIDClassifier(ordinal_target=scores)
        data = table(False, False)
        given = (data, "y") if fit == "fit_stream" else (data.drop_columns(["y"]), data["y"])
        with pytest.raises(ParameterError, match="ordinal_target must"):
            getattr(model, fit)(*given)
