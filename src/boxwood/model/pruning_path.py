"""What pruning a model costs: its nested family per unit of weight, and as the table that rpart prints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ModelFileError
from ..pictures.pruning_chart import plot_over_leaves
from ..pruning.cost_complexity import risk_of, usual_loss
from ..pruning.rpart_table import cp_table
from ..views.table import frame_of
from .tree_model import TreeModel


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

    def plot(self, ax=None):
        """Impurity on the training set, and cross-validated loss with its standard error, over the leaves.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotAvailableError
            matplotlib is not installed.
        """
        lines = {"training set": self.impurities}
        if self.cv_mean is not None:
            lines["held-out rows"] = self.cv_mean
        return plot_over_leaves(self.n_leaves, lines, self.cv_se, -1, ax)


@dataclass(frozen=True, eq=False)
class PruningSequence:
    """The trees among which the pruner chose, from large to small, and the one it took.

    Attributes
    ----------
    pruner : str
        Name of the pruner: "cost_complexity" when the tree is a cut of the weakest-link family.
    parameter : str
        What the values are: "alpha", "threshold", "confidence", "step", "n_leaves", "lambda".
    values : float64, shape (S,)
        Alphas and lambdas per unit of weight.
    n_leaves : int64, shape (S,)
    risks : float64, shape (S,)
        Risk on the training set per unit of weight.
    row : int
        The selected tree; -1 when the full tree is kept.
    losses, errors : float64, shape (S,), or None
        Held-out loss of each tree (share of errors or mean cost, squared error, Poisson deviance) and its standard
        error.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> path = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 0, 3]).prune(n_leaves=1).pruning_path_
    >>> path.to_frame("dict")
    {'alpha': [0.0, 2.0], 'n_leaves': [2, 1], 'risk': [0.0, 2.0], 'selected': [False, True]}
    """

    pruner: str
    parameter: str
    values: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray
    row: int
    losses: np.ndarray | None = None
    errors: np.ndarray | None = None

    def to_frame(self, backend: str | None = None):
        """The sequence as a data frame, one row a tree.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            By default the first of pandas, polars and pyarrow that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists
            Columns: the parameter by its name, n_leaves, risk, selected; loss and se when rows were held out.

        Raises
        ------
        ParameterError
            There is no such backend.
        NotAvailableError
            The package is not installed.
        """
        columns = {self.parameter: self.values.tolist(), "n_leaves": self.n_leaves.tolist()}
        columns |= {"risk": self.risks.tolist(), "selected": [row == self.row for row in range(len(self.values))]}
        if self.losses is not None:
            columns |= {"loss": self.losses.tolist(), "se": self.errors.tolist()}
        return frame_of(columns, backend)

    def plot(self, ax=None):
        """Risk on the training set, and held-out loss with its standard error, over the leaves.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotAvailableError
            matplotlib is not installed.
        """
        lines = {"training set": self.risks}
        if self.losses is not None:
            lines["held-out rows"] = self.losses
        return plot_over_leaves(self.n_leaves, lines, self.errors, self.row, ax)


def pruning_sequence(model: TreeModel) -> PruningSequence:
    """The sequence of the current pruner: its own, or the weakest-link family."""
    own, unit = model.sequence, model.unit
    if own is None:
        path = model.path.scaled(unit)
        held_out = (None, None) if model.held_out is None else tuple(model.held_out.T)
        return PruningSequence(
            "cost_complexity", "alpha", path.alphas, path.n_leaves, path.risks, model.row, *held_out
        )  # fmt: skip
    held_out = (None, None) if own.held_out is None else tuple(own.held_out.T)
    values = own.values / unit if own.parameter in ("alpha", "lambda") else own.values
    return PruningSequence(
        model.pruned_by["pruner"], own.parameter, values, own.n_leaves, own.risks / unit, own.row, *held_out
    )  # fmt: skip


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
    own = "exact" if model.family_by is None else model.family_by["style"]
    path = model.path
    risk = risk_of(model.full_tree, model.risk_name)
    rows = cp_table(model.full_tree, risk, float(path.alphas[0]), own if style is None else style)
    if model.held_out is None or (style or own) != own:
        return rows
    unit = float(risk_of(model.full_tree, usual_loss(model.full_tree.response))[0]) / model.unit
    losses = (model.held_out[::-1] / (unit if unit > 0 else 1.0)).tolist()
    if len(losses) != len(rows):
        raise ModelFileError("the model file's pruning family is not that of its tree; fit the model again.")
    return [row | {"xerror": mean, "xstd": error} for row, (mean, error) in zip(rows, losses, strict=True)]
