"""What pruning a model costs: its nested family per unit of weight, and as the table that rpart prints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..pruning.cost_complexity import risk_of
from ..pruning.rpart_table import cp_table
from ..statistics.response import CLASSES, MEAN, RATE
from ..views.table import frame_of
from .model import TreeModel

#: The risk in whose units held-out losses are, by kind of response.
_LOSS = {CLASSES: "error", MEAN: "variance", RATE: "poisson"}


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The trees that pruning can give, from the full tree to the root; row s is best from its alpha up to the next.

    Attributes
    ----------
    ccp_alphas : float64, shape (S,)
        Price of a leaf, rising; risk per unit of weight, as in scikit-learn.
    impurities : float64, shape (S,)
        Risk of each tree per unit of weight: the impurity of its leaves, weighted by their shares of the rows.
    n_leaves : int64, shape (S,)
    cv_mean, cv_se : float64, shape (S,), or None
        Held-out loss of each tree (share of errors or mean cost, squared error, Poisson deviance) and its standard
        error, when pruning cross-validated.

    Notes
    -----
    Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984, chapter 3.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> path = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 0, 3]).cost_complexity_path_
    >>> path.ccp_alphas.tolist(), path.impurities.tolist(), path.n_leaves.tolist()
    ([0.0, 2.0], [0.0, 2.0], [2, 1])
    """

    ccp_alphas: np.ndarray
    impurities: np.ndarray
    n_leaves: np.ndarray
    cv_mean: np.ndarray | None = None
    cv_se: np.ndarray | None = None

    def to_frame(self, backend: str | None = None):
        """The path as a data frame, one row a tree.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            By default the first of pandas, polars and pyarrow that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists
            Columns as the attributes, those of cross-validation only when there was one.

        Raises
        ------
        ParameterError
            There is no such backend.
        NotAvailableError
            The package is not installed.
        """
        columns = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return frame_of({name: v.tolist() for name, v in columns.items() if v is not None}, backend)


def pruning_path(model: TreeModel) -> PruningPath:
    """The family of a model's full tree, per unit of the root's weight."""
    path = model.path.scaled(model.unit)
    held_out = (None, None) if model.held_out is None else tuple(model.held_out.T)
    return PruningPath(path.alphas, path.risks, path.n_leaves, *held_out)


def cp_rows(model: TreeModel, style: str | None = None) -> list[dict]:
    """The rows of rpart's table of complexity parameters, the root alone first.

    Parameters
    ----------
    model : TreeModel
    style : {"exact", "rpart"}, optional
        See :func:`boxwood.pruning.rpart_table.cp_table`; by default as the model was pruned.

    Returns
    -------
    list of dict
        CP, nsplit, rel_error; xerror and xstd in the style the model was pruned with, if it was cross-validated.

    Raises
    ------
    ParameterError
        The style is unknown.
    """
    pruning = model.settings.get("pruning")
    own = pruning["style"] if isinstance(pruning, dict) and "style" in pruning else "exact"
    path = model.path
    risk = risk_of(model.full_tree, model.risk_name)
    rows = cp_table(model.full_tree, risk, float(path.alphas[0]), own if style is None else style)
    if model.held_out is None or (style or own) != own:
        return rows
    unit = float(risk_of(model.full_tree, _LOSS[model.full_tree.response.kind])[0]) / model.unit
    losses = (model.held_out[::-1] / (unit if unit > 0 else 1.0)).tolist()
    return [row | {"xerror": mean, "xstd": error} for row, (mean, error) in zip(rows, losses, strict=True)]
