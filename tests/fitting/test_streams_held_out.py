"""Pruning with rows held out: a stream holds out the rows that memory does, and the model is that of memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CostComplexity,
    ErrorBased,
)
from boxwood.algorithms.fitting.parts_learning import PartsLearning
from boxwood.pruners import CriticalValue, OneLeaf, PrePruning, ReducedError
from boxwood.pruning.shard_resampling import InShards

KINDS = ["lo", "mid", "hi"]


def table(n: int, seed: int) -> pd.DataFrame:
    """Every kind of column, copies of columns, equal rows, missing values, weights of all sorts."""
    rng = np.random.default_rng(seed)
    made = pd.DataFrame(
        {
            "年龄": rng.normal(size=n).astype([np.float32, np.float64][seed % 2]),
            "whole": rng.integers(0, [4, 50][seed // 2 % 2], n),
            "城": rng.choice(["北京", "東京", "Wien", None], n),
            "order": pd.Categorical(rng.choice(KINDS, n), categories=[*KINDS, "never"], ordered=True),
            "flag": rng.random(n) < 0.5,
        }
    )
    made["falling"] = 100.0 - 2.0 * made["whole"]
    made["w"] = rng.choice([[0.0, 1.0, 2.0], [0.3, 0.6, 1.5], [0.1, np.pi, 0.0]][seed % 3], n)
    if seed % 3 == 1:
        made["long"] = 2**60 + rng.integers(0, 9, n)
    if seed % 2:
        made.loc[rng.random(n) < 0.1, "年龄"] = np.nan
    if seed % 5 == 0:
        made = made.drop(columns=["年龄"])  # most rows are equal to others
    signal = made["whole"] / made["whole"].max() * 30 + 10 * made["flag"] + rng.normal(size=n) * 8
    made["y"] = np.where(signal > 25, "是", np.where(signal > 12, "否", "三"))
    made["z"] = signal + [0, 1e9][seed % 2]
    made["n"] = rng.poisson(np.maximum(signal, 0.0) / 9)
    made["t"] = rng.choice([[1.0, 2.0, 3.0], [0.1, 0.25, 1.75]][seed % 2], n)
    return made


def both(model, data: pd.DataFrame, weighted: bool, rows: int) -> tuple[bytes, bytes]:
    """The model's bytes from a stream of batches, and from memory."""
    target = "n" if model.criterion == "poisson" else "z" if isinstance(model, CARTRegressor) else "y"
    data = data.drop(columns=[name for name in ("y", "z", "n") if name != target])
    exposure = "t" if target == "n" and (rows == 31) else None
    if exposure is None:
        data = data.drop(columns="t")
    batches = [data.iloc[i : i + rows] for i in range(0, len(data), rows)]
    roles = {"sample_weight": "w"} if weighted else {"drop": ("w",)}
    streamed = model.fit_stream(batches, target, memory="64MB", exposure=exposure, **roles).model_.to_bytes()
    given = {"sample_weight": data["w"].to_numpy() if weighted else None}
    if exposure:
        given["exposure"] = data.pop("t")
    return streamed, model.fit(data.drop(columns=[target, "w"]), data[target], **given).model_.to_bytes()


MODELS = [
    CARTClassifier(),
    CARTRegressor(),
    CARTClassifier(pruning="cv-1se", random_state=7, class_weight="balanced"),
    CARTClassifier(pruning=CostComplexity(folds=3, risk="error"), priors="uniform", max_depth=4),
    CARTClassifier(pruning=CostComplexity(folds=3, style="rpart"), costs=[[0, 1, 2], [1, 0, 1], [3, 1, 0]]),
    CARTRegressor(pruning=CostComplexity(folds=4, style="rpart"), max_depth=5),
    CARTClassifier(pruning=CostComplexity(holdout=0.3)),
    CARTRegressor(pruning=CostComplexity(holdout=0.7), random_state=3),
    CARTClassifier(pruning=OneLeaf(folds=3)),
    CARTClassifier(pruning=OneLeaf(choose="lambda", holdout=0.25)),
    CARTClassifier(pruning=CriticalValue(folds=3), max_leaf_nodes=9),
    CARTClassifier(pruning="reduced_error"),
    CARTRegressor(pruning=ReducedError(ties="keep")),
    CARTClassifier(pruning=PrePruning(), unseen="stay"),
    CARTRegressor(pruning=PrePruning(ties="keep", unreached="grow"), unseen="majority"),
    CARTClassifier(pruning=ErrorBased(raising=False, confidence=[0.1, 0.25, 0.5], folds=3)),
    CARTRegressor(criterion="poisson", pruning=None),
    CARTRegressor(criterion="poisson"),
    CARTRegressor(criterion="poisson", pruning="reduced_error", shrink=2.0, max_depth=3),
    CARTClassifier(missing="own_branch"),
    CARTClassifier(missing="learned", max_competitors=2),
    CARTClassifier(compat="rpart", pruning=CostComplexity(folds=3, style="rpart")),
    CARTRegressor(compat="rpart", pruning=CostComplexity(folds=3, style="rpart"), random_state=1),
    CARTClassifier(compat="rpart", pruning=ReducedError()),
    C45Classifier(pruning=CostComplexity(folds=3), missing="majority"),
    C45Classifier(pruning=CostComplexity(folds=4)),
    C45Classifier(pruning="reduced_error"),
    C45Classifier(pruning="reduced_error", missing="own_branch"),
    CARTClassifier(max_bins=6),
    CARTRegressor(max_bins=9, pruning=CostComplexity(folds=3), max_competitors=1),
    CARTClassifier(max_bins=5, pruning="reduced_error"),
    CARTRegressor(max_bins=7, pruning=PrePruning(ties="keep", unreached="grow")),
]


@pytest.mark.sample(7)
@pytest.mark.parametrize("capacity", [5, 10**6])
@pytest.mark.parametrize("model", MODELS, ids=lambda m: f"{type(m).__name__}-{m.pruning}-{m.missing}")
def test_the_model_of_memory_byte_for_byte(model, capacity, monkeypatch):
    monkeypatch.setattr(PartsLearning, "capacity", capacity)
    monkeypatch.setattr("boxwood.algorithms.fitting.encoding.Budget.part_rows", lambda self, width: 40)
    made, at_once = InShards.__init__, [7, 50, 10**6]
    first = 3 + MODELS.index(model) % 6
    for seed in range(first, first + (1 if capacity == 5 else 3)):  # a tree of many questions takes its time
        monkeypatch.setattr(InShards, "__init__", lambda self, e, w, _, s=seed: made(self, e, w, at_once[s % 3]))
        streamed, memory = both(model, table(140, seed), seed % 2 == 0, [31, 64][seed % 2])
        assert streamed == memory


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_a_stream_stops_at_the_fold_of_memory(kind, monkeypatch):
    monkeypatch.setattr("boxwood.pruning.pruners.enough_rows.CERTAIN", 1e6)
    for seed in range(1, 4):
        model = kind(pruning=CostComplexity(folds=5, enough_rows=80), random_state=seed)
        streamed, memory = both(model, table(200 + 90 * seed, seed), True, 57)
        assert streamed == memory
        assert 1 <= model.model_.cv["folds"][0] < 5
