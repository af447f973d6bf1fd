"""The tree of one of several responses: the same nodes and splits, with its moments alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._messages import must_be
from ..errors import ParameterError
from .lazy_arrays import changed
from .split import SplitTable


def of_response(tree: Any, response: int | str) -> Any:
    """The tree of one of several responses, named or numbered, made once and kept beside the tree.

    Parameters
    ----------
    tree : Tree
    response : str or int

    Returns
    -------
    Tree
        The same splits, whose scores are decreases of the response's own impurity; a tree of one response as it is.

    Raises
    ------
    ParameterError
        There is no such response.
    """
    number = _number(tree, response)
    if not tree.response.responses:
        return tree
    kept = vars(tree).setdefault("_of_response", {})
    if (key := (type(tree), number)) not in kept:
        one, moments = tree.response.parts(tree.moments)[number]
        kept[key] = _alone(tree, one, np.ascontiguousarray(moments))
    return kept[key]


def _number(tree: Any, response: int | str) -> int:
    """The position of a response that is named or numbered."""
    names = [one.name for one in tree.response.responses] or [tree.response.name]
    if isinstance(response, str) and response in names:
        return names.index(response)
    if isinstance(response, (int, np.integer)) and not isinstance(response, bool) and 0 <= response < len(names):
        return int(response)
    raise ParameterError(must_be("response", f"one of {', '.join(map(repr, names))}, or its position", response))


def _alone(tree: Any, one: Any, moments: np.ndarray) -> Any:
    """The nodes with moments of one response; competitors, which were ranked by all, are left out."""
    weight, measure = one.weight(moments), tree.response.measures[0]
    risk, above = one.risk(moments, measure), tree.parent[1:]
    lost = risk - np.bincount(above, risk[1:], tree.n_nodes)
    score = np.where(tree.is_leaf, np.nan, np.maximum(lost, 0.0) / np.where(weight > 0, weight, 1.0))
    none = {"competitor_start": np.zeros(tree.n_nodes + 1, dtype=np.int32), "competitors": SplitTable.empty(0)}
    return changed(tree, response=one, moments=moments, score=score, competitor_score=np.zeros(0), **none)
