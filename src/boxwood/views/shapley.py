"""Shapley values: how much each feature moved a prediction away from the mean prediction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _kernel
from .._messages import Setting, must_be, remedy
from ..data.columns.columns import Columns
from ..errors import DataError, ParameterError
from ..tree.descend import route
from ..tree.lazy_arrays import with_arrays
from ..tree.plan import unseen_branches
from ..tree.shares import branch_shares
from ..tree.tree import Tree
from .figures import signed
from .table import frame_of
from .words import amount, plain

#: What the unknown part of a row is taken from: shares of the training rows, or rows given.
METHODS = ("path", "interventional")


@dataclass(frozen=True, eq=False)
class ShapValues:
    """Shapley values of rows. The values of a row and the base value add up to its prediction.

    ``numpy.asarray`` returns ``values``.

    Attributes
    ----------
    values : float64, shape (n, p, K) for class probabilities, (n, p) for a mean or rate
        The Shapley value of each feature for each row.
    base_values : float64, shape (K,), or float
        The prediction without any feature: the mean prediction of the training set, or of the background rows.
    method : {"path", "interventional"}
        How absent features are treated: by the training weights of the branches, or with background rows.
    names : tuple of str
        Names of the features.
    labels : tuple
        Class labels; empty for regression.
    response : str
        Name of the response.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> model = CARTRegressor(pruning=None).fit({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 1, 3, 6])
    >>> found = model.shap_values({"a": [1], "b": [1]})
    >>> found.values.round(9).tolist(), found.base_values
    ([[2.25, 1.25]], 2.5)
    >>> print(found.to_text())
    row 0: y = 6, from 2.5
      a +2.25
      b +1.25
    """

    values: np.ndarray
    base_values: np.ndarray | float
    method: str
    names: tuple[str, ...]
    labels: tuple[Any, ...] = ()
    response: str = field(default="y", repr=False)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        # numpy before 2.0 has no copy=None
        return np.asarray(self.values, dtype=dtype) if copy is None else np.array(self.values, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return len(self.values)

    def to_records(self) -> dict[str, list[Any]]:
        """The values as columns, one entry per row and feature: row, feature, and shap or, per class, shap_<label>."""
        n, p = self.values.shape[:2]
        found = {"row": np.repeat(np.arange(n), p).tolist(), "feature": list(self.names) * n}
        if not self.labels:
            return found | {"shap": self.values.ravel().tolist()}
        return found | {f"shap_{label}": self.values[:, :, k].ravel().tolist() for k, label in enumerate(self.labels)}

    def to_frame(self, backend: str | None = None) -> Any:
        """The values as a data frame, one line per row and feature, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(self, row: int = 0) -> str:
        """The Shapley values of one row as text, the largest first; in classification, those of the predicted class.

        Parameters
        ----------
        row : int
            Position of the row.

        Raises
        ------
        ParameterError
            There is no such row.
        """
        if not -len(self) <= row < len(self):
            raise ParameterError(must_be("row", f"from 0 to {len(self) - 1}", row))
        row %= len(self)
        values, base = self.values[row], self.base_values
        what = plain(self.response)
        if self.labels:
            k = int(np.argmax(values.sum(axis=0) + base))
            values, base, what = values[:, k], base[k], f"probability of {what} = {plain(str(self.labels[k]))}"
        order = [j for j in np.argsort(-np.abs(values), kind="stable").tolist() if values[j]]
        join = ": " if self.labels else " = "
        head = f"row {row}: {what}{join}{amount(values.sum() + base)}, from {amount(base)}"
        return "\n".join([head, *(f"  {plain(self.names[j])} {signed(values[j], amount)}" for j in order)])


def shapley_values(
    tree: Tree, columns: Columns, background: Columns | None = None, unseen: str = "missing", threads: int = 1
) -> ShapValues:
    """Shapley values of a tree's predictions: class probabilities, a mean or a rate.

    A node's whole decision (surrogates, shares of missing values and levels not seen included) is credited to the
    feature that it tests. A coalition of features decides where the row goes at the nodes that test them; at the others
    the row goes down every branch by the weight of the training set (Lundberg, Erion, Lee 2018, algorithm 2), or
    as a row of the background does, and the mean over the background is taken ("interventional").

    Parameters
    ----------
    tree : Tree
    columns : Columns of n rows
    background : Columns, optional
        At least one row; None takes the weights of training.
    unseen : {"missing", "majority", "stay"}
        As in :func:`boxwood.tree.descend.route`.
    threads : int
        The result does not depend on it.

    Returns
    -------
    ShapValues

    Raises
    ------
    DataError
        The background has no rows.
    """
    if background is not None and background.n == 0:
        raise DataError(Setting("background"), " has no rows; ", remedy("give at least one row to compare with"), ".")
    nodes, quadrature, expected = _facts(tree)
    values: Any = _kernel.shap(
        with_arrays(tree), unseen_branches(tree, unseen), columns.for_kernel(),
        None if background is None else background.for_kernel(), nodes, quadrature, threads,
    )  # fmt: skip
    values = values.reshape(columns.n, len(tree.schema), nodes[-1].shape[1])
    if len(expected) > 1:
        values = np.concatenate([0.0 - values.sum(axis=2, keepdims=True), values], axis=2)
    base = expected.copy() if background is None else _mean_of(tree, background, unseen, threads)
    expected_value = tree.response.as_given(base)
    return ShapValues(
        tree.response.as_given(values),
        expected_value if np.ndim(expected_value) else float(expected_value),
        METHODS[background is not None],
        tree.schema.names,
        tree.response.labels,
        tree.response.name,
    )


def _facts(tree: Tree) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, np.ndarray], np.ndarray]:
    """What the kernel reads of each node, the quadrature and the mean prediction: made once and kept beside the tree.

    Of several probabilities, the kernel does not read the first, which is 1 less the others.
    """
    known = vars(tree)
    if "_shapley" not in known:
        explained = tree.response.as_given(tree.response.columns_of(tree))
        outputs, (cover, stays) = explained.reshape(tree.n_nodes, -1), _covers(tree)
        nodes = branch_shares(tree), cover, stays, np.ascontiguousarray(outputs[:, min(1, outputs.shape[1] - 1) :])
        known["_shapley"] = nodes, _quadrature(tree), _expected(tree, outputs, cover, stays)
    return known["_shapley"]


def _quadrature(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Points on [0, 1] and their weights (Gauss, Legendre), exact for as many features as a path tests."""
    parent, feature, tested = tree.parent.tolist(), tree.splits.feature.tolist(), [0]  # a bit for each feature
    for above in parent[1:]:
        tested.append(tested[above] | 1 << feature[above])
    points, weights = np.polynomial.legendre.leggauss(max((max(map(int.bit_count, tested)) + 1) // 2, 1))
    return (1.0 + points) / 2.0, weights / 2.0


def _covers(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Share of each node in its parent by weight, and share of each inner node's rows that stayed there; (T,) each."""
    weight, above = tree.weight, tree.parent[1:]
    below = np.bincount(above, weight[1:], tree.n_nodes)
    rest = np.where(tree.is_leaf, 0.0, np.maximum(weight - below, 0.0))
    rest[rest <= 1e-9 * weight] = 0.0
    whole = np.where(tree.is_leaf, 1.0, below + rest)
    cover = np.ones(tree.n_nodes)
    cover[1:] = weight[1:] / whole[above]
    return cover, rest / whole


def _expected(tree: Tree, outputs: np.ndarray, cover: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """Mean prediction over the training set, shape (K,)."""
    reach, parent = cover.tolist(), tree.parent.tolist()
    for t in range(1, tree.n_nodes):
        reach[t] *= reach[parent[t]]
    ends = np.where(tree.is_leaf, 1.0, stays) * np.array(reach)
    return ends @ outputs


def _mean_of(tree: Tree, columns: Columns, unseen: str, threads: int) -> np.ndarray:
    """Mean prediction for rows, shape (K,) or (1,)."""
    routing = route(tree, columns, unseen, threads)
    return routing.columns(tree).mean(axis=0)
