"""Our CART grows scikit-learn's trees, missing values and all; where two splits are equally good, either is right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.data.columns.columns import Columns
from boxwood.model.tree_model import TreeModel
from boxwood.pruning.cost_complexity import risk_of, weakest_links
from boxwood.views.importance import mdi
from golden.oracles import data_set, fit_of, fits, learned, numbers, task_of

SETTINGS = {
    "depth4": {"max_depth": 4},
    "leaf5": {"min_samples_leaf": 5},
    "entropy_depth4": {"max_depth": 4, "criterion": "entropy"},
}
#: scikit-learn splits on running numbers, too (day of the year in ozone).
COMMON = {"missing": "learned", "pruning": None, "n_jobs": 1, "identifiers": "use", "cuts": "exact"}
ALL = fits("sklearn")


@dataclass(frozen=True, eq=False)
class Pair:
    """A node of ours and the node of scikit-learn's tree in the same place."""

    ours: int
    theirs: int


@cache
def model_of(name: str, fit_id: str) -> TreeModel:
    """Our tree for a fit; values are rounded to 32 bits as scikit-learn does."""
    data, fit = data_set(name), fit_of(name, "sklearn", fit_id)
    target = task_of(data, fit)["target"]
    rows = np.flatnonzero(~np.isnan(numbers(data, target)))
    columns = learned(data, task_of(data, fit), rows, fit["predictors"])[0]
    values = tuple(v.astype(np.float32).astype(float) for v in columns.values)
    columns = Columns(columns.schema, columns.n, values, columns.low, {})
    y, is_class = numbers(data, target)[rows], "classes" in fit
    return REGISTRY["cart"].fit(
        columns,
        y.astype(int) if is_class else y,
        task="classification" if is_class else "regression",
        settings=SETTINGS[fit_id.split("/")[1]] | COMMON,
    )


def walk(name: str, fit_id: str) -> tuple[list[Pair], list[Pair]]:
    """Nodes in the same place in both trees, from the root down to where the splits differ; and where they do."""
    tree, theirs = model_of(name, fit_id).tree, fit_of(name, "sklearn", fit_id)["tree"]
    same, differing, stack = [], [], [Pair(0, 0)]
    while stack:
        pair = stack.pop()
        same.append(pair)
        assert bool(tree.is_leaf[pair.ours]) == (theirs["left"][pair.theirs] < 0), pair
        if tree.is_leaf[pair.ours]:
            continue
        first, left, right = tree.first_child[pair.ours], theirs["left"][pair.theirs], theirs["right"][pair.theirs]
        if same_split(tree, pair.ours, theirs, pair.theirs):
            stack.extend((Pair(first + 1, right), Pair(first, left)))
        else:
            differing.append(pair)
    return same, differing


def same_split(tree, t: int, theirs: dict, i: int) -> bool:
    """Same feature, same threshold, missing values on one side; infinity parts the known from the missing values."""
    threshold, cut = theirs["threshold"][i], float(tree.splits.breaks_of(t)[0])
    if tree.splits.feature[t] != theirs["feature"][i]:
        return False
    if not np.isinf(threshold):
        sent = tree.missing[t] == (0 if theirs["missing_go_left"][i] else 1)
        known_all = tree.rows[tree.first_child[t]] == theirs["n"][theirs["left"][i]]
        return abs(cut - threshold) <= 1e-9 * max(1.0, abs(threshold)) and (sent or known_all)
    return tree.rows[tree.first_child[t]] == theirs["n"][theirs["left"][i]]


@pytest.mark.parametrize(("name", "fit_id"), ALL)
def test_the_tree(name, fit_id):
    tree, theirs = model_of(name, fit_id).tree, fit_of(name, "sklearn", fit_id)["tree"]
    same, differing = walk(name, fit_id)
    ours, other = np.array([p.ours for p in same]), np.array([p.theirs for p in same])
    assert tree.rows[ours].tolist() == np.array(theirs["n"])[other].tolist()
    np.testing.assert_allclose(tree.impurity()[ours], np.array(theirs["impurity"])[other], 1e-9, 1e-9)
    value = tree.probability if tree.response.labels else tree.value
    expected = np.array(theirs["value"])[other].reshape(value[ours].shape)
    np.testing.assert_allclose(value[ours], expected, 1e-9, 1e-9)
    weight, impurity = np.array(theirs["weighted_n"]), np.array(theirs["impurity"])
    for pair in differing:  # another split is right only if it gains as much
        left, right = theirs["left"][pair.theirs], theirs["right"][pair.theirs]
        below = weight[left] * impurity[left] + weight[right] * impurity[right]
        gain = impurity[pair.theirs] - below / weight[pair.theirs]
        assert tree.score[pair.ours] == pytest.approx(gain, rel=1e-9, abs=1e-9), pair


EQUAL = [fit for fit in ALL if not walk(*fit)[1]]


def test_most_trees_have_no_ties():
    assert len(EQUAL) >= len(ALL) / 3


@pytest.mark.parametrize(("name", "fit_id"), EQUAL)
def test_importances(name, fit_id):
    expected = fit_of(name, "sklearn", fit_id)["importances"]
    np.testing.assert_allclose(mdi(model_of(name, fit_id).tree), expected, 1e-9, 1e-9)


@pytest.mark.parametrize(
    ("name", "fit_id"), [fit for fit in EQUAL if "ccp_alphas" in fit_of(fit[0], "sklearn", fit[1])]
)
def test_the_pruning_path(name, fit_id):
    fit, tree = fit_of(name, "sklearn", fit_id), model_of(name, fit_id).tree
    path = weakest_links(tree, risk_of(tree)).scaled(float(tree.weight[0]))
    alphas, impurities = np.array(fit["ccp_alphas"]), np.array(fit["ccp_impurities"])
    # scikit-learn lists every node that goes, we list every alpha: of equal alphas the last one tells the tree.
    last = np.append(np.diff(alphas) > 1e-10 * impurities[-1], True)
    np.testing.assert_allclose(path.alphas, alphas[last], 1e-9, 1e-10)
    np.testing.assert_allclose(path.risks, impurities[last], 1e-9, 1e-10)
