"""Section 8 of the theory checklist (pre- and post-pruning on watermelons), and section 7's alphas from whole fits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from boxwood import ID3Classifier, datasets, pruners
from boxwood.data.frames.frame import read_columns
from boxwood.model.given_rows import given_rows
from boxwood.pruning.held_out_nodes import held_out_nodes

TRAIN = [1, 2, 3, 6, 7, 10, 14, 15, 16, 17]
VALIDATE = [4, 5, 8, 9, 11, 12, 13]
#: 脐部 first: it ties with 色泽 at the root, and the book takes it.
ORDER = ["脐部", "色泽", "根蒂", "敲声", "纹理", "触感"]


def melons(rows):
    """Rows of watermelon 2.0 by their number; the levels are those of the whole table, ties of classes go to 是."""
    X = datasets.load("watermelon_2", declared_levels=True)
    y = pd.Categorical(X.pop("好瓜"), ["是", "否"], ordered=True)
    frame = pd.DataFrame({name: pd.Categorical(X[name], sorted(set(X[name]))) for name in ORDER})
    at = [row - 1 for row in rows]
    return frame.iloc[at].reset_index(drop=True), y[at]


@pytest.fixture
def full():
    return ID3Classifier(pruning=None).fit(*melons(TRAIN))


def accuracy(model) -> float:
    X, y = melons(VALIDATE)
    return float(np.mean(model.predict(X) == np.asarray(y)))


def nodes_of(model):
    """Node by the path to it, and the validation rows of each node."""
    tree = model.model_.full_tree
    X, y = melons(VALIDATE)
    rows = given_rows(model.model_, pruners.ReducedError(), read_columns(X, tree.schema), y)
    names = {}
    for t in range(tree.n_nodes):
        path = tree.path(t).tolist()
        names[tuple(_level(tree, up, c) for up, c in pairwise(path))] = t
    return tree, names, held_out_nodes(tree, rows.ends(tree))


def _level(tree, node: int, child: int) -> str:
    return tree.schema[tree.splits.feature[node]].levels[child - tree.first_child[node]]


def percent(count: float) -> float:
    return pytest.approx(count / 7)


def test_zhou_4_3_the_full_tree(full):
    assert full.tree_.schema.names[full.tree_.splits.feature[0]] == "脐部"
    assert full.tree_.score[0] == pytest.approx(0.2754887502)
    assert accuracy(full) == percent(3)  # 42.9 %


def test_zhou_4_3_pre_pruning_step_by_step(full):
    tree, names, nodes = nodes_of(full)
    right = 7 - nodes.loss

    def with_split(path):
        """Validation rows predicted right when the splits above a node are made, and its own too."""
        t = names[path]
        children = np.arange(tree.first_child[t], tree.first_child[t] + tree.n_children[t])
        siblings = [t] if not path else [c for c in range(tree.first_child[0], tree.first_child[0] + 3) if c != t]
        others = 0 if not path else sum(nodes.weight[c] - nodes.loss[c] for c in siblings)
        return others + (nodes.weight[children] - nodes.loss[children]).sum()

    assert right[0] == 3  # the root as a leaf: 42.9 %
    assert with_split(()) == 5  # split on 脐部: 71.4 %, made
    assert with_split(("凹陷",)) == 4  # 凹陷 by 色泽: 57.1 %, cancelled
    assert with_split(("稍凹",)) == 5  # 稍凹 by 根蒂: 71.4 %, no gain, cancelled
    full.prune(*melons(VALIDATE), pruner=pruners.PrePruning())
    assert (full.get_n_leaves(), accuracy(full)) == (3, percent(5))


def test_s0_30_pre_pruning_cancels_the_split_that_makes_things_worse(full):
    # Only a split that makes things worse is cancelled: 稍凹 by 根蒂 is made.
    full.prune(*melons(VALIDATE), pruner=pruners.PrePruning(ties="keep"))
    assert accuracy(full) == percent(5)
    assert full.get_n_leaves() > 3


def test_zhou_4_3_post_pruning_only_if_better(full):
    full.prune(*melons(VALIDATE), pruner=pruners.ReducedError(ties="keep"))
    assert (full.get_n_leaves(), accuracy(full)) == (7, percent(5))
    tree = full.tree_
    features = {tree.schema.names[f] for f in tree.splits.feature if f >= 0}
    assert features == {"脐部", "根蒂", "色泽"}  # 稍凹 is kept down to 色泽
    assert (tree.rows[tree.is_leaf] == 0).sum() == 2


def test_zhou_4_3_post_pruning_if_not_worse(full):
    full.prune(*melons(VALIDATE), pruner=pruners.ReducedError())
    assert (full.get_n_leaves(), accuracy(full)) == (3, percent(5))


@pytest.mark.parametrize(
    ("name", "response", "alphas", "leaves"),
    [
        ("loan", "类别", [0.0, 7.2821294584], [3, 1]),
        ("watermelon_2", "好瓜", [0.0, 0.9182958341, 2.0614765282, 3.3599009099], [9, 6, 4, 1]),
        ("play_tennis", "play", [0.0, 3.2910008553], [5, 1]),
    ],
)
def test_s0_28_alphas_of_id3_trees_on_the_scale_of_the_note(name, response, alphas, leaves):
    X = datasets.load(name)
    y = X.pop(response)
    for column in ("id", "编号", "day"):
        X.pop(column, None)
    model = ID3Classifier(pruning=None).fit(X, y)
    path = model.cost_complexity_path_
    # C_alpha = sum N_t H_t + alpha |T| counts rows; alphas of the path are per row.
    assert path.ccp_alphas * len(y) == pytest.approx(alphas, abs=1e-9)
    assert path.n_leaves.tolist() == leaves
    for alpha, size in zip(alphas, leaves, strict=True):
        assert model.prune(alpha=(alpha + 1e-9) / len(y)).get_n_leaves() == size
