"""Model files of pruned models: older files load, and parts that do not fit together are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import boxwood
from boxwood import CARTClassifier, CARTRegressor, CostComplexity, datasets, pruners
from boxwood.errors import ModelFileError
from boxwood.model.tree_model import TreeModel
from boxwood.tree import store


def titanic():
    X = datasets.load("titanic")
    return X, X.pop("survived")


@pytest.fixture(scope="module")
def reduced():
    return CARTClassifier(pruning=pruners.ReducedError()).fit(*titanic()).model_.to_bytes()


def test_a_file_from_before_there_were_other_pruners(tmp_path):
    model = CARTClassifier(pruning=CostComplexity(folds=4, risk="error", enough_rows=None, loss="error")).fit(
        *titanic()
    )
    tree, extra, arrays = store.from_bytes(model.model_.to_bytes())
    for name in ("judged_by", "folds", "pruned_by", "family_by"):
        del extra[name]
    extra["settings"]["pruning"] = {"rule": "min", "folds": 4, "cp": 0.0, "risk": "error", "style": "exact"}
    (tmp_path / "old.box").write_bytes(store.to_bytes(tree, extra, arrays))
    again = boxwood.load(tmp_path / "old.box")
    assert again.get_n_leaves() == model.get_n_leaves()
    assert again.cp_table() == model.cp_table()
    assert again.pruning_path_.to_frame("dict") == model.pruning_path_.to_frame("dict")
    assert repr(again.pruning) == repr(replace(model.pruning, loss=None))
    assert again.model_.cv["error"] == model.model_.cv["error"]


def another_tree():
    data = np.arange(8.0)[:, None]
    tree = CARTRegressor(pruning=None).fit(data, data[:, 0]).model_.full_tree
    return np.frombuffer(store.to_bytes(tree), np.uint8)


@pytest.mark.parametrize(
    "change",
    [
        lambda extra, arrays: arrays.update(pruned_tree=arrays["pruned_tree"][:-1]),
        lambda extra, arrays: arrays.update(pruned_tree=arrays["pruned_tree"].astype(np.int64)),
        lambda extra, arrays: arrays.update(pruned_tree=another_tree()),
        lambda extra, arrays: extra.update(sequence=[1]),
        lambda extra, arrays: extra["sequence"].update(row=2),
        lambda extra, arrays: extra["sequence"].update(row=-1),
        lambda extra, arrays: extra["sequence"].update(parameter=3),
        lambda extra, arrays: arrays.pop("sequence.risks"),
        lambda extra, arrays: arrays.update({"sequence.values": np.zeros(3)}),
        lambda extra, arrays: arrays.update({"sequence.held_out": np.zeros((2, 3))}),
        lambda extra, arrays: extra.update(pruned_by="mdl"),
        lambda extra, arrays: extra.update(family_by={"rule": "min"}),
        lambda extra, arrays: extra["settings"]["pruning"].update(pruner="optimal"),
        lambda extra, arrays: extra["settings"]["pruning"].update(ties="never"),
        lambda extra, arrays: extra["settings"]["pruning"].pop("ties"),
    ],
)
def test_parts_that_do_not_fit_are_refused(tmp_path, reduced, change):
    tree, extra, arrays = store.from_bytes(reduced)
    arrays = dict(arrays)
    change(extra, arrays)
    (tmp_path / "forged.box").write_bytes(store.to_bytes(tree, extra, arrays))
    with pytest.raises(ModelFileError):
        boxwood.load(tmp_path / "forged.box")


def test_a_model_that_keeps_its_full_tree_and_another(reduced):
    model = TreeModel.from_bytes(reduced)
    assert model.alpha is None
    assert model.full_tree.n_leaves > model.tree.n_leaves
    assert model.prune(0.0).tree.n_leaves > model.tree.n_leaves
    assert model.to_bytes() == reduced


def test_costs_and_priors_count_too():
    X, y = titanic()
    costs = [[0, 1], [5, 0]]
    model = CARTClassifier(costs=costs, pruning=None).fit(X, y)
    X_new = datasets.load("titanic_new")
    y_new = np.asarray(X_new.pop("survived"))
    model.prune(X_new, y_new, pruner=pruners.ReducedError())
    predicted = model.predict(X_new)
    mean_cost = np.where(y_new == "no", 1.0, 5.0)[predicted != y_new].sum() / len(y_new)
    assert model.pruning_path_.losses[1] == pytest.approx(mean_cost)
    assert model.pruning_path_.losses[1] < model.pruning_path_.losses[0]
