"""The tree as a table: one row per node with everything known about it."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy as np

from .._messages import Setting
from ..errors import NotAvailableError, check_one_of
from ..tree.tree import Tree
from .condition import condition, first_branch, missing_words
from .importance import of_nodes
from .marked import mark_words
from .predicted import views_of

_BACKENDS = ("pandas", "polars", "pyarrow")


def to_frame(tree: Tree, backend: str | None = None) -> Any:
    """The tree as a data frame, one row per node; columns as in :func:`to_records`.

    Parameters
    ----------
    tree : Tree
    backend : {"pandas", "polars", "pyarrow", "dict"}, optional
        Default: the first of pandas, polars and pyarrow that is installed.

    Returns
    -------
    pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists

    Raises
    ------
    ParameterError
        There is no such backend.
    NotAvailableError
        The package is not installed.
    """
    return frame_of(to_records(tree), backend)


def frame_of(records: dict[str, list], backend: str | None = None) -> Any:
    """Columns of plain Python values as a data frame; ``backend``, result and errors as in :func:`to_frame`."""
    check_one_of("backend", backend, (*_BACKENDS, "dict", None))
    if backend == "dict":
        return records
    package = _package(backend)
    if package.__name__ == "pandas":
        return package.DataFrame(records)
    if "value" in records:
        records = records | {"value": _one_type(records["value"])}
    return package.DataFrame(records) if package.__name__ == "polars" else package.table(records)


def _package(backend: str | None):
    """The package that makes the frame, imported only now."""
    if backend is None:
        backend = next((name for name in _BACKENDS if importlib.util.find_spec(name) is not None), None)
        if backend is None:
            raise NotAvailableError('to_frame needs pandas, polars or pyarrow; install one, or use backend="dict".')
    try:
        return importlib.import_module(backend)
    except ImportError as error:
        raise NotAvailableError(
            Setting("backend", backend), f' needs the package {backend}; install it with "pip install {backend}", '
            'or use backend="dict".',
        ) from error  # fmt: skip


def _one_type(values: list) -> list:
    """Values as text where a typed column cannot hold them: mixed types, or integers beyond 64 bits."""
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and not any(isinstance(v, int) and not -(2**63) <= v < 2**63 for v in values):
        return values
    return [str(value) for value in values]


def to_records(tree: Tree) -> dict[str, list]:
    """Everything known about each node as columns of plain Python values.

    Returns
    -------
    dict of str to list
        node, parent (-1 at the root), branch (number of the branch into the node, -1 at the root), depth; feature
        tested here (None at a leaf); condition into the node (None at the root); rows, weight (both 0 in an empty leaf,
        which has its parent's value; class weights do not enter); value (label, mean or rate); for classes
        ``p_<label>`` and ``n_<label>`` (the weight of its rows; how many, where all weights are 1); impurity (by the
        measure the tree was grown with), score (NaN at a leaf), importance (NI of the node: how much its split lowers
        the impurity of the tree; 0 at a leaf); is_leaf; missing ("branch 1", "shared", "stays", None at a leaf);
        n_surrogates, surrogate (the condition by which the best one sends rows to branch 0, None if
        there is none), n_competitors, heuristic. Trees grown by tests have adjusted_p and log_adjusted_p (natural
        logarithm, for p's that are too small for a float), both NaN at a leaf. Edited trees have edited: what was
        decided about the node, None where nothing was.
    """
    nodes = range(tree.n_nodes)
    branch = np.arange(tree.n_nodes) - tree.first_child[tree.parent]
    branch[0] = -1
    names = [feature.name for feature in tree.schema]
    parents = tree.parent.tolist()
    into = branch.tolist()
    return {
        "node": list(nodes),
        "parent": parents,
        "branch": into,
        "depth": tree.depth.tolist(),
        "feature": [names[j] if j >= 0 else None for j in tree.splits.feature.tolist()],
        "condition": [None] + [condition(tree, parents[t], into[t]) for t in nodes[1:]],
        "rows": tree.rows.tolist(),
        "weight": tree.row_weight.tolist(),
        **views_of(tree.response).columns(tree),
        "impurity": tree.impurity().tolist(),
        "score": tree.score.tolist(),
        "importance": of_nodes(tree).tolist(),
        "is_leaf": tree.is_leaf.tolist(),
        "missing": [missing_words(tree, t) or None for t in nodes],
        "n_surrogates": np.diff(tree.surrogate_start).tolist(),
        "surrogate": [_best_surrogate(tree, t) for t in nodes],
        "n_competitors": np.diff(tree.competitor_start).tolist(),
        "heuristic": tree.heuristic.tolist(),
        **_tests(tree),
        **({"edited": ["; ".join(mark_words(tree, t)) or None for t in nodes]} if tree.marks else {}),
    }


def _tests(tree: Tree) -> dict[str, list]:
    """The adjusted p of each split, where splits were chosen by tests."""
    if tree.log_p is None:
        return {}
    return {"adjusted_p": np.exp(tree.log_p).tolist(), "log_adjusted_p": tree.log_p.tolist()}


def _best_surrogate(tree: Tree, node: int) -> str | None:
    """The first surrogate of a node as text."""
    s = int(tree.surrogate_start[node])
    if s == tree.surrogate_start[node + 1]:
        return None
    return first_branch(tree.schema[int(tree.surrogates.feature[s])], tree.surrogates, s)
