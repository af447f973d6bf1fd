"""Random sequences of edits over all algorithms: sums add up, undo, replay to the same bytes, exports as predict."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    CLSClassifier,
    ID3Classifier,
    Termination,
    TreeClassifier,
)
from boxwood.edits import GrowBelow, MergeNodes, OverruleLeaf, PruneNode, RenameNode, SendMissing, SignNode, SplitNode
from boxwood.errors import DataError, ParameterError
from boxwood.model.tree_model import TreeModel
from boxwood.tree.validate import validate
from effort import FULL

ESTIMATORS = [
    lambda: CARTClassifier(max_depth=3),
    lambda: CARTClassifier(pruning=None, max_depth=3, missing="majority"),
    lambda: CARTClassifier(pruning=None, max_depth=3, missing="stay", class_weight="balanced"),
    lambda: CARTClassifier(max_depth=3, compat="rpart"),
    lambda: CARTRegressor(max_depth=3),
    lambda: CARTRegressor(criterion="poisson", max_depth=3),
    lambda: CARTRegressor(max_depth=3, monotonic_cst={"b": 1}),
    lambda: C45Classifier(),
    lambda: C45Classifier(pruning=None, max_depth=3),
    lambda: ID3Classifier(missing="own_branch", max_depth=3),
    lambda: CLSClassifier(missing="own_branch", max_depth=3),
    lambda: CHAIDClassifier(alpha_split=0.5),
    lambda: CHAIDRegressor(alpha_split=0.5),
    lambda: TreeClassifier(missing="majority", termination=Termination(max_depth=3)),
]
#: Sequences of all algorithms, and edits of each.
SEQUENCES, EDITS = 1000 if FULL else 52, 6


def table(rng: np.random.Generator, n: int) -> tuple[dict, np.ndarray, np.ndarray]:
    X = {
        "a": rng.integers(0, 12, n).astype(float), "b": rng.normal(size=n).round(2),
        "town": rng.choice(["Ulm", "Bonn", "京都", "Köln"], n).astype(object), "grade": rng.choice(["k", "l", "m"], n),
    }  # fmt: skip
    X["a"][rng.random(n) < 0.15] = np.nan
    X["town"][rng.random(n) < 0.1] = None
    y = np.where((X["b"] > 0) ^ (X["town"] == "Ulm") | (rng.random(n) < 0.2), "yes", "no")
    return X, y, rng.poisson(np.exp(X["b"].clip(-1, 1)) + (X["town"] == "Ulm")).astype(float)


def fitted(number: int) -> tuple[Any, dict, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(number)
    X, y, numbers = table(rng, int(rng.integers(40, 160)))
    estimator = ESTIMATORS[number % len(ESTIMATORS)]()
    if isinstance(estimator, (ID3Classifier, CLSClassifier)):
        X = {name: X[name] for name in ("town", "grade")}
    y = numbers if estimator._task == "regression" else y
    return estimator.fit(X, y), X, y, rng


def any_verb(tree, X: dict, rng: np.random.Generator) -> Any:
    t, pick = int(rng.integers(tree.n_nodes)), rng.integers(8)
    if pick == 0:
        name = rng.choice(list(X))
        conditions = {"a": f"a <= {rng.integers(12)}", "b": f"-1 < b <= {rng.normal():.2f}", "town": "town = 京都"}
        return SplitNode(t, conditions.get(name, "grade = k or missing"))
    if pick == 1:
        return SplitNode(t, competitor=int(rng.integers(1, 4)))
    if pick == 2:
        return PruneNode(t)
    if pick == 3:
        return GrowBelow(t, None if rng.random() < 0.7 else {"algorithm": "cart" if tree.response.labels else "chaid"})
    first, n = int(tree.first_child[t]), int(tree.n_children[t])
    if pick == 4:
        return SendMissing(t, "own" if rng.random() < 0.5 or n == 0 else first + int(rng.integers(n)))
    if pick == 5:
        wide = np.flatnonzero(tree.n_children > 2)
        if len(wide):
            first = int(tree.first_child[rng.choice(wide)])
        return MergeNodes(max(first, 0), (max(first, 0) + 1,))
    if pick == 6:
        return OverruleLeaf(t, rng.choice(["yes", "no"]) if tree.response.labels else float(rng.integers(5)))
    return SignNode(t) if rng.random() < 0.3 else RenameNode(t, f"Gruppe {t} 京都")


def check(estimator, X: dict) -> None:
    """The counts add up, and the tree is sound and predicts as its exports do."""
    tree = estimator.tree_
    validate(tree)
    stays = np.array([tree.missing[t] == -2 for t in range(tree.n_nodes)])
    for t in np.flatnonzero(~tree.is_leaf & ~stays).tolist():
        children = slice(int(tree.first_child[t]), int(tree.first_child[t]) + int(tree.n_children[t]))
        assert np.isclose(tree.weight[children].sum(), tree.weight[t], rtol=1e-6), t
    code: dict[str, Any] = {}
    exec(estimator.export("python"), code)
    rows = [{name: None if v is None or v != v else v for name, v in zip(X, values, strict=True)}
            for values in zip(*X.values(), strict=True)][:12]  # fmt: skip
    few = {name: column[:12] for name, column in X.items()}
    assert [code["predict"](row) for row in rows] == estimator.predict(few).tolist()


def run(number: int) -> int:
    """One sequence; returns how many edits were taken."""
    estimator, X, y, rng = fitted(number)
    editor, states = estimator.edit(X, y), [estimator.model_]
    for _ in range(EDITS):
        try:
            editor.take(any_verb(estimator.tree_, X, rng), who="A. Berg", why="tried", force=bool(rng.random() < 0.5))
        except ParameterError:
            assert estimator.model_ is states[-1]
            continue
        states.append(estimator.model_)
    check(estimator, X)
    after, log = estimator.model_.to_bytes(), json.dumps(editor.log)
    again = TreeModel.from_bytes(after)
    assert again.to_bytes() == after
    assert np.array_equal(again.tree.predict(X), estimator.predict(X))
    estimator.edit(X, y).price(RenameNode(0, "again"))  # these are still the rows of the fit
    estimator.model_ = TreeModel.from_bytes(states[0].to_bytes())
    editor = estimator.edit(X, y)
    replay = editor.replay(log)
    assert (replay.taken, [f for f in replay.findings if f.what != "empty branch"]) == (len(states) - 1, [])
    assert estimator.model_.to_bytes() == after
    back = int(rng.integers(len(states)))
    for _ in range(back):
        editor.undo()
    assert estimator.model_.to_bytes() == states[-1 - back].to_bytes()
    for _ in range(back):
        editor.redo()
    assert estimator.model_.to_bytes() == after
    return len(states) - 1


@pytest.mark.parametrize("part", range(4))
def test_random_sequences(part):
    assert sum(map(run, range(part, SEQUENCES, 4))) > SEQUENCES // 2


@pytest.mark.parametrize("verb", [SplitNode(0, "a <= 3"), PruneNode(0), RenameNode(0, "京都")])
def test_other_rows_are_refused(verb):
    model, X, y, _ = fitted(1)
    editor = model.edit({name: column[:-5] for name, column in X.items()}, y[:-5])
    for change in (editor.price, editor.take):
        with pytest.raises(DataError, match="not the ones that the model was fitted to"):
            change(verb)


@pytest.mark.parametrize("number", range(len(ESTIMATORS)))
@pytest.mark.parametrize("verb", [PruneNode(0), RenameNode(0, "京都")])
def test_rows_with_the_same_y_and_another_x_are_refused(number, verb):
    tries = (fitted(number + again * len(ESTIMATORS)) for again in range(9))
    model, X, y, _ = next(one for one in tries if one[0].tree_.n_nodes > 1)
    before, turned = model.model_.to_bytes(), {name: np.roll(column, 1) for name, column in X.items()}
    editor = model.edit(turned, y)
    for change in (editor.price, editor.take):
        with pytest.raises(DataError, match=r"not the ones that the model was fitted to: node [1-9]"):
            change(verb)
    assert model.model_.to_bytes() == before
    if isinstance(verb, PruneNode):
        model.edit(X, y).take(verb, who="A. Berg")
        assert model.get_n_leaves() == 1


def test_a_pruned_model_with_an_overruled_leaf_is_edited_further():
    model, X, y, _ = fitted(4)
    assert model.tree_.n_nodes < model.model_.full_tree.n_nodes
    leaf = int(np.flatnonzero(model.tree_.is_leaf)[0])
    model.edit(X, y).take(OverruleLeaf(leaf, 1.5), why="tried")
    model.model_ = TreeModel.from_bytes(model.model_.to_bytes())
    model.edit(X, y).take(RenameNode(0, "alle"))
    assert [edit["verb"] for edit in model.edits_] == ["overrule", "rename"]
