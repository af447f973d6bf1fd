"""Section 10 of the theory checklist: what R's rpart prints for well-known tables, digit by digit."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from boxwood import CostComplexity
from boxwood.data import datasets
from boxwood.model.tree_model import TreeModel
from boxwood.views.importance import with_surrogates
from golden.oracles import ORACLES
from golden.rpart_model import run
from golden.rpart_model import splits as splits_of
from theory.tables import fit

DATA = Path(__file__).parent / "data"
RPART = {
    "compat": "rpart",
    "min_samples_split": 20,
    "min_samples_leaf": 7,
    "max_depth": 30,
    "missing": "surrogate",
}


def rpart(X, y, task: str, cp: float = 0.01, **settings) -> TreeModel:
    """CART with rpart's defaults."""
    risk = "error" if task == "classification" else None
    pruning = CostComplexity(rule="none", folds=None, cp=cp, risk=risk, style="rpart")
    return fit(X, y, task, **RPART | {"pruning": pruning} | settings)


def table_of(model: TreeModel) -> list[list[float]]:
    """CP, nsplit and rel error, the root alone first."""
    path = model.path
    rows = zip(path.alphas / path.root_risk, path.n_leaves - 1, path.risks / path.root_risk, strict=True)
    return [list(row) for row in rows][::-1]


@cache
def watermelons() -> TreeModel:
    """rpart 4.1.19 on watermelon 2.0 alpha, minsplit 2, cp 0."""
    columns = datasets.load("watermelon_2_alpha")
    y = columns.pop("好瓜")
    columns.pop("编号")
    return rpart(columns, y, "classification", 0.0, min_samples_split=2, min_samples_leaf=1)


def test_root_of_the_watermelons():
    tree = watermelons().tree
    feature = tree.schema[tree.splits.feature[0]]
    index = dict(zip(feature.levels, tree.splits.index_of(0).tolist(), strict=True))
    assert feature.name == "纹理"
    assert index["稍糊"] == index["模糊"] != index["清晰"]
    assert tree.score[0] * 17 == pytest.approx(4.002381, abs=5e-7)  # of the 15 rows that know 纹理


def test_s1_20_surrogates_of_the_watermelons():
    tree = watermelons().tree
    kept = slice(tree.surrogate_start[0], tree.surrogate_start[1])
    assert [tree.schema[j].name for j in tree.surrogates.feature[kept]] == ["脐部", "色泽", "根蒂"]
    assert tree.agreement[kept] == pytest.approx([11 / 15, 0.6, 0.6])
    assert tree.adjusted[kept] == pytest.approx([3 / 7, 1 / 7, 1 / 7])


def test_competitors_of_the_watermelons():
    tree = watermelons().tree
    kept = slice(tree.competitor_start[0], tree.competitor_start[1])
    assert [tree.schema[j].name for j in tree.competitors.feature[kept]] == ["脐部", "色泽", "根蒂", "敲声"]
    improve = tree.competitor_score[kept] * 17
    assert improve == pytest.approx([2.375758, 2.057143, 1.312821, 1.005128], abs=5e-7)


def test_cp_table_of_the_watermelons():
    expected = [[0.625, 0, 1], [0.125, 1, 0.375], [0.0625, 3, 0.125], [0, 5, 0]]
    np.testing.assert_allclose(table_of(watermelons()), expected, atol=1e-12)


def test_importance_of_the_watermelons():
    total = with_surrogates(watermelons().tree)
    shares = np.rint(100 * total / total.sum()).astype(int)
    found = dict(zip(watermelons().schema.names, shares.tolist(), strict=True))
    assert found == {"纹理": 34, "色泽": 29, "脐部": 15, "敲声": 11, "根蒂": 11, "触感": 0}


def test_motor_trend_cars():
    with (DATA / "mtcars.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    X = {name: [float(row[name]) for row in rows] for name in ("cyl", "hp")}
    model = rpart(X, [float(row["mpg"]) for row in rows], "regression")
    tree = model.tree
    assert [tree.schema[j].name for j in tree.splits.feature[~tree.is_leaf]] == ["cyl", "hp"]
    assert tree.splits.breaks.tolist() == [5.0, 192.5]
    means = {16.6476190, 26.6636364, 13.4142857, 18.2642857}
    assert {round(v, 7) for v in tree.value[1:].tolist()} == means
    assert [row[0] for row in table_of(model)[:2]] == pytest.approx([0.6431252260, 0.0974840734], abs=5e-11)


if (ORACLES / "kyphosis").is_dir():  # the data come with a package whose licence does not fit ours

    def test_kyphosis():
        found = run("kyphosis", "main/default")
        tree = found.model.tree
        primary = [(s[2], s[5][2]) for s in splits_of(found) if s[1] == "primary"]
        assert primary == [("Start", 8.5), ("Start", 14.5), ("Age", 55.0), ("Age", 111.0)]
        expected = [[0.1764705882, 0, 1], [0.0196078431, 1, 0.823529412], [0.01, 4, 0.764705882]]
        np.testing.assert_allclose(table_of(found.model), expected, rtol=1e-8)
        importance = dict(zip(tree.schema.names, with_surrogates(tree).tolist(), strict=True))
        assert importance == pytest.approx({"Start": 8.19844223, "Age": 3.10180142, "Number": 1.52186283}, abs=5e-9)
