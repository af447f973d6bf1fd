"""CHAID node by node against the reference: groups, statistic, df, p, multiplier, adjusted p, and the tree."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from boxwood.algorithms import REGISTRY
from boxwood.data.columns.columns import Columns
from boxwood.learning.learning_set import learning_set
from boxwood.tree.tree import Tree
from golden.chaid_oracles import CHAID, ORACLES, compact, data_set, names, problem
from golden.oracles import read

ALGORITHM = REGISTRY["chaid"]


def settings_of(fit: dict) -> dict:
    """The settings of a fit under our names."""
    options = fit["options"]
    settings = {
        "exhaustive": options["method"] == "exhaustive",
        "alpha_merge": options["alpha_merge"],
        "alpha_split": options["alpha_split"],
        "split_merged": options["allow_resplit"],
        "alpha_split_merged": options["alpha_split_merged"],
        "bonferroni": options["bonferroni"],
        "multiplier": options.get("exhaustive_multiplier", "spss"),
        "max_depth": options["max_depth"],
        "min_samples_split": options["min_parent"],
        "min_samples_leaf": options["min_child"],
        "n_jobs": 1,
    }
    if fit["target_kind"] != "continuous":
        settings |= {"test": "pearson" if options["chi2"] == "pearson" else "likelihood_ratio"}
        settings |= {"ordinal_target": True} if fit["target_kind"] == "ordinal" else {}
    return settings


def loses_significance(node: dict, alpha: float) -> bool:
    """Whether the reference splits a node although its branches, small ones merged, are no longer significant."""
    return "kids" in node and node["p_adj"] > alpha


def same_nodes(tree: Tree, nodes: list[dict], alpha: float) -> dict[int, int]:
    """Number of every node of the reference in our tree; fails where features, branches or sizes differ.

    Where the reference keeps a split that is not significant, we take the next best feature that is, or none.
    """
    ours = {1: 0}
    for node in nodes:
        if node["id"] not in ours:
            continue
        t = ours[node["id"]]
        kids = node.get("kids", [])
        assert tree.rows[t] == node["n"]
        if loses_significance(node, alpha):
            assert tree.is_leaf[t] or np.exp(tree.log_p[t]) <= alpha
            continue
        assert tree.n_children[t] == len(kids), node.get("stop")
        if kids:
            assert tree.schema[tree.splits.feature[t]].name == node["var"]
            assert np.exp(tree.log_p[t]) == pytest.approx(node["p_adj"], rel=1e-8, abs=1e-300)
        ours |= {kid: int(tree.first_child[t]) + branch for branch, kid in enumerate(kids)}
    return ours


def check_tests(found: dict, wanted: list) -> None:
    """The tests of one node: exactly the features of the reference, with its groups and figures."""
    assert set(found) == {row[0] for row in wanted}
    for name, kind, categories, groups, df, statistic, p, multiplier, adjusted in wanted:
        test = found[name]
        assert (test.kind, test.n_categories) == (kind, categories)
        assert [list(group) for group in test.groups] == groups
        assert list(test.df) == df
        # The response of a mean is kept to 2**-40 of its range, so a small statistic has nine digits.
        figures = (test.statistic, test.p, test.multiplier, test.adjusted_p)
        assert figures == pytest.approx((statistic, p, multiplier, adjusted), rel=2e-9, abs=1e-13)


@pytest.mark.parametrize("name", names())
def test_every_fit(name):
    data = data_set(name)
    for fit in data["fits"]:
        assert fit["robust"], "no fit of CHAID hinges on rounding"
        columns, y, labels = problem(data, fit)
        check_fit(columns, y if not labels else [labels[k] for k in y], fit, labels)


def check_fit(columns: Columns, y, fit: dict, labels: list[str]) -> None:
    settings = settings_of(fit)
    task = "classification" if labels else "regression"
    if labels and settings.get("ordinal_target"):
        settings["ordinal_target"] = [1.0 + labels.index(label) for label in sorted(set(y))]
    model = ALGORITHM.fit(columns, y, task=task, settings=settings)
    alpha = fit["options"]["alpha_split"]
    ours = same_nodes(model.full_tree, fit["nodes"], alpha)
    ends = model.route(columns).node
    same = np.array([leaf in ours for leaf in fit["train_leaf"]])
    assert same.all() or any(loses_significance(node, alpha) for node in fit["nodes"])
    np.testing.assert_array_equal(ends[same], [ours[leaf] for leaf in fit["train_leaf"] if leaf in ours])
    wanted = {ours[node["id"]]: node["tests"] for node in fit["nodes"] if node["id"] in ours}
    for node, found in node_tests(model, columns, y, task).items():
        if wanted.get(node):
            check_tests(found, wanted[node])


def node_tests(model, columns: Columns, y, task: str) -> dict[int, dict]:
    """Node -> feature name -> its test, from the rows of each node, before small branches are merged."""
    settings = dict(model.settings)
    target = ALGORITHM.target(y, settings, task=task)
    learning = learning_set(columns, target, 1)
    recipe = ALGORITHM.recipe(settings, columns.schema, learning.n)
    recipe = replace(recipe, termination=replace(recipe.termination, min_cases_leaf=0.0))
    source = learning.source(recipe)
    indptr, nodes = model.full_tree.paths_to(model.route(columns).node)
    row = np.repeat(np.arange(columns.n), np.diff(indptr))
    order = np.lexsort((row, nodes))
    bounds = np.searchsorted(nodes[order], np.arange(model.full_tree.n_nodes + 1))
    out = {}
    for t, (first, end) in enumerate(pairwise(bounds)):
        found = source.tests(recipe, row[order][first:end])
        out[t] = {columns.schema[test.feature].name: test for test in found if test.state == "tested"}
    return out


def test_packed_files_hold_what_the_reference_outputs_hold():
    files = sorted(CHAID.glob("*.json.gz"))
    assert len(files) >= 14
    assert sum(path.stat().st_size for path in files) < 700_000
    for path in files:
        folder = ORACLES / path.name.removesuffix(".json.gz")
        if folder.is_dir():
            assert read(path) == compact(folder)
